//! Results in words and as JSON.

mod answer;
mod assignment;
mod conflict_part;
pub mod json;
mod verdict;

pub use answer::Question;
pub use assignment::{print_true, true_names};
pub use conflict_part::{piece_drawing, piece_json, piece_line, repair_line};
pub use preceptron::words::{constraint_line, count, list_families, list_rules, percentage};
pub use verdict::{next_steps, no_rules, verdict};
