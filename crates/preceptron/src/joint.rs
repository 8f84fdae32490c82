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
//! | W, w0, b | `soft` | b = 1 for all rows unless `sum` says otherwise, as in the authors' programs |
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
use preceptron_learn::row_update::{SoftConstraints, is_boolean};
use preceptron_learn::{Bound, Examples, UpdateOrder};
use preceptron_logic::Var;
use preceptron_matrix::Mat;
use preceptron_perceive::{PerceiveError, Perception, Targets};
use rand::seq::SliceRandom;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::batch_updates::{GroundingWeights, RowUpdate, ground};
use crate::joint_generations::centre;
use crate::joint_phases::{Phase, Progress, rise};
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
    pub(crate) settings: CheckedJoint,
    pub(crate) soft: SoftConstraints,
    /// The places as columns of 0 and 1, variables x places.
    one_hot: Mat,
    /// t1 and t2.
    pub(crate) penalties: [f64; 2],
    pub(crate) progress: Progress,
    /// The symbols of each example's sights as they were last grounded.
    pub(crate) stored: Vec<Option<Box<[f32]>>>,
    pub(crate) step: u64,
    /// The examples in the order of this epoch.
    pub(crate) order: Vec<usize>,
    threads: ThreadPool,
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
        let n = scenes.variables().len();
        let mut one_hot = Mat::zeros(n, scenes.places().len());
        for (column, place) in scenes.places().iter().enumerate() {
            place.iter().for_each(|var| one_hot[(var.index(), column)] = 1.0);
        }
        let rows = settings.rows(n);
        let mut centres = Mat::zeros(n, rows);
        for row in 0..rows {
            centres.columns_mut(row..row + 1).copy_from_slice(&centre(settings.seed, 0, row, n));
        }
        let mut soft = SoftConstraints::at(centres, 1.0);
        soft.sums = first_sums(settings.sum, rows);
        Ok(Joint {
            soft,
            one_hot,
            apprentice: None,
            penalties: [0.0; 2],
            progress: Progress::new(rows),
            stored: vec![None; scenes.len()],
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

    /// One step. At the end of an epoch the measurements have the number of different rows and their rank as well.
    /// Examples by which rows are then judged are read first, since that takes long enough to ask `control`.
    ///
    /// # Errors
    /// If the network fails, or a number is no longer finite.
    pub fn step(&mut self, control: &dyn Control) -> Result<Metrics, TrainError> {
        let settings = self.settings;
        let completed = self.examples_to_judge_by(control)?;
        if control.is_cancelled() {
            return Ok(Metrics::default());
        }
        // Draw a batch. Compute the predicted symbols z = f(x).
        let batch = self.draw();
        let data = self.predicted(&batch, false)?;
        // Update W from (z, y).
        if settings.step_order == UpdateOrder::Printed {
            self.update_rows(&data)?;
        }
        // Correct the grounding of z.
        let grounded = self.grounded(&batch, &data)?;
        // Update theta from the pictures and the grounded symbols.
        let (loss, symbols) = self.fit(&batch, &data, &grounded)?;
        if settings.step_order == UpdateOrder::Authors {
            self.update_rows(&data)?;
        }
        // While W or z is not Boolean, increase t1 or t2.
        let weights = boolean_share((0..self.soft.rows.ncols()).flat_map(|row| self.soft.rows.column(row)));
        let [t1, t2] = self.penalties;
        let amounts = rise(&settings, self.step, self.steps_in_epoch());
        if weights < 1.0 {
            self.penalties[0] += amounts * settings.constraint_penalty;
        }
        if symbols < 1.0 {
            self.penalties[1] += amounts * settings.grounding_penalty;
        }
        self.step += 1;
        let mut metrics = vec![
            ("loss", loss),
            ("boolean_weights", weights),
            ("boolean_symbols", symbols),
            ("constraint_penalty", t1),
            ("grounding_penalty", t2),
        ];
        if self.step.is_multiple_of(self.steps_in_epoch()) {
            metrics.extend(self.after_epoch(completed.as_ref()));
        }
        Ok(Metrics::new(metrics))
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

    fn update_rows(&mut self, data: &Mat) -> Result<(), PerceiveError> {
        let settings = &self.settings;
        let penalty = |row: usize| match settings.course {
            JointCourse::Phased => self.progress.penalty(row, settings),
            _ => self.penalties[0],
        };
        let penalties: Vec<f64> = (0..self.soft.rows.ncols()).map(penalty).collect();
        let update = RowUpdate {
            trust_region: settings.trust_region,
            proximal: settings.proximal,
            penalties: &penalties,
            one_hot_weight: settings.one_hot_weight,
            updates_sums: matches!(settings.sum, Bound::Updated(_)),
        };
        let next = self.threads.install(|| update.apply(&self.soft, data, &self.one_hot));
        (self.soft.rows, self.soft.sums) = next.ok_or(PerceiveError::Diverged { step: self.step })?;
        Ok(())
    }

    /// The symbols of examples that rows and readings agree on.
    fn grounded(&mut self, batch: &[usize], data: &Mat) -> Result<Mat, PerceiveError> {
        let alpha = self.settings.alpha.at(self.step, self.steps());
        let weights = match self.settings.course {
            JointCourse::Phased => self.progress.grounding(&self.settings, alpha),
            _ => GroundingWeights { alpha: [alpha, 0.0], penalty: [self.penalties[1], 0.0] },
        };
        let before = self.before(batch, data);
        let grounded =
            self.threads.install(|| ground(&self.soft, data, before.as_ref().unwrap_or(data), &weights));
        let grounded = grounded.ok_or(PerceiveError::Diverged { step: self.step })?;
        if self.settings.linearised == Linearised::Stored {
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
        if self.settings.linearised == Linearised::Reading {
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
        let mut targets = Vec::new();
        let mut symbols = Vec::new();
        for (at, sight) in sights(self.scenes, batch) {
            let vars = self.scenes.symbols(sight);
            let begin = symbols.len();
            symbols.extend(vars.iter().map(|var| grounded[(var.index(), at)]));
            let total: f64 = symbols[begin..].iter().sum();
            let (from, total) = if total > 1e-6 { (grounded, total) } else { (data, 1.0) };
            targets.extend(vars.iter().map(|var| (from[(var.index(), at)] / total) as f32));
            self.look(vars.iter().map(|var| [data, from].map(|of| of[(var.index(), at)])));
        }
        if targets.is_empty() {
            return Ok((0.0, 1.0));
        }
        if self.settings.course == JointCourse::Phased {
            self.perception.set_pace(self.progress.pace());
        }
        let images =
            self.scenes.gather(sights(self.scenes, batch).map(|(_, sight)| sight), &mut self.pixels)?;
        let loss = self.perception.fit(images, Targets::new(&targets))?;
        self.teach(batch, &targets)?;
        Ok((loss, boolean_share(&symbols)))
    }

    /// Takes up, in the last third of an epoch, what was read in a sight and what it is grounded to.
    fn look(&mut self, values: impl Iterator<Item = [f64; 2]>) {
        let steps = self.steps_in_epoch();
        if 3 * (self.step % steps) < 2 * (steps - 1) {
            return;
        }
        let values: Vec<[f64; 2]> = values.collect();
        let greatest = |of: usize| {
            let best = values.iter().enumerate().rev().max_by(|a, b| a.1[of].total_cmp(&b.1[of]));
            best.map_or((0, 0.0), |(at, value)| (at, value[of]))
        };
        let (read, grounded) = (greatest(0), greatest(1));
        let seen = [1.0, f64::from(u8::from(read.0 == grounded.0)), read.1];
        self.progress.seen.iter_mut().zip(seen).for_each(|(sum, value)| *sum += value);
    }
}

/// The sums that rows are fitted to at first.
fn first_sums(sum: Bound, rows: usize) -> Vec<f64> {
    let of = |row: usize| match sum {
        Bound::Fixed(sum) | Bound::Updated(sum) => sum,
        Bound::Sweep(first, last) => f64::from(first + row as u32 % (last - first + 1)),
    };
    (0..rows).map(of).collect()
}

impl Joint<'_> {
    fn model(&self, completed: &Examples) -> Result<Model, TrainError> {
        let (rules, network) = (self.rules(completed), Some(self.reader().save()?));
        let rows = self.distinct_rows();
        let rows: Vec<Vec<u32>> = rows.iter().map(|row| row.iter().map(|l| l.var().0).collect()).collect();
        let found = serde_json::json!({
            "rows_before_confirmation": rows, "phase": self.progress.phase, "first_network_reads": !self.is_taught(),
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
        self.step
    }

    fn step(&mut self, control: &dyn Control) -> Result<Metrics, TrainError> {
        Joint::step(self, control)
    }

    fn perception(&self) -> Option<&dyn Perception> {
        Some(self.reader())
    }

    fn is_settled(&self) -> bool {
        self.progress.phase == Phase::Settled
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
