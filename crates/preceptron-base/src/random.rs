//! Streams of random numbers, named by what they are for.
//!
//! All of a run comes from one master seed. What a stream is for is part of what it is made from, by a
//! cryptographic hash: two purposes share no numbers, whatever their seeds and items are.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sha2::{Digest, Sha256};

/// The random numbers for one purpose, for one item of a series. They depend on nothing but the three
/// arguments.
pub fn stream(seed: u64, purpose: &str, item: u64) -> ChaCha8Rng {
    stream_at(seed, purpose, &[item])
}

/// The same for an item that has several numbers, such as a step and an image.
pub fn stream_at(seed: u64, purpose: &str, item: &[u64]) -> ChaCha8Rng {
    let mut hash = Sha256::new();
    hash.update(seed.to_le_bytes());
    // The length comes first, so that no purpose runs into the numbers behind it.
    hash.update((purpose.len() as u64).to_le_bytes());
    hash.update(purpose);
    item.iter().for_each(|number| hash.update(number.to_le_bytes()));
    ChaCha8Rng::from_seed(hash.finalize().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    fn first(mut random: ChaCha8Rng) -> u64 {
        random.random()
    }

    #[test]
    fn a_stream_depends_on_each_of_its_arguments() {
        let plain = first(stream(1, "boards", 2));
        assert_eq!(plain, first(stream(1, "boards", 2)));
        for other in [
            stream(2, "boards", 2),
            stream(1, "board", 2),
            stream(1, "boards", 3),
            stream_at(1, "boards", &[2, 0]),
            // The same bytes, cut elsewhere.
            stream_at(1, "boards\u{2}\0\0\0\0\0\0\0", &[]),
        ] {
            assert_ne!(first(other), plain);
        }
    }

    /// Means over 3,000 items of two purposes with the same seed: their correlation is that of chance.
    #[test]
    fn purposes_are_not_correlated() {
        let draw = |purpose| (0..3000).map(move |item| stream(0, purpose, item).random::<f64>());
        let covariance: f64 = draw("a").zip(draw("b")).map(|(a, b)| (a - 0.5) * (b - 0.5)).sum();
        // Of uniform numbers the variance is 1/12; four standard deviations of the correlation.
        assert!((covariance / 3000.0 * 12.0).abs() < 4.0 / 3000f64.sqrt());
    }
}
