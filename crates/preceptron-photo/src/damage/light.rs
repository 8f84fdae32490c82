//! Light that is not even.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// How a page is lit: each from 0, not at all, to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Light {
    /// Darker towards one side.
    pub slope: f64,
    /// A shadow with an edge.
    pub shadow: f64,
    /// Darker away from a lamp.
    pub lamp: f64,
    /// Darker everywhere.
    pub dusk: f64,
}

impl Light {
    /// The share of light that each pixel gets.
    pub(super) fn drawn(&self, width: usize, height: usize, random: &mut ChaCha8Rng) -> Vec<f64> {
        let turn: f64 = random.random_range(0.0..std::f64::consts::TAU);
        let edge: f64 = random.random_range(0.0..std::f64::consts::TAU);
        let (middle, soft) = (random.random_range(-0.2..0.2), random.random_range(0.01..0.06));
        let spot = [random.random_range(0.2..0.8), random.random_range(0.2..0.8)];
        let at = |at: usize| {
            let (x, y) = ((at % width) as f64 / width as f64, (at / width) as f64 / height as f64);
            let along = |turn: f64| (x - 0.5) * turn.cos() + (y - 0.5) * turn.sin();
            let slope = 1.0 - self.slope * (along(turn) + 0.7).clamp(0.0, 1.4) / 1.4;
            let shadow = 1.0 - self.shadow / (1.0 + (-(along(edge) - middle) / soft).exp());
            let far = (x - spot[0]).hypot(y - spot[1]);
            let lamp = 1.0 - self.lamp * (1.2 * far).min(1.0);
            slope * shadow * lamp * (1.0 - self.dusk)
        };
        (0..width * height).map(at).collect()
    }
}
