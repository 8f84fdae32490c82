//! The network that reads the pictures of a table, sized to them.

use preceptron::{TaskResult, Views};
use preceptron_perceive::{
    Augmentation, Classifier, Layer, Network, Optimiser, Perception, Settings, Shape, Stated,
};

/// Pictures in a step.
pub(super) const BATCH: usize = 128;

/// Sides above which a picture is halved once more before its features are compared.
const LARGE: usize = 40;

/// A network for pictures of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableNetwork {
    /// The pictures.
    pub shape: Shape,
    /// How many symbols it tells apart.
    pub classes: usize,
    /// Steps of its training.
    pub steps: u64,
    /// The seed of its first weights and of how pictures are varied.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
}

impl TableNetwork {
    /// Whether it is somebody else's, of which only the probabilities are there.
    pub fn is_stated(&self) -> bool {
        self.shape == Stated::shape(self.classes)
    }

    /// How often a picture is looked at.
    pub fn views(&self, one_look: bool) -> Views {
        if one_look || self.is_stated() { Views::One } else { Views::Five }
    }

    /// The network before training: three convolutions with batch norm and a hidden layer; four where pictures are
    /// large, and the first at full size where they are small.
    ///
    /// # Errors
    /// If the pictures are too small for it.
    pub fn build(&self) -> TaskResult<Box<dyn Perception>> {
        if self.is_stated() {
            return Ok(Box::new(Stated::new(self.classes)));
        }
        let side = self.shape.width;
        let mut layers = Vec::new();
        if side > LARGE {
            layers.push(Layer::convolution(12, 5).stride(2).norm().relu());
        }
        layers.push(match side {
            0..20 => Layer::convolution(16, 3).norm().relu(),
            _ => Layer::convolution(16, 5).stride(2).norm().relu(),
        });
        layers.push(Layer::convolution(32, 3).norm().relu().pool(2));
        layers.push(Layer::convolution(48, 3).padding(1).norm().relu());
        layers.push(Layer::linear(96).norm().relu());
        layers.push(Layer::linear(self.classes));
        let share = side as f32 / 28.0;
        let settings = Settings {
            seed: self.seed,
            steps: Some(self.steps),
            optimiser: Optimiser::AdamW,
            learning_rate: 5e-3,
            weight_decay: 0.01,
            augmentation: Augmentation {
                rotation: 10.0,
                scale: 0.1,
                shear: 0.1,
                translation: 2.0 * share,
                bend: 1.5 * share,
                shift: 0,
            },
            ..Settings::default()
        };
        Ok(Box::new(Classifier::new(Network::new(self.shape, &layers)?, settings, self.threads)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_every_size_that_is_allowed() {
        for (side, channels) in [(12, 1), (19, 3), (20, 1), (28, 1), (40, 1), (41, 3), (96, 1)] {
            let shape = Shape::new(channels, side, side);
            let network = TableNetwork { shape, classes: 4, steps: 10, seed: 0, threads: 1 };
            assert_eq!(network.build().unwrap().classes(), 4, "side {side}");
        }
    }
}
