//! Which candidates become rules.
//!
//! A candidate must hold on the examples (or on the share of them that the threshold asks for), and the
//! examples must have been able to speak against it: if the variables were independent, the number of
//! violations to be expected has to be at least
//! ```text
//! ln(number of candidates of its size / false-alarm probability)
//! ```
//! since a rule that independent variables break with probability p survives N examples with probability
//! (1-p)^N <= exp(-Np).

use preceptron_logic::{Constraint, Lit, Origin, Rule};

use crate::sum_histogram::Speaking;
use crate::{Checked, DropReason, Examples};
use crate::{cliques, sum_histogram};

/// ln of the binomial coefficient.
pub(crate) fn ln_choose(n: usize, k: usize) -> f64 {
    (0..k.min(n - k.min(n))).map(|i| ((n - i) as f64 / (i + 1) as f64).ln()).sum()
}

/// The expected violations that a group of this size needs: as many groups of literals as there are, in
/// nats, and the false-alarm probability.
pub(crate) fn needed(variables: usize, literals: usize, negated: bool, false_alarm: f64) -> f64 {
    let signs = if negated { literals as f64 * std::f64::consts::LN_2 } else { 0.0 };
    ln_choose(variables, literals) + signs + (1.0 / false_alarm).ln()
}

/// Decides over one candidate: the rule with its evidence, or why it is none.
pub(crate) fn confirm(
    constraint: Constraint,
    by: &str,
    examples: &Examples,
    settings: &Checked,
) -> Result<Rule, (Constraint, DropReason)> {
    confirm_at(constraint, by, examples, settings.threshold, settings.false_alarm)
}

/// Decides over one candidate of a finder outside of [`crate::learn`]: the rule with its evidence, or why
/// it is none. `threshold` is the share of deciding examples that must satisfy it, `false_alarm` the
/// probability of confirming any candidate of its size if the variables were independent.
pub fn confirm_at(
    constraint: Constraint,
    by: &str,
    examples: &Examples,
    threshold: f64,
    false_alarm: f64,
) -> Result<Rule, (Constraint, DropReason)> {
    let rule = admit(constraint, by, examples, threshold)?;
    let constraint = &rule.constraint;
    let needed = needed(examples.variables(), constraint.len(), constraint.negated_count() > 0, false_alarm);
    let expected = rule.evidence.expected_violations;
    if expected < needed {
        return Err((rule.constraint, DropReason::Chance { expected, needed }));
    }
    Ok(rule)
}

/// The rule for a constraint, if the share of the deciding examples that satisfy it reaches the threshold.
/// There is no test against chance: the finder has made one.
pub(crate) fn admit(
    constraint: Constraint,
    by: &str,
    examples: &Examples,
    threshold: f64,
) -> Result<Rule, (Constraint, DropReason)> {
    if let Some(reason) = violation(&constraint, examples, threshold) {
        return Err((constraint, reason));
    }
    let (evidence, _) = sum_histogram::evidence(examples, &constraint);
    Ok(Rule { constraint, evidence, origin: Origin::Learned { by: by.to_owned() } })
}

/// Why a constraint cannot be a rule: too few of the examples that decide it satisfy it. Every example of
/// which enough is observed counts, however much of it is not.
pub(crate) fn violation(constraint: &Constraint, examples: &Examples, threshold: f64) -> Option<DropReason> {
    let speaking = Speaking::of(examples, constraint);
    let support = speaking.support();
    let first = speaking.first.filter(|_| support < threshold)?;
    Some(DropReason::Violated { support, first })
}

/// The equality that a group of literals satisfies: its sum is the one that most examples show or, where
/// too few observe the whole group, the one that the means add up to.
pub(crate) fn equality_rule(
    literals: Vec<Lit>,
    by: &str,
    examples: &Examples,
    settings: &Checked,
) -> Result<Rule, (Constraint, DropReason)> {
    let sum = if examples.is_complete() {
        let histogram = sum_histogram::histogram(examples, &literals);
        (0..histogram.len()).max_by_key(|&s| (histogram[s], histogram.len() - s)).unwrap_or(0) as u32
    } else {
        sum_histogram::means(examples, &literals).iter().sum::<f64>().round() as u32
    };
    let rule = confirm(Constraint::exactly(sum, literals), by, examples, settings)?;
    // Where examples are partly observed, a group that holds a true one and more is hardly ever seen
    // broken: only examples that decide it speak for it.
    let variables = examples.variables();
    let needed =
        needed(variables, rule.constraint.len(), rule.constraint.negated_count() > 0, settings.false_alarm);
    let decided = sum_histogram::fully_observed(examples, rule.constraint.literals()) as f64;
    if decided < needed && !is_likely_one(&rule.constraint, examples, settings) {
        return Err((rule.constraint, DropReason::Chance { expected: decided, needed }));
    }
    Ok(rule)
}

/// Whether examples that observe only a part of a group speak for "exactly one" of it. It is asked where
/// cliques are not looked for: their search asks it of its own candidates.
fn is_likely_one(constraint: &Constraint, examples: &Examples, settings: &Checked) -> bool {
    let is_one = constraint.sums().single() == Some(1) && constraint.negated_count() == 0;
    if settings.cliques || !is_one {
        return false;
    }
    let members: Vec<u32> = constraint.literals().iter().map(|literal| literal.var().0).collect();
    cliques::plain_score(&members, examples) >= cliques::bar(examples.variables(), members.len(), settings)
}
