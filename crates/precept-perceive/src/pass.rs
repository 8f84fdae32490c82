//! One part of a batch through a network and back, on one thread.

use crate::network::{Network, Weights};
use crate::norm::{self, Channel};

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
    /// What batch norm saw, laid out as [`Weights::statistics`].
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
        self.statistics.resize(network.statistics, 0.0);
        for (values, stage) in self.layers.iter_mut().zip(&network.stages) {
            values.linear.resize(stage.activation.input.size() * images, 0.0);
            values.output.resize(stage.activation.output().size() * images, 0.0);
            values.choice.resize(values.output.len(), 0);
        }
    }

    /// The logits: class, image.
    pub fn forward(&mut self, network: &Network, weights: &Weights, mode: Mode) -> &mut [f32] {
        let images = self.images;
        let mut input = &self.input;
        for (stage, values) in network.stages.iter().zip(&mut self.layers) {
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
            stage.activation.forward(linear, images, &scale, &shift, output, choice);
            input = &values.output;
        }
        self.layers.last_mut().map_or(&mut [], |values| &mut values.output)
    }

    /// After [`Pass::forward`] in training, and with derivatives in place of the logits: the derivatives by
    /// the parameters.
    pub fn backward(&mut self, network: &Network, weights: &Weights, gradient: &mut [f32]) {
        let Pass { images, input, layers, gathered, slopes, linear_slopes, .. } = self;
        let images = *images;
        let [mut above, mut below] = slopes.each_mut();
        if let Some(last) = layers.last() {
            above.clone_from(&last.output);
        }
        for (number, stage) in network.stages.iter().enumerate().rev() {
            let values = &layers[number];
            linear_slopes.resize(values.linear.len(), 0.0);
            stage.activation.backward(above, &values.choice, images, linear_slopes);
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
            if number > 0 {
                below.resize(input.len(), 0.0);
            }
            stage.convolution.backward(
                &weights.parameters[stage.weights.clone()],
                input,
                linear_slopes,
                images,
                &mut gradient[stage.weights.clone()],
                (number > 0).then_some(&mut *below),
                gathered,
            );
            std::mem::swap(&mut above, &mut below);
        }
    }
}
