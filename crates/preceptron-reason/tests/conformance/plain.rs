//! A problem written down plainly, and what its parts say of an assignment: the code that the reasoners
//! are judged by. It shares nothing with them, and nothing with the canonical forms of `preceptron-logic`.

// Each test program uses its own part of this.
#![allow(dead_code)]

use preceptron_logic::{
    self as logic, Constraint, Linear, Lit, Problem, Rule, RuleSet, Soft, Sums, Variables,
};
use preceptron_reason::{Piece, Query, Strength};

/// A constraint as it was drawn.
#[derive(Clone, Debug)]
pub enum Body {
    /// Where the gate is true, the number of true literals is one of `sums`.
    Count { literals: Vec<Lit>, sums: Vec<u32>, gate: Option<Lit> },
    /// The weights of the true literals add up to no less than `min` and no more than `max`.
    Weighted { terms: Vec<(i64, Lit)>, min: Option<i64>, max: Option<i64> },
}

/// A problem as it was drawn.
#[derive(Clone, Debug, Default)]
pub struct Plain {
    pub variables: usize,
    pub rules: Vec<Body>,
    pub linear: Vec<Body>,
    pub soft: Vec<(u64, Body)>,
    pub objective: Vec<(i64, Lit)>,
    pub constant: i64,
    pub cost_bound: Option<u64>,
}

/// Whether a literal is true.
pub fn is_true(values: &[bool], literal: Lit) -> bool {
    values[literal.var().0 as usize] != literal.is_negated()
}

impl Body {
    /// Whether an assignment obeys the constraint.
    pub fn is_obeyed(&self, values: &[bool]) -> bool {
        match self {
            Body::Count { literals, sums, gate } => {
                let mut sum = 0;
                for &literal in literals {
                    if is_true(values, literal) {
                        sum += 1;
                    }
                }
                gate.is_some_and(|gate| !is_true(values, gate)) || sums.contains(&sum)
            }
            Body::Weighted { terms, min, max } => {
                let mut sum = 0i128;
                for &(weight, literal) in terms {
                    if is_true(values, literal) {
                        sum += i128::from(weight);
                    }
                }
                min.is_none_or(|min| i128::from(min) <= sum) && max.is_none_or(|max| sum <= i128::from(max))
            }
        }
    }

    fn constraint(&self) -> Constraint {
        match self {
            Body::Count { literals, sums, gate } => {
                let constraint = Constraint::new(literals.iter().copied(), Sums::set(sums.iter().copied()));
                gate.map_or(constraint.clone(), |gate| constraint.gated(gate))
            }
            Body::Weighted { .. } => unreachable!("rules count"),
        }
    }

    fn linear(&self) -> Linear {
        match self {
            Body::Weighted { terms, min, max } => Linear { terms: terms.clone(), min: *min, max: *max },
            Body::Count { .. } => unreachable!("linear constraints weigh"),
        }
    }
}

impl Plain {
    /// The problem as the reasoners take it. Rules that a rule set leaves out (trivial ones and
    /// duplicates) are left out here too, so that the places of the others are the same.
    pub fn build(&mut self) -> Problem {
        let names = (0..self.variables).map(|number| format!("x{number}"));
        let mut rules = RuleSet::new(Variables::from_names(names).expect("the names are different"));
        self.rules.retain(|body| rules.insert(Rule::given(body.constraint())));
        let soft = |(weight, body): &(u64, Body)| Soft {
            weight: *weight,
            body: match body {
                Body::Count { .. } => logic::Body::Cardinality(body.constraint()),
                Body::Weighted { .. } => logic::Body::Linear(body.linear()),
            },
        };
        Problem {
            rules,
            linear: self.linear.iter().map(Body::linear).collect(),
            soft: self.soft.iter().map(soft).collect(),
            objective: self.objective.clone(),
            objective_constant: self.constant,
            cost_bound: self.cost_bound,
            ..Problem::default()
        }
    }

    /// Every rule of the problem, with the price at which a query lets it be violated.
    pub fn priced<'a>(&'a self, query: &Query) -> Vec<(Piece, &'a Body, Option<u64>)> {
        let price = |place: usize| match &query.strength {
            Strength::AsLoaded => None,
            Strength::AllSoft(price) => Some(*price),
            Strength::Each(prices) => prices[place],
        };
        let mut priced = Vec::new();
        for (place, body) in self.rules.iter().enumerate() {
            priced.push((Piece::Rule(place), body, price(place)));
        }
        for (place, body) in self.linear.iter().enumerate() {
            priced.push((Piece::Linear(place), body, price(self.rules.len() + place)));
        }
        for (place, (weight, body)) in self.soft.iter().enumerate() {
            priced.push((Piece::Soft(place), body, Some(*weight)));
        }
        priced
    }

    /// The sizes of all costs and prices, added up.
    pub fn total(&self, query: &Query) -> i128 {
        let prices: i128 = self.priced(query).iter().map(|(.., price)| i128::from(price.unwrap_or(0))).sum();
        let costs = query.costs.iter().chain(query.groups.iter().flatten()).map(|(_, cost)| cost);
        let costs = costs.chain(self.objective.iter().map(|(cost, _)| cost)).chain([&self.constant]);
        prices + costs.map(|cost| i128::from(*cost).abs()).sum::<i128>()
    }
}
