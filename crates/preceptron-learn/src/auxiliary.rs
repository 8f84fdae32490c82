//! Auxiliary variables, grounded for each example: the paper's form for chained XOR.
//!
//! A row counts the inputs x of an example, shared by all rows, and auxiliary variables z that every
//! example has of its own and that say *how* the row is satisfied:
//! ```text
//! W_x x + W_z z  =  b - y        for every example, 0 <= W, z <= 1
//! ```
//! Over N examples d = (x; z), a step updates the rows by the machine of [`crate::row_update`],
//! ```text
//! (D'D/N + (lambda + g) I) w+ = D'(b - y)/N + lambda w0 + (g + t1) w - (t1/2) e      then clamp to [0,1]
//! ```
//! and the auxiliary variables of each example, pulled towards 0 by a ridge,
//! ```text
//! (W_z'W_z + r I) z+ = W_z'(b - y - W_x x) + t2 z - (t2/2) e                         then clamp to [0,1]
//! ```
//!
//! | symbol | here | default, for inputs of length L |
//! |---|---|---|
//! | rows of W (m) | `rows` | 20 |
//! | entries of z | `auxiliaries` | L - 1 |
//! | b | `bound` | L |
//! | lambda | `trust_region` | 0 |
//! | g = 1/gamma | `proximal` | 0.6 L |
//! | r | `ridge` | L |
//! | t1, t2 at the last step, rising from 0 | `constraint_penalty`, `grounding_penalty` | 0, 0 |
//!
//! The second system has one unknown for each auxiliary variable, but W_z only a few rows. With v =
//! t2 (z - e/2) it is solved in their number: z+ = v/r + W_z'(W_z W_z' + r I)^-1 (b - y - W_x x - W_z v/r).
//!
//! The paper prints no ridge; its authors' programs have r = 1. The auxiliary variables then fit the rows
//! almost at once, and the weights hardly move: at L = 60 the least was 0.45 after 400 steps, where r = L has
//! all of them at 1 after about 60.
//!
//! What this form does not do: b = L with L - 1 auxiliary variables can be reached only by large weights,
//! so that every weight is driven to 1, whatever the examples are. Which inputs matter is not learned; all
//! are taken. Where some do not matter, nothing comes of it, and [`crate::learn`] with its elimination
//! over GF(2) is the way.

use std::collections::BTreeSet;

use preceptron_logic::Var;
use preceptron_matrix::{Cholesky, Mat, View, product};
use rand::RngExt;

use crate::Examples;
use crate::auxiliary_settings::{CheckedAuxiliary, UpdateOrder};
use crate::row_update::{Projection, RowProblem, RowWeights, SoftConstraints, is_boolean};
use preceptron_base::stream;

/// Rows and auxiliary variables while they are learned, a step at a time.
pub struct AuxiliaryForm {
    inputs: Vec<Var>,
    /// The inputs and then the auxiliary variables, examples x variables.
    data: Mat,
    /// b - y, one for each example.
    targets: Mat,
    soft: SoftConstraints,
    settings: CheckedAuxiliary,
    steps: u32,
}

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AuxiliaryStep {
    /// The mean over examples and rows of (W_x x + W_z z - b + y)^2.
    pub loss: f64,
    /// The greatest change of a weight.
    pub change: f64,
    /// The smallest weight.
    pub least: f64,
}

impl AuxiliaryForm {
    /// Rows and auxiliary variables at random. A value that is not observed counts as false.
    ///
    /// # Panics
    /// If there is no example.
    pub fn new(
        examples: &Examples,
        inputs: &[Var],
        answer: Var,
        settings: CheckedAuxiliary,
    ) -> AuxiliaryForm {
        assert!(!examples.is_empty(), "there are examples");
        let (length, own) = (inputs.len(), settings.auxiliaries);
        let value = |row: usize, var: Var| f64::from(u8::from(examples.get(row, var) == Some(true)));
        let mut random = stream(settings.seed, "centres of the auxiliary form", 0);
        let centres = Mat::from_fn(length + own, settings.rows, |_, _| random.random::<f64>());
        let mut random = stream(settings.seed, "auxiliary variables", 0);
        let data = Mat::from_fn(examples.len(), length + own, |row, at| match inputs.get(at) {
            Some(&input) => value(row, input),
            None => random.random::<f64>(),
        });
        AuxiliaryForm {
            inputs: inputs.to_vec(),
            data,
            targets: Mat::from_fn(examples.len(), 1, |row, _| settings.bound - value(row, answer)),
            // The whole linear term is in the targets: the sums multiply it by 1.
            soft: SoftConstraints::at(centres, 1.0),
            settings,
            steps: 0,
        }
    }

