//! `precept data`: boards, scenes and pictures to train and test on.

mod draw;
pub mod driving;
mod generate;
mod list;
mod range;
mod verify;

use std::io::Write;

use clap::{Args, Subcommand};

use crate::Answer;

/// List, generate, check and draw data for visual Sudoku; the same for driving.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept data list
  precept data generate --count 10000 --out boards.csv.gz
  precept data verify boards.csv.gz
  precept data draw boards.csv.gz --rows 1-12 --out sheet.png
  precept train sudoku --boards boards.csv.gz
  precept data driving generate --count 2000 --out scenes

Exit codes: 0 done and without fault, 1 boards at fault or fewer than asked for, 2 error.")]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

/// What to do.
#[derive(Subcommand)]
enum What {
    List(list::Arguments),
    Generate(generate::Arguments),
    Verify(verify::Arguments),
    Draw(draw::Arguments),
    Driving(Box<driving::Arguments>),
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    match &arguments.what {
        What::List(arguments) => list::run(arguments, out),
        What::Generate(arguments) => generate::run(arguments, out),
        What::Verify(arguments) => verify::run(arguments, out),
        What::Draw(arguments) => draw::run(arguments, out),
        What::Driving(arguments) => driving::run(arguments, out),
    }
}
