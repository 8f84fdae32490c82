//! Steps of Adam.
//!
//! With g the gradient, c1 and c2 the corrections for a start at 0, and lr the learning rate:
//! ```text
//! m = b1 m + (1 - b1) g        v = b2 v + (1 - b2) g^2
//! w = w - lr (m / c1) / (sqrt(v / c2) + epsilon)
//! ```

const GRADIENT_MEMORY: f64 = 0.9;
const SQUARE_MEMORY: f64 = 0.999;
const EPSILON: f32 = 1e-8;

/// Weights, and all that the next step needs to know of the steps before.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Adam {
    pub step: u64,
    pub weights: Vec<f32>,
    /// The mean of gradients (m) and of their squares (v).
    pub gradient: Vec<f32>,
    pub square: Vec<f32>,
}

impl Adam {
    /// Before the first step from these weights.
    pub fn new(weights: Vec<f32>) -> Adam {
        Adam { step: 0, gradient: vec![0.0; weights.len()], square: vec![0.0; weights.len()], weights }
    }

    /// One step along a gradient itself: `w = w - lr g`.
    pub fn descend(&mut self, gradient: &[f32], rate: f64) {
        self.step += 1;
        self.weights.iter_mut().zip(gradient).for_each(|(w, g)| *w -= rate as f32 * g);
    }

    /// One step of Adam.
    pub fn update(&mut self, gradient: &[f32], rate: f64) {
        self.step += 1;
        let correction = |memory: f64| (1.0 - memory.powf(self.step as f64)) as f32;
        let (c1, c2) = (correction(GRADIENT_MEMORY), correction(SQUARE_MEMORY));
        let (b1, b2, rate) = (GRADIENT_MEMORY as f32, SQUARE_MEMORY as f32, rate as f32);
        let moments = self.gradient.iter_mut().zip(&mut self.square);
        for ((w, (m, v)), g) in self.weights.iter_mut().zip(moments).zip(gradient) {
            *m = b1 * *m + (1.0 - b1) * g;
            *v = b2 * *v + (1.0 - b2) * g * g;
            *w -= rate * (*m / c1) / ((*v / c2).sqrt() + EPSILON);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the size of the gradient, the first step is as long as the learning rate.
    #[test]
    fn the_first_step_has_the_learning_rate() {
        let mut adam = Adam::new(vec![1.0, 1.0, 1.0]);
        adam.update(&[1e-3, -50.0, 0.0], 0.1);
        for (w, expected) in adam.weights.iter().zip([0.9, 1.1, 1.0]) {
            assert!((w - expected).abs() < 1e-5, "{w}");
        }
    }

    #[test]
    fn steps_lead_downhill() {
        let mut adam = Adam::new(vec![3.0]);
        for _ in 0..500 {
            let slope = [2.0 * (adam.weights[0] - 1.0)];
            adam.update(&slope, 0.05);
        }
        assert!((adam.weights[0] - 1.0).abs() < 1e-2, "{}", adam.weights[0]);
    }
}
