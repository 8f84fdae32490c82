//! `precept train`: learns a task's rules and keeps the run.

mod driving;
mod nonogram;
mod sudoku;
mod xor;

use std::io::Write;

use clap::{Args, Subcommand};

use crate::Answer;

/// Train on a task, and keep what was learned as a run.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept train sudoku
  precept train driving
  precept train nonogram
  precept train xor --length 20
  precept train xor --length 100 --irrelevant 50% --out runs/half
  precept eval runs/half

Ctrl-C ends training; what was learned until then is shown and kept.
Exit codes: 0 rules found, 1 no rule found, 2 error.")]
pub struct Arguments {
    #[command(subcommand)]
    task: Task,
}

/// The tasks.
#[derive(Subcommand)]
enum Task {
    Driving(Box<driving::Arguments>),
    Nonogram(Box<nonogram::Arguments>),
    Sudoku(Box<sudoku::Arguments>),
    Xor(Box<xor::Arguments>),
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    match &arguments.task {
        Task::Driving(arguments) => driving::run(arguments, out),
        Task::Nonogram(arguments) => nonogram::run(arguments, out),
        Task::Sudoku(arguments) => sudoku::run(arguments, out),
        Task::Xor(arguments) => xor::run(arguments, out),
    }
}
