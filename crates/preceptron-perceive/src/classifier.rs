//! A network in training: weights, optimiser, augmentation, threads.
//!
//! A batch is cut into parts whose number and sizes depend on its length only, so that the number of threads changes
//! nothing.

use std::ops::Range;

use crate::adam::State;
use crate::augmentation::variation;
use crate::data_parallel::{DataParallel, Part};
use crate::forward_backward::{Mode, Pass};
use crate::network::{Network, Weights};
use crate::objective::softmax;
use crate::weights_file;
use crate::{Checked, Images, PerceiveError, Perception, Probabilities, Settings, Shape, Targets};

/// Images in a part of a batch, at the most.
pub(crate) const PART: usize = 64;

/// A network, its optimiser and its augmentation.
pub struct Classifier {
    network: Network,
    settings: Checked,
    /// The share of the learning rate that steps are made with.
    pace: f64,
    state: State,
    crew: DataParallel<Worker>,
}

/// What a thread works with.
#[derive(Default)]
struct Worker {
    pass: Pass,
    image: Vec<f32>,
    varied: Vec<f32>,
    padded: Vec<f32>,
}

/// The sizes of parts are multiples of this, except for the last: no loop over images has an odd end.
const BLOCK: usize = 16;

/// The parts of a batch: about equal, and an even number if there are several, for two threads.
fn parts(images: usize) -> impl ExactSizeIterator<Item = Range<usize>> {
    let count = if images <= PART { usize::from(images > 0) } else { 2 * images.div_ceil(2 * PART) };
    let begin = move |part: usize| (images.div_ceil(BLOCK) * part / count * BLOCK).min(images);
    (0..count).map(move |part| begin(part)..begin(part + 1))
}

impl Classifier {
    /// A network with first weights that depend on the seed only.
    pub fn new(network: Network, settings: Settings, threads: usize) -> Result<Classifier, PerceiveError> {
        let settings = settings.check()?;
        let state = State::new(&network, &settings);
        Ok(Classifier { network, settings, pace: 1.0, state, crew: DataParallel::new(threads)? })
    }

    /// The architecture.
    pub fn network(&self) -> &Network {
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

    fn check(&self, images: Images<'_>) -> Result<(), PerceiveError> {
        match images.shape() == self.network.input() {
            true => Ok(()),
            false => Err(PerceiveError::InputShape { expected: self.network.input(), found: images.shape() }),
        }
    }
}

impl Perception for Classifier {
    fn classes(&self) -> usize {
        self.network.classes()
    }

    fn input(&self) -> Shape {
        self.network.input()
    }

    fn predict(&self, images: Images<'_>) -> Result<Probabilities, PerceiveError> {
        self.check(images)?;
        let (classes, weights) = (self.classes(), self.state.predicting());
        let values = self.crew.predict(parts(images.len()), classes, |worker, range, rows| {
            worker.predict(&self.network, weights, images, range, rows);
        });
        Ok(Probabilities::new(classes, values))
    }

    fn fit(&mut self, images: Images<'_>, targets: Targets<'_>) -> Result<f64, PerceiveError> {
        self.check(images)?;
        let total = targets.check(images.len(), self.classes())?;
        let Classifier { network, settings, pace, state, crew } = self;
        let settings = &settings.at_pace(*pace);
        let decaying: Vec<Range<usize>> = network.stages.iter().map(|stage| stage.weights.clone()).collect();
        crew.fit(parts(images.len()), total, state, settings, &decaying, |worker, state, range, part| {
            worker.fill(network, settings, state.step, images, range.clone());
            worker.differentiate(network, settings, &state.weights, targets, total, range, part);
        })
    }

    fn set_pace(&mut self, share: f64) {
        self.pace = share;
    }

    fn begin_anew(&mut self) {
        self.state = State::start(self.state.predicting().clone(), &self.settings);
    }

    fn save(&self) -> Result<Vec<u8>, PerceiveError> {
        weights_file::write(&self.network, &self.state)
    }

    fn load(&mut self, file: &[u8]) -> Result<(), PerceiveError> {
        self.state = weights_file::read(&self.network, &self.settings, file)?;
        Ok(())
    }
}

impl Worker {
    /// Puts images into the pass, varied as the settings say.
    fn fill(
        &mut self,
        network: &Network,
        settings: &Settings,
        step: u64,
        images: Images<'_>,
        range: Range<usize>,
    ) {
        let (shape, augmentation) = (network.input(), settings.augmentation);
        self.varied.resize(shape.size(), 0.0);
        self.load(network, images, range, |worker, number| {
            if !augmentation.is_none() {
                let mut random = variation(settings.seed, step, number as u64);
                let Worker { image, varied, padded, .. } = worker;
                augmentation.apply(shape, image, &mut random, padded, varied);
                std::mem::swap(image, varied);
            }
        });
    }

