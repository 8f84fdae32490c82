//! Constraints as linear rows, for the formats that have nothing else (OPB and LP).
//!
//! | constraint | rows |
//! |---|---|
//! | `sum` in a range | `sum >= min` and `sum <= max`, or `sum = min` |
//! | `sum` in a set S | `s_v` auxiliary: `sum - sum over v in S of v s_v = 0`, `sum over v of s_v = 1` |
//! | `gate -> row >= b` | `row + (b - least) (not gate) >= b`, `least` the least value of `row` |
//! | soft constraint of several rows | `r` auxiliary: `r -> row` for each, and `r` is wanted |

use super::symbols::Auxiliaries;
use super::{Format, FormatError};
use crate::{Body, Constraint, Linear, Lit, Problem, Soft, Sums};

/// Makes rows for one format.
pub(super) struct Lowering<'a> {
    pub format: Format,
    pub auxiliaries: Auxiliaries<'a>,
}

impl Lowering<'_> {
    /// The rows of a constraint. Each is an equality or has one bound.
    pub fn rows(&mut self, body: &Body) -> Result<Vec<Linear>, FormatError> {
        match body {
            Body::Cardinality(constraint) => self.cardinality_rows(constraint),
            Body::Linear(linear) => Ok(one_sided(linear)),
        }
    }

    fn cardinality_rows(&mut self, constraint: &Constraint) -> Result<Vec<Linear>, FormatError> {
        let mut terms: Vec<(i64, Lit)> = constraint.literals().iter().map(|&l| (1, l)).collect();
        if terms.is_empty() {
            // A row needs a variable; any will do where none of its values is allowed.
            terms.push((1, self.auxiliaries.fresh()));
        }
        let count = terms.len() as i64;
        let mut rows = Vec::new();
        let bounds = match constraint.sums() {
            Sums::Range { min, max } if min > max => (Some(count + 1), None),
            Sums::Range { min, max } => {
                ((*min > 0).then_some(i64::from(*min)), (i64::from(*max) < count).then_some(i64::from(*max)))
            }
            Sums::Set(values) => {
                let chosen: Vec<Lit> = values.iter().map(|_| self.auxiliaries.fresh()).collect();
                let one = chosen.iter().map(|&s| (1, s)).collect();
                rows.push(Linear { terms: one, min: Some(1), max: Some(1) });
                let of_value = values.iter().zip(chosen).filter(|(v, _)| **v > 0);
                terms.extend(of_value.map(|(v, s)| (-i64::from(*v), s)));
                (Some(0), Some(0))
            }
        };
        let main = one_sided(&Linear { terms, min: bounds.0, max: bounds.1 });
        match constraint.gate() {
            None => rows.extend(main),
            Some(gate) => rows.extend(self.gated(main, gate)?),
        }
        Ok(rows)
    }

    /// The rows, asked for only where `gate` is true.
    pub fn gated(&self, rows: Vec<Linear>, gate: Lit) -> Result<Vec<Linear>, FormatError> {
        let mut gated = Vec::new();
        for row in rows {
            let reach = |sign: fn(&i64) -> bool| -> i128 {
                row.terms.iter().map(|(c, _)| c).filter(|c| sign(c)).map(|c| i128::from(*c)).sum()
            };
            let mut add = |slack: i128, min: Option<i64>, max: Option<i64>| {
                let slack = i64::try_from(slack).ok()?;
                gated.push(Linear::merged(row.terms.iter().copied().chain([(slack, !gate)]), min, max)?);
                Some(())
            };
            let low = row.min.map(|min| add(i128::from(min) - reach(|c| *c < 0), Some(min), None));
            let high = row.max.map(|max| add(i128::from(max) - reach(|c| *c > 0), None, Some(max)));
            if low == Some(None) || high == Some(None) {
                return Err(self.cannot_hold("coefficients that add up to more than 64 bits under a gate"));
            }
        }
        Ok(gated)
    }

    /// The rows of a soft constraint, and the literal to reward if there is more than one row.
    pub fn soft_rows(
        &mut self,
        body: &Body,
        always: bool,
    ) -> Result<(Vec<Linear>, Option<Lit>), FormatError> {
        let rows = self.rows(body)?;
        if rows.len() == 1 && !always {
            return Ok((rows, None));
        }
        let wanted = self.auxiliaries.fresh();
        Ok((self.gated(rows, wanted)?, Some(wanted)))
    }

    pub fn cannot_hold(&self, what: &str) -> FormatError {
        FormatError::CannotHold { format: self.format, what: what.to_owned() }
    }
}

/// A row for each bound, or one for both if they are equal.
fn one_sided(linear: &Linear) -> Vec<Linear> {
    let row = |min, max| Linear { terms: linear.terms.clone(), min, max };
    match (linear.min, linear.max) {
        (Some(min), Some(max)) if min != max => vec![row(Some(min), None), row(None, Some(max))],
        (None, None) => vec![],
        (min, max) => vec![row(min, max)],
    }
}

/// The objective as soft literals, for formats that have only those: what each costs when it is false,
/// and the constant that remains.
pub(super) fn objective_as_soft(problem: &Problem) -> Option<(Vec<(u64, Lit)>, i64)> {
    let mut constant = problem.objective_constant;
    let mut soft = Vec::with_capacity(problem.objective.len());
    for &(coefficient, literal) in &problem.objective {
        if coefficient < 0 {
            constant = constant.checked_add(coefficient)?;
        }
        soft.push((coefficient.unsigned_abs(), if coefficient < 0 { literal } else { !literal }));
    }
    Some((soft, constant))
}

/// The bound on the cost less the constant part of the cost; an outer nothing if no cost is below it.
pub(super) fn bound_without(constant: i64, bound: Option<u64>) -> Option<Option<u64>> {
    match bound {
        None => Some(None),
        Some(bound) => {
            let left = i128::from(bound) - i128::from(constant);
            u64::try_from(left).ok().filter(|left| *left > 0).map(Some)
        }
    }
}

/// Every hard constraint with the rule it is, if it is one.
pub(super) fn hard(problem: &Problem) -> impl Iterator<Item = (Option<crate::RuleId>, Body)> + '_ {
    let rules = problem.rules.rules().iter().map(|r| (Some(r.id()), Body::Cardinality(r.constraint.clone())));
    rules.chain(problem.linear.iter().map(|l| (None, Body::Linear(l.clone()))))
}

/// A soft literal as a soft constraint.
pub(super) fn soft_literal((weight, literal): (u64, Lit)) -> Soft {
    Soft { weight, body: Body::Cardinality(Constraint::clause([literal])) }
}
