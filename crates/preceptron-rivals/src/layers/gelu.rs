//! The activation of hidden units: gelu(x) = x Phi(x), with Phi the normal distribution.

use preceptron_matrix::widest;

use super::functions::normal;

/// Adds the bias to hidden units, and writes their gelu.
pub(crate) fn gelu(hidden: &mut [f32], bias: &[f32], active: &mut [f32]) {
    let columns = hidden.chunks_exact_mut(bias.len()).zip(active.chunks_exact_mut(bias.len()));
    widest(
        #[inline(always)]
        || {
            for (hidden, active) in columns {
                for ((x, bias), active) in hidden.iter_mut().zip(bias).zip(active) {
                    *x += bias;
                    *active = *x * normal(*x).0;
                }
            }
        },
    );
}

/// Turns derivatives by gelu's values into those by what went in, adds these up for the bias, and writes the
/// values once more.
pub(crate) fn gelu_back(hidden: &[f32], slopes: &mut [f32], active: &mut [f32], by_bias: &mut [f32]) {
    let width = by_bias.len();
    let columns = hidden.chunks_exact(width).zip(slopes.chunks_exact_mut(width));
    widest(
        #[inline(always)]
        || {
            for ((hidden, slopes), active) in columns.zip(active.chunks_exact_mut(width)) {
                let values = hidden.iter().zip(slopes).zip(active).zip(by_bias.iter_mut());
                for (((&x, slope), active), by_bias) in values {
                    let (whole, density) = normal(x);
                    *active = x * whole;
                    *slope *= whole + x * density;
                    *by_bias += *slope;
                }
            }
        },
    );
}
