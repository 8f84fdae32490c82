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

use std::ops::{Add, Mul, Sub};

use crate::Shape;
use preceptron_matrix::{Strided, multiply, widest};

/// The side of a tile of outputs, and of the inputs that it sees.
const TILE: usize = 4;
const SEEN: usize = 6;
const ENTRIES: usize = SEEN * SEEN;

/// Images that are transformed together.
const LANES: usize = 8;

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
            self.to_outputs(outputs, row, output);
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
            self.from_output_slopes(slopes, row, outputs);
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

    /// `U = G g G^T`, for a few pairs of channels at a time.
    fn transform_kernels(&self, weights: &[f32], kernels: &mut [f32]) {
        let pairs = self.channels * self.input.channels;
        widest(
            #[inline(always)]
            || {
                let mut half = Default::default();
                for (number, some) in weights.chunks(LANES * 9).enumerate() {
                    let count = some.len() / 9;
                    both(
                        &mut half,
                        #[inline(always)]
                        |i: usize, j: usize| {
                            let mut lanes = ZERO;
                            for (lane, kernel) in lanes.0.iter_mut().zip(some.chunks_exact(9)) {
                                *lane = kernel[3 * i + j];
                            }
                            lanes
                        },
                        #[inline(always)]
                        |x| kernel_map(x),
                        #[inline(always)]
                        |i, j, u| {
                            let at = (i * SEEN + j) * pairs + number * LANES;
                            store(u, &mut kernels[at..at + count]);
                        },
                    );
                }
            },
        );
    }

    /// `dg = G^T dU G`.
    fn kernel_slopes(&self, kernel_slopes: &[f32], weight_slopes: &mut [f32]) {
        let pairs = self.channels * self.input.channels;
        widest(
            #[inline(always)]
            || {
                let mut half = Default::default();
                for (number, some) in weight_slopes.chunks_mut(LANES * 9).enumerate() {
                    let count = some.len() / 9;
                    both(
                        &mut half,
                        #[inline(always)]
                        |i: usize, j: usize| {
                            let at = (i * SEEN + j) * pairs + number * LANES;
                            load(&kernel_slopes[at..at + count])
                        },
                        #[inline(always)]
                        |x| kernel_transposed(x),
                        #[inline(always)]
                        |i, j, dg| {
                            for (kernel, slope) in some.chunks_exact_mut(9).zip(dg.0) {
                                kernel[3 * i + j] = slope;
                            }
                        },
                    );
                }
            },
        );
    }

    /// `V = B^T d B` of a row of tiles.
    fn transform_inputs(&self, input: &[f32], row: usize, inputs: &mut [f32]) {
        let stride = self.stride();
        widest(
            #[inline(always)]
            || {
                let mut half = Default::default();
                for place in self.places(self.input.channels, row) {
                    both(
                        &mut half,
                        #[inline(always)]
                        |i, j| match self.pixel(place, 1, i, j) {
                            Some(at) => load(&input[at..at + place.count]),
                            None => ZERO,
                        },
                        #[inline(always)]
                        |x| input_map(x),
                        #[inline(always)]
                        |i, j, v| {
                            store(v, &mut inputs[place.begin + (i * SEEN + j) * stride..][..LANES]);
                        },
                    );
                }
            },
        );
    }

    /// `y = A^T M A` of a row of tiles.
    fn to_outputs(&self, outputs: &[f32], row: usize, output: &mut [f32]) {
        let stride = self.stride();
        widest(
            #[inline(always)]
            || {
                let mut half = Default::default();
                for place in self.places(self.channels, row) {
                    both(
                        &mut half,
                        #[inline(always)]
                        |i, j| load(&outputs[place.begin + (i * SEEN + j) * stride..][..LANES]),
                        #[inline(always)]
                        |x| output_map(x),
                        #[inline(always)]
                        |i, j, y| {
                            if let Some(at) = self.pixel(place, 0, i, j) {
                                store(y, &mut output[at..at + place.count]);
                            }
                        },
                    );
                }
            },
        );
    }

    /// `dM = A dy A^T` of a row of tiles.
    fn from_output_slopes(&self, slopes: &[f32], row: usize, outputs: &mut [f32]) {
        let stride = self.stride();
        widest(
            #[inline(always)]
            || {
                let mut half = Default::default();
                for place in self.places(self.channels, row) {
                    both(
                        &mut half,
                        #[inline(always)]
                        |i, j| match self.pixel(place, 0, i, j) {
                            Some(at) => load(&slopes[at..at + place.count]),
                            None => ZERO,
                        },
                        #[inline(always)]
                        |x| output_transposed(x),
                        #[inline(always)]
                        |i, j, dm| {
                            store(dm, &mut outputs[place.begin + (i * SEEN + j) * stride..][..LANES]);
                        },
                    );
                }
            },
        );
    }

    /// Adds `dd = B dV B^T` of a row of tiles.
    fn add_input_slopes(&self, inputs: &[f32], row: usize, into: &mut [f32]) {
        let stride = self.stride();
        widest(
            #[inline(always)]
            || {
                let mut half = Default::default();
                for place in self.places(self.input.channels, row) {
                    both(
                        &mut half,
                        #[inline(always)]
                        |i, j| load(&inputs[place.begin + (i * SEEN + j) * stride..][..LANES]),
                        #[inline(always)]
                        |x| input_transposed(x),
                        #[inline(always)]
                        |i, j, dd| {
                            if let Some(at) = self.pixel(place, 1, i, j) {
                                let sums = &mut into[at..at + place.count];
                                store(load(sums) + dd, sums);
                            }
                        },
                    );
                }
            },
        );
    }

    /// The lanes of a row of tiles, in the order in which they stand in an entry of V or M.
    #[inline(always)]
    fn places(&self, channels: usize, row: usize) -> impl Iterator<Item = Place> {
        let (tiles, images) = (self.tiles()[1], self.images);
        let (lanes, stride) = (images.div_ceil(LANES), self.stride());
        (0..channels * tiles * lanes).map(move |number| {
            let image = number % lanes * LANES;
            let (channel, column) = (number / lanes / tiles, number / lanes % tiles);
            let count = LANES.min(images - image);
            let begin = channel * ENTRIES * stride + number % (tiles * lanes) * LANES;
            Place { channel, tile: [row, column], image, count, begin }
        })
    }

    /// Where the values of a pixel of a tile are, if it lies within the image; the tile begins `before` pixels
    /// above and left of its first output.
    #[inline(always)]
    fn pixel(&self, place: Place, before: usize, i: usize, j: usize) -> Option<usize> {
        let Shape { height, width, .. } = self.input;
        let y = (TILE * place.tile[0] + i).wrapping_sub(before);
        let x = (TILE * place.tile[1] + j).wrapping_sub(before);
        match y < height && x < width {
            true => Some(((place.channel * height + y) * width + x) * self.images + place.image),
            false => None,
        }
    }
}

