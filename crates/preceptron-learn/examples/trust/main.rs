//! How far the learner's statements can be trusted, measured on generated tables.
//!
//! ```sh
//! cargo run --release -p preceptron-learn --example trust -- alarms --tables 250
//! cargo run --release -p preceptron-learn --example trust -- verdicts --tables 100
//! cargo run --release -p preceptron-learn --example trust -- noise --tables 5
//! ```
//! - `alarms`: tables without rules, of four kinds; how many of them make the learner report one.
//! - `verdicts`: random rule sets of 6 to 13 variables, 30 to 3,000 rows; rules that do not hold, "enough" said of
//!   rules that are not all, and questions that are true violations.
//! - `noise`: rosters, boards and feature models with wrong entries; rules found, others, suspected cells.
//!
//! `--set tune` draws from other generators than `--set report` (the default), so that settings can be chosen on the
//! one and reported on the other. `--first N` begins at another table, `--show` prints what went wrong.

mod alarms;
mod erring_tables;
mod free_tables;
mod noise;
mod ruled_tables;
mod verdicts;

/// Which generators.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Set {
    /// Those on which settings are chosen.
    Tune,
    /// Those whose figures are reported.
    Report,
}

/// What was asked for.
pub struct Asked {
    /// Which generators.
    pub set: Set,
    /// The number of the first table.
    pub first: u64,
    /// How many tables of each kind.
    pub tables: u64,
    /// Whether to print what went wrong.
    pub show: bool,
    /// Only the kind that begins so.
    pub only: String,
}

fn main() -> Result<(), String> {
    let mut asked = Asked { set: Set::Report, first: 0, tables: 20, show: false, only: String::new() };
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().unwrap_or_default();
    while let Some(flag) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{flag} needs a value"));
        let number = |text: String| text.parse::<u64>().map_err(|_| format!("{flag} {text}: not a number"));
        match flag.as_str() {
            "--set" => {
                asked.set = match value()?.as_str() {
                    "tune" => Set::Tune,
                    "report" => Set::Report,
                    other => return Err(format!("--set {other}: tune or report")),
                }
            }
            "--tables" => asked.tables = number(value()?)?,
            "--first" => asked.first = number(value()?)?,
            "--only" => asked.only = value()?,
            "--show" => asked.show = true,
            _ => return Err(format!("{flag}: not known")),
        }
    }
    match what.as_str() {
        "alarms" => alarms::measure(&asked),
        "verdicts" => verdicts::measure(&asked),
        "noise" => noise::measure(&asked),
        _ => return Err("alarms, verdicts or noise?".to_owned()),
    }
    Ok(())
}
