//! Futoshiki of side 4 to 7: Latin squares with signs between some neighbours, and some digits given.
//!
//! A variable `cell[row 1, column 4, digit 5]` says that the cell holds the digit, and
//! `less[row 1, column 4, towards below]` that a sign says the cell is less than its neighbour there. Signs
//! are printed, so every variable of a sign is known; givens are pictures. What makes a square a solution is
//! known to [`true_rules`] and to the search of [`count_solutions`] alone. They judge, and pose puzzles;
//! nothing that teaches a learner should call them.

mod actions;
mod answer;
mod drawing;
mod examples;
mod generate;
mod judge_rules;
mod latin;
mod learner;
mod neighbours;
mod pairs;
mod puzzle;
mod read;
mod sign_rules;
mod solve;
mod svg;
mod task;
mod text;
mod visual;

pub use answer::{SolvedBoard, answer};
pub use drawing::{Face, board_size, draw_board, draw_for_print};
pub use examples::{examples_from_answers, examples_full, examples_of_signs};
pub use generate::{GenerateError, Spread, puzzles};
pub use judge_rules::true_rules;
pub use latin::latin_square;
pub use learner::{ASSUMED, learn_rules, settings};
pub use neighbours::{Direction, Sign, cell_variable, sign_variable, sign_variables, variables};
pub use pairs::{SignedPairs, signed_pairs};
pub use puzzle::{Puzzle, PuzzleFault};
pub use read::{PuzzlesError, read_board, read_csv, read_file, read_lines, write_csv};
pub use sign_rules::{PairRule, learn_pair_rules, on_board};
pub use solve::{count_solutions, solutions};
pub use svg::{SvgCell, svg};
pub use task::Futoshiki;
pub use text::{Mark, board_text};
pub use visual::{pictures, scenes, test_scenes};

use std::ops::RangeInclusive;

/// The sides that a board may have.
pub const SIDES: RangeInclusive<usize> = 4..=7;

/// The side, if it is one that boards may have.
///
/// # Panics
/// If it is not 4 to 7; all functions here that take a side do so, unless they return an error.
fn checked(side: usize) -> usize {
    assert!(SIDES.contains(&side), "Futoshiki of side {side}: the sides are 4 to 7");
    side
}
