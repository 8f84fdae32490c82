//! Grids as examples: one variable for each cell and digit.

use preceptron_learn::Examples;
use rand::RngExt;

use super::{Grid, Puzzle, side};
use preceptron_base::stream;

/// Grids as examples. All digits of a blank cell are unobserved, so complete grids are fully observed.
///
/// # Panics
/// If a grid is of another order.
pub fn examples_full(order: usize, grids: &[Grid]) -> Examples {
    let side = side(order);
    let rows: Vec<Vec<Option<bool>>> = grids
        .iter()
        .map(|grid| {
            assert_eq!(grid.order(), order, "grids of one order");
            let mut row = vec![None; side.pow(3)];
            for (cell, &digit) in row.chunks_mut(side).zip(grid.digits()).filter(|(_, digit)| **digit > 0) {
                cell.fill(Some(false));
                cell[usize::from(digit) - 1] = Some(true);
            }
            row
        })
        .collect();
    Examples::from_rows(side.pow(3), &rows)
}

/// What is found in puzzles as examples: the givens are unobserved, all other cells observed.
///
/// # Panics
/// If a puzzle is of another order.
pub fn examples_from_answers(order: usize, puzzles: &[Puzzle]) -> Examples {
    examples_full(order, &puzzles.iter().map(Puzzle::answers).collect::<Vec<_>>())
}

/// Grids in which each digit is replaced, with probability `share`, by another, all others being equally
/// likely. Blanks stay. The i-th depends only on its grid, the share, the seed and i.
///
/// # Panics
/// If the share is not between 0 and 1.
pub fn with_wrong_digits(grids: &[Grid], share: f64, seed: u64) -> Vec<Grid> {
    let one = |(item, grid): (usize, &Grid)| {
        let random = &mut stream(seed, "wrong digits", item as u64);
        let side = side(grid.order()) as u8;
        grid.map(|_, digit| match digit > 0 && random.random_bool(share) {
            true => (digit - 1 + random.random_range(1..side)) % side + 1,
            false => digit,
        })
    };
    grids.iter().enumerate().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::{GIVENS, generate, true_rules, variable, with_givens};

    #[test]
    fn full_examples_satisfy_every_rule() {
        let grids = generate(2, 100, 1);
        let examples = examples_full(2, &grids);
        assert!(examples.is_complete());
        assert_eq!((examples.len(), examples.variables()), (100, 64));
        for (row, grid) in grids.iter().enumerate() {
            assert_eq!(examples.get(row, variable(2, 1, 3, grid.digit(1, 3).into())), Some(true));
            assert!(true_rules(2).constraints().all(|c| c.holds(|v| examples.get(row, v).unwrap())));
        }
        assert_eq!(examples_full(2, &[]).variables(), 64);
    }

    #[test]
    fn givens_are_unobserved() {
        let puzzles = with_givens(&generate(3, 50, 1), GIVENS, 1);
        let examples = examples_from_answers(3, &puzzles);
        for (row, puzzle) in puzzles.iter().enumerate() {
            for cell in 0..81 {
                for digit in 1..=9 {
                    let known = examples.get(row, variable(3, cell / 9, cell % 9, digit));
                    let expected = (puzzle.givens.digits()[cell] == 0)
                        .then(|| usize::from(puzzle.solution.digits()[cell]) == digit);
                    assert_eq!(known, expected);
                }
            }
        }
    }

    #[test]
    fn wrong_digits_are_as_many_as_asked_for_and_even() {
        let grids = generate(3, 1000, 1);
        let wrong = with_wrong_digits(&grids, 0.1, 2);
        let mut shifts = [0; 9];
        for (a, b) in grids.iter().flat_map(Grid::digits).zip(wrong.iter().flat_map(Grid::digits)) {
            assert!((1..=9).contains(b));
            shifts[usize::from((b + 9 - a) % 9)] += 1;
        }
        // 8,100 of 81,000 expected, 1,012 for each way of being wrong.
        assert!((7600..8600).contains(&shifts[1..].iter().sum()), "{shifts:?}");
        assert!(shifts[1..].iter().all(|s| (850..1180).contains(s)), "{shifts:?}");
        assert_eq!(with_wrong_digits(&grids, 0.0, 2), grids);
        let blank = Grid::new(2, vec![0; 16]).unwrap();
        assert_eq!(with_wrong_digits(std::slice::from_ref(&blank), 1.0, 2), [blank]);
    }
}
