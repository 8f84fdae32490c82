//! The commands, one file each.

mod bench;
mod certify;
mod completions;
pub mod data;
mod eval;
mod export;
mod learn;
mod man;
mod report;
mod rules;
mod solve;
mod train;

use std::io::Write;

use clap::Subcommand;

use crate::Answer;

/// The commands of `precept`.
#[derive(Subcommand)]
pub enum Command {
    Learn(Box<learn::Arguments>),
    Rules(rules::Arguments),
    Export(export::Arguments),
    Solve(Box<solve::Arguments>),
    Certify(certify::Arguments),
    Train(train::Arguments),
    Eval(eval::Arguments),
    Report(report::Arguments),
    Data(data::Arguments),
    Bench(bench::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

impl Command {
    /// Runs the command; results go to `out`.
    pub fn run(self, out: &mut dyn Write) -> anyhow::Result<Answer> {
        match self {
            Command::Learn(arguments) => learn::run(&arguments, out),
            Command::Rules(arguments) => rules::run(&arguments, out),
            Command::Export(arguments) => export::run(&arguments, out),
            Command::Solve(arguments) => solve::run(&arguments, out),
            Command::Certify(arguments) => certify::run(&arguments, out),
            Command::Train(arguments) => train::run(&arguments, out),
            Command::Eval(arguments) => eval::run(&arguments, out),
            Command::Report(arguments) => report::run(&arguments, out),
            Command::Data(arguments) => data::run(&arguments, out),
            Command::Bench(arguments) => bench::run(&arguments, out),
            Command::Completions(arguments) => completions::run(&arguments, out),
            Command::Man(arguments) => man::run(&arguments, out),
        }
    }
}
