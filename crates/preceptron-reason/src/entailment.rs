//! Which rules others imply, with rules that can be left out of account one by one.
//!
//! Each rule has a switch; whether some rules imply a constraint is asked by switching those on and
//! requiring that the constraint be violated. The solver keeps what it learned from one question to the
//! next.

use preceptron_logic::{Constraint, Lit};

use crate::prover::Prover;
use crate::sat::Budget;

/// Rules that may imply others, and each other.
pub struct Entailment {
    prover: Prover,
    switches: Vec<Lit>,
    budget: Budget,
}

impl Entailment {
    /// No rules yet, over variables `0..variables`. A question is given up after so many conflicts.
    pub fn new(variables: usize, conflicts: u64) -> Entailment {
        let budget = Budget { conflicts: Some(conflicts), ..Budget::default() };
        Entailment { prover: Prover::over(variables), switches: Vec::new(), budget }
    }

    /// Adds a rule; its number, counting from 0.
    ///
    /// # Panics
    /// If it has a variable of a greater number.
    pub fn add(&mut self, rule: &Constraint) -> usize {
        self.switches.push(self.prover.add_switched(rule));
        self.switches.len() - 1
    }

    /// Whether the rules with these numbers are known to imply the constraint: false if they do not, and
    /// if the question was given up.
    ///
    /// # Panics
    /// As [`Entailment::decide`] does.
    pub fn implies(&mut self, rules: impl IntoIterator<Item = usize>, constraint: &Constraint) -> bool {
        self.decide(rules, constraint) == Some(true)
    }

    /// Whether the rules with these numbers imply the constraint; nothing if the question was given up.
    ///
    /// # Panics
    /// If the constraint has a variable that the rules cannot have, or there is no rule of some number.
    pub fn decide(
        &mut self,
        rules: impl IntoIterator<Item = usize>,
        constraint: &Constraint,
    ) -> Option<bool> {
        let on: Vec<Lit> = rules.into_iter().map(|rule| self.switches[rule]).collect();
        self.prover.implies(constraint, &on, &self.budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::{Sums, Var};
    use proptest::prelude::*;

    const VARIABLES: u32 = 6;

    fn constraint() -> impl Strategy<Value = Constraint> {
        let literals = prop::collection::btree_map(0..VARIABLES, any::<bool>(), 1..6);
        let sums = prop::collection::btree_set(0u32..6, 0..6);
        (literals, sums, prop::option::of((0..VARIABLES, any::<bool>()))).prop_map(
            |(literals, sums, gate)| {
                let of = |(var, negated)| Lit::new(Var(var), negated);
                let constraint = Constraint::new(literals.into_iter().map(of), Sums::set(sums));
                gate.map_or(constraint.clone(), |gate| constraint.gated(of(gate)))
            },
        )
    }

    proptest! {
        /// The plain twin goes through all assignments.
        #[test]
        fn agrees_with_enumeration(rules in prop::collection::vec(constraint(), 1..6), asked in constraint()) {
            let mut entailment = Entailment::new(VARIABLES as usize, 10_000);
            rules.iter().for_each(|rule| {
                entailment.add(rule);
            });
            let plain = |rules: &[Constraint]| {
                (0..1u32 << VARIABLES).all(|bits| {
                    let value = |v: Var| bits >> v.0 & 1 == 1;
                    !rules.iter().all(|r| r.holds(value)) || asked.holds(value)
                })
            };
            prop_assert_eq!(entailment.implies(0..rules.len(), &asked), plain(&rules));
            prop_assert_eq!(entailment.implies(1..rules.len(), &asked), plain(&rules[1..]));
            prop_assert_eq!(entailment.implies(0..rules.len(), &asked), plain(&rules));
        }
    }
}
