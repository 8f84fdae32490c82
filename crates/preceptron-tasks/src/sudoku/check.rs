//! Whether a puzzle is one: its solution obeys the rules and is the only one.

use super::solve::repeated;
use super::{Puzzle, side, solutions};

/// What is wrong with a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PuzzleFault {
    /// The solution has a digit twice in a row, column or box.
    #[error("the solution has {digit} twice in {unit}")]
    Repeated {
        /// The row, column or box, in words.
        unit: String,
        /// The digit.
        digit: u8,
    },
    /// There is another solution.
    #[error("another solution has {digit} at row {row}, column {column}")]
    Several {
        /// The row of a cell in which they differ, from 1.
        row: usize,
        /// Its column.
        column: usize,
        /// The digit of the other solution.
        digit: u8,
    },
}

/// Checks that the solution of a puzzle whose givens agree with it obeys the rules and is the only one.
///
/// # Errors
/// What is wrong, if it does not or is not.
pub fn check(puzzle: &Puzzle) -> Result<(), PuzzleFault> {
    if let Some((unit, digit)) = repeated(&puzzle.solution) {
        return Err(PuzzleFault::Repeated { unit, digit });
    }
    let side = side(puzzle.solution.order());
    let truth = puzzle.solution.digits();
    for other in solutions(&puzzle.givens, 2) {
        if let Some(cell) = (0..truth.len()).find(|&cell| other.digits()[cell] != truth[cell]) {
            let (row, column, digit) = (cell / side + 1, cell % side + 1, other.digits()[cell]);
            return Err(PuzzleFault::Several { row, column, digit });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::{generate, hard_puzzles, with_givens};

    #[test]
    fn faults_are_told() {
        let puzzle = hard_puzzles().remove(0);
        assert_eq!(check(&puzzle), Ok(()));
        let open = with_givens(&generate(3, 1, 1), 12..=12, 1).remove(0);
        assert!(matches!(check(&open), Err(PuzzleFault::Several { .. })));
        let broken = puzzle.solution.map(|cell, digit| if cell == 80 { digit % 9 + 1 } else { digit });
        let digit = broken.digits()[80];
        let fault = check(&Puzzle { givens: puzzle.givens, solution: broken }).unwrap_err();
        assert_eq!(fault.to_string(), format!("the solution has {digit} twice in row 9"));
    }
}
