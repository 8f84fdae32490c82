//! Axes that nobody named: tiles of numbered axes.
//!
//! A numbered axis of m labels is cut into runs of b consecutive ones, where b divides m; an axis of values into
//! runs of any length b from any place o on, the first and the last perhaps shorter; two axes are cut together
//! into tiles of b x c. Each cut is an axis computed from the others,
//! ```text
//! x_by_b    = (x - first)/b + 1,   x_by_b_from_o = (x - first + b - o)/b + 1
//! tile_bxc  = (columns of tiles) ((x - first)/b) + (y - first)/c + 1
//! ```
//! which families can then tell members apart by, like any that was named. Whether one is used is decided by
//! the same test as any other family, and each counts among the families that were tried.

use preceptron_logic::{Axis, Expression, Label, Variables};

/// Axes with more labels than this are not cut.
const LABELS: usize = 100;
/// So many cuts are tried, at the most.
const CUTS: usize = 60;
/// Values are cut into runs of up to so many.
const RUN: usize = 7;

/// An axis that is computed from others.
pub(crate) type Derived = (String, Expression);

/// The variables with all cuts as further axes, and what the cuts are called.
pub(super) fn with_tiles(variables: &Variables) -> (Variables, Vec<Derived>) {
    let mut wide = variables.clone();
    let mut cuts: Vec<Derived> = Vec::new();
    for block in variables.blocks() {
        let numbered: Vec<(usize, &Axis)> = block.axes()[..block.given()]
            .iter()
            .enumerate()
            .filter(|(_, axis)| axis.is_consecutive() && axis.labels().len() <= LABELS)
            .collect();
        let value = block.one_hot();
        for &(at, axis) in &numbered {
            let (name, first) = (axis.name(), first(axis));
            for length in parts(axis) {
                cuts.extend(derived(
                    format!("{name}_by_{length}"),
                    &format!("({name} - {first})/{length} + 1"),
                ));
            }
            if value != Some(at) {
                continue;
            }
            for length in 2..=(axis.labels().len() / 2).min(RUN) {
                for from in 1..length {
                    let text = format!("({name} - {first} + {})/{length} + 1", length - from);
                    cuts.extend(derived(format!("{name}_by_{length}_from_{from}"), &text));
                }
            }
        }
        let places: Vec<&Axis> =
            numbered.iter().filter(|(at, _)| value != Some(*at)).map(|(_, axis)| *axis).collect();
        for (at, x) in places.iter().enumerate() {
            for y in &places[at + 1..] {
                for (b, c) in parts(x).into_iter().flat_map(|b| parts(y).into_iter().map(move |c| (b, c))) {
                    let across = y.labels().len() / c;
                    let (f, g) = (first(x), first(y));
                    let text = format!("{across}*(({} - {f})/{b}) + ({} - {g})/{c} + 1", x.name(), y.name());
                    cuts.extend(derived(format!("tile_{b}x{c}"), &text));
                }
            }
        }
    }
    cuts.truncate(CUTS);
    // What is there already, under whatever name, needs no second one; nor is a name taken twice.
    cuts.retain(|(name, expression)| {
        let mut tried = wide.clone();
        let is_new = tried.derive(name, expression).is_ok() && !repeats(&tried, name);
        if is_new {
            wide = tried;
        }
        is_new
    });
    (wide, cuts)
}

/// The lengths of runs that an axis can be cut into.
fn parts(axis: &Axis) -> Vec<usize> {
    let count = axis.labels().len();
    (2..=count / 2).filter(|length| count.is_multiple_of(*length)).collect()
}

/// The first label.
fn first(axis: &Axis) -> i64 {
    match axis.labels().first() {
        Some(Label::Number(number)) => *number,
        _ => 0,
    }
}

fn derived(name: String, text: &str) -> Option<Derived> {
    Some((name, text.parse().ok()?))
}

/// Whether the axis of this name has, in every block that has it, the same places together as an earlier one.
fn repeats(variables: &Variables, name: &str) -> bool {
    variables.blocks().iter().filter(|block| block.axis(name).is_some()).all(|block| {
        let Some(new) = block.axis(name) else { return true };
        (0..new).any(|old| {
            let mut pairs = std::collections::BTreeMap::new();
            let mut back = std::collections::BTreeMap::new();
            block.members().iter().filter_map(|&v| variables.place(v)).all(|place| {
                let (a, b) = (place.positions[old], place.positions[new]);
                *pairs.entry(a).or_insert(b) == b && *back.entry(b).or_insert(a) == a
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_cut_into_runs_and_tiles() {
        let mut cells = Variables::block("cell", &[("row", 1..=4), ("column", 0..=3), ("digit", 1..=3)]);
        cells.set_one_hot("cell", "digit").unwrap();
        let names = |variables: &Variables| -> Vec<String> {
            with_tiles(variables).1.into_iter().map(|(name, _)| name).collect()
        };
        assert_eq!(
            names(&cells),
            ["row_by_2", "column_by_2", "tile_2x2"],
            "three values are too few for runs"
        );
        cells.derive("box", &"2*((row-1)/2) + column/2".parse().unwrap()).unwrap();
        assert_eq!(names(&cells), ["row_by_2", "column_by_2"], "the box is named already");
        let (wide, _) = with_tiles(&cells);
        let axis = wide.blocks()[0].axis("column_by_2").unwrap();
        assert_eq!(wide.blocks()[0].axes()[axis].labels(), [Label::Number(1), Label::Number(2)]);
    }

    #[test]
    fn without_numbers_nothing_is_cut() {
        let plain = Variables::from_names(["a", "b", "c[colour red]", "c[colour blue]"]).unwrap();
        assert!(with_tiles(&plain).1.is_empty());
    }
}
