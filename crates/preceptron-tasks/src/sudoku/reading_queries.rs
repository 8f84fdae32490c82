//! Questions to a reasoner about puzzles whose givens a classifier read.

use preceptron_reason::Query;

use super::reading::{costs, read};
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
    let readings = read(puzzle, misread, seed, item);
    let groups = readings.iter().map(|one| costs(3, std::slice::from_ref(one)));
    Query { groups: groups.collect(), ..Query::default() }
}

/// The digits of such a reading, fixed.
pub fn fixed_query(puzzle: &Puzzle, misread: usize, seed: u64, item: usize) -> Query {
    let readings = read(puzzle, misread, seed, item);
    let digit = |cell: usize, digit| variable(3, cell / 9, cell % 9, digit).positive();
    Query::fixed(readings.iter().map(|reading| digit(reading.cell, reading.digit())))
}
