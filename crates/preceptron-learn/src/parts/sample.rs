//! Some rows of a table, chosen by their numbers alone: the rows with the least hashes.
//!
//! ```text
//! hash(row) = mix(seed + row * 0x9E37_79B9_7F4A_7C15)        (the finaliser of SplitMix64)
//! ```
//! Which rows these are depends neither on how the table is cut into partitions nor on the order in which samples are
//! merged. Drawn so, every set of rows of this size is as likely as any other.

use std::collections::{BTreeMap, BinaryHeap};

use preceptron_logic::Var;
use serde::{Deserialize, Serialize};

use crate::Examples;

/// A row with its number in the whole table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RowBits {
    /// The number, from 0.
    pub row: u64,
    /// The values, 64 variables to a word.
    values: Vec<u64>,
    /// What is observed; nothing if everything is.
    known: Option<Vec<u64>>,
}

impl RowBits {
    /// A row of examples of which the first has the number `start`.
    pub fn of(examples: &Examples, row: usize, start: u64) -> RowBits {
        let words = examples.variables().div_ceil(64);
        let (mut values, mut known) = (vec![0; words], vec![0; words]);
        for var in 0..examples.variables() {
            if let Some(value) = examples.get(row, Var(var as u32)) {
                known[var / 64] |= 1 << (var % 64);
                values[var / 64] |= u64::from(value) << (var % 64);
            }
        }
        let all: u32 = known.iter().map(|word: &u64| word.count_ones()).sum();
        let known = (all as usize != examples.variables()).then_some(known);
        RowBits { row: start + row as u64, values, known }
    }

    /// The value of a variable, if it is observed.
    fn get(&self, var: usize) -> Option<bool> {
        let bit = |words: &[u64]| words.get(var / 64).is_some_and(|word| word >> (var % 64) & 1 == 1);
        let is_known = self.known.as_deref().is_none_or(bit);
        is_known.then(|| bit(&self.values))
    }
}

/// Rows as examples, in the order of their numbers; of rows with the same number one is kept.
pub fn examples_of<'a>(variables: usize, rows: impl Iterator<Item = &'a RowBits>) -> Examples {
    let rows: BTreeMap<u64, &RowBits> = rows.map(|row| (row.row, row)).collect();
    let words = rows.len().div_ceil(64);
    let (mut values, mut known) = (vec![0; words * variables], vec![0; words * variables]);
    for (at, row) in rows.values().enumerate() {
        for var in 0..variables {
            if let Some(value) = row.get(var) {
                let word = var * words + at / 64;
                known[word] |= 1 << (at % 64);
                values[word] |= u64::from(value) << (at % 64);
            }
        }
    }
    Examples::from_columns(rows.len(), variables, values, Some(known))
}

/// The rows with the least hashes among those that were offered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    seed: u64,
    most: usize,
    kept: Vec<(u64, RowBits)>,
}

impl Sample {
    /// An empty sample of at most so many rows.
    pub fn new(seed: u64, most: usize) -> Sample {
        Sample { seed, most, kept: vec![] }
    }

    /// Offers rows, of which the first has the number `start`.
    pub fn add(&mut self, examples: &Examples, start: u64) {
        let mut heap: BinaryHeap<(u64, RowBits)> = std::mem::take(&mut self.kept).into();
        for row in 0..examples.len() {
            let hash = mix(self.seed, start + row as u64);
            let is_full = heap.len() >= self.most;
            if is_full && heap.peek().is_none_or(|(greatest, _)| hash >= *greatest) {
                continue;
            }
            if is_full {
                heap.pop();
            }
            heap.push((hash, RowBits::of(examples, row, start)));
        }
        self.kept = heap.into_vec();
    }

    /// Adds another sample with the same seed and size.
    pub fn merge(&mut self, other: Sample) {
        self.kept.extend(other.kept);
        self.kept.sort_unstable_by_key(|(hash, row)| (*hash, row.row));
        self.kept.truncate(self.most);
    }

    /// The rows, in no order.
    pub fn rows(&self) -> impl Iterator<Item = &RowBits> {
        self.kept.iter().map(|(_, row)| row)
    }
}

/// A row's hash.
fn mix(seed: u64, row: u64) -> u64 {
    let mut z = seed.wrapping_add(row.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples(rows: std::ops::Range<u64>) -> Examples {
        let row = |r: u64| {
            (0..70u64).map(move |v| [Some(true), Some(false), None][((r * 31 + v * v) % 3) as usize])
        };
        Examples::from_rows(70, &rows.map(|r| row(r).collect::<Vec<_>>()).collect::<Vec<_>>())
    }

    #[test]
    fn a_sample_does_not_depend_on_partitions() {
        let mut whole = Sample::new(3, 40);
        whole.add(&examples(0..500), 0);
        let mut merged = Sample::new(3, 40);
        for (start, end) in [(333, 500), (0, 7), (7, 333)] {
            let mut part = Sample::new(3, 40);
            part.add(&examples(start..end), start);
            merged.merge(part);
        }
        let (a, b) = (examples_of(70, whole.rows()), examples_of(70, merged.rows()));
        assert_eq!((a.len(), &a), (40, &b));
        let mut all = Sample::new(3, 500);
        all.add(&examples(0..500), 0);
        assert_eq!(examples_of(70, all.rows()), examples(0..500));
    }
}
