//! The reasoner that is our own: core-guided search on a SAT solver, warm from query to query.

use std::sync::Arc;

use preceptron_logic::{Linear, Problem};

use crate::check::evaluate;
use crate::conflict::conflict;
use crate::engine::Engine;
use crate::sat::{Budget, Sat};
use crate::search::{Found, Search};
use crate::{Answer, Conflict, Piece, Query, ReasonError, Reasoner, Status, Strength};

/// Core-guided search on a SAT solver. The rules are loaded once: as they stand, and, from the first
/// query on that takes some of them for soft, a second time with a switch for each.
pub struct CoreGuided<S: Sat> {
    problem: Arc<Problem>,
    plain: Option<Engine<S>>,
    switched: Option<Engine<S>>,
}

/// Costs and coefficients may add up to this.
const CAPACITY: i64 = i64::MAX / 8;

impl<S: Sat> CoreGuided<S> {
    /// Loads a problem.
    ///
    /// # Errors
    /// If the coefficients of a linear constraint add up to more than 60 bits.
    pub fn load(problem: impl Into<Arc<Problem>>) -> Result<CoreGuided<S>, ReasonError> {
        let problem = problem.into();
        let soft = problem.soft.iter().filter_map(|soft| match &soft.body {
            preceptron_logic::Body::Linear(linear) => Some(linear),
            preceptron_logic::Body::Cardinality(_) => None,
        });
        let size = |linear: &Linear| -> i128 { linear.terms.iter().map(|(c, _)| i128::from(*c).abs()).sum() };
        if problem.linear.iter().chain(soft).any(|linear| size(linear) > i128::from(CAPACITY)) {
            let what = format!("a linear constraint whose coefficients add up to more than {CAPACITY}");
            return Err(ReasonError::Unsupported { backend: S::NAME, what });
        }
        Ok(CoreGuided { problem, plain: None, switched: None })
    }

    fn infeasible(&self, query: &Query, budget: &Budget) -> (Status, Option<Conflict>) {
        (Status::Infeasible, query.explain.then(|| conflict::<S>(&self.problem, query, budget)))
    }
}

impl<S: Sat> Reasoner for CoreGuided<S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn capacity(&self) -> i64 {
        CAPACITY
    }

    fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    fn solve(&mut self, query: &Query) -> Result<Answer, ReasonError> {
        query.check(&self.problem, S::NAME, CAPACITY)?;
        let budget = Budget {
            deadline: query.limits.deadline(),
            conflicts: query.limits.conflicts,
            cancel: query.limits.cancel.clone(),
        };
        let is_switched = query.strength != Strength::AsLoaded;
        let slot = if is_switched { &mut self.switched } else { &mut self.plain };
        let engine = slot.get_or_insert_with(|| Engine::load(&self.problem, is_switched));
        let (found, work) = Search::new(engine, &self.problem, query, budget.clone()).run();
        if engine.is_worn() {
            *slot = None;
        }
        let mut answer = Answer {
            status: Status::Unknown,
            solution: None,
            bound: i64::MIN,
            unique: None,
            conflict: None,
            work,
        };
        match found {
            Found::Unknown { bound } => answer.bound = bound,
            Found::Nothing => (answer.status, answer.conflict) = self.infeasible(query, &budget),
            Found::Values { values, bound, is_optimal, unique } => {
                answer.bound = bound;
                match evaluate(&self.problem, query, values) {
                    Err(Piece::CostBound) if is_optimal => {
                        (answer.status, answer.conflict) = self.infeasible(query, &budget);
                    }
                    Err(Piece::CostBound) => (),
                    Err(piece) => return Err(ReasonError::violated(S::NAME, piece)),
                    Ok(solution) if is_optimal && solution.cost != bound => {
                        let what = format!("a cost of {} where {bound} was proved", solution.cost);
                        return Err(ReasonError::Wrong { backend: S::NAME, what });
                    }
                    Ok(solution) => {
                        answer.status = if is_optimal { Status::Optimal } else { Status::Feasible };
                        answer.solution = Some(solution);
                        answer.unique = unique;
                    }
                }
            }
        }
        Ok(answer)
    }
}
