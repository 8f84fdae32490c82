//! Tables with pictures to begin with.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use preceptron::{Action, AnyAction, Context, Group, TaskResult, bail, ensure};
use preceptron_base::{Control, quoted, settings, stream_at, write_whole};

use super::latin::{SIGNS, sign, square};
use crate::addition::AdditionSettings;
use crate::addition::Operation;
use crate::handwriting::Handwriting;
use crate::mnist::{self, Mnist};
use crate::picture::Picture;
use crate::sudoku;

/// What can be done beside training.
pub static ACTIONS: &[&dyn AnyAction] = &[&Latin, &SudokuBoards, &Addition];

/// A folder with a table and the pictures of its rows.
struct Folder<'a> {
    path: &'a Path,
    table: String,
}

impl Folder<'_> {
    /// An empty folder, and a table of these columns.
    fn new<'a>(path: Option<&'a PathBuf>, columns: &[String]) -> TaskResult<Folder<'a>> {
        let Some(path) = path else { bail!("no folder is named; --out DIR") };
        let shown = path.display();
        ensure!(!path.exists(), "{shown}: is already there; name a new folder");
        std::fs::create_dir_all(path.join("rows")).context(&shown)?;
        let columns: Vec<String> = columns.iter().map(|name| format!("\"{name}\"")).collect();
        Ok(Folder { path, table: columns.join(",") + "\n" })
    }

    /// Adds a row: the pictures of its cells side by side in one file, where it has some, and values.
    fn add(&mut self, row: usize, cells: Vec<Result<Picture, String>>) -> TaskResult<()> {
        let pictures: Vec<&Picture> = cells.iter().filter_map(|cell| cell.as_ref().ok()).collect();
        let name = format!("rows/{:05}.png", row + 1);
        let (mut x, height) = (0, pictures.iter().map(|one| one.height()).max().unwrap_or(1));
        let mut sheet = Picture::new(pictures.iter().map(|one| one.width()).sum::<usize>().max(1), height, 0);
        let mut fields = Vec::new();
        for cell in &cells {
            match cell {
                Err(value) => fields.push(value.clone()),
                Ok(picture) => {
                    sheet.paste(x, 0, picture);
                    fields.push(format!("\"{name}#{x},0,{},{}\"", picture.width(), picture.height()));
                    x += picture.width();
                }
            }
        }
        write_whole(&self.path.join(&name), &sheet.to_png()?).context(self.path.display())?;
        writeln!(self.table, "{}", fields.join(",")).context("a row")
    }

    /// Writes the table, and says what there is.
    fn finish(self, rows: usize, out: &mut dyn Write) -> TaskResult<bool> {
        write_whole(&self.path.join("table.csv"), self.table.as_bytes()).context(self.path.display())?;
        let shown = quoted(&self.path.display().to_string());
        writeln!(
            out,
            "{rows} rows in {shown}/table.csv, their pictures beside it\n\nNext:\n  precept train {shown}"
        )?;
        Ok(true)
    }
}

fn columns(side: usize) -> Vec<String> {
    let name = |cell: usize| format!("cell[row {}, column {}]", cell / side + 1, cell % side + 1);
    (0..side * side).map(name).collect()
}

/// Latin squares of signs.
pub struct Latin;

settings! {
    /// Which squares are made.
    pub struct LatinSettings {
        /// The folder to write.
        out: Option<PathBuf> = None, "DIR";
        /// How many rows, a square each.
        rows: usize = 600, "N" in 2..=100_000;
        /// Rows, columns and signs of a square.
        side: usize = 4, "N" in 4..=6;
        /// The seed of all random choices.
        seed: u64 = 0, "N";
    }
    with { hand: Handwriting as "Other handwriting" }
}

impl Action for Latin {
    const GROUP: Group = Group::Data;
    const NAME: &'static str = "latin";
    const ABOUT: &'static str = "Write a table of Latin squares of drawn signs, half of them pictures.";
    const HELP: &'static str = "\
Example:
  precept data table latin --out squares
  precept train squares/table.csv

A row is a square. Half of its cells are pictures of signs, which leave one completion; the others have the
signs' names.";
    type Settings = LatinSettings;

    fn run(settings: &LatinSettings, out: &mut dyn Write, control: &dyn Control) -> TaskResult<bool> {
        let LatinSettings { rows, side, seed, .. } = *settings;
        let mut folder = Folder::new(settings.out.as_ref(), &columns(side))?;
        control.stage("drawing squares", rows as u64);
        for row in 0..rows {
            ensure!(!control.is_cancelled(), "interrupted before all rows were written");
            let square = square(side, seed, row as u64);
            let cell = |cell: usize| {
                let digit = usize::from(square.digits[cell]) - 1;
                match square.pictured.contains(&cell) {
                    true => {
                        let place = [row as u64, cell as u64];
                        let drawn = sign(digit, &mut stream_at(seed, "drawn signs", &place));
                        Ok(settings.hand.written(&drawn, seed, place[0], place[1]))
                    }
                    false => Err(SIGNS[digit].to_owned()),
                }
            };
            folder.add(row, (0..side * side).map(cell).collect())?;
            control.advance(1);
        }
        folder.finish(rows, out)
    }
}

/// Boards of Sudoku.
pub struct SudokuBoards;

