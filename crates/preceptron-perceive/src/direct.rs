//! Convolutions without gathering, where the processor has wide registers and fused products.
//!
//! Values stand with the image innermost, so at every pixel the values of up to 64 images fill whole registers, and
//! an input pixel is multiplied with a weight where it stands. With n the image, k the tap (input channel, dy, dx) and
//! at(k, p) the input value that tap k sees from output pixel p:
//! ```text
//! Y[o, p, n]  = sum over k     W[o, k] X[at(k, p), n]         sums of a few channels in registers, one weight at a time
//! dX[c, q, n] = the same with dY in place of X, and W turned around and transposed (stride 1)
//! dW[o, k]    = sum over p, n  dY[o, p, n] X[at(k, p), n]      sums of a few channels and taps in registers
//! ```
//! Taps outside of the image are left out, not multiplied with zeros. The products that [`crate::convolution`] makes of
//! gathered matrices come to the same but for rounding; they remain for other processors, for few images and
//! for linear layers. On AVX-512 training of the small network takes two thirds of the time it takes with them.
#![allow(unsafe_code)]

use std::ops::Range;

use crate::patches::Window;

mod registers;
mod slopes;
mod values;

/// What is to be computed: a window slid over the values of several images, seen by several channels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work<'a> {
    window: &'a Window,
    out: [usize; 2],
    channels: usize,
    images: usize,
}

impl<'a> Work<'a> {
    /// Output channels of `window` for a number of images.
    ///
    /// # Panics
    /// If the window does not fit into its input.
    pub fn new(window: &'a Window, channels: usize, images: usize) -> Work<'a> {
        Work { window, out: window.output().expect("a window that fits"), channels, images }
    }

    fn inputs(&self) -> usize {
        self.window.input.size() * self.images
    }

    fn outputs(&self) -> usize {
        self.channels * self.out[0] * self.out[1] * self.images
    }
}

/// The registers that this processor has. Only [`Registers::widest`] makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Registers(Width);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(not(target_arch = "x86_64"))]
    #[allow(dead_code)]
    None,
}

impl Registers {
    /// The widest that there are; nothing where products of matrices are faster.
    pub fn widest() -> Option<Registers> {
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx512f") {
                return Some(Registers(Width::Avx512));
            }
            if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
                return Some(Registers(Width::Avx2));
            }
        }
        None
    }

    /// How many images are needed to fill one.
    pub fn images(self) -> usize {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => 16,
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => 8,
            #[cfg(not(target_arch = "x86_64"))]
            Width::None => usize::MAX,
        }
    }

    /// `Y = W X`; every value of the output is written. `weight` tells the weight of a channel and a tap; `packed` is
    /// scratch.
    ///
    /// # Panics
    /// If a slice does not have the length that the work asks for, or there are fewer images than fill a register.
    pub fn values(
        self,
        work: Work<'_>,
        weight: impl Fn(usize, usize) -> f32,
        input: &[f32],
        output: &mut [f32],
        packed: &mut Vec<f32>,
    ) {
        assert!(work.images >= self.images(), "images enough to fill a register");
        assert_eq!(input.len(), work.inputs(), "the values of all images");
        assert_eq!(output.len(), work.outputs(), "room for all values");
        let blocks = values::pack(&work, weight, packed);
        // Safety: the processor has the registers, or this would not be one; the lengths are as asserted, and `pack`
        // made as many weights as the blocks have.
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => unsafe { values::avx512(&work, &blocks, packed, input, output) },
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => unsafe { values::avx2(&work, &blocks, packed, input, output) },
            #[cfg(not(target_arch = "x86_64"))]
            Width::None => unreachable!("no registers are made here"),
        }
    }

    /// `dW = dY X^T`; every entry of `weights` (channel, tap) is written.
    ///
    /// # Panics
    /// If a slice does not have the length that the work asks for.
    pub fn weight_slopes(self, work: Work<'_>, input: &[f32], slopes: &[f32], weights: &mut [f32]) {
        assert_eq!(input.len(), work.inputs(), "the values of all images");
        assert_eq!(slopes.len(), work.outputs(), "a slope for each value");
        assert_eq!(weights.len(), work.channels * work.window.size(), "a slope for each weight");
        // Safety: as in `values`.
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Width::Avx512 => unsafe { slopes::avx512(&work, input, slopes, weights) },
            #[cfg(target_arch = "x86_64")]
            Width::Avx2 => unsafe { slopes::avx2(&work, input, slopes, weights) },
            #[cfg(not(target_arch = "x86_64"))]
            Width::None => unreachable!("no registers are made here"),
        }
    }
}

