//! Dropout: a share of the values becomes 0, and the others are larger by as much.
//!
//! Which values these are is a function of a key and of their places, so that nothing is kept for the way back.

use preceptron_matrix::widest;

/// The share that becomes 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dropout {
    least: u32,
    factor: f32,
}

impl Dropout {
    /// Nothing if the share is 0.
    pub fn new(share: f64) -> Option<Dropout> {
        let least = (share * f64::from(u32::MAX)) as u32;
        (share > 0.0).then_some(Dropout { least, factor: (1.0 / (1.0 - share)) as f32 })
    }

    /// What the value at a place is multiplied with.
    #[inline(always)]
    fn at(self, key: u32, place: u32) -> f32 {
        let mut mixed = place.wrapping_mul(0x9e37_79b9) ^ key;
        mixed = (mixed ^ (mixed >> 16)).wrapping_mul(0x85eb_ca6b);
        mixed = (mixed ^ (mixed >> 13)).wrapping_mul(0xc2b2_ae35);
        mixed ^= mixed >> 16;
        if mixed < self.least { 0.0 } else { self.factor }
    }

    /// Writes the values that stay, and zeros for the others.
    pub fn drop(self, key: u32, values: &[f32], into: &mut [f32]) {
        widest(
            #[inline(always)]
            || {
                for (place, (into, value)) in (0u32..).zip(into.iter_mut().zip(values)) {
                    *into = value * self.at(key, place);
                }
            },
        );
    }

    /// The same in place.
    pub fn drop_in(self, key: u32, values: &mut [f32]) {
        widest(
            #[inline(always)]
            || (0u32..).zip(values).for_each(|(place, value)| *value *= self.at(key, place)),
        );
    }

    /// Adds the values that stay.
    pub fn add(self, key: u32, values: &[f32], onto: &mut [f32]) {
        widest(
            #[inline(always)]
            || {
                for (place, (onto, value)) in (0u32..).zip(onto.iter_mut().zip(values)) {
                    *onto += value * self.at(key, place);
                }
            },
        );
    }
}

/// Keys of one pass: another for each place in the network where values are dropped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keys(pub u64);

impl Keys {
    /// The key of a place in the network (as in SplitMix64).
    pub fn of(self, recurrence: usize, site: usize) -> u32 {
        let number = (recurrence as u64) << 32 | site as u64;
        let mut mixed = self.0.wrapping_add((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_are_dropped_and_the_mean_stays() {
        let (dropout, keys) = (Dropout::new(0.1).unwrap(), Keys(7));
        let (ones, mut dropped, mut other) = ([1.0; 100_000], [0.0; 100_000], [1.0; 100_000]);
        dropout.drop(keys.of(0, 0), &ones, &mut dropped);
        let mean: f32 = dropped.iter().sum::<f32>() / ones.len() as f32;
        assert!((mean - 1.0).abs() < 0.01, "{mean}");
        dropout.drop_in(keys.of(0, 0), &mut other);
        assert_eq!(dropped, other);
        dropout.drop_in(keys.of(0, 1), &mut other);
        let both = other.iter().filter(|value| **value == 0.0).count() as f64 / ones.len() as f64;
        assert!((both - 0.19).abs() < 0.01, "{both}");
        assert_eq!(Dropout::new(0.0), None);
    }
}
