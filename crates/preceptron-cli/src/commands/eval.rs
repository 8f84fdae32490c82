//! `precept eval`: scores a run's rules on examples that it was not trained on.

mod driving;

use std::io::Write;
use std::path::{PathBuf, absolute};

use anyhow::bail;
use clap::Args;
use preceptron::{HeldOut, Run, Views};
use preceptron_base::Control;
use preceptron_tasks::nonogram::{BoardScore, NonogramSettings, Solver, generated, read_boards};
use preceptron_tasks::sudoku::{Decoding, Judge};
use preceptron_tasks::xor::{Score, Xor, XorSettings, control};
use serde_json::json;

use crate::Answer;
use crate::commands::data::driving::sources::SourceArguments;
use crate::present::{nonogram as show_nonogram, sudoku as show_sudoku, xor as show};
use crate::progress::Progress;
use crate::settings_arguments::share;
use crate::sudoku_run::{self, Data, RunSettings};

/// Score the rules of a run on fresh examples.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept eval runs/xor-20-0
  precept eval runs/xor-20-0 --count 10000 --seed 1
  precept eval runs/sudoku-0 --abstain 0.99
  precept eval runs/driving-0 --draw sheet.png
  precept eval runs/nonogram-0 --side 20 --count 50
  precept eval runs/sudoku-0 --boards rrn_eval_18000.csv.xz --count 1000 --by-givens

Examples that were trained on are never scored.")]
pub struct Arguments {
    /// The directory of a run.
    run: PathBuf,
    /// How many examples to score on: strings of bits [default: 1000], or boards, spread over the numbers of
    /// givens [default: all].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: Option<u32>,
    /// Other boards than the run's: for visual Sudoku a file of lines `puzzle,solution`, for nonograms one of
    /// lines `clues,cells`.
    #[arg(long, value_name = "FILE")]
    boards: Option<PathBuf>,
    /// For nonograms, generated boards of so many rows and columns.
    #[arg(long, value_name = "N", conflicts_with = "boards", value_parser = clap::value_parser!(u32).range(1..=60))]
    side: Option<u32>,
    /// Say how many boards are left, and how many of these are right, if answers that are less sure than
    /// this are held back.
    #[arg(long, value_name = "CONFIDENCE", num_args = 0..=1, default_missing_value = "0.99", value_parser = share)]
    abstain: Option<f64>,
    /// Also fix readings at least so probable and complete the rest, as the paper proposes.
    #[arg(long, value_name = "PROBABILITY", num_args = 0..=1, default_missing_value = "0.99", value_parser = share)]
    confident: Option<f64>,
    /// Look at each picture once, not also moved by a pixel to each side.
    #[arg(long)]
    one_look: bool,
    /// Also show the figures for each number of givens.
    #[arg(long)]
    by_givens: bool,
    /// The seed of the examples [default: the run's, which gives those that training reported on].
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Draw scenes of driving with the maps believed in and the paths planned, as a PNG.
    #[arg(long, value_name = "FILE.png")]
    draw: Option<PathBuf>,
    /// Render pictures of driving though there are some.
    #[arg(long)]
    render: bool,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    sources: SourceArguments,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let run = Run::open(&arguments.run)?;
    match run.task() {
        "driving" => driving::run(arguments, &run, out),
        "nonogram" => nonogram(arguments, &run, out),
        "sudoku" => sudoku(arguments, &run, out),
        "xor" => xor(arguments, &run, out),
        other => bail!("{}: there is no task {other:?}", arguments.run.display()),
    }
}

fn nonogram(arguments: &Arguments, run: &Run, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let settings: NonogramSettings = run.settings()?;
    let seed = arguments.seed.unwrap_or(settings.seed);
    let mut boards = match (&arguments.boards, arguments.side) {
        (Some(file), _) => read_boards(file)?,
        (None, Some(side)) => generated(side as usize, arguments.count.unwrap_or(200) as usize, seed),
        (None, None) => NonogramSettings { seed, ..settings }.data()?.test,
    };
    boards.truncate(arguments.count.map_or(usize::MAX, |count| count as usize));
    let progress = Progress::new(crate::interrupt::flag()?);
    let score = BoardScore::of(&Solver::new(&run.rules(None)?)?, &boards, &progress)?;
    progress.finish();
    if progress.is_cancelled() {
        bail!("interrupted before all boards were solved");
    }
    if arguments.json {
        serde_json::to_writer(&mut *out, &json!({ "run": run.path(), "seed": seed, "held_out": score }))?;
        writeln!(out)?;
    } else {
        writeln!(out, "{}: {}", run.path().display(), show_nonogram::score_line(&score))?;
    }
    Ok(Answer::Yes)
}

fn sudoku(arguments: &Arguments, run: &Run, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let mut settings: RunSettings = run.settings()?;
    if let Some(file) = &arguments.boards {
        settings.test_boards = Some(absolute(file)?);
        settings.boards.get_or_insert_with(|| file.clone());
    }
    let (rules, classifier, calibration) = sudoku_run::load(&settings, run)?;
    let seed = arguments.seed.unwrap_or(settings.seed());
    let (puzzles, scenes) = Data::test_only(&settings, arguments.count.map(|count| count as usize), seed)?;
    let progress = Progress::new(crate::interrupt::flag()?);
    let mut decodings = show_sudoku::DECODINGS.to_vec();
    decodings.extend(arguments.confident.map(Decoding::Confident));
    let temperature = calibration.map_or(1.0, |calibration| calibration.temperature);
    let judge = Judge {
        scenes: &scenes,
        puzzles: &puzzles,
        perception: &*classifier,
        views: if arguments.one_look { Views::One } else { sudoku_run::VIEWS },
        rules: &rules,
        decodings: &decodings,
        confidence_at: arguments.abstain.map(|_| temperature),
        threads: settings.staged.threads,
    };
    let judgement = judge.judge(&progress)?;
    progress.finish();
    if progress.is_cancelled() {
        bail!("interrupted before all boards were solved");
    }
    let abstention = arguments.abstain.map(|least| show_sudoku::abstention(&judgement, &puzzles, least));
    let by_givens = show_sudoku::by_givens(&judgement, &puzzles);
    if arguments.json {
        let object = json!({
            "run": run.path(), "seed": seed, "held_out": judgement, "abstention": abstention,
            "by_givens": by_givens, "calibration": calibration,
        });
        serde_json::to_writer(&mut *out, &object)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{}", run.path().display())?;
        show_sudoku::print(out, &judgement, &puzzles)?;
        show_sudoku::print_calibration(out, calibration.as_ref())?;
        if arguments.by_givens {
            show_sudoku::print_by_givens(out, &by_givens, &judgement)?;
        }
        if let Some(abstention) = abstention {
            show_sudoku::print_abstention(out, &abstention, judgement.boards)?;
        }
        writeln!(out, "\nThese figures lean on this: {}.", settings.leans_on().join("; "))?;
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
    let strings = task.held_out(HeldOut { count: arguments.count.unwrap_or(1000) as usize, seed });
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
