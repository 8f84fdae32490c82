//! Proofs that rules imply a constraint, the cheapest first: from one rule over the same variables, from
//! equations by adding and subtracting them, and at last by a solver.

use std::collections::HashMap;

use preceptron_logic::{Constraint, Lit, RuleSet, Var};

use crate::equations::Equations;
use crate::prover::{Proof, Prover};
use crate::sat::Budget;

/// Rules by the variables that they count.
struct ByVariables<'a>(HashMap<Vec<Var>, Vec<(usize, &'a Constraint)>>);

fn variables_of(constraint: &Constraint) -> Vec<Var> {
    let mut variables: Vec<Var> = constraint.literals().iter().map(|literal| literal.var()).collect();
    variables.sort_unstable();
    variables
}

impl<'a> ByVariables<'a> {
    fn of(rules: &'a RuleSet) -> ByVariables<'a> {
        let mut all: HashMap<_, Vec<_>> = HashMap::new();
        for (place, rule) in rules.constraints().enumerate() {
            all.entry(variables_of(rule)).or_default().push((place, rule));
        }
        ByVariables(all)
    }

    /// Whether one of these rules, over the same variables, implies the constraint by itself.
    fn imply(&self, constraint: &Constraint, mut is_there: impl FnMut(usize) -> bool) -> bool {
        let same = self.0.get(&variables_of(constraint)).map_or(&[][..], Vec::as_slice);
        constraint.is_trivial()
            || same.iter().any(|(place, rule)| is_there(*place) && rule.implies(constraint))
    }
}

/// What is known of rules that all hold.
pub struct Proofs<'a> {
    rules: &'a RuleSet,
    same: ByVariables<'a>,
    equations: Option<Equations>,
    prover: Option<Prover>,
}

impl<'a> Proofs<'a> {
    /// Nothing is known yet.
    pub fn of(rules: &'a RuleSet) -> Proofs<'a> {
        Proofs { rules, same: ByVariables::of(rules), equations: None, prover: None }
    }

    /// Whether the rules imply the constraint. If they do, it is mostly known without a budget.
    pub fn ask(&mut self, constraint: &Constraint, budget: &Budget) -> Proof {
        let rules = self.rules;
        if rules.contains(constraint) || self.same.imply(constraint, |_| true) {
            return Proof::Implied;
        }
        let variables = rules.variables().len();
        if budget.is_over() {
            return Proof::Open;
        }
        let equations = self.equations.get_or_insert_with(|| Equations::of(variables, rules.constraints()));
        if equations.imply_other(constraint) {
            return Proof::Implied;
        }
        self.prover.get_or_insert_with(|| Prover::with_rules(rules)).ask(constraint, &[], budget)
    }
}

/// Rules that are dropped one by one, from the last to the first.
pub struct Droppable<'a> {
    rules: Vec<&'a Constraint>,
    is_left: Vec<bool>,
    same: ByVariables<'a>,
    equations: Equations,
    prover: Prover,
    switches: Vec<Lit>,
}

impl<'a> Droppable<'a> {
    /// All of them.
    pub fn of(rules: &'a RuleSet) -> Droppable<'a> {
        let variables = rules.variables().len();
        let mut prover = Prover::over(variables);
        Droppable {
            switches: rules.constraints().map(|rule| prover.add_switched(rule)).collect(),
            rules: rules.constraints().collect(),
            is_left: vec![true; rules.len()],
            same: ByVariables::of(rules),
            equations: Equations::of(variables, rules.constraints()),
            prover,
        }
    }

    /// Drops the rule at a place if the others that are left imply it. The rules behind it must have been
    /// tried before.
    pub fn try_to_drop(&mut self, place: usize, budget: &Budget) -> Proof {
        let rule = self.rules[place];
        let proof = if self.same.imply(rule, |other| other != place && self.is_left[other])
            || self.equations.imply(place, rule)
        {
            Proof::Implied
        } else {
            self.violated(place, budget)
        };
        let switch = self.switches[place];
        match proof {
            Proof::Open => (),
            Proof::Violated(_) => self.prover.fix(switch),
            Proof::Implied => {
                self.is_left[place] = false;
                self.equations.remove(place);
            }
        }
        proof
    }

    /// Looks for an assignment that obeys the rules that are left but for this one, which it violates.
    fn violated(&mut self, place: usize, budget: &Budget) -> Proof {
        let rule = self.rules[place];
        let left = (0..place).filter(|&other| self.is_left[other]).map(|other| self.switches[other]);
        let left: Vec<Lit> = left.collect();
        let sums = match rule.sums().single().filter(|_| rule.is_equality()) {
            // What follows from equations that are left follows whether this rule holds or not.
            None => {
                let gone = self.equations.moved(place, 0).unwrap_or_default();
                let assumed: Vec<Lit> = left
                    .into_iter()
                    .chain(gone.into_iter().filter(|(_, by)| *by == 0).map(|(gone, _)| self.switches[gone]))
                    .collect();
                return self.prover.ask(rule, &assumed, budget);
            }
            Some(sum) => i128::from(sum),
        };
        // By how much the sum may be another, the least first.
        let mut changes: Vec<i128> = (0..=rule.len() as i128).map(|sum| sum - sums).collect();
        changes.sort_unstable_by_key(|change| change.abs());
        for change in changes.into_iter().filter(|change| *change != 0) {
            let Some(moved) = self.equations.moved(place, change) else { continue };
            let mut assumed = left.clone();
            assumed.extend(moved.iter().filter(|(_, by)| *by == 0).map(|(gone, _)| self.switches[*gone]));
            let others = moved.iter().copied().filter(|(_, by)| *by != 0);
            let asked: Option<Vec<Constraint>> =
                others.chain([(place, change)]).map(|(rule, by)| shifted(self.rules[rule], by)).collect();
            // A sum that no assignment has.
            let Some(asked) = asked else { continue };
            match self.prover.find(&asked, &assumed, budget) {
                Proof::Implied => (),
                found => return found,
            }
        }
        Proof::Implied
    }
}

/// An equation with another sum; nothing if its literals cannot have it.
fn shifted(rule: &Constraint, by: i128) -> Option<Constraint> {
    let sum = u32::try_from(i128::from(rule.sums().single()?) + by).ok()?;
    (sum as usize <= rule.len()).then(|| Constraint::exactly(sum, rule.literals().iter().copied()))
}
