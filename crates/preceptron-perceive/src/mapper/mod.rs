//! Maps from images: for each cell of a grid that lies in the scene, the probability that it is, say, blocked.
//!
//! A backbone of [`Layer`]s makes feature maps of the image; where a cell is seen in the image is known from
//! the camera, so the maps are sampled there, at a few [`Points`] for each cell; a head over the grid makes a
//! logit of the samples of each cell. The probability is `1 / (1 + exp(-logit))`, each cell apart.
//!
//! What is made small is the caller's: a function from the probabilities of an image to a loss and its
//! derivatives by the logits. So a loss may tie cells together and need not know the map at all.
//!
//! A batch is cut into parts of at most 16 images, and everything else is as in [`crate::Classifier`]: the
//! number of threads changes nothing, and training that is resumed ends where uninterrupted training does.

mod forward_backward;
mod inputs;
mod network;
mod photometric;
mod sampling;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod twin;

use std::ops::Range;

#[cfg(doc)]
use crate::Layer;
use crate::adam::State;
use crate::data_parallel::{DataParallel, Part};
use crate::forward_backward::Mode;
use crate::network::Weights;
use crate::weights_file;
use crate::{Augmentation, Checked, PerceiveError, Probabilities, Settings};
use preceptron_base::stream_at;

use forward_backward::MapPass;
use inputs::parts;
pub use inputs::{MapInputs, Points};
pub use network::{MapHead, MapNetwork};
pub use photometric::Photometric;

/// Images in a part of a batch, at the most.
const PART: usize = 16;

/// What is made small: from the number of an image in its batch and the probabilities of its cells to a loss.
/// It writes the loss's derivatives by the logits, which are 0 before. It is called on several threads, and
/// must depend on its arguments alone for results that can be repeated.
///
/// With t whether a cell is blocked, p its probability, and the cross-entropy as loss, the derivative by its
/// logit is p - t. In general it is p (1 - p) times the derivative by p.
pub type MapLoss<'a> = dyn Fn(usize, &[f32], &mut [f32]) -> f64 + Sync + 'a;

/// A network that maps, with its optimiser.
///
/// ```
/// use preceptron_perceive::{Images, Layer, Photometric, MapHead, MapInputs, MapNetwork, Mapper, Points, Settings, Shape};
///
/// // Images of 1x4 pixels; the grid's two cells are seen at pixels 0 and 3. Bright is blocked.
/// let (shape, points) = (Shape::new(1, 1, 4), [[0.0, 0.0], [3.0, 0.0]]);
/// let backbone = [Layer::convolution(4, 1).relu()];
/// let network = MapNetwork::new(shape, &backbone, &MapHead::cells(1, 2, 1, &[0]))?;
/// let mut mapper = Mapper::new(network, Settings { warm_up: 0, ..Settings::default() }, Photometric::default(), 2)?;
/// let (pixels, blocked) = ([250, 9, 200, 0, 3, 99, 0, 255u8], [[1.0, 0.0], [0.0, 1.0f32]]);
/// let inputs = MapInputs::new(Images::bytes(shape, &pixels)?, Points::Shared(&points));
/// for _ in 0..200 {
///     mapper.fit(inputs, &|image, probabilities, slopes| {
///         (0..2).for_each(|cell| slopes[cell] = probabilities[cell] - blocked[image][cell]);
///         (0..2).map(|cell| f64::from(slopes[cell].abs())).sum()
///     })?;
/// }
/// let found: Vec<bool> = mapper.predict(inputs)?.values().iter().map(|p| *p > 0.5).collect();
/// assert_eq!(found, [true, false, false, true]);
/// # Ok::<(), preceptron_perceive::PerceiveError>(())
/// ```
pub struct Mapper {
    network: MapNetwork,
    settings: Checked,
    light: Photometric,
    state: State,
    crew: DataParallel<Worker>,
}

/// What a thread works with.
#[derive(Default)]
struct Worker {
    pass: MapPass,
    image: Vec<f32>,
}

impl Mapper {
    /// A network with first weights that depend on the seed only. Of the settings, the objective is not used,
    /// since the loss is the caller's, and there is no augmentation, which would move what is seen at a
    /// point: training images are varied in their light alone.
    pub fn new(
        network: MapNetwork,
        settings: Settings,
        light: Photometric,
        threads: usize,
    ) -> Result<Mapper, PerceiveError> {
        let settings = settings.check()?;
        light.check()?;
        if settings.augmentation != Augmentation::default() {
            let value = format!("{:?}", settings.augmentation);
            return Err(PerceiveError::Setting { key: "augmentation", value, range: "none for a mapper" });
        }
        let state = State::start(network.initial(settings.seed), &settings);
        Ok(Mapper { network, settings, light, state, crew: DataParallel::new(threads)? })
    }

