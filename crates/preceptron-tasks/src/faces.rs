//! What stands in the cells of boards that are drawn: pictures and printed digits.
//!
//! All is drawn in light ink on a dark ground, as MNIST is; paper has it the other way round.

use crate::glyphs;
use crate::mnist::SIDE;
use crate::picture::Picture;

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Face {
    /// Nothing.
    Blank,
    /// A picture of 28 x 28 pixels, light on dark.
    Given(Vec<u8>),
    /// A printed digit in strong ink.
    Printed(u8),
    /// A printed digit in weak ink, which was not given.
    Found(u8),
    /// A picture that was read wrongly, framed, and a small printed digit.
    Repaired(Vec<u8>, u8),
}

/// What stands in a cell of 28 x 28 pixels with this upper left corner; or of as many times more on either side as
/// `scale` says, where pictures are interpolated and digits smooth.
pub fn draw_face(canvas: &mut Picture, x: usize, y: usize, face: &Face, scale: usize) {
    let paste = |canvas: &mut Picture, pixels: &[u8]| {
        let picture = Picture::from_pixels(SIDE, pixels.to_vec());
        let (size, side) = (SIDE as f64, SIDE * scale);
        match scale {
            1 => canvas.paste(x, y, &picture),
            _ => canvas.paste(x, y, &picture.resampled(0.0, 0.0, size, size, (side, side))),
        }
    };
    // A digit in the middle; where it is smooth there is room for a larger one.
    let print = |canvas: &mut Picture, digit: u8, tone: u8| match scale {
        1 => glyphs::print(canvas, x + 9, y + 7, digit, 2, tone),
        _ => glyphs::print_smooth(canvas, x + 7 * scale, y + 4 * scale, digit, 14 * scale / 5, tone),
    };
    match face {
        Face::Blank => {}
        Face::Given(picture) => paste(canvas, picture),
        Face::Printed(digit) => print(canvas, *digit, 255),
        Face::Found(digit) => print(canvas, *digit, 130),
        Face::Repaired(picture, digit) => {
            paste(canvas, picture);
            let (side, frame) = (SIDE * scale, 2 * scale);
            for edge in [0, side - frame] {
                canvas.fill(x + edge, y, frame, side, 200);
                canvas.fill(x, y + edge, side, frame, 200);
            }
            canvas.fill(x + 18 * scale, y + 16 * scale, 8 * scale, 10 * scale, 0);
            let (x, y) = (x + 20 * scale, y + 18 * scale);
            match scale {
                1 => glyphs::print(canvas, x, y, *digit, 1, 255),
                _ => glyphs::print_smooth(canvas, x, y, *digit, scale, 255),
            }
        }
    }
}
