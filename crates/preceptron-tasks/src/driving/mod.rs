//! Driving: from a picture of a scene, a start and an end, plan a path around obstacles that nobody labels.
//!
//! The ground ahead is a [`Grid`] of cells; a [`Map`] says which are blocked. A [`Demonstration`] is a path
//! that somebody drove: it is all that training is told. [`learn_rules`] finds the rules that such paths obey,
//! relative to a cell; a [`Planner`] plans by them on any grid, and [`judge`] says how well.
//!
//! [`Frames`] are pictures with maps and paths, read from KITTI's layout or drawn by a [`Renderer`]. What a
//! path says of the map is a loss for a [`preceptron_perceive::Mapper`]: [`WeakLoss`], with [`Clauses`] that a
//! planner finds where it goes another way.

mod calibration;
mod clauses;
mod demonstrate;
mod drafts;
mod drill;
mod drives;
mod error;
mod figures;
mod frames;
mod ground;
mod json_frame;
mod label;
mod layout;
mod learning;
mod metrics;
mod obstacles;
mod patches;
mod plan;
mod plan_compiled;
mod plan_expected;
mod plan_generic;
mod plan_risk;
mod plan_trivial;
mod render;
mod rgb;
mod rules;
mod rules_words;
mod sample;
mod sheet;
mod split;
mod store;
mod ties;
#[cfg(test)]
mod trials;
mod weak;
#[cfg(test)]
mod weak_toy;
mod write;

pub use calibration::Calibration;
pub use clauses::{Clauses, Preferred};
pub use demonstrate::{Steps, count_shortest, demonstrate, shortest_path, ways};
pub use drafts::Drafts;
pub use drill::Drill;
pub use drives::{Drives, read_drives, read_list};
pub use error::DrivingError;
pub use figures::Figures;
pub use frames::{FrameSettings, Frames};
pub use ground::{Cell, Demonstration, Grid, Map};
pub use json_frame::{JsonFrame, JsonObject};
pub use label::Label;
pub use layout::{Layout, Scene, Sources};
pub use learning::{
    Answered, Choices, Findings, LearningError, LearningSettings, PathLearner, Row, Supervision, Table,
    Trained, Way, table,
};
pub use metrics::{Judgement, Planned, judge};
pub use obstacles::{Counted, covered, obstacle_map};
pub use patches::{Kind, Lesson, Patches, patch_variables};
pub use plan::{LENGTH, Plan, PlanError, Planner, Request, shown_shortest};
pub use plan_compiled::CompiledPlanner;
pub use plan_expected::{DRAWS, ln_probability, plan_expected};
pub use plan_generic::GenericPlanner;
pub use plan_risk::{KAPPAS, choose_kappa, risk};
pub use plan_trivial::{prior, random_cheapest, random_shortest, shortest_length};
pub use render::Renderer;
pub use rgb::Rgb;
pub use rules::{LearnedRules, RuleSettings, degree_rules, learn_rules, on_grid};
pub use rules_words::{objective_in_words, rule_in_words, rule_set_in_words, rules_in_words};
pub use sample::{DRIVE, Density, sample_scene};
pub use split::split_by_drive;
pub use store::Store;
pub use ties::{TieSettings, Ties};
pub use weak::{WeakLoss, map_loss, path_loss};
pub use write::{PathLine, read_drive_table, read_paths, write_synthetic};
