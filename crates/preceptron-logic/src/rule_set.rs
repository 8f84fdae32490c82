//! Rules over named variables, and what can be said of a set of them.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::relative::Normal;
use crate::{Constraint, Domain, RelativeRule, Rule, RuleId, Variables, rank};

/// A set of rules over named variables, in a stable order, without duplicates or trivial ones; beside them
/// relative rules, which are not yet put on any variables.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleSet {
    variables: Variables,
    rules: Vec<Rule>,
    seen: HashSet<Constraint>,
    relative: Vec<RelativeRule>,
    said: HashSet<Normal>,
    /// Facts about the set's making (source, seed, settings), kept in files.
    pub notes: BTreeMap<String, String>,
}

impl RuleSet {
    /// An empty set over these variables.
    pub fn new(variables: Variables) -> RuleSet {
        RuleSet { variables, ..RuleSet::default() }
    }

    /// A set of rules over these variables; duplicates and trivial rules are left out.
    pub fn with_rules(variables: Variables, rules: impl IntoIterator<Item = Rule>) -> RuleSet {
        let mut set = RuleSet::new(variables);
        for rule in rules {
            set.insert(rule);
        }
        set
    }

    /// Adds a rule. False, and nothing changes, if it is trivial or already there.
    ///
    /// # Panics
    /// If the rule names a variable that the set does not have.
    pub fn insert(&mut self, rule: Rule) -> bool {
        let known = self.variables.len();
        assert!(
            rule.constraint.variables().all(|v| v.index() < known),
            "a rule over variables of another set"
        );
        if rule.constraint.is_trivial() || !self.seen.insert(rule.constraint.clone()) {
            return false;
        }
        self.rules.push(rule);
        true
    }

    /// A set of relative rules, on no variables; rules that say the same as others are left out.
    pub fn of_relative(rules: impl IntoIterator<Item = RelativeRule>) -> RuleSet {
        let mut set = RuleSet::default();
        for rule in rules {
            set.insert_relative(rule);
        }
        set
    }

    /// Adds a relative rule. False, and nothing changes, if one that says the same is there.
    pub fn insert_relative(&mut self, rule: RelativeRule) -> bool {
        let is_new = self.said.insert(rule.normal());
        if is_new {
            self.relative.push(rule);
        }
        is_new
    }

    /// The relative rules, in the order in which they came. Nothing but [`RuleSet::grounded`] and files
    /// looks at them.
    pub fn relative(&self) -> &[RelativeRule] {
        &self.relative
    }

    /// Whether a relative rule that says the same is in the set.
    pub fn contains_relative(&self, rule: &RelativeRule) -> bool {
        self.said.contains(&rule.normal())
    }

    /// All rules over these variables: those over variables of the same names, and the relative ones
    /// wherever they apply.
    ///
    /// # Errors
    /// If a rule names a variable that is not among these.
    pub fn grounded(&self, variables: &Variables) -> Result<RuleSet, UnknownName> {
        let mut set = self.over(variables)?;
        let domain = Domain::of(variables);
        set.said.clear();
        for rule in std::mem::take(&mut set.relative) {
            for constraint in rule.ground(&domain) {
                set.insert(Rule { constraint, evidence: rule.evidence, origin: rule.origin.clone() });
            }
        }
        Ok(set)
    }

    /// Keeps the rules for which `keep` says so.
    pub fn retain(&mut self, keep: impl FnMut(&Rule) -> bool) {
        self.rules.retain(keep);
        self.seen = self.rules.iter().map(|r| r.constraint.clone()).collect();
    }

    /// The variables.
    pub fn variables(&self) -> &Variables {
        &self.variables
    }

    /// The variables, to add derived or one-hot axes to.
    pub fn variables_mut(&mut self) -> &mut Variables {
        &mut self.variables
    }

    /// The rules, in the order in which they came.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The constraints of the rules.
    pub fn constraints(&self) -> impl Iterator<Item = &Constraint> {
        self.rules.iter().map(|r| &r.constraint)
    }

    /// Whether this very constraint is in the set.
    pub fn contains(&self, constraint: &Constraint) -> bool {
        self.seen.contains(constraint)
    }

    /// How many rules there are.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there is no rule.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rule with this id.
    pub fn find(&self, id: RuleId) -> Option<&Rule> {
        self.rules.iter().find(|r| r.id() == id)
    }

