//! One board: a picture of it, or pictures of its cells, read by a run's network and solved by its rules.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use preceptron::words::{count, text};
use preceptron::{Asking, Context, Model, Shown, TaskResult, bail, check_new_png, ensure, write_new};
use preceptron_base::settings;
use preceptron_reason::Limits;
use serde_json::json;

use super::asked::Asked;
use super::posterior::Prior;
use super::reading::Reading;
use super::seen_board::{Refusal, SeenBoard, read_picture, see, show_grid};
use super::{
    BoardSolver, CellPictures, Face, SudokuSettings, cells_of_patches, draw_for_print, on_paper, side,
};
use crate::picture::Picture;

/// How long reading, solving and explaining may take together, unless another time is asked for.
const TIME: Duration = Duration::from_secs(9);

settings! {
    /// A board to read and solve.
    pub struct SudokuInput {
        /// A photograph of the board (PNG or JPEG), dark on light or light on dark.
        picture: Option<PathBuf> = None, "<BOARD.png>";
        /// A directory with a picture of each cell of the board that is not blank, r1c1.png to r9c9.png.
        cells: Option<PathBuf> = None, "DIR";
        /// Tell why a cell holds its digit, such as r3c5.
        explain: Option<String> = None, "CELL" or "";
        /// The picture is cropped to the grid, whose lines need not be seen: do not look for it.
        cropped: bool = false;
        /// What is taken for granted of the board: that its givens leave one solution, or nothing.
        prior: Prior = Prior::OneSolution, "PRIOR";
        /// How sure an answer must be.
        confidence: f64 = 0.75, "PROBABILITY" in 0.0..=1.0;
        /// Tell the best guess where there is no answer.
        guess: bool = false;
        /// Draw the grid that was found on the photograph.
        show_grid: Option<PathBuf> = None, "FILE.png";
        /// Draw the solved board: digits that were found are printed, repaired givens framed.
        out: Option<PathBuf> = None, "FILE.png";
        /// Overwrite the file.
        force: bool = false;
    }
}

/// A cell's number from its name.
fn number(name: &str) -> TaskResult<usize> {
    ensure!(!name.is_empty(), "--explain: say which cell, such as r3c5");
    let lower = name.to_ascii_lowercase();
    let parts = lower.strip_prefix('r').and_then(|rest| rest.split_once('c'));
    let line = |text: &str| text.parse::<usize>().ok().filter(|line| (1..=9).contains(line));
    match parts.map(|(row, column)| (line(row), line(column))) {
        Some((Some(row), Some(column))) => Ok(9 * (row - 1) + column - 1),
        _ => bail!("--explain: there is no cell {name:?}; the cells are r1c1 to r9c9"),
    }
}

/// A picture of a cell; nothing, which is a blank, if there is no such file or nothing in it.
fn cell_picture(path: &Path) -> TaskResult<Option<Picture>> {
    match std::fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Ok(file) if file.is_file() && file.len() == 0 => Ok(None),
        _ => read_picture(path).map(Some),
    }
}

impl SudokuInput {
    /// Where the board comes from.
    fn source(&self) -> TaskResult<&Path> {
        match (&self.picture, &self.cells) {
            (Some(_), Some(_)) => bail!("a picture of the board or --cells, not both"),
            (Some(source), None) | (None, Some(source)) => Ok(source),
            (None, None) => bail!("there is no board: precept solve RUN BOARD.png, or --cells DIR"),
        }
    }

    /// The pictures of cells one by one.
    fn single_cells(&self, source: &Path) -> TaskResult<CellPictures> {
        let shown = source.display();
        ensure!(source.is_dir(), "{shown}: no such directory");
        let patch = |cell: usize| {
            let name = format!("r{}c{}.png", cell / 9 + 1, cell % 9 + 1);
            let patch = cell_picture(&source.join(&name))?;
            if let Some(patch) = &patch {
                let (width, height) = (patch.width(), patch.height());
                ensure!(width.min(height) >= 8, "{shown}/{name}: {width} x {height} pixels are too few");
            }
            Ok(patch)
        };
        let patches = (0..81).map(patch).collect::<TaskResult<Vec<_>>>()?;
        ensure!(patches.iter().any(Option::is_some), "{shown}: no file r1c1.png to r9c9.png has a picture");
        cells_of_patches(patches).context(shown)
    }

