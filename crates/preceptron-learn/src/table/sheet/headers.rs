//! The header of a table: one row of names, or several that are joined.

use super::grid::{Area, Content, Grid};
use super::regions::{different, short};
use super::{dates, numbers};

/// What columns of two header rows are called: the block, the axis of the upper row, and that of the lower one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderAxes {
    block: String,
    upper: String,
    lower: String,
}

impl Default for HeaderAxes {
    fn default() -> HeaderAxes {
        HeaderAxes { block: "cell".to_owned(), upper: "group".to_owned(), lower: "item".to_owned() }
    }
}

impl HeaderAxes {
    /// Reads `work[nurse, day]`.
    ///
    /// # Errors
    /// If it is not of this form.
    pub fn parse(text: &str) -> Result<HeaderAxes, String> {
        let wrong = || "expected BLOCK[UPPER, LOWER], such as work[nurse, day]".to_owned();
        let (block, axes) =
            text.trim().strip_suffix(']').and_then(|text| text.split_once('[')).ok_or_else(wrong)?;
        let (upper, lower) = axes.split_once(',').ok_or_else(wrong)?;
        let [block, upper, lower] = [block, upper, lower].map(|name| name.trim().to_owned());
        let is_name = |name: &String| {
            !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || "[],".contains(c))
        };
        if [&block, &upper, &lower].into_iter().all(is_name) && upper != lower {
            return Ok(HeaderAxes { block, upper, lower });
        }
        Err(wrong())
    }

    fn name(&self, group: &str, item: &str) -> String {
        // `nurse 1` on an axis nurse is 1.
        let bare = |axis: &str, text: &str| {
            let rest = text
                .get(..axis.len())
                .filter(|start| start.eq_ignore_ascii_case(axis))
                .map(|_| text[axis.len()..].trim());
            label(rest.filter(|rest| !rest.is_empty()).unwrap_or(text))
        };
        let HeaderAxes { block, upper, lower } = self;
        format!("{block}[{upper} {}, {lower} {}]", bare(upper, group), bare(lower, item))
    }
}

/// A column and its name.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub at: usize,
    pub name: String,
}

/// A header: its first and last row, and the names.
pub(super) struct Headers {
    pub first: usize,
    pub last: usize,
    pub columns: Vec<Named>,
}

/// The columns of a table without a header.
pub(super) fn unnamed(area: Area) -> Headers {
    let columns =
        (area.left..=area.right).zip(1..).map(|(at, number)| Named { at, name: format!("x{number}") });
    Headers { first: area.top, last: area.top, columns: columns.collect() }
}

/// What kind of thing stands in a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Date,
    Word,
}

fn kind(content: &Content) -> Option<Kind> {
    match content {
        _ if content.is_empty() => None,
        Content::Error(_) => None,
        Content::Text(text) if super::words::is_missing(text, None) => None,
        Content::Number(_) => Some(Kind::Number),
        Content::Date(_) => Some(Kind::Date),
        Content::Text(text) if numbers::read(text).is_some() => Some(Kind::Number),
        Content::Text(text) if dates::read(text).is_some() => Some(Kind::Date),
        // Such as `4.3.`, a date without its year.
        Content::Text(text)
            if text.contains(|c: char| c.is_ascii_digit()) && !text.contains(char::is_alphabetic) =>
        {
            Some(Kind::Number)
        }
        _ => Some(Kind::Word),
    }
}

