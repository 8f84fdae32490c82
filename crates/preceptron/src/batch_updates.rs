//! The two closed forms of joint training, over the examples of a batch.
//!
//! Examples are the columns d = (z; y) of a matrix D, rows of weights the columns w of a matrix W. Both
//! updates minimise a quadratic with the linearised DC penalty and then clamp to 0..1; both systems are
//! solved once for all columns.
//!
//! Rows, with c = lambda + g ([`RowUpdate::apply`]; the same update as [`preceptron_learn::row_update::RowProblem`]
//! with the paper's projection):
//! ```text
//! (D D'/N + rho V V' + c I) w+ = b D e/N + lambda w0 + (g + t1) w - (t1/2) e
//! ```
//! A batch has fewer examples than there are variables, or not many more. With X = (D/sqrt(N), sqrt(rho) V)
//! the inverse is (I - X (X'X + c I)^-1 X')/c, so that the matrix to factorise is as large as the batch.
//! The columns of V are groups of which the encoding says that exactly one is true: a row that repeats one
//! has |V'w| as large as the group, one that crosses the groups has 0 or 1 in each, so that rho > 0 keeps
//! rows from learning what is known. (The paper has no such term: rho = 0.)
//!
//! Grounding, jointly over z and y ([`ground`]; the caller takes z from it and keeps the known y):
//! ```text
//! (W W' + alpha I) u = b W e + alpha d + t2 u' - (t2/2) e
//! ```
//! where d = (f(x); y) is what the grounding should stay near, and u' the point at which the penalty is linearised: the
//! grounding of the example when it was last drawn, or d itself. The print has a further alpha z, which does not follow
//! from its own objective.
//!
//! Columns are worked on in parts of fixed size, so that the number of threads changes nothing.

use std::ops::Range;

use preceptron_learn::row_update::SoftConstraints;
use preceptron_matrix::{Cholesky, Mat, Strided, multiply, product};
use rayon::prelude::*;

/// Columns that one thread works on at a time.
const PART: usize = 64;

/// The weights of the update of rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowUpdate<'a> {
    /// lambda.
    pub trust_region: f64,
    /// g = 1/gamma.
    pub proximal: f64,
    /// t1 of each row.
    pub penalties: &'a [f64],
    /// rho.
    pub one_hot_weight: f64,
    /// Whether the sums b follow the rows.
    pub updates_sums: bool,
}

impl RowUpdate<'_> {
    /// The rows after an update on these examples (variables x examples), which `one_hot` (variables x
    /// groups) keeps from saying what is known, and the sums that they are fitted to next; nothing if a value is
    /// not finite.
    pub fn apply(&self, soft: &SoftConstraints, data: &Mat, one_hot: &Mat) -> Option<(Mat, Vec<f64>)> {
        let RowUpdate { trust_region: lambda, proximal: g, one_hot_weight: rho, .. } = *self;
        let (n, examples, c) = (data.nrows(), data.ncols(), lambda + g);
        let groups = if rho > 0.0 { one_hot.ncols() } else { 0 };
        let scale = (1.0 / examples as f64).sqrt();
        let x = Mat::from_fn(n, examples + groups, |i, k| match k.checked_sub(examples) {
            None => scale * data[(i, k)],
            Some(group) => rho.sqrt() * one_hot[(i, group)],
        });
        let mut system = product(x.transposed(), x.view());
        (0..system.nrows()).for_each(|k| system[(k, k)] += c);
        let factor = Cholesky::of(&system)?;
        let mean = means(data);
        // The two products with all rows are in single precision, which takes half of the time: their errors, near
        // 1e-7, are far below what a step changes.
        let (narrow, k) = (single(&x), x.ncols());
        let narrow = Strided::by_columns(&narrow, n, k, n.max(1));
        let next = in_parts(n, soft.rows.ncols(), |part| {
            let mut right = Mat::from_fn(n, part.len(), |i, r| {
                let r = part.start + r;
                let t = self.penalties[r];
                soft.sums[r] * mean[i] + lambda * soft.centres[(i, r)] + (g + t) * soft.rows[(i, r)] - t / 2.0
            });
            let (plain, mut seen) = (single(&right), vec![0f32; k * part.len()]);
            let plain = Strided::by_columns(&plain, n, part.len(), n.max(1));
            multiply(&mut seen, k.max(1), narrow.transposed(), plain, false);
            let inner = single(&factor.solve(Mat::from_fn(k, part.len(), |i, r| f64::from(seen[r * k + i]))));
            let mut taken = vec![0f32; n * part.len()];
            multiply(
                &mut taken,
                n.max(1),
                narrow,
                Strided::by_columns(&inner, k, part.len(), k.max(1)),
                false,
            );
            right.entries_mut().iter_mut().zip(&taken).for_each(|(value, less)| *value -= f64::from(*less));
            clamped(right, 1.0 / c)
        });
        if !next.is_finite() {
            return None;
        }
        // b+ = (mu'w + g b)/(1 + g), at the rows before the step.
        let followed = |r: usize| {
            let fitted: f64 = mean.iter().zip(soft.rows.column(r)).map(|(mu, w)| mu * w).sum();
            (fitted + g * soft.sums[r]) / (1.0 + g)
        };
        let sums = match self.updates_sums {
            true => (0..soft.sums.len()).map(followed).collect(),
            false => soft.sums.clone(),
        };
        Some((next, sums))
    }
}