    /// What is seen, or why there is no board.
    fn look(&self, limits: &Limits) -> TaskResult<Result<SeenBoard, Refusal>> {
        let source = self.source()?;
        if self.cells.is_some() {
            ensure!(!self.cropped, "--cropped is for a picture of the board, not for --cells");
            ensure!(self.show_grid.is_none(), "--show-grid is for a picture of the board, not for --cells");
            return Ok(Ok(SeenBoard { cells: self.single_cells(source)?, found: None, quarters: 0 }));
        }
        ensure!(!source.is_dir(), "{}: is a directory; pictures of cells go with --cells", source.display());
        let picture = read_picture(source)?;
        let seen = see(&picture, self.cropped, &|| !limits.is_over());
        if let Some(path) = &self.show_grid {
            let found = seen.as_ref().ok().and_then(|seen| seen.found.as_ref());
            write_new(path, self.force, &show_grid(&picture, found).to_png().context(path.display())?)?;
        }
        Ok(seen)
    }
}

/// Reads the board and solves it.
pub fn solve(
    settings: &SudokuSettings,
    model: &Model,
    input: &SudokuInput,
    asking: &Asking,
) -> TaskResult<Shown> {
    let side = side(settings.order);
    ensure!(side == 9, "a run on boards of {side} x {side}; pictures are read of those of 9 x 9");
    let cell = input.explain.as_deref().map(number).transpose()?;
    for path in [&input.out, &input.show_grid].into_iter().flatten() {
        check_new_png(path, input.force)?;
    }
    let limits = asking.limits_or(TIME);
    let source = input.source()?;
    let network = settings.reader(model)?;
    let mut solver = BoardSolver::new(3, &model.rules, asking.backend, limits.clone())?;
    let SudokuInput { prior, confidence, guess, .. } = *input;
    let mut asked = Asked { solver: &mut solver, prior, confidence, guess, limits: &limits };
    let (seen, mut answer) = asked.picture(input.look(&limits)?, &*network)?;
    if answer.refusal.is_some() && !input.guess {
        answer.board = None;
    }
    asked.explain(&mut answer, cell)?;
    let mut drawn = None;
    if let (Some(path), Some(digits), Some(seen)) = (&input.out, &answer.board, &seen) {
        let faces = faces(&seen.cells, &answer.readings, digits);
        write_new(path, input.force, &on_paper(&draw_for_print(3, &faces)).to_png()?)?;
        drawn = Some(path);
    }
    let is_full = answer.board.as_ref().is_some_and(|board| board.iter().all(|&digit| digit > 0));
    let is_solved = is_full && answer.refusal.is_none();
    let mut object = answer.json(solver.problem());
    object["source"] = json!(source);
    if let Some(seen) = &seen {
        object["corners"] = json!(seen.corners());
        object["quarters"] = json!(seen.quarters);
        object["other_boards"] = json!(seen.found.as_ref().map(|found| found.others));
    }
    let text = text(|out| {
        writeln!(out, "{}: {} givens were read", source.display(), answer.readings.len())?;
        if let Some(seen) = &seen {
            tell(seen, out)?;
        }
        answer.print(solver.problem(), asking.show, out)?;
        if let Some(path) = &input.show_grid {
            writeln!(out, "What was found is drawn to {}.", path.display())?;
        }
        drawn.map_or(Ok(()), |path| writeln!(out, "Drawn to {}.", path.display()))
    })?;
    Ok(Shown::answer(is_solved, text, object))
}

/// What was found beside the digits.
fn tell(seen: &SeenBoard, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    if let Some(found) = &seen.found {
        let corners = found.grid.corners().map(|[x, y]| format!("({x:.0}, {y:.0})"));
        writeln!(out, "A grid was found with its corners at {}.", corners.join(", "))?;
        if found.others > 0 {
            writeln!(
                out,
                "There are {} of 9 x 9 cells; the largest was read.",
                count(found.others + 1, "grid")
            )?;
        }
    }
    match seen.quarters {
        0 => Ok(()),
        2 => writeln!(out, "It is upside down."),
        quarters => writeln!(out, "It is turned by {} degrees.", 90 * quarters),
    }
}

