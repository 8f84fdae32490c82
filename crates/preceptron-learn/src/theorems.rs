//! The conditions of the paper's Proposition 2 and the bound of its Theorem 2, as numbers.
//!
//! For the loss q(u) = u'Au - 2 p'u + lambda |u - w0|^2 of one row and a Boolean point u:
//! ```text
//! stationary at penalty t   iff   [grad q(u)]_i (1 - 2 u_i) + t     >= 0   for all i
//! global optimum            then  [grad q(u)]_i (1 - 2 u_i) + rho_i >= 0   for all i,  rho_i = A_ii + lambda
//! ```
//! Two rows with independent uniform centres fall together at u with probability at most
//! ```text
//! product over i of  min{ ([grad q0(u)]_i (1 - 2 u_i) + t) / (2 lambda), 1 }^2
//! ```
//! where q0 is the loss without the trust region (the paper writes q; its proof uses q0).

use preceptron_matrix::Mat;

/// The loss of one row.
pub struct RowLoss<'a> {
    /// A, variables x variables.
    pub quadratic: &'a Mat,
    /// p, one entry for each variable.
    pub linear: &'a [f64],
    /// lambda.
    pub trust_region: f64,
}

impl RowLoss<'_> {
    /// [grad q0(u)]_i (1 - 2 u_i) for all i: by how much leaving u along each axis raises the loss.
    fn slopes(&self, point: &[f64]) -> Vec<f64> {
        let n = point.len();
        (0..n)
            .map(|i| {
                let fitted: f64 = (0..n).map(|j| self.quadratic[(i, j)] * point[j]).sum();
                2.0 * (fitted - self.linear[i]) * (1.0 - 2.0 * point[i])
            })
            .collect()
    }

    fn with_centre(&self, point: &[f64], centre: &[f64]) -> impl Iterator<Item = f64> {
        let lambda = self.trust_region;
        let pull: Vec<f64> =
            point.iter().zip(centre).map(|(u, c)| 2.0 * lambda * (u - c) * (1.0 - 2.0 * u)).collect();
        self.slopes(point).into_iter().zip(pull).map(|(slope, pull)| slope + pull)
    }

    /// The least of [grad q(u)]_i (1 - 2 u_i) + t: not negative if and only if the Boolean point u is
    /// stationary at penalty t.
    pub fn stationarity(&self, point: &[f64], centre: &[f64], t: f64) -> f64 {
        self.with_centre(point, centre).map(|slope| slope + t).fold(f64::INFINITY, f64::min)
    }

    /// The least of [grad q(u)]_i (1 - 2 u_i) + rho_i: not negative if u is a global optimum. It is the
    /// change of the loss by flipping the worst single entry.
    pub fn optimality(&self, point: &[f64], centre: &[f64]) -> f64 {
        self.with_centre(point, centre)
            .enumerate()
            .map(|(i, slope)| slope + self.quadratic[(i, i)] + self.trust_region)
            .fold(f64::INFINITY, f64::min)
    }

    /// The natural logarithm of Theorem 2's bound on two rows falling together at the Boolean point u.
    pub fn ln_falling_together(&self, point: &[f64], t: f64) -> f64 {
        let share = |slope: f64| ((slope + t) / (2.0 * self.trust_region)).clamp(0.0, 1.0);
        self.slopes(point).into_iter().map(|slope| 2.0 * share(slope).ln()).sum()
    }
}
