//! `precept data sudoku draw`: boards as pictures.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use preceptron::words::count;
use preceptron::{Action, Context, Group, TaskError, TaskResult, check_new_png, ensure, write_new};
use preceptron_base::{Control, quoted, settings};

use crate::mnist::{Digits, Mnist};
use crate::picture::Picture;
use crate::sudoku::{self, Face, Puzzle, Spread};

/// Draws boards as a PNG: givens as handwritten digits.
pub struct DrawBoards;

settings! {
    /// What is drawn, and where to.
    pub struct DrawSettings {
        /// Boards from a file of lines `puzzle,solution`, also .xz and .gz [default: boards are generated].
        file: Option<PathBuf> = None, "<FILE>";
        /// Which boards, counted from 1.
        rows: RangeInclusive<usize> = 1..=12, "FROM-TO";
        /// How many boards side by side.
        columns: u16 = 4, "N" in 1..=100;
        /// The file to write.
        out: Option<PathBuf> = None, "FILE.png";
        /// The seed that chooses the pictures, and boards without a file.
        seed: u64 = 0, "N";
        /// A folder with another copy of MNIST.
        mnist: Option<PathBuf> = None, "DIR";
        /// Take pictures that are for tests, not for training.
        test_images: bool = false;
        /// Print the digits of the solution into the other cells.
        solution: bool = false;
        /// Light digits on a dark ground, as MNIST has them.
        negative: bool = false;
        /// Overwrite the file.
        force: bool = false;
    }
}

/// The most boards on one sheet.
const MOST: usize = 1000;

impl Action for DrawBoards {
    const GROUP: Group = Group::Data;
    const NAME: &'static str = "draw";
    const ABOUT: &'static str = "Draw boards as a PNG: givens as handwritten digits.";
    const HELP: &'static str = "\
Examples:
  precept data sudoku draw --rows 1 --test-images --out board.png   one board, as precept solve reads it
  precept data sudoku draw boards.csv.gz --rows 1-12 --out sheet.png
  precept data sudoku draw boards.csv.gz --solution --out answers.png

Without a file, boards are generated from the seed. Cells are of 28 x 28 pixels. Digits above 9, for which
MNIST has no pictures, are printed, and with them the whole board.
Exit codes: 0 drawn, 2 error.";
    type Settings = DrawSettings;

    fn run(settings: &DrawSettings, out: &mut dyn Write, control: &dyn Control) -> TaskResult<bool> {
        let path = settings.out.as_deref().context("--out FILE.png: the file to write is missing")?;
        check_new_png(path, settings.force)?;
        let (first, boards) = boards(settings, control)?;
        if boards.is_empty() {
            // Stopped before the first of them was there.
            return Ok(false);
        }
        let mnist = settings.mnist.as_deref().map(Mnist::read).transpose()?.unwrap_or_else(Mnist::embedded);
        let digits = if settings.test_images { &mnist.test } else { &mnist.train };
        let drawn = (first..).zip(&boards).map(|(number, board)| draw(settings, board, digits, number));
        let sheet = sudoku::sheet(&drawn.collect::<Result<Vec<_>, _>>()?, settings.columns.into());
        let sheet = if settings.negative { sheet } else { sudoku::on_paper(&sheet) };
        write_new(path, settings.force, &sheet.to_png()?)?;
        tell(settings, path, &sheet, &boards, out)?;
        Ok(true)
    }
}

/// What was drawn, and how it can be solved.
fn tell(
    settings: &DrawSettings,
    path: &Path,
    sheet: &Picture,
    boards: &[Puzzle],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let (path, width, height) = (path.display().to_string(), sheet.width(), sheet.height());
    writeln!(out, "{} drawn to {path}, {width} x {height} pixels", count(boards.len(), "board"))?;
    match boards {
        [board] if board.givens.order() == 3 && !settings.solution => {
            writeln!(out, "\nNext:\n  precept solve RUN {}", quoted(&path))
        }
        _ => Ok(()),
    }
}

/// The boards asked for, and the number of the first, from 0.
fn boards(settings: &DrawSettings, control: &dyn Control) -> TaskResult<(usize, Vec<Puzzle>)> {
    let (from, to) = (*settings.rows.start(), *settings.rows.end());
    ensure!(from > 0, "--rows: boards are counted from 1");
    ensure!(to - from < MOST, "--rows: {MOST} boards are the most for a sheet");
    let Some(file) = &settings.file else {
        ensure!(to <= 1_000_000, "--rows: 1000000 boards are the most to generate");
        let mut all = sudoku::puzzles(3, &Spread::SATNET, to, settings.seed, control)?;
        let chosen = all.split_off((from - 1).min(all.len()));
        return Ok((from - 1, chosen));
    };
    let shown = file.display();
    let text = sudoku::read_text(file)?;
    let chosen = sudoku::read_lines(&text).skip(from - 1).take(to - from + 1);
    let board = |(line, board): (usize, Result<Puzzle, String>)| {
        board.map_err(|what| TaskError::new(format!("{shown}: line {line}: {what}")))
    };
    let boards = chosen.map(board).collect::<Result<Vec<_>, _>>()?;
    ensure!(!boards.is_empty(), "{shown}: there is no board {from} in it");
    Ok((from - 1, boards))
}

/// A board; which pictures stand in it depends on the seed and its number.
fn draw(settings: &DrawSettings, board: &Puzzle, digits: &Digits, number: usize) -> TaskResult<Picture> {
    let order = board.givens.order();
    let pictures = match order {
        2 | 3 => sudoku::pictures(board, digits, settings.seed, number)
            .context(format_args!("board {}", number + 1))?,
        _ => vec![None; board.givens.digits().len()],
    };
    let cells = board.givens.digits().iter().zip(board.solution.digits()).zip(pictures);
    let face = |((&given, &digit), picture): ((&u8, &u8), Option<Vec<u8>>)| match picture {
        Some(picture) => Face::Given(picture),
        None if given > 0 => Face::Printed(given),
        None if settings.solution => Face::Found(digit),
        None => Face::Blank,
    };
    Ok(sudoku::draw_board(order, &cells.map(face).collect::<Vec<_>>()))
}
