//! The paper's tables and figures, measured: its own method, its ablations and its rivals on the same data.
//!
//! A [`Unit`] is one measured thing: an experiment, a method, a seed. It is trained by [`preceptron::train()`] within
//! a budget of processor time ([`Watched`]), judged on examples that were not trained on, and kept in a file ([`Kept`]).
//! Tables and figures ([`shown::Shown`]) are made of what is kept, beside the paper's own numbers
//! ([`paper_numbers`]). [`Paper`] is the command `precept bench paper`.
//!
//! ```
//! use preceptron_paper::{PaperSettings, Part, Scale, units};
//!
//! let settings = PaperSettings { only: vec![Part::Nonogram], ..PaperSettings::default() };
//! let names: Vec<String> = units(&settings, &Scale::of(&settings)).iter().map(|u| u.to_string()).collect();
//! assert_eq!(names[..2], ["nonogram-1000/ours/0", "nonogram-1000/l1r32h4/0"]);
//! ```

mod action;
mod answers;
mod driving;
mod kept;
mod nonogram;
pub mod paper_numbers;
mod plan;
mod relay;
mod results;
mod rival_training;
mod scale;
mod settings;
pub mod shown;
mod sudoku;
mod unit;
mod watched;
mod work;
mod xor;

use preceptron::AnyAction;

pub use action::Paper;
pub use kept::Kept;
pub use plan::units;
pub use results::{Outcome, Results, Spread};
pub use scale::Scale;
pub use settings::{CpuTime, PaperSettings, Part};
pub use unit::{Boards, Course, Experiment, Figures, Measured, Method, Point, Scenery, Status, Unit};
pub use watched::{Look, Seen, Watched};
pub use work::Bench;

/// The benchmarks of this crate.
pub static BENCHES: &[&dyn AnyAction] = &[&Paper];
