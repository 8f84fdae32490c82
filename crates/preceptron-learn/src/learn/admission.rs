//! What becomes a rule, and what is dropped and why.
//!
//! Whatever proposed it, a constraint becomes a rule at one place ([`Search::admit`]), and only if enough of the
//! examples that decide it satisfy it.

use preceptron_logic::{Constraint, Lit, Origin, Rule};
use rayon::prelude::*;

use super::Search;
use crate::linear_span::Span;
use crate::{DropReason, Dropped, confirm, reduce, sum_histogram};

impl Search<'_> {
    /// The rule for a constraint, if enough of the examples that decide it satisfy it; else it is dropped.
    /// Nothing becomes a rule but here.
    pub(super) fn admit(&mut self, constraint: Constraint, by: &'static str) -> Option<Rule> {
        let known = self.rules.get(&constraint).cloned();
        let judged = match known.filter(|rule| rule.evidence.support() >= self.settings.threshold) {
            Some(rule) => Ok(rule),
            None => confirm::admit(constraint, by, self.examples, self.settings.threshold),
        };
        let judged = judged.and_then(|rule| match self.settings.wrong {
            Some(share)
                if by != "encoding" && !self.entries.explain(&rule.constraint, self.examples, share) =>
            {
                let first = sum_histogram::evidence(self.examples, &rule.constraint).1.unwrap_or(0);
                let reason = DropReason::Violated { support: rule.evidence.support(), first };
                Err((rule.constraint, reason))
            }
            _ => Ok(rule),
        });
        judged.map_err(|(constraint, reason)| self.dropped.push(Dropped { constraint, by, reason })).ok()
    }

    /// Whether a constraint can be a rule, which is then kept with this origin; else it is dropped.
    pub(super) fn stands(&mut self, constraint: &Constraint, by: &'static str, origin: Origin) -> bool {
        let rule = self.admit(constraint.clone(), by);
        let stands = rule.is_some();
        self.rules.extend(rule.map(|rule| (constraint.clone(), Rule { origin, ..rule })));
        stands
    }

    /// Joins bounds on the same literals, and leaves out what one other implies.
    pub(super) fn joined(&self, bounds: Vec<Constraint>) -> Vec<Constraint> {
        let threshold = self.settings.threshold;
        reduce::bounds(bounds, |both| confirm::violation(both, self.examples, threshold).is_none())
    }

    /// Looks at groups of literals that were not looked at before, and keeps those whose sum is constant.
    /// How many new equalities there were.
    pub(super) fn confirm_equalities(&mut self, groups: Vec<Vec<Lit>>, by: &'static str) -> usize {
        let new: Vec<Vec<Lit>> = groups.into_iter().filter(|g| self.seen.insert(g.clone())).collect();
        self.count(by, new.len());
        let (examples, settings) = (self.examples, self.settings);
        let judged: Vec<Result<Rule, (Constraint, DropReason)>> =
            new.into_par_iter().map(|group| confirm::equality_rule(group, by, examples, settings)).collect();
        let before = self.equalities.len();
        for result in judged {
            let judged = result.and_then(|rule| match self.says_little(&rule.constraint) {
                Some(reason) => Err((rule.constraint, reason)),
                None => Ok(rule),
            });
            match judged {
                Ok(rule) => {
                    if self.equalities.insert(rule.constraint.clone()) {
                        self.rules.entry(rule.constraint.clone()).or_insert(rule);
                    }
                }
                Err((constraint, reason)) => self.dropped.push(Dropped { constraint, by, reason }),
            }
        }
        self.equalities.len() - before
    }

    /// Why a rule may hold by chance, given what the encoding makes true of all examples. Of a bound, which was held
    /// against chance as it grew, only that it says more than the encoding is asked.
    pub(super) fn says_little(&self, rule: &Constraint) -> Option<DropReason> {
        let is_complete = rule.variables().all(|v| self.examples.is_complete_at(v));
        if !is_complete || !self.groups.overlap(rule) {
            return None;
        }
        let (variables, negated) = (self.examples.variables(), rule.negated_count() > 0);
        let literals = if rule.is_equality() { rule.len() } else { 1 };
        let needed = confirm::needed(variables, literals, negated, self.settings.false_alarm);
        let expected = self.groups.expected_violations(rule, self.examples);
        (expected < needed).then_some(DropReason::Chance { expected, needed })
    }

    pub(super) fn count(&mut self, by: &'static str, number: usize) {
        match self.report.candidates.iter_mut().find(|(known, _)| *known == by) {
            Some((_, count)) => *count += number as u64,
            None => self.report.candidates.push((by, number as u64)),
        }
    }

    pub(super) fn drop_implied(&mut self, constraints: Vec<Constraint>, by: &'static str) {
        let reason = DropReason::Implied;
        self.dropped.extend(constraints.into_iter().map(|constraint| Dropped {
            constraint,
            by,
            reason: reason.clone(),
        }));
    }

    /// What the given rules do not imply.
    pub(super) fn beyond_given(&mut self, constraints: Vec<Constraint>, by: &'static str) -> Vec<Constraint> {
        let (new, implied) = self.given.split(constraints);
        self.drop_implied(implied, by);
        new
    }

    /// Whether there are enough examples to confirm any equality at all: even if every one of them could
    /// be expected to break a rule of two literals.
    pub(super) fn could_confirm(&self) -> bool {
        let needed = confirm::needed(self.examples.variables(), 2, false, self.settings.false_alarm);
        self.examples.len() as f64 >= needed
    }

    /// Equalities in terms of the columns that stand for others, except those of the encoding, of whole families and
    /// of the twins themselves.
    pub(super) fn said_by_first(&mut self, all: Vec<Constraint>) -> Vec<Constraint> {
        if self.twins.is_empty() {
            return all;
        }
        let is_kept = |origin: &Origin| match origin {
            Origin::Learned { by } => by == "families" || by == "equal columns",
            _ => true,
        };
        let origin = |rule: &Constraint| self.rules.get(rule).map(|rule| rule.origin.clone());
        let (mut said, others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|rule| origin(rule).as_ref().is_some_and(is_kept));
        let mut span = Span::default();
        said.iter().for_each(|rule| {
            span.add(rule);
        });
        for rule in others {
            let first = self.twins.said_by_first(&rule).filter(|first| !span.contains(first));
            if first.as_ref() != Some(&rule) {
                self.drop_implied(vec![rule], "equal columns");
            }
            said.extend(first);
        }
        said
    }
}
