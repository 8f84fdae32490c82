//! Bounds on the sums of a family, each equal to the extreme that the examples show.

use preceptron_logic::Constraint;
use rayon::prelude::*;

use super::state::State;
use super::sums::{Family, Member};
use crate::{Examples, sum_histogram};

/// Members of a label are unlike the others if samples break them less than this share as often.
const ALIKE: f64 = 0.25;
/// Fewer violations than this, where so many were expected, may be chance.
const TELLING: f64 = 12.0;
/// So many samples are looked at before a family is given up that none of them breaks.
const FIRST: usize = 10;

/// Which side of the sums is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Most,
    Least,
}

/// A bound that all members, or those with one label, share.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hypothesis {
    /// The family's number.
    pub(super) family: usize,
    /// The axis (among those that tell members apart) and label that its members have, if not all are meant.
    pub(super) label: Option<(usize, usize)>,
    pub(super) side: Side,
    pub(super) bound: u32,
}

impl Hypothesis {
    pub(super) fn covers(&self, member: &Member) -> bool {
        self.label.is_none_or(|(axis, label)| member.labels[axis] == label)
    }

    pub(super) fn members<'f>(&'f self, family: &'f Family) -> impl Iterator<Item = &'f Member> {
        family.members.iter().filter(|member| self.covers(member))
    }

    /// The bound of one member.
    pub(super) fn constraint(&self, member: &Member) -> Constraint {
        let literals = member.literals.iter().copied();
        match self.side {
            Side::Most => Constraint::at_most(self.bound, literals),
            Side::Least => Constraint::at_least(self.bound, literals),
        }
    }
}

/// The bounds that all examples of the table keep and that say something.
///
/// What some of the examples break, all do: only a family that these keep is looked at in the whole table.
pub(super) fn hypotheses(number: usize, family: &Family, some: &State, table: &Examples) -> Vec<Hypothesis> {
    let length = family.longest() as u32;
    if !says_something(family, length, some) {
        return vec![];
    }
    let extremes: Vec<Option<(u32, u32)>> =
        family.members.iter().map(|member| sum_histogram::extremes(table, &member.literals)).collect();
    let mut labels: Vec<Option<(usize, usize)>> = vec![None];
    if family.fixed == 0 {
        for axis in 0..family.is_state.len() {
            let most = family.members.iter().map(|member| member.labels[axis]).max().unwrap_or(0);
            // Of one label there is nothing that all would not say.
            labels.extend((0..=most).filter(|_| most > 0).map(|label| Some((axis, label))));
        }
    }
    // At least so many of sums that differ in length would be as many different bounds.
    let is_even = family.is_even();
    let mut found: Vec<Hypothesis> = Vec::new();
    for label in labels {
        let new = |side, bound| Hypothesis { family: number, label, side, bound };
        let covered = |member: &Member| new(Side::Most, 0).covers(member);
        let seen = family.members.iter().zip(&extremes).filter(|(member, _)| covered(member));
        let Some(seen) = seen.map(|(_, extremes)| *extremes).collect::<Option<Vec<_>>>() else { continue };
        let (Some(low), Some(high)) = (seen.iter().map(|e| e.0).min(), seen.iter().map(|e| e.1).max()) else {
            continue;
        };
        if high < length {
            found.push(new(Side::Most, high));
        }
        if low > 0 && is_even {
            found.push(new(Side::Least, low));
        }
    }
    found
}

/// Whether, for some label, these examples leave a sum out at one end.
fn says_something(family: &Family, length: u32, some: &State) -> bool {
    let ends = [(Side::Most, length - 1), (Side::Least, 1)];
    let ends = ends.map(|(side, bound)| Hypothesis { family: 0, label: None, side, bound });
    let axes = if family.fixed == 0 { family.is_state.len() } else { 0 };
    // For each end: whether all members together reach it, then for each axis by label.
    let mut reached: Vec<Vec<Vec<Option<bool>>>> = vec![vec![vec![]; axes + 1]; 2];
    for member in &family.members {
        let mut met = [false; 2];
        each_bound(&[&ends[0], &ends[1]], member, some, |end, pairs| met[end] |= pairs > 0);
        for (end, met) in met.into_iter().enumerate() {
            for (axis, labels) in reached[end].iter_mut().enumerate() {
                let label = if axis == 0 { 0 } else { member.labels[axis - 1] };
                if labels.len() <= label {
                    labels.resize(label + 1, None);
                }
                labels[label] = Some(labels[label] == Some(true) || met);
            }
        }
    }
    reached.iter().flatten().flatten().any(|label| *label == Some(false))
}

