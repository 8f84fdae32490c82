//! One part of a batch through a network and back (backpropagation), on one thread.

use crate::network::{Network, View};
use crate::norm::{self, Channel};
use preceptron_matrix::widest;

/// The values of one part of a batch at every layer: channel, row, column, image.
#[derive(Default)]
pub(crate) struct Pass {
    images: usize,
    pub input: Vec<f32>,
    layers: Vec<Values>,
    gathered: Vec<f32>,
    /// Derivatives by the output of the layer at hand, and by that of the layer before.
    slopes: [Vec<f32>; 2],
    /// Derivatives by the values of the linear map of the layer at hand.
    linear_slopes: Vec<f32>,
    /// What a residual is added to.
    summed: Vec<f32>,
    /// For each layer, derivatives by its input that do not come through the layer itself; nothing or all.
    added: Vec<Vec<f32>>,
    /// What batch norm saw, laid out as the network's statistics.
    pub statistics: Vec<f32>,
}

#[derive(Default)]
struct Values {
    linear: Vec<f32>,
    output: Vec<f32>,
    choice: Vec<u32>,
    channels: Vec<Channel>,
}

/// Where batch norm takes its statistics from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// From the values themselves.
    Training,
    /// From the running means.
    Prediction,
}

impl Pass {
    /// Makes room for so many images; the input is to be filled.
    pub fn prepare(&mut self, network: &Network, images: usize) {
        self.images = images;
        self.input.resize(network.input().size() * images, 0.0);
        self.layers.resize_with(network.stages.len(), Values::default);
        self.added.resize_with(network.stages.len(), Vec::new);
        self.added.iter_mut().for_each(Vec::clear);
        self.statistics.resize(network.statistics, 0.0);
        for (values, stage) in self.layers.iter_mut().zip(&network.stages) {
            values.linear.resize(stage.activation.input.size() * images, 0.0);
            values.output.resize(stage.activation.output().size() * images, 0.0);
            values.choice.resize(values.output.len(), 0);
        }
    }

    /// Puts an image (channel, row, column) among the others of the input.
    pub fn put(&mut self, at: usize, image: &[f32]) {
        for (into, &value) in self.input[at..].iter_mut().step_by(self.images).zip(image) {
            *into = value;
        }
    }

    /// The output of the last layer, such as the logits: class, image.
    pub fn forward(&mut self, network: &Network, weights: View<'_>, mode: Mode) -> &mut [f32] {
        let images = self.images;
        for (number, stage) in network.stages.iter().enumerate() {
            let (before, values) = self.layers.split_at_mut(number);
            let values = &mut values[0];
            let input_of = |layer: usize| match layer.checked_sub(1) {
                Some(layer) => &before[layer].output,
                None => &self.input,
            };
            let input = input_of(number);
            let kernels = &weights.parameters[stage.weights.clone()];
            stage.convolution.forward(kernels, input, images, &mut values.linear, &mut self.gathered);
            let shifts = &weights.parameters[stage.shift.clone()];
            let (mut scale, mut shift) = (vec![1.0; shifts.len()], shifts.to_vec());
            if let (Some(scales), Some(at)) = (&stage.scale, &stage.statistics) {
                let scales = &weights.parameters[scales.clone()];
                let (means, variances) = weights.statistics[at.clone()].split_at(scales.len());
                values.channels.clear();
                let size = values.linear.len() / scales.len();
                for (channel, row) in values.linear.chunks_exact(size).enumerate() {
                    let (mean, variance) = match mode {
                        Mode::Training => norm::statistics(row),
                        Mode::Prediction => (means[channel], variances[channel]),
                    };
                    self.statistics[at.start + channel] = mean;
                    self.statistics[at.start + scales.len() + channel] = variance;
                    let inverse = (variance + norm::EPSILON).sqrt().recip();
                    values.channels.push(Channel { mean, inverse, scale: scales[channel] });
                    scale[channel] = scales[channel] * inverse;
                    shift[channel] -= mean * scale[channel];
                }
            }
            let Values { linear, output, choice, .. } = values;
            match stage.skip {
                None => stage.activation.forward(linear, images, &scale, &shift, output, choice),
                Some(layer) => {
                    add_residual(linear, input_of(layer), &scale, &shift, &mut self.summed);
                    scale.fill(1.0);
                    shift.fill(0.0);
                    stage.activation.forward(&self.summed, images, &scale, &shift, output, choice);
                }
            }
        }
        self.layers.last_mut().map_or(&mut [], |values| &mut values.output)
    }

