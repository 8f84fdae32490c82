//! Tables of text as sheets: which characters they are written in, what parts their fields.

use ::csv::{ByteRecord, ReaderBuilder};

use super::grid::{Content, Grid};

/// Text of 16 bits to a character.
pub(super) fn utf16(bytes: &[u8], number: fn([u8; 2]) -> u16) -> Option<String> {
    let units = bytes.chunks_exact(2).map(|pair| number([pair[0], pair[1]]));
    char::decode_utf16(units).collect::<Result<String, _>>().ok()
}

/// What Windows-1252 has where Latin-1 has control characters.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The character of a byte in Windows-1252.
fn windows(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS[usize::from(byte - 0x80)],
        other => char::from(other),
    }
}

/// Whether a byte is one that people of western Europe write.
fn is_written(byte: u8) -> bool {
    match byte {
        0x80 | 0x82 | 0x84 | 0x85 | 0x8a | 0x8c | 0x8e | 0x91..=0x97 | 0x9a | 0x9c | 0x9e | 0x9f => true,
        0xa0 | 0xa3 | 0xa7 | 0xab | 0xb0 | 0xb2 | 0xb3 | 0xb5 | 0xb7 | 0xbb | 0xbd => true,
        0xd0 | 0xd7 | 0xde | 0xf0 | 0xf7 | 0xfe | 0xff => false,
        other => !(0x80..0xc0).contains(&other),
    }
}

/// Bytes as text, and what they were written in if that is not UTF-8; nothing if they are no text.
pub(super) fn decoded(bytes: &[u8]) -> Option<(String, Option<&'static str>)> {
    match bytes {
        [0xff, 0xfe, rest @ ..] if rest.len().is_multiple_of(2) => {
            Some((utf16(rest, u16::from_le_bytes)?, Some("UTF-16")))
        }
        [0xfe, 0xff, rest @ ..] if rest.len().is_multiple_of(2) => {
            Some((utf16(rest, u16::from_be_bytes)?, Some("UTF-16")))
        }
        _ => {
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            if let Ok(text) = std::str::from_utf8(bytes) {
                return Some((text.to_owned(), None));
            }
            let is_text = bytes.iter().all(|byte| is_written(*byte) && *byte != 0);
            is_text.then(|| (bytes.iter().map(|byte| windows(*byte)).collect(), Some("Windows-1252")))
        }
    }
}

/// A record: its line from 0, whether lines before it are empty, and its fields.
type Record = (usize, bool, ByteRecord);

/// The records of a text, with as many fields as they have.
fn records(text: &str, delimiter: u8, most: usize) -> Vec<Record> {
    let reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let bytes = text.as_bytes();
    let (mut all, mut line, mut counted) = (Vec::new(), 0, 0);
    for record in reader.into_byte_records().take(most).flatten() {
        // Lines that are empty are skipped before a record, and its place is before them.
        let start = record.position().map_or(0, |position| position.byte() as usize).min(bytes.len());
        let mut byte = start;
        while matches!(bytes.get(byte), Some(b'\r' | b'\n')) {
            byte += 1;
        }
        line += bytes[counted..byte.max(counted)].iter().filter(|byte| **byte == b'\n').count();
        counted = byte.max(counted);
        // The end of a line may have two characters, of which the second is before the next record.
        let own = usize::from(start > 0 && bytes[start - 1] == b'\r' && bytes.get(start) == Some(&b'\n'));
        let has_gap = bytes[start..byte].iter().filter(|byte| **byte == b'\n').count() > own;
        all.push((line, has_gap, record));
    }
    all
}

/// The delimiter with which most records have one and the same number of fields, and more than one.
fn delimiter(text: &str) -> u8 {
    let start: String = text.lines().take(200).flat_map(|line| [line, "\n"]).collect();
    let score = |delimiter: &u8| {
        let lengths: Vec<usize> =
            records(&start, *delimiter, 100).iter().map(|(.., record)| record.len()).collect();
        let count = |length: usize| lengths.iter().filter(|other| **other == length).count();
        lengths
            .iter()
            .filter(|length| **length > 1)
            .map(|length| (count(*length), *length))
            .max()
            .unwrap_or((0, 0))
    };
    let known = [b';', b'\t', b',', b'|'];
    known.into_iter().rev().max_by_key(score).unwrap_or(b',')
}

