//! The rank of the examples, beyond what known equations explain.
//!
//! Examples as differences from one another span a space of dimension r; the known equations leave f
//! variables free, and determine the others. No equation is missing if and only if r = f:
//! ```text
//! r = rank [1 X_F] - 1,      r <= min(f, N - 1)
//! ```
//! where X_F has the columns of the free variables. Elimination over GF(2), 64 examples to a word, gives a
//! rank that is never greater than the one over the rationals; if it reaches `min(f, N - 1)`, so does the
//! other, and for any number of variables that is all there is to know. If it falls short, the matrix of
//! second moments is eliminated modulo a prime, where that is affordable; a smaller rank than the true one
//! would need the prime to divide a minor by chance.
//!
//! | symbol | here |
//! |---|---|
//! | F, f | `free`, its length |
//! | N | `examples.len()` |
//! | r | [`DataRank::rank`] |

use preceptron_logic::Var;
use rayon::prelude::*;

use crate::{Examples, Moments};

/// The prime that ranks are computed by: 2^31 - 1, of which a remainder is taken by shifts.
const PRIME: u64 = (1 << 31) - 1;
/// The elimination modulo the prime is made for up to so many free variables.
const AFFORDABLE: usize = 2000;
/// So many examples more than free variables are enough to try first.
const SURPLUS: usize = 128;

/// What is known of the rank of the examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DataRank {
    /// The rank, if it could be computed.
    pub(crate) rank: Option<usize>,
    /// Whether no linear equation holds on the examples but those that are known.
    pub(crate) is_explained: bool,
    /// Whether no parity rule does either.
    pub(crate) is_explained_modulo_2: bool,
}

/// The rank of complete examples; nothing of others. Without moments only the elimination over GF(2) is made.
pub(crate) fn data_rank(examples: &Examples, moments: Option<&Moments>, free: &[usize]) -> DataRank {
    let unknown = DataRank { rank: None, is_explained: false, is_explained_modulo_2: false };
    if !examples.is_complete() || examples.is_empty() {
        return unknown;
    }
    let most = free.len().min(examples.len() - 1);
    let is_explained = |rank: usize| rank == free.len();
    let tried = (free.len() + SURPLUS).div_ceil(64).min(examples.words());
    let all = moments.is_some().then_some(examples.words());
    for words in [Some(tried), all.filter(|all| tried < *all)].into_iter().flatten() {
        if rank_modulo_2(examples, free, words, most) == most {
            let is_explained = is_explained(most);
            return DataRank { rank: Some(most), is_explained, is_explained_modulo_2: is_explained };
        }
    }
    let Some(moments) = moments.filter(|_| free.len() <= AFFORDABLE) else { return unknown };
    let rank = rank_modulo_prime(moments, free);
    DataRank { rank: Some(rank), is_explained: is_explained(rank), is_explained_modulo_2: false }
}

/// The rank over GF(2) of the free columns beside a column of ones, less 1, in so many words of examples;
/// no further than `most`.
fn rank_modulo_2(examples: &Examples, free: &[usize], words: usize, most: usize) -> usize {
    let ones: Vec<u64> = (0..words).map(|word| examples.mask(word)).collect();
    let columns = free.iter().map(|&v| examples.ones(Var(v as u32))[..words].to_vec());
    // By leading bit, the vector that has it.
    let mut pivots: Vec<Option<Vec<u64>>> = vec![None; 64 * words];
    let mut rank = 0;
    for mut column in std::iter::once(ones).chain(columns) {
        let mut from = 0;
        while let Some(word) = (from..words).find(|&word| column[word] != 0) {
            from = word;
            match &mut pivots[64 * word + column[word].trailing_zeros() as usize] {
                Some(pivot) => {
                    column[word..].iter_mut().zip(&pivot[word..]).for_each(|(a, b)| *a ^= b);
                }
                empty => {
                    *empty = Some(column);
                    rank += 1;
                    break;
                }
            }
        }
        if rank == most + 1 {
            break;
        }
    }
    rank.saturating_sub(1)
}

