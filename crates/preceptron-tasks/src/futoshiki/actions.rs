//! Boards of Futoshiki to make and to check.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use preceptron::{Action, AnyAction, Context, Group, TaskResult, check_new, write_new};
use preceptron_base::{Control, read_text, settings};

use super::{Spread, count_solutions, puzzles, read_lines, write_csv};

/// What can be done beside training.
pub static ACTIONS: &[&dyn AnyAction] = &[&Generate, &Verify];

/// Makes boards.
pub struct Generate;

settings! {
    /// Which boards are made.
    pub struct GenerateSettings {
        /// Rows, columns and digits.
        side: usize = 5, "N" in 4..=7;
        /// How many boards.
        count: usize = 1000, "N" in 1..=1_000_000;
        /// How many givens [default: by the side].
        givens: Option<RangeInclusive<usize>> = None, "FROM-TO";
        /// How many signs [default: by the side].
        signs: Option<RangeInclusive<usize>> = None, "FROM-TO";
        /// The seed of all random choices.
        seed: u64 = 0, "N";
        /// The file to write [default: standard output].
        out: Option<PathBuf> = None, "FILE.csv";
        /// Overwrite the file.
        force: bool = false;
    }
}

impl Action for Generate {
    const GROUP: Group = Group::Data;
    const NAME: &'static str = "generate";
    const ABOUT: &'static str = "Generate boards with one solution.";
    const HELP: &'static str = "\
Example:
  precept data futoshiki generate --side 6 --count 2000 --out boards.csv

A line is `givens,signs,solution`: digits row by row, 0 for a blank, and signs such as r1c1<r1c2.";
    type Settings = GenerateSettings;

    fn run(settings: &GenerateSettings, out: &mut dyn Write, control: &dyn Control) -> TaskResult<bool> {
        let mut spread = Spread::of_side(settings.side)?;
        spread.givens = settings.givens.clone().unwrap_or(spread.givens);
        spread.signs = settings.signs.clone().unwrap_or(spread.signs);
        settings.out.as_deref().map(|path| check_new(path, settings.force)).transpose()?;
        let made = puzzles(settings.side, &spread, settings.count, settings.seed, control)?;
        match &settings.out {
            None => write!(out, "{}", write_csv(&made))?,
            Some(path) => {
                write_new(path, settings.force, write_csv(&made).as_bytes())?;
                writeln!(out, "{} boards written to {}", made.len(), path.display())?;
            }
        }
        Ok(made.len() == settings.count)
    }
}

/// Checks boards.
pub struct Verify;

settings! {
    /// Which boards are checked.
    pub struct VerifySettings {
        /// The file.
        file: Option<PathBuf> = None, "<FILE>";
        /// How many faults to list.
        show: usize = 20, "N";
    }
}

impl Action for Verify {
    const GROUP: Group = Group::Data;
    const NAME: &'static str = "verify";
    const ABOUT: &'static str = "Check that each board of a file has one solution, the one given.";
    const HELP: &'static str = "Example:\n  precept data futoshiki verify boards.csv";
    type Settings = VerifySettings;

    fn run(settings: &VerifySettings, out: &mut dyn Write, control: &dyn Control) -> TaskResult<bool> {
        let file = settings.file.as_ref().context("which file? precept data futoshiki verify FILE")?;
        let text = read_text(file).context(file.display())?;
        let (mut boards, mut faults) = (0, Vec::new());
        for (line, puzzle) in read_lines(&text) {
            boards += 1;
            let fault = match puzzle {
                Err(problem) => Some(problem),
                Ok(puzzle) => match count_solutions(puzzle.side, &puzzle.givens, &puzzle.signs, 2) {
                    1 => None,
                    0 => Some("has no solution".to_owned()),
                    _ => Some("has several solutions".to_owned()),
                },
            };
            faults.extend(fault.map(|fault| format!("line {line}: {fault}")));
            control.advance(1);
            if control.is_cancelled() {
                break;
            }
        }
        match faults.len() {
            0 => writeln!(out, "No fault in {boards} boards: each has one solution, the one given.")?,
            many => writeln!(out, "{many} faults in {boards} boards:")?,
        }
        faults.iter().take(settings.show).try_for_each(|fault| writeln!(out, "  {fault}"))?;
        Ok(faults.is_empty())
    }
}
