//! Layers as they are written down: a linear map, then batch norm, a residual, ReLU and pooling as far as
//! wanted.

use serde::{Deserialize, Serialize};

/// A layer of a network. Its parts always come in this order: convolution or linear map, batch norm or
/// bias, residual, ReLU, max pooling.
///
/// ```
/// use preceptron_perceive::Layer;
///
/// let layers = [Layer::convolution(16, 5).stride(2).norm().relu().pool(2), Layer::linear(10)];
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layer {
    pub(crate) channels: usize,
    /// The side of the kernel; nothing for a linear layer, whose kernel is as large as its input.
    pub(crate) kernel: Option<usize>,
    pub(crate) stride: usize,
    pub(crate) padding: usize,
    pub(crate) norm: bool,
    pub(crate) relu: bool,
    pub(crate) pool: usize,
    /// How many layers back the input is that is added; 0 for none.
    #[serde(default)]
    pub(crate) residual: usize,
}

impl Layer {
    const PLAIN: Layer = Layer {
        channels: 0,
        kernel: None,
        stride: 1,
        padding: 0,
        norm: false,
        relu: false,
        pool: 1,
        residual: 0,
    };

    /// A convolution with square kernels of side `kernel`, to `channels` channels, with a bias.
    pub fn convolution(channels: usize, kernel: usize) -> Layer {
        Layer { channels, kernel: Some(kernel), ..Layer::PLAIN }
    }

    /// Each output is a weighted sum of all inputs and a bias.
    pub fn linear(outputs: usize) -> Layer {
        Layer { channels: outputs, ..Layer::PLAIN }
    }

    /// How far apart the places are where the kernel is applied.
    #[must_use]
    pub fn stride(self, stride: usize) -> Layer {
        Layer { stride, ..self }
    }

    /// How many zeros are put around the image, on each side.
    #[must_use]
    pub fn padding(self, padding: usize) -> Layer {
        Layer { padding, ..self }
    }

    /// Batch norm in place of the bias.
    #[must_use]
    pub fn norm(self) -> Layer {
        Layer { norm: true, ..self }
    }

    /// Values below 0 become 0.
    #[must_use]
    pub fn relu(self) -> Layer {
        Layer { relu: true, ..self }
    }

    /// The greatest value of each window of this side; windows do not overlap.
    #[must_use]
    pub fn pool(self, side: usize) -> Layer {
        Layer { pool: side, ..self }
    }

    /// Adds what went into the last `layers` layers, this one among them, before ReLU: 1 for the layer's own
    /// input, 2 for that of a block of two layers. The shapes must be the same.
    ///
    /// ```
    /// use preceptron_perceive::Layer;
    ///
    /// let convolution = Layer::convolution(16, 3).padding(1).norm();
    /// let block = [convolution.relu(), convolution.residual(2).relu()];
    /// ```
    #[must_use]
    pub fn residual(self, layers: usize) -> Layer {
        Layer { residual: layers, ..self }
    }
}
