//! How well boards are read and solved.
//!
//! A board is *read* right if the likeliest digit of every given's picture is the true one, and solved
//! right if all its cells are. Solutions serve only to count.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use precept::grounding::query;
use precept::{Scenes, TrainError, read};
use precept_learn::Control;
use precept_logic::{Problem, RuleSet};
use precept_perceive::Perception;
use precept_reason::{Backend, Query, Solution, Strength, solve_all};
use serde::Serialize;

use super::{Puzzle, variable};

/// How a board is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decoding {
    /// The board that is likeliest by the network's probabilities among those that obey the rules.
    Likeliest,
    /// The network's first guess pinned, and as few rules violated as possible (the paper's).
    Pinned,
}

/// How boards were solved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Solved {
    /// In which way.
    pub decoding: Decoding,
    /// Boards of which every cell is right.
    pub boards: usize,
    /// Cells that are right, givens included.
    pub cells: usize,
    /// Mean time for a board, on one thread, in seconds.
    pub seconds: f64,
    /// For each board the digits of its cells, 0 where none was found.
    #[serde(skip)]
    pub answers: Vec<Vec<u8>>,
}

/// How boards were read and solved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judgement {
    /// How many boards there were.
    pub boards: usize,
    /// Givens.
    pub givens: usize,
    /// Givens that were read right.
    pub givens_read: usize,
    /// Boards of which every given was read right.
    pub boards_read: usize,
    /// How they were solved, in each way.
    pub solved: Vec<Solved>,
    /// For each board what was read in its givens: cell, digit and its probability.
    #[serde(skip)]
    pub readings: Vec<Vec<(usize, u8, f32)>>,
}

/// Reads and solves boards. Nothing but the pictures and the rules enters; the puzzles serve to count.
///
/// # Errors
/// If the network or the reasoner fails.
///
/// # Panics
/// If there are not as many puzzles as scenes.
pub fn judge(
    scenes: &Scenes,
    puzzles: &[Puzzle],
    perception: &dyn Perception,
    rules: &RuleSet,
    decodings: &[Decoding],
    threads: usize,
    control: &dyn Control,
) -> Result<Judgement, TrainError> {
    assert_eq!(scenes.len(), puzzles.len(), "a puzzle for each scene");
    let all: Vec<usize> = (0..scenes.len()).collect();
    control.stage("reading", 1);
    let probabilities = read(scenes, perception, &all)?;
    let mut likeliest = probabilities.most_probable().zip(probabilities.rows());
    let mut readings = Vec::with_capacity(scenes.len());
    for &board in &all {
        let sights = scenes.sights(board).iter();
        let one = |(sight, (digit, row)): (&precept::Sight, (usize, &[f32]))| {
            (sight.place as usize, digit as u8 + 1, row[digit])
        };
        readings.push(sights.zip(likeliest.by_ref()).map(one).collect::<Vec<_>>());
    }
    let is_right =
        |board: usize, reading: &(usize, u8, f32)| puzzles[board].solution.digits()[reading.0] == reading.1;
    let right = |board: usize| readings[board].iter().filter(|reading| is_right(board, reading)).count();
    let mut judgement = Judgement {
        boards: scenes.len(),
        givens: readings.iter().map(Vec::len).sum(),
        givens_read: all.iter().map(|&board| right(board)).sum(),
        boards_read: all.iter().filter(|&&board| right(board) == readings[board].len()).count(),
        solved: Vec::new(),
        readings,
    };
    let problem = Arc::new(Problem::from(rules.clone()));
    for &decoding in decodings {
        let mut rows = probabilities.rows();
        let mut queries = Vec::with_capacity(all.len());
        for &board in &all {
            let readings = rows.by_ref().take(scenes.sights(board).len());
            queries.push(match decoding {
                Decoding::Likeliest => query(scenes, board, readings, false)?,
                Decoding::Pinned => pinned(scenes, board, &judgement.readings[board]),
            });
        }
        control.stage("solving", queries.len() as u64);
        judgement.solved.push(solve(&problem, puzzles, decoding, queries, threads, control)?);
    }
    Ok(judgement)
}

/// The first guess fixed, all rules soft at the price of 1.
fn pinned(scenes: &Scenes, board: usize, readings: &[(usize, u8, f32)]) -> Query {
    let sights = scenes.sights(board).iter().zip(readings);
    let literal = |(&sight, reading): (&precept::Sight, &(usize, u8, f32))| {
        scenes.symbols(sight)[usize::from(reading.1) - 1].positive()
    };
    Query { strength: Strength::AllSoft(1), ..Query::fixed(sights.map(literal)) }
}

fn solve(
    problem: &Arc<Problem>,
    puzzles: &[Puzzle],
    decoding: Decoding,
    queries: Vec<Query>,
    threads: usize,
    control: &dyn Control,
) -> Result<Solved, TrainError> {
    let begun = Instant::now();
    let mut solved = Solved { decoding, boards: 0, cells: 0, seconds: 0.0, answers: Vec::new() };
    let mut failure = None;
    solve_all(Backend::Portfolio, Arc::clone(problem), queries.into_iter(), threads, |board, answer| {
        control.advance(1);
        match answer {
            Err(error) => failure = Some(error),
            Ok(answer) => {
                let truth = puzzles[board].solution.digits();
                let order = puzzles[board].solution.order();
                let digits = digits(order, answer.solution.as_ref());
                let right = digits.iter().zip(truth).filter(|(digit, truth)| digit == truth).count();
                solved.cells += right;
                solved.boards += usize::from(right == truth.len());
                solved.answers.push(digits);
            }
        }
        let go_on = failure.is_none() && !control.is_cancelled();
        if go_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    let time: Duration = begun.elapsed();
    solved.seconds = time.as_secs_f64() * threads as f64 / solved.answers.len().max(1) as f64;
    failure.map_or(Ok(solved), |error| Err(error.into()))
}

/// The digits of a solution, 0 where a cell has none.
fn digits(order: usize, solution: Option<&Solution>) -> Vec<u8> {
    let side = super::side(order);
    let cell = |cell: usize| {
        let holds = |digit: &usize| {
            solution.is_some_and(|s| s.value(variable(order, cell / side, cell % side, *digit)))
        };
        (1..=side).find(holds).unwrap_or(0) as u8
    };
    (0..side * side).map(cell).collect()
}
