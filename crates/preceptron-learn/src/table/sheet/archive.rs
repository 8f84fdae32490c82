//! The entries of a zip file, inflated within a budget.
//!
//! A workbook is a zip file of XML. What an entry says of its size is not believed: reading stops where the budget
//! ends, so that a small file cannot fill the memory.

use std::cell::Cell;
use std::io::Read;

use flate2::read::DeflateDecoder;
use preceptron_base::UNPACKED;

/// An entry, as the directory at the file's end has it.
struct Entry {
    name: String,
    method: u16,
    packed: usize,
    crc: u32,
    at: usize,
}

/// A zip file in memory.
pub struct Archive<'a> {
    bytes: &'a [u8],
    entries: Vec<Entry>,
    left: Cell<u64>,
}

fn number(bytes: &[u8], at: usize, width: usize) -> Option<usize> {
    let part = bytes.get(at..at.checked_add(width)?)?;
    Some(part.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte)))
}

/// Whether these are the first bytes of a zip file.
pub(super) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

impl<'a> Archive<'a> {
    /// The directory of a zip file; nothing if it has none.
    pub fn open(bytes: &'a [u8]) -> Option<Archive<'a>> {
        let from = bytes.len().saturating_sub(22 + 0xffff);
        let end = from + bytes[from..].windows(4).rposition(|window| window == b"PK\x05\x06")?;
        let count = number(bytes, end + 10, 2)?;
        let mut at = number(bytes, end + 16, 4)?;
        let mut entries = Vec::new();
        // A file of more than 65,535 entries says 65,535; a workbook has some dozens.
        for _ in 0..count {
            if bytes.get(at..at + 4)? != b"PK\x01\x02" {
                return None;
            }
            let field = |offset, width| number(bytes, at + offset, width);
            let (name, extra, comment) = (field(28, 2)?, field(30, 2)?, field(32, 2)?);
            let text = bytes.get(at + 46..at + 46 + name)?;
            entries.push(Entry {
                name: String::from_utf8_lossy(text).replace('\\', "/"),
                method: field(10, 2)? as u16,
                packed: field(20, 4)?,
                crc: field(16, 4)? as u32,
                at: field(42, 4)?,
            });
            at += 46 + name + extra + comment;
        }
        Some(Archive { bytes, entries, left: Cell::new(UNPACKED.get()) })
    }

    /// The names of the entries.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    /// Whether there is an entry of this name.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    fn find(&self, name: &str) -> Option<&Entry> {
        let exact = self.entries.iter().find(|entry| entry.name == name);
        exact.or_else(|| self.entries.iter().find(|entry| entry.name.eq_ignore_ascii_case(name)))
    }

    /// What an entry holds; nothing if there is none of this name.
    ///
    /// # Errors
    /// If it is damaged, or all that was read is more than the budget.
    pub fn read(&self, name: &str) -> Option<Result<Vec<u8>, String>> {
        Some(self.inflate(self.find(name)?))
    }

    /// The text that an entry holds.
    ///
    /// # Errors
    /// As of what it holds, and if that is no text.
    pub fn text(&self, name: &str) -> Option<Result<String, String>> {
        Some(self.read(name)?.and_then(|bytes| text_of(bytes).ok_or_else(|| damaged(name, "is no text"))))
    }

    fn inflate(&self, entry: &Entry) -> Result<Vec<u8>, String> {
        let start = || {
            let (name, extra) =
                (number(self.bytes, entry.at + 26, 2)?, number(self.bytes, entry.at + 28, 2)?);
            let start = entry.at + 30 + name + extra;
            let rest = self.bytes.get(start..)?;
            // The size may stand in a field of 64 bits, which only a file that is far too large needs.
            Some(&rest[..entry.packed.min(rest.len())])
        };
        let packed = start().ok_or_else(|| damaged(&entry.name, "is cut off"))?;
        let most = self.left.get();
        let mut plain = Vec::new();
        let read = match entry.method {
            0 => packed.take(most + 1).read_to_end(&mut plain),
            8 => DeflateDecoder::new(packed).take(most + 1).read_to_end(&mut plain),
            _ => return Err(damaged(&entry.name, "is packed in a way that is not read")),
        };
        read.map_err(|_| damaged(&entry.name, "cannot be decompressed"))?;
        if plain.len() as u64 > most {
            return Err(format!(
                "has more than {} bytes once it is decompressed; {}",
                UNPACKED.get(),
                UNPACKED.raised()
            ));
        }
        let mut crc = flate2::Crc::new();
        crc.update(&plain);
        if crc.sum() != entry.crc {
            return Err(damaged(&entry.name, "has a wrong checksum"));
        }
        self.left.set(most - plain.len() as u64);
        Ok(plain)
    }
}

fn damaged(entry: &str, what: &str) -> String {
    let entry: String = entry.chars().filter(|c| !c.is_control()).take(80).collect();
    format!("is damaged: its part {entry} {what}")
}

/// XML as text: UTF-8, or UTF-16 where it begins with a mark that says so.
fn text_of(bytes: Vec<u8>) -> Option<String> {
    match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => super::text::utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => super::text::utf16(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8(rest.to_vec()).ok(),
        _ => String::from_utf8(bytes).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Grid, workbook};
    use super::*;

    #[test]
    fn an_entry_is_not_read_beyond_the_budget() {
        let mut grid = Grid::named("wide");
        assert!((0..20_000).all(|row| grid.set(row, 0, super::super::Content::Bool(true))));
        let bytes = workbook(&[("wide".to_owned(), &grid, &Default::default())]).unwrap();
        let mut archive = Archive::open(&bytes).unwrap();
        let size = archive.read("xl/worksheets/sheet1.xml").unwrap().unwrap().len() as u64;
        assert!(size > 20 * bytes.len() as u64 / 2, "{size} of {}", bytes.len());
        // What the directory says of the size does not matter: reading ends with the budget, which entries share.
        archive.left = Cell::new(size - 1);
        let error = archive.read("xl/worksheets/sheet1.xml").unwrap().unwrap_err();
        assert!(error.contains("once it is decompressed"), "{error}");
        archive.left = Cell::new(size + 10);
        assert!(archive.read("xl/worksheets/sheet1.xml").unwrap().is_ok());
        assert!(archive.read("xl/styles.xml").unwrap().is_err());
    }
}
