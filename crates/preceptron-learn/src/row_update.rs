//! The update of constraint rows: one machine for the paper's form and for its two variants.
//!
//! A row w of the constraint matrix minimises, over the box 0 <= w <= 1,
//! ```text
//! w'Aw - 2 p'w  +  lambda |w - w0|^2  +  g |w - w_k|^2  +  t (e - 2 w_k)'w
//! ```
//! that is a quadratic loss given by second moments alone, the trust region around the row's own centre
//! w0, the proximal term at the current point w_k, and the linearised DC penalty which pulls towards 0 or
//! 1. Without the box the minimiser solves one linear system that all rows share:
//! ```text
//! (A + (lambda + g) I) w = p + lambda w0 + (g + t) w_k - (t/2) e
//! ```
//! and is then projected.
//!
//! | symbol | here | paper | global | local, anchored at a |
//! |---|---|---|---|---|
//! | A | `quadratic` | M = D'D/N | C = M - mu mu' | C over the neighbours of a |
//! | p | b x `linear` | b mu | 0 | -C_ra: b = 1 is the anchor's weight |
//! | projection | [`Projection`] | the box | the box and mu'w = b | the box |
//! | lambda | `trust_region` | | | |
//! | g = 1/gamma | `proximal` | | | |
//! | t | `penalty` | | | |
//!
//! Auxiliary variables ([`crate::AuxiliaryForm`]) are the paper's column with the answers on the right-hand
//! side: p = D'(b - y)/N as `linear`, and 1 for the sum that multiplies it.
//!
//! All sums are per example (moments are means), so the weights do not depend on how many there are.
//! The printed update of the paper has W(k-1) where its own objective gives W(k), which is used here.

use preceptron_matrix::{Cholesky, Mat, product};

/// Rows of weights in [0, 1] while they are learned, never seen by a solver. A column of `rows` is a row
/// of the constraint matrix W.
#[derive(Clone, Debug)]
pub struct SoftConstraints {
    /// The weights, variables x rows.
    pub rows: Mat,
    /// The centres w0 of the rows' trust regions, variables x rows.
    pub centres: Mat,
    /// The sum b that each row is fitted to.
    pub sums: Vec<f64>,
}

impl SoftConstraints {
    /// Rows that start at their centres.
    pub fn at(centres: Mat, sum: f64) -> SoftConstraints {
        SoftConstraints { rows: centres.clone(), sums: vec![sum; centres.ncols()], centres }
    }

    /// Whether all weights are 0 or 1.
    pub fn is_boolean(&self) -> bool {
        (0..self.rows.ncols()).all(|r| self.rows.column(r).iter().all(|w| is_boolean(*w)))
    }

    /// The positions of the weights above one half, for each row.
    pub fn binarised(&self) -> Vec<Vec<usize>> {
        (0..self.rows.ncols())
            .map(|r| {
                let row = self.rows.column(r);
                (0..row.len()).filter(|&i| row[i] > 0.5).collect()
            })
            .collect()
    }
}

/// The set that a row is put back into after each solve.
#[derive(Clone, Debug)]
pub enum Projection {
    /// 0 <= w <= 1, by clamping.
    Box,
    /// 0 <= w <= 1 and mean . w = b: w = clamp(v - tau d), tau by bisection.
    BoxAndSum {
        /// The means of the variables.
        mean: Vec<f64>,
        /// The direction d of the correction, not negative.
        direction: Vec<f64>,
    },
}

/// A least-squares problem over rows, factorised once for all rows and all updates.
pub struct RowProblem {
    inverse: Mat,
    linear: Vec<f64>,
    projection: Projection,
    trust_region: f64,
    proximal: f64,
}

/// The weights of the update, and how long it is annealed.
#[derive(Clone, Copy, Debug)]
pub struct RowWeights {
    /// lambda.
    pub trust_region: f64,
    /// g = 1/gamma.
    pub proximal: f64,
    /// The t of the last update; it rises from 0 in equal steps.
    pub penalty: f64,
    /// Updates at the most; fewer if all rows are Boolean and have come to rest.
    pub iterations: u32,
}

/// Weights closer to 0 or 1 than this count as Boolean.
pub const NEARLY: f64 = 1e-6;

