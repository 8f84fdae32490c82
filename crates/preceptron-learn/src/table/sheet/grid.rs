//! The cells of a sheet as they stand there.

use std::fmt;

/// The most cells that the sheets of a file may have together, empty ones within their rows among them; long texts
/// count as several.
pub(crate) const MOST_CELLS: usize = 3_000_000;

/// What stands in a cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Content {
    /// Nothing.
    #[default]
    Empty,
    /// Words.
    Text(String),
    /// A number.
    Number(f64),
    /// True or false.
    Bool(bool),
    /// A date, a time or both, as ISO 8601 writes them.
    Date(String),
    /// An error of the spreadsheet, such as `#REF!`.
    Error(String),
    /// A formula whose value nobody has computed.
    Uncomputed,
}

impl Content {
    /// Whether nothing is there but white space.
    pub fn is_empty(&self) -> bool {
        match self {
            Content::Empty => true,
            Content::Text(text) => text.trim().is_empty(),
            _ => false,
        }
    }
}

impl Content {
    /// The bytes of its text.
    fn length(&self) -> usize {
        match self {
            Content::Text(text) | Content::Date(text) | Content::Error(text) => text.len(),
            _ => 0,
        }
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Content::Empty => Ok(()),
            Content::Text(text) | Content::Date(text) | Content::Error(text) => f.write_str(text),
            Content::Number(number) => f.write_str(&plain(*number)),
            Content::Bool(value) => f.write_str(if *value { "true" } else { "false" }),
            Content::Uncomputed => f.write_str("a formula without a value"),
        }
    }
}

/// A number without the dust of binary fractions: 15 digits, as spreadsheets show them.
pub(crate) fn plain(number: f64) -> String {
    let rounded: f64 = format!("{number:.14e}").parse().unwrap_or(number);
    if rounded == 0.0 { "0".to_owned() } else { rounded.to_string() }
}

/// A rectangle of cells, its corners among them, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// The first row.
    pub top: usize,
    /// The first column.
    pub left: usize,
    /// The last row.
    pub bottom: usize,
    /// The last column.
    pub right: usize,
}

/// A column's letters: 0 is `A`, 26 is `AA`.
pub fn letters(column: usize) -> String {
    let (mut rest, mut name) = (column + 1, Vec::new());
    while rest > 0 {
        name.push(b'A' + ((rest - 1) % 26) as u8);
        rest = (rest - 1) / 26;
    }
    name.iter().rev().map(|byte| char::from(*byte)).collect()
}

/// The row and column of a cell such as `C5`.
pub(crate) fn place(name: &str) -> Option<(usize, usize)> {
    let name = name.trim();
    let split = name.find(|c: char| !c.is_ascii_alphabetic() && c != '$')?;
    let (letters, digits) = (name[..split].replace('$', ""), name[split..].trim_start_matches('$'));
    // `$A$5` has its second mark before the digits, which the letters have taken.
    if letters.is_empty() || letters.len() > 3 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value = |byte: u8| usize::from(byte.to_ascii_uppercase() - b'A') + 1;
    let column = letters.bytes().fold(0, |sum, byte| sum * 26 + value(byte));
    let row: usize = digits.parse().ok().filter(|row| (1..=1 << 24).contains(row))?;
    Some((row - 1, column - 1))
}

impl Area {
    /// Reads `A3:F40`.
    pub fn parse(text: &str) -> Option<Area> {
        let (first, last) = text.split_once(':').unwrap_or((text, text));
        let ((a, b), (c, d)) = (place(first)?, place(last)?);
        Some(Area { top: a.min(c), left: b.min(d), bottom: a.max(c), right: b.max(d) })
    }

    pub(crate) fn has(&self, row: usize, column: usize) -> bool {
        (self.top..=self.bottom).contains(&row) && (self.left..=self.right).contains(&column)
    }

    pub(crate) fn width(&self) -> usize {
        self.right + 1 - self.left
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Area { top, left, bottom, right } = *self;
        write!(f, "{}{}:{}{}", letters(left), top + 1, letters(right), bottom + 1)
    }
}

/// A sheet: its cells from the first row and column on, and what is known of them besides.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// The sheet's name; empty for a table of text.
    pub name: String,
    /// Row by row; a row ends with its last cell that is not empty.
    pub rows: Vec<Vec<Content>>,
    /// Cells that are merged.
    pub merged: Vec<Area>,
    /// Cells that hold a formula.
    pub formulas: usize,
    /// Whether it is hidden.
    pub is_hidden: bool,
    /// The line, from 0, in which each row of a text begins; a row of several lines is one.
    pub lines: Vec<usize>,
    pub(crate) filled: usize,
}

