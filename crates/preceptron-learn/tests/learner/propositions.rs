//! The paper's Proposition 2 and Theorem 2 against the update itself, before anything is confirmed.
//!
//! The update solves without the box and then clamps. Its fixed points are those of the constrained
//! problem up to terms of the order of |A| / g, so the proximal weight g is large here.

use std::collections::BTreeMap;

use preceptron_base::stream;
use preceptron_learn::row_update::{Projection, RowProblem, RowWeights, SoftConstraints, is_boolean};
use preceptron_learn::theorems::RowLoss;
use preceptron_learn::{Examples, Moments};
use preceptron_matrix::Mat;
use proptest::prelude::*;
use rand::RngExt;

/// How far a fixed point of the clamped update may be from one of the constrained problem.
const TOLERANCE: f64 = 1e-3;

/// The second moments and means of 300 examples with three groups of four, exactly one of each, in which
/// each value is wrong with probability 0.05: no row fits them without a residual.
fn noisy() -> (Mat, Vec<f64>) {
    let random = &mut stream(1, "noisy", 0);
    let rows: Vec<Vec<bool>> = (0..300)
        .map(|_| {
            let chosen: [usize; 3] = std::array::from_fn(|_| random.random_range(0..4));
            (0..12).map(|v| (chosen[v / 4] == v % 4) != random.random_bool(0.05)).collect()
        })
        .collect();
    let moments = Moments::of(&Examples::from_full_rows(12, &rows));
    (Mat::from_fn(12, 12, |i, j| moments.second(i, j)), (0..12).map(|i| moments.mean(i)).collect())
}

/// Rows with random centres.
fn centred(variables: usize, rows: usize, seed: u64) -> SoftConstraints {
    let random = &mut stream(seed, "centres", 0);
    SoftConstraints::at(Mat::from_fn(variables, rows, |_, _| random.random::<f64>()), 1.0)
}

#[test]
fn fixed_points_are_stationary_at_their_penalty() {
    let (quadratic, mean) = noisy();
    let schedule = RowWeights { trust_region: 0.01, proximal: 1e3, penalty: 2.0, iterations: 20_000 };
    let problem = RowProblem::new(&quadratic, mean.clone(), Projection::Box, &schedule).unwrap();
    let mut soft = centred(12, 40, 1);
    let t = problem.anneal(&mut soft, &schedule, None);
    assert!(soft.is_boolean() && t > 0.0);
    assert_eq!(problem.update(&soft, t), soft.rows, "the rows are at rest");
    let loss = RowLoss { quadratic: &quadratic, linear: &mean, trust_region: 0.01 };
    let mut least = f64::INFINITY;
    for row in 0..40 {
        let (point, centre) = (soft.rows.column(row), soft.centres.column(row));
        let margin = loss.stationarity(point, centre, t);
        assert!(margin >= -TOLERANCE, "row {row}: {margin}");
        least = least.min(loss.stationarity(point, centre, 0.0));
        // Flipping one weight is what the second condition speaks of.
        let best = (0..12).map(|i| value(&loss, &flipped(point, i), centre)).fold(f64::INFINITY, f64::min);
        let gain = best - value(&loss, point, centre);
        assert!((loss.optimality(point, centre) - gain).abs() < 1e-9);
    }
    // Without the penalty these points would not be stationary: the residuals are there.
    assert!(least < -0.01, "{least}");
}

fn flipped(point: &[f64], at: usize) -> Vec<f64> {
    let mut flipped = point.to_vec();
    flipped[at] = 1.0 - flipped[at];
    flipped
}

/// The loss u'Au - 2p'u + lambda |u - w0|^2, term by term.
fn value(loss: &RowLoss, point: &[f64], centre: &[f64]) -> f64 {
    let n = point.len();
    let quadratic: f64 =
        (0..n).map(|i| (0..n).map(|j| point[i] * loss.quadratic[(i, j)] * point[j]).sum::<f64>()).sum();
    let linear: f64 = (0..n).map(|i| loss.linear[i] * point[i]).sum();
    let distance: f64 = (0..n).map(|i| (point[i] - centre[i]).powi(2)).sum();
    quadratic - 2.0 * linear + loss.trust_region * distance
}

