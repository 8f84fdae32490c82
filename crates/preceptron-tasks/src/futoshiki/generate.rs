//! Random puzzles with one solution.
//!
//! For each puzzle the numbers of givens and of signs are drawn from their ranges. Then a square is drawn,
//! and which cells are given and between which neighbours signs stand, all sets being equally likely, until
//! there is only one solution.

use std::ops::RangeInclusive;

use preceptron_base::{Control, stream};
use rand::RngExt;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::{Puzzle, SIDES, Sign, count_solutions, latin_square};

/// Squares that are drawn for one puzzle.
const SQUARES: usize = 2000;

/// How many givens and signs puzzles have: each number of a range is equally likely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The numbers of givens.
    pub givens: RangeInclusive<usize>,
    /// The numbers of signs.
    pub signs: RangeInclusive<usize>,
}

/// Why there are no such puzzles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// A side that boards do not have.
    #[error("a board of side {0}: the sides are 4 to 7")]
    Side(usize),
    /// A range that is empty, or goes beyond what a board has room for.
    #[error("{} to {} {what}: a board of side {side} has 0 to {most}", range.start(), range.end())]
    Range {
        /// Of what.
        what: &'static str,
        /// The range.
        range: RangeInclusive<usize>,
        /// The board's side.
        side: usize,
        /// How many there can be.
        most: usize,
    },
    /// No square had only one solution with so few givens and signs.
    #[error(
        "puzzle {}: none of {SQUARES} squares had only one solution with {givens} givens and {signs} signs",
        item + 1
    )]
    Ambiguous {
        /// The puzzle's number, from 0.
        item: usize,
        /// How many givens it should have.
        givens: usize,
        /// How many signs it should have.
        signs: usize,
    },
}

impl Spread {
    /// What puzzles of a side have, unless one says otherwise: so much more than one solution needs that a
    /// given that is read wrongly mostly leaves none.
    ///
    /// # Errors
    /// If boards do not have this side.
    pub fn of_side(side: usize) -> Result<Spread, GenerateError> {
        match side {
            4 => Ok(Spread { givens: 5..=8, signs: 5..=9 }),
            5 => Ok(Spread { givens: 8..=12, signs: 8..=14 }),
            6 => Ok(Spread { givens: 12..=18, signs: 14..=22 }),
            7 => Ok(Spread { givens: 17..=25, signs: 20..=32 }),
            _ => Err(GenerateError::Side(side)),
        }
    }

    /// Whether a board of this side has room for so many.
    ///
    /// # Errors
    /// If it has not, or a range is empty, or there is no such side.
    pub fn check(&self, side: usize) -> Result<(), GenerateError> {
        if !SIDES.contains(&side) {
            return Err(GenerateError::Side(side));
        }
        let parts = [("givens", &self.givens, side * side), ("signs", &self.signs, 2 * side * (side - 1))];
        for (what, range, most) in parts {
            if range.is_empty() || *range.end() > most {
                return Err(GenerateError::Range { what, range: range.clone(), side, most });
            }
        }
        Ok(())
    }
}

/// Random puzzles with one solution. The i-th depends only on side, spread, seed and i. If the control asks
/// to stop, the first ones are returned, as many as are done.
///
/// # Errors
/// If there are no such puzzles, or none was found.
pub fn puzzles(
    side: usize,
    spread: &Spread,
    count: usize,
    seed: u64,
    control: &dyn Control,
) -> Result<Vec<Puzzle>, GenerateError> {
    spread.check(side)?;
    control.stage("puzzles", count as u64);
    let one = |item| {
        let puzzle = if control.is_cancelled() { None } else { puzzle(side, spread, seed, item, control) };
        control.advance(1);
        puzzle
    };
    // All are awaited, so that of several errors it is always the first that is returned.
    let all: Vec<Option<_>> = (0..count).into_par_iter().map(one).collect();
    all.into_iter().map_while(|puzzle| puzzle).collect()
}

