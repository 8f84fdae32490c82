//! The digits in a picture of a board: which cells are blank, and what stands in the others as MNIST has it.
//!
//! A board that was drawn here is taken apart pixel by pixel. Of any other picture each cell's paper is the
//! median of its pixels, and its ink the share of light that differs from that, so that shadows do not
//! matter. Ink that is strong for this board and hangs together is a digit; lines that reach into a cell,
//! dust and noise are not.

use super::drawing::{board_size, cell_start, draw_board};
use super::lines::spans;
use super::side;
use crate::faces::Face;
use crate::mnist::{PIXELS, SIDE, fit};
use crate::picture::Picture;

/// Cells are looked at in no more rows and columns than this.
const LOOK: usize = 56;

/// Pixels that a cell has at least.
const LEAST: usize = 10;

/// The least ink that is seen at all, of 255.
const FAINT: u8 = 30;

/// Ink of this share of the board's strongest is ink.
const STRONG: f64 = 0.35;

/// The least share of a cell that a digit covers.
const COVERED: f64 = 0.01;

/// For each cell its digit as a picture like MNIST's, or nothing if it is blank.
pub type CellPictures = Vec<Option<Vec<u8>>>;

/// Why a picture is not one of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CellsError {
    /// Too few pixels.
    #[error("{width} x {height} pixels are too few for {side} x {side} cells: {} x {} are needed", side * LEAST, side * LEAST)]
    Small {
        /// Pixels of a row.
        width: usize,
        /// Rows.
        height: usize,
        /// Cells of a row.
        side: usize,
    },
    /// Not a square.
    #[error("{width} x {height} pixels are not a square: crop the picture to the board")]
    Oblong {
        /// Pixels of a row.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// No digit anywhere.
    #[error("no digit is to be seen")]
    Blank,
}

/// Finds the digits in the picture of a board, dark on light or light on dark.
///
/// # Errors
/// If the picture is too small, not a square, or has no digit.
pub fn cells_of_board(order: usize, picture: &Picture) -> Result<CellPictures, CellsError> {
    let (side, width, height) = (side(order), picture.width(), picture.height());
    if width.min(height) < side * LEAST {
        return Err(CellsError::Small { width, height, side });
    }
    if width.abs_diff(height) * 5 > width.min(height) {
        return Err(CellsError::Oblong { width, height });
    }
    if let Some(cells) = drawn_cells(order, picture) {
        return some_digit(cells);
    }
    let place = |at: usize, length: usize| at as f64 * length as f64 / side as f64;
    // The middle of a cell shows its paper, whatever lines there are.
    let middle = |cell: usize| {
        let (x, y) = (place(cell % side, width), place(cell / side, height));
        let (w, h) = (place(1, width), place(1, height));
        picture.resampled(x + 0.2 * w, y + 0.2 * h, x + 0.8 * w, y + 0.8 * h, looked_at(0.6 * w, 0.6 * h))
    };
    let paper: Vec<u8> = (0..side * side).map(|cell| quantile(middle(cell).pixels(), 0.5)).collect();
    let (columns, rows) = spans(order, picture, &paper);
    let patch = |cell: usize| {
        let ((left, right), (top, bottom)) = (columns[cell % side], rows[cell / side]);
        Some(picture.resampled(left, top, right, bottom, looked_at(right - left, bottom - top)))
    };
    cells_of_patches((0..side * side).map(patch).collect())
}

