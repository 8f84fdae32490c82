//! Nogoods grown into bounds on groups: at most k of many.
//!
//! A nogood of k + 1 literals says "at most k of these". If no example with k true literals in the group
//! ever has another literal true, that literal can join, and the bound stays k. A literal joins if this
//! would have been seen, had it been as likely there as elsewhere, or as in the examples with one less.

use precept_logic::{Constraint, Lit, Sums, Var};

use crate::counting::{Bar, Columns, ones};
use crate::tally;
use crate::{Checked, Examples};

/// The group that a nogood belongs to, as a constraint: at most k, and at least as many as the examples
/// show if they could have shown fewer.
pub(crate) fn grow(nogood: &[Lit], examples: &Examples, columns: &Columns, settings: &Checked) -> Constraint {
    let bound = nogood.len() as u32 - 1;
    let bar = Bar::new((2.0 * examples.variables() as f64).ln(), settings);
    let mut group = nogood.to_vec();
    loop {
        let full = tally::with_sum(examples, &group, bound);
        let below = tally::with_sum(examples, &group, bound - 1);
        let (full_count, below_count) = (f64::from(ones(&full)), f64::from(ones(&below)));
        let meet = |column: &[u64], literal: Lit| {
            f64::from(column.iter().zip(columns.of(literal)).map(|(a, b)| (a & b).count_ones()).sum::<u32>())
        };
        let taken: Vec<Var> = group.iter().map(|l| l.var()).collect();
        let mut best: Option<(f64, Lit)> = None;
        for var in (0..examples.variables() as u32).map(Var).filter(|v| !taken.contains(v)) {
            for literal in [var.positive(), var.negative()] {
                let share = f64::from(columns.count(literal)) / examples.len() as f64;
                if full_count * share <= best.map_or(0.0, |(expected, _)| expected) {
                    continue;
                }
                let observed = meet(&full, literal);
                if !bar.allows(observed, full_count * share) {
                    continue;
                }
                let near = if below_count > 0.0 { meet(&below, literal) / below_count } else { share };
                let expected = full_count * share.min(near);
                if bar.passes(observed, expected) && best.is_none_or(|(most, _)| expected > most) {
                    best = Some((expected, literal));
                }
            }
        }
        match best {
            Some((_, literal)) => group.push(literal),
            None => break,
        }
    }
    with_floor(group, bound, examples, settings)
}

/// At most `bound` of the group, and at least the smallest sum seen if a smaller one was to be expected:
/// by independence, and by going on from the counts of the smallest two sums.
fn with_floor(group: Vec<Lit>, bound: u32, examples: &Examples, settings: &Checked) -> Constraint {
    let histogram = tally::histogram(examples, &group);
    let total: u64 = histogram.iter().sum();
    let mut floor = 0;
    if let Some(least) = histogram.iter().position(|&count| count > 0)
        && least > 0
        && settings.threshold == 1.0
    {
        let below = Sums::range(0, least as u32 - 1);
        let independent = total as f64 * tally::chance_of(&tally::means(examples, &group), &below);
        let (at, above) = (histogram[least] as f64, histogram.get(least + 1).copied().unwrap_or(0) as f64);
        let onward = if above > 0.0 { at * at / above } else { total as f64 };
        let bar = Bar::new((2.0 * examples.variables() as f64).ln(), settings);
        if bar.passes(0.0, independent.min(onward)) {
            floor = least as u32;
        }
    }
    Constraint::new(group, Sums::range(floor, bound))
}
