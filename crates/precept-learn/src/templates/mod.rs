//! Bounds on sums over axes, accepted against samples of the theory.
//!
//! The greatest (and, of the negated literals, the greatest: so the least) sum that the examples show in
//! any copy of a [`Family`] is a candidate for a bound that all its copies share. What speaks for it is
//! how often the rules found so far would break it: if a share p of assignments drawn from them does, in
//! some copy, then N examples keep it by chance with probability (1-p)^N. A candidate is accepted if
//! ```text
//! -N ln(1-p)  >=  ln(number of candidates / false-alarm probability)
//! ```
//! and if the examples come up to the bound as to a wall: going on from the counts of the last two sums,
//! that many violations would have been expected too. (Examples need not be spread as evenly as samples.)
//! The candidate with the most violations to be expected comes first, since it explains the most: what
//! holds only because of it will not be broken by the samples drawn afterwards. In the end each accepted
//! family has to pass the test once more, against all the others.

mod family;
mod samples;

use std::collections::BinaryHeap;

use precept_logic::{Constraint, Lit, Variables};
use rayon::prelude::*;

use crate::{Checked, Control, Examples, tally};
use family::Family;
use samples::Samples;

/// Samples of a theory, at the least and at the most.
const SAMPLES: (usize, usize) = (1024, 4096);
/// Families that are looked at, at the most.
const FAMILIES: usize = 20_000;
/// Steps of 64 samples that the first look at all families may take.
const BUDGET: u64 = 20_000_000_000;

/// What the search for families found.
pub(crate) struct Found {
    /// The copies of each family that was accepted, as constraints.
    pub(crate) families: Vec<Vec<Constraint>>,
    /// How many bounds were looked at.
    pub(crate) candidates: usize,
    /// Whether there were more families than are looked at.
    pub(crate) cut_short: bool,
}

/// A bound on the sums of a family that the examples keep.
struct Candidate {
    /// The literals of the copies; negated where the bound is on the least sum.
    copies: Vec<Vec<Lit>>,
    /// The greatest sum that the examples show.
    most: u32,
    /// How many examples observe every copy.
    examples: usize,
}

/// What the samples say of a candidate.
struct Score {
    /// Violations in a sample, over all copies.
    violations: f64,
    /// What speaks for the candidate, in nats.
    evidence: f64,
}

impl Candidate {
    fn score(&self, samples: &Samples) -> Score {
        let count = samples.len().max(1) as f64;
        let (any, all) = samples.above(&self.copies, self.most);
        // Two standard deviations below what was counted.
        let share = ((any as f64 - 2.0 * (any as f64).sqrt()) / count).clamp(0.0, 0.999);
        Score { violations: all as f64 / count, evidence: -(self.examples as f64) * (1.0 - share).ln() }
    }

    fn constraints(&self) -> Vec<Constraint> {
        self.copies.iter().map(|copy| Constraint::at_most(self.most, copy.iter().copied())).collect()
    }

    /// How many violations would have been expected, going on from the counts of the last two sums.
    fn onward(&self, examples: &Examples) -> f64 {
        let (mut last, mut before) = (0, 0);
        for copy in &self.copies {
            let histogram = tally::histogram(examples, copy);
            last += histogram[self.most as usize];
            before += self.most.checked_sub(1).map_or(0, |sum| histogram[sum as usize]);
        }
        let (last, before) = (last as f64, before as f64);
        if before > 0.0 { last * last / before } else { last }
    }
}

