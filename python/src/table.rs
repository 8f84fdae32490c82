//! Tables: from files, from Arrow, and from columns that the Python layer took apart.

use std::path::PathBuf;

use preceptron_learn::{Cells, Table, TableOptions};
use preceptron_logic::Expression;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::array::{Array, Kind};
use crate::arrow;
use crate::bits::Bits;
use crate::control::beside;
use crate::errors::{failed, failed_table, guarded};
use crate::words::{Words, float, wrong};

/// A table that was read: named Boolean variables and rows.
#[pyclass(frozen, name = "Table", module = "preceptron._native")]
pub struct PyTable {
    pub table: Table,
}

/// How a table is read.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Options {
    binary: bool,
    derive: Vec<(String, String)>,
    value_axis: String,
    ignore: Vec<String>,
    delimiter: Option<String>,
    header: bool,
    names: Option<Vec<String>>,
    categorical: bool,
}

impl Options {
    /// The options as the library takes them.
    pub fn checked(self) -> PyResult<TableOptions> {
        let mut derive = Vec::new();
        for (name, text) in self.derive {
            let expression: Expression = text.parse().map_err(failed)?;
            derive.push((name, expression));
        }
        let delimiter = match self.delimiter.as_deref().map(str::as_bytes) {
            None => None,
            Some([byte]) if byte.is_ascii() && !b"\"\r\n".contains(byte) => Some(*byte),
            Some(_) => return Err(failed("a delimiter is one ASCII character")),
        };
        Ok(TableOptions {
            binary: self.binary,
            derive,
            value_axis: self.value_axis,
            ignore: self.ignore,
            delimiter,
            header: self.header,
            names: self.names,
            categorical: self.categorical,
            ..TableOptions::default()
        })
    }
}

/// A column of numbers, those that are left out where `mask` is set not observed.
fn numbers<T: Kind, K: std::hash::Hash + Eq + Copy>(
    table: &str,
    name: &str,
    binary: bool,
    values: &Bound<'_, PyAny>,
    mask: &Bound<'_, PyAny>,
    key: impl Fn(T) -> K,
    spell: impl Fn(T, &mut String),
) -> PyResult<Cells> {
    let array = Array::<T>::new(values)?;
    let mask = (!mask.is_none()).then(|| Array::<u8>::new(mask)).transpose()?;
    let mut words = Words::new(name, binary);
    for (row, &value) in array.values().iter().enumerate() {
        if mask.as_ref().is_some_and(|mask| mask.values().get(row).is_none_or(|byte| *byte != 0)) {
            words.push_missing();
        } else {
            words
                .push(key(value), |text| spell(value, text))
                .map_err(|fault| failed_table(wrong(table, name, row, fault)))?;
        }
    }
    Ok(words.cells)
}

/// A column: its name, its kind, its values, and for some kinds something more.
pub fn column(table: &str, parts: &Bound<'_, PyTuple>, binary: bool) -> PyResult<Cells> {
    let (name, kind, values, more): (String, String, Bound<'_, PyAny>, Bound<'_, PyAny>) = parts.extract()?;
    let at = |row: usize, fault| failed_table(wrong(table, &name, row, fault));
    match kind.as_str() {
        "bool" => {
            let array = Array::<u8>::new(&values)?;
            let mut bits = Bits::default();
            bits.push_bytes(array.values());
            let known = match more.is_none() {
                true => None,
                false => {
                    let mask = Array::<u8>::new(&more)?;
                    let mut known = Bits::default();
                    known.push_bytes(
                        &mask.values().iter().map(|byte| u8::from(*byte == 0)).collect::<Vec<_>>(),
                    );
                    if known.len != bits.len {
                        return Err(failed(format!("{table}: column {name}: a mask of another length")));
                    }
                    Some(known.words)
                }
            };
            Ok(Cells::of_bits(&name, bits.len, bits.words, known))
        }
        "int" => {
            numbers::<i64, _>(table, &name, binary, &values, &more, |v| v, |v, text| *text = v.to_string())
        }
        "uint" => {
            numbers::<u64, _>(table, &name, binary, &values, &more, |v| v, |v, text| *text = v.to_string())
        }
        "float" => numbers::<f64, _>(table, &name, binary, &values, &more, f64::to_bits, float),
        "float32" => numbers::<f32, _>(table, &name, binary, &values, &more, f32::to_bits, float),
        "codes" => {
            let (array, words) = (Array::<i64>::new(&values)?, more.extract::<Vec<String>>()?);
            let mut cells = Cells::new(&name);
            let mut codes: Vec<Option<u8>> = vec![None; words.len()];
            for (row, &number) in array.values().iter().enumerate() {
                let Some(word) = usize::try_from(number).ok().filter(|&number| number < words.len()) else {
                    cells.push(None);
                    continue;
                };
                if codes[word].is_none() {
                    codes[word] = Some(cells.code(&words[word], binary).map_err(|fault| at(row, fault))?);
                }
                cells.push(codes[word]);
            }
            Ok(cells)
        }
        _ => {
            let mut cells = Cells::new(&name);
            for (row, word) in values.cast::<PyList>()?.iter().enumerate() {
                let code = match word.is_none() {
                    true => None,
                    false => {
                        Some(cells.code(&word.extract::<String>()?, binary).map_err(|fault| at(row, fault))?)
                    }
                };
                cells.push(code);
            }
            Ok(cells)
        }
    }
}

