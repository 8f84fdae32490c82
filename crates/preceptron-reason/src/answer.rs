//! What a reasoner answers: an assignment with its cost and the bound proved, or a conflict.

use preceptron_logic::{Lit, Problem, Var};

/// An answer to a [`Query`](crate::Query).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// How sure the answer is.
    pub status: Status,
    /// The best assignment found, if there is one.
    pub solution: Option<Solution>,
    /// No assignment costs less than this: equal to the solution's cost if that is optimal.
    pub bound: i64,
    /// Whether only this assignment has the least cost. Known when ties are broken canonically and the
    /// solution is optimal.
    pub unique: Option<bool>,
    /// Why there is no assignment, if there is none.
    pub conflict: Option<Conflict>,
    /// What it took.
    pub work: Work,
}

/// How sure an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The solution obeys all that is hard, and nothing costs less.
    Optimal,
    /// The solution obeys all that is hard; a limit ended the search before the rest was proved.
    Feasible,
    /// Nothing obeys all that is hard.
    Infeasible,
    /// A limit ended the search before anything was known.
    Unknown,
}

/// An assignment that obeys all that is hard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The value of each variable.
    pub values: Vec<bool>,
    /// What it costs, constants included.
    pub cost: i64,
    /// The soft rules that it violates.
    pub violated: Vec<Piece>,
    /// Where it departs from the cheapest reading of the query's costs.
    pub repairs: Vec<Repair>,
}

/// A choice that the rules overruled: read as one thing, and must be another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The literal that would have cost least.
    pub read: Lit,
    /// The literal that holds instead.
    pub chosen: Lit,
    /// What the change costs.
    pub price: i64,
}

/// One thing that can be in a conflict, or be violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Piece {
    /// A rule of the loaded rule set, by its place there.
    Rule(usize),
    /// A weighted linear constraint of the loaded problem.
    Linear(usize),
    /// A soft constraint of the loaded problem.
    Soft(usize),
    /// A fixed literal of the query.
    Fixed(Lit),
    /// A clause of the query, by its place there.
    Clause(usize),
    /// The bound on the cost that the loaded problem states.
    CostBound,
}

/// Pieces that cannot all hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The pieces, in order.
    pub pieces: Vec<Piece>,
    /// Whether without any one of them the others can hold: not known if a limit came in between.
    pub minimal: bool,
}

/// What an answer took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Which backend gave the answer.
    pub backend: &'static str,
    /// Calls of the SAT solver.
    pub calls: u64,
    /// Conflicts of the SAT solver.
    pub conflicts: u64,
    /// Sets of costs of which at least one was proved to be paid.
    pub cores: u64,
    /// How many of these came from parity reasoning.
    pub parity_cores: u64,
    /// How many sets of costs were tried from the cheapest on, where cores alone led to no end.
    pub sets: u64,
}

impl Work {
    /// This and what was done after it.
    pub(crate) fn and(&self, later: &Work) -> Work {
        Work {
            backend: self.backend,
            calls: self.calls + later.calls,
            conflicts: self.conflicts + later.conflicts,
            cores: self.cores + later.cores,
            parity_cores: self.parity_cores + later.parity_cores,
            sets: self.sets + later.sets,
        }
    }
}

impl Answer {
    /// That nothing is known.
    pub(crate) fn unknown(backend: &'static str) -> Answer {
        Answer {
            status: Status::Unknown,
            solution: None,
            bound: i64::MIN,
            unique: None,
            conflict: None,
            work: Work { backend, ..Work::default() },
        }
    }

    /// What the solution may cost too much: its cost less the bound. Nothing without a solution.
    pub fn gap(&self) -> Option<i64> {
        self.solution.as_ref().map(|solution| solution.cost - self.bound)
    }

    /// Whether the search ended by itself and not by a limit.
    pub fn is_conclusive(&self) -> bool {
        matches!(self.status, Status::Optimal | Status::Infeasible)
    }
}

impl Solution {
    /// The value of a variable.
    pub fn value(&self, var: Var) -> bool {
        self.values[var.index()]
    }

    /// Whether a literal is true.
    pub fn holds(&self, literal: Lit) -> bool {
        literal.holds(self.value(literal.var()))
    }
}

impl Piece {
    /// Whether a rule or soft constraint of the problem holds. Pieces of a query are not looked up.
    pub(crate) fn holds(self, problem: &Problem, value: impl Fn(Var) -> bool) -> bool {
        match self {
            Piece::Rule(rule) => problem.rules.rules()[rule].constraint.holds(value),
            Piece::Linear(linear) => problem.linear[linear].holds(value),
            Piece::Soft(soft) => problem.soft[soft].body.holds(value),
            Piece::Fixed(literal) => literal.holds(value(literal.var())),
            Piece::Clause(_) | Piece::CostBound => true,
        }
    }
}
