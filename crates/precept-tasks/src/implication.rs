//! Whether rules imply a constraint, decided exactly: no assignment may satisfy the rules and violate it.
//!
//! A constraint over literals `l_1 .. l_k` becomes clauses by way of a counter: the variable `c_(i,j)`
//! says that at least `j` of the first `i` literals are true,
//!
//! ```text
//! c_(i,j)  <->  c_(i-1,j)  or  (l_i and c_(i-1,j-1))
//! ```
//!
//! and a sum `s` that is not allowed is the clause `not c_(k,s) or c_(k,s+1)`. To violate a constraint is
//! to satisfy the one with all other sums. The solver is asked for that under an assumption, so that it
//! keeps what it learned of the rules from one question to the next.

use precept_logic::{Constraint, RuleSet};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Clause, Lit};
use rustsat_batsat::BasicSolver;

/// For each constraint whether the rules imply it: whether all that satisfies every rule satisfies it.
///
/// # Panics
/// If a constraint has a variable that the rules do not have.
pub fn implied<'a>(rules: &RuleSet, constraints: impl IntoIterator<Item = &'a Constraint>) -> Vec<bool> {
    let known = rules.variables().len();
    let mut question = Question { solver: BasicSolver::default(), variables: known as u32 };
    for rule in rules.constraints() {
        question.require(rule, |sum| rule.sums().contains(sum), rule.gate().map(literal));
    }
    let mut ask = |constraint: &Constraint| {
        assert!(constraint.variables().all(|v| v.index() < known), "a constraint over the rules' variables");
        let violated = question.variable();
        question.require(constraint, |sum| !constraint.sums().contains(sum), Some(violated));
        if let Some(gate) = constraint.gate() {
            question.clause([!violated, literal(gate)]);
        }
        let answer = question.solver.solve_assumps(&[violated]).expect("the solver has no limits");
        answer == SolverResult::Unsat
    };
    constraints.into_iter().map(&mut ask).collect()
}

/// A solver and the number of variables it has.
struct Question {
    solver: BasicSolver,
    variables: u32,
}

impl Question {
    fn variable(&mut self) -> Lit {
        self.variables += 1;
        Lit::positive(self.variables - 1)
    }

    fn clause(&mut self, literals: impl IntoIterator<Item = Lit>) {
        self.solver.add_clause(Clause::from_iter(literals)).expect("the solver has no limits");
    }

    /// Asks that, where `gate` is true, the number of true literals of `constraint` be an allowed one.
    fn require(&mut self, constraint: &Constraint, allowed: impl Fn(u32) -> bool, gate: Option<Lit>) {
        // at_least[j]: more than j of the literals so far.
        let mut at_least: Vec<Lit> = Vec::new();
        for l in constraint.literals().iter().copied().map(literal) {
            let next: Vec<Lit> = (0..=at_least.len()).map(|_| self.variable()).collect();
            for (j, &c) in next.iter().enumerate() {
                let (same, fewer) = (at_least.get(j).copied(), j.checked_sub(1).map(|j| at_least[j]));
                self.clause([!l, c].into_iter().chain(fewer.map(|f| !f)));
                self.clause([!c, l].into_iter().chain(same));
                if let Some(same) = same {
                    self.clause([!same, c]);
                }
                if let Some(fewer) = fewer {
                    self.clause([!c, fewer]);
                }
            }
            at_least = next;
        }
        for sum in (0..=at_least.len()).filter(|&sum| !allowed(sum as u32)) {
            let (here, above) = (sum.checked_sub(1).map(|j| !at_least[j]), at_least.get(sum).copied());
            self.clause(gate.map(|g| !g).into_iter().chain(here).chain(above));
        }
    }
}

fn literal(literal: precept_logic::Lit) -> Lit {
    Lit::new(literal.var().0, literal.is_negated())
}

#[cfg(test)]
mod tests {
    use super::*;
    use precept_logic::{Rule, Sums, Var, Variables};
    use proptest::prelude::*;

    const VARIABLES: u32 = 7;

    fn constraint() -> impl Strategy<Value = Constraint> {
        let literals = proptest::collection::btree_map(0..VARIABLES, any::<bool>(), 0..6);
        let sums = proptest::collection::btree_set(0u32..6, 0..6);
        (literals, sums, proptest::option::of((0..VARIABLES, any::<bool>()))).prop_map(
            |(literals, sums, gate)| {
                let of = |(var, negated)| precept_logic::Lit::new(Var(var), negated);
                let constraint = Constraint::new(literals.into_iter().map(of), Sums::set(sums));
                gate.map_or(constraint.clone(), |gate| constraint.gated(of(gate)))
            },
        )
    }

    proptest! {
        /// The plain twin goes through all assignments.
        #[test]
        fn agrees_with_enumeration(
            rules in proptest::collection::vec(constraint(), 0..5),
            asked in proptest::collection::vec(constraint(), 1..5),
        ) {
            let variables = Variables::from_names((0..VARIABLES).map(|v| format!("x{v}"))).unwrap();
            let set = RuleSet::with_rules(variables, rules.iter().cloned().map(Rule::given));
            let plain: Vec<bool> = asked
                .iter()
                .map(|c| {
                    (0..1u32 << VARIABLES).all(|bits| {
                        let value = |v: Var| bits >> v.0 & 1 == 1;
                        !rules.iter().all(|r| r.holds(value)) || c.holds(value)
                    })
                })
                .collect();
            prop_assert_eq!(implied(&set, &asked), plain);
        }
    }
}