/// One puzzle; nothing if the control asks to stop.
fn puzzle(
    side: usize,
    spread: &Spread,
    seed: u64,
    item: usize,
    control: &dyn Control,
) -> Option<Result<Puzzle, GenerateError>> {
    let random = &mut stream(seed, "futoshiki puzzle", item as u64);
    let givens = random.random_range(spread.givens.clone());
    let signs = random.random_range(spread.signs.clone());
    for _ in 0..SQUARES {
        let puzzle = draw(side, givens, signs, random);
        if count_solutions(side, &puzzle.givens, &puzzle.signs, 2) == 1 {
            return Some(Ok(puzzle));
        }
        if control.is_cancelled() {
            return None;
        }
    }
    Some(Err(GenerateError::Ambiguous { item, givens, signs }))
}

/// A random square with so many givens and signs; it need not be the only solution.
fn draw(side: usize, givens: usize, signs: usize, random: &mut ChaCha8Rng) -> Puzzle {
    let solution = latin_square(side, random);
    let mut given = vec![0; side * side];
    for cell in index::sample(random, side * side, givens) {
        given[cell] = solution[cell];
    }
    // Between two neighbours a sign can stand one way only.
    let possible: Vec<Sign> =
        Sign::all(side).filter(|sign| solution[sign.less] < solution[sign.greater]).collect();
    let mut chosen = index::sample(random, possible.len(), signs).into_vec();
    chosen.sort_unstable();
    let signs = chosen.into_iter().map(|at| possible[at]).collect();
    Puzzle { side, givens: given, signs, solution }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use preceptron_base::Quiet;

    #[test]
    fn puzzles_have_one_solution_and_numbers_are_spread() {
        for (side, count) in [(4, 100), (5, 200), (6, 100), (7, 40)] {
            let spread = Spread::of_side(side).unwrap();
            let (mut givens, mut signs) = (BTreeSet::new(), BTreeSet::new());
            for puzzle in puzzles(side, &spread, count, 1, &Quiet).unwrap() {
                assert_eq!(puzzle.check(), Ok(()));
                assert_eq!(count_solutions(side, &puzzle.givens, &puzzle.signs, 2), 1);
                givens.insert(puzzle.givens.iter().filter(|&&given| given > 0).count());
                signs.insert(puzzle.signs.len());
            }
            assert_eq!(
                (givens.first(), givens.last()),
                (Some(spread.givens.start()), Some(spread.givens.end()))
            );
            assert!(signs.iter().all(|count| spread.signs.contains(count)) && signs.len() > 3);
        }
    }

    #[test]
    fn a_puzzle_depends_on_seed_and_number_alone() {
        let spread = Spread::of_side(5).unwrap();
        let all = puzzles(5, &spread, 20, 5, &Quiet).unwrap();
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(one.install(|| puzzles(5, &spread, 20, 5, &Quiet)).unwrap(), all);
        assert_eq!(puzzles(5, &spread, 7, 5, &Quiet).unwrap(), all[..7]);
        assert_ne!(puzzles(5, &spread, 7, 6, &Quiet).unwrap(), all[..7]);
    }

    #[test]
    fn what_cannot_be_is_an_error_and_stopping_is_none() {
        let fault = |side, givens, signs| {
            puzzles(side, &Spread { givens, signs }, 2, 1, &Quiet).unwrap_err().to_string()
        };
        assert_eq!(fault(9, 1..=2, 1..=2), "a board of side 9: the sides are 4 to 7");
        assert_eq!(fault(4, 3..=17, 1..=2), "3 to 17 givens: a board of side 4 has 0 to 16");
        assert_eq!(fault(4, 3..=4, 25..=25), "25 to 25 signs: a board of side 4 has 0 to 24");
        #[expect(clippy::reversed_empty_ranges, reason = "as a user can type it")]
        let empty = fault(4, 3..=4, 9..=8);
        assert_eq!(empty, "9 to 8 signs: a board of side 4 has 0 to 24");
        assert_eq!(
            fault(4, 0..=0, 1..=1),
            "puzzle 1: none of 2000 squares had only one solution with 0 givens and 1 signs"
        );
        assert!(Spread::of_side(8).is_err());
        let spread = Spread::of_side(5).unwrap();
        assert_eq!(puzzles(5, &spread, 9, 1, &AtomicBool::new(true)), Ok(vec![]));
    }
}
