//! Many questions at once: probabilities in, the likeliest assignments out, on all cores and without the interpreter's
//! lock. The answers do not depend on the number of threads.
//!
//! The confidence of an assignment is its probability against the next best one's: `1 / (1 + exp(-(c2 - c1) / T))`, with
//! their costs as natural logarithms and a temperature T.

use std::ops::ControlFlow;
use std::sync::Arc;

use preceptron_base::Control;
use preceptron_logic::{Lit, Var};
use preceptron_reason::{
    Answer, Backend, Limits, Query, ReasonError, Reasoner, STEPS, Status, TieBreak, work_in_blocks,
};
use pyo3::prelude::*;

use crate::array::Array;
use crate::control::beside;
use crate::errors::{failed, failed_in};
use crate::rules::{PyRules, limits};

/// What is asked of all examples.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct How {
    /// The variables of each place, by numbers from 0: exactly one of them is true.
    places: Vec<Vec<u32>>,
    k: usize,
    /// Whether to look for the next best answer too.
    next: bool,
    temperature: f64,
    canonical: bool,
    time: Option<f64>,
    conflicts: Option<u64>,
    threads: usize,
    backend: String,
}

/// Where a choice was overruled: the example, the literals read and chosen as numbers from 1, and the price.
type Repaired = (u32, i64, i64, i64);

/// The cheapest assignments of an example.
struct Best {
    answers: Vec<Answer>,
    /// Whether it was proved that there are no others.
    are_all: bool,
}

/// Up to so many assignments, the cheapest first: each is forbidden before the next is asked for.
fn best(reasoner: &mut dyn Reasoner, mut query: Query, wanted: usize) -> Result<Best, ReasonError> {
    let mut best = Best { answers: Vec::new(), are_all: false };
    while best.answers.len() < wanted {
        let answer = reasoner.solve(&query)?;
        let is_last = answer.status != Status::Optimal;
        match &answer.solution {
            None => {
                best.are_all = answer.status == Status::Infeasible;
                if best.answers.is_empty() {
                    best.answers.push(answer);
                }
                break;
            }
            Some(solution) => {
                let values = (0..).map(Var).zip(&solution.values);
                query.clauses.push(values.map(|(var, value)| Lit::new(var, *value)).collect());
            }
        }
        best.answers.push(answer);
        if is_last {
            break;
        }
    }
    Ok(best)
}

