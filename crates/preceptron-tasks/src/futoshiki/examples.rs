//! Boards as examples: a variable for each cell and digit, and one for each sign that there could be.

use preceptron_learn::Examples;

use super::{Puzzle, Sign, sign_variables, variables};

/// Complete boards: all digits and signs are observed.
///
/// # Panics
/// If a puzzle is of another side, or the side is not 4 to 7.
pub fn examples_full(side: usize, puzzles: &[Puzzle]) -> Examples {
    observed(side, puzzles, |puzzle| puzzle.solution.clone())
}

/// What is found in puzzles: the givens are unobserved, all other cells and all signs are observed.
///
/// # Panics
/// If a puzzle is of another side, or the side is not 4 to 7.
pub fn examples_from_answers(side: usize, puzzles: &[Puzzle]) -> Examples {
    observed(side, puzzles, Puzzle::answers)
}

/// The signs alone: no cell is observed.
///
/// # Panics
/// If a puzzle is of another side, or the side is not 4 to 7.
pub fn examples_of_signs(side: usize, puzzles: &[Puzzle]) -> Examples {
    observed(side, puzzles, |_| vec![0; side * side])
}

/// Boards of which these digits are observed, and all signs. All digits of a blank cell are unobserved.
fn observed(side: usize, puzzles: &[Puzzle], digits: impl Fn(&Puzzle) -> Vec<u8>) -> Examples {
    let variables = variables(side).len();
    let signs: Vec<Sign> = sign_variables(side).map(|(sign, _)| sign).collect();
    let one = |puzzle: &Puzzle| {
        assert_eq!(puzzle.side, side, "boards of one side");
        let mut row = vec![None; variables];
        for (cell, digit) in row.chunks_mut(side).zip(digits(puzzle)).filter(|(_, digit)| *digit > 0) {
            cell.fill(Some(false));
            cell[usize::from(digit) - 1] = Some(true);
        }
        for (value, sign) in row[side.pow(3)..].iter_mut().zip(&signs) {
            *value = Some(puzzle.signs.contains(sign));
        }
        row
    };
    Examples::from_rows(variables, &puzzles.iter().map(one).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::futoshiki::{Spread, cell_variable, puzzles, true_rules};
    use preceptron_base::Quiet;

    #[test]
    fn full_examples_satisfy_every_rule() {
        for side in 4..=6 {
            let puzzles = puzzles(side, &Spread::of_side(side).unwrap(), 50, 1, &Quiet).unwrap();
            let examples = examples_full(side, &puzzles);
            assert!(examples.is_complete());
            for row in 0..puzzles.len() {
                let value = |var| examples.get(row, var).unwrap();
                assert!(true_rules(side).constraints().all(|rule| rule.holds(value)));
            }
        }
    }

    #[test]
    fn givens_are_unobserved_and_signs_are_known() {
        let puzzles = puzzles(5, &Spread::of_side(5).unwrap(), 20, 1, &Quiet).unwrap();
        let (answers, signs) = (examples_from_answers(5, &puzzles), examples_of_signs(5, &puzzles));
        for (row, puzzle) in puzzles.iter().enumerate() {
            for cell in 0..25 {
                for digit in 1..=5 {
                    let var = cell_variable(5, cell, digit);
                    let expected =
                        (puzzle.givens[cell] == 0).then(|| usize::from(puzzle.solution[cell]) == digit);
                    assert_eq!(answers.get(row, var), expected);
                    assert_eq!(signs.get(row, var), None);
                }
            }
            for (sign, var) in sign_variables(5) {
                let is_there = Some(puzzle.signs.contains(&sign));
                assert_eq!((answers.get(row, var), signs.get(row, var)), (is_there, is_there));
            }
        }
    }
}
