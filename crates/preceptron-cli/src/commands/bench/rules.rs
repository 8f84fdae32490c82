//! `precept bench rules`: how well and how fast rules are learned from textual Sudoku.
//!
//! The true rules are used only to judge. A learned rule is *true* if it is one of them, and *spurious* if
//! they do not imply it; what is neither says less than the true rules (*weaker*). A seed chooses the boards
//! where not all are taken, the wrong digits, and the learner's centres.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use clap::Args;
use preceptron_base::Control;
use preceptron_learn::learn;
use preceptron_logic::{Variables, evidence_line};
use serde_json::{Value, json};

use super::boards::{Boards, Outcome};
use super::cases::{self, Case, Paper};
use super::meter::{self, measured};
use crate::Answer;
use crate::present::constraint_line;
use crate::progress::Progress;

/// Measure rule learning on textual Sudoku.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept bench rules                                     generated boards, 5 seeds
  precept bench rules --boards sudoku.csv.xz --few        puzzle,solution a line
  precept bench rules --only full,non-given-500 --seeds 1

Numbers that differ from seed to seed are printed as the least and the greatest of them.")]
pub struct Arguments {
    /// Boards from a CSV file of puzzle,solution (also .xz or .gz) [default: generated boards].
    #[arg(long, value_name = "FILE")]
    boards: Option<PathBuf>,
    /// Which rows to take, from 0: the first and the last.
    #[arg(long, value_name = "A-B", value_parser = rows, default_value = "0-8999")]
    rows: (usize, usize),
    /// The order of generated boards, 2 to 5.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..=5))]
    order: u8,
    /// How many seeds to measure each case with.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Only the cases with these names, or with names that begin so (full takes full and full-300).
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Also the non-given cells of 400, 300, 220 and 150 boards.
    #[arg(long)]
    few: bool,
    /// Rows of the paper's form, which is measured with one seed and in one round.
    #[arg(long, value_name = "N", default_value_t = 50)]
    paper_rows: u32,
    /// Iterations of the paper's form.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    paper_iterations: u32,
    /// The DC penalty that the paper's form ends with; it rises in equal steps.
    #[arg(long, value_name = "T", default_value_t = 0.5)]
    paper_penalty: f64,
    /// How many spurious and how many weaker rules to list below a line.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "json")]
    show: usize,
    /// Print one JSON object a line instead of a table.
    #[arg(long)]
    json: bool,
}

fn rows(text: &str) -> Result<(usize, usize), String> {
    let wrong = || "expected the first and the last row, such as 0-8999".to_owned();
    let (first, last) = text.split_once('-').ok_or_else(wrong)?;
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok((first, last)),
        _ => Err(wrong()),
    }
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let paper = Paper {
        rows: arguments.paper_rows,
        iterations: arguments.paper_iterations,
        penalty: arguments.paper_penalty,
    };
    let cases = cases::chosen(cases::cases(arguments.few, paper), &arguments.only)
        .map_err(|message| anyhow::anyhow!("--only: {message}"))?;
    let interrupted = crate::interrupt::flag()?;
    let boards = Boards::new(arguments.boards.as_deref(), arguments.rows, arguments.order.into())?;
    if !arguments.json {
        let source = match &arguments.boards {
            Some(path) => format!("{}, rows {} to {}", path.display(), arguments.rows.0, arguments.rows.1),
            None => "generated".to_owned(),
        };
        let (rules, side) = (boards.truth.len(), preceptron_tasks::sudoku::side(arguments.order.into()));
        writeln!(out, "Sudoku of side {side}, {} boards, {source}; {rules} true rules", boards.len())?;
        writeln!(out, "{HEADING}")?;
        out.flush()?;
    }
    for case in &cases {
        let count = case.boards.unwrap_or(boards.len());
        if count > boards.len() {
            writeln!(std::io::stderr(), "precept: {}: left out, there are too few boards", case.name)?;
            continue;
        }
        let mut outcomes = Vec::new();
        for seed in 0..if case.once { 1 } else { arguments.seeds } {
            let settings = preceptron_learn::Settings { seed, ..case.settings.clone() }.check()?;
            let examples = boards.examples(case.view, count, seed);
            let progress = Progress::new(interrupted.clone());
            progress.stage(&format!("{}, seed {seed}", case.name), 0);
            let variables = boards.truth.variables();
            let (learned, cost) = measured(|| learn(variables, &examples, &settings, &progress));
            progress.finish();
            if interrupted.load(Ordering::Relaxed) {
                return Ok(Answer::No);
            }
            outcomes.push(boards.judge(&learned.rules, cost));
        }
        match arguments.json {
            true => writeln!(out, "{}", as_json(case, count, boards.truth.len(), &outcomes))?,
            false => writeln!(out, "{}", line(case, count, boards.truth.len(), &outcomes))?,
        }
        list(boards.truth.variables(), &outcomes, arguments.show, out)?;
        out.flush()?;
    }
    let peak = meter::peak_memory();
    match (arguments.json, peak) {
        (true, _) => writeln!(out, "{}", json!({ "peak_memory_bytes": peak }))?,
        (false, Some(bytes)) => writeln!(out, "\nPeak memory: {} MB", bytes / 1_000_000)?,
        (false, None) => {}
    }
    Ok(Answer::Yes)
}

