//! Tables piece by piece: rows in order, so many at a time, for tables that memory does not hold.
//!
//! Text is read as it comes, decompressed on the way; of a Parquet file all columns are read side by side, so that
//! memory grows with the size of a piece and not with that of the file.

use std::path::Path;

use preceptron_base::{ReadError, open_stream};

use super::cells::{Cells, kept};
use super::columns::Column;
use super::csv::CsvPieces;
use super::error::{Fault, TableError};
#[cfg(feature = "parquet")]
use super::parquet::ParquetPieces;
use super::source::{self, Kind};
use super::{Survey, Table, TableOptions};

/// How many rows a piece has, but for the last.
pub const PIECE: usize = 1 << 17;

/// Some rows of a table, in order, before it is known what its columns hold elsewhere.
pub struct Piece {
    pub(super) file: String,
    pub(super) columns: Vec<(usize, Column)>,
}

impl Piece {
    /// A piece of columns in memory; `name` is what errors call it.
    ///
    /// # Errors
    /// If the columns differ in length, or there is none of a name that is to be left out.
    pub fn from_cells(name: &str, columns: Vec<Cells>, options: &TableOptions) -> Result<Piece, TableError> {
        Ok(Piece { file: name.to_owned(), columns: kept(name, columns, options)? })
    }

    /// The name of the table, for errors.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, column)| column.rows())
    }

    /// What its columns hold.
    pub fn survey(&self) -> Survey {
        Survey::of(&self.columns)
    }

    /// The rows as examples of the variables that the whole table has.
    ///
    /// # Errors
    /// If the columns' names or values cannot become variables.
    pub fn table(self, survey: &Survey, options: &TableOptions) -> Result<Table, TableError> {
        survey.encode(&self.file, self.columns, options)
    }
}

/// The pieces of a table, from its beginning.
pub trait Pieces {
    /// The next piece; nothing at the end.
    ///
    /// # Errors
    /// If it cannot be read.
    fn next_piece(&mut self) -> Result<Option<Piece>, TableError>;
}

/// What a part of a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// A row group of a Parquet file.
    RowGroup(usize),
}

/// The parts of a file that can be read apart from one another.
///
/// # Errors
/// If the file cannot be read, or not in pieces.
pub fn parts_of(path: &Path) -> Result<Vec<Part>, TableError> {
    let file = path.display().to_string();
    match kind_of(path).map_err(|fault| fault.of(&file))? {
        #[cfg(feature = "parquet")]
        Kind::Parquet => ParquetPieces::parts(path),
        _ => Ok(vec![Part::Whole]),
    }
}

/// The pieces of a part of a file.
///
/// # Errors
/// If the file cannot be read, or not in pieces.
pub fn pieces_of<'a>(
    path: &Path,
    part: &Part,
    options: &'a TableOptions,
) -> Result<Box<dyn Pieces + 'a>, TableError> {
    let file = path.display().to_string();
    match (kind_of(path).map_err(|fault| fault.of(&file))?, part) {
        #[cfg(feature = "parquet")]
        (Kind::Parquet, part) => Ok(Box::new(ParquetPieces::open(path, part, options)?)),
        (Kind::Csv, _) => {
            let reader = open_stream(path).map_err(|error| Fault::from(error).of(&file))?;
            Ok(Box::new(CsvPieces::new(file, reader, options)?))
        }
        _ => Err(Fault::NotInPieces.of(&file)),
    }
}

/// What kind of table a file is, by its beginning.
fn kind_of(path: &Path) -> Result<Kind, Fault> {
    use std::io::Read;
    let mut start = Vec::new();
    let reader = open_stream(path)?;
    reader.take(4096).read_to_end(&mut start).map_err(ReadError::BrokenCompression)?;
    let kind = source::kind(&path.display().to_string(), &start)?;
    match kind {
        #[cfg(not(feature = "parquet"))]
        Kind::Parquet => Err(Fault::NoParquet),
        kind => Ok(kind),
    }
}
