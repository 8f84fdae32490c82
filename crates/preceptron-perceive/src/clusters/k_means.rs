//! K-means: centres such that points are near to one of them.
//!
//! ```text
//! k-means++ start: each next centre is a point, drawn with the square of its distance to the nearest one so far
//! a(n) = argmin_k |x_n - c_k|        c_k = mean of the x_n with a(n) = k
//! ```
//! A centre without points stays where it is. Of several starts the one with the least sum of squares is kept.

use preceptron_base::stream;
use preceptron_matrix::{Strided, multiply};
use rand::{Rng, RngExt};
use rayon::prelude::*;

/// Points that are compared with all centres at a time.
const AT_ONCE: usize = 256;

/// Where a point belongs, and the square of its distance.
pub struct Nearest {
    /// The number of the nearest centre of each point.
    pub centres: Vec<u32>,
    /// The squares of the distances to it.
    pub squares: Vec<f32>,
}

/// How long it takes.
#[derive(Clone, Copy)]
pub struct Effort {
    /// Starts, of which the best is kept.
    pub starts: usize,
    /// Iterations of each.
    pub iterations: usize,
    /// The seed of the first centres.
    pub seed: u64,
}

/// The best of several starts: so many centres of points of `size` numbers each, one after the other.
pub fn k_means(points: &[f32], size: usize, count: usize, effort: Effort) -> Vec<f32> {
    let start = |start: usize| {
        let mut random = stream(effort.seed, "start of k-means", start as u64);
        let mut centres = spread_out(points, size, count, &mut random);
        for _ in 0..effort.iterations {
            let found = nearest(points, size, &centres);
            move_to_means(points, size, &found.centres, &mut centres);
        }
        let squares = nearest(points, size, &centres).squares;
        (squares.iter().map(|square| f64::from(*square)).sum::<f64>(), centres)
    };
    let found: Vec<(f64, Vec<f32>)> = (0..effort.starts).into_par_iter().map(start).collect();
    let best = found.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(Vec::new(), |(_, centres)| centres)
}

/// The nearest centre of each point; the first of several.
pub fn nearest(points: &[f32], size: usize, centres: &[f32]) -> Nearest {
    let square = |point: &[f32]| point.iter().map(|x| x * x).sum::<f32>();
    let lengths: Vec<f32> = centres.chunks_exact(size).map(square).collect();
    let count = lengths.len();
    let mut products = vec![0.0; AT_ONCE * count];
    let mut found = Nearest { centres: Vec::new(), squares: Vec::new() };
    for some in points.chunks(AT_ONCE * size) {
        let left = Strided::by_columns(centres, size, count, size).transposed();
        let right = Strided::by_columns(some, size, some.len() / size, size);
        multiply(&mut products, count, left, right, false);
        for (point, products) in some.chunks_exact(size).zip(products.chunks_exact(count)) {
            // |x - c|^2 = |x|^2 + (|c|^2 - 2 x'c)
            let mut best = (0, f32::INFINITY);
            for (centre, (length, product)) in lengths.iter().zip(products).enumerate() {
                let value = length - 2.0 * product;
                if value < best.1 {
                    best = (centre as u32, value);
                }
            }
            found.centres.push(best.0);
            found.squares.push((square(point) + best.1).max(0.0));
        }
    }
    found
}

/// Points that are far from each other.
fn spread_out(points: &[f32], size: usize, count: usize, random: &mut impl Rng) -> Vec<f32> {
    let all = points.len() / size;
    let mut next = random.random_range(0..all);
    let (mut centres, mut squares) = (Vec::with_capacity(count * size), vec![f32::INFINITY; all]);
    for _ in 0..count {
        let centre = &points[next * size..][..size];
        centres.extend_from_slice(centre);
        for (square, found) in squares.iter_mut().zip(nearest(points, size, centre).squares) {
            *square = square.min(found);
        }
        let total: f64 = squares.iter().map(|square| f64::from(*square)).sum();
        let mut left = random.random::<f64>() * total;
        let drawn = squares.iter().position(|square| {
            left -= f64::from(*square);
            left < 0.0
        });
        next = drawn.unwrap_or(next);
    }
    centres
}

fn move_to_means(points: &[f32], size: usize, nearest: &[u32], centres: &mut [f32]) {
    let (mut sums, mut counts) = (vec![0.0f64; centres.len()], vec![0.0f64; centres.len() / size]);
    for (point, &centre) in points.chunks_exact(size).zip(nearest) {
        let sums = &mut sums[centre as usize * size..][..size];
        sums.iter_mut().zip(point).for_each(|(sum, x)| *sum += f64::from(*x));
        counts[centre as usize] += 1.0;
    }
    let rows = centres.chunks_exact_mut(size).zip(sums.chunks_exact(size)).zip(counts);
    for ((centre, sums), count) in rows.filter(|(_, count)| *count > 0.0) {
        centre.iter_mut().zip(sums).for_each(|(x, sum)| *x = (sum / count) as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blobs() -> Vec<f32> {
        let mut random = stream(4, "test", 0);
        let around = |at: usize, random: &mut dyn FnMut() -> f32| {
            let [x, y] = [[0.0, 0.0], [9.0, 0.0], [0.0, 9.0], [9.0, 9.0f32]][at % 4];
            [x + random(), y + random()]
        };
        let mut number = || random.random_range(-1.0..1.0);
        (0..600).flat_map(|at| around(at, &mut number)).collect()
    }

    #[test]
    fn centres_are_found_whatever_the_threads() {
        let points = blobs();
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| k_means(&points, 2, 4, Effort { starts: 4, iterations: 10, seed: 0 }))
        };
        let centres = on(1);
        assert_eq!(centres, on(3));
        let found = nearest(&points, 2, &centres);
        for (at, centre) in found.centres.iter().enumerate() {
            assert_eq!(*centre, found.centres[at % 4]);
        }
        assert!(found.squares.iter().all(|square| *square < 5.0));
    }

    /// The nearest centres, without products of matrices.
    #[test]
    fn nearest_is_its_plain_twin() {
        let mut random = stream(9, "test", 0);
        let mut draw = |count| (0..count).map(|_| random.random_range(-1.0..1.0)).collect::<Vec<f32>>();
        let (points, centres) = (draw(300 * 7), draw(5 * 7));
        let found = nearest(&points, 7, &centres);
        for (at, point) in points.chunks_exact(7).enumerate() {
            let square = |centre: &[f32]| point.iter().zip(centre).map(|(x, c)| (x - c).powi(2)).sum::<f32>();
            let squares: Vec<f32> = centres.chunks_exact(7).map(square).collect();
            let best = (0..5).min_by(|a, b| squares[*a].total_cmp(&squares[*b])).unwrap();
            assert_eq!(found.centres[at] as usize, best);
            assert!((found.squares[at] - squares[best]).abs() < 1e-4);
        }
    }

    /// Fewer points than centres, or all the same, are no harm.
    #[test]
    fn few_points_are_no_harm() {
        let effort = Effort { starts: 2, iterations: 3, seed: 0 };
        let centres = k_means(&[1.0, 1.0, 1.0, 1.0], 2, 3, effort);
        assert_eq!(centres, [1.0; 6]);
    }
}
