//! Sudoku of order 2 to 5 (sides of 4, 9, 16 and 25): variables, grids, puzzles, examples.
//!
//! A variable `cell[row 1, column 4, digit 7]` says that the cell holds the digit. What makes a grid a
//! solution is known to [`true_rules`] and to the search of [`count_solutions`] alone. They judge, and pose
//! puzzles to a reasoner; nothing that teaches a learner should call them.

mod actions;
mod adapt;
mod answer;
mod asked;
mod bench;
mod board;
mod cells;
mod check;
mod data;
mod decoding;
mod drawing;
mod examples;
mod flat_cells;
mod gallery;
mod generate;
mod grid;
mod judge;
mod lines;
mod one_board;
mod photographs;
mod posterior;
mod puzzle;
mod puzzles_by_givens;
mod read;
pub mod reading;
mod reading_queries;
mod seen_board;
mod settings;
mod seventeen;
mod show;
mod solve;
mod task;
mod unique;
mod visual;

pub use crate::faces::Face;
pub use board::{BoardError, BoardSolver, Grounds, Why, read_cells};
pub use cells::{CellPictures, CellsError, cells_of_board, cells_of_patches};
pub use check::{PuzzleFault, check};
pub use data::{SudokuData, read as read_boards};
pub use decoding::Decoding;
pub use drawing::{board_size, draw_board, draw_for_print, on_paper, sheet};
pub use examples::{examples_from_answers, examples_full, with_wrong_digits};
pub use generate::generate;
pub use grid::{Grid, GridError};
pub use judge::{Judge, Judgement, Solved};
pub use posterior::{Candidate, Flattening, Posterior, Prior, posterior};
pub use puzzle::{GIVENS, Puzzle, with_givens};
pub use puzzles_by_givens::{Spread, SpreadError, puzzles};
pub use read::{PuzzlesError, read_csv, read_file, read_lines, read_text, write_csv};
pub use reading_queries::{fixed_query, read_query, with_thirty_givens};
pub use settings::{PaperSet, RuleSearch, ScheduleName, SudokuSettings};
pub use seventeen::{hard_puzzles, seventeen, symmetry};
pub use solve::{count_solutions, solutions};
pub use task::{Sudoku, SudokuEvaluation};
pub use unique::{UniqueError, with_unique_solution};
pub use visual::{pictures, scenes};

use preceptron_logic::{Constraint, Expression, Rule, RuleSet, Var, Variables};

/// The side of a grid of this order.
///
/// # Panics
/// If the order is not one of 2 to 5; all functions here that take an order do so.
pub fn side(order: usize) -> usize {
    assert!((2..=5).contains(&order), "Sudoku of order {order}: the orders are 2 to 5");
    order * order
}

/// The variables `cell[row, column, digit]`, each axis from 1, digits fastest.
pub fn variables(order: usize) -> Variables {
    let side = side(order) as i64;
    Variables::block("cell", &[("row", 1..=side), ("column", 1..=side), ("digit", 1..=side)])
}

/// The variables with a derived axis `box`, from 1 like the others, so that rules over boxes can be read as such.
pub fn variables_with_box(order: usize) -> Variables {
    let mut variables = variables(order);
    let expression: Expression = format!("{order}*((row-1)/{order}) + (column-1)/{order} + 1")
        .parse()
        .expect("an expression over rows and columns");
    variables.derive("box", &expression).expect("cells have rows and columns");
    variables
}

/// The variable of a digit (from 1) in a cell (row and column from 0).
pub fn variable(order: usize, row: usize, column: usize, digit: usize) -> Var {
    let side = side(order);
    Var(((row * side + column) * side + digit - 1) as u32)
}

/// The 4 * side^2 rules of Sudoku: exactly one digit in each cell, and each digit exactly once in each
/// row, column and box. They serve only to judge what was learned, and to pose puzzles to a reasoner; no
/// example is made from them.
pub fn true_rules(order: usize) -> RuleSet {
    let side = side(order);
    let mut rules = RuleSet::new(variables(order));
    for unit in 0..side {
        for other in 0..side {
            let inside = |k: usize| (unit / order * order + k / order, unit % order * order + k % order);
            let of = |row, column, digit| variable(order, row, column, digit).positive();
            let cell = Constraint::exactly(1, (0..side).map(|k| of(unit, other, k + 1)));
            let row = Constraint::exactly(1, (0..side).map(|k| of(unit, k, other + 1)));
            let column = Constraint::exactly(1, (0..side).map(|k| of(k, unit, other + 1)));
            let in_box = Constraint::exactly(1, (0..side).map(|k| of(inside(k).0, inside(k).1, other + 1)));
            for constraint in [cell, row, column, in_box] {
                rules.insert(Rule::given(constraint));
            }
        }
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::Label;

    #[test]
    fn names_and_numbers_agree() {
        for order in 2..=4 {
            let variables = variables(order);
            assert_eq!(variables.len(), order.pow(6));
            let name = format!("cell[row 2, column {}, digit 3]", order * order);
            assert_eq!(variables.find(&name), Some(variable(order, 1, order * order - 1, 3)));
        }
    }

    #[test]
    fn boxes_have_as_many_cells_as_the_side() {
        for order in 2..=3 {
            let variables = variables_with_box(order);
            let block = &variables.blocks()[0];
            let axis = block.axis("box").unwrap();
            let numbers: Vec<Label> = (1..=(order * order) as i64).map(Label::Number).collect();
            assert_eq!(block.axes()[axis].labels(), numbers);
            for number in 0..order * order {
                let members = block
                    .members()
                    .iter()
                    .filter(|v| variables.place(**v).unwrap().positions[axis] == number);
                assert_eq!(members.count(), order.pow(4));
            }
        }
    }

    #[test]
    fn rules_are_as_many_as_they_should_be_and_cover_alike() {
        for order in 2..=3 {
            let rules = true_rules(order);
            assert_eq!(rules.len(), 4 * order.pow(4));
            let mut covered = vec![0; rules.variables().len()];
            rules.constraints().flat_map(|c| c.variables()).for_each(|v| covered[v.index()] += 1);
            assert!(covered.iter().all(|&c| c == 4));
        }
        // The known rank of the 9 x 9 equalities.
        assert_eq!(true_rules(3).rank(), 249);
    }
}
