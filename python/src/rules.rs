//! Rule sets: read, written, said in words, compared, held against tables.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use preceptron_base::{Control, read_text};
use preceptron_learn::{Examples, sum_histogram};
use preceptron_logic::formats::{self, Format};
use preceptron_logic::{
    Constraint, Problem, RuleSet, Variables, evidence_line, explain, json, lift, sentence,
};
use preceptron_reason::{Effort, Limits, Witness, equivalent_within, redundant_within};
use pyo3::prelude::*;
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::control::beside;
use crate::errors::{failed, failed_in, guarded};
use crate::table::PyTable;

/// Rules over named variables, and what a solver's file has beside them.
#[pyclass(frozen, name = "Rules", module = "preceptron._native")]
pub struct PyRules {
    pub problem: Arc<Problem>,
}

/// A problem without rules of whole numbers, which are for the program alone.
fn boolean(problem: Problem) -> PyResult<Problem> {
    match problem.numbers.is_empty() {
        true => Ok(problem),
        false => Err(failed("has rules of whole numbers, which are for the program precept alone")),
    }
}

impl PyRules {
    pub fn of(problem: impl Into<Problem>) -> PyRules {
        PyRules { problem: Arc::new(problem.into()) }
    }

    pub fn variables(&self) -> &Variables {
        self.problem.rules.variables()
    }

    /// The rules, if there is nothing beside them.
    pub fn plain(&self, what: &str) -> PyResult<&RuleSet> {
        let Problem { linear, soft, .. } = &*self.problem;
        match linear.is_empty() && soft.is_empty() {
            true => Ok(&self.problem.rules),
            false => Err(failed(format!(
                "the rules have {} weighted and {} soft constraints beside them, which are not for {what}",
                linear.len(),
                soft.len()
            ))),
        }
    }
}

fn format(name: &str) -> PyResult<Format> {
    name.parse().map_err(failed)
}

/// Rules with their ids and sentences.
fn listed<'a>(variables: &Variables, rules: impl IntoIterator<Item = &'a preceptron_logic::Rule>) -> Value {
    let entry = |rule: &preceptron_logic::Rule| json!({ "id": rule.id().to_string(), "text": sentence(variables, &rule.constraint) });
    rules.into_iter().map(entry).collect()
}

