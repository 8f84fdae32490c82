//! `precept bench rules`: how well and how fast rules are learned from textual Sudoku.
//!
//! The true rules are used only to judge. A learned rule is *true* if it is one of them, and *spurious* if
//! they do not imply it; what is neither says less than the true rules (*weaker*). A seed chooses the boards
//! where not all are taken, the wrong digits, and the learner's centres.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use preceptron::words::constraint_line;
use preceptron::{Action, Group, TaskError, TaskResult, ensure};
use preceptron_base::{Control, settings};
use preceptron_learn::learn;
use preceptron_logic::{Variables, evidence_line};
use serde_json::{Value, json};

use super::boards::{Boards, JudgedRules};
use super::rule_cases::{Case, Paper, cases, chosen};
use crate::sudoku::side;
use preceptron_base::meter::{measured, peak_memory};

/// Measures rule learning on textual Sudoku.
pub struct RuleLearning;

settings! {
    /// What is measured.
    pub struct RuleLearningSettings {
        /// Boards from a CSV file of puzzle,solution (also .xz or .gz) [default: generated boards].
        boards: Option<PathBuf> = None, "FILE";
        /// Which rows to take, from 0: the first and the last.
        rows: RangeInclusive<usize> = 0..=8999, "A-B";
        /// The order of generated boards, 2 to 5.
        order: u8 = 3, "N" in 2..=5;
        /// How many seeds to measure each case with.
        seeds: u64 = 5, "N" in 1..;
        /// Only the cases with these names, or with names that begin so (full takes full and full-300).
        only: Vec<String> = Vec::new(), "NAME,...";
        /// Also the non-given cells of 400, 300, 220 and 150 boards.
        few: bool = false;
        /// Rows of the paper's form, which is measured with one seed and in one round.
        paper_rows: u32 = 50, "N";
        /// Iterations of the paper's form.
        paper_iterations: u32 = 10_000, "N";
        /// The DC penalty that the paper's form ends with; it rises in equal steps.
        paper_penalty: f64 = 0.5, "T";
        /// How many spurious and how many weaker rules to list below a line.
        show: usize = 0, "N";
        /// Print one JSON object a line instead of a table.
        json: bool = false;
    }
}

impl RuleLearningSettings {
    fn cases(&self) -> TaskResult<Vec<Case>> {
        let (rows, iterations, penalty) = (self.paper_rows, self.paper_iterations, self.paper_penalty);
        let all = cases(self.few, Paper { rows, iterations, penalty });
        chosen(all, &self.only).map_err(|message| TaskError::new(format!("--only: {message}")))
    }
}

impl Action for RuleLearning {
    const GROUP: Group = Group::Bench;
    const NAME: &'static str = "rules";
    const ABOUT: &'static str = "Measure rule learning on textual Sudoku.";
    const HELP: &'static str = "\
Examples:
  precept bench rules                                     generated boards, 5 seeds
  precept bench rules --boards sudoku.csv.xz --few        puzzle,solution a line
  precept bench rules --only full,non-given-500 --seeds 1

Numbers that differ from seed to seed are printed as the least and the greatest of them.";
    type Settings = RuleLearningSettings;

    fn run(settings: &RuleLearningSettings, out: &mut dyn Write, control: &dyn Control) -> TaskResult<bool> {
        ensure!(!settings.json || settings.show == 0, "--show lists rules below a table, not with --json");
        let cases = settings.cases()?;
        let boards = Boards::new(settings.boards.as_deref(), &settings.rows, settings.order.into())?;
        let rules = boards.truth.len();
        if !settings.json {
            let source = match &settings.boards {
                Some(path) => {
                    let rows = &settings.rows;
                    format!("{}, rows {} to {}", path.display(), rows.start(), rows.end())
                }
                None => "generated".to_owned(),
            };
            let side = side(settings.order.into());
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
            let Some(judged) = measure(case, &boards, count, settings.seeds, control)? else {
                return Ok(false);
            };
            match settings.json {
                true => writeln!(out, "{}", as_json(case, count, rules, &judged))?,
                false => writeln!(out, "{}", line(case, count, rules, &judged))?,
            }
            list(boards.truth.variables(), &judged, settings.show, out)?;
            out.flush()?;
        }
        match (settings.json, peak_memory()) {
            (true, peak) => writeln!(out, "{}", json!({ "peak_memory_bytes": peak }))?,
            (false, Some(bytes)) => writeln!(out, "\nPeak memory: {} MB", bytes / 1_000_000)?,
            (false, None) => {}
        }
        Ok(true)
    }
}

/// Learns with each seed; nothing if that was stopped.
fn measure(
    case: &Case,
    boards: &Boards,
    count: usize,
    seeds: u64,
    control: &dyn Control,
) -> TaskResult<Option<Vec<JudgedRules>>> {
    let mut judged = Vec::new();
    for seed in 0..if case.once { 1 } else { seeds } {
        let settings = preceptron_learn::Settings { seed, ..case.settings.clone() }.check()?;
        let examples = boards.examples(case.view, count, seed);
        control.stage(&format!("{}, seed {seed}", case.name), 0);
        let variables = boards.truth.variables();
        let (learned, cost) = measured(|| learn(variables, &examples, &settings, control));
        if control.is_cancelled() {
            return Ok(None);
        }
        judged.push(boards.judge(&learned.rules, cost));
    }
    Ok(Some(judged))
}

const HEADING: &str = "
name               boards         true   missing  weaker  spurious     rank  seconds (most)     CPU-s  setting";

/// The seconds of the seeds: their mean, the greatest, and the mean of the processors'.
fn seconds(judged: &[JudgedRules]) -> (f64, f64, Option<f64>) {
    let mean = |sum: f64| sum / judged.len() as f64;
    let wall = || judged.iter().map(|one| one.cost.wall);
    let cpu: Option<f64> = judged.iter().map(|one| one.cost.cpu).sum();
    (mean(wall().sum()), wall().fold(0.0, f64::max), cpu.map(mean))
}

fn line(case: &Case, boards: usize, rules: usize, judged: &[JudgedRules]) -> String {
    let range = |number: fn(&JudgedRules) -> usize| {
        let numbers = || judged.iter().map(number);
        match (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0)) {
            (least, most) if least == most => most.to_string(),
            (least, most) => format!("{least}-{most}"),
        }
    };
    let (mean, most, cpu) = seconds(judged);
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
    judged: &[JudgedRules],
    show: usize,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let spurious = judged.iter().flat_map(|o| &o.spurious).map(|rule| ("spurious", rule)).take(show);
    let weaker = judged.iter().flat_map(|o| &o.weaker).map(|rule| ("weaker", rule)).take(show);
    for (sort, rule) in spurious.chain(weaker) {
        let (what, why) = (constraint_line(variables, &rule.constraint), evidence_line(&rule.evidence));
        writeln!(out, "  {sort}: {what}; {why}")?;
    }
    Ok(())
}

fn as_json(case: &Case, boards: usize, rules: usize, judged: &[JudgedRules]) -> Value {
    let (mean, most, cpu) = seconds(judged);
    let each = |number: fn(&JudgedRules) -> usize| judged.iter().map(number).collect::<Vec<_>>();
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
