//! The program `precept`: learns rules from tables and tasks, shows them, exports them, and solves by them.
//!
//! Exit codes: 0 for yes (rules found, sets equal, solved), 1 for no, 2 for any error. Results go to standard
//! output; progress, notes about an interruption and errors go to standard error.

mod commands;
mod evidence;
mod fitted;
mod flags;
mod help;
mod interrupt;
mod numbers;
mod output;
mod plan;
mod plan_shown;
mod plan_wishes;
mod present;
mod progress;
mod proofs;
mod queries;
mod settings_arguments;
mod sheet_arguments;
mod source;
mod table_arguments;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use preceptron::words::visible;

/// What a command answers: rules or none, equal or different, solved or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum YesNo {
    Yes,
    No,
}

/// Learns rules from tables of examples and from tasks, shows them, solves by them, and exports them.
#[derive(Parser)]
#[command(
    name = "precept",
    version,
    after_help = "\
Examples:
  precept learn shifts.csv --out rules.json     learn the rules that hold in a table
  precept rules rules.json                      show them
  precept export rules.json --format opb        hand them to a solver
  precept check rules.json plan.xlsx            what in a plan breaks them, and what mends it
  precept solve rules.json --evidence seen.csv  the likeliest assignment that obeys them
  precept train sudoku                          train on a task, and keep the run

Exit codes: 0 yes (rules found, sets equal, solved), 1 no, 2 error."
)]
struct Arguments {}

fn main() -> ExitCode {
    let words = commands::with_task_of_file(help::understood(std::env::args_os().collect()));
    let task = commands::task_meant(&words);
    let matches = match program(task).try_get_matches_from(&words) {
        Ok(matches) => matches,
        Err(error) => {
            if let Some(line) = flags::misplaced(&error, &words, task) {
                let _ = writeln!(std::io::stderr(), "precept: {line}");
                return ExitCode::from(2);
            }
            error.exit();
        }
    };
    // Line by line, so that what was printed is seen although the program is stopped.
    let mut out = std::io::stdout().lock();
    let result = commands::run(&matches, &mut out).and_then(|answer| {
        out.flush()?;
        Ok(answer)
    });
    match result {
        Ok(YesNo::Yes) => ExitCode::SUCCESS,
        Ok(YesNo::No) => ExitCode::from(1),
        // Whoever read the output has seen enough: nothing is wrong.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // What is buffered may be half an answer; it comes before the error or not at all.
            let _ = out.flush();
            let _ = writeln!(std::io::stderr(), "precept: {}", visible(&one_line(&error)));
            ExitCode::from(2)
        }
    }
}

/// The whole program, with the flags of a run's task where one is named.
fn program(task: Option<&dyn preceptron::AnyTask>) -> clap::Command {
    let program = Arguments::command().subcommand_required(true).arg_required_else_help(true);
    help::with_help(commands::program(program, task)).term_width(help::WIDTH)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe)
    })
}

/// The error with its causes, each said once.
fn one_line(error: &anyhow::Error) -> String {
    let mut line = error.to_string();
    for cause in error.chain().skip(1).map(|cause| cause.to_string()) {
        if !line.contains(&cause) {
            line = format!("{line}: {cause}");
        }
    }
    line
}
