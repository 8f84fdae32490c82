//! Rules from tables: the learner, called as the program calls it.

use preceptron::words::{no_rules, verdict};
use preceptron::{Schedule, TableLearner, Training, train};
use preceptron_base::Value as _;
use preceptron_learn::{Bound as Sums, Checked, Given, Learned, SearchEnd, Settings, Table};
use preceptron_logic::{Lit, Origin, sentence};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::control::beside;
use crate::errors::{failed, failed_in};
use crate::rules::PyRules;
use crate::table::PyTable;

/// Settings from a JSON object; a bound may be typed as for the program, such as `1..3`.
pub fn settings(text: &str) -> PyResult<Checked> {
    let mut object: Value = serde_json::from_str(text).map_err(failed)?;
    let bound = match &object["bound"] {
        Value::String(text) => Some(Sums::read(text).map_err(|problem| failed(format!("bound: {problem}")))?),
        Value::Number(number) => Some(Sums::Fixed(number.as_f64().unwrap_or(f64::NAN))),
        _ => None,
    };
    let known = object.as_object_mut().ok_or_else(|| failed("settings are names with values"))?;
    known.remove("bound");
    let mut settings: Settings = serde_json::from_value(object).map_err(|error| {
        let text = error.to_string();
        failed(text.replace("unknown field", "there is no setting"))
    })?;
    settings.bound = bound.unwrap_or(settings.bound);
    settings.check().map_err(failed)
}

/// Learns rules; they are returned with everything there is to say about them as JSON, and with what stopped the
/// search early.
#[pyfunction]
#[pyo3(signature = (table, settings_text, source, given=None, given_name=None, given_soft=false, threads=0, progress=None))]
#[expect(clippy::too_many_arguments, reason = "the Python layer has names for them")]
pub fn learn(
    py: Python<'_>,
    table: &PyTable,
    settings_text: &str,
    source: &str,
    given: Option<&PyRules>,
    given_name: Option<&str>,
    given_soft: bool,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(PyRules, String, Option<Py<PyAny>>)> {
    if threads > 1024 {
        return Err(failed(format!("threads = {threads} is out of range: 0 to 1024")));
    }
    let settings = settings(settings_text)?;
    let table = &table.table;
    let given = match given {
        None => Given::default(),
        Some(given) => {
            let rules = given.plain("given rules")?.over(&table.variables);
            Given { rules: rules.map_err(|error| failed_in("given", error))?, soft: given_soft }
        }
    };
    let outcome = beside(py, threads, progress.as_ref(), |signals| {
        let mut learner =
            TableLearner::new(&table.variables, &table.examples, settings.clone()).with_given(given);
        train(&mut learner, Training { control: signals, ..Training::default() }).map_err(failed)?;
        if learner.made() == 0 {
            learner.step(signals).map_err(failed)?;
        }
        learner.learned().ok_or_else(|| failed("the search was interrupted before it began"))
    })?;
    let mut learned = outcome.value;
    if let Some(name) = given_name {
        learned.rules.notes.insert("given".to_owned(), name.to_owned());
    }
    let stopped = outcome.stopped.map(|error| error.into_value(py).into_any());
    let said = told(&mut learned, table, source, &settings)?;
    Ok((PyRules::of(learned.rules), said, stopped))
}

/// Notes in the rules where they come from, and tells everything there is to say about them as JSON.
pub fn told(learned: &mut Learned, table: &Table, source: &str, settings: &Checked) -> PyResult<String> {
    let notes = &mut learned.rules.notes;
    let mut note = |key: &str, value: String| notes.insert(key.to_owned(), value);
    note("source", source.to_owned());
    note("examples", learned.verdict.examples.to_string());
    note("settings", serde_json::to_string(&**settings).map_err(failed)?);
    note("program", preceptron::PROGRAM.to_owned());
    if learned.report.stop == SearchEnd::Interrupted {
        note("interrupted", "the search was stopped before its end".to_owned());
    }
    let variables = &table.variables;
    let names =
        |literals: &[Lit]| -> Vec<String> { literals.iter().map(|&l| variables.literal(l)).collect() };
    let is_found = learned.rules.rules().iter().any(|rule| matches!(rule.origin, Origin::Learned { .. }));
    let mut sentences = verdict(&learned.verdict, &learned.rules);
    if !is_found {
        sentences.insert(0, no_rules(learned));
    }
    let mut object = json!({
        "sentences": sentences,
        "verdict": learned.verdict,
        "report": learned.report,
        "dropped": learned.dropped.iter().map(|dropped| {
            // `"implied"`, or an object whose one key is the reason's name.
            let reason = json!(dropped.reason);
            let why = reason.as_object().and_then(|reason| reason.keys().next().cloned());
            let why = why.map_or_else(|| reason.clone(), Value::from);
            json!({ "text": sentence(variables, &dropped.constraint), "by": dropped.by, "why": why, "reason": reason })
        }).collect::<Vec<_>>(),
        "table": { "examples": learned.verdict.examples, "variables": variables.len(),
                   "observed": table.examples.observed(), "notes": table.notes },
        "found": is_found,
    });
    let near = learned.verdict.near_misses.iter();
    object["verdict"]["near_misses"] =
        near.map(|near| json!({ "values": names(&near.literals), "expected": near.expected })).collect();
    object["verdict"]["question"] = match &learned.verdict.question {
        None => Value::Null,
        Some(values) => variables
            .names()
            .iter()
            .zip(values)
            .filter(|(_, value)| **value)
            .map(|(name, _)| json!(name))
            .collect(),
    };
    Ok(object.to_string())
}
