//! A question to a reasoner: what is fixed, what the rest costs, how firm the rules are. With costs that are
//! negative logarithms of probabilities the answer is the most probable explanation (MAP inference).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use preceptron_logic::{Lit, Problem};

use crate::sat::Budget;
use crate::{Piece, ReasonError};

/// How many steps of cost a real unit has: costs are whole numbers, and a natural logarithm is worth
/// this many of them.
pub const STEPS: f64 = 1000.0;

/// Probabilities below this are taken for this: no reading is impossible.
pub const LEAST_PROBABILITY: f64 = 1e-9;

/// A question to a [`Reasoner`](crate::Reasoner). The default asks for any assignment that obeys the
/// rules, at the least cost that the loaded problem itself states.
#[derive(Clone, Debug)]
pub struct Query {
    /// Literals that must be true.
    pub fixed: Vec<Lit>,
    /// Clauses that must hold in this query: of each, at least one literal is true.
    pub clauses: Vec<Vec<Lit>>,
    /// What a true literal costs, beside the costs of the loaded problem. Negative costs are gains.
    pub costs: Vec<(Lit, i64)>,
    /// Costs of literals of which one is chosen, as the digits of a cell: they add up like
    /// [`costs`](Query::costs), and a repair is told as one choice for another.
    pub groups: Vec<Vec<(Lit, i64)>>,
    /// Whether the rules are hard.
    pub strength: Strength,
    /// Which of several cheapest assignments to answer with.
    pub ties: TieBreak,
    /// Whether to look for a minimal conflict where there is no assignment.
    pub explain: bool,
    /// When to give up.
    pub limits: Limits,
}

impl Default for Query {
    fn default() -> Query {
        Query {
            fixed: Vec::new(),
            clauses: Vec::new(),
            costs: Vec::new(),
            groups: Vec::new(),
            strength: Strength::default(),
            ties: TieBreak::default(),
            explain: true,
            limits: Limits::default(),
        }
    }
}

/// Whether rules are hard. Rules are counted as in the loaded problem: first those of the rule set, then
/// the weighted linear ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Strength {
    /// As they were loaded.
    #[default]
    AsLoaded,
    /// Every rule may be violated at this price, and so may what the problem states as soft, at its own.
    AllSoft(u64),
    /// For each rule its price, or nothing if it is hard.
    Each(Vec<Option<u64>>),
}

/// Which of several cheapest assignments to answer with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TieBreak {
    /// The one in which the first variable that differs is false. A warm reasoner, a cold one, and
    /// every backend give the same answer, and [`Answer::unique`](crate::Answer::unique) is known.
    #[default]
    Canonical,
    /// Whichever is found first.
    Any,
}

