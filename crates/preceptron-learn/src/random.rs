//! Named streams of random numbers from one master seed.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// The stream with this name and number. Streams of different names or numbers are independent, and
/// each depends on nothing but the three arguments.
pub fn stream(seed: u64, name: &str, number: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&number.to_le_bytes());
    for (at, byte) in name.bytes().enumerate() {
        key[16 + at % 16] = key[16 + at % 16].wrapping_mul(31).wrapping_add(byte);
    }
    ChaCha8Rng::from_seed(key)
}
