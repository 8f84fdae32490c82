//! Functions of single numbers without branches, so that loops over them become vectors.
//!
//! ```text
//! exp(x) = 2^n exp(r),  n = round(x / ln 2),  r = x - n ln 2      a polynomial of degree 7 in r
//! Phi(x) = 1 - q / 2 for x >= 0, q / 2 otherwise                  the normal distribution
//!     q = (a1 t + ... + a5 t^5) exp(-x^2 / 2),  t = 1 / (1 + 0.3275911 |x| / sqrt 2)
//! gelu(x) = x Phi(x)        gelu'(x) = Phi(x) + x phi(x)          phi(x) = exp(-x^2 / 2) / sqrt(2 pi)
//! ```
//! The polynomials are those of Cephes (exp) and of Abramowitz and Stegun, 7.1.26 (Phi, to 1.5e-7).

/// Adding and subtracting it rounds to a whole number, which stands in the last bits of the sum.
const ROUND: f32 = 12_582_912.0;

/// e to the power of x; from -87 to 88, beyond which the result is that of the bound.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    // Comparisons in place of `clamp` let what is not a number through.
    let x = if x < -87.0 { -87.0 } else { x };
    let x = if x > 88.0 { 88.0 } else { x };
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let n = shifted - ROUND;
    // ln 2 in two parts, the first of few bits.
    let r = (x - n * 0.693_359_4) - n * -2.121_944_4e-4;
    let mut p = 1.987_569_1e-4;
    for c in [1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 0.166_666_66, 0.5] {
        p = p * r + c;
    }
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(0x3f80_0000));
    (p * r * r + r + 1.0) * power
}

/// The normal distribution and its density.
#[inline(always)]
pub(crate) fn normal(x: f32) -> (f32, f32) {
    let e = exp(-0.5 * x * x);
    let t = 1.0 / (1.0 + 0.327_591_1 * std::f32::consts::FRAC_1_SQRT_2 * x.abs());
    let mut p = 1.061_405_4;
    for a in [-1.453_152, 1.421_413_7, -0.284_496_74, 0.254_829_6] {
        p = p * t + a;
    }
    let half = 0.5 * p * t * e;
    (if x < 0.0 { half } else { 1.0 - half }, 0.398_942_3 * e)
}

/// The logistic function.
#[inline(always)]
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The hyperbolic tangent.
#[inline(always)]
pub(crate) fn tanh(x: f32) -> f32 {
    2.0 * sigmoid(2.0 * x) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The normal distribution by Simpson's rule.
    fn plain_normal(x: f64) -> f64 {
        let (steps, density) = (2000, |t: f64| (-t * t / 2.0).exp() / std::f64::consts::TAU.sqrt());
        let h = x / steps as f64;
        let weight = |i: usize| if i == 0 || i == steps { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 };
        0.5 + h / 3.0 * (0..=steps).map(|i| weight(i) * density(i as f64 * h)).sum::<f64>()
    }

    proptest! {
        #[test]
        fn close_to_those_of_the_library(x in -60.0f32..60.0, y in -6.0f32..6.0) {
            let wide = f64::from(x);
            prop_assert!((f64::from(exp(x)) / wide.exp() - 1.0).abs() < 4e-7);
            prop_assert!((f64::from(tanh(x)) - wide.tanh()).abs() < 4e-7);
            prop_assert!((f64::from(sigmoid(x)) - 1.0 / (1.0 + (-wide).exp())).abs() < 2e-7);
            let (whole, density) = normal(y);
            prop_assert!((f64::from(whole) - plain_normal(f64::from(y))).abs() < 4e-7);
            let wide = f64::from(y);
            let plain = (-wide * wide / 2.0).exp() / std::f64::consts::TAU.sqrt();
            prop_assert!((f64::from(density) - plain).abs() < 2e-7);
        }
    }

    #[test]
    fn what_is_not_a_number_stays_so() {
        assert!(exp(f32::NAN).is_nan() && normal(f32::NAN).1.is_nan());
        assert!(exp(1e9).is_finite() && exp(-1e9) > 0.0);
    }
}
