//! What a set of rules implies by propagation (unit propagation, for rules that are clauses).
//!
//! Each rule bounds the number of its true literals. Assuming some literals, a rule that has reached its
//! greatest sum makes its other literals false, and one that can only just reach its least sum makes them
//! true; a rule that can reach no allowed sum is a contradiction. Literals that lead to one cannot all be
//! true, and a rule that says so need not be listed.

use std::collections::HashSet;

use preceptron_logic::{Constraint, Lit};

/// Rules that can be propagated through.
#[derive(Default)]
pub(crate) struct Theory {
    rules: Vec<Watched>,
    /// For each literal code, the rules that count the literal.
    occurs: Vec<Vec<u32>>,
    /// For each literal code, the rules that it gates.
    gates: Vec<Vec<u32>>,
    /// Literals that single rules make true by themselves.
    units: Vec<Lit>,
    // Of the propagation under way:
    value: Vec<i8>,
    trail: Vec<Lit>,
    true_count: Vec<u32>,
    false_count: Vec<u32>,
    touched: Vec<u32>,
}

struct Watched {
    literals: Vec<Lit>,
    least: u32,
    greatest: u32,
    gate: Option<Lit>,
}

impl Theory {
    pub(crate) fn new(variables: usize) -> Theory {
        Theory {
            occurs: vec![vec![]; 2 * variables],
            gates: vec![vec![]; 2 * variables],
            value: vec![0; variables],
            ..Theory::default()
        }
    }

    /// Adds a rule. Of a set of sums only its least and greatest are used.
    pub(crate) fn add(&mut self, constraint: &Constraint) {
        let (Some(least), Some(greatest)) = (constraint.sums().least(), constraint.sums().greatest()) else {
            return;
        };
        let number = self.rules.len() as u32;
        for literal in constraint.literals() {
            self.occurs[literal.code()].push(number);
        }
        match constraint.gate() {
            Some(gate) => self.gates[gate.code()].push(number),
            None if greatest == 0 => self.units.extend(constraint.literals().iter().map(|&l| !l)),
            None if least as usize == constraint.len() => self.units.extend(constraint.literals()),
            None => {}
        }
        self.rules.push(Watched {
            literals: constraint.literals().to_vec(),
            least,
            greatest,
            gate: constraint.gate(),
        });
        self.true_count.push(0);
        self.false_count.push(0);
    }

    /// Whether assuming all these literals propagates to a contradiction.
    pub(crate) fn refutes(&mut self, assumptions: &[Lit]) -> bool {
        let contradiction = self.propagate(assumptions);
        self.forget();
        contradiction
    }

    /// The literals that assuming this one makes false.
    pub(crate) fn excluded_by(&mut self, literal: Lit) -> HashSet<Lit> {
        self.propagate(&[literal]);
        let excluded = self.trail.iter().map(|&made_true| !made_true).collect();
        self.forget();
        excluded
    }

    fn propagate(&mut self, assumptions: &[Lit]) -> bool {
        let mut contradiction = (0..self.units.len()).any(|at| !self.assign(self.units[at]))
            || assumptions.iter().any(|&literal| !self.assign(literal));
        let mut head = 0;
        while !contradiction && head < self.trail.len() {
            let literal = self.trail[head];
            head += 1;
            contradiction = !self.visit(literal);
        }
        contradiction
    }

    fn forget(&mut self) {
        for literal in self.trail.drain(..) {
            self.value[literal.var().index()] = 0;
        }
        for rule in self.touched.drain(..) {
            self.true_count[rule as usize] = 0;
            self.false_count[rule as usize] = 0;
        }
    }

    fn truth(&self, literal: Lit) -> i8 {
        let value = self.value[literal.var().index()];
        if literal.is_negated() { -value } else { value }
    }

    /// False if the literal is already false.
    fn assign(&mut self, literal: Lit) -> bool {
        match self.truth(literal) {
            0 => {
                self.value[literal.var().index()] = if literal.is_negated() { -1 } else { 1 };
                self.trail.push(literal);
                true
            }
            truth => truth > 0,
        }
    }

