//! Parquet files with flat columns of truth values, numbers or text.
//!
//! The crate that decodes them panics on some broken files. Such a panic is caught here and becomes an
//! error like that of any other broken file; the process's panic hook still has its say.

use std::panic::{AssertUnwindSafe, catch_unwind};

use parquet::column::page::Page;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use super::TableOptions;
use super::columns::Columns;
use super::error::{Fault, Position, TableError};

/// Reads a Parquet file.
pub(super) fn read(file: &str, bytes: Vec<u8>, options: &TableOptions) -> Result<Columns, TableError> {
    // Nothing outlives the panic but the file's name and the options, which are only read.
    catch_unwind(AssertUnwindSafe(|| decode(file, bytes, options)))
        .unwrap_or_else(|_| Err(Fault::Broken("is a broken Parquet file".to_owned()).of(file)))
}

fn decode(file: &str, bytes: Vec<u8>, options: &TableOptions) -> Result<Columns, TableError> {
    // The message may quote a name of several lines.
    let one_line = |text: String| text.replace(|c: char| c.is_control(), " ");
    let broken = |error: ParquetError| Fault::Broken(one_line(error.to_string())).of(file);
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).map_err(broken)?;
    check_dictionaries(&reader).map_err(broken)?;
    let fields = reader.metadata().file_metadata().schema().get_fields();
    let names = fields.iter().map(|field| field.name().to_owned()).collect();
    let mut columns = Columns::new(names, options).map_err(|fault| fault.of(file))?;
    for (number, row) in (1..).zip(reader.get_row_iter(None).map_err(broken)?) {
        for (column, (_, field)) in row.map_err(broken)?.get_column_iter().enumerate() {
            let pushed = match field {
                Field::Null => columns.push(column, b""),
                Field::Bool(value) => columns.push(column, if *value { b"1" } else { b"0" }),
                Field::Float(value) if value.is_nan() => columns.push(column, b""),
                Field::Double(value) if value.is_nan() => columns.push(column, b""),
                Field::Float(value) => columns.push(column, value.to_string().as_bytes()),
                Field::Double(value) => columns.push(column, value.to_string().as_bytes()),
                Field::Str(text) => columns.push(column, text.as_bytes()),
                Field::Group(_) | Field::ListInternal(_) | Field::MapInternal(_) => {
                    Err(Fault::Broken("is nested; a table has plain columns".to_owned()))
                }
                other => columns.push(column, other.to_string().as_bytes()),
            };
            pushed
                .map_err(|fault| fault.of(file).at(Position::Row(number)).in_column(columns.name(column)))?;
        }
    }
    Ok(columns)
}

/// The decoder gives a dictionary whatever memory the header of its page asks for, and a failure to get
/// it cannot be caught; so the number of values is held against the page's length before. A value takes
/// a bit at the least.
fn check_dictionaries(reader: &SerializedFileReader<bytes::Bytes>) -> Result<(), ParquetError> {
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group)?;
        for column in 0..group.num_columns() {
            let mut pages = group.get_column_page_reader(column)?;
            while let Some(page) = pages.get_next_page()? {
                if let Page::DictionaryPage { buf, num_values, .. } = page
                    && num_values as usize > 8 * buf.len()
                {
                    let (found, length) = (num_values, buf.len());
                    let what = format!("a dictionary of {found} values in a page of {length} bytes");
                    return Err(ParquetError::General(what));
                }
            }
        }
    }
    Ok(())
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
