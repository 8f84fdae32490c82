//! Bounds on the sums of a family where a share of all entries is wrong.
//!
//! No bound need hold in all examples. The sums of members that share one are pooled, and a bound is a hypothesis if
//! wrong entries explain how often it is broken ([`crate::wrong_entries`]), by all members together and by those of
//! each label. Of one side there may be several; the one that samples break most often is accepted first, and what it
//! implies says no more.

use preceptron_logic::Constraint;

use super::hypothesis::{Cover, Hypothesis, Side, exemptions};
use super::sums::Family;
use crate::wrong_entries::{Entries, Rates, is_explained};
use crate::{Examples, sum_histogram};

/// A bound that more than this share of the pairs of a member and an example breaks is none.
const BROKEN: f64 = 0.3;

/// What may be wrong, and how much of it is, if that is known.
#[derive(Clone, Copy)]
pub(crate) struct Wrong<'a> {
    pub(crate) entries: &'a Entries,
    pub(crate) share: Option<f64>,
}

/// The pooled sums of members.
struct Pooled {
    histogram: Vec<u64>,
    rates: Rates,
}

impl Pooled {
    fn is_allowed(side: Side, bound: u32) -> impl Fn(usize) -> bool + Copy {
        move |sum: usize| match side {
            Side::Most => sum as u32 <= bound,
            Side::Least => sum as u32 >= bound,
        }
    }

    fn seen(&self, side: Side, bound: u32) -> u64 {
        let is_allowed = Self::is_allowed(side, bound);
        (0..self.histogram.len()).filter(|&sum| !is_allowed(sum)).map(|sum| self.histogram[sum]).sum()
    }

    /// Whether wrong entries explain how often a bound is broken; where nobody knows how many there are, whether it
    /// is not broken too often.
    fn allows(&self, side: Side, bound: u32, share: Option<f64>) -> bool {
        let seen = self.seen(side, bound);
        if seen == 0 {
            return true;
        }
        let all: u64 = self.histogram.iter().sum();
        seen as f64 <= BROKEN * all as f64
            && share.is_none_or(|share| {
                let expected = self.rates.broken(&self.histogram, Self::is_allowed(side, bound), share);
                is_explained(seen as f64, expected)
            })
    }

    /// The least and the greatest sum that is seen.
    fn extremes(&self) -> Option<(u32, u32)> {
        let seen = |sum: &usize| self.histogram[*sum] > 0;
        let least = (0..self.histogram.len()).find(seen)?;
        Some((least as u32, (0..self.histogram.len()).rev().find(seen)? as u32))
    }

    /// The bounds of a side, the tightest first.
    fn bounds(&self, side: Side) -> Vec<u32> {
        let Some((least, most)) = self.extremes() else { return vec![] };
        match side {
            Side::Most => (least..=most).collect(),
            Side::Least => (least..=most).rev().collect(),
        }
    }
}

/// The bounds of a family that wrong entries explain and that say something.
pub(super) fn hypotheses(number: usize, family: &Family, table: &Examples, wrong: Wrong) -> Vec<Hypothesis> {
    let length = family.longest();
    let is_even = family.is_even();
    let says = |side, bound| if side == Side::Most { bound < length as u32 } else { bound > 0 && is_even };
    let Some(longest) = family.members.iter().max_by_key(|member| member.literals.len()) else {
        return vec![];
    };
    let rates = wrong.entries.rates(&longest.literals);
    let each: Vec<Vec<u64>> =
        family.members.iter().map(|member| sum_histogram::histogram(table, &member.literals)).collect();
    let pooled = |is_in: &dyn Fn(usize) -> bool| {
        let mut histogram = vec![0; length + 1];
        for one in (0..each.len()).filter(|&at| is_in(at)).map(|at| &each[at]) {
            histogram.iter_mut().zip(one).for_each(|(all, count)| *all += count);
        }
        Pooled { histogram, rates }
    };
    let axes: Vec<Vec<Pooled>> = (0..family.is_state.len())
        .map(|axis| {
            let of_label = |label| pooled(&|at| family.members[at].labels[axis] == label);
            (0..family.labels(axis)).map(of_label).collect()
        })
        .collect();
    let all = pooled(&|_| true);
    let mut found = Vec::new();
    let mut offer = |cover: Cover, side, bound| {
        if says(side, bound) {
            found.push(Hypothesis { family: number, cover, side, bound });
        }
    };
    for side in [Side::Most, Side::Least] {
        let keep = |bound: &u32| {
            all.allows(side, *bound, wrong.share)
                && axes.iter().flatten().all(|label| label.allows(side, *bound, wrong.share))
        };
        all.bounds(side).into_iter().filter(keep).for_each(|bound| offer(Cover::All, side, bound));
        for (axis, labels) in axes.iter().enumerate().filter(|(_, labels)| labels.len() > 1) {
            let tightest = |label: &Pooled| {
                label.bounds(side).into_iter().find(|&bound| label.allows(side, bound, wrong.share))
            };
            if family.fixed == 0 {
                for (label, pooled) in labels.iter().enumerate() {
                    let keep = |bound: &u32| pooled.allows(side, *bound, wrong.share);
                    let bounds = pooled.bounds(side).into_iter().filter(keep);
                    bounds.for_each(|bound| offer(Cover::Only(axis, label), side, bound));
                }
            }
            let by_label: Option<Vec<u32>> = labels.iter().map(tightest).collect();
            let Some(by_label) = by_label.filter(|_| wrong.share.is_some()) else { continue };
            let ends: Vec<(u32, u32)> = by_label.into_iter().map(|bound| (bound, bound)).collect();
            for (bound, exempt) in exemptions(&ends, side) {
                offer(Cover::But(axis, exempt), side, bound);
            }
        }
    }
    found
}

/// The share of wrong entries at which the members of a hypothesis would be broken as often as they are.
pub(super) fn share(hypothesis: &Hypothesis, family: &Family, table: &Examples, entries: &Entries) -> f64 {
    let mut histogram = vec![0; family.longest() + 1];
    let mut rates = None;
    for member in hypothesis.members(family) {
        let one = sum_histogram::histogram(table, &member.literals);
        histogram.iter_mut().zip(&one).for_each(|(all, count)| *all += count);
        rates = Some(entries.rates(&member.literals));
    }
    let is_allowed = Pooled::is_allowed(hypothesis.side, hypothesis.bound);
    rates.map_or(0.0, |rates: Rates| rates.share(&histogram, is_allowed))
}

/// Whether rules that are accepted say all that a hypothesis would.
pub(super) fn is_said(
    hypothesis: &Hypothesis,
    family: &Family,
    is_implied: impl Fn(&Constraint) -> bool,
) -> bool {
    hypothesis.members(family).all(|member| is_implied(&hypothesis.constraint(member)))
}
