//! First and second moments of examples: all that the least-squares search needs of the data.
//!
//! For each variable the sum of its values and the number of examples that observe it; for each pair the
//! sum of the products and the number of examples that observe both. All are whole numbers (values are
//! taken in units of 2^-15), so that 0/1 data are exact and moments of parts can be added in any order,
//! on any number of machines, with the same result.

use preceptron_logic::Var;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::Examples;

/// The value 1 in fixed point.
const ONE: u64 = 1 << 15;

/// Sums over examples, for every variable and every pair of variables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moments {
    variables: usize,
    examples: u64,
    /// Sum of values where the variable is observed, in units of 1 / [`ONE`].
    sums: Vec<u64>,
    /// Number of examples that observe the variable; nothing where that is all of them.
    known: Option<Vec<u64>>,
    /// Upper triangle with diagonal: sums of products where both are observed, in units of 1 / `ONE`^2.
    products: Vec<u64>,
    /// Upper triangle with diagonal: number of examples that observe both.
    known_pairs: Option<Vec<u64>>,
}

impl Moments {
    /// No example yet.
    pub fn new(variables: usize) -> Moments {
        let pairs = variables * (variables + 1) / 2;
        Moments {
            variables,
            examples: 0,
            sums: vec![0; variables],
            known: None,
            products: vec![0; pairs],
            known_pairs: None,
        }
    }

    /// The moments of 0/1 examples.
    pub fn of(examples: &Examples) -> Moments {
        let n = examples.variables();
        let mut moments = Moments::new(n);
        moments.examples = examples.len() as u64;
        for (var, sum) in moments.sums.iter_mut().enumerate() {
            *sum = ONE * count(examples.ones(Var(var as u32)));
        }
        triangle(&mut moments.products, n).into_par_iter().enumerate().for_each(|(i, row)| {
            let a = examples.ones(Var(i as u32));
            for (entry, j) in row.iter_mut().zip(i as u32..) {
                *entry = ONE * ONE * count_both(a, examples.ones(Var(j)));
            }
        });
        if !examples.is_complete() {
            let flags = |var: usize| examples.known(Var(var as u32)).expect("incomplete examples have flags");
            moments.known = Some((0..n).map(|var| count(flags(var))).collect());
            let mut known = vec![0; moments.products.len()];
            triangle(&mut known, n).into_par_iter().enumerate().for_each(|(i, row)| {
                for (entry, j) in row.iter_mut().zip(i..) {
                    *entry = count_both(flags(i), flags(j));
                }
            });
            moments.known_pairs = Some(known);
        }
        moments
    }

    /// Adds one example of probabilities (or other values from 0 to 1); a missing one is `None`.
    ///
    /// # Panics
    /// If there is not one value for each variable, or one is outside 0 to 1.
    pub fn add(&mut self, values: &[Option<f64>]) {
        assert_eq!(values.len(), self.variables, "one value for each variable");
        if values.iter().any(Option::is_none) {
            self.count_known();
        }
        self.examples += 1;
        let fixed: Vec<Option<u64>> = values
            .iter()
            .map(|value| {
                value.map(|v| {
                    assert!((0.0..=1.0).contains(&v), "values are from 0 to 1");
                    (v * ONE as f64).round() as u64
                })
            })
            .collect();
        let mut at = 0;
        for (i, a) in fixed.iter().enumerate() {
            self.sums[i] += a.unwrap_or(0);
            if let Some(known) = &mut self.known {
                known[i] += u64::from(a.is_some());
            }
            for b in &fixed[i..] {
                if let (Some(a), Some(b)) = (a, b) {
                    self.products[at] += a * b;
                    if let Some(known) = &mut self.known_pairs {
                        known[at] += 1;
                    }
                }
                at += 1;
            }
        }
    }

    /// Adds the moments of other examples of the same variables.
    ///
    /// # Panics
    /// If the number of variables differs.
    pub fn merge(&mut self, other: &Moments) {
        assert_eq!(self.variables, other.variables, "moments of the same variables");
        if other.known.is_some() {
            self.count_known();
        }
        let add = |into: &mut [u64], from: &[u64]| into.iter_mut().zip(from).for_each(|(a, b)| *a += b);
        add(&mut self.sums, &other.sums);
        add(&mut self.products, &other.products);
        for (mine, theirs) in [(&mut self.known, &other.known), (&mut self.known_pairs, &other.known_pairs)] {
            match (mine, theirs) {
                (Some(mine), Some(theirs)) => add(mine, theirs),
                (Some(mine), None) => mine.iter_mut().for_each(|a| *a += other.examples),
                (None, _) => {}
            }
        }
        self.examples += other.examples;
    }

