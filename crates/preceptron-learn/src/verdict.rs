//! Is this enough data?

use preceptron_logic::{RuleSet, Var};

use crate::{Checked, DropReason, Dropped, Examples, Verdict};

/// Sums up what the data are worth.
pub(crate) fn verdict(
    rules: &RuleSet,
    examples: &Examples,
    rank: Option<usize>,
    dropped: &[Dropped],
    limits: Vec<String>,
    settings: &Checked,
) -> Verdict {
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
        equality_rank: rules.equality_rank(),
        gained_late: None,
        lost_late: None,
        ambiguous,
        constant,
        nearly,
        limits,
    }
}
