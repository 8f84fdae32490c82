//! Which rectangles of a sheet are tables: parts between empty rows and empty columns.

use super::grid::{Area, Content, Grid, MOST_CELLS};

/// The tables of a sheet, and what was set aside beside them.
pub(super) struct Regions {
    pub tables: Vec<Area>,
    pub said: Vec<String>,
}

/// The sheet with the value of merged cells in each of them.
pub(super) fn filled(grid: &Grid) -> Grid {
    let mut filled = grid.clone();
    let Some(used) = grid.used() else { return filled };
    // Areas that lie on each other are not worth more than all cells once.
    let mut left = MOST_CELLS;
    for area in &grid.merged {
        let content = grid.get(area.top, area.left).clone();
        if content.is_empty() {
            continue;
        }
        for row in area.top..=area.bottom.min(used.bottom) {
            for column in area.left..=area.right.min(used.right.max(area.left + 255)) {
                if left == 0 {
                    return filled;
                }
                left -= 1;
                filled.set(row, column, content.clone());
            }
        }
    }
    filled
}

/// The different texts of a row, at most `most`.
pub(super) fn different(grid: &Grid, row: usize, area: Area, most: usize) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for column in area.left..=area.right {
        let content = grid.get(row, column);
        if !content.is_empty() && all.len() < most {
            let text = content.to_string();
            if !all.contains(&text) {
                all.push(text);
            }
        }
    }
    all
}

fn is_word(content: &Content) -> bool {
    match content {
        Content::Text(text) => {
            super::numbers::read(text).is_none()
                && super::dates::read(text).is_none()
                && !super::words::is_missing(text, None)
        }
        _ => false,
    }
}

/// How a row begins a table below another one: with words where that has numbers, or words that it does not have.
fn begins_another(grid: &Grid, row: usize, above: Area, header: usize) -> bool {
    let (mut new, mut known) = (0, 0);
    for column in above.left..=above.right {
        let content = grid.get(row, column);
        if content.is_empty() {
            continue;
        }
        let text = content.to_string();
        let occurs = (header + 1..=above.bottom).any(|other| grid.get(other, column).to_string() == text);
        if is_word(content) && !occurs { new += 1 } else { known += 1 }
    }
    new > known
}

/// Whether a row of a part is a header: words or numbers that differ from each other.
fn names(grid: &Grid, row: usize, area: Area) -> Vec<String> {
    let content = (area.left..=area.right).map(|column| grid.get(row, column));
    content.filter(|content| !content.is_empty()).map(|content| content.to_string().to_lowercase()).collect()
}

/// The parts of a rectangle between rows that are empty.
fn bands(grid: &Grid, area: Area) -> Vec<Area> {
    let mut bands: Vec<Area> = Vec::new();
    let mut is_open = false;
    for row in area.top..=area.bottom {
        let line = grid.used_within(Area { top: row, bottom: row, ..area });
        match (line, is_open) {
            (None, _) => is_open = false,
            (Some(line), true) => {
                if let Some(band) = bands.last_mut() {
                    *band = Area {
                        bottom: row,
                        left: band.left.min(line.left),
                        right: band.right.max(line.right),
                        ..*band
                    };
                }
            }
            (Some(line), false) => {
                bands.push(line);
                is_open = true;
            }
        }
    }
    bands
}

/// The parts of a rectangle between columns that are empty.
fn segments(grid: &Grid, area: Area) -> Vec<Area> {
    let is_filled = |column: usize| (area.top..=area.bottom).any(|row| !grid.get(row, column).is_empty());
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for column in (area.left..=area.right).filter(|column| is_filled(*column)) {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == column => *last = column,
            _ => parts.push((column, column)),
        }
    }
    parts.into_iter().filter_map(|(left, right)| grid.used_within(Area { left, right, ..area })).collect()
}

/// Whether parts beside each other are one table with an empty column in it.
fn are_one(grid: &Grid, left: Area, right: Area) -> bool {
    let heads = |area: Area| names(grid, area.top, area);
    let again = (0..3).any(|row| {
        let [a, b] = [left, right].map(|area| names(grid, area.top + row, area));
        a.len() > 1 && a == b
    });
    let shared = again || heads(right).iter().any(|name| heads(left).contains(name));
    !shared && left.top.abs_diff(right.top) <= 1 && left.bottom.abs_diff(right.bottom) <= 1
        || left.top == right.top && right.bottom == right.top && left.right + 2 == right.left
}

/// Finds the tables of a sheet within a rectangle.
pub(super) fn regions(grid: &Grid, area: Area) -> Regions {
    let mut said = Vec::new();
    let wide = area.width() > 1;
    let is_lines =
        |band: &Area| wide && (band.top..=band.bottom).all(|row| different(grid, row, *band, 2).len() <= 1);
    let all = bands(grid, area);
    let has_table = all.iter().any(|band| !is_lines(band));
    let mut tables: Vec<(Area, usize)> = Vec::new();
    let mut last_was_lines = false;
    for band in all {
        if has_table && is_lines(&band) {
            let text = different(grid, band.top, band, 1).concat();
            said.push(format!(
                "{}: {:?} is a title or a note, set aside",
                grid.row_words(band.top),
                short(&text)
            ));
            last_was_lines = true;
            continue;
        }
        let mut parts = segments(grid, band);
        let mut at = 1;
        while at < parts.len() {
            if are_one(grid, parts[at - 1], parts[at]) {
                let right = parts.remove(at);
                let left = &mut parts[at - 1];
                *left = Area {
                    top: left.top.min(right.top),
                    bottom: left.bottom.max(right.bottom),
                    right: right.right,
                    ..*left
                };
            } else {
                at += 1;
            }
        }
        for part in parts {
            let above = tables.iter_mut().rev().find(|(above, _)| {
                // A part below is of the same table if it stands under its columns and does not begin like another.
                above.left <= part.left && part.right <= above.right
            });
            match above {
                Some((above, header))
                    if part.top > above.bottom
                        && (names(grid, part.top, part) == names(grid, *header, *above)
                            && !last_was_lines
                            || !begins_another(grid, part.top, *above, *header)) =>
                {
                    above.bottom = part.bottom;
                }
                _ => tables.push((part, part.top)),
            }
        }
        last_was_lines = false;
    }
    // What has one column beside a table of several is a legend, and what has one row is none of either.
    if tables.len() > 1 {
        let largest =
            tables.iter().map(|(area, _)| area.width() * (area.bottom + 1 - area.top)).max().unwrap_or(0);
        let is_table = |area: &Area| {
            let height = area.bottom + 1 - area.top;
            let size = area.width() * height;
            // Above a table stand lines such as "Ward: 3 West".
            let said = (area.top..=area.bottom)
                .filter(|row| grid.get(*row, area.left).to_string().trim().ends_with(':'));
            let is_head =
                area.width() <= 2 && size * 3 <= largest && (height <= 2 || said.count() * 2 > height);
            height > 1 && area.width() > 1 && !is_head || size == largest
        };
        tables.retain(|(area, _)| {
            let keep = is_table(area);
            if !keep {
                let text = different(grid, area.top, *area, 1).concat();
                said.push(format!("{area}: {:?} stands beside the table, set aside", short(&text)));
            }
            keep
        });
    }
    Regions { tables: tables.into_iter().map(|(area, _)| area).collect(), said }
}

/// The start of a text, in one line.
pub(super) fn short(text: &str) -> String {
    const SHOWN: usize = 40;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.chars().count() > SHOWN {
        true => line.chars().take(SHOWN).chain("...".chars()).collect(),
        false => line,
    }
}
