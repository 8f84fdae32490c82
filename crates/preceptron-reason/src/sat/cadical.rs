//! CaDiCaL, for queries that BatSat does not finish.

use std::collections::HashSet;

use cadical::{Callbacks, Solver};
use preceptron_logic::{Lit, Var};

use super::{Budget, Outcome, Sat};

/// The C++ solver CaDiCaL.
#[derive(Default)]
pub struct Cadical {
    solver: Solver<Stop>,
    variables: u32,
    conflicts: u64,
    core: Vec<Lit>,
}

/// Ends a call when its budget is used up, and counts the clauses that were learned.
struct Stop {
    budget: Budget,
    learned: u64,
}

impl Callbacks for Stop {
    fn terminate(&mut self) -> bool {
        self.budget.is_over() || self.budget.is_full()
    }

    fn max_length(&self) -> i32 {
        i32::MAX
    }

    fn learn(&mut self, _: &[i32]) {
        self.learned += 1;
    }
}

fn to_cadical(literal: Lit) -> i32 {
    literal.dimacs() as i32
}

impl Sat for Cadical {
    const NAME: &'static str = "cadical";

    fn new_variable(&mut self) -> Var {
        self.variables += 1;
        Var(self.variables - 1)
    }

    fn variables(&self) -> usize {
        self.variables as usize
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.solver.add_clause(clause.iter().map(|&literal| to_cadical(literal)));
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Outcome {
        self.core.clear();
        if budget.is_over() || budget.conflicts == Some(0) {
            return Outcome::Unknown;
        }
        let most = budget.conflicts.map_or(-1, |most| i32::try_from(most).unwrap_or(i32::MAX));
        self.solver.set_limit("conflicts", most).expect("CaDiCaL limits conflicts");
        self.solver.set_callbacks(Some(Stop { budget: budget.clone(), learned: 0 }));
        let result = self.solver.solve_with(assumptions.iter().map(|&literal| to_cadical(literal)));
        self.conflicts += self.solver.get_callbacks().map_or(0, |stop| stop.learned);
        match result {
            Some(true) => Outcome::Sat,
            Some(false) => {
                // An assumption may be given twice; in the core it is once.
                let mut seen = HashSet::new();
                let failed = assumptions.iter().filter(|l| self.solver.failed(to_cadical(**l)));
                self.core.extend(failed.filter(|l| seen.insert(**l)));
                Outcome::Unsat
            }
            None => Outcome::Unknown,
        }
    }

    fn holds(&self, literal: Lit) -> bool {
        // The wrapper tells the variable's value, whatever the literal's sign.
        literal.holds(self.solver.value(to_cadical(literal.var().positive())) == Some(true))
    }

    fn core(&self) -> &[Lit] {
        &self.core
    }

    fn conflicts(&self) -> u64 {
        self.conflicts
    }
}