/// Whether a field is an error of a spreadsheet.
pub(super) fn is_error(field: &str) -> bool {
    ["#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NULL!", "#NUM!", "#WERT!", "#BEZUG!", "#ZAHL!"]
        .contains(&field)
}

/// A text as a sheet.
pub(super) struct Parted {
    /// The sheet, without a name; its rows are those of the records.
    pub grid: Grid,
    /// What parts the fields.
    pub delimiter: u8,
    /// Rows of several fields that have fewer than most.
    pub short: Vec<usize>,
}

/// The most records that a sheet of text may have.
const MOST_RECORDS: usize = 1 << 20;

/// A text as a sheet; nothing if it has too many cells.
pub(super) fn grid(text: &str, given: Option<u8>) -> Option<Parted> {
    // Excel says in a first line of its own what parts the fields.
    let said = text.strip_prefix("sep=").and_then(|rest| Some((*rest.as_bytes().first()?, rest)));
    let said = said.filter(|(byte, rest)| byte.is_ascii() && rest[1..].starts_with(['\r', '\n']));
    let (text, said) = match said {
        Some((delimiter, rest)) => (&rest[1..], Some(delimiter)),
        None => (text, None),
    };
    let delimiter = given.or(said).unwrap_or_else(|| delimiter(text));
    let mut grid = Grid::default();
    let mut widths: Vec<(usize, usize)> = Vec::new();
    let all = records(text, delimiter, MOST_RECORDS + 1);
    if all.len() > MOST_RECORDS {
        return None;
    }
    for (line, has_gap, record) in all {
        // Lines that are empty are a row too, as they part tables.
        if has_gap {
            grid.lines.push(line.saturating_sub(1));
        }
        let row = grid.lines.len();
        grid.lines.push(line);
        widths.push((row, record.len()));
        for (column, field) in record.iter().enumerate() {
            let field = String::from_utf8_lossy(field).trim().to_owned();
            let content = if is_error(&field) { Content::Error(field) } else { Content::Text(field) };
            if !content.is_empty() && !grid.set(row, column, content) {
                return None;
            }
        }
    }
    let mut counts = std::collections::BTreeMap::<usize, usize>::new();
    widths.iter().for_each(|(_, width)| *counts.entry(*width).or_default() += 1);
    let most = counts.into_iter().max_by_key(|(width, count)| (*count, *width)).map_or(0, |(width, _)| width);
    let short =
        widths.into_iter().filter(|(_, width)| (2..most).contains(width)).map(|(row, _)| row).collect();
    Some(Parted { grid, delimiter, short })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_found_out() {
        assert_eq!(decoded(b"M\xe4rz;\x80 5").unwrap(), ("März;€ 5".to_owned(), Some("Windows-1252")));
        assert_eq!(decoded(b"\xff\xfea\0;\0").unwrap(), ("a;".to_owned(), Some("UTF-16")));
        assert_eq!(decoded("März".as_bytes()).unwrap().1, None);
        assert!(decoded(b"a,\xff\n").is_none() && decoded(b"a\x81").is_none());
    }

    #[test]
    fn fields_are_parted_by_what_parts_most_rows() {
        let shape = |text: &str| {
            let Parted { grid, delimiter, .. } = grid(text, None).unwrap();
            (char::from(delimiter), grid.rows.iter().map(Vec::len).collect::<Vec<_>>())
        };
        assert_eq!(
            shape("Plan, for March\n\nname;day;hours\nAnn;1;7,5\nBob;2;8,0\n"),
            (';', vec![1, 0, 3, 3, 3])
        );
        assert_eq!(shape("sep=|\r\na|b\r\n1,2|3\r\n"), ('|', vec![0, 2, 2]));
        assert_eq!(shape("a\tb\n\"x\ny\"\t2\n3\t4\n"), ('\t', vec![2, 2, 2]));
    }
}
