//! An assignment for a person: its true variables, on grids where their axes allow it.

use std::io::{self, Write};

use preceptron_logic::{Constraint, Lit, Var, Variables, draw};

/// Lists of names are broken at this width.
const WIDTH: usize = 100;

/// Prints the true variables, block by block, at most `show` names among them.
pub fn print_true(
    out: &mut dyn Write,
    variables: &Variables,
    values: &[bool],
    show: usize,
) -> io::Result<()> {
    let is_true = |var: &Var| values[var.index()];
    let mut named: Vec<Var> =
        variables.iter().filter(|v| variables.place(*v).is_none()).filter(is_true).collect();
    let mut is_empty = named.is_empty();
    for block in variables.blocks() {
        let members: Vec<Var> = block.members().iter().copied().filter(is_true).collect();
        is_empty &= members.is_empty();
        let literals: Vec<Lit> = members.iter().map(|v| v.positive()).collect();
        match draw(variables, &Constraint::exactly(literals.len() as u32, literals)) {
            Some(drawing) => {
                writeln!(out, "  {}: {}", block.name(), drawing.trim_end().replace('\n', "\n    "))?;
            }
            None => named.extend(members),
        }
    }
    if is_empty {
        return writeln!(out, "  no variable is true");
    }
    named.sort_unstable();
    let mut line = String::new();
    for (place, var) in named.iter().take(show).enumerate() {
        let comma = if place + 1 < named.len().min(show) { "," } else { "" };
        let name = variables.name(*var);
        if !line.is_empty() && line.chars().count() + name.chars().count() > WIDTH {
            writeln!(out, " {line}")?;
            line.clear();
        }
        line += &format!(" {name}{comma}");
    }
    if !line.is_empty() {
        writeln!(out, " {line}")?;
    }
    match named.len().saturating_sub(show) {
        0 => Ok(()),
        more => writeln!(out, "  ... and {more} more that are true"),
    }
}

/// The names of the true variables.
pub fn true_names(variables: &Variables, values: &[bool]) -> Vec<String> {
    variables.iter().filter(|v| values[v.index()]).map(|v| variables.name(v).to_owned()).collect()
}