impl Grid {
    /// A sheet of this name, without cells.
    pub fn named(name: &str) -> Grid {
        Grid { name: name.to_owned(), ..Grid::default() }
    }

    /// What stands in a cell.
    pub fn get(&self, row: usize, column: usize) -> &Content {
        static EMPTY: Content = Content::Empty;
        self.rows.get(row).and_then(|cells| cells.get(column)).unwrap_or(&EMPTY)
    }

    /// Puts something into a cell. False if there are too many cells.
    pub fn set(&mut self, row: usize, column: usize, content: Content) -> bool {
        if content == Content::Empty && self.get(row, column) == &Content::Empty {
            return true;
        }
        if row >= 1 << 21 || column >= 1 << 20 {
            return false;
        }
        if self.rows.len() <= row {
            self.filled += (row - self.rows.len()) / 2;
            self.rows.resize_with(row + 1, Vec::new);
        }
        // Text that cells share is one to each of them.
        self.filled += content.length() / std::mem::size_of::<Content>();
        if self.filled > MOST_CELLS {
            return false;
        }
        let cells = &mut self.rows[row];
        if cells.len() <= column {
            self.filled += column + 1 - cells.len();
            if self.filled > MOST_CELLS {
                return false;
            }
            cells.resize_with(column + 1, Content::default);
        }
        cells[column] = content;
        true
    }

    /// The smallest rectangle that has all cells that are not empty.
    pub fn used(&self) -> Option<Area> {
        let all = Area { top: 0, left: 0, bottom: self.rows.len(), right: usize::MAX - 1 };
        self.used_within(all)
    }

    /// The same within a rectangle.
    pub(crate) fn used_within(&self, area: Area) -> Option<Area> {
        let mut used: Option<Area> = None;
        for (row, cells) in self.rows.iter().enumerate().take(area.bottom + 1).skip(area.top) {
            let filled = |column: &usize| !cells[*column].is_empty();
            let columns = area.left..cells.len().min(area.right + 1);
            let Some(first) = columns.clone().find(filled) else { continue };
            let last = columns.rev().find(filled).unwrap_or(first);
            let known = used.get_or_insert(Area { top: row, left: first, bottom: row, right: last });
            *known =
                Area { left: known.left.min(first), bottom: row, right: known.right.max(last), ..*known };
        }
        used
    }

    /// Whether the sheet came from a file of text, whose columns have numbers and not letters.
    pub fn is_text(&self) -> bool {
        self.name.is_empty()
    }

    /// The number of a row as people count: from 1, and by lines in a text.
    pub fn row_number(&self, row: usize) -> usize {
        let past = || self.lines.last().map_or(0, |last| last + 1 + row - self.lines.len());
        match self.lines.is_empty() {
            true => row + 1,
            false => self.lines.get(row).copied().unwrap_or_else(past) + 1,
        }
    }

    /// Where a row is, in words: `sheet March, row 5`, or `row 5` of a text.
    pub fn row_words(&self, row: usize) -> String {
        match self.is_text() {
            true => format!("row {}", self.row_number(row)),
            false => format!("sheet {}, row {}", self.name, self.row_number(row)),
        }
    }

    /// A column's name in words: `column C`, or `column 3` of a text.
    pub fn column_words(&self, column: usize) -> String {
        match self.is_text() {
            true => format!("column {}", column + 1),
            false => format!("column {}", letters(column)),
        }
    }

    /// Where a cell is, in words.
    pub fn cell_words(&self, row: usize, column: usize) -> String {
        format!("{}, {}", self.row_words(row), self.column_words(column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_cells_are_read_and_written() {
        assert_eq!([0, 25, 26, 701, 702].map(letters), ["A", "Z", "AA", "ZZ", "AAA"]);
        assert_eq!(place("$C$5"), Some((4, 2)));
        assert_eq!(Area::parse("a3:F40").unwrap().to_string(), "A3:F40");
        for wrong in ["", "5", "C", "C0", "C-1", "CCCC1", "C5:x", "é1"] {
            assert!(Area::parse(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_sheet_does_not_grow_without_bound() {
        let mut grid = Grid::default();
        assert!(grid.set(2, 3, Content::Number(1.0)));
        assert_eq!(grid.used().unwrap().to_string(), "D3:D3");
        assert!((0..MOST_CELLS).any(|row| !grid.set(row % (1 << 20), 16_383, Content::Bool(true))));
    }

    #[test]
    fn numbers_have_no_dust() {
        assert_eq!([0.1 + 0.2, 1e6, -0.0, 7.0, 2.5e-3].map(plain), ["0.3", "1000000", "0", "7", "0.0025"]);
    }
}
