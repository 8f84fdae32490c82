//! Puzzles: a solution of which some cells are given.

use std::ops::RangeInclusive;

use rand::RngExt;
use rand::seq::index;

use super::Grid;
use preceptron_base::stream;

/// How many givens a puzzle of order 3 has, unless one says otherwise.
pub const GIVENS: RangeInclusive<usize> = 31..=42;

/// A puzzle and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The cells that are given; the others are blank.
    pub givens: Grid,
    /// The complete grid.
    pub solution: Grid,
}

impl Puzzle {
    /// The cells that had to be found: the solution, blank where a digit was given.
    pub fn answers(&self) -> Grid {
        let given = self.givens.digits();
        self.solution.map(|cell, digit| if given[cell] == 0 { digit } else { 0 })
    }
}

/// Puzzles from complete grids: the number of givens is drawn evenly from the range (cut off at the
/// number of cells), and which cells they are is drawn evenly too. That the givens leave only one
/// solution is neither needed nor checked. The i-th depends only on its grid, the range, the seed and i.
///
/// # Panics
/// If the range is empty.
pub fn with_givens(grids: &[Grid], givens: RangeInclusive<usize>, seed: u64) -> Vec<Puzzle> {
    let one = |(item, solution): (usize, &Grid)| {
        let random = &mut stream(seed, "givens of a grid", item as u64);
        let cells = solution.digits().len();
        let mut given = vec![false; cells];
        let count = random.random_range(givens.clone()).min(cells);
        for cell in index::sample(random, cells, count) {
            given[cell] = true;
        }
        let givens = solution.map(|cell, digit| if given[cell] { digit } else { 0 });
        Puzzle { givens, solution: solution.clone() }
    };
    grids.iter().enumerate().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::generate;

    #[test]
    fn givens_and_answers_part_the_solution() {
        let puzzles = with_givens(&generate(3, 500, 2), GIVENS, 4);
        let mut counts = std::collections::BTreeSet::new();
        for puzzle in &puzzles {
            let answers = puzzle.answers();
            counts.insert(puzzle.givens.digits().iter().filter(|&&d| d > 0).count());
            for cell in 0..81 {
                let (given, answer) = (puzzle.givens.digits()[cell], answers.digits()[cell]);
                assert!(given == 0 || answer == 0);
                assert_eq!(given + answer, puzzle.solution.digits()[cell]);
            }
        }
        assert_eq!(counts, GIVENS.collect());
    }

    #[test]
    fn a_puzzle_depends_on_seed_and_number_alone() {
        let grids = generate(2, 9, 2);
        let puzzles = with_givens(&grids, 3..=9, 4);
        assert_eq!(with_givens(&grids[..5], 3..=9, 4), puzzles[..5]);
        assert_ne!(with_givens(&grids, 3..=9, 5), puzzles);
    }
}
