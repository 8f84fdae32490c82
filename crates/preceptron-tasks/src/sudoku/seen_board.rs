//! A board in a photograph: where it is, and the pictures of its digits.

use std::path::Path;

use preceptron::{Context, TaskResult, bail};
use preceptron_photo::{Found, Picture, Rgb, find_grid_while};

use super::cells::{CellPictures, CellsError, cells_of_board, drawn_cells};
use super::flat_cells::{cells_of_flat, turned};

/// What a picture shows.
pub struct SeenBoard {
    /// The digits, each as MNIST has it.
    pub cells: CellPictures,
    /// Where the board is; nothing if the picture is the board.
    pub found: Option<Found>,
    /// How many quarters clockwise it is turned by.
    pub quarters: usize,
}

/// Why a picture shows no board; it is an answer, not an error.
pub type Refusal = String;

/// The longest side of a photograph with its grid drawn.
const SHOWN: usize = 1600;

/// Looks for a board, as long as it is to go on.
pub fn see(picture: &Picture, is_cropped: bool, goes_on: &dyn Fn() -> bool) -> Result<SeenBoard, Refusal> {
    if let Some(cells) = drawn_cells(3, picture) {
        return match cells.iter().any(Option::is_some) {
            true => Ok(SeenBoard { cells, found: None, quarters: 0 }),
            false => Err("it has no givens: no digit is to be seen in its grid".to_owned()),
        };
    }
    if is_cropped {
        let cells = cells_of_board(3, picture).map_err(|error| error.to_string())?;
        return Ok(SeenBoard { cells, found: None, quarters: 0 });
    }
    let found = find_grid_while(picture, 9, goes_on).map_err(|error| error.to_string())?;
    let flat = found.grid.flat(picture, found.light_on_dark);
    match cells_of_flat(&flat) {
        Ok(cells) => Ok(SeenBoard { cells, found: Some(found), quarters: 0 }),
        Err(CellsError::Blank) => Err("it has no givens: no digit is to be seen in its grid".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

impl SeenBoard {
    /// The same if the picture is turned by so many quarters clockwise.
    pub fn turned(&self, quarters: usize) -> SeenBoard {
        let found = self.found.clone().map(|found| Found { grid: found.grid.turned(quarters), ..found });
        SeenBoard { cells: turned(&self.cells, quarters), found, quarters: (self.quarters + quarters) % 4 }
    }

    /// The corners, from the board's upper left one clockwise.
    pub fn corners(&self) -> Option<[[f64; 2]; 4]> {
        self.found.as_ref().map(|found| found.grid.corners())
    }
}

/// A picture of a board, which must be there.
pub fn read_picture(path: &Path) -> TaskResult<Picture> {
    let shown = path.display();
    match preceptron_base::read_limited(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => bail!("{shown}: no such file"),
        Err(error) => Err(error).context(shown),
        Ok(bytes) if bytes.is_empty() => bail!("{shown}: the file is empty"),
        Ok(bytes) => Picture::decode(&bytes).context(shown),
    }
}

/// The photograph with the grid that was found: its lines, its corners, the first of them larger.
pub fn show_grid(picture: &Picture, found: Option<&Found>) -> Rgb {
    let scale = (SHOWN as f64 / picture.width().max(picture.height()) as f64).min(1.0);
    let size = |length: usize| ((length as f64 * scale).round() as usize).max(1);
    let (width, height) = (size(picture.width()), size(picture.height()));
    let small = picture.reduced([0, 0, picture.width(), picture.height()], [width, height]);
    let mut drawn = Rgb::from_pixels(width, small.pixels().iter().flat_map(|&tone| [tone; 3]).collect());
    let Some(found) = found else { return drawn };
    let grid = found.grid.moved(scale, [0.0, 0.0]);
    let side = grid.cells as f64;
    let mut dot = |[x, y]: [f64; 2], reach: f64, colour: [u8; 3]| {
        let (left, top) = ((x - reach).round(), (y - reach).round());
        let wide = (2.0 * reach).round().max(1.0);
        if left + wide > 0.0 && top + wide > 0.0 {
            let cut = |from: f64| {
                if from < 0.0 { (0, (wide + from) as usize) } else { (from as usize, wide as usize) }
            };
            let ((x, w), (y, h)) = (cut(left), cut(top));
            drawn.fill([x, y], [w, h], colour);
        }
    };
    let steps = (grid.cell() * side * 1.2) as usize + 2;
    for line in 0..=grid.cells {
        let reach = if line % 3 == 0 { 1.0 } else { 0.5 };
        for step in 0..=steps {
            let along = side * step as f64 / steps as f64;
            dot(grid.at([line as f64, along]), reach, [230, 40, 40]);
            dot(grid.at([along, line as f64]), reach, [230, 40, 40]);
        }
    }
    for (number, corner) in grid.corners().into_iter().enumerate() {
        dot(corner, if number == 0 { 7.0 } else { 4.0 }, [20, 90, 240]);
    }
    drawn
}
