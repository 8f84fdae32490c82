//! Boards as pictures: framed cells of 28 x 28 pixels with room for signs between them.
//!
//! All is drawn in light ink on a dark ground, as MNIST is; [`on_paper`](crate::sudoku::on_paper) has it the
//! other way round.

use super::{Direction, Sign, checked};
pub use crate::faces::Face;
use crate::faces::draw_face;
use crate::mnist::SIDE;
use crate::picture::Picture;
use crate::strokes::{draw_stroke, print_scale};

/// Pixels between the cells, where signs stand.
const GAP: usize = 18;

/// Pixels around the board.
const MARGIN: usize = 6;

/// Half the height of a sign, which is also its width, in pixels.
const REACH: usize = 5;

/// The tone of frames.
const FRAME_TONE: u8 = 120;

/// Pixels of a board's side.
pub fn board_size(side: usize) -> usize {
    2 * MARGIN + side * SIDE + (side - 1) * GAP
}

/// Where the cells of a row or column begin.
fn start(number: usize) -> usize {
    MARGIN + number * (SIDE + GAP)
}

/// A board, light on dark, from its signs and what stands in its cells row by row. Signs between cells that
/// are no neighbours are not drawn.
///
/// # Panics
/// If the side is not 4 to 7, there are not as many faces as cells, or a picture is of another size.
pub fn draw_board(side: usize, signs: &[Sign], faces: &[Face]) -> Picture {
    draw_scaled(side, signs, faces, 1)
}

/// The same, large enough to print: at least 1,200 pixels on a side, its digits and signs smooth.
///
/// # Panics
/// As [`draw_board`].
pub fn draw_for_print(side: usize, signs: &[Sign], faces: &[Face]) -> Picture {
    draw_scaled(side, signs, faces, print_scale(board_size(side)))
}

fn draw_scaled(side: usize, signs: &[Sign], faces: &[Face], scale: usize) -> Picture {
    assert_eq!(faces.len(), checked(side) * side, "a face for each cell");
    let (size, wide) = (scale * board_size(side), scale * SIDE);
    let mut canvas = Picture::new(size, size, 0);
    for (cell, face) in faces.iter().enumerate() {
        let (x, y) = (scale * start(cell % side), scale * start(cell / side));
        canvas.fill(x - scale, y - scale, wide + 2 * scale, wide + 2 * scale, FRAME_TONE);
        canvas.fill(x, y, wide, wide, 0);
        draw_face(&mut canvas, x, y, face, scale);
    }
    for sign in signs {
        let Some(direction) = sign.direction(side) else { continue };
        let middle = |number: usize| start(number) + SIDE / 2;
        let between = |a: usize, b: usize| usize::midpoint(middle(a), middle(b));
        let x = between(sign.less % side, sign.greater % side);
        let y = between(sign.less / side, sign.greater / side);
        match scale {
            1 => draw_sign(&mut canvas, x, y, direction),
            _ => draw_smooth_sign(&mut canvas, [x, y].map(|at| (at * scale) as f64), direction, scale as f64),
        }
    }
    canvas
}

/// The places of a sign's strokes around its middle: `step` of [`REACH`] from the point, to either side.
fn stroke_places(step: usize, greater: Direction) -> [(usize, usize); 2] {
    let along = match greater {
        Direction::Right | Direction::Below => REACH / 2 + step,
        Direction::Left | Direction::Above => REACH + REACH / 2 - step,
    };
    [REACH - step, REACH + step].map(|side| match greater {
        Direction::Right | Direction::Left => (along, side),
        Direction::Below | Direction::Above => (side, along),
    })
}

/// Two strokes that meet towards the lesser cell, around this middle.
fn draw_sign(canvas: &mut Picture, x: usize, y: usize, greater: Direction) {
    for (dx, dy) in (0..=REACH).flat_map(|step| stroke_places(step, greater)) {
        canvas.fill(x + dx - REACH - 1, y + dy - REACH - 1, 2, 2, 255);
    }
}

/// The same strokes, smooth and so many times larger.
fn draw_smooth_sign(canvas: &mut Picture, [x, y]: [f64; 2], greater: Direction, scale: f64) {
    let place = |(dx, dy): (usize, usize)| {
        let at = |middle: f64, offset: usize| middle + (offset as f64 - REACH as f64) * scale;
        (at(x, dx), at(y, dy))
    };
    for (from, to) in stroke_places(0, greater).into_iter().zip(stroke_places(REACH, greater)) {
        draw_stroke(canvas, place(from), place(to), 2.0 * scale, 255);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ink(picture: &Picture) -> usize {
        picture.pixels().iter().filter(|&&tone| tone == 255).count()
    }

    #[test]
    fn signs_stand_between_their_cells_and_open_towards_the_greater() {
        for side in 4..=7 {
            let blank = vec![Face::Blank; side * side];
            assert_eq!(ink(&draw_board(side, &[], &blank)), 0);
            for sign in Sign::all(side) {
                let board = draw_board(side, &[sign], &blank);
                let lit = (0..board.pixels().len()).filter(|&at| board.pixels()[at] == 255);
                let places: Vec<(usize, usize)> =
                    lit.map(|at| (at % board.width(), at / board.width())).collect();
                let in_cell = |at: usize| (at - MARGIN) % (SIDE + GAP) < SIDE;
                assert!(places.iter().all(|&(x, y)| !(in_cell(x) && in_cell(y))), "{sign:?}");
                // Twice as much ink where the strokes are apart as where they meet.
                let along = |&(x, y): &(usize, usize)| match sign.direction(side).unwrap() {
                    Direction::Right => x,
                    Direction::Left => board.width() - x,
                    Direction::Below => y,
                    Direction::Above => board.width() - y,
                };
                let count = |at: usize| places.iter().filter(|place| along(place) == at).count();
                let (first, last) =
                    (places.iter().map(along).min().unwrap(), places.iter().map(along).max().unwrap());
                assert_eq!(last - first, REACH + 1);
                assert_eq!((count(first), count(last)), (2, 4), "{sign:?}");
            }
        }
    }

    #[test]
    fn a_board_for_print_has_the_same_signs() {
        let blank = vec![Face::Blank; 25];
        for sign in Sign::all(5) {
            let (small, large) = (draw_board(5, &[sign], &blank), draw_for_print(5, &[sign], &blank));
            let scale = large.width() / small.width();
            assert!(large.width() >= 1200 && large.width() == scale * small.width());
            // As much ink, but for round ends, and none in a cell.
            let (plain, smooth) = (ink(&small) * scale * scale, ink(&large));
            assert!(smooth * 10 > plain * 7 && smooth * 10 < plain * 14, "{plain} {smooth}");
            let lit = (0..large.pixels().len()).filter(|&at| large.pixels()[at] == 255);
            for (x, y) in lit.map(|at| (at % large.width() / scale, at / large.width() / scale)) {
                let in_cell = |at: usize| (at - MARGIN) % (SIDE + GAP) < SIDE;
                assert!(!(in_cell(x) && in_cell(y)), "{sign:?}");
            }
        }
    }

    #[test]
    fn faces_stand_in_their_cells() {
        let mut faces = vec![Face::Blank; 16];
        faces[5] = Face::Given(vec![77; 784]);
        faces[6] = Face::Printed(3);
        let board = draw_board(4, &[], &faces);
        assert_eq!(board.width(), board_size(4));
        assert_eq!((board.at(start(1), start(1)), board.at(start(1) + 27, start(1) + 27)), (77, 77));
        assert_eq!(board.pixels().iter().filter(|&&tone| tone == 77).count(), 784);
        assert!(ink(&board) > 20);
    }
}