impl RowProblem {
    /// Factorises `quadratic + (trust_region + proximal) I`; nothing if that is not positive definite,
    /// as when `quadratic` has a strongly negative eigenvalue. A row with the sum b has the linear term
    /// b * `linear`.
    pub fn new(
        quadratic: &Mat,
        linear: Vec<f64>,
        projection: Projection,
        schedule: &RowWeights,
    ) -> Option<RowProblem> {
        let RowWeights { trust_region, proximal, .. } = *schedule;
        let n = linear.len();
        let mut system = quadratic.clone();
        for i in 0..n {
            system[(i, i)] += trust_region + proximal;
        }
        let inverse = Cholesky::of(&system)?.solve(Mat::identity(n));
        Some(RowProblem { inverse, linear, projection, trust_region, proximal })
    }

    /// The problem without a linear term whose rows keep `mean . w` at their sum. The correction is along
    /// the direction that the quadratic loss itself would take, (A + (lambda + g) I)^-1 mean, kept from
    /// pointing below zero.
    pub fn with_sum(quadratic: &Mat, mean: Vec<f64>, schedule: &RowWeights) -> Option<RowProblem> {
        let mut problem = RowProblem::new(quadratic, vec![0.0; mean.len()], Projection::Box, schedule)?;
        let column = Mat::from_fn(mean.len(), 1, |i, _| mean[i]);
        let direction = product(problem.inverse.view(), column.view());
        let direction = direction.entries().iter().map(|d| d.max(0.0)).collect();
        problem.projection = Projection::BoxAndSum { mean, direction };
        Some(problem)
    }

    /// One update of all rows at penalty `t`.
    pub fn update(&self, soft: &SoftConstraints, t: f64) -> Mat {
        let (n, m) = (soft.rows.nrows(), soft.rows.ncols());
        let (lambda, g) = (self.trust_region, self.proximal);
        let right = Mat::from_fn(n, m, |i, r| {
            soft.sums[r] * self.linear[i] + lambda * soft.centres[(i, r)] + (g + t) * soft.rows[(i, r)]
                - t / 2.0
        });
        let mut next = product(self.inverse.view(), right.view());
        for r in 0..m {
            self.project(next.column_mut(r), soft.sums[r]);
        }
        next
    }

    /// The proximal update of the sums themselves, b <- (mean . w + g b) / (1 + g).
    pub fn update_sums(&self, soft: &mut SoftConstraints, mean: &[f64]) {
        for (r, sum) in soft.sums.iter_mut().enumerate() {
            let fitted: f64 = soft.rows.column(r).iter().zip(mean).map(|(w, m)| w * m).sum();
            *sum = (fitted + self.proximal * *sum) / (1.0 + self.proximal);
        }
    }

    fn project(&self, row: &mut [f64], sum: f64) {
        match &self.projection {
            Projection::Box => row.iter_mut().for_each(|w| *w = w.clamp(0.0, 1.0)),
            Projection::BoxAndSum { mean, direction } => {
                let at = |row: &[f64], tau: f64| {
                    row.iter()
                        .zip(direction)
                        .zip(mean)
                        .map(|((w, d), mean)| mean * (w - tau * d).clamp(0.0, 1.0))
                        .sum::<f64>()
                };
                // The sum falls with tau: widen the bracket until it holds the wanted one, then halve it.
                let mut reach = 1.0;
                while reach < 1e12 && (at(row, reach) > sum || at(row, -reach) < sum) {
                    reach *= 2.0;
                }
                let (mut low, mut high) = (-reach, reach);
                while high - low > 1e-9 * (1.0 + reach) {
                    let middle = 0.5 * (low + high);
                    if at(row, middle) > sum { low = middle } else { high = middle }
                }
                let tau = 0.5 * (low + high);
                row.iter_mut().zip(direction).for_each(|(w, d)| *w = (*w - tau * d).clamp(0.0, 1.0));
            }
        }
    }