/// A few images at a tile of a channel.
#[derive(Clone, Copy)]
struct Place {
    channel: usize,
    /// Row and column among the tiles.
    tile: [usize; 2],
    /// The first of the images, and how many they are.
    image: usize,
    count: usize,
    /// Where their first entry stands in V or M.
    begin: usize,
}

#[inline(always)]
fn load(values: &[f32]) -> Lanes {
    if let Some(whole) = values.first_chunk::<LANES>() {
        return Lanes(*whole);
    }
    let mut lanes = ZERO;
    lanes.0.iter_mut().zip(values).for_each(|(lane, value)| *lane = *value);
    lanes
}

#[inline(always)]
fn store(lanes: Lanes, into: &mut [f32]) {
    match into.first_chunk_mut::<LANES>() {
        Some(whole) => *whole = lanes.0,
        None => into.iter_mut().zip(&lanes.0).for_each(|(into, lane)| *into = *lane),
    }
}

/// Values of a few images at one place.
#[derive(Clone, Copy, Default)]
struct Lanes([f32; LANES]);

const ZERO: Lanes = Lanes([0.0; LANES]);

macro_rules! by_lane {
    ($name:ident, $function:ident, $operator:tt) => {
        impl $name for Lanes {
            type Output = Lanes;
            #[inline(always)]
            fn $function(mut self, other: Lanes) -> Lanes {
                for lane in 0..LANES {
                    self.0[lane] = self.0[lane] $operator other.0[lane];
                }
                self
            }
        }
    };
}

