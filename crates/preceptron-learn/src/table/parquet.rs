//! Parquet files with flat columns of truth values, numbers or text.
//!
//! Columns are read side by side, a piece of the rows at a time. The crate that decodes them panics on some broken
//! files. Such a panic is caught here and becomes an error like that of any other broken file; the process's panic
//! hook still has its say.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use parquet::basic::Repetition;
use parquet::column::page::{Page, PageReader};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::schema::types::{ColumnDescPtr, Type};

use super::TableOptions;
use super::columns::{Column, Columns, MISSING, check_width};
use super::error::{Fault, Position, TableError};
use super::pieces::{PIECE, Part, Piece, Pieces};

/// Reads a Parquet file.
pub(super) fn read(file: &str, bytes: Vec<u8>, options: &TableOptions) -> Result<Columns, TableError> {
    guarded(file, || {
        let mut rows = Rows::open(file, bytes::Bytes::from(bytes), options)?;
        while rows.read(usize::MAX)? > 0 {}
        Ok(rows.columns)
    })
}

/// Work in which a broken file may make the decoder panic. Nothing outlives the panic but what is only read, and a
/// reader that is not asked again.
fn guarded<T>(file: &str, work: impl FnOnce() -> Result<T, TableError>) -> Result<T, TableError> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(Fault::Broken("is a broken Parquet file".to_owned()).of(file)))
}

/// The decoder's error as one of the table.
fn broken(file: &str) -> impl Fn(ParquetError) -> TableError + '_ {
    // The message may quote a name of several lines.
    move |error| Fault::Broken(error.to_string().replace(|c: char| c.is_control(), " ")).of(file)
}

/// The rows of some row groups, columns side by side.
struct Rows<R: ChunkReader + 'static> {
    file: String,
    reader: SerializedFileReader<R>,
    columns: Columns,
    /// The row groups that are still to be read, and the rows before them.
    groups: Range<usize>,
    before: u64,
    /// The group that is being read: its columns, and how many of its rows are left.
    current: Vec<(ColumnDescPtr, ColumnReader)>,
    left: usize,
}

