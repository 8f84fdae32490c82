//! A recurrent transformer that reads images, with tensors and derivatives by the crate `burn` (feature
//! `burn`).
//!
//! Yang, Ishay and Lee ("Learning to solve constraint satisfaction problems with recurrent transformer")
//! let a transformer whose layers are applied again and again map a whole board to its answers; the paper
//! has it as a rival, as L1R32H4: 1 layer, 32 recurrences, 4 heads. Here the same network reads one image: its
//! tokens are the image's patches in place of the board's cells, and what they end as is averaged and
//! classified. The loss is that of the last recurrence, and there is no dropout.
//!
//! # What it costs
//! With images of 28x28 pixels and the default size there are 49 tokens and 208,000 parameters. An image takes
//! 10 million multiplications in each recurrence, and three times that to train: a billion for each image of a
//! training step with 32 recurrences, over a thousand times LeNet's. With 4 recurrences
//! ([`TransformerSettings::recurrences`]) it is an eighth of that.
//!
//! # What is the same as in a [`crate::Classifier`]
//! All of [`crate::Settings`], and the steps of Adam, which are computed on the processor in any case; batches in
//! parts of fixed size, so that threads change nothing; saved weights, with `layer.…` replaced by the names
//! below, and resumed training that ends where uninterrupted training does. On graphics cards, sums are not
//! promised to be the same twice.
//!
//! | tensor | shape |
//! |---|---|
//! | `embedding.weight`, `.bias` | values of a patch, width; width |
//! | `position` | tokens, width |
//! | `layer.N.attention.norm.scale`, `.shift` | width |
//! | `layer.N.attention.query`, `.key`, `.value`, `.output`: `.weight`, `.bias` | width, width; width |
//! | `layer.N.mlp.norm.scale`, `.shift` | width |
//! | `layer.N.mlp.hidden.weight`, `.bias` | width, 4 width; 4 width |
//! | `layer.N.mlp.output.weight`, `.bias` | 4 width, width; width |
//! | `norm.scale`, `.shift` | width |
//! | `head.weight`, `.bias` | width, classes; classes |

mod encoder;
mod settings;

use std::ops::Range;

use burn::tensor::{Tensor, TensorData};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::adam::State;
use crate::augmentation::variation;
use crate::objective::softmax;
use crate::weights_file;
use crate::{Checked, Images, PerceiveError, Perception, Probabilities, Settings, Shape, Targets};

use encoder::Encoder;
pub use settings::{Device, TransformerSettings};

/// Images in a part of a batch: what is kept for the way back is large.
const PART: usize = 16;

/// A transformer with its optimiser and its augmentation.
pub struct RecurrentTransformer {
    encoder: Encoder,
    settings: Checked,
    state: State,
    device: burn::tensor::Device,
    threads: ThreadPool,
}

impl RecurrentTransformer {
    /// A transformer for images of a shape, with first weights that depend on the seed only. Threads are for
    /// the processor; a graphics card is handed one part of a batch after the other.
    pub fn new(
        size: TransformerSettings,
        input: Shape,
        classes: usize,
        settings: Settings,
        device: Device,
        threads: usize,
    ) -> Result<RecurrentTransformer, PerceiveError> {
        let encoder = Encoder::new(size, input, classes)?;
        let settings = settings.check()?;
        let state = State::start(encoder.initial(settings.seed), &settings);
        let threads = if device == Device::Cpu { threads.max(1) } else { 1 };
        let threads = ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(RecurrentTransformer { encoder, settings, state, device: device.open()?, threads })
    }

    /// How many parameters it has.
    pub fn parameters(&self) -> usize {
        self.encoder.parameters
    }

    /// How many steps of training were made.
    pub fn step(&self) -> u64 {
        self.state.step
    }

    fn check(&self, images: Images<'_>) -> Result<(), PerceiveError> {
        match images.shape() == self.encoder.input {
            true => Ok(()),
            false => Err(PerceiveError::InputShape { expected: self.encoder.input, found: images.shape() }),
        }
    }

    /// What `work` gives for each part of a batch, in their order.
    fn each_part<T: Send>(
        &self,
        images: usize,
        work: impl Fn(Range<usize>) -> Result<T, PerceiveError> + Sync,
    ) -> Result<Vec<T>, PerceiveError> {
        let parts = images.div_ceil(PART);
        let range = |part: usize| part * PART..images.min((part + 1) * PART);
        self.threads.install(|| (0..parts).into_par_iter().map(|part| work(range(part))).collect())
    }

