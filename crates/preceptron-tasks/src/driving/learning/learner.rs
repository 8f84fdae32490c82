//! The steps of training, as the page of the folder tells them: an epoch is a step.

use std::sync::Mutex;

use preceptron::{Metrics, State};
use preceptron_base::{Control, stream};
use preceptron_perceive::Mapper;
use rand::RngExt;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use super::super::{
    Clauses, CompiledPlanner, Frames, LearnedRules, Lesson, Map, PreferenceSettings, Preferences,
    RuleSettings, WeakLoss, learn_rules, map_loss, path_loss,
};
use super::hold_out::hold_out;
use super::mine::mine;
use super::planning::{MOST_TRUST, believed, lessons, planner, trust};
use super::seen::{Batch, Seen, mapper, mirror};
use super::{LearningError, LearningSettings, Supervision};

/// Cells are planned around as obstacles from this probability on.
pub(super) const LIKELY: f32 = 0.5;

/// Learns to drive.
pub struct PathLearner<'a> {
    pub(super) settings: LearningSettings,
    pub(super) seen: Seen<'a>,
    pub(super) train: Vec<usize>,
    pub(super) held_out: Vec<usize>,
    pub(super) learned: Option<LearnedRules>,
    pub(super) planner: Option<CompiledPlanner>,
    pub(super) mapper: Mapper,
    pub(super) changed: Changed,
}

/// What changes from epoch to epoch beside the network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Changed {
    pub(super) epoch: u32,
    pub(super) frames: usize,
    pub(super) clauses: [usize; 2],
    pub(super) preferences: Option<Preferences>,
    pub(super) trust: f64,
}

