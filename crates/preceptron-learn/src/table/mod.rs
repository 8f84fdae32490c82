//! Examples from tables: CSV, NPY and Parquet files become named variables and columns of bits.
//!
//! A column of 0 and 1 (or `true` and `false`) is one Boolean variable. A column with other values is
//! categorical and becomes a one-hot axis: a column `colour` becomes `colour[value blue]` and
//! `colour[value red]`, a column `work[nurse 1, day 2]` becomes `work[nurse 1, day 2, value off]` and so
//! on. The columns of one block share their labels, so that its axes are regular: if one of them is
//! categorical all are, and a label that a column never shows is a variable that is always false there.
//! Columns whose names end in indices, such as `grid(0_3)`, are placed on axes `i`, `j` and so on.
//! An empty cell, `?`, `NA` and a number that is not one are "not observed".
//!
//! Workbooks (`.xlsx`, `.ods`), and text that is not as tidy as this, are read as [sheets](Sheet) first.

mod cells;
mod columns;
mod csv;
mod encode;
mod error;
mod indices;
mod npy;
#[cfg(feature = "parquet")]
mod parquet;
mod pieces;
mod plan;
mod sheet;
mod source;
mod survey;

pub use cells::Cells;
pub use error::{Fault, Position, TableError};
pub use npy::Array;
pub use pieces::{Part, Piece, Pieces, parts_of, pieces_of};
pub use plan::{Plan, PlanColumn, Said, Values, number_of};
pub use sheet::{
    Archive, Area, Content, DateOrder, Decimal, Fill, Grid, HeaderAxes, Holds, Key, Painted, Pivot, Sheet,
    SheetCell, SheetColumn, SheetOptions, SheetRow, Wish, letters, workbook, written_text,
};
pub use survey::Survey;

use std::path::Path;

use preceptron_base::{BUDGET, decompress, read_packed};
use preceptron_logic::{Expression, Var, Variables};

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
    /// Take cells that name pictures, such as `sign.png` or `page.jpg#0,28,28,28`, for pictures: as values they are
    /// not observed, and they are listed apart. Columns with pictures share their values.
    pub pictures: bool,
    /// The values that columns with pictures may have; without them those that occur.
    pub alphabet: Option<Vec<String>>,
    /// Take every column for categorical, whatever its values.
    pub categorical: bool,
    /// Which part of a workbook or text is the table, and how to read what can be read in several ways.
    pub sheet: SheetOptions,
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
            pictures: false,
            alphabet: None,
            categorical: false,
            sheet: SheetOptions::default(),
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

/// A cell that names a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureCell {
    /// The row, from 0.
    pub row: usize,
    /// The column's name, as variables have it.
    pub column: String,
    /// What stands in the cell.
    pub name: String,
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
    /// The names of the columns, as variables have them.
    pub columns: Vec<String>,
    /// The cells that name pictures, row by row, if these were asked for.
    pub pictures: Vec<PictureCell>,
    /// What was seen and changed in a table that is not tidy, in short lines.
    pub said: Vec<String>,
}

/// The variables that say which value a categorical column has, each with the value's label; a Boolean column has
/// none.
pub fn values_of<'a>(variables: &'a Variables, column: &str, axis: &str) -> Vec<(&'a str, Var)> {
    let start = encode::start_of(column, axis);
    let label = |name: &'a String| name.strip_prefix(&start)?.strip_suffix(']');
    let all = (0..).map(Var).zip(variables.names());
    all.filter_map(|(var, name)| Some((label(name)?, var))).collect()
}

/// The names of columns as variables have them: indices stand on axes.
pub fn column_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let names: Vec<&str> = names.collect();
    let (placed, _) = indices::placed(names.iter().copied());
    let canonical = |(placed, name): (Option<String>, &&str)| {
        plan::canonical(&placed.unwrap_or_else(|| (*name).to_owned()))
    };
    placed.into_iter().zip(&names).map(canonical).collect()
}

/// The bytes of a file as they are.
fn raw(path: &Path, file: &str) -> Result<Vec<u8>, TableError> {
    read_packed(path, BUDGET).map_err(|error| Fault::from(error).of(file))
}

