//! Ways from what was read to a solved board.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use preceptron::Scenes;
use preceptron::grounding::{Known, query};
use preceptron_logic::Var;
use preceptron_reason::{
    Limits, Query, ReasonError, Reasoner, STEPS, Status, Strength, TieBreak, unique_reading,
};
use serde::Serialize;

/// How a board is solved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decoding {
    /// The board that is likeliest by the network's probabilities among those that obey the rules.
    Likeliest,
    /// The likeliest such board of which the reading of the givens leaves no other solution: a prior that
    /// neither the rules nor the pictures state.
    Unique,
    /// Readings at least so probable are fixed, and the reasoner completes the rest (the paper's
    /// combination of System 1 and System 2).
    Confident(f64),
    /// The network's first guess pinned, and as few rules violated as possible (the paper's).
    Pinned,
}

impl Decoding {
    /// What it goes by, in a few words.
    pub(super) fn short_name(self) -> &'static str {
        match self {
            Decoding::Likeliest => "likelihood",
            Decoding::Unique => "likelihood, one solution",
            Decoding::Confident(_) => "sure readings",
            Decoding::Pinned => "the first guess",
        }
    }
}

/// Readings that are tried until one leaves a single solution; if none does, the likeliest board stands.
const READINGS: usize = 16;

/// Conflicts after which a board that was misread beyond repair is given up, with the best that was found: a
/// budget that does not depend on the machine.
const BUDGET: u64 = 50_000;

/// A board as it was solved.
pub(super) struct Board {
    /// The value of each variable, if there is a solution.
    pub(super) values: Option<Vec<bool>>,
    /// How sure the answer is, from 0 to 1, where that was asked for.
    pub(super) confidence: Option<f64>,
    pub(super) seconds: f64,
}

/// Solves a board that was read with these probabilities, one row for each sight.
pub(super) fn decode(
    decoding: Decoding,
    scenes: &Scenes,
    board: usize,
    readings: &[&[f32]],
    temperature: Option<f64>,
    cancel: &Option<Arc<AtomicBool>>,
    reasoner: &mut dyn Reasoner,
) -> Result<Board, ReasonError> {
    let limits = Limits { conflicts: Some(BUDGET), cancel: cancel.clone(), ..Limits::default() };
    let first_guess = |least: f64| {
        let sights = scenes.sights(board).iter().zip(readings);
        let literals = sights.filter_map(|(&sight, row)| {
            let (symbol, &p) =
                row.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)))?;
            (f64::from(p) >= least).then(|| scenes.symbols(sight)[symbol].positive())
        });
        Query { limits: limits.clone(), ties: TieBreak::Any, ..Query::fixed(literals) }
    };
    let likeliest = || {
        let query = query(scenes, board, readings.iter().copied(), Known::Hidden)?;
        Ok::<_, ReasonError>(Query { limits: limits.clone(), ..query })
    };
    let begun = Instant::now();
    let mut confidence = None;
    let answer = match decoding {
        Decoding::Likeliest => {
            let query = likeliest()?;
            let answer = reasoner.solve(&query)?;
            if let (Some(temperature), Some(best)) = (temperature, &answer.solution) {
                // The clock stands still: the next best answer is not needed for the best.
                let seconds = begun.elapsed().as_secs_f64();
                confidence = Some(margin(reasoner, query, &best.values, best.cost, temperature)?);
                return Ok(Board { values: answer.solution.map(|s| s.values), confidence, seconds });
            }
            answer
        }
        Decoding::Unique => {
            let seen = scenes.sights(board).iter().flat_map(|&sight| scenes.symbols(sight));
            let seen: Vec<Var> = seen.copied().collect();
            let found = unique_reading(reasoner, &likeliest()?, &seen, READINGS)?.answer;
            if found.status == Status::Optimal { found } else { reasoner.solve(&likeliest()?)? }
        }
        Decoding::Confident(least) => reasoner.solve(&first_guess(least))?,
        Decoding::Pinned => reasoner.solve(&Query { strength: Strength::AllSoft(1), ..first_guess(0.0) })?,
    };
    let solution = answer.solution.filter(|_| answer.status != Status::Infeasible);
    let seconds = begun.elapsed().as_secs_f64();
    Ok(Board { values: solution.map(|s| s.values), confidence, seconds })
}

/// The probability of the best answer against the next best, at a temperature.
fn margin(
    reasoner: &mut dyn Reasoner,
    mut query: Query,
    values: &[bool],
    cost: i64,
    temperature: f64,
) -> Result<f64, ReasonError> {
    let held = (0u32..).zip(values).filter(|(_, value)| **value);
    query.clauses.push(held.map(|(var, _)| Var(var).negative()).collect());
    query.ties = TieBreak::Any;
    let next = reasoner.solve(&query)?;
    Ok(match next.solution {
        None => 1.0,
        Some(next) => {
            let odds = (next.cost - cost) as f64 / STEPS / temperature;
            1.0 / (1.0 + (-odds).exp())
        }
    })
}
