//! Settings of learning to drive, and what can go wrong.

use preceptron::TrainError;
use preceptron_base::{SettingsError, choices};
use preceptron_perceive::{Optimiser, PerceiveError, Photometric, Settings};
use serde::{Deserialize, Serialize};

use super::super::{PlanError, Steps};

choices! {
    /// What a network is told.
    pub enum Supervision: Paths {
        /// Demonstrated paths; a planner plans on the network's maps.
        Paths = "paths",
        /// The true maps; the planner is the same.
        Maps = "maps",
        /// Demonstrated paths; the network gives the cells of paths itself, and there is no planner.
        Direct = "direct",
        /// The same, and not told where in the picture cells are seen: the paper's ResNet.
        Resnet = "resnet",
    }
}

impl Supervision {
    /// All of them.
    pub const ALL: [Supervision; 4] =
        [Supervision::Paths, Supervision::Maps, Supervision::Direct, Supervision::Resnet];

    /// What it is called in tables.
    pub fn name(self) -> &'static str {
        match self {
            Supervision::Paths => "from paths alone",
            Supervision::Maps => "from true maps (SUP)",
            Supervision::Direct => "a network that gives paths, told where cells are seen",
            Supervision::Resnet => "a ResNet that gives paths",
        }
    }

    /// Whether there is a planner; where there is none, the network gives paths itself.
    pub fn plans(self) -> bool {
        matches!(self, Supervision::Paths | Supervision::Maps)
    }
}

/// Frames held out on which a rule that exists is found: with 120 of them, paths and obstacles that the network is
/// sure of had too few chances to meet on one set of scenes out of three.
const ENOUGH: usize = 240;

/// How to learn.
///
/// | field | default | range |
/// |---|---|---|
/// | `epochs` | 16 | 1 to 10^4 |
/// | `batch` | 32 | 1 to 10^4 |
/// | `learning_rate` | 0.003 | as for [`Settings`] |
/// | `prior` | 0.02 | 0 to 10 |
/// | `held_out` | 0.08 | above 0, below 0.9 |
/// | `caution` | 0.5 | 0 to 1 |
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LearningSettings {
    /// The master seed.
    pub seed: u64,
    /// What the network is told.
    pub supervision: Supervision,
    /// How often all frames are gone through.
    pub epochs: u32,
    /// Frames in a step.
    pub batch: usize,
    /// The learning rate at its highest.
    pub learning_rate: f64,
    /// What each expected obstacle costs, see [`super::super::WeakLoss`].
    pub prior: f64,
    /// The share of the frames to train on that is held out, by drives, to choose settings and to confirm rules on
    /// obstacles. Of few frames it is more, so that there are enough to confirm a rule on: 240, as long as
    /// these are no more than a fifth.
    pub held_out: f64,
    /// The share of its worth that a plan loses where it collides, see [`super::super::plan_expected`].
    pub caution: f64,
    /// How often the planner is asked for a frame in each epoch, at the most.
    pub rounds: usize,
    /// Whether paths as short as the one shown are evidence.
    pub use_ties: bool,
    /// What the steps of paths cost.
    pub steps: Steps,
    /// Threads of the network.
    pub threads: usize,
}

impl Default for LearningSettings {
    fn default() -> LearningSettings {
        LearningSettings {
            seed: 0,
            supervision: Supervision::Paths,
            epochs: 16,
            batch: 32,
            learning_rate: 3e-3,
            prior: 0.02,
            held_out: 0.08,
            caution: 0.5,
            rounds: 10,
            use_ties: true,
            steps: Steps::Metric,
            threads: 2,
        }
    }
}

impl LearningSettings {
    /// Whether every field is within its range.
    ///
    /// # Errors
    /// With the field that is not.
    pub fn check(&self) -> Result<(), SettingsError> {
        let wrong = |key, value: String, range| Err(SettingsError::range(key, value, range));
        match self {
            s if !(1..=10_000).contains(&s.epochs) => wrong("epochs", s.epochs.to_string(), "1 to 10000"),
            s if !(1..=10_000).contains(&s.batch) => wrong("batch", s.batch.to_string(), "1 to 10000"),
            s if !(0.0..=10.0).contains(&s.prior) => wrong("prior", s.prior.to_string(), "0 to 10"),
            s if !(s.held_out > 0.0 && s.held_out < 0.9) => {
                wrong("held_out", s.held_out.to_string(), "above 0 and below 0.9")
            }
            s if !(0.0..=1.0).contains(&s.caution) => wrong("caution", s.caution.to_string(), "0 to 1"),
            _ => Ok(()),
        }
    }

    /// How many frames of so many are wanted to be held out: the share, but enough to confirm rules on, as long as
    /// these are no more than a fifth.
    pub(super) fn wanted(&self, frames: usize) -> usize {
        ((self.held_out * frames as f64).ceil() as usize).max(ENOUGH.min(frames / 5))
    }

    /// How the network is trained in so many steps.
    pub(super) fn perception(&self, steps: u64) -> Settings {
        Settings {
            seed: self.seed,
            optimiser: Optimiser::AdamW,
            weight_decay: 0.01,
            learning_rate: self.learning_rate,
            steps: Some(steps.max(1)),
            warm_up: (steps / 20).min(100),
            // Never none: a network that is only loaded predicts by the averages in its file.
            averaging: (1.0 - 10.0 / steps.max(1) as f64).clamp(0.5, 0.995),
            ..Settings::default()
        }
    }

    /// How the light of training pictures is varied.
    pub(super) fn light(&self) -> Photometric {
        Photometric { brightness: 0.1, contrast: 0.2, noise: 0.02 }
    }
}

/// Why learning could not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LearningError {
    /// The network.
    #[error("{0}")]
    Perceive(#[from] PerceiveError),
    /// A setting out of its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The planner.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The rules that were learned are not enough to plan by.
    #[error("from {demonstrations} demonstrations: {problem}")]
    Rules {
        /// How many demonstrations there were.
        demonstrations: usize,
        /// What is wrong.
        problem: PlanError,
    },
    /// No drives can be held out.
    #[error("{frames} frames of {drives} drives: none can be held out to choose settings")]
    Drives {
        /// How many frames there are.
        frames: usize,
        /// How many drives they come from.
        drives: usize,
    },
    /// A saved state does not belong to these frames and settings.
    #[error("the saved state does not fit: {0}")]
    State(String),
    /// It was to stop.
    #[error("interrupted before all frames were answered")]
    Interrupted,
}

impl From<LearningError> for TrainError {
    fn from(error: LearningError) -> TrainError {
        match error {
            LearningError::Perceive(error) => TrainError::Perceive(error),
            LearningError::Settings(error) => TrainError::Settings(error),
            LearningError::State(what) => TrainError::State(what),
            other => TrainError::Task(Box::new(other)),
        }
    }
}
