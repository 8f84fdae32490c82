//! The linear span of equalities, to tell new equations from sums and differences of old ones.
//!
//! Arithmetic is modulo the prime 2^61 - 1. Rows have entries of -1, 0 and 1, so an equation that is in
//! the span modulo this prime and not over the rationals would need a determinant that the prime happens
//! to divide; that is left to chance here, since nothing but the listing of a redundant rule depends on it.

use std::collections::BTreeMap;

use preceptron_logic::Constraint;

const PRIME: u64 = (1 << 61) - 1;

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn inverse(a: u64) -> u64 {
    let (mut result, mut base, mut exponent) = (1, a, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    result
}

/// Equations in echelon form.
#[derive(Clone, Default)]
pub(crate) struct Span {
    /// By leading column, the rest of a row whose leading entry is 1.
    pivots: BTreeMap<usize, Vec<(usize, u64)>>,
}

impl Span {
    /// Whether an equation expresses this variable by later ones. The others are free.
    pub(crate) fn determines(&self, variable: usize) -> bool {
        self.pivots.contains_key(&variable)
    }

    /// What is left of a constraint's row after the span's equations are subtracted.
    fn reduce(&self, constraint: &Constraint) -> BTreeMap<usize, u64> {
        let mut work: BTreeMap<usize, u64> = constraint
            .row()
            .0
            .into_iter()
            .map(|(var, c)| (var.index(), if c < 0 { PRIME - 1 } else { 1 }))
            .collect();
        let mut left = BTreeMap::new();
        while let Some((column, value)) = work.pop_first() {
            match self.pivots.get(&column) {
                None => {
                    left.insert(column, value);
                    return {
                        left.append(&mut work);
                        left
                    };
                }
                Some(pivot) => {
                    for &(at, entry) in pivot {
                        let sum = work.entry(at).or_insert(0);
                        *sum = (*sum + times(PRIME - value, entry)) % PRIME;
                        if *sum == 0 {
                            work.remove(&at);
                        }
                    }
                }
            }
        }
        left
    }

    /// Whether the constraint's row is a combination of the rows in the span.
    pub(crate) fn contains(&self, constraint: &Constraint) -> bool {
        self.reduce(constraint).is_empty()
    }

    /// Adds a row; false if it was in the span already.
    pub(crate) fn add(&mut self, constraint: &Constraint) -> bool {
        let mut left = self.reduce(constraint);
        let Some((column, value)) = left.pop_first() else { return false };
        let scale = inverse(value);
        self.pivots.insert(column, left.into_iter().map(|(at, v)| (at, times(v, scale))).collect());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::Var;

    fn exactly_one(vars: &[u32]) -> Constraint {
        Constraint::exactly(1, vars.iter().map(|&v| Var(v).positive()))
    }

    #[test]
    fn sums_and_differences_are_in_the_span() {
        let mut span = Span::default();
        assert!(span.add(&exactly_one(&[0, 1, 2])));
        assert!(span.add(&exactly_one(&[2, 3])));
        let difference = Constraint::exactly(1, [Var(0).positive(), Var(1).positive(), Var(3).negative()]);
        assert!(span.contains(&difference));
        assert!(!span.contains(&exactly_one(&[0, 1])));
        assert!(!span.add(&difference));
        assert!(span.determines(0) && span.determines(2) && !span.determines(1));
    }
}
