//! The rules that a chain keeps, by the variables that they touch.

use preceptron_logic::{Constraint, Lit};

use super::state::State;

/// Rules over the variables of a state.
#[derive(Clone)]
pub(super) struct Ground {
    rules: Vec<Constraint>,
    /// For each variable, the rules with it.
    occurs: Vec<Vec<u32>>,
    has_bounds: bool,
}

impl Ground {
    pub(super) fn new(variables: usize) -> Ground {
        Ground { rules: vec![], occurs: vec![vec![]; variables], has_bounds: false }
    }

    pub(super) fn add(&mut self, rule: &Constraint) {
        let number = self.rules.len() as u32;
        rule.variables().for_each(|v| self.occurs[v.index()].push(number));
        self.has_bounds |= !rule.is_equality();
        self.rules.push(rule.clone());
    }

    /// How many rules there are.
    pub(super) fn len(&self) -> usize {
        self.rules.len()
    }

    /// The numbers of the rules with a variable.
    pub(super) fn of(&self, variable: usize) -> &[u32] {
        &self.occurs[variable]
    }

    /// Whether some rule is not an equality.
    pub(super) fn has_bounds(&self) -> bool {
        self.has_bounds
    }

    pub(super) fn is_equality(&self, rule: u32) -> bool {
        self.rules[rule as usize].is_equality()
    }

    /// Whether an example obeys a rule.
    pub(super) fn holds(&self, rule: u32, state: &State, example: usize) -> bool {
        let rule = &self.rules[rule as usize];
        let is_true = |literal: &Lit| literal.holds(state.get(literal.var().index(), example));
        if rule.gate().is_some_and(|gate| !is_true(&gate)) {
            return true;
        }
        rule.sums().contains(rule.literals().iter().filter(|literal| is_true(literal)).count() as u32)
    }

    /// How far the sum of an example is from those that a rule allows; nothing if it obeys the rule.
    pub(super) fn excess(&self, rule: u32, state: &State, example: usize) -> u32 {
        if self.holds(rule, state, example) {
            return 0;
        }
        let rule = &self.rules[rule as usize];
        let is_true = |literal: &&Lit| literal.holds(state.get(literal.var().index(), example));
        let sum = rule.literals().iter().filter(is_true).count() as u32;
        rule.sums().iter().map(|allowed| allowed.abs_diff(sum)).min().unwrap_or(0)
    }

    /// Whether an example obeys all rules.
    pub(super) fn all_hold(&self, state: &State, example: usize) -> bool {
        (0..self.rules.len() as u32).all(|rule| self.holds(rule, state, example))
    }
}
