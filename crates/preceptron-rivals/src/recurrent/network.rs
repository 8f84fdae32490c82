//! Where the parameters of the recurrent transformer stand.
//!
//! | tensor | shape |
//! |---|---|
//! | `embedding.nothing`, `.symbols`, `.features`, `.position` | rows, width |
//! | `pictures.layer.N.weight`, `.bias` | as in `preceptron-perceive` |
//! | `attention.norm.scale`, `.shift` | width |
//! | `attention.asked.weight`, `.bias` (queries, keys, values) | width, 3 width; 3 width |
//! | `attention.output.weight`, `.bias` | width, width; width |
//! | `mlp.norm.scale`, `.shift` | width |
//! | `mlp.hidden.weight`, `.bias` | width, 4 width; 4 width |
//! | `mlp.output.weight`, `.bias` | 4 width, width; width |
//! | `head.norm.scale`, `.shift` | width |
//! | `head.weight` | width, classes |
//!
//! Before training, matrices and tables are normal with deviation 0.02, as in minGPT, and biases, shifts and
//! positions 0; the layers for pictures are as in `preceptron-perceive`.

use super::TransformerSettings;
use super::attention::Attention;
use crate::layers::cell_embedding::CellEmbedding;
use crate::layers::linear::{Folded, Linear, Normed};
use crate::layers::parameters::{Parameters, Start};
use crate::{CellForm, RivalError};

/// The architecture, without its weights.
#[derive(Clone, Debug)]
pub(super) struct Network {
    pub width: usize,
    pub classes: usize,
    pub recurrences: usize,
    pub attention: Attention,
    pub embedding: CellEmbedding,
    pub asked: Normed,
    pub attended: Linear,
    pub hidden: Normed,
    pub output: Linear,
    pub head: Normed,
}

/// The maps behind layer norms, with the scales and shifts of these, or the gradients of both.
#[derive(Clone, Debug, Default)]
pub(super) struct Maps {
    pub asked: Folded,
    pub hidden: Folded,
    pub head: Folded,
}

impl Network {
    /// Adds all tensors.
    pub fn new(
        settings: &TransformerSettings,
        form: &CellForm,
        parameters: &mut Parameters,
    ) -> Result<Network, RivalError> {
        settings.check(form)?;
        let TransformerSettings { width, heads, recurrences, seed, .. } = *settings;
        let start = Start::Normal(0.02);
        let embedding = CellEmbedding::add(parameters, form, width, &settings.pictures, seed, &start)?;
        let mut normed = |name: &str, norm: &str, outputs: usize, with_bias: bool| {
            let mut add = |part: &str, value: f32| {
                parameters.add(format!("{norm}.norm.{part}"), vec![width], Start::Value(value), false)
            };
            let (scale, shift) = (add("scale", 1.0), add("shift", 0.0));
            let linear = Linear::add(parameters, name, [width, outputs], start.clone(), with_bias);
            Normed { linear, scale, shift }
        };
        let asked = normed("attention.asked", "attention", 3 * width, true);
        let hidden = normed("mlp.hidden", "mlp", 4 * width, true);
        let head = normed("head", "head", form.classes, false);
        let attended = Linear::add(parameters, "attention.output", [width, width], start.clone(), true);
        let output = Linear::add(parameters, "mlp.output", [4 * width, width], start.clone(), true);
        Ok(Network {
            width,
            classes: form.classes,
            recurrences,
            attention: Attention { cells: form.cells, heads, width },
            embedding,
            asked,
            attended,
            hidden,
            output,
            head,
        })
    }

    /// The maps behind layer norms.
    pub fn fold(&self, weights: &[f32]) -> Maps {
        Maps {
            asked: self.asked.fold(weights),
            hidden: self.hidden.fold(weights),
            head: self.head.fold(weights),
        }
    }

    /// Zeros.
    pub fn clear(&self, maps: &mut Maps) {
        maps.asked.clear(&self.asked);
        maps.hidden.clear(&self.hidden);
        maps.head.clear(&self.head);
    }

    /// Writes the gradients of the maps and of what the layer norms learn.
    pub fn unfold(&self, weights: &[f32], maps: &Maps, gradient: &mut [f32]) {
        self.asked.unfold(weights, &maps.asked, gradient);
        self.hidden.unfold(weights, &maps.hidden, gradient);
        self.head.unfold(weights, &maps.head, gradient);
    }
}
