//! The proof as it is written: each row has a number, and each step its line.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::row::{Code, Row};

/// Which of the two versions of the format is written; they differ in how lines end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Version {
    /// Version 2.0.
    #[default]
    Two,
    /// Version 3.0.
    Three,
}

/// Where the lines go.
pub struct Log<'a> {
    out: &'a mut dyn Write,
    version: Version,
    last: u64,
    /// The first error of writing.
    pub failed: Option<io::Error>,
    /// Bytes so far.
    pub bytes: u64,
}

/// A literal as the format has it.
pub fn name(literal: Code) -> String {
    format!("{}x{}", if literal & 1 == 1 { "~" } else { "" }, (literal >> 1) + 1)
}

/// A row as the format has it, without its end.
pub fn row(row: &Row) -> String {
    let mut text = String::new();
    for &(weight, literal) in &row.terms {
        let _ = write!(text, "{weight} {} ", name(literal));
    }
    let _ = write!(text, ">= {}", row.degree);
    text
}

impl<'a> Log<'a> {
    /// Begins a proof about a formula of so many rows.
    pub fn new(out: &'a mut dyn Write, version: Version, rows: usize) -> Log<'a> {
        let mut log = Log { out, version, last: rows as u64, failed: None, bytes: 0 };
        let number = if version == Version::Two { "2.0" } else { "3.0" };
        log.raw(&format!("pseudo-Boolean proof version {number}\n"));
        log.line(&format!("f {rows}"));
        log
    }

    fn raw(&mut self, text: &str) {
        self.bytes += text.len() as u64;
        if self.failed.is_none() {
            self.failed = self.out.write_all(text.as_bytes()).err();
        }
    }

    /// A line that gives nothing a number.
    pub fn line(&mut self, text: &str) {
        self.raw(text);
        self.raw(if self.version == Version::Three { " ;\n" } else { "\n" });
    }

    /// A line that adds a row; its number.
    pub fn adds(&mut self, text: &str) -> u64 {
        self.line(text);
        self.last += 1;
        self.last
    }
}

/// An assignment as the format has it.
pub fn assignment(values: &[bool]) -> String {
    let literal = |(variable, &value): (u32, &bool)| name(2 * variable + u32::from(!value));
    (0..).zip(values).map(literal).collect::<Vec<_>>().join(" ")
}
