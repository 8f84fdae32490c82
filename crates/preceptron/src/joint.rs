//! Joint training: rules, symbols and network learn from each other in every step (the paper's Algorithm 1).
//!
//! A step draws a batch of examples, reads their pictures, and makes three updates, each in closed form or
//! by one step of the network's own optimiser:
//!
//! | Algorithm 1 | here |
//! |---|---|
//! | draw a batch | [`Joint::step`], in an order that is shuffled in every epoch |
//! | predicted symbols z = f(x) | the network's probabilities, beside the known y |
//! | update W by the proximal point method | the rows' update in `batch_updates.rs`, b fixed |
//! | correct the grounding of z | the grounding there, jointly over (z; y); of y the known values stay |
//! | update theta | [`Perception::fit`] with the grounded symbols as distributions |
//! | increase t1 while W, t2 while z is not Boolean | in every step an equal part of what an epoch adds, after a warm-up |
//! | estimate b_min, b_max | [`Joint::candidates`] and [`Joint::rules`] |
//!
//! The printed order is W, z, theta; the programs of the paper's authors go z, theta, W. Both are there.
//!
//! Why a warm-up: "one symbol in each place" holds of a network's probabilities from the first step, any
//! other rule only once it reads well. On visual 4x4 Sudoku it does so after five epochs at t1 = t2 = 0;
//! with penalties from the beginning 27 to 38 of the 64 rules were found, after a warm-up of ten epochs 56
//! to 62 (three seeds, all other settings equal).
//!
//! What is given: which variables belong to a picture's place, and so which cells of a board are seen and
//! which are known; and that a place has exactly one symbol, which enters when grounded symbols become
//! distributions and when the network's reading completes an example. The rows learn that rule like any
//! other, unless they are kept from it (`one_hot_weight`). A variable that is neither seen nor known counts
//! one half.

use preceptron_base::{Control, Quiet, stream};
use preceptron_learn::row_update::{SoftConstraints, is_boolean};
use preceptron_learn::{Examples, UpdateOrder};
use preceptron_logic::Var;
use preceptron_matrix::Mat;
use preceptron_perceive::{PerceiveError, Perception, Targets};
use rand::RngExt;
use rand::seq::SliceRandom;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::batch_updates::{RowUpdate, ground};
use crate::{CheckedJoint, JointError, Metrics, Model, Scenes, Schedule, Sight, State, TrainError};

/// Examples that are read for the rules of training that was stopped.
const FIRST: usize = 200;

/// Joint training.
pub struct Joint<'a> {
    pub(crate) scenes: &'a Scenes,
    pub(crate) perception: Box<dyn Perception + 'a>,
    pub(crate) settings: CheckedJoint,
    pub(crate) soft: SoftConstraints,
    /// The places as columns of 0 and 1, variables x places.
    one_hot: Mat,
    /// t1 and t2.
    pub(crate) penalties: [f64; 2],
    pub(crate) step: u64,
    /// The examples in the order of this epoch.
    pub(crate) order: Vec<usize>,
    threads: ThreadPool,
    pixels: Vec<u8>,
}

