//! What is read in cells, and simulated readings of a puzzle's givens, as a network that reads 99% of digits
//! rightly would give.
//!
//! The network is sure of most givens (0.999 and more), less so of a few (0.6 to 0.9), and wrong of as
//! many as are asked for, with a confidence from 0.5 to 0.95; the true digit is then mostly the second. A
//! reasoner gets the readings as costs and finds the board that is most likely under its rules.

use preceptron_reason::{Query, ReasonError};
use rand::RngExt;
use rand::seq::{SliceRandom, index};
use rand_chacha::ChaCha8Rng;

use super::{Puzzle, side, variable};
use preceptron_base::stream;

/// What was read in a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The cell's number, row by row from 0.
    pub cell: usize,
    /// For each digit, from 1, its probability. They add up to 1.
    pub probabilities: Vec<f64>,
}

impl Reading {
    /// What a network reads in a cell.
    pub fn of_row(cell: usize, row: &[f32]) -> Reading {
        Reading { cell, probabilities: row.iter().copied().map(f64::from).collect() }
    }

    /// The most likely digit, the first of several.
    pub fn digit(&self) -> u8 {
        let of = |at: &usize| self.probabilities[*at];
        let most = |a: &usize, b: &usize| of(a).total_cmp(&of(b)).then(b.cmp(a));
        (0..self.probabilities.len()).max_by(most).map_or(0, |at| at as u8 + 1)
    }

    /// The probability of the most likely digit.
    pub fn probability(&self) -> f64 {
        self.probabilities.iter().copied().fold(0.0, f64::max)
    }

    /// Whether another digit stands in this cell of a board.
    pub fn is_repaired(&self, board: &[u8]) -> bool {
        board[self.cell] != self.digit()
    }

    /// Adds the reading to a question about boards of this order.
    ///
    /// # Errors
    /// If a probability is not one.
    pub fn ask(&self, order: usize, query: &mut Query) -> Result<(), ReasonError> {
        let (row, column) = (self.cell / side(order), self.cell % side(order));
        let digits = (1..).zip(&self.probabilities);
        query.add_reading(digits.map(|(digit, &p)| (variable(order, row, column, digit).positive(), p)))
    }
}

/// Reads the givens of a puzzle, exactly `misread` of them wrongly. The readings depend only on the
/// arguments.
///
/// # Panics
/// If there are fewer givens than are to be misread.
pub fn read(puzzle: &Puzzle, misread: usize, seed: u64, item: usize) -> Vec<Reading> {
    let random = &mut stream(seed, "simulated readings", item as u64);
    let digits = puzzle.givens.digits();
    let cells: Vec<usize> = (0..digits.len()).filter(|&cell| digits[cell] > 0).collect();
    assert!(misread <= cells.len(), "{misread} of {} givens to be misread", cells.len());
    let mut wrong = vec![false; cells.len()];
    index::sample(random, cells.len(), misread).into_iter().for_each(|at| wrong[at] = true);
    let side = side(puzzle.givens.order());
    let one = |(&cell, &wrong): (&usize, &bool)| {
        let probabilities = probabilities(side, usize::from(digits[cell]) - 1, wrong, random);
        Reading { cell, probabilities }
    };
    cells.iter().zip(&wrong).map(one).collect()
}

