//! Puzzles with one solution whose numbers of givens are spread over a range.
//!
//! For each puzzle the number is drawn from the range, and givens are taken from a random grid until no more
//! are left. Few grids get down to the least numbers: then another is drawn, or the puzzle stays as it is
//! once no given can be spared.

use std::ops::RangeInclusive;

use preceptron_base::Control;
use rand::RngExt;
use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::generate::draw;
use super::unique::removed;
use super::{GIVENS, Puzzle, side};
use preceptron_base::stream;

/// Grids that are drawn for one puzzle.
const GRIDS: usize = 1000;

/// Nodes of search after which a given stays. At order 3 no search comes near, at order 4 few do.
const NODES: usize = 2000;

/// How many givens puzzles have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The numbers, all of them equally likely.
    pub givens: RangeInclusive<usize>,
    /// Whether a puzzle of which no given can be spared is taken though it has more than its number.
    pub towards_minimal: bool,
}

/// No grid got down to the number of givens drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("puzzle {}: none of {GRIDS} grids got down to {givens} givens with one solution", item + 1)]
pub struct SpreadError {
    /// The puzzle's number, from 0.
    pub item: usize,
    /// How many givens it should have.
    pub givens: usize,
}

impl Spread {
    /// From 31 to 42 givens, as the boards that came with SATNet have.
    pub const SATNET: Spread = Spread { givens: GIVENS, towards_minimal: false };

    /// From 17 to 34 givens, as the boards that came with recurrent relational networks have. Those have 17
    /// as often as 34; here most of those below 25 end between 22 and 26, where no given can be spared.
    pub const RRN: Spread = Spread { givens: 17..=34, towards_minimal: true };

    /// What puzzles of an order have, unless one says otherwise.
    ///
    /// # Panics
    /// If there is no such order.
    pub fn of_order(order: usize) -> Spread {
        let cells = side(order).pow(2);
        match order {
            3 => Spread::SATNET,
            2 => Spread { givens: 5..=8, towards_minimal: false },
            _ => Spread { givens: cells * 43 / 100..=cells * 59 / 100, towards_minimal: false },
        }
    }
}

/// Random puzzles with one solution. The i-th depends only on order, spread, seed and i. If the control
/// asks to stop, the first ones are returned, as many as are done.
///
/// # Errors
/// If no grid gets down to a number of givens, unless puzzles go only towards it.
///
/// # Panics
/// If the range is empty.
pub fn puzzles(
    order: usize,
    spread: &Spread,
    count: usize,
    seed: u64,
    control: &dyn Control,
) -> Result<Vec<Puzzle>, SpreadError> {
    control.stage("puzzles", count as u64);
    let one = |item| {
        let puzzle = if control.is_cancelled() { None } else { puzzle(order, spread, seed, item, control) };
        control.advance(1);
        puzzle
    };
    // All are awaited, so that of several errors it is always the first that is returned.
    let all: Vec<Option<_>> = (0..count).into_par_iter().map(one).collect();
    all.into_iter().map_while(|puzzle| puzzle).collect()
}

/// One puzzle; nothing if the control asks to stop.
fn puzzle(
    order: usize,
    spread: &Spread,
    seed: u64,
    item: usize,
    control: &dyn Control,
) -> Option<Result<Puzzle, SpreadError>> {
    let random = &mut stream(seed, "puzzle", item as u64);
    let givens = random.random_range(spread.givens.clone());
    for _ in 0..GRIDS {
        let solution = draw(order, random);
        let mut cells: Vec<usize> = (0..solution.digits().len()).collect();
        cells.shuffle(random);
        let (left, count) = removed(&solution, givens, &cells, NODES);
        if count <= givens || spread.towards_minimal {
            return Some(Ok(Puzzle { givens: left, solution }));
        }
        if control.is_cancelled() {
            return None;
        }
    }
    Some(Err(SpreadError { item, givens }))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::sudoku::{check, count_solutions};
    use preceptron_base::Quiet;

    fn given(puzzle: &Puzzle) -> usize {
        puzzle.givens.digits().iter().filter(|&&d| d > 0).count()
    }

    #[test]
    fn numbers_are_spread_over_the_range() {
        for (order, count) in [(2, 40), (3, 100), (4, 3)] {
            let spread = Spread::of_order(order);
            let puzzles = puzzles(order, &spread, count, 1, &Quiet).unwrap();
            let counts: BTreeSet<usize> = puzzles.iter().map(given).collect();
            assert!(puzzles.iter().all(|puzzle| check(puzzle).is_ok()), "order {order}");
            assert!(counts.iter().all(|count| spread.givens.contains(count)), "{counts:?}");
            assert!(order == 4 || counts.len() == spread.givens.count(), "{counts:?}");
        }
    }

    #[test]
    fn towards_minimal_no_given_can_be_spared() {
        let least = Spread { givens: 0..=0, towards_minimal: true };
        for puzzle in puzzles(3, &least, 5, 1, &Quiet).unwrap() {
            assert!((19..30).contains(&given(&puzzle)) && check(&puzzle).is_ok());
            for blank in 0..81 {
                let fewer = puzzle.givens.map(|cell, digit| if cell == blank { 0 } else { digit });
                assert!(puzzle.givens.digits()[blank] == 0 || count_solutions(&fewer, 2) == 2);
            }
        }
        let rrn = puzzles(3, &Spread::RRN, 50, 1, &Quiet).unwrap();
        assert!(rrn.iter().all(|puzzle| (17..=34).contains(&given(puzzle))));
    }

    #[test]
    fn a_puzzle_depends_on_seed_and_number_alone() {
        let all = puzzles(3, &Spread::SATNET, 20, 5, &Quiet).unwrap();
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(one.install(|| puzzles(3, &Spread::SATNET, 20, 5, &Quiet)).unwrap(), all);
        assert_eq!(puzzles(3, &Spread::SATNET, 7, 5, &Quiet).unwrap(), all[..7]);
        assert_ne!(puzzles(3, &Spread::SATNET, 7, 6, &Quiet).unwrap(), all[..7]);
    }

    #[test]
    fn too_few_givens_are_an_error_and_stopping_is_none() {
        let few = Spread { givens: 2..=2, towards_minimal: false };
        assert_eq!(
            puzzles(2, &few, 2, 1, &Quiet).unwrap_err().to_string(),
            "puzzle 1: none of 1000 grids got down to 2 givens with one solution"
        );
        assert_eq!(puzzles(3, &Spread::SATNET, 9, 1, &AtomicBool::new(true)), Ok(vec![]));
    }
}