impl<'a> Joint<'a> {
    /// Rows at random centres, and the network as it comes.
    ///
    /// # Errors
    /// If the network does not fit the examples, or these have no pictures.
    pub fn new(
        scenes: &'a Scenes,
        perception: Box<dyn Perception + 'a>,
        settings: CheckedJoint,
    ) -> Result<Joint<'a>, JointError> {
        if (0..scenes.len()).all(|example| scenes.sights(example).is_empty()) {
            return Err(JointError::NothingSeen(scenes.len()));
        }
        if scenes.shape() != perception.input() {
            let (expected, found) = (perception.input(), scenes.shape());
            return Err(PerceiveError::InputShape { expected, found }.into());
        }
        if scenes.classes() != perception.classes() {
            return Err(JointError::Classes { network: perception.classes(), scenes: scenes.classes() });
        }
        let n = scenes.variables().len();
        let mut one_hot = Mat::zeros(n, scenes.places().len());
        for (column, place) in scenes.places().iter().enumerate() {
            place.iter().for_each(|var| one_hot[(var.index(), column)] = 1.0);
        }
        let mut random = stream(settings.seed, "centres of joint training", 0);
        let centres = Mat::from_fn(n, settings.rows, |_, _| random.random::<f64>());
        Ok(Joint {
            soft: SoftConstraints::at(centres, settings.sum),
            one_hot,
            penalties: [0.0; 2],
            step: 0,
            order: Vec::new(),
            threads: ThreadPoolBuilder::new().num_threads(settings.threads).build()?,
            pixels: Vec::new(),
            scenes,
            perception,
            settings,
        })
    }

    /// Steps in an epoch: as many whole batches as there are, but at least one.
    pub fn steps_in_epoch(&self) -> u64 {
        (self.scenes.len() / self.settings.batch).max(1) as u64
    }

    /// Steps in all.
    pub fn steps(&self) -> u64 {
        self.settings.epochs * self.steps_in_epoch()
    }

    /// Steps that were made.
    pub fn steps_made(&self) -> u64 {
        self.step
    }

    /// One step, which is too short to ask `control` in between. At the end of an epoch the measurements
    /// have the number of different rows and their rank as well.
    ///
    /// # Errors
    /// If the network fails, or a number is no longer finite.
    pub fn step(&mut self, _control: &dyn Control) -> Result<Metrics, TrainError> {
        let (settings, [t1, t2]) = (self.settings, self.penalties);
        // Draw a batch. Compute the predicted symbols z = f(x).
        let batch = self.draw();
        let data = self.predicted(&batch)?;
        // Update W from (z, y).
        if settings.step_order == UpdateOrder::Printed {
            self.update_rows(&data, t1)?;
        }
        // Correct the grounding of z.
        let grounded = self.grounded(&data, t2)?;
        // Update theta from the pictures and the grounded symbols.
        let (loss, symbols) = self.fit(&batch, &data, &grounded)?;
        if settings.step_order == UpdateOrder::Authors {
            self.update_rows(&data, t1)?;
        }
        // While W or z is not Boolean, increase t1 or t2.
        let weights = boolean_share((0..settings.rows).flat_map(|row| self.soft.rows.column(row)));
        let begun = self.step >= settings.warm_up * self.steps_in_epoch();
        let part = if begun { 1.0 / self.steps_in_epoch() as f64 } else { 0.0 };
        if weights < 1.0 {
            self.penalties[0] += part * settings.constraint_penalty;
        }
        if symbols < 1.0 {
            self.penalties[1] += part * settings.grounding_penalty;
        }
        self.step += 1;
        Ok(self.measured([
            ("loss", loss),
            ("boolean_weights", weights),
            ("boolean_symbols", symbols),
            ("constraint_penalty", t1),
            ("grounding_penalty", t2),
        ]))
    }

    /// The measurements of a step and, at the end of an epoch, the number of different rows and their rank.
    fn measured(&self, of_step: [(&'static str, f64); 5]) -> Metrics {
        let mut metrics = of_step.to_vec();
        if self.step.is_multiple_of(self.steps_in_epoch()) {
            let rows = self.distinct_rows();
            metrics.push(("distinct_rows", rows.len() as f64));
            metrics.push(("rank", self.rank(&rows) as f64));
        }
        Metrics::new(metrics)
    }

    /// The examples of the next batch.
    fn draw(&mut self) -> Vec<usize> {
        let (epoch, in_epoch) = (self.step / self.steps_in_epoch(), self.step % self.steps_in_epoch());
        if in_epoch == 0 || self.order.is_empty() {
            self.order = (0..self.scenes.len()).collect();
            self.order.shuffle(&mut stream(self.settings.seed, "order of examples", epoch));
        }
        let size = self.settings.batch;
        self.order.iter().skip(in_epoch as usize * size).take(size).copied().collect()
    }

    /// What the network reads in the sights of examples and what is known beside, variables x examples.
    pub(crate) fn predicted(&mut self, batch: &[usize]) -> Result<Mat, PerceiveError> {
        let scenes = self.scenes;
        let images = scenes.gather(sights(scenes, batch).map(|(_, sight)| sight), &mut self.pixels)?;
        let read = self.perception.predict(images)?;
        let known = |example: usize, var: usize| {
            let value = scenes.known().get(example, Var(var as u32));
            value.map_or(0.5, |value| f64::from(u8::from(value)))
        };
        let mut data = Mat::from_fn(scenes.variables().len(), batch.len(), |i, at| known(batch[at], i));
        for ((at, sight), row) in sights(scenes, batch).zip(read.rows()) {
            for (var, &p) in scenes.symbols(sight).iter().zip(row) {
                data[(var.index(), at)] = f64::from(p);
            }
        }
        Ok(data)
    }

    fn update_rows(&mut self, data: &Mat, penalty: f64) -> Result<(), PerceiveError> {
        let update = RowUpdate {
            trust_region: self.settings.trust_region,
            proximal: self.settings.proximal,
            penalty,
            one_hot_weight: self.settings.one_hot_weight,
        };
        let next = self.threads.install(|| update.apply(&self.soft, data, &self.one_hot));
        self.soft.rows = next.ok_or(PerceiveError::Diverged { step: self.step })?;
        Ok(())
    }

    /// The symbols of examples that rows and readings agree on.
    fn grounded(&self, data: &Mat, penalty: f64) -> Result<Mat, PerceiveError> {
        let alpha = self.settings.alpha.at(self.step, self.steps());
        let grounded = self.threads.install(|| ground(&self.soft, data, alpha, penalty));
        grounded.ok_or(PerceiveError::Diverged { step: self.step })
    }

    /// One step of the network towards the grounded symbols of the sights; those of a sight are made to
    /// add up to 1, and where all are 0 the sight stays as it was read. The loss before the step, and the
    /// share of the symbols that are Boolean.
    fn fit(&mut self, batch: &[usize], data: &Mat, grounded: &Mat) -> Result<(f64, f64), PerceiveError> {
        let mut targets = Vec::new();
        let mut symbols = Vec::new();
        for (at, sight) in sights(self.scenes, batch) {
            let vars = self.scenes.symbols(sight);
            let begin = symbols.len();
            symbols.extend(vars.iter().map(|var| grounded[(var.index(), at)]));
            let total: f64 = symbols[begin..].iter().sum();
            let (from, total) = if total > 1e-6 { (grounded, total) } else { (data, 1.0) };
            targets.extend(vars.iter().map(|var| (from[(var.index(), at)] / total) as f32));
        }
        if targets.is_empty() {
            return Ok((0.0, 1.0));
        }
        let sights = sights(self.scenes, batch).map(|(_, sight)| sight);
        let images = self.scenes.gather(sights, &mut self.pixels)?;
        Ok((self.perception.fit(images, Targets::new(&targets))?, boolean_share(&symbols)))
    }
}

impl Joint<'_> {
    fn model(&self, completed: &Examples) -> Result<Model, TrainError> {
        let (rules, network) = (self.rules(completed), Some(self.perception.save()?));
        Ok(Model { network, ..Model::of_rules(rules) })
    }
}

