//! Rows that obey given rules and nothing else: a chain over rows, started at those of the table.
//!
//! Without rules each column is drawn by itself from its cells. With rules a step gives one column another of its
//! values; columns that an equation, a count or an all-different rule ties to it follow, once each, and the step is kept if no
//! rule is broken then, by the ratio of how frequent the values that followed were and are. Words stay as they are.
//! Where nothing can move, the samples are the table's own rows, which break none of its rules: nothing more is found.

use std::collections::HashMap;

use preceptron_logic::numbers::{Claim, NumberRule, Relation};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::data::Data;

/// A row that might have been.
pub(crate) struct Sample {
    pub numbers: Vec<Option<i64>>,
    pub words: Vec<Option<usize>>,
    /// Whether it is another row than the one that it was made from.
    pub is_new: bool,
}

/// How many samples are drawn.
const SAMPLES: usize = 3000;
/// How many rows the chain is started from, and how many samples each gives.
const STARTS: usize = 300;
/// The most steps in all.
const STEPS: usize = 400_000;

/// Samples under rules.
pub(crate) fn samples(data: &Data, rules: &[NumberRule], random: &mut ChaCha8Rng) -> Vec<Sample> {
    let pools: Vec<Vec<i64>> =
        (0..data.columns()).map(|c| data.rows.iter().filter_map(|row| row[c]).collect()).collect();
    let draw = |random: &mut ChaCha8Rng, column: usize| match pools[column].len() {
        0 => 0,
        count => pools[column][random.random_range(0..count)],
    };
    if data.rows.is_empty() {
        return Vec::new();
    }
    if rules.is_empty() {
        let one = |random: &mut ChaCha8Rng| Sample {
            numbers: (0..data.columns()).map(|column| Some(draw(random, column))).collect(),
            words: data.words[random.random_range(0..data.rows.len())].clone(),
            is_new: true,
        };
        return (0..SAMPLES).map(|_| one(random)).collect();
    }
    let chain = Chain::new(data, rules, &pools);
    let sweeps = (STEPS / (STARTS * data.columns().max(1))).clamp(6, 30);
    let (burn, thin) = (sweeps / 2, (sweeps / 2 / (SAMPLES / STARTS)).max(1));
    let mut all = Vec::with_capacity(SAMPLES);
    for start in 0..STARTS {
        let row = match data.rows.len() <= STARTS {
            true => start % data.rows.len(),
            false => random.random_range(0..data.rows.len()),
        };
        let words = &data.words[row];
        let mut state: Vec<i64> = (0..data.columns())
            .map(|column| data.rows[row][column].unwrap_or_else(|| draw(random, column)))
            .collect();
        if !chain.obeys_all(&state, words) {
            continue;
        }
        let first = state.clone();
        for sweep in 0..burn + thin * (SAMPLES / STARTS) {
            for _ in 0..data.columns() {
                let column = random.random_range(0..data.columns());
                let value = draw(random, column);
                chain.step(&mut state, words, column, value, random);
            }
            if sweep >= burn && (sweep - burn) % thin == 0 {
                all.push(Sample {
                    numbers: state.iter().map(|x| Some(*x)).collect(),
                    words: words.clone(),
                    is_new: state != first,
                });
            }
        }
    }
    all
}

struct Chain<'a> {
    rules: &'a [NumberRule],
    of_column: Vec<Vec<usize>>,
    /// How frequent each value of each column is.
    counts: Vec<HashMap<i64, f64>>,
}

