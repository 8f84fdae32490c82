//! What somebody's own network is to be fitted to: symbols that agree with rules, with what is known, and with what the
//! network reads.
//!
//! [`ground`] does it exactly, by rules that are there; [`JointRows`] has the rows of joint training, which are learned
//! beside.

use std::sync::{Mutex, MutexGuard, PoisonError};

use preceptron::grounding::{Known, Symbols, ground_by_evidence, ground_by_reading, ground_by_rules};
use preceptron::{JointCore, JointSettings, Scenes, Sight};
use preceptron_base::{Settings as _, Value as _};
use preceptron_learn::{Bound as Sums, Examples, UpdateOrder};
use preceptron_logic::{Var, Variables};
use preceptron_matrix::Mat;
use preceptron_perceive::{Probabilities, Shape};
use pyo3::prelude::*;

use crate::array::Array;
use crate::control::beside;
use crate::errors::{failed, failed_in, guarded};
use crate::rules::PyRules;

/// Bytes as values: 0, 1, else not known.
fn known(row: &[u8]) -> impl Iterator<Item = Option<bool>> + '_ {
    row.iter().map(|&byte| (byte < 2).then_some(byte == 1))
}

/// Rows of bytes as examples.
fn examples(bytes: &[u8], width: usize) -> Examples {
    let rows: Vec<Vec<Option<bool>>> = bytes.chunks(width.max(1)).map(|row| known(row).collect()).collect();
    Examples::from_rows(width, &rows)
}

fn places(numbers: &[Vec<u32>], width: usize) -> PyResult<Vec<Vec<Var>>> {
    if let Some(wrong) = numbers.iter().flatten().find(|&&var| var as usize >= width) {
        return Err(failed(format!("there is no variable {wrong}, counted from 0, among {width}")));
    }
    Ok(numbers.iter().map(|place| place.iter().map(|&var| Var(var)).collect()).collect())
}

/// What each sight shows, by rules alone, or by rules and readings: a number for each example and place, -1 where that is
/// open, written into `into`. `seen` says which places of an example are seen.
#[pyfunction]
#[pyo3(signature = (rules, place_numbers, known_values, seen, read, wrong, threads, into, progress=None))]
#[expect(clippy::too_many_arguments, reason = "what comes in and what goes out")]
pub fn ground<'py>(
    py: Python<'py>,
    rules: &PyRules,
    place_numbers: Vec<Vec<u32>>,
    known_values: &Bound<'py, PyAny>,
    seen: &Bound<'py, PyAny>,
    read: Option<&Bound<'py, PyAny>>,
    wrong: f64,
    threads: usize,
    into: &Bound<'py, PyAny>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<()> {
    let plain = rules.plain("grounding")?;
    let width = rules.variables().len();
    let places = places(&place_numbers, width)?;
    let (values, seen) = (Array::<u8>::new(known_values)?, Array::<u8>::new(seen)?);
    let read = read.map(Array::<f32>::new).transpose()?;
    let mut into = Array::<i64>::new(into)?;
    let (count, classes) = (values.values().len() / width.max(1), places.first().map_or(0, Vec::len));
    let fits = seen.values().len() == count * places.len()
        && into.values().len() == count * places.len()
        && read.as_ref().is_none_or(|read| read.values().len() == count * places.len() * classes);
    if !fits {
        return Err(failed("arrays of other shapes"));
    }
    let sights: Vec<Vec<Sight>> = (seen.values().chunks(places.len().max(1)))
        .scan(0, |picture, row| {
            let seen = row.iter().enumerate().filter(|(_, byte)| **byte != 0);
            let sights = seen.map(|(place, _)| {
                *picture += 1;
                Sight { place: place as u32, picture: *picture - 1 }
            });
            Some(sights.collect())
        })
        .collect();
    let pictures: usize = sights.iter().map(Vec::len).sum();
    let mut rows = Vec::with_capacity(pictures * classes);
    if let Some(read) = &read {
        for (at, row) in read.values().chunks(classes.max(1)).enumerate() {
            if seen.values()[at] != 0 {
                if let Some(p) = row.iter().find(|p| !(0.0..=1.0 + 1e-6).contains(*p)) {
                    let (example, place) = (at / places.len(), at % places.len());
                    return Err(failed(format!(
                        "example {example}, place {place}: {p} is not a probability"
                    )));
                }
                rows.extend_from_slice(row);
            }
        }
    }
    let threads = match threads {
        0 => std::thread::available_parallelism().map_or(1, |threads| threads.get()),
        some => some,
    };
    let known_examples = examples(values.values(), width);
    let is_read = read.is_some();
    let outcome = beside(py, 0, progress, |signals| {
        let (variables, pixels) = (rules.variables().clone(), vec![0u8; pictures].into());
        let scenes = Scenes::new(variables, places, known_examples, sights, Shape::new(1, 1, 1), pixels);
        let scenes = scenes.map_err(failed)?;
        let all: Vec<usize> = (0..count).collect();
        if !is_read {
            let symbols = match wrong > 0.0 {
                true => ground_by_evidence(&scenes, &rules.problem, &all, wrong, threads, signals)
                    .map_err(failed)?,
                false => ground_by_rules(&scenes, plain, signals),
            };
            return Ok((scenes, symbols));
        }
        let mut symbols: Symbols = scenes_open(&scenes);
        let (read, known) = (Probabilities::new(classes, rows), Known::with_wrong(wrong));
        ground_by_reading(&scenes, &rules.problem, &all, &read, known, &mut symbols, threads, signals)
            .map_err(failed)?;
        Ok((scenes, symbols))
    })?;
    let (scenes, symbols) = outcome.whole()?;
    let into = into.values_mut()?;
    into.fill(-1);
    for (example, symbols) in symbols.iter().enumerate() {
        for (sight, symbol) in scenes.sights(example).iter().zip(symbols) {
            let at = example * scenes.places().len() + sight.place as usize;
            into[at] = symbol.map_or(-1, i64::from);
        }
    }
    Ok(())
}

