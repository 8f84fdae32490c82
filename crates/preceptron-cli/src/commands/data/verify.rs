//! `precept data verify`: whether a file has boards with one solution each.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use preceptron_base::Control;
use preceptron_tasks::sudoku::{self, Puzzle};
use rayon::prelude::*;
use serde_json::json;

use crate::Answer;
use crate::present::count;
use crate::progress::Progress;

/// Check a file of boards: form, rules, one solution, boards that come twice.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept data verify boards.csv.gz
  precept data verify rrn_eval_18000.csv.xz --json

Each line is `puzzle,solution`. The solution must obey the rules of Sudoku, agree with the givens, and be
the only one. Boards that come more than once are counted, but are no fault. Ctrl-C ends the work; what was
checked until then is told.
Exit codes: 0 no fault, 1 a fault or not all checked, 2 error.")]
pub struct Arguments {
    /// The file, plain, .gz or .xz.
    file: PathBuf,
    /// How many faults to list.
    #[arg(long, value_name = "N", default_value_t = 10)]
    show: usize,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// What was found in a file.
#[derive(Default)]
struct Findings {
    boards: usize,
    unchecked: usize,
    /// By order, how many boards have how many givens.
    givens: BTreeMap<(usize, usize), usize>,
    /// Line, and what is wrong.
    faults: Vec<(usize, String)>,
    /// Boards whose givens came before: how many, and the lines of the first such pair.
    duplicates: usize,
    first_pair: Option<(usize, usize)>,
}

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let shown = arguments.file.display();
    let text = sudoku::read_text(&arguments.file)?;
    let lines: Vec<(usize, Result<Puzzle, String>)> = sudoku::read_lines(&text).collect();
    ensure!(!lines.is_empty(), "{shown}: there is no board in it");
    let progress = Progress::new(crate::interrupt::flag()?);
    let findings = check(&lines, &progress);
    progress.finish();
    if arguments.json {
        print_json(arguments, &findings, out)?;
    } else {
        writeln!(out, "{shown}: {}", count(findings.boards, "board"))?;
        print(arguments, &findings, out)?;
    }
    let is_clean = findings.faults.is_empty() && findings.unchecked == 0;
    Ok(if is_clean { Answer::Yes } else { Answer::No })
}

fn check(lines: &[(usize, Result<Puzzle, String>)], control: &dyn Control) -> Findings {
    control.stage("boards", lines.len() as u64);
    // For each line whether it was checked, and what is wrong.
    let one = |(_, puzzle): &(usize, Result<Puzzle, String>)| {
        if control.is_cancelled() {
            return None;
        }
        let checked = match puzzle {
            Ok(puzzle) => sudoku::check(puzzle).map_err(|fault| fault.to_string()),
            Err(what) => Err(what.clone()),
        };
        control.advance(1);
        Some(checked)
    };
    let checked: Vec<Option<Result<(), String>>> = lines.par_iter().map(one).collect();
    let mut findings = Findings { boards: lines.len(), ..Findings::default() };
    let mut seen: HashMap<&[u8], usize> = HashMap::new();
    for ((line, puzzle), checked) in lines.iter().zip(checked) {
        match checked {
            None => findings.unchecked += 1,
            Some(Err(what)) => findings.faults.push((*line, what)),
            Some(Ok(())) => {}
        }
        let Ok(puzzle) = puzzle else { continue };
        let given = puzzle.givens.digits().iter().filter(|&&digit| digit > 0).count();
        *findings.givens.entry((puzzle.givens.order(), given)).or_default() += 1;
        let first = *seen.entry(puzzle.givens.digits()).or_insert(*line);
        if first != *line {
            findings.duplicates += 1;
            findings.first_pair.get_or_insert((first, *line));
        }
    }
    findings
}

fn print(arguments: &Arguments, findings: &Findings, out: &mut dyn Write) -> anyhow::Result<()> {
    let most = findings.givens.values().copied().max().unwrap_or(1);
    let mut order = 0;
    for (&(of, givens), &boards) in &findings.givens {
        if of != order {
            order = of;
            writeln!(out, "\nGivens of boards of {0} x {0} cells:", of * of)?;
        }
        writeln!(out, "  {givens:>4} {boards:>8}  {}", "#".repeat((boards * 50).div_ceil(most)))?;
    }
    writeln!(out)?;
    match findings.first_pair {
        None => writeln!(out, "No board comes twice.")?,
        Some((first, second)) => writeln!(
            out,
            "{} that came before, the first in line {second} (as line {first}).",
            count(findings.duplicates, "board")
        )?,
    }
    if findings.unchecked > 0 {
        writeln!(out, "Interrupted: {} not checked.", count(findings.unchecked, "board"))?;
    }
    if findings.faults.is_empty() {
        let checked = findings.boards - findings.unchecked;
        writeln!(out, "No fault in {}: each has one solution, the one given.", count(checked, "board"))?;
        return Ok(());
    }
    writeln!(out, "{}:", count(findings.faults.len(), "fault"))?;
    for (line, what) in findings.faults.iter().take(arguments.show) {
        writeln!(out, "  line {line}: {what}")?;
    }
    if findings.faults.len() > arguments.show {
        writeln!(out, "  ... and {} more (--show)", findings.faults.len() - arguments.show)?;
    }
    Ok(())
}

fn print_json(arguments: &Arguments, findings: &Findings, out: &mut dyn Write) -> anyhow::Result<()> {
    let histogram: Vec<_> = findings
        .givens
        .iter()
        .map(|((order, givens), boards)| json!({ "order": order, "givens": givens, "boards": boards }))
        .collect();
    let fault = |(line, what): &(usize, String)| json!({ "line": line, "what": what });
    let listed: Vec<_> = findings.faults.iter().take(arguments.show).map(fault).collect();
    let object = json!({
        "file": arguments.file, "boards": findings.boards, "unchecked": findings.unchecked,
        "givens": histogram, "duplicates": findings.duplicates,
        "faults": findings.faults.len(), "first_faults": listed,
    });
    serde_json::to_writer(&mut *out, &object)?;
    Ok(writeln!(out)?)
}