impl<'a> Chain<'a> {
    fn new(data: &Data, rules: &'a [NumberRule], pools: &[Vec<i64>]) -> Chain<'a> {
        let mut of_column = vec![Vec::new(); data.columns()];
        for (at, rule) in rules.iter().enumerate() {
            rule.claim.columns().into_iter().for_each(|column| of_column[column].push(at));
        }
        let counts = pools.iter().map(|pool| {
            let mut counts = HashMap::new();
            pool.iter().for_each(|value| *counts.entry(*value).or_insert(0.0) += 1.0);
            counts
        });
        Chain { rules, of_column, counts: counts.collect() }
    }

    fn obeys_all(&self, state: &[i64], words: &[Option<usize>]) -> bool {
        let numbers: Vec<Option<i64>> = state.iter().map(|x| Some(*x)).collect();
        self.rules.iter().all(|rule| rule.holds(&numbers, words) != Some(false))
    }

    fn step(
        &self,
        state: &mut [i64],
        words: &[Option<usize>],
        column: usize,
        value: i64,
        random: &mut ChaCha8Rng,
    ) {
        if state[column] == value {
            return;
        }
        let mut numbers: Vec<Option<i64>> = state.iter().map(|x| Some(*x)).collect();
        numbers[column] = Some(value);
        let mut changed = vec![column];
        let mut ratio = 1.0;
        let mut at = 0;
        while at < changed.len() {
            let moved = changed[at];
            at += 1;
            for rule in &self.of_column[moved] {
                let rule = &self.rules[*rule];
                if rule.gate.is_some_and(|gate| words[gate.category] != Some(gate.label)) {
                    continue;
                }
                let Some((other, new)) = repair(rule, &numbers, state, moved, &changed, random) else {
                    continue;
                };
                let frequent = |value: i64| self.counts[other].get(&value).copied().unwrap_or(0.0);
                ratio *= frequent(new) / frequent(state[other]).max(0.5);
                if ratio == 0.0 || changed.len() > 40 {
                    return;
                }
                numbers[other] = Some(new);
                changed.push(other);
            }
        }
        if ratio < 1.0 && random.random::<f64>() >= ratio {
            return;
        }
        let mut touched: Vec<usize> =
            changed.iter().flat_map(|column| self.of_column[*column].iter().copied()).collect();
        touched.sort_unstable();
        touched.dedup();
        if touched.iter().all(|rule| self.rules[*rule].holds(&numbers, words) != Some(false)) {
            changed.iter().for_each(|column| state[*column] = numbers[*column].unwrap_or(state[*column]));
        }
    }
}

/// The column that has to follow the one that moved, and its new value; nothing if none has to, or none can.
fn repair(
    rule: &NumberRule,
    numbers: &[Option<i64>],
    before: &[i64],
    moved: usize,
    changed: &[usize],
    random: &mut ChaCha8Rng,
) -> Option<(usize, i64)> {
    match &rule.claim {
        Claim::Linear { terms, relation: Relation::Equal, constant } => {
            let sum: i64 = terms.iter().map(|(c, column)| c * numbers[*column].unwrap_or(0)).sum();
            let excess = sum - constant;
            let free: Vec<&(i64, usize)> = terms
                .iter()
                .filter(|(c, column)| excess != 0 && excess % c == 0 && !changed.contains(column))
                .collect();
            let (coefficient, column) = *free.get(random.random_range(0..free.len().max(1)))?;
            Some((*column, numbers[*column]? - excess / coefficient))
        }
        Claim::Distinct { columns, by, shift } => {
            let key = |value: i64| (value + shift).div_euclid(*by);
            let new = key(numbers[moved]?);
            let other = columns
                .iter()
                .find(|c| **c != moved && !changed.contains(c) && numbers[**c].map(key) == Some(new))?;
            Some((*other, before[moved]))
        }
        Claim::Count { columns, value, most, .. } => {
            let held: Vec<usize> = columns.iter().copied().filter(|c| numbers[*c] == Some(*value)).collect();
            if held.len() <= *most || numbers[moved] != Some(*value) {
                return None;
            }
            let free: Vec<usize> =
                held.into_iter().filter(|column| *column != moved && !changed.contains(column)).collect();
            let column = *free.get(random.random_range(0..free.len().max(1)))?;
            Some((column, before[moved]))
        }
        _ => None,
    }
}

/// How many samples break a claim.
pub(crate) fn broken(samples: &[Sample], breaks: impl Fn(&Sample) -> bool) -> usize {
    samples.iter().filter(|sample| breaks(sample)).count()
}
