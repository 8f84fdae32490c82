//! Rules that are known beforehand: kept as they are, never learned again.

use preceptron_logic::{Constraint, Origin, Rule, RuleSet, Sums};
use preceptron_reason::Entailment;

use crate::{Checked, DropReason, Dropped, Examples, sum_histogram};

/// The solver may have so many conflicts in the proof that given rules imply a learned one.
const CONFLICTS: u64 = 20_000;

/// Rules that are known beforehand.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The rules, over the variables of the examples.
    pub rules: RuleSet,
    /// Whether the examples decide: a rule that too few of them satisfy is then dropped, and else kept
    /// with the evidence against it.
    pub soft: bool,
}

/// The given rules that stand, and what they imply.
pub(crate) struct Frozen {
    pub(crate) rules: Vec<Rule>,
    /// Nothing if there are none, or if they contradict each other and so imply everything.
    entailment: Option<Entailment>,
    pub(crate) is_contradiction: bool,
}

impl Frozen {
    /// Looks at what the examples say of the given rules; those that do not stand go to `dropped`.
    pub(crate) fn new(
        given: &Given,
        examples: &Examples,
        settings: &Checked,
        dropped: &mut Vec<Dropped>,
    ) -> Frozen {
        let mut rules = Vec::new();
        for constraint in given.rules.constraints() {
            let (evidence, first) = sum_histogram::evidence(examples, constraint);
            let constraint = constraint.clone();
            match first {
                Some(first) if given.soft && evidence.support() < settings.threshold => {
                    let reason = DropReason::Violated { support: evidence.support(), first };
                    dropped.push(Dropped { constraint, by: "given", reason });
                }
                _ => rules.push(Rule { constraint, evidence, origin: Origin::Given }),
            }
        }
        let mut frozen = Frozen { rules, entailment: None, is_contradiction: false };
        if !frozen.rules.is_empty() {
            let mut entailment = Entailment::new(examples.variables(), CONFLICTS);
            frozen.rules.iter().for_each(|rule| {
                entailment.add(&rule.constraint);
            });
            frozen.is_contradiction =
                entailment.implies(0..frozen.rules.len(), &Constraint::new([], Sums::EMPTY));
            frozen.entailment = (!frozen.is_contradiction).then_some(entailment);
        }
        frozen
    }

    /// The constraints of the rules.
    pub(crate) fn constraints(&self) -> impl Iterator<Item = &Constraint> {
        self.rules.iter().map(|rule| &rule.constraint)
    }

    /// The constraints that the given rules do not imply, then those that they do.
    pub(crate) fn split(&mut self, all: Vec<Constraint>) -> (Vec<Constraint>, Vec<Constraint>) {
        let Some(entailment) = &mut self.entailment else { return (all, vec![]) };
        let count = self.rules.len();
        all.into_iter().partition(|constraint| !entailment.implies(0..count, constraint))
    }
}
