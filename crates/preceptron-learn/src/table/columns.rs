//! Cells on their way to variables: each column keeps one small code for each cell, and its labels.
//!
//! Whether a column is Boolean or categorical is known only at its end, so a cell is kept as the number
//! of its label. Most cells are `0` or `1`, whose codes need no look at the labels at all.

use super::TableOptions;
use super::error::Fault;

/// The code of a cell that was not observed.
pub(super) const MISSING: u8 = u8::MAX;
/// The most different values that a categorical column may have.
pub(super) const MOST_VALUES: usize = 64;

/// A column: its name, its cells as codes, and the label of each code.
pub(super) struct Column {
    pub name: String,
    pub codes: Vec<u8>,
    pub labels: Vec<String>,
}

/// The truth value that a word stands for, if it is one.
pub(super) fn truth(word: &str) -> Option<bool> {
    match word {
        "0" | "0.0" => Some(false),
        "1" | "1.0" => Some(true),
        _ if word.eq_ignore_ascii_case("false") => Some(false),
        _ if word.eq_ignore_ascii_case("true") => Some(true),
        _ => None,
    }
}

impl Column {
    fn new(name: String) -> Column {
        Column { name, codes: vec![], labels: vec!["0".to_owned(), "1".to_owned()] }
    }

    /// The code of a word that is not plainly `0`, `1` or empty.
    fn code(&mut self, cell: &[u8], binary: bool) -> Result<u8, Fault> {
        let word = std::str::from_utf8(cell).map_err(|_| Fault::Utf8)?.trim();
        if matches!(word, "" | "?" | "NA") {
            return Ok(MISSING);
        }
        if let Some(code) = self.labels.iter().position(|label| label == word) {
            return Ok(code as u8);
        }
        if binary && truth(word).is_none() {
            return Err(Fault::NotBinary { value: word.to_owned() });
        }
        // The labels 0 and 1 stand there from the start; whether they are used is seen at the end.
        if self.labels.len() >= MOST_VALUES + 2 {
            return Err(Fault::TooManyValues { most: MOST_VALUES });
        }
        self.labels.push(word.to_owned());
        Ok((self.labels.len() - 1) as u8)
    }

    fn push(&mut self, cell: &[u8], binary: bool) -> Result<(), Fault> {
        let code = match cell {
            b"0" => 0,
            b"1" => 1,
            b"" => MISSING,
            other => self.code(other, binary)?,
        };
        self.codes.push(code);
        Ok(())
    }
}

/// The columns of a table while it is read; nothing in the place of one that is ignored.
pub(super) struct Columns {
    all: Vec<Option<Column>>,
    binary: bool,
}

impl Columns {
    /// Empty columns with these names, without those to be ignored.
    pub fn new(names: Vec<String>, options: &TableOptions) -> Result<Columns, Fault> {
        let fits = |name: &str, pattern: &str| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == pattern,
        };
        if let Some(pattern) = options.ignore.iter().find(|p| !names.iter().any(|name| fits(name, p))) {
            return Err(Fault::NothingToIgnore(pattern.clone()));
        }
        let ignored = |name: &str| options.ignore.iter().any(|pattern| fits(name, pattern));
        let all = names.into_iter().map(|name| (!ignored(&name)).then(|| Column::new(name))).collect();
        Ok(Columns { all, binary: options.binary })
    }

    /// Columns with the names given for a table without a header, or `x1`, `x2` and so on.
    pub fn unnamed(count: usize, options: &TableOptions) -> Result<Columns, Fault> {
        let names = match &options.names {
            Some(names) if names.len() != count => {
                return Err(Fault::Names { columns: count, names: names.len() });
            }
            Some(names) => names.clone(),
            None => (1..=count).map(|number| format!("x{number}")).collect(),
        };
        Columns::new(names, options)
    }

    /// How many columns the table has, ignored ones too.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Adds a cell to the end of a column.
    pub fn push(&mut self, column: usize, cell: &[u8]) -> Result<(), Fault> {
        match &mut self.all[column] {
            Some(kept) => kept.push(cell, self.binary),
            None => Ok(()),
        }
    }

    /// A column's name; empty if it is ignored.
    pub fn name(&self, column: usize) -> &str {
        self.all[column].as_ref().map_or("", |kept| &kept.name)
    }

    /// The columns that are kept, each with its number in the table, from 1.
    pub fn kept(self) -> Vec<(usize, Column)> {
        (1..).zip(self.all).filter_map(|(number, column)| Some((number, column?))).collect()
    }
}
