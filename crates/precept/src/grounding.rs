//! What the pictures of an example must show: the reading that agrees with rules and answers.
//!
//! Where the rules and what is known leave only one possibility, propagation finds it. Where they leave
//! several, the network's probabilities choose among them: the reasoner finds the likeliest completion
//! that the rules allow. Where some of what is known may be wrong, it is evidence like what the network
//! reads, and the reasoner may give it up at a price.

use std::ops::ControlFlow;
use std::sync::Arc;

use precept_learn::{Control, Propagator};
use precept_logic::{Lit, Problem, RuleSet, Var};
use precept_perceive::Probabilities;
use precept_reason::{Answer, Backend, Limits, Query, ReasonError, Reasoner, Status, Ties, work_in_blocks};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::Scenes;

/// What sights show, by example: the number of the symbol, or nothing where that is open.
pub type Symbols = Vec<Vec<Option<u16>>>;

/// Conflicts after which an example with doubted values is left open: a budget that does not depend on the
/// machine.
const BUDGET: u64 = 20_000;

/// How what is known of an example enters a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Known {
    /// Not at all: it is to be found.
    Hidden,
    /// As facts.
    Facts,
    /// As evidence of which this share is wrong.
    Doubted(f64),
}

impl Known {
    /// Facts, or evidence if a share of it may be wrong.
    pub fn with_wrong(share: f64) -> Known {
        if share > 0.0 { Known::Doubted(share) } else { Known::Facts }
    }
}

/// What the rules alone say of the sights. An example that the rules contradict stays open.
pub fn ground_by_rules(scenes: &Scenes, rules: &RuleSet) -> Symbols {
    let propagator = Propagator::new(scenes.variables().len(), rules.constraints().cloned());
    let ground = |example: usize| {
        let state = propagator.run(scenes.known_literals(example));
        let value = |var: Var| if state.is_contradiction() { None } else { state.value(var) };
        scenes.sights(example).iter().map(|&sight| the_true_one(scenes.symbols(sight), value)).collect()
    };
    (0..scenes.len()).into_par_iter().map(ground).collect()
}

/// The symbol whose variable is true.
fn the_true_one(symbols: &[Var], value: impl Fn(Var) -> Option<bool>) -> Option<u16> {
    symbols.iter().position(|&var| value(var) == Some(true)).map(|at| at as u16)
}

/// The query of an example: what is known, and each sight read with these probabilities, the rows of
/// `readings` in the order of the sights.
///
/// # Errors
/// If a probability is not one.
pub fn query<'a>(
    scenes: &Scenes,
    example: usize,
    readings: impl Iterator<Item = &'a [f32]>,
    known: Known,
) -> Result<Query, ReasonError> {
    let mut query = Query { ties: Ties::Canonical, ..Query::default() };
    match known {
        Known::Hidden => (),
        Known::Facts => query.fixed.extend(scenes.known_literals(example)),
        Known::Doubted(wrong) => doubt(scenes, example, wrong, &mut query)?,
    }
    for (&sight, reading) in scenes.sights(example).iter().zip(readings) {
        let costs = scenes.symbols(sight).iter().zip(reading);
        query.add_reading(costs.map(|(var, &p)| (var.positive(), f64::from(p))))?;
    }
    Ok(query)
}

/// Enters what is known as evidence: a place whose symbol is known as a reading of it, other variables one
/// by one.
fn doubt(scenes: &Scenes, example: usize, wrong: f64, query: &mut Query) -> Result<(), ReasonError> {
    let value = |var: Var| scenes.known().get(example, var);
    let mut in_place = vec![false; scenes.variables().len()];
    let wrong = wrong.clamp(1e-6, 0.5);
    for place in scenes.places() {
        let Some(stated) = the_true_one(place, value) else { continue };
        let other = wrong / (place.len().max(2) - 1) as f64;
        query.add_reading((0..).zip(place).map(|(symbol, var)| {
            in_place[var.index()] = true;
            (var.positive(), if symbol == stated { 1.0 - wrong } else { other })
        }))?;
    }
    let price = ((1.0 - wrong) / wrong).ln();
    let others = scenes.known_literals(example).filter(|literal| !in_place[literal.var().index()]);
    others.into_iter().try_for_each(|literal: Lit| query.add_real_cost(!literal, price))?;
    query.limits = Limits { conflicts: Some(BUDGET), ..Limits::default() };
    Ok(())
}

