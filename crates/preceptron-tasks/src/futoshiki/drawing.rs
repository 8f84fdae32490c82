//! Boards as pictures: framed cells of 28 x 28 pixels with room for signs between them.
//!
//! All is drawn in light ink on a dark ground, as MNIST is; [`on_paper`](crate::sudoku::on_paper) has it the
//! other way round.

use super::{Direction, Sign, checked};
pub use crate::faces::Face;
use crate::faces::draw_face;
use crate::mnist::SIDE;
use crate::picture::Picture;

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
    assert_eq!(faces.len(), checked(side) * side, "a face for each cell");
    let size = board_size(side);
    let mut canvas = Picture::new(size, size, 0);
    for (cell, face) in faces.iter().enumerate() {
        let (x, y) = (start(cell % side), start(cell / side));
        canvas.fill(x - 1, y - 1, SIDE + 2, SIDE + 2, FRAME_TONE);
        canvas.fill(x, y, SIDE, SIDE, 0);
        draw_face(&mut canvas, x, y, face);
    }
    for sign in signs {
        let Some(direction) = sign.direction(side) else { continue };
        let middle = |number: usize| start(number) + SIDE / 2;
        let between = |a: usize, b: usize| usize::midpoint(middle(a), middle(b));
        let x = between(sign.less % side, sign.greater % side);
        let y = between(sign.less / side, sign.greater / side);
        draw_sign(&mut canvas, x, y, direction);
    }
    canvas
}

/// Two strokes that meet towards the lesser cell, around this middle.
fn draw_sign(canvas: &mut Picture, x: usize, y: usize, greater: Direction) {
    for step in 0..=REACH {
        // From the point, `step` pixels along and as many to either side.
        let along = match greater {
            Direction::Right | Direction::Below => REACH / 2 + step,
            Direction::Left | Direction::Above => REACH + REACH / 2 - step,
        };
        for side in [REACH - step, REACH + step] {
            let (dx, dy) = match greater {
                Direction::Right | Direction::Left => (along, side),
                Direction::Below | Direction::Above => (side, along),
            };
            canvas.fill(x + dx - REACH - 1, y + dy - REACH - 1, 2, 2, 255);
        }
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
