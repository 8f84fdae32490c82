//! Puzzles with one solution: givens are taken from a complete grid, one by one in random order, each if
//! the others still leave only one solution.

use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::solve::has_another;
use super::{Grid, Puzzle};
use preceptron_base::stream;

/// Orders of removal that are tried for one grid.
const ORDERS: usize = 1000;

/// A grid did not get down to the number of givens asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("grid {}: no {givens} givens with one solution were found in {ORDERS} random orders of removal", item + 1)]
pub struct UniqueError {
    /// The grid's number, from 0.
    pub item: usize,
    /// How many givens were asked for.
    pub givens: usize,
}

/// Puzzles from complete grids with so many givens (all cells, if there are fewer) and no other solution.
/// The i-th depends only on its grid, the number, the seed and i.
///
/// At order 3 most orders of removal get down to 25 givens and few to 22; the search for a second solution
/// can take long on larger grids with few givens.
pub fn with_unique_solution(grids: &[Grid], givens: usize, seed: u64) -> Result<Vec<Puzzle>, UniqueError> {
    let one = |(item, solution): (usize, &Grid)| {
        let random = &mut stream(seed, "givens that are left", item as u64);
        let mut order: Vec<usize> = (0..solution.digits().len()).collect();
        for _ in 0..ORDERS {
            order.shuffle(random);
            let (left, count) = removed(solution, givens, &order, usize::MAX);
            if count <= givens {
                return Ok(Puzzle { givens: left, solution: solution.clone() });
            }
        }
        Err(UniqueError { item, givens })
    };
    // All are awaited, so that of several errors it is always the first that is returned.
    let all: Vec<Result<Puzzle, UniqueError>> = grids.par_iter().enumerate().map(one).collect();
    all.into_iter().collect()
}

/// The givens that are left, and their number, when cells are blanked in this order until `givens` are left.
/// A given stays if the others allow another solution, or if that is not known in so many nodes of search.
pub(super) fn removed(solution: &Grid, givens: usize, order: &[usize], nodes: usize) -> (Grid, usize) {
    let mut grid = solution.clone();
    let mut left = order.len();
    for &blank in order {
        if left <= givens {
            break;
        }
        let fewer = grid.map(|cell, digit| if cell == blank { 0 } else { digit });
        if has_another(&fewer, blank, solution.digits()[blank], nodes) == Some(false) {
            grid = fewer;
            left -= 1;
        }
    }
    (grid, left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::{generate, solutions};

    #[test]
    fn the_solution_is_the_only_one() {
        for (order, givens) in [(2, 6), (3, 30), (3, 25), (3, 100)] {
            let grids = generate(order, 20, 1);
            let puzzles = with_unique_solution(&grids, givens, 1).unwrap();
            for (puzzle, grid) in puzzles.iter().zip(&grids) {
                let given = puzzle.givens.digits().iter().filter(|&&d| d > 0).count();
                assert_eq!(given, givens.min(order.pow(4)));
                assert_eq!(&puzzle.solution, grid);
                assert_eq!(solutions(&puzzle.givens, 2), std::slice::from_ref(grid));
            }
        }
    }

    #[test]
    fn a_puzzle_depends_on_seed_and_number_alone() {
        let grids = generate(3, 6, 2);
        let puzzles = with_unique_solution(&grids, 28, 4).unwrap();
        assert_eq!(with_unique_solution(&grids[..4], 28, 4).unwrap(), puzzles[..4]);
        assert_ne!(with_unique_solution(&grids, 28, 5).unwrap(), puzzles);
    }

    #[test]
    fn too_few_givens_are_an_error() {
        let error = with_unique_solution(&generate(2, 2, 1), 3, 1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "grid 1: no 3 givens with one solution were found in 1000 random orders of removal"
        );
    }
}