#[pymethods]
impl PyRules {
    /// Reads a text in a format.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str, format_name: &str) -> PyResult<PyRules> {
        let format = format(format_name)?;
        guarded(|| {
            py.detach(|| formats::read(text, format)).map_err(failed).and_then(boolean).map(PyRules::of)
        })
    }

    /// Reads a file; the format is that of its name, if none is given.
    #[staticmethod]
    #[pyo3(signature = (path, format_name=None))]
    fn read(py: Python<'_>, path: PathBuf, format_name: Option<&str>) -> PyResult<PyRules> {
        let shown = path.display().to_string();
        let known = match format_name {
            Some(name) => Some(format(name)?),
            None => Format::from_path(&path),
        };
        let read = beside(py, 0, None, |_| {
            let text = read_text(&path).map_err(|error| failed_in(&shown, error))?;
            let format =
                known.ok_or_else(|| failed_in(&shown, "no format is known by that name; say which"))?;
            formats::read(&text, format).map_err(|error| failed_in(&shown, error))
        })?;
        read.whole().and_then(boolean).map(PyRules::of)
    }

    /// The rules in a format.
    fn write(&self, py: Python<'_>, format_name: &str) -> PyResult<String> {
        let format = format(format_name)?;
        guarded(|| py.detach(|| formats::write(&self.problem, format)).map_err(failed))
    }

    /// The rules in the program's own format, without loss.
    fn json(&self) -> String {
        json::write_problem(&self.problem)
    }

    fn names(&self) -> Vec<String> {
        self.variables().names().to_vec()
    }

    /// The variables of which exactly one is true by the encoding, by their numbers from 0.
    fn one_hot(&self) -> Vec<Vec<u32>> {
        let groups = self.variables().one_hot_groups().into_iter();
        groups.map(|group| group.into_iter().map(|var| var.0).collect()).collect()
    }

    fn __len__(&self) -> usize {
        self.problem.rules.len()
    }

    /// What each rule says, in a sentence.
    fn sentences(&self) -> Vec<String> {
        self.problem.rules.constraints().map(|rule| sentence(self.variables(), rule)).collect()
    }

    /// The line of evidence of each rule.
    fn evidence_lines(&self) -> Vec<String> {
        self.problem.rules.rules().iter().map(|rule| evidence_line(&rule.evidence)).collect()
    }

    /// Where a rule's variables stand, if their axes make a grid.
    fn drawing(&self, at: usize) -> PyResult<Option<String>> {
        let rule = self.problem.rules.rules().get(at).ok_or_else(|| failed("no such rule"))?;
        Ok(explain(self.variables(), &rule.constraint).drawing)
    }

    fn rank(&self, py: Python<'_>) -> usize {
        py.detach(|| self.problem.rules.rank())
    }

    fn equality_rank(&self, py: Python<'_>) -> usize {
        py.detach(|| self.problem.rules.equality_rank())
    }

    /// The relative rules, in words.
    fn relative(&self) -> Vec<String> {
        self.problem.rules.relative().iter().map(|rule| rule.to_string()).collect()
    }

    /// The families: what each says, its evidence, its rules, how many there could be, where it is missing, and the
    /// least share of examples that satisfies one of them.
    #[allow(clippy::type_complexity)]
    fn families(
        &self,
        py: Python<'_>,
    ) -> PyResult<Vec<(String, String, Vec<usize>, usize, Vec<String>, f64)>> {
        guarded(|| {
            let families = py.detach(|| lift(&self.problem.rules));
            let entry = |family: preceptron_logic::Family| {
                let evidence = evidence_line(&family.rule.evidence);
                let (line, missing) = (family.to_string(), family.missing());
                (line, evidence, family.members, family.expected, missing, family.least_support)
            };
            Ok(families.into_iter().map(entry).collect())
        })
    }

    /// Compares with other rules by name, as JSON.
    fn compare(&self, py: Python<'_>, other: &PyRules) -> PyResult<String> {
        guarded(|| {
            let (here, there) = (&self.problem.rules, &other.problem.rules);
            let found = py.detach(|| here.compare(there));
            let object = json!({
                "equal": listed(here.variables(), &found.equal),
                "missing": listed(there.variables(), &found.missing),
                "extra": listed(here.variables(), &found.extra),
                "unknown_names": found.unknown_names,
                "is_equal": found.is_equal(),
            });
            Ok(object.to_string())
        })
    }

    /// Proves that two sets say the same, or shows where they do not; as JSON.
    #[pyo3(signature = (other, time=None))]
    fn certify(&self, py: Python<'_>, other: &PyRules, time: Option<f64>) -> PyResult<String> {
        let (here, there) = (self.plain("certifying")?, other.plain("certifying")?);
        let limits = limits(time)?;
        let found = beside(py, 0, None, |signals| {
            let limits = Limits { cancel: signals.cancel_flag(), ..limits }.begun();
            equivalent_within(here, there, &Effort { limits, seen: None }).map_err(failed)
        })?;
        let found = found.whole()?;
        let witnesses = |asked: &RuleSet, variables: &Variables, all: &[Witness]| -> Value {
            let entry = |witness: &Witness| {
                let rule = &asked.rules()[witness.rule];
                let names = variables.names().iter().zip(&witness.values);
                let holds: Vec<&String> = names.filter(|(_, value)| **value).map(|(name, _)| name).collect();
                json!({ "id": rule.id().to_string(), "text": sentence(asked.variables(), &rule.constraint), "true": holds })
            };
            all.iter().map(entry).collect()
        };
        let at = |asked: &RuleSet, places: &[usize]| {
            listed(asked.variables(), places.iter().map(|&place| &asked.rules()[place]))
        };
        let object = json!({
            "is_equivalent": found.is_equivalent(),
            "is_complete": found.is_complete(),
            "missing": witnesses(there, here.variables(), &found.missing),
            "extra": witnesses(here, there.variables(), &found.extra),
            "undecided": [at(there, &found.missing_open), at(here, &found.extra_open)],
        });
        Ok(object.to_string())
    }

    /// The places of rules that the others imply, and how many were not decided in time.
    #[pyo3(signature = (time=None))]
    fn redundant(&self, py: Python<'_>, time: Option<f64>) -> PyResult<(Vec<usize>, usize)> {
        let rules = self.plain("certifying")?;
        let limits = limits(time)?;
        let found = beside(py, 0, None, |signals| {
            let limits = Limits { cancel: signals.cancel_flag(), ..limits }.begun();
            Ok(redundant_within(rules, &Effort { limits, seen: None }))
        })?;
        let found = found.whole()?;
        Ok((found.dropped, found.open))
    }

    /// For each rule the rows of a table that violate it, and what the whole table says of it.
    #[allow(clippy::type_complexity)]
    fn violations(&self, py: Python<'_>, table: &PyTable) -> PyResult<Vec<(Vec<u32>, [u64; 4])>> {
        let rules = self.plain("tables")?.over(&table.table.variables).map_err(|error| {
            failed(format!("{error} of the table ({} variables)", table.table.variables.len()))
        })?;
        let examples = &table.table.examples;
        let found = beside(py, 0, None, |signals| {
            let one = |rule: &Constraint| {
                if signals.is_cancelled() {
                    return (vec![], [0; 4]);
                }
                let (evidence, _) = sum_histogram::evidence(examples, rule);
                let counts = [evidence.examples, evidence.satisfied, evidence.violated, evidence.undecided];
                (if evidence.violated == 0 { vec![] } else { violating(examples, rule) }, counts)
            };
            let all: Vec<&Constraint> = rules.constraints().collect();
            Ok(all.into_par_iter().map(one).collect())
        })?;
        found.whole()
    }

    /// The rules at these places.
    fn subset(&self, places: Vec<usize>) -> PyResult<PyRules> {
        let all = self.problem.rules.rules();
        let mut set = RuleSet::new(self.variables().clone());
        set.notes.clone_from(&self.problem.rules.notes);
        for place in places {
            set.insert(all.get(place).ok_or_else(|| failed("no such rule"))?.clone());
        }
        Ok(PyRules::of(set))
    }

    /// Whether an assignment, a byte for each variable, obeys everything that is hard.
    fn holds(&self, values: &[u8]) -> PyResult<bool> {
        if values.len() != self.variables().len() {
            return Err(failed(format!("{} values for {} variables", values.len(), self.variables().len())));
        }
        let value = |var: preceptron_logic::Var| values[var.index()] != 0;
        Ok(self.problem.rules.constraints().all(|rule| rule.holds(value))
            && self.problem.linear.iter().all(|linear| linear.holds(value)))
    }
}