/// Decodes examples. `read` has a probability for each example, place and symbol, in a place that is not read none of
/// which is a number; `fixed` a byte for each example and variable, 0 or 1, else not fixed. Results are written into
/// `values` (examples, k, variables), `costs` (examples, k), `found` (two bytes each: how many, and how sure) and
/// `confidence` (examples). Where choices were overruled is returned.
#[pyfunction]
#[pyo3(signature = (rules, how, read, fixed, values, costs, found, confidence, progress=None))]
#[expect(clippy::too_many_arguments, reason = "what comes in and what goes out")]
pub fn decode<'py>(
    py: Python<'py>,
    rules: &PyRules,
    how: How,
    read: Option<&Bound<'py, PyAny>>,
    fixed: Option<&Bound<'py, PyAny>>,
    values: &Bound<'py, PyAny>,
    costs: &Bound<'py, PyAny>,
    found: &Bound<'py, PyAny>,
    confidence: &Bound<'py, PyAny>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<Repaired>> {
    let backend: Backend = how.backend.parse().map_err(failed)?;
    let width = rules.variables().len();
    if how.k == 0 || how.places.iter().flatten().any(|&var| var as usize >= width) {
        return Err(failed("k is at least 1, and places have variables of the rules"));
    }
    let symbols: usize = how.places.iter().map(Vec::len).sum();
    let read = read.map(Array::<f32>::new).transpose()?;
    let fixed = fixed.map(Array::<u8>::new).transpose()?;
    let (mut values, mut costs) = (Array::<u8>::new(values)?, Array::<i64>::new(costs)?);
    let (mut found, mut confidence) = (Array::<u8>::new(found)?, Array::<f64>::new(confidence)?);
    let count = confidence.values().len();
    let fits = values.values().len() == count * how.k * width
        && costs.values().len() == count * how.k
        && found.values().len() == 2 * count
        && read.as_ref().is_none_or(|read| read.values().len() == count * symbols)
        && fixed.as_ref().is_none_or(|fixed| fixed.values().len() == count * width);
    if !fits {
        return Err(failed("arrays of other shapes"));
    }
    let base = limits(how.time)?;
    let base = Limits { conflicts: how.conflicts, ..base };
    let (read, fixed) = (read.as_ref().map(Array::values), fixed.as_ref().map(Array::values));
    let (values, costs) = (values.values_mut()?, costs.values_mut()?);
    let (found, confidence) = (found.values_mut()?, confidence.values_mut()?);
    let threads = match how.threads {
        0 => std::thread::available_parallelism().map_or(1, |threads| threads.get()),
        some => some,
    };
    let wanted = how.k.max(if how.next { 2 } else { 1 });
    let problem = Arc::clone(&rules.problem);
    let outcome = beside(py, 0, progress, |signals| {
        signals.stage("decoding", count as u64);
        let question = |example: usize| -> Result<Query, ReasonError> {
            let limits = Limits { cancel: signals.cancel_flag(), ..base.clone() };
            let ties = if how.canonical { TieBreak::Canonical } else { TieBreak::Any };
            let mut query = Query { ties, explain: false, limits, ..Query::default() };
            let row = fixed.map_or(&[][..], |fixed| &fixed[example * width..][..width]);
            let facts = row.iter().enumerate().filter(|(_, value)| **value < 2);
            query.fixed.extend(facts.map(|(var, value)| Lit::new(Var(var as u32), *value == 0)));
            let mut rest = read.map_or(&[][..], |read| &read[example * symbols..][..symbols]);
            for place in &how.places {
                let Some((row, others)) = rest.split_at_checked(place.len()) else { break };
                rest = others;
                match (place.as_slice(), row) {
                    (_, row) if row.iter().all(|p| p.is_nan()) => {}
                    (&[var], &[p]) => {
                        let (literal, p) = (Var(var).positive(), f64::from(p).min(1.0));
                        query.add_reading([(literal, p), (!literal, 1.0 - p)])?;
                    }
                    _ => {
                        let reading = place.iter().zip(row);
                        query.add_reading(
                            reading.map(|(&var, &p)| (Var(var).positive(), f64::from(p).min(1.0))),
                        )?;
                    }
                }
            }
            Ok(query)
        };
        let examples: Vec<usize> = (0..count).collect();
        let mut repaired: Vec<Repaired> = Vec::new();
        let mut wrong = None;
        let ended = work_in_blocks(
            backend,
            &problem,
            &examples,
            threads,
            |reasoner, &example| -> Result<Best, ReasonError> { best(reasoner, question(example)?, wanted) },
            |example, answers| {
                signals.advance(1);
                match answers {
                    Err(error) => wrong = Some(failed_in(&format!("example {example}"), error)),
                    Ok(Best { answers, are_all }) => {
                        let solutions: Vec<_> =
                            answers.iter().filter_map(|answer| answer.solution.as_ref()).collect();
                        for (at, solution) in solutions.iter().take(how.k).enumerate() {
                            let into = &mut values[(example * how.k + at) * width..][..width];
                            into.iter_mut()
                                .zip(&solution.values)
                                .for_each(|(to, from)| *to = u8::from(*from));
                            costs[example * how.k + at] = solution.cost;
                        }
                        found[2 * example] = solutions.len().min(how.k).min(255) as u8;
                        found[2 * example + 1] = answers.first().map_or(3, |answer| match answer.status {
                            Status::Optimal => 0,
                            Status::Feasible => 1,
                            Status::Infeasible => 2,
                            Status::Unknown => 3,
                        });
                        confidence[example] = match solutions.as_slice() {
                            _ if !how.next => f64::NAN,
                            [first, second, ..] => {
                                let odds = (second.cost - first.cost) as f64 / STEPS / how.temperature;
                                1.0 / (1.0 + (-odds).exp())
                            }
                            [_] if are_all => 1.0,
                            _ => f64::NAN,
                        };
                        let repairs = solutions.first().map_or(&[][..], |solution| &solution.repairs);
                        let entry = |repair: &preceptron_reason::Repair| {
                            (example as u32, repair.read.dimacs(), repair.chosen.dimacs(), repair.price)
                        };
                        repaired.extend(repairs.iter().map(entry));
                    }
                }
                let goes_on = wrong.is_none() && !signals.is_cancelled();
                if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            },
        );
        ended.map_err(failed)?;
        wrong.map_or(Ok(repaired), Err)
    })?;
    outcome.whole()
}
