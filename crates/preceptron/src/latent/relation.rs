//! What binds the symbols of an example to its answer, and what an answer then says of the symbols.
//!
//! ```text
//! table    P(y | z) = T[z_1, z_2, y]                       (one place: T[z_1, y])
//! sum      P(y | z) = (1 - e) [f(y) = s] + e / answers,    s = offset + sum_l w_l v(z_l)   (mod m)
//! q_l(i) ~ sum over z with z_l = i of p_1(z_1) ... p_L(z_L) P(y | z)
//! ```
//! | symbol | here |
//! |---|---|
//! | T | [`Relation::Table`] `chance` |
//! | w, v, m, offset | [`Relation::Sum`] `weights`, `values`, `modulus`, `offset` |
//! | e | `wrong`: the share of answers that are any |
//! | p, q | `readings`, `posterior`: a row of symbols for each place |
//!
//! A sum over many places is gone through forwards and backwards (dynamic programming over partial sums).

use serde::{Deserialize, Serialize};

/// What binds symbols to answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// A table over the symbols of one or two places.
    Table {
        /// The places that it is about.
        places: Vec<usize>,
        /// How many symbols there are.
        symbols: usize,
        /// For each symbol of the first place, each of the second, each answer its probability.
        chance: Vec<f64>,
    },
    /// A weighted sum over all places.
    Sum {
        /// The weight of each place.
        weights: Vec<i64>,
        /// The value of each symbol.
        values: Vec<i64>,
        /// What the sum is taken modulo.
        modulus: Option<i64>,
        /// What is added.
        offset: i64,
        /// The sum that each answer stands for.
        answers: Vec<i64>,
        /// The share of answers that may be any.
        wrong: f64,
    },
}

/// What is left of a probability where nothing is likely.
const LEAST: f64 = 1e-30;

impl Relation {
    /// How many symbols there are.
    pub fn symbols(&self) -> usize {
        match self {
            Relation::Table { symbols, .. } => *symbols,
            Relation::Sum { values, .. } => values.len(),
        }
    }

    /// The places that it is about, of so many.
    pub fn places(&self, all: usize) -> Vec<usize> {
        match self {
            Relation::Table { places, .. } => places.clone(),
            Relation::Sum { .. } => (0..all).collect(),
        }
    }

    /// How many answers there are.
    pub fn answers(&self) -> usize {
        match self {
            Relation::Table { places, symbols, chance } => chance.len() / symbols.pow(places.len() as u32),
            Relation::Sum { answers, .. } => answers.len(),
        }
    }

    /// What readings and the answer say of each place's symbol, and the logarithm of the answer's probability.
    /// Places that the relation is not about stay as they were read.
    pub fn posterior(&self, readings: &[f32], answer: u32, posterior: &mut [f32]) -> f64 {
        posterior.copy_from_slice(readings);
        match self {
            Relation::Table { places, symbols, chance } => {
                let (k, answers) = (*symbols, self.answers());
                let row = |place: usize| &readings[place * k..][..k];
                let at = |cell: usize| chance[cell * answers + answer as usize];
                if let [place] = places[..] {
                    let weights: Vec<f64> =
                        row(place).iter().enumerate().map(|(i, p)| f64::from(*p) * at(i)).collect();
                    return spread(&weights, &mut posterior[place * k..][..k]);
                }
                let (first, second) = (row(places[0]), row(places[1]));
                let (mut rows, mut columns) = (vec![0.0; k], vec![0.0; k]);
                for (i, p) in first.iter().enumerate() {
                    for (j, q) in second.iter().enumerate() {
                        let weight = f64::from(*p) * f64::from(*q) * at(i * k + j);
                        rows[i] += weight;
                        columns[j] += weight;
                    }
                }
                spread(&columns, &mut posterior[places[1] * k..][..k]);
                spread(&rows, &mut posterior[places[0] * k..][..k])
            }
            Relation::Sum { .. } => self.sum_posterior(readings, answer, posterior),
        }
    }

    /// Adds what readings and the answer say to counts of cells and answers (a table), or the probability that the
    /// answer is any (a sum).
    pub(super) fn gather(&self, readings: &[f32], answer: u32, seen: &mut [f64]) {
        match self {
            Relation::Table { places, symbols, chance } => {
                let (k, answers) = (*symbols, self.answers());
                let row = |place: usize| &readings[place * k..][..k];
                let one = [1.0];
                let second = if places.len() > 1 { row(places[1]) } else { &one };
                let weight = |at: usize| {
                    let both =
                        f64::from(row(places[0])[at / second.len()]) * f64::from(second[at % second.len()]);
                    both * chance[at * answers + answer as usize]
                };
                let cells = k * second.len();
                let total: f64 = (0..cells).map(weight).sum();
                if total > LEAST {
                    (0..cells).for_each(|at| seen[at * answers + answer as usize] += weight(at) / total);
                }
            }
            Relation::Sum { wrong, answers, .. } => {
                let mut posterior = vec![0.0; readings.len()];
                let logarithm = self.posterior(readings, answer, &mut posterior);
                seen[0] += (wrong / answers.len() as f64 / logarithm.exp()).min(1.0);
            }
        }
    }