fn name(content: &Content) -> String {
    content.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How many cells of a row are not empty.
fn filled(grid: &Grid, row: usize, area: Area) -> usize {
    (area.left..=area.right).filter(|column| !grid.get(row, *column).is_empty()).count()
}

fn row_names(grid: &Grid, row: usize, area: Area) -> Vec<String> {
    (area.left..=area.right).map(|column| name(grid.get(row, column))).collect()
}

/// Whether two names that are not empty are equal.
fn has_twins(names: &[String]) -> bool {
    let mut sorted: Vec<&String> = names.iter().filter(|name| !name.is_empty()).collect();
    sorted.sort();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}

/// Whether a row below the first one of a header is of the header too: it differs in kind from what stands below it,
/// or tells columns apart that have one name. A row that `is_grouped` has names that stand over several columns.
fn continues(grid: &Grid, area: Area, above: &[String], row: usize, is_grouped: bool) -> bool {
    if row >= area.bottom && !is_grouped || row > area.bottom {
        return false;
    }
    let (mut cells, mut odd, mut known, mut is_words) = (0, 0, 0, true);
    for column in area.left..=area.right {
        let Some(here) = kind(grid.get(row, column)) else { continue };
        let below: Vec<&Content> =
            (row + 1..=area.bottom.min(row + 200)).map(|row| grid.get(row, column)).collect();
        let kinds: Vec<Kind> = below.iter().filter_map(|content| kind(content)).collect();
        cells += 1;
        is_words &= here == Kind::Word;
        let text = grid.get(row, column).to_string();
        known += usize::from(below.iter().any(|content| content.to_string() == text));
        odd += usize::from(
            kinds.len() > 1 && kinds.iter().filter(|other| **other == here).count() * 5 <= kinds.len(),
        );
    }
    if cells == 0 {
        return false;
    }
    let names = row_names(grid, row, area);
    let joined: Vec<String> = above.iter().zip(&names).map(|(a, b)| format!("{a}\n{b}")).collect();
    let some_unnamed =
        above.iter().zip(&names).filter(|(a, b)| a.is_empty() && !b.is_empty()).count() * 4 > cells;
    let tells_apart = (has_twins(above) || some_unnamed) && !has_twins(&joined);
    known * 4 <= cells
        && (tells_apart && (is_grouped || odd > 0 || is_words && known == 0 && row + 3 <= area.bottom)
            || odd * 2 >= cells && cells * 2 > area.width())
}

/// A group's name goes on over the empty cells behind it.
fn carried(names: &mut [String], below: &[String]) {
    let mut last = String::new();
    for (name, below) in names.iter_mut().zip(below) {
        match name.is_empty() {
            true if !below.is_empty() => name.clone_from(&last),
            true => {}
            false => last.clone_from(name),
        }
    }
}

/// Finds the header of a table.
pub(super) fn headers(
    grid: &Grid,
    raw: &Grid,
    area: Area,
    axes: &HeaderAxes,
    said: &mut Vec<String>,
) -> Result<Headers, String> {
    let fullest =
        (area.top..=area.bottom.min(area.top + 30)).map(|row| filled(grid, row, area)).max().unwrap_or(0);
    let mut first = area.top;
    let is_sparse = |row: usize| filled(grid, row, area) * 2 <= fullest;
    let is_title = |row: usize| {
        area.width() > 1 && different(grid, row, area, 2).len() <= 1 && filled(raw, row, area) <= 1
    };
    // Groups over columns are few cells too; what is below them needs them to be told apart.
    let is_groups = |row: usize| {
        let (own, below) = (row_names(grid, row, area), row_names(grid, row + 1, area));
        let is_merged =
            different(grid, row, area, 2).len() > 1 && filled(raw, row, area) < filled(grid, row, area);
        let is_only =
            |a: &[String], b: &[String]| a.iter().zip(b).any(|(a, b)| !a.is_empty() && b.is_empty());
        let each_lacks = is_only(&own, &below) && is_only(&below, &own);
        !is_title(row)
            && (is_merged || each_lacks || has_twins(&below) && grid.get(row, area.left).is_empty())
    };
    while first < area.bottom && (is_title(first) || is_sparse(first)) && !is_groups(first) {
        let text = different(grid, first, area, 1).concat();
        if filled(grid, first, area) > 0 {
            said.push(format!(
                "{}: {:?} stands above the header, set aside",
                grid.row_words(first),
                short(&text)
            ));
        }
        first += 1;
    }
    let mut names = row_names(grid, first, area);
    let kinds: Vec<Kind> =
        (area.left..=area.right).filter_map(|column| kind(grid.get(first, column))).collect();
    if kinds.iter().all(|kind| *kind == Kind::Number) {
        return Err(format!(
            "{}: the header has only numbers; if the table has none, say --no-header (columns x1, x2, ...)",
            grid.row_words(first)
        ));
    }
    let mut rows = vec![names.clone()];
    let mut last = first;
    while rows.len() < 3 && last < area.bottom {
        let below = row_names(grid, last + 1, area);
        let mut above = names.clone();
        carried(&mut above, &below);
        let is_merged = grid.merged.iter().any(|merged| {
            merged.has(last, merged.left) && merged.width() > 1 && merged.width() < area.width()
        });
        let has_gaps = above != names && has_twins(&above);
        let goes_on = continues(grid, area, &names, last + 1, is_merged)
            || (has_gaps && continues(grid, area, &above, last + 1, true));
        if !goes_on {
            break;
        }
        if let Some(upper) = rows.last_mut() {
            carried(upper, &below);
        }
        names = above.iter().zip(&below).map(|(a, b)| joined(a, b)).collect();
        rows.push(below);
        last += 1;
    }
    if rows.len() > 1 {
        let product = if rows.len() == 2 { product(&rows[0], &rows[1], axes) } else { None };
        let place = grid.row_words(first);
        match product {
            Some((placed, count)) => {
                said.push(format!(
                    "{place}: the header has 2 rows; {count} columns are {}[{}, {}], by the upper and the lower one",
                    axes.block, axes.upper, axes.lower
                ));
                names = placed;
            }
            None => said.push(format!("{place}: the header has {} rows, whose names are joined", rows.len())),
        }
    }
    let columns = (area.left..=area.right).zip(names).map(|(at, name)| Named { at, name }).collect();
    Ok(Headers { first, last, columns })
}

fn joined(above: &str, below: &str) -> String {
    match (above, below) {
        ("", name) | (name, "") => name.to_owned(),
        (above, below) if above == below => above.to_owned(),
        (above, below) => format!("{above} {below}"),
    }
}

/// A name without characters that have a meaning in names.
pub(super) fn label(text: &str) -> String {
    text.replace('[', "(").replace(']', ")").replace(',', ";")
}

/// Names on two axes, if several groups have the same several items each; and how many columns have them.
fn product(above: &[String], below: &[String], axes: &HeaderAxes) -> Option<(Vec<String>, usize)> {
    let mut groups: Vec<(&String, Vec<&String>)> = Vec::new();
    for (group, item) in above.iter().zip(below) {
        if group.is_empty() || item.is_empty() || group == item {
            continue;
        }
        match groups.iter_mut().find(|(known, _)| *known == group) {
            Some((_, items)) => items.push(item),
            None => groups.push((group, vec![item])),
        }
    }
    groups.retain(|(_, items)| items.len() > 1);
    let items = groups.first()?.1.clone();
    if groups.len() < 2 || groups.iter().any(|(_, others)| *others != items) {
        return None;
    }
    let is_member = |group: &String| groups.iter().any(|(known, _)| *known == group);
    let placed = above.iter().zip(below).map(|(group, item)| match is_member(group) && group != item {
        true => axes.name(group, item),
        false => joined(group, item),
    });
    Some((placed.collect(), groups.len() * items.len()))
}
