//! Joint training: rules, symbols and network learn from each other in every step (the paper's Algorithm 1).
//!
//! A step draws a batch of examples, reads their pictures, and makes three updates, each in closed form or
//! by one step of the network's own optimiser:
//!
//! | Algorithm 1 | here |
//! |---|---|
//! | draw a batch | [`Joint::step`], in an order that is shuffled in every epoch |
//! | predicted symbols z = f(x) | the network's probabilities, beside the known y |
//! | update W and b by the proximal point method | the rows' update in `batch_updates.rs` |
//! | correct the grounding of z | the grounding there, jointly over (z; y); of y the known values stay |
//! | update theta | [`Perception::fit`] with the grounded symbols as distributions |
//! | increase t1 while W, t2 while z is not Boolean | `joint_phases.rs`, or by equal amounts ([`JointCourse`](crate::JointCourse)) |
//! | estimate b_min, b_max | [`Joint::candidates`] and [`Joint::rules`] |
//!
//! | symbol | field | departs from the paper |
//! |---|---|---|
//! | W, w0, b | `soft` of `core` ([`JointCore`]) | b = 1 for all rows unless `sum` says otherwise, as in the authors' programs |
//! | t1 | `penalties[0]`, of each row in the phases | a row that is drawn again begins with its own |
//! | t2, alpha | `penalties[1]`, `alpha`; in the phases shares of T | T = mean diagonal of W W' |
//! | z of the step before | `stored` | of each example when it was last drawn; `linearised` |
//! | f, theta | `perception`, then `apprentice` | a second network learns beside the first, and reads in the end (`joint_apprentice.rs`) |
//!
//! The printed order is W, z, theta; the programs of the paper's authors go z, theta, W. Both are there.
//!
//! What is given: which variables belong to a picture's place, and so which cells of a board are seen and
//! which are known; and that a place has exactly one symbol, which enters when grounded symbols become
//! distributions and when the network's reading completes an example. The rows learn that rule like any
//! other, unless they are kept from it (`one_hot_weight`). A variable that is neither seen nor known counts
//! one half.

use preceptron_base::{Control, Quiet, stream};
use preceptron_learn::{Examples, UpdateOrder};
use preceptron_logic::Var;
use preceptron_matrix::Mat;
use preceptron_perceive::{PerceiveError, Perception, Targets};
use rand::seq::SliceRandom;

use crate::joint_core::JointCore;
use crate::joint_settings::{JointCourse, Linearised};
use crate::{CheckedJoint, JointError, Metrics, Model, Scenes, Schedule, Sight, State, TrainError};

/// Examples that are read for the rules of training that was stopped.
const FIRST: usize = 200;

