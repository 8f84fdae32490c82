//! Tables as text: a header of names, then one line for each example.

use ::csv::{ByteRecord, ReaderBuilder};

use super::TableOptions;
use super::columns::Columns;
use super::error::{Fault, Position, TableError};

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
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(options.delimiter.unwrap_or_else(|| sniff(bytes)))
        .from_reader(bytes);
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