/// The outputs along a side whose tap `offset` lies within the image.
fn outputs_of(window: &Window, side: usize, outputs: usize, offset: usize) -> Range<usize> {
    let first = window.padding.saturating_sub(offset).div_ceil(window.stride).min(outputs);
    let end = (side + window.padding).saturating_sub(offset).div_ceil(window.stride);
    first..end.clamp(first, outputs)
}

/// The taps along a side that lie within the image for output `at`.
fn taps_of(window: &Window, side: usize, kernel: usize, at: usize) -> Range<usize> {
    let begin = at * window.stride;
    let first = window.padding.saturating_sub(begin).min(kernel);
    let end = (side + window.padding).saturating_sub(begin);
    first..end.clamp(first, kernel)
}

/// Numbers 0..count in blocks of at most `most`, as even as can be.
fn even_blocks(count: usize, most: usize) -> impl Iterator<Item = Range<usize>> {
    let blocks = count.div_ceil(most).max(1);
    (0..blocks).map(move |block| block * count / blocks..(block + 1) * count / blocks)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Shape;

    /// All that this processor has.
    fn every_width() -> Vec<Registers> {
        let mut all: Vec<Registers> = Registers::widest().into_iter().collect();
        #[cfg(target_arch = "x86_64")]
        if all == [Registers(Width::Avx512)] && std::arch::is_x86_feature_detected!("fma") {
            all.push(Registers(Width::Avx2));
        }
        all
    }

    /// Multiples of 1/8 below 2: sums of products are exact in any order.
    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|i| ((i * 7919 + seed * 31) % 29) as f32 / 8.0 - 1.5).collect()
    }

    /// The input value that tap k sees from output (y, x), if it is within the image: its place without images.
    fn seen(window: &Window, tap: usize, y: usize, x: usize) -> Option<usize> {
        let [height, width] = window.kernel;
        let (channel, dy, dx) = (tap / (height * width), tap / width % height, tap % width);
        let within = |at: usize, side: usize| at.checked_sub(window.padding).filter(|at| *at < side);
        let row = within(y * window.stride + dy, window.input.height)?;
        let column = within(x * window.stride + dx, window.input.width)?;
        Some((channel * window.input.height + row) * window.input.width + column)
    }

    proptest! {
        #[test]
        fn the_same_as_one_product_after_the_other(
            (kernel, padding) in (1..5usize).prop_flat_map(|kernel| (Just(kernel), 0..kernel)),
            (channels, height, width) in (1..9usize, 4..8usize, 4..8usize),
            stride in 1..3usize,
            outputs in 1..15usize,
            images in 16..80usize,
        ) {
            let input_shape = Shape::new(channels, height, width);
            let window = Window { input: input_shape, kernel: [kernel, kernel], stride, padding };
            let [rows, columns] = window.output().expect("it fits");
            let input = numbers(input_shape.size() * images, 1);
            let weights = numbers(outputs * window.size(), 2);
            let slopes = numbers(outputs * rows * columns * images, 3);
            let mut plain = vec![0.0; slopes.len()];
            let mut plain_slopes = vec![0.0; weights.len()];
            for (output, y) in (0..outputs).flat_map(|output| (0..rows).map(move |y| (output, y))) {
                for (x, tap) in (0..columns).flat_map(|x| (0..window.size()).map(move |tap| (x, tap))) {
                    let Some(place) = seen(&window, tap, y, x) else { continue };
                    for image in 0..images {
                        let at = ((output * rows + y) * columns + x) * images + image;
                        plain[at] += weights[output * window.size() + tap] * input[place * images + image];
                        plain_slopes[output * window.size() + tap] += slopes[at] * input[place * images + image];
                    }
                }
            }
            for registers in every_width() {
                let weight = |channel: usize, tap: usize| weights[channel * window.size() + tap];
                let (mut values, mut found) = (vec![f32::NAN; plain.len()], vec![f32::NAN; weights.len()]);
                let work = Work::new(&window, outputs, images);
                registers.values(work, weight, &input, &mut values, &mut Vec::new());
                registers.weight_slopes(work, &input, &slopes, &mut found);
                prop_assert_eq!(&values, &plain);
                prop_assert_eq!(&found, &plain_slopes);
            }
        }
    }
}
