//! Is this enough data?

use preceptron_logic::{RuleSet, Var};
use rayon::prelude::*;

use crate::{Checked, DropReason, Dropped, Examples, Moments, Verdict};

/// The rank of the examples is computed for up to this many variables.
const RANK_VARIABLES: usize = 1500;
/// The prime that ranks are computed by: the largest below 2^31.
const PRIME: u64 = 2_147_483_647;

/// The rank of the examples as differences from one another: of the matrix of second moments, bordered by
/// the means, less 1. Elimination modulo a prime; a smaller rank than the true one would need the prime
/// to divide a minor by chance.
pub(crate) fn rank(examples: &Examples, moments: &Moments) -> Option<usize> {
    let n = examples.variables();
    if !examples.is_complete() || n > RANK_VARIABLES || examples.is_empty() {
        return None;
    }
    let entry = |i: usize, j: usize| -> u64 {
        let value = match (i, j) {
            (0, 0) => moments.examples() as f64,
            (0, j) => moments.sum(j - 1),
            (i, 0) => moments.sum(i - 1),
            (i, j) => moments.both(i - 1, j - 1),
        };
        value as u64 % PRIME
    };
    let mut matrix: Vec<Vec<u64>> = (0..=n).map(|i| (0..=n).map(|j| entry(i, j)).collect()).collect();
    let mut rank = 0;
    for column in 0..=n {
        let Some(pivot) = (rank..=n).find(|&r| matrix[r][column] != 0) else { continue };
        matrix.swap(rank, pivot);
        let (above, below) = matrix.split_at_mut(rank + 1);
        let top = &above[rank];
        let inverse = power(top[column], PRIME - 2);
        below.par_iter_mut().with_min_len(32).for_each(|row| {
            if row[column] != 0 {
                let factor = PRIME - row[column] * inverse % PRIME;
                for (a, b) in row[column..].iter_mut().zip(&top[column..]) {
                    *a = (*a + factor * b) % PRIME;
                }
            }
        });
        rank += 1;
    }
    Some(rank - 1)
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % PRIME;
        }
        base = base * base % PRIME;
        exponent >>= 1;
    }
    result
}

/// Sums up what the data are worth.
pub(crate) fn verdict(
    rules: &RuleSet,
    examples: &Examples,
    rank: Option<usize>,
    dropped: &[Dropped],
    limits: Vec<String>,
    settings: &Checked,
) -> Verdict {
    let constant = (0..examples.variables() as u32)
        .filter(|&v| {
            let seen = |literal| (0..examples.words()).any(|word| examples.true_word(literal, word) != 0);
            !(seen(Var(v).positive()) && seen(Var(v).negative()))
        })
        .count();
    // A rule over few literals cannot rest on more situations than it allows.
    let possible = |len: usize| if len == 1 { u64::MAX } else { 1u64 << len.min(63) };
    let ambiguous = rules
        .rules()
        .iter()
        .enumerate()
        .filter(|(_, r)| {
            let allowed = match r.constraint.len() {
                2 => (0..4u32).filter(|b| r.constraint.sums().contains(b.count_ones())).count() as u64,
                len => possible(len),
            };
            r.evidence.situations < settings.situations.min(allowed)
        })
        .map(|(number, _)| number)
        .collect();
    let nearly = dropped
        .iter()
        // Partly observed examples hardly ever break a group, so there this says nothing.
        .filter(|_| examples.is_complete())
        .filter(|d| matches!(d.reason, DropReason::Violated { support, .. } if support >= 0.9))
        .count();
    Verdict {
        examples: examples.len(),
        variables: examples.variables(),
        rank,
        equality_rank: rules.equality_rank(),
        gained_late: None,
        lost_late: None,
        ambiguous,
        constant,
        nearly,
        limits,
    }
}
