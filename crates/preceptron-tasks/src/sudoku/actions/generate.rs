//! `precept data sudoku generate`: random boards with one solution.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use preceptron::{Action, Group, TaskResult, bail, check_new, ensure, write_new};
use preceptron_base::{Control, choices, settings};

use crate::sudoku::{self, Spread};

/// Generates boards with one solution.
pub struct GenerateBoards;

choices! {
    /// Givens as in known data sets.
    pub enum Preset: Satnet {
        /// 31 to 42 givens, like the boards of SATNet.
        Satnet = "satnet",
        /// 17 to 34 givens, towards minimal, like those of recurrent relational networks.
        Rrn = "rrn",
    }
}

impl Preset {
    /// All of them.
    pub const ALL: [Preset; 2] = [Preset::Satnet, Preset::Rrn];

    /// How many givens its boards have.
    pub fn spread(self) -> Spread {
        match self {
            Preset::Satnet => Spread::SATNET,
            Preset::Rrn => Spread::RRN,
        }
    }
}

settings! {
    /// What is generated, and where to.
    pub struct GenerateSettings {
        /// The order: 2 for 4 x 4 cells, 3 for 9 x 9, 4 for 16 x 16.
        order: u8 = 3, "N" in 2..=4;
        /// How many boards.
        count: u32 = 1000, "N" in 1..=1_000_000;
        /// How many givens [default: 31-42; 5-8 for order 2, 110-151 for order 4].
        givens: Option<RangeInclusive<usize>> = None, "FROM-TO";
        /// Take a board of which no given can be spared though it has more than its number.
        towards_minimal: bool = false;
        /// Givens as in known data sets: 31-42, or 17-34 towards minimal.
        preset: Option<Preset> = None, "PRESET";
        /// The seed of all random choices.
        seed: u64 = 0, "N";
        /// The file to write, .csv or .csv.gz [default: standard output].
        out: Option<PathBuf> = None, "FILE";
        /// Overwrite the file.
        force: bool = false;
    }
}

impl GenerateSettings {
    fn spread(&self) -> TaskResult<Spread> {
        let order = usize::from(self.order);
        if let Some(preset) = self.preset {
            let name = preset.word();
            ensure!(order == 3, "--preset {name} is for boards of order 3");
            ensure!(self.givens.is_none(), "--preset {name} says how many givens there are, not --givens");
            ensure!(!self.towards_minimal, "--preset {name} says so itself, not --towards-minimal");
            return Ok(preset.spread());
        }
        let mut spread = Spread::of_order(order);
        spread.towards_minimal = self.towards_minimal;
        if let Some(givens) = &self.givens {
            let cells = order.pow(4);
            ensure!(*givens.end() <= cells, "--givens: a board of order {order} has {cells} cells");
            spread.givens = givens.clone();
        }
        Ok(spread)
    }
}

impl Action for GenerateBoards {
    const GROUP: Group = Group::Data;
    const NAME: &'static str = "generate";
    const ABOUT: &'static str = "Generate Sudoku boards with one solution.";
    const HELP: &'static str = "\
Examples:
  precept data sudoku generate --count 5
  precept data sudoku generate --count 10000 --givens 31-42 --seed 1 --out boards.csv.gz
  precept data sudoku generate --count 1000 --preset rrn --out hard.csv
  precept data sudoku generate --order 4 --count 20 --out large.csv

Each board draws its number of givens from the range. Board 7 of a seed is the same however many are made,
on any number of threads. A line is `puzzle,solution`; 0 is a blank, and A to G are 10 to 16.
Ctrl-C ends the work; the boards made until then are written.
Exit codes: 0 all made, 1 fewer than asked for, 2 error.";
    type Settings = GenerateSettings;

    fn run(settings: &GenerateSettings, out: &mut dyn Write, control: &dyn Control) -> TaskResult<bool> {
        let spread = settings.spread()?;
        // What cannot be written is said before the work is done.
        let destination = match &settings.out {
            Some(path) => Some((path, is_gzip(path)?)),
            None => None,
        };
        if let Some((path, _)) = destination {
            check_new(path, settings.force)?;
        }
        let count = settings.count as usize;
        let boards = sudoku::puzzles(settings.order.into(), &spread, count, settings.seed, control)?;
        let text = sudoku::write_csv(&boards);
        match destination {
            None => out.write_all(text.as_bytes())?,
            Some((path, is_gzip)) => {
                let bytes = if is_gzip { gzip(text.as_bytes())? } else { text.into_bytes() };
                write_new(path, settings.force, &bytes)?;
                writeln!(out, "{} boards written to {}", boards.len(), path.display())?;
            }
        }
        debug_assert!(boards.len() == count || control.is_cancelled());
        Ok(boards.len() == count)
    }
}

fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Whether the file is to be compressed.
fn is_gzip(path: &Path) -> TaskResult<bool> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("gz") => Ok(true),
        Some("csv") => Ok(false),
        _ => bail!("{}: boards are written to .csv or .csv.gz", path.display()),
    }
}
