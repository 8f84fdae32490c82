//! Nogoods grown into bounds on groups: at most k of many (cardinality constraints).
//!
//! A nogood of k + 1 literals says "at most k of these". If no example with k true literals in the group
//! ever has another literal true, that literal can join, and the bound stays k. Its evidence is how often
//! that should have been seen, had it been as likely there as elsewhere, or as in the examples with one
//! less. Evidence adds up, since each step is about examples that all earlier steps allow; the group is
//! accepted if the sum reaches ln(groups of that size / false alarm).
//!
//! Of a pair that the known rules exclude already nobody learns anything: a literal that joins "at most 1 of
//! these" counts only with the members that it could have met.
//!
//! Where examples are partly observed, an example counts by the literals that are seen to be true in it:
//! with k of them it breaks the bound as soon as one more is true, whatever is not observed. What a literal
//! should have been seen is counted over the examples that observe it.

use std::collections::HashSet;

use preceptron_logic::{Constraint, Lit, Sums, Var};

use crate::confirm::needed;
use crate::counting::{Columns, Nogood, Rarity, ones};
use crate::encoded_groups::EncodedGroups;
use crate::implied_by_propagation::Theory;
use crate::peers::Peers;
use crate::sum_histogram;
use crate::wrong_entries::Entries;
use crate::{Checked, Examples};

/// What is known of the columns.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    pub(crate) encoded: &'a EncodedGroups,
    pub(crate) peers: &'a Peers,
    pub(crate) entries: &'a Entries,
}

/// The group that a nogood belongs to, as a constraint: at most k, and at least as many as the examples
/// show if they could have shown fewer. Nothing if there is not enough evidence for it.
pub(crate) fn grow(
    nogood: &Nogood,
    examples: &Examples,
    columns: &Columns,
    theory: &mut Theory,
    around: &Around,
    settings: &Checked,
) -> Option<Constraint> {
    let Around { encoded, peers, entries } = *around;
    let bound = nogood.literals.len() as u32 - 1;
    let rarity = Rarity::new(settings);
    // Of all literals, none should join by chance.
    let join = needed(examples.variables(), 1, true, settings.false_alarm);
    let mut group = nogood.literals.clone();
    // For each member of "at most 1" what cannot be true beside it.
    let mut excluded: Vec<HashSet<Lit>> = Vec::new();
    let mut evidence = nogood.evidence;
    let is_exact = settings.threshold == 1.0 && examples.is_complete();
    // Literals that would make the group broken more often than wrong entries explain.
    let mut refused: HashSet<Var> = HashSet::new();
    loop {
        let full = sum_histogram::with_seen(examples, &group, bound);
        let below = sum_histogram::with_seen(examples, &group, bound - 1);
        let (full_count, below_count) = (f64::from(ones(&full)), f64::from(ones(&below)));
        let meet = |column: &[u64], other: &[u64]| {
            f64::from(column.iter().zip(other).map(|(a, b)| (a & b).count_ones()).sum::<u32>())
        };
        if bound == 1 {
            let new = &group[excluded.len()..];
            excluded.extend(new.iter().map(|&member| theory.excluded_by(member)));
        }
        let taken: Vec<Var> = group.iter().map(|l| l.var()).collect();
        let mut best: Option<(f64, Lit)> = None;
        // Another value of a column whose value is in a clause would make it one of sets of values.
        let is_other_value = |var: Var| {
            let column = encoded.of(var);
            bound > 1 && column.is_some() && taken.iter().any(|&member| encoded.of(member) == column)
        };
        let open = |var: &Var| !refused.contains(var) && !taken.contains(var) && !is_other_value(*var);
        for var in (0..examples.variables() as u32).map(Var).filter(open) {
            let known = examples.known(var);
            let all = known.map_or(examples.len() as f64, |known| f64::from(ones(known)));
            let full_count = known.map_or(full_count, |known| meet(&full, known));
            let below_count = known.map_or(below_count, |known| meet(&below, known));
            for literal in [var.positive(), var.negative()] {
                let share = f64::from(columns.count(literal)) / all.max(1.0);
                if full_count * share < best.map_or(join, |(most, _)| most) {
                    continue;
                }
                // One that some member excludes would make a mixture of rules.
                let is_excluded = |&member: &Lit| meet(columns.of(member), columns.of(literal)) == 0.0;
                if bound > 1 && group.iter().any(is_excluded) {
                    continue;
                }
                // What is true nearly always is true beside the group too.
                let always = f64::from(columns.count(!literal)) < full_count;
                if is_exact && always {
                    continue;
                }
                let column = columns.of(literal);
                let observed = meet(&full, column);
                let near = if below_count > 0.0 { meet(&below, column) / below_count } else { share };
                let mut expected = full_count * share.min(near);
                let nats = rarity.evidence(observed, expected).unwrap_or(0.0);
                if nats < best.map_or(join, |(most, _)| most) {
                    continue;
                }
                if bound == 1 {
                    // Each example of `full` has one true member.
                    let could_meet = group.iter().zip(&excluded).filter(|(_, out)| !out.contains(&literal));
                    let weight = |member: Lit| match is_exact {
                        true => peers.factor(literal, member, examples, columns),
                        false => 1.0,
                    };
                    let met: f64 = could_meet
                        .map(|(&member, _)| f64::from(columns.count(member)) * weight(member))
                        .sum();
                    expected = expected.min(met * share);
                }
                match rarity.evidence(observed, expected) {
                    Some(nats) if nats >= join && best.is_none_or(|(most, _)| nats > most) => {
                        best = Some((nats, literal));
                    }
                    _ => {}
                }
            }
        }
        let Some((nats, literal)) = best else { break };
        if let Some(share) = settings.wrong {
            let grown = Constraint::at_most(bound, group.iter().copied().chain([literal]));
            if !entries.explain(&grown, examples, share) {
                refused.insert(literal.var());
                continue;
            }
        }
        group.push(literal);
        evidence += nats;
    }
    if evidence < needed(examples.variables(), group.len(), true, settings.false_alarm) {
        return None;
    }
    // That not all are true is one thing to say, that some are is another.
    if bound as usize + 1 == group.len() && group.len() > 2 {
        return Some(Constraint::at_most(bound, group));
    }
    Some(with_floor(group, bound, examples, settings))
}

/// At most `bound` of the group, and at least the smallest sum seen if a smaller one was to be expected:
/// by independence, and by going on from the counts of the smallest two sums. An example that observes a
/// part of the group and cannot have as much stands against that.
fn with_floor(group: Vec<Lit>, bound: u32, examples: &Examples, settings: &Checked) -> Constraint {
    let histogram = sum_histogram::histogram(examples, &group);
    let total: u64 = histogram.iter().sum();
    let mut floor = 0;
    if let Some(least) = histogram.iter().position(|&count| count > 0)
        && least > 0
        && settings.threshold == 1.0
        && sum_histogram::extremes(examples, &group).is_some_and(|(possible, _)| possible as usize == least)
    {
        let below = Sums::range(0, least as u32 - 1);
        let independent =
            total as f64 * sum_histogram::chance_of(&sum_histogram::means(examples, &group), &below);
        let (at, above) = (histogram[least] as f64, histogram.get(least + 1).copied().unwrap_or(0) as f64);
        let onward = if above > 0.0 { at * at / above } else { total as f64 };
        if independent.min(onward) >= needed(examples.variables(), group.len(), true, settings.false_alarm) {
            floor = least as u32;
        }
    }
    Constraint::new(group, Sums::range(floor, bound))
}
