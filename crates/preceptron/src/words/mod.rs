//! Results in words: lists of rules, tables, counts.

mod listing;
mod sum_line;
mod table;
mod verdict;
mod visible;

pub use listing::{constraint_line, list_families, list_rules};
pub use sum_line::sum_line;
pub use table::print_table;
pub use verdict::{next_steps, no_rules, quoted, verdict};
pub use visible::{Visible, visible};

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

/// What is written, as text.
///
/// # Errors
/// As `write` does; a text itself takes whatever is written.
pub fn text<E>(write: impl FnOnce(&mut dyn std::io::Write) -> Result<(), E>) -> Result<String, E> {
    let mut bytes = Vec::new();
    write(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
