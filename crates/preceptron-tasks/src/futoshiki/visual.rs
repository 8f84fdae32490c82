//! Boards whose givens are pictures of digits.
//!
//! For each given a picture of its digit is drawn. Which cells are given is known, and so are all signs; to
//! train on, the digits of the other cells are known too. What the pictures show is not told.

use preceptron::{SceneError, Scenes, Sight};
use preceptron_base::stream;
use preceptron_learn::Examples;
use preceptron_perceive::Shape;
use rand::seq::IndexedRandom;

use super::{Puzzle, cell_variable, examples_from_answers, examples_of_signs, variables};
use crate::mnist::{self, Digits};

/// Puzzles to train on: the digits of the cells that are not given are known, and the signs. Which picture
/// stands in a cell depends on the pictures, the seed, the number of the puzzle and the cell.
///
/// # Errors
/// If a digit has no picture.
///
/// # Panics
/// If a puzzle is of another side, or the side is not 4 to 7.
pub fn scenes(side: usize, puzzles: &[Puzzle], digits: &Digits, seed: u64) -> Result<Scenes, SceneError> {
    with_known(side, puzzles, digits, seed, examples_from_answers(side, puzzles))
}

/// The same puzzles to test on: the signs alone are known.
///
/// # Errors
/// If a digit has no picture.
///
/// # Panics
/// If a puzzle is of another side, or the side is not 4 to 7.
pub fn test_scenes(
    side: usize,
    puzzles: &[Puzzle],
    digits: &Digits,
    seed: u64,
) -> Result<Scenes, SceneError> {
    with_known(side, puzzles, digits, seed, examples_of_signs(side, puzzles))
}

fn with_known(
    side: usize,
    puzzles: &[Puzzle],
    digits: &Digits,
    seed: u64,
    known: Examples,
) -> Result<Scenes, SceneError> {
    let place = |cell| (1..=side).map(|digit| cell_variable(side, cell, digit)).collect::<Vec<_>>();
    let sights = puzzles.iter().enumerate().map(|(item, puzzle)| sights(puzzle, digits, seed, item));
    let sights = sights.collect::<Result<Vec<_>, _>>()?;
    let shape = Shape::new(1, mnist::SIDE, mnist::SIDE);
    let places = (0..side * side).map(place).collect();
    Scenes::new(variables(side), places, known, sights, shape, digits.pixels())
}

/// The pictures of a puzzle's givens cell by cell, as [`scenes`] chooses them for the puzzle of this number.
///
/// # Errors
/// If a digit has no picture.
pub fn pictures(
    puzzle: &Puzzle,
    digits: &Digits,
    seed: u64,
    item: usize,
) -> Result<Vec<Option<Vec<u8>>>, SceneError> {
    let mut cells = vec![None; puzzle.givens.len()];
    for sight in sights(puzzle, digits, seed, item)? {
        cells[sight.place as usize] = Some(digits.image(sight.picture as usize).to_vec());
    }
    Ok(cells)
}

fn sights(puzzle: &Puzzle, digits: &Digits, seed: u64, item: usize) -> Result<Vec<Sight>, SceneError> {
    let random = &mut stream(seed, &format!("futoshiki: {}", digits.purpose()), item as u64);
    let mut board = Vec::new();
    for (cell, &digit) in puzzle.givens.iter().enumerate().filter(|(_, digit)| **digit > 0) {
        let missing = || SceneError::Missing { example: item + 1, what: "picture of", number: digit.into() };
        let picture = *digits.of_digit(digit).choose(random).ok_or_else(missing)?;
        board.push(Sight { place: cell as u32, picture });
    }
    Ok(board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::futoshiki::{Spread, puzzles, sign_variables};
    use crate::mnist::Mnist;
    use preceptron_base::Quiet;

    #[test]
    fn givens_are_seen_and_the_rest_is_known() {
        let digits = Mnist::embedded().test;
        let puzzles = puzzles(5, &Spread::of_side(5).unwrap(), 10, 1, &Quiet).unwrap();
        let train = scenes(5, &puzzles, &digits, 3).unwrap();
        let test = test_scenes(5, &puzzles, &digits, 3).unwrap();
        assert_eq!((train.len(), train.classes(), train.places().len()), (10, 5, 25));
        for (item, puzzle) in puzzles.iter().enumerate() {
            assert_eq!(train.sights(item), test.sights(item));
            for sight in train.sights(item) {
                assert_eq!(digits.label(sight.picture as usize), puzzle.givens[sight.place as usize]);
            }
            let givens = puzzle.givens.iter().filter(|&&digit| digit > 0).count();
            assert_eq!(train.sights(item).len(), givens);
            let signs = sign_variables(5).count();
            assert_eq!(train.known_literals(item).count(), 5 * (25 - givens) + signs);
            assert_eq!(test.known_literals(item).count(), signs);
            let pictures = pictures(puzzle, &digits, 3, item).unwrap();
            let first = train.sights(item)[0];
            assert_eq!(pictures[first.place as usize].as_deref(), Some(digits.image(first.picture as usize)));
            assert_eq!(pictures.iter().flatten().count(), givens);
        }
    }
}
