//! A square of digits, some of which may be missing.

use super::side;

/// The digits of a grid row by row, 0 where a cell is blank. They need not obey any rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grid {
    order: usize,
    digits: Vec<u8>,
}

/// Why digits are not a grid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    /// An order that is not supported.
    #[error("a grid of order {0}: the orders are 2 to 5")]
    Order(usize),
    /// Not side^2 digits.
    #[error("{found} cells where a grid of order {order} has {}", order.pow(4))]
    Cells {
        /// The grid's order.
        order: usize,
        /// How many digits there are.
        found: usize,
    },
    /// A digit greater than the side.
    #[error("cell {cell} holds {digit}, and the largest digit is {}", order.pow(2))]
    Digit {
        /// The grid's order.
        order: usize,
        /// The cell's number, row by row from 1.
        cell: usize,
        /// What it holds.
        digit: u8,
    },
}

impl Grid {
    /// A grid from its digits row by row, 0 for a blank.
    pub fn new(order: usize, digits: Vec<u8>) -> Result<Grid, GridError> {
        if !(2..=5).contains(&order) {
            return Err(GridError::Order(order));
        }
        if digits.len() != order.pow(4) {
            return Err(GridError::Cells { order, found: digits.len() });
        }
        match digits.iter().position(|&d| usize::from(d) > order * order) {
            Some(at) => Err(GridError::Digit { order, cell: at + 1, digit: digits[at] }),
            None => Ok(Grid { order, digits }),
        }
    }

    /// The grid with what `change` makes of each cell's number (row by row from 0) and digit; the digits
    /// stay within the side.
    pub(super) fn map(&self, mut change: impl FnMut(usize, u8) -> u8) -> Grid {
        let digits = self.digits.iter().enumerate().map(|(cell, &digit)| change(cell, digit)).collect();
        Grid { order: self.order, digits }
    }

    /// The order: the side of a box.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The digits row by row, 0 for a blank.
    pub fn digits(&self) -> &[u8] {
        &self.digits
    }

    /// The digit in a cell, row and column from 0; 0 for a blank.
    pub fn digit(&self, row: usize, column: usize) -> u8 {
        self.digits[row * side(self.order) + column]
    }

    /// Whether no cell is blank.
    pub fn is_complete(&self) -> bool {
        self.digits.iter().all(|&d| d > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_grids_are_grids() {
        assert_eq!(Grid::new(7, vec![]), Err(GridError::Order(7)));
        assert_eq!(
            Grid::new(2, vec![0; 15]).unwrap_err().to_string(),
            "15 cells where a grid of order 2 has 16"
        );
        let mut digits = vec![4; 16];
        digits[6] = 5;
        let error = Grid::new(2, digits).unwrap_err();
        assert_eq!(error.to_string(), "cell 7 holds 5, and the largest digit is 4");
        assert_eq!(Grid::new(2, (0..16).map(|i| i % 5).collect()).unwrap().digit(1, 3), 2);
    }
}
