//! Boards with one solution.
//!
//! A random picture seldom is the only one with its clues. Where another has the same, a cell in which the
//! two differ is made black, until there is no other: a full picture is the only one with its clues, so
//! this ends.

use rand::RngExt;

use super::{Nonogram, solutions};
use preceptron_base::stream;

/// A picture is taken to have another beside it if so many tries do not show that it has none.
const BUDGET: usize = 60;

/// Clues and the picture that they are of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The clues.
    pub clues: Nonogram,
    /// The picture, row by row.
    pub picture: Vec<bool>,
}

impl Board {
    /// The board of a picture, given row by row.
    ///
    /// # Panics
    /// If the picture has fewer than `height * width` cells.
    pub fn of(height: usize, width: usize, picture: Vec<bool>) -> Board {
        Board { clues: Nonogram::of(height, width, &picture), picture }
    }

    /// How many rows there are.
    pub fn height(&self) -> usize {
        self.clues.rows.len()
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        self.clues.columns.len()
    }
}

/// A board with one solution. At first each cell is black with probability `density`; then cells are made
/// black until no other picture has the clues. It depends only on the arguments.
///
/// # Panics
/// If the density is not between 0 and 1.
pub fn generate(height: usize, width: usize, density: f64, seed: u64, item: usize) -> Board {
    let random = &mut stream(seed, "board of a nonogram", item as u64);
    let mut picture: Vec<bool> = (0..height * width).map(|_| random.random_bool(density)).collect();
    loop {
        let board = Board::of(height, width, picture);
        let found = solutions(&board.clues, 2, BUDGET);
        if found.is_complete && found.pictures.len() == 1 {
            return board;
        }
        picture = board.picture;
        let white = |place: &usize| !picture[*place];
        let other = found.pictures.iter().find(|other| **other != picture);
        let mut places: Vec<usize> = match other {
            Some(other) => (0..picture.len()).filter(|&place| other[place]).filter(white).collect(),
            None => Vec::new(),
        };
        if places.is_empty() {
            places = (0..picture.len()).filter(white).collect();
        }
        let place = places[random.random_range(0..places.len())];
        picture[place] = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn boards_have_one_solution(height in 1..12usize, width in 1..12usize, seed: u64, density in 0.0..=1.0) {
            let board = generate(height, width, density, seed, 3);
            prop_assert_eq!(&board.clues, &Nonogram::of(height, width, &board.picture));
            let found = solutions(&board.clues, 2, usize::MAX);
            prop_assert_eq!(&found.pictures[..], std::slice::from_ref(&board.picture));
            prop_assert_eq!(generate(height, width, density, seed, 3), board);
        }
    }
}
