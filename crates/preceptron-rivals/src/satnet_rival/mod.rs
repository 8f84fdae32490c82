//! SATNet over cells: symbols or pictures of digits are given, and a layer completes the others.
//!
//! With x a picture, w the weights of the network for pictures, S the clauses of the layer, and the answers t of
//! cells that are blank:
//! ```text
//! p = softmax(network(x, w))                       what is read: the layer's inputs
//! z = layer(p, S)                                  see the page of SatNet
//! L = -mean over the classes of blank cells with answers of t ln z + (1 - t) ln(1 - z)
//! dL/dw = dL/dp dp/dw                              dL/dp from the layer's backward pass
//! ```
//! | symbol | here |
//! |---|---|
//! | network, w | `network`, the parameters of `training` |
//! | p, dL/dp | `readings`, `by_readings` |
//! | S, z | [`SatNet`], `outputs` |
//! | t | [`CellExamples::answers`] |
//!
//! # Where it departs from its authors' program
//! - Answers of cells that are given are not learned from. There they are part of the loss, so that the network
//!   for pictures has the labels of what it reads ("label leakage"); here it has the layer's derivatives alone.
//! - What the layer gives is divided by its sum over the classes of a cell, so that it is a probability.
//! - Symbols may have variables of their own ([`SatNetRivalSettings::own_symbols`]).
//!
//! The network for pictures goes forward twice in a step: what it keeps for the way back is kept for no longer
//! than a part of the batch takes.

mod settings;
#[cfg(test)]
mod tests;
mod variables;

use preceptron_perceive::{FeatureNetwork, FeaturePass, Images, Layer};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use crate::layers::data_parallel::DataParallel;
use crate::layers::parameters::{Parameters, Start as FirstValues};
use crate::layers::softmax::{softmax, softmax_back};
use crate::{Batch, CellExamples, CellForm, Rival, RivalError, SatNet, Start};

pub use settings::SatNetRivalSettings;
use variables::{CellVariables, Pictured};

/// Pictures in a part of a batch.
const PART: usize = 64;

/// SATNet with the network that reads its pictures, and both optimisers.
///
/// For cells that are given a picture, [`Rival::predict`] gives what the network reads in it, so that reading can
/// be judged apart from completing. For cells that are given a symbol that is a class it gives that class; for one
/// of its own alphabet, what the layer makes of it.
///
/// ```
/// use preceptron_rivals::{CellExamples, CellInput, Rival, SatNetRival, SatNetRivalSettings, SatNetSettings, score};
///
/// // The second bit is what the first is not.
/// let mut examples = CellExamples::new(2, 2).with_symbols(2);
/// for bit in [0, 1] {
///     examples.push(&[CellInput::Symbol(bit), CellInput::Nothing], &[None, Some(1 - bit as u16)])?;
/// }
/// let layer = SatNetSettings { clauses: 6, auxiliary: 2, learning_rate: 0.05, ..SatNetSettings::default() };
/// let settings = SatNetRivalSettings { layer, ..SatNetRivalSettings::default() };
/// let mut rival = SatNetRival::new(examples.form(), settings)?;
/// for _ in 0..100 {
///     rival.fit(&examples, &[0, 1])?;
/// }
/// assert_eq!(score(&rival, &examples, &[0, 1])?.cells_right, 2);
/// # Ok::<(), preceptron_rivals::RivalError>(())
/// ```
pub struct SatNetRival {
    form: CellForm,
    variables: CellVariables,
    layer: SatNet,
    network: Option<FeatureNetwork>,
    /// The network's weights.
    training: DataParallel<FeaturePass>,
}

/// The derivatives of a batch's loss.
struct Slopes {
    loss: f64,
    by_clauses: Vec<f32>,
    pictured: Pictured,
    /// By what was read in each picture, a row of classes for each.
    by_readings: Vec<f32>,
}

impl SatNetRival {
    /// A rival whose first weights depend on the seed only.
    ///
    /// # Errors
    /// If a setting is out of range, symbols that are no classes have no variables of their own, there are vectors
    /// of numbers among the inputs, or the layers for pictures do not fit them.
    pub fn new(form: &CellForm, settings: SatNetRivalSettings) -> Result<SatNetRival, RivalError> {
        settings.check(form)?;
        let variables = CellVariables::new(form, settings.own_symbols);
        let layer = SatNet::new(variables.len(), settings.layer)?;
        let seed = settings.layer.seed;
        let mut parameters = Parameters::default();
        let network = match form.pictures {
            None => None,
            Some(shape) => {
                let last = Layer::linear(form.classes);
                let layers: Vec<Layer> = settings.pictures.iter().copied().chain([last]).collect();
                let network = FeatureNetwork::new(shape, &layers)?;
                let initial = network.initial(seed);
                for (name, shape, range) in network.tensors() {
                    let (decays, values) = (name.ends_with("weight"), initial[range].to_vec());
                    parameters.add(name, shape, FirstValues::Given(values), decays);
                }
                Some(network)
            }
        };
        let training = DataParallel::new(parameters, seed, settings.optimiser, settings.threads)?;
        Ok(SatNetRival { form: *form, variables, layer, network, training })
    }

    /// The layer.
    pub fn layer(&self) -> &SatNet {
        &self.layer
    }

    /// What the network reads in pictures: a row of classes for each.
    fn readings(&self, data: &CellExamples, numbers: &[u32]) -> Result<Vec<f32>, RivalError> {
        let Some(network) = &self.network else { return Ok(Vec::new()) };
        let (weights, classes) = (&self.training.state.weights, self.form.classes);
        self.training.predict(numbers.len(), PART, classes, |pass, range, rows| {
            read(network, weights, data, &numbers[range], pass, rows)
        })
    }

