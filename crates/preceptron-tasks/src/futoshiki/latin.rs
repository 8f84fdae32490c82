//! Random Latin squares, by the moves of Jacobson and Matthews (1996).
//!
//! A square is a cube of numbers, 1 where a row and a column hold a digit, in which every line adds up to 1. A
//! move adds 1 at one place and changes seven others so that all lines keep their sums; one of them may
//! become -1, and then the next moves are made there until none is. Of the squares that are met on the way,
//! over many of them, each is equally likely: what is counted is squares and not moves, since the first square
//! after a number of moves is more often one that many moves lead to. As many are met as the cube has places,
//! from one whose rows, columns and digits are in random order.

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::checked;

/// A random Latin square, its digits (from 1) row by row.
///
/// # Panics
/// If the side is not 4 to 7.
pub fn latin_square(side: usize, random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut orders = [0; 3].map(|_| (0..checked(side)).collect::<Vec<usize>>());
    orders.iter_mut().for_each(|order| order.shuffle(random));
    let mut cube = Cube { side, values: vec![0; side.pow(3)] };
    for row in 0..side {
        for column in 0..side {
            cube.add([row, column, orders[2][(orders[0][row] + orders[1][column]) % side]], 1);
        }
    }
    for _ in 0..side.pow(3) {
        let mut improper = cube.step(None, random);
        while improper.is_some() {
            improper = cube.step(improper, random);
        }
    }
    let digit = |cell: usize| (0..side).find(|&digit| cube.values[cell * side + digit] == 1);
    (0..side * side).map(|cell| digit(cell).map_or(0, |digit| digit as u8 + 1)).collect()
}

/// Row, column and digit, each from 0.
type Place = [usize; 3];

/// Which row and column hold which digit.
struct Cube {
    side: usize,
    values: Vec<i8>,
}

impl Cube {
    fn at(&mut self, [row, column, digit]: Place) -> &mut i8 {
        &mut self.values[(row * self.side + column) * self.side + digit]
    }

    fn add(&mut self, place: Place, number: i8) {
        *self.at(place) += number;
    }

    /// Makes a move at the place that has -1, or at a random one that has 0. The place that then has -1.
    fn step(&mut self, improper: Option<Place>, random: &mut ChaCha8Rng) -> Option<Place> {
        let place = improper.unwrap_or_else(|| {
            loop {
                let place = [0; 3].map(|_| random.random_range(0..self.side));
                if *self.at(place) == 0 {
                    return place;
                }
            }
        });
        // In each line through the place another that has 1: one of two if the place has -1.
        let other = [0, 1, 2].map(|axis| {
            let (mut held, mut count) = ([0; 2], 0);
            for number in 0..self.side {
                let mut along = place;
                along[axis] = number;
                if number != place[axis] && *self.at(along) == 1 {
                    held[count] = number;
                    count += 1;
                }
            }
            held[random.random_range(0..count)]
        });
        // The eight corners between the two, an even number of steps away from the place or an odd one.
        for corner in 0..8usize {
            let part = |axis: usize| if corner >> axis & 1 == 1 { other[axis] } else { place[axis] };
            self.add([part(0), part(1), part(2)], if corner.count_ones() % 2 == 0 { 1 } else { -1 });
        }
        (*self.at(other) < 0).then_some(other)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::futoshiki::Puzzle;
    use preceptron_base::stream;

    #[test]
    fn squares_are_latin() {
        for side in 4..=7 {
            for item in 0..200 {
                let solution = latin_square(side, &mut stream(1, "squares of a test", item));
                let puzzle = Puzzle { side, givens: vec![0; side * side], signs: vec![], solution };
                assert_eq!(puzzle.check(), Ok(()));
            }
        }
    }

    /// Of the 576 squares of side 4 each comes out as often as chance allows: the sum of squared deviations is
    /// within five standard deviations of what it should be.
    #[test]
    fn every_square_of_side_four_is_equally_likely() {
        let mut counts: HashMap<Vec<u8>, u32> = HashMap::new();
        for item in 0..57_600 {
            *counts.entry(latin_square(4, &mut stream(2, "squares of a test", item))).or_default() += 1;
        }
        assert_eq!(counts.len(), 576);
        let squared: f64 = counts.values().map(|&count| (f64::from(count) - 100.0).powi(2) / 100.0).sum();
        assert!((squared - 575.0).abs() < 5.0 * (2.0 * 575f64).sqrt(), "{squared}");
    }
}
