//! `precept data driving`: scenes of roads, their maps and demonstrated paths.

mod draw;
mod generate;
pub mod sources;
mod verify;

use std::io::Write;

use clap::{Args, Subcommand};

use crate::Answer;

/// Make, check and draw scenes for driving, in KITTI's layout.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept data driving generate --count 2000 --out scenes
  precept data driving verify --from scenes
  precept data driving draw --from scenes --rows 1-8 --out sheet.png
  precept data driving verify --labels label_2.tar.xz --calibration calib.tar.xz

Pictures that are generated are synthetic: a renderer draws them.
Exit codes: 0 done and without fault, 1 files or boxes missing, 2 error.")]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
}

/// What to do.
#[derive(Subcommand)]
enum What {
    Generate(generate::Arguments),
    Verify(verify::Arguments),
    Draw(draw::Arguments),
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    match &arguments.what {
        What::Generate(arguments) => generate::run(arguments, out),
        What::Verify(arguments) => verify::run(arguments, out),
        What::Draw(arguments) => draw::run(arguments, out),
    }
}
