//! Which part of an image each output of a convolution sees, gathered into a matrix and scattered back.
//!
//! Values of a part of a batch stand with the image innermost: channel, row, column, image. So a row of
//! outputs of all images is one long run of memory, gathering copies such runs, and everything that is done
//! value by value is done over runs of images.

use std::ops::Range;

use crate::Shape;
use preceptron_matrix::widest;

/// The geometry of a convolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub input: Shape,
    /// Height and width of the kernel.
    pub kernel: [usize; 2],
    pub stride: usize,
    /// Zeros around the image, on each side.
    pub padding: usize,
}

impl Window {
    /// Height and width of the output; nothing if the kernel does not fit.
    pub fn output(&self) -> Option<[usize; 2]> {
        let side = |input: usize, kernel: usize| {
            let room = (input + 2 * self.padding).checked_sub(kernel)?;
            Some(room / self.stride + 1)
        };
        Some([side(self.input.height, self.kernel[0])?, side(self.input.width, self.kernel[1])?])
    }

    /// How many input values each output sees.
    pub fn size(&self) -> usize {
        self.input.channels * self.kernel[0] * self.kernel[1]
    }

    /// Whether the gathered matrix would be the input itself.
    pub fn is_identity(&self) -> bool {
        let [height, width] = self.kernel;
        let whole = [height, width] == [self.input.height, self.input.width];
        self.padding == 0 && (whole || (height == 1 && width == 1 && self.stride == 1))
    }

    /// For output rows `rows`: row (channel, dy, dx) of the matrix holds, for each output, the input value
    /// that the kernel's weight (channel, dy, dx) is multiplied with.
    pub fn gather(&self, input: &[f32], images: usize, rows: Range<usize>, matrix: &mut [f32]) {
        self.runs(images, rows, |kind| match kind {
            Run::Copy { matrix: at, input: from, length } => {
                matrix[at..at + length].copy_from_slice(&input[from..from + length]);
            }
            Run::Zero { matrix: at, length } => matrix[at..at + length].fill(0.0),
        });
    }

    /// The transpose of [`Window::gather`]: adds each entry to the input value that it came from.
    pub fn scatter(&self, matrix: &[f32], images: usize, rows: Range<usize>, input: &mut [f32]) {
        widest(
            #[inline(always)]
            || {
                self.runs(images, rows, |kind| {
                    if let Run::Copy { matrix: from, input: at, length } = kind {
                        let entries = &matrix[from..from + length];
                        input[at..at + length].iter_mut().zip(entries).for_each(|(sum, entry)| *sum += entry);
                    }
                });
            },
        );
    }

    #[inline(always)]
    fn runs(&self, images: usize, rows: Range<usize>, mut each: impl FnMut(Run)) {
        let Shape { channels, height, width } = self.input;
        let out_width = (width + 2 * self.padding - self.kernel[1]) / self.stride + 1;
        let mut at = 0;
        for channel in 0..channels {
            for dy in 0..self.kernel[0] {
                for dx in 0..self.kernel[1] {
                    // The outputs of a row whose input column lies within the image.
                    let first = self.padding.saturating_sub(dx).div_ceil(self.stride).min(out_width);
                    let end = (width + self.padding).saturating_sub(dx).div_ceil(self.stride);
                    let end = end.clamp(first, out_width);
                    for row in rows.clone() {
                        let y = (row * self.stride + dy).checked_sub(self.padding).filter(|&y| y < height);
                        let Some(y) = y else {
                            each(Run::Zero { matrix: at, length: out_width * images });
                            at += out_width * images;
                            continue;
                        };
                        let line = (channel * height + y) * width;
                        let source = |x: usize| (line + x * self.stride + dx - self.padding) * images;
                        each(Run::Zero { matrix: at, length: first * images });
                        let begin = at + first * images;
                        if self.stride == 1 && first < end {
                            let length = (end - first) * images;
                            each(Run::Copy { matrix: begin, input: source(first), length });
                        } else {
                            for x in first..end {
                                let matrix = at + x * images;
                                each(Run::Copy { matrix, input: source(x), length: images });
                            }
                        }
                        each(Run::Zero { matrix: at + end * images, length: (out_width - end) * images });
                        at += out_width * images;
                    }
                }
            }
        }
    }
}

/// A run of entries of the matrix.
enum Run {
    Copy { matrix: usize, input: usize, length: usize },
    Zero { matrix: usize, length: usize },
}