/// Finds the digits in pictures of cells; where there is none, the cell is blank.
///
/// # Errors
/// If there is no digit.
pub fn cells_of_patches(patches: Vec<Option<Picture>>) -> Result<CellPictures, CellsError> {
    let looked = |patch: Picture| {
        let (width, height) = (patch.width() as f64, patch.height() as f64);
        patch.resampled(0.0, 0.0, width, height, looked_at(width, height))
    };
    let patches: Vec<Option<Picture>> = patches.into_iter().map(|patch| patch.map(looked)).collect();
    let is_dark_ink = patches.iter().flatten().map(lean).sum::<f64>() < 0.0;
    let inks: Vec<Option<Picture>> =
        patches.iter().map(|patch| patch.as_ref().map(|patch| ink(patch, is_dark_ink))).collect();
    // The strongest ink, but for what may be stains.
    let mut peaks: Vec<u8> = inks.iter().flatten().map(|ink| quantile(ink.pixels(), 0.98)).collect();
    peaks.sort_unstable_by(|a, b| b.cmp(a));
    let strongest = peaks.get(4).or(peaks.last()).copied().unwrap_or(0);
    if strongest < FAINT {
        return Err(CellsError::Blank);
    }
    let threshold = (STRONG * f64::from(strongest)) as u8;
    some_digit(inks.into_iter().map(|ink| digit(&ink?, threshold)).collect())
}

fn some_digit(cells: CellPictures) -> Result<CellPictures, CellsError> {
    if cells.iter().any(Option::is_some) { Ok(cells) } else { Err(CellsError::Blank) }
}

/// The cells of a board as [`draw_board`] draws it, on paper or not; nothing if it is another.
pub(super) fn drawn_cells(order: usize, picture: &Picture) -> Option<CellPictures> {
    let (side, size) = (side(order), board_size(order));
    if (picture.width(), picture.height()) != (size, size) {
        return None;
    }
    let blank = draw_board(order, &vec![Face::Blank; side * side]);
    let flip = picture.at(0, 0) ^ blank.at(0, 0);
    let inside =
        |at: usize| (0..side).any(|n| (cell_start(order, n)..cell_start(order, n) + SIDE).contains(&at));
    let inside: Vec<bool> = (0..size).map(inside).collect();
    let is_line = |at: usize| picture.pixels()[at] ^ flip == blank.pixels()[at];
    if ![0, 255].contains(&flip)
        || !(0..size * size).all(|at| (inside[at % size] && inside[at / size]) || is_line(at))
    {
        return None;
    }
    let cell = |cell: usize| {
        let (x, y) = (cell_start(order, cell % side), cell_start(order, cell / side));
        let pixels: Vec<u8> = (0..PIXELS).map(|at| picture.at(x + at % SIDE, y + at / SIDE) ^ flip).collect();
        pixels.iter().any(|&tone| tone > 0).then_some(pixels)
    };
    Some((0..side * side).map(cell).collect())
}

/// At what size a rectangle of these sides is looked at.
fn looked_at(width: f64, height: f64) -> (usize, usize) {
    let size = |length: f64| (length.round() as usize).clamp(1, LOOK);
    (size(width), size(height))
}

/// The tone below which this share of the pixels lies.
fn quantile(pixels: &[u8], share: f64) -> u8 {
    let mut counts = [0usize; 256];
    pixels.iter().for_each(|&tone| counts[usize::from(tone)] += 1);
    let rank = ((pixels.len().max(1) - 1) as f64 * share) as usize;
    let mut below = 0;
    let found = counts.iter().position(|count| {
        below += count;
        below > rank
    });
    found.unwrap_or(0) as u8
}

/// How far the mean lies above the median: below zero where ink is dark, as there is less ink than paper.
fn lean(patch: &Picture) -> f64 {
    let total: f64 = patch.pixels().iter().map(|&tone| f64::from(tone)).sum();
    total / patch.pixels().len().max(1) as f64 - f64::from(quantile(patch.pixels(), 0.5))
}

/// The ink of a patch: how much of the light of its paper is missing, or of the dark.
fn ink(patch: &Picture, is_dark_ink: bool) -> Picture {
    let flip = if is_dark_ink { 0 } else { 255 };
    let paper = quantile(patch.pixels(), 0.5) ^ flip;
    let share = |tone: u8| u32::from(paper.saturating_sub(tone ^ flip)) * 255 / u32::from(paper.max(1));
    patch.map(|tone| share(tone) as u8)
}

