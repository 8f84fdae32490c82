//! The digits of a board whose grid was found and made flat.
//!
//! Lines are where they should be, but nobody knows how thick: along each, the paper's tone less the line's is taken in every
//! row of pixels (a quantile over the line, so that digits beside it do not count) and the line ends where that falls below a
//! share of its peak. What is left of a cell between its lines is looked at like any other picture of a cell.

use preceptron_photo::Flat;

use super::cells::{CellPictures, CellsError, cells_of_patches};
use crate::picture::Picture;

/// How far to each side of its place a line may reach, as a share of a cell.
const REACH: f64 = 0.16;

/// A line ends where it stands out less than this share of its peak.
const EDGE: f64 = 0.25;

/// Finds the digits of a flat board.
///
/// # Errors
/// If there is none.
pub(super) fn cells_of_flat(flat: &Flat) -> Result<CellPictures, CellsError> {
    let (columns, rows) = (ends(flat, true), ends(flat, false));
    let patch = |cell: usize| {
        let ((left, right), (top, bottom)) = (columns[cell % flat.cells], rows[cell / flat.cells]);
        let picture = &flat.picture;
        let part = [left, top, right, bottom].map(|at| at as f64);
        Some(picture.resampled(part[0], part[1], part[2], part[3], (right - left, bottom - top)))
    };
    cells_of_patches((0..flat.cells * flat.cells).map(patch).collect())
}

/// For each row or column of cells where it begins and ends between its lines.
fn ends(flat: &Flat, vertical: bool) -> Vec<(usize, usize)> {
    let at = |picture: &Picture, across: usize, along: usize| {
        f64::from(if vertical { picture.at(across, along) } else { picture.at(along, across) })
    };
    let reach = ((REACH * flat.cell as f64).round() as usize).max(2);
    let span = |number: usize| {
        let middle = flat.line(number);
        // The tones beside the line, far enough away, cell by cell along it.
        let paper = |place: usize| {
            let mut tones: Vec<f64> = [middle.saturating_sub(2 * reach), middle + 2 * reach]
                .into_iter()
                .flat_map(|side| (0..5).map(move |step| (side, step)))
                .map(|(side, step)| at(&flat.picture, side.min(flat.picture.width() - 1), place + step))
                .collect();
            tones.sort_unstable_by(f64::total_cmp);
            tones[tones.len() / 2]
        };
        let places: Vec<usize> = (0..flat.cells)
            .flat_map(|cell| {
                [0.25, 0.4, 0.55, 0.7].map(|share| flat.line(cell) + (share * flat.cell as f64) as usize)
            })
            .collect();
        let papers: Vec<f64> = places.iter().map(|&place| paper(place)).collect();
        let depth = |across: usize| {
            let depths =
                places.iter().zip(&papers).map(|(&place, paper)| paper - at(&flat.picture, across, place));
            let mut depths: Vec<f64> = depths.collect();
            depths.sort_unstable_by(f64::total_cmp);
            depths[depths.len() * 2 / 5]
        };
        let profile: Vec<f64> = (middle - reach..middle + reach).map(depth).collect();
        let near = reach / 2..reach + reach.div_ceil(2);
        let peak = near.max_by(|a, b| profile[*a].total_cmp(&profile[*b])).unwrap_or(reach);
        let is_line = |place: &usize| profile[*place] > (EDGE * profile[peak]).max(1.0);
        let first = (0..=peak).rev().take_while(is_line).last().unwrap_or(peak);
        let last = (peak..profile.len()).take_while(is_line).last().unwrap_or(peak);
        (middle - reach + first, middle - reach + last + 1)
    };
    let lines: Vec<(usize, usize)> = (0..=flat.cells).map(span).collect();
    let margin = 1 + flat.cell / 40;
    lines.windows(2).map(|pair| (pair[0].1 + margin, pair[1].0 - margin)).collect()
}

/// The same digits when the board is turned by so many quarters, counterclockwise.
pub(super) fn turned(cells: &CellPictures, quarters: usize) -> CellPictures {
    let side = cells.len().isqrt();
    let once = |cells: &CellPictures| -> CellPictures {
        let picture = |pixels: &Vec<u8>| {
            let width = pixels.len().isqrt();
            // What is at (x, y) was at (width - 1 - y, x).
            (0..pixels.len()).map(|at| pixels[(at % width) * width + width - 1 - at / width]).collect()
        };
        (0..cells.len())
            .map(|at| cells[(at % side) * side + side - 1 - at / side].as_ref().map(picture))
            .collect()
    };
    (0..quarters % 4).fold(cells.clone(), |cells, _| once(&cells))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::{Face, draw_board, on_paper};
    use preceptron_photo::Grid;

    #[test]
    fn lines_are_left_out_and_digits_are_not() {
        let faces: Vec<Face> = (0..81)
            .map(|cell| if cell % 3 == 1 { Face::Printed(cell as u8 % 9 + 1) } else { Face::Blank })
            .collect();
        let board = on_paper(&draw_board(3, &faces));
        let side = board.width() as f64 - 1.5;
        let grid = Grid::of_corners(9, [[1.5, 1.5], [side, 1.5], [side, side], [1.5, side]]).unwrap();
        let cells = cells_of_flat(&grid.flat(&board, false)).unwrap();
        assert!((0..81).all(|cell| cells[cell].is_some() == (cell % 3 == 1)));
        let blank = Grid::flat(&grid, &on_paper(&draw_board(3, &vec![Face::Blank; 81])), false);
        assert_eq!(cells_of_flat(&blank), Err(CellsError::Blank));
    }

    #[test]
    fn four_quarters_are_none() {
        let cells: CellPictures = (0..81)
            .map(|at| (at % 2 == 0).then(|| (0..784).map(|p| (p % 251) as u8 ^ at).collect()))
            .collect();
        assert_eq!(turned(&cells, 4), cells);
        assert_eq!(turned(&turned(&cells, 1), 3), cells);
        assert_ne!(turned(&cells, 1), cells);
    }
}