    fn load(
        &mut self,
        network: &Network,
        images: Images<'_>,
        range: Range<usize>,
        mut vary: impl FnMut(&mut Worker, usize),
    ) {
        self.pass.prepare(network, range.len());
        self.image.resize(network.input().size(), 0.0);
        for (at, number) in range.enumerate() {
            images.copy(number, &mut self.image);
            vary(self, number);
            self.pass.put(at, &self.image);
        }
    }

    /// Loss and gradient of one part of a batch whose weights sum to `total`.
    #[allow(clippy::too_many_arguments)]
    fn differentiate(
        &mut self,
        network: &Network,
        settings: &Settings,
        weights: &Weights,
        targets: Targets<'_>,
        total: f64,
        range: Range<usize>,
        part: &mut Part,
    ) {
        let (classes, count) = (network.classes(), range.len());
        let logits = self.pass.forward(network, weights.view(), Mode::Training);
        softmax(logits, count);
        part.loss = 0.0;
        let mut row = vec![0.0; classes];
        for (at, number) in range.enumerate() {
            row.iter_mut().enumerate().for_each(|(class, p)| *p = logits[class * count + at]);
            let weight = targets.weight(number);
            let target = &targets.rows[number * classes..(number + 1) * classes];
            part.loss += f64::from(weight) * settings.objective.slopes(&mut row, target);
            let share = (f64::from(weight) / total) as f32;
            row.iter().enumerate().for_each(|(class, slope)| logits[class * count + at] = share * slope);
        }
        part.gradient.resize(network.parameters, 0.0);
        self.pass.backward(network, &weights.parameters, &mut part.gradient, false);
        part.statistics.clone_from(&self.pass.statistics);
    }

