//! What the pictures of an example must show: the reading that agrees with rules and answers.
//!
//! Where the rules and what is known leave only one possibility, propagation finds it. Where they leave
//! several, the network's probabilities choose among them: the reasoner finds the likeliest completion
//! that the rules allow.

use std::ops::ControlFlow;
use std::sync::Arc;

use precept_learn::{Control, Propagator};
use precept_logic::{Problem, RuleSet, Var};
use precept_perceive::Probabilities;
use precept_reason::{Backend, Query, ReasonError, Status, Ties, solve_all};
use rayon::prelude::*;

use crate::Scenes;

/// What sights show, by example: the number of the symbol, or nothing where that is open.
pub type Symbols = Vec<Vec<Option<u16>>>;

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

/// The query of an example: what is known is fixed, and each sight is read with these probabilities, the
/// rows of `readings` in the order of the sights.
///
/// # Errors
/// If a probability is not one.
pub fn query<'a>(
    scenes: &Scenes,
    example: usize,
    readings: impl Iterator<Item = &'a [f32]>,
    with_known: bool,
) -> Result<Query, ReasonError> {
    let mut query = Query { ties: Ties::Any, ..Query::default() };
    if with_known {
        query.fixed.extend(scenes.known_literals(example));
    }
    for (&sight, reading) in scenes.sights(example).iter().zip(readings) {
        let costs = scenes.symbols(sight).iter().zip(reading);
        query.add_reading(costs.map(|(var, &p)| (var.positive(), f64::from(p))))?;
    }
    Ok(query)
}

/// Fills in what the rules leave open, for the examples named: the likeliest completion that the rules
/// allow, by the network's probabilities, which are those of all sights of these examples in turn.
///
/// # Errors
/// If the rules cannot be loaded or a query fails.
pub fn ground_by_reading(
    scenes: &Scenes,
    rules: &Arc<Problem>,
    examples: &[usize],
    probabilities: &Probabilities,
    symbols: &mut Symbols,
    threads: usize,
    control: &dyn Control,
) -> Result<(), ReasonError> {
    control.stage("grounding", examples.len() as u64);
    let mut rows = probabilities.rows();
    let mut queries = Vec::with_capacity(examples.len());
    for &example in examples {
        let readings = rows.by_ref().take(scenes.sights(example).len());
        queries.push(query(scenes, example, readings, true)?);
    }
    let mut failure = None;
    solve_all(Backend::Portfolio, Arc::clone(rules), queries.into_iter(), threads, |at, answer| {
        control.advance(1);
        match answer {
            Err(error) => failure = Some(error),
            Ok(answer) if answer.status == Status::Optimal => {
                if let Some(solution) = answer.solution {
                    let sights = scenes.sights(examples[at]).iter();
                    let shown = |&sight| the_true_one(scenes.symbols(sight), |var| Some(solution.value(var)));
                    symbols[examples[at]] = sights.map(shown).collect();
                }
            }
            Ok(_) => (),
        }
        let go_on = failure.is_none() && !control.is_cancelled();
        if go_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    failure.map_or(Ok(()), Err)
}