/// The probabilities of digits, all numbered from 0.
fn probabilities(side: usize, truth: usize, wrong: bool, random: &mut ChaCha8Rng) -> Vec<f64> {
    let confidence = match random.random_range(0..100) {
        _ if wrong => random.random_range(0.5..0.95),
        0..92 => 1.0 - 10f64.powf(random.random_range(-6.0..-3.0)),
        92..97 => 1.0 - 10f64.powf(random.random_range(-3.0..-1.0)),
        _ => random.random_range(0.6..0.9),
    };
    // The digits from the most to the least likely, of which each takes most of what is left.
    let mut ranked: Vec<usize> = (0..side).filter(|&digit| digit != truth).collect();
    ranked.shuffle(random);
    let place = match wrong {
        false => 0,
        true if random.random_bool(0.85) => 1,
        true => random.random_range(2..side),
    };
    ranked.insert(place, truth);
    let mut probabilities = vec![0.0; side];
    let (mut left, mut share) = (1.0, confidence);
    for &digit in &ranked[..side - 1] {
        probabilities[digit] = left * share;
        left -= left * share;
        share = random.random_range(0.6..0.95);
    }
    probabilities[ranked[side - 1]] = left;
    probabilities
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::{GIVENS, generate, variables, with_givens};

    fn truth(puzzle: &Puzzle, reading: &Reading) -> u8 {
        puzzle.givens.digits()[reading.cell]
    }

    #[test]
    fn as_many_are_misread_as_asked_for() {
        for (order, givens) in [(2, 6..=10), (3, GIVENS), (4, 100..=120)] {
            for (item, puzzle) in with_givens(&generate(order, 20, 1), givens, 1).iter().enumerate() {
                let readings = read(puzzle, item % 5, 1, item);
                let given = puzzle.givens.digits().iter().filter(|&&d| d > 0).count();
                assert_eq!(readings.len(), given);
                assert!(readings.windows(2).all(|w| w[0].cell < w[1].cell));
                assert_eq!(readings.iter().filter(|r| r.digit() != truth(puzzle, r)).count(), item % 5);
                for reading in &readings {
                    assert!((reading.probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                    assert!(reading.probabilities.iter().all(|&p| p > 0.0));
                }
            }
        }
    }

    #[test]
    fn confidence_is_spread_as_stated() {
        let (mut sure, mut unsure, mut second, mut wrong, mut all) = (0, 0, 0, 0, 0);
        for (item, puzzle) in with_givens(&generate(3, 200, 1), GIVENS, 1).iter().enumerate() {
            for reading in read(puzzle, 3, 2, item) {
                let top = reading.probability();
                let truth = truth(puzzle, &reading);
                all += 1;
                if reading.digit() == truth {
                    assert!(top >= 0.6);
                    sure += usize::from(top >= 0.999);
                    unsure += usize::from(top < 0.9);
                } else {
                    wrong += 1;
                    assert!((0.5..0.95).contains(&top));
                    let above = reading
                        .probabilities
                        .iter()
                        .filter(|&&p| p > reading.probabilities[usize::from(truth) - 1]);
                    second += usize::from(above.count() == 1);
                }
            }
        }
        assert_eq!(wrong, 600);
        assert!((450..570).contains(&second), "{second} of {wrong}");
        assert!((all * 80 / 100..all * 90 / 100).contains(&sure), "{sure} of {all}");
        assert!((all / 100..all * 5 / 100).contains(&unsure), "{unsure} of {all}");
    }

    #[test]
    fn readings_depend_on_their_arguments_alone() {
        let puzzle = &with_givens(&generate(3, 1, 1), GIVENS, 1)[0];
        assert_eq!(read(puzzle, 2, 1, 4), read(puzzle, 2, 1, 4));
        assert_ne!(read(puzzle, 2, 1, 4), read(puzzle, 2, 1, 5));
        assert_ne!(read(puzzle, 2, 1, 4), read(puzzle, 2, 2, 4));
    }

    #[test]
    fn costs_are_logarithms_less_the_least() {
        let mut query = Query::default();
        Reading { cell: 7, probabilities: vec![0.5, 0.25, 0.25, 0.0] }.ask(2, &mut query).unwrap();
        let costs = query.groups[0].iter();
        let named: Vec<(String, i64)> = costs.map(|(l, c)| (variables(2).literal(*l), *c)).collect();
        // ln 2 = 0.6931; a probability of 0 counts as 1e-9, and -ln 1e-9 = 20.723.
        let expected = [0, 693, 693, 20723 - 693];
        for (digit, (found, price)) in named.iter().zip(expected).enumerate() {
            assert_eq!(found, &(format!("cell[row 2, column 4, digit {}]", digit + 1), price));
        }
    }
}
