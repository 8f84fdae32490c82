//! Tables that are in memory already, column by column: words as they would stand in a file, or truth values as
//! bits, 64 to a word.

use super::columns::{Column, MISSING, Packed, ignored};
use super::error::{Fault, TableError};
use super::{Table, TableOptions, encode, sheet};

/// A column of a table in memory.
pub struct Cells(Column);

impl Cells {
    /// A column without cells.
    pub fn new(name: &str) -> Cells {
        Cells(Column::new(name.trim().to_owned()))
    }

    /// A column of so many truth values, 64 to a word, the first in the lowest bit; `known` says which are observed.
    ///
    /// # Panics
    /// If there are not as many words as the rows take.
    pub fn of_bits(name: &str, rows: usize, values: Vec<u64>, known: Option<Vec<u64>>) -> Cells {
        let words = rows.div_ceil(64);
        assert!(
            values.len() == words && known.as_ref().is_none_or(|known| known.len() == words),
            "{words} words"
        );
        let mut cells = Cells::new(name);
        cells.0.packed = Some(Packed { rows, values, known });
        cells
    }

    /// The column's name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// How many cells it has.
    pub fn len(&self) -> usize {
        self.0.rows()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of a word, which stands for it in [`push`](Cells::push); that of an empty one, `?` and `NA` says that
    /// nothing was observed.
    ///
    /// # Errors
    /// If it is no truth value and `binary` allows no other, or there are too many different ones.
    pub fn code(&mut self, word: &str, binary: bool) -> Result<u8, Fault> {
        match word {
            "" => Ok(MISSING),
            word => self.0.code(word.as_bytes(), binary),
        }
    }

    /// Adds a cell with the word of this code; without one it is not observed.
    pub fn push(&mut self, code: Option<u8>) {
        self.0.codes.push(code.unwrap_or(MISSING));
    }
}

impl Table {
    /// A table of columns in memory; `name` is what errors call it. The settings that are about reading text are
    /// not looked at. Words that mean something to people (yes and no, dates, numbers with units) are read as those of a
    /// file are.
    ///
    /// # Errors
    /// If the columns differ in length, or are no table for the reasons that a file would not be.
    pub fn from_cells(name: &str, columns: Vec<Cells>, options: &TableOptions) -> Result<Table, TableError> {
        let mut kept = kept(name, columns, options)?;
        if !options.binary && sheet::is_untidy(&kept) {
            kept.iter_mut().for_each(|(_, column)| column.unpack());
            let options = TableOptions {
                header: true,
                names: None,
                delimiter: Some(b','),
                ignore: Vec::new(),
                pictures: false,
                ..options.clone()
            };
            return Table::from_bytes(name, text_of(&kept), &options);
        }
        let options = TableOptions { header: false, pictures: false, ..options.clone() };
        encode::encode(name, kept, Vec::new(), &options)
    }
}

/// The file that columns would be, so that words mean in memory what they mean there.
fn text_of(columns: &[(usize, Column)]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut row = |words: &mut dyn Iterator<Item = &str>| {
        for (at, word) in words.enumerate() {
            text.extend_from_slice(if at == 0 { b"\"" } else { b",\"" });
            text.extend_from_slice(word.replace('"', "\"\"").as_bytes());
            text.push(b'"');
        }
        text.push(b'\n');
    };
    row(&mut columns.iter().map(|(_, column)| column.name.as_str()));
    for at in 0..columns.first().map_or(0, |(_, column)| column.rows()) {
        row(&mut columns.iter().map(|(_, column)| {
            let code = column.codes[at];
            column.labels.get(usize::from(code)).map_or("", String::as_str)
        }));
    }
    text
}

/// The columns that are not to be left out, each with its number, from 1.
pub(super) fn kept(
    name: &str,
    columns: Vec<Cells>,
    options: &TableOptions,
) -> Result<Vec<(usize, Column)>, TableError> {
    let rows = columns.first().map_or(0, Cells::len);
    if let Some(other) = columns.iter().find(|column| column.len() != rows) {
        let what = format!("has {} cells where the first column has {rows}", other.len());
        return Err(TableError { column: Some(other.name().to_owned()), ..Fault::Broken(what).of(name) });
    }
    let names: Vec<&str> = columns.iter().map(Cells::name).collect();
    let ignored = ignored(&names, options).map_err(|fault| fault.of(name))?;
    let kept = (1..).zip(columns).zip(ignored).filter(|(_, ignored)| !ignored);
    Ok(kept.map(|((number, Cells(column)), _)| (number, column)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(name: &str, cells: &[&str]) -> Cells {
        let mut column = Cells::new(name);
        for cell in cells {
            let code = column.code(cell, false).unwrap();
            column.push(Some(code));
        }
        column
    }

    proptest! {
        /// Bits and words are the same table, and the same as text.
        #[test]
        fn bits_are_what_words_are(
            cells in prop::collection::vec((0..3usize, 0..3usize, 0..4usize), 1..200),
        ) {
            let word = |at: usize| ["0", "1", ""][at];
            let colour = |at: usize| ["red", "blue", "", "1"][at];
            let bit = |wanted: fn(usize) -> bool, of: &dyn Fn(usize) -> usize| {
                let mut bits = vec![0u64; cells.len().div_ceil(64)];
                let rows = (0..cells.len()).filter(|&row| wanted(of(row)));
                rows.for_each(|row| bits[row / 64] |= 1 << (row % 64));
                bits
            };
            let packed = |name: &str, of: &dyn Fn(usize) -> usize| {
                Cells::of_bits(name, cells.len(), bit(|at| at == 1, of), Some(bit(|at| at < 2, of)))
            };
            let plain = |name: &str, of: &dyn Fn(usize) -> usize| {
                words(name, &(0..cells.len()).map(|row| word(of(row))).collect::<Vec<_>>())
            };
            let colours: Vec<&str> = cells.iter().map(|cell| colour(cell.2)).collect();
            // The second column shares its block, and so its labels, with one that may be categorical.
            type Make<'a> = &'a dyn Fn(&str, &dyn Fn(usize) -> usize) -> Cells;
            let table = |make: Make<'_>| {
                let columns =
                    vec![make("a", &|row| cells[row].0), make("b[i 1]", &|row| cells[row].1), words("b[i 2]", &colours)];
                Table::from_cells("t", columns, &TableOptions::default()).unwrap()
            };
            let (bits, codes) = (table(&packed), table(&plain));
            let mut text = "a,b[i 1],b[i 2]\n".to_owned();
            for &(a, b, c) in &cells {
                text += &format!("{},{},{}\n", word(a), word(b), colour(c));
            }
            let text = Table::from_bytes("t", text.into_bytes(), &TableOptions::default()).unwrap();
            for other in [&codes, &text] {
                prop_assert_eq!(&bits.examples, &other.examples);
                prop_assert_eq!(bits.variables.names(), other.variables.names());
                prop_assert_eq!(&bits.notes, &other.notes);
            }
        }
    }

    #[test]
    fn columns_that_are_no_table() {
        let fault = |columns: Vec<Cells>, ignore: &[&str]| {
            let ignore = ignore.iter().map(|&name| name.to_owned()).collect();
            let options = TableOptions { ignore, ..TableOptions::default() };
            Table::from_cells("frame", columns, &options).unwrap_err().to_string()
        };
        assert_eq!(fault(vec![], &[]), "frame: has no columns");
        assert_eq!(fault(vec![words("a", &[])], &[]), "frame: has a header and no rows");
        let columns = || vec![words("a", &["1"]), words("b", &[])];
        assert_eq!(fault(columns(), &[]), "frame: column b: has 0 cells where the first column has 1");
        let twice = || vec![words("a", &["1"]), words(" a ", &["0"])];
        assert_eq!(fault(twice(), &[]), "frame: column a: column 2 has the same name as column 1");
        assert_eq!(fault(twice(), &["a"]), "frame: has no columns");
        assert_eq!(fault(twice(), &["c"]), "frame: no column is named \"c\", which is to be ignored");
        let mut many = Cells::new("a");
        let full = (0..70).find_map(|number| many.code(&format!("w{number}"), false).err());
        assert!(full.unwrap().to_string().starts_with("has more than 64 different values"));
        assert!(many.code("red", true).is_err());
    }
}
