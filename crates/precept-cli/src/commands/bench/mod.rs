//! `precept bench`: measurements on tasks whose truth is known, one file each.

mod boards;
mod cases;
mod meter;
mod rules;
mod theorems;

use std::io::Write;

use clap::{Args, Subcommand};

use crate::Answer;

/// Measure the learner on tasks whose truth is known.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    Rules(rules::Arguments),
    Theorems(theorems::Arguments),
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    match &arguments.task {
        Task::Rules(arguments) => rules::run(arguments, out),
        Task::Theorems(arguments) => theorems::run(arguments, out),
    }
}
