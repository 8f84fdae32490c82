//! Whether pairs that never meet cannot, or only seldom do.
//!
//! A pair that never meets, where independence expects it E times, is a rule, or two columns hang together so that it
//! is rare. If rates are spread without a gap, pairs that meet once, twice, three and four times are each about as many
//! as those that could meet and by chance never do. So of z pairs that never meet and n that meet one to four times,
//! all of them expected between E/2 and 2E times,
//! ```text
//! (n - m) / (4 z)
//! ```
//! is the share of the z that are no rules, where m pairs would meet so seldom if all columns were independent. Where it
//! is an eighth or more, a pair is taken for rare.
//!
//! | symbol | here |
//! |---|---|
//! | n | [`NearPairs::near`] |
//! | z | [`NearPairs::never`] |
//! | m | the sum of [`NearPairs::chance`] |

use preceptron_logic::Lit;
use rayon::prelude::*;

use crate::Examples;
use crate::counting::{Columns, expected_pair};

/// Pairs that meet at most so often are near misses.
const FEW: u32 = 4;

/// The share of an eighth, for each of [`FEW`] numbers of meetings.
const RARE: f64 = 0.5;
/// Pairs are looked at up to so many literals, and words of examples in all.
const LITERALS: usize = 6_000;
const WORDS: f64 = 4e9;
/// What is expected so often never meets so seldom by chance.
const OFTEN: f64 = 30.0;

/// How often independence expects pairs, rising.
pub(crate) struct NearPairs {
    /// Those that meet one to [`FEW`] times.
    near: Vec<f64>,
    /// Those that never meet, though no known rule says so.
    never: Vec<f64>,
    /// All pairs that could meet one to [`FEW`] times by chance, with the probability of it.
    chance: Vec<(f64, f64)>,
}

impl NearPairs {
    /// `never` are the expectations of the pairs that never meet.
    pub(crate) fn new(
        examples: &Examples,
        columns: &Columns,
        literals: &[Lit],
        mut never: Vec<f64>,
    ) -> NearPairs {
        never.sort_by(f64::total_cmp);
        let mut pairs = NearPairs { near: vec![], never, chance: vec![] };
        let Some(least) = pairs.never.first().map(|least| least / 2.0) else { return pairs };
        if literals.len() > LITERALS
            || (literals.len() as f64).powi(2) / 2.0 * examples.words() as f64 > WORDS
        {
            return pairs;
        }
        let seen: Vec<(f64, bool)> = literals
            .par_iter()
            .enumerate()
            .flat_map_iter(|(at, &a)| {
                let later = literals[at + 1..].iter().copied().filter(move |b| b.var() != a.var());
                later.filter_map(move |b| {
                    let expected = expected_pair(a, b, examples, columns);
                    if expected < least {
                        return None;
                    }
                    let is_near = few(columns.of(a), columns.of(b)).is_some_and(|seen| seen > 0);
                    (is_near || expected < OFTEN).then_some((expected, is_near))
                })
            })
            .collect();
        pairs.near = seen.iter().filter(|(_, is_near)| *is_near).map(|(expected, _)| *expected).collect();
        pairs.chance = seen.iter().map(|(expected, _)| (*expected, seldom(*expected))).collect();
        pairs.near.sort_by(f64::total_cmp);
        pairs.chance.sort_by(|a, b| a.0.total_cmp(&b.0));
        pairs
    }

    /// How many pairs that are expected about as often meet one to four times, if these are too many for one that never
    /// meets to be a rule.
    pub(crate) fn too_many(&self, expected: f64) -> Option<usize> {
        let (from, to) = (expected / 2.0, 2.0 * expected);
        let within = |all: &[f64]| all.partition_point(|e| *e <= to) - all.partition_point(|e| *e < from);
        let (near, never) = (within(&self.near), within(&self.never));
        let chance = &self.chance
            [self.chance.partition_point(|c| c.0 < from)..self.chance.partition_point(|c| c.0 <= to)];
        let chance: f64 = chance.iter().map(|c| c.1).sum();
        (near as f64 - chance >= RARE * never.max(1) as f64).then_some(near)
    }
}

/// The probability of one to [`FEW`] where so many are expected, of a Poisson variable.
fn seldom(expected: f64) -> f64 {
    let (mut term, mut sum) = ((-expected).exp(), 0.0);
    for count in 1..=FEW {
        term *= expected / f64::from(count);
        sum += term;
    }
    sum
}

/// How often two columns meet, unless it is more than [`FEW`] times.
fn few(a: &[u64], b: &[u64]) -> Option<u32> {
    let mut count = 0;
    for (a, b) in a.iter().zip(b) {
        count += (a & b).count_ones();
        if count > FEW {
            return None;
        }
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::Var;

    /// Columns of four values, of which the second follows the first, but for `strays` rows of each value but the last.
    fn found(strays: usize) -> Option<usize> {
        let rows: Vec<Vec<bool>> = (0..400usize)
            .map(|r| {
                let (a, turn) = (r % 4, r / 4);
                let b = if a < 3 && turn < strays { (a + 1) % 3 } else { a };
                (0..8).map(|v| if v < 4 { v == a } else { v - 4 == b }).collect()
            })
            .collect();
        let examples = Examples::from_full_rows(8, &rows);
        let columns = Columns::new(&examples);
        let literals: Vec<Lit> = (0..8).flat_map(|v| [Var(v).positive(), Var(v).negative()]).collect();
        let pattern = [Var(3).positive(), Var(7).negative()];
        let expected = expected_pair(pattern[0], pattern[1], &examples, &columns);
        NearPairs::new(&examples, &columns, &literals, vec![expected]).too_many(expected)
    }

    #[test]
    fn a_pair_is_rare_where_others_like_it_meet_seldom() {
        assert_eq!(found(0), None);
        assert!(found(2).is_some_and(|near| near >= 3));
        assert_eq!(found(40), None, "what meets often is no near miss");
    }
}
