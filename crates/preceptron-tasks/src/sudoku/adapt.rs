//! Boards in other handwriting, of which nobody says what they show: photographs, or a table of pictures of cells.

use std::path::{Path, PathBuf};
use std::time::Duration;

use preceptron::adapt::{AdaptSettings, Adapting};
use preceptron::words::count;
use preceptron::{Context, Model, Scenes, Sight, TaskResult, Views, ensure};
use preceptron_base::Control;
use preceptron_learn::{Examples, Table, TableOptions, values_of};
use preceptron_perceive::Shape;
use preceptron_reason::Limits;

use super::seen_board::{read_picture, see};
use super::{CellPictures, SudokuSettings, side, variable, variables};
use crate::digit_network::DigitNetwork;
use crate::mnist::{self, SIDE, fit};
use crate::picture::Picture;
use crate::table::{Look, Paper, load_cells, paper_of, table_in};

/// How long a board is looked for in a photograph.
const TIME: Duration = Duration::from_secs(10);

/// Boards as they were seen, and what is known of their other cells.
#[derive(Default)]
struct Boards {
    cells: Vec<CellPictures>,
    digits: Vec<Vec<Option<usize>>>,
    notes: Vec<String>,
}

/// What is needed to adapt a run on Sudoku.
pub(super) fn adapting(
    settings: &SudokuSettings,
    model: &Model,
    source: &Path,
    how: &AdaptSettings,
    control: &dyn Control,
) -> TaskResult<Adapting> {
    let (order, side) = (settings.order, side(settings.order));
    let photographs = if source.is_dir() { photographs_in(source)? } else { Vec::new() };
    let boards = match photographs.is_empty() {
        false => {
            ensure!(side == 9, "a run on boards of {side} x {side}; photographs are read of those of 9 x 9");
            of_photographs(&photographs, control)?
        }
        true => of_table(side, source, how.pictures.as_deref(), control)?,
    };
    ensure!(!control.is_cancelled(), "interrupted before all pictures were read");
    ensure!(!boards.cells.is_empty(), "{}: no board was found", source.display());
    let variables = variables(order);
    let (mut sights, mut pixels) = (Vec::new(), Vec::new());
    for board in boards.cells {
        let mut of_board = Vec::new();
        for (cell, picture) in board.into_iter().enumerate() {
            let Some(picture) = picture else { continue };
            of_board.push(Sight { place: cell as u32, picture: (pixels.len() / (SIDE * SIDE)) as u32 });
            pixels.extend(picture);
        }
        sights.push(of_board);
    }
    let row = |digits: &Vec<Option<usize>>| {
        let mut row = vec![None; variables.len()];
        for (cell, digit) in digits.iter().enumerate() {
            let Some(digit) = digit else { continue };
            for other in 1..=side {
                row[variable(order, cell / side, cell % side, other).index()] = Some(other == *digit);
            }
        }
        row
    };
    let rows: Vec<Vec<Option<bool>>> = boards.digits.iter().map(row).collect();
    let is_told = boards.digits.iter().flatten().any(Option::is_some);
    let truth = is_told.then(|| Examples::from_rows(variables.len(), &rows));
    let nothing = || Examples::from_rows(variables.len(), &vec![vec![None; variables.len()]; rows.len()]);
    let known = truth.clone().filter(|_| how.facts).unwrap_or_else(nothing);
    let places = (0..side * side).map(|cell| {
        (1..=side).map(|digit| variable(order, cell / side, cell % side, digit)).collect::<Vec<_>>()
    });
    let shape = Shape::new(1, mnist::SIDE, mnist::SIDE);
    let scenes = Scenes::new(variables.clone(), places.collect(), known, sights, shape, pixels.into())?;
    let is_first = settings.is_joint() && model.found["first_network_reads"] == true;
    let network = if is_first { settings.first_network() } else { settings.network() };
    Ok(Adapting {
        scenes,
        truth,
        views: Views::Nine,
        batch: network.batch(),
        unit: "board",
        network: Box::new(move |steps| DigitNetwork { steps: Some(steps), ..network }.build()),
        notes: boards.notes,
    })
}

/// The pictures in a folder, in the order of their names; none if there is a table in it.
fn photographs_in(folder: &Path) -> TaskResult<Vec<PathBuf>> {
    if table_in(folder).is_ok() {
        return Ok(Vec::new());
    }
    let shown = folder.display();
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).context(&shown)? {
        let path = entry.context(&shown)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if [".png", ".jpg", ".jpeg"].iter().any(|ending| name.ends_with(ending)) {
            all.push(path);
        }
    }
    ensure!(!all.is_empty(), "{shown}: has neither a table (.csv or .parquet) nor photographs (.png, .jpg)");
    all.sort();
    Ok(all)
}