impl<R: ChunkReader + 'static> Rows<R> {
    fn open(file: &str, source: R, options: &TableOptions) -> Result<Rows<R>, TableError> {
        let reader = SerializedFileReader::new(source).map_err(broken(file))?;
        let fields = reader.metadata().file_metadata().schema().get_fields();
        let nested = fields.iter().find(|field| !is_plain(field));
        if let Some(field) = nested {
            let fault = Fault::Broken("is nested; a table has plain columns".to_owned());
            return Err(fault.of(file).in_column(field.name()));
        }
        check_width(fields.len()).map_err(|fault| fault.of(file))?;
        let names = fields.iter().map(|field| field.name().to_owned()).collect();
        let columns = Columns::new(names, options).map_err(|fault| fault.of(file))?;
        let groups = 0..reader.num_row_groups();
        Ok(Rows { file: file.to_owned(), reader, columns, groups, before: 0, current: vec![], left: 0 })
    }

    /// Adds up to so many rows to the columns; how many there were.
    fn read(&mut self, most: usize) -> Result<usize, TableError> {
        let mut done = 0;
        while done < most {
            if self.left == 0 && !self.next_group()? {
                break;
            }
            let rows = self.left.min(most - done).min(PIECE);
            let at = self.before;
            for (number, (about, reader)) in self.current.iter_mut().enumerate() {
                let name = self.columns.name(number).to_owned();
                let Some(column) = self.columns.column(number) else { continue };
                read_cells(about, reader, rows, column).map_err(|wrong| match wrong {
                    Wrong::Decoding(error) => broken(&self.file)(error),
                    Wrong::Cell(row, fault) => {
                        fault.of(&self.file).at(Position::Row(at + row as u64 + 1)).in_column(&name)
                    }
                })?;
            }
            self.before += rows as u64;
            self.left -= rows;
            done += rows;
        }
        Ok(done)
    }

    /// Goes on with the next row group that has rows.
    fn next_group(&mut self) -> Result<bool, TableError> {
        let file = self.file.clone();
        let broken = broken(&file);
        for number in self.groups.by_ref() {
            let group = self.reader.get_row_group(number).map_err(&broken)?;
            let rows = group.metadata().num_rows();
            if group.num_columns() != self.columns.len() {
                return Err(Fault::Broken("has a row group with other columns".to_owned()).of(&file));
            }
            self.current.clear();
            for column in 0..group.num_columns() {
                check_dictionary(&mut *group.get_column_page_reader(column).map_err(&broken)?)
                    .map_err(&broken)?;
                let about = group.metadata().column(column).column_descr_ptr();
                self.current.push((about, group.get_column_reader(column).map_err(&broken)?));
            }
            self.left = usize::try_from(rows).unwrap_or(0);
            if self.left > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether a field is one value for each row.
fn is_plain(field: &Type) -> bool {
    field.is_primitive() && field.get_basic_info().repetition() != Repetition::REPEATED
}

/// What can be wrong while cells are read.
enum Wrong {
    Decoding(ParquetError),
    /// The row among those that are read, from 0.
    Cell(usize, Fault),
}

/// Reads so many cells of one column.
fn read_cells(
    about: &ColumnDescPtr,
    reader: &mut ColumnReader,
    rows: usize,
    column: &mut Column,
) -> Result<(), Wrong> {
    match reader {
        ColumnReader::BoolColumnReader(reader) => {
            cells(about, reader, rows, column, |value| *value, |_, value| Ok(Field::Bool(*value)))
        }
        ColumnReader::Int32ColumnReader(reader) => cells(
            about,
            reader,
            rows,
            column,
            |value| *value,
            |about, value| Ok(Field::convert_int32(about, *value)),
        ),
        ColumnReader::Int64ColumnReader(reader) => cells(
            about,
            reader,
            rows,
            column,
            |value| *value,
            |about, value| Ok(Field::convert_int64(about, *value)),
        ),
        ColumnReader::Int96ColumnReader(reader) => cells(
            about,
            reader,
            rows,
            column,
            |value| value.to_nanos(),
            |about, value| Ok(Field::convert_int96(about, *value)),
        ),
        ColumnReader::FloatColumnReader(reader) => {
            cells(about, reader, rows, column, |value| value.to_bits(), |_, value| Ok(Field::Float(*value)))
        }
        ColumnReader::DoubleColumnReader(reader) => {
            cells(about, reader, rows, column, |value| value.to_bits(), |_, value| Ok(Field::Double(*value)))
        }
        ColumnReader::ByteArrayColumnReader(reader) => cells(
            about,
            reader,
            rows,
            column,
            |value| value.data().to_vec(),
            |about, value| Field::convert_byte_array(about, value.clone()),
        ),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => cells(
            about,
            reader,
            rows,
            column,
            |value| value.data().to_vec(),
            |about, value| Field::convert_byte_array(about, value.clone().into()),
        ),
    }
}

/// Reads cells of one type; a value that was seen in this batch is not written as text again.
fn cells<T: DataType, K: Eq + Hash>(
    about: &ColumnDescPtr,
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    column: &mut Column,
    key: impl Fn(&T::T) -> K,
    field: impl Fn(&ColumnDescPtr, &T::T) -> Result<Field, ParquetError>,
) -> Result<(), Wrong> {
    let (mut defined, mut values) = (Vec::new(), Vec::new());
    let (mut read, mut codes) = (0, HashMap::new());
    while read < rows {
        defined.clear();
        values.clear();
        let levels = (about.max_def_level() > 0).then_some(&mut defined);
        let (records, _, _) =
            reader.read_records(rows - read, levels, None, &mut values).map_err(Wrong::Decoding)?;
        if records == 0 {
            let what = format!("a column ends after {read} of {rows} rows");
            return Err(Wrong::Decoding(ParquetError::General(what)));
        }
        let mut values = values.iter();
        for row in 0..records {
            let is_null = defined.get(row).is_some_and(|level| *level < about.max_def_level());
            let code = match if is_null { None } else { values.next() } {
                None => MISSING,
                Some(value) => match codes.entry(key(value)) {
                    std::collections::hash_map::Entry::Occupied(known) => *known.get(),
                    std::collections::hash_map::Entry::Vacant(new) => {
                        let field = field(about, value).map_err(Wrong::Decoding)?;
                        *new.insert(code(column, &field).map_err(|fault| Wrong::Cell(read + row, fault))?)
                    }
                },
            };
            column.codes.push(code);
        }
        read += records;
    }
    Ok(())
}

/// The code of a value.
fn code(column: &mut Column, field: &Field) -> Result<u8, Fault> {
    let mut word = |text: &str| column.code(text.as_bytes(), false);
    match field {
        Field::Null => Ok(MISSING),
        Field::Bool(value) => Ok(u8::from(*value)),
        Field::Float(value) if value.is_nan() => Ok(MISSING),
        Field::Double(value) if value.is_nan() => Ok(MISSING),
        Field::Float(value) => word(&value.to_string()),
        Field::Double(value) => word(&value.to_string()),
        Field::Str(text) => word(text),
        Field::Group(_) | Field::ListInternal(_) | Field::MapInternal(_) => {
            Err(Fault::Broken("is nested; a table has plain columns".to_owned()))
        }
        other => word(&other.to_string()),
    }
}

/// The decoder gives a dictionary whatever memory the header of its page asks for, and a failure to get
/// it cannot be caught; so the number of values is held against the page's length before. A value takes
/// a bit at the least.
fn check_dictionary(pages: &mut dyn PageReader) -> Result<(), ParquetError> {
    while let Some(about) = pages.peek_next_page()? {
        if !about.is_dict {
            pages.skip_next_page()?;
            continue;
        }
        if let Some(Page::DictionaryPage { buf, num_values, .. }) = pages.get_next_page()?
            && num_values as usize > 8 * buf.len()
        {
            let length = buf.len();
            let what = format!("a dictionary of {num_values} values in a page of {length} bytes");
            return Err(ParquetError::General(what));
        }
    }
    Ok(())
}

/// A part of a file that is read piece by piece.
pub(super) struct ParquetPieces {
    rows: Rows<std::fs::File>,
}

impl ParquetPieces {
    /// The row groups of a file.
    pub fn parts(path: &Path) -> Result<Vec<Part>, TableError> {
        let file = path.display().to_string();
        let rows = ParquetPieces::rows(path, &TableOptions { ignore: vec![], ..TableOptions::default() })?;
        Ok(match rows.groups.len() {
            0 => return Err(Fault::NoRows.of(&file)),
            groups => (0..groups).map(Part::RowGroup).collect(),
        })
    }

    /// A part of a file, at its beginning.
    pub fn open(path: &Path, part: &Part, options: &TableOptions) -> Result<ParquetPieces, TableError> {
        let mut rows = ParquetPieces::rows(path, options)?;
        if let Part::RowGroup(group) = part {
            rows.groups = (*group).min(rows.groups.end)..(group + 1).min(rows.groups.end);
            let before = (0..*group).filter_map(|g| rows.reader.get_row_group(g).ok());
            rows.before = before.map(|group| group.metadata().num_rows().max(0) as u64).sum();
        }
        Ok(ParquetPieces { rows })
    }

    fn rows(path: &Path, options: &TableOptions) -> Result<Rows<std::fs::File>, TableError> {
        let file = path.display().to_string();
        let source = std::fs::File::open(path)
            .map_err(|error| Fault::Unreadable(preceptron_base::ReadError::Unreadable(error)).of(&file))?;
        guarded(&file, || Rows::open(&file, source, options))
    }
}

impl Pieces for ParquetPieces {
    fn next_piece(&mut self) -> Result<Option<Piece>, TableError> {
        let file = self.rows.file.clone();
        guarded(&file, || {
            self.rows.read(PIECE)?;
            let piece = Piece { file: file.clone(), columns: self.rows.columns.take() };
            Ok((piece.rows() > 0).then_some(piece))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parquet::data_type::{BoolType, ByteArrayType};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;
    use preceptron_logic::Var;

    use crate::{Table, TableOptions};

    /// A file with a truth value and a word in each row.
    fn file() -> Vec<u8> {
        let schema = "message t { optional boolean a; required binary colour (UTF8); }";
        let mut writer = SerializedFileWriter::new(
            Vec::new(),
            Arc::new(parse_message_type(schema).unwrap()),
            Default::default(),
        )
        .unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<BoolType>().write_batch(&[true, false], Some(&[1, 0, 1]), None).unwrap();
        column.close().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let colours = ["red", "blue", "red"].map(|word| word.as_bytes().to_vec().into());
        column.typed::<ByteArrayType>().write_batch(&colours, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
        writer.into_inner().unwrap()
    }

    #[test]
    fn a_table_comes_out() {
        let table = Table::from_bytes("t.parquet", file(), &TableOptions::default()).unwrap();
        assert_eq!(table.variables.names(), ["a", "colour[value blue]", "colour[value red]"]);
        assert_eq!(
            (0..3).map(|row| table.examples.get(row, Var(0))).collect::<Vec<_>>(),
            [Some(true), None, Some(false)]
        );
        assert_eq!(table.examples.get(1, Var(1)), Some(true));
    }

    #[test]
    fn pieces_are_the_table() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.parquet");
        std::fs::write(&path, file()).unwrap();
        let options = TableOptions::default();
        assert_eq!(crate::parts_of(&path).unwrap(), [crate::Part::RowGroup(0)]);
        let mut pieces = crate::pieces_of(&path, &crate::Part::RowGroup(0), &options).unwrap();
        let piece = pieces.next_piece().unwrap().unwrap();
        let survey = piece.survey();
        let whole = Table::read(&path, &options).unwrap();
        let part = piece.table(&survey, &options).unwrap();
        assert_eq!((part.variables, part.examples), (whole.variables, whole.examples));
        assert!(pieces.next_piece().unwrap().is_none());
    }

    #[test]
    fn broken_files_are_errors() {
        let read = |bytes| Table::from_bytes("t.parquet", bytes, &TableOptions::default());
        let good = file();
        let mut refused = 0;
        for at in 4..good.len() {
            for change in [0x01, 0x7f, 0x80] {
                let mut bytes = good.clone();
                bytes[at] ^= change;
                if let Err(error) = read(bytes) {
                    assert!(!error.to_string().contains('\n'), "{error}");
                    refused += 1;
                }
            }
            assert!(read(good[..at].to_vec()).is_err(), "cut at {at}");
        }
        assert!(refused > good.len());
    }

    #[test]
    fn a_dictionary_is_no_longer_than_its_page() {
        let mut bytes = file();
        // The header of the dictionary's page: the field of its own struct, and in it a number, 2.
        let at = bytes.windows(4).position(|w| w == b"L\x15\x04\x15").unwrap();
        bytes.splice(at + 2..at + 3, [0xfe, 0xff, 0xff, 0xff, 0x0f]);
        let error = Table::from_bytes("t.parquet", bytes, &TableOptions::default()).unwrap_err();
        assert!(
            error.to_string().ends_with("a dictionary of 2147483647 values in a page of 15 bytes"),
            "{error}"
        );
    }
}
