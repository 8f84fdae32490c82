//! Examples as columns of bits: one column of values and one of "observed" flags for each variable.
//!
//! Columns make the two things that learning does with examples cheap: counting how often two literals
//! are true together (an AND and a population count for 64 examples at a time), and adding up the
//! literals of a constraint in all examples at once (a carry-save counter, again 64 at a time).

use preceptron_logic::{Lit, Var};

/// A table of examples: for each example and variable true, false or not observed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examples {
    count: usize,
    variables: usize,
    /// Column by column, [`Examples::words`] words each; bits past `count` are zero, and a bit that is
    /// not observed is zero.
    values: Vec<u64>,
    /// As `values`; nothing where every variable is observed in every example.
    known: Option<Vec<u64>>,
}

impl Examples {
    /// Examples from rows of values; a missing one is `None`.
    ///
    /// # Panics
    /// If a row does not have one entry for each variable.
    pub fn from_rows<R: AsRef<[Option<bool>]>>(variables: usize, rows: &[R]) -> Examples {
        let words = rows.len().div_ceil(64);
        let mut values = vec![0; words * variables];
        let mut known = vec![0; words * variables];
        for (row, entries) in rows.iter().enumerate() {
            let entries = entries.as_ref();
            assert_eq!(entries.len(), variables, "row {row} has one entry for each variable");
            for (var, entry) in entries.iter().enumerate() {
                let (word, bit) = (var * words + row / 64, 1 << (row % 64));
                if let Some(value) = entry {
                    known[word] |= bit;
                    if *value {
                        values[word] |= bit;
                    }
                }
            }
        }
        Examples { count: rows.len(), variables, values, known: Some(known) }.normalised()
    }

    /// Fully observed examples from rows of values.
    ///
    /// # Panics
    /// If a row does not have one entry for each variable.
    pub fn from_full_rows<R: AsRef<[bool]>>(variables: usize, rows: &[R]) -> Examples {
        let words = rows.len().div_ceil(64);
        let mut values = vec![0; words * variables];
        for (row, entries) in rows.iter().enumerate() {
            let entries = entries.as_ref();
            assert_eq!(entries.len(), variables, "row {row} has one entry for each variable");
            for (var, _) in entries.iter().enumerate().filter(|(_, value)| **value) {
                values[var * words + row / 64] |= 1 << (row % 64);
            }
        }
        Examples { count: rows.len(), variables, values, known: None }
    }

    /// Examples from columns of bits, `count.div_ceil(64)` words for each variable in turn; without
    /// `known` every variable is observed in every example. Bits past `count` do not matter, nor do values
    /// that are not observed.
    ///
    /// # Panics
    /// If there are not so many words.
    pub fn from_columns(
        count: usize,
        variables: usize,
        mut values: Vec<u64>,
        mut known: Option<Vec<u64>>,
    ) -> Examples {
        let words = count.div_ceil(64);
        assert_eq!(values.len(), words * variables, "one column of values for each variable");
        if !count.is_multiple_of(64) {
            let mask = (1 << (count % 64)) - 1;
            for bits in [Some(&mut values), known.as_mut()].into_iter().flatten() {
                bits.iter_mut().skip(words - 1).step_by(words).for_each(|word| *word &= mask);
            }
        }
        if let Some(known) = &known {
            assert_eq!(known.len(), values.len(), "one column of flags for each variable");
            values.iter_mut().zip(known).for_each(|(value, known)| *value &= known);
        }
        Examples { count, variables, values, known }.normalised()
    }

    /// Drops the flags where everything is observed.
    fn normalised(mut self) -> Examples {
        if let Some(known) = &self.known
            && known.iter().map(|w| w.count_ones() as usize).sum::<usize>() == self.count * self.variables
        {
            self.known = None;
        }
        self
    }

    /// How many examples there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many variables each example has.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// How many words a column has.
    pub fn words(&self) -> usize {
        self.count.div_ceil(64)
    }

    /// Whether every variable is observed in every example.
    pub fn is_complete(&self) -> bool {
        self.known.is_none()
    }

    /// The share of values that are observed; 1 where there are none.
    pub fn observed(&self) -> f64 {
        match &self.known {
            None => 1.0,
            Some(known) => {
                let count: u64 = known.iter().map(|word| u64::from(word.count_ones())).sum();
                count as f64 / (self.count * self.variables) as f64
            }
        }
    }

