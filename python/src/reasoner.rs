//! A reasoner that stays warm from question to question, and its answers.
//!
//! A question is answered on the spot for up to [`SPOT`]; what takes longer goes on beside Python, where Ctrl-C is
//! heard.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use preceptron_base::Control;
use preceptron_logic::{Lit, Problem, Sums, Var, Variables, sentence};
use preceptron_reason::{
    Answer, Backend, Limits, Piece, Query, Reasoner, Status, Strength, TieBreak, is_solution_unique, k_best,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyMapping, PyString};

use crate::control::beside;
use crate::errors::{failed, guarded};
use crate::rules::{PyRules, limits};

/// How long a question may take on the spot.
const SPOT: Duration = Duration::from_millis(50);
/// Probabilities that add up to 1 within this are those of one choice.
const ROUNDING: f64 = 0.01;

/// Rules that were loaded to be asked.
#[pyclass(frozen, name = "Reasoner", module = "preceptron._native")]
pub struct PyReasoner {
    problem: Arc<Problem>,
    /// The literals of which exactly one is true.
    choices: Vec<Vec<Lit>>,
    backend: Backend,
    inner: Mutex<Box<dyn Reasoner>>,
}

/// The literal that somebody names: by its name, with `not` before it or not, or by its number from 1, negative for its
/// negation.
pub fn literal(variables: &Variables, name: &Bound<'_, PyAny>) -> PyResult<Lit> {
    if let Ok(name) = name.cast::<PyString>() {
        let name = name.to_cow()?;
        return variables.find_literal(&name).ok_or_else(|| unknown(variables, &name));
    }
    let number: i64 = name.extract().map_err(|_| {
        failed(format!("{} names no variable: expected a name, or a number from 1", shown(name)))
    })?;
    match number.unsigned_abs() {
        n if n >= 1 && n <= variables.len() as u64 => Ok(Lit::new(Var((n - 1) as u32), number < 0)),
        _ => Err(failed(format!(
            "{number} is no literal over {} variables, which are counted from 1",
            variables.len()
        ))),
    }
}

fn shown(object: &Bound<'_, PyAny>) -> String {
    object.repr().map_or_else(|_| "that".to_owned(), |text| text.to_string().chars().take(80).collect())
}

fn unknown(variables: &Variables, name: &str) -> PyErr {
    let some: Vec<&str> = variables.names().iter().take(3).map(String::as_str).collect();
    failed(format!(
        "there is no variable {name:?}; there are {} such as {}",
        variables.len(),
        some.join(", ")
    ))
}

/// Every key of a mapping with its value.
fn items(
    mapping: &Bound<'_, PyAny>,
    mut each: impl FnMut(Bound<'_, PyAny>, Bound<'_, PyAny>) -> PyResult<()>,
) -> PyResult<()> {
    if let Ok(dict) = mapping.cast::<PyDict>() {
        return dict.iter().try_for_each(|(key, value)| each(key, value));
    }
    let mapping = mapping
        .cast::<PyMapping>()
        .map_err(|_| failed(format!("expected names with values, not {}", shown(mapping))))?;
    mapping.items()?.iter().try_for_each(|item| {
        let (key, value) = item.extract()?;
        each(key, value)
    })
}

