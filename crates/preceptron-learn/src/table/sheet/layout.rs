//! Which rows of a table are its header, which are examples, and which are neither.

use super::grid::{Area, Content, Grid};
use super::headers::{self, Named};
use super::regions::{different, short};
use super::{SheetOptions, totals};

/// What a table's rows and columns are.
pub(super) struct Layout {
    /// The last row of the header; nothing without a header.
    pub header: Option<usize>,
    /// The rows that are examples.
    pub rows: Vec<usize>,
    /// The columns that are kept, with their names.
    pub columns: Vec<Named>,
    /// What was seen and changed.
    pub said: Vec<String>,
}

/// How many of a list to name.
const SHOWN: usize = 6;

/// Numbers of rows, or other words, in one line.
pub(super) fn listed(words: &[String]) -> String {
    let mut line = words.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if words.len() > SHOWN {
        line += &format!(" and {} more", words.len() - SHOWN);
    }
    line
}

fn rows_listed(grid: &Grid, rows: &[usize]) -> String {
    let numbers: Vec<String> = rows.iter().map(|row| grid.row_number(*row).to_string()).collect();
    format!("row{} {}", if rows.len() == 1 { "" } else { "s" }, listed(&numbers))
}

/// Whether a text reads like a remark below a table.
fn is_remark(text: &str) -> bool {
    let text = text.trim();
    let lower = text.to_lowercase();
    let starts = [
        "*",
        "note",
        "source",
        "legend",
        "quelle",
        "anmerkung",
        "hinweis",
        "stand:",
        "legende",
        "created",
        "erstellt",
    ];
    starts.iter().any(|start| lower.starts_with(start)) || text.split_whitespace().count() >= 5
}

/// Finds out what the rows and columns of a table are. `has_header` is false if somebody said that it has none; a table
/// with wishes has a row below its header though nothing stands there.
pub(super) fn layout(
    grid: &Grid,
    raw: &Grid,
    area: Area,
    has_header: bool,
    asked: &SheetOptions,
) -> Result<Layout, String> {
    let mut said = Vec::new();
    let mut top = area.top;
    let mut named = match has_header {
        true => {
            let found = headers::headers(grid, raw, area, &asked.axes, &mut said)?;
            top = found.last + 1;
            found
        }
        false => headers::unnamed(area),
    };
    let header = has_header.then_some(named.last);
    let first_header = named.first;
    let within = |row: usize| Area { top: row, bottom: row, ..area };
    let (mut rows, mut repeated, mut empty, mut remarks) = (vec![], vec![], vec![], vec![]);
    for row in top..=area.bottom {
        if grid.used_within(within(row)).is_none() {
            empty.push(row);
            continue;
        }
        let is_header = |other: usize| {
            (area.left..=area.right).all(|column| {
                grid.get(row, column).to_string().trim() == grid.get(other, column).to_string().trim()
            })
        };
        if header.is_some() && (first_header..=named.last).any(is_header) {
            repeated.push(row);
            continue;
        }
        let words = different(grid, row, area, 2);
        let is_wide =
            grid.merged.iter().any(|merged| merged.has(row, area.left) && merged.width() > area.width() / 2);
        if area.width() > 2 && words.len() == 1 && (is_wide || is_remark(&words[0])) {
            remarks.push(row);
            continue;
        }
        rows.push(row);
    }
    let mut say = |rows: &[usize], what: &str| {
        if !rows.is_empty() {
            let place = if grid.is_text() { String::new() } else { format!("sheet {}, ", grid.name) };
            said.push(format!("{place}{}: {what}, set aside", rows_listed(grid, rows)));
        }
    };
    say(&repeated, if repeated.len() == 1 { "the header again" } else { "the header again and again" });
    say(&remarks, "a remark");
    // Rows below the last one that are empty were never part of the table.
    empty.retain(|row| rows.last().is_some_and(|last| row < last));
    say(&empty, "empty");
    let totals = totals::totals(grid, &rows, area);
    rows.retain(|row| !totals.sums.contains(row));
    say(&totals.sums, "totals, which are the sums of others");
    for row in &totals.others {
        let word = different(grid, *row, area, 1).concat();
        said.push(format!(
            "{}: {:?} is not the sum of the others, and is taken for an example",
            grid.row_words(*row),
            short(&word)
        ));
    }
    // Columns without a name and without a cell are no columns.
    let mut gone = Vec::new();
    named.columns.retain(|column| {
        let is_filled = rows.iter().any(|row| !grid.get(*row, column.at).is_empty());
        if column.name.is_empty() && !is_filled {
            gone.push(grid.column_words(column.at));
        }
        !column.name.is_empty() || is_filled
    });
    if !gone.is_empty() {
        said.push(format!("{}: empty, set aside", listed(&gone)));
    }
    let mut columns = named.columns;
    for column in columns.iter_mut().filter(|column| column.name.is_empty()) {
        if grid.is_text() {
            return Err(format!("column {} has no name", column.at + 1));
        }
        column.name = super::grid::letters(column.at);
        said.push(format!("{} has no name, and is called {}", grid.column_words(column.at), column.name));
    }
    for (number, column) in columns.iter().enumerate() {
        if let Some(other) = columns[..number].iter().find(|other| other.name == column.name) {
            return Err(format!(
                "{}, {}: has the same name as {}, {:?}; name them apart",
                grid.row_words(named.last),
                grid.column_words(column.at),
                grid.column_words(other.at),
                short(&column.name)
            ));
        }
    }
    if rows.is_empty() && asked.wishes {
        rows.push(named.last + 1);
    }
    if rows.is_empty() {
        return Err("has a header and no rows".to_owned());
    }
    let bad = |row: &usize, column: &Named| match grid.get(*row, column.at) {
        Content::Uncomputed => {
            Some("a formula that was never computed; open the file in a spreadsheet program, and save it")
        }
        _ => None,
    };
    for (row, column) in rows.iter().flat_map(|row| columns.iter().map(move |column| (row, column))) {
        if let Some(what) = bad(row, column) {
            return Err(format!(
                "{} ({}): has {what}",
                grid.cell_words(*row, column.at),
                short(&column.name)
            ));
        }
    }
    Ok(Layout { header, rows, columns, said })
}
