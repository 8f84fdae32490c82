//! The part of joint training that knows neither pictures nor networks: rows, phases and penalties, driven from outside
//! with what somebody's network reads.
//!
//! A step of Algorithm 1 ([`Joint::step`](crate::Joint::step) makes the same ones): the caller gives the symbols z = f(x)
//! and the known y of a batch as the columns of a matrix, and takes the targets for its network back.
//!
//! | Algorithm 1 | here |
//! |---|---|
//! | update W and b by the proximal point method | [`JointCore::update_rows`] |
//! | correct the grounding of z | [`JointCore::ground`] |
//! | the distributions to fit the network to | [`JointCore::targets`] |
//! | increase t1 while W, t2 while z is not Boolean | [`JointCore::end_step`] |
//! | judge rows, draw those again that say nothing new | [`JointCore::after_epoch`] |

use preceptron_learn::row_update::{SoftConstraints, is_boolean};
use preceptron_learn::{Bound, Examples};
use preceptron_logic::{Var, Variables};
use preceptron_matrix::Mat;
use preceptron_perceive::PerceiveError;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::batch_updates::{GroundingWeights, RowUpdate, ground};
use crate::joint_generations::centre;
use crate::joint_phases::{Phase, Progress, rise};
use crate::joint_settings::JointCourse;
use crate::{CheckedJoint, JointError};

/// Rows of weights that are learned, and how far training has come.
pub struct JointCore {
    pub(crate) variables: Variables,
    pub(crate) places: Vec<Vec<Var>>,
    pub(crate) settings: CheckedJoint,
    pub(crate) soft: SoftConstraints,
    /// The places as columns of 0 and 1, variables x places.
    one_hot: Mat,
    /// t1 and t2.
    pub(crate) penalties: [f64; 2],
    pub(crate) progress: Progress,
    pub(crate) step: u64,
    steps_in_epoch: u64,
    threads: ThreadPool,
}

/// What a network is to be fitted to.
pub struct Targets {
    /// A distribution for each sight, one after the other.
    pub values: Vec<f32>,
    /// The share of the grounded symbols that are Boolean.
    pub boolean: f64,
}

