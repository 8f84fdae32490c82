//! The whole: what a task is, how training goes on in steps that others can watch, and the directory that
//! it leaves behind.
//!
//! A [`Schedule`] makes steps that can be saved and gone on from; [`train()`] owns the loop, tells every
//! [`Observer`] of each step, and ends in a [`Model`]. A [`Run`] is the directory where settings,
//! measurements and the model are kept. A [`Task`] brings all of it together under a name.
//!
//! ```
//! use preceptron::{Schedule, StopReason, TableLearner, Training, train};
//! use preceptron_learn::{Examples, Settings};
//! use preceptron_logic::{Variables, sentence};
//!
//! let variables = Variables::from_names(["a", "b", "odd"])?;
//! let rows: Vec<_> = (0..60).map(|n| [n % 2 == 1, n % 3 == 1, (n % 2 == 1) != (n % 3 == 1)]).collect();
//! let examples = Examples::from_full_rows(3, &rows);
//! let settings = Settings { counting: false, ..Settings::default() }.check()?;
//! let mut learner = TableLearner::new(&variables, &examples, settings);
//! let trained = train(&mut learner, Training::default())?;
//! assert_eq!(trained.report.stop, StopReason::Steps);
//! let rules = trained.model.expect("training was not stopped").rules;
//! assert_eq!(sentence(&variables, &rules.rules()[0].constraint), "an even number (0 or 2) of a, b, odd");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod adapt;
mod batch_updates;
mod calibrate;
mod checkpoint;
pub mod grounding;
mod joint;
mod joint_apprentice;
mod joint_core;
mod joint_error;
mod joint_generations;
mod joint_phases;
mod joint_rules;
mod joint_settings;
mod joint_state;
pub mod latent;
mod metrics;
mod model;
mod observer;
pub mod page;
mod reading;
mod rule_learner;
mod run;
mod scenes;
mod schedule;
mod staged;
mod task;
mod tensorboard;
#[cfg(test)]
mod toy;
mod train;
pub mod words;

pub use adapt::{AdaptSettings, Adapting};
pub use calibrate::{Calibration, calibrate};
pub use checkpoint::Checkpoint;
pub use joint::Joint;
pub use joint_core::{JointCore, Targets as JointTargets};
pub use joint_error::JointError;
pub use joint_settings::{BoundsBy, CheckedJoint, Course, JointCourse, JointSettings, Linearised};
pub use metrics::Metrics;
pub use model::Model;
pub use observer::{JsonLines, Observer, StepRecord};
pub use reading::{Views, look, read, read_in, read_while};
pub use rule_learner::{RuleLearner, TableLearner};
pub use run::{Measurement, PROGRAM, Reserved, Run, RunError};
pub use scenes::{SceneError, Scenes, Sight};
pub use schedule::{Probe, Schedule, State, TrainError};
pub use staged::{Staged, StagedSettings};
pub use task::{
    Action, AnyAction, AnyTask, Asking, Case, Context, Group, Shown, Task, TaskError, TaskResult,
    TrainRequest, Verb, check_new, check_new_png, write_new,
};
pub use tensorboard::TensorBoard;
pub use train::{Keep, Report, StopReason, Trained, Training, train};
