//! Printed digits as strokes, in a few shapes.

use std::f64::consts::PI;

use crate::picture::Picture;
use crate::strokes::draw_stroke;

/// How digits are printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Font {
    /// The width of a stroke, as a share of a digit's height.
    pub weight: f64,
    /// A digit's width, as a share of its height.
    pub width: f64,
    /// How far the top leans to the right.
    pub slant: f64,
    /// Whether the 1 stands on a foot and the 4 is open.
    pub serif: bool,
}

/// Points of an arc, angles in degrees from the right, clockwise as seen.
fn arc([x, y]: [f64; 2], [rx, ry]: [f64; 2], from: f64, to: f64) -> Vec<[f64; 2]> {
    let at = |step: u32| (from + (to - from) * f64::from(step) / 20.0) * PI / 180.0;
    (0..=20).map(|step| [x + rx * at(step).cos(), y + ry * at(step).sin()]).collect()
}

/// The strokes of a digit in a square with sides of 1.
fn strokes(digit: u8, serif: bool) -> Vec<Vec<[f64; 2]>> {
    match digit {
        1 if serif => vec![vec![[0.3, 0.2], [0.52, 0.02], [0.52, 1.0]], vec![[0.25, 1.0], [0.8, 1.0]]],
        1 => vec![vec![[0.28, 0.24], [0.56, 0.02], [0.56, 1.0]]],
        2 => {
            let mut curve = arc([0.5, 0.29], [0.31, 0.28], 190.0, 380.0);
            curve.extend([[0.68, 0.55], [0.18, 1.0], [0.85, 1.0]]);
            vec![curve]
        }
        3 => {
            vec![arc([0.47, 0.26], [0.29, 0.25], 200.0, 450.0), arc([0.47, 0.74], [0.33, 0.25], 270.0, 520.0)]
        }
        4 if serif => vec![vec![[0.4, 0.0], [0.14, 0.66], [0.9, 0.66]], vec![[0.66, 0.35], [0.66, 1.0]]],
        4 => vec![vec![[0.66, 1.0], [0.66, 0.0], [0.12, 0.68], [0.9, 0.68]]],
        5 => {
            let mut curve = vec![[0.8, 0.0], [0.27, 0.0], [0.22, 0.46]];
            curve.extend(arc([0.48, 0.69], [0.33, 0.31], 222.0, 505.0));
            vec![curve]
        }
        6 => vec![arc([0.5, 0.69], [0.32, 0.3], 0.0, 360.0), arc([0.78, 0.69], [0.6, 0.69], 180.0, 265.0)],
        7 => vec![vec![[0.14, 0.0], [0.86, 0.0], [0.4, 1.0]]],
        8 => vec![arc([0.5, 0.25], [0.27, 0.25], 0.0, 360.0), arc([0.5, 0.74], [0.33, 0.26], 0.0, 360.0)],
        9 => vec![arc([0.5, 0.31], [0.32, 0.3], 0.0, 360.0), arc([0.22, 0.31], [0.6, 0.69], 0.0, 85.0)],
        _ => vec![arc([0.5, 0.5], [0.34, 0.5], 0.0, 360.0)],
    }
}

/// Prints a digit in a box with this middle and of this height, light on dark.
pub(super) fn print(canvas: &mut Picture, [x, y]: [f64; 2], height: f64, digit: u8, font: Font) {
    let place = |[u, v]: [f64; 2]| {
        let across = (u - 0.5) * font.width + font.slant * (0.5 - v);
        (x + height * across, y + height * (v - 0.5))
    };
    for stroke in strokes(digit, font.serif) {
        for pair in stroke.windows(2) {
            draw_stroke(canvas, place(pair[0]), place(pair[1]), font.weight * height, 255);
        }
    }
}
