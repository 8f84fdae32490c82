//! `precept data generate`: random boards with one solution.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use clap::Args;
use clap::builder::PossibleValuesParser;
use flate2::Compression;
use flate2::write::GzEncoder;
use preceptron_base::Control;
use preceptron_tasks::sudoku::{self, Spread};

use super::list::PRESETS;
use super::range::range;
use crate::Answer;
use crate::output::Destination;
use crate::progress::Progress;

/// Generate Sudoku boards with one solution.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept data generate --count 5
  precept data generate --count 10000 --givens 31-42 --seed 1 --out boards.csv.gz
  precept data generate --count 1000 --preset rrn --out hard.csv
  precept data generate --order 4 --count 20 --out large.csv

Each board draws its number of givens from the range. Board 7 of a seed is the same however many are made,
on any number of threads. A line is `puzzle,solution`; 0 is a blank, and A to G are 10 to 16.
Ctrl-C ends the work; the boards made until then are written.
Exit codes: 0 all made, 1 fewer than asked for, 2 error.")]
pub struct Arguments {
    /// The order: 2 for 4 x 4 cells, 3 for 9 x 9, 4 for 16 x 16.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..=4))]
    order: u8,
    /// How many boards.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// How many givens [default: 31-42; 5-8 for order 2, 110-151 for order 4].
    #[arg(long, value_name = "FROM-TO", value_parser = range)]
    givens: Option<RangeInclusive<usize>>,
    /// Take a board of which no given can be spared though it has more than its number.
    #[arg(long)]
    towards_minimal: bool,
    /// Givens as in known data sets: 31-42, or 17-34 towards minimal.
    #[arg(long, value_parser = PossibleValuesParser::new(PRESETS.map(|(name, _)| name)), conflicts_with_all = ["givens", "towards_minimal"])]
    preset: Option<String>,
    /// The seed of all random choices.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The file to write, .csv or .csv.gz [default: standard output].
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite the file.
    #[arg(long)]
    force: bool,
}

impl Arguments {
    fn spread(&self) -> anyhow::Result<Spread> {
        let order = usize::from(self.order);
        let preset = PRESETS.into_iter().find(|(name, _)| self.preset.as_deref() == Some(name));
        if let Some((name, spread)) = preset {
            ensure!(order == 3, "--preset {name} is for boards of order 3");
            return Ok(spread);
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

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let spread = arguments.spread()?;
    let destination = match &arguments.out {
        Some(path) => Some((path, is_gzip(path)?, Destination::check(path, arguments.force)?)),
        None => None,
    };
    let progress = Progress::new(crate::interrupt::flag()?);
    let count = arguments.count as usize;
    let boards = sudoku::puzzles(arguments.order.into(), &spread, count, arguments.seed, &progress)?;
    progress.finish();
    let text = sudoku::write_csv(&boards);
    match destination {
        None => out.write_all(text.as_bytes())?,
        Some((path, is_gzip, destination)) => {
            if is_gzip {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(text.as_bytes())?;
                destination.write(&encoder.finish()?)?;
            } else {
                destination.write(text.as_bytes())?;
            }
            writeln!(out, "{} boards written to {}", boards.len(), path.display())?;
        }
    }
    debug_assert!(boards.len() == count || progress.is_cancelled());
    Ok(if boards.len() == count { Answer::Yes } else { Answer::No })
}

/// Whether the file is to be compressed.
fn is_gzip(path: &Path) -> anyhow::Result<bool> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("gz") => Ok(true),
        Some("csv") => Ok(false),
        _ => bail!("{}: boards are written to .csv or .csv.gz", path.display()),
    }
}
