//! Latin squares of drawn signs, half of them pictures: a table to begin with.

use preceptron_base::stream;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::futoshiki::{count_solutions, latin_square};
use crate::picture::Picture;
use crate::strokes::draw_stroke;

/// The signs, in the order of the digits of a square.
pub(super) const SIGNS: [&str; 7] = ["circle", "cross", "square", "triangle", "plus", "bar", "wave"];

/// Pixels of a side of a sign.
const SIDE: usize = 28;

/// A square: the signs by number, and which cells are pictures.
pub(super) struct Square {
    /// Row by row, from 1.
    pub digits: Vec<u8>,
    /// Cells that are pictures, in order.
    pub pictured: Vec<usize>,
}

/// The square of this number: half of its cells are pictures, drawn until these leave one completion.
pub(super) fn square(side: usize, seed: u64, number: u64) -> Square {
    let random = &mut stream(seed, "squares of signs", number);
    let digits = latin_square(side, random);
    let mut cells: Vec<usize> = (0..side * side).collect();
    loop {
        cells.shuffle(random);
        let mut pictured = cells[..side * side / 2].to_vec();
        pictured.sort_unstable();
        let givens: Vec<u8> =
            (0..side * side).map(|cell| if pictured.contains(&cell) { digits[cell] } else { 0 }).collect();
        if count_solutions(side, &givens, &[], 2) == 1 {
            return Square { digits, pictured };
        }
    }
}

/// The lines of a sign, in a square from -1 to 1.
fn lines(sign: usize) -> Vec<[(f64, f64); 2]> {
    let corners = |points: &[(f64, f64)]| {
        (0..points.len()).map(|at| [points[at], points[(at + 1) % points.len()]]).collect::<Vec<_>>()
    };
    let round = |at: usize| (std::f64::consts::TAU * at as f64 / 20.0).sin_cos();
    match sign {
        0 => (0..20).map(|at| [round(at), round(at + 1)]).collect(),
        1 => vec![[(-0.8, -0.8), (0.8, 0.8)], [(-0.8, 0.8), (0.8, -0.8)]],
        2 => corners(&[(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)]),
        3 => corners(&[(0.0, -0.9), (0.9, 0.8), (-0.9, 0.8)]),
        4 => vec![[(-0.9, 0.0), (0.9, 0.0)], [(0.0, -0.9), (0.0, 0.9)]],
        5 => vec![[(-0.9, 0.0), (0.9, 0.0)]],
        _ => {
            let point = |at: usize| (at as f64 / 6.0 - 1.0, 0.5 * (at as f64 * 0.9).sin());
            (0..12).map(|at| [point(at), point(at + 1)]).collect()
        }
    }
}

/// A sign as somebody may draw it, dark on light.
pub(super) fn sign(sign: usize, random: &mut ChaCha8Rng) -> Picture {
    let mut between = |low: f64, high: f64| random.random_range(low..high);
    let (sin, cos) = between(-0.25, 0.25).sin_cos();
    let (wide, tall, skew) = (between(7.0, 11.0), between(7.0, 11.0), between(-0.2, 0.2));
    let (x, y, width) = (between(12.0, 16.0), between(12.0, 16.0), between(1.5, 3.5));
    let place = |(across, down): (f64, f64)| {
        let (across, down) = (across * wide + skew * down * tall, down * tall);
        (x + cos * across - sin * down, y + sin * across + cos * down)
    };
    let mut picture = Picture::new(SIDE, SIDE, 0);
    for [from, to] in lines(sign) {
        draw_stroke(&mut picture, place(from), place(to), width, 220);
    }
    let ground = between(225.0, 250.0);
    let mut noise = || random.random_range(-10.0..10.0);
    picture.map(|ink| (ground - f64::from(ink) * 0.85 + noise()).clamp(0.0, 255.0) as u8)
}
