//! What speaks for a bound that no example breaks, pooled over members and examples.
//!
//! Of n pairs of a member and an example none breaks the bound; in samples of the null model V of them do.
//! ```text
//! q     = mean V / n
//! n_eff = min(n, n^2 q (1 - q) / Var V)         pairs hang together: so many independent ones say as much
//! evidence = -n_eff ln(1 - q)                   nats; at most ln((S + 1)/(Z + 1)) if Z > 0 of S samples have V = 0
//! ```
//! Where entries may be wrong, v of the pairs break it. The evidence is then n_eff KL(v/n || q), Z counts the samples
//! with V <= v, and v must not be near what samples show.
//!
//! | symbol | here |
//! |---|---|
//! | V | `broken` |
//! | n | `pairs` |
//! | q | [`Evidence::share`] |

/// What samples say of a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Evidence {
    /// The share of pairs that break the bound in samples.
    pub(super) share: f64,
    /// How often the examples break it, and once more, for each time that samples do.
    pub(super) part: f64,
    /// What speaks for the bound, in nats.
    pub(super) nats: f64,
}

/// Of the pairs that samples break, the examples may break this share at the most.
const SEEN: f64 = 0.7;

/// From the number of pairs that break the bound in each sample, and in the examples.
pub(super) fn evidence(broken: &[u32], pairs: usize, seen: u32) -> Evidence {
    let (samples, n) = (broken.len().max(1) as f64, pairs.max(1) as f64);
    let mean = broken.iter().map(|&v| f64::from(v)).sum::<f64>() / samples;
    let share = (mean / n).min(1.0);
    if share == 0.0 {
        return Evidence { share, part: f64::INFINITY, nats: 0.0 };
    }
    let variance =
        broken.iter().map(|&v| (f64::from(v) - mean).powi(2)).sum::<f64>() / (samples - 1.0).max(1.0);
    let effective = if variance > 0.0 { (n * n * share * (1.0 - share) / variance).min(n) } else { n };
    let part = (f64::from(seen) + 1.0) / mean;
    let (rate, q) = (f64::from(seen) / n, share.min(1.0 - 1e-9));
    if rate > SEEN * q {
        return Evidence { share, part, nats: 0.0 };
    }
    let of_seen = if seen > 0 { rate * (rate / q).ln() } else { 0.0 };
    let mut nats = effective * (of_seen + (1.0 - rate) * ((-rate).ln_1p() - (-q).ln_1p()));
    let clean = broken.iter().filter(|v| **v <= seen).count() as f64;
    if clean > 0.0 {
        nats = nats.min(((samples + 1.0) / (clean + 1.0)).ln());
    }
    Evidence { share, part, nats }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn independent_pairs_count_in_full_and_tied_ones_as_one() {
        // Binomial counts with n = 100, q = 0.2 have variance 16.
        let spread: Vec<u32> = (0..100).map(|i| if i % 2 == 0 { 16 } else { 24 }).collect();
        let found = evidence(&spread, 100, 0);
        assert!((found.share - 0.2).abs() < 1e-12);
        assert!((found.nats - -100.0 * 0.8f64.ln()).abs() < 0.5, "{found:?}");
        // All pairs together or none: a sample without any caps what can be said.
        let tied: Vec<u32> = (0..100).map(|i| if i % 5 == 0 { 100 } else { 0 }).collect();
        assert!(evidence(&tied, 100, 0).nats <= (101.0f64 / 81.0).ln());
    }

    #[test]
    fn what_examples_break_counts_against_it() {
        let spread: Vec<u32> = (0..100).map(|i| if i % 2 == 0 { 16 } else { 24 }).collect();
        let nats = |seen| evidence(&spread, 100, seen).nats;
        assert!(nats(0) > nats(3) && nats(3) > nats(10) && nats(10) > 0.0);
        assert_eq!(nats(15), 0.0);
    }

    #[test]
    fn what_samples_never_break_has_no_evidence() {
        assert_eq!(evidence(&[0; 100], 50, 0), Evidence { share: 0.0, part: f64::INFINITY, nats: 0.0 });
        assert_eq!(evidence(&[], 0, 0).nats, 0.0);
    }
}
