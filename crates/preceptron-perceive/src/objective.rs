//! What training makes small: the distance of the probabilities p from the targets t.
//!
//! ```text
//! p = softmax(logits)
//! cross-entropy   L = -sum t ln p        dL/dlogit = p * sum t - t
//! squared         L = sum (p - t)^2      dL/dlogit = 2 p (d - sum p d),  d = p - t
//! ```

use serde::{Deserialize, Serialize};

/// The distance of probabilities from targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// The cross-entropy: the usual choice.
    #[default]
    CrossEntropy,
    /// The squared distance: that of the paper.
    Squared,
}

/// The least probability that a logarithm is taken of.
const LEAST: f32 = 1e-12;

/// Turns logits (class, image) into probabilities.
pub(crate) fn softmax(logits: &mut [f32], images: usize) {
    for image in 0..images {
        let end = logits.len();
        let column = || (image..end).step_by(images);
        let greatest = column().map(|at| logits[at]).fold(f32::NEG_INFINITY, f32::max);
        let mut sum = 0.0;
        for at in column() {
            logits[at] = (logits[at] - greatest).exp();
            sum += logits[at];
        }
        column().for_each(|at| logits[at] /= sum);
    }
}

impl Objective {
    /// The loss of one image, and its derivatives by the logits in place of the probabilities.
    pub(crate) fn slopes(self, probabilities: &mut [f32], targets: &[f32]) -> f64 {
        let pairs = || probabilities.iter().zip(targets);
        match self {
            Objective::CrossEntropy => {
                let loss = pairs().map(|(&p, &t)| -f64::from(t) * f64::from(p.max(LEAST)).ln()).sum();
                let total: f32 = targets.iter().sum();
                probabilities.iter_mut().zip(targets).for_each(|(p, t)| *p = *p * total - t);
                loss
            }
            Objective::Squared => {
                let loss = pairs().map(|(p, t)| f64::from((p - t) * (p - t))).sum();
                let mean: f32 = pairs().map(|(p, t)| p * (p - t)).sum();
                probabilities.iter_mut().zip(targets).for_each(|(p, t)| *p *= 2.0 * (*p - t - mean));
                loss
            }
        }
    }
}
