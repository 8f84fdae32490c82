//! Z3, the solver of Microsoft Research: pseudo-Boolean constraints and weighted MaxSAT.
//!
//! Every rule becomes `switch -> rule` in an `Optimize` for cheapest assignments and in a `Solver` for any
//! assignment; a query pushes what it demands onto one of them and pops it afterwards. Z3's objects cannot
//! leave the thread they were made in, so a reasoner is a thread that answers queries.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use preceptron_logic::{Body, Constraint, Linear, Lit, Problem, Sums};
use z3::ast::{Bool, Int};
use z3::{Context, Model, Optimize, SatResult, Solver};

use crate::external_solver::{self, Cheapest, Outside, check_coefficients, literal_costs, runs};
use crate::sat::Budget;
use crate::{Answer, Piece, Query, ReasonError, Reasoner};

/// Z3 with a problem loaded.
pub struct Z3 {
    problem: Arc<Problem>,
    queries: Sender<Query>,
    answers: Receiver<Result<Answer, ReasonError>>,
}

impl Z3 {
    /// Loads a problem.
    ///
    /// # Errors
    /// If the coefficients of a linear constraint add up to more than 60 bits.
    pub fn load(problem: impl Into<Arc<Problem>>) -> Result<Z3, ReasonError> {
        let problem = problem.into();
        check_coefficients::<Loaded>(&problem)?;
        let (queries, asked) = channel::<Query>();
        let (answer, answers) = channel();
        let loaded = Arc::clone(&problem);
        thread::spawn(move || {
            let mut loaded = Loaded::new(loaded);
            // The reasoner is gone when nothing can be received or sent any more.
            for query in asked {
                if answer.send(external_solver::solve(&mut loaded, &query)).is_err() {
                    return;
                }
            }
        });
        Ok(Z3 { problem, queries, answers })
    }
}

impl Reasoner for Z3 {
    fn name(&self) -> &'static str {
        Loaded::NAME
    }

    fn capacity(&self) -> i64 {
        Loaded::CAPACITY
    }

    fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    fn solve(&mut self, query: &Query) -> Result<Answer, ReasonError> {
        let ended = || ReasonError::Backend { backend: Loaded::NAME, message: "its thread ended".to_owned() };
        self.queries.send(query.clone()).map_err(|_| ended())?;
        self.answers.recv().map_err(|_| ended())?
    }
}

/// What the thread holds.
struct Loaded {
    problem: Arc<Problem>,
    variables: Vec<Bool>,
    /// For each piece that can be violated, the constant that makes it bind.
    switches: Vec<(Piece, Bool)>,
    optimize: Optimize,
    solver: Solver,
}

impl Loaded {
    fn new(problem: Arc<Problem>) -> Loaded {
        let count = problem.rules.variables().len();
        let variables: Vec<Bool> = (0..count).map(|number| Bool::new_const(format!("x{number}"))).collect();
        let (optimize, solver) = (Optimize::new(), Solver::new());
        let rules = problem.rules.constraints().enumerate();
        let rules = rules.map(|(place, constraint)| (Piece::Rule(place), counted(&variables, constraint)));
        let linear = problem.linear.iter().enumerate();
        let linear = linear.map(|(place, linear)| (Piece::Linear(place), weighed(&variables, linear)));
        let soft = problem.soft.iter().enumerate().map(|(place, soft)| match &soft.body {
            Body::Cardinality(constraint) => (Piece::Soft(place), counted(&variables, constraint)),
            Body::Linear(linear) => (Piece::Soft(place), weighed(&variables, linear)),
        });
        let mut switches = Vec::new();
        for (piece, rule) in rules.chain(linear).chain(soft) {
            let switch = Bool::new_const(format!("switch{}", switches.len()));
            let switched = switch.implies(&rule);
            optimize.assert(&switched);
            solver.assert(&switched);
            switches.push((piece, switch));
        }
        Loaded { variables, switches, optimize, solver, problem }
    }