/// When to give up. A query that ends early has the best assignment found and the bound proved.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Conflicts of the SAT solver, where a call without any counts as one; backends that do not count them
    /// ignore this.
    pub conflicts: Option<u64>,
    /// A moment at which all queries with these limits end, however many there are.
    pub until: Option<Instant>,
    /// Bytes that the process may have in memory, while a problem is loaded and while it is searched; where the
    /// system does not tell how many it has, only what a problem would take when it is loaded.
    pub memory: Option<u64>,
    /// Stops the query when it is set.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// The same limits with one end for all that is asked from now on: the time is for all of it together.
    pub fn begun(&self) -> Limits {
        Limits { until: self.deadline(), ..self.clone() }
    }

    /// The time that is left.
    pub fn rest(&self) -> Option<Duration> {
        let left = self.until.map(|until| until.saturating_duration_since(Instant::now()));
        left.into_iter().chain(self.time).min()
    }

    /// The moment at which to stop, where the time is counted from now.
    pub fn deadline(&self) -> Option<Instant> {
        let end = self.time.and_then(|time| Instant::now().checked_add(time));
        end.into_iter().chain(self.until).min()
    }

    /// What a call of a solver may take, where the time is counted from now.
    pub(crate) fn budget(&self) -> Budget {
        let Limits { conflicts, cancel, memory, .. } = self.clone();
        Budget { deadline: self.deadline(), conflicts, cancel, memory }
    }

    /// Whether time is up or somebody asked to stop.
    pub fn is_over(&self) -> bool {
        self.is_cancelled() || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Whether somebody asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

impl Query {
    /// Any assignment with these literals true.
    pub fn fixed(literals: impl IntoIterator<Item = Lit>) -> Query {
        Query { fixed: literals.into_iter().collect(), ..Query::default() }
    }

    /// Adds a classifier's reading of one symbol: each literal with its probability becomes a cost of
    /// `-ln p`, less the cost of the likeliest.
    ///
    /// # Errors
    /// If a probability is not a number from 0 to 1.
    pub fn add_reading(&mut self, reading: impl IntoIterator<Item = (Lit, f64)>) -> Result<(), ReasonError> {
        let mut group = Vec::new();
        for (literal, probability) in reading {
            if !(0.0..=1.0 + 1e-6).contains(&probability) {
                return Err(ReasonError::Probability { probability });
            }
            group.push((literal, steps(-probability.clamp(LEAST_PROBABILITY, 1.0).ln())?));
        }
        let least = group.iter().map(|(_, cost)| *cost).min().unwrap_or(0);
        group.iter_mut().for_each(|(_, cost)| *cost -= least);
        self.groups.push(group);
        Ok(())
    }

    /// Adds a real cost of a literal, rounded to the nearest step.
    ///
    /// # Errors
    /// If the cost is not finite or too large.
    pub fn add_real_cost(&mut self, literal: Lit, cost: f64) -> Result<(), ReasonError> {
        self.costs.push((literal, steps(cost)?));
        Ok(())
    }

    /// All that a true literal costs: the problem's objective, [`costs`](Query::costs) and
    /// [`groups`](Query::groups).
    pub(crate) fn all_costs<'a>(&'a self, problem: &'a Problem) -> impl Iterator<Item = (Lit, i64)> + 'a {
        let objective = problem.objective.iter().map(|&(cost, literal)| (literal, cost));
        objective.chain(self.costs.iter().copied()).chain(self.groups.iter().flatten().copied())
    }

    /// The price of violating a rule of the loaded problem; nothing if it is hard.
    pub(crate) fn price(&self, problem: &Problem, piece: Piece) -> Option<u64> {
        let place = match piece {
            Piece::Soft(soft) => return Some(problem.soft[soft].weight),
            Piece::Rule(rule) => rule,
            Piece::Linear(linear) => problem.rules.len() + linear,
            Piece::Fixed(_) | Piece::Clause(_) | Piece::CostBound => return None,
        };
        match &self.strength {
            Strength::AsLoaded => None,
            Strength::AllSoft(price) => Some(*price),
            Strength::Each(prices) => prices[place],
        }
    }

    /// Whether the query fits the problem, and whether its costs fit what a backend can take.
    pub(crate) fn check(
        &self,
        problem: &Problem,
        backend: &'static str,
        capacity: i64,
    ) -> Result<(), ReasonError> {
        let known = problem.rules.variables().len();
        let clauses = self.clauses.iter().flatten().copied();
        let costs = self.costs.iter().chain(self.groups.iter().flatten()).map(|(literal, _)| *literal);
        for literal in self.fixed.iter().copied().chain(clauses).chain(costs) {
            if literal.var().index() >= known {
                return Err(ReasonError::UnknownVariable { number: literal.var().0, known });
            }
        }
        let rules = problem.rules.len() + problem.linear.len();
        if let Strength::Each(prices) = &self.strength
            && prices.len() != rules
        {
            return Err(ReasonError::Strengths { given: prices.len(), rules });
        }
        let prices: i128 = match &self.strength {
            Strength::AsLoaded => 0,
            Strength::AllSoft(price) => i128::from(*price) * rules as i128,
            Strength::Each(prices) => prices.iter().flatten().map(|&price| i128::from(price)).sum(),
        };
        let soft: i128 = problem.soft.iter().map(|soft| i128::from(soft.weight)).sum();
        let costs: i128 = self.all_costs(problem).map(|(_, cost)| i128::from(cost).abs()).sum();
        let total = prices + soft + costs + i128::from(problem.objective_constant).abs();
        if total > i128::from(capacity) {
            return Err(ReasonError::TooLarge { backend, total, capacity });
        }
        Ok(())
    }
}

/// A real cost in whole steps.
fn steps(cost: f64) -> Result<i64, ReasonError> {
    let steps = (cost * STEPS).round();
    if steps.is_finite() && steps.abs() < 9e15 { Ok(steps as i64) } else { Err(ReasonError::Cost { cost }) }
}
