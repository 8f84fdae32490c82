//! The exact rank of an integer matrix.
//!
//! Rows are eliminated in whole numbers, each divided by its content, which stays small for rows of -1, 0
//! and 1. Should a number outgrow 128 bits, primes decide instead: elimination modulo a prime p never
//! finds more than the true rank, and finds less only if p divides every largest non-zero minor. Such a
//! minor is at most the product of the largest row lengths (Hadamard), so primes whose product exceeds
//! that bound cannot all divide it: the greatest rank that any of them finds is the true one.

use std::collections::BTreeMap;

use crate::Var;

/// The rank over the rationals of rows given by their non-zero entries, of which each variable has at
/// most one in a row.
pub fn rank(rows: impl IntoIterator<Item = Vec<(Var, i64)>>, columns: usize) -> usize {
    let rows: Vec<Vec<(Var, i64)>> = rows.into_iter().filter(|r| r.iter().any(|(_, c)| *c != 0)).collect();
    rank_by_elimination(&rows).unwrap_or_else(|| rank_by_primes(&rows, columns))
}

/// Elimination in whole numbers; nothing if one outgrows its type.
fn rank_by_elimination(rows: &[Vec<(Var, i64)>]) -> Option<usize> {
    // By leading column: the leading entry and the rest of a row.
    let mut pivots: BTreeMap<usize, (i128, Vec<(usize, i128)>)> = BTreeMap::new();
    for row in rows {
        let mut work: BTreeMap<usize, i128> =
            row.iter().filter(|(_, c)| *c != 0).map(|(var, c)| (var.index(), i128::from(*c))).collect();
        while let Some((column, leading)) = work.pop_first() {
            let Some((pivot, rest)) = pivots.get(&column) else {
                pivots.insert(column, (leading, work.into_iter().collect()));
                break;
            };
            let common = gcd(leading, *pivot);
            let (mine, theirs) = (*pivot / common, leading / common);
            if mine != 1 {
                for value in work.values_mut() {
                    *value = value.checked_mul(mine)?;
                }
            }
            for &(at, value) in rest {
                let entry = work.entry(at).or_insert(0);
                *entry = entry.checked_sub(value.checked_mul(theirs)?)?;
                if *entry == 0 {
                    work.remove(&at);
                }
            }
            let content = work.values().fold(0, |content, value| gcd(content, *value));
            if content > 1 {
                work.values_mut().for_each(|value| *value /= content);
            }
        }
    }
    Some(pivots.len())
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn rank_by_primes(rows: &[Vec<(Var, i64)>], columns: usize) -> usize {
    let mut used = vec![false; columns];
    for (var, _) in rows.iter().flatten() {
        used[var.index()] = true;
    }
    let most = rows.len().min(used.iter().filter(|u| **u).count());
    let mut lengths: Vec<f64> =
        rows.iter().map(|r| 0.5 * (r.iter().map(|(_, c)| (*c as f64).powi(2)).sum::<f64>()).log2()).collect();
    lengths.sort_by(|a, b| b.total_cmp(a));
    let bits_needed: f64 = lengths.iter().take(most).sum::<f64>() + 1.0;
    let mut best = 0;
    let mut bits = 0.0;
    let mut primes = PrimesBelow(1 << 31);
    while best < most && bits < bits_needed {
        let prime = primes.next().expect("there are enough primes below 2^31");
        best = best.max(rank_modulo(rows, prime));
        bits += (prime as f64).log2();
    }
    best
}

/// The rank modulo a prime below 2^31: sparse elimination, each row against the pivots found so far.
fn rank_modulo(rows: &[Vec<(Var, i64)>], prime: u64) -> usize {
    // By leading column: the rest of a row whose leading entry is 1.
    let mut pivots: BTreeMap<usize, Vec<(usize, u64)>> = BTreeMap::new();
    for row in rows {
        let mut work: BTreeMap<usize, u64> = BTreeMap::new();
        for (var, coefficient) in row {
            let value = coefficient.rem_euclid(prime as i64) as u64;
            if value != 0 {
                work.insert(var.index(), value);
            }
        }
        while let Some((column, leading)) = work.pop_first() {
            let Some(pivot) = pivots.get(&column) else {
                let inverse = power(leading, prime - 2, prime);
                let rest = work.into_iter().map(|(c, v)| (c, v * inverse % prime)).collect();
                pivots.insert(column, rest);
                break;
            };
            for &(at, value) in pivot {
                let entry = work.entry(at).or_insert(0);
                *entry = (*entry + (prime - leading) * value) % prime;
                if *entry == 0 {
                    work.remove(&at);
                }
            }
        }
    }
    pivots.len()
}

fn power(mut base: u64, mut exponent: u64, prime: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % prime;
        }
        base = base * base % prime;
        exponent >>= 1;
    }
    result
}

/// Primes below a bound, falling.
struct PrimesBelow(u64);

impl Iterator for PrimesBelow {
    type Item = u64;
    fn next(&mut self) -> Option<u64> {
        while self.0 > 2 {
            self.0 -= 1;
            let candidate = self.0;
            if (2..).take_while(|d| d * d <= candidate).all(|d| !candidate.is_multiple_of(d)) {
                return Some(candidate);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Fraction-free elimination in 128 bits: plain, and exact for small matrices.
    fn plain_rank(mut m: Vec<Vec<i128>>) -> usize {
        let columns = m.first().map_or(0, Vec::len);
        let mut rank = 0;
        for column in 0..columns {
            let Some(pivot) = (rank..m.len()).find(|&r| m[r][column] != 0) else { continue };
            m.swap(rank, pivot);
            for r in rank + 1..m.len() {
                let (a, b) = (m[rank][column], m[r][column]);
                let pivot_row = m[rank].clone();
                for (entry, above) in m[r].iter_mut().zip(pivot_row) {
                    *entry = *entry * a - above * b;
                }
            }
            rank += 1;
        }
        rank
    }

    proptest! {
        #[test]
        fn agrees_with_plain_elimination(m in prop::collection::vec(prop::collection::vec(-1i64..=1, 6), 0..6)) {
            let rows = m.iter().map(|row| row.iter().enumerate().map(|(i, c)| (Var(i as u32), *c)).collect());
            let expected = plain_rank(m.iter().map(|r| r.iter().map(|c| i128::from(*c)).collect()).collect());
            let rows: Vec<Vec<(Var, i64)>> = rows.collect();
            let nonzero: Vec<_> = rows.iter().filter(|r| r.iter().any(|(_, c)| *c != 0)).cloned().collect();
            prop_assert_eq!(rank_by_primes(&nonzero, 6), expected);
            prop_assert_eq!(rank(rows, 6), expected);
        }
    }

    #[test]
    fn one_prime_is_not_enough_for_a_multiple_of_it() {
        let prime = PrimesBelow(1 << 31).next().unwrap() as i64;
        assert_eq!(rank_modulo(&[vec![(Var(0), prime)]], prime as u64), 0);
        assert_eq!(rank_by_primes(&[vec![(Var(0), prime)]], 1), 1);
    }
}
