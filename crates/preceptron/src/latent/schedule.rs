//! Training where the pictured symbols are never values: the network learns what makes the answers probable.
//!
//! ```text
//! begin   clusters -> relation P(y | z), targets q
//! step    cross-entropy of the network to q on a batch of pictures
//! now and then, with the network's p for all pictures:
//!         q_l(i) ~ sum over z with z_l = i of p_1(z_1) ... p_L(z_L) P(y | z),    P renewed from q
//! finish  the relation named, symbols of all pictures, rules by the ordinary learner
//! ```
//! The gradient of `-log sum_z p(z) P(y | z)` in the network's outputs is `p - q`, that of cross-entropy to q. Here q is
//! that of the last renewal, not of the moment: generalised EM instead of gradient descent on the likelihood, at a third
//! of a pass more per renewal.

use std::ops::Range;

use preceptron_base::{Control, stream};
use preceptron_logic::RuleSet;
use preceptron_perceive::{Perception, Probabilities, Targets, Temperature, calibration_error};
use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::meaning::{Meaning, meaning_of};
use super::puzzles::Combined;
use super::relation::Relation;
use super::rules::{Layout, rules_of};
use super::start::begin;
use super::table_em::SMOOTHING;
use super::{Began, Puzzles};
use crate::{Calibration, Metrics, Model, RuleLearner, Schedule, State, TrainError};

/// Renewals in a training.
const RENEWALS: u64 = 12;
/// Pictures that are read at once.
const AT_ONCE: usize = 1024;
/// Examples that are gathered at once: sums do not depend on the number of threads.
const BLOCK: usize = 256;

/// How training from clusters goes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LatentSettings {
    /// How many symbols there are; guessed if nobody says so.
    pub symbols: Option<usize>,
    /// Steps of the network's training.
    pub steps: u64,
    /// Pictures in a step.
    pub batch: usize,
    /// The seed of all random choices.
    pub seed: u64,
    /// Threads; they do not change the result.
    pub threads: usize,
}

impl Default for LatentSettings {
    fn default() -> LatentSettings {
        LatentSettings { symbols: None, steps: 800, batch: 128, seed: 0, threads: 2 }
    }
}

/// Makes a network that tells so many symbols apart.
pub type Build<'a> = Box<dyn Fn(usize) -> Result<Box<dyn Perception>, TrainError> + 'a>;

/// Training from clusters.
pub struct Latent<'a> {
    puzzles: &'a Puzzles,
    build: Build<'a>,
    settings: LatentSettings,
    learner: Box<dyn RuleLearner + 'a>,
    axis: String,
    codes: Combined,
    perception: Option<Box<dyn Perception>>,
    saved: Saved,
    targets: Vec<f32>,
    /// The epoch whose order is drawn, and the order.
    order: Option<(u64, Vec<u32>)>,
    pixels: Vec<u8>,
}

/// All that changes, except for the network and the targets.
#[derive(Clone, Serialize, Deserialize)]
struct Saved {
    step: u64,
    relation: Relation,
    began: Began,
}