/// The boards of photographs; those in which none is found are counted.
fn of_photographs(files: &[PathBuf], control: &dyn Control) -> TaskResult<Boards> {
    let mut boards = Boards::default();
    control.stage("looking for boards", files.len() as u64);
    for file in files {
        if control.is_cancelled() {
            break;
        }
        let picture = read_picture(file)?;
        let limits = Limits { time: Some(TIME), cancel: control.cancel_flag(), ..Limits::default() }.begun();
        if let Ok(seen) = see(&picture, false, &|| !limits.is_over()) {
            boards.digits.push(vec![None; seen.cells.len()]);
            boards.cells.push(seen.cells);
        }
        control.advance(1);
    }
    let (found, all) = (boards.cells.len(), files.len());
    if found < all {
        let none = count(all - found, "photograph");
        boards.notes.push(format!("In {none} of {all} no board was found; these are left out."));
    }
    Ok(boards)
}

/// The cell that a column is for: the one of row 2 and column 3 is named `cell[row 2, column 3]` or `r2c3`.
fn cell_of(column: &str, side: usize) -> Option<usize> {
    let words = column.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
    let numbers: Vec<usize> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
    match numbers.as_slice() {
        &[row, column] if (1..=side).contains(&row) && (1..=side).contains(&column) => {
            Some(side * (row - 1) + column - 1)
        }
        _ => None,
    }
}

/// The boards of a table: a row each, its columns are cells. A picture is brought to MNIST's size and place, as it is
/// when a board is solved.
fn of_table(side: usize, source: &Path, folder: Option<&Path>, control: &dyn Control) -> TaskResult<Boards> {
    let path = if source.is_dir() { table_in(source)? } else { source.to_owned() };
    let shown = path.display().to_string();
    let alphabet: Vec<String> = (1..=side).map(|digit| digit.to_string()).collect();
    let options = TableOptions {
        pictures: true,
        categorical: true,
        alphabet: Some(alphabet),
        ..TableOptions::default()
    };
    let table = Table::read(&path, &options)?;
    ensure!(!table.pictures.is_empty(), "{shown}: no cell names a picture (.png, .jpg)");
    let rows = table.examples.len();
    let mut boards = Boards {
        cells: vec![vec![None; side * side]; rows],
        digits: vec![vec![None; side * side]; rows],
        notes: Vec::new(),
    };
    for column in &table.columns {
        let cell = cell_of(column, side).with_column(&shown, column, side)?;
        for (label, var) in values_of(&table.variables, column, &options.value_axis) {
            for row in (0..rows).filter(|&row| table.examples.get(row, var) == Some(true)) {
                let digit = label.parse().ok().filter(|digit| (1..=side).contains(digit));
                boards.digits[row][cell] = Some(digit.context(format!(
                    "{shown}: row {}, column {column}: {label:?} is no digit from 1 to {side}",
                    row + 1
                ))?);
            }
        }
    }
    let folder = folder.or(path.parent()).unwrap_or(Path::new(""));
    let look = Look { size: SIDE, colour: false, paper: Paper::Dark, stated: None };
    let Some((numbers, pixels)) = load_cells(&table.pictures, look, &shown, folder, control)? else {
        return Ok(boards);
    };
    let is_light = paper_of(look.shape(), &pixels) == Paper::Light;
    for picture in &table.pictures {
        let cell = cell_of(&picture.column, side).with_column(&shown, &picture.column, side)?;
        let ink = &pixels[numbers[picture.name.as_str()] as usize * SIDE * SIDE..][..SIDE * SIDE];
        let ink = ink.iter().map(|&tone| if is_light { 255 - tone } else { tone }).collect();
        boards.cells[picture.row][cell] = Some(fit(&Picture::from_pixels(SIDE, ink)));
    }
    Ok(boards)
}

/// Says which column is for no cell.
trait WithColumn {
    fn with_column(self, file: &str, column: &str, side: usize) -> TaskResult<usize>;
}

impl WithColumn for Option<usize> {
    fn with_column(self, file: &str, column: &str, side: usize) -> TaskResult<usize> {
        self.context(format!(
            "{file}: column {column}: is no cell of a board of {side} x {side}; cells are named cell[row 2, column 3] or r2c3"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_cells() {
        assert_eq!(cell_of("cell[row 2, column 3]", 9), Some(11));
        assert_eq!(cell_of("r9c9", 9), Some(80));
        assert_eq!(cell_of("r9c10", 9), None);
        assert_eq!(cell_of("cell 4", 9), None);
    }
}
