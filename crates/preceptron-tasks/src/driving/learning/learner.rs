//! The steps of training, as the page of the folder tells them.

use std::collections::BTreeMap;
use std::sync::Mutex;

use preceptron::Metrics;
use preceptron_base::{Control, stream};
use preceptron_logic::{RelativeRule, RuleSet};
use preceptron_perceive::Mapper;
use rand::RngExt;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use super::super::{
    Clauses, CompiledPlanner, Frames, Kind, LearnedRules, Lesson, Map, RuleSettings, TieSettings, Ties,
    WeakLoss, learn_rules, map_loss, path_loss,
};
use super::choosing::HeldOut;
use super::mine::mine;
use super::planning::{MOST_TRUST, believed, lessons, planner, trust};
use super::seen::{Batch, Seen, mapper, mirror};
use super::{Choices, LearningError, LearningSettings, Supervision, Trained};

/// Of the co-occurrences of path and obstacle that chance would have, the share that predicted maps may have.
const EXCEPTIONS: f64 = 0.4;

/// Cells are planned around as obstacles from the first probability on; those from which rules are learned have the
/// second, so that few of them are none.
const LIKELY: f32 = 0.5;
const SURE: f32 = 0.8;

/// Learns to drive.
pub struct PathLearner<'a> {
    settings: LearningSettings,
    seen: Seen<'a>,
    train: Vec<usize>,
    held_out: Vec<usize>,
    learned: Option<LearnedRules>,
    planner: Option<CompiledPlanner>,
    mapper: Mapper,
    state: State,
}

/// What changes from epoch to epoch beside the network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    epoch: u32,
    frames: usize,
    clauses: [usize; 2],
    ties: Option<Ties>,
    trust: f64,
}

/// What was found on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// The rules; none where the network gives paths itself.
    pub learned: Option<LearnedRules>,
    /// Frames trained on, and frames held out to choose settings.
    pub frames: [usize; 2],
    /// Clauses in the last epoch: those that are certain, and those that are likely.
    pub clauses: [usize; 2],
    /// How often preferences choose the path shown, where there is a choice.
    pub trust: f64,
    /// The F1 of paths on the frames held out.
    pub held_out_f1: f64,
}