    /// Some of the images as patches: varied for training, as they are otherwise.
    fn patches(
        &self,
        images: Images<'_>,
        range: Range<usize>,
        is_training: bool,
        device: &burn::tensor::Device,
    ) -> Tensor<3> {
        let (shape, settings) = (self.encoder.input, &self.settings);
        let (mut image, mut varied) = (vec![0.0; shape.size()], vec![0.0; shape.size()]);
        let (mut padded, mut patches) = (Vec::new(), Vec::with_capacity(range.len() * shape.size()));
        let count = range.len();
        for number in range {
            images.copy(number, &mut image);
            if is_training && !settings.augmentation.is_none() {
                let mut random = variation(settings.seed, self.state.step, number as u64);
                settings.augmentation.apply(shape, &image, &mut random, &mut padded, &mut varied);
                std::mem::swap(&mut image, &mut varied);
            }
            self.encoder.cut(&image, &mut patches);
        }
        Tensor::from_data(TensorData::new(patches, self.encoder.patches(count)), device)
    }

    fn tensor(&self, parameters: &[f32], device: &burn::tensor::Device) -> Tensor<1> {
        Tensor::from_data(TensorData::new(parameters.to_vec(), [parameters.len()]), device)
    }

    /// Loss and gradient of one part of a batch whose weights sum to `total`.
    fn differentiate(
        &self,
        images: Images<'_>,
        targets: Targets<'_>,
        total: f64,
        range: Range<usize>,
    ) -> Result<(f64, Vec<f32>), PerceiveError> {
        let (device, classes) = (self.device.clone().autodiff(), self.encoder.classes);
        let parameters = self.tensor(&self.state.weights.parameters, &device).require_grad();
        let patches = self.patches(images, range.clone(), true, &device);
        let logits = self.encoder.logits(parameters.clone(), patches);
        let mut slopes = values(logits.clone().inner())?;
        let mut loss = 0.0;
        for (row, number) in slopes.chunks_exact_mut(classes).zip(range.clone()) {
            softmax(row, 1);
            let weight = f64::from(targets.weight(number));
            let target = &targets.rows[number * classes..(number + 1) * classes];
            loss += weight * self.settings.objective.slopes(row, target);
            row.iter_mut().for_each(|slope| *slope *= (weight / total) as f32);
        }
        // The gradient of this sum is that of the loss, since the slopes are the loss's by the logits.
        let slopes = Tensor::from_data(TensorData::new(slopes, [range.len(), classes]), &device);
        let gradients = (logits * slopes).sum().backward();
        let gradient = parameters.grad(&gradients);
        let gradient = values(gradient.ok_or_else(|| PerceiveError::Device("no gradient".to_owned()))?)?;
        Ok((loss, gradient))
    }
}

/// A tensor's numbers.
fn values<const D: usize>(tensor: Tensor<D>) -> Result<Vec<f32>, PerceiveError> {
    let data = tensor.try_into_data().map_err(|error| PerceiveError::Device(format!("{error:?}")))?;
    data.try_into_vec().map_err(|error| PerceiveError::Device(format!("{error:?}")))
}

impl Perception for RecurrentTransformer {
    fn classes(&self) -> usize {
        self.encoder.classes
    }

    fn input(&self) -> Shape {
        self.encoder.input
    }

    fn predict(&self, images: Images<'_>) -> Result<Probabilities, PerceiveError> {
        self.check(images)?;
        let weights = self.state.predicting();
        let rows = self.each_part(images.len(), |range| {
            let patches = self.patches(images, range, false, &self.device);
            let parameters = self.tensor(&weights.parameters, &self.device);
            let mut rows = values(self.encoder.logits(parameters, patches))?;
            rows.chunks_exact_mut(self.classes()).for_each(|row| softmax(row, 1));
            Ok(rows)
        })?;
        Ok(Probabilities::new(self.classes(), rows.concat()))
    }