/// How many pairs of a member and an example break each bound of one family, in each sample; shorter where
/// the first samples break none.
pub(super) fn broken(hypotheses: &[&Hypothesis], family: &Family, samples: &[State]) -> Vec<Vec<u32>> {
    let mut counts = vec![Vec::with_capacity(samples.len()); hypotheses.len()];
    for (number, sample) in samples.iter().enumerate() {
        if number == FIRST.min(samples.len()) && counts.iter().flatten().all(|v| *v == 0) {
            break;
        }
        let mut now = vec![0; hypotheses.len()];
        for member in &family.members {
            each_bound(hypotheses, member, sample, |at, pairs| now[at] += pairs);
        }
        counts.iter_mut().zip(now).for_each(|(counts, now)| counts.push(now));
    }
    counts
}

/// Calls `found` with each hypothesis that covers a member, and how many examples of the sample break it there.
fn each_bound(
    hypotheses: &[&Hypothesis],
    member: &Member,
    sample: &State,
    mut found: impl FnMut(usize, u32),
) {
    for word in 0..sample.words() {
        // The sum in binary, a plane of bits for each digit.
        let mut planes = [0u64; 8];
        let mut used = 0;
        for literal in &member.literals {
            let column = sample.column(literal.var().index())[word];
            let mut carry = if literal.is_negated() { !column } else { column };
            let mut at = 0;
            while carry != 0 && at < planes.len() {
                let both = planes[at] & carry;
                planes[at] ^= carry;
                carry = both;
                at += 1;
            }
            used = used.max(at);
        }
        let mask = sample.mask(word);
        for (at, hypothesis) in hypotheses.iter().enumerate().filter(|(_, h)| h.covers(member)) {
            let (mut beyond, mut equal) = (0u64, mask);
            for digit in (0..planes.len()).rev().filter(|&d| d < used || hypothesis.bound >> d & 1 == 1) {
                let (plane, wanted) = (planes[digit], hypothesis.bound >> digit & 1 == 1);
                match (hypothesis.side, wanted) {
                    (Side::Most, false) => beyond |= equal & plane,
                    (Side::Least, true) => beyond |= equal & !plane,
                    _ => {}
                }
                equal &= if wanted { plane } else { !plane };
            }
            found(at, beyond.count_ones());
        }
    }
}

/// Whether members with different values are broken alike: no value has members that samples hardly ever
/// break, other than because a rule says the same. Such members would be accepted for what others show.
pub(super) fn is_alike(
    hypothesis: &Hypothesis,
    family: &Family,
    samples: &[State],
    is_implied: impl Fn(&Constraint) -> bool,
) -> bool {
    let members: Vec<&Member> = hypothesis.members(family).collect();
    let each: Vec<u32> = members
        .par_iter()
        .map(|member| {
            let mut all = 0;
            samples
                .iter()
                .for_each(|sample| each_bound(&[hypothesis], member, sample, |_, pairs| all += pairs));
            all
        })
        .collect();
    let mean = each.iter().map(|&v| f64::from(v)).sum::<f64>() / each.len().max(1) as f64;
    let states = family.is_state.iter().enumerate().filter(|(_, is)| **is).map(|(axis, _)| axis);
    states.into_iter().all(|axis| {
        let most = members.iter().map(|member| member.labels[axis]).max().unwrap_or(0);
        (0..=most).all(|label| {
            let of_label = || members.iter().zip(&each).filter(|(member, _)| member.labels[axis] == label);
            let expected = mean * of_label().count() as f64;
            let seen: f64 = of_label().map(|(_, &v)| f64::from(v)).sum();
            expected < TELLING
                || seen >= ALIKE * expected
                || of_label().all(|(member, _)| is_implied(&hypothesis.constraint(member)))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::{Lit, Var};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counting_by_planes_is_counting_by_examples(
            rows in prop::collection::vec(prop::collection::vec(any::<bool>(), 9), 1..150),
            negated in prop::collection::vec(any::<bool>(), 9),
            bound in 0u32..10,
        ) {
            let sample = State::of(&Examples::from_full_rows(9, &rows), 1000);
            let literals: Vec<Lit> = (0..9).map(|v| Lit::new(Var(v), negated[v as usize])).collect();
            let member = Member { literals, labels: vec![] };
            for side in [Side::Most, Side::Least] {
                let hypothesis = Hypothesis { family: 0, label: None, side, bound };
                let rule = hypothesis.constraint(&member);
                let plain = rows.iter().filter(|row| !rule.holds(|v| row[v.index()])).count() as u32;
                let mut fast = 0;
                each_bound(&[&hypothesis], &member, &sample, |_, pairs| fast += pairs);
                prop_assert_eq!(fast, plain);
            }
        }
    }
}
