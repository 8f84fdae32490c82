//! What follows the linear map of a layer, in one pass over memory: `max(0, scale * x + shift)`, then the
//! greatest of each pooling window.
//!
//! Scale and shift are one number for each channel: the bias of a layer, or what batch norm comes to. The
//! backward pass needs to know which value of a window was the greatest, and whether it was above 0: that
//! is kept as a choice, the number of the value in its window, or [`Activation::nothing`].

use crate::Shape;

/// What a layer does to the values of its linear map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Activation {
    /// What comes in.
    pub input: Shape,
    /// Whether values below 0 become 0.
    pub relu: bool,
    /// The side of the pooling window; 1 for none. Rows and columns that fill no window are left out.
    pub pool: usize,
}

impl Activation {
    pub fn output(&self) -> Shape {
        let Shape { channels, height, width } = self.input;
        Shape::new(channels, height / self.pool, width / self.pool)
    }

    /// The choice where the output is 0 whatever the input.
    fn nothing(&self) -> u32 {
        (self.pool * self.pool) as u32
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
        let Shape { channels, height, width } = self.output();
        let row = width * images;
        for channel in 0..channels {
            let affine = |x: f32| scale[channel] * x + shift[channel];
            for y in 0..height {
                let out = (channel * height + y) * row;
                for x in 0..width {
                    let range = out + x * images..out + (x + 1) * images;
                    let (best, choice) = (&mut output[range.clone()], &mut choice[range]);
                    let cell = |number| &input[self.cell(channel, y, x, number) * images..][..images];
                    for ((best, choice), &x) in best.iter_mut().zip(choice.iter_mut()).zip(cell(0)) {
                        (*best, *choice) = (affine(x), 0);
                    }
                    for number in 1..self.nothing() {
                        for ((best, choice), &x) in best.iter_mut().zip(choice.iter_mut()).zip(cell(number)) {
                            let value = affine(x);
                            *choice = if value > *best { number } else { *choice };
                            *best = if value > *best { value } else { *best };
                        }
                    }
                    if self.relu {
                        for (best, choice) in best.iter_mut().zip(choice.iter_mut()) {
                            *choice = if *best > 0.0 { *choice } else { self.nothing() };
                            *best = best.max(0.0);
                        }
                    }
                }
            }
        }
    }

    /// From the derivatives by the output to those by `scale * x + shift`; `choice` is from the forward pass.
    pub fn backward(&self, output: &[f32], choice: &[u32], images: usize, input: &mut [f32]) {
        let Shape { channels, height, width } = self.output();
        if height * self.pool != self.input.height || width * self.pool != self.input.width {
            input.fill(0.0);
        }
        for channel in 0..channels {
            for y in 0..height {
                for x in 0..width {
                    let out = ((channel * height + y) * width + x) * images;
                    let (slopes, choice) = (&output[out..out + images], &choice[out..out + images]);
                    for number in 0..self.nothing() {
                        let cell = &mut input[self.cell(channel, y, x, number) * images..][..images];
                        for ((cell, slope), choice) in cell.iter_mut().zip(slopes).zip(choice) {
                            *cell = if *choice == number { *slope } else { 0.0 };
                        }
                    }
                }
            }
        }
    }

    /// Which pixel of the input is number `number` in the window of an output.
    fn cell(&self, channel: usize, y: usize, x: usize, number: u32) -> usize {
        let (dy, dx) = (number as usize / self.pool, number as usize % self.pool);
        (channel * self.input.height + y * self.pool + dy) * self.input.width + x * self.pool + dx
    }
}
