//! The whole: what a task is, how training goes on in steps that others can watch, and the directory that
//! it leaves behind.
//!
//! A [`Task`] has variables, training examples, and a way to score rules on examples held out. A
//! [`Learner`] makes one step; [`train()`] owns the loop, and tells every [`Observer`] of each step. A
//! [`Run`] is the directory where settings, measurements and rules are kept.
//!
//! ```
//! use preceptron::{StopReason, TableLearner, train};
//! use preceptron_base::Quiet;
//! use preceptron_learn::{Examples, Settings};
//! use preceptron_logic::{Variables, sentence};
//!
//! let variables = Variables::from_names(["a", "b", "odd"])?;
//! let rows: Vec<_> = (0..60).map(|n| [n % 2 == 1, n % 3 == 1, (n % 2 == 1) != (n % 3 == 1)]).collect();
//! let examples = Examples::from_full_rows(3, &rows);
//! let settings = Settings { counting: false, ..Settings::default() }.check()?;
//! let mut learner = TableLearner::new(&variables, &examples, settings);
//! let report = train("table", &mut learner, &mut [], &Quiet);
//! assert_eq!(report.stop, StopReason::Settled);
//! let rules = preceptron::Learner::rules(&learner);
//! assert_eq!(sentence(&variables, &rules.rules()[0].constraint), "an even number (0 or 2) of a, b, odd");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch_updates;
mod calibrate;
mod checkpoint;
pub mod grounding;
mod joint;
mod joint_error;
mod joint_rules;
mod joint_settings;
mod joint_state;
mod metrics;
mod observer;
mod reading;
mod run;
mod scenes;
mod schedule;
mod staged;
mod table_learner;
mod task;
mod tensorboard;
mod trainer;

pub use calibrate::{Calibration, calibrate};
pub use checkpoint::Checkpoint;
pub use joint::Joint;
pub use joint_error::JointError;
pub use joint_settings::{CheckedJoint, Course, JointSettings, RowBounds};
pub use metrics::Metrics;
pub use observer::{JsonLines, Observer, StepRecord};
pub use reading::{Views, look, read, read_in};
pub use run::{Measurement, Run, RunError};
pub use scenes::{SceneError, Scenes, Sight};
pub use schedule::{Probe, Schedule, TrainError, follow};
pub use staged::{Staged, StagedSettings};
pub use table_learner::TableLearner;
pub use task::{HeldOut, Task};
pub use tensorboard::TensorBoard;
pub use trainer::{Learner, Report, Step, StopReason, train};
