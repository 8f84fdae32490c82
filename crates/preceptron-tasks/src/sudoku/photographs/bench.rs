//! `precept bench photographs`: how a run reads photographs of boards, and what it says of pictures that are none.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use preceptron::words::{count, print_table};
use preceptron::{Action, Context, Group, Model, Run, TaskResult, ensure};
use preceptron_base::{Control, settings};
use preceptron_perceive::Perception;
use preceptron_photo::Picture;
use preceptron_reason::{Backend, Limits};
use serde_json::json;

use super::kinds::{KINDS, Kind, Strength};
use super::write::names;
use super::{boards, no_board, of_kind};
use crate::mnist::Mnist;
use crate::sudoku::asked::Asked;
use crate::sudoku::seen_board::see;
use crate::sudoku::{BoardSolver, Prior, SudokuSettings};

/// Reads photographs of boards.
pub(in crate::sudoku) struct ReadPhotographs;

settings! {
    /// What is read, and how.
    pub struct ReadPhotographsSettings {
        /// A run on Sudoku.
        run: Option<PathBuf> = None, "<RUN>";
        /// How many of each kind.
        count: usize = 20, "N" in 1..=1000;
        /// How many pictures that are no boards.
        others: usize = 200, "N" in 0..=10_000;
        /// Only kinds whose names have this in them.
        only: Option<String> = None, "TEXT";
        /// What is taken for granted of boards.
        prior: Prior = Prior::OneSolution, "PRIOR";
        /// How sure an answer must be.
        confidence: f64 = 0.75, "PROBABILITY" in 0.0..=1.0;
        /// The seed of boards, digits and damage.
        seed: u64 = 0, "N";
        /// Take pictures of digits that are for training: to choose settings by.
        train_images: bool = false;
        /// Print one JSON object for each picture instead of tables.
        json: bool = false;
    }
}

/// How sure an answer is called sure.
const SURE: f64 = 0.99;

/// How long a call may take.
const TIME: Duration = Duration::from_secs(9);

/// What came of a picture.
struct Outcome {
    answered: bool,
    right: bool,
    /// Whether the best guess is right, told or not.
    guessed: bool,
    confidence: f64,
    /// Cells that were taken for blank, and for inked, wrongly; digits read wrongly; digits.
    faults: [usize; 4],
    repairs: usize,
    refusal: Option<String>,
    seconds: f64,
}

struct Reader<'a> {
    model: &'a Model,
    network: &'a dyn Perception,
    settings: &'a ReadPhotographsSettings,
}

impl Reader<'_> {
    fn read(&self, picture: &Picture, truth: Option<(&[u8], &[u8])>) -> TaskResult<Outcome> {
        let begun = Instant::now();
        let limits = Limits { time: Some(TIME), ..Limits::default() }.begun();
        let mut solver = BoardSolver::new(3, &self.model.rules, Backend::Portfolio, limits.clone())?;
        let ReadPhotographsSettings { prior, confidence, .. } = *self.settings;
        let mut asked = Asked { solver: &mut solver, prior, confidence, guess: false, limits: &limits };
        let (_, answer) = asked.picture(see(picture, false, &|| !limits.is_over()), self.network)?;
        let seconds = begun.elapsed().as_secs_f64();
        let mut read = [0; 81];
        answer.readings.iter().for_each(|reading| read[reading.cell] = reading.digit());
        let mut faults = [0; 4];
        if let Some((given, _)) = truth.filter(|_| !answer.readings.is_empty()) {
            for (&read, &given) in read.iter().zip(given) {
                faults[0] += usize::from(read == 0 && given > 0);
                faults[1] += usize::from(read > 0 && given == 0);
                faults[2] += usize::from(read > 0 && given > 0 && read != given);
                faults[3] += usize::from(read > 0 && given > 0);
            }
        }
        let guessed = answer.board.as_deref().is_some_and(|board| truth.is_some_and(|(_, all)| board == all));
        let answered = answer.board.is_some() && answer.refusal.is_none();
        let board = answer.board.as_deref().unwrap_or_default();
        Ok(Outcome {
            answered,
            right: answered && guessed,
            guessed,
            confidence: answer.sure.as_ref().map_or(0.0, |sure| sure.confidence()),
            faults,
            repairs: if board.is_empty() {
                0
            } else {
                answer.readings.iter().filter(|r| r.is_repaired(board)).count()
            },
            refusal: answer.refusal,
            seconds,
        })
    }
}

impl Action for ReadPhotographs {
    const GROUP: Group = Group::Bench;
    const NAME: &'static str = "photographs";
    const ABOUT: &'static str = "Photographs of Sudoku boards with forty kinds of damage, read by a run; and pictures of other things.";
    const HELP: &'static str = "\
Examples:
  precept bench photographs runs/sudoku-0
  precept bench photographs runs/sudoku-0 --only JPEG --others 0 --json

Photographs are made up as `precept data sudoku photographs --test-images` writes them. A board is right if
every cell is; one that is not answered is not right. Settings are chosen with --train-images and another seed.";
    type Settings = ReadPhotographsSettings;