impl<'a> PathLearner<'a> {
    /// Learns the rules of paths, and makes ready to train.
    ///
    /// # Errors
    /// If a setting is out of range, no drive can be held out, or the rules learned are not those of a path.
    pub fn new(frames: &'a Frames, settings: &LearningSettings) -> Result<PathLearner<'a>, LearningError> {
        settings.check()?;
        let (train, held_out) = hold_out(frames, settings)?;
        let steps = train.len().div_ceil(settings.batch) as u64 * u64::from(settings.epochs);
        let mut learner = PathLearner {
            settings: *settings,
            seen: Seen::new(frames, settings.supervision),
            learned: None,
            planner: None,
            mapper: mapper(frames, settings, steps)?,
            state: State { epoch: 0, frames: train.len(), clauses: [0; 2], ties: None, trust: MOST_TRUST },
            train,
            held_out,
        };
        if !settings.supervision.plans() {
            return Ok(learner);
        }
        let knows = settings.supervision == Supervision::Maps;
        let lesson = |&frame: &usize| Lesson {
            demonstration: &frames.demonstrations[frame],
            obstacles: knows.then(|| &frames.maps[frame]),
        };
        let shown: Vec<Lesson> = learner.train.iter().map(lesson).collect();
        let rules = RuleSettings { seed: settings.seed, ..RuleSettings::default() };
        let learned = learn_rules(&frames.grid, &shown, &rules)?;
        let planner = planner(&learned.rules, &frames.grid, settings.steps)
            .map_err(|problem| LearningError::Rules { demonstrations: shown.len(), problem })?;
        (learner.learned, learner.planner) = (Some(learned), Some(planner));
        let map = |&frame: &usize| if knows { frames.maps[frame].clone() } else { Map::empty(frames.grid) };
        let maps: Vec<Map> = learner.train.iter().map(map).collect();
        learner.prefer(&maps);
        Ok(learner)
    }

    /// Epochs that were made.
    pub fn epoch(&self) -> u32 {
        self.state.epoch
    }

    /// How many frames are trained on, and how many held out.
    pub fn frames(&self) -> [usize; 2] {
        [self.train.len(), self.held_out.len()]
    }

    /// The network and the rest of the state, as files.
    ///
    /// # Errors
    /// If the network cannot be saved.
    pub fn save(&self) -> Result<(Vec<u8>, Vec<u8>), LearningError> {
        let state =
            serde_json::to_vec(&self.state).map_err(|error| LearningError::State(error.to_string()))?;
        Ok((self.mapper.save()?, state))
    }

    /// Takes up what [`save`](PathLearner::save) wrote.
    ///
    /// # Errors
    /// If it belongs to other frames or settings.
    pub fn load(&mut self, network: &[u8], state: &[u8]) -> Result<(), LearningError> {
        let state: State =
            serde_json::from_slice(state).map_err(|error| LearningError::State(error.to_string()))?;
        if state.frames != self.train.len() {
            let (saved, here) = (state.frames, self.train.len());
            return Err(LearningError::State(format!("it is of {saved} frames, and here are {here}")));
        }
        self.mapper.load(network)?;
        self.state = state;
        Ok(())
    }

    /// Goes through all frames once; then preferences are learned anew, from the maps predicted on the way.
    ///
    /// # Errors
    /// If the network diverges.
    pub fn step(&mut self, control: &dyn Control) -> Result<Metrics, LearningError> {
        let settings = self.settings;
        let mut order: Vec<usize> = (0..self.train.len()).collect();
        order.shuffle(&mut stream(settings.seed, "order of frames", self.state.epoch.into()));
        let mut random = stream(settings.seed, "mirrored frames", self.state.epoch.into());
        let mut maps = vec![Map::empty(self.seen.frames.grid); self.train.len()];
        let (mut batch, mut sum, mut clauses) = (Batch::default(), 0.0, [0; 2]);
        for items in order.chunks(settings.batch) {
            let numbers: Vec<usize> = items.iter().map(|&item| self.train[item]).collect();
            let mirrored: Vec<bool> = items.iter().map(|_| self.seen.may_mirror && random.random()).collect();
            let inputs = self.seen.batch(&numbers, |image| mirrored[image], &mut batch)?;
            let seen: Mutex<Vec<(usize, Clauses, Map)>> = Mutex::default();
            let (frames, state, planner) = (self.seen.frames, &self.state, self.planner.as_ref());
            let plain = |image: usize, p: &[f32], slopes: &mut [f32]| {
                let frame = numbers[image];
                let shown = &frames.demonstrations[frame];
                match settings.supervision {
                    Supervision::Maps => map_loss(&frames.maps[frame], p, slopes),
                    Supervision::Direct | Supervision::Resnet => path_loss(frames.grid, shown, p, slopes),
                    Supervision::Paths => {
                        let weak = WeakLoss { prior: settings.prior };
                        let found = planner.map_or_else(Clauses::default, |planner| {
                            let ties = state.ties.as_ref().filter(|_| settings.use_ties);
                            mine(planner, shown, p, ties, settings.rounds)
                        });
                        let loss = weak.of(frames.grid, shown, &found.sure, p, slopes)
                            + weak.likely(state.trust, &found.likely, p, slopes);
                        if let Ok(mut seen) = seen.lock() {
                            seen.push((items[image], found, believed(frames.grid, p, LIKELY)));
                        }
                        loss
                    }
                }
            };
            let loss = |image: usize, p: &[f32], slopes: &mut [f32]| {
                if !mirrored[image] {
                    return plain(image, p, slopes);
                }
                let mut turned = p.to_vec();
                mirror(frames.grid, &mut turned);
                let loss = plain(image, &turned, slopes);
                mirror(frames.grid, slopes);
                loss
            };
            sum += self.mapper.fit(inputs, &loss)? * items.len() as f64;
            for (item, found, map) in seen.into_inner().unwrap_or_default() {
                clauses[0] += found.sure.len();
                clauses[1] += found.likely.len();
                maps[item] = map;
            }
            control.advance(items.len() as u64);
        }
        self.state.epoch += 1;
        self.state.clauses = clauses;
        if settings.supervision == Supervision::Paths {
            self.prefer(&maps);
            self.trust()?;
        }
        Ok(Metrics::new([
            ("loss", sum / self.train.len() as f64),
            ("sure_clauses", clauses[0] as f64),
            ("likely_clauses", clauses[1] as f64),
            ("trust", self.state.trust),
        ]))
    }

    /// Learns preferences and rules once more from the maps that are believed in, and chooses what to plan by.
    ///
    /// # Errors
    /// If the network or the planner fails.
    pub fn finish(mut self) -> Result<(Trained, Findings), LearningError> {
        let (settings, frames) = (self.settings, self.seen.frames);
        let mut choices = Choices { kappa: 1.0, ties: None, shift: 0.0 };
        let mut held_out_f1 = 0.0;
        if let Some(planner) = self.planner.clone() {
            if settings.supervision == Supervision::Paths {
                let train = self.believed(&self.train, LIKELY)?;
                self.prefer(&train);
                self.trust()?;
                self.learned = self.rules_with(&self.believed(&self.held_out, SURE)?)?;
            }
            let found = self.seen.predict(&self.mapper, &self.held_out)?;
            let frames = &frames.subset(&self.held_out);
            let held_out = HeldOut { frames, planner: &planner, settings: &settings };
            (choices, held_out_f1) = held_out.choose(&found, self.state.ties.as_ref())?;
        }
        let findings = Findings {
            learned: self.learned.take(),
            frames: [self.train.len(), self.held_out.len()],
            clauses: self.state.clauses,
            trust: self.state.trust,
            held_out_f1,
        };
        let Self { mapper, planner, .. } = self;
        Ok((Trained { settings, mapper, planner, choices }, findings))
    }

    /// The maps of what is blocked with more than a probability by the network.
    fn believed(&self, numbers: &[usize], least: f32) -> Result<Vec<Map>, LearningError> {
        let found = self.seen.predict(&self.mapper, numbers)?;
        Ok(found.rows().map(|row| believed(self.seen.frames.grid, row, least)).collect())
    }

    /// Learns preferences on these maps of the frames to train on.
    fn prefer(&mut self, maps: &[Map]) {
        let (frames, steps) = (self.seen.frames, self.settings.steps);
        let settings = TieSettings { seed: self.settings.seed, steps, ..TieSettings::default() };
        self.state.ties = Some(Ties::learn(&frames.grid, &lessons(frames, &self.train, maps), &settings));
    }

    /// Estimates on the frames held out how far preferences are to be trusted.
    fn trust(&mut self) -> Result<(), LearningError> {
        let (Some(planner), Some(ties)) = (&self.planner, &self.state.ties) else { return Ok(()) };
        let found = self.seen.predict(&self.mapper, &self.held_out)?;
        let shown = self.held_out.iter().map(|&frame| &self.seen.frames.demonstrations[frame]);
        self.state.trust = trust(planner, &shown.zip(found.rows()).collect::<Vec<_>>(), ties);
        Ok(())
    }

    /// The rules that are known, and those on obstacles by these maps of the frames held out.
    fn rules_with(&self, held_out: &[Map]) -> Result<Option<LearnedRules>, LearningError> {
        let (frames, seed) = (self.seen.frames, self.settings.seed);
        let settings = RuleSettings { seed, exceptions: EXCEPTIONS, ..RuleSettings::default() };
        let found = learn_rules(&frames.grid, &lessons(frames, &self.held_out, held_out), &settings)?;
        let mut learned = self.learned.clone();
        let is_of_obstacles = |rule: &&RelativeRule| {
            rule.terms.iter().chain(&rule.gate).any(|t| t.block == Kind::Obstacle.name())
        };
        if let Some(learned) = &mut learned {
            for rule in found.rules.relative().iter().filter(is_of_obstacles) {
                learned.rules.insert_relative(rule.clone());
            }
        }
        Ok(learned)
    }
}

impl Findings {
    /// The rules to plan by; none where there are none.
    pub fn rules(&self) -> Option<&RuleSet> {
        self.learned.as_ref().map(|learned| &learned.rules)
    }
}

/// Frames to train on, and frames of other drives.
fn hold_out(frames: &Frames, settings: &LearningSettings) -> Result<(Vec<usize>, Vec<usize>), LearningError> {
    let mut drives: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (frame, drive) in frames.drives.iter().enumerate() {
        drives.entry(drive).or_default().push(frame);
    }
    let count = drives.len();
    let mut drives: Vec<Vec<usize>> = drives.into_values().collect();
    drives.shuffle(&mut stream(settings.seed, "drives held out", 0));
    let wanted = (settings.held_out * frames.len() as f64).ceil() as usize;
    // A drive that is far too long for what is wanted is left in training, unless there is no other.
    let is_long = |held: &[usize], drive: &[usize]| held.len() + drive.len() > wanted + wanted / 2;
    let (mut train, mut held) = (Vec::new(), Vec::new());
    for drive in drives {
        let is_enough = held.len() >= wanted || (!held.is_empty() && is_long(&held, &drive));
        if is_enough || (is_long(&held, &drive) && train.is_empty() && count > 2) {
            train.extend(drive);
        } else {
            held.extend(drive);
        }
    }
    train.sort_unstable();
    held.sort_unstable();
    match train.is_empty() || held.is_empty() {
        true => Err(LearningError::Drives { frames: frames.len(), drives: count }),
        false => Ok((train, held)),
    }
}
