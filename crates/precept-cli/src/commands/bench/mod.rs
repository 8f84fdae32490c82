//! `precept bench`: tables of figures, a file for each.

mod xor;

use std::io::Write;

use clap::{Args, Subcommand};

use crate::Answer;

/// Measure how well and how fast rules are learned.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    bench: Bench,
}

/// What can be measured.
#[derive(Subcommand)]
enum Bench {
    Xor(xor::Arguments),
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    match &arguments.bench {
        Bench::Xor(arguments) => xor::run(arguments, out),
    }
}