impl Schedule for Joint<'_> {
    fn name(&self) -> &'static str {
        "joint"
    }

    fn steps(&self) -> u64 {
        Joint::steps(self)
    }

    fn made(&self) -> u64 {
        self.step
    }

    fn step(&mut self, control: &dyn Control) -> Result<Metrics, TrainError> {
        Joint::step(self, control)
    }

    fn perception(&self) -> Option<&dyn Perception> {
        Some(&*self.perception)
    }

    fn state(&self) -> Result<State, TrainError> {
        Ok(State { network: self.perception.save()?, rest: self.rest()? })
    }

    fn restore(&mut self, state: &State) -> Result<(), TrainError> {
        Ok(Joint::restore(self, state)?)
    }

    /// The rules that the first examples confirm: all of them would take their time.
    fn so_far(&mut self) -> Result<Model, TrainError> {
        let completed = self.completed_first(FIRST, &Quiet)?;
        self.model(&completed)
    }

    fn finish(&mut self, control: &dyn Control) -> Result<Model, TrainError> {
        control.stage("reading pictures", self.scenes.len() as u64);
        let completed = self.completed_first(self.scenes.len(), control)?;
        self.model(&completed)
    }
}

/// The sights of examples in turn, each with the place of its example among them.
pub(crate) fn sights<'s>(
    scenes: &'s Scenes,
    batch: &'s [usize],
) -> impl Iterator<Item = (usize, Sight)> + 's {
    batch.iter().enumerate().flat_map(|(at, &example)| scenes.sights(example).iter().map(move |&s| (at, s)))
}

