//! What follows the linear map of a layer, in one pass over memory: `max(0, scale * x + shift)`, then the
//! greatest of each pooling window.
//!
//! Scale and shift are one number for each channel: the bias of a layer, or what batch norm comes to. The
//! backward pass needs to know which value of a window was the greatest, and whether it was above 0: that
//! is kept as a choice, the number of the value in its window, or the number of values for none of them.

use std::array::from_fn;

use crate::Shape;
use preceptron_matrix::widest;

/// What a layer does to the values of its linear map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Activation {
    /// What comes in.
    pub input: Shape,
    /// Whether values below 0 become 0.
    pub relu: bool,
    /// The side of the pooling window, up to [`Activation::MOST`]; 1 for none. Rows and columns that fill no
    /// window are left out.
    pub pool: usize,
}

impl Activation {
    /// The greatest side of a pooling window.
    pub const MOST: usize = 4;

    pub fn output(&self) -> Shape {
        let Shape { channels, height, width } = self.input;
        Shape::new(channels, height / self.pool, width / self.pool)
    }

    /// Fills `output` and `choice` (its length), from `input` (channel, row, column, image).
    pub fn forward(
        &self,
        input: &[f32],
        images: usize,
        scale: &[f32],
        shift: &[f32],
        output: &mut [f32],
        choice: &mut [u32],
    ) {
        match self.pool {
            1 => self.runs(images).forward::<1>(input, scale, shift, output, choice),
            2 => self.runs(images).forward::<4>(input, scale, shift, output, choice),
            3 => self.runs(images).forward::<9>(input, scale, shift, output, choice),
            _ => self.runs(images).forward::<16>(input, scale, shift, output, choice),
        }
    }

    /// From the derivatives by the output to those by `scale * x + shift`; `choice` is from the forward pass.
    pub fn backward(&self, output: &[f32], choice: &[u32], images: usize, input: &mut [f32]) {
        let Shape { height, width, .. } = self.output();
        if [height * self.pool, width * self.pool] != [self.input.height, self.input.width] {
            input.fill(0.0);
        }
        match self.pool {
            1 => self.runs(images).backward::<1>(output, choice, input),
            2 => self.runs(images).backward::<4>(output, choice, input),
            3 => self.runs(images).backward::<9>(output, choice, input),
            _ => self.runs(images).backward::<16>(output, choice, input),
        }
    }

    /// Without pooling a whole channel is one run; with it, the images at a pixel are.
    fn runs(&self, images: usize) -> Runs {
        let pixel = Shape::new(self.input.channels, 1, 1);
        match self.pool {
            1 => Runs { of: Activation { input: pixel, ..*self }, length: self.input.pixels() * images },
            _ => Runs { of: *self, length: images },
        }
    }
}

/// An activation over runs of values that are treated alike. CELLS is the number of values in a window.
struct Runs {
    of: Activation,
    length: usize,
}

impl Runs {
    /// The outputs: the channel of each and where its window begins in the input.
    #[inline(always)]
    fn windows(&self) -> impl Iterator<Item = (usize, usize)> {
        let (Shape { channels, height, width }, pool) = (self.of.output(), self.of.pool);
        let (rows, columns) = (self.of.input.height, self.of.input.width);
        (0..channels).flat_map(move |channel| {
            (0..height).flat_map(move |y| {
                let line = (channel * rows + y * pool) * columns;
                (0..width).map(move |x| (channel, line + x * pool))
            })
        })
    }

    /// Where the values of a window are.
    #[inline(always)]
    fn cells<const CELLS: usize>(&self, begin: usize) -> [std::ops::Range<usize>; CELLS] {
        let (pool, columns) = (self.of.pool, self.of.input.width);
        from_fn(|cell| {
            let at = (begin + cell / pool * columns + cell % pool) * self.length;
            at..at + self.length
        })
    }

    fn forward<const CELLS: usize>(
        &self,
        input: &[f32],
        scale: &[f32],
        shift: &[f32],
        output: &mut [f32],
        choice: &mut [u32],
    ) {
        let least = if self.of.relu { 0.0 } else { f32::NEG_INFINITY };
        let results = output.chunks_exact_mut(self.length).zip(choice.chunks_exact_mut(self.length));
        widest(
            #[inline(always)]
            || {
                for ((output, choice), (channel, begin)) in results.zip(self.windows()) {
                    let cells = self.cells::<CELLS>(begin).map(|range| &input[range]);
                    let (scale, shift) = (scale[channel], shift[channel]);
                    for (at, (output, choice)) in output.iter_mut().zip(choice).enumerate() {
                        let (mut best, mut chosen) = (least, CELLS as u32);
                        for (number, cell) in cells.iter().enumerate() {
                            let value = scale * cell[at] + shift;
                            chosen = if value > best { number as u32 } else { chosen };
                            best = if value > best { value } else { best };
                        }
                        (*output, *choice) = (best, chosen);
                    }
                }
            },
        );
    }

    fn backward<const CELLS: usize>(&self, output: &[f32], choice: &[u32], input: &mut [f32]) {
        let slopes = output.chunks_exact(self.length).zip(choice.chunks_exact(self.length));
        widest(
            #[inline(always)]
            || {
                for ((slopes, choice), (_, begin)) in slopes.zip(self.windows()) {
                    let cells = input.get_disjoint_mut(self.cells::<CELLS>(begin));
                    let mut cells = cells.expect("values of a window are apart");
                    for (number, cell) in cells.iter_mut().enumerate() {
                        for ((cell, slope), choice) in cell.iter_mut().zip(slopes).zip(choice) {
                            // A mask in place of a branch, which would keep the loop from vectors.
                            let mask = u32::from(*choice == number as u32).wrapping_neg();
                            *cell = f32::from_bits(slope.to_bits() & mask);
                        }
                    }
                }
            },
        );
    }
}