/// Searches for families of bounds beyond the rules that are known.
pub(crate) fn search(
    variables: &Variables,
    known: &[Constraint],
    examples: &Examples,
    settings: &Checked,
    control: &dyn Control,
) -> Found {
    let mut found = Found { families: vec![], candidates: 0, cut_short: false };
    if variables.blocks().is_empty() || examples.is_empty() {
        return found;
    }
    let count = (2 * examples.len()).clamp(SAMPLES.0, SAMPLES.1);
    let draw = |rules: &[Constraint], number| Samples::draw(rules, examples, count, settings.seed, number);
    let Some(mut samples) = draw(known, 0) else { return found };
    let mut families = family::families(variables);
    found.cut_short = families.len() > FAMILIES;
    families.truncate(FAMILIES);
    found.candidates = 2 * families.len();
    let needed = (found.candidates as f64 / settings.false_alarm).ln();
    control.stage("templates", families.len() as u64);
    let candidates: Vec<Candidate> = families
        .par_iter()
        .flat_map_iter(|family| {
            let candidates = match control.is_cancelled() {
                true => vec![],
                false => candidates(family, variables, examples, &samples),
            };
            control.advance(1);
            candidates.into_iter().filter(|candidate| candidate.onward(examples) >= needed)
        })
        .collect();
    let mut theory = known.to_vec();
    let mut accepted: Vec<usize> = Vec::new();
    let mut draws = 1;
    // By score; the number of samples' drawing that it rests on tells whether it is out of date.
    let mut queue: BinaryHeap<Ranked> =
        candidates.par_iter().enumerate().filter_map(|(at, c)| Ranked::of(at, c, &samples, 0, needed)).collect();
    let mut version = 0;
    while let Some(best) = queue.pop() {
        if control.is_cancelled() {
            break;
        }
        let candidate = &candidates[best.candidate];
        if best.version != version {
            queue.extend(Ranked::of(best.candidate, candidate, &samples, version, needed));
            continue;
        }
        accepted.push(best.candidate);
        theory.extend(candidate.constraints());
        version += 1;
        candidate.copies.iter().for_each(|copy| samples.require_at_most(copy, candidate.most));
        if samples.len() < count / 2 {
            match draw(&theory, draws) {
                Some(new) => samples = new,
                None => break,
            }
            draws += 1;
        }
    }
    // The first ones were accepted against the least.
    for at in 0..accepted.len() {
        let others = accepted.iter().enumerate().filter(|(other, _)| *other != at);
        let others = others.filter(|(_, number)| **number != usize::MAX);
        let rules: Vec<Constraint> = known
            .iter()
            .cloned()
            .chain(others.flat_map(|(_, &number)| candidates[number].constraints()))
            .collect();
        draws += 1;
        let stands = draw(&rules, draws)
            .is_some_and(|samples| candidates[accepted[at]].score(&samples).evidence >= needed);
        if !stands && !control.is_cancelled() {
            accepted[at] = usize::MAX;
        }
    }
    let stand = accepted.into_iter().filter(|number| *number != usize::MAX);
    found.families = stand.map(|number| candidates[number].constraints()).collect();
    found
}

/// The bounds of a family that samples break.
fn candidates(family: &Family, variables: &Variables, examples: &Examples, samples: &Samples) -> Vec<Candidate> {
    let copies = family.copies(variables);
    let (mut least, mut greatest) = (u32::MAX, 0);
    for (low, high) in copies.iter().filter_map(|copy| samples.extremes(copy)) {
        (least, greatest) = (least.min(low), greatest.max(high));
    }
    let (mut low, mut high) = (u32::MAX, 0);
    for copy in &copies {
        // What the examples show as well as the samples needs no further look.
        if low <= least && high >= greatest {
            return vec![];
        }
        if let Some(seen) = tally::extremes(examples, copy) {
            (low, high) = (low.min(seen.0), high.max(seen.1));
        }
    }
    if low == u32::MAX {
        return vec![];
    }
    let observed = match examples.is_complete() {
        true => examples.len(),
        false => copies.iter().map(|copy| tally::fully_observed(examples, copy)).min().unwrap_or(0) as usize,
    };
    let mut found = Vec::new();
    // Copies of different lengths have no common complement.
    let length = copies[0].len() as u32;
    if low > least && copies.iter().all(|copy| copy.len() as u32 == length) {
        let negated = copies.iter().map(|copy| copy.iter().map(|&l| !l).collect()).collect();
        found.push(Candidate { copies: negated, most: length - low, examples: observed });
    }
    if high < greatest {
        found.push(Candidate { copies, most: high, examples: observed });
    }
    found
}

/// A candidate by what speaks for it.
#[derive(PartialEq)]
struct Ranked {
    violations: f64,
    literals: usize,
    candidate: usize,
    version: usize,
}

impl Ranked {
    /// Nothing if too little speaks for the candidate.
    fn of(number: usize, candidate: &Candidate, samples: &Samples, version: usize, needed: f64) -> Option<Ranked> {
        let score = candidate.score(samples);
        let literals = candidate.copies[0].len();
        (score.evidence >= needed)
            .then_some(Ranked { violations: score.violations, literals, candidate: number, version })
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> std::cmp::Ordering {
        let by_score = self.violations.total_cmp(&other.violations);
        by_score.then(other.literals.cmp(&self.literals)).then(other.candidate.cmp(&self.candidate))
    }
}
