//! The backward pass of whole batches.
//!
//! From the U of each example (see `descent.rs`), a row u_i for each variable, and its V:
//! ```text
//! dL/dC = sum over examples of U V'         dL/dS = (dL/dC + (dL/dC)') S
//! ```
//! The examples stand side by side, so that the sum over them is the inside of one product of matrices.

use preceptron_matrix::{Strided, multiply};
use rayon::prelude::*;

use super::descent::{Settled, Workspace};
use super::{Pass, SatNet, SatNetError};

/// Columns of a product of matrices that a thread computes at a time.
const COLUMNS: usize = 128;

/// The derivatives of a loss.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradients {
    /// By S, summed over the examples, in the order of [`SatNet::clauses`].
    pub clauses: Vec<f32>,
    /// By the inputs, row by row; 0 for outputs.
    pub inputs: Vec<f32>,
}

impl SatNet {
    /// The derivatives of a loss, from those by the outputs of a pass. Those at inputs are not looked at:
    /// where the loss has inputs in it directly, the caller adds their part.
    ///
    /// # Errors
    /// If there is not one derivative for each output of the pass.
    pub fn backward(&self, pass: &Pass, by_outputs: &[f32]) -> Result<Gradients, SatNetError> {
        if by_outputs.len() != pass.outputs.len() {
            let expected = format!("one for each of {} outputs", pass.outputs.len());
            return Err(SatNetError::length("derivatives", by_outputs.len(), expected));
        }
        let (problem, all) = (self.problem(), self.shape().all());
        let one = |work: &mut Workspace, (settled, by_outputs): (&Settled, &[f32])| {
            let derivative = |&variable: &usize| by_outputs.get(variable - 1).copied().unwrap_or(0.0);
            let by_unknown: Vec<f32> = settled.order.iter().map(derivative).collect();
            let changes = problem.linearised(settled, &by_unknown, work);
            let by_known = problem.by_inputs(settled, &changes, work);
            (changes, by_known)
        };
        let pairs = pass.settled.par_iter().zip(by_outputs.par_chunks_exact(self.variables));
        let found: Vec<_> = pairs.map_init(Workspace::default, one).collect();
        let mut inputs = vec![0.0; by_outputs.len()];
        // The vectors of all examples side by side: U and V, a row for each variable.
        let length = problem.width * 8;
        let stride = length * found.len();
        let (mut changes, mut vectors) = (vec![0.0; all * stride], vec![0.0; all * stride]);
        let examples = pass.settled.iter().zip(&found).zip(inputs.chunks_exact_mut(self.variables));
        for (number, ((settled, (change, by_known)), inputs)) in examples.enumerate() {
            problem.spread_unknown(settled, change, &mut changes[number * length..], stride);
            problem.spread(settled, &mut vectors[number * length..], stride);
            for (known, derivative) in
                settled.known.iter().zip(by_known).filter(|(known, _)| known.variable > 0)
            {
                inputs[known.variable - 1] = *derivative;
            }
        }
        // dL/dC = U V' + V U' and dL/dS = (U V' + V U') S.
        let rows =
            |values| Strided { values, rows: all, columns: stride, row_stride: stride, column_stride: 1 };
        let mut by_gram = vec![0.0; all * all];
        by_columns(&mut by_gram, all, rows(&changes[..]), rows(&vectors[..]).transposed());
        for i in 0..all {
            for j in 0..i {
                let sum = by_gram[i * all + j] + by_gram[j * all + i];
                (by_gram[i * all + j], by_gram[j * all + i]) = (sum, sum);
            }
            by_gram[i * all + i] *= 2.0;
        }
        let mut clauses = vec![0.0; self.adam.weights.len()];
        let by_gram = Strided::by_columns(&by_gram, all, all, all);
        by_columns(&mut clauses, self.settings.clauses, self.matrix().transposed(), by_gram);
        Ok(Gradients { clauses, inputs })
    }
}

/// `product = left right`, some columns at a time on each thread. Every sum is the same on any number of
/// threads.
pub(super) fn by_columns(product: &mut [f32], rows: usize, left: Strided<'_, f32>, right: Strided<'_, f32>) {
    product.par_chunks_mut(rows * COLUMNS).enumerate().for_each(|(number, part)| {
        let columns = number * COLUMNS..number * COLUMNS + part.len() / rows;
        multiply(part, rows, left, right.columns_of(columns), false);
    });
}