    /// The output of a layer: channel, row, column, image.
    pub fn output(&self, layer: usize) -> &[f32] {
        &self.layers[layer].output
    }

    /// Zeros to which derivatives by the output of a layer are to be added, after [`Pass::forward`]. For the
    /// last layer they stand in place of its output.
    pub fn slopes_of(&mut self, layer: usize) -> &mut [f32] {
        let output = &mut self.layers[layer].output;
        let Some(added) = self.added.get_mut(layer + 1) else {
            output.fill(0.0);
            return output;
        };
        added.clear();
        added.resize(output.len(), 0.0);
        added
    }

    /// After [`Pass::forward`] in training, and with derivatives in place of the output of the last layer:
    /// the derivatives by the parameters. Returns those by the input, if they are `wanted`.
    pub fn backward(
        &mut self,
        network: &Network,
        parameters: &[f32],
        gradient: &mut [f32],
        wanted: bool,
    ) -> &[f32] {
        let Pass { images, input, layers, gathered, slopes, linear_slopes, added, .. } = self;
        let images = *images;
        let [mut above, mut below] = slopes.each_mut();
        if let Some(last) = layers.last() {
            above.clone_from(&last.output);
        }
        for (number, stage) in network.stages.iter().enumerate().rev() {
            let values = &layers[number];
            linear_slopes.resize(values.linear.len(), 0.0);
            stage.activation.backward(above, &values.choice, images, linear_slopes);
            if let Some(layer) = stage.skip.filter(|layer| *layer > 0 || wanted) {
                added[layer].resize(linear_slopes.len(), 0.0);
                add(&mut added[layer], linear_slopes);
            }
            let size = values.linear.len() / stage.shift.len();
            for (channel, slopes) in linear_slopes.chunks_exact_mut(size).enumerate() {
                gradient[stage.shift.start + channel] = match &stage.scale {
                    None => norm::sum(slopes),
                    Some(scale) => {
                        let row = &values.linear[channel * size..(channel + 1) * size];
                        let (by_scale, by_shift) = values.channels[channel].backward(row, slopes);
                        gradient[scale.start + channel] = by_scale;
                        by_shift
                    }
                };
            }
            let input = match number.checked_sub(1) {
                Some(before) => &layers[before].output,
                None => &*input,
            };
            below.clear();
            let onward = number > 0 || wanted;
            if onward {
                below.resize(input.len(), 0.0);
            }
            stage.convolution.backward(
                &parameters[stage.weights.clone()],
                input,
                linear_slopes,
                images,
                &mut gradient[stage.weights.clone()],
                onward.then_some(&mut *below),
                gathered,
            );
            if onward && !added[number].is_empty() {
                add(below, &added[number]);
                added[number].clear();
            }
            std::mem::swap(&mut above, &mut below);
        }
        above
    }
}

/// `scale * x + shift`, with one scale and shift for each channel, plus the residual.
fn add_residual(linear: &[f32], residual: &[f32], scale: &[f32], shift: &[f32], summed: &mut Vec<f32>) {
    summed.resize(linear.len(), 0.0);
    let size = linear.len() / scale.len();
    let inputs = linear.chunks_exact(size).zip(residual.chunks_exact(size));
    let channels = inputs.zip(scale.iter().zip(shift)).zip(summed.chunks_exact_mut(size));
    widest(
        #[inline(always)]
        || {
            for (((linear, residual), (scale, shift)), summed) in channels {
                for ((sum, x), residual) in summed.iter_mut().zip(linear).zip(residual) {
                    *sum = scale * x + shift + residual;
                }
            }
        },
    );
}

fn add(sums: &mut [f32], values: &[f32]) {
    widest(
        #[inline(always)]
        || sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value),
    );
}
