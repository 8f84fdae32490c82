//! The settings of SATNet over cells.

use preceptron_base::Settings;
use preceptron_perceive::Layer;
use serde::{Deserialize, Serialize};

use crate::{CellForm, Optimiser, RivalError, SatNetError, SatNetSettings, digit_layers};

/// The settings of a [`crate::SatNetRival`]: by default those of its authors' visual Sudoku of 9x9.
///
/// | field | default | range |
/// |---|---|---|
/// | `layer` | see [`SatNetSettings`] | |
/// | `own_symbols` | no | |
/// | `optimiser` (of the network for pictures) | learning rate 0.00001, no decay, beta 2 0.999, gradients of any length | see [`Optimiser`] |
/// | `pictures` | [`digit_layers`] | layers without batch norm |
/// | `threads` | 1 | any |
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SatNetRivalSettings {
    /// The layer, its learning rate, and the seed of everything.
    pub layer: SatNetSettings,
    /// Whether symbols that are given are of another alphabet than answers, with variables of their own.
    /// Otherwise symbol k is class k.
    pub own_symbols: bool,
    /// How the weights of the network for pictures follow gradients.
    pub optimiser: Optimiser,
    /// The layers that pictures go through before a linear one and softmax make classes of them.
    pub pictures: Vec<Layer>,
    /// Threads; their number changes no result.
    pub threads: usize,
}

impl Default for SatNetRivalSettings {
    fn default() -> SatNetRivalSettings {
        SatNetRivalSettings {
            layer: SatNetSettings::default(),
            own_symbols: false,
            optimiser: Optimiser {
                learning_rate: 1e-5,
                weight_decay: 0.0,
                gradient_memory: 0.9,
                square_memory: 0.999,
                longest_gradient: 1e9,
            },
            pictures: digit_layers(),
            threads: 1,
        }
    }
}

impl SatNetRivalSettings {
    /// Checks every range, and that cells of this form can be variables.
    pub(super) fn check(&self, form: &CellForm) -> Result<(), RivalError> {
        self.layer.check().map_err(SatNetError::from)?;
        let CellForm { cells, classes, symbols, features, .. } = *form;
        let most = if self.own_symbols { 65_535 } else { classes };
        let range = if self.own_symbols {
            "0 to 65535"
        } else {
            "0 to the number of classes, or symbols of their own"
        };
        for (key, value, ok, range) in [
            ("cells", cells, (1..=4096).contains(&cells), "1 to 4096"),
            ("classes", classes, (1..=65_535).contains(&classes), "1 to 65535"),
            ("symbols", symbols, symbols <= most, range),
            ("features", features, features == 0, "0: SATNet is given symbols and pictures"),
        ] {
            if !ok {
                return Err(RivalError::Setting { key, value: value.to_string(), range });
            }
        }
        Ok(())
    }
}