impl PyReasoner {
    fn question(&self, asked: Asked<'_, '_>) -> PyResult<Query> {
        let Asked { fix, costs, probabilities, soft, any, conflicts, memory, time, explain } = asked;
        let variables = self.problem.rules.variables();
        let mut query = Query { explain, ..Query::default() };
        query.limits = Limits { conflicts, memory, ..limits(time)? };
        query.ties = if any { TieBreak::Any } else { TieBreak::Canonical };
        query.strength = soft.map_or(Strength::AsLoaded, Strength::AllSoft);
        if let Some(fix) = fix {
            if fix.is_instance_of::<PyDict>() || fix.hasattr("keys")? {
                items(fix, |name, value| {
                    let literal = literal(variables, &name)?;
                    let is_true = truth(&value).ok_or_else(|| {
                        failed(format!("{}: expected 0 or 1, found {}", shown(&name), shown(&value)))
                    })?;
                    query.fixed.push(if is_true { literal } else { !literal });
                    Ok(())
                })?;
            } else if fix.is_instance_of::<PyString>() {
                query.fixed.push(literal(variables, fix)?);
            } else {
                for name in fix.try_iter()? {
                    query.fixed.push(literal(variables, &name?)?);
                }
            }
        }
        if let Some(costs) = costs {
            items(costs, |name, value| {
                let cost: i64 = value.extract().map_err(|_| {
                    failed(format!(
                        "{}: expected a cost, which is a whole number, found {}",
                        shown(&name),
                        shown(&value)
                    ))
                })?;
                query.costs.push((literal(variables, &name)?, cost));
                Ok(())
            })?;
        }
        if let Some(probabilities) = probabilities {
            let mut all = Vec::new();
            items(probabilities, |name, value| {
                let p: f64 = value.extract().ok().filter(|p| (0.0..=1.0).contains(p)).ok_or_else(|| {
                    failed(format!(
                        "{}: expected a probability from 0 to 1, found {}",
                        shown(&name),
                        shown(&value)
                    ))
                })?;
                all.push((literal(variables, &name)?, p));
                Ok(())
            })?;
            self.read(all, &mut query)?;
        }
        Ok(query)
    }

    /// Adds probabilities: those of a choice that add up to 1 are one reading, any other stands by itself.
    fn read(&self, all: Vec<(Lit, f64)>, query: &mut Query) -> PyResult<()> {
        let mut of: Vec<Option<f64>> = vec![None; 2 * self.problem.rules.variables().len()];
        all.iter().for_each(|(literal, p)| of[literal.code()] = Some(*p));
        for choice in &self.choices {
            let reading: Option<Vec<(Lit, f64)>> = choice.iter().map(|&l| Some((l, of[l.code()]?))).collect();
            let Some(reading) = reading else { continue };
            if (reading.iter().map(|(_, p)| p).sum::<f64>() - 1.0).abs() <= ROUNDING {
                reading.iter().for_each(|(literal, _)| of[literal.code()] = None);
                query.add_reading(reading).map_err(failed)?;
            }
        }
        for (literal, p) in all.into_iter().filter(|(literal, _)| of[literal.code()].is_some()) {
            query.add_reading([(literal, p), (!literal, 1.0 - p)]).map_err(failed)?;
        }
        Ok(())
    }

    fn answer(&self, answer: Answer) -> PyAnswer {
        PyAnswer { problem: Arc::clone(&self.problem), answer }
    }
}

/// Whether a value says true; nothing if it is none.
fn truth(value: &Bound<'_, PyAny>) -> Option<bool> {
    match value.extract::<bool>() {
        Ok(value) => Some(value),
        Err(_) => value.extract::<i64>().ok().filter(|value| (0..=1).contains(value)).map(|value| value == 1),
    }
}

/// What is asked.
struct Asked<'a, 'py> {
    fix: Option<&'a Bound<'py, PyAny>>,
    costs: Option<&'a Bound<'py, PyAny>>,
    probabilities: Option<&'a Bound<'py, PyAny>>,
    soft: Option<u64>,
    any: bool,
    conflicts: Option<u64>,
    memory: Option<u64>,
    time: Option<f64>,
    explain: bool,
}

/// The literals of which exactly one is true, by the encoding or by a rule.
pub fn choices(problem: &Problem) -> Vec<Vec<Lit>> {
    let groups = problem.rules.variables().one_hot_groups().into_iter();
    let mut choices: Vec<Vec<Lit>> =
        groups.map(|group| group.into_iter().map(Var::positive).collect()).collect();
    let one = Sums::exactly(1);
    let rules = problem.rules.constraints().filter(|rule| rule.gate().is_none() && *rule.sums() == one);
    choices.extend(rules.map(|rule| rule.literals().to_vec()));
    choices
}

