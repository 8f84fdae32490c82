//! `precept data sudoku verify`: whether a file has boards with one solution each.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::{Path, PathBuf};

use preceptron::words::count;
use preceptron::{Action, Context, Group, TaskResult, ensure};
use preceptron_base::{Control, settings};
use rayon::prelude::*;
use serde_json::json;

use crate::sudoku::{self, Puzzle};

/// Checks a file of boards: form, rules, one solution, boards that come twice.
pub struct VerifyBoards;

settings! {
    /// What is checked.
    pub struct VerifySettings {
        /// The file, plain, .gz or .xz.
        file: Option<PathBuf> = None, "<FILE>";
        /// How many faults to list.
        show: usize = 10, "N";
        /// Print one JSON object instead of text.
        json: bool = false;
    }
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

impl Action for VerifyBoards {
    const GROUP: Group = Group::Data;
    const NAME: &'static str = "verify";
    const ABOUT: &'static str = "Check a file of boards: form, rules, one solution, boards that come twice.";
    const HELP: &'static str = "\
Examples:
  precept data sudoku verify boards.csv.gz
  precept data sudoku verify rrn_eval_18000.csv.xz --json

Each line is `puzzle,solution`. The solution must obey the rules of Sudoku, agree with the givens, and be
the only one. Boards that come more than once are counted, but are no fault. Ctrl-C ends the work; what was
checked until then is told.
Exit codes: 0 no fault, 1 a fault or not all checked, 2 error.";
    type Settings = VerifySettings;

    fn run(settings: &VerifySettings, out: &mut dyn Write, control: &dyn Control) -> TaskResult<bool> {
        let file = settings.file.as_deref().context("FILE: the file of boards is missing")?;
        let shown = file.display();
        let text = sudoku::read_text(file)?;
        let lines: Vec<(usize, Result<Puzzle, String>)> = sudoku::read_lines(&text).collect();
        ensure!(!lines.is_empty(), "{shown}: there is no board in it");
        let findings = check(&lines, control);
        if settings.json {
            print_json(settings, file, &findings, out)?;
        } else {
            writeln!(out, "{shown}: {}", count(findings.boards, "board"))?;
            print(settings, &findings, out)?;
        }
        Ok(findings.faults.is_empty() && findings.unchecked == 0)
    }
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

fn print(settings: &VerifySettings, findings: &Findings, out: &mut dyn Write) -> std::io::Result<()> {
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
    for (line, what) in findings.faults.iter().take(settings.show) {
        writeln!(out, "  line {line}: {what}")?;
    }
    if findings.faults.len() > settings.show {
        writeln!(out, "  ... and {} more (--show)", findings.faults.len() - settings.show)?;
    }
    Ok(())
}

fn print_json(
    settings: &VerifySettings,
    file: &Path,
    findings: &Findings,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let histogram: Vec<_> = findings
        .givens
        .iter()
        .map(|((order, givens), boards)| json!({ "order": order, "givens": givens, "boards": boards }))
        .collect();
    let fault = |(line, what): &(usize, String)| json!({ "line": line, "what": what });
    let listed: Vec<_> = findings.faults.iter().take(settings.show).map(fault).collect();
    let object = json!({
        "file": file, "boards": findings.boards, "unchecked": findings.unchecked,
        "givens": histogram, "duplicates": findings.duplicates,
        "faults": findings.faults.len(), "first_faults": listed,
    });
    writeln!(out, "{object}")
}