    /// The value of a variable in an example, if it is observed.
    pub fn get(&self, row: usize, var: Var) -> Option<bool> {
        let (word, bit) = (var.index() * self.words() + row / 64, row % 64);
        let known = self.known.as_ref().is_none_or(|k| k[word] >> bit & 1 == 1);
        known.then(|| self.values[word] >> bit & 1 == 1)
    }

    /// The examples in which the variable is observed to be true, 64 to a word.
    pub fn ones(&self, var: Var) -> &[u64] {
        let words = self.words();
        &self.values[var.index() * words..][..words]
    }

    /// The examples in which the variable is observed; nothing if that is all of them.
    pub fn known(&self, var: Var) -> Option<&[u64]> {
        let words = self.words();
        self.known.as_ref().map(|k| &k[var.index() * words..][..words])
    }

    /// Whether all examples observe a variable.
    pub fn is_complete_at(&self, var: Var) -> bool {
        self.known(var).is_none_or(|known| (0..known.len()).all(|word| known[word] == self.mask(word)))
    }

    /// The word of flags "this example exists" at this position.
    pub fn mask(&self, word: usize) -> u64 {
        match self.count - word * 64 {
            left if left >= 64 => u64::MAX,
            left => (1 << left) - 1,
        }
    }

    /// The word of examples in which the literal is observed to be true.
    pub fn true_word(&self, literal: Lit, word: usize) -> u64 {
        let at = literal.var().index() * self.words() + word;
        match (literal.is_negated(), &self.known) {
            (false, _) => self.values[at],
            (true, Some(known)) => known[at] & !self.values[at],
            (true, None) => self.mask(word) & !self.values[at],
        }
    }

    /// The column of examples in which the literal is observed to be true.
    pub fn true_column(&self, literal: Lit) -> Vec<u64> {
        (0..self.words()).map(|word| self.true_word(literal, word)).collect()
    }

    /// The examples with these numbers, in this order.
    pub fn select(&self, rows: &[usize]) -> Examples {
        let (old, new) = (self.words(), rows.len().div_ceil(64));
        let pick = |source: &[u64]| {
            let mut picked = vec![0u64; new * self.variables];
            for var in 0..self.variables {
                for (to, from) in rows.iter().enumerate() {
                    let bit = source[var * old + from / 64] >> (from % 64) & 1;
                    picked[var * new + to / 64] |= bit << (to % 64);
                }
            }
            picked
        };
        Examples {
            count: rows.len(),
            variables: self.variables,
            values: pick(&self.values),
            known: self.known.as_deref().map(pick),
        }
        .normalised()
    }

    /// The first `count` examples, or all if there are fewer.
    pub fn first(&self, count: usize) -> Examples {
        self.select(&(0..count.min(self.count)).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back() {
        let rows: Vec<Vec<Option<bool>>> = (0..130)
            .map(|r| (0..5).map(|v| [Some(true), Some(false), None][(r * 7 + v * v) % 3]).collect())
            .collect();
        let examples = Examples::from_rows(5, &rows);
        for (r, row) in rows.iter().enumerate() {
            for (v, value) in row.iter().enumerate() {
                assert_eq!(examples.get(r, Var(v as u32)), *value);
            }
        }
        let some = examples.select(&[129, 3, 64]);
        assert_eq!(some.get(0, Var(2)), rows[129][2]);
        assert_eq!(some.get(2, Var(4)), rows[64][4]);
        assert!(!examples.is_complete());
    }

    #[test]
    fn columns_are_cleaned() {
        let values = vec![u64::MAX, u64::MAX, u64::MAX, 1];
        let known = vec![u64::MAX, u64::MAX, 5, 0];
        let examples = Examples::from_columns(66, 2, values.clone(), Some(known));
        assert_eq!(examples.ones(Var(0)), [u64::MAX, 3]);
        assert_eq!(examples.ones(Var(1)), [5, 0]);
        assert_eq!(examples.observed(), 68.0 / 132.0);
        let full = Examples::from_columns(66, 2, values, None);
        assert_eq!(full.ones(Var(1)), [u64::MAX, 1]);
        assert_eq!(full.observed(), 1.0);
    }

    #[test]
    fn complete_rows_need_no_flags() {
        let rows = vec![vec![Some(true), Some(false)]; 70];
        let examples = Examples::from_rows(2, &rows);
        assert!(examples.is_complete());
        assert_eq!(examples, Examples::from_full_rows(2, &[[true, false]; 70]));
        assert_eq!(examples.true_column(Var(1).negative()), vec![u64::MAX, 63]);
    }
}
