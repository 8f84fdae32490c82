//! Examples that a chain changes: a column of bits for each variable.

use preceptron_logic::Var;

use crate::Examples;

/// Complete examples, as columns.
#[derive(Clone)]
pub(super) struct State {
    examples: usize,
    words: usize,
    bits: Vec<u64>,
}

impl State {
    /// The complete examples of a table, at most so many. Which these are, and their order, depends on what
    /// is in them and not on where they stand.
    pub(super) fn of(table: &Examples, most: usize) -> State {
        let mut hashes = vec![0u64; table.len()];
        let mut complete: Vec<u64> = (0..table.words()).map(|word| table.mask(word)).collect();
        for v in 0..table.variables() {
            let var = Var(v as u32);
            let key = mixed(v as u64 + 1);
            for (word, ones) in table.ones(var).iter().enumerate() {
                let mut left = *ones;
                while left != 0 {
                    hashes[word * 64 + left.trailing_zeros() as usize] ^= key;
                    left &= left - 1;
                }
            }
            if let Some(known) = table.known(var) {
                complete.iter_mut().zip(known).for_each(|(all, known)| *all &= known);
            }
        }
        let mut rows: Vec<usize> =
            (0..table.len()).filter(|row| complete[row / 64] >> (row % 64) & 1 == 1).collect();
        rows.sort_by_key(|&row| mixed(hashes[row]));
        rows.truncate(most);
        State::of_rows(table, &rows)
    }

    fn of_rows(table: &Examples, rows: &[usize]) -> State {
        let words = rows.len().div_ceil(64);
        let mut bits = vec![0; words * table.variables()];
        for v in 0..table.variables() {
            let ones = table.ones(Var(v as u32));
            for (to, from) in rows.iter().enumerate() {
                bits[v * words + to / 64] |= (ones[from / 64] >> (from % 64) & 1) << (to % 64);
            }
        }
        State { examples: rows.len(), words, bits }
    }

    /// The examples with these numbers.
    pub(super) fn select(&self, rows: &[usize]) -> State {
        let words = rows.len().div_ceil(64);
        let variables = self.variables();
        let mut bits = vec![0; words * variables];
        for v in 0..variables {
            for (to, from) in rows.iter().enumerate() {
                bits[v * words + to / 64] |= u64::from(self.get(v, *from)) << (to % 64);
            }
        }
        State { examples: rows.len(), words, bits }
    }

    /// How many examples there are.
    pub(super) fn len(&self) -> usize {
        self.examples
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.examples == 0
    }

    /// How many variables each example has.
    pub(super) fn variables(&self) -> usize {
        self.bits.len().checked_div(self.words).unwrap_or(0)
    }

    /// How many words a column has.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    pub(super) fn column(&self, variable: usize) -> &[u64] {
        &self.bits[variable * self.words..][..self.words]
    }

    pub(super) fn get(&self, variable: usize, example: usize) -> bool {
        self.bits[variable * self.words + example / 64] >> (example % 64) & 1 == 1
    }

    pub(super) fn flip(&mut self, variable: usize, example: usize) {
        self.bits[variable * self.words + example / 64] ^= 1 << (example % 64);
    }

    /// The word of flags "this example exists".
    pub(super) fn mask(&self, word: usize) -> u64 {
        match self.examples - word * 64 {
            left if left >= 64 => u64::MAX,
            left => (1 << left) - 1,
        }
    }

    /// The sum over variables of the square of how many examples have it true.
    pub(super) fn squares(&self) -> u64 {
        let ones = |column: &[u64]| column.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        self.bits.chunks(self.words.max(1)).map(|column| ones(column).pow(2)).sum()
    }

    /// The share of values that differ from those of another state of as many examples.
    pub(super) fn moved(&self, other: &State) -> f64 {
        let differ: u64 =
            self.bits.iter().zip(&other.bits).map(|(a, b)| u64::from((a ^ b).count_ones())).sum();
        let values = self.examples * self.bits.len() / self.words.max(1);
        differ as f64 / values.max(1) as f64
    }
}

/// A number in which every bit depends on every bit of another (the finaliser of splitmix64).
fn mixed(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_rows_does_not_matter() {
        let rows: Vec<[bool; 5]> =
            (0..90u32).map(|r| [0, 1, 2, 3, 4].map(|v| (r * r + 3 * r * v) % 7 < 3)).collect();
        let mut turned = rows.clone();
        turned.reverse();
        let [a, b] = [rows, turned].map(|rows| State::of(&Examples::from_full_rows(5, &rows), 40));
        assert_eq!(a.len(), 40);
        assert_eq!(a.bits, b.bits);
        assert_eq!(a.moved(&b), 0.0);
    }

    #[test]
    fn only_complete_examples_are_taken() {
        let rows = [vec![Some(true), None], vec![Some(false), Some(true)]];
        let state = State::of(&Examples::from_rows(2, &rows), 10);
        assert_eq!(state.len(), 1);
        assert!(!state.get(0, 0) && state.get(1, 0));
    }
}