impl<'a> Latent<'a> {
    /// Training that has not begun; values of columns stand on `axis` in the rules.
    pub fn new(
        puzzles: &'a Puzzles,
        build: Build<'a>,
        settings: LatentSettings,
        learner: impl RuleLearner + 'a,
        axis: impl Into<String>,
    ) -> Latent<'a> {
        let relation = Relation::Table { places: Vec::new(), symbols: 1, chance: Vec::new() };
        Latent {
            puzzles,
            build,
            settings,
            learner: Box::new(learner),
            axis: axis.into(),
            codes: puzzles.combined(),
            perception: None,
            saved: Saved { step: 0, relation, began: Began::default() },
            targets: Vec::new(),
            order: None,
            pixels: Vec::new(),
        }
    }

    /// The examples that the network is not trained on: the last of twenty, at most 500.
    fn held_out(&self) -> Range<usize> {
        let all = self.puzzles.len();
        all - (all / 20).min(500)..all
    }

    fn network(&self) -> Result<&dyn Perception, TrainError> {
        let none = || TrainError::State("training has not begun".to_owned());
        self.perception.as_deref().ok_or_else(none)
    }

    /// Steps between two renewals: an epoch, or a share of training where that is longer.
    fn between(&self) -> u64 {
        let epoch = (self.puzzles.pictures.len() as u64).div_ceil(self.settings.batch as u64);
        epoch.min(self.settings.steps / 4).max(self.settings.steps / RENEWALS).max(1)
    }

    /// What the network reads in all pictures; nothing if it was stopped.
    fn read(&self, control: &dyn Control) -> Result<Option<Vec<f32>>, TrainError> {
        let mut values = Vec::with_capacity(self.targets.len());
        let mut pixels = Vec::new();
        for some in self.puzzles.pictures.chunks(AT_ONCE) {
            if control.is_cancelled() {
                return Ok(None);
            }
            let images = self.puzzles.gather(some.iter().copied(), &mut pixels)?;
            values.extend_from_slice(self.network()?.predict(images)?.values());
        }
        Ok(Some(values))
    }

    /// How often each cell is seen with each answer, over some examples.
    fn gather(&self, relation: &Relation, readings: &[f32], examples: usize) -> Vec<f64> {
        let size = self.puzzles.places.len() * relation.symbols();
        let rows = readings[..examples * size].par_chunks(size * BLOCK);
        let block = |(rows, codes): (&[f32], &[u32])| {
            let mut seen = vec![0.0; relation.gathered()];
            rows.chunks_exact(size).zip(codes).for_each(|(row, code)| relation.gather(row, *code, &mut seen));
            seen
        };
        let blocks: Vec<Vec<f64>> =
            rows.zip(self.codes.codes[..examples].par_chunks(BLOCK)).map(block).collect();
        let mut seen = vec![0.0; relation.gathered()];
        for block in blocks {
            seen.iter_mut().zip(block).for_each(|(sum, x)| *sum += x);
        }
        seen
    }

    /// What the relation says of each picture as it is read.
    fn posteriors(&self, relation: &Relation, readings: &[f32]) -> Vec<f32> {
        let size = self.puzzles.places.len() * relation.symbols();
        let mut targets = vec![0.0; readings.len()];
        let rows = readings.par_chunks_exact(size).zip(targets.par_chunks_exact_mut(size));
        rows.zip(&self.codes.codes).for_each(|((readings, targets), code)| {
            relation.posterior(readings, *code, targets);
        });
        targets
    }

    /// Renews relation and targets by what the network reads; false if it was stopped.
    fn renew(&mut self, control: &dyn Control) -> Result<bool, TrainError> {
        let Some(readings) = self.read(control)? else { return Ok(false) };
        let trained = self.held_out().start;
        let mut relation = self.saved.relation.clone();
        relation.renew(&self.gather(&relation, &readings, trained), trained, SMOOTHING);
        self.targets = self.posteriors(&relation, &readings);
        self.saved.relation = relation;
        Ok(true)
    }

    /// The pictures of the next step, by their numbers among all places of all examples.
    fn batch(&mut self) -> Vec<u32> {
        let places = self.puzzles.places.len();
        let about = self.saved.relation.places(places);
        let count = self.held_out().start * about.len();
        let size = self.settings.batch.min(count);
        let first = self.saved.step * size as u64;
        let mut batch = Vec::with_capacity(size);
        for at in first..first + size as u64 {
            let epoch = at / count as u64;
            if self.order.as_ref().is_none_or(|(drawn, _)| *drawn != epoch) {
                let all = 0..self.held_out().start as u32;
                let of_example = |n: u32| about.iter().map(move |place| n * places as u32 + *place as u32);
                let mut order: Vec<u32> = all.flat_map(of_example).collect();
                order.shuffle(&mut stream(self.settings.seed, "order of sights of a latent relation", epoch));
                self.order = Some((epoch, order));
            }
            batch.extend(self.order.as_ref().map(|(_, order)| order[(at % count as u64) as usize]));
        }
        batch
    }

    /// The likeliest symbols of an example.
    fn symbols_of(&self, targets: &[f32], example: usize) -> Vec<u16> {
        let k = self.saved.relation.symbols();
        let size = self.puzzles.places.len() * k;
        let most = |row: &[f32]| (0..k).max_by(|a, b| row[*a].total_cmp(&row[*b])).unwrap_or(0) as u16;
        targets[example * size..][..size].chunks_exact(k).map(most).collect()
    }

    /// Whether symbols give the answer that is told.
    fn agrees(&self, symbols: &[u16], cells: &[Option<u32>], example: usize) -> bool {
        let code = self.codes.codes[example];
        match &self.saved.relation {
            Relation::Table { places, symbols: k, .. } => {
                let cell = places.iter().fold(0, |cell, place| cell * k + usize::from(symbols[*place]));
                cells[cell] == Some(code)
            }
            Relation::Sum { weights, values, modulus, offset, answers, .. } => {
                let terms = weights.iter().zip(symbols);
                let sum = terms.map(|(w, z)| w * values[usize::from(*z)]).sum::<i64>() + offset;
                let told = answers[code as usize];
                modulus.map_or(sum == told, |m| (sum - told).rem_euclid(m) == 0)
            }
        }
    }

    /// How far probabilities can be trusted, by pictures that were not trained on and what answers say of them.
    fn calibration(&self, readings: &[f32], targets: &[f32]) -> Result<Option<Calibration>, TrainError> {
        let k = self.saved.relation.symbols();
        let from = self.held_out().start * self.puzzles.places.len() * k;
        let sure = |(reading, target): (&[f32], &[f32])| {
            let best = (0..k).max_by(|a, b| target[*a].total_cmp(&target[*b]))?;
            (target[best] > 0.9).then(|| (reading.to_vec(), best))
        };
        let pairs = readings[from..].chunks_exact(k).zip(targets[from..].chunks_exact(k));
        let (values, labels): (Vec<Vec<f32>>, Vec<usize>) = pairs.filter_map(sure).unzip();
        if labels.is_empty() || k < 2 {
            return Ok(None);
        }
        let probabilities = Probabilities::new(k, values.concat());
        let agreeing = probabilities.most_probable().zip(&labels).filter(|(read, label)| read == *label);
        let agreement = agreeing.count() as f64 / labels.len() as f64;
        let temperature = Temperature::fit(&probabilities, &labels)?;
        let error = |probabilities: &Probabilities| calibration_error(probabilities, &labels, 15);
        Ok(Some(Calibration {
            pictures: labels.len(),
            agreement,
            temperature: temperature.value(),
            error: (error(&probabilities)?, error(&temperature.apply(&probabilities))?),
        }))
    }

    /// Runs on so many threads as the settings say.
    fn on_threads<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, TrainError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.settings.threads).build();
        Ok(pool.map_err(|error| TrainError::Task(Box::new(error)))?.install(work))
    }
}

