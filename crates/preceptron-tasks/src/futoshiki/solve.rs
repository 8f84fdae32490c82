//! How many solutions a puzzle has, by search: for each cell the digits left to it as bits.
//!
//! A digit placed is taken from the other cells of its row and column; the lesser cell of a sign loses what is
//! not below the greatest digit left to the greater one, and the other way round. Where nothing more follows,
//! the cell with the fewest digits left is tried with each. This knows the rules of Futoshiki: it poses
//! puzzles and judges answers, and no learner is to call it.

use super::{Sign, checked};

/// How many solutions there are with these givens (row by row, 0 for a blank) and signs; the count ends at
/// `limit`.
///
/// # Panics
/// If the side is not 4 to 7, there is not an entry for each cell, a given is greater than the side or a sign
/// lies outside.
pub fn count_solutions(side: usize, givens: &[u8], signs: &[Sign], limit: usize) -> usize {
    let mut count = 0;
    visit(side, givens, signs, limit, &mut |_| count += 1);
    count
}

/// The first solutions, at most `limit`.
///
/// # Panics
/// As [`count_solutions`].
pub fn solutions(side: usize, givens: &[u8], signs: &[Sign], limit: usize) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    visit(side, givens, signs, limit, &mut |left| {
        found.push(left.iter().map(|bits| bits.trailing_zeros() as u8 + 1).collect());
    });
    found
}

/// Shows the first solutions, as the one bit left to each cell.
fn visit(side: usize, givens: &[u8], signs: &[Sign], limit: usize, show: &mut dyn FnMut(&[u8])) {
    let cells = checked(side) * side;
    assert_eq!(givens.len(), cells, "a digit or a blank for each cell");
    assert!(givens.iter().all(|&given| usize::from(given) <= side), "digits up to the side");
    let search = Search { side, signs, everything: u8::MAX >> (8 - side) };
    let bits = |&given: &u8| if given > 0 { 1 << (given - 1) } else { search.everything };
    let left: Vec<u8> = givens.iter().map(bits).collect();
    let mut more = limit;
    if more > 0 {
        search.go_on(left, &mut more, show);
    }
}

struct Search<'a> {
    side: usize,
    signs: &'a [Sign],
    /// All digits as bits.
    everything: u8,
}

impl Search<'_> {
    /// Shows the solutions within what is left to each cell, until there are no `more` to show.
    fn go_on(&self, mut left: Vec<u8>, more: &mut usize, show: &mut dyn FnMut(&[u8])) {
        if !self.propagate(&mut left) {
            return;
        }
        let open = (0..left.len()).filter(|&cell| left[cell].count_ones() > 1);
        let Some(cell) = open.min_by_key(|&cell| left[cell].count_ones()) else {
            *more -= 1;
            return show(&left);
        };
        let mut digits = left[cell];
        while digits > 0 && *more > 0 {
            let lowest = digits & digits.wrapping_neg();
            digits ^= lowest;
            let mut tried = left.clone();
            tried[cell] = lowest;
            self.go_on(tried, more, show);
        }
    }

    /// Takes away what cannot be until nothing more follows; false if a cell has nothing left.
    fn propagate(&self, left: &mut [u8]) -> bool {
        loop {
            let mut changed = false;
            let mut keep = |bits: &mut u8, allowed: u8| {
                changed |= *bits & !allowed != 0;
                *bits &= allowed;
                *bits != 0
            };
            for cell in 0..left.len() {
                let bits = left[cell];
                if bits.count_ones() != 1 {
                    continue;
                }
                let (row, column) = (cell / self.side, cell % self.side);
                for k in 0..self.side {
                    for other in [row * self.side + k, k * self.side + column] {
                        if other != cell && !keep(&mut left[other], !bits) {
                            return false;
                        }
                    }
                }
            }
            for sign in self.signs {
                // Below the greatest digit of the one, and above the least of the other.
                let below = u8::MAX.checked_shr(left[sign.greater].leading_zeros() + 1).unwrap_or(0);
                let above = u8::MAX.checked_shl(left[sign.less].trailing_zeros() + 1).unwrap_or(0);
                if !keep(&mut left[sign.less], below) || !keep(&mut left[sign.greater], above) {
                    return false;
                }
            }
            if !changed {
                return left.iter().all(|bits| bits & self.everything != 0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::stream;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    /// All Latin squares of side 4, from all rows.
    static SQUARES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
        let rows: Vec<Vec<u8>> = (0..256u32)
            .map(|code| (0..4).map(|k| (code >> (2 * k) & 3) as u8 + 1).collect::<Vec<u8>>())
            .filter(|row| (1..=4).all(|digit| row.contains(&digit)))
            .collect();
        let mut squares = vec![vec![]];
        for _ in 0..4 {
            let differs = |square: &[u8], row: &[u8]| {
                square.chunks(4).all(|other| other.iter().zip(row).all(|(a, b)| a != b))
            };
            squares = squares
                .iter()
                .flat_map(|square: &Vec<u8>| {
                    let fitting = rows.iter().filter(|row| differs(square, row));
                    fitting.map(|row| [square.clone(), row.clone()].concat()).collect::<Vec<_>>()
                })
                .collect();
        }
        squares
    });

    fn plain(givens: &[u8], signs: &[Sign]) -> Vec<Vec<u8>> {
        let fits = |square: &&Vec<u8>| {
            givens.iter().zip(square.iter()).all(|(given, digit)| *given == 0 || given == digit)
                && signs.iter().all(|sign| square[sign.less] < square[sign.greater])
        };
        SQUARES.iter().filter(fits).cloned().collect()
    }

    proptest! {
        #[test]
        fn as_many_as_trying_all_squares(
            cells in prop::collection::vec((0usize..16, 1u8..=4), 0..5),
            places in prop::collection::btree_set(0usize..48, 0..9),
            from in prop::option::of(0usize..576),
        ) {
            let all: Vec<Sign> = Sign::all(4).collect();
            let mut signs: Vec<Sign> = places.into_iter().map(|place| all[place]).collect();
            let mut givens = vec![0; 16];
            for (cell, digit) in cells {
                givens[cell] = from.map_or(digit, |at| SQUARES[at][cell]);
            }
            if let Some(at) = from {
                signs.retain(|sign| SQUARES[at][sign.less] < SQUARES[at][sign.greater]);
            }
            let expected = plain(&givens, &signs);
            prop_assert!(from.is_none() || !expected.is_empty());
            prop_assert_eq!(count_solutions(4, &givens, &signs, 1000), expected.len());
            let mut found = solutions(4, &givens, &signs, 1000);
            found.sort();
            let mut sorted = expected.clone();
            sorted.sort();
            prop_assert_eq!(found, sorted);
            prop_assert_eq!(count_solutions(4, &givens, &signs, 3), expected.len().min(3));
        }
    }

    #[test]
    fn limits_end_the_count() {
        assert_eq!(SQUARES.len(), 576);
        assert_eq!(count_solutions(4, &[0; 16], &[], 10_000), 576);
        assert_eq!(count_solutions(4, &[0; 16], &[], 0), 0);
        assert_eq!(count_solutions(7, &[0; 49], &[], 5), 5);
        let whole = super::super::latin_square(7, &mut stream(1, "square of a test", 0));
        assert_eq!(solutions(7, &whole, &[], 5), [whole]);
    }
}