    /// The architecture.
    pub fn network(&self) -> &MapNetwork {
        &self.network
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How many steps of training were made.
    pub fn step(&self) -> u64 {
        self.state.step
    }

    /// The probabilities of the cells, row by row of the grid, for each image.
    pub fn predict(&self, inputs: MapInputs<'_>) -> Result<Probabilities, PerceiveError> {
        inputs.check(&self.network)?;
        let (cells, weights) = (self.network.cells(), self.state.predicting());
        let values = self.crew.predict(parts(inputs.images.len(), PART), cells, |worker, range, rows| {
            worker.predict(&self.network, weights, inputs, range, rows);
        });
        Ok(Probabilities::new(cells, values))
    }

    /// One step of training; returns the mean loss of the images, as they were seen, before it. After an
    /// error everything is as it was.
    pub fn fit(&mut self, inputs: MapInputs<'_>, loss: &MapLoss<'_>) -> Result<f64, PerceiveError> {
        inputs.check(&self.network)?;
        if inputs.images.is_empty() {
            return Err(PerceiveError::EmptyBatch);
        }
        let Mapper { network, settings, light, state, crew } = self;
        let (images, decaying) = (inputs.images.len(), network.decaying());
        let ranges = parts(images, PART);
        crew.fit(ranges, images as f64, state, settings, &decaying, |worker, state, range, part| {
            worker.fill(network, inputs, range.clone(), |number, image| {
                if !light.is_none() {
                    let number = number as u64;
                    light.apply(
                        image,
                        &mut stream_at(settings.seed, "light of pictures", &[state.step, number]),
                    );
                }
            });
            worker.differentiate(network, &state.weights, inputs, loss, range, part);
        })
    }

    /// All that [`Mapper::load`] needs to go on as if nothing had happened, as a file.
    pub fn save(&self) -> Result<Vec<u8>, PerceiveError> {
        weights_file::write_tensors(self.network.entries().each_ref().map(Vec::as_slice), &self.state)
    }

    /// Takes up what [`Mapper::save`] wrote. After an error everything is as it was.
    pub fn load(&mut self, file: &[u8]) -> Result<(), PerceiveError> {
        let start = State::start(self.network.initial(self.settings.seed), &self.settings);
        let entries = self.network.entries();
        self.state = weights_file::read_tensors(entries.each_ref().map(Vec::as_slice), start, file)?;
        Ok(())
    }
}

impl Worker {
    /// Puts images into the pass.
    fn fill(
        &mut self,
        network: &MapNetwork,
        inputs: MapInputs<'_>,
        range: Range<usize>,
        vary: impl Fn(usize, &mut [f32]),
    ) {
        self.pass.backbone.prepare(&network.backbone, range.len());
        self.image.resize(network.input().size(), 0.0);
        for (at, number) in range.enumerate() {
            inputs.images.copy(number, &mut self.image);
            vary(number, &mut self.image);
            self.pass.backbone.put(at, &self.image);
        }
    }

    /// Loss and gradient of one part of a batch.
    fn differentiate(
        &mut self,
        network: &MapNetwork,
        weights: &Weights,
        inputs: MapInputs<'_>,
        loss: &MapLoss<'_>,
        range: Range<usize>,
        part: &mut Part,
    ) {
        let (cells, count) = (network.cells(), range.len());
        let share = (1.0 / inputs.images.len() as f64) as f32;
        let logits = self.pass.forward(network, weights, inputs, range.clone(), Mode::Training);
        let (mut row, mut slopes) = (vec![0.0; cells], vec![0.0; cells]);
        part.loss = 0.0;
        for (at, number) in range.enumerate() {
            row.iter_mut().enumerate().for_each(|(cell, p)| *p = sigmoid(logits[cell * count + at]));
            slopes.fill(0.0);
            part.loss += loss(number, &row, &mut slopes);
            slopes.iter().enumerate().for_each(|(cell, slope)| logits[cell * count + at] = share * slope);
        }
        part.gradient.resize(network.parameters(), 0.0);
        self.pass.backward(network, weights, count, &mut part.gradient);
        part.statistics.clone_from(&self.pass.backbone.statistics);
        part.statistics.extend(&self.pass.head.statistics);
    }

    fn predict(
        &mut self,
        network: &MapNetwork,
        weights: &Weights,
        inputs: MapInputs<'_>,
        range: Range<usize>,
        rows: &mut [f32],
    ) {
        let count = range.len();
        self.fill(network, inputs, range.clone(), |_, _| {});
        let logits = self.pass.forward(network, weights, inputs, range, Mode::Prediction);
        for (at, row) in rows.chunks_exact_mut(network.cells()).enumerate() {
            row.iter_mut().enumerate().for_each(|(cell, p)| *p = sigmoid(logits[cell * count + at]));
        }
    }
}

fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
