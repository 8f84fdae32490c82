//! Which literals are true in some of a few examples: a quick way to see that most patterns do occur.
//!
//! A pattern P with one more literal c never occurs only if c is false in every example of P. A few examples of P
//! rule out nearly all c at once, by bits over literals in place of bits over examples.

use std::ops::RangeInclusive;

use preceptron_logic::Lit;

use crate::counting::Columns;

/// So many examples of a pattern are looked at.
const LOOKS: usize = 8;

/// No more words than these are kept.
const MOST_WORDS: usize = 1 << 22;

/// For the first examples the literals that are true in them, as bits by position.
pub(crate) struct SeenTogether {
    /// Words for each example.
    words: usize,
    bits: Vec<u64>,
}

impl SeenTogether {
    /// For these literals and as many of the examples as there is room for.
    pub(crate) fn new(literals: &[Lit], columns: &Columns, examples: usize) -> SeenTogether {
        let words = literals.len().div_ceil(64).max(1);
        let kept = examples.min(MOST_WORDS / words);
        let mut bits = vec![0; kept * words];
        for (position, &literal) in literals.iter().enumerate() {
            for example in ones(columns.of(literal)).take_while(|&example| example < kept) {
                bits[example * words + position / 64] |= 1 << (position % 64);
            }
        }
        SeenTogether { words, bits }
    }

    /// The literals that are true in some example of this column; not all of them.
    pub(crate) fn some(&self, column: &[u64]) -> Vec<u64> {
        let mut seen = vec![0; self.words];
        let kept = self.bits.len() / self.words;
        for example in ones(column).take(LOOKS).take_while(|&example| example < kept) {
            let row = &self.bits[example * self.words..][..self.words];
            seen.iter_mut().zip(row).for_each(|(seen, row)| *seen |= row);
        }
        seen
    }
}

/// The numbers of the bits in a range that are not set.
pub(crate) fn zeros(bits: &[u64], range: RangeInclusive<usize>) -> Vec<usize> {
    let (from, to) = (*range.start(), *range.end());
    let unset = |at: usize| {
        let below = if at == from / 64 { !(u64::MAX << (from % 64)) } else { 0 };
        !bits[at] & !below
    };
    let words: Vec<u64> = (from / 64..=to / 64).map(unset).collect();
    ones(&words).map(|at| at + from / 64 * 64).take_while(|&at| at <= to).collect()
}

/// The numbers of the bits that are set.
fn ones(column: &[u64]) -> impl Iterator<Item = usize> + '_ {
    column.iter().enumerate().flat_map(|(at, &word)| {
        let next = |word: &u64| Some(word & (word - 1)).filter(|rest| *rest != 0);
        std::iter::successors(Some(word).filter(|word| *word != 0), next)
            .map(move |word| 64 * at + word.trailing_zeros() as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Examples;
    use preceptron_logic::Var;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_not_set_is_found(bits in prop::collection::vec(any::<u64>(), 4), a in 0..256usize, b in 0..256usize) {
            let (from, to) = (a.min(b), a.max(b));
            let plain: Vec<usize> = (from..=to).filter(|at| bits[at / 64] >> (at % 64) & 1 == 0).collect();
            prop_assert_eq!(zeros(&bits, from..=to), plain);
        }

        /// Whatever is told was seen was seen, and of few examples all of it is told.
        #[test]
        fn what_is_told_was_seen(rows in prop::collection::vec(prop::collection::vec(any::<bool>(), 5), 1..150)) {
            let examples = Examples::from_full_rows(5, &rows);
            let columns = Columns::new(&examples);
            let literals: Vec<Lit> = (0..5).flat_map(|v| [Var(v).positive(), Var(v).negative()]).collect();
            let seen = SeenTogether::new(&literals, &columns, rows.len());
            for &first in &literals {
                let told = seen.some(columns.of(first));
                let holds = |row: &[bool], literal: Lit| row[literal.var().index()] != literal.is_negated();
                let own: Vec<&Vec<bool>> = rows.iter().filter(|row| holds(row, first)).collect();
                for (position, &other) in literals.iter().enumerate() {
                    let is_told = told[0] >> position & 1 == 1;
                    let is_seen = own.iter().any(|row| holds(row, other));
                    prop_assert!(!is_told || is_seen);
                    prop_assert!(own.len() > LOOKS || is_told == is_seen);
                }
            }
        }
    }
}
