//! Steps of AdamW on a gradient of bounded length.
//!
//! With g the gradient, c its greatest length, c1 and c2 the corrections for a start at 0:
//! ```text
//! g = g min(1, c / |g|)
//! m = b1 m + (1 - b1) g        v = b2 v + (1 - b2) g^2
//! w = w - rate (m / c1) / (sqrt(v / c2) + epsilon) - rate decay w
//! ```
//! | symbol | field |
//! |---|---|
//! | rate, decay | `learning_rate`, `weight_decay` |
//! | b1, b2 | `gradient_memory`, `square_memory` |
//! | c | `longest_gradient` |
//! | w, m, v | [`State`]: `weights`, `gradient`, `square` |

use std::ops::Range;

use preceptron_matrix::widest;
use serde::{Deserialize, Serialize};

use super::norm::squares;
use crate::RivalError;

const EPSILON: f32 = 1e-8;

/// How weights follow gradients; by default as the recurrent transformer's authors have it.
///
/// | field | default | range |
/// |---|---|---|
/// | `learning_rate` | 0.0006 | above 0, to 10 |
/// | `weight_decay` | 0.1 | 0 to 10 |
/// | `gradient_memory` (beta 1) | 0.9 | 0 to 0.9999 |
/// | `square_memory` (beta 2) | 0.95 | 0 to 0.999999 |
/// | `longest_gradient` | 1 | above 0 |
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Optimiser {
    /// The length of a step.
    pub learning_rate: f64,
    /// The pull of matrices towards 0; embeddings, biases, scales and shifts are left alone.
    pub weight_decay: f64,
    /// What the mean of gradients keeps in each step.
    pub gradient_memory: f64,
    /// What the mean of squared gradients keeps in each step.
    pub square_memory: f64,
    /// A longer gradient is made as short as this.
    pub longest_gradient: f64,
}

impl Default for Optimiser {
    fn default() -> Optimiser {
        Optimiser {
            learning_rate: 6e-4,
            weight_decay: 0.1,
            gradient_memory: 0.9,
            square_memory: 0.95,
            longest_gradient: 1.0,
        }
    }
}

impl Optimiser {
    /// Checks every range.
    ///
    /// # Errors
    /// If a value is out of range.
    pub fn check(&self) -> Result<(), RivalError> {
        let rate = self.learning_rate;
        let longest = self.longest_gradient;
        for (key, value, ok, range) in [
            ("learning_rate", rate, rate > 0.0 && rate <= 10.0, "above 0, to 10"),
            ("weight_decay", self.weight_decay, (0.0..=10.0).contains(&self.weight_decay), "0 to 10"),
            (
                "gradient_memory",
                self.gradient_memory,
                (0.0..=0.9999).contains(&self.gradient_memory),
                "0 to 0.9999",
            ),
            (
                "square_memory",
                self.square_memory,
                (0.0..=0.999_999).contains(&self.square_memory),
                "0 to 0.999999",
            ),
            ("longest_gradient", longest, longest > 0.0 && longest.is_finite(), "above 0"),
        ] {
            if !ok {
                return Err(RivalError::Setting { key, value: value.to_string(), range });
            }
        }
        Ok(())
    }
}

/// Weights and all that the next step needs to know of the steps before.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    pub step: u64,
    pub weights: Vec<f32>,
    /// The means of gradients (m) and of their squares (v).
    pub gradient: Vec<f32>,
    pub square: Vec<f32>,
}

impl State {
    /// Before the first step.
    pub fn start(weights: Vec<f32>) -> State {
        let zeros = vec![0.0; weights.len()];
        State { step: 0, weights, gradient: zeros.clone(), square: zeros }
    }

    /// One step.
    pub fn update(&mut self, optimiser: &Optimiser, decaying: &[Range<usize>], gradient: &[f32]) {
        let length = f64::from(squares(gradient)).sqrt();
        let shorter = (optimiser.longest_gradient / length).min(1.0) as f32;
        let rate = optimiser.learning_rate as f32;
        let (b1, b2) = (optimiser.gradient_memory as f32, optimiser.square_memory as f32);
        let correction = |memory: f64| (1.0 - memory.powf((self.step + 1) as f64)) as f32;
        let (c1, c2) =
            (1.0 / correction(optimiser.gradient_memory), 1.0 / correction(optimiser.square_memory));
        let keep = 1.0 - rate * optimiser.weight_decay as f32;
        for range in decaying {
            self.weights[range.clone()].iter_mut().for_each(|weight| *weight *= keep);
        }
        let State { weights, gradient: means, square, .. } = self;
        widest(
            #[inline(always)]
            || {
                let moments = means.iter_mut().zip(square);
                for ((w, (m, v)), g) in weights.iter_mut().zip(moments).zip(gradient) {
                    let g = shorter * g;
                    *m = b1 * *m + (1.0 - b1) * g;
                    *v = b2 * *v + (1.0 - b2) * g * g;
                    *w -= rate * (*m * c1) / ((*v * c2).sqrt() + EPSILON);
                }
            },
        );
        self.step += 1;
    }
}
