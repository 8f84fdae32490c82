//! What was learned, put to use: pictures to plans.

use precept_learn::stream;
use precept_logic::RuleSet;
use precept_perceive::Mapper;
use rayon::prelude::*;

use super::super::{
    Cell, CompiledPlanner, Demonstration, Frames, Grid, Judgement, KAPPAS, Planned, TieSettings, Ties, judge,
    plan_expected, shortest_length,
};
use super::planning::planner;
use super::seen::{Seen, mapper};
use super::{LearningError, LearningSettings, Supervision, mine};

/// A trained network with its planner.
pub struct Trained {
    /// How it was trained.
    pub settings: LearningSettings,
    /// The network.
    pub mapper: Mapper,
    /// The planner; none if the network gives paths itself.
    pub planner: Option<CompiledPlanner>,
    /// How many cells of detour a risk is worth.
    pub kappa: f64,
    /// Which of equally short paths.
    pub ties: Option<Ties>,
}

/// How a plan is made from probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The greatest worth on average over maps drawn from them: [`plan_expected`].
    Expected,
    /// The least length and risk, with the weight [`Trained::kappa`].
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
    /// Takes up a network that was saved, with the rules and preferences to plan by.
    ///
    /// # Errors
    /// If the file is not that of such a network, or the rules are not those of a path.
    pub fn load(
        frames: &Frames,
        settings: &LearningSettings,
        network: &[u8],
        rules: &RuleSet,
        kappa: f64,
        ties: Option<Ties>,
    ) -> Result<Trained, LearningError> {
        let mut mapper = mapper(frames, settings, 1)?;
        mapper.load(network)?;
        let planner = match settings.supervision {
            Supervision::Direct => None,
            _ => Some(planner(rules, &frames.grid, settings.steps)?),
        };
        Ok(Trained { settings: *settings, mapper, planner, kappa, ties })
    }

    /// Answers all frames: the plans of the greatest expected worth, see [`plan_expected`].
    ///
    /// # Errors
    /// If pictures are of another size than those trained on.
    pub fn answer(&self, frames: &Frames) -> Result<Vec<Answered>, LearningError> {
        self.answer_by(Way::Expected, frames)
    }

    /// Answers all frames.
    ///
    /// # Errors
    /// If pictures are of another size than those trained on.
    pub fn answer_by(&self, way: Way, frames: &Frames) -> Result<Vec<Answered>, LearningError> {
        let seen = Seen::new(frames, self.settings.supervision);
        let all: Vec<usize> = (0..frames.len()).collect();
        let found = seen.predict(&self.mapper, &all)?;
        let rows: Vec<&[f32]> = found.rows().collect();
        // A driver who knows the map takes a shortest path whatever he prefers.
        let driver = self.ties.as_ref().map(|ties| ties.scaled(TieSettings::default().scale));
        let answer = |(frame, probabilities): (usize, &&[f32])| {
            let shown = &frames.demonstrations[frame];
            let plan = match (&self.planner, way) {
                (None, _) => Some(cells(frames.grid, probabilities, shown)),
                (Some(planner), Way::Weighted) => {
                    mine::plan(planner, shown, probabilities, self.kappa, self.ties.as_ref())?
                }
                (Some(planner), Way::Expected) => {
                    let mut random =
                        stream(self.settings.seed, &format!("maps of {}", frames.names[frame]), 0);
                    let weighted =
                        |kappa: &f64| mine::plan(planner, shown, probabilities, *kappa, self.ties.as_ref());
                    let given = KAPPAS.iter().map(weighted).collect::<Result<Vec<_>, _>>()?;
                    let given: Vec<Vec<Cell>> = given.into_iter().flatten().collect();
                    let ends = (shown.start, shown.end);
                    let found =
                        plan_expected(planner, ends, probabilities, driver.as_ref(), &given, &mut random)?;
                    found.map(|(path, _)| path)
                }
            };
            let blocked = || probabilities.iter().map(|p| *p > 0.5).collect();
            let believed = self.planner.is_some().then(blocked);
            Ok(Answered { probabilities: probabilities.to_vec(), plan, believed })
        };
        rows.par_iter().enumerate().map(answer).collect()
    }
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
