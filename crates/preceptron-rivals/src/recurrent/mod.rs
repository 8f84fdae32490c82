//! The recurrent transformer of Yang, Ishay and Lee ("Learning to Solve Constraint Satisfaction Problems with
//! Recurrent Transformer", ICLR 2023), which the paper calls L1R32H4: one block, 32 recurrences, 4 heads.
//!
//! Cells are tokens. A block of attention among the cells of an example and of hidden units is applied again and
//! again with the same weights, and after each time a linear head says what is in each cell. The equations are in
//! the page of `forward_backward`, the tensors in that of `network`.
//!
//! # As its authors have it
//! AdamW without decay of embeddings, gradients of bounded length, dropout in embedding, attention and both
//! branches, a head without bias, loss after each recurrence. The gradient is that of the sum of these losses; the
//! loss that [`Rival::fit`](crate::Rival::fit) returns is their mean.
//!
//! # How it is made
//! A batch is cut into parts of about 200 tokens, each of which goes through all recurrences and back on
//! one thread. The number of threads changes nothing, not even the last bit.

mod attention;
mod forward_backward;
mod network;
mod settings;
#[cfg(test)]
mod tests;
mod trace;
#[cfg(test)]
mod twin;

use preceptron_base::stream_at;
use rand::RngExt;

use crate::layers::data_parallel::DataParallel;
use crate::layers::dropout::{Dropout, Keys};
use crate::layers::parameters::Parameters;
use crate::{CellExamples, CellForm, Rival, RivalError};

use forward_backward::{Task, TrainingTask, Worker};
use network::Network;
pub use settings::TransformerSettings;

/// Tokens in a part of a batch, about: what is at hand of them fits into a cache.
const PART: usize = 200;

/// The recurrent transformer with its optimiser.
///
/// ```
/// use preceptron_rivals::{CellExamples, CellInput, RecurrentTransformer, Rival, TransformerSettings, score};
///
/// let mut examples = CellExamples::new(2, 2).with_symbols(2);
/// for bits in [[0, 0], [0, 1], [1, 0], [1, 1]] {
///     examples.push(&bits.map(CellInput::Symbol), &[Some((bits[0] ^ bits[1]) as u16), None])?;
/// }
/// let settings = TransformerSettings { width: 16, heads: 2, recurrences: 2, ..TransformerSettings::default() };
/// let mut rival = RecurrentTransformer::new(examples.form(), settings)?;
/// for _ in 0..600 {
///     rival.fit(&examples, &[0, 1, 2, 3])?;
/// }
/// assert_eq!(score(&rival, &examples, &[0, 1, 2, 3])?.cells_right, 4);
/// # Ok::<(), preceptron_rivals::RivalError>(())
/// ```
pub struct RecurrentTransformer {
    form: CellForm,
    network: Network,
    dropout: Option<Dropout>,
    seed: u64,
    training: DataParallel<Worker>,
}

impl RecurrentTransformer {
    /// A transformer with first weights that depend on the seed only.
    ///
    /// # Errors
    /// If a setting is out of range, or the layers for pictures do not fit them.
    pub fn new(form: &CellForm, settings: TransformerSettings) -> Result<RecurrentTransformer, RivalError> {
        let mut parameters = Parameters::default();
        let network = Network::new(&settings, form, &mut parameters)?;
        let TransformerSettings { dropout, seed, optimiser, threads, .. } = settings;
        let training = DataParallel::new(parameters, seed, optimiser, threads)?;
        Ok(RecurrentTransformer { form: *form, network, dropout: Dropout::new(dropout), seed, training })
    }

    /// How many parameters it has.
    pub fn parameters(&self) -> usize {
        self.training.parameters.len
    }

    /// Examples in a part of a batch.
    fn part(&self) -> usize {
        (PART / self.form.cells).max(1)
    }
}

impl Rival for RecurrentTransformer {
    fn name(&self) -> &'static str {
        "recurrent transformer"
    }

    fn fit(&mut self, data: &CellExamples, batch: &[usize]) -> Result<f64, RivalError> {
        data.check(&self.form, batch)?;
        let known = data.known(batch);
        if known == 0 {
            return Err(RivalError::EmptyBatch);
        }
        let (part, losses) = (self.part(), known * self.network.recurrences);
        let RecurrentTransformer { network, dropout, seed, training, .. } = self;
        let (maps, step) = (network.fold(&training.state.weights), training.state.step);
        training.fit(batch.len(), part, losses as f64, |worker, weights, range, part| {
            let keys = Keys(stream_at(*seed, "dropout", &[step, range.start as u64]).random());
            let task = TrainingTask { dropout: *dropout, keys, share: 1.0 / known as f32 };
            let examples = &batch[range];
            let task = Task { network, weights, maps: &maps, data, examples, training: Some(task) };
            part.loss = worker.forward(&task)?;
            worker.backward(&task, &mut part.gradient);
            Ok(())
        })
    }

    fn predict(&self, data: &CellExamples, examples: &[usize]) -> Result<Vec<f32>, RivalError> {
        data.check(&self.form, examples)?;
        let weights = &self.training.state.weights;
        let (network, maps) = (&self.network, self.network.fold(weights));
        let width = self.form.cells * self.form.classes;
        self.training.predict(examples.len(), self.part(), width, |worker, range, rows| {
            let examples = &examples[range];
            let task = Task { network, weights, maps: &maps, data, examples, training: None };
            worker.forward(&task)?;
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
