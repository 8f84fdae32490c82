//! Pictures that are no boards.

use preceptron_photo::Picture;
use preceptron_photo::damage::{Damage, Page, cloud, compressed, photograph};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::draw::{USUAL, digits, lines, text};
use crate::mnist::Digits;

/// What there is.
const FAMILIES: usize = 20;

fn noise([width, height]: [usize; 2], random: &mut ChaCha8Rng) -> Picture {
    Picture::from_pixels(width, (0..width * height).map(|_| random.random()).collect())
}

fn clouds([width, height]: [usize; 2], sizes: [f64; 3], random: &mut ChaCha8Rng) -> Picture {
    let tones = cloud(width, height, sizes, random);
    Picture::from_pixels(
        width,
        tones.into_iter().map(|t| (128.0 + 45.0 * t).clamp(0.0, 255.0) as u8).collect(),
    )
}

/// Sky, hills, and a house with windows.
fn landscape(random: &mut ChaCha8Rng) -> Picture {
    let (width, height) = (640, 480);
    let mut picture = clouds([width, height], [120.0, 30.0, 4.0], random);
    let ground = random.random_range(220..330);
    for y in 0..height {
        for x in 0..width {
            let hill = ground as f64 + 30.0 * (x as f64 / 90.0).sin();
            let tone = picture.at(x, y) / 3 + if (y as f64) < hill { 150 } else { 40 };
            picture.fill(x, y, 1, 1, tone);
        }
    }
    let (x, y, rows) = (random.random_range(40..250), ground - 150, random.random_range(3..7));
    picture.fill(x, y, 300, 220, 120);
    for window in 0..rows * rows {
        let step = 200 / rows;
        picture.fill(
            x + 30 + window % rows * step,
            y + 10 + window / rows * step,
            step * 2 / 3,
            step * 2 / 3,
            45,
        );
    }
    picture
}

fn checkered(cells: usize) -> Picture {
    let mut picture = Picture::new(cells * 50 + 80, cells * 50 + 80, 235);
    for at in (0..cells * cells).filter(|at| (at % cells + at / cells).is_multiple_of(2)) {
        picture.fill(40 + at % cells * 50, 40 + at / cells * 50, 50, 50, 40);
    }
    picture
}

/// A grid of another number of cells, with digits; or of nine by nine with what no board holds.
fn grid(cells: usize, given: impl Fn(usize) -> u8, pictures: &Digits, random: &mut ChaCha8Rng) -> Picture {
    let (cell, margin) = (48, 60);
    let size = cells * cell + 2 * margin;
    let mut layer = Picture::new(size, size, 0);
    lines(&mut layer, [margin, margin], cell, cells, &USUAL, random);
    for row in 0..cells.div_ceil(9) {
        for column in 0..cells.div_ceil(9) {
            let inside = |at: usize| row * 9 + at / 9 < cells && column * 9 + at % 9 < cells;
            let own: Vec<u8> = (0..81).map(|at| if inside(at) { given(at) } else { 0 }).collect();
            let picture = |&digit: &u8| {
                let all = pictures.of_digit(digit);
                (digit > 0).then(|| pictures.image(all[random.random_range(0..all.len())] as usize).to_vec())
            };
            let drawn = own.iter().map(picture).collect();
            let start = [margin + column * 9 * cell, margin + row * 9 * cell];
            digits(&mut layer, start, cell, (&own, &drawn), &USUAL, random);
        }
    }
    let page = layer.map(|tone| 255 - tone / 10 * 9);
    let (from, to) = (margin as f64, (margin + cells * cell) as f64);
    let damage = Damage {
        side: random.random_range(350.0..600.0),
        rotation: random.random_range(-8.0..8.0),
        ..Damage::default()
    };
    photograph(Page { picture: &page, grid: [from, from, to, to] }, &damage, random).0
}

/// A table with rows lower than its columns are wide.
fn table(random: &mut ChaCha8Rng) -> Picture {
    let mut layer = Picture::new(700, 560, 0);
    let (rows, columns) = (random.random_range(6..16), random.random_range(4..9));
    let (width, height) = (600 / columns, 460 / rows);
    for row in 0..=rows {
        layer.fill(40, 40 + row * height, columns * width, 2, 255);
    }
    for column in 0..=columns {
        layer.fill(40 + column * width, 40, 2, rows * height, 255);
    }
    text(&mut layer, [50, 46], [630, 490], height / 2, random);
    layer.map(|tone| 255 - tone)
}

/// The picture of a number, and what it is.
pub(super) fn other(number: usize, pictures: &Digits, random: &mut ChaCha8Rng) -> (&'static str, Picture) {
    let size = [random.random_range(200..700), random.random_range(200..700)];
    let any: Vec<u8> = (0..81).map(|_| random.random_range(1..=9)).collect();
    let few: Vec<u8> = any.iter().map(|&digit| if random.random_bool(0.45) { digit } else { 0 }).collect();
    match number % FAMILIES {
        0 => ("noise", noise(size, random)),
        1 => ("clouds", clouds(size, [60.0, 15.0, 3.0], random)),
        2 => ("a landscape", landscape(random)),
        3 => ("coarse noise", clouds(size, [12.0, 6.0, 1.0], random)),
        4 => ("compressed noise", compressed(&noise(size, random), 15)),
        5 => ("an empty page", Picture::new(size[0], size[1], random.random_range(0..=255))),
        6 => {
            let mut layer = Picture::new(700, 900, 0);
            text(&mut layer, [40, 40], [660, 860], random.random_range(14..40), random);
            ("a page of text", layer.map(|tone| 255 - tone))
        }
        7 => ("a checkerboard", checkered(random.random_range(7..12))),
        8 => ("stripes", {
            let step = random.random_range(12..60);
            let tone = |at: usize| if at % size[0] % step < step / 6 + 1 { 30 } else { 230 };
            Picture::from_pixels(size[0], (0..size[0] * size[1]).map(tone).collect())
        }),
        9 => ("a table", table(random)),
        10 => ("8 x 8 cells", grid(8, |at| few[at], pictures, random)),
        11 => ("10 x 10 cells", grid(10, |at| few[at], pictures, random)),
        12 => ("12 x 12 cells", grid(12, |at| few[at], pictures, random)),
        13 => ("3 x 3 to 6 x 6 cells", grid(random.random_range(3..7), |at| few[at], pictures, random)),
        14 => ("15 x 15 to 18 x 18 cells", grid(random.random_range(15..19), |at| few[at], pictures, random)),
        15 => ("an empty board", grid(9, |_| 0, pictures, random)),
        16 => ("a board full of any digits", grid(9, |at| any[at], pictures, random)),
        17 => ("a board with any digits", grid(9, |at| few[at], pictures, random)),
        18 => (
            "a board with three digits",
            grid(9, |at| if at % 31 == 7 { any[at] } else { 0 }, pictures, random),
        ),
        _ => (
            "a board with the same row nine times",
            grid(9, |at| if few[at] > 0 { any[at % 9] } else { 0 }, pictures, random),
        ),
    }
}
