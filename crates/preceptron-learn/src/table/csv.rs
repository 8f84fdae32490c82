//! Tables as text: a header of names, then one line for each example.

use std::io::BufRead;

use ::csv::{ByteRecord, Reader, ReaderBuilder};

use super::TableOptions;
use super::columns::{Columns, check_width};
use super::error::{Fault, Position, TableError};
use super::pieces::{PIECE, Piece, Pieces};

/// The delimiter that the header has most of, outside quotes and brackets.
fn sniff(bytes: &[u8]) -> u8 {
    const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];
    let (mut counts, mut quoted, mut depth) = ([0usize; 3], false, 0usize);
    for &byte in bytes {
        match byte {
            b'\n' if !quoted => break,
            b'"' => quoted = !quoted,
            b'[' if !quoted => depth += 1,
            b']' if !quoted => depth = depth.saturating_sub(1),
            _ if quoted || depth > 0 => {}
            _ => DELIMITERS.iter().zip(&mut counts).filter(|(d, _)| **d == byte).for_each(|(_, c)| *c += 1),
        }
    }
    let most = (0..3).rev().max_by_key(|&at| counts[at]).unwrap_or(0);
    DELIMITERS[most]
}

/// The line, from 1, of the record that is read from this byte on.
fn line_at(bytes: &[u8], byte: u64) -> Position {
    let mut byte = (byte as usize).min(bytes.len());
    while matches!(bytes.get(byte), Some(b'\r' | b'\n')) {
        byte += 1;
    }
    Position::Line(bytes[..byte].iter().filter(|b| **b == b'\n').count() as u64 + 1)
}

/// The names in a header, which must not look like a row of values.
fn header(record: &ByteRecord) -> Result<Vec<String>, Fault> {
    check_width(record.len())?;
    let names = record
        .iter()
        .map(|field| std::str::from_utf8(field).map(|name| name.trim().to_owned()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|_| Fault::Utf8)?;
    if names.iter().all(|name| name.parse::<f64>().is_ok()) {
        return Err(Fault::NumericHeader);
    }
    let cut = names
        .windows(2)
        .find(|pair| pair[0].contains('[') && !pair[0].contains(']') && !pair[1].contains('['));
    if let Some(pair) = cut {
        return Err(Fault::UnquotedName(pair[0].clone()));
    }
    Ok(names)
}

/// Reads a table of text.
pub(super) fn read(file: &str, bytes: &[u8], options: &TableOptions) -> Result<Columns, TableError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let delimiter = options.delimiter.unwrap_or_else(|| sniff(bytes));
    // Before anything is made of the fields.
    let first = bytes.iter().take_while(|byte| **byte != b'\n');
    check_width(first.filter(|byte| **byte == delimiter).count()).map_err(|fault| fault.of(file))?;
    let mut reader =
        ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(bytes);
    let mut record = ByteRecord::new();
    let mut next = |record: &mut ByteRecord| {
        reader.read_byte_record(record).map_err(|error| Fault::Broken(error.to_string()).of(file))
    };
    if !next(&mut record)? {
        return Err(Fault::Empty.of(file));
    }
    let line = |record: &ByteRecord| line_at(bytes, record.position().map_or(0, |p| p.byte()));
    let has_header = options.header && options.names.is_none();
    let columns = match has_header {
        true => header(&record).and_then(|names| Columns::new(names, options)),
        false => Columns::unnamed(record.len(), options),
    };
    let mut columns = columns.map_err(|fault| fault.of(file).at(line(&record)))?;
    let mut more = if has_header { next(&mut record)? } else { true };
    while more {
        if record.len() != columns.len() {
            let fault = Fault::Ragged { expected: columns.len(), found: record.len() };
            return Err(fault.of(file).at(line(&record)));
        }
        for (column, cell) in record.iter().enumerate() {
            columns
                .push(column, cell)
                .map_err(|fault| fault.of(file).at(line(&record)).in_column(columns.name(column)))?;
        }
        more = next(&mut record)?;
    }
    Ok(columns)
}

/// The longest header whose delimiter is looked for.
const HEADER: usize = 1 << 16;

/// A table of text that is read as it comes.
pub(super) struct CsvPieces {
    file: String,
    reader: Reader<Box<dyn BufRead + Send>>,
    record: ByteRecord,
    columns: Columns,
    /// Whether the record is a row that is not in the columns yet.
    is_read: bool,
}

impl CsvPieces {
    /// Reads the header.
    pub fn new(
        file: String,
        source: Box<dyn BufRead + Send>,
        options: &TableOptions,
    ) -> Result<CsvPieces, TableError> {
        let mut source = std::io::BufReader::with_capacity(HEADER, source);
        let start = source.fill_buf().map_err(|error| Fault::Broken(error.to_string()).of(&file))?;
        let mark = if start.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let delimiter = options.delimiter.unwrap_or_else(|| sniff(&start[mark..]));
        source.consume(mark);
        let source: Box<dyn BufRead + Send> = Box::new(source);
        let mut reader =
            ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(source);
        let mut record = ByteRecord::new();
        let some = reader.read_byte_record(&mut record);
        if !some.map_err(|error| Fault::Broken(error.to_string()).of(&file))? {
            return Err(Fault::Empty.of(&file));
        }
        let has_header = options.header && options.names.is_none();
        let columns = match has_header {
            true => header(&record).and_then(|names| Columns::new(names, options)),
            false => Columns::unnamed(record.len(), options),
        };
        let columns = columns.map_err(|fault| fault.of(&file).at(Position::Line(1)))?;
        Ok(CsvPieces { file, reader, record, columns, is_read: !has_header })
    }

    /// Adds the record to the columns.
    fn push(&mut self) -> Result<(), TableError> {
        let line = Position::Line(self.record.position().map_or(0, |position| position.line()));
        if self.record.len() != self.columns.len() {
            let fault = Fault::Ragged { expected: self.columns.len(), found: self.record.len() };
            return Err(fault.of(&self.file).at(line));
        }
        for (column, cell) in self.record.iter().enumerate() {
            let wrong = |fault: Fault| fault.of(&self.file).at(line);
            self.columns
                .push(column, cell)
                .map_err(|fault| wrong(fault).in_column(self.columns.name(column)))?;
        }
        Ok(())
    }
}

impl Pieces for CsvPieces {
    fn next_piece(&mut self) -> Result<Option<Piece>, TableError> {
        for _ in 0..PIECE {
            if !std::mem::take(&mut self.is_read) {
                let some = self.reader.read_byte_record(&mut self.record);
                if !some.map_err(|error| Fault::Broken(error.to_string()).of(&self.file))? {
                    break;
                }
            }
            self.push()?;
        }
        let piece = Piece { file: self.file.clone(), columns: self.columns.take() };
        Ok((piece.rows() > 0).then_some(piece))
    }
}