/// How much grounding keeps to what was read, and is pulled to 0 and 1, given the mean T of the diagonal of W W': how
/// much the rows say of a variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GroundingWeights {
    /// alpha as it is, and in parts of T.
    pub alpha: [f64; 2],
    /// t2 as it is, and in parts of T.
    pub penalty: [f64; 2],
}

impl GroundingWeights {
    fn at(&self, diagonal: f64) -> (f64, f64) {
        let value = |[plain, share]: [f64; 2]| plain + share * diagonal;
        (value(self.alpha), value(self.penalty))
    }
}

/// The symbols of examples (variables x examples) that rows and values agree on, for rows of the sum b;
/// nothing if a value is not finite. The penalty is linearised at `before`, the grounding of the same examples when
/// they were last drawn.
pub(crate) fn ground(
    soft: &SoftConstraints,
    data: &Mat,
    before: &Mat,
    weights: &GroundingWeights,
) -> Option<Mat> {
    let (n, w) = (data.nrows(), soft.rows.view());
    // The lower triangle, and as much of the upper one as falls into the same parts.
    let parted = Parted::of(&soft.rows);
    let mut system = in_parts(n, n, |part| parted.products(part));
    let diagonal = (0..n).map(|i| system[(i, i)]).sum::<f64>() / n.max(1) as f64;
    let (alpha, t) = weights.at(diagonal);
    (0..n).for_each(|i| system[(i, i)] += alpha);
    let factor = Cholesky::of(&system)?;
    let sums = Mat::from_fn(soft.sums.len(), 1, |r, _| soft.sums[r]);
    let wanted = product(w, sums.view());
    let grounded = in_parts(n, data.ncols(), |part| {
        let right = Mat::from_fn(n, part.len(), |i, k| {
            let k = part.start + k;
            wanted[(i, 0)] + alpha * data[(i, k)] + t * before[(i, k)] - t / 2.0
        });
        clamped(factor.solve(right), 1.0)
    });
    grounded.is_finite().then_some(grounded)
}

/// Rows apart by how many of their weights are not 0. Once they are nearly Boolean most have few, and their part of
/// W W' takes the square of these and not of all variables.
struct Parted {
    n: usize,
    /// The full rows, in single precision: its errors are far below alpha, and it takes half of the time.
    full: Vec<f32>,
    /// The weights of the others that are not 0, by rising variables.
    sparse: Vec<Vec<(usize, f64)>>,
}

/// A row with at most this part of its weights not 0 is sparse.
const SPARSE: usize = 12;

impl Parted {
    fn of(rows: &Mat) -> Parted {
        let mut parted = Parted { n: rows.nrows(), full: Vec::new(), sparse: Vec::new() };
        for row in (0..rows.ncols()).map(|row| rows.column(row)) {
            match row.iter().filter(|weight| **weight != 0.0).count() * SPARSE <= parted.n {
                true => {
                    let entries = row.iter().copied().enumerate();
                    parted.sparse.push(entries.filter(|(_, weight)| *weight != 0.0).collect());
                }
                false => parted.full.extend(row.iter().map(|&weight| weight as f32)),
            }
        }
        parted
    }

