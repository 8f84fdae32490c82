//! Sudoku boards to learn from, and the judge of what was learned.

use std::ops::RangeInclusive;
use std::path::Path;

use preceptron::{Context, TaskResult, ensure};
use preceptron_base::stream;
use preceptron_learn::Examples;
use preceptron_logic::{Rule, RuleSet};
use preceptron_reason::implied;
use rand::seq::index;

use super::rule_cases::View;
use crate::sudoku::{self, GIVENS, Grid, Puzzle};
use preceptron_base::meter::Cost;

/// The rules that came of learning once, judged by the true ones.
pub struct JudgedRules {
    /// True rules that were found.
    pub found: usize,
    /// True rules that were not.
    pub missing: usize,
    /// Other rules that the true ones imply.
    pub weaker: Vec<Rule>,
    /// Rules that the true ones do not imply.
    pub spurious: Vec<Rule>,
    /// The rank of what was learned.
    pub rank: usize,
    /// What learning took.
    pub cost: Cost,
}

/// Puzzles with their solutions, and the rules that these obey.
pub struct Boards {
    order: usize,
    puzzles: Vec<Puzzle>,
    /// What all of them obey.
    pub truth: RuleSet,
}

impl Boards {
    /// Rows of a file from the first to the last, or as many generated boards of an order.
    pub fn new(file: Option<&Path>, rows: &RangeInclusive<usize>, order: usize) -> TaskResult<Boards> {
        let (first, last) = (*rows.start(), *rows.end());
        let puzzles = match file {
            Some(path) => {
                ensure!(order == 3, "--order {order}: boards from a file are of order 3");
                let all = sudoku::read_file(path).context(path.display())?;
                let count = all.len();
                let rows = all.into_iter().take(last.saturating_add(1)).skip(first);
                let rows: Vec<Puzzle> = rows.collect();
                ensure!(
                    !rows.is_empty(),
                    "{}: there is no row {first}, the file has {count}",
                    path.display()
                );
                rows
            }
            None => {
                let grids = sudoku::generate(order, last - first + 1, 0);
                // As large a share of the cells as in puzzles of order 3.
                let share = |givens: usize| givens * order.pow(4) / 81;
                sudoku::with_givens(&grids, share(*GIVENS.start())..=share(*GIVENS.end()), 0)
            }
        };
        Ok(Boards { order, puzzles, truth: sudoku::true_rules(order) })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.puzzles.len()
    }

    /// So many of the boards, chosen by the seed if they are not all, as examples.
    pub fn examples(&self, view: View, count: usize, seed: u64) -> Examples {
        let chosen: Vec<&Puzzle> = match count == self.len() {
            true => self.puzzles.iter().collect(),
            false => {
                let random = &mut stream(seed, "boards to learn rules from", 0);
                index::sample(random, self.len(), count).iter().map(|at| &self.puzzles[at]).collect()
            }
        };
        let grids = |of: fn(&Puzzle) -> Grid| chosen.iter().map(|puzzle| of(puzzle)).collect::<Vec<Grid>>();
        let seen = match view {
            View::Full => grids(|puzzle| puzzle.solution.clone()),
            View::Answers => grids(Puzzle::answers),
            View::Wrong(share) => sudoku::with_wrong_digits(&grids(Puzzle::answers), share, seed),
        };
        sudoku::examples_full(self.order, &seen)
    }

    /// Compares what was learned with the truth.
    pub fn judge(&self, learned: &RuleSet, cost: Cost) -> JudgedRules {
        let comparison = learned.compare(&self.truth);
        let is_true = implied(&self.truth, comparison.extra.iter().map(|rule| &rule.constraint));
        let (weaker, spurious): (Vec<_>, Vec<_>) =
            comparison.extra.into_iter().zip(is_true).partition(|(_, is_true)| *is_true);
        let rules = |judged: Vec<(Rule, bool)>| judged.into_iter().map(|(rule, _)| rule).collect();
        JudgedRules {
            found: comparison.equal.len(),
            missing: comparison.missing.len(),
            weaker: rules(weaker),
            spurious: rules(spurious),
            rank: learned.rank(),
            cost,
        }
    }
}
