//! Tables of figures that fit a terminal: the first column to the left, the others to the right.
//!
//! Titles and the names of rows are broken between words where a table would be wider than [`WIDTH`]; what is too wide
//! all the same becomes several tables below each other, each with the names of the rows.

use std::io::{self, Write};
use std::ops::Range;

/// Columns of a terminal.
const WIDTH: usize = 80;
/// What stands before a row, and between columns.
const GAP: usize = 2;
/// The names of rows have at least so many columns, if they need them.
const NAME: usize = 22;

/// Prints rows under titles, columns as wide as they need to be.
pub fn print_table(out: &mut dyn Write, titles: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
    let columns = rows.iter().map(Vec::len).chain([titles.len()]).max().unwrap_or(0);
    let cell = |row: &Vec<String>, column: usize| row.get(column).map_or(0, |cell| length(cell));
    let names = rows.iter().map(|row| cell(row, 0)).chain(titles.first().map(|title| length(title)));
    let names = names.max().unwrap_or(0);
    let widths = |of_title: &dyn Fn(&str) -> usize| -> Vec<usize> {
        let width = |column: usize| {
            let title = titles.get(column).map_or(0, |title| of_title(title));
            rows.iter().map(|row| cell(row, column)).max().unwrap_or(0).max(title)
        };
        (1..columns).map(width).collect()
    };
    // Titles are broken only where the table would be too wide.
    let mut widths_now = widths(&length);
    if GAP + names + widths_now.iter().map(|width| width + GAP).sum::<usize>() > WIDTH {
        widths_now = widths(&|title| title.split(' ').map(length).max().unwrap_or(0));
    }
    let widths = widths_now;
    for (number, part) in parts(&widths, names.min(NAME)).into_iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        let taken: usize = widths[part.clone()].iter().map(|width| width + GAP).sum();
        let name = names.min((WIDTH - GAP).saturating_sub(taken).max(NAME));
        let width = |column: usize| if column == 0 { name } else { widths[column - 1] };
        let chosen: Vec<usize> = std::iter::once(0).chain(part.map(|column| column + 1)).collect();
        let lines = |cells: &dyn Fn(usize) -> Vec<String>, at_bottom: bool| -> Vec<String> {
            let cells: Vec<Vec<String>> = chosen.iter().map(|&column| cells(column)).collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            let line = |line: usize| {
                let cells = chosen.iter().zip(&cells).map(|(&column, cell)| {
                    let skipped = if at_bottom { height - cell.len() } else { 0 };
                    let text = line.checked_sub(skipped).and_then(|line| cell.get(line)).map_or("", |t| t);
                    let pad = " ".repeat(width(column).saturating_sub(length(text)));
                    if column == 0 { format!("{text}{pad}") } else { format!("{pad}{text}") }
                });
                format!("{}{}", " ".repeat(GAP), cells.collect::<Vec<_>>().join(&" ".repeat(GAP)))
            };
            (0..height).map(line).collect()
        };
        let head = |column: usize| wrapped(titles.get(column).unwrap_or(&""), width(column));
        for line in lines(&head, true) {
            writeln!(out, "{}", line.trim_end())?;
        }
        for row in rows {
            let body = |column: usize| match (column, row.get(column)) {
                (0, Some(text)) => wrapped(text, name),
                (_, text) => vec![text.cloned().unwrap_or_default()],
            };
            for line in lines(&body, false) {
                writeln!(out, "{}", line.trim_end())?;
            }
        }
    }
    Ok(())
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// Which columns of figures stand side by side, beside names of this width.
fn parts(widths: &[usize], name: usize) -> Vec<Range<usize>> {
    let (mut parts, mut begin, mut taken) = (Vec::new(), 0, GAP + name);
    for (column, width) in widths.iter().enumerate() {
        if taken + GAP + width > WIDTH && column > begin {
            parts.push(begin..column);
            (begin, taken) = (column, GAP + name);
        }
        taken += GAP + width;
    }
    parts.push(begin..widths.len());
    parts
}

/// A text in lines of at most this width, broken between words; a longer word stands by itself.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if length(line) + 1 + length(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(titles: &[&str], rows: &[&[&str]]) -> String {
        let rows: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect();
        let mut out = Vec::new();
        print_table(&mut out, titles, &rows).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_fits_stands_in_one_line() {
        assert_eq!(
            printed(&["", "F1", "in all"], &[&["one", "0.5", "3"], &["three", "12.25"]]),
            "            F1  in all\n  one      0.5       3\n  three  12.25\n"
        );
    }

    #[test]
    fn nothing_is_wider_than_a_terminal() {
        let name = "a name of a row that is so long that it must be broken between its words";
        let titles = ["", "first of all", "second", "third", "fourth of them", "fifth"];
        let figures = ["10.00 (9.5-10.5)"; 5];
        for columns in 1..=5 {
            let row: Vec<&str> = [name].iter().chain(&figures[..columns]).copied().collect();
            let text = printed(&titles[..=columns], &[&row]);
            assert!(text.lines().all(|line| length(line) <= WIDTH), "{text}");
            assert_eq!(text.matches(figures[0]).count(), columns, "{text}");
            assert!(text.contains("fifth") == (columns == 5));
        }
    }
}
