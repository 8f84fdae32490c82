//! A rule as a grid of text: where its variables stand on two axes of their block.
//!
//! ```text
//! digit 3; row down, column across
//!   1 2 3 4
//! 1 . . . .
//! 2 3 3 3 3
//! 3 . . . .
//! 4 . . . .
//! ```

use std::collections::HashMap;

use crate::{Block, Constraint, Lit, Variables};

/// No grid has more lines or columns than this.
const LARGEST: usize = 30;
/// No label is wider than this.
const WIDEST: usize = 8;

/// The literals of a constraint on a grid of their block's axes; nothing if they are of several blocks, if
/// their block has fewer than two axes, or if no two axes show them all in a size to look at.
///
/// A dot is a variable that the rule does not count, a blank is a place without a variable. A mark is the
/// label on the third axis, if the first two are shown and it is short, and else `#`; a negation has `-`
/// before it.
pub fn draw(variables: &Variables, constraint: &Constraint) -> Option<String> {
    let literals = constraint.literals();
    let number = variables.place(literals.first()?.var())?.block;
    if !literals.iter().all(|l| variables.place(l.var()).is_some_and(|p| p.block == number)) {
        return None;
    }
    let block = &variables.blocks()[number];
    let position = |l: Lit, axis: usize| variables.place(l.var()).map_or(0, |p| p.positions[axis]);
    let given = block.given();
    let varying: Vec<usize> = (0..given)
        .filter(|&axis| literals.iter().any(|&l| position(l, axis) != position(literals[0], axis)))
        .collect();
    // The axes down and across, and the one whose labels are the marks.
    let (down, across, mark) = match varying[..] {
        _ if given < 2 => return None,
        [one] if one >= 2 => (None, one, None),
        [_] | [] | [0, 1] => (Some(0), 1, (given == 3).then_some(2)),
        [a, b] => (Some(a), b, None),
        [a, b, c] => (Some(a), b, Some(c)),
        _ => return None,
    };
    let fits = |axis: usize| {
        let labels = block.axes()[axis].labels();
        labels.len() <= LARGEST && labels.iter().all(|l| l.to_string().chars().count() <= WIDEST)
    };
    if !down.is_none_or(fits) || !fits(across) {
        return None;
    }
    let shown = [down, Some(across)];
    let label = |axis: usize, at: usize| block.axes()[axis].labels()[at].to_string();
    let is_short = |label: String| label.len() <= 2 && !label.starts_with('-');
    let is_named = |axis: usize| literals.iter().all(|&l| is_short(label(axis, position(l, axis))));
    let mark = mark.filter(|&axis| is_named(axis));
    if varying.iter().any(|&axis| !shown.contains(&Some(axis)) && mark != Some(axis)) {
        return None;
    }
    let place = |l: Lit| (down.map_or(0, |axis| position(l, axis)), position(l, across));
    let mut marks: HashMap<(usize, usize), String> = HashMap::new();
    for &literal in literals {
        let name = mark.map_or("#".to_owned(), |axis| label(axis, position(literal, axis)));
        let sign = if literal.is_negated() { "-" } else { "" };
        // Two literals at one place cannot be told apart.
        if marks.insert(place(literal), format!("{sign}{name}")).is_some() {
            return None;
        }
    }
    // Dots are the variables that agree with the literals on the axes that are not shown.
    for &var in block.members() {
        let is_beside = (0..given)
            .filter(|&axis| !shown.contains(&Some(axis)) && !varying.contains(&axis))
            .all(|axis| position(var.positive(), axis) == position(literals[0], axis));
        if is_beside {
            marks.entry(place(var.positive())).or_insert_with(|| ".".to_owned());
        }
    }
    let fixed: Vec<String> = (0..given)
        .filter(|&axis| !shown.contains(&Some(axis)) && !varying.contains(&axis))
        .map(|axis| format!("{} {}", block.axes()[axis].name(), label(axis, position(literals[0], axis))))
        .collect();
    Some(grid(block, down, across, &fixed, &marks))
}

