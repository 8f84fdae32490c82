//! Named streams of random numbers from one master seed.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// The stream with this name for this step and image. It depends on nothing but the four arguments, and
/// streams that differ in one of them are independent.
pub(crate) fn stream(seed: u64, name: &[u8; 8], step: u64, image: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&step.to_le_bytes());
    key[16..24].copy_from_slice(&image.to_le_bytes());
    key[24..].copy_from_slice(name);
    ChaCha8Rng::from_seed(key)
}
