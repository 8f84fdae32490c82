//! What was learned, put to use: pictures to plans.

use preceptron::Model;
use preceptron_base::{Control, stream};
use preceptron_perceive::Mapper;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::super::{
    Cell, CompiledPlanner, Demonstration, Frames, Grid, Judgement, KAPPAS, PlanError, Planned,
    PreferenceSettings, Preferences, judge, ln_probability, plan_expected, shortest_length,
};
use super::planning::planner;
use super::seen::{Seen, mapper};
use super::{LearningError, LearningSettings, mine};

/// A trained network with its planner.
pub struct Trained {
    /// How it was trained.
    pub settings: LearningSettings,
    /// The network.
    pub mapper: Mapper,
    /// The planner; none if the network gives paths itself.
    pub planner: Option<CompiledPlanner>,
    /// What was chosen to plan by.
    pub choices: Choices,
}

/// The part of a model that [`Choices`] are.
pub(super) const PLANNER: &str = "planner";

/// What a planner needs beside rules, chosen on frames held out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choices {
    /// How many cells of detour a risk is worth.
    pub kappa: f64,
    /// Which of equally short paths.
    pub preferences: Option<Preferences>,
    /// What is added to the logits of the network's probabilities, so that the paths shown are as likely as can be.
    pub shift: f64,
}

impl Default for Choices {
    /// Where nothing was chosen yet.
    fn default() -> Choices {
        Choices { kappa: 1.0, preferences: None, shift: 0.0 }
    }
}

impl Choices {
    /// What a model is to plan by.
    ///
    /// # Errors
    /// If the model is not one of driving.
    pub fn of(model: &Model) -> Result<Choices, LearningError> {
        let choices = model.parts.get(PLANNER).cloned().unwrap_or_default();
        serde_json::from_value(choices).map_err(|error| LearningError::State(format!("{PLANNER}: {error}")))
    }
}

/// How a plan is made from probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The greatest worth on average over maps drawn from them: [`plan_expected`].
    Expected,
    /// The least length and risk, with the weight [`Choices::kappa`].
    Weighted,
}

/// What is answered for a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// For each cell the probability that it is blocked, or on the path.
    pub probabilities: Vec<f32>,
    /// The path; none if there is no way. Where the network gives paths itself, cells in no order unless they are
    /// one.
    pub plan: Option<Vec<Cell>>,
    /// The cells more likely blocked than not, if the network gives maps.
    pub believed: Option<Vec<bool>>,
}

impl Trained {
    /// Takes up what was learned, for frames of the size that it was learned from.
    ///
    /// # Errors
    /// If the model is not one of such frames, or the rules are not those of a path.
    pub fn load(
        frames: &Frames,
        settings: &LearningSettings,
        model: &Model,
    ) -> Result<Trained, LearningError> {
        let mut mapper = mapper(frames, settings, 1)?;
        mapper.load(model.network.as_deref().unwrap_or_default())?;
        let plans = settings.supervision.plans();
        let planner = plans.then(|| planner(&model.rules, &frames.grid, settings.steps)).transpose()?;
        Ok(Trained { settings: *settings, mapper, planner, choices: Choices::of(model)? })
    }

    /// Answers all frames: the plans of the greatest expected worth, see [`plan_expected`].
    ///
    /// # Errors
    /// If pictures are of another size than those trained on, or `control` says to stop.
    pub fn answer(&self, frames: &Frames, control: &dyn Control) -> Result<Vec<Answered>, LearningError> {
        self.plans(Way::Expected, frames, &self.see(frames)?, control)
    }

    /// For each frame the probabilities of its cells: that they are blocked, or on the path.
    ///
    /// # Errors
    /// If pictures are of another size than those trained on.
    pub fn see(&self, frames: &Frames) -> Result<Vec<Vec<f32>>, LearningError> {
        let seen = Seen::new(frames, self.settings.supervision);
        let all: Vec<usize> = (0..frames.len()).collect();
        let found = seen.predict(&self.mapper, &all)?;
        Ok(found.rows().map(|row| shifted(row, self.choices.shift)).collect())
    }

    /// Answers all frames, given the probabilities of their cells.
    ///
    /// # Errors
    /// If frames are of another grid than those trained on, or `control` says to stop.
    pub fn plans(
        &self,
        way: Way,
        frames: &Frames,
        seen: &[Vec<f32>],
        control: &dyn Control,
    ) -> Result<Vec<Answered>, LearningError> {
        control.stage("planning", seen.len() as u64);
        let simulation = Simulation::new(self.choices.preferences.as_ref(), &self.settings);
        let answer = |(frame, probabilities): (usize, &Vec<f32>)| {
            if control.is_cancelled() {
                return Err(LearningError::Interrupted);
            }
            let (shown, name) = (&frames.demonstrations[frame], &frames.names[frame]);
            let plan = match (&self.planner, way) {
                (None, _) => Some(cells(frames.grid, probabilities, shown)),
                (Some(planner), Way::Weighted) => mine::plan(
                    planner,
                    shown,
                    probabilities,
                    self.choices.kappa,
                    self.choices.preferences.as_ref(),
                )?,
                (Some(planner), Way::Expected) => simulation.plan(planner, shown, name, probabilities)?,
            };
            let blocked = || probabilities.iter().map(|p| *p > 0.5).collect();
            let believed = self.planner.is_some().then(blocked);
            control.advance(1);
            Ok(Answered { probabilities: probabilities.clone(), plan, believed })
        };
        seen.par_iter().enumerate().map(answer).collect()
    }
}