    /// How many numbers [`Relation::gather`] adds to.
    pub(super) fn gathered(&self) -> usize {
        match self {
            Relation::Table { chance, .. } => chance.len(),
            Relation::Sum { .. } => 1,
        }
    }

    /// The relation as so many examples were gathered.
    pub(super) fn renew(&mut self, seen: &[f64], examples: usize, smoothing: f64) {
        let answers = self.answers();
        match self {
            Relation::Table { chance, .. } => {
                for (chance, seen) in chance.chunks_exact_mut(answers).zip(seen.chunks_exact(answers)) {
                    let total = seen.iter().sum::<f64>() + smoothing * answers as f64;
                    chance.iter_mut().zip(seen).for_each(|(p, n)| *p = (n + smoothing) / total);
                }
            }
            Relation::Sum { wrong, .. } => *wrong = (seen[0] / examples as f64).clamp(1e-3, 0.5),
        }
    }

    /// The probability of each answer, as pictures are read.
    pub fn predict(&self, readings: &[f32]) -> Vec<f64> {
        match self {
            Relation::Table { places, symbols, chance } => {
                let (k, answers) = (*symbols, self.answers());
                let row = |place: usize| &readings[place * k..][..k];
                let mut found = vec![0.0; answers];
                let one = [1.0];
                let second = if places.len() > 1 { row(places[1]) } else { &one };
                for (i, p) in row(places[0]).iter().enumerate() {
                    for (j, q) in second.iter().enumerate() {
                        let weight = f64::from(*p) * f64::from(*q);
                        let cell = &chance[(i * second.len() + j) * answers..][..answers];
                        found.iter_mut().zip(cell).for_each(|(sum, chance)| *sum += weight * chance);
                    }
                }
                found
            }
            Relation::Sum { answers, offset, modulus, wrong, .. } => {
                let steps = self.steps();
                let reach = Reach::of(&steps, *modulus);
                let last = reach.forwards(readings, &steps).pop().unwrap_or_default();
                let share = wrong / answers.len() as f64;
                let chance = |answer: &i64| {
                    let state = reach.state(answer - offset);
                    state.map_or(0.0, |state| last[state]) * (1.0 - wrong) + share
                };
                answers.iter().map(chance).collect()
            }
        }
    }

    /// What each symbol adds at each place.
    fn steps(&self) -> Vec<Vec<i64>> {
        let Relation::Sum { weights, values, .. } = self else { return Vec::new() };
        weights.iter().map(|weight| values.iter().map(|value| weight * value).collect()).collect()
    }

    fn sum_posterior(&self, readings: &[f32], answer: u32, posterior: &mut [f32]) -> f64 {
        let Relation::Sum { answers, offset, modulus, wrong, values, .. } = self else { return 0.0 };
        let (steps, k) = (self.steps(), values.len());
        let reach = Reach::of(&steps, *modulus);
        let forwards = reach.forwards(readings, &steps);
        let share = wrong / answers.len() as f64;
        let mut later = vec![share; reach.states];
        if let Some(state) = reach.state(answers[answer as usize] - offset) {
            later[state] += 1.0 - wrong;
        }
        let total: f64 = forwards[steps.len()].iter().zip(&later).map(|(p, q)| p * q).sum();
        let mut weights = vec![0.0; k];
        for place in (0..steps.len()).rev() {
            let row = &readings[place * k..][..k];
            let mut before = vec![0.0; reach.states];
            weights.fill(0.0);
            for state in 0..reach.states {
                let here = forwards[place][state];
                for (i, p) in row.iter().enumerate() {
                    let Some(next) = reach.after(state, steps[place][i]) else { continue };
                    let weight = f64::from(*p) * later[next];
                    before[state] += weight;
                    weights[i] += here * weight;
                }
            }
            spread(&weights, &mut posterior[place * k..][..k]);
            later = before;
        }
        total.max(LEAST).ln()
    }
}

/// The partial sums that can be reached.
struct Reach {
    least: i64,
    states: usize,
    modulus: Option<i64>,
}

impl Reach {
    fn of(steps: &[Vec<i64>], modulus: Option<i64>) -> Reach {
        if let Some(modulus) = modulus {
            return Reach { least: 0, states: modulus.max(1) as usize, modulus: Some(modulus.max(1)) };
        }
        // Every partial sum lies between those of all places' least and greatest steps, and 0.
        let least: i64 = steps.iter().map(|step| step.iter().min().map_or(0, |low| (*low).min(0))).sum();
        let most: i64 = steps.iter().map(|step| step.iter().max().map_or(0, |high| (*high).max(0))).sum();
        Reach { least, states: (most - least + 1) as usize, modulus: None }
    }