#[pymethods]
impl PyTable {
    /// Reads a file.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf, options: Bound<'_, PyAny>) -> PyResult<PyTable> {
        let options = options.extract::<Options>()?.checked()?;
        let read = beside(py, 0, None, |_| Table::read(&path, &options).map_err(failed))?;
        Ok(PyTable { table: read.whole()? })
    }

    /// Reads text as that of a file.
    #[staticmethod]
    fn from_text(py: Python<'_>, name: &str, text: Vec<u8>, options: Bound<'_, PyAny>) -> PyResult<PyTable> {
        let options = options.extract::<Options>()?.checked()?;
        let table = guarded(|| py.detach(|| Table::from_bytes(name, text, &options)).map_err(failed))?;
        Ok(PyTable { table })
    }

    /// Takes over what an object exports as an Arrow stream.
    #[staticmethod]
    fn from_arrow(name: &str, object: &Bound<'_, PyAny>, options: Bound<'_, PyAny>) -> PyResult<PyTable> {
        let options = options.extract::<Options>()?.checked()?;
        guarded(|| {
            let cells = arrow::columns(name, object, options.binary)?;
            PyTable::of(object.py(), name, cells, &options)
        })
    }

    /// Takes over columns: tuples of a name, a kind, values, and what goes with the kind.
    #[staticmethod]
    fn from_columns(
        name: &str,
        columns: Vec<Bound<'_, PyTuple>>,
        options: Bound<'_, PyAny>,
    ) -> PyResult<PyTable> {
        let py = options.py();
        let options = options.extract::<Options>()?.checked()?;
        guarded(|| {
            let cells = columns.iter().map(|parts| column(name, parts, options.binary));
            let cells = cells.collect::<PyResult<Vec<_>>>()?;
            PyTable::of(py, name, cells, &options)
        })
    }

    /// How many rows there are.
    #[getter]
    fn examples(&self) -> usize {
        self.table.examples.len()
    }

    /// The names of the Boolean variables.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.table.variables.names().to_vec()
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.table.columns.clone()
    }

    /// The share of values that are observed.
    #[getter]
    fn observed(&self) -> f64 {
        self.table.examples.observed()
    }

    /// What is to be known of the reading.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.table.notes.clone()
    }

    /// The values, a byte for each: 0, 1, or 255 where nothing was observed; written row by row into an array.
    fn values_into(&self, into: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut array = Array::<u8>::new(into)?;
        let (rows, width) = (self.table.examples.len(), self.table.variables.len());
        if array.shape() != [rows, width] {
            return Err(failed("an array of another shape"));
        }
        let values = array.values_mut()?;
        for (var, column) in (0..).map(preceptron_logic::Var).zip(0..width) {
            for row in 0..rows {
                values[row * width + column] = self.table.examples.get(row, var).map_or(255, u8::from);
            }
        }
        Ok(())
    }

    fn __len__(&self) -> usize {
        self.table.examples.len()
    }

    fn __repr__(&self) -> String {
        let (rows, variables) = (self.table.examples.len(), self.table.variables.len());
        format!("<preceptron.Table of {rows} examples, {variables} Boolean variables>")
    }
}

impl PyTable {
    fn of(py: Python<'_>, name: &str, cells: Vec<Cells>, options: &TableOptions) -> PyResult<PyTable> {
        let table = py.detach(|| Table::from_cells(name, cells, options)).map_err(failed_table)?;
        Ok(PyTable { table })
    }
}
