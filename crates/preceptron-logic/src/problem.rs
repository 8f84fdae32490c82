//! What a solver's file can hold beyond rules: weighted linear constraints, soft ones, an objective.

use std::collections::HashMap;

use crate::numbers::NumberRules;
use crate::{Constraint, Lit, RuleSet, Var};

/// A linear constraint with whole coefficients over literals: `min <= sum <= max`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Linear {
    /// Coefficient and literal; no variable twice, no zero.
    pub terms: Vec<(i64, Lit)>,
    /// The least sum, if there is a bound below.
    pub min: Option<i64>,
    /// The greatest sum, if there is a bound above.
    pub max: Option<i64>,
}

/// A constraint of either kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Body {
    /// Unit coefficients.
    Cardinality(Constraint),
    /// Any whole coefficients.
    Linear(Linear),
}

/// A constraint that may be violated at a price.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Soft {
    /// The price of violating it.
    pub weight: u64,
    /// What should hold.
    pub body: Body,
}

/// Rules, and whatever else a solver's file may say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problem {
    /// The hard cardinality constraints, with the variables of the whole problem.
    pub rules: RuleSet,
    /// The other hard constraints.
    pub linear: Vec<Linear>,
    /// The soft constraints.
    pub soft: Vec<Soft>,
    /// What to minimise: the sum of these coefficients over true literals.
    pub objective: Vec<(i64, Lit)>,
    /// A constant part of the objective.
    pub objective_constant: i64,
    /// Violations and objective together must cost less than this, if the file says so.
    pub cost_bound: Option<u64>,
    /// Rules of whole numbers over columns of their own, of which the variables know nothing; see
    /// [`encoded`](crate::numbers::encoded).
    pub numbers: NumberRules,
}

impl From<RuleSet> for Problem {
    fn from(rules: RuleSet) -> Problem {
        Problem { rules, ..Problem::default() }
    }
}

impl Problem {
    /// What an assignment costs: the objective with its constant, and the prices of the soft
    /// constraints that it violates. Nothing if it violates a hard one or reaches the bound.
    pub fn cost(&self, value: impl Fn(Var) -> bool + Copy) -> Option<i128> {
        if !self.rules.constraints().all(|c| c.holds(value)) || !self.linear.iter().all(|l| l.holds(value)) {
            return None;
        }
        let violated = self.soft.iter().filter(|s| !s.body.holds(value));
        let prices: i128 = violated.map(|s| i128::from(s.weight)).sum();
        let cost = i128::from(self.objective_constant) + sum(&self.objective, value) + prices;
        (self.cost_bound.is_none_or(|bound| cost < i128::from(bound))).then_some(cost)
    }
}

impl Body {
    /// Whether an assignment satisfies the constraint.
    pub fn holds(&self, value: impl Fn(Var) -> bool) -> bool {
        match self {
            Body::Cardinality(constraint) => constraint.holds(value),
            Body::Linear(linear) => linear.holds(value),
        }
    }
}

/// The sum of the coefficients of true literals.
fn sum(terms: &[(i64, Lit)], value: impl Fn(Var) -> bool) -> i128 {
    terms.iter().filter(|(_, l)| l.holds(value(l.var()))).map(|(c, _)| i128::from(*c)).sum()
}

impl Linear {
    /// The constraint over `terms` in which a variable may occur several times and coefficients may be
    /// zero. Nothing if a number leaves 64 bits on the way.
    pub fn merged(
        terms: impl IntoIterator<Item = (i64, Lit)>,
        min: Option<i64>,
        max: Option<i64>,
    ) -> Option<Linear> {
        let mut kept: Vec<(i64, Lit)> = Vec::new();
        let mut place: HashMap<Var, usize> = HashMap::new();
        let mut constant = 0i64;
        for (coefficient, literal) in terms {
            let at = *place.entry(literal.var()).or_insert(kept.len());
            match kept.get_mut(at) {
                None => kept.push((coefficient, literal)),
                Some((sum, first)) if *first == literal => *sum = sum.checked_add(coefficient)?,
                // c (not l) = c - c l
                Some((sum, _)) => {
                    *sum = sum.checked_sub(coefficient)?;
                    constant = constant.checked_add(coefficient)?;
                }
            }
        }
        kept.retain(|(coefficient, _)| *coefficient != 0);
        let lowered = |bound: Option<i64>| match bound {
            None => Some(None),
            Some(bound) => bound.checked_sub(constant).map(Some),
        };
        Some(Linear { terms: kept, min: lowered(min)?, max: lowered(max)? })
    }

    /// Whether an assignment satisfies the constraint.
    pub fn holds(&self, value: impl Fn(Var) -> bool) -> bool {
        let sum = sum(&self.terms, value);
        self.min.is_none_or(|min| sum >= i128::from(min)) && self.max.is_none_or(|max| sum <= i128::from(max))
    }

    /// The linear constraint as a cardinality constraint, if its coefficients allow it: all of one
    /// size once signs are moved into the literals.
    pub fn as_cardinality(&self) -> Option<Constraint> {
        let unit = self.terms.first().map_or(1, |(c, _)| c.unsigned_abs());
        if self.terms.iter().any(|(c, _)| c.unsigned_abs() != unit) || unit == 0 {
            return None;
        }
        let unit = i128::from(unit);
        // -u l = u (not l) - u: every negative coefficient raises the bounds by u.
        let shift = self.terms.iter().filter(|(c, _)| *c < 0).count() as i128 * unit;
        let count = self.terms.len() as i128;
        let least = self.min.map_or(0, |m| (i128::from(m) + shift + unit - 1).div_euclid(unit)).max(0);
        let most = self.max.map_or(count, |m| (i128::from(m) + shift).div_euclid(unit)).min(count);
        let literals = self.terms.iter().map(|&(c, l)| if c < 0 { !l } else { l });
        let sums =
            if least > most { crate::Sums::EMPTY } else { crate::Sums::range(least as u32, most as u32) };
        Some(Constraint::new(literals, sums))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Var;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn as_cardinality_keeps_the_meaning(
            signs in prop::collection::vec((any::<bool>(), any::<bool>()), 0..6),
            unit in 1..4i64,
            min in prop::option::of(-14..14i64),
            max in prop::option::of(-14..14i64),
        ) {
            let terms: Vec<(i64, Lit)> = signs
                .iter()
                .zip(0..)
                .map(|(&(minus, negated), v)| (if minus { -unit } else { unit }, Lit::new(Var(v), negated)))
                .collect();
            let linear = Linear { terms: terms.clone(), min, max };
            let constraint = linear.as_cardinality().expect("all coefficients have one size");
            for bits in 0u32..1 << signs.len() {
                let value = |v: Var| bits >> v.0 & 1 == 1;
                let sum: i64 = terms.iter().filter(|(_, l)| l.holds(value(l.var()))).map(|(c, _)| c).sum();
                let plain = min.is_none_or(|m| sum >= m) && max.is_none_or(|m| sum <= m);
                prop_assert_eq!(constraint.holds(value), plain);
            }
        }
    }

    #[test]
    fn other_coefficients_are_no_cardinality() {
        let terms = |a, b| vec![(a, Var(0).positive()), (b, Var(1).positive())];
        let of = |terms| Linear { terms, min: Some(1), max: None }.as_cardinality();
        assert_eq!(of(terms(1, 2)), None);
        assert_eq!(of(terms(0, 0)), None);
        assert!(of(terms(i64::MIN, i64::MIN)).is_some_and(|c| c.is_contradiction()));
    }
}
