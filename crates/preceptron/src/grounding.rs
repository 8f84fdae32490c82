//! What the pictures of an example must show: the reading that agrees with rules and answers.
//!
//! Where the rules and what is known leave only one possibility, propagation finds it. Where they leave
//! several, the network's probabilities choose among them: the reasoner finds the likeliest completion
//! that the rules allow. Where some of what is known may be wrong, it is evidence like what the network
//! reads, and the reasoner may give it up at a price.

use std::ops::ControlFlow;
use std::sync::Arc;

use preceptron_base::Control;
use preceptron_learn::Propagator;
use preceptron_logic::{Lit, Problem, RuleSet, Var};
use preceptron_perceive::Probabilities;
use preceptron_reason::{
    Backend, Limits, Query, ReasonError, Reasoner, Solution, Status, TieBreak, work_in_blocks,
};
use rayon::prelude::*;

use crate::Scenes;

/// What sights show, by example: the number of the symbol, or nothing where that is open.
pub type Symbols = Vec<Vec<Option<u16>>>;

/// Conflicts after which an example with doubted values is left open, as three of a hundred are where a
/// fifth of the values is wrong: a budget that does not depend on the machine.
const BUDGET: u64 = 1000;

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

/// What the rules alone say of the sights. An example that the rules contradict stays open, and so do those
/// that are left if `control` says to stop.
pub fn ground_by_rules(scenes: &Scenes, rules: &RuleSet, control: &dyn Control) -> Symbols {
    control.stage("grounding by rules", scenes.len() as u64);
    let propagator = Propagator::new(scenes.variables().len(), rules.constraints().cloned());
    let ground = |example| {
        control.advance(1);
        match control.is_cancelled() {
            true => vec![None; scenes.sights(example).len()],
            false => what_follows(scenes, &propagator, example, scenes.known_literals(example)),
        }
    };
    (0..scenes.len()).into_par_iter().map(ground).collect()
}