/// The rank of the matrix of second moments of the free variables, bordered by their sums, less 1.
fn rank_modulo_prime(moments: &Moments, free: &[usize]) -> usize {
    let n = free.len();
    let entry = |i: usize, j: usize| -> u64 {
        let value = match (i.checked_sub(1), j.checked_sub(1)) {
            (None, None) => moments.examples() as f64,
            (Some(i), None) | (None, Some(i)) => moments.sum(free[i]),
            (Some(i), Some(j)) => moments.both(free[i], free[j]),
        };
        value as u64 % PRIME
    };
    let mut matrix: Vec<Vec<u64>> = (0..=n).map(|i| (0..=n).map(|j| entry(i, j)).collect()).collect();
    let mut rank = 0;
    for column in 0..=n {
        let Some(pivot) = (rank..=n).find(|&r| matrix[r][column] != 0) else { continue };
        matrix.swap(rank, pivot);
        let (above, below) = matrix.split_at_mut(rank + 1);
        let top = &above[rank][column..];
        let inverse = power(top[0], PRIME - 2);
        below.par_iter_mut().with_min_len(32).for_each(|row| {
            if row[column] != 0 {
                let factor = PRIME - reduced(row[column] * inverse);
                for (a, b) in row[column..].iter_mut().zip(top) {
                    *a = reduced(*a + factor * b);
                }
            }
        });
        rank += 1;
    }
    rank.saturating_sub(1)
}

/// The remainder modulo [`PRIME`] of a number below 2^63.
fn reduced(number: u64) -> u64 {
    let once = (number & PRIME) + (number >> 31);
    let twice = (once & PRIME) + (once >> 31);
    if twice >= PRIME { twice - PRIME } else { twice }
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = reduced(result * base);
        }
        base = reduced(base * base);
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The rank of differences from the first row, over the rationals, by fractions of small integers.
    fn plain(rows: &[Vec<bool>], free: &[usize]) -> usize {
        let Some(first) = rows.first() else { return 0 };
        let value = |row: &Vec<bool>, v: usize| i128::from(row[v]) - i128::from(first[v]);
        let mut matrix: Vec<Vec<i128>> =
            rows[1..].iter().map(|row| free.iter().map(|&v| value(row, v)).collect()).collect();
        let mut rank = 0;
        for column in 0..free.len() {
            let Some(pivot) = (rank..matrix.len()).find(|&r| matrix[r][column] != 0) else { continue };
            matrix.swap(rank, pivot);
            let top = matrix[rank].clone();
            for row in &mut matrix[rank + 1..] {
                let (a, b) = (top[column], row[column]);
                row.iter_mut().zip(&top).for_each(|(x, t)| *x = *x * a - t * b);
                let common = row.iter().fold(0i128, |g, x| gcd(g, x.abs()));
                if common > 1 {
                    row.iter_mut().for_each(|x| *x /= common);
                }
            }
            rank += 1;
        }
        rank
    }

    fn gcd(a: i128, b: i128) -> i128 {
        if b == 0 { a } else { gcd(b, a % b) }
    }

    proptest! {
        #[test]
        fn the_rank_is_that_of_the_plain_elimination(
            seeds in prop::collection::vec(any::<u8>(), 1..200),
            tie in any::<bool>(),
            parity in any::<bool>(),
        ) {
            // Eight columns; the last two may be determined by the others.
            let rows: Vec<Vec<bool>> = seeds
                .iter()
                .map(|seed| {
                    let mut row: Vec<bool> = (0..8).map(|v| seed >> v & 1 == 1).collect();
                    row[6] = if parity { row[0] ^ row[1] } else { row[6] };
                    row[7] = if tie { !row[2] } else { row[7] };
                    row
                })
                .collect();
            let examples = Examples::from_full_rows(8, &rows);
            let moments = Moments::of(&examples);
            for free in [(0..8).collect::<Vec<_>>(), vec![0, 3, 6], vec![]] {
                let found = data_rank(&examples, Some(&moments), &free);
                let rank = plain(&rows, &free);
                prop_assert_eq!(found.rank, Some(rank));
                prop_assert_eq!(found.is_explained, rank == free.len());
                prop_assert!(!found.is_explained_modulo_2 || found.is_explained);
                prop_assert_eq!(rank_modulo_prime(&moments, &free), rank);
                prop_assert!(rank_modulo_2(&examples, &free, examples.words(), 8) <= rank);
            }
        }
    }

    #[test]
    fn of_incomplete_examples_nothing_is_known() {
        let examples = Examples::from_rows(2, &[vec![Some(true), None], vec![Some(false), Some(true)]]);
        let rank = data_rank(&examples, Some(&Moments::of(&examples)), &[0, 1]);
        assert_eq!((rank.rank, rank.is_explained), (None, false));
    }
}
