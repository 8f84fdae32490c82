//! The commands, one file each.

mod actions;
mod adapt;
mod certify;
mod check;
mod completions;
mod eval;
mod export;
mod learn;
mod learn_numbers;
mod learn_parts;
mod man;
mod report;
mod rules;
pub mod solve;
mod solve_table;
mod train;
mod verify;

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

use clap::{ArgMatches, Command, FromArgMatches, Subcommand};
use preceptron::AnyTask;
use preceptron::words::Visible;

use crate::YesNo;
pub use solve_table::PlanArguments;

/// The commands of `precept` that are the same for all tasks.
#[derive(Subcommand)]
pub enum Fixed {
    Learn(Box<learn::Arguments>),
    Rules(rules::Arguments),
    Export(export::Arguments),
    Solve(Box<solve::Arguments>),
    Check(check::Arguments),
    Certify(certify::Arguments),
    Verify(verify::Arguments),
    Eval(eval::Arguments),
    Adapt(adapt::Arguments),
    Report(report::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// The whole program, with the flags of a run's task where one is named.
pub fn program(program: Command, task: Option<&dyn AnyTask>) -> Command {
    let program = Fixed::augment_subcommands(program)
        .mut_subcommand("learn", crate::settings_arguments::with_defaults)
        .mut_subcommand("adapt", adapt::with_settings)
        .subcommand(train::command())
        .subcommand(actions::data_command())
        .subcommand(actions::bench_command());
    task.map_or(program.clone(), |task| crate::flags::with_task(program, task))
}

/// Which task is meant by what was typed: that of `train TASK`, or that of a run.
pub fn task_meant(words: &[OsString]) -> Option<&'static dyn AnyTask> {
    match words.get(1).and_then(|word| word.to_str()) {
        Some("train") => words.iter().skip(2).find_map(|word| preceptron_tasks::task(word.to_str()?)),
        _ => crate::flags::task_of(words),
    }
}

/// What was typed, with the name of the task before a file or folder that stands in its place: `train TABLE`.
pub fn with_task_of_file(mut words: Vec<OsString>) -> Vec<OsString> {
    let is_file = |word: &OsString| {
        let is_task = word.to_str().is_some_and(|name| preceptron_tasks::task(name).is_some());
        let is_like_file = word.to_string_lossy().contains(['.', '/', '\\']);
        !is_task && !word.to_string_lossy().starts_with('-') && (is_like_file || Path::new(word).exists())
    };
    let is_train = words.get(1).is_some_and(|word| word == "train");
    if is_train && words.get(2).is_some_and(is_file) {
        words.insert(2, preceptron_tasks::OF_FILES.name().into());
    }
    words
}

/// Runs the command; results go to `out`. What people read has no character in it that steers a terminal;
/// what is exported is left as it is.
pub fn run(matches: &ArgMatches, raw: &mut dyn Write) -> anyhow::Result<YesNo> {
    let out: &mut dyn Write = &mut Visible::new(&mut *raw);
    match matches.subcommand() {
        Some(("train", matches)) => return train::run(matches, out),
        Some(("data", matches)) => return actions::data(matches, out),
        Some(("bench", matches)) => return actions::bench(matches, out),
        _ => (),
    }
    let own = matches.subcommand().map(|(_, matches)| matches).unwrap_or(matches);
    match Fixed::from_arg_matches(matches)? {
        Fixed::Learn(arguments) => learn::run(&arguments, out),
        Fixed::Rules(arguments) => rules::run(&arguments, own, out),
        Fixed::Export(arguments) => export::run(&arguments, own, raw),
        Fixed::Solve(arguments) => solve::run(&arguments, own, out),
        Fixed::Check(arguments) => check::run(&arguments, own, out),
        Fixed::Certify(arguments) => certify::run(&arguments, own, out),
        Fixed::Verify(arguments) => verify::run(&arguments, own, out),
        Fixed::Eval(arguments) => eval::run(&arguments, own, out),
        Fixed::Adapt(arguments) => adapt::run(&arguments, own, out),
        Fixed::Report(arguments) => report::run(&arguments, out),
        Fixed::Completions(arguments) => completions::run(&arguments, raw),
        Fixed::Man(arguments) => man::run(&arguments, raw),
    }
}