    /// One update of the rows and one of the auxiliary variables, in the order of the settings.
    pub fn step(&mut self) -> AuxiliaryStep {
        let last = (self.settings.iterations - 1).max(1);
        let share = f64::from(self.steps.min(last)) / f64::from(last);
        let (t1, t2) = (share * self.settings.constraint_penalty, share * self.settings.grounding_penalty);
        let before = self.soft.rows.clone();
        match self.settings.order {
            UpdateOrder::Printed => {
                self.update_rows(t1);
                self.update_auxiliaries(t2);
            }
            UpdateOrder::Authors => {
                self.update_auxiliaries(t2);
                self.update_rows(t1);
            }
        }
        self.steps += 1;
        AuxiliaryStep {
            loss: self.loss(),
            change: self.soft.rows.distance(&before),
            least: self.soft.rows.entries().iter().copied().fold(1.0, f64::min),
        }
    }

    fn update_rows(&mut self, t: f64) {
        let share = 1.0 / self.data.nrows() as f64;
        let mean_of = |right: View<'_>| {
            let mut products = product(self.data.transposed(), right);
            products.entries_mut().iter_mut().for_each(|value| *value *= share);
            products
        };
        let (quadratic, linear) = (mean_of(self.data.view()), mean_of(self.targets.view()));
        let schedule = RowWeights {
            trust_region: self.settings.trust_region,
            proximal: self.settings.proximal,
            penalty: self.settings.constraint_penalty,
            iterations: self.settings.iterations,
        };
        let linear = linear.entries().to_vec();
        // The settings keep the proximal weight above rounding errors of the moments.
        let problem = RowProblem::new(&quadratic, linear, Projection::Box, &schedule)
            .expect("moments with a positive diagonal added are positive definite");
        self.soft.rows = problem.update(&self.soft, t);
    }

    fn update_auxiliaries(&mut self, t: f64) {
        let (m, r, length) = (self.soft.rows.ncols(), self.settings.ridge, self.inputs.len());
        let (w, d) = (self.soft.rows.view(), self.data.view());
        let (w_x, w_z) = (w.rows_of(0..length), w.rows_of(length..w.rows));
        let (x, z) = (d.columns_of(0..length), d.columns_of(length..d.columns));
        let pull = Mat::from_fn(z.rows, z.columns, |i, j| t / r * (z.get(i, j) - 0.5));
        let (counted, pulled) = (product(x, w_x), product(pull.view(), w_z));
        // Transposed, so that an example is a column: rows x examples.
        let short = |row, i| self.targets[(i, 0)] - (counted[(i, row)] + pulled[(i, row)]);
        let missing = Mat::from_fn(m, x.rows, short);
        let mut system = product(w_z.transposed(), w_z);
        (0..m).for_each(|row| system[(row, row)] += r);
        let solved = Cholesky::of(&system).expect("a ridge makes a Gram matrix definite").solve(missing);
        let next = product(solved.transposed(), w_z.transposed());
        let (columns, pull) = (length..d.columns, pull.entries());
        for ((value, next), pull) in self.data.columns_mut(columns).iter_mut().zip(next.entries()).zip(pull) {
            *value = (next + pull).clamp(0.0, 1.0);
        }
    }

    fn loss(&self) -> f64 {
        let counted = product(self.data.view(), self.soft.rows.view());
        let targets = self.targets.entries();
        let errors = counted.entries().chunks(targets.len()).flat_map(|row| row.iter().zip(targets));
        errors.map(|(sum, target)| (sum - target).powi(2)).sum::<f64>() / counted.entries().len() as f64
    }

    /// Whether all weights of the inputs are 0 or 1.
    pub fn is_boolean(&self) -> bool {
        let rows = (0..self.soft.rows.ncols()).map(|row| &self.soft.rows.column(row)[..self.inputs.len()]);
        rows.flatten().all(|&weight| is_boolean(weight))
    }

    /// The inputs that the rows count, their weights binarised at one half; each set once.
    pub fn rows(&self) -> Vec<Vec<Var>> {
        let inputs =
            |row: Vec<usize>| row.into_iter().filter_map(|at| self.inputs.get(at).copied()).collect();
        let distinct: BTreeSet<Vec<Var>> = self.soft.binarised().into_iter().map(inputs).collect();
        distinct.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AuxiliarySettings;
    use proptest::prelude::*;

    /// Strings of the given bits; the answer, the last variable, is the parity of the first `relevant`.
    fn strings(bits: &[Vec<bool>], relevant: usize) -> Examples {
        let rows: Vec<Vec<bool>> = bits
            .iter()
            .map(|bits| {
                let odd = bits[..relevant].iter().filter(|bit| **bit).count() % 2 == 1;
                bits.iter().copied().chain([odd]).collect()
            })
            .collect();
        Examples::from_full_rows(bits[0].len() + 1, &rows)
    }

    fn drawn(count: usize, length: usize, seed: u64) -> Vec<Vec<bool>> {
        let mut random = stream(seed, "test", 0);
        (0..count).map(|_| (0..length).map(|_| random.random()).collect()).collect()
    }

    fn form(examples: &Examples, settings: AuxiliarySettings, seed: u64) -> AuxiliaryForm {
        let length = examples.variables() - 1;
        let inputs: Vec<Var> = (0..length as u32).map(Var).collect();
        AuxiliaryForm::new(examples, &inputs, Var(length as u32), settings.checked(length, seed).unwrap())
    }

    /// The plain twin of both updates: descent on |A u - q|^2 / scale + near |u - centre|^2 +
    /// proximal |u - u_k|^2 + t (e - 2 u_k)'u without the box, then the clamp.
    struct Plain<'a> {
        a: &'a [Vec<f64>],
        q: &'a [f64],
        scale: f64,
        near: (f64, &'a [f64]),
        proximal: f64,
        t: f64,
    }

    fn plain(problem: &Plain<'_>, current: &[f64]) -> Vec<f64> {
        let Plain { a, q, scale, near: (near, centre), proximal, t } = *problem;
        let size: f64 = a.iter().flatten().map(|a| a * a).sum::<f64>() / scale;
        let rate = 0.5 / (size + near + proximal);
        let mut u = current.to_vec();
        for _ in 0..20_000 {
            let errors: Vec<f64> =
                a.iter().zip(q).map(|(a, q)| a.iter().zip(&u).map(|(a, u)| a * u).sum::<f64>() - q).collect();
            u = (0..u.len())
                .map(|i| {
                    let fit: f64 = a.iter().zip(&errors).map(|(a, e)| a[i] * e).sum::<f64>() / scale;
                    let gradient = 2.0 * fit
                        + 2.0 * near * (u[i] - centre[i])
                        + 2.0 * proximal * (u[i] - current[i])
                        + t * (1.0 - 2.0 * current[i]);
                    u[i] - rate * gradient
                })
                .collect();
        }
        u.iter().map(|u| u.clamp(0.0, 1.0)).collect()
    }

    fn row(matrix: View<'_>, row: usize) -> Vec<f64> {
        (0..matrix.columns).map(|column| matrix.get(row, column)).collect()
    }

    fn plain_rows(form: &AuxiliaryForm, t: f64) -> Mat {
        let s = &form.settings;
        let data: Vec<Vec<f64>> = (0..form.data.nrows()).map(|i| row(form.data.view(), i)).collect();
        let mut rows = form.soft.rows.clone();
        for r in 0..rows.ncols() {
            let problem = Plain {
                a: &data,
                q: form.targets.column(0),
                scale: data.len() as f64,
                near: (s.trust_region, form.soft.centres.column(r)),
                proximal: s.proximal,
                t,
            };
            let next = plain(&problem, form.soft.rows.column(r));
            rows.column_mut(r).copy_from_slice(&next);
        }
        rows
    }

    fn plain_auxiliaries(form: &AuxiliaryForm, t: f64) -> Mat {
        let length = form.inputs.len();
        let weights: Vec<Vec<f64>> =
            (0..form.soft.rows.ncols()).map(|r| form.soft.rows.column(r).to_vec()).collect();
        let own: Vec<Vec<f64>> = weights.iter().map(|w| w[length..].to_vec()).collect();
        let mut data = form.data.clone();
        for i in 0..data.nrows() {
            let example = row(form.data.view(), i);
            let (x, z) = example.split_at(length);
            let counted = |w: &Vec<f64>| w.iter().zip(x).map(|(w, x)| w * x).sum::<f64>();
            let q: Vec<f64> = weights.iter().map(|w| form.targets[(i, 0)] - counted(w)).collect();
            let zero = vec![0.0; z.len()];
            let ridge = (form.settings.ridge, &zero[..]);
            let next = plain(&Plain { a: &own, q: &q, scale: 1.0, near: ridge, proximal: 0.0, t }, z);
            next.into_iter().enumerate().for_each(|(j, z)| data[(i, length + j)] = z);
        }
        data
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        #[test]
        fn steps_minimise_their_objectives(
            seed in any::<u64>(),
            count in 2..8usize,
            ridge in 0.5..4.0f64,
            penalty in 0.0..0.4f64,
            authors in any::<bool>(),
        ) {
            let order = if authors { UpdateOrder::Authors } else { UpdateOrder::Printed };
            let settings = AuxiliarySettings {
                order, rows: 2, trust_region: 0.2, ridge: Some(ridge), iterations: 2,
                constraint_penalty: penalty, grounding_penalty: penalty, ..AuxiliarySettings::default()
            };
            let mut fast = form(&strings(&drawn(count, 4, seed), 4), settings, seed);
            let mut twin = form(&strings(&drawn(count, 4, seed), 4), settings, seed);
            for t in [0.0, penalty] {
                fast.step();
                if authors {
                    twin.data = plain_auxiliaries(&twin, t);
                    twin.soft.rows = plain_rows(&twin, t);
                } else {
                    twin.soft.rows = plain_rows(&twin, t);
                    twin.data = plain_auxiliaries(&twin, t);
                }
                let apart = fast.soft.rows.distance(&twin.soft.rows);
                prop_assert!(apart < 1e-5, "rows {apart}");
                let apart = fast.data.distance(&twin.data);
                prop_assert!(apart < 1e-5, "auxiliary variables {apart}");
            }
        }
    }

    fn trained(examples: &Examples, settings: AuxiliarySettings, seed: u64) -> AuxiliaryForm {
        let mut form = form(examples, settings, seed);
        for _ in 0..settings.iterations {
            form.step();
        }
        form
    }

    #[test]
    fn every_weight_becomes_one() {
        for order in [UpdateOrder::Printed, UpdateOrder::Authors] {
            for (relevant, seed) in [(12, 1), (12, 2), (5, 3), (1, 4)] {
                let settings = AuxiliarySettings { order, ..AuxiliarySettings::default() };
                let form = trained(&strings(&drawn(60, 12, seed), relevant), settings, seed);
                // Whether the bits matter or not.
                assert_eq!(form.rows(), [(0..12).map(Var).collect::<Vec<_>>()], "{order:?} {relevant}");
                assert!(form.is_boolean());
            }
        }
    }

    #[test]
    fn a_seed_says_everything() {
        let examples = strings(&drawn(40, 9, 0), 9);
        let at = |seed| {
            let mut form = form(&examples, AuxiliarySettings::default(), seed);
            (form.step(), form.step())
        };
        assert_eq!(at(3), at(3));
        assert_ne!(at(3), at(4));
    }
}
