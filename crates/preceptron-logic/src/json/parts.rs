//! What a problem has beside its rules, as it stands in a file: a term is `[coefficient, literal]`.

use serde::{Deserialize, Serialize};

use super::{Literals, WrittenConstraint};
use crate::numbers::NumberRules;
use crate::{Body, Linear, Lit, Problem, Soft};

/// A linear constraint: at least `min`, at most `max`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenLinear {
    terms: Vec<(i64, i64)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    min: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max: Option<i64>,
}

/// A constraint with its price.
#[derive(Serialize, Deserialize)]
pub(super) struct WrittenSoft {
    weight: u64,
    #[serde(flatten)]
    body: WrittenBody,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WrittenBody {
    Rule(WrittenConstraint),
    Linear(WrittenLinear),
}

/// What to minimise.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenObjective {
    terms: Vec<(i64, i64)>,
    #[serde(default)]
    constant: i64,
}

/// All that a problem has beside its rules.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Parts {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    linear: Vec<WrittenLinear>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    soft: Vec<WrittenSoft>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    objective: Option<WrittenObjective>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cost_bound: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    numbers: Option<NumberRules>,
}

fn written(terms: &[(i64, Lit)]) -> Vec<(i64, i64)> {
    terms.iter().map(|&(coefficient, literal)| (coefficient, literal.dimacs())).collect()
}

impl From<&Linear> for WrittenLinear {
    fn from(linear: &Linear) -> WrittenLinear {
        WrittenLinear { terms: written(&linear.terms), min: linear.min, max: linear.max }
    }
}

impl WrittenLinear {
    fn read(&self, literals: Literals) -> Result<Linear, String> {
        let terms = literals.terms(&self.terms)?;
        Linear::merged(terms, self.min, self.max).ok_or_else(|| "a number beyond 64 bits".to_owned())
    }
}

impl Parts {
    /// Those of a problem.
    pub fn of(problem: &Problem) -> Parts {
        let has_objective = !problem.objective.is_empty() || problem.objective_constant != 0;
        let soft = |soft: &Soft| WrittenSoft {
            weight: soft.weight,
            body: match &soft.body {
                Body::Cardinality(constraint) => WrittenBody::Rule(constraint.into()),
                Body::Linear(linear) => WrittenBody::Linear(linear.into()),
            },
        };
        Parts {
            linear: problem.linear.iter().map(WrittenLinear::from).collect(),
            soft: problem.soft.iter().map(soft).collect(),
            objective: has_objective.then(|| WrittenObjective {
                terms: written(&problem.objective),
                constant: problem.objective_constant,
            }),
            cost_bound: problem.cost_bound,
            numbers: (!problem.numbers.is_empty()).then(|| problem.numbers.clone()),
        }
    }

    /// Whether there are rules of numbers.
    pub fn has_numbers(&self) -> bool {
        self.numbers.is_some()
    }

    /// The first of them that is there, in words.
    pub fn first(&self) -> Option<&'static str> {
        let parts = [
            (!self.linear.is_empty(), "linear constraints"),
            (!self.soft.is_empty(), "soft constraints"),
            (self.objective.is_some(), "an objective"),
            (self.cost_bound.is_some(), "a bound on the cost"),
            (self.has_numbers(), "rules of whole numbers"),
        ];
        parts.into_iter().find_map(|(is_there, what)| is_there.then_some(what))
    }

    /// Adds them to a problem. An error says which of them is wrong, and why.
    pub fn add_to(&self, problem: &mut Problem, literals: Literals) -> Result<(), (String, String)> {
        for (number, linear) in (1..).zip(&self.linear) {
            let wrong = |why| (format!("linear constraint {number}"), why);
            problem.linear.push(linear.read(literals).map_err(wrong)?);
        }
        for (number, soft) in (1..).zip(&self.soft) {
            let body = match &soft.body {
                WrittenBody::Rule(rule) => rule.read(literals).map(Body::Cardinality),
                WrittenBody::Linear(linear) => linear.read(literals).map(Body::Linear),
            };
            let body = body.map_err(|why| (format!("soft constraint {number}"), why))?;
            problem.soft.push(Soft { weight: soft.weight, body });
        }
        if let Some(objective) = &self.objective {
            let terms = literals.terms(&objective.terms);
            problem.objective = terms.map_err(|why| ("objective".to_owned(), why))?;
            problem.objective_constant = objective.constant;
        }
        problem.cost_bound = self.cost_bound;
        if let Some(numbers) = &self.numbers {
            numbers.check().map_err(|why| ("numbers".to_owned(), why))?;
            problem.numbers.clone_from(numbers);
        }
        Ok(())
    }
}