impl Schedule for Latent<'_> {
    fn name(&self) -> &'static str {
        "latent"
    }

    fn steps(&self) -> u64 {
        self.settings.steps
    }

    fn made(&self) -> u64 {
        self.saved.step
    }

    /// Clusters, and a relation between them and the answers.
    fn begin(&mut self, control: &dyn Control) -> Result<(), TrainError> {
        let (puzzles, settings) = (self.puzzles, self.settings);
        let found = self.on_threads(|| begin(puzzles, &settings, control))?;
        if control.is_cancelled() {
            return Ok(());
        }
        let Some(found) = found else { return Err(TrainError::NoRelation(puzzles.len())) };
        self.perception = Some((self.build)(found.relation.symbols().max(2))?);
        self.targets = found.targets;
        self.saved = Saved { step: 0, relation: found.relation, began: found.began };
        Ok(())
    }

    fn step(&mut self, control: &dyn Control) -> Result<Metrics, TrainError> {
        let step = self.saved.step;
        if step > 0 && step.is_multiple_of(self.between()) && !self.renew(control)? {
            return Ok(Metrics::default());
        }
        let batch = self.batch();
        let (places, k) = (self.puzzles.pictures.len(), self.saved.relation.symbols());
        debug_assert!(batch.iter().all(|at| (*at as usize) < places));
        let targets: Vec<f32> =
            batch.iter().flat_map(|at| &self.targets[*at as usize * k..][..k]).copied().collect();
        let numbers = batch.iter().map(|at| self.puzzles.pictures[*at as usize]);
        let images = self.puzzles.gather(numbers, &mut self.pixels)?;
        let Some(perception) = &mut self.perception else {
            return Err(TrainError::State("training has not begun".to_owned()));
        };
        let loss = perception.fit(images, Targets::new(&targets))?;
        self.saved.step += 1;
        Ok(Metrics::new([("loss", loss)]))
    }

    fn perception(&self) -> Option<&dyn Perception> {
        self.perception.as_deref()
    }

    /// A line of JSON, and the targets as numbers of four bytes.
    fn state(&self) -> Result<State, TrainError> {
        let mut rest =
            serde_json::to_vec(&self.saved).map_err(|error| TrainError::State(error.to_string()))?;
        rest.push(b'\n');
        rest.extend(self.targets.iter().flat_map(|target| target.to_le_bytes()));
        Ok(State { network: self.network()?.save()?, rest })
    }

    fn restore(&mut self, state: &State) -> Result<(), TrainError> {
        let wrong = |problem: &str| TrainError::State(problem.to_owned());
        let end = state.rest.iter().position(|byte| *byte == b'\n').ok_or_else(|| wrong("it has no line"))?;
        let saved: Saved =
            serde_json::from_slice(&state.rest[..end]).map_err(|error| wrong(&error.to_string()))?;
        let number = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().unwrap_or_default());
        let targets: Vec<f32> = state.rest[end + 1..].chunks(4).map(number).collect();
        let expected = self.puzzles.pictures.len() * saved.relation.symbols();
        if targets.len() != expected || saved.relation.answers() != self.codes.values.len() {
            return Err(wrong("it is that of other examples"));
        }
        let mut perception = (self.build)(saved.relation.symbols().max(2))?;
        perception.load(&state.network)?;
        (self.perception, self.saved, self.targets, self.order) = (Some(perception), saved, targets, None);
        Ok(())
    }

    fn so_far(&mut self) -> Result<Model, TrainError> {
        let names = (1..=self.saved.relation.symbols()).map(|number| format!("S{number}"));
        let layout = Layout::new(self.puzzles, &names.collect::<Vec<_>>(), &self.saved.relation, &self.axis)
            .map_err(|error| TrainError::Task(Box::new(error)))?;
        Ok(Model {
            rules: RuleSet::new(layout.variables),
            network: Some(self.network()?.save()?),
            ..Model::default()
        })
    }

    fn finish(&mut self, control: &dyn Control) -> Result<Model, TrainError> {
        control.stage("reading all pictures", 0);
        let Some(readings) = self.read(control)? else { return self.so_far() };
        let (trained, all) = (self.held_out().start, self.puzzles.len());
        let mut relation = self.saved.relation.clone();
        let seen = self.gather(&relation, &readings, all);
        relation.renew(&self.gather(&relation, &readings, trained), trained, SMOOTHING);
        self.saved.relation = relation.clone();
        let targets = self.posteriors(&relation, &readings);
        let combinations = &self.codes.values;
        let (meaning, cells) =
            meaning_of(self.puzzles, combinations, &relation, &seen, self.saved.began.clone());
        let size = self.puzzles.places.len() * relation.symbols();
        let is_right = |example: &usize| {
            let chances = relation.predict(&readings[example * size..][..size]);
            let best = (0..chances.len()).max_by(|a, b| chances[*a].total_cmp(&chances[*b]));
            best == Some(self.codes.codes[*example] as usize)
        };
        let right = self.held_out().filter(is_right).count();
        let symbols: Vec<Vec<u16>> = (0..all).map(|example| self.symbols_of(&targets, example)).collect();
        let kept: Vec<usize> =
            (0..all).filter(|example| self.agrees(&symbols[*example], &cells, *example)).collect();
        let layout = Layout::new(self.puzzles, &meaning.symbols, &relation, &self.axis)
            .map_err(|error| TrainError::Task(Box::new(error)))?;
        let examples = layout.examples(self.puzzles, &symbols.concat(), &kept);
        let found = rules_of(
            self.puzzles,
            &layout,
            &relation,
            combinations,
            &cells,
            &examples,
            &*self.learner,
            control,
        );
        let meaning = Meaning {
            held_out: [all - trained, right],
            examples: all,
            doubted: all - kept.len(),
            rules: found.counts,
            ..meaning
        };
        let as_json = |error: serde_json::Error| TrainError::State(error.to_string());
        let parts = [
            ("meaning".to_owned(), serde_json::to_value(&meaning).map_err(as_json)?),
            ("relation".to_owned(), serde_json::to_value(&relation).map_err(as_json)?),
            (
                "answers".to_owned(),
                json!({ "columns": self.puzzles.answers.iter().map(|one| &one.name).collect::<Vec<_>>(),
                    "labels": self.puzzles.answers.iter().map(|one| &one.labels).collect::<Vec<_>>(),
                    "combinations": combinations, "places": self.puzzles.places }),
            ),
        ];
        let calibration = match control.is_cancelled() {
            true => None,
            false => self.calibration(&readings, &targets)?,
        };
        Ok(Model {
            rules: found.rules,
            network: Some(self.network()?.save()?),
            calibration,
            found: serde_json::to_value(&meaning).map_err(as_json)?,
            parts: parts.into_iter().collect(),
            ..Model::default()
        })
    }
}
