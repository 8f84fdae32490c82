//! Bounds on the sums of a family, each equal to the extreme that the examples show.

use preceptron_logic::Constraint;
use rayon::prelude::*;

use super::state::State;
use super::sums::{Family, Member};
use crate::confirm::ln_choose;
use crate::{Examples, sum_histogram};

/// Members of a label are unlike the others if samples break them less than this share as often.
const ALIKE: f64 = 0.25;
/// Fewer violations than this, where so many were expected, may be chance.
const TELLING: f64 = 12.0;
/// Of so many labels one may be exempt.
const EXEMPT: usize = 4;
/// A label that keeps a bound by chance, where others are exempt, is taken for one that must with this probability.
const CALL: f64 = 0.05;
/// So many samples are looked at before a family is given up that none of them breaks.
const FIRST: usize = 10;

/// Which side of the sums is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Most,
    Least,
}

/// Which members are meant, by their labels on an axis (among those that tell members apart).
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cover {
    /// All of them.
    All,
    /// Those with one label.
    Only(usize, usize),
    /// All but those with some labels, rising.
    But(usize, Vec<usize>),
}

/// A bound that some members share.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hypothesis {
    /// The family's number.
    pub(super) family: usize,
    /// Which of its members.
    pub(super) cover: Cover,
    pub(super) side: Side,
    pub(super) bound: u32,
}

impl Hypothesis {
    pub(super) fn covers(&self, member: &Member) -> bool {
        match &self.cover {
            Cover::All => true,
            Cover::Only(axis, label) => member.labels[*axis] == *label,
            Cover::But(axis, exempt) => !exempt.contains(&member.labels[*axis]),
        }
    }

    /// What speaks for it must outweigh how many ways there are to leave out as many labels, in nats.
    pub(super) fn choices(&self, family: &Family) -> f64 {
        match &self.cover {
            Cover::But(axis, exempt) => ln_choose(family.labels(*axis), exempt.len()),
            _ => 0.0,
        }
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
    // At least so many of sums that differ in length would be as many different bounds.
    let is_even = family.is_even();
    let says = |side, bound| if side == Side::Most { bound < length } else { bound > 0 && is_even };
    let extremes: Vec<Option<(u32, u32)>> =
        family.members.iter().map(|member| sum_histogram::extremes(table, &member.literals)).collect();
    let mut found: Vec<Hypothesis> = Vec::new();
    let mut offer = |cover, side, bound| {
        if says(side, bound) {
            found.push(Hypothesis { family: number, cover, side, bound });
        }
    };
    let all: Option<Vec<(u32, u32)>> = extremes.iter().copied().collect();
    if let Some((low, high)) = all.and_then(|all| range(all.into_iter())) {
        offer(Cover::All, Side::Most, high);
        offer(Cover::All, Side::Least, low);
    }
    for axis in 0..family.is_state.len() {
        let count = family.labels(axis);
        // Of one label there is nothing that all would not say.
        if count < 2 {
            continue;
        }
        let mut by_label: Vec<Vec<Option<(u32, u32)>>> = vec![vec![]; count];
        family
            .members
            .iter()
            .zip(&extremes)
            .for_each(|(m, extremes)| by_label[m.labels[axis]].push(*extremes));
        let of_label = |seen: &Vec<Option<(u32, u32)>>| {
            seen.iter().copied().collect::<Option<Vec<_>>>().and_then(|seen| range(seen.into_iter()))
        };
        let by_label: Vec<Option<(u32, u32)>> = by_label.iter().map(of_label).collect();
        if family.fixed == 0 {
            for (label, (low, high)) in by_label.iter().enumerate().filter_map(|(l, r)| Some((l, (*r)?))) {
                offer(Cover::Only(axis, label), Side::Most, high);
                offer(Cover::Only(axis, label), Side::Least, low);
            }
        }
        let Some(by_label) = by_label.into_iter().collect::<Option<Vec<_>>>() else { continue };
        for side in [Side::Most, Side::Least] {
            for (bound, exempt) in exemptions(&by_label, side) {
                offer(Cover::But(axis, exempt), side, bound);
            }
        }
    }
    found
}

/// The least and the greatest of ranges.
fn range(all: impl Iterator<Item = (u32, u32)>) -> Option<(u32, u32)> {
    all.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// Bounds that all but a few labels keep, with those that do not.
pub(super) fn exemptions(by_label: &[(u32, u32)], side: Side) -> Vec<(u32, Vec<usize>)> {
    let end = |at: usize| if side == Side::Most { by_label[at].1 } else { by_label[at].0 };
    let beyond = |at: usize, bound: u32| if side == Side::Most { end(at) > bound } else { end(at) < bound };
    let mut bounds: Vec<u32> = (0..by_label.len()).map(end).collect();
    bounds.sort_unstable();
    bounds.dedup();
    let with_exempt = bounds.into_iter().map(|bound| {
        let exempt: Vec<usize> = (0..by_label.len()).filter(|&at| beyond(at, bound)).collect();
        (bound, exempt)
    });
    let is_few = |exempt: &Vec<usize>| !exempt.is_empty() && exempt.len() * EXEMPT <= by_label.len();
    with_exempt.filter(|(_, exempt)| is_few(exempt)).collect()
}

/// Whether, for some label, these examples leave a sum out at one end.
fn says_something(family: &Family, length: u32, some: &State) -> bool {
    let ends = [(Side::Most, length - 1), (Side::Least, 1)];
    let ends = ends.map(|(side, bound)| Hypothesis { family: 0, cover: Cover::All, side, bound });
    let axes = family.is_state.len();
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
    if !are_called(hypothesis, family, &members, &each, samples) {
        return false;
    }
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

/// Whether each label that is not exempt keeps the bound because it must. With a share pi of labels that must, one that
/// need not, and keeps it with probability p all the same, is told from one that must by
/// ```text
/// (1 - pi) p / pi  <=  CALL,    p = exp(-how often samples break it)
/// ```
fn are_called(
    hypothesis: &Hypothesis,
    family: &Family,
    members: &[&Member],
    each: &[u32],
    samples: &[State],
) -> bool {
    let Cover::But(axis, exempt) = &hypothesis.cover else { return true };
    let count = family.labels(*axis);
    let mut broken = vec![0.0; count];
    members
        .iter()
        .zip(each)
        .for_each(|(m, &v)| broken[m.labels[*axis]] += f64::from(v) / samples.len() as f64);
    let odds = exempt.len() as f64 / (count - exempt.len()) as f64;
    (0..count).filter(|label| !exempt.contains(label)).all(|label| odds * (-broken[label]).exp() <= CALL)
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
                let hypothesis = Hypothesis { family: 0, cover: Cover::All, side, bound };
                let rule = hypothesis.constraint(&member);
                let plain = rows.iter().filter(|row| !rule.holds(|v| row[v.index()])).count() as u32;
                let mut fast = 0;
                each_bound(&[&hypothesis], &member, &sample, |_, pairs| fast += pairs);
                prop_assert_eq!(fast, plain);
            }
        }
    }
}
