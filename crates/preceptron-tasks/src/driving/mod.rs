//! Driving: from a picture of a scene, a start and an end, plan a path around obstacles that nobody labels.
//!
//! The ground ahead is a [`Grid`] of cells; a [`Map`] says which are blocked. A [`Demonstration`] is a path
//! that somebody drove: it is all that training is told. [`learn_rules`] finds the rules that such paths obey,
//! relative to a cell; a [`Planner`] plans by them on any grid, and [`judge`] says how well.
//!
//! [`Frames`] are pictures with maps and paths, read from KITTI's layout or drawn by a [`Renderer`]. What a
//! path says of the map is a loss for a [`preceptron_perceive::Mapper`]: [`WeakLoss`], with [`Clauses`] that a
//! planner finds where it goes another way. [`PathLearner`] learns from both, and [`Driving`] is the task.

mod actions;
mod bench;
mod calibration;
mod cell_values;
mod clauses;
mod demonstrate;
mod drives;
mod error;
mod evaluation;
mod figures;
mod frame_index;
mod frames;
mod ground;
mod input;
mod json_frame;
mod label;
mod layout;
mod learning;
mod metrics;
mod obstacles;
mod page_sections;
mod patches;
mod plan;
mod plan_compiled;
mod plan_expected;
mod plan_generic;
mod plan_risk;
mod plan_trivial;
mod planner_workload;
mod preferences;
mod render;
mod rules;
mod rules_words;
mod run_settings;
mod sample;
mod sheet;
mod show;
mod sources;
mod split;
mod store;
mod task;
#[cfg(test)]
mod task_tests;
#[cfg(test)]
mod test_maps;
mod weak_supervision_loss;
#[cfg(test)]
mod weak_supervision_toy;
mod write;

pub use crate::rgb::Rgb;
pub use actions::{Draw, DrawSettings, Generate, GenerateSettings, Verify, VerifySettings};
pub use bench::{PublishedTable, PublishedTableSettings};
pub use calibration::CameraCalibration;
pub use cell_values::Cells;
pub use clauses::{Clauses, Preferred};
pub use demonstrate::{Steps, count_shortest, demonstrate, shortest_path, ways};
pub use drives::{Drives, read_drives, read_list};
pub use error::DrivingError;
pub use evaluation::DrivingEvaluation;
pub use figures::Figures;
pub use frame_index::FrameIndex;
pub use frames::{FrameSettings, Frames};
pub use ground::{Cell, Demonstration, Grid, Map};
pub use input::{DrivingDomain, DrivingInput};
pub use json_frame::{JsonFrame, JsonObject};
pub use label::Label;
pub use layout::{Layout, Scene, Sources};
pub use learning::{
    Answered, Choices, Findings, LearningError, LearningSettings, PathLearner, Row, Supervision, Table,
    Trained, Way, table, table_of_paths, with_obstacles,
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
pub use planner_workload::PlannerWorkload;
pub use preferences::{PreferenceSettings, Preferences};
pub use render::Renderer;
pub use rules::{LearnedRules, RuleSettings, degree_rules, learn_rules, on_grid};
pub use rules_words::{
    objective_in_words, rule_in_words, rule_set_in_words, rules_in_words, rules_with_facts,
};
pub use run_settings::{DrivingData, DrivingSettings, Split};
pub use sample::{DRIVE, Density, sample_scene};
pub use sources::{FrameSources, MapSettings, grid_of};
pub use split::split_by_drive;
pub use store::Store;
pub use task::Driving;
pub use weak_supervision_loss::{WeakLoss, map_loss, path_loss};
pub use write::{PathLine, read_drive_table, read_paths, write_synthetic};