/// The time that proofs may take.
pub fn limits(time: Option<f64>) -> PyResult<Limits> {
    let time = match time {
        None => None,
        Some(seconds) => Some(Duration::try_from_secs_f64(seconds).map_err(|_| {
            failed(format!("time = {seconds}: expected a number of seconds that is not negative"))
        })?),
    };
    Ok(Limits { time, ..Limits::default() })
}

/// The rows in which a rule is violated, whatever is not observed.
fn violating(examples: &Examples, rule: &Constraint) -> Vec<u32> {
    let rows = examples.len();
    let (mut holds, mut known) = (vec![0u32; rows], vec![0u32; rows]);
    let count = |column: &mut dyn Iterator<Item = u64>, into: &mut [u32]| {
        for (word, mut bits) in column.enumerate() {
            while bits != 0 {
                into[word * 64 + bits.trailing_zeros() as usize] += 1;
                bits &= bits - 1;
            }
        }
    };
    for &literal in rule.literals() {
        let words = 0..examples.words();
        count(&mut words.clone().map(|word| examples.true_word(literal, word)), &mut holds);
        count(&mut words.clone().map(|word| examples.true_word(literal, word)), &mut known);
        count(&mut words.map(|word| examples.true_word(!literal, word)), &mut known);
    }
    let all = rule.len() as u32;
    let is_violated = |&row: &u32| {
        let at = row as usize;
        let is_off = rule
            .gate()
            .is_some_and(|gate| examples.get(at, gate.var()).is_none_or(|value| !gate.holds(value)));
        !is_off && !(holds[at]..=holds[at] + all - known[at]).any(|sum| rule.sums().contains(sum))
    };
    (0..rows as u32).filter(is_violated).collect()
}