impl JointCore {
    /// Rows at random centres, for so many examples of these variables; each place is a list of variables of which
    /// exactly one is true.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn new(
        variables: Variables,
        places: Vec<Vec<Var>>,
        examples: usize,
        settings: CheckedJoint,
    ) -> Result<JointCore, JointError> {
        let n = variables.len();
        let mut one_hot = Mat::zeros(n, places.len());
        for (column, place) in places.iter().enumerate() {
            place.iter().for_each(|var| one_hot[(var.index(), column)] = 1.0);
        }
        let rows = settings.rows(n);
        let mut centres = Mat::zeros(n, rows);
        for row in 0..rows {
            centres.columns_mut(row..row + 1).copy_from_slice(&centre(settings.seed, 0, row, n));
        }
        let mut soft = SoftConstraints::at(centres, 1.0);
        soft.sums = first_sums(settings.sum, rows);
        Ok(JointCore {
            variables,
            places,
            soft,
            one_hot,
            penalties: [0.0; 2],
            progress: Progress::new(rows),
            step: 0,
            steps_in_epoch: (examples / settings.batch).max(1) as u64,
            threads: ThreadPoolBuilder::new().num_threads(settings.threads).build()?,
            settings,
        })
    }

    /// The settings.
    pub fn settings(&self) -> &CheckedJoint {
        &self.settings
    }

    /// Steps in an epoch: as many whole batches as there are, but at least one.
    pub fn steps_in_epoch(&self) -> u64 {
        self.steps_in_epoch
    }

    /// Steps in all.
    pub fn steps(&self) -> u64 {
        self.settings.epochs * self.steps_in_epoch
    }

    /// Steps that were made.
    pub fn steps_made(&self) -> u64 {
        self.step
    }

    /// Whether nothing is left to do.
    pub fn is_settled(&self) -> bool {
        self.progress.phase == Phase::Settled
    }

    /// The share of its learning rate that a network's next step is made with.
    pub fn pace(&self) -> f64 {
        if self.settings.course == JointCourse::Phased { self.progress.pace() } else { 1.0 }
    }

    /// The weights of the rows, one row after the other.
    pub fn weights(&self) -> &[f64] {
        self.soft.rows.entries()
    }

    /// The rows' update on examples, variables x examples.
    ///
    /// # Errors
    /// If a number is no longer finite.
    pub fn update_rows(&mut self, data: &Mat) -> Result<(), PerceiveError> {
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

    /// The symbols of examples that rows and readings agree on; the penalty is linearised at `before`.
    ///
    /// # Errors
    /// If a number is no longer finite.
    pub fn ground(&self, data: &Mat, before: &Mat) -> Result<Mat, PerceiveError> {
        let alpha = self.settings.alpha.at(self.step, self.steps());
        let weights = match self.settings.course {
            JointCourse::Phased => self.progress.grounding(&self.settings, alpha),
            _ => GroundingWeights { alpha: [alpha, 0.0], penalty: [self.penalties[1], 0.0] },
        };
        let grounded = self.threads.install(|| ground(&self.soft, data, before, &weights));
        grounded.ok_or(PerceiveError::Diverged { step: self.step })
    }

    /// What a network is to be fitted to in sights, each given by its example's column and its place: the grounded
    /// symbols, made to add up to 1; where all are 0 the sight stays as it was read.
    pub fn targets(
        &mut self,
        sights: impl Iterator<Item = (usize, usize)>,
        data: &Mat,
        grounded: &Mat,
    ) -> Targets {
        let (mut values, mut symbols) = (Vec::new(), Vec::new());
        for (at, place) in sights {
            let vars = std::mem::take(&mut self.places[place]);
            let begin = symbols.len();
            symbols.extend(vars.iter().map(|var| grounded[(var.index(), at)]));
            let total: f64 = symbols[begin..].iter().sum();
            let (from, total) = if total > 1e-6 { (grounded, total) } else { (data, 1.0) };
            values.extend(vars.iter().map(|var| (from[(var.index(), at)] / total) as f32));
            self.look(vars.iter().map(|var| [data, from].map(|of| of[(var.index(), at)])));
            self.places[place] = vars;
        }
        let boolean = if symbols.is_empty() { 1.0 } else { boolean_share(&symbols) };
        Targets { values, boolean }
    }

    /// Takes up, in the last third of an epoch, what was read in a sight and what it is grounded to.
    fn look(&mut self, values: impl Iterator<Item = [f64; 2]>) {
        let steps = self.steps_in_epoch;
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

    /// Whether the step that is being made is the last of an epoch after which rows are judged by completed examples.
    pub fn is_judging(&self) -> bool {
        let is_asked = self.settings.course == JointCourse::Phased && self.progress.looks_at_rows();
        (self.step + 1).is_multiple_of(self.steps_in_epoch) && is_asked
    }

    /// Ends a step of which this share of the symbols was Boolean: while W or z is not Boolean, t1 or t2 rises.
    /// At the end of an epoch rows are judged by the examples, if they were asked for ([`JointCore::is_judging`]).
    pub fn end_step(&mut self, boolean: f64, completed: Option<&Examples>) -> Vec<(&'static str, f64)> {
        let weights = boolean_share((0..self.soft.rows.ncols()).flat_map(|row| self.soft.rows.column(row)));
        let [t1, t2] = self.penalties;
        let amounts = rise(&self.settings, self.step, self.steps_in_epoch);
        if weights < 1.0 {
            self.penalties[0] += amounts * self.settings.constraint_penalty;
        }
        if boolean < 1.0 {
            self.penalties[1] += amounts * self.settings.grounding_penalty;
        }
        self.step += 1;
        let mut metrics = vec![
            ("boolean_weights", weights),
            ("boolean_symbols", boolean),
            ("constraint_penalty", t1),
            ("grounding_penalty", t2),
        ];
        if self.step.is_multiple_of(self.steps_in_epoch) {
            metrics.extend(self.after_epoch(completed));
        }
        metrics
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

/// The share of values that are 0 or 1.
fn boolean_share<'v>(values: impl IntoIterator<Item = &'v f64>) -> f64 {
    let (mut all, mut boolean) = (0u64, 0u64);
    for &value in values {
        all += 1;
        boolean += u64::from(is_boolean(value));
    }
    boolean as f64 / all.max(1) as f64
}
