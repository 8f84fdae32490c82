//! Is this enough data?
//!
//! What can be said for sure, and in no dependence on the order of the examples: which combinations of values
//! that the rules allow occur ([`crate::coverage`]); what a missing rule could exclude, and what to ask a person
//! ([`crate::question`]); and how often rules are broken at the most. Of N rows that a rule holds in, a share p
//! breaks it with probability 5% or more only if
//! ```text
//! p <= 3/N                for one rule
//! p <= (ln R + 3)/N       for all R rules at once
//! ```

use preceptron_base::Control;
use preceptron_logic::{Origin, RuleSet, Var};

use crate::coverage::Coverage;
use crate::question::question;

use crate::{Checked, DropReason, Dropped, Examples, Verdict};

/// Completeness is stated for so many columns at the least.
const STATED: usize = 3;

/// Sums up what the data are worth.
pub(crate) fn verdict(
    rules: &RuleSet,
    examples: &Examples,
    rank: Option<usize>,
    dropped: &[Dropped],
    limits: Vec<String>,
    settings: &Checked,
    control: &dyn Control,
) -> Verdict {
    let coverage = Coverage::of(rules, examples, control);
    let asked = question(rules, examples, &coverage, settings.seed);
    let complete_up_to = coverage.complete_up_to();
    // More than three columns are stated where they can be looked at.
    let stated_size = coverage.columns.min(coverage.sizes.len().max(STATED));
    let learned = rules.rules().iter().filter(|rule| matches!(rule.origin, Origin::Learned { .. })).count();
    let rows = examples.len().max(1) as f64;
    let constant = (0..examples.variables() as u32)
        .filter(|&v| {
            let seen = |literal| (0..examples.words()).any(|word| examples.true_word(literal, word) != 0);
            !(seen(Var(v).positive()) && seen(Var(v).negative()))
        })
        .count();
    // A rule over few literals cannot rest on more situations than it allows.
    let possible = |len: usize| if len == 1 { u64::MAX } else { 1u64 << len.min(63) };
    let ambiguous = rules
        .rules()
        .iter()
        .enumerate()
        .filter(|(_, r)| {
            let allowed = match r.constraint.len() {
                2 => (0..4u32).filter(|b| r.constraint.sums().contains(b.count_ones())).count() as u64,
                len => possible(len),
            };
            r.evidence.situations < settings.situations.min(allowed)
        })
        .map(|(number, _)| number)
        .collect();
    let nearly = dropped
        .iter()
        // Partly observed examples hardly ever break a group, so there this says nothing.
        .filter(|_| examples.is_complete())
        .filter(|d| matches!(d.reason, DropReason::Violated { support, .. } if support >= 0.9))
        .count();
    Verdict {
        examples: examples.len(),
        variables: examples.variables(),
        rank,
        enough: stated_size > 0 && complete_up_to >= stated_size && settings.threshold == 1.0,
        stated_size,
        complete_up_to,
        combinations: coverage.sizes.iter().map(|size| (size.seen, size.missed)).collect(),
        excluded: asked.excluded,
        rule_bound: (3.0 / rows).min(1.0),
        rules_bound: (((learned.max(1) as f64).ln() + 3.0) / rows).min(1.0),
        near_misses: asked.near,
        question: asked.assignment,
        equality_rank: rules.equality_rank(),
        gained_late: None,
        lost_late: None,
        ambiguous,
        constant,
        nearly,
        limits,
    }
}
