//! Rules inside a solver that is asked what they imply.
//!
//! A constraint is implied if nothing obeys the rules and violates it. It is violated by the sums that it
//! does not allow: those below, those above, or, where there are gaps, all others.

use preceptron_logic::{Constraint, Lit, RuleSet, Sums, Var};

use crate::encode::add_constraint;
use crate::sat::{Batsat, Budget, Outcome, Sat};

/// What was found out about a constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The rules imply it.
    Implied,
    /// This assignment obeys the rules and violates it.
    Violated(Vec<bool>),
    /// Neither, before the budget ended.
    Open,
}

/// Rules inside a solver.
pub struct Prover {
    sat: Batsat,
    variables: usize,
}

impl Prover {
    /// No rules yet, over variables `0..variables`.
    pub fn over(variables: usize) -> Prover {
        let mut sat: Batsat = Batsat::default();
        (0..variables).for_each(|_| {
            sat.new_variable();
        });
        Prover { sat, variables }
    }

    /// Rules that all hold.
    pub fn with_rules(rules: &RuleSet) -> Prover {
        let mut prover = Prover::over(rules.variables().len());
        rules.constraints().for_each(|constraint| add_constraint(&mut prover.sat, constraint, &[]));
        prover
    }

    /// Adds a rule that holds while the literal answered is assumed.
    pub fn add_switched(&mut self, rule: &Constraint) -> Lit {
        let known = self.variables;
        assert!(rule.variables().all(|v| v.index() < known), "a rule over the variables");
        let switch = self.sat.new_variable().positive();
        add_constraint(&mut self.sat, rule, &[switch]);
        switch
    }

    /// Makes a literal true for good.
    pub fn fix(&mut self, literal: Lit) {
        self.sat.add_clause(&[literal]);
    }

    /// Whether the rules, with these literals assumed, imply the constraint; nothing if the budget ends.
    pub fn implies(&mut self, constraint: &Constraint, assumptions: &[Lit], budget: &Budget) -> Option<bool> {
        match self.violate(constraint, assumptions, budget, |_| ()).0 {
            Outcome::Sat => Some(false),
            Outcome::Unsat => Some(true),
            Outcome::Unknown => None,
        }
    }

    /// Looks for an assignment that obeys the rules and violates the constraint while the assumptions are
    /// true.
    pub fn ask(&mut self, constraint: &Constraint, assumptions: &[Lit], budget: &Budget) -> Proof {
        match self.violate(constraint, assumptions, budget, Prover::values) {
            (Outcome::Sat, values) => Proof::Violated(values),
            (Outcome::Unsat, _) => Proof::Implied,
            (Outcome::Unknown, _) => Proof::Open,
        }
    }

    /// Looks for an assignment that obeys the rules and these constraints as well.
    pub fn find(&mut self, constraints: &[Constraint], assumptions: &[Lit], budget: &Budget) -> Proof {
        let asked = self.sat.new_variable().positive();
        constraints.iter().for_each(|constraint| add_constraint(&mut self.sat, constraint, &[asked]));
        let assumptions: Vec<Lit> = assumptions.iter().copied().chain([asked]).collect();
        let outcome = self.sat.solve(&assumptions, budget);
        let proof = match outcome {
            Outcome::Sat => Proof::Violated(self.values()),
            Outcome::Unsat => Proof::Implied,
            Outcome::Unknown => Proof::Open,
        };
        self.fix(!asked);
        proof
    }

    /// The values in the model that was found last.
    fn values(&self) -> Vec<bool> {
        (0..self.variables as u32).map(|v| self.sat.holds(Var(v).positive())).collect()
    }

    /// Looks for an assignment that violates the constraint, and looks at what was found.
    fn violate<T>(
        &mut self,
        constraint: &Constraint,
        assumptions: &[Lit],
        budget: &Budget,
        look: impl FnOnce(&Prover) -> T,
    ) -> (Outcome, T) {
        let known = self.variables;
        assert!(constraint.variables().all(|v| v.index() < known), "a constraint over the rules' variables");
        let violated = self.violation(constraint);
        let assumptions: Vec<Lit> = assumptions.iter().copied().chain([violated]).collect();
        let outcome = self.sat.solve(&assumptions, budget);
        let seen = look(self);
        // What was asked binds no later question.
        self.fix(!violated);
        (outcome, seen)
    }

    /// A literal that makes the constraint violated where it is true.
    fn violation(&mut self, constraint: &Constraint) -> Lit {
        let sat = &mut self.sat;
        let violated = sat.new_variable().positive();
        if let Some(gate) = constraint.gate() {
            sat.add_clause(&[!violated, gate]);
        }
        let count = constraint.len() as u32;
        let (Some(least), Some(greatest)) = (constraint.sums().least(), constraint.sums().greatest()) else {
            return violated;
        };
        let with = |sums: Sums| Constraint::new(constraint.literals().iter().copied(), sums);
        if (least..=greatest).any(|sum| !constraint.sums().contains(sum)) {
            let others = (0..=count).filter(|&sum| !constraint.sums().contains(sum));
            add_constraint(sat, &with(Sums::set(others)), &[violated]);
            return violated;
        }
        let below = (least > 0).then(|| Sums::range(0, least - 1));
        let above = (greatest < count).then(|| Sums::range(greatest + 1, count));
        let mut either = vec![!violated];
        for sums in below.into_iter().chain(above) {
            let side = sat.new_variable().positive();
            add_constraint(sat, &with(sums), &[side]);
            either.push(side);
        }
        sat.add_clause(&either);
        violated
    }
}