impl<'a> PathLearner<'a> {
    /// Makes ready to learn.
    ///
    /// # Errors
    /// If a setting is out of range, or no drive can be held out.
    pub fn new(frames: &'a Frames, settings: &LearningSettings) -> Result<PathLearner<'a>, LearningError> {
        settings.check()?;
        let (train, held_out) = hold_out(frames, settings)?;
        let steps = train.len().div_ceil(settings.batch) as u64 * u64::from(settings.epochs);
        let (clauses, preferences, trust) = ([0; 2], None, MOST_TRUST);
        Ok(PathLearner {
            settings: *settings,
            seen: Seen::new(frames, settings.supervision),
            learned: None,
            planner: None,
            mapper: mapper(frames, settings, steps)?,
            changed: Changed { epoch: 0, frames: train.len(), clauses, preferences, trust },
            train,
            held_out,
        })
    }

    /// Learns the rules of paths, and makes a planner by them.
    pub(super) fn learn_paths(&mut self, control: &dyn Control) -> Result<(), LearningError> {
        let (settings, frames) = (self.settings, self.seen.frames);
        if !settings.supervision.plans() {
            return Ok(());
        }
        let knows = settings.supervision == Supervision::Maps;
        let lesson = |&frame: &usize| Lesson {
            demonstration: &frames.demonstrations[frame],
            obstacles: knows.then(|| &frames.maps[frame]),
        };
        let shown: Vec<Lesson> = self.train.iter().map(lesson).collect();
        let rules = RuleSettings { seed: settings.seed, ..RuleSettings::default() };
        let learned = learn_rules(&frames.grid, &shown, &rules, control)?;
        if control.is_cancelled() {
            return Ok(());
        }
        let planner = planner(&learned.rules, &frames.grid, settings.steps)
            .map_err(|problem| LearningError::Rules { demonstrations: shown.len(), problem })?;
        (self.learned, self.planner) = (Some(learned), Some(planner));
        Ok(())
    }

    /// Takes up what a state says.
    pub(super) fn load(&mut self, state: &State) -> Result<(), LearningError> {
        let changed: Changed =
            serde_json::from_slice(&state.rest).map_err(|error| LearningError::State(error.to_string()))?;
        if changed.frames != self.train.len() {
            let (saved, here) = (changed.frames, self.train.len());
            return Err(LearningError::State(format!("it is of {saved} frames, and here are {here}")));
        }
        self.mapper.load(&state.network)?;
        self.changed = changed;
        Ok(())
    }

    /// Goes through all frames once; then preferences are learned anew, from the maps predicted on the way.
    pub(super) fn epoch(&mut self, control: &dyn Control) -> Result<Metrics, LearningError> {
        let settings = self.settings;
        let name = settings.supervision.name();
        let stage = format!("{name}: epoch {} of {}", self.changed.epoch + 1, settings.epochs);
        control.stage(&stage, self.train.len() as u64);
        let mut order: Vec<usize> = (0..self.train.len()).collect();
        order.shuffle(&mut stream(settings.seed, "order of frames", self.changed.epoch.into()));
        let mut random = stream(settings.seed, "mirrored frames", self.changed.epoch.into());
        let mut maps = vec![Map::empty(self.seen.frames.grid); self.train.len()];
        let (mut batch, mut sum, mut clauses) = (Batch::default(), 0.0, [0; 2]);
        let before = self.mapper.save()?;
        for items in order.chunks(settings.batch) {
            if control.is_cancelled() {
                // Half an epoch is none: the network is as it was before.
                self.mapper.load(&before)?;
                return Ok(Metrics::default());
            }
            let numbers: Vec<usize> = items.iter().map(|&item| self.train[item]).collect();
            let mirrored: Vec<bool> = items.iter().map(|_| self.seen.may_mirror && random.random()).collect();
            let inputs = self.seen.batch(&numbers, |image| mirrored[image], &mut batch)?;
            let seen: Mutex<Vec<(usize, Clauses, Map)>> = Mutex::default();
            let (frames, state, planner) = (self.seen.frames, &self.changed, self.planner.as_ref());
            let plain = |image: usize, p: &[f32], slopes: &mut [f32]| {
                let frame = numbers[image];
                let shown = &frames.demonstrations[frame];
                match settings.supervision {
                    Supervision::Maps => map_loss(&frames.maps[frame], p, slopes),
                    Supervision::Direct | Supervision::Resnet => path_loss(frames.grid, shown, p, slopes),
                    Supervision::Paths => {
                        let weak = WeakLoss { prior: settings.prior };
                        let found = planner.map_or_else(Clauses::default, |planner| {
                            let preferences = state.preferences.as_ref().filter(|_| settings.use_ties);
                            mine(planner, shown, p, preferences, settings.rounds)
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
        self.changed.epoch += 1;
        self.changed.clauses = clauses;
        if settings.supervision == Supervision::Paths {
            self.prefer(&maps);
            self.trust()?;
        }
        Ok(Metrics::new([
            ("loss", sum / self.train.len() as f64),
            ("sure_clauses", clauses[0] as f64),
            ("likely_clauses", clauses[1] as f64),
            ("trust", self.changed.trust),
        ]))
    }

    /// Learns preferences on these maps of the frames to train on.
    pub(super) fn prefer(&mut self, maps: &[Map]) {
        let (frames, steps) = (self.seen.frames, self.settings.steps);
        let settings =
            PreferenceSettings { seed: self.settings.seed, steps, ..PreferenceSettings::default() };
        self.changed.preferences =
            Some(Preferences::learn(&frames.grid, &lessons(frames, &self.train, maps), &settings));
    }

    /// Estimates on the frames held out how far preferences are to be trusted.
    pub(super) fn trust(&mut self) -> Result<(), LearningError> {
        let (Some(planner), Some(preferences)) = (&self.planner, &self.changed.preferences) else {
            return Ok(());
        };
        let found = self.seen.predict(&self.mapper, &self.held_out)?;
        let shown = self.held_out.iter().map(|&frame| &self.seen.frames.demonstrations[frame]);
        self.changed.trust = trust(planner, &shown.zip(found.rows()).collect::<Vec<_>>(), preferences);
        Ok(())
    }
}
