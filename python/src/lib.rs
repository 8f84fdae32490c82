//! The native module of the Python package `preceptron`: calls of the library, taken apart and put together for the typed
//! layer above it. What a user sees is there, not here.

use pyo3::prelude::*;

mod array;
mod arrow;
mod bits;
mod control;
mod decode;
mod errors;
mod grounder;
mod learn;
mod parts;
mod reasoner;
mod rules;
mod table;
mod words;

/// The native module.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::decode::decode;
    #[pymodule_export]
    use crate::errors::{PreceptronError, TooManyValues};
    #[pymodule_export]
    use crate::grounder::{JointRows, ground};
    #[pymodule_export]
    use crate::learn::learn;
    #[pymodule_export]
    use crate::parts::{learn_partitions, work};
    #[pymodule_export]
    use crate::reasoner::{PyAnswer, PyReasoner};
    #[pymodule_export]
    use crate::rules::PyRules;
    #[pymodule_export]
    use crate::table::PyTable;

    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        use pyo3::types::PyModuleMethods;
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("PROGRAM", preceptron::PROGRAM)?;
        // What panics say belongs into the exception, not onto the terminal.
        std::panic::set_hook(Box::new(|_| ()));
        Ok(())
    }
}