/// What to draw: givens as they were seen, the others printed.
fn faces(cells: &CellPictures, readings: &[Reading], board: &[u8]) -> Vec<Face> {
    let face = |(cell, picture): (usize, &Option<Vec<u8>>)| {
        let read = readings.iter().find(|reading| reading.cell == cell).map(Reading::digit);
        match (picture, board[cell]) {
            (Some(picture), digit) if read == Some(digit) => Face::Given(picture.clone()),
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
    use crate::sudoku::answer::BoardAnswer;
    use crate::sudoku::{Puzzle, Spread, draw_board, puzzles, reading, true_rules};
    use preceptron_base::{Quiet, stream};
    use preceptron_reason::Backend;
    use rand::RngExt;

    #[test]
    fn an_empty_file_is_a_blank_cell_and_no_board() {
        let folder = tempfile::tempdir().unwrap();
        let (file, none) = (folder.path().join("board.png"), folder.path().join("none.png"));
        std::fs::write(&file, b"").unwrap();
        let message = |path: &Path| read_picture(path).unwrap_err().to_string();
        assert_eq!(message(&file), format!("{}: the file is empty", file.display()));
        assert_eq!(message(&none), format!("{}: no such file", none.display()));
        assert!(cell_picture(&file).unwrap().is_none() && cell_picture(&none).unwrap().is_none());
        std::fs::write(&file, b"x").unwrap();
        assert!(cell_picture(&file).is_err() && read_picture(&file).is_err());
    }

    #[test]
    fn cells_have_names() {
        assert_eq!(number("r1c1").unwrap(), 0);
        assert_eq!(number("R9C8").unwrap(), 79);
        for name in ["r0c1", "r1c10", "c1r1", "r1", "", "rc", "r-1c2"] {
            assert!(number(name).is_err(), "{name}");
        }
    }

    fn puzzle() -> Puzzle {
        puzzles(3, &Spread::SATNET, 1, 1, &Quiet).unwrap().remove(0)
    }

    fn answer(readings: &[Reading], limits: &Limits) -> BoardAnswer {
        let mut solver = BoardSolver::new(3, &true_rules(3), Backend::Portfolio, limits.clone()).unwrap();
        let mut asked =
            Asked { solver: &mut solver, prior: Prior::OneSolution, confidence: 0.75, guess: false, limits };
        asked.answer(readings.to_vec()).unwrap()
    }

    #[test]
    fn what_no_board_can_hold_is_refused() {
        let limits = Asking::default().limits_or(TIME);
        let good = reading::read(&puzzle(), 2, 1, 0);
        assert!(answer(&good, &limits).refusal.is_none());
        // Ones everywhere.
        let one = |cell| Reading {
            cell,
            probabilities: (1..=9).map(|d| if d == 1 { 0.92 } else { 0.01 }).collect(),
        };
        let refused = answer(&(0..81).map(one).collect::<Vec<_>>(), &limits);
        assert!(refused.board.is_none());
        // All but nine, of which a cheap bound tells most.
        assert_eq!(refused.refusal.unwrap(), "at least 63 of its 81 digits contradict the others");
        // No time at all.
        let none = Limits { time: Some(Duration::ZERO), ..Limits::default() }.begun();
        let late = answer(&good, &none);
        assert_eq!(late.refusal.as_deref(), Some("no board was found in 0 s; --time allows more"));
        assert!(late.board.is_none());
    }

    /// A drawn board turned by five degrees, and noise, read by a network that has learned nothing.
    #[test]
    fn other_pictures_are_refused_as_well() {
        let puzzle = puzzle();
        let digits = puzzle.givens.digits();
        let faces: Vec<Face> =
            digits.iter().map(|&digit| if digit > 0 { Face::Found(digit) } else { Face::Blank }).collect();
        let board = on_paper(&draw_board(3, &faces));
        let side = board.width();
        let middle = (side as f64 - 1.0) / 2.0;
        let (sin, cos) = 5f64.to_radians().sin_cos();
        let turned = |at: usize| {
            let (x, y) = ((at % side) as f64 - middle, (at / side) as f64 - middle);
            let (x, y) = (cos * x - sin * y + middle, sin * x + cos * y + middle);
            let inside = |v: f64| (0.0..side as f64 - 0.5).contains(&v);
            if inside(x) && inside(y) { board.at(x.round() as usize, y.round() as usize) } else { 255 }
        };
        let turned = Picture::from_pixels(side, (0..side * side).map(turned).collect());
        let random = &mut stream(1, "noise of a test", 0);
        let noise = Picture::from_pixels(270, (0..270 * 270).map(|_| random.random()).collect());
        let settings = SudokuSettings::default();
        let network = settings.network().build().unwrap().save().unwrap();
        let model = Model { network: Some(network), ..Model::of_rules(true_rules(3)) };
        let folder = tempfile::tempdir().unwrap();
        for (name, picture) in [("turned.png", turned), ("noise.png", noise)] {
            let path = folder.path().join(name);
            std::fs::write(&path, picture.to_png().unwrap()).unwrap();
            let input = SudokuInput { picture: Some(path), ..SudokuInput::default() };
            let shown = solve(&settings, &model, &input, &Asking::default()).unwrap();
            assert!(
                !shown.is_yes && shown.text.contains("This cannot be read as a board: "),
                "{name}: {shown}"
            );
            assert_eq!(shown.json["status"], "refused");
        }
    }
}