    /// Propagates one literal that became true; false on a contradiction.
    fn visit(&mut self, literal: Lit) -> bool {
        for at in 0..self.occurs[literal.code()].len() {
            let rule = self.occurs[literal.code()][at];
            self.touched.push(rule);
            self.true_count[rule as usize] += 1;
            if !self.examine(rule as usize) {
                return false;
            }
        }
        for at in 0..self.occurs[(!literal).code()].len() {
            let rule = self.occurs[(!literal).code()][at];
            self.touched.push(rule);
            self.false_count[rule as usize] += 1;
            if !self.examine(rule as usize) {
                return false;
            }
        }
        for at in 0..self.gates[literal.code()].len() {
            let rule = self.gates[literal.code()][at];
            if !self.examine(rule as usize) {
                return false;
            }
        }
        true
    }

    fn examine(&mut self, number: usize) -> bool {
        let rule = &self.rules[number];
        let count = rule.literals.len() as u32;
        let (sure, possible) = (self.true_count[number], count - self.false_count[number]);
        let open = match rule.gate {
            Some(gate) => self.truth(gate) <= 0,
            None => false,
        };
        if sure > rule.greatest || possible < rule.least {
            // The rule cannot hold: its gate must be false.
            return match rule.gate {
                Some(gate) if open => self.assign(!gate),
                _ => false,
            };
        }
        if open || sure + (count - possible) == count {
            return true;
        }
        let forced = match (sure == rule.greatest, possible == rule.least) {
            (true, _) => true,
            (_, true) => false,
            _ => return true,
        };
        for at in 0..count as usize {
            let literal = self.rules[number].literals[at];
            if self.truth(literal) == 0 {
                self.assign(if forced { !literal } else { literal });
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::Var;
    use proptest::prelude::*;

    fn constraints() -> impl Strategy<Value = Vec<Constraint>> {
        let one = (prop::collection::btree_map(0u32..6, any::<bool>(), 1..5), 0u32..4, 0u32..3).prop_map(
            |(literals, min, width)| {
                let literals = literals.into_iter().map(|(v, n)| Lit::new(Var(v), n));
                Constraint::new(literals, preceptron_logic::Sums::range(min, min + width))
            },
        );
        prop::collection::vec(one, 1..5)
    }

    proptest! {
        #[test]
        fn refutations_are_sound(
            rules in constraints(),
            gate in any::<Option<bool>>(),
            assumed in prop::collection::btree_map(0u32..6, any::<bool>(), 1..4),
        ) {
            let mut theory = Theory::new(6);
            let gated: Vec<Constraint> = rules.iter().enumerate().map(|(i, c)| match gate {
                Some(negated) if i == 0 => c.clone().gated(Lit::new(Var(5), negated)),
                _ => c.clone(),
            }).collect();
            gated.iter().for_each(|c| theory.add(c));
            let assumed: Vec<Lit> = assumed.into_iter().map(|(v, n)| Lit::new(Var(v), n)).collect();
            // Twice, since a propagation must leave no trace.
            for _ in 0..2 {
                if theory.refutes(&assumed) {
                    for bits in 0..64u32 {
                        let value = |v: Var| bits >> v.0 & 1 == 1;
                        let consistent = assumed.iter().all(|l| l.holds(value(l.var())));
                        let allowed = gated.iter().all(|c| c.is_contradiction() || c.holds(value));
                        prop_assert!(!(consistent && allowed));
                    }
                }
            }
        }
    }

    #[test]
    fn a_pair_inside_exactly_one_is_refuted() {
        let mut theory = Theory::new(4);
        theory.add(&Constraint::exactly(1, [0, 1, 2].map(|v| Var(v).positive())));
        theory.add(&Constraint::at_least(1, [Var(2).negative(), Var(3).positive()]));
        assert!(theory.refutes(&[Var(0).positive(), Var(2).positive()]));
        assert!(!theory.refutes(&[Var(0).negative(), Var(2).negative()]));
        assert!(theory.refutes(&[Var(0).negative(), Var(1).negative(), Var(3).negative()]));
    }
}
