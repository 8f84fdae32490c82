//! `precept bench`: measurements on tasks whose truth is known, one file each.

mod boards;
mod cases;
mod driving;
mod meter;
mod nonogram;
mod reason;
mod rules;
mod sudoku;
mod theorems;
mod throughput;
mod xor;

use std::io::Write;

use clap::{Args, Subcommand};

use crate::Answer;

/// Measure the learner and the reasoner on tasks whose truth is known.
#[derive(Args)]
pub struct Arguments {
    #[command(subcommand)]
    bench: Bench,
}

/// What can be measured.
#[derive(Subcommand)]
enum Bench {
    Driving(Box<driving::Arguments>),
    Nonogram(nonogram::Arguments),
    Reason(reason::Arguments),
    Rules(rules::Arguments),
    Sudoku(sudoku::Arguments),
    Theorems(theorems::Arguments),
    Throughput(throughput::Arguments),
    Xor(xor::Arguments),
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    match &arguments.bench {
        Bench::Driving(arguments) => driving::run(arguments, out),
        Bench::Nonogram(arguments) => nonogram::run(arguments, out),
        Bench::Reason(arguments) => reason::run(arguments, out),
        Bench::Rules(arguments) => rules::run(arguments, out),
        Bench::Sudoku(arguments) => sudoku::run(arguments, out),
        Bench::Theorems(arguments) => theorems::run(arguments, out),
        Bench::Throughput(arguments) => throughput::run(arguments, out),
        Bench::Xor(arguments) => xor::run(arguments, out),
    }
}
