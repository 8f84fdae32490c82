//! Runs of visual Sudoku: what they are made with, and how they are made.

mod data;
mod session;
mod settings;
mod transformer;

pub use data::{Data, read};
pub use session::{Outcome, VIEWS, load, train};
pub use settings::{NetworkName, RuleSearch, RunSettings, perception};
pub use transformer::{DeviceName, Transformer};
