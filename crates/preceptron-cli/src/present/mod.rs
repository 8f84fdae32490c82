//! Results in words and as JSON.

mod answer;
mod assignment;
pub mod board;
pub mod driving;
pub mod json;
mod listing;
pub mod nonogram;
mod piece;
pub mod sudoku;
mod sum_line;
mod table;
mod verdict;
pub mod xor;

pub use answer::Question;
pub use assignment::{print_true, true_names};
pub use listing::{constraint_line, list_families, list_rules};
pub use piece::{piece_drawing, piece_json, piece_line, repair_line};
pub use sum_line::sum_line;
pub use table::print_table;
pub use verdict::{next_steps, no_rules, quoted, verdict};

/// A count with its noun.
pub fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

/// A share as a percentage that is 100% only where it is all.
pub fn percentage(share: f64) -> String {
    match share {
        1.0 => "100%".to_owned(),
        _ => format!("{:.1}%", (share * 1000.0).floor() / 10.0),
    }
}
