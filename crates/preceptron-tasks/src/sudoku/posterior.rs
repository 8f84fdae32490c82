//! How sure a board is, from what was read.
//!
//! A board `b` has the weight `w(b) = p(b) prod over given cells c of r_c(b_c)`, where `r_c` are the network's probabilities,
//! flattened: `r = (1 - t) p^(1/T) / z + t / 9`, as what is read in a photograph may be a stain. Under the prior that a puzzle
//! has one solution, `p` is 1 where the digits of the given cells leave no other board, and a thousandth where they do.
//! Without it, `p` is 1 everywhere; of digits that leave several boards at least two are counted. The confidence of the best is
//! its share of all weights: the likeliest readings are looked at one after the other, each search ending after so many conflicts.
//! What comes after the last is taken for as many more as were looked at, each as likely as the bound that was proved allows.
//!
//! | symbol | here |
//! |---|---|
//! | `T`, `t` | [`Flattening`] |
//! | `w` | `weight` of [`Candidate`] |

use preceptron_base::choices;
use preceptron_reason::{Limits, ReasonError, Status};

use super::BoardSolver;
use super::reading::Reading;

choices! {
    /// What is taken for granted of a board before it is seen.
    pub enum Prior: OneSolution {
        /// Its givens leave one solution, as whoever poses a puzzle promises.
        OneSolution = "one-solution",
        /// Nothing but that it obeys the rules.
        None = "none",
    }
}

impl Prior {
    /// In words.
    pub fn in_words(self) -> &'static str {
        match self {
            Prior::OneSolution => "taking it that the givens leave one solution (--prior none does not)",
            Prior::None => "without taking it that the givens leave one solution",
        }
    }
}

/// How likely a puzzle has several solutions all the same.
const SEVERAL: f64 = 1e-3;

/// Readings that are looked at.
const MOST: usize = 8;

/// Conflicts of the search for the one after the best, and of those for each after that.
const CONFLICTS: [u64; 2] = [6000, 1500];

/// Readings so much less likely than the best, in logarithms, are not.
const NEGLIGIBLE: f64 = 13.0;

/// How much less sure a network is of what it sees in a photograph than it says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flattening {
    /// The temperature of its probabilities.
    pub temperature: f64,
    /// The share of cells that may show anything.
    pub stains: f64,
}

impl Flattening {
    /// A reading, less sure.
    #[must_use]
    pub fn of(&self, reading: &Reading) -> Reading {
        let raised: Vec<f64> = reading.probabilities.iter().map(|p| p.powf(1.0 / self.temperature)).collect();
        let (total, count) = (raised.iter().sum::<f64>().max(f64::MIN_POSITIVE), raised.len() as f64);
        let flat = |p: f64| (1.0 - self.stains) * p / total + self.stains / count;
        Reading { cell: reading.cell, probabilities: raised.into_iter().map(flat).collect() }
    }
}

/// A board that may be the one.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its digits.
    pub board: Vec<u8>,
    /// Whether its givens leave no other; nothing if that was not found out.
    pub is_only: Option<bool>,
    /// Another board with the same givens, if there is one.
    pub twin: Option<Vec<u8>>,
    /// The logarithm of how likely it is to be read so.
    pub likelihood: f64,
    /// Its probability.
    pub probability: f64,
}

/// The boards that may be the one, the most probable first.
#[derive(Clone, Debug, PartialEq)]
pub struct Posterior {
    /// The boards.
    pub candidates: Vec<Candidate>,
    /// How the search for the best ended.
    pub status: Status,
    /// For each cell the probability of what the best board has there.
    pub cells: Vec<f64>,
}

impl Posterior {
    /// The probability of the best board.
    pub fn confidence(&self) -> f64 {
        self.candidates.first().map_or(0.0, |best| best.probability)
    }
}

