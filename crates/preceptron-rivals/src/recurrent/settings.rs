//! The size of a recurrent transformer, and how it is trained.

use preceptron_perceive::Layer;
use serde::{Deserialize, Serialize};

use crate::{CellForm, Optimiser, RivalError, digit_layers};

/// The settings of a [`crate::RecurrentTransformer`]: by default L1R32H4 of the paper.
///
/// | field | default | range |
/// |---|---|---|
/// | `width` | 128 | 1 to 4096 |
/// | `heads` | 4 | 1 to 64, a divisor of `width` |
/// | `recurrences` | 32 | 1 to 256 |
/// | `dropout` | 0.1 | 0 to 0.9 |
/// | `optimiser` | see [`Optimiser`] | |
/// | `pictures` | [`digit_layers`] | layers without batch norm |
/// | `seed` | 0 | any |
/// | `threads` | 1 | any |
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TransformerSettings {
    /// Values of a token.
    pub width: usize,
    /// Heads of attention.
    pub heads: usize,
    /// How often tokens go through the block.
    pub recurrences: usize,
    /// The share of embeddings, attention and what is added to tokens that is left out in training.
    pub dropout: f64,
    /// How weights follow gradients.
    pub optimiser: Optimiser,
    /// The layers that pictures go through before a linear one makes tokens of them.
    pub pictures: Vec<Layer>,
    /// The seed of the first weights and of dropout.
    pub seed: u64,
    /// Threads; their number changes no result.
    pub threads: usize,
}

impl Default for TransformerSettings {
    fn default() -> TransformerSettings {
        TransformerSettings {
            width: 128,
            heads: 4,
            recurrences: 32,
            dropout: 0.1,
            optimiser: Optimiser::default(),
            pictures: digit_layers(),
            seed: 0,
            threads: 1,
        }
    }
}

impl TransformerSettings {
    /// Checks every range.
    pub(super) fn check(&self, form: &CellForm) -> Result<(), RivalError> {
        let TransformerSettings { width, heads, recurrences, dropout, .. } = *self;
        for (key, value, ok, range) in [
            ("cells", form.cells as f64, (1..=4096).contains(&form.cells), "1 to 4096"),
            ("classes", form.classes as f64, (1..=65_535).contains(&form.classes), "1 to 65535"),
            ("width", width as f64, (1..=4096).contains(&width), "1 to 4096"),
            (
                "heads",
                heads as f64,
                (1..=64).contains(&heads) && width.is_multiple_of(heads.max(1)),
                "1 to 64, a divisor of the width",
            ),
            ("recurrences", recurrences as f64, (1..=256).contains(&recurrences), "1 to 256"),
            ("dropout", dropout, (0.0..=0.9).contains(&dropout), "0 to 0.9"),
        ] {
            if !ok {
                return Err(RivalError::Setting { key, value: value.to_string(), range });
            }
        }
        Ok(())
    }
}