    fn state(&self, sum: i64) -> Option<usize> {
        match self.modulus {
            Some(modulus) => Some(sum.rem_euclid(modulus) as usize),
            None => usize::try_from(sum - self.least).ok().filter(|state| *state < self.states),
        }
    }

    fn after(&self, state: usize, step: i64) -> Option<usize> {
        self.state(state as i64 + self.least + step)
    }

    /// The probability of each partial sum before the first place, and after each.
    fn forwards(&self, readings: &[f32], steps: &[Vec<i64>]) -> Vec<Vec<f64>> {
        let mut now = vec![0.0; self.states];
        if let Some(state) = self.state(0) {
            now[state] = 1.0;
        }
        let mut all = vec![now];
        for (place, step) in steps.iter().enumerate() {
            let mut next = vec![0.0; self.states];
            for (state, chance) in all[place].iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
                for (i, step) in step.iter().enumerate() {
                    if let Some(to) = self.after(state, *step) {
                        next[to] += chance * f64::from(readings[place * steps[0].len() + i]);
                    }
                }
            }
            all.push(next);
        }
        all
    }
}

/// Writes weights as probabilities; the logarithm of their sum. Where nothing has weight, all stays as it is.
fn spread(weights: &[f64], into: &mut [f32]) -> f64 {
    let total: f64 = weights.iter().sum();
    if total > LEAST {
        into.iter_mut().zip(weights).for_each(|(into, weight)| *into = (weight / total) as f32);
    }
    total.max(LEAST).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All ways to choose a symbol at each place.
    fn ways(places: usize, symbols: usize) -> impl Iterator<Item = Vec<usize>> {
        (0..symbols.pow(places as u32))
            .map(move |n| (0..places).map(|place| n / symbols.pow(place as u32) % symbols).collect())
    }

    /// The chance of an answer under symbols, in so many words.
    fn chance(relation: &Relation, way: &[usize], answer: usize) -> f64 {
        match relation {
            Relation::Table { places, symbols, chance } => {
                let cell = places.iter().fold(0, |cell, place| cell * symbols + way[*place]);
                chance[cell * relation.answers() + answer]
            }
            Relation::Sum { weights, values, modulus, offset, answers, wrong } => {
                let sum: i64 = weights.iter().zip(way).map(|(w, z)| w * values[*z]).sum::<i64>() + offset;
                let is_it = match modulus {
                    Some(m) => sum.rem_euclid(*m) == answers[answer].rem_euclid(*m),
                    None => sum == answers[answer],
                };
                f64::from(u8::from(is_it)) * (1.0 - wrong) + wrong / answers.len() as f64
            }
        }
    }

    fn normal(raw: &[f64], of: usize) -> Vec<f64> {
        raw.chunks(of).flat_map(|row| row.iter().map(|x| x / row.iter().sum::<f64>())).collect()
    }

    fn check(relation: &Relation, readings: &[f64], answer: usize) {
        let (k, readings): (_, Vec<f32>) = (relation.symbols(), readings.iter().map(|x| *x as f32).collect());
        let places = readings.len() / k;
        let weight = |way: &[usize]| -> f64 {
            way.iter().enumerate().map(|(place, z)| f64::from(readings[place * k + z])).product()
        };
        let of = |answer: usize| -> f64 {
            ways(places, k).map(|way| weight(&way) * chance(relation, &way, answer)).sum()
        };
        let mut found = vec![0.0; readings.len()];
        let logarithm = relation.posterior(&readings, answer as u32, &mut found);
        assert!((logarithm - of(answer).ln()).abs() < 1e-4, "{logarithm} {}", of(answer).ln());
        for place in relation.places(places) {
            for i in 0..k {
                let with: f64 = ways(places, k)
                    .filter(|way| way[place] == i)
                    .map(|way| weight(&way) * chance(relation, &way, answer))
                    .sum();
                assert!((f64::from(found[place * k + i]) - with / of(answer)).abs() < 1e-4);
            }
        }
        for (answer, p) in relation.predict(&readings).into_iter().enumerate() {
            assert!((p - of(answer)).abs() < 1e-5);
        }
    }

    proptest! {
        #[test]
        fn posteriors_are_those_of_all_ways(
            raw in prop::collection::vec(0.05f64..1.0, 9), table in prop::collection::vec(0.05f64..1.0, 18),
            weights in prop::collection::vec(-2i64..3, 3), answer in 0usize..2, modulus in prop::option::of(2i64..4),
        ) {
            let readings = normal(&raw, 3);
            for places in [vec![0, 2], vec![1]] {
                let cells = 3usize.pow(places.len() as u32);
                let table = Relation::Table { places, symbols: 3, chance: normal(&table[..cells * 2], 2) };
                check(&table, &readings, answer);
            }
            let sum = Relation::Sum {
                weights, values: vec![0, 1, 3], modulus, offset: 1, answers: vec![1, 2, 4], wrong: 0.1,
            };
            check(&sum, &readings, answer);
        }
    }
}
