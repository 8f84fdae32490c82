//! The default, a sequential portfolio: BatSat, and CaDiCaL for what BatSat does not finish.

use std::sync::Arc;

use preceptron_logic::Problem;

use crate::core_guided::CoreGuided;
use crate::sat::Batsat;
use crate::{Answer, Query, ReasonError, Reasoner};

/// Small queries end on BatSat; one that needs more conflicts than it is allowed there moves on to
/// CaDiCaL. Without the feature `cadical` it stays.
pub struct Portfolio {
    first: CoreGuided<Batsat>,
    #[cfg(feature = "cadical")]
    second: Option<CoreGuided<crate::sat::Cadical>>,
    /// Whether all rules are small enough as clauses, which is what CaDiCaL takes.
    #[cfg(feature = "cadical")]
    is_small: bool,
}

/// Rules that take more bytes as clauses stay on BatSat.
#[cfg(feature = "cadical")]
const SMALL: u64 = 1 << 29;

/// Conflicts that a query may have on BatSat.
#[cfg(feature = "cadical")]
const PATIENCE: u64 = 20_000;

impl Portfolio {
    /// Loads a problem.
    ///
    /// # Errors
    /// If it has constraints that are too large.
    pub fn load(problem: impl Into<Arc<Problem>>) -> Result<Portfolio, ReasonError> {
        let problem = problem.into();
        Ok(Portfolio {
            #[cfg(feature = "cadical")]
            is_small: crate::encode::bytes_of_all::<crate::sat::Cadical>(&problem) <= SMALL,
            first: CoreGuided::load(problem)?,
            #[cfg(feature = "cadical")]
            second: None,
        })
    }
}

impl Reasoner for Portfolio {
    fn name(&self) -> &'static str {
        "portfolio"
    }

    fn capacity(&self) -> i64 {
        self.first.capacity()
    }

    fn problem(&self) -> &Arc<Problem> {
        self.first.problem()
    }

    #[cfg(not(feature = "cadical"))]
    fn solve_others(
        &mut self,
        query: &Query,
        given: &[Vec<bool>],
        known: usize,
    ) -> Result<Answer, ReasonError> {
        self.first.solve_others(query, given, known)
    }

    #[cfg(not(feature = "cadical"))]
    fn solve(&mut self, query: &Query) -> Result<Answer, ReasonError> {
        self.first.solve(query)
    }

    #[cfg(feature = "cadical")]
    fn solve(&mut self, query: &Query) -> Result<Answer, ReasonError> {
        let begun = std::time::Instant::now();
        let allowed = query.limits.conflicts.unwrap_or(u64::MAX);
        let mut limited = query.clone();
        limited.limits.conflicts = Some(allowed.min(PATIENCE));
        let answer = self.first.solve(&limited)?;
        let is_over = allowed <= PATIENCE
            || !self.is_small
            || query.limits.is_over()
            || query.limits.time.is_some_and(|time| begun.elapsed() >= time);
        if is_over || (answer.is_conclusive() && answer.conflict.as_ref().is_none_or(|c| c.minimal)) {
            return Ok(answer);
        }
        limited.limits.conflicts = query.limits.conflicts.map(|most| most - PATIENCE);
        limited.limits.time = query.limits.time.map(|time| time.saturating_sub(begun.elapsed()));
        let second = match &mut self.second {
            Some(second) => second,
            None => self.second.insert(CoreGuided::load(Arc::clone(self.first.problem()))?),
        };
        let further = second.solve(&limited)?;
        Ok(better(answer, further))
    }
}

/// The better of two answers to one query: the one that is conclusive, else the cheaper one, with the
/// higher of the bounds.
#[cfg(feature = "cadical")]
fn better(first: Answer, second: Answer) -> Answer {
    if second.is_conclusive() || first.is_conclusive() {
        return if second.is_conclusive() { second } else { first };
    }
    let bound = first.bound.max(second.bound);
    let cost = |answer: &Answer| answer.solution.as_ref().map_or(i64::MAX, |solution| solution.cost);
    let answer = if cost(&second) <= cost(&first) { second } else { first };
    Answer { bound, ..answer }
}