/// Joint training.
pub struct Joint<'a> {
    pub(crate) scenes: &'a Scenes,
    pub(crate) perception: Box<dyn Perception + 'a>,
    /// A network that learns from what the first one's readings are grounded to, and reads in the end.
    pub(crate) apprentice: Option<Box<dyn Perception + 'a>>,
    /// Rows, penalties and phases.
    pub(crate) core: JointCore,
    /// The symbols of each example's sights as they were last grounded.
    pub(crate) stored: Vec<Option<Box<[f32]>>>,
    /// The examples in the order of this epoch.
    pub(crate) order: Vec<usize>,
    pub(crate) pixels: Vec<u8>,
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
        let places = scenes.places().to_vec();
        let core = JointCore::new(scenes.variables().clone(), places, scenes.len(), settings)?;
        let (order, pixels) = (Vec::new(), Vec::new());
        Ok(Joint {
            core,
            apprentice: None,
            stored: vec![None; scenes.len()],
            order,
            pixels,
            scenes,
            perception,
        })
    }

    /// Steps in an epoch: as many whole batches as there are, but at least one.
    pub fn steps_in_epoch(&self) -> u64 {
        self.core.steps_in_epoch()
    }

    /// Steps in all.
    pub fn steps(&self) -> u64 {
        self.core.steps()
    }

    /// Steps that were made.
    pub fn steps_made(&self) -> u64 {
        self.core.steps_made()
    }

    /// One step. At the end of an epoch the measurements have the number of different rows and their rank as well.
    /// Examples by which rows are then judged are read first, since that takes long enough to ask `control`.
    ///
    /// # Errors
    /// If the network fails, or a number is no longer finite.
    pub fn step(&mut self, control: &dyn Control) -> Result<Metrics, TrainError> {
        let order = self.core.settings.step_order;
        let completed = self.examples_to_judge_by(control)?;
        if control.is_cancelled() {
            return Ok(Metrics::default());
        }
        // Draw a batch. Compute the predicted symbols z = f(x).
        let batch = self.draw();
        let data = self.predicted(&batch, false)?;
        // Update W from (z, y).
        if order == UpdateOrder::Printed {
            self.core.update_rows(&data)?;
        }
        // Correct the grounding of z.
        let grounded = self.grounded(&batch, &data)?;
        // Update theta from the pictures and the grounded symbols.
        let (loss, symbols) = self.fit(&batch, &data, &grounded)?;
        if order == UpdateOrder::Authors {
            self.core.update_rows(&data)?;
        }
        // While W or z is not Boolean, increase t1 or t2.
        let mut metrics = vec![("loss", loss)];
        metrics.extend(self.core.end_step(symbols, completed.as_ref()));
        Ok(Metrics::new(metrics))
    }

    /// The examples of the next batch.
    fn draw(&mut self) -> Vec<usize> {
        let (epoch, in_epoch) =
            (self.steps_made() / self.steps_in_epoch(), self.steps_made() % self.steps_in_epoch());
        if in_epoch == 0 || self.order.is_empty() {
            self.order = (0..self.scenes.len()).collect();
            self.order.shuffle(&mut stream(self.core.settings.seed, "order of examples", epoch));
        }
        let size = self.core.settings.batch;
        self.order.iter().skip(in_epoch as usize * size).take(size).copied().collect()
    }

    /// What the network, or the one that reads in the end, reads in the sights of examples and what is known beside,
    /// variables x examples.
    pub(crate) fn predicted(&mut self, batch: &[usize], in_the_end: bool) -> Result<Mat, PerceiveError> {
        let (scenes, mut pixels) = (self.scenes, std::mem::take(&mut self.pixels));
        let images = scenes.gather(sights(scenes, batch).map(|(_, sight)| sight), &mut pixels)?;
        let read = if in_the_end { self.reader() } else { &*self.perception }.predict(images)?;
        self.pixels = pixels;
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

    /// The symbols of examples that rows and readings agree on.
    fn grounded(&mut self, batch: &[usize], data: &Mat) -> Result<Mat, PerceiveError> {
        let before = self.before(batch, data);
        let grounded = self.core.ground(data, before.as_ref().unwrap_or(data))?;
        if self.core.settings.linearised == Linearised::Stored {
            for (at, &example) in batch.iter().enumerate() {
                let vars = self.scenes.sights(example).iter().flat_map(|sight| self.scenes.symbols(*sight));
                self.stored[example] = Some(vars.map(|var| grounded[(var.index(), at)] as f32).collect());
            }
        }
        Ok(grounded)
    }

    /// The symbols of these examples when they were last grounded, as far as they were; nothing if that is not asked
    /// for.
    fn before(&self, batch: &[usize], data: &Mat) -> Option<Mat> {
        if self.core.settings.linearised == Linearised::Reading {
            return None;
        }
        let mut before = data.clone();
        for (at, &example) in batch.iter().enumerate() {
            let Some(stored) = &self.stored[example] else { continue };
            let vars = self.scenes.sights(example).iter().flat_map(|sight| self.scenes.symbols(*sight));
            vars.zip(stored).for_each(|(var, value)| before[(var.index(), at)] = f64::from(*value));
        }
        Some(before)
    }

    /// One step of the network towards the grounded symbols of the sights; those of a sight are made to
    /// add up to 1, and where all are 0 the sight stays as it was read. The loss before the step, and the
    /// share of the symbols that are Boolean.
    fn fit(&mut self, batch: &[usize], data: &Mat, grounded: &Mat) -> Result<(f64, f64), PerceiveError> {
        let seen = sights(self.scenes, batch).map(|(at, sight)| (at, sight.place as usize));
        let found = self.core.targets(seen, data, grounded);
        if found.values.is_empty() {
            return Ok((0.0, 1.0));
        }
        if self.core.settings.course == JointCourse::Phased {
            self.perception.set_pace(self.core.pace());
        }
        let images =
            self.scenes.gather(sights(self.scenes, batch).map(|(_, sight)| sight), &mut self.pixels)?;
        let loss = self.perception.fit(images, Targets::new(&found.values))?;
        self.teach(batch, &found.values)?;
        Ok((loss, found.boolean))
    }
}

impl Joint<'_> {
    fn model(&self, completed: &Examples) -> Result<Model, TrainError> {
        let (rules, network) = (self.rules(completed), Some(self.reader().save()?));
        let rows = self.core.distinct_rows();
        let rows: Vec<Vec<u32>> = rows.iter().map(|row| row.iter().map(|l| l.var().0).collect()).collect();
        let found = serde_json::json!({
            "rows_before_confirmation": rows, "phase": self.core.progress.phase, "first_network_reads": !self.is_taught(),
        });
        Ok(Model { network, found, ..Model::of_rules(rules) })
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
        self.core.steps_made()
    }

    fn step(&mut self, control: &dyn Control) -> Result<Metrics, TrainError> {
        Joint::step(self, control)
    }

    fn perception(&self) -> Option<&dyn Perception> {
        Some(self.reader())
    }

    fn is_settled(&self) -> bool {
        self.core.is_settled()
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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::JointSettings;
    use preceptron_logic::{Constraint, Variables};
    use preceptron_perceive::{Classifier, Network, Settings, Shape};
    use rand::RngExt;

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
        JointSettings {
            course: JointCourse::Rising,
            rows: Some(70),
            batch: 40,
            epochs: Some(40),
            warm_up: 10,
            constraint_penalty: Some(0.02),
            trust_region: Some(0.01),
            ..JointSettings::default()
        }
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
        let settings = JointSettings { constraint_penalty: Some(0.0), epochs: Some(5), ..settings() };
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
