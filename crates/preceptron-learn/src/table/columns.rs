//! Cells on their way to variables: each column keeps one small code for each cell, and its labels.
//!
//! Whether a column is Boolean or categorical is known only at its end, so a cell is kept as the number
//! of its label. Most cells are `0` or `1`, whose codes need no look at the labels at all.

use preceptron_base::COLUMNS;

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
    /// The cells in place of codes, where they came as bits.
    pub packed: Option<Packed>,
}

/// Truth values, 64 to a word.
pub(super) struct Packed {
    pub rows: usize,
    pub values: Vec<u64>,
    /// Which of them are observed; nothing if all are.
    pub known: Option<Vec<u64>>,
}

impl Packed {
    /// The truth value in a row, if it is observed.
    fn get(&self, row: usize) -> Option<bool> {
        let bit = |words: &[u64]| words[row / 64] >> (row % 64) & 1 == 1;
        self.known.as_deref().is_none_or(bit).then(|| bit(&self.values))
    }
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
    pub fn new(name: String) -> Column {
        Column { name, codes: vec![], labels: vec!["0".to_owned(), "1".to_owned()], packed: None }
    }

    /// How many cells there are.
    pub fn rows(&self) -> usize {
        self.packed.as_ref().map_or(self.codes.len(), |packed| packed.rows)
    }

    /// Cells that came as bits become codes.
    pub fn unpack(&mut self) {
        if let Some(packed) = self.packed.take() {
            self.codes = (0..packed.rows).map(|row| packed.get(row).map_or(MISSING, u8::from)).collect();
        }
    }

    /// Which codes occur.
    pub fn used(&self) -> [bool; 256] {
        let mut used = [false; 256];
        self.codes.iter().for_each(|code| used[usize::from(*code)] = true);
        if let Some(Packed { rows, values, known }) = &self.packed {
            for (at, value) in values.iter().enumerate() {
                let all = if (at + 1) * 64 > *rows { (1 << (rows % 64)) - 1 } else { u64::MAX };
                let seen = known.as_ref().map_or(all, |known| known[at] & all);
                used[0] |= seen & !value != 0;
                used[1] |= seen & value != 0;
                used[usize::from(MISSING)] |= seen != all;
            }
        }
        used
    }

    /// The code of a word that is not plainly `0`, `1` or empty.
    pub fn code(&mut self, cell: &[u8], binary: bool) -> Result<u8, Fault> {
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

/// Whether a cell names a picture, or a part of one: `name.png`, `name.jpg#x,y,width,height`; or one of several in a
/// file: `arrays.npy#7`, `arrays.npz#images,7`, `pictures.zip#a.png`.
pub(super) fn names_picture(cell: &[u8]) -> bool {
    let mut parts = cell.split(|byte| *byte == b'#');
    let name = parts.next().unwrap_or_default().trim_ascii();
    let is_of_several = parts.next().is_some();
    let ends = |ending: &&str| {
        let start = name.len().wrapping_sub(ending.len());
        start > 0 && name.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(ending.as_bytes()))
    };
    [".png", ".jpg", ".jpeg"].iter().any(&ends)
        || (is_of_several && [".npy", ".npz", ".zip"].iter().any(ends))
}

/// Which of the columns with these names are to be left out.
pub(super) fn ignored<S: AsRef<str>>(names: &[S], options: &TableOptions) -> Result<Vec<bool>, Fault> {
    let fits = |name: &str, pattern: &str| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    };
    if let Some(pattern) = options.ignore.iter().find(|p| !names.iter().any(|name| fits(name.as_ref(), p))) {
        return Err(Fault::NothingToIgnore(pattern.clone()));
    }
    let is_ignored = |name: &str| options.ignore.iter().any(|pattern| fits(name, pattern));
    Ok(names.iter().map(|name| is_ignored(name.as_ref())).collect())
}

/// How many times as many columns as are kept a table may have.
const IGNORED: u64 = 100;

/// Whether so many columns are too many to look at, whether they are kept or not.
pub(super) fn check_width(count: usize) -> Result<(), Fault> {
    within_limit(count, "columns", IGNORED)
}

/// Whether so many columns are too many to keep.
pub(super) fn check_kept(count: usize) -> Result<(), Fault> {
    within_limit(count, "columns", 1)
}

/// Whether so many are too many.
pub(super) fn within_limit(count: usize, what: &str, times: u64) -> Result<(), Fault> {
    let most = COLUMNS.get().saturating_mul(times);
    match count as u64 > most {
        true => Err(Fault::TooManyColumns { what: format!("{count} {what}"), most }),
        false => Ok(()),
    }
}

/// A picture in a table: its row from 0, its column's number from 1, and its name.
pub(super) type Named = (usize, usize, String);

/// The columns of a table while it is read; nothing in the place of one that is ignored.
pub(super) struct Columns {
    all: Vec<Option<Column>>,
    binary: bool,
    pictures: Option<Vec<Named>>,
}

impl Columns {
    /// Empty columns with these names, without those to be ignored.
    pub fn new(names: Vec<String>, options: &TableOptions) -> Result<Columns, Fault> {
        let ignored = ignored(&names, options)?;
        check_kept(ignored.iter().filter(|ignored| !**ignored).count())?;
        let column = |(name, ignored)| if ignored { None } else { Some(Column::new(name)) };
        let all = names.into_iter().zip(ignored).map(column).collect();
        Ok(Columns { all, binary: options.binary, pictures: options.pictures.then(Vec::new) })
    }

    /// Columns with the names given for a table without a header, or `x1`, `x2` and so on.
    pub fn unnamed(count: usize, options: &TableOptions) -> Result<Columns, Fault> {
        check_width(count)?;
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
        let Some(kept) = &mut self.all[column] else { return Ok(()) };
        if let Some(pictures) = self.pictures.as_mut().filter(|_| names_picture(cell)) {
            let name = std::str::from_utf8(cell).map_err(|_| Fault::Utf8)?.trim().to_owned();
            pictures.push((kept.codes.len(), column + 1, name));
            return kept.push(b"", self.binary);
        }
        kept.push(cell, self.binary)
    }

    /// A column's name; empty if it is ignored.
    pub fn name(&self, column: usize) -> &str {
        self.all[column].as_ref().map_or("", |kept| &kept.name)
    }

    /// A column that is kept, to be filled by whole runs of cells.
    #[cfg(feature = "parquet")]
    pub fn column(&mut self, column: usize) -> Option<&mut Column> {
        self.all[column].as_mut()
    }

    /// The rows so far, which are taken out; labels stay, so that codes mean the same in the rows that follow.
    pub fn take(&mut self) -> Vec<(usize, Column)> {
        let taken = |column: &mut Column| Column {
            name: column.name.clone(),
            codes: std::mem::take(&mut column.codes),
            labels: column.labels.clone(),
            packed: column.packed.take(),
        };
        let kept = (1..).zip(&mut self.all);
        kept.filter_map(|(number, column)| Some((number, taken(column.as_mut()?)))).collect()
    }

    /// The columns that are kept, each with its number in the table, from 1, and the pictures in them.
    pub fn kept(self) -> (Vec<(usize, Column)>, Vec<Named>) {
        let columns = (1..).zip(self.all).filter_map(|(number, column)| Some((number, column?))).collect();
        let mut pictures = self.pictures.unwrap_or_default();
        pictures.sort_by_key(|(row, column, _)| (*row, *column));
        (columns, pictures)
    }
}