/// Looks at the likeliest boards.
///
/// # Errors
/// If the reasoner fails.
pub fn posterior(
    solver: &mut BoardSolver,
    readings: &[Reading],
    prior: Prior,
    limits: &Limits,
) -> Result<Posterior, ReasonError> {
    let given: Vec<usize> = readings.iter().map(|reading| reading.cell).collect();
    let likelihood = |board: &[u8]| {
        let of = |reading: &Reading| match board[reading.cell] {
            0 => 0.0,
            digit => reading.probabilities[usize::from(digit) - 1].max(1e-12).ln(),
        };
        readings.iter().map(of).sum::<f64>()
    };
    let mut candidates: Vec<Candidate> = Vec::new();
    // Nothing is likelier than the likeliest digits.
    let most: f64 = readings.iter().map(|reading| reading.probability().max(1e-12).ln()).sum();
    let (first, board) = match limits.is_over() {
        true => (Status::Unknown, None),
        false => solver.solve(readings)?,
    };
    let mut next = board;
    let (mut passed, mut ceiling) = (Vec::new(), Some(most));
    while let Some(board) = next.take() {
        let (is_only, twin) = match solver.another(&given, &board)? {
            (_, Some(other)) => (Some(false), Some(other)),
            (Status::Infeasible, None) => (Some(true), None),
            _ => (None, None),
        };
        let likely = likelihood(&board);
        passed.push(board.clone());
        candidates.push(Candidate { board, is_only, twin, likelihood: likely, probability: 0.0 });
        let best = candidates[0].likelihood;
        if first != Status::Optimal || candidates.len() >= MOST || limits.is_over() {
            ceiling = Some(if first == Status::Optimal { likely } else { best });
            break;
        }
        let conflicts = CONFLICTS[usize::from(candidates.len() > 1)];
        let (status, board, bound) = solver.next_likeliest(readings, &passed, conflicts)?;
        // What is left is no likelier than this.
        ceiling = (status != Status::Infeasible).then_some((most - bound).min(likely));
        let is_worth = |ceiling: f64| ceiling > best - NEGLIGIBLE;
        if status == Status::Optimal && ceiling.is_some_and(is_worth) {
            next = board;
        }
    }
    let status = first;
    let Some(best) = candidates.first().map(|best| best.likelihood) else {
        return Ok(Posterior { candidates, status, cells: Vec::new() });
    };
    let own = |one: &Candidate| {
        let several = one.is_only != Some(true) && prior == Prior::OneSolution;
        (one.likelihood - best).exp() * if several { SEVERAL } else { 1.0 }
    };
    let weights: Vec<f64> = candidates.iter().map(own).collect();
    let twins: f64 =
        candidates.iter().zip(&weights).filter(|(one, _)| one.is_only != Some(true)).map(|(_, w)| w).sum();
    let rest = ceiling.map_or(0.0, |ceiling| (ceiling - best).exp() * candidates.len() as f64);
    let total = weights.iter().sum::<f64>() + twins + rest;
    candidates.iter_mut().zip(weights).for_each(|(one, weight)| one.probability = weight / total);
    candidates.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    let cells = (0..candidates[0].board.len()).map(|cell| {
        let digit = candidates[0].board[cell];
        let agrees = |board: &Vec<u8>| f64::from(u8::from(board[cell] == digit));
        let of =
            |one: &Candidate| one.probability * (agrees(&one.board) + one.twin.as_ref().map_or(0.0, agrees));
        candidates.iter().map(of).sum::<f64>().min(1.0)
    });
    let cells = cells.collect();
    Ok(Posterior { candidates, status, cells })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::{Puzzle, Spread, generate, puzzles, reading, true_rules, with_givens};
    use preceptron_base::Quiet;
    use preceptron_reason::Backend;

    fn of(puzzle: &Puzzle, readings: &[Reading], prior: Prior) -> Posterior {
        let limits = Limits::default();
        let mut solver = BoardSolver::new(
            puzzle.givens.order(),
            &true_rules(puzzle.givens.order()),
            Backend::Portfolio,
            limits.clone(),
        )
        .unwrap();
        posterior(&mut solver, readings, prior, &limits).unwrap()
    }

    #[test]
    fn boards_that_were_read_well_are_sure() {
        for (item, puzzle) in puzzles(3, &Spread::SATNET, 4, 1, &Quiet).unwrap().iter().enumerate() {
            for prior in [Prior::OneSolution, Prior::None] {
                let found = of(puzzle, &reading::read(puzzle, item % 2, 1, item), prior);
                assert_eq!(found.candidates[0].board, puzzle.solution.digits());
                assert!(
                    found.confidence() > 0.9 && found.cells.iter().all(|p| *p >= found.confidence() - 1e-9)
                );
                assert_eq!(found.candidates[0].is_only, Some(true));
            }
        }
    }

    /// The plain twin lists all boards of order 2.
    #[test]
    fn probabilities_are_those_of_enumeration() {
        let all = crate::sudoku::solutions(&crate::sudoku::Grid::new(2, vec![0; 16]).unwrap(), usize::MAX);
        for (item, puzzle) in with_givens(&generate(2, 6, 3), 9..=10, 3).iter().enumerate() {
            let readings = reading::read(puzzle, 1, 3, item);
            let flat = Flattening { temperature: 1.0, stains: 1e-3 };
            let readings: Vec<Reading> = readings.iter().map(|one| flat.of(one)).collect();
            let weight = |board: &[u8]| {
                readings
                    .iter()
                    .map(|one| one.probabilities[usize::from(board[one.cell]) - 1])
                    .product::<f64>()
            };
            let total: f64 = all.iter().map(|board| weight(board.digits())).sum();
            let found = of(puzzle, &readings, Prior::None);
            let best = all.iter().map(|board| weight(board.digits())).fold(0.0, f64::max) / total;
            // What was not looked at is taken for more than it may be, never for less.
            let apart = best - found.confidence();
            assert!((-0.01..0.2).contains(&apart), "{} {best}", found.confidence());
        }
    }

    #[test]
    fn givens_that_leave_several_boards_are_never_sure() {
        let puzzle = &with_givens(&generate(3, 1, 1), 15..=15, 1)[0];
        for prior in [Prior::OneSolution, Prior::None] {
            let found = of(puzzle, &reading::read(puzzle, 0, 1, 0), prior);
            assert!(found.confidence() <= 0.5 && found.candidates[0].twin.is_some());
        }
    }
}
