//! What both text formats need of a claim: its sums, and its gate.

use super::{Claim, Monomial, NumberRules};

impl NumberRules {
    /// Whether columns are multiplied by each other.
    pub fn has_products(&self) -> bool {
        self.rules.iter().any(|rule| match &rule.claim {
            Claim::Product { .. } => true,
            Claim::Sign { expression, .. } => expression.iter().any(|one| one.columns.len() > 1),
            _ => false,
        })
    }

    /// A shift that leaves no number below zero, and moves all quotients alike: formats differ in what they divide a
    /// number below zero to.
    pub(super) fn shift(&self, columns: &[usize], by: i64, shift: i64) -> i64 {
        let least = columns.iter().map(|column| self.columns[*column].min).min().unwrap_or(0) + shift;
        if least < 0 { shift + by * (-least).div_euclid(by) + by } else { shift }
    }
}

/// Every two of some columns.
pub(super) fn pairs(columns: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    columns.iter().enumerate().flat_map(|(at, b)| columns[..at].iter().map(move |a| (*a, *b)))
}

/// The terms of a sum of columns.
pub(super) fn monomials(terms: &[(i64, usize)]) -> Vec<Monomial> {
    terms
        .iter()
        .map(|(coefficient, column)| Monomial { coefficient: *coefficient, columns: vec![*column] })
        .collect()
}