    /// Columns of W W', from the diagonal of their first one on.
    fn products(&self, part: Range<usize>) -> Mat {
        let n = self.n;
        let mut products = vec![0f32; n * part.len()];
        if !self.full.is_empty() {
            let full = Strided::by_columns(&self.full, n, self.full.len() / n, n);
            let (left, right) = (full.rows_of(part.start..n), full.rows_of(part.clone()));
            multiply(&mut products[part.start..], n, left, right.transposed(), false);
        }
        let mut columns = Mat::zeros(n, part.len());
        columns.entries_mut().iter_mut().zip(&products).for_each(|(into, &value)| *into = f64::from(value));
        for row in &self.sparse {
            let below = &row[row.partition_point(|(at, _)| *at < part.start)..];
            for (column, other) in below.iter().take_while(|(at, _)| *at < part.end) {
                let into = columns.column_mut(column - part.start);
                below.iter().for_each(|(at, weight)| into[*at] += weight * other);
            }
        }
        columns
    }
}

/// The entries in single precision, column by column.
fn single(matrix: &Mat) -> Vec<f32> {
    matrix.entries().iter().map(|&value| value as f32).collect()
}

/// The mean of the columns.
fn means(data: &Mat) -> Vec<f64> {
    let mut sums = vec![0.0; data.nrows()];
    for column in 0..data.ncols() {
        sums.iter_mut().zip(data.column(column)).for_each(|(sum, value)| *sum += value);
    }
    sums.iter().map(|sum| sum / data.ncols() as f64).collect()
}

/// A matrix of which threads make parts of [`PART`] columns.
fn in_parts(height: usize, width: usize, make: impl Fn(Range<usize>) -> Mat + Sync) -> Mat {
    let range = |part: usize| part * PART..((part + 1) * PART).min(width);
    let parts: Vec<Mat> = (0..width.div_ceil(PART)).into_par_iter().map(|part| make(range(part))).collect();
    let mut whole = Mat::zeros(height, width);
    for (part, columns) in parts.iter().enumerate() {
        whole.columns_mut(range(part)).copy_from_slice(columns.entries());
    }
    whole
}

