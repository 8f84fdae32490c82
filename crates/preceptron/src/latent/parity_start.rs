//! A start for the parity of any number of pictures: an unknown bit for each cluster, an equation over GF(2) for each
//! example.
//!
//! ```text
//! sum_c (pictures of n in cluster c) b_c = y_n + constant   (mod 2)
//! ```
//! Some examples have a picture in a cluster of the other bit, so that all equations together have no solution. Random
//! subsets with a few more equations than unknowns are solved until one has a solution; of several the one that agrees
//! with most examples is kept.

use preceptron_base::{Control, stream};
use rand::RngExt;

/// Subsets that are tried.
const TRIES: u64 = 4000;
/// Equations beyond the unknowns.
const BEYOND: usize = 8;
/// A solution that agrees with so many examples is looked at no further.
const ENOUGH: f64 = 0.97;
/// Standard deviations from chance that a solution is accepted from.
const SURE: f64 = 7.0;

/// Bits of clusters, and how far they agree with the examples.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bits {
    pub bits: Vec<bool>,
    /// The share of examples that agree.
    pub agreement: f64,
    /// How many subsets were tried.
    pub tries: u64,
}

impl Bits {
    /// The share `e` of pictures in a cluster of the other bit that explains how many examples of so many pictures agree:
    /// `2 agreement - 1 = (1 - 2 e)^pictures`. What many pictures together say is lost if each is doubted more than that.
    pub fn error(&self, pictures: usize) -> f32 {
        let surplus = (2.0 * self.agreement - 1.0).clamp(0.0, 1.0);
        ((1.0 - surplus.powf(1.0 / pictures.max(1) as f64)) / 2.0).clamp(2e-4, 0.03) as f32
    }
}

/// The equation of an example: whether each cluster occurs an odd number of times, and the right side as the last bit.
type Row = Vec<u64>;

fn bit(row: &[u64], at: usize) -> bool {
    row[at / 64] >> (at % 64) & 1 == 1
}

/// Looks for bits; nothing if the best agrees no more than chance would.
pub(super) fn find(
    clusters: &[u32],
    count: usize,
    places: usize,
    odd: &[bool],
    seed: u64,
    control: &dyn Control,
) -> Option<Bits> {
    let words = (count + 1).div_ceil(64);
    let row = |(example, odd): (&[u32], &bool)| {
        let mut row = vec![0u64; words];
        example.iter().for_each(|c| row[*c as usize / 64] ^= 1 << (c % 64));
        row[count / 64] ^= u64::from(*odd) << (count % 64);
        row
    };
    let rows: Vec<Row> = clusters.chunks_exact(places).zip(odd).map(row).collect();
    if rows.len() < count + BEYOND {
        return None;
    }
    let mut best: Option<Bits> = None;
    for number in 0..TRIES {
        if control.is_cancelled() {
            return None;
        }
        let mut random = stream(seed, "equations of parity", number);
        let some: Vec<Row> =
            (0..count + BEYOND).map(|_| rows[random.random_range(0..rows.len())].clone()).collect();
        let Some(bits) = solve(some, count) else { continue };
        let agrees = |row: &&Row| {
            (0..count).filter(|&c| bit(row, c) && bits[c]).count() % 2 == usize::from(bit(row, count))
        };
        let agreement = rows.iter().filter(agrees).count() as f64 / rows.len() as f64;
        if best.as_ref().is_none_or(|best| agreement > best.agreement) {
            best = Some(Bits { bits, agreement, tries: number + 1 });
        }
        if agreement >= ENOUGH {
            break;
        }
    }
    let deviations = |best: &Bits| (best.agreement - 0.5) * 2.0 * (rows.len() as f64).sqrt();
    best.filter(|best| deviations(best) > SURE)
}

/// A solution, unknowns that are free being 0; nothing if there is none.
fn solve(mut rows: Vec<Row>, count: usize) -> Option<Vec<bool>> {
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    for column in 0..count {
        let from = pivots.len();
        let Some(found) = (from..rows.len()).find(|&row| bit(&rows[row], column)) else { continue };
        rows.swap(from, found);
        let pivot = rows[from].clone();
        for (number, row) in rows.iter_mut().enumerate() {
            if number != from && bit(row, column) {
                row.iter_mut().zip(&pivot).for_each(|(a, b)| *a ^= b);
            }
        }
        pivots.push((from, column));
    }
    if rows[pivots.len()..].iter().any(|row| bit(row, count)) {
        return None;
    }
    let mut bits = vec![false; count];
    pivots.iter().for_each(|&(row, column)| bits[column] = bit(&rows[row], count));
    Some(bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::Quiet;

    #[test]
    fn bits_of_clusters_are_found_among_errors() {
        let mut random = stream(1, "test", 0);
        for places in [3, 16, 33] {
            let truth = |c: u32| c % 3 == 1;
            let clusters: Vec<u32> = (0..400 * places).map(|_| random.random_range(0..9)).collect();
            let mut odd: Vec<bool> = clusters
                .chunks_exact(places)
                .map(|example| example.iter().filter(|c| truth(**c)).count() % 2 == 1)
                .collect();
            odd.iter_mut().step_by(12).for_each(|odd| *odd = !*odd);
            let found = find(&clusters, 9, places, &odd, 0, &Quiet).unwrap();
            assert!((found.agreement - 11.0 / 12.0).abs() < 0.01, "{found:?}");
            // Of an even number of pictures, all bits may be turned round.
            let same = (0..9).filter(|c| found.bits[*c as usize] == truth(*c)).count();
            assert!(same == 9 || (places % 2 == 0 && same == 0), "{found:?}");
            let any: Vec<bool> = (0..400).map(|_| random.random()).collect();
            assert_eq!(find(&clusters, 9, places, &any, 0, &Quiet), None);
        }
    }
}
