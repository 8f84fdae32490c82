//! Axes that nobody named, as drawings.

use std::io::Write;

use preceptron_logic::{Block, Expression, Variables};

/// Lines of a drawing, at the most.
const LINES: usize = 40;

/// Draws the axes of `found` that `table` does not have: which places have which label.
pub fn draw_new_axes(out: &mut dyn Write, found: &Variables, table: &Variables) -> std::io::Result<()> {
    for (block, before) in found.blocks().iter().zip(table.blocks()) {
        let is_new = |name: &str| before.axis(name).is_none();
        for (at, axis) in block.axes().iter().enumerate().filter(|(_, axis)| is_new(axis.name())) {
            let Some(expression) = axis.derived() else { continue };
            writeln!(
                out,
                "\nAn axis of {} that nobody named, found in the table: {}",
                block.name(),
                axis.name()
            )?;
            let lines = drawing(found, block, at, expression).filter(|lines| lines.len() <= LINES);
            lines.unwrap_or_default().iter().try_for_each(|line| writeln!(out, "  {line}"))?;
            writeln!(out, "  {} = {}", axis.name(), shortened(&expression.to_string()))?;
        }
    }
    Ok(())
}

/// The labels where the axes stand that they are computed from: a line of runs, or a grid.
fn drawing(variables: &Variables, block: &Block, at: usize, expression: &Expression) -> Option<Vec<String>> {
    let mut from: Vec<usize> =
        expression.names().iter().map(|name| block.axis(name)).collect::<Option<_>>()?;
    // In the order of the axes, not of the alphabet.
    from.sort_unstable();
    let label = |places: &[usize]| -> Option<String> {
        let var = block.members().iter().find(|&&var| {
            variables
                .place(var)
                .is_some_and(|p| from.iter().zip(places).all(|(axis, place)| p.positions[*axis] == *place))
        })?;
        Some(block.axes()[at].labels()[variables.place(*var)?.positions[at]].to_string())
    };
    let count = |axis: usize| block.axes()[from[axis]].labels().len();
    match from.len() {
        1 => {
            let axis = &block.axes()[from[0]];
            let mut runs: Vec<(String, Vec<String>)> = Vec::new();
            for place in 0..count(0) {
                let (own, name) = (label(&[place])?, axis.labels()[place].to_string());
                match runs.last_mut().filter(|(last, _)| *last == own) {
                    Some((_, names)) => names.push(name),
                    None => runs.push((own, vec![name])),
                }
            }
            let words: Vec<String> = runs.iter().map(|(_, names)| names.join(" ")).collect();
            Some(vec![format!("{}: {}", axis.name(), words.join(" | "))])
        }
        2 => {
            let rows: Option<Vec<Vec<String>>> = (0..count(0))
                .map(|row| (0..count(1)).map(|column| label(&[row, column])).collect())
                .collect();
            let rows = rows?;
            let width = rows.iter().flatten().map(String::len).max()?;
            let line =
                |row: &Vec<String>| row.iter().map(|l| format!("{l:>width$}")).collect::<Vec<_>>().join(" ");
            Some(rows.iter().map(line).collect())
        }
        _ => None,
    }
}

/// What is long is cut short.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 90;
    let characters: Vec<char> = text.chars().collect();
    match characters.len() > SHOWN {
        true => format!("{} ...", characters[..SHOWN].iter().collect::<String>()),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_and_runs_are_drawn() {
        let table = Variables::block("cell", &[("row", 1..=4), ("column", 1..=4), ("digit", 1..=4)]);
        let mut found = table.clone();
        found.derive("tile", &"2*((row-1)/2) + (column-1)/2 + 1".parse().unwrap()).unwrap();
        found.derive("pair", &"(digit-1)/2".parse().unwrap()).unwrap();
        let mut out = Vec::new();
        draw_new_axes(&mut out, &found, &table).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap().trim_start(), @r"
        An axis of cell that nobody named, found in the table: tile
          1 1 2 2
          1 1 2 2
          3 3 4 4
          3 3 4 4
          tile = 2*((row-1)/2) + (column-1)/2 + 1

        An axis of cell that nobody named, found in the table: pair
          digit: 1 2 | 3 4
          pair = (digit-1)/2
        ");
    }
}
