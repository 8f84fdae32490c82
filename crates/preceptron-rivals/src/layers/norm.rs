//! Layer norm without scale and shift: each token is shifted and scaled to mean 0 and variance 1.
//!
//! With x the values of a token, M their number, and d the derivatives by what comes out:
//! ```text
//! s = (x - mean) * inv        inv = 1 / sqrt(var + epsilon)
//! dL/dx = inv * (d - mean(d) - s * mean(d * s))
//! ```
//! | symbol | argument |
//! |---|---|
//! | s | `seen` |
//! | inv | `inverse` |
//! | d | `slopes` |
//!
//! What a layer norm learns, a scale and a shift of each value, is put into the linear map behind it
//! ([`super::linear::Folded`]).

use preceptron_matrix::widest;

const EPSILON: f32 = 1e-5;

const LANES: usize = 16;

/// The sum of `term` over pairs of values, in a fixed order that fills the lanes of a processor.
#[inline(always)]
fn sum(a: &[f32], b: &[f32], term: impl Fn(f32, f32) -> f32) -> f32 {
    let mut lanes = [0.0f32; LANES];
    let (a, b) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f32 = a.remainder().iter().zip(b.remainder()).map(|(&a, &b)| term(a, b)).sum();
    for (a, b) in a.zip(b) {
        for lane in 0..LANES {
            lanes[lane] += term(a[lane], b[lane]);
        }
    }
    lanes.iter().sum::<f32>() + rest
}

/// Brings each of the tokens to mean 0 and variance 1.
pub(crate) fn normalise(tokens: &[f32], width: usize, seen: &mut [f32], inverse: &mut [f32]) {
    let share = 1.0 / width as f32;
    widest(
        #[inline(always)]
        || {
            let rows = tokens.chunks_exact(width).zip(seen.chunks_exact_mut(width));
            for ((x, seen), inverse) in rows.zip(inverse) {
                let mean = share * sum(x, x, |a, _| a);
                let variance = share * sum(x, x, |a, _| (a - mean) * (a - mean));
                *inverse = 1.0 / (variance + EPSILON).sqrt();
                seen.iter_mut().zip(x).for_each(|(s, x)| *s = (x - mean) * *inverse);
            }
        },
    );
}

/// Adds derivatives by the tokens to `onto`, from those by what came out.
pub(crate) fn normalise_back(slopes: &[f32], width: usize, seen: &[f32], inverse: &[f32], onto: &mut [f32]) {
    let share = 1.0 / width as f32;
    widest(
        #[inline(always)]
        || {
            let rows = slopes.chunks_exact(width).zip(seen.chunks_exact(width));
            for (((d, s), inverse), onto) in rows.zip(inverse).zip(onto.chunks_exact_mut(width)) {
                let mean = share * sum(d, d, |d, _| d);
                let along = share * sum(d, s, |d, s| d * s);
                for ((onto, d), s) in onto.iter_mut().zip(d).zip(s) {
                    *onto += inverse * (d - mean - s * along);
                }
            }
        },
    );
}

/// The sum of the values.
pub(crate) fn total(values: &[f32]) -> f32 {
    widest(
        #[inline(always)]
        || sum(values, values, |a, _| a),
    )
}

/// The sum of the squares.
pub(crate) fn squares(values: &[f32]) -> f32 {
    widest(
        #[inline(always)]
        || sum(values, values, |a, b| a * b),
    )
}
