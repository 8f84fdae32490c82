//! Principal axes (PCA): the directions in which points differ most.
//!
//! With the points x less their mean as columns of X, the axes span the same as the greatest eigenvectors of
//! C = X X'. They are found by orthogonal iteration from random directions, a fixed number of times:
//! ```text
//! Q = orthonormal(C Q)
//! ```
//! Eigenvectors whose eigenvalues are nearly the same are not told apart, which distances do not need.

use preceptron_base::stream;
use preceptron_matrix::{Strided, multiply};
use rand::RngExt;

const ROUNDS: usize = 30;

/// Directions beyond those that are kept, which make these more exact.
const BEYOND: usize = 8;

/// The mean of points, and axes through it, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct PrincipalAxes {
    mean: Vec<f32>,
    axes: Vec<f32>,
}

impl PrincipalAxes {
    /// Those of points of `size` numbers each; as many as wanted, or as the points have numbers.
    pub fn of(points: &[f32], size: usize, wanted: usize, seed: u64) -> PrincipalAxes {
        let count = points.len() / size;
        let mut mean = vec![0.0f64; size];
        for point in points.chunks_exact(size) {
            mean.iter_mut().zip(point).for_each(|(sum, value)| *sum += f64::from(*value) / count as f64);
        }
        let mean: Vec<f32> = mean.into_iter().map(|value| value as f32).collect();
        let centred: Vec<f32> =
            points.chunks_exact(size).flat_map(|point| point.iter().zip(&mean).map(|(x, m)| x - m)).collect();
        let x = Strided::by_columns(&centred, size, count, size);
        let mut covariance = vec![0.0; size * size];
        multiply(&mut covariance, size, x, x.transposed(), false);
        let columns = (wanted + BEYOND).min(size);
        let mut random = stream(seed, "principal axes", 0);
        let mut axes: Vec<f32> = (0..size * columns).map(|_| random.random_range(-1.0..1.0)).collect();
        let mut next = vec![0.0; axes.len()];
        for _ in 0..ROUNDS {
            let left = Strided::by_columns(&covariance, size, size, size);
            multiply(&mut next, size, left, Strided::by_columns(&axes, size, columns, size), false);
            orthonormal(&mut next, size);
            std::mem::swap(&mut axes, &mut next);
        }
        axes.truncate(size * wanted.min(size));
        PrincipalAxes { mean, axes }
    }

    /// How many there are; at least one.
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> usize {
        self.axes.len() / self.mean.len()
    }

    /// The coordinates of points, one after the other.
    pub fn coordinates(&self, points: &[f32]) -> Vec<f32> {
        let (size, axes) = (self.mean.len(), self.len());
        let (count, mut found) = (points.len() / size, vec![0.0; points.len() / size * axes]);
        let centred: Vec<f32> = points
            .chunks_exact(size)
            .flat_map(|point| point.iter().zip(&self.mean).map(|(x, m)| x - m))
            .collect();
        let left = Strided::by_columns(&self.axes, size, axes, size).transposed();
        multiply(&mut found, axes, left, Strided::by_columns(&centred, size, count, size), false);
        found
    }
}

/// Makes columns orthogonal and 1 long, one after the other (Gram and Schmidt, each twice). One that depends on
/// those before it becomes 0.
fn orthonormal(columns: &mut [f32], size: usize) {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
    for at in 0..columns.len() / size {
        let (before, column) = columns.split_at_mut(at * size);
        let column = &mut column[..size];
        let length = dot(column, column).sqrt();
        for _ in 0..2 {
            for other in before.chunks_exact(size) {
                let along = dot(column, other) as f32;
                column.iter_mut().zip(other).for_each(|(x, y)| *x -= along * y);
            }
        }
        let rest = dot(column, column).sqrt();
        let factor = if rest > 1e-6 * length { (1.0 / rest) as f32 } else { 0.0 };
        column.iter_mut().for_each(|x| *x *= factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points in a plane of five dimensions: two axes keep all distances.
    #[test]
    fn axes_are_where_points_differ() {
        let mut random = stream(1, "test", 0);
        let points: Vec<f32> = (0..200)
            .flat_map(|_| {
                let (a, b): (f32, f32) = (random.random_range(-3.0..3.0), random.random_range(-1.0..1.0));
                [1.0 + a, 2.0 - a, a + b, 7.0, 0.5 * b]
            })
            .collect();
        let axes = PrincipalAxes::of(&points, 5, 2, 0);
        assert_eq!(axes.len(), 2);
        let flat = axes.coordinates(&points);
        let far = |points: &[f32], size: usize, i: usize, j: usize| {
            (0..size).map(|k| (points[i * size + k] - points[j * size + k]).powi(2)).sum::<f32>().sqrt()
        };
        for (i, j) in [(0, 1), (5, 150), (33, 70)] {
            let (found, expected) = (far(&flat, 2, i, j), far(&points, 5, i, j));
            assert!((found - expected).abs() < 1e-3 * (1.0 + expected), "{found} {expected}");
        }
        let spread = |axis: usize| flat.iter().skip(axis).step_by(2).map(|x| x * x).sum::<f32>();
        assert!(spread(0) > 2.0 * spread(1), "the first axis is the longest");
        assert_eq!(PrincipalAxes::of(&points, 5, 9, 0).len(), 5);
    }
}
