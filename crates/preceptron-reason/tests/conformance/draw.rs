//! Random problems and queries, small enough to look at every assignment.

use preceptron_logic::{Lit, Var};
use preceptron_reason::{Query, Strength, TieBreak};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::conformance::plain::{Body, Plain};

/// How large the numbers of an instance are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Size {
    /// So small that many assignments cost the same.
    Small,
    Middling,
    /// As large as a backend takes.
    Huge,
}

/// A source of random problems, constraints and queries.
pub struct Draw {
    random: ChaCha8Rng,
    capacity: i64,
    size: Size,
    variables: usize,
}

impl Draw {
    /// A source for problems whose numbers add up to no more than `capacity`.
    pub fn new(seed: u64, capacity: i64) -> Draw {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let size = [Size::Small, Size::Small, Size::Middling, Size::Huge][random.random_range(0..4)];
        let variables = if random.random_ratio(1, 50) { 0 } else { random.random_range(1..=7) };
        Draw { random, capacity, size, variables }
    }

    fn one_in(&mut self, many: u32) -> bool {
        self.random.random_ratio(1, many)
    }

    fn literal(&mut self) -> Option<Lit> {
        let negated = self.one_in(3);
        (self.variables > 0)
            .then(|| Lit::new(Var(self.random.random_range(0..self.variables) as u32), negated))
    }

    fn literals(&mut self, most: usize) -> Vec<Lit> {
        let count = self.random.random_range(0..=most);
        (0..count).filter_map(|_| self.literal()).collect()
    }

    /// A size of a cost, zero at times.
    fn weight(&mut self) -> i64 {
        let is_small = self.one_in(2);
        let most = match self.size {
            Size::Small => 3,
            Size::Middling => 1000,
            Size::Huge if is_small => 9,
            Size::Huge => self.capacity / 64,
        };
        self.random.random_range(0..=most)
    }

    fn cost(&mut self) -> i64 {
        let weight = self.weight();
        if self.one_in(3) { -weight } else { weight }
    }

    fn costs(&mut self, most: usize) -> Vec<(Lit, i64)> {
        self.literals(most).into_iter().map(|literal| (literal, self.cost())).collect()
    }

    /// A range, a set or a parity over some literals, a variable and its negation among them at times.
    fn count(&mut self) -> Body {
        let mut literals = Vec::new();
        let density = self.random.random_range(0.2..0.9);
        for var in (0..self.variables as u32).map(Var) {
            if self.random.random_bool(density) {
                literals.push(Lit::new(var, self.one_in(3)));
                if self.one_in(15) {
                    literals.push(!literals[literals.len() - 1]);
                }
            }
        }
        let count = literals.len() as u32;
        let from = self.random.random_range(0..=count);
        let sums = match self.random.random_range(0..8) {
            0 => (0..=count).filter(|sum| sum % 2 == from % 2).collect(),
            1 => (0..=count + 1).filter(|_| self.one_in(2)).collect(),
            2 => (from..=from).collect(),
            3 | 4 => (1..=1).collect(),
            5 => (0..=from).collect(),
            _ => (from..=count).collect(),
        };
        let gate = if self.one_in(4) { self.literal() } else { None };
        Body::Count { literals, sums, gate }
    }

    /// A weighted constraint: no variable twice, no weight of zero.
    fn weighted(&mut self) -> Body {
        let most = match self.size {
            Size::Small => 4,
            Size::Middling => 100,
            Size::Huge => self.capacity / 7,
        };
        let mut terms = Vec::new();
        for var in (0..self.variables as u32).map(Var) {
            if !self.one_in(3) {
                let weight = self.random.random_range(1..=most);
                let weight = if self.one_in(4) { -weight } else { weight };
                terms.push((weight, Lit::new(var, self.one_in(3))));
            }
        }
        let mut bound = || {
            let reach: Vec<i64> = terms.iter().map(|(weight, _)| *weight).collect();
            let reached: i64 = reach.into_iter().filter(|_| self.one_in(2)).sum();
            match self.random.random_range(0..20) {
                0 => i64::MIN,
                1 => i64::MAX,
                2 | 3 => reached - 1,
                4 => reached + 1,
                _ => reached,
            }
        };
        let (low, high) = (bound(), bound());
        let (min, max) = match self.random.random_range(0..4) {
            0 => (Some(low), None),
            1 => (None, Some(high)),
            2 => (Some(low), Some(low)),
            _ => (Some(low.min(high)), Some(low.max(high))),
        };
        Body::Weighted { terms, min, max }
    }

    fn body(&mut self) -> Body {
        if self.one_in(3) { self.weighted() } else { self.count() }
    }

    /// A problem.
    pub fn problem(&mut self) -> Plain {
        let mut plain = Plain { variables: self.variables, ..Plain::default() };
        plain.rules = (0..self.random.random_range(0..6)).map(|_| self.count()).collect();
        if self.one_in(2) {
            plain.linear = (0..self.random.random_range(0..3)).map(|_| self.weighted()).collect();
        }
        if self.one_in(2) {
            let count = self.random.random_range(0..4);
            plain.soft = (0..count).map(|_| (self.weight() as u64, self.body())).collect();
        }
        if self.one_in(2) {
            plain.objective = self.costs(7).into_iter().map(|(literal, cost)| (cost, literal)).collect();
        }
        if self.one_in(3) {
            plain.constant = self.cost();
        }
        if self.one_in(5) {
            plain.cost_bound = Some(3 * self.weight() as u64);
        }
        plain
    }

    /// A query to a problem as [`Plain::build`] left it.
    pub fn query(&mut self, plain: &Plain) -> Query {
        let mut query = Query::default();
        if self.one_in(2) {
            query.fixed = self.literals(4);
        }
        if self.one_in(3) {
            query.clauses = (0..self.random.random_range(1..4)).map(|_| self.clause()).collect();
        }
        if !self.one_in(3) {
            query.costs = self.costs(9);
        }
        if self.one_in(2) {
            query.groups = (0..self.random.random_range(1..4)).map(|_| self.costs(5)).collect();
        }
        query.strength = match self.random.random_range(0..4) {
            0 | 1 => Strength::AsLoaded,
            2 => Strength::AllSoft(self.weight() as u64),
            _ => {
                let rules = plain.rules.len() + plain.linear.len();
                let price = |_| (!self.one_in(3)).then(|| self.weight() as u64);
                Strength::Each((0..rules).map(price).collect())
            }
        };
        if self.one_in(6) {
            query.ties = TieBreak::Any;
        }
        if self.size == Size::Huge && self.one_in(3) {
            self.fill(plain, &mut query);
        }
        query
    }

    /// A clause, empty at times.
    fn clause(&mut self) -> Vec<Lit> {
        if self.one_in(20) { Vec::new() } else { [self.literals(3), Vec::from_iter(self.literal())].concat() }
    }

    /// Adds a cost so that all together is as much as a backend takes, or one more.
    fn fill(&mut self, plain: &Plain, query: &mut Query) {
        let left = i128::from(self.capacity) - plain.total(query) + i128::from(self.one_in(2));
        if let (Some(literal), Ok(left)) = (self.literal(), i64::try_from(left)) {
            query.costs.push((literal, if self.one_in(2) { -left } else { left }));
        }
    }
}
