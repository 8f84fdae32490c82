//! `precept report`: writes the page about a run anew.

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use preceptron::Run;
use preceptron_tasks::sudoku::Judge;
use serde_json::Value;

use crate::Answer;
use crate::present::sudoku::DECODINGS;
use crate::progress::Progress;
use crate::report::{self, Input};
use crate::sudoku_run::{self, Data, RunSettings};

/// Write the page about a run of visual Sudoku or of driving, report.html, anew: its boards are read and solved again,
/// its scenes seen and planned on.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept report runs/sudoku-0

The page is one file that needs no network: figures, curves, rules, boards or scenes with their
pictures.")]
pub struct Arguments {
    /// The directory of a run.
    run: PathBuf,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let run = Run::open(&arguments.run)?;
    match run.task() {
        "sudoku" => sudoku(&run)?,
        other => bail!(
            "{}: is a run of {other}; there are pages about runs of sudoku and driving",
            arguments.run.display()
        ),
    }
    writeln!(out, "Written to {}.", run.path().join("report.html").display())?;
    Ok(Answer::Yes)
}

/// A run of visual Sudoku: its boards are read and solved again.
fn sudoku(run: &Run) -> anyhow::Result<()> {
    let settings: RunSettings = run.settings()?;
    let (rules, classifier, _) = sudoku_run::load(&settings, run)?;
    let (puzzles, scenes) = Data::test_only(&settings, Some(settings.test), settings.seed())?;
    let progress = Progress::new(crate::interrupt::flag()?);
    let judge = Judge {
        scenes: &scenes,
        puzzles: &puzzles,
        perception: &*classifier,
        views: sudoku_run::VIEWS,
        rules: &rules,
        decodings: &DECODINGS,
        confidence_at: None,
        threads: settings.staged.threads,
    };
    let judgement = judge.judge(&progress)?;
    progress.finish();
    let steps = run.measurements()?.iter().filter_map(|line| line.get("step").and_then(Value::as_u64)).max();
    let input = Input::new(run, &settings, &judgement, &scenes, &puzzles, &rules)?;
    let interrupted = steps.unwrap_or(0) < settings.staged.steps;
    report::write(run, &Input { interrupted, ..input })
}