settings! {
    /// Which boards are written.
    pub struct SudokuBoardsSettings {
        /// The folder to write.
        out: Option<PathBuf> = None, "DIR";
        /// Boards from a file of lines `puzzle,solution`, also .xz and .gz [default: boards are generated].
        boards: Option<PathBuf> = None, "FILE";
        /// How many boards.
        count: usize = 1500, "N" in 2..=1_000_000;
        /// The side of a box.
        order: usize = 3, "N" in 2..=3;
        /// A folder with another copy of MNIST.
        mnist: Option<PathBuf> = None, "DIR";
        /// Take pictures of digits that are for tests, not for training.
        test_images: bool = false;
        /// Leave the other cells empty: pictures without an answer.
        no_answers: bool = false;
        /// The seed of all random choices.
        seed: u64 = 0, "N";
    }
    with { hand: Handwriting as "Other handwriting" }
}

impl Action for SudokuBoards {
    const GROUP: Group = Group::Data;
    const NAME: &'static str = "sudoku";
    const ABOUT: &'static str = "Write a table of Sudoku boards whose givens are pictures of digits.";
    const HELP: &'static str = "\
Example:
  precept data table sudoku --count 1500 --out boards
  precept train boards/table.csv
  precept data table sudoku --slant 30 --test-images --out leaning

A row is a board: its givens are pictures of MNIST, the other cells have their digits. --slant, --thickness, --scale,
--off-centre and --scan make handwriting that is another one, a writer for each board.";
    type Settings = SudokuBoardsSettings;

    fn run(settings: &SudokuBoardsSettings, out: &mut dyn Write, control: &dyn Control) -> TaskResult<bool> {
        let SudokuBoardsSettings { count, order, seed, .. } = *settings;
        let mut folder = Folder::new(settings.out.as_ref(), &columns(sudoku::side(order)))?;
        let mnist = settings.mnist.as_deref().map(Mnist::read).transpose()?.unwrap_or_else(Mnist::embedded);
        let boards = match &settings.boards {
            Some(file) => sudoku::read_boards(file, order)?,
            None => sudoku::puzzles(order, &sudoku::Spread::of_order(order), count, seed, control)?,
        };
        ensure!(!control.is_cancelled(), "interrupted before all boards were drawn");
        let boards = &boards[..count.min(boards.len())];
        let digits = if settings.test_images { &mnist.test } else { &mnist.train };
        let scenes = sudoku::scenes(order, boards, digits, seed)?;
        control.stage("writing boards", boards.len() as u64);
        for (row, board) in boards.iter().enumerate() {
            ensure!(!control.is_cancelled(), "interrupted before all rows were written");
            let mut cells: Vec<Result<Picture, String>> =
                board.solution.digits().iter().map(|digit| Err(digit.to_string())).collect();
            if settings.no_answers {
                cells.iter_mut().for_each(|cell| *cell = Err(String::new()));
            }
            for sight in scenes.sights(row) {
                let pixels = digits.image(sight.picture as usize).to_vec();
                let picture = Picture::from_pixels(mnist::SIDE, pixels);
                cells[sight.place as usize] =
                    Ok(settings.hand.written(&picture, seed, row as u64, sight.place.into()));
            }
            folder.add(row, cells)?;
            control.advance(1);
        }
        folder.finish(boards.len(), out)
    }
}

/// Pairs of pictures and an answer each.
pub struct Addition;

settings! {
    /// Which pairs are written.
    pub struct AdditionTableSettings {
        /// The folder to write.
        out: Option<PathBuf> = None, "DIR";
        /// How many pairs.
        count: usize = 3000, "N" in 40..=1_000_000;
        /// What the answers are.
        operation: Operation = Operation::Sum, "OPERATION";
        /// Digits of each of the two numbers, a picture each.
        digits: usize = 1, "N" in 1..=2;
        /// The share of answers that are made wrong.
        wrong: f64 = 0.0, "SHARE" in 0.0..=0.5;
        /// A folder with another copy of MNIST, or of data in its format.
        mnist: Option<PathBuf> = None, "DIR";
        /// The seed of all random choices.
        seed: u64 = 0, "N";
    }
}

impl Action for Addition {
    const GROUP: Group = Group::Data;
    const NAME: &'static str = "addition";
    const ABOUT: &'static str =
        "Write a table of pairs of pictures and their sum, or what another operator makes of them.";
    const HELP: &'static str = "\
Example:
  precept data table addition --out pairs
  precept train pairs/table.csv --symbols 10

A row has two pictures of MNIST's digits and one number. What a picture shows is nowhere in the table.";
    type Settings = AdditionTableSettings;

    fn run(settings: &AdditionTableSettings, out: &mut dyn Write, control: &dyn Control) -> TaskResult<bool> {
        let AdditionTableSettings { count, operation, digits, wrong, seed, .. } = *settings;
        let mnist = settings.mnist.clone();
        let plan = AdditionSettings {
            operation,
            digits,
            pairs: count,
            wrong,
            seed,
            mnist,
            ..AdditionSettings::default()
        }
        .plan()?;
        let mnist = plan.mnist()?;
        let puzzles = plan.to_write(&mnist)?;
        let columns: Vec<String> = puzzles.places.iter().cloned().chain([plan.answer.to_owned()]).collect();
        let mut folder = Folder::new(settings.out.as_ref(), &columns)?;
        control.stage("writing pairs", count as u64);
        for (row, pictures) in puzzles.pictures.chunks_exact(puzzles.places.len()).enumerate() {
            ensure!(!control.is_cancelled(), "interrupted before all rows were written");
            let picture = |number: &u32| {
                Ok(Picture::from_pixels(mnist::SIDE, mnist.train.image(*number as usize).to_vec()))
            };
            let told = puzzles.answers[0].labels[puzzles.told[row] as usize].clone();
            folder.add(row, pictures.iter().map(picture).chain([Err(told)]).collect())?;
            control.advance(1);
        }
        folder.finish(count, out)
    }
}