    /// What a query demands.
    fn hard(&self, query: &Query) -> Vec<Bool> {
        let hard = self.switches.iter().filter(|(piece, _)| query.price(&self.problem, *piece).is_none());
        let switches = hard.map(|(_, switch)| switch.clone());
        let fixed = query.fixed.iter().map(|&literal| self.literal(literal));
        let clause = |clause: &Vec<Lit>| {
            Bool::or(&clause.iter().map(|&literal| self.literal(literal)).collect::<Vec<Bool>>())
        };
        switches.chain(fixed).chain(query.clauses.iter().map(clause)).collect()
    }

    /// What a query would like, and what it costs when it is not so; and what is paid in any case.
    fn wishes(&self, query: &Query) -> (Vec<(i64, Bool)>, i64) {
        let (costs, mut constant) = literal_costs(query, &self.problem);
        let mut wishes = Vec::new();
        for (var, cost) in costs {
            let variable = &self.variables[var.index()];
            constant += cost.min(0);
            wishes.push((cost.abs(), if cost > 0 { variable.not() } else { variable.clone() }));
        }
        for (piece, switch) in &self.switches {
            if let Some(price) = query.price(&self.problem, *piece) {
                wishes.push((price as i64, switch.clone()));
            }
        }
        wishes.retain(|(weight, _)| *weight > 0);
        (wishes, constant)
    }

    fn literal(&self, literal: Lit) -> Bool {
        to_z3(&self.variables, literal)
    }

    fn values(&self, model: Option<Model>) -> Result<Vec<bool>, ReasonError> {
        let message = || "it has no model to show".to_owned();
        let model = model.ok_or_else(|| ReasonError::Backend { backend: Self::NAME, message: message() })?;
        let value = |variable: &Bool| model.eval(variable, true).and_then(|value| value.as_bool());
        Ok(self.variables.iter().map(|variable| value(variable) == Some(true)).collect())
    }
}

impl Outside for Loaded {
    const NAME: &'static str = "z3";

    const CAPACITY: i64 = i64::MAX / 8;

    fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    fn cheapest(&mut self, query: &Query, budget: &Budget) -> Result<Cheapest, ReasonError> {
        self.optimize.push();
        self.hard(query).iter().for_each(|demand| self.optimize.assert(demand));
        for (weight, wish) in self.wishes(query).0 {
            self.optimize.assert_soft(&wish, weight, None);
        }
        let found = match watched(self.optimize.get_context(), budget, || self.optimize.check(&[])) {
            SatResult::Sat => Ok(Cheapest::Optimal(self.values(self.optimize.get_model())?)),
            SatResult::Unsat => Ok(Cheapest::Nothing),
            SatResult::Unknown => {
                let reason = self.optimize.get_reason_unknown();
                unknown(budget, reason).map(|()| Cheapest::Ended { values: None, bound: i64::MIN })
            }
        };
        self.optimize.pop();
        found
    }

    fn any(
        &mut self,
        query: &Query,
        most: Option<i64>,
        budget: &Budget,
    ) -> Result<Option<Option<Vec<bool>>>, ReasonError> {
        self.solver.push();
        self.hard(query).iter().for_each(|demand| self.solver.assert(demand));
        if let Some(most) = most {
            let (wishes, constant) = self.wishes(query);
            let paid: Vec<(i64, Bool)> = wishes.into_iter().map(|(cost, wish)| (cost, wish.not())).collect();
            self.solver.assert(at_most(&paid, i128::from(most) - i128::from(constant)));
        }
        let found = match watched(self.solver.get_context(), budget, || self.solver.check()) {
            SatResult::Sat => self.values(self.solver.get_model()).map(|values| Some(Some(values))),
            SatResult::Unsat => Ok(Some(None)),
            SatResult::Unknown => unknown(budget, self.solver.get_reason_unknown()).map(|()| None),
        };
        self.solver.pop(1);
        found
    }
}

/// That Z3 does not know is fine only if it was told to stop.
fn unknown(budget: &Budget, reason: Option<String>) -> Result<(), ReasonError> {
    let message = || reason.unwrap_or_else(|| "no reason given".to_owned());
    if budget.is_over() { Ok(()) } else { Err(ReasonError::Backend { backend: "z3", message: message() }) }
}