/// The share of values that are 0 or 1.
fn boolean_share<'v>(values: impl IntoIterator<Item = &'v f64>) -> f64 {
    let (mut all, mut boolean) = (0u64, 0u64);
    for &value in values {
        all += 1;
        boolean += u64::from(is_boolean(value));
    }
    boolean as f64 / all.max(1) as f64
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::JointSettings;
    use preceptron_logic::{Constraint, Variables};
    use preceptron_perceive::{Classifier, Network, Settings, Shape};

    /// Two places that show different things: the one is seen, the other known, or the other way about.
    /// A picture is bright on the left or on the right.
    pub(crate) fn scenes(count: usize) -> Scenes {
        let mut random = stream(7, "scenes", 0);
        let variables = Variables::from_names(["a1", "a2", "b1", "b2"]).unwrap();
        let places = vec![vec![Var(0), Var(1)], vec![Var(2), Var(3)]];
        let (mut known, mut sights, mut pixels) = (Vec::new(), Vec::new(), Vec::new());
        for example in 0..count {
            let (right, seen): (bool, usize) = (random.random(), random.random_range(0..2));
            let values = [!right, right, right, !right];
            known.push((0..4).map(|at| (at / 2 != seen).then_some(values[at])).collect::<Vec<_>>());
            sights.push(vec![Sight { place: seen as u32, picture: example as u32 }]);
            let [dark, bright] = [random.random_range(0..90), random.random_range(160..=255)];
            pixels.extend(if values[2 * seen] { [bright, dark] } else { [dark, bright] });
        }
        let known = Examples::from_rows(4, &known);
        Scenes::new(variables, places, known, sights, Shape::new(2, 1, 1), pixels.into()).unwrap()
    }

    pub(crate) fn classifier(threads: usize) -> Classifier {
        let settings = Settings { learning_rate: 0.02, averaging: 0.0, ..Settings::default() };
        Classifier::new(Network::mlp(2, &[6], 2).unwrap(), settings, threads).unwrap()
    }

    pub(crate) fn settings() -> JointSettings {
        let plain =
            JointSettings { rows: 70, batch: 40, epochs: 40, warm_up: 10, ..JointSettings::default() };
        JointSettings { constraint_penalty: 0.02, trust_region: 0.01, ..plain }
    }

    #[test]
    fn rules_and_readings_come_from_each_other() {
        let scenes = scenes(400);
        for order in [UpdateOrder::Printed, UpdateOrder::Authors] {
            let mut classifier = classifier(2);
            let settings = JointSettings { step_order: order, ..settings() }.checked(0, 2).unwrap();
            let mut joint = Joint::new(&scenes, Box::new(&mut classifier), settings).unwrap();
            let mut last = Metrics::default();
            while joint.steps_made() < joint.steps() {
                last = joint.step(&Quiet).unwrap();
            }
            assert_eq!(last.get("boolean_weights"), Some(1.0));
            assert!(last.get("rank").unwrap() >= 3.0, "{last:?}");
            let completed = joint.completed_examples().unwrap();
            let rules = joint.rules(&completed);
            for pair in [[0, 1], [2, 3], [0, 2], [1, 3]] {
                let rule = Constraint::exactly(1, pair.map(|var| Var(var).positive()));
                assert!(rules.contains(&rule), "{order:?}: {rule:?}");
                assert_eq!(preceptron_learn::sum_histogram::evidence(&completed, &rule).0.violated, 0);
            }
            assert_eq!(rules.len(), 4);
        }
    }

    #[test]
    fn without_the_penalty_weights_stay_between_0_and_1() {
        let (scenes, mut classifier) = (scenes(80), classifier(1));
        let settings = JointSettings { constraint_penalty: 0.0, epochs: 5, ..settings() };
        let mut joint =
            Joint::new(&scenes, Box::new(&mut classifier), settings.checked(0, 2).unwrap()).unwrap();
        for step in 1..=joint.steps() {
            let metrics = joint.step(&Quiet).unwrap();
            assert_eq!(metrics.get("constraint_penalty"), Some(0.0));
            assert!(metrics.get("boolean_weights").unwrap() < 1.0);
            assert_eq!(metrics.get("rank").is_some(), step % 2 == 0);
        }
    }

    #[test]
    fn networks_and_examples_that_do_not_fit() {
        let settings = settings().checked(0, 2).unwrap();
        let fault = |scenes: &Scenes, network: Network| {
            let mut classifier = Classifier::new(network, Settings::default(), 1).unwrap();
            Joint::new(scenes, Box::new(&mut classifier), settings).err().unwrap().to_string()
        };
        let other = Network::mlp(2, &[], 3).unwrap();
        assert_eq!(fault(&scenes(1), other), "the network tells 3 things apart, a picture shows one of 2");
        assert!(fault(&scenes(1), Network::mlp(3, &[], 2).unwrap()).contains("the network takes"));
        assert_eq!(fault(&scenes(0), Network::mlp(2, &[], 2).unwrap()), "none of 0 examples has a picture");
    }
}
