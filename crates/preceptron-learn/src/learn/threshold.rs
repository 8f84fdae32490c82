//! Which share of the examples must satisfy a rule, from the examples themselves.
//!
//! Rules are learned once with a wide threshold. If a share e of all entries is wrong, independently, a rule over k
//! columns is kept by about (1 - e)^k of the examples, so that a rule with support s says
//! ```text
//! e  =  1 - s^(1/k)
//! ```
//! The median over rules is the estimate. The threshold is what a rule over as many columns as nearly all have would
//! keep, less three standard deviations.

use preceptron_base::Control;
use preceptron_logic::{Origin, Rule, RuleSet, Variables};

use super::Search;
use crate::{Checked, Examples, Given, Settings};

/// The threshold of the first round, and the least and the greatest below 1 that are chosen.
const WIDE: f64 = 0.75;
const RANGE: (f64, f64) = (0.55, 0.995);

/// The settings with a threshold that the examples suggest.
pub(super) fn chosen(
    variables: &Variables,
    examples: &Examples,
    given: &Given,
    settings: &Checked,
    control: &dyn Control,
) -> Checked {
    let at = |threshold: f64| {
        let chosen = Settings { threshold, auto_threshold: false, ..(**settings).clone() };
        chosen.check().unwrap_or_else(|_| settings.clone())
    };
    let wide = at(WIDE);
    let learned = Search::new(variables, examples, given, &wide, control).run();
    at(estimate(&learned.rules, examples))
}

/// The threshold for examples of which these rules were learned.
fn estimate(rules: &RuleSet, examples: &Examples) -> f64 {
    let groups = rules.variables().one_hot_groups();
    let mut column: Vec<usize> = (0..examples.variables()).map(|v| groups.len() + v).collect();
    for (number, group) in groups.iter().enumerate() {
        group.iter().for_each(|v| column[v.index()] = number);
    }
    let width = |rule: &Rule| {
        let mut columns: Vec<usize> = rule.constraint.variables().map(|v| column[v.index()]).collect();
        columns.sort_unstable();
        columns.dedup();
        columns.len().max(1)
    };
    let learned = rules.rules().iter().filter(|rule| matches!(rule.origin, Origin::Learned { .. }));
    let mut seen: Vec<(f64, usize)> = learned
        .map(|rule| (1.0 - rule.evidence.support().powf(1.0 / width(rule) as f64), width(rule)))
        .collect();
    if seen.is_empty() {
        return 1.0;
    }
    let mut widths: Vec<usize> = seen.iter().map(|(_, width)| *width).collect();
    widths.sort_unstable();
    seen.sort_by(|a, b| a.0.total_cmp(&b.0));
    let wrong = seen[seen.len() / 2].0;
    // Less than one wrong entry in all examples is none.
    if wrong * (examples.len() as f64) < 0.5 / widths.len() as f64 {
        return 1.0;
    }
    let kept = (1.0 - wrong).powi(widths[(widths.len() - 1) * 9 / 10] as i32);
    let spread = (kept * (1.0 - kept) / examples.len().max(1) as f64).sqrt();
    (kept - 3.0 * spread).clamp(RANGE.0, RANGE.1)
}
