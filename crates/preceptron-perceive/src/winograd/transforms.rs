//! A row of tiles into V and M and back, a few images at a time; and kernels into U and back.
//!
//! The maps are handed on in closures of their own: a function's name would be called, not inlined, and then not be
//! compiled for the processor's vectors.
#![allow(clippy::redundant_closure)]

use super::lanes::{
    LANES, SEEN, TILE, ZERO, both, input_map, input_transposed, kernel_map, kernel_transposed, load,
    output_map, output_transposed, store,
};
use super::{ENTRIES, Winograd};
use crate::Shape;
use preceptron_matrix::widest;

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

impl Winograd {
    /// `U = G g G^T`, for a few pairs of channels at a time.
    pub(super) fn transform_kernels(&self, weights: &[f32], kernels: &mut [f32]) {
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
    pub(super) fn kernel_slopes(&self, kernel_slopes: &[f32], weight_slopes: &mut [f32]) {
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
    pub(super) fn transform_inputs(&self, input: &[f32], row: usize, inputs: &mut [f32]) {
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
    pub(super) fn give_outputs(&self, outputs: &[f32], row: usize, output: &mut [f32]) {
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
    pub(super) fn transform_output_slopes(&self, slopes: &[f32], row: usize, outputs: &mut [f32]) {
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
    pub(super) fn add_input_slopes(&self, inputs: &[f32], row: usize, into: &mut [f32]) {
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
