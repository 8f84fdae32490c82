//! Ink as MNIST has it: the digit fits a box of 20 x 20 pixels and has its centre of mass in the middle of
//! 28 x 28.

use super::{PIXELS, SIDE};
use crate::picture::Picture;

/// Rows of the box that a digit fits, and columns.
const BOX: f64 = 20.0;

/// Ink below this is taken for the edge of a digit, not for a part of it.
const EDGE: u8 = 48;

/// A digit, light on dark, in MNIST's size and place; all dark if there is no ink.
pub fn fit(ink: &Picture) -> Vec<u8> {
    let mut fitted = vec![0; PIXELS];
    let (mut left, mut right, mut top, mut bottom) = (ink.width(), 0, ink.height(), 0);
    for y in 0..ink.height() {
        for x in (0..ink.width()).filter(|&x| ink.at(x, y) >= EDGE) {
            (left, right) = (left.min(x), right.max(x + 1));
            (top, bottom) = (top.min(y), bottom.max(y + 1));
        }
    }
    if left >= right {
        return fitted;
    }
    let (width, height) = ((right - left) as f64, (bottom - top) as f64);
    let scale = BOX / width.max(height);
    let size = |length: f64| ((length * scale).round() as usize).clamp(1, BOX as usize);
    let box_of = (left as f64, top as f64, right as f64, bottom as f64);
    let digit = ink.resampled(box_of.0, box_of.1, box_of.2, box_of.3, (size(width), size(height)));
    let (mut mass, mut x_mass, mut y_mass) = (0.0, 0.0, 0.0);
    for (at, &tone) in digit.pixels().iter().enumerate() {
        let tone = f64::from(tone);
        mass += tone;
        x_mass += tone * ((at % digit.width()) as f64 + 0.5);
        y_mass += tone * ((at / digit.width()) as f64 + 0.5);
    }
    let start = |moment: f64, length: usize| {
        // The middle of the pixel that comes after half of them.
        let middle = SIDE as f64 / 2.0 + 0.5;
        let start = (middle - moment / f64::max(mass, 1.0)).round();
        start.clamp(0.0, (SIDE - length) as f64) as usize
    };
    let (x, y) = (start(x_mass, digit.width()), start(y_mass, digit.height()));
    for (row, line) in digit.pixels().chunks_exact(digit.width()).enumerate() {
        fitted[(y + row) * SIDE + x..][..line.len()].copy_from_slice(line);
    }
    fitted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mnist::Mnist;

    /// MNIST's own pictures hardly change, and neither do they when they come larger and elsewhere.
    #[test]
    fn pictures_of_mnist_come_back() {
        let test = Mnist::embedded().test;
        let (mut near, mut all) = (0, 0);
        for number in (0..test.len()).step_by(97) {
            let image = Picture::from_pixels(SIDE, test.image(number).to_vec());
            let mut larger = Picture::new(100, 90, 0);
            larger.paste(31, 3, &image.resampled(0.0, 0.0, 28.0, 28.0, (56, 56)));
            for picture in [&image, &larger] {
                let fitted = fit(picture);
                let both = fitted.iter().zip(image.pixels());
                let apart: f64 = both.clone().map(|(a, b)| f64::from(a.abs_diff(*b))).sum();
                let ink: f64 = both.map(|(_, b)| f64::from(*b)).sum();
                near += usize::from(apart < 0.5 * ink);
                all += 1;
            }
        }
        assert!(near * 10 > all * 9, "{near} of {all}");
    }

    #[test]
    fn no_ink_is_no_digit() {
        assert_eq!(fit(&Picture::new(5, 9, 3)), [0; PIXELS]);
        let mut dot = Picture::new(9, 9, 0);
        dot.fill(1, 1, 1, 1, 255);
        let fitted = fit(&dot);
        assert!(fitted[14 * SIDE + 14] > 200 && fitted[..4 * SIDE].iter().all(|&tone| tone == 0));
    }
}
