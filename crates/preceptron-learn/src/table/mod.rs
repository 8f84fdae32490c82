//! Examples from tables: CSV, NPY and Parquet files become named variables and columns of bits.
//!
//! A column of 0 and 1 (or `true` and `false`) is one Boolean variable. A column with other values is
//! categorical and becomes a one-hot axis: a column `colour` becomes `colour[value blue]` and
//! `colour[value red]`, a column `work[nurse 1, day 2]` becomes `work[nurse 1, day 2, value off]` and so
//! on. The columns of one block share their labels, so that its axes are regular: if one of them is
//! categorical all are, and a label that a column never shows is a variable that is always false there.
//! Columns whose names end in indices, such as `grid(0_3)`, are placed on axes `i`, `j` and so on.
//! An empty cell, `?`, `NA` and a number that is not one are "not observed".

mod columns;
mod csv;
mod encode;
mod error;
mod indices;
mod npy;
#[cfg(feature = "parquet")]
mod parquet;
mod source;

pub use error::{Fault, Position, TableError};

use std::path::Path;

use preceptron_base::{BUDGET, decompress, read_file};
use preceptron_logic::{Expression, Variables};

use crate::Examples;
use source::Kind;

/// How to read a table.
#[derive(Clone, Debug)]
pub struct TableOptions {
    /// Take any value other than 0, 1, true, false or an empty one for an error.
    pub binary: bool,
    /// Axes to compute from others: a name and an expression each.
    pub derive: Vec<(String, Expression)>,
    /// The name of the axis on which the values of categorical columns stand.
    pub value_axis: String,
    /// Columns to leave out; a name that ends in `*` stands for all that begin like it.
    pub ignore: Vec<String>,
    /// The character between fields of text; without one, what the header has most of.
    pub delimiter: Option<u8>,
    /// Whether a table of text begins with its columns' names.
    pub header: bool,
    /// Names for the columns of a table without a header; without them `x1`, `x2` and so on.
    pub names: Option<Vec<String>>,
}

impl Default for TableOptions {
    fn default() -> TableOptions {
        TableOptions {
            binary: false,
            derive: vec![],
            value_axis: "value".to_owned(),
            ignore: vec![],
            delimiter: None,
            header: true,
            names: None,
        }
    }
}

/// Categorical columns that became one-hot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoded {
    /// The block that they became, with its axes but the new one: `work[nurse, day]`, or `colour`.
    pub block: String,
    /// How many columns they were.
    pub columns: usize,
    /// The name of the axis on which their values stand.
    pub axis: String,
    /// The values, in order.
    pub labels: Vec<String>,
}

/// What was read from a table.
#[derive(Clone, Debug)]
pub struct Table {
    /// The variables, in the order of the table's columns.
    pub variables: Variables,
    /// The rows.
    pub examples: Examples,
    /// Which columns were categorical.
    pub encoded: Vec<Encoded>,
    /// What a user should know of the reading, in words.
    pub notes: Vec<String>,
}

impl Table {
    /// Reads a table from a file: NPY and Parquet by the file's name, anything else as text.
    pub fn read(path: &Path, options: &TableOptions) -> Result<Table, TableError> {
        let file = path.display().to_string();
        let bytes = read_file(path, BUDGET).map_err(|error| Fault::from(error).of(&file))?;
        Table::from_bytes(&file, bytes, options)
    }

    /// Reads a table that is already in memory; `file` is its name, for its kind and for errors.
    pub fn from_bytes(file: &str, bytes: Vec<u8>, options: &TableOptions) -> Result<Table, TableError> {
        let bytes = decompress(bytes, BUDGET).map_err(|error| Fault::from(error).of(file))?;
        let columns = match source::kind(file, &bytes).map_err(|fault| fault.of(file))? {
            Kind::Csv => csv::read(file, &bytes, options)?,
            Kind::Npy => npy::read(file, &bytes, options)?,
            #[cfg(feature = "parquet")]
            Kind::Parquet => parquet::read(file, bytes, options)?,
            #[cfg(not(feature = "parquet"))]
            Kind::Parquet => return Err(Fault::NoParquet.of(file)),
        };
        encode::encode(file, columns.kept(), options)
    }
}
