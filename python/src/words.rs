//! How values are spelled as the words of a table: as the CSV files of pandas and polars have them.

use std::collections::HashMap;
use std::fmt::{Debug, Write};
use std::hash::Hash;

use preceptron_learn::{Cells, Fault, Position, TableError};

/// A floating-point number as Python writes it; empty if it is none.
pub fn float<T: Debug + Copy + Into<f64>>(value: T, text: &mut String) {
    text.clear();
    if value.into().is_nan() {
        return;
    }
    let _ = write!(text, "{value:?}");
    // Rust writes 1e-7 and 1e20, Python 1e-07 and 1e+20.
    if let Some(at) = text.find('e') {
        let exponent: i32 = text[at + 1..].parse().unwrap_or(0);
        let mantissa = text[..at].strip_suffix(".0").unwrap_or(&text[..at]).to_owned();
        *text = format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs());
    }
}

/// A column whose words are spelled once for each different value.
pub struct Words<K> {
    pub cells: Cells,
    binary: bool,
    codes: HashMap<K, u8>,
    last: Option<(K, u8)>,
}

/// What is wrong with a cell of a column, and where.
pub fn wrong(table: &str, column: &str, row: usize, fault: Fault) -> TableError {
    TableError {
        file: table.to_owned(),
        position: Some(Position::Row(row as u64 + 1)),
        column: Some(column.to_owned()),
        fault: Box::new(fault),
    }
}

impl<K: Hash + Eq + Copy> Words<K> {
    pub fn new(name: &str, binary: bool) -> Words<K> {
        Words { cells: Cells::new(name), binary, codes: HashMap::new(), last: None }
    }

    /// Adds a value, spelled by `spell` where it has not come before.
    pub fn push(&mut self, value: K, spell: impl FnOnce(&mut String)) -> Result<(), Fault> {
        let code = match self.last {
            Some((last, code)) if last == value => code,
            _ => match self.codes.get(&value) {
                Some(code) => *code,
                None => {
                    let mut text = String::new();
                    spell(&mut text);
                    let code = self.cells.code(&text, self.binary)?;
                    self.codes.insert(value, code);
                    code
                }
            },
        };
        self.last = Some((value, code));
        self.cells.push(Some(code));
        Ok(())
    }

    /// Adds a cell that was not observed.
    pub fn push_missing(&mut self) {
        self.cells.push(None);
    }
}
