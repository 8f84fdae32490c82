//! Training in stages: rules from what is known, grounding by the rules, training of the network,
//! and rules once more from everything.

use std::sync::Arc;

use precept_learn::{Checked, Control, Examples, Learned, learn};
use precept_logic::{Problem, RuleSet, Var};
use precept_perceive::{PerceiveError, Perception, Probabilities, Targets};
use precept_reason::ReasonError;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::grounding::{Symbols, ground_by_reading, ground_by_rules};
use crate::{Metrics, Scenes, Sight};

/// How training in stages goes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StagedSettings {
    /// Steps of the network's training.
    pub steps: u64,
    /// Pictures in a step.
    pub batch: usize,
    /// The seed of the order of the pictures.
    pub seed: u64,
    /// Threads for grounding.
    pub threads: usize,
}

impl Default for StagedSettings {
    fn default() -> StagedSettings {
        StagedSettings { steps: 2000, batch: 580, seed: 0, threads: 2 }
    }
}

/// Why training could not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// The network.
    #[error(transparent)]
    Perceive(#[from] PerceiveError),
    /// The reasoner.
    #[error(transparent)]
    Reason(#[from] ReasonError),
    /// No rule was found in what is known.
    #[error("no rule was found in what is known of {0} examples, so nothing says what the pictures show")]
    NoRules(usize),
    /// The rules say of no picture what it shows.
    #[error("{0} rules were found, but they say of no picture what it shows")]
    NothingGrounded(usize),
}

/// Training in stages.
pub struct Staged<'a> {
    scenes: &'a Scenes,
    perception: &'a mut dyn Perception,
    settings: StagedSettings,
    learned: Learned,
    problem: Arc<Problem>,
    symbols: Symbols,
    /// The sights whose symbols are known, each with its symbol.
    grounded: Vec<(Sight, u16)>,
    order: Vec<u32>,
    step: u64,
    pixels: Vec<u8>,
    targets: Vec<f32>,
}

