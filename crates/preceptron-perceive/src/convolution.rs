//! Convolution as a product of matrices, a few rows of outputs at a time so that what is gathered for them
//! stays in cache.
//!
//! With X the gathered inputs (one row for each weight of a kernel, one column for each output pixel and
//! image) and W the kernels (one row each): `Y = W X`, and backward `dW = dY X^T`, `dX = W^T dY`. A linear
//! layer is the convolution whose kernel is as large as the image; nothing needs to be gathered for it. Where the
//! processor allows, nothing is gathered for others either: see [`crate::direct`].

use std::ops::Range;

use crate::Shape;
use crate::direct::{Registers, Work};
use crate::patches::Window;
use preceptron_matrix::{Strided, multiply};

/// How many values are gathered at once: 256 kB.
const GATHERED: usize = 1 << 16;

/// A convolution to `channels` channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Convolution {
    pub window: Window,
    pub channels: usize,
    /// Height and width of the output.
    pub output: [usize; 2],
}

impl Convolution {
    /// The output rows that are computed together.
    fn bands(&self, images: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let [height, width] = self.output;
        let rows = match self.window.is_identity() {
            true => height,
            false => (GATHERED / (self.window.size() * width * images)).clamp(1, height),
        };
        (0..height).step_by(rows).map(move |first| first..(first + rows).min(height))
    }

    /// What computes it without gathering, if that is faster.
    fn direct(&self, images: usize) -> Option<Registers> {
        let registers = Registers::widest().filter(|registers| images >= registers.images())?;
        (!self.window.is_identity()).then_some(registers)
    }

    /// The convolution that takes derivatives by the output to those by the input, if there is one.
    fn transposed(&self) -> Option<Window> {
        let Window { kernel: [height, width], stride, padding, .. } = self.window;
        (stride == 1 && height == width).then(|| Window {
            input: Shape::new(self.channels, self.output[0], self.output[1]),
            padding: height - 1 - padding,
            ..self.window
        })
    }

    /// `Y = W X`; `gathered` is scratch.
    pub fn forward(
        &self,
        weights: &[f32],
        input: &[f32],
        images: usize,
        output: &mut [f32],
        gathered: &mut Vec<f32>,
    ) {
        if let Some(registers) = self.direct(images) {
            let weight = |channel: usize, tap: usize| weights[channel * self.window.size() + tap];
            let work = Work::new(&self.window, self.channels, images);
            registers.values(work, weight, input, output, gathered);
            return;
        }
        let (size, width) = (self.window.size(), self.output[1]);
        let channel = self.output[0] * width * images;
        for band in self.bands(images) {
            let (begin, columns) = (band.start * width * images, band.len() * width * images);
            let x = Strided::by_columns(self.gather(input, images, band, gathered), columns, size, columns);
            let w = Strided::by_columns(weights, size, self.channels, size);
            multiply(&mut output[begin..], channel, x, w, false);
        }
    }

    /// `dW = dY X^T`, and `dX = W^T dY` if asked for. `input_slopes` is added to: it starts at 0.
    #[allow(clippy::too_many_arguments)]
    pub fn backward(
        &self,
        weights: &[f32],
        input: &[f32],
        slopes: &[f32],
        images: usize,
        weight_slopes: &mut [f32],
        mut input_slopes: Option<&mut [f32]>,
        gathered: &mut Vec<f32>,
    ) {
        let (size, width) = (self.window.size(), self.output[1]);
        let channel = self.output[0] * width * images;
        let direct = self.direct(images);
        if let Some(registers) = direct {
            let work = Work::new(&self.window, self.channels, images);
            registers.weight_slopes(work, input, slopes, weight_slopes);
            let Some(into) = input_slopes.as_deref_mut() else { return };
            if let Some(window) = self.transposed() {
                let kernel = window.kernel[0] * window.kernel[1];
                // Kernels turned around: the last tap is the first.
                let weight = |channel: usize, tap: usize| {
                    let (output, place) = (tap / kernel, kernel - 1 - tap % kernel);
                    weights[output * size + channel * kernel + place]
                };
                let work = Work::new(&window, self.window.input.channels, images);
                registers.values(work, weight, slopes, into, gathered);
                return;
            }
        }
        for band in self.bands(images) {
            let (begin, columns) = (band.start * width * images, band.len() * width * images);
            let add = begin > 0;
            let dy = Strided::by_columns(&slopes[begin..], columns, self.channels, channel);
            if direct.is_none() {
                let x = self.gather(input, images, band.clone(), gathered);
                let x = Strided::by_columns(x, columns, size, columns);
                multiply(weight_slopes, size, x.transposed(), dy, add);
            }
            let Some(into) = input_slopes.as_deref_mut() else { continue };
            let w = Strided::by_columns(weights, size, self.channels, size).transposed();
            if self.window.is_identity() {
                multiply(into, columns, dy, w, false);
            } else {
                gathered.resize(gathered.len().max(size * columns), 0.0);
                multiply(gathered, columns, dy, w, false);
                self.window.scatter(gathered, images, band, into);
            }
        }
    }

    /// The gathered inputs of a band of output rows.
    fn gather<'a>(
        &self,
        input: &'a [f32],
        images: usize,
        band: Range<usize>,
        gathered: &'a mut Vec<f32>,
    ) -> &'a [f32] {
        if self.window.is_identity() {
            return input;
        }
        let length = self.window.size() * band.len() * self.output[1] * images;
        if gathered.len() < length {
            gathered.resize(length, 0.0);
        }
        self.window.gather(input, images, band, &mut gathered[..length]);
        &gathered[..length]
    }
}
