//! The search over all variables at once, in the paper's form or in the covariance form.
//!
//! A round anneals a number of rows from fresh random centres, each pulled towards the sum b. Rows are
//! worked on in parts of fixed size, so that the number of threads changes nothing.

use preceptron_logic::{Lit, Var};
use preceptron_matrix::{Mat, without_negative};
use rand::RngExt;
use rayon::prelude::*;

use crate::row_update::{Projection, RowProblem, SoftConstraints};
use crate::{Bound, Checked, Form, Moments};
use preceptron_base::{Control, stream};

/// Rows that are annealed together.
const PART: usize = 25;

/// One factorised problem for all rounds.
pub struct GlobalSearch<'a> {
    problem: RowProblem,
    quadratic: Mat,
    mean: Vec<f64>,
    settings: &'a Checked,
}

impl<'a> GlobalSearch<'a> {
    /// The problem of these moments; nothing if it cannot be factorised, which happens where moments of
    /// partly observed examples are far from being those of any complete ones.
    pub fn new(moments: &Moments, settings: &'a Checked) -> Option<GlobalSearch<'a>> {
        let n = moments.variables();
        let mean: Vec<f64> = (0..n).map(|i| moments.mean(i)).collect();
        let schedule = settings.row_weights();
        let (quadratic, problem) = match settings.form {
            Form::Paper => {
                let quadratic = Mat::from_fn(n, n, |i, j| moments.second(i, j));
                let problem = RowProblem::new(&quadratic, mean.clone(), Projection::Box, &schedule)?;
                (quadratic, problem)
            }
            Form::Global | Form::Local => {
                let covariance = Mat::from_fn(n, n, |i, j| moments.covariance(i, j));
                // Means over different examples need not be those of any distribution.
                let is_complete = (0..n).all(|i| moments.known(i) == moments.examples());
                let quadratic = if is_complete { covariance } else { without_negative(&covariance)? };
                let problem = RowProblem::with_sum(&quadratic, mean.clone(), &schedule)?;
                (quadratic, problem)
            }
        };
        Some(GlobalSearch { problem, quadratic, mean, settings })
    }

    /// The quadratic form A of the loss.
    pub fn quadratic(&self) -> &Mat {
        &self.quadratic
    }

    /// The means of the variables.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// One round at the sum b: the rows as they are when the annealing ends, in parts.
    pub fn round(&self, number: u32, sum: f64, control: &dyn Control) -> Vec<SoftConstraints> {
        let n = self.mean.len();
        let follow = matches!(self.settings.bound, Bound::Updated(_)).then_some(self.mean.as_slice());
        (0..self.settings.rows.div_ceil(PART))
            .into_par_iter()
            .filter(|_| !control.is_cancelled())
            .map(|part| {
                let mut random = stream(
                    self.settings.seed,
                    "centres of the global form",
                    u64::from(number) << 32 | part as u64,
                );
                let rows = PART.min(self.settings.rows - part * PART);
                let mut soft = SoftConstraints::at(Mat::from_fn(n, rows, |_, _| random.random::<f64>()), sum);
                self.problem.anneal(&mut soft, &self.settings.row_weights(), follow);
                control.advance(rows as u64);
                soft
            })
            .collect()
    }

    /// The sums to go through, as the settings say.
    pub fn sums(&self) -> Vec<f64> {
        match self.settings.bound {
            Bound::Fixed(sum) | Bound::Updated(sum) => vec![sum],
            Bound::Sweep(first, last) => (first..=last).map(f64::from).collect(),
        }
    }
}

/// The groups of variables that the rows of a round select, each once.
pub(crate) fn candidates(parts: &[SoftConstraints]) -> Vec<Vec<Lit>> {
    let mut rows: Vec<Vec<Lit>> = parts
        .iter()
        .flat_map(SoftConstraints::binarised)
        .filter(|row| row.len() >= 2)
        .map(|row| row.into_iter().map(|i| Var(i as u32).positive()).collect())
        .collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}