impl<'a> Staged<'a> {
    /// Learns rules from what is known, and grounds what they fix.
    ///
    /// # Errors
    /// If there are no rules, or they say nothing of the pictures.
    pub fn begin(
        scenes: &'a Scenes,
        perception: &'a mut dyn Perception,
        settings: StagedSettings,
        learner: &Checked,
        control: &dyn Control,
    ) -> Result<Staged<'a>, TrainError> {
        let learned = learn(scenes.variables(), scenes.known(), learner, control);
        if learned.rules.is_empty() {
            return Err(TrainError::NoRules(scenes.len()));
        }
        let symbols = ground_by_rules(scenes, &learned.rules);
        let mut staged = Staged {
            problem: Arc::new(Problem::from(learned.rules.clone())),
            grounded: Vec::new(),
            order: Vec::new(),
            step: 0,
            pixels: Vec::new(),
            targets: Vec::new(),
            scenes,
            perception,
            settings,
            learned,
            symbols,
        };
        staged.collect();
        if staged.grounded.is_empty() {
            return Err(TrainError::NothingGrounded(staged.learned.rules.len()));
        }
        Ok(staged)
    }

    /// Gathers the sights whose symbols are known.
    fn collect(&mut self) {
        self.grounded.clear();
        for (example, symbols) in self.symbols.iter().enumerate() {
            let sights = self.scenes.sights(example).iter().zip(symbols);
            self.grounded.extend(sights.filter_map(|(&sight, symbol)| Some((sight, (*symbol)?))));
        }
        self.order.clear();
    }

    /// The share of sights whose symbols are known.
    pub fn grounded(&self) -> f64 {
        let all: usize = self.symbols.iter().map(Vec::len).sum();
        self.grounded.len() as f64 / all.max(1) as f64
    }

    /// What each sight shows, as far as that is known.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// What was learned from what is known.
    pub fn learned(&self) -> &Learned {
        &self.learned
    }

    /// The rules.
    pub fn rules(&self) -> &RuleSet {
        &self.problem.rules
    }

    /// One step of the network's training.
    ///
    /// # Errors
    /// If the network or the reasoner fails.
    pub fn step(&mut self, control: &dyn Control) -> Result<Metrics, TrainError> {
        // When the network has seen a quarter, and again half of what it will see, it says what the rules
        // leave open.
        if [self.settings.steps / 4, self.settings.steps / 2].contains(&self.step) && self.step > 0 {
            self.ground_open(control)?;
        }
        let classes = self.scenes.classes();
        let mut batch = Vec::with_capacity(self.settings.batch);
        while batch.len() < self.settings.batch.min(self.grounded.len()) {
            if self.order.is_empty() {
                self.order = (0..self.grounded.len() as u32).collect();
                let mut random = ChaCha8Rng::seed_from_u64(self.settings.seed);
                random.set_stream(self.step);
                self.order.shuffle(&mut random);
            }
            batch.extend(self.order.pop().map(|at| self.grounded[at as usize]));
        }
        self.targets.clear();
        self.targets.resize(batch.len() * classes, 0.0);
        for (row, (_, symbol)) in self.targets.chunks_exact_mut(classes).zip(&batch) {
            row[usize::from(*symbol)] = 1.0;
        }
        let images = self.scenes.gather(batch.iter().map(|(sight, _)| *sight), &mut self.pixels)?;
        let loss = self.perception.fit(images, Targets::new(&self.targets))?;
        self.step += 1;
        Ok(Metrics::new([("loss", loss), ("grounded", self.grounded())]))
    }

    /// Grounds the examples in which something is open by what the network reads.
    fn ground_open(&mut self, control: &dyn Control) -> Result<(), TrainError> {
        let is_open = |symbols: &Vec<Option<u16>>| symbols.iter().any(Option::is_none);
        let open: Vec<usize> = (0..self.scenes.len()).filter(|&at| is_open(&self.symbols[at])).collect();
        let probabilities = read(self.scenes, self.perception, &open)?;
        ground_by_reading(
            self.scenes,
            &self.problem,
            &open,
            &probabilities,
            &mut self.symbols,
            self.settings.threads,
            control,
        )?;
        self.collect();
        Ok(())
    }

    /// The examples with what was known and what the pictures were found to show.
    pub fn complete_examples(&self) -> Examples {
        let variables = self.scenes.variables().len();
        let row = |example: usize| {
            let mut row: Vec<Option<bool>> =
                (0..variables as u32).map(|var| self.scenes.known().get(example, Var(var))).collect();
            for (&sight, symbol) in self.scenes.sights(example).iter().zip(&self.symbols[example]) {
                if let Some(symbol) = symbol {
                    for (at, var) in self.scenes.symbols(sight).iter().enumerate() {
                        row[var.index()] = Some(at == usize::from(*symbol));
                    }
                }
            }
            row
        };
        Examples::from_rows(variables, &(0..self.scenes.len()).map(row).collect::<Vec<_>>())
    }

    /// Learns the rules once more, from everything.
    pub fn learn_again(&mut self, learner: &Checked, control: &dyn Control) -> &Learned {
        let learned = learn(self.scenes.variables(), &self.complete_examples(), learner, control);
        self.problem = Arc::new(Problem::from(learned.rules.clone()));
        self.learned = learned;
        &self.learned
    }
}

/// What the network reads in all sights of some examples, in turn.
///
/// # Errors
/// If the network fails.
pub fn read(
    scenes: &Scenes,
    perception: &dyn Perception,
    examples: &[usize],
) -> Result<Probabilities, PerceiveError> {
    let mut values = Vec::new();
    let mut pixels = Vec::new();
    for some in examples.chunks(64) {
        let sights = some.iter().flat_map(|&example| scenes.sights(example)).copied();
        let images = scenes.gather(sights, &mut pixels)?;
        values.extend_from_slice(perception.predict(images)?.values());
    }
    Ok(Probabilities::new(scenes.classes(), values))
}
