//! `precept train nonogram`: what ties clues to cells, from one line of each board.

use std::io::Write;
use std::path::{PathBuf, absolute};

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use preceptron::{Run, StopReason};
use preceptron_base::Control;
use preceptron_tasks::nonogram::{
    AuthorsTrial, BoardScore, Encoding, NonogramData, NonogramSettings, NonogramTrial, Solver, authors,
};
use serde_json::json;

use crate::Answer;
use crate::present::{count, nonogram as show, print_table, quoted};
use crate::progress::Progress;

/// Nonograms: from each training board one row or one column is seen; whole boards are solved.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept train nonogram
  precept train nonogram --boards nonograms_7.csv.xz --train 9000 --test 1000
  precept solve runs/nonogram-0 --rows '3/1 1/3' --columns '3/1 1/3'

A file of boards has a line for each: the clues of the columns, then of the rows, with / between lines and
. between runs, a comma, and the cells row by row as 0 and 1. It can be compressed (.xz, .gz).
Exit codes: 0 rules found, 1 no rule found, 2 error.")]
pub struct Arguments {
    /// A file of boards: the last ones are to test on, those to train on are drawn from the others
    /// [default: generated boards].
    #[arg(long, value_name = "FILE")]
    boards: Option<PathBuf>,
    /// The side of generated boards.
    #[arg(long, value_name = "N", default_value_t = 7, conflicts_with = "boards")]
    side: usize,
    /// How many boards to train on; one line of each is seen.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    train: usize,
    /// How many boards to solve.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    test: usize,
    /// The seed: which boards are trained on, and which line of each is seen.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// What is learned over: where runs start and end on the lines seen, or the bits of the paper authors'
    /// program, beside random rows that are never trained.
    #[arg(long, value_name = "NAME", default_value = "lines", value_parser = encoding_parser())]
    encoding: Encoding,
    /// The directory of the run [default: runs/nonogram-SEED].
    #[arg(long, short, value_name = "DIRECTORY")]
    out: Option<PathBuf>,
    /// Overwrite the run.
    #[arg(long)]
    force: bool,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

fn encoding_parser() -> impl TypedValueParser<Value = Encoding> {
    PossibleValuesParser::new(["lines", "authors"]).map(|name| match name.as_str() {
        "authors" => Encoding::Authors,
        _ => Encoding::Lines,
    })
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let boards = arguments.boards.as_deref().map(absolute).transpose()?;
    let Arguments { side, train, test, seed, encoding, .. } = *arguments;
    let settings = NonogramSettings { seed, boards, side, train, test, encoding };
    let path = arguments.out.clone().unwrap_or_else(|| PathBuf::from(format!("runs/nonogram-{seed}")));
    Run::check(&path, arguments.force)?;
    let interrupted = crate::interrupt::flag()?;
    let data = settings.data()?;
    let run = Run::create(&path, "nonogram", &settings, arguments.force)?;
    let mut metrics = run.metrics()?;
    let progress = Progress::new(interrupted);
    if encoding == Encoding::Authors {
        metrics.close().with_context(|| format!("{}: metrics.jsonl cannot be written", path.display()))?;
        return authors_encoding(arguments, &run, &settings, &data, &progress, out);
    }
    let lines = data.lines.len();
    let trial = NonogramTrial::new(data.lines, seed, &mut [&mut metrics], &progress);
    metrics.close().with_context(|| format!("{}: metrics.jsonl cannot be written", path.display()))?;
    let mut rules = trial.rules.clone();
    let mut note = |key: &str, value: String| rules.notes.insert(key.to_owned(), value);
    note("source", "precept train nonogram".to_owned());
    note("settings", serde_json::to_string(&settings)?);
    note("program", format!("precept {}", env!("CARGO_PKG_VERSION")));
    if trial.report.stop == StopReason::Interrupted {
        note("interrupted", "training was stopped before its end".to_owned());
    }
    run.write_rules(None, &rules)?;
    let score = BoardScore::of(&Solver::new(&rules)?, &data.test, &progress)?;
    progress.finish();
    if progress.is_cancelled() {
        bail!("interrupted; the rules until then are in {}", path.display());
    }
    if arguments.json {
        let object = json!({
            "task": "nonogram",
            "run": path,
            "settings": settings,
            "rules": show::rules(&rules)?,
            "no_touch": trial.has_no_touch(),
            "report": trial.report,
            "test": score,
        });
        serde_json::to_writer(&mut *out, &object)?;
        writeln!(out)?;
    } else {
        writeln!(out, "nonogram: one line of each of {}, seed {seed}", count(lines, "board"))?;
        writeln!(out, "  {}", trial.report)?;
        show::print_rules(out, &rules)?;
        writeln!(out, "\nOn boards that were not trained on: {}.", show::score_line(&score))?;
        let shown = path.display().to_string();
        writeln!(out, "\nWritten to {shown}.\n\nNext:")?;
        let shown = quoted(&shown);
        writeln!(out, "  precept eval {shown} --side 15 --count 20\n  precept rules {shown}")?;
        writeln!(out, "  precept solve {shown} --rows '3/1 1/3' --columns '3/1 1/3'")?;
    }
    Ok(if rules.relative().is_empty() { Answer::No } else { Answer::Yes })
}

/// The authors' bits: rows that were trained, and the same rows as they were drawn.
fn authors_encoding(
    arguments: &Arguments,
    run: &Run,
    settings: &NonogramSettings,
    data: &NonogramData,
    progress: &Progress,
    out: &mut dyn Write,
) -> anyhow::Result<Answer> {
    let trials = authors(&data.lines, settings.seed, progress);
    let score = |trial: &AuthorsTrial| -> anyhow::Result<BoardScore> {
        Ok(BoardScore::of(&Solver::new(&trial.rules)?, &data.test, progress)?)
    };
    let scores = [score(&trials[0])?, score(&trials[1])?];
    progress.finish();
    if progress.is_cancelled() {
        bail!("interrupted before all boards were solved");
    }
    let mut rules = trials[0].rules.clone();
    rules.notes.insert("source".to_owned(), "precept train nonogram --encoding authors".to_owned());
    rules.notes.insert("settings".to_owned(), serde_json::to_string(settings)?);
    run.write_rules(None, &rules)?;
    let names = ["trained rows", "random rows, never trained"];
    if arguments.json {
        let entry = |((name, trial), score): ((&str, &AuthorsTrial), &BoardScore)| {
            json!({
                "rows": name, "number": trial.rows, "distinct": trial.distinct, "unchanged": trial.unchanged,
                "constant": trial.constant, "forces_gaps": trial.forces_gaps, "test": score,
            })
        };
        let trials: Vec<_> = names.into_iter().zip(&trials).zip(&scores).map(entry).collect();
        let object = json!({ "task": "nonogram", "run": run.path(), "settings": settings, "trials": trials });
        serde_json::to_writer(&mut *out, &object)?;
        writeln!(out)?;
        return Ok(Answer::Yes);
    }
    writeln!(
        out,
        "nonogram: one line of each of {}, seed {}",
        count(data.lines.len(), "board"),
        settings.seed
    )?;
    writeln!(
        out,
        "Fixed in the solver: where runs stand, in their order; how long they are; what they paint."
    )?;
    writeln!(out, "Left to learn: that there is a gap where the next slot of a clue is not empty.\n")?;
    let titles = ["", "rows", "distinct", "as drawn", "one sum", "force gaps", "boards solved"];
    let row = |((name, trial), score): ((&str, &AuthorsTrial), &BoardScore)| {
        vec![
            name.to_owned(),
            trial.rows.to_string(),
            trial.distinct.to_string(),
            trial.unchanged.to_string(),
            trial.constant.to_string(),
            (if trial.forces_gaps { "yes" } else { "no" }).to_owned(),
            format!("{} of {}", score.right, score.boards),
        ]
    };
    let rows: Vec<Vec<String>> = names.into_iter().zip(&trials).zip(&scores).map(row).collect();
    print_table(out, &titles, &rows)?;
    writeln!(
        out,
        "\nEach row allows the sums that the lines show. What random rows solve, training is no cause of."
    )?;
    writeln!(out, "\nWritten to {}.", run.path().display())?;
    Ok(Answer::Yes)
}
