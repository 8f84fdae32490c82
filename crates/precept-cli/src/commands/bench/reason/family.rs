//! The families of instances, by name.

use std::sync::Arc;

use precept_logic::Problem;
use precept_reason::{Query, Strength};
use precept_tasks::nonogram::Nonogram;
use precept_tasks::path_grid::PathGrid;
use precept_tasks::sudoku::{self, Puzzle, reading};

/// The names of all families.
pub const NAMES: [&str; 15] = [
    "sudoku-17",
    "sudoku-30",
    "map-0",
    "map-1",
    "map-2",
    "map-3",
    "map-4",
    "soft-0",
    "soft-2",
    "soft-4",
    "path-10",
    "path-20",
    "path-40",
    "nonogram-7",
    "nonogram-15",
];

/// Queries of one kind: all over one problem, or each over its own.
pub struct Family {
    /// What it is, in words.
    pub description: &'static str,
    problems: Vec<Arc<Problem>>,
    /// The queries.
    pub queries: Vec<Query>,
}

impl Family {
    /// Draws a family that is named in [`NAMES`].
    pub fn generate(name: &str, count: usize, seed: u64) -> Family {
        let (kind, number) = name.split_once('-').unwrap_or((name, "0"));
        let number: usize = number.parse().unwrap_or(0);
        match kind {
            "sudoku" if number == 17 => {
                let puzzles = sudoku::seventeen(count, seed);
                shared(
                    "Sudoku with 17 givens, all fixed",
                    puzzles.iter().map(|puzzle| given(puzzle, 0, seed, 0)),
                )
            }
            "sudoku" => {
                let puzzles = thirty(count, seed);
                shared(
                    "Sudoku with 30 givens, all fixed",
                    puzzles.iter().map(|puzzle| given(puzzle, 0, seed, 0)),
                )
            }
            "map" => {
                let puzzles = thirty(count, seed);
                let queries = puzzles.iter().enumerate().map(|(item, puzzle)| {
                    let readings = reading::read(puzzle, number, seed, item);
                    let costs = readings.iter().map(|one| reading::costs(3, std::slice::from_ref(one)));
                    Query { groups: costs.collect(), ..Query::default() }
                });
                shared("Sudoku with 30 givens, read by a classifier that misreads so many", queries)
            }
            "soft" => {
                let puzzles = thirty(count, seed);
                let queries = puzzles.iter().enumerate().map(|(item, puzzle)| Query {
                    strength: Strength::AllSoft(1),
                    ..given(puzzle, number, seed, item)
                });
                shared("Sudoku with 30 givens, so many wrong, all fixed; every rule soft at price 1", queries)
            }
            "path" => own(
                "path grids: the cheapest way among uncertain obstacles, gated rules",
                (0..count).map(|item| PathGrid::generate(number, seed, item).problem()),
            ),
            _ => own(
                "nonograms, half of the cells black",
                (0..count).map(|item| Nonogram::generate(number, 0.5, seed, item).problem()),
            ),
        }
    }

    /// Whether all queries are over one problem.
    pub fn is_shared(&self) -> bool {
        self.problems.len() == 1
    }

    /// The problem of a query.
    pub fn problem(&self, query: usize) -> &Arc<Problem> {
        &self.problems[if self.is_shared() { 0 } else { query }]
    }

    /// All problems.
    pub fn problems(&self) -> &[Arc<Problem>] {
        &self.problems
    }
}

fn shared(description: &'static str, queries: impl Iterator<Item = Query>) -> Family {
    let problem = Problem::from(sudoku::true_rules(3));
    Family { description, problems: vec![Arc::new(problem)], queries: queries.collect() }
}

fn own(description: &'static str, problems: impl Iterator<Item = Problem>) -> Family {
    let problems: Vec<_> = problems.map(Arc::new).collect();
    Family { description, queries: vec![Query::default(); problems.len()], problems }
}

fn thirty(count: usize, seed: u64) -> Vec<Puzzle> {
    let grids = sudoku::generate(3, count, seed);
    sudoku::with_unique_solution(&grids, 30, seed).expect("grids get down to 30 givens")
}

/// The digits that a classifier reads, fixed.
fn given(puzzle: &Puzzle, misread: usize, seed: u64, item: usize) -> Query {
    let readings = reading::read(puzzle, misread, seed, item);
    Query::fixed(
        readings.iter().map(|reading| {
            sudoku::variable(3, reading.cell / 9, reading.cell % 9, reading.digit()).positive()
        }),
    )
}
