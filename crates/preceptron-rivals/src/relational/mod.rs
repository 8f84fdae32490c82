//! The recurrent relational network of Palm, Paquet and Winther ("Recurrent Relational Networks", NeurIPS 2018).
//!
//! Cells are the nodes of a graph, such as one with an edge between cells of the same row, column or block. Again
//! and again each sends a message along each of its edges, and takes what it is sent into a memory; each time a
//! linear head says what is in the cell. The equations are in the page of `forward_backward`, the tensors in that
//! of `network`.
//!
//! # Where it departs from its authors' program
//! A cell's position is a learned vector that is added to its input, not vectors of row and column beside it;
//! weight decay is apart from the gradient (AdamW). The gradient is that of the sum of the steps' losses; the loss
//! that [`Rival::fit`](crate::Rival::fit) returns is their mean.

mod forward_backward;
mod network;
mod settings;
#[cfg(test)]
mod tests;

use crate::layers::data_parallel::DataParallel;
use crate::layers::parameters::Parameters;
use crate::{CellExamples, CellForm, Rival, RivalError};

use forward_backward::{Task, Worker};
use network::Network;
pub use settings::{RelationalSettings, edges_of_groups};

/// Messages in a part of a batch, about.
const PART: usize = 1600;

/// The recurrent relational network with its optimiser.
pub struct RelationalNetwork {
    form: CellForm,
    network: Network,
    training: DataParallel<Worker>,
}

impl RelationalNetwork {
    /// A network with first weights that depend on the seed only; messages go along these edges (from, to).
    ///
    /// # Errors
    /// If a setting is out of range, the graph has other cells, or the layers for pictures do not fit them.
    pub fn new(
        form: &CellForm,
        edges: &[[u32; 2]],
        settings: RelationalSettings,
    ) -> Result<RelationalNetwork, RivalError> {
        let mut parameters = Parameters::default();
        let network = Network::new(&settings, form, edges, &mut parameters)?;
        let RelationalSettings { seed, optimiser, threads, .. } = settings;
        let training = DataParallel::new(parameters, seed, optimiser, threads)?;
        Ok(RelationalNetwork { form: *form, network, training })
    }

    /// How many parameters it has.
    pub fn parameters(&self) -> usize {
        self.training.parameters.len
    }

    /// Examples in a part of a batch.
    fn part(&self) -> usize {
        (PART / self.network.edges.len()).max(1)
    }
}

impl Rival for RelationalNetwork {
    fn name(&self) -> &'static str {
        "recurrent relational network"
    }

    fn fit(&mut self, data: &CellExamples, batch: &[usize]) -> Result<f64, RivalError> {
        data.check(&self.form, batch)?;
        let known = data.known(batch);
        if known == 0 {
            return Err(RivalError::EmptyBatch);
        }
        let (part, losses) = (self.part(), known * self.network.steps);
        let RelationalNetwork { network, training, .. } = self;
        training.fit(batch.len(), part, losses as f64, |worker, weights, range, part| {
            let (examples, share) = (&batch[range], Some(1.0 / known as f32));
            let task = Task { network, weights, data, examples, share };
            part.loss = worker.forward(&task)?;
            worker.backward(&task, &mut part.gradient);
            Ok(())
        })
    }

    fn predict(&self, data: &CellExamples, examples: &[usize]) -> Result<Vec<f32>, RivalError> {
        data.check(&self.form, examples)?;
        let (network, weights) = (&self.network, &self.training.state.weights);
        let width = self.form.cells * self.form.classes;
        self.training.predict(examples.len(), self.part(), width, |worker, range, rows| {
            worker.forward(&Task { network, weights, data, examples: &examples[range], share: None })?;
            rows.copy_from_slice(worker.probabilities());
            Ok(())
        })
    }

    fn save(&self) -> Result<Vec<u8>, RivalError> {
        self.training.parameters.write(&self.training.state)
    }

    fn load(&mut self, file: &[u8]) -> Result<(), RivalError> {
        self.training.state = self.training.parameters.read(file)?;
        Ok(())
    }
}
