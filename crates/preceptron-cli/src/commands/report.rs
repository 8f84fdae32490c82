//! `precept report`: writes the page about a run anew.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use preceptron::Run;

use crate::YesNo;
use crate::output::failed;
use crate::progress::Progress;
use crate::source::task_of_run;

/// Write the page about a run, report.html, anew: its examples are answered and scored again.
#[derive(Args)]
#[command(after_help = "\
The page is one file that needs no network: figures, curves, rules, and examples with their drawings.")]
pub struct Arguments {
    /// The directory of a run.
    run: PathBuf,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let run = Run::open(&arguments.run)?;
    let progress = Progress::new(crate::interrupt::flag()?);
    let written = task_of_run(&run)?.report(&run, &progress);
    progress.finish();
    written.map_err(failed)?;
    writeln!(out, "Written to {}.", run.path().join("report.html").display())?;
    Ok(YesNo::Yes)
}