/// The digit of a cell in MNIST's form; nothing if it is blank.
fn digit(ink: &Picture, threshold: u8) -> Option<Vec<u8>> {
    let (width, height) = (ink.width(), ink.height());
    let parts = parts(ink, threshold);
    let largest =
        parts.iter().map(Vec::len).max().filter(|size| *size as f64 >= COVERED * (width * height) as f64)?;
    let kept: Vec<usize> = parts.into_iter().filter(|part| 20 * part.len() >= largest).flatten().collect();
    // The strokes' own strength, and what is left of their soft edges around them.
    let strokes: Vec<u8> = kept.iter().map(|&at| ink.pixels()[at]).collect();
    let (full, ground) = (f64::from(quantile(&strokes, 0.7)), f64::from(threshold) * 0.4);
    let mut near = vec![false; width * height];
    for at in kept {
        let (x, y) = (at % width, at / width);
        for y in y.saturating_sub(1)..(y + 2).min(height) {
            near[y * width + x.saturating_sub(1)..y * width + (x + 2).min(width)].fill(true);
        }
    }
    let tone = |(&tone, near): (&u8, bool)| match near {
        true => ((f64::from(tone) - ground) / (full - ground) * 255.0).clamp(0.0, 255.0) as u8,
        false => 0,
    };
    let pixels = ink.pixels().iter().zip(near).map(tone).collect();
    Some(fit(&Picture::from_pixels(width, pixels)))
}