impl Table {
    /// Reads a table from a file: workbooks by their content, NPY and Parquet by the file's name, anything else as text.
    pub fn read(path: &Path, options: &TableOptions) -> Result<Table, TableError> {
        let file = path.display().to_string();
        Table::from_bytes(&file, raw(path, &file)?, options)
    }

    /// Reads a table that is already in memory; `file` is its name, for its kind and for errors.
    pub fn from_bytes(file: &str, bytes: Vec<u8>, options: &TableOptions) -> Result<Table, TableError> {
        if sheet::is_workbook(&bytes) {
            return Sheet::from_bytes(file, bytes, options)?.table(options);
        }
        let bytes = decompress(bytes, BUDGET).map_err(|error| Fault::from(error).of(file))?;
        let is_wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
        let kind = match is_wide {
            true => Kind::Csv,
            false => source::kind(file, &bytes).map_err(|fault| fault.of(file))?,
        };
        let columns = match kind {
            Kind::Csv => return Table::of_text(file, bytes, options, is_wide),
            Kind::Npy => npy::read(file, &bytes, options)?,
            #[cfg(feature = "parquet")]
            Kind::Parquet => parquet::read(file, bytes, options)?,
            #[cfg(not(feature = "parquet"))]
            Kind::Parquet => return Err(Fault::NoParquet.of(file)),
        };
        let (columns, pictures) = columns.kept();
        encode::encode(file, columns, pictures, options)
    }

    /// A table of text: as it is if it is tidy, else as a sheet.
    fn of_text(
        file: &str,
        bytes: Vec<u8>,
        options: &TableOptions,
        is_wide: bool,
    ) -> Result<Table, TableError> {
        if is_wide || options.sheet.is_asked() {
            return Sheet::from_bytes(file, bytes, options)?.table(options);
        }
        let tidy = csv::read(file, &bytes, options).and_then(|columns| {
            let (columns, pictures) = columns.kept();
            let is_untidy = !options.binary && sheet::is_untidy(&columns);
            Ok((encode::encode(file, columns, pictures, options)?, is_untidy))
        });
        match tidy {
            Ok((table, false)) => Ok(table),
            Ok((_, true)) => Sheet::from_bytes(file, bytes, options)?.table(options),
            Err(error) if options.binary || !error.fault.may_be_untidy() => Err(error),
            Err(error) => {
                match Sheet::from_bytes(file, bytes, options).and_then(|sheet| sheet.table(options)) {
                    Ok(table) => Ok(table),
                    Err(other) if other.fault.is_telling() => Err(other),
                    Err(_) => Err(error),
                }
            }
        }
    }
}

impl Sheet {
    /// The table as variables and examples; columns that say nothing of rules are left out.
    ///
    /// # Errors
    /// If names do not go together, or a column has too many values.
    pub fn table(&self, options: &TableOptions) -> Result<Table, TableError> {
        let kept: Vec<usize> = (0..self.columns.len())
            .filter(|at| !matches!(self.columns[*at].holds, Holds::Aside(_)))
            .collect();
        let names = kept.iter().map(|at| self.columns[*at].name.clone()).collect();
        let plain = TableOptions { ignore: vec![], binary: false, ..options.clone() };
        let mut columns = columns::Columns::new(names, &plain).map_err(|fault| fault.of(&self.file))?;
        for (row, cells) in self.rows.iter().zip(&self.cells) {
            for (column, at) in kept.iter().enumerate() {
                columns.push(column, cells[*at].word.as_bytes()).map_err(|fault| {
                    let name = &self.columns[*at].name;
                    fault.of(&self.file).at(Position::Row(row.at as u64 + 1)).in_column(name)
                })?;
            }
        }
        let (columns, pictures) = columns.kept();
        let plain = TableOptions { names: options.names.clone().or(Some(vec![])), ..plain };
        let mut table = encode::encode(&self.file, columns, pictures, &plain)?;
        table.said.clone_from(&self.said);
        Ok(table)
    }
}
