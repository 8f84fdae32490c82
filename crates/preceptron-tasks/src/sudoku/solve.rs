//! How many solutions a puzzle has, by search: for each cell the digits left to it as bits.
//!
//! A digit placed is taken from the cells of its row, column and box; a cell with one digit left and a
//! digit with one place left in a row, column or box are placed in turn. Where that ends, the cell with the
//! fewest digits left is tried with each. This knows the rules of Sudoku: it poses puzzles and judges
//! answers, and no learner is to call it.

use std::sync::OnceLock;

use super::{Grid, side};

/// How many solutions a grid has; the count ends at `limit`.
pub fn count_solutions(grid: &Grid, limit: usize) -> usize {
    let mut count = 0;
    visit(grid, limit, &mut |_| count += 1);
    count
}

/// The first solutions of a grid, at most `limit`.
pub fn solutions(grid: &Grid, limit: usize) -> Vec<Grid> {
    let mut found = Vec::new();
    visit(grid, limit, &mut |left| found.push(grid.map(|cell, _| left[cell].trailing_zeros() as u8 + 1)));
    found
}

/// Shows the first solutions, as the one bit left to each cell.
fn visit(grid: &Grid, limit: usize, show: &mut dyn FnMut(&[u32])) {
    let units = Units::of(grid.order());
    let (left, placed) = units.begin(grid);
    if limit > 0 {
        units.search(left, placed, &mut Bounds { solutions: limit, nodes: usize::MAX }, show);
    }
}

/// Whether a grid, which has a solution with `digit` in a blank cell, has one with another digit there;
/// nothing if the search did not come to its end in so many nodes.
pub(super) fn has_another(grid: &Grid, blank: usize, digit: u8, nodes: usize) -> Option<bool> {
    let units = Units::of(grid.order());
    let (mut left, placed) = units.begin(grid);
    left[blank] &= !(1 << (digit - 1));
    let mut bounds = Bounds { solutions: 1, nodes };
    units.search(left, placed, &mut bounds, &mut |_| {});
    match bounds {
        Bounds { solutions: 0, .. } => Some(true),
        Bounds { nodes: 0, .. } => None,
        _ => Some(false),
    }
}

/// The row, column or box in which a complete grid has a digit twice, in words, and the digit.
pub(super) fn repeated(grid: &Grid) -> Option<(String, u8)> {
    let side = side(grid.order());
    Units::of(grid.order()).units.iter().enumerate().find_map(|(number, unit)| {
        let mut seen = 0u32;
        let twice = |&cell: &usize| {
            let digit = grid.digits()[cell];
            let is_second = seen >> digit & 1 == 1;
            seen |= 1 << digit;
            is_second.then_some(digit)
        };
        let kind = ["row", "column", "box"][number / side];
        unit.iter().find_map(twice).map(|digit| (format!("{kind} {}", number % side + 1), digit))
    })
}

/// What is left to find, and to try.
struct Bounds {
    solutions: usize,
    nodes: usize,
}

/// Which cells must differ.
struct Units {
    /// All digits as bits.
    everything: u32,
    /// The cells of each row, column and box.
    units: Vec<Vec<usize>>,
    /// For each cell the others of its row, column and box.
    peers: Vec<Vec<usize>>,
}

