//! Signs between neighbouring cells, and the variables of a board.
//!
//! A sign stands between two cells of which the first is the less. As variables there is one for each cell
//! and each direction in which it has a neighbour: `less[row 2, column 1, towards right]` is true if a sign
//! says that the cell is less than the one to its right.

use preceptron_logic::{Var, Variables};

use super::checked;

/// Where a neighbour is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// In the next column.
    Right,
    /// In the column before.
    Left,
    /// In the next row.
    Below,
    /// In the row before.
    Above,
}

impl Direction {
    /// All four, in the order of the variables.
    pub const ALL: [Direction; 4] = [Direction::Right, Direction::Left, Direction::Below, Direction::Above];

    /// Its name, the label of the variables' axis.
    pub fn name(self) -> &'static str {
        match self {
            Direction::Right => "right",
            Direction::Left => "left",
            Direction::Below => "below",
            Direction::Above => "above",
        }
    }

    /// The neighbour of a cell, numbered row by row from 0; nothing past the edge.
    pub fn neighbour(self, side: usize, cell: usize) -> Option<usize> {
        let (row, column) = (cell / side, cell % side);
        match self {
            Direction::Right => (column + 1 < side).then(|| cell + 1),
            Direction::Left => (column > 0).then(|| cell - 1),
            Direction::Below => (row + 1 < side).then(|| cell + side),
            Direction::Above => (row > 0).then(|| cell - side),
        }
    }
}

/// A sign between two neighbouring cells, numbered row by row from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sign {
    /// The cell that it says is less.
    pub less: usize,
    /// The cell that it says is greater.
    pub greater: usize,
}

impl Sign {
    /// Where the greater cell is, seen from the lesser; nothing if they are no neighbours.
    pub fn direction(self, side: usize) -> Option<Direction> {
        let inside = self.less < side * side;
        let leads = |direction: &Direction| direction.neighbour(side, self.less) == Some(self.greater);
        Direction::ALL.into_iter().filter(|_| inside).find(leads)
    }

    /// Every sign that a board of this side can have, in the order of the variables.
    pub fn all(side: usize) -> impl Iterator<Item = Sign> {
        let side = checked(side);
        (0..side * side).flat_map(move |less| {
            let sign = move |direction: Direction| {
                direction.neighbour(side, less).map(|greater| Sign { less, greater })
            };
            Direction::ALL.into_iter().filter_map(sign)
        })
    }
}

/// The variables of a board: `cell[row, column, digit]`, each from 1, digits fastest, then
/// `less[row, column, towards]`, one for each cell and each direction in which it has a neighbour.
///
/// # Panics
/// If the side is not 4 to 7.
pub fn variables(side: usize) -> Variables {
    let place = |cell: usize| format!("row {}, column {}", cell / side + 1, cell % side + 1);
    let cells =
        (0..checked(side).pow(3)).map(|at| format!("cell[{}, digit {}]", place(at / side), at % side + 1));
    let signs = Sign::all(side).map(|sign| {
        let towards = sign.direction(side).map_or("", Direction::name);
        format!("less[{}, towards {towards}]", place(sign.less))
    });
    Variables::from_names(cells.chain(signs)).expect("names of cells and signs are distinct")
}

/// The variable of a digit (from 1) in a cell (row by row from 0).
pub fn cell_variable(side: usize, cell: usize, digit: usize) -> Var {
    Var((cell * side + digit - 1) as u32)
}

/// The variable of a sign; nothing if its cells are no neighbours.
///
/// # Panics
/// If the side is not 4 to 7.
pub fn sign_variable(side: usize, sign: Sign) -> Option<Var> {
    let at = Sign::all(side).position(|other| other == sign)?;
    Some(Var((side.pow(3) + at) as u32))
}

/// Every sign that a board can have, each with its variable.
///
/// # Panics
/// If the side is not 4 to 7.
pub fn sign_variables(side: usize) -> impl Iterator<Item = (Sign, Var)> {
    Sign::all(side).zip((checked(side).pow(3) as u32..).map(Var))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        for side in 4..=7 {
            let variables = variables(side);
            assert_eq!(variables.len(), side.pow(3) + 4 * side * (side - 1));
            let name = format!("cell[row 2, column {side}, digit 3]");
            assert_eq!(variables.find(&name), Some(cell_variable(side, 2 * side - 1, 3)));
            for (sign, var) in sign_variables(side) {
                assert_eq!(sign_variable(side, sign), Some(var));
                let towards = sign.direction(side).unwrap().name();
                let (row, column) = (sign.less / side + 1, sign.less % side + 1);
                assert_eq!(
                    variables.name(var),
                    format!("less[row {row}, column {column}, towards {towards}]")
                );
            }
        }
    }

    #[test]
    fn cells_that_are_no_neighbours_have_no_sign() {
        let far = [(0, 0), (0, 2), (3, 4), (4, 3), (0, 5), (15, 16), (16, 15), (0, 16)];
        for (less, greater) in far {
            assert_eq!(Sign { less, greater }.direction(4), None, "{less} {greater}");
            assert_eq!(sign_variable(4, Sign { less, greater }), None);
        }
        assert_eq!(Sign { less: 5, greater: 1 }.direction(4), Some(Direction::Above));
        assert_eq!(Sign::all(4).count(), 48);
    }
}