by_lane!(Add, add, +);
by_lane!(Sub, sub, -);

impl Mul<f32> for Lanes {
    type Output = Lanes;
    #[inline(always)]
    fn mul(mut self, factor: f32) -> Lanes {
        for lane in 0..LANES {
            self.0[lane] *= factor;
        }
        self
    }
}

/// Puts the entries of `T x T^T`, with `map` the product of T and a vector.
#[inline(always)]
fn both<const M: usize, const N: usize>(
    half: &mut [[Lanes; M]; N],
    x: impl Fn(usize, usize) -> Lanes,
    map: impl Fn([Lanes; M]) -> [Lanes; N],
    mut put: impl FnMut(usize, usize, Lanes),
) {
    for column in 0..M {
        let mut values = [ZERO; M];
        for row in 0..M {
            values[row] = x(row, column);
        }
        let values = map(values);
        for row in 0..N {
            half[row][column] = values[row];
        }
    }
    for row in 0..N {
        let values = map(half[row]);
        for column in 0..N {
            put(row, column, values[column]);
        }
    }
}

/// The product of B^T and a vector.
#[inline(always)]
fn input_map([x0, x1, x2, x3, x4, x5]: [Lanes; 6]) -> [Lanes; 6] {
    let (even, odd) = (x4 - x2 * 4.0, x3 - x1 * 4.0);
    let (near, far) = (x4 - x2, (x3 - x1) * 2.0);
    [x0 * 4.0 - x2 * 5.0 + x4, even + odd, even - odd, near + far, near - far, x1 * 4.0 - x3 * 5.0 + x5]
}

/// The product of B and a vector.
#[inline(always)]
fn input_transposed([x0, x1, x2, x3, x4, x5]: [Lanes; 6]) -> [Lanes; 6] {
    let (s, d, u, v) = (x1 + x2, x1 - x2, x3 + x4, x3 - x4);
    let (middle, twice) = (x0 + s + u, d + v * 2.0);
    [x0 * 4.0, x5 * 4.0 - d * 4.0 - v * 2.0, x0 * -5.0 - s * 4.0 - u, twice - x5 * 5.0, middle, x5]
}

/// The product of A^T and a vector.
#[inline(always)]
fn output_map([x0, x1, x2, x3, x4, x5]: [Lanes; 6]) -> [Lanes; 4] {
    let (s, d, u, v) = (x1 + x2, x1 - x2, x3 + x4, x3 - x4);
    [x0 + s + u, d + v * 2.0, s + u * 4.0, d + v * 8.0 + x5]
}

/// The product of A and a vector.
#[inline(always)]
fn output_transposed([x0, x1, x2, x3]: [Lanes; 4]) -> [Lanes; 6] {
    let (even, odd) = (x0 + x2, x1 + x3);
    let (far_even, far_odd) = (x0 + x2 * 4.0, x1 * 2.0 + x3 * 8.0);
    [x0, even + odd, even - odd, far_even + far_odd, far_even - far_odd, x3]
}

/// The product of G and a vector.
#[inline(always)]
fn kernel_map([x0, x1, x2]: [Lanes; 3]) -> [Lanes; 6] {
    let (even, odd) = ((x0 + x2) * (-1.0 / 6.0), x1 * (1.0 / 6.0));
    let (far_even, far_odd) = (x0 * (1.0 / 24.0) + x2 * (1.0 / 6.0), x1 * (1.0 / 12.0));
    [x0 * 0.25, even - odd, even + odd, far_even + far_odd, far_even - far_odd, x2]
}

/// The product of G^T and a vector.
#[inline(always)]
fn kernel_transposed([x0, x1, x2, x3, x4, x5]: [Lanes; 6]) -> [Lanes; 3] {
    let (s, d, u, v) = (x1 + x2, x2 - x1, x3 + x4, x3 - x4);
    [
        x0 * 0.25 - s * (1.0 / 6.0) + u * (1.0 / 24.0),
        d * (1.0 / 6.0) + v * (1.0 / 12.0),
        (u - s) * (1.0 / 6.0) + x5,
    ]
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
