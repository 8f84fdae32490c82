//! What the finders share: the rows, the rules so far, and samples that obey them.

use std::cell::Cell;

use preceptron_base::{Control, stream_at};
use preceptron_logic::numbers::{Claim, Gate, NumberEvidence, NumberRule};

use crate::data::Data;
use crate::evidence::{chance, needed};
use crate::null::{self, Sample};

/// The most that drawing samples may cost: some ten seconds.
const MOST_SPENT: usize = 60_000;

pub(crate) struct Search<'a> {
    pub data: &'a Data,
    /// The rules so far, with those of all rows in a search under a gate.
    pub rules: Vec<NumberRule>,
    /// What new rules are claimed of.
    pub gate: Option<Gate>,
    /// How many times as many rules are looked at as in a search by itself.
    pub times: usize,
    pub control: &'a dyn Control,
    pub seed: u64,
    drawn: u64,
    /// What drawing samples has cost, by columns and rules.
    spent: Cell<usize>,
    samples: Option<Vec<Sample>>,
}

impl<'a> Search<'a> {
    pub fn new(data: &'a Data, control: &'a dyn Control, seed: u64) -> Search<'a> {
        Search {
            data,
            rules: vec![],
            gate: None,
            times: 1,
            control,
            seed,
            drawn: 0,
            spent: Cell::new(0),
            samples: None,
        }
    }

    /// Samples that obey the rules so far.
    pub fn samples(&mut self) -> &[Sample] {
        if self.samples.is_none() {
            self.samples = Some(self.draw(&self.rules));
            self.drawn += 1;
        }
        self.samples.as_deref().unwrap_or_default()
    }

    /// Samples that obey other rules.
    pub fn draw(&self, rules: &[NumberRule]) -> Vec<Sample> {
        let place = self.gate.map_or([0, 0], |gate| [gate.category as u64 + 1, gate.label as u64]);
        self.spent.set(self.spent.get() + self.data.columns() * (rules.len() + 1));
        let item = [self.drawn, place[0], place[1]];
        null::samples(self.data, rules, &mut stream_at(self.seed, "rows under rules of numbers", &item))
    }

    /// In how many rows claims are known to be true; nothing if one of them is false somewhere.
    pub fn rows_of(&self, claims: &[Claim]) -> Option<usize> {
        let mut known = usize::MAX;
        for claim in claims {
            let mut count = 0;
            for (row, words) in self.data.rows.iter().zip(&self.data.words) {
                match claim.holds(row, words) {
                    Some(false) => return None,
                    Some(true) => count += 1,
                    None => {}
                }
            }
            known = known.min(count);
        }
        Some(known)
    }

    /// How many samples break one of the claims, and how many there are.
    pub fn broken(&mut self, claims: &[Claim]) -> (usize, usize) {
        let samples = self.samples();
        let breaks = |sample: &Sample| {
            claims.iter().any(|claim| claim.holds(&sample.numbers, &sample.words) == Some(false))
        };
        (null::broken(samples, breaks), samples.len())
    }

    /// For how many rows that know nothing of each other those of these claims count.
    pub fn share(&self, claims: &[Claim]) -> f64 {
        claims.iter().map(|claim| self.data.share(&claim.columns())).fold(1.0, f64::min)
    }

    /// The evidence of claims that hold in so many rows, by chance under the rules so far.
    pub fn chance(&mut self, claims: &[Claim], rows: usize) -> f64 {
        let share = self.share(claims);
        let (broken, of) = self.broken(claims);
        chance(rows as f64 * share, broken, of)
    }

    /// The evidence that one rule of so many that are looked at needs.
    pub fn needed(&self, looked_at: usize) -> f64 {
        needed(looked_at.saturating_mul(self.times))
    }

    /// Takes claims for rules.
    pub fn accept(
        &mut self,
        claims: Vec<Claim>,
        family: Option<String>,
        rows: usize,
        evidence: f64,
        needed: f64,
    ) {
        let family = family.filter(|_| claims.len() > 1);
        let evidence = NumberEvidence { rows: rows as u64, evidence, needed };
        for claim in claims {
            self.rules.push(NumberRule { gate: self.gate, claim, family: family.clone(), evidence });
        }
        self.samples = None;
    }

    /// Whether to stop: it is wanted, or the search has cost enough.
    pub fn is_over(&self) -> bool {
        self.control.is_cancelled() || self.is_spent()
    }

    /// Whether the search has cost enough.
    pub fn is_spent(&self) -> bool {
        self.spent.get() > MOST_SPENT
    }
}
