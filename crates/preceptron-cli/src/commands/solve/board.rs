//! `precept solve RUN board.png`: a picture of a board, read by the run's network and solved by its rules.

use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, bail, ensure};
use preceptron::Run;
use preceptron_reason::{Limits, Status};
use preceptron_tasks::picture::Picture;
use preceptron_tasks::sudoku::reading::Reading;
use preceptron_tasks::sudoku::{self, BoardSolver, CellPictures, Face};

use super::Arguments;
use crate::Answer;
use crate::output::Destination;
use crate::present::board::{BoardAnswer, Other};
use crate::sudoku_run::RunSettings;

/// Where a board comes from, and which cell is to be explained.
pub struct Board<'a> {
    /// The picture, or the directory of pictures of cells.
    source: &'a Path,
    is_directory: bool,
    cell: Option<usize>,
}

impl<'a> Board<'a> {
    /// The board of the arguments, if they have one.
    pub fn of(arguments: &'a Arguments) -> anyhow::Result<Option<Board<'a>>> {
        let (picture, cell) = match (&arguments.cells, arguments.picture.as_deref(), &arguments.cell) {
            // What follows --explain comes as if it were the picture.
            (Some(_), Some(cell), None) => (None, Some(cell.to_string_lossy())),
            (Some(_), Some(_), Some(_)) => bail!("a picture of the board or --cells, not both"),
            (_, picture, cell) => (picture, cell.as_deref().map(Into::into)),
        };
        let Some(source) = picture.or(arguments.cells.as_deref()) else {
            ensure!(arguments.out.is_none(), "--out goes with a picture of a board");
            return Ok(None);
        };
        let cell = match (arguments.explain, cell) {
            (true, Some(cell)) => Some(number(&cell)?),
            (true, None) => bail!("--explain: say which cell, such as r3c5"),
            (false, Some(cell)) => bail!("{cell:?}: there is one picture; --explain takes a cell"),
            (false, None) => None,
        };
        Ok(Some(Board { source, is_directory: picture.is_none(), cell }))
    }

    fn pictures(&self) -> anyhow::Result<CellPictures> {
        let shown = self.source.display();
        if !self.is_directory {
            ensure!(!self.source.is_dir(), "{shown}: is a directory; pictures of cells go with --cells");
            let picture = picture(self.source)?.with_context(|| format!("{shown}: no such file"))?;
            return sudoku::cells_of_board(3, &picture).with_context(|| shown.to_string());
        }
        ensure!(self.source.is_dir(), "{shown}: no such directory");
        let patch = |cell: usize| {
            let name = format!("r{}c{}.png", cell / 9 + 1, cell % 9 + 1);
            let patch = picture(&self.source.join(&name))?;
            if let Some(patch) = &patch {
                let (width, height) = (patch.width(), patch.height());
                ensure!(width.min(height) >= 8, "{shown}/{name}: {width} x {height} pixels are too few");
            }
            Ok(patch)
        };
        let patches = (0..81).map(patch).collect::<anyhow::Result<Vec<_>>>()?;
        ensure!(patches.iter().any(Option::is_some), "{shown}: no file r1c1.png to r9c9.png has a picture");
        sudoku::cells_of_patches(patches).with_context(|| shown.to_string())
    }
}

/// A cell's number from its name.
fn number(name: &str) -> anyhow::Result<usize> {
    let lower = name.to_ascii_lowercase();
    let parts = lower.strip_prefix('r').and_then(|rest| rest.split_once('c'));
    let line = |text: &str| text.parse::<usize>().ok().filter(|line| (1..=9).contains(line));
    match parts.map(|(row, column)| (line(row), line(column))) {
        Some((Some(row), Some(column))) => Ok(9 * (row - 1) + column - 1),
        _ => bail!("--explain: there is no cell {name:?}; the cells are r1c1 to r9c9"),
    }
}

/// A picture; nothing if there is no such file or nothing in it.
fn picture(path: &Path) -> anyhow::Result<Option<Picture>> {
    match std::fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| path.display().to_string()),
        Ok(bytes) if bytes.is_empty() => Ok(None),
        Ok(bytes) => Ok(Some(Picture::from_png(&bytes).with_context(|| path.display().to_string())?)),
    }
}

