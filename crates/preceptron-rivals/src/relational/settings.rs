//! The size of a recurrent relational network, how it is trained, and the graphs of its cells.

use preceptron_perceive::Layer;
use serde::{Deserialize, Serialize};

use crate::{CellForm, Optimiser, RivalError, digit_layers};

/// The settings of a [`crate::RelationalNetwork`]: by default those of its authors' Sudoku.
///
/// | field | default | range |
/// |---|---|---|
/// | `width` | 96 | 1 to 4096 |
/// | `steps` | 32 | 1 to 256 |
/// | `optimiser` | learning rate 0.0002, decay 0.0001, beta 2 0.999, gradients of any length | see [`Optimiser`] |
/// | `pictures` | [`digit_layers`] | layers without batch norm |
/// | `seed` | 0 | any |
/// | `threads` | 1 | any |
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RelationalSettings {
    /// Values of a cell, of a message and of hidden layers.
    pub width: usize,
    /// How often messages are sent.
    pub steps: usize,
    /// How weights follow gradients.
    pub optimiser: Optimiser,
    /// The layers that pictures go through before a linear one.
    pub pictures: Vec<Layer>,
    /// The seed of the first weights.
    pub seed: u64,
    /// Threads; their number changes no result.
    pub threads: usize,
}

impl Default for RelationalSettings {
    fn default() -> RelationalSettings {
        RelationalSettings {
            width: 96,
            steps: 32,
            optimiser: Optimiser {
                learning_rate: 2e-4,
                weight_decay: 1e-4,
                gradient_memory: 0.9,
                square_memory: 0.999,
                longest_gradient: 1e9,
            },
            pictures: digit_layers(),
            seed: 0,
            threads: 1,
        }
    }
}

impl RelationalSettings {
    /// Checks every range, and that the graph is one of the cells.
    pub(super) fn check(&self, form: &CellForm, edges: &[[u32; 2]]) -> Result<(), RivalError> {
        let least = edges.iter().flatten().max().map_or(1, |most| *most as usize + 1);
        for (key, value, ok, range) in [
            (
                "cells",
                form.cells,
                (least..=4096).contains(&form.cells),
                "more than the greatest in the graph, to 4096",
            ),
            ("classes", form.classes, (1..=65_535).contains(&form.classes), "1 to 65535"),
            ("width", self.width, (1..=4096).contains(&self.width), "1 to 4096"),
            ("steps", self.steps, (1..=256).contains(&self.steps), "1 to 256"),
            ("edges", edges.len(), (1..=1 << 24).contains(&edges.len()), "1 to 16777216"),
        ] {
            if !ok {
                return Err(RivalError::Setting { key, value: value.to_string(), range });
            }
        }
        Ok(())
    }
}

/// Edges in both directions between all cells that are in a group together, such as a row: from, to.
///
/// ```
/// use preceptron_rivals::edges_of_groups;
///
/// assert_eq!(edges_of_groups(&[vec![0, 1], vec![1, 2]]), [[0, 1], [1, 0], [1, 2], [2, 1]]);
/// ```
pub fn edges_of_groups(groups: &[Vec<u32>]) -> Vec<[u32; 2]> {
    let pairs = groups
        .iter()
        .flat_map(|group| group.iter().flat_map(move |&from| group.iter().map(move |&to| [from, to])));
    let mut edges: Vec<[u32; 2]> = pairs.filter(|[from, to]| from != to).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}