#[test]
fn the_global_optimum_meets_the_second_condition() {
    let (quadratic, mean) = noisy();
    let loss = RowLoss { quadratic: &quadratic, linear: &mean, trust_region: 0.1 };
    let centres = centred(12, 10, 2).centres;
    for row in 0..10 {
        let centre = centres.column(row);
        let points =
            (0..1u32 << 12).map(|bits| (0..12).map(|i| f64::from(bits >> i & 1)).collect::<Vec<_>>());
        let best = points.min_by(|a, b| value(&loss, a, centre).total_cmp(&value(&loss, b, centre))).unwrap();
        assert!(loss.optimality(&best, centre) >= -1e-12);
        assert!((0..12).any(|i| loss.optimality(&flipped(&best, i), centre) < 0.0));
    }
}

/// The share of annealed rows that end at a Boolean point must not exceed the root of Theorem 2's bound:
/// rows are independent, so pairs end there together with the square of that share.
#[test]
fn rows_fall_together_no_more_often_than_the_bound_says() {
    const ROWS: usize = 2000;
    // Weak data, a strong trust region: the bound is far below 1.
    let quadratic = Mat::from_fn(3, 3, |i, j| if i == j { 0.3 } else { 0.1 });
    let mean = vec![0.3, 0.25, 0.2];
    let schedule = RowWeights { trust_region: 1.0, proximal: 100.0, penalty: 1.2, iterations: 1500 };
    let problem = RowProblem::new(&quadratic, mean.clone(), Projection::Box, &schedule).unwrap();
    let mut soft = centred(3, ROWS, 3);
    let t = problem.anneal(&mut soft, &schedule, None);
    let loss = RowLoss { quadratic: &quadratic, linear: &mean, trust_region: 1.0 };
    let mut ends: BTreeMap<[bool; 3], usize> = BTreeMap::new();
    for row in (0..ROWS).map(|row| soft.rows.column(row)).filter(|row| row.iter().all(|w| is_boolean(*w))) {
        *ends.entry(std::array::from_fn(|i| row[i] > 0.5)).or_default() += 1;
    }
    assert!(ends.len() >= 4, "{ends:?}");
    for (end, count) in ends {
        let point = end.map(|one| f64::from(u8::from(one)));
        let bound = loss.ln_falling_together(&point, t).exp();
        let share = count as f64 / ROWS as f64;
        assert!(bound < 0.9, "{end:?}: {bound}");
        // Four standard errors of the share.
        let most = bound.sqrt() + 4.0 * (bound.sqrt() / ROWS as f64).sqrt() + TOLERANCE;
        assert!(share <= most, "{end:?}: {share} of the rows, and the bound's root is {}", bound.sqrt());
    }
}

proptest! {
    /// A Boolean point stays under the update if the first condition holds, and is left if it does not.
    #[test]
    fn a_point_that_is_not_stationary_is_left(
        entries in prop::collection::vec(0.0..1.0f64, 25),
        linear in prop::collection::vec(0.0..1.0f64, 5),
        centre in prop::collection::vec(0.0..1.0f64, 5),
        bits in 0u32..32,
        t in 0.0..3.0f64,
    ) {
        let quadratic = Mat::from_fn(5, 5, |i, j| {
            (0..5).map(|r| entries[r * 5 + i] * entries[r * 5 + j]).sum::<f64>() / 5.0
        });
        let schedule = RowWeights { trust_region: 0.2, proximal: 1e5, penalty: t, iterations: 1 };
        let problem = RowProblem::new(&quadratic, linear.clone(), Projection::Box, &schedule).unwrap();
        let point: Vec<f64> = (0..5).map(|i| f64::from(bits >> i & 1)).collect();
        let column = |v: &[f64]| Mat::from_fn(5, 1, |i, _| v[i]);
        let soft = SoftConstraints { rows: column(&point), centres: column(&centre), sums: vec![1.0] };
        let stays = problem.update(&soft, t) == soft.rows;
        let loss = RowLoss { quadratic: &quadratic, linear: &linear, trust_region: 0.2 };
        let margin = loss.stationarity(&point, &centre, t);
        prop_assume!(margin.abs() > TOLERANCE);
        prop_assert_eq!(stays, margin > 0.0, "margin {}", margin);
    }
}
