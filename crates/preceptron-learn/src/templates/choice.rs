//! Which candidates are accepted: the one that explains the most first, and each once more in the end.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use preceptron_logic::Constraint;
use rayon::prelude::*;

use super::candidate::Candidate;
use super::samples::Samples;
use preceptron_base::Control;

/// Rounds of accepting and looking back, at the most.
const ROUNDS: usize = 3;

/// The rules so far, and the candidates for more.
pub(super) struct Choice<'a> {
    pub(super) known: &'a [Constraint],
    pub(super) candidates: &'a [Candidate],
    /// What has to speak for a candidate, in nats.
    pub(super) needed: f64,
    /// When fewer samples than this obey what was accepted, new ones are drawn.
    pub(super) least_samples: usize,
    /// Draws samples of rules; the number tells one drawing from another.
    pub(super) draw: &'a (dyn Fn(&[Constraint], u64) -> Option<Samples> + Sync),
    pub(super) control: &'a dyn Control,
}

impl Choice<'_> {
    /// The numbers of the candidates that are accepted, in the order in which they were, beginning with
    /// samples of the known rules.
    pub(super) fn run(&self, samples: Samples) -> Vec<usize> {
        let (mut accepted, mut rejected) = (Vec::new(), Vec::new());
        let mut draws = 0;
        let mut samples = Some(samples);
        for _ in 0..ROUNDS {
            let Some(these) = samples.take() else { break };
            let from = accepted.len();
            self.accept(these, &mut accepted, &rejected, &mut draws);
            let gone = self.look_back(&mut accepted, from, &mut draws);
            // What one wrong rule explained may be what a true one says.
            if gone.is_empty() || self.control.is_cancelled() {
                break;
            }
            rejected.extend(gone);
            samples = self.samples(accepted.iter(), &mut draws);
        }
        accepted
    }

    /// Whether a single rule, known or accepted, implies this one.
    fn states(&self, accepted: &[usize], rule: &Constraint) -> bool {
        let mut new = accepted.iter().flat_map(|&number| self.candidates[number].constraints());
        self.known.iter().any(|known| known.implies(rule)) || new.any(|new| new.implies(rule))
    }

    /// Samples of the known rules and of these candidates.
    fn samples<'c>(&self, candidates: impl Iterator<Item = &'c usize>, draws: &mut u64) -> Option<Samples> {
        let new = candidates.flat_map(|&number| self.candidates[number].constraints());
        let rules: Vec<Constraint> = self.known.iter().cloned().chain(new).collect();
        *draws += 1;
        (self.draw)(&rules, *draws)
    }

    /// Accepts candidates until nothing speaks for those that are left.
    fn accept(&self, mut samples: Samples, accepted: &mut Vec<usize>, rejected: &[usize], draws: &mut u64) {
        let mut queue: BinaryHeap<Ranked> = (0..self.candidates.len())
            .into_par_iter()
            .filter(|number| !rejected.contains(number))
            .filter_map(|number| self.rank(number, &samples, accepted.len()))
            .collect();
        while let Some(best) = queue.pop() {
            if self.control.is_cancelled() {
                return;
            }
            // Ranks fall as rules are accepted: one that is out of date cannot hide a better candidate.
            if best.accepted != accepted.len() {
                queue.extend(self.rank(best.number, &samples, accepted.len()));
                continue;
            }
            let candidate = &self.candidates[best.number];
            if !candidate.is_alike(&samples, |rule| self.states(accepted, rule)) {
                continue;
            }
            accepted.push(best.number);
            candidate.copies.iter().for_each(|copy| samples.require_at_most(&copy.literals, candidate.most));
            if samples.len() < self.least_samples {
                let Some(new) = self.samples(accepted.iter(), draws) else { return };
                samples = new;
            }
        }
    }

    /// Takes back what does not stand against all the others; what those were. The first ones were
    /// accepted against the least, and the last one against all.
    fn look_back(&self, accepted: &mut Vec<usize>, from: usize, draws: &mut u64) -> Vec<usize> {
        let mut gone = Vec::new();
        let tested = accepted[from..accepted.len().max(from + 1) - 1].to_vec();
        for number in tested {
            if self.control.is_cancelled() {
                break;
            }
            let others: Vec<usize> = accepted.iter().copied().filter(|other| *other != number).collect();
            let candidate = &self.candidates[number];
            let stands = self.samples(others.iter(), draws).is_some_and(|samples| {
                candidate.score(&samples).evidence >= self.needed
                    && candidate.is_alike(&samples, |rule| self.states(&others, rule))
            });
            if !stands {
                *accepted = others;
                gone.push(number);
            }
        }
        gone
    }

    /// The candidate by what speaks for it; nothing if that is too little.
    fn rank(&self, number: usize, samples: &Samples, accepted: usize) -> Option<Ranked> {
        let candidate = &self.candidates[number];
        let score = candidate.score(samples);
        let literals = candidate.copies[0].literals.len() as f64;
        (score.evidence >= self.needed).then_some(Ranked {
            worth: score.violations / literals,
            number,
            accepted,
        })
    }
}

/// A candidate's place: the most violations for each literal first, since long sums are broken wherever
/// their short parts are.
struct Ranked {
    worth: f64,
    number: usize,
    /// How many candidates had been accepted when it was ranked.
    accepted: usize,
}

impl Ord for Ranked {
    fn cmp(&self, other: &Ranked) -> Ordering {
        self.worth.total_cmp(&other.worth).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Ranked) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Ranked) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ranked {}
