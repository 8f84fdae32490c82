//! Random problems too large to look at every assignment: groups of which one is chosen, wide counts that
//! go through counters, parities over twelve literals, sums with large weights. Most are drawn around a
//! hidden assignment, so that they can be solved.

use preceptron_logic::{Lit, Var};
use preceptron_reason::{Query, Strength};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::conformance::plain::{Body, Plain, is_true};

/// A source of larger problems and queries.
pub struct DrawLarger {
    random: ChaCha8Rng,
    /// An assignment that most constraints are drawn around.
    hidden: Vec<bool>,
    groups: Vec<Vec<Lit>>,
    /// Weights of linear constraints are at most this.
    most: i64,
    /// Costs are at most this: of weights that differ much, core-guided search splits too many.
    dearest: i64,
}

impl DrawLarger {
    /// A source for problems whose numbers add up to no more than `capacity`.
    pub fn new(seed: u64, capacity: i64) -> DrawLarger {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let variables = random.random_range(30..=60);
        let mut hidden: Vec<bool> = (0..variables).map(|_| random.random_bool(0.5)).collect();
        let mut groups = Vec::new();
        let mut next = 0;
        while next + 6 < variables * 2 / 3 {
            let size = random.random_range(3..=6);
            let chosen = random.random_range(0..size);
            (0..size).for_each(|place| hidden[next + place] = place == chosen);
            groups.push((next..next + size).map(|var| Var(var as u32).positive()).collect());
            next += size;
        }
        let most = [3, 30, 1000, capacity / 300][random.random_range(0..4)];
        DrawLarger { dearest: most.min(1000), random, hidden, groups, most }
    }

    fn some_literals(&mut self, count: usize) -> Vec<Lit> {
        let mut variables: Vec<u32> = (0..self.hidden.len() as u32).collect();
        variables.shuffle(&mut self.random);
        variables[..count].iter().map(|&var| Lit::new(Var(var), self.random.random_bool(0.3))).collect()
    }

    /// The assignment that a constraint is drawn around: seldom another one than the hidden.
    fn around(&mut self) -> Vec<bool> {
        let is_other = self.random.random_ratio(1, 25);
        let random = &mut self.random;
        self.hidden.iter().map(|&value| if is_other { random.random_bool(0.5) } else { value }).collect()
    }

    fn count(&mut self, widths: std::ops::RangeInclusive<usize>) -> Body {
        let width = self.random.random_range(widths);
        let literals = self.some_literals(width);
        let around = self.around();
        let sum = literals.iter().filter(|literal| is_true(&around, **literal)).count() as u32;
        let width = width as u32;
        let sums = match self.random.random_range(0..6) {
            0 => (0..=width).filter(|other| other % 2 == sum % 2).collect(),
            1 => (0..=width).filter(|other| *other == sum || self.random.random_bool(0.4)).collect(),
            2 => vec![sum],
            3 => (sum.saturating_sub(1)..=(sum + 1).min(width)).collect(),
            4 => (0..=sum).collect(),
            _ => (sum..=width).collect(),
        };
        let gate = self.random.random_ratio(1, 6).then(|| self.some_literals(1)[0]);
        Body::Count { literals, sums, gate }
    }

    fn parity(&mut self) -> Body {
        let literals = self.some_literals(12);
        let around = self.around();
        let sum = literals.iter().filter(|literal| is_true(&around, **literal)).count() as u32;
        Body::Count { literals, sums: (0..=12).filter(|other| other % 2 == sum % 2).collect(), gate: None }
    }

    fn weighted(&mut self) -> Body {
        let width = self.random.random_range(6..=14);
        let terms: Vec<(i64, Lit)> = self
            .some_literals(width)
            .into_iter()
            .map(|literal| {
                let weight = self.random.random_range(1..=self.most.max(5));
                (if self.random.random_ratio(1, 5) { -weight } else { weight }, literal)
            })
            .collect();
        let around = self.around();
        let sum: i64 = terms.iter().filter(|term| is_true(&around, term.1)).map(|term| term.0).sum();
        let slack = self.random.random_range(0..=self.most);
        let (min, max) = match self.random.random_range(0..3) {
            0 => (Some(sum - slack), None),
            1 => (None, Some(sum + slack)),
            _ => (Some(sum - slack), Some(sum + slack)),
        };
        Body::Weighted { terms, min, max }
    }

    fn cost(&mut self) -> i64 {
        self.random.random_range(0..=self.dearest)
    }

    /// A problem.
    pub fn problem(&mut self) -> Plain {
        let mut plain = Plain { variables: self.hidden.len(), ..Plain::default() };
        for literals in self.groups.clone() {
            plain.rules.push(Body::Count { literals, sums: vec![1], gate: None });
        }
        for _ in 0..self.random.random_range(1..=3) {
            plain.rules.push(self.count(12..=28));
        }
        for _ in 0..self.random.random_range(0..=2) {
            plain.rules.push(self.parity());
        }
        for _ in 0..self.random.random_range(3..=10) {
            plain.rules.push(self.count(3..=6));
        }
        for _ in 0..self.random.random_range(0..=2) {
            plain.linear.push(self.weighted());
        }
        for _ in 0..self.random.random_range(0..=3) {
            let body = if self.random.random_ratio(1, 3) { self.weighted() } else { self.count(4..=14) };
            plain.soft.push((self.cost() as u64, body));
        }
        if self.random.random_ratio(1, 3) {
            plain.objective =
                self.some_literals(8).into_iter().map(|literal| (self.cost(), literal)).collect();
            plain.constant = -self.cost();
        }
        if self.random.random_ratio(1, 10) {
            plain.cost_bound = Some(5 * self.dearest as u64);
        }
        plain
    }

    /// A query to a problem as [`Plain::build`] left it.
    pub fn query(&mut self, plain: &Plain) -> Query {
        let mut query = Query::default();
        for group in self.groups.clone() {
            query.groups.push(group.into_iter().map(|literal| (literal, self.cost())).collect());
        }
        let width = self.random.random_range(0..=10);
        query.costs = self.some_literals(width).into_iter().map(|literal| (literal, self.cost())).collect();
        let fixed = self.random.random_range(0..=3);
        query.fixed = self.some_literals(fixed);
        let hidden = self.hidden.clone();
        query.fixed.retain(|literal| is_true(&hidden, *literal) || self.random.random_ratio(1, 8));
        if self.random.random_ratio(1, 4) {
            query.clauses = vec![self.some_literals(4), self.some_literals(2)];
        }
        if self.random.random_ratio(1, 3) {
            // Fewer costs, and groups that stay hard: what a price may buy is hard enough to search.
            query.groups.truncate(4);
            let rules = plain.rules.len() + plain.linear.len();
            let price = |place| {
                let is_soft = place >= self.groups.len() && self.random.random_ratio(1, 4);
                is_soft.then(|| self.random.random_range(0..=self.dearest) as u64)
            };
            query.strength = Strength::Each((0..rules).map(price).collect());
        }
        query
    }
}
