//! What can be wrong with a table, and where.

use std::fmt;

use preceptron_base::{COLUMNS, ReadError};
use preceptron_logic::VariablesError;

/// A table that cannot be read: which file, where in it, and what is wrong.
#[derive(Debug, thiserror::Error)]
pub struct TableError {
    /// The file, as the caller named it.
    pub file: String,
    /// The line or row, if one is to blame.
    pub position: Option<Position>,
    /// The column's name, if one is to blame.
    pub column: Option<String>,
    /// What is wrong.
    #[source]
    pub fault: Box<Fault>,
}

/// A place in a table, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// A line of a text file.
    Line(u64),
    /// A row of a table without lines.
    Row(u64),
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Line(line) => write!(f, "line {line}"),
            Position::Row(row) => write!(f, "row {row}"),
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        // A name in quotes can go over several lines; the error has one.
        let column = self.column.as_ref().map(|name| name.replace(|c: char| c.is_control(), " "));
        match (&self.position, &column) {
            (Some(position), Some(column)) => write!(f, ": {position}, column {column}")?,
            (Some(position), None) => write!(f, ": {position}")?,
            (None, Some(column)) => write!(f, ": column {column}")?,
            (None, None) => {}
        }
        write!(f, ": {}", self.fault)
    }
}

/// What is wrong with a table.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The file cannot be read or decompressed.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// Another kind of file than its name says.
    #[error("is not {expected}: {found}")]
    Kind {
        /// What the name promises.
        expected: &'static str,
        /// What is there instead.
        found: String,
    },
    /// A format that this build leaves out.
    #[error("this build reads no Parquet (it lacks the feature `parquet`)")]
    NoParquet,
    /// Nothing in it.
    #[error("is empty")]
    Empty,
    /// No rows below the header.
    #[error("has a header and no rows")]
    NoRows,
    /// No column is left.
    #[error("has no columns")]
    NoColumns,
    /// More columns, or values of them, than are read.
    #[error("has {what}, and at most {most} are read; {}", COLUMNS.raised())]
    TooManyColumns {
        /// How many there are of what.
        what: String,
        /// The limit.
        most: u64,
    },
    /// A row of another length than the header's.
    #[error("has {found} fields where the first row has {expected}")]
    Ragged {
        /// The first row's number of fields.
        expected: usize,
        /// This row's.
        found: usize,
    },
    /// Bytes that are not text.
    #[error("is not valid UTF-8")]
    Utf8,
    /// A header that seems to be a row of values.
    #[error("the header has only numbers; if the table has none, say --no-header (columns x1, x2, ...)")]
    NumericHeader,
    /// A header with a name cut at its commas.
    #[error("the name {0:?} ends inside its brackets; put names that have commas in quotes")]
    UnquotedName(String),
    /// Two columns with one name.
    #[error("column {second} has the same name as column {first}")]
    DuplicateName {
        /// The first column with the name, from 1.
        first: usize,
        /// The second one.
        second: usize,
    },
    /// A column without a name.
    #[error("column {number} has no name")]
    NoName {
        /// The column's number, from 1.
        number: usize,
    },
    /// Another number of names than of columns.
    #[error("has {columns} columns, but {names} names were given for them")]
    Names {
        /// The number of columns.
        columns: usize,
        /// The number of names.
        names: usize,
    },
    /// A pattern of columns to ignore that fits none.
    #[error("no column is named {0:?}, which is to be ignored")]
    NothingToIgnore(String),
    /// A value where only 0 and 1 are allowed.
    #[error("{value:?} is not 0 or 1 (or true, false, or empty where not observed)")]
    NotBinary {
        /// The value.
        value: String,
    },
    /// More different values than a category has.
    #[error("has more than {most} different values; an identifier or a measurement? --ignore leaves it out")]
    TooManyValues {
        /// The greatest number of values.
        most: usize,
    },
    /// Columns of pictures alone.
    #[error(
        "no cell of a column with pictures has a value, so nothing says what pictures may show; see --alphabet"
    )]
    NoAlphabet,
    /// A value that no picture may show.
    #[error("{value:?} is not among the symbols that pictures may show; see --alphabet")]
    NotInAlphabet {
        /// The value.
        value: String,
    },
    /// Values that are one label once characters with a meaning in names are replaced.
    #[error("the values {first:?} and {second:?} become the same label")]
    SameLabel {
        /// One of the values.
        first: String,
        /// The other.
        second: String,
    },
    /// A name for the axis of values that cannot be one, or is taken.
    #[error("{axis:?} cannot name the axis of its values: {reason}; --value-axis gives it another name")]
    ValueAxis {
        /// The name.
        axis: String,
        /// Why not.
        reason: &'static str,
    },
    /// A part of a table with other columns than the first.
    #[error("has other columns than the first part{}", differing(extra, missing))]
    OtherColumns {
        /// A column that the first part does not have.
        extra: Option<String>,
        /// A column of the first part that is not there.
        missing: Option<String>,
    },
    /// A kind of table that is only read whole.
    #[error("cannot be read in pieces; several tables are CSV or Parquet")]
    NotInPieces,
    /// A broken NPY or Parquet file, in words.
    #[error("{0}")]
    Broken(String),
    /// What is wrong with a sheet, and where in it, in words.
    #[error("{0}")]
    Sheet(String),
    /// Names that do not go together, or a derived axis that cannot be.
    #[error(transparent)]
    Variables(#[from] VariablesError),
}

/// Which column is new and which is missing, in brackets.
fn differing(extra: &Option<String>, missing: &Option<String>) -> String {
    let new = extra.as_ref().map(|name| format!("{name:?} is new"));
    let gone = missing.as_ref().map(|name| format!("{name:?} is missing"));
    match new.into_iter().chain(gone).collect::<Vec<_>>() {
        none if none.is_empty() => ": they are in another order".to_owned(),
        some => format!(": {}", some.join(", ")),
    }
}

impl Fault {
    /// Whether a text with this fault may be a table that is not tidy.
    pub(super) fn may_be_untidy(&self) -> bool {
        use Fault::{DuplicateName, NoName, Ragged, TooManyValues, Utf8};
        match self {
            // A title has fewer fields than what is below it.
            Ragged { expected, found } => found > expected,
            other => matches!(other, DuplicateName { .. } | NoName { .. } | TooManyValues { .. } | Utf8),
        }
    }

    /// Whether it says more of an untidy table than what was wrong with it as a tidy one.
    pub(super) fn is_telling(&self) -> bool {
        let known = [
            "has no name",
            "has the same name",
            "has a header and no rows",
            "is empty",
            "only numbers",
            "fields where",
        ];
        matches!(self, Fault::Sheet(what) if !known.iter().any(|known| what.contains(known)))
    }

    /// The fault in this file.
    pub(super) fn of(self, file: &str) -> TableError {
        TableError { file: file.to_owned(), position: None, column: None, fault: Box::new(self) }
    }
}

impl TableError {
    pub(super) fn at(mut self, position: Position) -> TableError {
        self.position = Some(position);
        self
    }

    pub(super) fn in_column(mut self, name: &str) -> TableError {
        self.column = Some(name.to_owned());
        self
    }
}
