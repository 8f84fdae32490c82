//! Values that never occur: which of them are rules, and which are rare.
//!
//! That a value is in none of N examples may be because it cannot be, or because it is rare. If frequencies are spread
//! without a gap, values of which 1 to m examples are seen are about m times as many as those of which none is, so
//! one that is never seen is a rule only if all that are like it are seen often: the other values of its column and
//! the same value in columns like it, or, of a column that is like no other, the values of all such columns.

use preceptron_logic::{Constraint, Lit, Var, Variables};

use crate::counting::{self, Columns};
use crate::wrong_entries::{Entries, is_explained};
use crate::{Checked, Examples, confirm};

/// What is like a value that never occurs must occur so often, or not at all.
const OFTEN: u32 = 30;

/// The literals that are never true and that should have been seen.
pub(crate) fn never_true(
    variables: &Variables,
    examples: &Examples,
    columns: &Columns,
    (entries, settings): (&Entries, &Checked),
) -> Vec<Lit> {
    let odds = odds(variables, examples, columns);
    let rare = Rare::new(variables, examples, columns);
    let enough = confirm::needed(examples.variables(), 1, true, settings.false_alarm);
    let all = (0..examples.variables() as u32).flat_map(|v| [Var(v).positive(), Var(v).negative()]);
    // Where entries may be wrong, as often as they make it so; which values of a column are rare nobody can tell.
    let is_by_error = |literal: Lit| {
        settings.wrong.filter(|_| entries.is_alone(literal.var())).is_some_and(|share| {
            let (expected, seen) = (share * examples.len() as f64, f64::from(columns.count(literal)));
            is_explained(seen, expected) && is_explained(expected, seen)
        })
    };
    all.filter(|&literal| columns.count(literal) == 0 || is_by_error(literal))
        .filter(|&literal| {
            let known = examples.known(literal.var()).map_or(examples.len() as u32, counting::ones);
            let odds = if literal.is_negated() { 0.5 } else { odds[literal.var().index()] };
            let is_like = columns.count(literal) > 0 || rare.least_like(literal.var()) >= OFTEN;
            f64::from(known) * odds >= enough && is_like
        })
        .collect()
}

/// A rule that a literal is never true.
pub(crate) fn rule(literal: Lit) -> Constraint {
    Constraint::clause([!literal])
}

/// How often a variable would be true if it were like others: those of the same value at other places,
/// or the values of its column; where nothing is like it, half of the time.
fn odds(variables: &Variables, examples: &Examples, columns: &Columns) -> Vec<f64> {
    let mut odds = vec![0.5; examples.variables()];
    let rows = examples.len().max(1) as f64;
    for block in variables.blocks() {
        let Some(value) = block.one_hot() else { continue };
        let labels = block.axes()[value].labels().len();
        let mut sums = vec![(0.0, 0.0); labels];
        let label = |var: Var| variables.place(var).map_or(0, |place| place.positions[value]);
        for &var in block.members() {
            let (sum, count) = &mut sums[label(var)];
            *sum += f64::from(columns.count(var.positive())) / rows;
            *count += 1.0;
        }
        for &var in block.members() {
            let (sum, count) = sums[label(var)];
            let alone = 1.0 / labels as f64;
            odds[var.index()] = if count > 1.0 { f64::min(alone, sum / count) } else { alone };
        }
    }
    odds
}

/// How often the rarest of values that are like each other occurs.
struct Rare {
    /// By variable, of the values of its column.
    in_column: Vec<u32>,
    /// By variable, of the same value in columns like its own; nothing where no column is.
    of_value: Vec<Option<u32>>,
    /// Of all columns that are like no other.
    alone: u32,
}

impl Rare {
    fn new(variables: &Variables, examples: &Examples, columns: &Columns) -> Rare {
        let count =
            |literal: Lit| Some(columns.count(literal)).filter(|count| *count > 0).unwrap_or(u32::MAX);
        let mut of_value = vec![None; examples.variables()];
        for block in variables.blocks() {
            let Some(value) = block.one_hot() else { continue };
            let labels = block.axes()[value].labels().len();
            if block.members().len() <= labels {
                continue;
            }
            let label = |var: Var| variables.place(var).map_or(0, |place| place.positions[value]);
            let mut least = vec![u32::MAX; labels];
            for &var in block.members() {
                least[label(var)] = least[label(var)].min(count(var.positive()));
            }
            block.members().iter().for_each(|&var| of_value[var.index()] = Some(least[label(var)]));
        }
        let mut in_column = vec![u32::MAX; examples.variables()];
        let mut is_plain = vec![true; examples.variables()];
        let mut alone = u32::MAX;
        for group in variables.one_hot_groups() {
            let least = group.iter().map(|v| count(v.positive())).min().unwrap_or(u32::MAX);
            for v in &group {
                (in_column[v.index()], is_plain[v.index()]) = (least, false);
                alone = if of_value[v.index()].is_none() { alone.min(least) } else { alone };
            }
        }
        let plain = (0..examples.variables() as u32).map(Var).filter(|v| is_plain[v.index()]);
        alone = plain.flat_map(|v| [v.positive(), v.negative()]).map(count).fold(alone, u32::min);
        Rare { in_column, of_value, alone }
    }

    /// How often the rarest value that is like those of a variable occurs.
    fn least_like(&self, var: Var) -> u32 {
        self.in_column[var.index()].min(self.of_value[var.index()].unwrap_or(self.alone))
    }
}
