//! One part of a batch through backbone, samples and head, and back, on one thread.

use std::ops::Range;

use super::sampling::{Taps, is_seen};
use super::{MapInputs, MapNetwork};
use crate::forward_backward::{Mode, Pass};
use crate::network::Weights;
use crate::norm::sum;

/// The values of one part of a batch.
#[derive(Default)]
pub(crate) struct MapPass {
    pub backbone: Pass,
    pub head: Pass,
    /// For each map that is sampled.
    taps: Vec<Taps>,
}

impl MapPass {
    /// The logits (cell, image) of some of the images, which are already in the backbone's pass.
    pub fn forward(
        &mut self,
        network: &MapNetwork,
        weights: &Weights,
        inputs: MapInputs<'_>,
        range: Range<usize>,
        mode: Mode,
    ) -> &mut [f32] {
        let [backbone, head] = network.split(weights);
        self.backbone.forward(&network.backbone, backbone, mode);
        self.head.prepare(&network.head, range.len());
        self.fill_head(network, weights, inputs, range);
        self.head.forward(&network.head, head, mode)
    }

    /// The channels of the head's input, in the order of the table in the network's page.
    fn fill_head(
        &mut self,
        network: &MapNetwork,
        weights: &Weights,
        inputs: MapInputs<'_>,
        range: Range<usize>,
    ) {
        let (form, cells, images) = (&network.form, network.cells(), range.len());
        let points: Vec<&[[f32; 2]]> =
            range.clone().map(|image| inputs.points.of(image, network.points_of_image())).collect();
        let mut rest = &mut self.head.input[..];
        let mut take = |channels: usize| {
            let (taken, others) = std::mem::take(&mut rest).split_at_mut(channels * cells * images);
            rest = others;
            taken
        };
        self.taps.resize_with(network.maps.len(), Taps::default);
        for ((taps, map), &layer) in self.taps.iter_mut().zip(&network.maps).zip(&form.sampled) {
            taps.fill(map, network.input(), &points, form.points);
            taps.gather(self.backbone.output(layer), take(map.shape.channels * form.points));
        }
        let mut values = take(form.points).iter_mut();
        for point in 0..form.points {
            for cell in 0..cells {
                for (points, value) in points.iter().zip(values.by_ref()) {
                    let seen = is_seen(points[cell * form.points + point], network.input());
                    *value = f32::from(u8::from(!seen));
                }
            }
        }
        let from_centre = |at: usize, side: usize| 2.0 * at as f32 / (side.max(2) - 1) as f32 - 1.0;
        for (cell, value) in take(1).chunks_exact_mut(images).enumerate() {
            value.fill(from_centre(cell / form.columns, form.rows));
        }
        for (cell, value) in take(1).chunks_exact_mut(images).enumerate() {
            value.fill(from_centre(cell % form.columns, form.columns));
        }
        let learned = &weights.parameters[network.embedding()];
        for (value, learned) in take(form.embedding).chunks_exact_mut(images).zip(learned) {
            value.fill(*learned);
        }
        let size = network.extra_of_image();
        let extra = take(form.extra);
        for (at, image) in range.enumerate() {
            let from = &inputs.extra[image * size..(image + 1) * size];
            extra.iter_mut().skip(at).step_by(images).zip(from).for_each(|(value, &known)| *value = known);
        }
    }

    /// After [`MapPass::forward`] in training, and with derivatives in place of the logits: the derivatives
    /// by the parameters.
    pub fn backward(&mut self, network: &MapNetwork, weights: &Weights, images: usize, gradient: &mut [f32]) {
        let [backbone, head] = network.split(weights);
        let (form, plane) = (&network.form, network.cells() * images);
        let (first, rest) = gradient.split_at_mut(network.backbone.parameters);
        let (second, learned) = rest.split_at_mut(network.head.parameters);
        let mut slopes = self.head.backward(&network.head, head.parameters, second, true);
        for ((taps, map), &layer) in self.taps.iter().zip(&network.maps).zip(&form.sampled) {
            let (samples, others) = slopes.split_at(map.shape.channels * form.points * plane);
            taps.scatter(samples, self.backbone.slopes_of(layer));
            slopes = others;
        }
        let fixed = (form.points + 2) * plane;
        for (into, slopes) in learned.iter_mut().zip(slopes[fixed..].chunks_exact(images)) {
            *into = sum(slopes);
        }
        self.backbone.backward(&network.backbone, backbone.parameters, first, false);
    }
}
