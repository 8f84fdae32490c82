//! Learning from partitions: whoever has them calls [`work`] where the rows are, and bytes go there and back.

use preceptron_base::Control;
use preceptron_learn::parts::{
    Closeness, Engine, Job, Outcome, PartsError, learn_parts, work as on_partition,
};
use preceptron_learn::{Cells, Piece, Pieces, TableError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::arrow;
use crate::control::{Signals, beside};
use crate::errors::{failed, guarded};
use crate::learn::{settings, told};
use crate::rules::PyRules;
use crate::table::{Options, column};

/// A partition whose rows are in memory.
struct One(Option<Piece>);

impl Pieces for One {
    fn next_piece(&mut self) -> Result<Option<Piece>, TableError> {
        Ok(self.0.take().filter(|piece| piece.rows() > 0))
    }
}

/// Does a job on a partition: an object with an Arrow stream, or columns as the Python layer takes them apart.
#[pyfunction]
pub fn work<'py>(
    py: Python<'py>,
    job: &[u8],
    partition: usize,
    name: &str,
    rows: &Bound<'py, PyAny>,
    options: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let options = options.extract::<Options>()?.checked()?;
    guarded(|| {
        let cells: Vec<Cells> = match rows.extract::<Vec<Bound<'_, PyTuple>>>() {
            Ok(columns) => {
                columns.iter().map(|parts| column(name, parts, options.binary)).collect::<PyResult<_>>()?
            }
            Err(_) => arrow::columns(name, rows, options.binary)?,
        };
        let job = Job::from_bytes(job).map_err(failed)?;
        let done = py.detach(|| {
            let piece = Piece::from_cells(name, cells, &options)?;
            on_partition(&job, partition, &mut One(Some(piece)), &options, &Signals::default())
        });
        Ok(PyBytes::new(py, &done.map_err(failed)?.to_bytes()))
    })
}

/// Partitions that Python has work done on: a call takes the job and returns what came back from each.
struct Outside {
    run: Py<PyAny>,
    partitions: usize,
}

impl Engine for Outside {
    fn partitions(&self) -> usize {
        self.partitions
    }

    fn run(&self, job: &Job, control: &dyn Control) -> Result<Vec<Outcome>, PartsError> {
        if control.is_cancelled() {
            return Err(PartsError::Cancelled);
        }
        let back: Vec<Vec<u8>> = Python::attach(|py| {
            let back = self.run.call1(py, (PyBytes::new(py, &job.to_bytes()),))?;
            back.extract(py)
        })
        .map_err(|error: PyErr| PartsError::Engine(error.to_string()))?;
        if back.len() != self.partitions {
            let (found, expected) = (back.len(), self.partitions);
            return Err(PartsError::Engine(format!("{found} answers came back from {expected} partitions")));
        }
        back.iter().map(|bytes| Outcome::from_bytes(bytes)).collect()
    }
}

/// Learns from partitions; as for a table, and how many rows there are and were looked at closely.
#[pyfunction]
#[pyo3(signature = (run, partitions, options, settings_text, source, rows=None, threads=0, progress=None))]
#[expect(clippy::too_many_arguments, reason = "the Python layer has names for them")]
pub fn learn_partitions(
    py: Python<'_>,
    run: Py<PyAny>,
    partitions: usize,
    options: Bound<'_, PyAny>,
    settings_text: &str,
    source: &str,
    rows: Option<usize>,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(PyRules, String, Option<Py<PyAny>>)> {
    if threads > 1024 {
        return Err(failed(format!("threads = {threads} is out of range: 0 to 1024")));
    }
    if rows == Some(0) {
        return Err(failed("rows = 0: at least one row is looked at"));
    }
    let options = options.extract::<Options>()?.checked()?;
    let settings = settings(settings_text)?;
    let engine = Outside { run, partitions };
    let closeness = Closeness { rows, ..Closeness::default() };
    let outcome = beside(py, threads, progress.as_ref(), |signals| {
        learn_parts(&engine, &options, &settings, closeness, signals).map_err(failed)
    })?;
    let mut found = outcome.value;
    let stopped = outcome.stopped.map(|error| error.into_value(py).into_any());
    let said = told(&mut found.learned, &found.table, source, &settings)?;
    Ok((PyRules::of(found.learned.rules), said, stopped))
}