    fn slopes(&self, data: &CellExamples, batch: &[usize], start: Start<'_>) -> Result<Slopes, RivalError> {
        let pictured = self.variables.pictured(data, batch);
        let readings = self.readings(data, &pictured.numbers)?;
        let bits = self.variables.bits(data, batch, &pictured, &readings);
        if !bits.judged.contains(&true) {
            return Err(RivalError::EmptyBatch);
        }
        let inputs = Batch { inputs: &bits.inputs, is_input: &bits.is_input };
        let (loss, gradients) = self.training.on_threads(|| {
            let pass = self.layer.forward(inputs, start)?;
            let (loss, by_outputs) = self.layer.loss(&pass, inputs, &bits.targets, &bits.judged)?;
            Ok::<_, RivalError>((loss, self.layer.backward(&pass, &by_outputs)?))
        })?;
        if !(loss.is_finite() && gradients.clauses.iter().all(|slope| slope.is_finite())) {
            return Err(RivalError::Diverged { step: self.layer.step() });
        }
        let classes = self.form.classes;
        let by_readings =
            pictured.begins.iter().flat_map(|&at| &gradients.inputs[at..at + classes]).copied().collect();
        Ok(Slopes { loss, by_clauses: gradients.clauses, pictured, by_readings })
    }
}

/// Goes forward to what is read in some pictures.
fn read(
    network: &FeatureNetwork,
    weights: &[f32],
    data: &CellExamples,
    numbers: &[u32],
    pass: &mut FeaturePass,
    rows: &mut [f32],
) -> Result<(), RivalError> {
    let images = Images::bytes(network.input(), data.pixels())?;
    pass.forward(network, weights, images, numbers, rows)?;
    softmax(rows, network.outputs(), 1.0);
    // A sum that is rounded must not make a probability greater than 1; what is not a number stays what it is.
    rows.iter_mut().for_each(|p| *p = p.clamp(0.0, 1.0));
    Ok(())
}

/// Goes forward and back: adds the derivatives by the weights, from those by what is read.
fn read_back(
    network: &FeatureNetwork,
    weights: &[f32],
    data: &CellExamples,
    numbers: &[u32],
    by_readings: &[f32],
    pass: &mut FeaturePass,
    gradient: &mut [f32],
) -> Result<(), RivalError> {
    let (mut rows, mut slopes) = (vec![0.0; by_readings.len()], by_readings.to_vec());
    read(network, weights, data, numbers, pass, &mut rows)?;
    softmax_back(&rows, network.outputs(), 1.0, &mut slopes);
    pass.backward(network, weights, &slopes, gradient);
    Ok(())
}

impl Rival for SatNetRival {
    fn name(&self) -> &'static str {
        "SATNet"
    }

    /// The loss is a mean over the classes of the blank cells whose answers are known.
    fn fit(&mut self, data: &CellExamples, batch: &[usize]) -> Result<f64, RivalError> {
        data.check(&self.form, batch)?;
        let Slopes { loss, by_clauses, pictured, by_readings } =
            self.slopes(data, batch, Start::Drawn(self.layer.step()))?;
        let (classes, numbers) = (self.form.classes, &pictured.numbers);
        if let Some(network) = self.network.as_ref().filter(|_| !numbers.is_empty()) {
            self.training.fit(numbers.len(), PART, 1.0, |pass, weights, range, part| {
                let slopes = &by_readings[range.start * classes..range.end * classes];
                read_back(network, weights, data, &numbers[range], slopes, pass, &mut part.gradient)
            })?;
        }
        self.layer.apply(&by_clauses)?;
        Ok(loss)
    }

    fn predict(&self, data: &CellExamples, examples: &[usize]) -> Result<Vec<f32>, RivalError> {
        data.check(&self.form, examples)?;
        let pictured = self.variables.pictured(data, examples);
        let readings = self.readings(data, &pictured.numbers)?;
        let bits = self.variables.bits(data, examples, &pictured, &readings);
        let inputs = Batch { inputs: &bits.inputs, is_input: &bits.is_input };
        let outputs = self.training.on_threads(|| self.layer.predict(inputs))?;
        Ok(self.variables.probabilities(&outputs))
    }

    /// A file of two tensors of bytes, `layer` and `pictures`, each a file of its own: that of [`SatNet::save`],
    /// and that of the network's weights.
    fn save(&self) -> Result<Vec<u8>, RivalError> {
        let files = [self.layer.save()?, self.training.parameters.write(&self.training.state)?];
        let views = FILES.into_iter().zip(&files).map(|(name, file)| {
            Ok::<_, RivalError>((name, TensorView::new(Dtype::U8, vec![file.len()], file)?))
        });
        Ok(safetensors::serialize(views.collect::<Result<Vec<_>, _>>()?, None)?)
    }

    fn load(&mut self, file: &[u8]) -> Result<(), RivalError> {
        let file = SafeTensors::deserialize(file)?;
        let [layer, pictures] = FILES.map(|name| {
            let tensor = file.tensor(name).ok().filter(|tensor| tensor.dtype() == Dtype::U8);
            tensor
                .ok_or_else(|| RivalError::Tensor { name: name.to_owned(), problem: "is missing".to_owned() })
        });
        let state = self.training.parameters.read(pictures?.data())?;
        self.layer.load(layer?.data())?;
        self.training.state = state;
        Ok(())
    }
}

const FILES: [&str; 2] = ["layer", "pictures"];
