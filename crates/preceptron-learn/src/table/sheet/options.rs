//! What a user may say of a sheet, and what a cell may say besides its value.

use super::{Area, DateOrder, Decimal, HeaderAxes, Key, Pivot};

/// Which part of a file is the table, and how to read what can be read in several ways.
#[derive(Clone, Debug, Default)]
pub struct SheetOptions {
    /// The sheet, by its name or its number from 1.
    pub sheet: Option<String>,
    /// The rectangle that is the table, with its header.
    pub range: Option<Area>,
    /// The order of day and month in dates such as `03/04/2024`.
    pub dates: Option<DateOrder>,
    /// What stands before the decimals of numbers.
    pub decimal: Option<Decimal>,
    /// Words for "not known", in the place of the usual ones.
    pub missing: Option<Vec<String>>,
    /// What columns are called that have a header of two rows, each upper name over the same lower ones.
    pub axes: HeaderAxes,
    /// How to make a long table wide.
    pub pivot: Option<Pivot>,
    /// Which rows of a long table are one example: those that are equal in these.
    pub example: Vec<Key>,
    /// Take `N?` for a wish that N may stand there, and `N!` for a demand.
    pub wishes: bool,
}

impl SheetOptions {
    /// Whether something is said that only a sheet has.
    pub(in super::super) fn is_asked(&self) -> bool {
        self.sheet.is_some()
            || self.range.is_some()
            || self.dates.is_some()
            || self.decimal.is_some()
            || self.missing.is_some()
            || self.axes != HeaderAxes::default()
            || self.pivot.is_some()
            || self.wishes
    }
}

/// How much a cell's value is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// `N?`, or `N?3` with a weight.
    May(u64),
    /// `N!`.
    Must,
}

/// The cell's text, and the wish that stands behind it.
pub(super) fn wish_of(text: &str) -> (String, Option<Wish>) {
    if let Some(value) = text.strip_suffix('!').filter(|value| !value.trim().is_empty()) {
        return (value.trim().to_owned(), Some(Wish::Must));
    }
    match text.rsplit_once('?') {
        Some((value, "")) if !value.trim().is_empty() => (value.trim().to_owned(), Some(Wish::May(1))),
        Some((value, weight)) if !value.trim().is_empty() => match weight.trim().parse() {
            Ok(weight) if weight > 0 && weight < 1_000_000_000 => {
                (value.trim().to_owned(), Some(Wish::May(weight)))
            }
            _ => (text.to_owned(), None),
        },
        _ => (text.to_owned(), None),
    }
}
