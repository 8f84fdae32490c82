//! Errors at the border: what the program would say becomes an exception, and no panic goes any further.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use preceptron_learn::{Fault, TableError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pyo3::create_exception!(
    preceptron._native,
    PreceptronError,
    PyValueError,
    "What Preceptron cannot do, in the words of the program. A `ValueError`, as what was handed in is to blame."
);

pyo3::create_exception!(
    preceptron._native,
    TooManyValues,
    PreceptronError,
    "A column has more different values than a category; as text it may still be numbers of rows, dates or remarks."
);

/// An error of a table.
pub fn failed_table(error: TableError) -> PyErr {
    match *error.fault {
        Fault::TooManyValues { .. } => TooManyValues::new_err(error.to_string()),
        _ => failed(error),
    }
}

/// An error in the words of the program.
pub fn failed(error: impl Display) -> PyErr {
    PreceptronError::new_err(error.to_string())
}

/// An error with what it is about.
pub fn failed_in(what: &str, error: impl Display) -> PyErr {
    PreceptronError::new_err(format!("{what}: {error}"))
}

/// What a panic said. That of a lock which another panic left broken is no news.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

/// Does something; a panic on the way is an error.
pub fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    // Nothing that was half done is looked at again: its owner is told by the error.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(fault(&*panic)))
}

/// A panic as an error.
pub fn fault(panic: &(dyn std::any::Any + Send)) -> PyErr {
    failed(format!("a fault in preceptron itself, please report it: {}", said(panic)))
}
