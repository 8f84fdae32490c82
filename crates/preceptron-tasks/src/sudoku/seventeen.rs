//! Puzzles with 17 givens and one solution. There are none with fewer.
//!
//! Forty are bundled, no two of which are the same but for a symmetry: a relabelling of the digits, an
//! exchange of rows within a band, of bands, of columns within a stack, of stacks, or of rows with columns.
//! Each stands for more than a million million puzzles that look different and are as hard. Some are from
//! the kind that Gordon Royle collected, and the others were found near those by exchanging
//! one or two givens.

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};

use super::{Grid, Puzzle, read_csv, side};
use preceptron_base::stream;

/// The bundled puzzles.
pub fn hard_puzzles() -> Vec<Puzzle> {
    read_csv(include_str!("../../data/seventeen.csv")).expect("the bundled puzzles are puzzles")
}

/// Puzzles with 17 givens, each a random symmetry of a random bundled one. The i-th depends only on the
/// seed and i.
pub fn seventeen(count: usize, seed: u64) -> Vec<Puzzle> {
    let bundled = hard_puzzles();
    let one = |item| {
        let random = &mut stream(seed, "symmetry of a puzzle", item as u64);
        symmetry(bundled.choose(random).expect("there are bundled puzzles"), random)
    };
    (0..count).map(one).collect()
}

/// A puzzle and its solution under one random symmetry of Sudoku; all symmetries are equally likely.
pub fn symmetry(puzzle: &Puzzle, random: &mut impl Rng) -> Puzzle {
    let order = puzzle.solution.order();
    let side = side(order);
    let mut labels: Vec<u8> = (1..=side as u8).collect();
    labels.shuffle(random);
    let (rows, columns) = (lines(order, random), lines(order, random));
    let transposed = random.random_bool(0.5);
    let moved = |grid: &Grid| {
        grid.map(|cell, _| {
            let (row, column) = (rows[cell / side], columns[cell % side]);
            let digit = if transposed { grid.digit(column, row) } else { grid.digit(row, column) };
            if digit == 0 { 0 } else { labels[usize::from(digit) - 1] }
        })
    };
    Puzzle { givens: moved(&puzzle.givens), solution: moved(&puzzle.solution) }
}

/// A random order of rows in which bands stay together.
fn lines(order: usize, random: &mut impl Rng) -> Vec<usize> {
    let mut bands: Vec<Vec<usize>> = (0..order).map(|b| (b * order..(b + 1) * order).collect()).collect();
    bands.shuffle(random);
    bands.iter_mut().for_each(|band| band.shuffle(random));
    bands.concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::{generate, solutions, with_givens};
    use std::collections::BTreeSet;
    use std::slice::from_ref;

    fn given(puzzle: &Puzzle) -> usize {
        puzzle.givens.digits().iter().filter(|&&d| d > 0).count()
    }

    /// What no symmetry changes: for each given, how many givens have its digit, its row, band, column,
    /// stack and box, sorted, in the smaller of the two ways to call rows and columns.
    fn invariant(puzzle: &Puzzle) -> Vec<[usize; 6]> {
        let side = |transposed: bool| {
            let place = |cell: usize| match transposed {
                false => (cell / 9, cell % 9),
                true => (cell % 9, cell / 9),
            };
            let given = puzzle.givens.digits().iter().enumerate().filter(|(_, digit)| **digit > 0);
            let keys = given.map(|(cell, &digit)| {
                let (row, column) = place(cell);
                [digit.into(), row, row / 3, column, column / 3, row / 3 * 3 + column / 3]
            });
            let keys: Vec<[usize; 6]> = keys.collect();
            let alike = |key: &[usize; 6], at: usize| keys.iter().filter(|k| k[at] == key[at]).count();
            let mut counts: Vec<[usize; 6]> =
                keys.iter().map(|key| std::array::from_fn(|at| alike(key, at))).collect();
            counts.sort_unstable();
            counts
        };
        side(false).min(side(true))
    }

    #[test]
    fn bundled_puzzles_have_seventeen_givens_and_one_solution() {
        let puzzles = hard_puzzles();
        assert_eq!(puzzles.len(), 40);
        for puzzle in &puzzles {
            assert_eq!(given(puzzle), 17);
            assert_eq!(solutions(&puzzle.givens, 2), from_ref(&puzzle.solution));
        }
    }

    #[test]
    fn no_two_bundled_puzzles_are_the_same_but_for_a_symmetry() {
        let invariants: BTreeSet<_> = hard_puzzles().iter().map(invariant).collect();
        assert_eq!(invariants.len(), 40);
    }

    #[test]
    fn symmetries_keep_the_solution_the_only_one() {
        let bundled: BTreeSet<_> = hard_puzzles().iter().map(invariant).collect();
        let puzzles = seventeen(200, 1);
        for puzzle in &puzzles {
            assert_eq!(given(puzzle), 17);
            assert_eq!(solutions(&puzzle.givens, 2), from_ref(&puzzle.solution));
            assert!(bundled.contains(&invariant(puzzle)));
        }
        let different: BTreeSet<&Grid> = puzzles.iter().map(|p| &p.givens).collect();
        assert_eq!(different.len(), 200);
        assert_eq!(seventeen(50, 1), puzzles[..50]);
        assert_ne!(seventeen(50, 2), puzzles[..50]);
    }

    /// Every cell and digit goes everywhere, at the smallest order and beyond.
    #[test]
    fn symmetries_move_everything_everywhere() {
        for order in [2, 4] {
            let puzzle = &with_givens(&generate(order, 1, 1), 5..=5, 1)[0];
            let side = side(order);
            let mut seen = BTreeSet::new();
            for item in 0..60 * side {
                let moved = symmetry(puzzle, &mut stream(3, "symmetry of a puzzle", item as u64));
                assert_eq!(given(&moved), 5);
                let first = moved.givens.digits().iter().position(|&d| d > 0).unwrap();
                assert_eq!(moved.givens.digits()[first], moved.solution.digits()[first]);
                assert_eq!(solutions(&moved.solution, 1), from_ref(&moved.solution));
                seen.extend(moved.solution.digits().iter().copied().enumerate());
            }
            assert_eq!(seen.len(), side.pow(3));
        }
    }
}
