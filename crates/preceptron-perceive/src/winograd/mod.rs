//! Convolutions of 3x3 with a quarter of the products (Winograd's minimal filtering, F(4x4, 3x3)).
//!
//! The output is cut into tiles of 4x4, each of which sees 6x6 inputs d. With g a kernel and `*` entry by entry:
//! ```text
//! y = A^T [sum over input channels of (G g G^T) * (B^T d B)] A
//! ```
//! The sum is a product of matrices for each of the 36 entries: 36 products for 16 outputs, in place of 144. The
//! map is linear in d and in g, so that derivatives go through the transposed matrices:
//! ```text
//! dM = A dy A^T        dd = B (U^T dM) B^T        dg = G^T (dM V^T) G
//! ```
//! with U, V and M the transformed kernels, inputs and outputs. Sums round otherwise than those of a plain
//! convolution, by some 1e-6 of the values.
//!
//! | symbol | layout |
//! |---|---|
//! | U | entry, output channel, input channel |
//! | V | input channel, entry, tile of a row of tiles, image |
//! | M | output channel, entry, tile of a row of tiles, image |

mod lanes;
mod transforms;

use self::lanes::{LANES, SEEN, TILE};
use crate::Shape;
use preceptron_matrix::{Strided, multiply};

/// Entries of a transformed tile.
const ENTRIES: usize = SEEN * SEEN;

/// A convolution of 3x3 with a border of one zero, which keeps height and width.
#[derive(Clone, Copy)]
pub(crate) struct Winograd {
    pub input: Shape,
    pub channels: usize,
    pub images: usize,
}

/// The parts of the scratch: U, V, M and, in the backward pass, derivatives by U.
struct Scratch<'a> {
    kernels: &'a mut [f32],
    inputs: &'a mut [f32],
    outputs: &'a mut [f32],
    kernel_slopes: &'a mut [f32],
}

impl Winograd {
    fn tiles(&self) -> [usize; 2] {
        [self.input.height, self.input.width].map(|side| side.div_ceil(TILE))
    }

    /// Columns of V and M: the tiles of a row, with images filled up to whole lanes.
    fn columns(&self) -> usize {
        self.tiles()[1] * self.images.next_multiple_of(LANES)
    }

    /// From an entry of V or M to the next: not a power of two, for which the entries of a tile would compete
    /// for the same lines of the cache.
    fn stride(&self) -> usize {
        self.columns() + 2 * LANES
    }