    fn fit(&mut self, images: Images<'_>, targets: Targets<'_>) -> Result<f64, PerceiveError> {
        self.check(images)?;
        let total = targets.check(images.len(), self.classes())?;
        let parts =
            self.each_part(images.len(), |range| self.differentiate(images, targets, total, range))?;
        let loss = parts.iter().map(|(loss, _)| loss).sum::<f64>() / total;
        let is_finite = |gradient: &[f32]| gradient.iter().all(|slope| slope.is_finite());
        if !loss.is_finite() || !parts.iter().all(|(_, gradient)| is_finite(gradient)) {
            return Err(PerceiveError::Diverged { step: self.state.step });
        }
        let gradients: Vec<&[f32]> = parts.iter().map(|(_, gradient)| &gradient[..]).collect();
        let RecurrentTransformer { encoder, settings, state, threads, .. } = self;
        let no_statistics = std::iter::once(&[][..]);
        threads.install(|| state.update(&encoder.decaying, settings, &gradients, no_statistics));
        Ok(loss)
    }

    fn save(&self) -> Result<Vec<u8>, PerceiveError> {
        weights_file::write_tensors([&self.encoder.entries, &[]], &self.state)
    }

    fn load(&mut self, file: &[u8]) -> Result<(), PerceiveError> {
        let start = State::start(self.encoder.initial(self.settings.seed), &self.settings);
        self.state = weights_file::read_tensors([&self.encoder.entries, &[]], start, file)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Augmentation, Objective, Optimiser};
    use preceptron_base::stream_at;
    use rand::RngExt;

    const SHAPE: Shape = Shape::new(1, 8, 8);

    fn settings() -> Settings {
        let augmentation = Augmentation { shift: 1, ..Augmentation::default() };
        Settings {
            augmentation,
            optimiser: Optimiser::AdamW,
            weight_decay: 0.01,
            warm_up: 3,
            ..Settings::default()
        }
    }

    fn transformer(settings: Settings, threads: usize) -> RecurrentTransformer {
        let size = TransformerSettings { width: 16, heads: 2, recurrences: 2, ..Default::default() };
        RecurrentTransformer::new(size, SHAPE, 2, settings, Device::Cpu, threads).unwrap()
    }

    /// Noise with a bright square in the upper or the lower half, anywhere from left to right.
    fn batch(count: usize, step: u64) -> (Vec<u8>, Vec<f32>) {
        let mut random = stream_at(9, "batch of a test", &[step, 0]);
        let (mut pixels, mut rows) = (Vec::new(), vec![0.0; count * 2]);
        for row in rows.chunks_mut(2) {
            let (half, left) = (random.random_range(0..2), random.random_range(0..6));
            row[half] = 1.0;
            let is_bright =
                |y: usize, x: usize| y.abs_diff(1 + 4 * half) <= 1 && (left..left + 3).contains(&x);
            let bright = |at: usize| if is_bright(at / 8, at % 8) { 155 } else { 0 };
            pixels.extend((0..64).map(|at| random.random_range(0..100) + bright(at)));
        }
        (pixels, rows)
    }

    fn train(transformer: &mut RecurrentTransformer, steps: Range<u64>, count: usize) -> Vec<f64> {
        let mut fit = |step| {
            let (pixels, rows) = batch(count, step);
            transformer.fit(Images::bytes(SHAPE, &pixels).unwrap(), Targets::new(&rows)).unwrap()
        };
        steps.map(&mut fit).collect()
    }

    fn predict(transformer: &RecurrentTransformer) -> Probabilities {
        transformer.predict(Images::bytes(SHAPE, &batch(100, 1000).0).unwrap()).unwrap()
    }