/// Runs a check, and interrupts it when the budget is used up.
fn watched(context: &Context, budget: &Budget, check: impl FnOnce() -> SatResult) -> SatResult {
    if budget.deadline.is_none() && budget.cancel.is_none() {
        return check();
    }
    if budget.is_over() {
        return SatResult::Unknown;
    }
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let handle = context.handle();
        let watcher = scope.spawn(|| {
            let handle = handle;
            while !is_done.load(Ordering::Relaxed) {
                thread::park_timeout(Duration::from_millis(5));
                if budget.is_over() && !is_done.load(Ordering::Relaxed) {
                    handle.interrupt();
                }
            }
        });
        let result = check();
        is_done.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        result
    })
}

fn to_z3(variables: &[Bool], literal: Lit) -> Bool {
    let variable = &variables[literal.var().index()];
    if literal.is_negated() { variable.not() } else { variable.clone() }
}

/// A cardinality constraint: a chain of exclusive ors for a parity, else one of its ranges of sums.
fn counted(variables: &[Bool], constraint: &Constraint) -> Bool {
    let literals = constraint.literals().iter().map(|&literal| to_z3(variables, literal));
    let terms: Vec<(i64, Bool)> = literals.map(|literal| (1, literal)).collect();
    let count = terms.len() as u32;
    let parity = |odd: u32| *constraint.sums() == Sums::set((0..=count).filter(|sum| sum % 2 == odd));
    let body = if let Some(odd) = (0..2).find(|odd| count > 2 && parity(*odd)) {
        terms.iter().fold(Bool::from_bool(odd == 0), |sum, (_, literal)| sum.xor(literal))
    } else {
        let ranges = runs(constraint.sums()).into_iter();
        let ranges = ranges.map(|(least, most)| between(&terms, Some(least.into()), Some(most.into())));
        Bool::or(&ranges.collect::<Vec<Bool>>())
    };
    constraint.gate().map_or(body.clone(), |gate| to_z3(variables, gate).implies(&body))
}

fn weighed(variables: &[Bool], linear: &Linear) -> Bool {
    let terms = linear.terms.iter().map(|&(coefficient, literal)| (coefficient, to_z3(variables, literal)));
    between(&terms.collect::<Vec<(i64, Bool)>>(), linear.min, linear.max)
}

/// That a weighted sum is in a range.
fn between(terms: &[(i64, Bool)], min: Option<i64>, max: Option<i64>) -> Bool {
    let negated: Vec<(i64, Bool)> =
        terms.iter().map(|(weight, literal)| (-weight, literal.clone())).collect();
    let above = min.map(|min| at_most(&negated, -i128::from(min)));
    let below = max.map(|max| at_most(terms, max.into()));
    Bool::and(&above.into_iter().chain(below).collect::<Vec<Bool>>())
}

/// That a weighted sum is at most `most`: pseudo-Boolean where that takes the weights, of 32 bits, else in
/// whole numbers.
fn at_most(terms: &[(i64, Bool)], most: i128) -> Bool {
    // c l = c + |c| (not l) for negative c.
    let most = terms.iter().fold(most, |most, (weight, _)| most - i128::from(*weight.min(&0)));
    let signed = |(weight, literal): &(i64, Bool)| {
        (weight.unsigned_abs(), if *weight < 0 { literal.not() } else { literal.clone() })
    };
    let terms: Vec<(u64, Bool)> = terms.iter().map(signed).collect();
    let total: i128 = terms.iter().map(|(weight, _)| i128::from(*weight)).sum();
    if most < 0 || total <= most {
        return Bool::from_bool(most >= 0);
    }
    if total <= i128::from(i32::MAX) {
        let terms: Vec<(&Bool, i32)> =
            terms.iter().map(|(weight, literal)| (literal, *weight as i32)).collect();
        return Bool::pb_le(&terms, most as i32);
    }
    let zero = Int::from_u64(0);
    let terms = terms.iter().map(|(weight, literal)| literal.ite(&Int::from_u64(*weight), &zero));
    Int::add(&terms.collect::<Vec<Int>>()).le(Int::from_i64(most as i64))
}
