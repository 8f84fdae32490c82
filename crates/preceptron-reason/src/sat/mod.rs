//! What the search needs of a SAT solver, and the solvers that have it.

mod batsat;
#[cfg(feature = "cadical")]
mod cadical;
mod rows;

pub use self::batsat::{Batsat, Rowed};
#[cfg(feature = "cadical")]
pub use self::cadical::Cadical;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use preceptron_logic::{Lit, Var};

/// An incremental SAT solver. Its literals are those of `preceptron-logic`; variables count from 0.
pub trait Sat: Default + Send {
    /// The solver's name.
    const NAME: &'static str;

    /// A bound that would take more clauses than this is a row of the solver, see [`add_row`](Sat::add_row).
    /// None is unless it says otherwise.
    const ROWS_FROM: u64 = u64::MAX;

    /// A variable that was not there before.
    fn new_variable(&mut self) -> Var;

    /// How many variables there are.
    fn variables(&self) -> usize;

    /// Adds a clause for good.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Adds for good that the weights of the true literals add up to no more than `bound`. Weights are positive
    /// and add up to less than 62 bits, and no variable comes twice.
    ///
    /// # Panics
    /// If the solver takes clauses only, see [`ROWS_FROM`](Sat::ROWS_FROM).
    fn add_row(&mut self, _terms: Vec<(i64, Lit)>, _bound: i64) {
        panic!("{} takes clauses only", Self::NAME);
    }

    /// Looks for a model in which all assumptions are true.
    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Outcome;

    /// Watches the first so many variables for [`is_determined`](Sat::is_determined).
    fn watch(&mut self, _variables: usize) {}

    /// After [`Outcome::Sat`]: whether the assumptions alone, without a guess, gave every watched
    /// variable its value, so that no other model differs in these. A solver that cannot tell says no.
    fn is_determined(&self) -> bool {
        false
    }

    /// Whether a literal is true in the model found by the last call.
    fn holds(&self, literal: Lit) -> bool;

    /// After [`Outcome::Unsat`]: assumptions that cannot all be true.
    fn core(&self) -> &[Lit];

    /// Conflicts in all calls so far.
    fn conflicts(&self) -> u64;
}

/// What a call found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A model.
    Sat,
    /// That there is none.
    Unsat,
    /// Nothing: the budget ended.
    Unknown,
}

/// When a call gives up.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// At this time.
    pub deadline: Option<Instant>,
    /// After so many conflicts.
    pub conflicts: Option<u64>,
    /// When this is set.
    pub cancel: Option<Arc<AtomicBool>>,
    /// When the process has so many bytes in memory, as far as the system tells.
    pub memory: Option<u64>,
}

impl Budget {
    /// Whether time is up or somebody asked to stop.
    pub fn is_over(&self) -> bool {
        self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether memory is used up; to ask the system takes some microseconds.
    pub fn is_full(&self) -> bool {
        self.memory.is_some_and(|memory| crate::memory::resident().is_some_and(|now| now >= memory))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solver<S: Sat>(variables: usize) -> S {
        let mut solver = S::default();
        for _ in 0..variables {
            solver.new_variable();
        }
        solver
    }

    fn finds_models_and_cores<S: Sat>() {
        let mut solver: S = solver(4);
        let [a, b, c, d] = [0, 1, 2, 3].map(|v| Var(v).positive());
        solver.add_clause(&[!a, b]);
        solver.add_clause(&[!b, c]);
        let budget = Budget::default();
        assert_eq!(solver.solve(&[d, a], &budget), Outcome::Sat);
        assert!(solver.holds(a) && solver.holds(c) && solver.holds(d) && !solver.holds(!b));
        assert_eq!(solver.solve(&[d, a, a, !c, a], &budget), Outcome::Unsat);
        let mut core = solver.core().to_vec();
        core.sort_unstable();
        assert_eq!(core, [a, !c]);
        solver.add_clause(&[!a]);
        assert_eq!(solver.solve(&[a], &budget), Outcome::Unsat);
        assert_eq!(solver.core(), [a]);
        solver.add_clause(&[]);
        assert_eq!(solver.solve(&[d], &budget), Outcome::Unsat);
        assert!(solver.core().is_empty());
    }

    /// Pigeons into too few holes: hard for any solver that learns clauses.
    fn gives_up<S: Sat>() {
        let (pigeons, holes) = (11, 10);
        let mut solver: S = solver(pigeons * holes);
        let sits = |pigeon: usize, hole: usize| Var((pigeon * holes + hole) as u32).positive();
        for pigeon in 0..pigeons {
            solver.add_clause(&(0..holes).map(|hole| sits(pigeon, hole)).collect::<Vec<_>>());
            for other in 0..pigeon {
                (0..holes).for_each(|hole| solver.add_clause(&[!sits(pigeon, hole), !sits(other, hole)]));
            }
        }
        let budget = Budget { conflicts: Some(100), ..Budget::default() };
        assert_eq!(solver.solve(&[], &budget), Outcome::Unknown);
        assert!((50..400).contains(&solver.conflicts()), "{} conflicts", solver.conflicts());
        let budget = Budget { deadline: Some(Instant::now()), ..Budget::default() };
        assert_eq!(solver.solve(&[], &budget), Outcome::Unknown);
        let budget = Budget { cancel: Some(Arc::new(AtomicBool::new(true))), ..Budget::default() };
        assert_eq!(solver.solve(&[], &budget), Outcome::Unknown);
    }

    #[test]
    fn batsat_is_a_solver() {
        finds_models_and_cores::<Batsat>();
        gives_up::<Batsat>();
        finds_models_and_cores::<Rowed>();
    }

    #[cfg(feature = "cadical")]
    #[test]
    fn cadical_is_a_solver() {
        finds_models_and_cores::<Cadical>();
        gives_up::<Cadical>();
    }
}
