//! A page with a board on it, as somebody may have written or printed it.

use preceptron_photo::Picture;
use preceptron_photo::damage::Page;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::fonts::{Font, print};
use crate::mnist::SIDE;
use crate::sudoku::{CellPictures, Puzzle};

/// Pixels of a cell on the page.
const CELL: usize = 64;

/// What else is on the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Beside {
    Nothing,
    /// Another board of the same size, cut off by the edge of the photograph.
    Cut,
    /// A smaller one, whole.
    Smaller,
    /// Lines of text above and below.
    Text,
}

/// How boards are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Style {
    /// Widths of lines, thin ones and those around boxes, as shares of a cell.
    pub lines: [f64; 2],
    /// How dark lines are, and ink, from 0 to 1.
    pub darkness: [f64; 2],
    /// Printed digits instead of handwritten ones.
    pub font: Option<Font>,
    /// A digit's size as a share of its cell.
    pub size: f64,
    /// The share of lines that is missing here and there.
    pub gaps: f64,
    /// What else is there.
    pub beside: Beside,
    /// How far the paper reaches around the board, in cells.
    pub paper: f64,
}

/// Lines and digits as most have them.
pub(super) const USUAL: Style = Style {
    lines: [0.025, 0.07],
    darkness: [0.85, 0.9],
    font: None,
    size: 0.95,
    gaps: 0.0,
    beside: Beside::Nothing,
    paper: 9.0,
};

/// A page, and where the board is on it.
pub(super) struct Drawn {
    picture: Picture,
    grid: [f64; 4],
}

impl Drawn {
    /// What is photographed.
    pub fn page(&self) -> Page<'_> {
        Page { picture: &self.picture, grid: self.grid }
    }
}

/// Ink on the page: light on dark until it is turned over, each layer with its own darkness.
fn darken(page: &mut Picture, layer: &Picture, darkness: f64) {
    let tones = page.pixels().iter().zip(layer.pixels());
    let dark = |(tone, ink): (&u8, &u8)| {
        let ink = 255.0 - darkness * f64::from(*ink);
        (*tone).min(ink.round() as u8)
    };
    *page = Picture::from_pixels(page.width(), tones.map(dark).collect());
}

/// The lines of a board at a place, light on dark.
pub(super) fn lines(
    layer: &mut Picture,
    [x, y]: [usize; 2],
    cell: usize,
    cells: usize,
    style: &Style,
    random: &mut ChaCha8Rng,
) {
    for line in 0..=cells {
        let width = style.lines[usize::from(line % 3 == 0)];
        let wide = ((width * cell as f64).round() as usize).max(1);
        let at = line * cell - (wide / 2).min(line * cell);
        for part in 0..cells {
            if random.random_bool(style.gaps) {
                continue;
            }
            let (from, length) = (part * cell, cell + wide / 2);
            layer.fill(x + at, y + from, wide, length, 255);
            layer.fill(x + from, y + at, length, wide, 255);
        }
    }
}

/// The digits of a board at a place, light on dark.
pub(super) fn digits(
    layer: &mut Picture,
    [x, y]: [usize; 2],
    cell: usize,
    (given, cells): (&[u8], &CellPictures),
    style: &Style,
    random: &mut ChaCha8Rng,
) {
    for (place, &digit) in given.iter().enumerate().filter(|(_, digit)| **digit > 0) {
        let mut off = || random.random_range(-0.04..0.04) * cell as f64;
        let (left, top) = ((x + place % 9 * cell) as f64 + off(), (y + place / 9 * cell) as f64 + off());
        match (&style.font, &cells[place]) {
            (Some(font), _) => {
                let middle = [left + 0.5 * cell as f64, top + 0.5 * cell as f64];
                print(layer, middle, 0.68 * style.size * cell as f64, digit, *font);
            }
            (None, Some(pixels)) => {
                let side = (style.size * cell as f64) as usize;
                let picture = Picture::from_pixels(SIDE, pixels.clone());
                let picture = picture.resampled(0.0, 0.0, SIDE as f64, SIDE as f64, (side, side));
                let start = |from: f64| (from + (cell as f64 - side as f64) / 2.0).max(0.0) as usize;
                let mut own = Picture::new(layer.width(), layer.height(), 0);
                own.paste(start(left), start(top), &picture);
                brighten(layer, &own, [start(left), start(top)], side);
            }
            (None, None) => {}
        }
    }
}

/// Puts ink where it is stronger than what is there.
fn brighten(layer: &mut Picture, own: &Picture, [x, y]: [usize; 2], side: usize) {
    for row in y..(y + side).min(layer.height()) {
        for column in x..(x + side).min(layer.width()) {
            let ink = own.at(column, row);
            if ink > layer.at(column, row) {
                layer.fill(column, row, 1, 1, ink);
            }
        }
    }
}

/// Lines of marks like words.
pub(super) fn text(
    layer: &mut Picture,
    [left, top]: [usize; 2],
    [right, bottom]: [usize; 2],
    height: usize,
    random: &mut ChaCha8Rng,
) {
    let mut y = top;
    let font = Font { weight: 0.14, width: 0.6, slant: 0.0, serif: true };
    while y + height < bottom {
        let mut x = left;
        while x + height < right {
            if !random.random_bool(0.17) {
                let middle = [(x + height / 3) as f64, (y + height / 2) as f64];
                print(layer, middle, 0.8 * height as f64, random.random_range(0..10), font);
            }
            x += 7 * height / 10;
        }
        y += 3 * height / 2;
    }
}

/// The page of a board.
pub(super) fn page(board: &Puzzle, cells: &CellPictures, style: &Style, random: &mut ChaCha8Rng) -> Drawn {
    let margin = (style.paper * CELL as f64) as usize;
    let board_side = 9 * CELL;
    let size = board_side + 2 * margin;
    let mut lined = Picture::new(size, size, 0);
    let mut inked = Picture::new(size, size, 0);
    lines(&mut lined, [margin, margin], CELL, 9, style, random);
    digits(&mut inked, [margin, margin], CELL, (board.givens.digits(), cells), style, random);
    let solution = board.solution.digits();
    let gap = CELL / 2 + random.random_range(0..CELL);
    match style.beside {
        Beside::Nothing => {}
        Beside::Cut => {
            let start = [margin + board_side + gap, margin + random.random_range(0..CELL)];
            lines(&mut lined, start, CELL, 9, style, random);
            let font = Font { weight: 0.13, width: 0.65, slant: 0.0, serif: true };
            digits(&mut inked, start, CELL, (solution, cells), &Style { font: Some(font), ..*style }, random);
        }
        Beside::Smaller => {
            let cell = CELL * 2 / 5;
            let start = [margin + board_side + gap, margin + 2 * CELL];
            lines(&mut lined, start, cell, 9, style, random);
            digits(&mut inked, start, cell, (board.givens.digits(), cells), style, random);
        }
        Beside::Text => {
            let (from, to) = (margin / 2, size - margin / 2);
            text(&mut inked, [from, margin / 3], [to, margin - CELL / 2], CELL / 2, random);
            text(
                &mut inked,
                [from, margin + board_side + CELL / 2],
                [to, size - margin / 3],
                CELL / 2,
                random,
            );
        }
    }
    let mut picture = Picture::new(size, size, 255);
    darken(&mut picture, &lined, style.darkness[0]);
    darken(&mut picture, &inked, style.darkness[1]);
    let (from, to) = (margin as f64, (margin + board_side) as f64);
    Drawn { picture, grid: [from, from, to, to] }
}