#[pymethods]
impl PyReasoner {
    #[new]
    #[pyo3(signature = (rules, backend="portfolio", memory=None))]
    fn new(py: Python<'_>, rules: &PyRules, backend: &str, memory: Option<u64>) -> PyResult<PyReasoner> {
        let backend: Backend = backend.parse().map_err(failed)?;
        let problem = Arc::clone(&rules.problem);
        let _ = memory;
        let inner = beside(py, 0, None, |_| backend.load(Arc::clone(&problem)).map_err(failed))?.whole()?;
        Ok(PyReasoner { choices: choices(&problem), backend, inner: Mutex::new(inner), problem })
    }

    #[getter]
    fn backend(&self) -> &'static str {
        self.backend.name()
    }

    /// The cheapest assignment.
    #[pyo3(signature = (fix=None, costs=None, probabilities=None, soft=None, any=false, time=None, conflicts=None, memory=None, explain=true))]
    #[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        fix: Option<&Bound<'py, PyAny>>,
        costs: Option<&Bound<'py, PyAny>>,
        probabilities: Option<&Bound<'py, PyAny>>,
        soft: Option<u64>,
        any: bool,
        time: Option<f64>,
        conflicts: Option<u64>,
        memory: Option<u64>,
        explain: bool,
    ) -> PyResult<PyAnswer> {
        let asked = Asked { fix, costs, probabilities, soft, any, conflicts, memory, time, explain };
        let mut query = self.question(asked)?;
        let begun = Instant::now();
        query.limits.until = begun.checked_add(SPOT);
        let first = guarded(|| {
            py.detach(|| self.inner.lock().unwrap_or_else(PoisonError::into_inner).solve(&query))
                .map_err(failed)
        })?;
        if first.is_conclusive()
            || begun.elapsed() < SPOT
            || query.limits.time.is_some_and(|time| time <= SPOT)
        {
            return Ok(self.answer(first));
        }
        query.limits.until = None;
        let outcome = beside(py, 0, None, |signals| {
            let mut query = query.clone();
            query.limits.cancel = Some(signals.flag());
            self.inner.lock().unwrap_or_else(PoisonError::into_inner).solve(&query).map_err(failed)
        })?;
        outcome.whole().map(|answer| self.answer(answer))
    }

    /// Up to `k` assignments, the cheapest first.
    #[pyo3(signature = (k, fix=None, costs=None, probabilities=None, soft=None, time=None, conflicts=None))]
    #[expect(clippy::too_many_arguments, reason = "each has a name in Python")]
    fn best<'py>(
        &self,
        py: Python<'py>,
        k: usize,
        fix: Option<&Bound<'py, PyAny>>,
        costs: Option<&Bound<'py, PyAny>>,
        probabilities: Option<&Bound<'py, PyAny>>,
        soft: Option<u64>,
        time: Option<f64>,
        conflicts: Option<u64>,
    ) -> PyResult<Vec<PyAnswer>> {
        let (any, memory, explain) = (false, None, true);
        let query =
            self.question(Asked { fix, costs, probabilities, soft, any, conflicts, memory, time, explain })?;
        let outcome = beside(py, 0, None, |signals| {
            let mut query = query.clone();
            query.limits.cancel = Some(signals.flag());
            k_best(&mut **self.inner.lock().unwrap_or_else(PoisonError::into_inner), &query, k)
                .map_err(failed)
        })?;
        Ok(outcome.whole()?.into_iter().map(|answer| self.answer(answer)).collect())
    }

    /// Whether what is fixed leaves exactly one assignment; nothing if it leaves none or a limit was reached.
    #[pyo3(signature = (fix=None, time=None))]
    fn is_unique<'py>(
        &self,
        py: Python<'py>,
        fix: Option<&Bound<'py, PyAny>>,
        time: Option<f64>,
    ) -> PyResult<Option<bool>> {
        let (costs, probabilities, soft, conflicts, memory) = (None, None, None, None, None);
        let query = self.question(Asked {
            fix,
            costs,
            probabilities,
            soft,
            any: true,
            conflicts,
            memory,
            time,
            explain: false,
        })?;
        let outcome = beside(py, 0, None, |signals| {
            let mut query = query.clone();
            query.limits.cancel = signals.cancel_flag();
            is_solution_unique(&mut **self.inner.lock().unwrap_or_else(PoisonError::into_inner), &query)
                .map_err(failed)
        })?;
        outcome.whole()
    }
}

