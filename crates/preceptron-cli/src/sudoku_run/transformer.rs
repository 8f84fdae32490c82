//! The recurrent transformer as a run's network, in programs that are built with the feature `burn`.

use clap::ValueEnum;
use preceptron_perceive::{Perception, Settings};
use serde::{Deserialize, Serialize};

/// What a transformer is computed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceName {
    /// The processor.
    Cpu,
    /// The graphics card, by Vulkan, Metal or DirectX (built with the feature burn-wgpu).
    Wgpu,
    /// A graphics card of NVIDIA (built with the feature burn-cuda).
    Cuda,
    /// A graphics card of Apple (built with the feature burn-metal).
    Metal,
}

/// What can be chosen of a transformer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transformer {
    /// How often its layer is applied.
    pub recurrences: usize,
    /// What it is computed on.
    pub device: DeviceName,
}

impl Transformer {
    /// Images in a training step: fewer than for the small networks, since each costs a thousand times as much.
    pub const BATCH: usize = 64;

    /// The transformer before training.
    #[cfg(feature = "burn")]
    pub fn build(
        self,
        digits: usize,
        settings: Settings,
        threads: usize,
    ) -> anyhow::Result<Box<dyn Perception>> {
        use preceptron_perceive::{Device, RecurrentTransformer, Shape, TransformerSettings};
        let device = match self.device {
            DeviceName::Cpu => Device::Cpu,
            DeviceName::Wgpu => Device::Wgpu,
            DeviceName::Cuda => Device::Cuda,
            DeviceName::Metal => Device::Metal,
        };
        let size = TransformerSettings { recurrences: self.recurrences, ..Default::default() };
        let shape = Shape::new(1, 28, 28);
        Ok(Box::new(RecurrentTransformer::new(size, shape, digits, settings, device, threads)?))
    }

    /// Says how to have it.
    #[cfg(not(feature = "burn"))]
    pub fn build(self, _: usize, _: Settings, _: usize) -> anyhow::Result<Box<dyn Perception>> {
        anyhow::bail!(
            "the network transformer: built without the feature burn: cargo run --release --features burn -- ..."
        )
    }
}