/// The parts of strong ink that hang together, but for those that come in from the edge and stay there.
fn parts(ink: &Picture, threshold: u8) -> Vec<Vec<usize>> {
    let (width, height) = (ink.width(), ink.height());
    let mut open: Vec<bool> = ink.pixels().iter().map(|&tone| tone > threshold).collect();
    let mut parts = Vec::new();
    for start in 0..open.len() {
        if !std::mem::take(&mut open[start]) {
            continue;
        }
        let (mut part, mut next) = (vec![start], 0);
        while let Some(&at) = part.get(next) {
            next += 1;
            let (x, y) = (at % width, at / width);
            for y in y.saturating_sub(1)..(y + 2).min(height) {
                for x in x.saturating_sub(1)..(x + 2).min(width) {
                    if std::mem::take(&mut open[y * width + x]) {
                        part.push(y * width + x);
                    }
                }
            }
        }
        let is_edge = |at: &usize| {
            let (x, y) = (at % width, at / width);
            x == 0 || y == 0 || x + 1 == width || y + 1 == height
        };
        let is_middle = |at: &usize| {
            let (x, y) = (at % width, at / width);
            (width..=3 * width).contains(&(4 * x)) && (height..=3 * height).contains(&(4 * y))
        };
        if !part.iter().any(is_edge) || part.iter().any(is_middle) {
            parts.push(part);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mnist::Mnist;
    use crate::sudoku::{Spread, on_paper, puzzles};
    use preceptron_base::Quiet;
    use preceptron_base::stream;
    use rand::RngExt;
    use rand::seq::IndexedRandom;

    /// Boards with pictures for their givens, light on dark.
    fn boards(count: usize) -> Vec<(CellPictures, Picture)> {
        let test = Mnist::embedded().test;
        let puzzles = puzzles(3, &Spread::SATNET, count, 3, &Quiet).unwrap();
        let board = |(item, puzzle): (usize, &crate::sudoku::Puzzle)| {
            let random = &mut stream(4, "cells of a test", item as u64);
            let mut picture = |digit: &u8| {
                let number = test.of_digit(*digit).choose(random)?;
                Some(test.image(*number as usize).to_vec())
            };
            let blank_or = |digit: &u8| if *digit > 0 { picture(digit) } else { None };
            let cells: CellPictures = puzzle.givens.digits().iter().map(blank_or).collect();
            let faces: Vec<Face> =
                cells.iter().map(|cell| cell.clone().map_or(Face::Blank, Face::Given)).collect();
            (cells, draw_board(3, &faces))
        };
        puzzles.iter().enumerate().map(board).collect()
    }

    #[test]
    fn drawings_are_taken_apart_exactly() {
        for (cells, board) in boards(5) {
            assert_eq!(cells_of_board(3, &board), Ok(cells.clone()));
            assert_eq!(cells_of_board(3, &on_paper(&board)), Ok(cells));
        }
    }

    /// As a camera may see it: larger or smaller, in a shadow, with noise and less contrast.
    fn seen(board: &Picture, scale: f64, shadow: f64, noise: f64, contrast: f64, item: usize) -> Picture {
        let size = (270.0 * scale) as usize;
        let random = &mut stream(5, "cells of a test", item as u64);
        let picture = board.resampled(0.0, 0.0, 270.0, 270.0, (size, size));
        let pixel = |(at, &tone): (usize, &u8)| {
            let (x, y) = ((at % size) as f64 / size as f64, (at / size) as f64 / size as f64);
            let light = 1.0 - shadow * (0.7 * x + 0.3 * y);
            let normal: f64 = (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
            (128.0 + contrast * (f64::from(tone) * light - 128.0) + noise * normal).clamp(0.0, 255.0) as u8
        };
        Picture::from_pixels(size, picture.pixels().iter().enumerate().map(pixel).collect())
    }

    #[test]
    fn blanks_are_told_from_digits_in_any_light() {
        let (mut near, mut all) = (0, 0);
        for (item, (cells, board)) in boards(6).iter().enumerate() {
            for (scale, shadow, noise, contrast) in [
                (1.0, 0.0, 4.0, 1.0),
                (1.5, 0.0, 0.0, 1.0),
                (2.0, 0.5, 10.0, 0.9),
                (1.5, 0.5, 20.0, 0.8),
                (3.0, 0.3, 30.0, 0.5),
                (0.8, 0.4, 5.0, 0.6),
            ] {
                for picture in [on_paper(board), board.clone()] {
                    let found =
                        cells_of_board(3, &seen(&picture, scale, shadow, noise, contrast, item)).unwrap();
                    let is_given =
                        |cells: &CellPictures| cells.iter().map(Option::is_some).collect::<Vec<_>>();
                    assert_eq!(is_given(&found), is_given(cells), "board {item}, {scale} {shadow} {noise}");
                    for (found, drawn) in found.iter().flatten().zip(cells.iter().flatten()) {
                        let both = found.iter().zip(drawn);
                        let apart: u32 = both.map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
                        near += usize::from(2 * apart < drawn.iter().map(|&tone| u32::from(tone)).sum());
                        all += 1;
                    }
                }
            }
        }
        assert!(near * 100 > all * 80, "{near} of {all} digits look as they were drawn");
    }

    #[test]
    fn cells_can_come_one_by_one() {
        let (cells, _) = boards(1).remove(0);
        let patch = |cell: &Option<Vec<u8>>| {
            let cell = Picture::from_pixels(SIDE, cell.clone()?);
            Some(on_paper(&cell.resampled(-6.0, -2.0, 34.0, 38.0, (40, 50))))
        };
        let mut patches: Vec<Option<Picture>> = cells.iter().map(patch).collect();
        let blank = cells.iter().position(Option::is_none).unwrap();
        patches[blank] = Some(Picture::new(30, 30, 240));
        let found = cells_of_patches(patches).unwrap();
        assert!(found.iter().zip(&cells).all(|(a, b)| a.is_some() == b.is_some()));
    }

    #[test]
    fn other_pictures_are_refused() {
        let message = |picture: &Picture| cells_of_board(3, picture).unwrap_err().to_string();
        assert_eq!(
            message(&Picture::new(5, 5, 0)),
            "5 x 5 pixels are too few for 9 x 9 cells: 90 x 90 are needed"
        );
        assert_eq!(
            message(&Picture::new(900, 400, 0)),
            "900 x 400 pixels are not a square: crop the picture to the board"
        );
        assert_eq!(message(&Picture::new(270, 270, 255)), "no digit is to be seen");
        assert_eq!(message(&on_paper(&draw_board(3, &vec![Face::Blank; 81]))), "no digit is to be seen");
        assert_eq!(cells_of_patches(vec![None; 81]), Err(CellsError::Blank));
        let noise = seen(&Picture::new(270, 270, 200), 1.0, 0.3, 3.0, 1.0, 1);
        assert_eq!(message(&noise), "no digit is to be seen");
    }
}
