//! Winograd's matrices for tiles of 4x4 and kernels of 3x3, applied to a few images at a time.

use std::ops::{Add, Mul, Sub};

/// The side of a tile of outputs.
pub(super) const TILE: usize = 4;

/// The side of what a tile sees.
pub(super) const SEEN: usize = 6;

/// Images that are transformed together.
pub(super) const LANES: usize = 8;

/// Values of a few images at one place.
#[derive(Clone, Copy, Default)]
pub(super) struct Lanes(pub [f32; LANES]);

pub(super) const ZERO: Lanes = Lanes([0.0; LANES]);

macro_rules! by_lane {
    ($name:ident, $function:ident, $operator:tt) => {
        impl $name for Lanes {
            type Output = Lanes;
            #[inline(always)]
            fn $function(mut self, other: Lanes) -> Lanes {
                self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a $operator b);
                self
            }
        }
    };
}

by_lane!(Add, add, +=);
by_lane!(Sub, sub, -=);

impl Mul<f32> for Lanes {
    type Output = Lanes;
    #[inline(always)]
    fn mul(mut self, factor: f32) -> Lanes {
        self.0.iter_mut().for_each(|value| *value *= factor);
        self
    }
}

#[inline(always)]
pub(super) fn load(values: &[f32]) -> Lanes {
    if let Some(whole) = values.first_chunk::<LANES>() {
        return Lanes(*whole);
    }
    let mut lanes = ZERO;
    lanes.0.iter_mut().zip(values).for_each(|(lane, value)| *lane = *value);
    lanes
}

#[inline(always)]
pub(super) fn store(lanes: Lanes, into: &mut [f32]) {
    match into.first_chunk_mut::<LANES>() {
        Some(whole) => *whole = lanes.0,
        None => into.iter_mut().zip(&lanes.0).for_each(|(into, lane)| *into = *lane),
    }
}

/// Puts the entries of `T x T^T`, with `map` the product of T and a vector.
#[inline(always)]
pub(super) fn both<const M: usize, const N: usize>(
    half: &mut [[Lanes; M]; N],
    x: impl Fn(usize, usize) -> Lanes,
    map: impl Fn([Lanes; M]) -> [Lanes; N],
    mut put: impl FnMut(usize, usize, Lanes),
) {
    for column in 0..M {
        let mut values = [ZERO; M];
        for (row, value) in values.iter_mut().enumerate() {
            *value = x(row, column);
        }
        for (line, value) in half.iter_mut().zip(map(values)) {
            line[column] = value;
        }
    }
    for (row, line) in half.iter().enumerate() {
        for (column, value) in map(*line).into_iter().enumerate() {
            put(row, column, value);
        }
    }
}

/// The product of B^T and a vector.
#[inline(always)]
pub(super) fn input_map([x0, x1, x2, x3, x4, x5]: [Lanes; 6]) -> [Lanes; 6] {
    let (even, odd) = (x4 - x2 * 4.0, x3 - x1 * 4.0);
    let (near, far) = (x4 - x2, (x3 - x1) * 2.0);
    [x0 * 4.0 - x2 * 5.0 + x4, even + odd, even - odd, near + far, near - far, x1 * 4.0 - x3 * 5.0 + x5]
}

/// The product of B and a vector.
#[inline(always)]
pub(super) fn input_transposed([x0, x1, x2, x3, x4, x5]: [Lanes; 6]) -> [Lanes; 6] {
    let (s, d, u, v) = (x1 + x2, x1 - x2, x3 + x4, x3 - x4);
    let (middle, twice) = (x0 + s + u, d + v * 2.0);
    [x0 * 4.0, x5 * 4.0 - d * 4.0 - v * 2.0, x0 * -5.0 - s * 4.0 - u, twice - x5 * 5.0, middle, x5]
}

/// The product of A^T and a vector.
#[inline(always)]
pub(super) fn output_map([x0, x1, x2, x3, x4, x5]: [Lanes; 6]) -> [Lanes; 4] {
    let (s, d, u, v) = (x1 + x2, x1 - x2, x3 + x4, x3 - x4);
    [x0 + s + u, d + v * 2.0, s + u * 4.0, d + v * 8.0 + x5]
}

/// The product of A and a vector.
#[inline(always)]
pub(super) fn output_transposed([x0, x1, x2, x3]: [Lanes; 4]) -> [Lanes; 6] {
    let (even, odd) = (x0 + x2, x1 + x3);
    let (far_even, far_odd) = (x0 + x2 * 4.0, x1 * 2.0 + x3 * 8.0);
    [x0, even + odd, even - odd, far_even + far_odd, far_even - far_odd, x3]
}

/// The product of G and a vector.
#[inline(always)]
pub(super) fn kernel_map([x0, x1, x2]: [Lanes; 3]) -> [Lanes; 6] {
    let (even, odd) = ((x0 + x2) * (-1.0 / 6.0), x1 * (1.0 / 6.0));
    let (far_even, far_odd) = (x0 * (1.0 / 24.0) + x2 * (1.0 / 6.0), x1 * (1.0 / 12.0));
    [x0 * 0.25, even - odd, even + odd, far_even + far_odd, far_even - far_odd, x2]
}

/// The product of G^T and a vector.
#[inline(always)]
pub(super) fn kernel_transposed([x0, x1, x2, x3, x4, x5]: [Lanes; 6]) -> [Lanes; 3] {
    let (s, d, u, v) = (x1 + x2, x2 - x1, x3 + x4, x3 - x4);
    [
        x0 * 0.25 - s * (1.0 / 6.0) + u * (1.0 / 24.0),
        d * (1.0 / 6.0) + v * (1.0 / 12.0),
        (u - s) * (1.0 / 6.0) + x5,
    ]
}
