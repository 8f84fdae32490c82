//! Tables of figures: the first column to the left, the others to the right.

use std::io::{self, Write};

/// Prints rows under a line of titles, columns as wide as they need to be.
pub fn print_table(out: &mut dyn Write, titles: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
    let titles: Vec<String> = titles.iter().map(|title| (*title).to_owned()).collect();
    let width = |column: usize| {
        let cells = [&titles].into_iter().chain(rows).filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    for row in [&titles].into_iter().chain(rows) {
        let cells = row.iter().enumerate().map(|(column, cell)| match column {
            0 => format!("{cell:<width$}", width = width(0)),
            _ => format!("{cell:>width$}", width = width(column)),
        });
        writeln!(out, "  {}", cells.collect::<Vec<_>>().join("  "))?;
    }
    Ok(())
}
