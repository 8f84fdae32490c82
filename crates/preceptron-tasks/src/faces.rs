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

/// What stands in a cell of 28 x 28 pixels with this upper left corner.
pub fn draw_face(canvas: &mut Picture, x: usize, y: usize, face: &Face) {
    match face {
        Face::Blank => {}
        Face::Given(picture) => canvas.paste(x, y, &Picture::from_pixels(SIDE, picture.clone())),
        Face::Printed(digit) => glyphs::print(canvas, x + 9, y + 7, *digit, 2, 255),
        Face::Found(digit) => glyphs::print(canvas, x + 9, y + 7, *digit, 2, 130),
        Face::Repaired(picture, digit) => {
            canvas.paste(x, y, &Picture::from_pixels(SIDE, picture.clone()));
            for edge in [0, SIDE - 2] {
                canvas.fill(x + edge, y, 2, SIDE, 200);
                canvas.fill(x, y + edge, SIDE, 2, 200);
            }
            canvas.fill(x + 18, y + 16, 8, 10, 0);
            glyphs::print(canvas, x + 20, y + 18, *digit, 1, 255);
        }
    }
}
