//! `precept data draw`: boards as pictures.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Context, anyhow, ensure};
use clap::Args;
use preceptron_base::Quiet;
use preceptron_tasks::mnist::{Digits, Mnist};
use preceptron_tasks::picture::Picture;
use preceptron_tasks::sudoku::{self, Face, Puzzle, Spread};

use super::range::range;
use crate::Answer;
use crate::output::Destination;
use crate::present::{count, quoted};

/// Draw boards as a PNG: givens as handwritten digits.
#[derive(Args)]
#[command(after_help = "\
Examples:
  precept data draw --rows 1 --test-images --out board.png     one board, as precept solve reads it
  precept data draw boards.csv.gz --rows 1-12 --columns 4 --out sheet.png
  precept data draw boards.csv.gz --solution --out answers.png

Without a file, boards are generated from the seed. Cells are of 28 x 28 pixels. Digits above 9, for which
MNIST has no pictures, are printed, and with them the whole board.
Exit codes: 0 drawn, 2 error.")]
pub struct Arguments {
    /// Boards from a file of lines `puzzle,solution`, also .xz and .gz [default: boards are generated].
    file: Option<PathBuf>,
    /// Which boards, counted from 1.
    #[arg(long, value_name = "FROM-TO", value_parser = range, default_value = "1-12")]
    rows: RangeInclusive<usize>,
    /// How many boards side by side.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=100))]
    columns: u16,
    /// The file to write.
    #[arg(long, short, value_name = "FILE.png")]
    out: PathBuf,
    /// The seed that chooses the pictures, and boards without a file.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// A folder with another copy of MNIST.
    #[arg(long, value_name = "DIR")]
    mnist: Option<PathBuf>,
    /// Take pictures that are for tests, not for training.
    #[arg(long)]
    test_images: bool,
    /// Print the digits of the solution into the other cells.
    #[arg(long)]
    solution: bool,
    /// Light digits on a dark ground, as MNIST has them.
    #[arg(long)]
    negative: bool,
    /// Overwrite the file.
    #[arg(long)]
    force: bool,
}

/// The most boards on one sheet.
const MOST: usize = 1000;

pub fn run(arguments: &Arguments, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let destination = Destination::check(&arguments.out, arguments.force)?;
    let (first, boards) = boards(arguments)?;
    let mnist = arguments.mnist.as_deref().map(Mnist::read).transpose()?.unwrap_or_else(Mnist::embedded);
    let digits = if arguments.test_images { &mnist.test } else { &mnist.train };
    let drawn = (first..).zip(&boards).map(|(number, board)| draw(arguments, board, digits, number));
    let sheet = sudoku::sheet(&drawn.collect::<Result<Vec<_>, _>>()?, arguments.columns.into());
    let sheet = if arguments.negative { sheet } else { sudoku::on_paper(&sheet) };
    destination.write(&sheet.to_png()?)?;
    let path = arguments.out.display().to_string();
    let (width, height) = (sheet.width(), sheet.height());
    writeln!(out, "{} drawn to {path}, {width} x {height} pixels", count(boards.len(), "board"))?;
    if let [board] = &boards[..]
        && board.givens.order() == 3
        && !arguments.solution
    {
        writeln!(out, "\nNext:\n  precept solve RUN {}", quoted(&path))?;
    }
    Ok(Answer::Yes)
}

/// The boards asked for, and the number of the first, from 0.
fn boards(arguments: &Arguments) -> anyhow::Result<(usize, Vec<Puzzle>)> {
    let (from, to) = (*arguments.rows.start(), *arguments.rows.end());
    ensure!(from > 0, "--rows: boards are counted from 1");
    ensure!(to - from < MOST, "--rows: {MOST} boards are the most for a sheet");
    let Some(file) = &arguments.file else {
        ensure!(to <= 1_000_000, "--rows: 1000000 boards are the most to generate");
        let mut all = sudoku::puzzles(3, &Spread::SATNET, to, arguments.seed, &Quiet)?;
        return Ok((from - 1, all.split_off(from - 1)));
    };
    let shown = file.display();
    let text = sudoku::read_text(file)?;
    let chosen = sudoku::read_lines(&text).skip(from - 1).take(to - from + 1);
    let board = |(line, board): (usize, Result<Puzzle, String>)| {
        board.map_err(|what| anyhow!("{shown}: line {line}: {what}"))
    };
    let boards = chosen.map(board).collect::<Result<Vec<_>, _>>()?;
    ensure!(!boards.is_empty(), "{shown}: there is no board {from} in it");
    Ok((from - 1, boards))
}

/// A board; which pictures stand in it depends on the seed and its number.
fn draw(arguments: &Arguments, board: &Puzzle, digits: &Digits, number: usize) -> anyhow::Result<Picture> {
    let order = board.givens.order();
    let pictures = match order {
        2 | 3 => sudoku::pictures(board, digits, arguments.seed, number)
            .with_context(|| format!("board {}", number + 1))?,
        _ => vec![None; board.givens.digits().len()],
    };
    let cells = board.givens.digits().iter().zip(board.solution.digits()).zip(pictures);
    let face = |((&given, &digit), picture): ((&u8, &u8), Option<Vec<u8>>)| match picture {
        Some(picture) => Face::Given(picture),
        None if given > 0 => Face::Printed(given),
        None if arguments.solution => Face::Found(digit),
        None => Face::Blank,
    };
    Ok(sudoku::draw_board(order, &cells.map(face).collect::<Vec<_>>()))
}
