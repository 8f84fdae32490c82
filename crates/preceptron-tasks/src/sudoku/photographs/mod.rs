//! Photographs of boards that are made up: drawn, printed, bent, lit, blurred and compressed, of known kinds and strengths;
//! and pictures that are no boards. They try out what reads photographs; nothing learns from them.

mod bench;
mod draw;
mod fonts;
mod kinds;
mod others;
mod write;

pub(super) use bench::ReadPhotographs;
pub(super) use write::WritePhotographs;

use preceptron::TaskResult;
use preceptron_base::{stream, stream_at};
use preceptron_photo::damage::photograph;
use preceptron_photo::{Picture, Point};

use super::{CellPictures, Puzzle, Spread, pictures, puzzles};
use crate::mnist::Digits;
use kinds::{KINDS, Kind};

/// A photograph of a board, and what it shows.
struct Photograph {
    /// The picture.
    pub picture: Picture,
    /// The grid's corners, from the board's upper left one clockwise.
    pub corners: [Point; 4],
    /// The board.
    pub puzzle: Puzzle,
}

/// The `number`-th photograph of a kind. It depends on kind, number, seed and digits alone.
fn of_kind(kind: &Kind, number: usize, seed: u64, digits: &Digits, board: &Puzzle) -> TaskResult<Photograph> {
    let place = KINDS.iter().position(|one| one.name == kind.name).unwrap_or(0);
    let random = &mut stream_at(seed, "photographs of boards", &[place as u64, number as u64]);
    let cells: CellPictures = pictures(board, digits, seed, 1000 * place + number)?;
    let page = draw::page(board, &cells, &kind.style, random);
    let damage = (kind.damage)(random);
    let (picture, corners) = photograph(page.page(), &damage, random);
    Ok(Photograph { picture, corners, puzzle: board.clone() })
}

/// So many boards to photograph.
fn boards(count: usize, seed: u64) -> TaskResult<Vec<Puzzle>> {
    Ok(puzzles(3, &Spread::SATNET, count, seed.wrapping_add(0x9407), &preceptron_base::Quiet)?)
}

/// The `number`-th picture that is no board, and what it is.
fn no_board(number: usize, seed: u64, digits: &Digits) -> (&'static str, Picture) {
    others::other(number, digits, &mut stream(seed, "pictures that are no boards", number as u64))
}

#[cfg(test)]
mod tests {
    use super::kinds::Strength;
    use super::*;
    use crate::mnist::Mnist;
    use preceptron_photo::find_grid;

    #[test]
    fn there_are_forty_kinds_of_different_names() {
        let mut names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!((KINDS.len(), names.len()), (40, 40));
        assert!(KINDS.iter().any(|kind| kind.strength == Strength::Mild));
    }

    /// A few kinds, small: the corners are where they are said to be.
    #[test]
    fn grids_are_where_the_truth_says() {
        let train = Mnist::embedded().train;
        let board = boards(1, 5).unwrap().remove(0);
        for name in ["plain", "turned by 12 degrees", "margins of 25%"] {
            let kind = KINDS.iter().find(|kind| kind.name == name).unwrap();
            let seen = of_kind(kind, 0, 5, &train, &board).unwrap();
            let found = find_grid(&seen.picture, 9).unwrap();
            let apart = found.grid.corners().into_iter().zip(seen.corners);
            let most = apart.map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1])).fold(0.0, f64::max);
            assert!(most < 4.0, "{name}: {most}");
        }
    }

    #[test]
    fn what_is_no_board_has_no_grid_or_says_nothing() {
        let train = Mnist::embedded().train;
        for number in [0, 1, 2] {
            let (what, picture) = no_board(number, 5, &train);
            assert!(find_grid(&picture, 9).is_err(), "{what}");
        }
    }
}
