//! Boards as pictures: cells of 28 x 28 pixels, thin lines between them, thick ones around boxes.
//!
//! All is drawn in light ink on a dark ground, as MNIST is; paper has it the other way round.

use super::side;
use crate::faces::{Face, draw_face};
use crate::mnist::SIDE;
use crate::picture::Picture;
use crate::strokes::print_scale;

/// Pixels of a thick line.
const THICK: usize = 3;

/// The tone of thick lines.
const THICK_TONE: u8 = 255;

/// The tone of thin lines.
const THIN_TONE: u8 = 120;

/// Pixels between the boards of a sheet.
const GAP: usize = 14;

/// Pixels of a board's side.
pub fn board_size(order: usize) -> usize {
    cell_start(order, side(order) - 1) + SIDE + THICK
}

/// Where the cells of a row or column begin.
pub(super) fn cell_start(order: usize, number: usize) -> usize {
    THICK + number * (SIDE + 1) + number / order * (THICK - 1)
}

/// A board, light on dark, from what stands in its cells row by row.
///
/// # Panics
/// If there are not as many as cells, or a picture is of another size.
pub fn draw_board(order: usize, faces: &[Face]) -> Picture {
    draw_scaled(order, faces, 1)
}

/// The same, large enough to print: at least 1,200 pixels on a side, its digits smooth.
///
/// # Panics
/// As [`draw_board`].
pub fn draw_for_print(order: usize, faces: &[Face]) -> Picture {
    draw_scaled(order, faces, print_scale(board_size(order)))
}

fn draw_scaled(order: usize, faces: &[Face], scale: usize) -> Picture {
    let (side, size, wide) = (side(order), scale * board_size(order), scale * SIDE);
    assert_eq!(faces.len(), side * side, "a face for each cell");
    let mut canvas = Picture::new(size, size, THICK_TONE);
    for (cell, face) in faces.iter().enumerate() {
        let start = |number: usize| scale * cell_start(order, number);
        let (x, y) = (start(cell % side), start(cell / side));
        // A thin line is what the next cell of the same box leaves of the one before.
        let before = |number: usize| if number.is_multiple_of(order) { 0 } else { scale };
        let (before_x, before_y) = (before(cell % side), before(cell / side));
        canvas.fill(x - before_x, y - before_y, wide + before_x, wide + before_y, THIN_TONE);
        canvas.fill(x, y, wide, wide, 0);
        draw_face(&mut canvas, x, y, face, scale);
    }
    canvas
}

/// Boards side by side and one below another; a single one stands by itself.
pub fn sheet(boards: &[Picture], columns: usize) -> Picture {
    if let [one] = boards {
        return one.clone();
    }
    let most = |size: fn(&Picture) -> usize| boards.iter().map(size).max().unwrap_or(0) + GAP;
    let (width, height) = (most(Picture::width), most(Picture::height));
    let columns = columns.clamp(1, boards.len().max(1));
    let mut canvas = Picture::new(columns * width + GAP, boards.len().div_ceil(columns) * height + GAP, 0);
    for (number, board) in boards.iter().enumerate() {
        canvas.paste(GAP + number % columns * width, GAP + number / columns * height, board);
    }
    canvas
}

/// Dark ink on light paper.
pub fn on_paper(picture: &Picture) -> Picture {
    picture.map(|tone| 255 - tone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_lines_fill_a_board() {
        for order in 2..=5 {
            let side = side(order);
            let board = draw_board(order, &vec![Face::Given(vec![7; 784]); side * side]);
            let thick = board.pixels().iter().filter(|&&tone| tone == THICK_TONE).count();
            let thin = board.pixels().iter().filter(|&&tone| tone == THIN_TONE).count();
            let cells = board.pixels().iter().filter(|&&tone| tone == 7).count();
            assert_eq!(cells, side * side * 784);
            assert_eq!(board.pixels().len(), board_size(order).pow(2));
            assert_eq!(thick + thin + cells, board.pixels().len());
            let box_size = order * SIDE + order - 1;
            assert_eq!(board.pixels().len() - thick, order * order * box_size * box_size);
        }
        assert_eq!(board_size(3), 270);
    }

    #[test]
    fn a_board_for_print_is_the_same_board() {
        for order in 2..=3 {
            let mut faces = vec![Face::Blank; side(order).pow(2)];
            faces[1] = Face::Given(vec![77; 784]);
            faces[2] = Face::Found(7);
            let (small, large) = (draw_board(order, &faces), draw_for_print(order, &faces));
            let scale = large.width() / small.width();
            assert!(large.width() >= 1200 && large.width() == scale * small.width());
            let start = cell_start(order, 2);
            for y in 0..small.height() {
                // Lines and pictures stand where they stood; digits are smooth, and only there it differs.
                for x in (0..small.width()).filter(|x| y >= start || !(start..start + SIDE).contains(x)) {
                    let drawn = large.at(x * scale + scale / 2, y * scale + scale / 2);
                    let in_digit = (start..start + SIDE).contains(&x) && y < start + SIDE;
                    assert!(in_digit || drawn == small.at(x, y), "{x}, {y}");
                }
            }
        }
    }

    #[test]
    fn a_sheet_has_gaps_and_one_board_has_none() {
        let board = Picture::new(20, 10, 9);
        assert_eq!(sheet(std::slice::from_ref(&board), 4), board);
        let three = sheet(&[board.clone(), board.clone(), board.clone()], 2);
        assert_eq!((three.width(), three.height()), (20 * 2 + 3 * GAP, 10 * 2 + 3 * GAP));
        assert_eq!(three.pixels().iter().filter(|&&tone| tone == 9).count(), 600);
        assert_eq!(on_paper(&board).at(0, 0), 246);
    }

    #[test]
    fn every_face_leaves_its_mark_inside_its_cell() {
        let faces = [Face::Blank, Face::Printed(16), Face::Found(3), Face::Repaired(vec![50; 784], 4)];
        let plain = draw_board(2, &vec![Face::Blank; 16]);
        for face in faces {
            let mut all = vec![Face::Blank; 16];
            all[5] = face.clone();
            let board = draw_board(2, &all);
            let start = cell_start(2, 1);
            let differs = |at: usize| board.pixels()[at] != plain.pixels()[at];
            let inside = |at: usize| {
                let (x, y) = (at % board.width(), at / board.width());
                (start..start + SIDE).contains(&x) && (start..start + SIDE).contains(&y)
            };
            assert!((0..board.pixels().len()).all(|at| inside(at) || !differs(at)));
            assert_eq!((0..board.pixels().len()).any(differs), face != Face::Blank);
        }
    }
}