/// Answers the queries of examples, and calls `each` with the example and the symbols of its sights where
/// the answer is a proven optimum.
fn solve(
    scenes: &Scenes,
    rules: &Arc<Problem>,
    examples: &[usize],
    queries: &[Query],
    threads: usize,
    control: &dyn Control,
    mut each: impl FnMut(usize, Vec<Option<u16>>),
) -> Result<(), ReasonError> {
    let mut failure = None;
    let mut take = |at: usize, answer: Answer| {
        if let Some(solution) = answer.solution.filter(|_| answer.status == Status::Optimal) {
            let shown = |&sight| the_true_one(scenes.symbols(sight), |var| Some(solution.value(var)));
            each(examples[at], scenes.sights(examples[at]).iter().map(shown).collect());
        }
    };
    let ask = |reasoner: &mut dyn Reasoner, query: &Query| reasoner.solve(query);
    work_in_blocks(Backend::Portfolio, rules, queries, threads, ask, |at, answer| {
        control.advance(1);
        match answer {
            Err(error) => failure = Some(error),
            Ok(answer) => take(at, answer),
        }
        let go_on = failure.is_none() && !control.is_cancelled();
        if go_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    failure.map_or(Ok(()), Err)
}

/// Fills in the examples named: the likeliest completion that the rules allow, by the network's
/// probabilities, which are those of all sights of these examples in turn.
///
/// # Errors
/// If the rules cannot be loaded or a query fails.
#[expect(clippy::too_many_arguments, reason = "each is what its name says, and they are used at once")]
pub fn ground_by_reading(
    scenes: &Scenes,
    rules: &Arc<Problem>,
    examples: &[usize],
    probabilities: &Probabilities,
    known: Known,
    symbols: &mut Symbols,
    threads: usize,
    control: &dyn Control,
) -> Result<(), ReasonError> {
    control.stage("grounding", examples.len() as u64);
    let mut rows = probabilities.rows();
    let mut queries = Vec::with_capacity(examples.len());
    for &example in examples {
        let readings = rows.by_ref().take(scenes.sights(example).len());
        queries.push(query(scenes, example, readings, known)?);
    }
    solve(scenes, rules, examples, &queries, threads, control, |example, found| symbols[example] = found)
}

/// What sights show by evidence of which a share is wrong, before a network can read. Each example is
/// completed twice, with small random preferences that break ties differently; what differs stays open.
///
/// # Errors
/// If the rules cannot be loaded or a query fails.
pub fn ground_by_evidence(
    scenes: &Scenes,
    rules: &Arc<Problem>,
    examples: &[usize],
    wrong: f64,
    seed: u64,
    threads: usize,
    control: &dyn Control,
) -> Result<Symbols, ReasonError> {
    let mut symbols: Symbols = (0..scenes.len()).map(|at| vec![None; scenes.sights(at).len()]).collect();
    for round in 0..2 {
        control.stage("grounding", examples.len() as u64);
        let mut queries = Vec::with_capacity(examples.len());
        for &example in examples {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            random.set_stream(2 * example as u64 + round);
            let count = scenes.sights(example).len() * scenes.classes();
            let readings: Vec<f32> = (0..count).map(|_| random.random_range(0.97..1.0)).collect();
            let rows = readings.chunks(scenes.classes().max(1));
            queries.push(query(scenes, example, rows, Known::Doubted(wrong))?);
        }
        let mut answered = vec![false; scenes.len()];
        solve(scenes, rules, examples, &queries, threads, control, |example, found| {
            answered[example] = true;
            for (symbol, found) in symbols[example].iter_mut().zip(found) {
                *symbol = if round == 0 { found } else { symbol.filter(|&old| Some(old) == found) };
            }
        })?;
        for (symbols, _) in symbols.iter_mut().zip(answered).filter(|(_, answered)| !answered) {
            symbols.fill(None);
        }
    }
    Ok(symbols)
}
