//! `precept eval`: scores a run's rules on examples that it was not trained on.

use std::io::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use precept::{HeldOut, Run};
use precept_perceive::Perception;
use precept_tasks::sudoku::{self, Decoding};
use precept_tasks::xor::{Score, Xor, XorSettings, control};
use serde_json::json;

use crate::Answer;
use crate::present::{sudoku as show_sudoku, xor as show};
use crate::progress::Progress;
use crate::sudoku_run::{self, RunSettings};

/// Score the rules of a run on fresh examples.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept eval runs/xor-20-0
  precept eval runs/xor-20-0 --count 10000 --seed 1
  precept eval runs/sudoku-0 --boards rrn_eval_18000.csv.xz

Examples that were trained on are never scored.")]
pub struct Arguments {
    /// The directory of a run.
    run: PathBuf,
    /// How many examples to score on.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// Other boards than the run's, for visual Sudoku: the last of a file of lines `puzzle,solution`.
    #[arg(long, value_name = "FILE")]
    boards: Option<PathBuf>,
    /// The seed of the examples [default: the run's, which gives those that training reported on].
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let run = Run::open(&arguments.run)?;
    match run.task() {
        "sudoku" => sudoku(arguments, &run, out),
        "xor" => xor(arguments, &run, out),
        other => bail!("{}: there is no task {other:?}", arguments.run.display()),
    }
}

fn sudoku(arguments: &Arguments, run: &Run, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let settings: RunSettings = run.settings()?;
    let mut classifier = settings.classifier()?;
    classifier.load(&run.network()?)?;
    let run_seed = settings.staged.seed;
    let mut puzzles = match &arguments.boards {
        Some(file) => sudoku_run::read(file)?,
        None => {
            let file = settings.boards.as_deref();
            sudoku_run::boards(file, Some(settings.train), Some(settings.test), run_seed)?.1
        }
    };
    let puzzles = puzzles.split_off(puzzles.len().saturating_sub(arguments.count as usize));
    let seed = arguments.seed.unwrap_or(run_seed);
    let scenes = sudoku::scenes(3, &puzzles, &settings.pictures()?.test, seed)?;
    let progress = Progress::new(crate::interrupt::flag()?);
    let decodings = [Decoding::Likeliest, Decoding::Pinned];
    let rules = run.rules(None)?;
    let threads = settings.staged.threads;
    let judgement = sudoku::judge(&scenes, &puzzles, &classifier, &rules, &decodings, threads, &progress)?;
    progress.finish();
    if arguments.json {
        serde_json::to_writer(&mut *out, &json!({ "run": run.path(), "seed": seed, "held_out": judgement }))?;
        writeln!(out)?;
    } else {
        writeln!(out, "{}", run.path().display())?;
        show_sudoku::print(out, &judgement, &puzzles)?;
    }
    Ok(Answer::Yes)
}

fn xor(arguments: &Arguments, run: &Run, out: &mut dyn Write) -> anyhow::Result<Answer> {
    if arguments.boards.is_some() {
        bail!("{}: a run of xor has no boards", arguments.run.display());
    }
    let settings: XorSettings = run.settings()?;
    let task = Xor::generate(&settings.check()?);
    let seed = arguments.seed.unwrap_or(settings.seed);
    let strings = task.held_out(HeldOut { count: arguments.count as usize, seed });
    let mut scores = Vec::new();
    for &method in settings.method.names() {
        let rules = run.rules(Some(method))?;
        scores.push((method, Score::of(&rules, &strings, task.answer())));
    }
    scores.push(("control", Score::of(&control(&task), &strings, task.answer())));
    if arguments.json {
        let entry = |(method, score): &(&str, Score)| {
            anyhow::Ok(json!({ "method": method, "held_out": show::score(score)? }))
        };
        let methods = scores.iter().map(entry).collect::<Result<Vec<_>, _>>()?;
        serde_json::to_writer(&mut *out, &json!({ "run": run.path(), "seed": seed, "methods": methods }))?;
        writeln!(out)?;
    } else {
        writeln!(out, "{}", run.path().display())?;
        show::print_task(out, &task, settings.ones, settings.seed, strings.len() as u64)?;
        writeln!(out)?;
        show::print_scores(out, &scores)?;
    }
    Ok(Answer::Yes)
}