fn grid(
    block: &Block,
    down: Option<usize>,
    across: usize,
    fixed: &[String],
    marks: &HashMap<(usize, usize), String>,
) -> String {
    let labels = |axis: usize| block.axes()[axis].labels().iter().map(ToString::to_string);
    let lines: Vec<String> = down.map_or(vec![String::new()], |axis| labels(axis).collect());
    let columns: Vec<String> = labels(across).collect();
    let length = |text: &String| text.chars().count();
    let margin = lines.iter().map(length).max().unwrap_or(0);
    let width = columns.iter().chain(marks.values()).map(length).max().unwrap_or(1);
    let mut header = fixed.join(", ");
    header += if fixed.is_empty() { "" } else { "; " };
    if let Some(down) = down {
        header += &format!("{} down, ", block.axes()[down].name());
    }
    header += &format!("{} across", block.axes()[across].name());
    if marks.values().any(|mark| mark.starts_with('-')) {
        header += ", - is a negation";
    }
    let mut text = header + "\n";
    let mut row = |name: &str, cells: &mut dyn Iterator<Item = &str>| {
        let mut line = format!("{name:>margin$}");
        cells.for_each(|cell| line += &format!(" {cell:>width$}"));
        text += line.trim_end();
        text.push('\n');
    };
    row("", &mut columns.iter().map(String::as_str));
    for (at, name) in lines.iter().enumerate() {
        row(name, &mut (0..columns.len()).map(|column| marks.get(&(at, column)).map_or("", String::as_str)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Var;

    fn picture(variables: &Variables, names: &[&str]) -> String {
        let literals = names.iter().map(|n| variables.find_literal(n).unwrap());
        draw(variables, &Constraint::exactly(1, literals)).unwrap_or_else(|| "no drawing".to_owned())
    }

    #[test]
    fn a_row_of_sudoku_shows_its_digit() {
        let v = Variables::block("cell", &[("row", 1..=4), ("column", 1..=4), ("digit", 1..=4)]);
        let row: Vec<Lit> = (0..4).map(|c| Var(16 + c * 4 + 2).positive()).collect();
        insta::assert_snapshot!(draw(&v, &Constraint::exactly(1, row)).unwrap(), @"
        digit 3; row down, column across
          1 2 3 4
        1 . . . .
        2 3 3 3 3
        3 . . . .
        4 . . . .
        ");
        let cell: Vec<Lit> = (0..4).map(|d| Var(16 + d).positive()).collect();
        insta::assert_snapshot!(draw(&v, &Constraint::exactly(1, cell)).unwrap(), @"
        row 2, column 1; digit across
         1 2 3 4
         # # # #
        ");
    }

    #[test]
    fn pairs_across_a_third_axis_show_it() {
        let v = Variables::block("cell", &[("row", 1..=3), ("column", 1..=3), ("digit", 1..=3)]);
        let names = ["cell[row 1, column 1, digit 3]", "not cell[row 2, column 3, digit 1]"];
        insta::assert_snapshot!(picture(&v, &names), @"
        row down, column across, - is a negation
           1  2  3
        1  3  .  .
        2  .  . -1
        3  .  .  .
        ");
        let names = ["cell[row 1, column 1, digit 3]", "cell[row 2, column 1, digit 1]"];
        insta::assert_snapshot!(picture(&v, &names), @"
        column 1; row down, digit across
          1 2 3
        1 . . #
        2 # . .
        3 . . .
        ");
        let names = [
            "cell[row 1, column 1, digit 3]",
            "cell[row 1, column 1, digit 1]",
            "cell[row 2, column 2, digit 1]",
        ];
        insta::assert_snapshot!(picture(&v, &names), @"no drawing");
    }

    #[test]
    fn words_label_a_roster_and_places_without_a_variable_are_blank() {
        let days = ["mon", "tue", "wed"];
        let names = days
            .iter()
            .flat_map(|d| ["early", "night"].map(|s| format!("work[nurse ann, day {d}, shift {s}]")));
        let v = Variables::from_names(names.filter(|n| !n.contains("tue, shift early"))).unwrap();
        let names = ["work[nurse ann, day mon, shift night]", "work[nurse ann, day wed, shift early]"];
        insta::assert_snapshot!(picture(&v, &names), @"
        nurse ann; day down, shift across
            early night
        mon     .     #
        tue           .
        wed     #     .
        ");
    }

    #[test]
    fn nothing_to_draw_without_a_grid_of_a_size_to_look_at() {
        let v = Variables::from_names(["a", "x[i 1]", "x[i 2]", "y[i 1, j 1]"]).unwrap();
        assert_eq!(picture(&v, &["a"]), "no drawing");
        assert_eq!(picture(&v, &["x[i 1]", "x[i 2]"]), "no drawing");
        assert_eq!(picture(&v, &["x[i 1]", "y[i 1, j 1]"]), "no drawing");
        let v = Variables::block("x", &[("i", 1..=31), ("j", 1..=2)]);
        assert_eq!(picture(&v, &["x[i 1, j 1]"]), "no drawing");
    }
}