    /// Anneals the rows: t rises from 0 to the schedule's penalty until all weights are Boolean and at
    /// rest. With `mean`, the sums are updated too. The t of the last update.
    pub fn anneal(&self, soft: &mut SoftConstraints, schedule: &RowWeights, mean: Option<&[f64]>) -> f64 {
        let mut t = 0.0;
        for k in 0..schedule.iterations {
            t = schedule.penalty * f64::from(k) / f64::from((schedule.iterations - 1).max(1));
            let next = self.update(soft, t);
            let settled = (0..next.ncols()).all(|r| {
                next.column(r)
                    .iter()
                    .zip(soft.rows.column(r))
                    .all(|(a, b)| is_boolean(*a) && (a - b).abs() < NEARLY)
            });
            soft.rows = next;
            match mean {
                Some(mean) => self.update_sums(soft, mean),
                None if settled => break,
                None => {}
            }
        }
        t
    }
}

/// Whether a weight is 0 or 1, up to rounding.
pub fn is_boolean(weight: f64) -> bool {
    !(NEARLY..=1.0 - NEARLY).contains(&weight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A symmetric positive semidefinite matrix B'B / rows.
    fn gram(entries: &[f64], n: usize) -> Mat {
        let rows = entries.len() / n;
        Mat::from_fn(n, n, |i, j| {
            (0..rows).map(|r| entries[r * n + i] * entries[r * n + j]).sum::<f64>() / rows as f64
        })
    }

    /// The plain twin: gradient descent on the written objective without the box, then the clamp.
    fn plain_update(a: &Mat, p: &[f64], w0: &[f64], w: &[f64], s: &RowWeights, t: f64) -> Vec<f64> {
        let n = w.len();
        let trace: f64 = (0..n).map(|i| a[(i, i)]).sum();
        let rate = 0.5 / (trace + s.trust_region + s.proximal);
        let mut u = w.to_vec();
        for _ in 0..20_000 {
            let gradient: Vec<f64> = (0..n)
                .map(|i| {
                    2.0 * (0..n).map(|j| a[(i, j)] * u[j]).sum::<f64>() - 2.0 * p[i]
                        + 2.0 * s.trust_region * (u[i] - w0[i])
                        + 2.0 * s.proximal * (u[i] - w[i])
                        + t * (1.0 - 2.0 * w[i])
                })
                .collect();
            u.iter_mut().zip(gradient).for_each(|(u, g)| *u -= rate * g);
        }
        u.iter().map(|u| u.clamp(0.0, 1.0)).collect()
    }

    /// The plain twin of the update with a sum: gradient descent on the objective along mean . w = b,
    /// without the box.
    fn plain_update_on_plane(
        a: &Mat,
        mean: &[f64],
        sum: f64,
        w0: &[f64],
        w: &[f64],
        s: &RowWeights,
        t: f64,
    ) -> Vec<f64> {
        let n = w.len();
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let length = dot(mean, mean);
        let trace: f64 = (0..n).map(|i| a[(i, i)]).sum();
        let rate = 0.5 / (trace + s.trust_region + s.proximal);
        let short = sum - dot(mean, w);
        let mut u: Vec<f64> = (0..n).map(|i| w[i] + short / length * mean[i]).collect();
        for _ in 0..2000 {
            let gradient: Vec<f64> = (0..n)
                .map(|i| {
                    2.0 * (0..n).map(|j| a[(i, j)] * u[j]).sum::<f64>()
                        + 2.0 * s.trust_region * (u[i] - w0[i])
                        + 2.0 * s.proximal * (u[i] - w[i])
                        + t * (1.0 - 2.0 * w[i])
                })
                .collect();
            let along = dot(mean, &gradient) / length;
            (0..n).for_each(|i| u[i] -= rate * (gradient[i] - along * mean[i]));
        }
        u
    }

    /// The plain twin of the projection: between the places where a weight meets 0 or 1, the sum is
    /// linear in tau.
    fn plain_projection(row: &[f64], mean: &[f64], direction: &[f64], sum: f64) -> Vec<f64> {
        let at = |tau: f64| -> Vec<f64> {
            row.iter().zip(direction).map(|(w, d)| (w - tau * d).clamp(0.0, 1.0)).collect()
        };
        let sum_at = |tau: f64| at(tau).iter().zip(mean).map(|(w, m)| w * m).sum::<f64>();
        let mut bends: Vec<f64> =
            row.iter().zip(direction).flat_map(|(w, d)| [w / d, (w - 1.0) / d]).collect();
        bends.sort_by(f64::total_cmp);
        for pair in bends.windows(2) {
            let (before, after) = (sum_at(pair[0]), sum_at(pair[1]));
            if before >= sum && after <= sum && before > after {
                return at(pair[0] + (pair[1] - pair[0]) * (before - sum) / (before - after));
            }
        }
        unreachable!("the sum is between none and all of the weights")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn the_update_minimises_its_objective(
            entries in prop::collection::vec(0.0..1.0f64, 20),
            p in prop::collection::vec(-1.0..1.0f64, 4),
            centres in prop::collection::vec(0.0..1.0f64, 8),
            start in prop::collection::vec(0.0..1.0f64, 8),
            t in 0.0..0.5f64,
        ) {
            let schedule = RowWeights { trust_region: 0.05, proximal: 0.3, penalty: 0.5, iterations: 1 };
            let a = gram(&entries, 4);
            let problem = RowProblem::new(&a, p.clone(), Projection::Box, &schedule).unwrap();
            let column = |v: &[f64]| Mat::from_fn(4, 2, |i, r| v[r * 4 + i]);
            let soft = SoftConstraints { rows: column(&start), centres: column(&centres), sums: vec![1.0; 2] };
            let fast = problem.update(&soft, t);
            for r in 0..2 {
                let plain = plain_update(&a, &p, &centres[r * 4..][..4], &start[r * 4..][..4], &schedule, t);
                for i in 0..4 {
                    prop_assert!((fast[(i, r)] - plain[i]).abs() < 1e-6, "{} {}", fast[(i, r)], plain[i]);
                }
            }
        }

        #[test]
        fn the_projection_keeps_the_sum(
            row in prop::collection::vec(-2.0..2.0f64, 6),
            mean in prop::collection::vec(0.05..1.0f64, 6),
            share in 0.01..0.99f64,
        ) {
            let sum = share * mean.iter().sum::<f64>();
            let schedule = RowWeights { trust_region: 0.01, proximal: 0.1, penalty: 0.1, iterations: 1 };
            let problem = RowProblem::with_sum(&Mat::zeros(6, 6), mean.clone(), &schedule).unwrap();
            let mut projected = row.clone();
            problem.project(&mut projected, sum);
            let found: f64 = projected.iter().zip(&mean).map(|(w, m)| w * m).sum();
            prop_assert!((found - sum).abs() < 1e-6);
            prop_assert!(projected.iter().all(|w| (0.0..=1.0).contains(w)));
            let Projection::BoxAndSum { direction, .. } = &problem.projection else { unreachable!() };
            for (fast, plain) in projected.iter().zip(plain_projection(&row, &mean, direction, sum)) {
                prop_assert!((fast - plain).abs() < 1e-6, "{} {}", fast, plain);
            }
        }

        /// Where the box does not bind, the update with a sum minimises its objective on mean . w = b.
        #[test]
        fn the_update_with_a_sum_minimises_on_the_plane(
            entries in prop::collection::vec(0.0..0.2f64, 20),
            mean in prop::collection::vec(0.3..0.6f64, 4),
            centre in prop::collection::vec(0.4..0.6f64, 4),
            start in prop::collection::vec(0.4..0.6f64, 4),
            t in 0.0..0.1f64,
        ) {
            let schedule = RowWeights { trust_region: 0.05, proximal: 0.3, penalty: 0.5, iterations: 1 };
            let a = gram(&entries, 4);
            let problem = RowProblem::with_sum(&a, mean.clone(), &schedule).unwrap();
            let column = |v: &[f64]| Mat::from_fn(4, 1, |i, _| v[i]);
            let sum = 0.5 * mean.iter().sum::<f64>();
            let soft = SoftConstraints { rows: column(&start), centres: column(&centre), sums: vec![sum] };
            let fast = problem.update(&soft, t);
            let plain = plain_update_on_plane(&a, &mean, sum, &centre, &start, &schedule, t);
            prop_assume!(plain.iter().all(|w| (0.0..=1.0).contains(w)));
            for i in 0..4 {
                prop_assert!((fast[(i, 0)] - plain[i]).abs() < 1e-6, "{} {}", fast[(i, 0)], plain[i]);
            }
        }
    }
}
