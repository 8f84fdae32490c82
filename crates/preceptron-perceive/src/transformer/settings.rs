//! The size of a recurrent transformer, and what it is computed on.

use serde::{Deserialize, Serialize};

use crate::{PerceiveError, Shape};

/// The size of a [`crate::RecurrentTransformer`]: by default L1R32H4 of the paper.
///
/// | field | default | range |
/// |---|---|---|
/// | `patch` | 4 | 1 to 256, a divisor of the image's height and width |
/// | `width` | 128 | 1 to 4096 |
/// | `heads` | 4 | 1 to 64, a divisor of `width` |
/// | `layers` | 1 | 1 to 64 |
/// | `recurrences` | 32 | 1 to 256 |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TransformerSettings {
    /// The side of the squares that an image is cut into, in pixels.
    pub patch: usize,
    /// Values of a token.
    pub width: usize,
    /// Heads of attention.
    pub heads: usize,
    /// Blocks with weights of their own.
    pub layers: usize,
    /// How often tokens go through all blocks.
    pub recurrences: usize,
}

impl Default for TransformerSettings {
    fn default() -> TransformerSettings {
        TransformerSettings { patch: 4, width: 128, heads: 4, layers: 1, recurrences: 32 }
    }
}

impl TransformerSettings {
    /// Checks every range.
    pub(super) fn check(&self, input: Shape, classes: usize) -> Result<(), PerceiveError> {
        let TransformerSettings { patch, width, heads, layers, recurrences } = *self;
        let fits = |side: usize| (1..=1024).contains(&side) && side.is_multiple_of(patch.max(1));
        for (key, value, ok, range) in [
            ("channels", input.channels, (1..=64).contains(&input.channels), "1 to 64"),
            (
                "patch",
                patch,
                (1..=256).contains(&patch) && fits(input.height) && fits(input.width),
                "1 to 256, a divisor of the image's height and width, which are at most 1024",
            ),
            ("width", width, (1..=4096).contains(&width), "1 to 4096"),
            (
                "heads",
                heads,
                (1..=64).contains(&heads) && width.is_multiple_of(heads.max(1)),
                "1 to 64, a divisor of the width",
            ),
            ("layers", layers, (1..=64).contains(&layers), "1 to 64"),
            ("recurrences", recurrences, (1..=256).contains(&recurrences), "1 to 256"),
            ("classes", classes, (1..=1 << 16).contains(&classes), "1 to 65536"),
        ] {
            if !ok {
                return Err(PerceiveError::Setting { key, value: value.to_string(), range });
            }
        }
        Ok(())
    }
}

/// What a [`crate::RecurrentTransformer`] is computed on. All but the processor need a feature of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Device {
    /// The processor, in pure Rust.
    #[default]
    Cpu,
    /// The graphics card, by Vulkan, Metal or DirectX (feature `burn-wgpu`).
    Wgpu,
    /// A graphics card of NVIDIA, by CUDA (feature `burn-cuda`).
    Cuda,
    /// A graphics card of Apple, by Metal (feature `burn-metal`).
    Metal,
}

impl Device {
    /// The device, if this build has it.
    pub(super) fn open(self) -> Result<burn::tensor::Device, PerceiveError> {
        match self {
            Device::Cpu => Ok(burn::tensor::Device::flex()),
            #[cfg(feature = "burn-wgpu")]
            Device::Wgpu => Ok(burn::tensor::Device::wgpu(Default::default())),
            #[cfg(feature = "burn-cuda")]
            Device::Cuda => Ok(burn::tensor::Device::cuda(0usize)),
            #[cfg(feature = "burn-metal")]
            Device::Metal => Ok(burn::tensor::Device::metal(Default::default())),
            #[allow(unreachable_patterns)] // with all of the features
            absent => {
                let name = format!("{absent:?}").to_lowercase();
                Err(PerceiveError::Device(format!("{name}: built without the feature burn-{name}")))
            }
        }
    }
}