    /// The rules whose id, as text, starts with `prefix`.
    pub fn find_prefix(&self, prefix: &str) -> Vec<&Rule> {
        let prefix = prefix.to_ascii_lowercase();
        self.rules.iter().filter(|r| r.id().to_string().starts_with(&prefix)).collect()
    }

    /// The rank of the rules' rows over the rationals, computed exactly (gates are not part of a row).
    pub fn rank(&self) -> usize {
        rank::rank(self.constraints().map(|c| c.row().0), self.variables.len())
    }

    /// The rank of the equalities alone: how many independent linear equations the rules state.
    pub fn equality_rank(&self) -> usize {
        rank::rank(self.constraints().filter(|c| c.is_equality()).map(|c| c.row().0), self.variables.len())
    }

    /// The same rules over other variables, which must have all the names that occur in the rules.
    pub fn over(&self, variables: &Variables) -> Result<RuleSet, UnknownName> {
        let mut set = RuleSet::new(variables.clone());
        set.notes.clone_from(&self.notes);
        (set.relative, set.said) = (self.relative.clone(), self.said.clone());
        for (number, rule) in self.rules.iter().enumerate() {
            let constraint = rule
                .constraint
                .renamed(&self.variables, variables)
                .map_err(|name| UnknownName { name, number: number + 1 })?;
            set.insert(Rule { constraint, ..rule.clone() });
        }
        Ok(set)
    }

    /// Compares rule by rule with a reference over the same variable names, in any order of either.
    pub fn compare(&self, reference: &RuleSet) -> Comparison {
        let mut only_here = BTreeSet::new();
        let mut renamed = HashSet::new();
        for constraint in reference.constraints() {
            match constraint.renamed(&reference.variables, &self.variables) {
                Ok(constraint) => {
                    renamed.insert(constraint);
                }
                Err(name) => {
                    only_here.insert(name);
                }
            }
        }
        let (equal, extra) = self.rules.iter().cloned().partition(|r| renamed.contains(&r.constraint));
        let missing = reference
            .rules
            .iter()
            .filter(|r| match r.constraint.renamed(&reference.variables, &self.variables) {
                Ok(constraint) => !self.contains(&constraint),
                Err(_) => true,
            })
            .cloned()
            .collect();
        let not_in = |here: &RuleSet, there: &RuleSet| {
            there.relative.iter().filter(|rule| !here.contains_relative(rule)).cloned().collect()
        };
        Comparison {
            equal,
            missing,
            extra,
            missing_relative: not_in(self, reference),
            extra_relative: not_in(reference, self),
            unknown_names: only_here.into_iter().collect(),
        }
    }
}

/// A name in a rule that is not among the variables.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("rule {number} names {name:?}, which is not among the variables")]
pub struct UnknownName {
    /// The name.
    pub name: String,
    /// The rule's number, from 1.
    pub number: usize,
}

/// How a rule set stands to a reference, rule by rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Rules in both (as they are in the set).
    pub equal: Vec<Rule>,
    /// Rules of the reference that the set does not have (over the reference's variables).
    pub missing: Vec<Rule>,
    /// Rules of the set that the reference does not have.
    pub extra: Vec<Rule>,
    /// Relative rules of the reference that no relative rule of the set says.
    pub missing_relative: Vec<RelativeRule>,
    /// Relative rules of the set that no relative rule of the reference says.
    pub extra_relative: Vec<RelativeRule>,
    /// Names in the reference's rules that the set has no variable for.
    pub unknown_names: Vec<String>,
}

impl Comparison {
    /// Whether the two sets have the same rules.
    pub fn is_equal(&self) -> bool {
        self.missing.is_empty()
            && self.extra.is_empty()
            && self.missing_relative.is_empty()
            && self.extra_relative.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sums, Var};

    fn set(order: &[&str], rules: &[(u32, &[&str])]) -> RuleSet {
        let variables = Variables::from_names(order.iter().copied()).unwrap();
        let rule = |(sum, names): &(u32, &[&str])| {
            let literals = names.iter().map(|n| variables.find_literal(n).unwrap());
            Rule::given(Constraint::exactly(*sum, literals))
        };
        let rules: Vec<Rule> = rules.iter().map(rule).collect();
        RuleSet::with_rules(variables, rules)
    }

