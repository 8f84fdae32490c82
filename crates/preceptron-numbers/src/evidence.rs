//! How much speaks for a rule that no row breaks.
//!
//! | what | evidence |
//! |---|---|
//! | chance | under the other rules a share q of rows would break it: `-n ln(1 - q)` |
//! | wall | a distance ends where it is frequent: what a log-concave tail would have put beyond |
//! | hole | a distance is never 0 and often next to it: at least the lesser of both sides |
//! | permutation | an equation: `ln(N! / prod n_v!)`, the number of ways to shuffle the column that has the fewest |

use std::collections::BTreeMap;

/// The evidence that `rows` rows hold where `broken` of `samples` samples do not. The share is taken low by its error.
pub(crate) fn chance(rows: f64, broken: usize, samples: usize) -> f64 {
    if broken < 5 || samples == 0 {
        return 0.0;
    }
    let (broken, samples) = (broken as f64, samples as f64);
    let share = ((broken - broken.sqrt()) / samples).min(1.0 - 1.0 / samples);
    -rows * (1.0 - share).ln()
}

/// How many rows a distance would have beyond its extreme if it went on as it began: `counts` are those at the
/// extreme, next to it and one further in. Poisson errors are taken against it.
pub(crate) fn wall(counts: [f64; 3]) -> f64 {
    let low = |count: f64| (count.sqrt() - 1.0).max(0.0).powi(2);
    let (first, second, third) = (low(counts[0]), (counts[1].sqrt() + 1.0).powi(2), low(counts[2]));
    let ratio = first / second;
    // The tail of a normal falls ever faster: its ratios go on to fall by the factor that they fell by.
    first * ratio.min(1.0) * (ratio * third / second).min(1.0)
}

/// How often each value occurs.
pub(crate) fn histogram(values: impl Iterator<Item = i64>) -> BTreeMap<i64, usize> {
    let mut counts = BTreeMap::new();
    values.for_each(|value| *counts.entry(value).or_insert(0) += 1);
    counts
}

pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// The step between values: all differ by multiples of it.
pub(crate) fn step(counts: &BTreeMap<i64, usize>) -> i64 {
    let Some((first, _)) = counts.first_key_value() else { return 1 };
    counts.keys().fold(0, |step, value| gcd(step, value - first)).max(1)
}

/// The counts from an extreme inwards.
pub(crate) fn from_edge(counts: &BTreeMap<i64, usize>, edge: i64, inwards: i64, share: f64) -> [f64; 3] {
    [0, 1, 2].map(|at| counts.get(&(edge + at * inwards)).map_or(0.0, |count| *count as f64 * share))
}

/// The evidence of a wall at the least (or greatest) of these.
pub(crate) fn wall_of(counts: &BTreeMap<i64, usize>, is_least: bool, share: f64) -> f64 {
    let edge = if is_least { counts.first_key_value() } else { counts.last_key_value() };
    let Some((edge, _)) = edge else { return 0.0 };
    let step = step(counts);
    wall(from_edge(counts, *edge, if is_least { step } else { -step }, share))
}

/// How many times 0 would occur among differences that have one hill, seen by what is next to it; nothing speaks for a
/// rule where 0 is not on the differences' lattice.
pub(crate) fn hole_of(counts: &BTreeMap<i64, usize>) -> f64 {
    let step = step(counts);
    let Some((first, _)) = counts.first_key_value() else { return 0.0 };
    if counts.contains_key(&0) || first.rem_euclid(step) != 0 {
        return 0.0;
    }
    let at = |value: i64| counts.get(&value).map_or(0.0, |count| *count as f64);
    let low = |count: f64| (count.sqrt() - 0.5).max(0.0).powi(2);
    low(at(step)).min(low(at(-step)))
}

/// The logarithm of how many ways there are to shuffle values.
pub(crate) fn shuffles(values: &[i64]) -> f64 {
    let factorial = |n: usize| (2..=n).map(|k| (k as f64).ln()).sum::<f64>();
    let counts = histogram(values.iter().copied());
    factorial(values.len()) - counts.values().map(|count| factorial(*count)).sum::<f64>()
}

/// The evidence that a rule among so many needs.
pub(crate) fn needed(looked_at: usize) -> f64 {
    (2.0 * looked_at.max(1) as f64 / 0.05).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_is_where_it_is_steep() {
        assert!(wall([300.0, 200.0, 100.0]) > 100.0);
        assert!(wall([140.0, 700.0, 140.0]) < 1.0, "the middle of a narrow normal");
        assert!(wall([2.0, 5.0, 12.0]) < 1.0);
        assert_eq!(wall([0.0, 0.0, 0.0]), 0.0);
    }

    #[test]
    fn a_hole_is_not_a_parity() {
        let all = |values: &[i64]| hole_of(&histogram(values.iter().copied().cycle().take(300)));
        assert!(all(&[-2, -1, 1, 2]) > 50.0);
        assert_eq!(all(&[-3, -1, 1, 3]), 0.0);
        assert_eq!(all(&[-1, 0, 1]), 0.0);
        assert!(all(&[-4, -2, 2, 4]) > 50.0);
    }

    #[test]
    fn few_broken_samples_are_none() {
        assert_eq!(chance(1000.0, 4, 3000), 0.0);
        assert!(chance(1000.0, 300, 3000) > 80.0);
        assert!(chance(10.0, 3000, 3000).is_finite());
    }

    #[test]
    fn shuffles_are_counted() {
        assert!((shuffles(&[1, 1, 2]) - 3f64.ln()).abs() < 1e-12);
        assert_eq!(shuffles(&[7, 7]), 0.0);
    }
}
