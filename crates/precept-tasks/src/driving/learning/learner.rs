//! The steps of training, as the page of the folder tells them.

use std::collections::BTreeMap;
use std::sync::Mutex;

use precept::Metrics;
use precept_learn::{Control, stream};
use precept_logic::{Rule, RuleSet};
use precept_perceive::Mapper;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use super::super::patches::placed;
use super::super::{
    Clauses, CompiledPlanner, Frames, Judgement, KAPPAS, Kind, LearnedRules, Lesson, Map, RuleSettings,
    TieSettings, Ties, WeakLoss, choose_kappa, learn_rules, map_loss, path_loss,
};
use super::mine::{Mined, mine, plan};
use super::planning::{believed, lessons, planner, trust};
use super::seen::{Batch, Seen, mapper};
use super::trained::judged;
use super::{Answered, LearningError, LearningSettings, Supervision, Trained};

/// Of the co-occurrences of path and obstacle that chance would have, the share that predicted maps may have.
const EXCEPTIONS: f64 = 0.4;

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
    sure: Clauses,
    likely: Clauses,
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
    /// Clauses that are certain, and clauses that are likely.
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
        let clauses = Clauses::new(train.len(), settings.most_clauses);
        let mut learner = PathLearner {
            settings: *settings,
            seen: Seen::new(frames, settings.supervision),
            learned: None,
            planner: None,
            mapper: mapper(frames, settings, steps)?,
            state: State { epoch: 0, sure: clauses.clone(), likely: clauses, ties: None, trust: 0.0 },
            train,
            held_out,
        };
        if settings.supervision == Supervision::Direct {
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
        let empty = |count: usize| vec![Map::empty(frames.grid); count];
        let maps = |numbers: &[usize]| match knows {
            true => numbers.iter().map(|&frame| frames.maps[frame].clone()).collect(),
            false => empty(numbers.len()),
        };
        let (train, held_out) = (maps(&learner.train), maps(&learner.held_out));
        learner.prefer(&train, &held_out);
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
        if state.sure.frames() != self.train.len() || state.likely.frames() != self.train.len() {
            let (saved, here) = (state.sure.frames(), self.train.len());
            return Err(LearningError::State(format!("it is of {saved} frames, and here are {here}")));
        }
        self.mapper.load(network)?;
        self.state = state;
        Ok(())
    }

    /// Goes through all frames once.
    ///
    /// # Errors
    /// If the network diverges.
    pub fn step(&mut self, control: &dyn Control) -> Result<Metrics, LearningError> {
        let settings = self.settings;
        if settings.supervision == Supervision::Paths && self.state.epoch == settings.epochs.div_ceil(3) {
            let [train, held_out] = [&self.train, &self.held_out].map(|numbers| self.believed(numbers));
            self.prefer(&train?, &held_out?);
        }
        let mut order: Vec<usize> = (0..self.train.len()).collect();
        order.shuffle(&mut stream(settings.seed, "order of frames", self.state.epoch.into()));
        let (mut batch, mut sum) = (Batch::default(), 0.0);
        for items in order.chunks(settings.batch) {
            let numbers: Vec<usize> = items.iter().map(|&item| self.train[item]).collect();
            let inputs = self.seen.batch(&numbers, &mut batch)?;
            let fresh: Mutex<BTreeMap<usize, Mined>> = Mutex::default();
            let (frames, state, planner) = (self.seen.frames, &self.state, self.planner.as_ref());
            let loss = |image: usize, p: &[f32], slopes: &mut [f32]| {
                let frame = numbers[image];
                let shown = &frames.demonstrations[frame];
                match settings.supervision {
                    Supervision::Maps => map_loss(&frames.maps[frame], p, slopes),
                    Supervision::Direct => path_loss(frames.grid, shown, p, slopes),
                    Supervision::Paths => {
                        let (weak, item) = (WeakLoss { prior: settings.prior }, items[image]);
                        let found = planner.map_or_else(Mined::default, |planner| {
                            let ties = state.ties.as_ref().filter(|_| settings.use_ties);
                            mine(planner, shown, p, ties, settings.rounds)
                        });
                        let found = state.news(item, found);
                        let loss = weak.of(frames.grid, shown, state.sure.of(item), p, slopes)
                            + weak.likely(state.trust, state.likely.of(item), p, slopes)
                            + weak.likely(1.0, &found.sure, p, slopes)
                            + weak.likely(state.trust, &found.likely, p, slopes);
                        if let Ok(mut fresh) = fresh.lock() {
                            fresh.insert(item, found);
                        }
                        loss
                    }
                }
            };
            sum += self.mapper.fit(inputs, &loss)? * items.len() as f64;
            for (item, found) in fresh.into_inner().unwrap_or_default() {
                found.sure.into_iter().for_each(|clause| {
                    self.state.sure.add(item, clause);
                });
                found.likely.into_iter().for_each(|clause| {
                    self.state.likely.add(item, clause);
                });
            }
            control.advance(items.len() as u64);
        }
        self.state.epoch += 1;
        Ok(Metrics::new([
            ("loss", sum / self.train.len() as f64),
            ("sure_clauses", self.state.sure.len() as f64),
            ("likely_clauses", self.state.likely.len() as f64),
            ("trust", self.state.trust),
        ]))
    }

    /// Learns preferences and rules once more from the maps that are believed in, and chooses the weight of
    /// risks.
    ///
    /// # Errors
    /// If the network or the planner fails.
    pub fn finish(mut self) -> Result<(Trained, Findings), LearningError> {
        let (settings, frames) = (self.settings, self.seen.frames);
        let mut kappa = 1.0;
        let (mut held_out_f1, held) = (0.0, frames.subset(&self.held_out));
        if let Some(planner) = self.planner.clone() {
            let believed = self.believed(&self.held_out)?;
            if settings.supervision == Supervision::Paths {
                let train = self.believed(&self.train)?;
                self.prefer(&train, &believed);
                self.learned = self.rules_with(&believed)?;
            }
            let found = self.seen.predict(&self.mapper, &self.held_out)?;
            let rows: Vec<&[f32]> = found.rows().collect();
            let judge_by = |kappa: f64| -> Result<Judgement, LearningError> {
                let answer = |(p, shown): (&&[f32], _)| {
                    let plan = plan(&planner, shown, p, kappa, self.state.ties.as_ref())?;
                    Ok(Answered { probabilities: Vec::new(), plan, believed: None })
                };
                let answers = rows.iter().zip(&held.demonstrations).map(answer);
                let judgement = judged(&held, &answers.collect::<Result<Vec<_>, LearningError>>()?);
                // From paths alone nobody knows which plans collide.
                let is_told = settings.supervision == Supervision::Maps;
                Ok(Judgement { collision: if is_told { judgement.collision } else { 0.0 }, ..judgement })
            };
            if let Some((best, judgement)) = choose_kappa(&KAPPAS, judge_by)? {
                (kappa, held_out_f1) = (best, judgement.path_f1);
            }
        }
        let findings = Findings {
            learned: self.learned,
            frames: [self.train.len(), self.held_out.len()],
            clauses: [self.state.sure.len(), self.state.likely.len()],
            trust: self.state.trust,
            held_out_f1,
        };
        let Self { mapper, planner, state: State { ties, .. }, .. } = self;
        Ok((Trained { settings, mapper, planner, kappa, ties }, findings))
    }

    /// The maps that the network believes in.
    fn believed(&self, numbers: &[usize]) -> Result<Vec<Map>, LearningError> {
        let found = self.seen.predict(&self.mapper, numbers)?;
        Ok(found.rows().map(|row| believed(self.seen.frames.grid, row)).collect())
    }

    /// Learns preferences on these maps, and how far they are to be trusted.
    fn prefer(&mut self, train: &[Map], held_out: &[Map]) {
        let (frames, steps) = (self.seen.frames, self.settings.steps);
        let settings = TieSettings { seed: self.settings.seed, steps, ..TieSettings::default() };
        let ties = Ties::learn(&frames.grid, &lessons(frames, &self.train, train), &settings);
        if let Some(planner) = &self.planner {
            let others = lessons(frames, &self.held_out, held_out);
            self.state.trust = trust(planner, steps, &others, &ties);
        }
        self.state.ties = Some(ties);
    }

    /// The rules that are known, and those on obstacles by these maps of the frames held out.
    fn rules_with(&self, held_out: &[Map]) -> Result<Option<LearnedRules>, LearningError> {
        let (frames, seed) = (self.seen.frames, self.settings.seed);
        let settings = RuleSettings { seed, exceptions: EXCEPTIONS, ..RuleSettings::default() };
        let found = learn_rules(&frames.grid, &lessons(frames, &self.held_out, held_out), &settings)?;
        let mut learned = self.learned.clone();
        let is_of_obstacles =
            |rule: &&Rule| rule.constraint.variables().any(|var| placed(var).0 == Kind::Obstacle);
        if let Some(learned) = &mut learned {
            for rule in found.rules.rules().iter().filter(is_of_obstacles) {
                learned.rules.insert(rule.clone());
            }
        }
        Ok(learned)
    }
}

impl State {
    /// What was found and is not known yet.
    fn news(&self, item: usize, mut found: Mined) -> Mined {
        found.sure.retain(|clause| self.sure.is_news(item, clause));
        found.likely.retain(|clause| self.sure.is_news(item, clause) && self.likely.is_news(item, clause));
        found
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
