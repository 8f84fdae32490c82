//! Where the parameters of the recurrent relational network stand.
//!
//! | tensor | shape |
//! |---|---|
//! | `embedding.…`, `pictures.…` | as in the recurrent transformer |
//! | `input.N.weight`, `.bias` (N from 0 to 3) | width, width; width |
//! | `message.from.weight` | width, width |
//! | `message.to.weight`, `.bias` | width, width; width |
//! | `message.hidden.N.weight`, `.bias` (N = 0, 1) | width, width; width |
//! | `message.output.weight`, `.bias` | width, width; width |
//! | `node.N.weight`, `.bias` (N from 0 to 3) | 2 width for N = 0, width; width |
//! | `gates.input.weight`, `.bias` | width, 4 width; 4 width |
//! | `gates.output.weight` | width, 4 width |
//! | `head.weight`, `.bias` | width, classes; classes |

use super::RelationalSettings;
use crate::layers::cell_embedding::CellEmbedding;
use crate::layers::linear::Linear;
use crate::layers::mlp::{Mlp, glorot};
use crate::layers::parameters::{Parameters, Start};
use crate::{CellForm, RivalError};

/// The architecture, without its weights.
#[derive(Clone, Debug)]
pub(super) struct Network {
    pub width: usize,
    pub steps: usize,
    pub cells: usize,
    pub classes: usize,
    /// From, to.
    pub edges: Vec<[u32; 2]>,
    pub embedding: CellEmbedding,
    pub input: Mlp,
    pub from: Linear,
    pub to: Linear,
    pub message: Mlp,
    pub sent: Linear,
    pub node: Mlp,
    pub gates: Linear,
    pub gates_of_output: Linear,
    pub head: Linear,
}

impl Network {
    /// Adds all tensors.
    pub fn new(
        settings: &RelationalSettings,
        form: &CellForm,
        edges: &[[u32; 2]],
        parameters: &mut Parameters,
    ) -> Result<Network, RivalError> {
        settings.check(form, edges)?;
        let RelationalSettings { width, steps, seed, .. } = *settings;
        let start = Start::Normal(0.1);
        let embedding = CellEmbedding::add(parameters, form, width, &settings.pictures, seed, &start)?;
        let input = Mlp::add(parameters, "input", &[width; 5], false);
        let mut linear = |name: &str, outputs: usize, with_bias: bool| {
            let shape = [width, outputs];
            Linear::add(parameters, name, shape, glorot(shape), with_bias)
        };
        let (from, to) = (linear("message.from", width, false), linear("message.to", width, true));
        let sent = linear("message.output", width, true);
        let gates = linear("gates.input", 4 * width, true);
        let gates_of_output = linear("gates.output", 4 * width, false);
        let head = linear("head", form.classes, true);
        let message = Mlp::add(parameters, "message.hidden", &[width; 3], true);
        let node = Mlp::add(parameters, "node", &[2 * width, width, width, width, width], false);
        let (cells, classes, edges) = (form.cells, form.classes, edges.to_vec());
        Ok(Network {
            width,
            steps,
            cells,
            classes,
            edges,
            embedding,
            input,
            from,
            to,
            message,
            sent,
            node,
            gates,
            gates_of_output,
            head,
        })
    }
}