    fn predict(
        &mut self,
        network: &Network,
        weights: &Weights,
        images: Images<'_>,
        range: Range<usize>,
        rows: &mut [f32],
    ) {
        let count = range.len();
        self.load(network, images, range, |_, _| {});
        let logits = self.pass.forward(network, weights.view(), Mode::Prediction);
        softmax(logits, count);
        for (at, row) in rows.chunks_exact_mut(network.classes()).enumerate() {
            row.iter_mut().enumerate().for_each(|(class, p)| *p = logits[class * count + at]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Augmentation, Layer, Objective, Optimiser};
    use preceptron_base::stream_at;
    use rand::RngExt;

    const SHAPE: Shape = Shape::new(1, 8, 8);

    fn settings() -> Settings {
        let augmentation = Augmentation { shift: 1, rotation: 5.0, ..Augmentation::default() };
        Settings {
            augmentation,
            optimiser: Optimiser::AdamW,
            weight_decay: 0.01,
            warm_up: 3,
            ..Settings::default()
        }
    }

    fn classifier(settings: Settings, threads: usize) -> Classifier {
        let layers =
            [Layer::convolution(4, 3).norm().relu().pool(2), Layer::linear(8).relu(), Layer::linear(3)];
        Classifier::new(Network::new(SHAPE, &layers).unwrap(), settings, threads).unwrap()
    }

    /// Noise with a bright row at one of three places, and the place as target.
    fn batch(count: usize, step: u64) -> (Vec<u8>, Vec<f32>) {
        let mut random = stream_at(9, "batch of a test", &[step, 0]);
        let (mut pixels, mut rows) = (Vec::new(), vec![0.0; count * 3]);
        for row in rows.chunks_mut(3) {
            let place = random.random_range(0..3);
            row[place] = 1.0;
            let bright = |at: usize| if at / 8 == 1 + 2 * place { 155 } else { 0 };
            pixels.extend((0..64).map(|at| random.random_range(0..100) + bright(at)));
        }
        (pixels, rows)
    }

    fn train(classifier: &mut Classifier, steps: std::ops::Range<u64>, count: usize) -> Vec<f64> {
        steps
            .map(|step| {
                let (pixels, rows) = batch(count, step);
                classifier.fit(Images::bytes(SHAPE, &pixels).unwrap(), Targets::new(&rows)).unwrap()
            })
            .collect()
    }

    #[test]
    fn it_learns() {
        for (objective, optimiser) in
            [(Objective::CrossEntropy, Optimiser::AdamW), (Objective::Squared, Optimiser::Adam)]
        {
            let augmentation = Augmentation::default();
            let learning_rate = 0.01;
            let mut learner =
                classifier(Settings { objective, optimiser, augmentation, learning_rate, ..settings() }, 2);
            let losses = train(&mut learner, 0..80, 100);
            assert!(losses[79] < 0.1 * losses[0], "{losses:?}");
            let (pixels, rows) = batch(200, 1000);
            let found = learner.predict(Images::bytes(SHAPE, &pixels).unwrap()).unwrap();
            assert!(found.most_probable().zip(rows.chunks(3)).all(|(class, row)| row[class] == 1.0));
        }
    }

    #[test]
    fn threads_change_nothing() {
        let run = |threads| {
            let mut classifier = classifier(settings(), threads);
            let losses = train(&mut classifier, 0..6, 333);
            let (pixels, _) = batch(150, 50);
            let found = classifier.predict(Images::bytes(SHAPE, &pixels).unwrap()).unwrap();
            (losses, found, classifier.save().unwrap())
        };
        let one = run(1);
        assert!(run(2) == one && run(3) == one && run(7) == one);
        let mut other = classifier(Settings { seed: 1, ..settings() }, 1);
        assert_ne!(train(&mut other, 0..6, 333), one.0);
    }

    #[test]
    fn resumed_training_is_the_same() {
        let mut whole = classifier(settings(), 2);
        let losses = train(&mut whole, 0..9, 90);
        let mut first = classifier(settings(), 1);
        train(&mut first, 0..4, 90);
        let mut second = classifier(settings(), 2);
        second.load(&first.save().unwrap()).unwrap();
        assert_eq!(second.step(), 4);
        assert_eq!(train(&mut second, 4..9, 90), losses[4..]);
        assert!(second.save().unwrap() == whole.save().unwrap());
    }

    #[test]
    fn training_that_begins_anew_keeps_what_was_learned_alone() {
        let mut learner = classifier(Settings { steps: Some(40), ..settings() }, 1);
        train(&mut learner, 0..40, 60);
        let (pixels, _) = batch(50, 99);
        let read = |learner: &Classifier| learner.predict(Images::bytes(SHAPE, &pixels).unwrap()).unwrap();
        let before = read(&learner);
        learner.begin_anew();
        assert_eq!((learner.step(), read(&learner)), (0, before.clone()));
        // At the end of its course a network stands still; at its beginning it moves.
        train(&mut learner, 50..60, 60);
        assert_ne!(read(&learner), before);
    }

    #[test]
    fn images_without_weight_do_not_count() {
        let plain = Settings { augmentation: Augmentation::default(), ..Settings::default() };
        let run = |count: usize, weights: Option<&[f32]>| {
            let mut classifier = Classifier::new(Network::mlp(64, &[5], 3).unwrap(), plain, 1).unwrap();
            let (pixels, rows) = batch(20, 0);
            let images = Images::bytes(classifier.input(), &pixels[..count * 64]).unwrap();
            classifier.fit(images, Targets { rows: &rows[..count * 3], weights }).unwrap()
        };
        let weights: Vec<f32> = (0..20).map(|i| if i < 8 { 2.5 } else { 0.0 }).collect();
        assert!((run(20, Some(&weights)) - run(8, None)).abs() < 1e-5);
    }

    #[test]
    fn what_does_not_fit_is_named_and_changes_nothing() {
        let mut classifier = classifier(settings(), 1);
        let before = classifier.save().unwrap();
        let (pixels, rows) = batch(4, 0);
        let images = Images::bytes(SHAPE, &pixels).unwrap();
        let mut message = |images, rows: &[f32], weights| {
            classifier.fit(images, Targets { rows, weights }).unwrap_err().to_string()
        };
        assert_eq!(message(images, &rows[1..], None), "4 images of 3 classes need 12 target values, not 11");
        assert_eq!(message(images, &rows, Some(&[1.0])), "4 images need as many weights, not 1");
        let zero: &[f32] = &[0.0; 4];
        assert_eq!(message(images, &rows, Some(zero)), "a batch needs an image with a weight above 0");
        let negative: &[f32] = &[1.0, -1.0, 1.0, 1.0];
        assert_eq!(message(images, &rows, Some(negative)), "image 1: the weight is negative or not finite");
        let half: Vec<f32> = rows.iter().map(|p| p / 2.0).collect();
        assert_eq!(message(images, &half, None), "image 0: the targets do not sum to 1");
        let other = Images::bytes(Shape::new(1, 4, 4), &pixels).unwrap();
        assert_eq!(message(other, &rows, None), "the images have shape 1x4x4, the network takes 1x8x8");
        let huge: Vec<f32> = vec![f32::MAX; 256];
        let huge = Images::floats(SHAPE, &huge).unwrap();
        assert_eq!(
            message(huge, &rows, None),
            "training diverged at step 0: the loss or its derivatives are not finite"
        );
        assert!(classifier.load(&before[..100]).is_err());
        assert!(classifier.save().unwrap() == before);
        assert!(Images::bytes(SHAPE, &pixels[1..]).is_err());
        let error = Images::floats(Shape::new(1, 1, 2), &[0.0, 1.0, f32::NAN, 0.0]).unwrap_err();
        assert_eq!(error.to_string(), "image 1 has a pixel that is not a finite number");
    }

    #[test]
    fn parts_cover_the_batch() {
        for images in [0, 1, 63, 64, 65, 127, 128, 129, 580, 1000] {
            let ranges: Vec<Range<usize>> = parts(images).collect();
            assert!(
                ranges.iter().all(|range| !range.is_empty() && range.len() <= PART),
                "{images}: {ranges:?}"
            );
            assert!(ranges.iter().cloned().flatten().eq(0..images), "{images}: {ranges:?}");
            assert!(ranges.len() < 2 || ranges.len().is_multiple_of(2));
        }
    }
}