    /// An entry of V or M, which have so many channels.
    fn entry<'a>(&self, values: &'a [f32], entry: usize, channels: usize) -> Strided<'a, f32> {
        let stride = self.stride();
        Strided::by_columns(&values[entry * stride..], self.columns(), channels, ENTRIES * stride)
    }

    fn split<'a>(&self, scratch: &'a mut Vec<f32>) -> Scratch<'a> {
        let pairs = ENTRIES * self.channels * self.input.channels;
        let sizes = [pairs, pairs, ENTRIES * self.input.channels * self.stride()];
        let all = sizes.iter().sum::<usize>() + ENTRIES * self.channels * self.stride();
        if scratch.len() < all {
            scratch.resize(all, 0.0);
        }
        let (kernels, rest) = scratch[..all].split_at_mut(sizes[0]);
        let (kernel_slopes, rest) = rest.split_at_mut(sizes[1]);
        let (inputs, outputs) = rest.split_at_mut(sizes[2]);
        Scratch { kernels, inputs, outputs, kernel_slopes }
    }

    /// `output = weights convolved with input`; `scratch` may hold anything.
    pub fn forward(&self, weights: &[f32], input: &[f32], output: &mut [f32], scratch: &mut Vec<f32>) {
        let (from, to, stride) = (self.input.channels, self.channels, self.stride());
        let Scratch { kernels, inputs, outputs, .. } = self.split(scratch);
        self.transform_kernels(weights, kernels);
        for row in 0..self.tiles()[0] {
            self.transform_inputs(input, row, inputs);
            for entry in 0..ENTRIES {
                let u = Strided::by_columns(&kernels[entry * to * from..], from, to, from);
                let v = self.entry(inputs, entry, from);
                multiply(&mut outputs[entry * stride..], ENTRIES * stride, v, u, false);
            }
            self.give_outputs(outputs, row, output);
        }
    }

    /// The derivatives by the weights, and by the input if asked for: those are added to.
    pub fn backward(
        &self,
        weights: &[f32],
        input: &[f32],
        slopes: &[f32],
        weight_slopes: &mut [f32],
        mut input_slopes: Option<&mut [f32]>,
        scratch: &mut Vec<f32>,
    ) {
        let (from, to, stride) = (self.input.channels, self.channels, self.stride());
        let Scratch { kernels, inputs, outputs, kernel_slopes } = self.split(scratch);
        self.transform_kernels(weights, kernels);
        for row in 0..self.tiles()[0] {
            self.transform_inputs(input, row, inputs);
            self.transform_output_slopes(slopes, row, outputs);
            for entry in 0..ENTRIES {
                let (v, dm) = (self.entry(inputs, entry, from), self.entry(outputs, entry, to));
                multiply(&mut kernel_slopes[entry * to * from..], from, v.transposed(), dm, row > 0);
                if input_slopes.is_some() {
                    let u = Strided::by_columns(&kernels[entry * to * from..], from, to, from);
                    multiply(&mut inputs[entry * stride..], ENTRIES * stride, dm, u.transposed(), false);
                }
            }
            if let Some(into) = input_slopes.as_deref_mut() {
                self.add_input_slopes(inputs, row, into);
            }
        }
        self.kernel_slopes(kernel_slopes, weight_slopes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convolution::Convolution;
    use crate::patches::Window;
    use preceptron_base::stream;
    use proptest::prelude::*;
    use rand::RngExt;

    fn close(found: &[f32], plain: &[f32]) {
        let size = plain.iter().map(|x| x * x).sum::<f32>() / plain.len() as f32;
        for (found, plain) in found.iter().zip(plain) {
            assert!((found - plain).abs() < 2e-5 * (1.0 + size.sqrt()), "{found}, plain {plain}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// Tiles that end outside the image, lanes that are not full, channels that fill no lane: all as the plain
        /// convolution has them, whatever is in the scratch.
        #[test]
        fn as_a_plain_convolution(
            from in 1..10usize, to in 1..10usize, height in 1..14usize, width in 1..14usize, images in 1..20usize,
            wanted: bool, seed: u64,
        ) {
            let input = Shape::new(from, height, width);
            let window = Window { input, kernel: [3, 3], stride: 1, padding: 1 };
            let plain = Convolution { window, channels: to, output: [height, width], tiled: false };
            let tiled = Convolution { tiled: true, ..plain };
            let mut random = stream(seed, "values of a test", 0);
            let mut values = |count| (0..count).map(|_| 2.0 * random.random::<f32>() - 1.0).collect::<Vec<_>>();
            let (weights, scratch) = (values(9 * from * to), values(5000));
            let pixels = height * width * images;
            let (x, dy, dx) = (values(from * pixels), values(to * pixels), values(from * pixels));
            let run = |convolution: &Convolution| {
                let (mut y, mut dw, mut dx) = (vec![f32::NAN; dy.len()], vec![f32::NAN; weights.len()], dx.clone());
                let mut scratch = scratch.clone();
                convolution.forward(&weights, &x, images, &mut y, &mut scratch);
                let slopes = wanted.then_some(&mut dx[..]);
                convolution.backward(&weights, &x, &dy, images, &mut dw, slopes, &mut scratch);
                [y, dw, dx]
            };
            for (found, plain) in run(&tiled).iter().zip(&run(&plain)) {
                close(found, plain);
            }
        }
    }
}