    #[test]
    fn it_learns() {
        for objective in [Objective::CrossEntropy, Objective::Squared] {
            let learning_rate = 0.01;
            let augmentation = Augmentation::default();
            let mut learner =
                transformer(Settings { objective, learning_rate, augmentation, ..settings() }, 2);
            let losses = train(&mut learner, 0..60, 64);
            // Every step has images of its own, so that a single loss says little.
            let last = losses[50..].iter().sum::<f64>() / 10.0;
            assert!(last < 0.2 * losses[0], "{losses:?}");
            let found = predict(&learner);
            let rows = batch(100, 1000).1;
            let right = found.most_probable().zip(rows.chunks(2)).filter(|(class, row)| row[*class] == 1.0);
            let right = right.count();
            assert!(right >= 97, "{right} of 100");
        }
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let (pixels, _) = batch(5, 0);
        let images = Images::bytes(SHAPE, &pixels).unwrap();
        // Soft targets, and images that do not count the same.
        let (rows, weights) = ([0.3, 0.7, 1.0, 0.0, 0.5, 0.5, 0.9, 0.1, 0.0, 1.0], [1.0, 0.5, 2.0, 0.0, 1.5]);
        let targets = Targets { rows: &rows, weights: Some(&weights) };
        for objective in [Objective::CrossEntropy, Objective::Squared] {
            let augmentation = Augmentation::default();
            let mut transformer = transformer(Settings { objective, augmentation, ..settings() }, 1);
            let (_, gradient) = transformer.differentiate(images, targets, 5.0, 0..5).unwrap();
            let mut loss = |entry: usize, at: usize, by: f32| {
                let at = transformer.encoder.entries[entry].range.start + at;
                transformer.state.weights.parameters[at] += by;
                let (loss, _) = transformer.differentiate(images, targets, 5.0, 0..5).unwrap();
                transformer.state.weights.parameters[at] -= by;
                (loss / 5.0, at)
            };
            for entry in 0..23 {
                let ((more, at), (less, _)) = (loss(entry, 1, 1e-2), loss(entry, 1, -1e-2));
                let slope = (more - less) / 2e-2;
                assert!(
                    (slope - f64::from(gradient[at])).abs() < 2e-4 + 0.02 * slope.abs(),
                    "{objective:?}, tensor {entry}: {slope}, not {}",
                    gradient[at]
                );
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_on_any_number_of_threads() {
        let run = |seed, threads| {
            let mut transformer = transformer(Settings { seed, ..settings() }, threads);
            let losses = train(&mut transformer, 0..4, 50);
            (losses, predict(&transformer), transformer.save().unwrap())
        };
        let one = run(0, 1);
        assert!(run(0, 1) == one && run(0, 2) == one && run(0, 3) == one);
        assert_ne!(run(1, 1).1, one.1);
    }

    #[test]
    fn resumed_training_is_the_same() {
        let mut whole = transformer(settings(), 2);
        let losses = train(&mut whole, 0..6, 40);
        let mut first = transformer(settings(), 1);
        train(&mut first, 0..3, 40);
        let mut second = transformer(settings(), 1);
        second.load(&first.save().unwrap()).unwrap();
        assert_eq!((second.step(), predict(&second)), (3, predict(&first)));
        assert_eq!(train(&mut second, 3..6, 40), losses[3..]);
        assert!(second.save().unwrap() == whole.save().unwrap());
    }

    #[test]
    fn patches_are_squares_of_all_channels() {
        let size = TransformerSettings { patch: 2, ..Default::default() };
        let encoder = Encoder::new(size, Shape::new(2, 2, 4), 2).unwrap();
        let image: Vec<f32> = (0..16u8).map(f32::from).collect();
        let mut patches = Vec::new();
        encoder.cut(&image, &mut patches);
        assert_eq!(encoder.patches(1), [1, 2, 8]);
        assert_eq!(patches, [0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15].map(|v: u8| f32::from(v)));
    }

    #[test]
    fn what_does_not_fit_is_named_and_changes_nothing() {
        let build = |size, input, device| {
            RecurrentTransformer::new(size, input, 10, Settings::default(), device, 1).map(|t| t.parameters())
        };
        let plain = TransformerSettings::default();
        let large = Shape::new(1, 28, 28);
        assert_eq!(build(plain, large, Device::Cpu).unwrap(), 208_266);
        let message = |size, input| build(size, input, Device::Cpu).unwrap_err().to_string();
        assert_eq!(
            message(TransformerSettings { heads: 3, ..plain }, large),
            "heads = 3 is out of range: 1 to 64, a divisor of the width"
        );
        assert!(message(TransformerSettings { patch: 5, ..plain }, large).starts_with("patch = 5 is out of"));
        assert!(message(TransformerSettings { patch: 0, ..plain }, large).starts_with("patch = 0 is out of"));
        #[cfg(not(feature = "burn-cuda"))]
        assert_eq!(
            build(plain, large, Device::Cuda).unwrap_err().to_string(),
            "device cuda: built without the feature burn-cuda"
        );
        let mut transformer = transformer(settings(), 1);
        let before = transformer.save().unwrap();
        assert!(transformer.load(&before[..200]).is_err());
        let huge = vec![f32::MAX; 64];
        let targets = Targets::new(&[1.0, 0.0]);
        let error = transformer.fit(Images::floats(SHAPE, &huge).unwrap(), targets).unwrap_err();
        assert!(matches!(error, PerceiveError::Diverged { step: 0 }), "{error}");
        let other = Images::bytes(Shape::new(1, 4, 4), &[0; 16]).unwrap();
        assert!(matches!(transformer.predict(other), Err(PerceiveError::InputShape { .. })));
        assert!(transformer.save().unwrap() == before);
    }
}
