//! Results in words and as JSON.

mod answer;
mod assignment;
mod axis;
mod conflict_part;
pub mod json;

pub use answer::Question;
pub use assignment::{print_true, true_names};
pub use axis::draw_new_axes;
pub use conflict_part::{piece_drawing, piece_json, piece_line, repair_line};
pub use preceptron::words::{
    constraint_line, count, list_families, list_rules, next_steps, no_rules, percentage, verdict,
};