/// Every sight open.
fn scenes_open(scenes: &Scenes) -> Symbols {
    (0..scenes.len()).map(|at| vec![None; scenes.sights(at).len()]).collect()
}

/// The rows of joint training.
#[pyclass(frozen, name = "JointRows", module = "preceptron._native")]
pub struct JointRows {
    core: Mutex<JointCore>,
    width: usize,
    places: Vec<Vec<u32>>,
}

impl JointRows {
    fn core(&self) -> MutexGuard<'_, JointCore> {
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl JointRows {
    /// Rows at random centres, for so many examples of these variables.
    #[new]
    fn new(
        rules: &PyRules,
        place_numbers: Vec<Vec<u32>>,
        examples: usize,
        settings: Vec<(String, String)>,
        seed: u64,
        threads: usize,
    ) -> PyResult<JointRows> {
        let mut joint = JointSettings::default();
        for (name, text) in &settings {
            match name.as_str() {
                "sum" => joint.sum = Sums::read(text).map_err(|problem| failed_in("sum", problem))?,
                _ => joint.set(name, text).map_err(failed)?,
            }
        }
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, |threads| threads.get()),
            some => some,
        };
        let checked = joint.checked(seed, threads).map_err(failed)?;
        let variables: Variables = rules.variables().clone();
        let width = variables.len();
        let places = places(&place_numbers, width)?;
        let core = JointCore::new(variables, places, examples, checked).map_err(failed)?;
        Ok(JointRows { core: Mutex::new(core), width, places: place_numbers })
    }

    #[getter]
    fn batch(&self) -> usize {
        self.core().settings().batch
    }

    #[getter]
    fn steps(&self) -> u64 {
        self.core().steps()
    }

    #[getter]
    fn steps_made(&self) -> u64 {
        self.core().steps_made()
    }

    #[getter]
    fn steps_in_epoch(&self) -> u64 {
        self.core().steps_in_epoch()
    }

    #[getter]
    fn is_settled(&self) -> bool {
        self.core().is_settled()
    }

    /// Whether the next step has rows judged, for which it needs completed examples.
    #[getter]
    fn is_judging(&self) -> bool {
        self.core().is_judging()
    }

    #[getter]
    fn pace(&self) -> f64 {
        self.core().pace()
    }

    /// The rows' weights as little-endian doubles, one row after the other, and how many variables each has.
    fn weights(&self) -> (Vec<u8>, usize) {
        (self.core().weights().iter().flat_map(|weight| weight.to_le_bytes()).collect(), self.width)
    }

    /// One step for a batch: `data` (examples, variables) has what is read and known, `before` what was grounded when an
    /// example came last; the targets of the places that are seen go into `targets` (examples, places, symbols), what
    /// was grounded into `grounded`.
    #[pyo3(signature = (data, before, seen, completed, targets, grounded))]
    #[expect(clippy::too_many_arguments, reason = "what comes in and what goes out")]
    fn step<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        before: &Bound<'py, PyAny>,
        seen: &Bound<'py, PyAny>,
        completed: Option<&Bound<'py, PyAny>>,
        targets: &Bound<'py, PyAny>,
        grounded: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<(&'static str, f64)>> {
        let (data, before) = (Array::<f64>::new(data)?, Array::<f64>::new(before)?);
        let seen = Array::<u8>::new(seen)?;
        let completed = completed.map(Array::<u8>::new).transpose()?;
        let (mut targets, mut grounded) = (Array::<f32>::new(targets)?, Array::<f64>::new(grounded)?);
        let (width, places) = (self.width, self.places.len());
        let (count, classes) = (data.values().len() / width.max(1), self.places.first().map_or(0, Vec::len));
        let fits = before.values().len() == data.values().len()
            && grounded.values().len() == data.values().len()
            && seen.values().len() == count * places
            && targets.values().len() == count * places * classes;
        if !fits || count == 0 {
            return Err(failed("arrays of other shapes"));
        }
        let completed = completed.map(|completed| examples(completed.values(), width));
        let columns = |values: &[f64]| Mat::from_fn(width, count, |i, at| values[at * width + i]);
        let (data, before) = (columns(data.values()), columns(before.values()));
        let seen = seen.values();
        let (targets, grounded) = (targets.values_mut()?, grounded.values_mut()?);
        guarded(|| {
            py.detach(|| -> Result<_, preceptron_perceive::PerceiveError> {
                let mut core = self.core();
                let order = core.settings().step_order;
                if order == UpdateOrder::Printed {
                    core.update_rows(&data)?;
                }
                let found = core.ground(&data, &before)?;
                let sights: Vec<(usize, usize)> = (0..count * places)
                    .filter(|&at| seen[at] != 0)
                    .map(|at| (at / places, at % places))
                    .collect();
                let fitted = core.targets(sights.iter().copied(), &data, &found);
                for (row, (at, place)) in fitted.values.chunks(classes.max(1)).zip(&sights) {
                    targets[(at * places + place) * classes..][..classes].copy_from_slice(row);
                }
                for at in 0..count {
                    grounded[at * width..][..width].copy_from_slice(found.column(at));
                }
                if order == UpdateOrder::Authors {
                    core.update_rows(&data)?;
                }
                Ok(core.end_step(fitted.boolean, completed.as_ref()))
            })
            .map_err(failed)
        })
    }

    /// The rules that completed examples confirm: bytes of 0, 1 and others, where nothing is known.
    fn rules(&self, py: Python<'_>, completed: &Bound<'_, PyAny>) -> PyResult<PyRules> {
        let completed = Array::<u8>::new(completed)?;
        let examples = examples(completed.values(), self.width);
        guarded(|| Ok(PyRules::of(py.detach(|| self.core().rules(&examples)))))
    }

    /// All that has changed.
    fn save(&self) -> PyResult<Vec<u8>> {
        self.core().save().map_err(failed)
    }

    /// Takes it up.
    fn load(&self, state: &[u8]) -> PyResult<()> {
        guarded(|| self.core().load(state).map_err(failed))
    }
}