const HEADING: &str = "
name               boards         true   missing  weaker  spurious     rank  seconds (most)     CPU-s  setting";

/// The seconds of the outcomes: their mean, the greatest, and the mean of the processors'.
fn seconds(outcomes: &[Outcome]) -> (f64, f64, Option<f64>) {
    let mean = |sum: f64| sum / outcomes.len() as f64;
    let wall = || outcomes.iter().map(|outcome| outcome.cost.wall);
    let cpu: Option<f64> = outcomes.iter().map(|outcome| outcome.cost.cpu).sum();
    (mean(wall().sum()), wall().fold(0.0, f64::max), cpu.map(mean))
}

fn line(case: &Case, boards: usize, rules: usize, outcomes: &[Outcome]) -> String {
    let range = |number: fn(&Outcome) -> usize| {
        let numbers = || outcomes.iter().map(number);
        match (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0)) {
            (least, most) if least == most => most.to_string(),
            (least, most) => format!("{least}-{most}"),
        }
    };
    let (mean, most, cpu) = seconds(outcomes);
    format!(
        "{:<17} {:>7} {:>12} {:>9} {:>7} {:>9} {:>8}  {:>7.2} {:>7} {:>9}  {}",
        case.name,
        boards,
        format!("{}/{rules}", range(|o| o.found)),
        range(|o| o.missing),
        range(|o| o.weaker.len()),
        range(|o| o.spurious.len()),
        range(|o| o.rank),
        mean,
        format!("({most:.2})"),
        cpu.map_or("-".to_owned(), |cpu| format!("{cpu:.2}")),
        case.words,
    )
}

/// The rules that are not among the true ones, so many of each sort.
fn list(
    variables: &Variables,
    outcomes: &[Outcome],
    show: usize,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let spurious = outcomes.iter().flat_map(|o| &o.spurious).map(|rule| ("spurious", rule)).take(show);
    let weaker = outcomes.iter().flat_map(|o| &o.weaker).map(|rule| ("weaker", rule)).take(show);
    for (sort, rule) in spurious.chain(weaker) {
        let (what, why) = (constraint_line(variables, &rule.constraint), evidence_line(&rule.evidence));
        writeln!(out, "  {sort}: {what}; {why}")?;
    }
    Ok(())
}

fn as_json(case: &Case, boards: usize, rules: usize, outcomes: &[Outcome]) -> Value {
    let (mean, most, cpu) = seconds(outcomes);
    let each = |number: fn(&Outcome) -> usize| outcomes.iter().map(number).collect::<Vec<_>>();
    json!({
        "name": case.name,
        "setting": case.words,
        "settings": case.settings,
        "boards": boards,
        "rules": rules,
        "true": each(|o| o.found),
        "missing": each(|o| o.missing),
        "weaker": each(|o| o.weaker.len()),
        "spurious": each(|o| o.spurious.len()),
        "rank": each(|o| o.rank),
        "seconds_mean": mean,
        "seconds_most": most,
        "cpu_seconds_mean": cpu,
    })
}
