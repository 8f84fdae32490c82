//! Families are listed whole: where the other rules imply the members that a family lacks, these are rules too.
//!
//! A minimal basis would leave them out, and a reader would be told of exceptions that are none: "at most one exam of a
//! course on a day, but not on the last day", where the last day has one slot. Members that nothing implies stay out,
//! as examples speak neither for nor against them.

use preceptron_logic::{Constraint, Domain, RelativeRule, Rule, RuleSet, lift};
use preceptron_reason::Entailment;

use super::Search;
use crate::implied_by_propagation::Theory;

/// Members that are looked at, at the most, and conflicts in the proof that one is implied.
const MEMBERS: usize = 400;
const CONFLICTS: u64 = 1_000;
/// Sets of more rules than this are listed as they are.
const RULES: usize = 5_000;

impl Search<'_> {
    /// Adds what makes families whole.
    pub(super) fn whole_families(&mut self, set: &mut RuleSet) {
        if set.variables().blocks().is_empty() || set.len() > RULES || self.control.is_cancelled() {
            return;
        }
        let domain = Domain::of(set.variables());
        let mut left = MEMBERS;
        let mut added: Vec<Rule> = Vec::new();
        let mut entailment: Option<Entailment> = None;
        let mut theory: Option<Theory> = None;
        for family in lift(set).into_iter().filter(|f| f.members.len() > 1 && !f.rule.exceptions.is_empty()) {
            let whole = RelativeRule { exceptions: vec![], ..family.rule.clone() };
            let lacking: Vec<Constraint> =
                whole.ground(&domain).into_iter().filter(|c| !c.is_trivial() && !set.contains(c)).collect();
            if lacking.len() > left || self.control.is_cancelled() {
                continue;
            }
            left -= lacking.len();
            let count = set.variables().len();
            let implied = lacking.iter().all(|constraint| {
                let theory = theory.get_or_insert_with(|| {
                    let mut theory = Theory::new(count);
                    set.constraints().for_each(|rule| theory.add(rule));
                    theory
                });
                let is_refuted = constraint.as_clause().is_some_and(|clause| {
                    let opposite: Vec<_> = clause.iter().map(|&literal| !literal).collect();
                    theory.refutes(&opposite)
                });
                is_refuted || {
                    let entailment = entailment.get_or_insert_with(|| {
                        let mut entailment = Entailment::new(count, CONFLICTS);
                        set.constraints().for_each(|rule| {
                            entailment.add(rule);
                        });
                        entailment
                    });
                    entailment.implies(0..set.len(), constraint)
                }
            });
            if !implied {
                continue;
            }
            let origin = set.rules()[family.members[0]].origin.clone();
            let rules: Option<Vec<Rule>> =
                lacking.into_iter().map(|constraint| self.admit(constraint, "families")).collect();
            added.extend(rules.into_iter().flatten().map(|rule| Rule { origin: origin.clone(), ..rule }));
        }
        for rule in added {
            set.insert(rule);
        }
    }
}
