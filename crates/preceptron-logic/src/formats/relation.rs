//! A constraint as SMT-LIB and MiniZinc say it: a gate, a sum, and how the sum stands to numbers.

use crate::{Body, Lit, Sums};

/// What is asked of a sum.
pub(super) enum Relation {
    /// Nothing: there is no sum, and the constraint holds or does not.
    Constant(bool),
    /// At least one of the terms, which are literals.
    Clause,
    /// Equal.
    Equal(i64),
    /// At least.
    AtLeast(i64),
    /// At most.
    AtMost(i64),
    /// From and to, both included.
    Between(i64, i64),
    /// One of these.
    OneOf(Vec<u32>),
}

/// A constraint in parts.
pub(super) struct Said {
    pub gate: Option<Lit>,
    pub terms: Vec<(i64, Lit)>,
    pub relation: Relation,
}

impl Said {
    pub fn new(body: &Body) -> Said {
        let said = |terms: Vec<_>, relation| Said { gate: None, terms, relation };
        match body {
            Body::Cardinality(constraint) => {
                let units = |literals: &[Lit]| literals.iter().map(|&l| (1, l)).collect();
                let clause = if constraint.gate().is_none() { constraint.as_clause() } else { None };
                if let Some(literals) = clause {
                    return said(units(&literals), Relation::Clause);
                }
                let count = constraint.len() as i64;
                let relation = match constraint.sums() {
                    _ if constraint.is_empty() => Relation::Constant(constraint.sums().contains(0)),
                    Sums::Range { min, max } if min > max => Relation::AtLeast(count + 1),
                    Sums::Set(values) => Relation::OneOf(values.clone()),
                    &Sums::Range { min, max } => match (i64::from(min), i64::from(max)) {
                        (min, max) if min == max => Relation::Equal(min),
                        (min, max) if max == count => Relation::AtLeast(min),
                        (0, max) => Relation::AtMost(max),
                        (min, max) => Relation::Between(min, max),
                    },
                };
                Said { gate: constraint.gate(), ..said(units(constraint.literals()), relation) }
            }
            Body::Linear(linear) => {
                let relation = match (linear.min, linear.max) {
                    _ if linear.terms.is_empty() => Relation::Constant(linear.holds(|_| false)),
                    (None, None) => return said(vec![], Relation::Constant(true)),
                    (Some(min), Some(max)) if min == max => Relation::Equal(min),
                    (Some(min), Some(max)) => Relation::Between(min, max),
                    (Some(min), None) => Relation::AtLeast(min),
                    (None, Some(max)) => Relation::AtMost(max),
                };
                said(linear.terms.clone(), relation)
            }
        }
    }
}
