//! Bounds that the examples keep and the samples break, and what speaks for them.

use std::collections::BTreeMap;

use preceptron_logic::{Constraint, Variables};

use super::family::{Copy, Family};
use super::samples::Samples;
use crate::{Examples, sum_histogram};

/// Copies of a state are unlike the others if samples break them less than this share as often.
const ALIKE: f64 = 0.25;
/// Fewer violations than this, where so many were expected, may be chance.
const TELLING: f64 = 12.0;

/// A bound on the sums of a family that the examples keep.
pub(super) struct Candidate {
    /// The literals of the copies; negated where the bound is on the least sum.
    pub(super) copies: Vec<Copy>,
    /// The greatest sum that the examples show.
    pub(super) most: u32,
    /// How many examples observe every copy.
    examples: usize,
}

/// What the samples say of a candidate.
pub(super) struct Score {
    /// Violations in a sample, over all copies.
    pub(super) violations: f64,
    /// What speaks for the candidate, in nats.
    pub(super) evidence: f64,
}

impl Candidate {
    /// The bounds of a family that samples break.
    pub(super) fn of(
        family: &Family,
        variables: &Variables,
        examples: &Examples,
        samples: &Samples,
    ) -> Vec<Candidate> {
        let copies = family.copies(variables);
        let (mut least, mut greatest) = (u32::MAX, 0);
        for (low, high) in copies.iter().filter_map(|copy| samples.extremes(&copy.literals)) {
            (least, greatest) = (least.min(low), greatest.max(high));
        }
        let (mut low, mut high) = (u32::MAX, 0);
        for copy in &copies {
            // What the examples show as well as the samples needs no further look.
            if low <= least && high >= greatest {
                return vec![];
            }
            if let Some(seen) = sum_histogram::extremes(examples, &copy.literals) {
                (low, high) = (low.min(seen.0), high.max(seen.1));
            }
        }
        if low > high {
            return vec![];
        }
        let fully_observed = |copy: &Copy| sum_histogram::fully_observed(examples, &copy.literals) as usize;
        let observed = match examples.is_complete() {
            true => examples.len(),
            false => copies.iter().map(fully_observed).min().unwrap_or(0),
        };
        let mut found = Vec::new();
        let length = copies[0].literals.len() as u32;
        // At least `low` of copies that differ in length would be as many different bounds from above.
        if low > least && copies.iter().all(|copy| copy.literals.len() as u32 == length) {
            let copies = copies.iter().map(Copy::negated).collect();
            found.push(Candidate { copies, most: length - low, examples: observed });
        }
        if high < greatest {
            found.push(Candidate { copies, most: high, examples: observed });
        }
        found
    }

    /// How often samples break the bound, and what that says of the examples, which do not.
    pub(super) fn score(&self, samples: &Samples) -> Score {
        let count = samples.len().max(1) as f64;
        let (any, each) = samples.above(&self.copies, self.most);
        let all: usize = each.iter().sum();
        // Two standard deviations below what was counted, and never all.
        let share = ((any as f64 - 2.0 * (any as f64).sqrt()) / count).clamp(0.0, 0.999);
        Score { violations: all as f64 / count, evidence: -(self.examples as f64) * (1.0 - share).ln() }
    }

    /// How many violations the examples themselves would make one expect, going on from the counts of
    /// the last two sums.
    pub(super) fn onward(&self, examples: &Examples) -> f64 {
        let (mut last, mut before) = (0, 0);
        for copy in &self.copies {
            let histogram = sum_histogram::histogram(examples, &copy.literals);
            last += histogram[self.most as usize];
            before += self.most.checked_sub(1).map_or(0, |sum| histogram[sum as usize]);
        }
        let (last, before) = (last as f64, before as f64);
        if before > 0.0 { last * last / before } else { last }
    }

    /// The bound of every copy.
    pub(super) fn constraints(&self) -> impl Iterator<Item = Constraint> {
        self.copies.iter().map(|copy| copy.at_most(self.most))
    }

    /// Whether the copies of different states are broken alike: no state has copies that samples hardly
    /// ever break, other than because a rule says the same. Such copies would be accepted for what others
    /// show.
    pub(super) fn is_alike(&self, samples: &Samples, is_implied: impl Fn(&Constraint) -> bool) -> bool {
        let (_, each) = samples.above(&self.copies, self.most);
        let mean = each.iter().sum::<usize>() as f64 / each.len() as f64;
        // By axis and label, the copies and their violations.
        let mut by_state: BTreeMap<(usize, usize), (usize, Vec<&Copy>)> = BTreeMap::new();
        for (copy, violations) in self.copies.iter().zip(each) {
            for (axis, &state) in copy.states.iter().enumerate() {
                let (sum, copies) = by_state.entry((axis, state)).or_default();
                *sum += violations;
                copies.push(copy);
            }
        }
        by_state.values().all(|(violations, copies)| {
            let expected = mean * copies.len() as f64;
            expected < TELLING
                || *violations as f64 >= ALIKE * expected
                || copies.iter().all(|copy| is_implied(&copy.at_most(self.most)))
        })
    }
}
