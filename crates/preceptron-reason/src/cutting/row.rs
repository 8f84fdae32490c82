//! Rows of a pseudo-Boolean problem, and a row under construction.
//!
//! ```text
//! a_1 l_1 + ... + a_k l_k >= A        a_i > 0, A > 0, each variable once
//! ```
//!
//! A literal is twice its variable's number, and one more if it is negated.

/// A literal.
pub type Code = u32;

/// Weights and degrees stay below this, so that sums of some millions of them fit.
pub const LARGEST: i64 = 1 << 40;

/// The sum of weighted literals is at least the degree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Positive weights, the heaviest first.
    pub terms: Vec<(i64, Code)>,
    /// What they must add up to.
    pub degree: i64,
}

impl Row {
    /// The normal form of a sum of weighted literals; nothing if numbers are too large.
    pub fn new(terms: impl IntoIterator<Item = (i64, Code)>, degree: i64) -> Option<Row> {
        let mut draft = Draft { degree: i128::from(degree), ..Draft::default() };
        for (weight, literal) in terms {
            match weight {
                0.. => draft.add(i128::from(weight), literal),
                // -w l = w ~l - w.
                _ => {
                    draft.degree -= i128::from(weight);
                    draft.add(-i128::from(weight), literal ^ 1);
                }
            }
        }
        draft.row()
    }

    /// What all weights add up to.
    pub fn total(&self) -> i64 {
        self.terms.iter().map(|(weight, _)| weight).sum()
    }

    /// The greatest weight.
    pub fn heaviest(&self) -> i64 {
        self.terms.first().map_or(0, |(weight, _)| *weight)
    }
}

/// A row while others are added to it.
#[derive(Default)]
pub struct Draft {
    /// By variable: the weight, below zero if it is that of the negated literal.
    weights: Vec<i128>,
    /// The variables that have had a weight.
    used: Vec<u32>,
    is_used: Vec<bool>,
    /// What the sum must reach.
    pub degree: i128,
}

impl Draft {
    /// Nothing, with degree 0.
    pub fn clear(&mut self) {
        for variable in self.used.drain(..) {
            self.weights[variable as usize] = 0;
            self.is_used[variable as usize] = false;
        }
        self.degree = 0;
    }

    /// Adds a positive weight of a literal. Where the opposite literal is there, both are counted out.
    pub fn add(&mut self, weight: i128, literal: Code) {
        let variable = (literal >> 1) as usize;
        if self.weights.len() <= variable {
            self.weights.resize(variable + 1, 0);
            self.is_used.resize(variable + 1, false);
        }
        if !self.is_used[variable] {
            self.is_used[variable] = true;
            self.used.push(variable as u32);
        }
        let signed = if literal & 1 == 1 { -weight } else { weight };
        let old = self.weights[variable];
        if (old < 0) != (signed < 0) {
            // a l + b ~l = |a - b| of the heavier + min(a, b).
            self.degree -= old.abs().min(signed.abs());
        }
        self.weights[variable] = old + signed;
    }

    /// The weight of a literal; 0 if only the opposite one is there.
    pub fn weight(&self, literal: Code) -> i128 {
        let signed = self.weights.get((literal >> 1) as usize).copied().unwrap_or(0);
        if literal & 1 == 1 { (-signed).max(0) } else { signed.max(0) }
    }

    /// Weights and literals, in the order in which variables were met.
    pub fn terms(&self) -> impl Iterator<Item = (i128, Code)> + '_ {
        let signed = self.used.iter().map(|&variable| (self.weights[variable as usize], variable));
        signed
            .filter(|(weight, _)| *weight != 0)
            .map(|(weight, v)| (weight.abs(), 2 * v + u32::from(weight < 0)))
    }

    /// No weight above the degree.
    pub fn saturate(&mut self) {
        let degree = self.degree.max(0);
        for &variable in &self.used {
            let weight = &mut self.weights[variable as usize];
            *weight = (*weight).clamp(-degree, degree);
        }
    }

    /// Lets a literal's variable count as satisfied.
    pub fn weaken(&mut self, literal: Code) {
        let weight = &mut self.weights[(literal >> 1) as usize];
        self.degree -= weight.abs();
        *weight = 0;
    }

    /// Divides, rounding up.
    pub fn divide(&mut self, divisor: i128) {
        let up = |number: i128| number / divisor + i128::from(number % divisor != 0);
        for &variable in &self.used {
            let weight = &mut self.weights[variable as usize];
            *weight = if *weight < 0 { -up(-*weight) } else { up(*weight) };
        }
        self.degree = up(self.degree.max(0));
    }

    /// The row as it stands; nothing if numbers are too large.
    pub fn row(&self) -> Option<Row> {
        let is_small = |number: i128| number <= i128::from(LARGEST);
        let mut terms = Vec::new();
        let mut total = 0;
        for (weight, literal) in self.terms() {
            total += weight;
            terms.push((weight as i64, literal));
            if !is_small(weight) {
                return None;
            }
        }
        if self.degree.max(total) > i128::from(i64::MAX / 4) {
            return None;
        }
        terms.sort_unstable_by_key(|&(weight, literal)| (std::cmp::Reverse(weight), literal));
        Some(Row { terms, degree: self.degree.max(0) as i64 })
    }
}