impl Units {
    /// The units of an order, made once.
    fn of(order: usize) -> &'static Units {
        static ORDERS: [OnceLock<Units>; 4] = [const { OnceLock::new() }; 4];
        ORDERS[order - 2].get_or_init(|| Units::new(order))
    }

    fn new(order: usize) -> Units {
        let side = side(order);
        let box_cell = |unit: usize, k: usize| {
            (unit / order * order + k / order) * side + unit % order * order + k % order
        };
        let rows = (0..side).map(|unit| (0..side).map(|k| unit * side + k).collect());
        let columns = (0..side).map(|unit| (0..side).map(|k| k * side + unit).collect());
        let boxes = (0..side).map(|unit| (0..side).map(|k| box_cell(unit, k)).collect());
        let units: Vec<Vec<usize>> = rows.chain(columns).chain(boxes).collect();
        let peers = |cell: usize| {
            let together = units.iter().filter(|unit| unit.contains(&cell)).flatten();
            let mut peers: Vec<usize> = together.copied().filter(|&other| other != cell).collect();
            peers.sort_unstable();
            peers.dedup();
            peers
        };
        Units { everything: u32::MAX >> (32 - side), peers: (0..side * side).map(peers).collect(), units }
    }

    /// The digits left to each cell of a grid, and the cells that are given.
    fn begin(&self, grid: &Grid) -> (Vec<u32>, Vec<usize>) {
        let bits = |&digit: &u8| if digit > 0 { 1 << (digit - 1) } else { self.everything };
        let given = (0..grid.digits().len()).filter(|&cell| grid.digits()[cell] > 0);
        (grid.digits().iter().map(bits).collect(), given.collect())
    }

    /// Shows every solution until the bounds are reached. `placed` are the cells whose digit is not yet taken
    /// from others.
    fn search(
        &self,
        mut left: Vec<u32>,
        mut placed: Vec<usize>,
        bounds: &mut Bounds,
        show: &mut dyn FnMut(&[u32]),
    ) {
        if bounds.nodes == 0 {
            return;
        }
        bounds.nodes -= 1;
        if !self.settle(&mut left, &mut placed) {
            return;
        }
        let open = (0..left.len()).filter(|&cell| left[cell].count_ones() > 1);
        let Some(cell) = open.min_by_key(|&cell| left[cell].count_ones()) else {
            bounds.solutions -= 1;
            return show(&left);
        };
        let mut digits = left[cell];
        while digits != 0 && bounds.solutions > 0 {
            left[cell] = 1 << digits.trailing_zeros();
            digits &= digits - 1;
            self.search(left.clone(), vec![cell], bounds, show);
        }
    }

    /// Places what is forced; false if a cell has no digit left, or a digit no place.
    fn settle(&self, left: &mut [u32], placed: &mut Vec<usize>) -> bool {
        loop {
            while let Some(cell) = placed.pop() {
                let digit = left[cell];
                for &peer in &self.peers[cell] {
                    let before = left[peer];
                    left[peer] &= !digit;
                    match left[peer].count_ones() {
                        0 => return false,
                        1 if before != left[peer] => placed.push(peer),
                        _ => {}
                    }
                }
            }
            for unit in &self.units {
                let (mut once, mut twice) = (0, 0);
                for &cell in unit {
                    twice |= once & left[cell];
                    once |= left[cell];
                }
                if once != self.everything {
                    return false;
                }
                for &cell in unit {
                    let forced = left[cell] & !twice;
                    if forced != 0 && left[cell].count_ones() > 1 {
                        if forced.count_ones() > 1 {
                            return false;
                        }
                        left[cell] = forced;
                        placed.push(cell);
                    }
                }
            }
            if placed.is_empty() {
                return true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::{generate, true_rules, variable, with_givens};

    /// The plain twin fills blanks in order with whatever stands in no row, column or box of theirs.
    fn plain(order: usize, digits: &mut Vec<u8>, found: &mut Vec<Vec<u8>>) {
        let side = order * order;
        let place = |cell: usize| {
            let (row, column) = (cell / side, cell % side);
            (row, column, row / order, column / order)
        };
        let fits = |digits: &[u8], cell: usize, digit: u8| {
            let (row, column, band, stack) = place(cell);
            (0..digits.len()).filter(|&other| other != cell && digits[other] == digit).all(|other| {
                let (r, c, b, s) = place(other);
                r != row && c != column && (b, s) != (band, stack)
            })
        };
        let Some(cell) = digits.iter().position(|&d| d == 0) else {
            if (0..digits.len()).all(|cell| fits(digits, cell, digits[cell])) {
                found.push(digits.clone());
            }
            return;
        };
        for digit in 1..=side as u8 {
            if fits(digits, cell, digit) {
                digits[cell] = digit;
                plain(order, digits, found);
            }
        }
        digits[cell] = 0;
    }

    #[test]
    fn all_solutions_are_found_once() {
        // Digits at random places of two different grids, which often contradict each other, too.
        let (grids, others) = (generate(2, 60, 1), generate(2, 60, 2));
        let puzzles = with_givens(&grids, 2..=6, 1);
        for (item, (puzzle, other)) in puzzles.iter().zip(&others).enumerate() {
            let mixed =
                puzzle.givens.map(|cell, digit| if cell == item % 16 { other.digits()[cell] } else { digit });
            for grid in [&puzzle.givens, &mixed] {
                let mut expected = Vec::new();
                plain(2, &mut grid.digits().to_vec(), &mut expected);
                let mut found: Vec<Vec<u8>> =
                    solutions(grid, usize::MAX).iter().map(|s| s.digits().to_vec()).collect();
                found.sort();
                assert_eq!(found, expected);
                assert_eq!(count_solutions(grid, usize::MAX), expected.len());
                assert_eq!(count_solutions(grid, 2), expected.len().min(2));
                assert_eq!(count_solutions(grid, 0), 0);
            }
        }
        assert_eq!(count_solutions(&Grid::new(2, vec![0; 16]).unwrap(), usize::MAX), 288);
    }

    #[test]
    fn solutions_obey_the_rules_at_every_order() {
        for order in 2..=5usize {
            let cells = order.pow(4);
            let puzzles = with_givens(&generate(order, 3, 1), cells * 3 / 5..=cells * 3 / 5, 1);
            for puzzle in &puzzles {
                for solution in solutions(&puzzle.givens, 3) {
                    let side = order * order;
                    let mut values = vec![false; side.pow(3)];
                    for (cell, &digit) in solution.digits().iter().enumerate() {
                        values[variable(order, cell / side, cell % side, digit.into()).index()] = true;
                        assert!([0, digit].contains(&puzzle.givens.digits()[cell]));
                    }
                    assert!(true_rules(order).constraints().all(|c| c.holds(|v| values[v.index()])));
                }
                assert!(count_solutions(&puzzle.givens, 1) == 1);
            }
        }
    }
}