/// What follows for the sights of an example; nothing from a contradiction.
fn what_follows(
    scenes: &Scenes,
    propagator: &Propagator,
    example: usize,
    known: impl IntoIterator<Item = Lit>,
) -> Vec<Option<u16>> {
    let state = propagator.run(known);
    let value = |var: Var| if state.is_contradiction() { None } else { state.value(var) };
    scenes.sights(example).iter().map(|&sight| the_true_one(scenes.symbols(sight), value)).collect()
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
    // Within a block of examples the history is the same, so that whichever is found first is so as well.
    let mut query = Query { ties: TieBreak::Any, ..Query::default() };
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

/// Answers the queries of examples, and calls `each` with the example and what `find` makes of a proven
/// optimum.
fn solve(
    rules: &Arc<Problem>,
    examples: &[usize],
    queries: &[Query],
    threads: usize,
    control: &dyn Control,
    find: impl Fn(usize, &Solution) -> Vec<Option<u16>> + Sync,
    mut each: impl FnMut(usize, Vec<Option<u16>>),
) -> Result<(), ReasonError> {
    let (mut failure, cancel) = (None, control.cancel_flag());
    let items: Vec<(usize, &Query)> = examples.iter().copied().zip(queries).collect();
    let ask = |reasoner: &mut dyn Reasoner, (example, query): &(usize, &Query)| {
        let mut query = (*query).clone();
        query.limits.cancel.clone_from(&cancel);
        let answer = reasoner.solve(&query)?;
        let solution = answer.solution.filter(|_| answer.status == Status::Optimal);
        Ok::<_, ReasonError>(solution.map(|solution| find(*example, &solution)))
    };
    work_in_blocks(Backend::Portfolio, rules, &items, threads, ask, |at, found| {
        control.advance(1);
        match found {
            Err(error) => failure = Some(error),
            Ok(Some(found)) => each(examples[at], found),
            Ok(None) => (),
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
    let find = |example: usize, solution: &Solution| {
        let shown = |&sight| the_true_one(scenes.symbols(sight), |var| Some(solution.value(var)));
        scenes.sights(example).iter().map(shown).collect()
    };
    solve(rules, examples, &queries, threads, control, find, |example, found| symbols[example] = found)
}

/// What sights show by evidence of which a share is wrong, before a network can read: the likeliest
/// correction of what is known that the rules allow, and what follows from it.
///
/// # Errors
/// If the rules cannot be loaded or a query fails.
pub fn ground_by_evidence(
    scenes: &Scenes,
    rules: &Arc<Problem>,
    examples: &[usize],
    wrong: f64,
    threads: usize,
    control: &dyn Control,
) -> Result<Symbols, ReasonError> {
    control.stage("grounding", examples.len() as u64);
    let mut symbols: Symbols = (0..scenes.len()).map(|at| vec![None; scenes.sights(at).len()]).collect();
    let nothing_read = |&example: &usize| query(scenes, example, [].into_iter(), Known::Doubted(wrong));
    let queries: Vec<Query> = examples.iter().map(nothing_read).collect::<Result<_, _>>()?;
    let propagator = Propagator::new(scenes.variables().len(), rules.rules.constraints().cloned());
    let find = |example: usize, solution: &Solution| {
        let corrected = scenes.known_literals(example).map(|literal| {
            let var = literal.var();
            Lit::new(var, !solution.value(var))
        });
        what_follows(scenes, &propagator, example, corrected)
    };
    solve(rules, examples, &queries, threads, control, find, |example, found| symbols[example] = found)?;
    Ok(symbols)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::{WAYS, rules, scenes, sixty};
    use preceptron_base::Quiet;

    #[test]
    fn rules_say_what_one_picture_shows() {
        let symbols = ground_by_rules(&sixty(), &rules(), &Quiet);
        for (example, symbols) in symbols.iter().enumerate() {
            assert_eq!(symbols[..], [Some(WAYS[example % 6][example % 3])], "example {example}");
        }
    }

    #[test]
    fn what_is_open_or_contradicted_stays_open() {
        let scenes = scenes(&[([0, 1, 2], &[0, 1]), ([0, 2, 2], &[0]), ([0, 1, 2], &[2])]);
        let symbols = ground_by_rules(&scenes, &rules(), &Quiet);
        assert_eq!(symbols, [vec![None, None], vec![None], vec![Some(2)]]);
    }

    #[test]
    fn readings_choose_among_what_the_rules_allow() {
        let scenes = scenes(&[([1, 2, 0], &[0, 1]), ([0, 1, 2], &[0])]);
        let mut symbols: Symbols = vec![vec![None; 2], vec![None]];
        // Both places are read as 1 at first; together 1 and 2 are likelier than 2 and 1.
        let read = Probabilities::new(3, vec![0.1, 0.6, 0.3, 0.1, 0.5, 0.4]);
        let problem = Arc::new(Problem::from(rules()));
        ground_by_reading(&scenes, &problem, &[0], &read, Known::Facts, &mut symbols, 1, &Quiet).unwrap();
        assert_eq!(symbols, [vec![Some(1), Some(2)], vec![None]]);
    }

    #[test]
    fn doubted_values_are_given_up_where_readings_are_sure() {
        // Places b and c are said to show 1 and 2; the picture of a shows 2 beyond doubt.
        let scenes = scenes(&[([0, 1, 2], &[0])]);
        let read = Probabilities::new(3, vec![1e-8, 1e-8, 1.0]);
        let problem = Arc::new(Problem::from(rules()));
        let ground = |known| {
            let mut symbols: Symbols = vec![vec![None]];
            ground_by_reading(&scenes, &problem, &[0], &read, known, &mut symbols, 1, &Quiet).unwrap();
            symbols[0][0]
        };
        assert_eq!(ground(Known::with_wrong(0.0)), Some(0));
        assert_eq!(ground(Known::with_wrong(0.2)), Some(2));
    }

    #[test]
    fn evidence_that_agrees_grounds_as_facts_do() {
        let scenes = sixty();
        let (all, problem) = ((0..60).collect::<Vec<_>>(), Arc::new(Problem::from(rules())));
        let symbols = ground_by_evidence(&scenes, &problem, &all, 0.1, 2, &Quiet).unwrap();
        assert_eq!(symbols, ground_by_rules(&scenes, &rules(), &Quiet));
    }

    #[test]
    fn evidence_that_contradicts_itself_is_corrected() {
        // Two places are said to show 1; one of them must be wrong, and the third does not show it in any case.
        let scenes = scenes(&[([0, 1, 1], &[0])]);
        assert_eq!(ground_by_rules(&scenes, &rules(), &Quiet), [[None]]);
        let problem = Arc::new(Problem::from(rules()));
        let symbols = ground_by_evidence(&scenes, &problem, &[0], 0.1, 1, &Quiet).unwrap();
        assert!(matches!(symbols[0][0], Some(0 | 2)), "{symbols:?}");
    }
}
