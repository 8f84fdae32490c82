//! BatSat, used directly: its wrapper in `rustsat` copies models and hides the budget.

use std::cell::Cell;

use batsat::theory::Theory;
use batsat::{Callbacks, ClauseKind, Solver, SolverInterface, TheoryArg, lbool};
use preceptron_logic::{Lit, Var};

use super::rows::Rows;
use super::{Budget, Outcome, Sat};

/// The pure Rust solver BatSat. A bound that would take more than so many clauses is a row.
#[derive(Default)]
pub struct Batsat<const ROWS_FROM: u64 = 20_000> {
    solver: Solver<Stop>,
    watch: Watch,
    core: Vec<Lit>,
    clause: Vec<batsat::Lit>,
}

/// BatSat with all that is no clause as a row.
pub type Rowed = Batsat<0>;

/// Counts sums, and sees, when the assumptions have been propagated and nothing has been guessed, whether
/// the first variables all have a value.
#[derive(Default)]
struct Watch {
    rows: Rows,
    variables: usize,
    assumptions: usize,
    levels: usize,
    is_determined: bool,
}

impl Theory for Watch {
    fn final_check(&mut self, _: &mut TheoryArg) {}

    fn create_level(&mut self) {
        self.levels += 1;
        self.rows.create_level();
    }

    fn pop_levels(&mut self, levels: usize) {
        self.levels -= levels;
        self.rows.pop_levels(levels);
    }

    fn n_levels(&self) -> usize {
        self.levels
    }

    fn partial_check(&mut self, state: &mut TheoryArg) {
        if self.rows.size() > 0 {
            self.rows.follow(state);
        }
        if self.levels == self.assumptions {
            let is_watched = |literal: &&batsat::Lit| (literal.var().idx() as usize) < self.variables;
            self.is_determined = state.model().iter().filter(is_watched).count() == self.variables;
        }
    }

    fn explain_propagation(&mut self, literal: batsat::Lit) -> &[batsat::Lit] {
        self.rows.explain_propagation(literal)
    }
}

/// Ends a call when its budget is used up.
#[derive(Default)]
struct Stop {
    budget: Budget,
    conflicts: u64,
    asked: Cell<u32>,
    /// The same over all calls.
    asked_ever: Cell<u32>,
    is_over: Cell<bool>,
}

/// How many times the solver may ask before the clock is looked at.
const PATIENCE: u32 = 256;

/// And before memory is.
const PATIENCE_FOR_MEMORY: u32 = 4096;

impl Callbacks for Stop {
    fn on_new_clause(&mut self, _: &[batsat::Lit], kind: ClauseKind) {
        self.conflicts += u64::from(kind != ClauseKind::Axiom);
    }

    fn stop(&self) -> bool {
        let asked = self.asked.get();
        self.asked.set(asked.wrapping_add(1));
        self.asked_ever.set(self.asked_ever.get().wrapping_add(1));
        let is_over = (asked.is_multiple_of(PATIENCE) && self.budget.is_over())
            || (self.asked_ever.get().is_multiple_of(PATIENCE_FOR_MEMORY) && self.budget.is_full());
        if is_over {
            self.is_over.set(true);
        }
        self.is_over.get() || self.budget.conflicts.is_some_and(|most| self.conflicts >= most)
    }
}

pub fn to_batsat(literal: Lit) -> batsat::Lit {
    batsat::Lit::new(batsat::Var::unsafe_from_idx(literal.var().0), !literal.is_negated())
}

pub fn from_batsat(literal: batsat::Lit) -> Lit {
    Lit::new(Var(literal.var().idx()), !literal.sign())
}

impl<const ROWS_FROM: u64> Sat for Batsat<ROWS_FROM> {
    const NAME: &'static str = if ROWS_FROM == 0 { "rows" } else { "batsat" };
    const ROWS_FROM: u64 = ROWS_FROM;

    fn new_variable(&mut self) -> Var {
        Var(self.solver.new_var_default().idx())
    }

    fn variables(&self) -> usize {
        self.solver.num_vars() as usize
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.clause.clear();
        self.clause.extend(clause.iter().map(|&literal| to_batsat(literal)));
        self.solver.add_clause_reuse(&mut self.clause);
    }

    fn add_row(&mut self, terms: Vec<(i64, Lit)>, bound: i64) {
        let variables = self.variables();
        self.watch.rows.add(terms, bound, variables);
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Outcome {
        let asked_ever = self.solver.cb().asked_ever.clone();
        *self.solver.cb_mut() = Stop { budget: budget.clone(), asked_ever, ..Stop::default() };
        self.clause.clear();
        self.clause.extend(assumptions.iter().map(|&literal| to_batsat(literal)));
        let assumptions = std::mem::take(&mut self.clause);
        (self.watch.assumptions, self.watch.is_determined) = (assumptions.len(), false);
        let result = self.solver.solve_limited_th(&mut self.watch, &assumptions);
        self.clause = assumptions;
        self.core.clear();
        if result == lbool::TRUE {
            Outcome::Sat
        } else if result == lbool::FALSE {
            // The solver's core is the clause that it learned: the negated assumptions.
            let core = self.solver.unsat_core().iter();
            self.core.extend(core.map(|&literal| !from_batsat(literal)));
            Outcome::Unsat
        } else {
            Outcome::Unknown
        }
    }

    fn watch(&mut self, variables: usize) {
        self.watch.variables = variables;
    }

    fn is_determined(&self) -> bool {
        self.watch.is_determined
    }

    fn holds(&self, literal: Lit) -> bool {
        self.solver.value_lit(to_batsat(literal)) == lbool::TRUE
    }

    fn core(&self) -> &[Lit] {
        &self.core
    }

    fn conflicts(&self) -> u64 {
        self.solver.num_conflicts()
    }
}
