//! A pseudo-Boolean constraint in normal form, and what cutting planes make of it.
//!
//! ```text
//! a_1 l_1 + a_2 l_2 + ... + a_k l_k >= A        a_i > 0, A >= 0, each variable once
//! ```
//!
//! `l` is a variable or its negation, and `~x = 1 - x`. Every step that overflows 127 bits is refused, so that
//! no number ever wraps around.

use std::collections::BTreeMap;

/// A literal: twice the variable's number, and one more if it is negated.
pub type Lit = u32;

/// The sum of weighted literals is at least the degree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// Positive weights with their literals, in the order of the variables.
    terms: Vec<(i128, Lit)>,
    degree: i128,
}

/// That a number left the range in which this checker computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

impl Constraint {
    /// The normal form of `sum of terms >= degree`; weights may be negative, and variables come twice.
    pub fn new(terms: impl IntoIterator<Item = (i128, Lit)>, degree: i128) -> Result<Constraint, Overflow> {
        let mut weights: BTreeMap<u32, i128> = BTreeMap::new();
        let mut degree = degree;
        for (weight, literal) in terms {
            // w ~x = w - w x.
            let signed = if literal & 1 == 1 { weight.checked_neg().ok_or(Overflow)? } else { weight };
            if literal & 1 == 1 {
                degree = degree.checked_sub(weight).ok_or(Overflow)?;
            }
            let sum = weights.entry(literal >> 1).or_insert(0);
            *sum = sum.checked_add(signed).ok_or(Overflow)?;
        }
        let mut kept = Vec::new();
        let mut total = 0i128;
        for (variable, weight) in weights.into_iter().filter(|(_, weight)| *weight != 0) {
            if weight < 0 {
                degree = degree.checked_sub(weight).ok_or(Overflow)?;
            }
            kept.push((weight.checked_abs().ok_or(Overflow)?, 2 * variable + u32::from(weight < 0)));
            total = total.checked_add(weight.abs()).ok_or(Overflow)?;
        }
        Ok(Constraint { terms: kept, degree: degree.max(0) })
    }

    /// That a literal is not negative, which is always so.
    pub fn axiom(literal: Lit) -> Constraint {
        Constraint { terms: vec![(1, literal)], degree: 0 }
    }

    /// Weights and literals.
    pub fn terms(&self) -> &[(i128, Lit)] {
        &self.terms
    }

    /// What the sum must reach.
    pub fn degree(&self) -> i128 {
        self.degree
    }

    /// What all weights add up to.
    pub fn total(&self) -> i128 {
        self.terms.iter().map(|(weight, _)| weight).sum()
    }

    /// Whether no assignment satisfies it.
    pub fn is_contradiction(&self) -> bool {
        self.total() < self.degree
    }

    /// Whether an assignment satisfies it.
    pub fn holds(&self, is_true: impl Fn(Lit) -> bool) -> bool {
        let true_ones = self.terms.iter().filter(|(_, literal)| is_true(*literal));
        true_ones.map(|(weight, _)| weight).sum::<i128>() >= self.degree
    }

    /// The sum of two constraints.
    pub fn plus(&self, other: &Constraint) -> Result<Constraint, Overflow> {
        let degree = self.degree.checked_add(other.degree).ok_or(Overflow)?;
        Constraint::new(self.terms.iter().chain(&other.terms).copied(), degree)
    }

    /// The constraint a whole number of times.
    pub fn times(&self, factor: i128) -> Result<Constraint, Overflow> {
        let weight = |weight: i128| weight.checked_mul(factor).ok_or(Overflow);
        let terms: Result<Vec<_>, _> = self.terms.iter().map(|&(w, l)| Ok((weight(w)?, l))).collect();
        Constraint::new(terms?, weight(self.degree)?)
    }

    /// Weights and degree divided and rounded up.
    pub fn divided(&self, divisor: i128) -> Result<Constraint, Overflow> {
        let up = |number: i128| number / divisor + i128::from(number % divisor != 0);
        Constraint::new(self.terms.iter().map(|&(w, l)| (up(w), l)), up(self.degree))
    }

    /// No weight greater than the degree.
    pub fn saturated(&self) -> Result<Constraint, Overflow> {
        Constraint::new(self.terms.iter().map(|&(w, l)| (w.min(self.degree), l)), self.degree)
    }

    /// Without a variable: its literal counts as true.
    pub fn weakened(&self, variable: u32) -> Result<Constraint, Overflow> {
        let gone: i128 = self.terms.iter().filter(|(_, l)| l >> 1 == variable).map(|(w, _)| w).sum();
        let left = self.terms.iter().filter(|(_, l)| l >> 1 != variable).copied();
        Constraint::new(left, self.degree - gone)
    }

    /// What holds exactly where this does not: `sum <= A - 1`.
    pub fn negated(&self) -> Result<Constraint, Overflow> {
        let bound = 1i128.checked_sub(self.degree).ok_or(Overflow)?;
        Constraint::new(self.terms.iter().map(|&(w, l)| (-w, l)), bound)
    }

    /// With other literals, or values (`Err(true)` for 1), in the place of literals.
    pub fn substituted(&self, image: impl Fn(Lit) -> Result<Lit, bool>) -> Result<Constraint, Overflow> {
        let (mut terms, mut degree) = (Vec::new(), self.degree);
        for &(weight, literal) in &self.terms {
            match image(literal) {
                Ok(literal) => terms.push((weight, literal)),
                Err(is_true) => degree -= if is_true { weight } else { 0 },
            }
        }
        Constraint::new(terms, degree)
    }

    /// Whether the other follows by weakening literals away, saturating, and adding literals.
    pub fn implies(&self, other: &Constraint) -> bool {
        let wanted = |literal: Lit| {
            let found = other.terms.binary_search_by_key(&(literal >> 1), |(_, l)| l >> 1);
            found.ok().map(|at| other.terms[at]).filter(|(_, l)| *l == literal).map_or(0, |(w, _)| w)
        };
        // Saturated, a weight beyond the other's degree stands for any greater one.
        let kept =
            |weight: i128, wanted: i128| if wanted >= other.degree { 0 } else { (weight - wanted).max(0) };
        let lost: i128 = self.terms.iter().map(|&(weight, literal)| kept(weight, wanted(literal))).sum();
        other.degree == 0 || self.is_contradiction() || self.degree - lost >= other.degree
    }
}
