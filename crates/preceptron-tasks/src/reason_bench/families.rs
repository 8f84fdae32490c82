//! The families of instances, by name.

use std::sync::Arc;

use preceptron::{Context, TaskResult, Training, bail, train};
use preceptron_logic::Problem;
use preceptron_reason::{Query, Strength};

use super::driving_maps;
use super::line::Line;
use crate::nonogram::{Nonogram, NonogramLearner, NonogramSettings, Solver, generated};
use crate::path_grid::PathGrid;
use crate::sudoku::{self, fixed_query, read_query, with_thirty_givens};
use preceptron_base::meter::measured;

/// The families that run unless others are asked for.
pub(super) const NAMES: [&str; 19] = [
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
    "driving-10",
    "driving-20",
    "driving-40",
    "soft-path-5",
    "nonogram-7",
    "nonogram-15",
];

/// Queries of one kind: all over one problem, or each over its own.
pub(super) struct Family {
    /// What it is, in words.
    pub description: &'static str,
    problems: Vec<Arc<Problem>>,
    /// The queries.
    pub queries: Vec<Query>,
    /// What an algorithm made for the task finds, if there is one: its name, seconds and optima.
    pub reference: Option<Line>,
}

impl Family {
    /// Draws a family by its name: a kind and a number.
    ///
    /// # Errors
    /// If there is no such family.
    pub fn generate(name: &str, count: usize, seed: u64) -> TaskResult<Family> {
        let unknown = || {
            format!(
                "no family {name}: there are {}, and path-N, driving-N, nonogram-N, learned-nonogram-N",
                NAMES.join(", ")
            )
        };
        let (kind, number) = name.rsplit_once('-').context(unknown())?;
        let number: usize = number.parse().ok().context(unknown())?;
        Ok(match (kind, number) {
            ("sudoku", 17) => {
                let puzzles = sudoku::seventeen(count, seed);
                shared(
                    "Sudoku with 17 givens, all fixed",
                    puzzles.iter().map(|puzzle| fixed_query(puzzle, 0, seed, 0)),
                )
            }
            ("sudoku", 30) => {
                let puzzles = with_thirty_givens(count, seed)?;
                shared(
                    "Sudoku with 30 givens, all fixed",
                    puzzles.iter().map(|puzzle| fixed_query(puzzle, 0, seed, 0)),
                )
            }
            ("map", 0..=10) => {
                let puzzles = with_thirty_givens(count, seed)?;
                let queries =
                    puzzles.iter().enumerate().map(|(item, puzzle)| read_query(puzzle, number, seed, item));
                shared("Sudoku with 30 givens, read by a classifier that misreads so many", queries)
            }
            ("soft", 0..=10) => {
                let puzzles = with_thirty_givens(count, seed)?;
                let queries = puzzles.iter().enumerate().map(|(item, puzzle)| Query {
                    strength: Strength::AllSoft(1),
                    ..fixed_query(puzzle, number, seed, item)
                });
                shared("Sudoku with 30 givens, so many wrong, all fixed; every rule soft at price 1", queries)
            }
            ("path" | "soft-path", 2..=200) => paths(kind, number, count, seed),
            ("driving", 2..=200) => driving_maps::maps(number, count, seed)?,
            ("nonogram", 2..=50) => own(
                "nonograms, half of the cells black",
                (0..count).map(|item| Nonogram::generate(number, 0.5, seed, item).problem()),
            ),
            ("learned-nonogram", 2..=50) => {
                let settings = NonogramSettings { test: 1, ..NonogramSettings::default() };
                let data = settings.data()?;
                let mut learner = NonogramLearner::new(&data.lines, 0);
                let trained = train(&mut learner, Training::default())?;
                let solver = Solver::new(&trained.model.unwrap_or_default().rules)?;
                own(
                    "nonograms with one solution, by rules learned from 1,000 lines of 7 x 7 boards",
                    generated(number, count, seed).iter().map(|board| solver.problem(&board.clues)),
                )
            }
            _ => bail!("{}", unknown()),
        })
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
    Family { description, problems: vec![Arc::new(problem)], queries: queries.collect(), reference: None }
}

pub(super) fn own(description: &'static str, problems: impl Iterator<Item = Problem>) -> Family {
    let problems: Vec<_> = problems.map(Arc::new).collect();
    Family { description, queries: vec![Query::default(); problems.len()], problems, reference: None }
}

/// Path grids with hard rules, or with soft ones, beside Dijkstra's algorithm.
fn paths(kind: &str, side: usize, count: usize, seed: u64) -> Family {
    let grids: Vec<PathGrid> = (0..count).map(|item| PathGrid::generate(side, seed, item)).collect();
    let mut reference = Line::new("shortest path", false);
    for grid in &grids {
        let (length, cost) = measured(|| grid.shortest_path_cost());
        reference.add(cost.busy(), Some(Some(length)));
    }
    let family = if kind == "path" {
        let problems = grids.iter().map(PathGrid::problem);
        own("path grids: the cheapest way among uncertain obstacles, gated rules", problems)
    } else {
        // At this price a broken rule never pays.
        let problems = grids.iter().map(|grid| grid.soft_problem(grid.shortest_path_cost() as u64));
        own("path grids in which every rule on neighbours is soft, at the price of the whole way", problems)
    };
    Family { reference: Some(reference), ..family }
}