    /// From here on observations are counted one by one.
    fn count_known(&mut self) {
        if self.known.is_none() {
            self.known = Some(vec![self.examples; self.variables]);
            self.known_pairs = Some(vec![self.examples; self.products.len()]);
        }
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// How many examples were added.
    pub fn examples(&self) -> u64 {
        self.examples
    }

    /// In how many examples the variable is observed.
    pub fn known(&self, i: usize) -> u64 {
        self.known.as_ref().map_or(self.examples, |known| known[i])
    }

    /// In how many examples both variables are observed.
    pub fn known_both(&self, i: usize, j: usize) -> u64 {
        self.known_pairs.as_ref().map_or(self.examples, |known| known[self.at(i, j)])
    }

    /// The sum of a variable's values.
    pub fn sum(&self, i: usize) -> f64 {
        self.sums[i] as f64 / ONE as f64
    }

    /// The sum of the products of two variables' values: for 0/1 data, how often both are true.
    pub fn both(&self, i: usize, j: usize) -> f64 {
        self.products[self.at(i, j)] as f64 / (ONE * ONE) as f64
    }

    /// The mean where the variable is observed; 0 if it never is.
    pub fn mean(&self, i: usize) -> f64 {
        match self.known(i) {
            0 => 0.0,
            known => self.sum(i) / known as f64,
        }
    }

    /// The mean product where both are observed; the product of the means if they never are.
    pub fn second(&self, i: usize, j: usize) -> f64 {
        match self.known_both(i, j) {
            0 => self.mean(i) * self.mean(j),
            known => self.both(i, j) / known as f64,
        }
    }

    /// The covariance, from the available cases.
    pub fn covariance(&self, i: usize, j: usize) -> f64 {
        self.second(i, j) - self.mean(i) * self.mean(j)
    }

    fn at(&self, i: usize, j: usize) -> usize {
        let (i, j) = if i <= j { (i, j) } else { (j, i) };
        i * self.variables - i * (i + 1) / 2 + j
    }
}

/// The rows of an upper triangle with diagonal that is stored row by row.
fn triangle(mut entries: &mut [u64], n: usize) -> Vec<&mut [u64]> {
    (0..n)
        .map(|i| {
            let (row, rest) = std::mem::take(&mut entries).split_at_mut(n - i);
            entries = rest;
            row
        })
        .collect()
}

fn count(words: &[u64]) -> u64 {
    words.iter().map(|w| u64::from(w.count_ones())).sum()
}

fn count_both(a: &[u64], b: &[u64]) -> u64 {
    a.iter().zip(b).map(|(a, b)| u64::from((a & b).count_ones())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(complete: bool) -> impl Strategy<Value = Vec<Vec<Option<bool>>>> {
        let entry =
            if complete { any::<bool>().prop_map(Some).boxed() } else { any::<Option<bool>>().boxed() };
        prop::collection::vec(prop::collection::vec(entry, 4), 0..150)
    }

    /// One example after the other, in the obvious way.
    fn plain(rows: &[Vec<Option<bool>>]) -> Moments {
        let mut moments = Moments::new(4);
        for row in rows {
            moments.add(&row.iter().map(|v| v.map(|v| f64::from(u8::from(v)))).collect::<Vec<_>>());
        }
        moments
    }

    fn same(a: &Moments, b: &Moments) {
        assert_eq!(a.examples(), b.examples());
        for i in 0..4 {
            assert_eq!((a.sum(i), a.known(i)), (b.sum(i), b.known(i)));
            for j in 0..4 {
                assert_eq!((a.both(i, j), a.known_both(i, j)), (b.both(i, j), b.known_both(i, j)));
            }
        }
    }

    proptest! {
        #[test]
        fn columns_agree_with_rows(rows in prop_oneof![rows(true), rows(false)]) {
            same(&Moments::of(&Examples::from_rows(4, &rows)), &plain(&rows));
        }

        #[test]
        fn any_order_of_merging(a in rows(true), b in rows(false), c in rows(false)) {
            let parts = [&a, &b, &c].map(|rows| Moments::of(&Examples::from_rows(4, rows)));
            let whole = Moments::of(&Examples::from_rows(4, &[a, b, c].concat()));
            for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
                let mut merged = Moments::new(4);
                order.iter().for_each(|&part| merged.merge(&parts[part]));
                same(&merged, &whole);
            }
        }

        #[test]
        fn probabilities_in_any_order(values in prop::collection::vec(prop::collection::vec(0.0..=1.0f64, 3), 1..20)) {
            let add = |order: &mut dyn Iterator<Item = &Vec<f64>>| {
                let mut moments = Moments::new(3);
                order.for_each(|v| moments.add(&v.iter().copied().map(Some).collect::<Vec<_>>()));
                moments
            };
            prop_assert_eq!(add(&mut values.iter()), add(&mut values.iter().rev()));
        }
    }
}