pub fn run(arguments: &Arguments, board: &Board<'_>, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let run = Run::open(&arguments.source)?;
    if run.task() != "sudoku" {
        bail!("{}: is a run of {}; boards need one of sudoku", arguments.source.display(), run.task());
    }
    let settings: RunSettings = run.settings()?;
    let side = sudoku::side(settings.order);
    let name = arguments.source.display();
    ensure!(side == 9, "{name}: is a run on boards of {side} x {side}; pictures are read of those of 9 x 9");
    let destination =
        arguments.out.as_deref().map(|path| Destination::check(path, arguments.force)).transpose()?;
    let cells = board.pictures()?;
    let mut classifier = settings.classifier()?;
    classifier.load(&run.network()?)?;
    let readings = sudoku::read_cells(&cells, &*classifier)?;
    let limits = Limits { time: arguments.time, ..Limits::default() };
    let mut solver = BoardSolver::new(3, &run.rules(None)?, arguments.backend, limits)
        .with_context(|| arguments.source.display().to_string())?;
    let answer = solve(&mut solver, &readings, board.cell)?;
    if let (Some(destination), Some(digits)) = (&destination, &answer.board) {
        let faces = faces(&cells, &readings, digits);
        destination.write(&sudoku::on_paper(&sudoku::draw_board(3, &faces)).to_png()?)?;
    }
    let is_solved = answer.board.as_ref().is_some_and(|board| board.iter().all(|&digit| digit > 0));
    if arguments.json {
        let mut object = answer.json(solver.problem());
        object["run"] = serde_json::json!(arguments.source);
        object["source"] = serde_json::json!(board.source);
        serde_json::to_writer(&mut *out, &object)?;
        writeln!(out)?;
    } else {
        writeln!(out, "{}: {} givens were read", board.source.display(), readings.len())?;
        answer.print(solver.problem(), arguments.show, out)?;
        if let (Some(path), true) = (&arguments.out, answer.board.is_some()) {
            writeln!(out, "Drawn to {}.", path.display())?;
        }
    }
    Ok(if is_solved { Answer::Yes } else { Answer::No })
}

fn solve(solver: &mut BoardSolver, readings: &[Reading], cell: Option<usize>) -> anyhow::Result<BoardAnswer> {
    let (status, board) = solver.solve(readings)?;
    let given: Vec<usize> = readings.iter().map(|reading| reading.cell).collect();
    let read = |reading: &Reading| {
        let digit = reading.digit();
        (reading.cell, digit as u8, reading.probabilities[digit - 1] as f32)
    };
    let mut answer = BoardAnswer {
        status,
        readings: readings.iter().map(read).collect(),
        other: Other::Unknown,
        why: None,
        board,
    };
    let Some(board) = &answer.board else { return Ok(answer) };
    answer.other = match solver.another(&given, board)? {
        (_, Some(other)) => {
            let differs = (0..board.len()).find(|&cell| other[cell] != board[cell]);
            differs.map_or(Other::Unknown, |cell| Other::Differs(cell, other[cell]))
        }
        (Status::Infeasible, None) => Other::None,
        (_, None) => Other::Unknown,
    };
    if let Some(cell) = cell.filter(|&cell| board[cell] > 0) {
        let why = solver.why(readings, board, cell)?;
        let step = solver.last_step(&given, board, cell)?;
        answer.why = Some((cell, why, step));
    }
    Ok(answer)
}

/// What to draw: givens as they were seen, the others printed.
fn faces(cells: &CellPictures, readings: &[Reading], board: &[u8]) -> Vec<Face> {
    let face = |(cell, picture): (usize, &Option<Vec<u8>>)| {
        let read = readings.iter().find(|reading| reading.cell == cell).map(Reading::digit);
        match (picture, board[cell]) {
            (Some(picture), digit) if read == Some(digit.into()) => Face::Given(picture.clone()),
            (Some(picture), digit) => Face::Repaired(picture.clone(), digit),
            (None, 0) => Face::Blank,
            (None, digit) => Face::Found(digit),
        }
    };
    cells.iter().enumerate().map(face).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_names() {
        assert_eq!(number("r1c1").unwrap(), 0);
        assert_eq!(number("R9C8").unwrap(), 79);
        for name in ["r0c1", "r1c10", "c1r1", "r1", "", "rc", "r-1c2"] {
            assert!(number(name).is_err(), "{name}");
        }
    }
}
