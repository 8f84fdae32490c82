//! The networks that read pictures of digits, by name, and how each is trained.

use preceptron::{TaskResult, ensure};
use preceptron_base::{choices, stream};
use preceptron_perceive::{
    Augmentation, Classifier, Ensemble, Layer, Network, Objective, Optimiser, Perception, Settings, Shape,
};
use rand::RngExt;

use crate::mnist;

choices! {
    /// The networks.
    pub enum NetworkName: Cnn {
        /// LeNet-5.
        Lenet = "lenet",
        /// A somewhat larger one, with batch norm.
        Cnn = "cnn",
        /// The picture at half its width and height, then 256 hidden units.
        Mlp = "mlp",
        /// The recurrent transformer (built with the feature burn).
        Transformer = "transformer",
    }
}

choices! {
    /// What a transformer is computed on.
    pub enum DeviceName: Cpu {
        /// The processor.
        Cpu = "cpu",
        /// The graphics card, by Vulkan, Metal or DirectX (built with the feature burn-wgpu).
        Wgpu = "wgpu",
        /// A graphics card of NVIDIA (built with the feature burn-cuda).
        Cuda = "cuda",
        /// A graphics card of Apple (built with the feature burn-metal).
        Metal = "metal",
    }
}

choices! {
    /// The network's loss.
    pub enum LossName: CrossEntropy {
        /// Cross-entropy, as in the authors' programs.
        CrossEntropy = "cross-entropy",
        /// Squared, as printed.
        Squared = "squared",
    }
}

/// A network for pictures of digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DigitNetwork {
    /// Which one.
    pub name: NetworkName,
    /// How many read together, their probabilities averaged.
    pub members: usize,
    /// How many digits it tells apart.
    pub digits: usize,
    /// Its loss.
    pub loss: LossName,
    /// Steps of its training, in which the learning rate falls to 0; none where it does not fall by itself.
    pub steps: Option<u64>,
    /// The seed of its first weights and of how pictures are varied.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// How often a transformer applies its layer, and what it is computed on.
    pub transformer: (usize, DeviceName),
}

impl DigitNetwork {
    /// Images in a training step: fewer for the transformer, since each costs a thousand times as much; and for
    /// the CNN, which learns more from many small steps than from as many images in few.
    pub fn batch(&self) -> usize {
        match self.name {
            NetworkName::Transformer => 64,
            NetworkName::Cnn => 128,
            NetworkName::Lenet | NetworkName::Mlp => 580,
        }
    }

    /// The network before training, or several.
    ///
    /// # Errors
    /// If the network is not part of this build.
    pub fn build(&self) -> TaskResult<Box<dyn Perception>> {
        if self.members == 1 {
            return self.member(self.settings(self.seed));
        }
        let seed = |number: u64| match number {
            0 => self.seed,
            _ => stream(self.seed, "seed of a further network", number).random(),
        };
        let member = |number| self.member(self.settings(seed(number)));
        let members = (0..self.members as u64).map(member).collect::<TaskResult<_>>()?;
        Ok(Box::new(Ensemble::new(members)?))
    }

    fn member(&self, settings: Settings) -> TaskResult<Box<dyn Perception>> {
        let shape = Shape::new(1, mnist::SIDE, mnist::SIDE);
        let network = match self.name {
            NetworkName::Transformer => return self.recurrent(shape, settings),
            NetworkName::Lenet => Network::lenet(self.digits)?,
            NetworkName::Cnn => Network::small_cnn(self.digits)?,
            NetworkName::Mlp => Network::new(
                shape,
                &[Layer::convolution(1, 2).stride(2), Layer::linear(256).relu(), Layer::linear(self.digits)],
            )?,
        };
        Ok(Box::new(Classifier::new(network, settings, self.threads)?))
    }

    #[cfg(feature = "burn")]
    fn recurrent(&self, shape: Shape, settings: Settings) -> TaskResult<Box<dyn Perception>> {
        use preceptron_perceive::{Device, RecurrentTransformer, TransformerSettings};
        let (recurrences, device) = self.transformer;
        let device = match device {
            DeviceName::Cpu => Device::Cpu,
            DeviceName::Wgpu => Device::Wgpu,
            DeviceName::Cuda => Device::Cuda,
            DeviceName::Metal => Device::Metal,
        };
        let size = TransformerSettings { recurrences, ..Default::default() };
        Ok(Box::new(RecurrentTransformer::new(size, shape, self.digits, settings, device, self.threads)?))
    }

    #[cfg(not(feature = "burn"))]
    fn recurrent(&self, _: Shape, _: Settings) -> TaskResult<Box<dyn Perception>> {
        preceptron::bail!(
            "the network transformer: built without the feature burn: cargo run --release --features burn -- ..."
        )
    }

    /// How it is trained.
    fn settings(&self, seed: u64) -> Settings {
        let objective = match self.loss {
            LossName::CrossEntropy => Objective::CrossEntropy,
            LossName::Squared => Objective::Squared,
        };
        let common = Settings { seed, objective, steps: self.steps, ..Settings::default() };
        let moved = Augmentation { shift: 2, ..Augmentation::default() };
        match self.name {
            NetworkName::Lenet => Settings { learning_rate: 6e-3, augmentation: moved, ..common },
            NetworkName::Transformer => Settings {
                optimiser: Optimiser::AdamW,
                learning_rate: 1e-3,
                weight_decay: 0.01,
                warm_up: self.steps.map_or(common.warm_up, |steps| common.warm_up.min(steps / 10)),
                augmentation: moved,
                ..common
            },
            NetworkName::Mlp => Settings { averaging: 0.0, learning_rate: 3e-3, ..common },
            NetworkName::Cnn => Settings {
                optimiser: Optimiser::AdamW,
                learning_rate: 5e-3,
                weight_decay: 0.01,
                augmentation: Augmentation {
                    rotation: 10.0,
                    scale: 0.1,
                    shear: 0.1,
                    translation: 2.0,
                    bend: 2.0,
                    shift: 0,
                },
                ..common
            },
        }
    }

    /// That a digit above 9 is not asked for.
    ///
    /// # Errors
    /// If it is.
    pub fn check(&self) -> TaskResult<()> {
        ensure!(self.digits <= 9, "MNIST has pictures of 9 digits above 0, not of {}", self.digits);
        self.build().map(drop)
    }
}
