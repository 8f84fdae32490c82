//! Linear layers with ReLU between them.

use preceptron_matrix::widest;

use super::linear::{Linear, add_gradient, add_to_columns, apply, apply_back, sum_columns};
use super::parameters::{Parameters, Start};

/// Where the weights of the layers stand.
#[derive(Clone, Debug)]
pub(crate) struct Mlp {
    layers: Vec<Linear>,
    /// Whether there is a ReLU behind the last layer as well.
    relu_last: bool,
}

/// The outputs of the layers.
#[derive(Clone, Debug, Default)]
pub(crate) struct MlpTrace(Vec<Vec<f32>>);

impl MlpTrace {
    pub fn output(&self) -> &[f32] {
        self.0.last().map_or(&[], Vec::as_slice)
    }
}

/// Uniform with variance 2 / (inputs + outputs), as Glorot has it.
pub(crate) fn glorot([inputs, outputs]: [usize; 2]) -> Start {
    Start::Uniform((6.0 / (inputs + outputs) as f32).sqrt())
}

impl Mlp {
    /// Adds layers of these widths, the first of which is that of the input.
    pub fn add(parameters: &mut Parameters, name: &str, widths: &[usize], relu_last: bool) -> Mlp {
        let layer = |(number, pair): (usize, &[usize])| {
            let shape = [pair[0], pair[1]];
            Linear::add(parameters, &format!("{name}.{number}"), shape, glorot(shape), true)
        };
        Mlp { layers: widths.windows(2).enumerate().map(layer).collect(), relu_last }
    }

    /// The layers, for the plain twins.
    #[cfg(test)]
    pub fn layers(&self) -> &[Linear] {
        &self.layers
    }

    fn has_relu(&self, layer: usize) -> bool {
        self.relu_last || layer + 1 < self.layers.len()
    }

    pub fn forward(&self, weights: &[f32], input: &[f32], trace: &mut MlpTrace) {
        trace.0.resize_with(self.layers.len(), Vec::new);
        for (number, layer) in self.layers.iter().enumerate() {
            let (before, at) = trace.0.split_at_mut(number);
            let (x, y) = (before.last().map_or(input, Vec::as_slice), &mut at[0]);
            y.resize(x.len() / layer.inputs * layer.outputs, 0.0);
            apply(&weights[layer.weight.clone()], x, layer.inputs, y, false);
            add_to_columns(y, &weights[layer.bias.clone()]);
            if self.has_relu(number) {
                relu(y);
            }
        }
    }

    /// From the derivatives by the output, in `slopes`, to those by the input, which take their place; adds those
    /// by the weights.
    pub fn backward(
        &self,
        weights: &[f32],
        input: &[f32],
        trace: &MlpTrace,
        slopes: &mut Vec<f32>,
        room: &mut Vec<f32>,
        gradient: &mut [f32],
    ) {
        for (number, layer) in self.layers.iter().enumerate().rev() {
            if self.has_relu(number) {
                relu_back(&trace.0[number], slopes);
            }
            let x = number.checked_sub(1).map_or(input, |before| &trace.0[before]);
            add_gradient(slopes, x, layer.inputs, &mut gradient[layer.weight.clone()]);
            sum_columns(slopes, &mut gradient[layer.bias.clone()]);
            room.resize(x.len(), 0.0);
            apply_back(&weights[layer.weight.clone()], slopes, layer.inputs, room, false);
            std::mem::swap(slopes, room);
        }
    }
}

/// Values below 0 become 0.
pub(crate) fn relu(values: &mut [f32]) {
    widest(
        #[inline(always)]
        || values.iter_mut().for_each(|value| *value = if *value < 0.0 { 0.0 } else { *value }),
    );
}

/// Derivatives of values that became 0 are 0.
pub(crate) fn relu_back(values: &[f32], slopes: &mut [f32]) {
    widest(
        #[inline(always)]
        || {
            for (slope, value) in slopes.iter_mut().zip(values) {
                *slope = if *value > 0.0 { *slope } else { 0.0 };
            }
        },
    );
}