/// The driver as he is simulated.
pub(super) struct Simulation<'a> {
    preferences: Option<&'a Preferences>,
    /// The same, where the map is known: a shortest path is taken whatever he prefers.
    driver: Option<Preferences>,
    seed: u64,
    caution: f64,
}

impl Simulation<'_> {
    pub fn new<'a>(preferences: Option<&'a Preferences>, settings: &LearningSettings) -> Simulation<'a> {
        let driver = preferences.map(|preferences| preferences.scaled(PreferenceSettings::default().scale));
        Simulation { preferences, driver, seed: settings.seed, caution: settings.caution }
    }

    /// The random numbers by which maps of the frame of this name are drawn.
    fn draws(&self, name: &str) -> ChaCha8Rng {
        stream(self.seed, &format!("maps of {name}"), 0)
    }

    /// The plan of the greatest expected worth for the frame of this name.
    pub fn plan(
        &self,
        planner: &CompiledPlanner,
        shown: &Demonstration,
        name: &str,
        probabilities: &[f32],
    ) -> Result<Option<Vec<Cell>>, PlanError> {
        let mut random = self.draws(name);
        let weighted = |kappa: &f64| mine::plan(planner, shown, probabilities, *kappa, self.preferences);
        let given = KAPPAS.iter().map(weighted).collect::<Result<Vec<_>, _>>()?;
        let given: Vec<Vec<Cell>> = given.into_iter().flatten().collect();
        let (ends, driver) = ((shown.start, shown.end), self.driver.as_ref());
        let found = plan_expected(planner, ends, probabilities, driver, self.caution, &given, &mut random)?;
        Ok(found.map(|(path, _)| path))
    }

    /// The logarithm of the probability that the path shown is the one taken.
    pub fn ln_probability(
        &self,
        planner: &CompiledPlanner,
        shown: &Demonstration,
        name: &str,
        probabilities: &[f32],
    ) -> Result<f64, PlanError> {
        let mut random = self.draws(name);
        ln_probability(planner, &shown.path, probabilities, self.driver.as_ref(), &mut random)
    }
}

/// Probabilities with something added to their logits.
pub(super) fn shifted(probabilities: &[f32], shift: f64) -> Vec<f32> {
    let odds = shift.exp();
    let of = |p: &f32| {
        let p = f64::from(*p);
        (odds * p / (1.0 - p + odds * p)) as f32
    };
    probabilities.iter().map(of).collect()
}

/// What a network answers that gives paths itself: for each frame the cells that are more likely on the path than not.
pub(super) fn as_given(frames: &Frames, seen: &[Vec<f32>]) -> Vec<Answered> {
    let answer = |(shown, probabilities): (&Demonstration, &Vec<f32>)| {
        let plan = Some(cells(frames.grid, probabilities, shown));
        Answered { probabilities: probabilities.clone(), plan, believed: None }
    };
    frames.demonstrations.iter().zip(seen).map(answer).collect()
}

/// The cells that are more likely on the path than not, in the order of a path if they are one: if the shortest way
/// through them needs them all.
fn cells(grid: Grid, probabilities: &[f32], shown: &Demonstration) -> Vec<Cell> {
    let off: Vec<bool> = probabilities.iter().map(|p| *p <= 0.5).collect();
    let chosen: Vec<Cell> = (0..grid.len()).filter(|&n| !off[n]).map(|n| grid.cell(n)).collect();
    let map = super::super::Map { grid, blocked: off };
    if shortest_length(&map, shown.start, shown.end) != Some(chosen.len()) {
        return chosen;
    }
    let path = super::super::shortest_path(&map, shown.start, shown.end, super::super::Steps::Equal);
    path.unwrap_or(chosen)
}

/// Judges answers.
pub(super) fn judged(frames: &Frames, answers: &[Answered]) -> Judgement {
    let planned: Vec<Planned> = (0..frames.len())
        .map(|frame| Planned {
            truth: &frames.maps[frame],
            shown: &frames.demonstrations[frame],
            plan: answers[frame].plan.as_deref(),
            believed: answers[frame].believed.as_deref(),
        })
        .collect();
    judge(&planned)
}