/// An answer: an assignment with its cost and the bound that was proved, or a conflict.
#[pyclass(frozen, name = "Answer", module = "preceptron._native")]
pub struct PyAnswer {
    problem: Arc<Problem>,
    answer: Answer,
}

/// How sure an answer is, in a word.
pub fn status(status: Status) -> &'static str {
    match status {
        Status::Optimal => "optimal",
        Status::Feasible => "feasible",
        Status::Infeasible => "infeasible",
        Status::Unknown => "unknown",
    }
}

impl PyAnswer {
    fn variables(&self) -> &Variables {
        self.problem.rules.variables()
    }

    /// A part of a conflict, or something that is violated, in words.
    fn piece(&self, piece: Piece) -> String {
        match piece {
            Piece::Rule(at) => sentence(self.variables(), &self.problem.rules.rules()[at].constraint),
            Piece::Linear(at) => format!("weighted constraint {}", at + 1),
            Piece::Soft(at) => format!("soft constraint {}", at + 1),
            Piece::Fixed(literal) => format!("{} is fixed", self.variables().literal(literal)),
            Piece::Clause(at) => format!("clause {} of the question", at + 1),
            Piece::CostBound => "the bound on the cost".to_owned(),
        }
    }
}

#[pymethods]
impl PyAnswer {
    #[getter]
    fn status(&self) -> &'static str {
        status(self.answer.status)
    }

    /// Whether there is an assignment.
    #[getter]
    fn is_found(&self) -> bool {
        self.answer.solution.is_some()
    }

    #[getter]
    fn cost(&self) -> Option<i64> {
        self.answer.solution.as_ref().map(|solution| solution.cost)
    }

    #[getter]
    fn bound(&self) -> Option<i64> {
        (self.answer.bound > i64::MIN).then_some(self.answer.bound)
    }

    #[getter]
    fn unique(&self) -> Option<bool> {
        self.answer.unique
    }

    /// A byte for each variable, 0 or 1.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let solution = self.answer.solution.as_ref()?;
        let bytes: Vec<u8> = solution.values.iter().map(|value| u8::from(*value)).collect();
        Some(PyBytes::new(py, &bytes))
    }

    /// The names of the variables that are true.
    #[getter]
    fn true_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let values = self.answer.solution.as_ref().map_or(&[][..], |solution| &solution.values);
        let names = self.variables().names().iter().zip(values).filter(|(_, value)| **value);
        PyList::new(py, names.map(|(name, _)| name.as_str()).collect::<Vec<_>>())
    }

    /// The value of each variable.
    #[getter]
    fn assignment<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(solution) = &self.answer.solution else { return Ok(None) };
        let dict = PyDict::new(py);
        for (name, value) in self.variables().names().iter().zip(&solution.values) {
            dict.set_item(name, value)?;
        }
        Ok(Some(dict))
    }

    /// What was read as one thing and must be another: both literals and the price.
    #[getter]
    fn repairs(&self) -> Vec<(String, String, i64)> {
        let repairs = self.answer.solution.as_ref().map_or(&[][..], |solution| &solution.repairs);
        let name = |literal| self.variables().literal(literal);
        repairs.iter().map(|repair| (name(repair.read), name(repair.chosen), repair.price)).collect()
    }

    /// The soft rules that are violated.
    #[getter]
    fn violated(&self) -> Vec<String> {
        let violated = self.answer.solution.as_ref().map_or(&[][..], |solution| &solution.violated);
        violated.iter().map(|&piece| self.piece(piece)).collect()
    }

    /// What cannot all hold, if there is no assignment.
    #[getter]
    fn conflict(&self) -> Option<Vec<String>> {
        let conflict = self.answer.conflict.as_ref()?;
        Some(conflict.pieces.iter().map(|&piece| self.piece(piece)).collect())
    }

    /// What the answer took: calls and conflicts of the SAT solver.
    #[getter]
    fn work(&self) -> (u64, u64) {
        (self.answer.work.calls, self.answer.work.conflicts)
    }
}
