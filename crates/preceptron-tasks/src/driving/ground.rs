//! The ground ahead as a grid of cells, and paths over it.

use serde::{Deserialize, Serialize};

/// A rectangle of ground, cut into cells. Rows lead away from the camera (along its z), columns to its
/// right (along its x); row 0, column 0 is the nearest cell on the left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grid {
    /// How many rows there are.
    pub rows: usize,
    /// How many columns there are.
    pub columns: usize,
    /// From which to which x the columns reach, in metres.
    pub x: [f64; 2],
    /// From which to which z the rows reach, in metres.
    pub z: [f64; 2],
}

impl Default for Grid {
    /// 10x10 cells of 10 m, from 10 m behind the camera to 90 m ahead.
    fn default() -> Grid {
        Grid { rows: 10, columns: 10, x: [-50.0, 50.0], z: [-10.0, 90.0] }
    }
}

/// A cell of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cell {
    /// Its row, from 0.
    pub row: usize,
    /// Its column, from 0.
    pub column: usize,
}

impl Grid {
    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.rows * self.columns
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a cell: row by row.
    pub fn number(&self, cell: Cell) -> usize {
        cell.row * self.columns + cell.column
    }

    /// The cell with a number.
    pub fn cell(&self, number: usize) -> Cell {
        Cell { row: number / self.columns, column: number % self.columns }
    }

    /// The cell of the point (x, z), if it lies on the grid.
    pub fn at(&self, x: f64, z: f64) -> Option<Cell> {
        let place = |value: f64, [from, to]: [f64; 2], count: usize| {
            let place = ((value - from) / (to - from) * count as f64).floor();
            (place >= 0.0 && place < count as f64).then_some(place as usize)
        };
        Some(Cell { row: place(z, self.z, self.rows)?, column: place(x, self.x, self.columns)? })
    }

    /// The point (x, z) in the middle of a cell.
    pub fn centre(&self, cell: Cell) -> (f64, f64) {
        let middle = |at: usize, [from, to]: [f64; 2], count: usize| {
            from + (to - from) * (at as f64 + 0.5) / count as f64
        };
        (middle(cell.column, self.x, self.columns), middle(cell.row, self.z, self.rows))
    }

    /// The up to 8 cells around one, row by row.
    pub fn neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
        let around = |at: usize, count: usize| at.saturating_sub(1)..(at + 2).min(count);
        let columns = around(cell.column, self.columns);
        around(cell.row, self.rows)
            .flat_map(move |row| columns.clone().map(move |column| Cell { row, column }))
            .filter(move |other| *other != cell)
    }

    /// Where the car stands: the cell of the camera, or what is nearest to it.
    pub fn start(&self) -> Cell {
        let inside = |[from, to]: [f64; 2]| 0f64.clamp(from, to - (to - from) * 1e-9);
        self.at(inside(self.x), inside(self.z)).unwrap_or(Cell { row: 0, column: 0 })
    }
}

/// Which cells of a grid are blocked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Map {
    /// The grid.
    pub grid: Grid,
    /// For each cell, row by row, whether an obstacle is on it.
    pub blocked: Vec<bool>,
}

impl Map {
    /// A map without obstacles.
    pub fn empty(grid: Grid) -> Map {
        Map { grid, blocked: vec![false; grid.len()] }
    }

    /// Whether an obstacle is on a cell.
    pub fn is_blocked(&self, cell: Cell) -> bool {
        self.blocked[self.grid.number(cell)]
    }
}

/// A path from where the car stands to an end. The cells of the path are in order, both ends among them,
/// each a neighbour of the one before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Demonstration {
    /// Where it begins.
    pub start: Cell,
    /// Where it ends.
    pub end: Cell,
    /// The cells.
    pub path: Vec<Cell>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_cells() {
        let grid = Grid::default();
        assert_eq!(grid.start(), Cell { row: 1, column: 5 });
        assert_eq!(grid.at(-50.0, 89.9), Some(Cell { row: 9, column: 0 }));
        assert_eq!((grid.at(50.0, 0.0), grid.at(0.0, -10.1)), (None, None));
        for number in 0..grid.len() {
            let (x, z) = grid.centre(grid.cell(number));
            assert_eq!(grid.at(x, z).map(|cell| grid.number(cell)), Some(number));
        }
        let ahead = Grid { rows: 4, columns: 3, x: [-6.0, 6.0], z: [5.0, 25.0] };
        assert_eq!(ahead.start(), Cell { row: 0, column: 1 });
    }

    #[test]
    fn neighbours_lie_around() {
        let grid = Grid { rows: 3, columns: 4, ..Grid::default() };
        let around = |row, column| -> Vec<usize> {
            grid.neighbours(Cell { row, column }).map(|cell| grid.number(cell)).collect()
        };
        assert_eq!(around(0, 0), [1, 4, 5]);
        assert_eq!(around(1, 1), [0, 1, 2, 4, 6, 8, 9, 10]);
        assert_eq!(around(2, 3), [6, 7, 10]);
    }
}
