//! Questions to a reasoner about puzzles whose givens a classifier read.

use preceptron_reason::Query;

use super::reading::read;
use super::{Puzzle, UniqueError, generate, variable, with_unique_solution};

/// Puzzles with 30 givens and one solution.
///
/// # Errors
/// If no grid gets down to so few.
pub fn with_thirty_givens(count: usize, seed: u64) -> Result<Vec<Puzzle>, UniqueError> {
    with_unique_solution(&generate(3, count, seed), 30, seed)
}

/// A reading of a puzzle's givens, so many of which are misread, as costs.
pub fn read_query(puzzle: &Puzzle, misread: usize, seed: u64, item: usize) -> Query {
    let mut query = Query::default();
    for reading in read(puzzle, misread, seed, item) {
        reading.ask(3, &mut query).expect("simulated probabilities are from 0 to 1");
    }
    query
}

/// The digits of such a reading, fixed.
pub fn fixed_query(puzzle: &Puzzle, misread: usize, seed: u64, item: usize) -> Query {
    let readings = read(puzzle, misread, seed, item);
    let digit = |cell: usize, digit: u8| variable(3, cell / 9, cell % 9, digit.into()).positive();
    Query::fixed(readings.iter().map(|reading| digit(reading.cell, reading.digit())))
}
