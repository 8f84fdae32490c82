//! `precept report`: writes the page about a run anew, or a page that compares several.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use clap::Args;
use preceptron::Run;

use crate::YesNo;
use crate::output::{Destination, failed};
use crate::progress::Progress;
use crate::source::task_of_run;

/// Where a comparison goes.
const COMPARISON: &str = "compare.html";

/// Write the page about a run, report.html, anew; or a page that compares several runs of one task.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept report runs/sudoku-0                    runs/sudoku-0/report.html: examples are answered and scored again
  precept report runs/sudoku-0 runs/sudoku-1      compare.html: the figures that the runs have kept, side by side

A page is one file that needs no network: figures, curves, rules, and examples with their drawings.")]
pub struct Arguments {
    /// The directory of a run, or those of several to compare.
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Where to write the comparison of several runs [default: compare.html].
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite the comparison.
    #[arg(long)]
    force: bool,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<YesNo> {
    let Arguments { runs, out: file, force } = arguments;
    let runs = runs.iter().map(|path| Run::open(path)).collect::<Result<Vec<_>, _>>()?;
    let written = match &runs[..] {
        [run] => {
            let name = run.path().join("report.html");
            ensure!(
                file.is_none() && !force,
                "--out and --force are for a comparison of several runs; the page about one is {}",
                name.display()
            );
            about(run)?;
            name
        }
        runs => compare(runs, file.as_deref().unwrap_or(Path::new(COMPARISON)), *force)?,
    };
    writeln!(out, "Written to {}.", written.display())?;
    Ok(YesNo::Yes)
}

/// The page about one run.
fn about(run: &Run) -> anyhow::Result<()> {
    let progress = Progress::new(crate::interrupt::flag()?);
    let written = task_of_run(run)?.report(run, &progress);
    progress.finish();
    written.map_err(failed)
}

/// The page that compares runs.
fn compare(runs: &[Run], file: &Path, force: bool) -> anyhow::Result<PathBuf> {
    let [first, others @ ..] = runs else { bail!("no run is named") };
    if let Some(other) = others.iter().find(|other| other.task() != first.task()) {
        bail!(
            "{} is a run of {}, {} of {}; only runs of one task can be compared",
            first.path().display(),
            first.task(),
            other.path().display(),
            other.task()
        );
    }
    let destination = Destination::check(file, force)?;
    let html = task_of_run(first)?.compare(runs).map_err(failed)?;
    destination.write(html.as_bytes())?;
    Ok(file.to_owned())
}