    fn run(
        settings: &ReadPhotographsSettings,
        out: &mut dyn Write,
        control: &dyn Control,
    ) -> TaskResult<bool> {
        let path = settings.run.as_deref().context("RUN: the run that reads is missing")?;
        let run = Run::open(path)?;
        ensure!(run.task() == "sudoku", "{}: is a run on {}, not on sudoku", path.display(), run.task());
        let of_run: SudokuSettings = run.settings()?;
        ensure!(of_run.order == 3, "{}: its boards are not of 9 x 9 cells", path.display());
        let model = run.model()?;
        let network = of_run.reader(&model)?;
        let reader = Reader { model: &model, network: &*network, settings };
        let mnist = Mnist::embedded();
        let digits = if settings.train_images { &mnist.train } else { &mnist.test };
        let is_chosen = |name: &str| settings.only.as_ref().is_none_or(|only| name.contains(only.as_str()));
        let kinds: Vec<&'static Kind> = KINDS.iter().filter(|kind| is_chosen(kind.name)).collect();
        ensure!(
            !kinds.is_empty() || settings.others > 0,
            "--only: no kind has this in its name; they are: {}",
            names()
        );
        let boards = boards(settings.count, settings.seed)?;
        control.stage("photographs", (kinds.len() * settings.count + settings.others) as u64);
        let mut rows: Vec<(&Kind, Vec<Outcome>)> = Vec::new();
        for kind in kinds {
            let mut outcomes = Vec::new();
            for number in (0..settings.count).take_while(|_| !control.is_cancelled()) {
                let seen = of_kind(kind, number, settings.seed, digits, &boards[number])?;
                let truth = (seen.puzzle.givens.digits(), seen.puzzle.solution.digits());
                let outcome = reader.read(&seen.picture, Some(truth))?;
                if settings.json {
                    writeln!(out, "{}", outcome.json(kind.name, number))?;
                }
                outcomes.push(outcome);
                control.advance(1);
            }
            rows.push((kind, outcomes));
        }
        let mut others = Vec::new();
        for number in (0..settings.others).take_while(|_| !control.is_cancelled()) {
            let (what, picture) = no_board(number, settings.seed, digits);
            let outcome = reader.read(&picture, None)?;
            if settings.json {
                writeln!(out, "{}", outcome.json(what, number))?;
            }
            others.push((what, outcome));
            control.advance(1);
        }
        if !settings.json {
            print(&rows, &others, out)?;
        }
        Ok(!control.is_cancelled())
    }
}

impl Outcome {
    fn json(&self, kind: &str, number: usize) -> serde_json::Value {
        let [missed, extra, misread, givens] = self.faults;
        json!({
            "kind": kind, "number": number, "answered": self.answered, "right": self.right, "guessed": self.guessed,
            "confidence": self.confidence, "missed": missed, "extra": extra, "misread": misread, "givens": givens,
            "repairs": self.repairs, "refusal": self.refusal, "seconds": self.seconds,
        })
    }
}

fn print(
    rows: &[(&Kind, Vec<Outcome>)],
    others: &[(&str, Outcome)],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let all = || rows.iter().flat_map(|(_, outcomes)| outcomes);
    let slowest =
        |outcomes: &mut dyn Iterator<Item = &Outcome>| outcomes.map(|o| o.seconds).fold(0.0, f64::max);
    let line = |(kind, outcomes): &(&Kind, Vec<Outcome>)| {
        let number =
            |is: &dyn Fn(&Outcome) -> bool| outcomes.iter().filter(|one| is(one)).count().to_string();
        let sum = |at: usize| outcomes.iter().map(|one| one.faults[at]).sum::<usize>();
        vec![
            kind.name.to_owned(),
            if kind.strength == Strength::Mild { "mild" } else { "strong" }.to_owned(),
            outcomes.len().to_string(),
            number(&|one| one.right),
            number(&|one| one.answered && !one.right),
            number(&|one| !one.answered),
            format!("{:.1}", 100.0 * sum(2) as f64 / sum(3).max(1) as f64),
            format!("{}/{}", sum(0), sum(1)),
            format!("{:.2}", slowest(&mut outcomes.iter())),
        ]
    };
    let table: Vec<Vec<String>> = rows.iter().map(line).collect();
    if !table.is_empty() {
        print_table(out, &TITLES, &table)?;
        let share = |is_kind: &dyn Fn(&Kind) -> bool| {
            let of = rows.iter().filter(|(kind, _)| is_kind(kind)).flat_map(|(_, outcomes)| outcomes);
            let (right, of) =
                of.fold((0usize, 0usize), |(right, of), one| (right + usize::from(one.right), of + 1));
            format!("{right} of {of} right ({:.1}%)", 100.0 * right as f64 / of.max(1) as f64)
        };
        writeln!(
            out,
            "\nAll kinds: {}; mild ones: {}.",
            share(&|_| true),
            share(&|kind| kind.strength == Strength::Mild)
        )?;
        let sure = all().filter(|one| one.answered && one.confidence >= SURE);
        let (wrong, sure) =
            sure.fold((0usize, 0usize), |(wrong, sure), one| (wrong + usize::from(!one.right), sure + 1));
        writeln!(out, "Of {sure} answers that were sure to {SURE} or more, {wrong} were wrong.")?;
    }
    if !others.is_empty() {
        let answered: Vec<&str> =
            others.iter().filter(|(_, one)| one.answered).map(|(what, _)| *what).collect();
        let pictures = count(others.len(), "picture");
        writeln!(
            out,
            "Of {pictures} that are no boards, {} were answered{}.",
            answered.len(),
            match answered.is_empty() {
                true => String::new(),
                false => format!(": {}", answered.join(", ")),
            }
        )?;
    }
    let seconds = slowest(&mut all().chain(others.iter().map(|(_, one)| one)));
    writeln!(out, "The slowest took {seconds:.2} s on the clock.")
}

const TITLES: [&str; 9] =
    ["kind", "strength", "boards", "right", "wrong", "refused", "% misread", "missed/extra", "slowest s"];
