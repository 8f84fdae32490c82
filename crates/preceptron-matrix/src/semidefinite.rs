//! The nearest matrix without negative eigenvalues: (A + |A|) / 2, where |A| = sign(A) A.
//!
//! The sign of a symmetric matrix by Newton and Schulz, products alone: from X = A / |A|_F,
//! ```text
//! X <- (3 X - X^3) / 2
//! ```
//! takes every eigenvalue towards -1 or 1. One of size e (of the norm) takes log(1/e) / log(1.5) rounds; what is
//! below 1e-9 of the norm after the last round is left as it is.

use crate::{Mat, product};

/// Rounds at the most.
const ROUNDS: usize = 60;

/// The symmetric matrix that is nearest to a symmetric one and has no negative eigenvalue; nothing if an entry
/// is not finite.
pub fn without_negative(matrix: &Mat) -> Option<Mat> {
    let norm = matrix.entries().iter().map(|value| value * value).sum::<f64>().sqrt();
    if !norm.is_finite() {
        return None;
    }
    if norm == 0.0 {
        return Some(matrix.clone());
    }
    let mut sign = matrix.clone();
    sign.entries_mut().iter_mut().for_each(|value| *value /= norm);
    for _ in 0..ROUNDS {
        let square = product(sign.view(), sign.view());
        let cube = product(square.view(), sign.view());
        let mut change: f64 = 0.0;
        for (x, cubed) in sign.entries_mut().iter_mut().zip(cube.entries()) {
            let next = 1.5 * *x - 0.5 * cubed;
            change = change.max((next - *x).abs());
            *x = next;
        }
        if change < 1e-14 {
            break;
        }
    }
    let absolute = product(sign.view(), matrix.view());
    let n = matrix.nrows();
    let half = |i, j| (matrix[(i, j)] + 0.5 * (absolute[(i, j)] + absolute[(j, i)])) / 2.0;
    Some(Mat::from_fn(n, n, half))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_eigenvalues_go_and_the_others_stay() {
        // Eigenvalues 3 and -1, with eigenvectors (1, 1) and (1, -1).
        let matrix = Mat::from_fn(2, 2, |i, j| if i == j { 1.0 } else { 2.0 });
        let nearest = without_negative(&matrix).unwrap();
        assert!((0..4).all(|at| (nearest[(at / 2, at % 2)] - 1.5).abs() < 1e-12), "{nearest:?}");
        let positive = Mat::from_fn(2, 2, |i, j| if i == j { 2.0 } else { 1.0 });
        assert!(without_negative(&positive).unwrap().distance(&positive) < 1e-12);
        assert!(without_negative(&Mat::from_fn(1, 1, |_, _| f64::NAN)).is_none());
        assert_eq!(without_negative(&Mat::zeros(3, 3)).unwrap(), Mat::zeros(3, 3));
    }

    /// A = Q diag(d) Q' with a Householder reflection Q, and d of either sign, some very small.
    #[test]
    fn small_eigenvalues_do_no_harm() {
        let n = 30;
        let u: Vec<f64> = (0..n).map(|i| 1.0 + (i % 5) as f64).collect();
        let squared: f64 = u.iter().map(|x| x * x).sum();
        let q = Mat::from_fn(n, n, |i, j| f64::from(u8::from(i == j)) - 2.0 * u[i] * u[j] / squared);
        let of = |d: &dyn Fn(usize) -> f64| {
            let scaled = Mat::from_fn(n, n, |i, j| q[(i, j)] * d(j));
            product(scaled.view(), q.transposed())
        };
        let value = |i: usize| (if i.is_multiple_of(2) { 1.0 } else { -1.0 }) * 9.0 * 0.5f64.powi(i as i32);
        let nearest = without_negative(&of(&value)).unwrap();
        assert!(nearest.distance(&of(&|i| value(i).max(0.0))) < 1e-7);
    }
}
