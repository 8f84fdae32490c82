//! All signs of all boards as one table: what a sign says is seen too rarely at any one place.
//!
//! A row is a sign of a board both of whose cells are observed; its columns say which digit the lesser cell
//! holds (`first`) and which the greater one (`second`). Rows of one board are not independent: two signs at
//! a cell share its digit, and rows and columns of the board hold each digit once. So each row knows its
//! board, and what is counted for a rule is boards.

use preceptron_learn::{Examples, sum_histogram};
use preceptron_logic::{Constraint, Evidence, Var, Variables};

use super::{Sign, cell_variable, sign_variables, variables};

/// The signs of boards, each with the digits on its two sides.
#[derive(Clone, Debug)]
pub struct SignedPairs {
    /// `first[digit]` and `second[digit]`, each from 1 and one-hot by encoding.
    pub variables: Variables,
    /// The rows.
    pub examples: Examples,
    /// Of each row its board.
    pub board: Vec<usize>,
    /// How many boards there are, those without a row included.
    pub boards: usize,
    /// The greatest digit.
    pub side: usize,
}

/// The signs of examples over a board's variables of which both cells are observed. A cell is, if all its
/// digits are and exactly one is true.
///
/// # Panics
/// If the side is not 4 to 7, or the examples are of other variables.
pub fn signed_pairs(side: usize, examples: &Examples) -> SignedPairs {
    assert_eq!(examples.variables(), variables(side).len(), "examples of a board's variables");
    let signs: Vec<(Sign, Var)> = sign_variables(side).collect();
    let (mut rows, mut board) = (Vec::new(), Vec::new());
    for row in 0..examples.len() {
        let digits: Vec<Option<usize>> =
            (0..side * side).map(|cell| digit(side, examples, row, cell)).collect();
        for (sign, _) in signs.iter().filter(|(_, var)| examples.get(row, *var) == Some(true)) {
            if let (Some(first), Some(second)) = (digits[sign.less], digits[sign.greater]) {
                rows.push(
                    (0..2 * side).map(|at| at + 1 == first || at + 1 == side + second).collect::<Vec<_>>(),
                );
                board.push(row);
            }
        }
    }
    let digits = 1..=side as i64;
    let mut variables =
        Variables::blocks_of(&[("first", &[("digit", digits.clone())]), ("second", &[("digit", digits)])]);
    for block in ["first", "second"] {
        variables.set_one_hot(block, "digit").expect("both blocks have digits");
    }
    let boards = examples.len();
    SignedPairs { examples: Examples::from_full_rows(2 * side, &rows), variables, board, boards, side }
}

/// The digit that a cell is observed to hold.
fn digit(side: usize, examples: &Examples, row: usize, cell: usize) -> Option<usize> {
    let mut found = None;
    for digit in 1..=side {
        if examples.get(row, cell_variable(side, cell, digit))? {
            if found.is_some() {
                return None;
            }
            found = Some(digit);
        }
    }
    found
}

impl SignedPairs {
    /// The variable that says that the lesser cell holds a digit, from 1.
    pub fn first(&self, digit: usize) -> Var {
        Var(digit as u32 - 1)
    }

    /// The variable that says that the greater cell holds a digit, from 1.
    pub fn second(&self, digit: usize) -> Var {
        Var((self.side + digit) as u32 - 1)
    }

    /// What the boards say of a constraint on the columns: a board with any row speaks, and one with any row
    /// that violates the constraint violates it. Of the violations to be expected among rows as many count as
    /// if each board had one row.
    pub fn evidence(&self, constraint: &Constraint) -> Evidence {
        let (of_rows, _) = sum_histogram::evidence(&self.examples, constraint);
        let (mut speak, mut violated) = (0u64, 0u64);
        let mut row = 0;
        for rows in self.board.chunk_by(|a, b| a == b) {
            let breaks = |row: usize| !constraint.holds(|var| self.examples.get(row, var) == Some(true));
            speak += 1;
            violated += u64::from((row..row + rows.len()).any(breaks));
            row += rows.len();
        }
        let share = if row == 0 { 0.0 } else { speak as f64 / row as f64 };
        Evidence {
            examples: speak,
            satisfied: speak - violated,
            violated,
            undecided: self.boards as u64 - speak,
            situations: of_rows.situations,
            expected_violations: of_rows.expected_violations * share,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::futoshiki::{Spread, examples_from_answers, examples_full, puzzles};
    use preceptron_base::Quiet;

    #[test]
    fn rows_are_the_signs_between_observed_cells() {
        let puzzles = puzzles(5, &Spread::of_side(5).unwrap(), 60, 1, &Quiet).unwrap();
        let full = signed_pairs(5, &examples_full(5, &puzzles));
        assert_eq!(full.examples.len(), puzzles.iter().map(|puzzle| puzzle.signs.len()).sum::<usize>());
        let some = signed_pairs(5, &examples_from_answers(5, &puzzles));
        let mut expected = Vec::new();
        for (board, puzzle) in puzzles.iter().enumerate() {
            let mut signs = puzzle.signs.clone();
            signs.retain(|sign| puzzle.givens[sign.less] == 0 && puzzle.givens[sign.greater] == 0);
            let digits = |sign: &Sign| (board, puzzle.solution[sign.less], puzzle.solution[sign.greater]);
            expected.extend(signs.iter().map(digits));
        }
        let digit = |row, var: fn(&SignedPairs, usize) -> Var| {
            (1..=5).find(|&digit| some.examples.get(row, var(&some, digit)) == Some(true)).unwrap() as u8
        };
        let rows = (0..some.examples.len())
            .map(|row| (some.board[row], digit(row, SignedPairs::first), digit(row, SignedPairs::second)));
        assert_eq!(rows.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn boards_are_counted() {
        let puzzles = puzzles(4, &Spread::of_side(4).unwrap(), 40, 1, &Quiet).unwrap();
        let pairs = signed_pairs(4, &examples_full(4, &puzzles));
        let not_four = pairs.evidence(&Constraint::clause([pairs.first(4).negative()]));
        assert_eq!((not_four.examples, not_four.violated, not_four.undecided), (40, 0, 0));
        let not_one = pairs.evidence(&Constraint::clause([pairs.first(1).negative()]));
        let with_one = |puzzle: &&crate::futoshiki::Puzzle| {
            puzzle.signs.iter().any(|sign| puzzle.solution[sign.less] == 1)
        };
        assert_eq!(not_one.violated, puzzles.iter().filter(with_one).count() as u64);
        let nothing = signed_pairs(4, &examples_full(4, &[]));
        assert_eq!(nothing.evidence(&Constraint::clause([nothing.first(1).negative()])), Evidence::default());
    }
}
