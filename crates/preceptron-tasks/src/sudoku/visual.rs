//! Boards whose givens are pictures of digits.
//!
//! For each given a picture of its digit is drawn. Which cells are given is known, and so are the digits
//! of all other cells; what the pictures show is not told.

use preceptron::{SceneError, Scenes, Sight};
use preceptron_perceive::Shape;
use rand::seq::IndexedRandom;

use super::{CellPictures, Puzzle, examples_from_answers, side, variable, variables};
use crate::mnist::{self, Digits};
use preceptron_base::stream;

/// Puzzles as examples with pictures: which picture stands in a cell depends on the seed, the number of
/// the puzzle and the cell. Digits have pictures up to 9, so puzzles are of order 2 or 3.
///
/// # Errors
/// If a digit has no picture.
///
/// # Panics
/// If a puzzle is of another order.
pub fn scenes(order: usize, puzzles: &[Puzzle], digits: &Digits, seed: u64) -> Result<Scenes, SceneError> {
    let side = side(order);
    let places = (0..side * side).map(|cell| {
        (1..=side).map(|digit| variable(order, cell / side, cell % side, digit)).collect::<Vec<_>>()
    });
    let sights = puzzles.iter().enumerate().map(|(item, puzzle)| sights(puzzle, digits, seed, item));
    let sights = sights.collect::<Result<Vec<_>, _>>()?;
    let shape = Shape::new(1, mnist::SIDE, mnist::SIDE);
    let known = examples_from_answers(order, puzzles);
    Scenes::new(variables(order), places.collect(), known, sights, shape, digits.pixels())
}

/// The pictures of a puzzle's givens, as [`scenes`] chooses them for the puzzle of this number.
///
/// # Errors
/// If a digit has no picture.
pub fn pictures(
    puzzle: &Puzzle,
    digits: &Digits,
    seed: u64,
    item: usize,
) -> Result<CellPictures, SceneError> {
    let mut cells = vec![None; puzzle.givens.digits().len()];
    for sight in sights(puzzle, digits, seed, item)? {
        cells[sight.place as usize] = Some(digits.image(sight.picture as usize).to_vec());
    }
    Ok(cells)
}

fn sights(puzzle: &Puzzle, digits: &Digits, seed: u64, item: usize) -> Result<Vec<Sight>, SceneError> {
    let random = &mut stream(seed, digits.purpose(), item as u64);
    let mut board = Vec::new();
    for (cell, &digit) in puzzle.givens.digits().iter().enumerate().filter(|(_, digit)| **digit > 0) {
        let missing = || SceneError::Missing { example: item + 1, what: "picture of", number: digit.into() };
        let picture = *digits.of_digit(digit).choose(random).ok_or_else(missing)?;
        board.push(Sight { place: cell as u32, picture });
    }
    Ok(board)
}
