//! What can be done with Sudoku beside training: boards to make, check and draw, and benchmarks.

mod boards;
mod draw;
mod generate;
mod list;
mod rule_cases;
mod rules;
mod theorems;
mod throughput;
mod verify;

pub use draw::{DrawBoards, DrawSettings};
pub use generate::{GenerateBoards, GenerateSettings, Preset};
pub use list::{ListData, ListSettings};
pub use rules::{RuleLearning, RuleLearningSettings};
pub use theorems::{Theorems, TheoremsSettings};
pub use throughput::{Throughput, ThroughputSettings};
pub use verify::{VerifyBoards, VerifySettings};

use preceptron::AnyAction;

/// All of them, in the order of a help text.
pub static ACTIONS: &[&dyn AnyAction] =
    &[&ListData, &GenerateBoards, &VerifyBoards, &DrawBoards, &RuleLearning, &Theorems, &Throughput];
