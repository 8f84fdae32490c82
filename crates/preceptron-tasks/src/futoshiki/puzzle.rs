//! Puzzles: a Latin square of which some digits and some signs are given.

use super::{SIDES, Sign};

/// A puzzle and its answer. Digits are listed row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// Rows and columns.
    pub side: usize,
    /// The digits that are given, 0 in the other cells.
    pub givens: Vec<u8>,
    /// The signs.
    pub signs: Vec<Sign>,
    /// All digits.
    pub solution: Vec<u8>,
}

/// What is wrong with a puzzle. Cells are told by row and column from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PuzzleFault {
    /// A side that boards do not have.
    #[error("a board of side {0}: the sides are 4 to 7")]
    Side(usize),
    /// Not a digit for each cell.
    #[error("{what} has {found} cells where a board of side {side} has {}", side * side)]
    Cells {
        /// Of what.
        what: &'static str,
        /// The board's side.
        side: usize,
        /// How many digits there are.
        found: usize,
    },
    /// A digit greater than the side, or a blank in the solution.
    #[error("{what} has {digit} at row {row}, column {column}, and the digits are 1 to {side}")]
    Digit {
        /// Of what.
        what: &'static str,
        /// The board's side.
        side: usize,
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// What stands there.
        digit: u8,
    },
    /// A given that is not the solution's digit.
    #[error("{given} is given at row {row}, column {column}, where the solution has {digit}")]
    Given {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// What is given.
        given: u8,
        /// What the solution has.
        digit: u8,
    },
    /// A digit twice in a row or column of the solution.
    #[error("the solution has {digit} twice in {line}")]
    Twice {
        /// The row or column in words.
        line: String,
        /// The digit.
        digit: u8,
    },
    /// A sign between cells that are no neighbours.
    #[error("sign {0} is not between neighbouring cells")]
    Apart(usize),
    /// A sign that stands in the list twice, in one direction or in both.
    #[error("sign {0} is between cells that have a sign already")]
    Again(usize),
    /// A sign that the solution breaks.
    #[error("sign {number} says that {less} is less than {greater}")]
    Broken {
        /// The sign's number, from 1.
        number: usize,
        /// The digit on its lesser side.
        less: u8,
        /// The digit on its greater side.
        greater: u8,
    },
}

impl Puzzle {
    /// Whether the parts fit each other: the solution is a Latin square that has the givens and obeys the
    /// signs. That it is the only one is not checked.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self) -> Result<(), PuzzleFault> {
        let side = self.side;
        if !SIDES.contains(&side) {
            return Err(PuzzleFault::Side(side));
        }
        for (what, digits, least) in [("the puzzle", &self.givens, 0), ("the solution", &self.solution, 1)] {
            if digits.len() != side * side {
                return Err(PuzzleFault::Cells { what, side, found: digits.len() });
            }
            if let Some(at) = digits.iter().position(|&d| d < least || usize::from(d) > side) {
                let (row, column) = (at / side + 1, at % side + 1);
                return Err(PuzzleFault::Digit { what, side, row, column, digit: digits[at] });
            }
        }
        for (cell, (&given, &digit)) in self.givens.iter().zip(&self.solution).enumerate() {
            if given != 0 && given != digit {
                let (row, column) = (cell / side + 1, cell % side + 1);
                return Err(PuzzleFault::Given { row, column, given, digit });
            }
        }
        for number in 0..2 * side {
            let (kind, line) = if number < side { ("row", number) } else { ("column", number - side) };
            let mut seen = 0u32;
            for k in 0..side {
                let digit = self.solution[if kind == "row" { line * side + k } else { k * side + line }];
                if seen >> digit & 1 == 1 {
                    return Err(PuzzleFault::Twice { line: format!("{kind} {}", line + 1), digit });
                }
                seen |= 1 << digit;
            }
        }
        self.check_signs()
    }

    fn check_signs(&self) -> Result<(), PuzzleFault> {
        for (at, sign) in self.signs.iter().enumerate() {
            if sign.direction(self.side).is_none() {
                return Err(PuzzleFault::Apart(at + 1));
            }
            let between =
                |other: &Sign| other == sign || (other.less, other.greater) == (sign.greater, sign.less);
            if self.signs[..at].iter().any(between) {
                return Err(PuzzleFault::Again(at + 1));
            }
            let (less, greater) = (self.solution[sign.less], self.solution[sign.greater]);
            if less >= greater {
                return Err(PuzzleFault::Broken { number: at + 1, less, greater });
            }
        }
        Ok(())
    }

    /// The digits that had to be found: the solution, 0 where a digit was given.
    pub fn answers(&self) -> Vec<u8> {
        let cells = self.givens.iter().zip(&self.solution);
        cells.map(|(&given, &digit)| if given == 0 { digit } else { 0 }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The square in which each row is the one before moved by a column.
    fn cyclic() -> Puzzle {
        let solution: Vec<u8> = (0..16).map(|cell| (cell / 4 + cell % 4) as u8 % 4 + 1).collect();
        let mut givens = vec![0; 16];
        givens[5] = 3;
        Puzzle { side: 4, givens, signs: vec![Sign { less: 0, greater: 4 }], solution }
    }

    #[test]
    fn givens_and_answers_part_the_solution() {
        let puzzle = cyclic();
        assert_eq!(puzzle.check(), Ok(()));
        let sums = puzzle.givens.iter().zip(puzzle.answers()).map(|(given, answer)| given + answer);
        assert_eq!(sums.collect::<Vec<u8>>(), puzzle.solution);
    }

    #[test]
    fn faults_say_what_and_where() {
        let fault = |change: fn(&mut Puzzle)| {
            let mut puzzle = cyclic();
            change(&mut puzzle);
            puzzle.check().unwrap_err().to_string()
        };
        assert_eq!(fault(|p| p.side = 3), "a board of side 3: the sides are 4 to 7");
        assert_eq!(fault(|p| p.side = 5), "the puzzle has 16 cells where a board of side 5 has 25");
        assert_eq!(
            fault(|p| p.solution[7] = 0),
            "the solution has 0 at row 2, column 4, and the digits are 1 to 4"
        );
        assert_eq!(fault(|p| p.givens[5] = 1), "1 is given at row 2, column 2, where the solution has 3");
        assert_eq!(fault(|p| p.solution[4] = 1), "the solution has 1 twice in row 2");
        assert_eq!(fault(|p| p.solution[..4].swap(0, 1)), "the solution has 2 twice in column 1");
        assert_eq!(fault(|p| p.signs[0].greater = 8), "sign 1 is not between neighbouring cells");
        assert_eq!(
            fault(|p| p.signs.push(Sign { less: 4, greater: 0 })),
            "sign 2 is between cells that have a sign already"
        );
        assert_eq!(fault(|p| p.signs[0] = Sign { less: 4, greater: 0 }), "sign 1 says that 2 is less than 1");
    }
}