    #[test]
    fn duplicates_and_trivial_rules_are_left_out() {
        let mut rules = set(&["a", "b"], &[(1, &["a", "b"]), (1, &["b", "a"]), (1, &["not a", "not b"])]);
        assert_eq!(rules.len(), 1);
        let trivial = Constraint::new([Var(0).positive()], Sums::range(0, 1));
        assert!(!rules.insert(Rule::given(trivial)));
        assert!(!rules.insert(rules.rules()[0].clone()));
        rules.retain(|_| false);
        assert!(rules.insert(Rule::given(Constraint::exactly(1, [Var(0).positive(), Var(1).positive()]))));
    }

    #[test]
    fn comparing_goes_by_names() {
        // The mirror image that is canonical differs between the two orders.
        let here = set(&["a", "b", "c"], &[(1, &["a", "b"]), (2, &["a", "b", "not c"]), (1, &["c"])]);
        let there = set(&["c", "b", "a"], &[(2, &["not c", "b", "a"]), (1, &["b", "a"]), (1, &["b", "c"])]);
        let comparison = here.compare(&there);
        assert_eq!(comparison.equal, here.rules()[..2]);
        assert_eq!(comparison.extra, here.rules()[2..]);
        assert_eq!(comparison.missing, there.rules()[2..]);
        assert!(!comparison.is_equal() && comparison.unknown_names.is_empty());
        assert!(here.compare(&here).is_equal());
    }

    #[test]
    fn balanced_rules_are_equal_in_either_order() {
        let here = set(&["a", "b"], &[(1, &["a", "not b"])]);
        let there = set(&["b", "a"], &[(1, &["a", "not b"])]);
        assert!(here.compare(&there).is_equal());
    }

    #[test]
    fn names_that_the_set_lacks_are_reported() {
        let here = set(&["a"], &[]);
        let there = set(&["a", "x", "y"], &[(1, &["a", "x"]), (1, &["y"]), (1, &["y", "x"])]);
        let comparison = here.compare(&there);
        assert_eq!(comparison.missing.len(), 3);
        assert_eq!(comparison.unknown_names, ["x", "y"]);
    }

    #[test]
    fn gates_are_compared_too() {
        let rule = |a: u32, gate: u32| {
            Rule::given(Constraint::exactly(1, [Var(a).positive()]).gated(Var(gate).negative()))
        };
        let here = RuleSet::with_rules(Variables::from_names(["a", "g", "h"]).unwrap(), [rule(0, 1)]);
        let there = RuleSet::with_rules(Variables::from_names(["h", "g", "a"]).unwrap(), [rule(2, 1)]);
        let other = RuleSet::with_rules(Variables::from_names(["h", "g", "a"]).unwrap(), [rule(2, 0)]);
        assert!(here.compare(&there).is_equal());
        assert!(!here.compare(&other).is_equal());
    }

    #[test]
    fn rules_are_found_by_the_start_of_their_id() {
        let rules = set(&["a", "b", "c"], &[(1, &["a", "b"]), (1, &["b", "c"])]);
        let id = rules.rules()[1].id();
        assert_eq!(rules.find(id), Some(&rules.rules()[1]));
        assert_eq!(rules.find_prefix(&id.to_string()[..6].to_uppercase()), [&rules.rules()[1]]);
        assert_eq!(rules.find_prefix("").len(), 2);
    }

    #[test]
    #[should_panic(expected = "variables of another set")]
    fn rules_over_other_variables_are_refused() {
        set(&["a"], &[]).insert(Rule::given(Constraint::exactly(1, [Var(1).positive()])));
    }

    #[test]
    fn rules_move_to_variables_of_the_same_names() {
        let few = set(&["b", "a"], &[(1, &["a", "b"])]);
        let many = Variables::from_names(["a", "x", "b"]).unwrap();
        let moved = few.over(&many).unwrap();
        let expected = Constraint::exactly(1, [Var(0).positive(), Var(2).positive()]);
        assert!(moved.contains(&expected), "{:?}", moved.rules());
        let error = moved.over(&Variables::from_names(["a", "c"]).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "rule 1 names \"b\", which is not among the variables");
    }
}
