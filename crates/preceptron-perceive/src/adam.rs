//! Steps of Adam and AdamW, with averaged weights.
//!
//! With g the gradient, c1 and c2 the corrections for a start at 0, and lr the learning rate of the step:
//! ```text
//! m = b1 m + (1 - b1) g        v = b2 v + (1 - b2) g^2
//! w = w - lr (m / c1) / (sqrt(v / c2) + epsilon) - lr decay w
//! a = k a + (1 - k) w
//! ```
//! Adam adds `decay w` to g instead. k is the setting `averaging`, less in the first steps: at most
//! (1 + step) / (10 + step), so that the average soon forgets where training began.

use std::ops::Range;

use rayon::prelude::*;

use crate::network::{Network, Weights};
use crate::norm::MOMENTUM;
use crate::{Checked, Optimiser};
use preceptron_matrix::widest;

const EPSILON: f32 = 1e-8;

/// Parameters that a thread takes at a time.
const CHUNK: usize = 4096;

/// Weights and all that the next step needs to know of the steps before.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    pub step: u64,
    pub weights: Weights,
    /// The weights that predict; nothing without averaging.
    pub averaged: Option<Weights>,
    /// The mean of gradients (m) and of their squares (v).
    pub gradient: Vec<f32>,
    pub square: Vec<f32>,
}

impl State {
    pub fn new(network: &Network, settings: &Checked) -> State {
        State::start(network.initial(settings.seed, 0), settings)
    }

    /// Before the first step from these weights.
    pub fn start(weights: Weights, settings: &Checked) -> State {
        State {
            step: 0,
            averaged: (settings.averaging > 0.0).then(|| weights.clone()),
            gradient: vec![0.0; weights.parameters.len()],
            square: vec![0.0; weights.parameters.len()],
            weights,
        }
    }

    /// The weights that predict.
    pub fn predicting(&self) -> &Weights {
        self.averaged.as_ref().unwrap_or(&self.weights)
    }

    /// One step. The gradient is the sum over `parts`, in their order; `statistics` are batch norm's. Only
    /// what is in the ranges `decaying` decays: kernels, not scales and shifts.
    pub fn update<'a>(
        &mut self,
        decaying: &[Range<usize>],
        settings: &Checked,
        parts: &[&'a [f32]],
        statistics: impl ExactSizeIterator<Item = &'a [f32]>,
    ) {
        let rate = settings.rate(self.step) as f32;
        let (b1, b2) = (settings.gradient_memory as f32, settings.square_memory as f32);
        let correction = |memory: f64| (1.0 - memory.powf((self.step + 1) as f64)) as f32;
        let (c1, c2) = (correction(settings.gradient_memory), correction(settings.square_memory));
        let keep = settings.averaging.min((1 + self.step) as f64 / (10 + self.step) as f64) as f32;
        let (coupled, decoupled) = match settings.optimiser {
            Optimiser::Adam => (settings.weight_decay as f32, 0.0),
            Optimiser::AdamW => (0.0, rate * settings.weight_decay as f32),
        };
        let mut averaged = self.averaged.as_mut().map(|weights| weights.parameters.par_chunks_mut(CHUNK));
        let averaged: Vec<Option<&mut [f32]>> = match averaged.take() {
            Some(chunks) => chunks.map(Some).collect(),
            None => (0..self.gradient.len().div_ceil(CHUNK)).map(|_| None).collect(),
        };
        let chunks = self.weights.parameters.par_chunks_mut(CHUNK).zip(averaged);
        let moments = self.gradient.par_chunks_mut(CHUNK).zip(self.square.par_chunks_mut(CHUNK));
        chunks.zip(moments).enumerate().for_each(|(number, ((weights, averaged), (m, v)))| {
            let begin = number * CHUNK;
            let mut decays = [0.0f32; CHUNK];
            for range in decaying {
                let (from, to) = (range.start.max(begin), range.end.min(begin + weights.len()));
                if from < to {
                    decays[from - begin..to - begin].fill(1.0);
                }
            }
            widest(
                #[inline(always)]
                || {
                    let mut gradient = [0.0f32; CHUNK];
                    for part in parts {
                        let part = &part[begin..begin + weights.len()];
                        gradient.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
                    }
                    let moments = m.iter_mut().zip(v.iter_mut());
                    for (((w, (m, v)), g), decays) in
                        weights.iter_mut().zip(moments).zip(gradient).zip(decays)
                    {
                        let g = g + coupled * decays * *w;
                        *m = b1 * *m + (1.0 - b1) * g;
                        *v = b2 * *v + (1.0 - b2) * g * g;
                        *w -= rate * (*m / c1) / ((*v / c2).sqrt() + EPSILON) + decoupled * decays * *w;
                    }
                    if let Some(averaged) = averaged {
                        average(averaged, weights, keep);
                    }
                },
            );
        });
        let share = MOMENTUM / statistics.len() as f32;
        self.weights.statistics.iter_mut().for_each(|running| *running *= 1.0 - MOMENTUM);
        for part in statistics {
            self.weights.statistics.iter_mut().zip(part).for_each(|(running, seen)| *running += share * seen);
        }
        if let Some(averaged) = &mut self.averaged {
            average(&mut averaged.statistics, &self.weights.statistics, keep);
        }
        self.step += 1;
    }
}

#[inline(always)]
fn average(averaged: &mut [f32], weights: &[f32], keep: f32) {
    averaged.iter_mut().zip(weights).for_each(|(a, w)| *a = keep * *a + (1.0 - keep) * w);
}