/// Every entry times `scale`, put back into 0..1.
fn clamped(mut matrix: Mat, scale: f64) -> Mat {
    matrix.entries_mut().iter_mut().for_each(|value| *value = (*value * scale).clamp(0.0, 1.0));
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::stream;
    use preceptron_learn::row_update::{Projection, RowProblem, RowWeights};
    use proptest::prelude::*;
    use rand::RngExt;

    fn drawn(height: usize, width: usize, seed: u64) -> Mat {
        let mut random = stream(seed, "test", width as u64);
        Mat::from_fn(height, width, |_, _| random.random::<f64>())
    }

    /// As near as products in single precision are.
    fn near(a: &Mat, b: &Mat) -> bool {
        a.distance(b) < 1e-4
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(30))]

        /// The update in the size of the batch against the one in the number of variables.
        #[test]
        fn rows_as_the_full_system_says(
            n in 1usize..20,
            examples in 1usize..30,
            weights in (0.0..0.5f64, 0.01..3.0f64, 0.0..0.5f64, prop_oneof![Just(0.0), 0.01..2.0f64]),
            seed: u64,
        ) {
            let (trust_region, proximal, penalty, rho) = weights;
            let (data, one_hot) = (drawn(n, examples, seed), drawn(n, 3, seed ^ 1));
            let mut soft = SoftConstraints::at(drawn(n, 70, seed ^ 2), 1.5);
            soft.rows = drawn(n, 70, seed ^ 3);
            let (gram, known) =
                (product(data.view(), data.transposed()), product(one_hot.view(), one_hot.transposed()));
            let quadratic =
                Mat::from_fn(n, n, |i, j| gram[(i, j)] / examples as f64 + rho * known[(i, j)]);
            let schedule = RowWeights { trust_region, proximal, penalty: 1.0, iterations: 1 };
            let plain = RowProblem::new(&quadratic, means(&data), Projection::Box, &schedule).unwrap();
            let (penalties, updates_sums) = (vec![penalty; 70], false);
            let update =
                RowUpdate { trust_region, proximal, penalties: &penalties, one_hot_weight: rho, updates_sums };
            let (next, sums) = update.apply(&soft, &data, &one_hot).unwrap();
            prop_assert_eq!(&sums, &soft.sums);
            prop_assert!(near(&next, &plain.update(&soft, penalty)));
        }

        /// The plain twin: descent on the written objective without the box, then the clamp.
        #[test]
        fn grounding_makes_its_objective_small(
            n in 1usize..6, m in 1usize..5, alpha in 0.2..3.0f64, t in 0.0..0.5f64, seed: u64
        ) {
            let (data, soft) = (drawn(n, 2, seed), SoftConstraints::at(drawn(n, m, seed ^ 1), 1.0));
            let before = drawn(n, 2, seed ^ 4);
            let weights = GroundingWeights { alpha: [alpha, 0.0], penalty: [t, 0.0] };
            let grounded = ground(&soft, &data, &before, &weights).unwrap();
            for k in 0..2 {
                let d = data.column(k);
                let mut u = d.to_vec();
                for _ in 0..4000 {
                    let short: Vec<f64> = (0..m)
                        .map(|r| (0..n).map(|i| soft.rows[(i, r)] * u[i]).sum::<f64>() - soft.sums[r])
                        .collect();
                    let slope = |i: usize| {
                        2.0 * (0..m).map(|r| soft.rows[(i, r)] * short[r]).sum::<f64>()
                            + 2.0 * alpha * (u[i] - d[i])
                            + t * (1.0 - 2.0 * before[(i, k)])
                    };
                    let slopes: Vec<f64> = (0..n).map(slope).collect();
                    let rate = 0.5 / ((n * m) as f64 + alpha);
                    u.iter_mut().zip(slopes).for_each(|(u, slope)| *u -= rate * slope);
                }
                for (i, u) in u.iter().enumerate() {
                    prop_assert!((u.clamp(0.0, 1.0) - grounded[(i, k)]).abs() < 1e-5);
                }
            }
        }
    }

    /// Rows of every sparsity, against one product of all.
    #[test]
    fn products_of_sparse_rows_are_those_of_all() {
        let n = 150;
        let mut rows = drawn(n, 40, 5);
        for row in 0..40 {
            let kept = row * row / 8;
            rows.column_mut(row).iter_mut().skip(kept).for_each(|weight| *weight = 0.0);
        }
        let parted = Parted::of(&rows);
        assert!(parted.sparse.len() > 5 && parted.full.len() > 5 * n);
        let (found, whole) =
            (in_parts(n, n, |part| parted.products(part)), product(rows.view(), rows.transposed()));
        for column in 0..n {
            for row in column..n {
                assert!((found[(row, column)] - whole[(row, column)]).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn what_is_not_finite_is_refused() {
        let mut soft = SoftConstraints::at(drawn(3, 2, 0), 1.0);
        let data = drawn(3, 4, 1);
        soft.rows[(0, 0)] = f64::NAN;
        let update = RowUpdate {
            trust_region: 0.1,
            proximal: 1.0,
            penalties: &[0.0; 2],
            one_hot_weight: 0.0,
            updates_sums: true,
        };
        assert!(update.apply(&soft, &data, &Mat::zeros(3, 0)).is_none());
        let weights = GroundingWeights { alpha: [0.5, 0.0], penalty: [0.0, 0.0] };
        assert!(ground(&soft, &data, &data, &weights).is_none());
        soft.rows[(0, 0)] = 0.5;
        let (_, sums) = update.apply(&soft, &data, &Mat::zeros(3, 0)).unwrap();
        let fitted: f64 = means(&data).iter().zip(soft.rows.column(1)).map(|(mu, w)| mu * w).sum();
        assert!((sums[1] - (fitted + 1.0) / 2.0).abs() < 1e-12);
    }
}
