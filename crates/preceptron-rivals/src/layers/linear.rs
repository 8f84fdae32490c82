//! Linear maps, and layer norm's scale and shift put into them.
//!
//! ```text
//! Y = W X + b        dL/dX = W' D        dL/dW = D X'        dL/db = sum of D's columns
//! ```
//! W has a row for each output. It stands column by column, that is, as a tensor of shape (inputs, outputs).
//!
//! A map behind a layer norm with scale g and shift h, where s is what the norm gives without them, is
//! ```text
//! Y = W (g s + h) + b = F s + f        F = W diag(g)        f = b + W h
//! dL/dW = dL/dF diag(g) + dL/df h'     dL/dg = sum over rows of dL/dF W     dL/dh = W' dL/df
//! ```
//! So g and h cost nothing within the recurrences: they enter F and f before, and leave their gradients after.

use std::ops::Range;

use preceptron_matrix::{Strided, multiply, widest};

use super::parameters::{Parameters, Start};

/// Where the weights of a linear map stand, and how large it is.
#[derive(Clone, Debug)]
pub(crate) struct Linear {
    pub inputs: usize,
    pub outputs: usize,
    pub weight: Range<usize>,
    /// Nothing, or empty, where there is no bias.
    pub bias: Range<usize>,
}

impl Linear {
    /// Adds the tensors `NAME.weight` and, if wanted, `NAME.bias`.
    pub fn add(
        parameters: &mut Parameters,
        name: &str,
        [inputs, outputs]: [usize; 2],
        start: Start,
        with_bias: bool,
    ) -> Linear {
        let weight = parameters.add(format!("{name}.weight"), vec![inputs, outputs], start, true);
        let bias = match with_bias {
            true => parameters.add(format!("{name}.bias"), vec![outputs], Start::Value(0.0), false),
            false => weight.end..weight.end,
        };
        Linear { inputs, outputs, weight, bias }
    }
}

/// Adds the product of a map and columns: `Y += W X`, or `Y = W X` if not `add`.
pub(crate) fn apply(weight: &[f32], x: &[f32], inputs: usize, y: &mut [f32], add: bool) {
    let (columns, outputs) = (x.len() / inputs, weight.len() / inputs);
    let left = Strided::by_columns(weight, outputs, inputs, outputs);
    multiply(y, outputs, left, Strided::by_columns(x, inputs, columns, inputs), add);
}

/// The derivatives by the input: `dX = W' D`, or added if `add`.
pub(crate) fn apply_back(weight: &[f32], slopes: &[f32], inputs: usize, into: &mut [f32], add: bool) {
    let outputs = weight.len() / inputs;
    let columns = slopes.len() / outputs;
    let left = Strided::by_columns(weight, outputs, inputs, outputs).transposed();
    multiply(into, inputs, left, Strided::by_columns(slopes, outputs, columns, outputs), add);
}

/// Adds the derivatives by the weights: `dW += D X'`.
pub(crate) fn add_gradient(slopes: &[f32], x: &[f32], inputs: usize, gradient: &mut [f32]) {
    let outputs = gradient.len() / inputs;
    let columns = x.len() / inputs;
    let right = Strided::by_columns(x, inputs, columns, inputs).transposed();
    multiply(gradient, outputs, Strided::by_columns(slopes, outputs, columns, outputs), right, true);
}

/// Adds a vector to each column.
pub(crate) fn add_to_columns(columns: &mut [f32], vector: &[f32]) {
    widest(
        #[inline(always)]
        || {
            for column in columns.chunks_exact_mut(vector.len()) {
                column.iter_mut().zip(vector).for_each(|(value, add)| *value += add);
            }
        },
    );
}

/// Adds up the columns.
pub(crate) fn sum_columns(columns: &[f32], sums: &mut [f32]) {
    widest(
        #[inline(always)]
        || {
            for column in columns.chunks_exact(sums.len()) {
                sums.iter_mut().zip(column).for_each(|(sum, value)| *sum += value);
            }
        },
    );
}

/// Adds values to values.
pub(crate) fn add_all(sums: &mut [f32], values: &[f32]) {
    widest(
        #[inline(always)]
        || sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value),
    );
}

/// A linear map with the scale and shift of the layer norm before it.
#[derive(Clone, Debug)]
pub(crate) struct Normed {
    pub linear: Linear,
    pub scale: Range<usize>,
    pub shift: Range<usize>,
}

/// F and f, or their gradients.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folded {
    pub weight: Vec<f32>,
    pub bias: Vec<f32>,
}

impl Folded {
    /// Zeros, for gradients.
    pub fn clear(&mut self, of: &Normed) {
        for (values, len) in [(&mut self.weight, of.linear.weight.len()), (&mut self.bias, of.linear.outputs)]
        {
            values.clear();
            values.resize(len, 0.0);
        }
    }
}

impl Normed {
    /// F and f.
    pub fn fold(&self, parameters: &[f32]) -> Folded {
        let weight = &parameters[self.linear.weight.clone()];
        let mut bias = parameters[self.linear.bias.clone()].to_vec();
        bias.resize(self.linear.outputs, 0.0);
        let mut folded = weight.to_vec();
        let norm = parameters[self.scale.clone()].iter().zip(&parameters[self.shift.clone()]);
        let columns = folded.chunks_exact_mut(self.linear.outputs);
        for (column, (scale, shift)) in columns.zip(norm) {
            for (weight, bias) in column.iter_mut().zip(&mut bias) {
                *bias += *weight * shift;
                *weight *= scale;
            }
        }
        Folded { weight: folded, bias }
    }

    /// Writes the gradients of the map, the scale and the shift from those of F and f.
    pub fn unfold(&self, parameters: &[f32], by: &Folded, gradient: &mut [f32]) {
        let outputs = self.linear.outputs;
        if !self.linear.bias.is_empty() {
            gradient[self.linear.bias.clone()].copy_from_slice(&by.bias);
        }
        for input in 0..self.linear.inputs {
            let at = self.linear.weight.start + input * outputs;
            let column = &by.weight[input * outputs..(input + 1) * outputs];
            let (g, h) = (parameters[self.scale.start + input], parameters[self.shift.start + input]);
            let (mut by_scale, mut by_shift) = (0.0, 0.0);
            for (row, (by_weight, by_bias)) in column.iter().zip(&by.bias).enumerate() {
                let weight = parameters[at + row];
                by_scale += by_weight * weight;
                by_shift += by_bias * weight;
                gradient[at + row] = by_weight * g + by_bias * h;
            }
            gradient[self.scale.start + input] = by_scale;
            gradient[self.shift.start + input] = by_shift;
        }
    }
}
