//! Which of the confirmed rules need not be listed.
//!
//! An equality is left out if it is a combination of simpler ones: shorter ones, or as short with fewer
//! negations. (Equally simple ones all stay: the 324 equalities of Sudoku have rank 249, and none of them
//! is a combination of shorter ones.) Any other rule is left out if one other rule implies it. Two bounds
//! on the same literals become one.

use std::collections::BTreeMap;

use preceptron_logic::{Constraint, Lit, Sums};
use preceptron_reason::Entailment;

use crate::linear_span::Span;

/// How complicated an equality is: its literals, negated ones twice.
fn weight(constraint: &Constraint) -> usize {
    constraint.len() + constraint.negated_count()
}

/// The equalities that are not combinations of simpler ones, simplest first, then the others.
pub(crate) fn equalities(mut all: Vec<Constraint>) -> (Vec<Constraint>, Vec<Constraint>) {
    all.sort_by(|a, b| weight(a).cmp(&weight(b)).then_with(|| a.cmp(b)));
    all.dedup();
    let mut span = Span::default();
    let (mut kept, mut combined) = (Vec::new(), Vec::new());
    let mut from = 0;
    while from < all.len() {
        let level = weight(&all[from]);
        let to = all[from..].iter().position(|c| weight(c) > level).map_or(all.len(), |at| from + at);
        let (old, new): (Vec<_>, Vec<_>) = all[from..to].iter().cloned().partition(|c| span.contains(c));
        for constraint in &new {
            span.add(constraint);
        }
        kept.extend(new);
        combined.extend(old);
        from = to;
    }
    (kept, combined)
}

/// Of rules that share more than half of their literals only the best supported: where examples may be
/// wrong, a part of a rule, or a rule and a stranger, can hold nearly as well as the rule itself.
pub(crate) fn best_supported(mut all: Vec<(f64, Constraint)>) -> Vec<Constraint> {
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut kept: Vec<Constraint> = Vec::new();
    let mut holders: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (_, constraint) in all {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for number in constraint.variables().filter_map(|v| holders.get(&v.0)).flatten() {
            *shared.entry(*number).or_default() += 1;
        }
        if shared.iter().any(|(&number, &count)| 2 * count > constraint.len().min(kept[number].len())) {
            continue;
        }
        constraint.variables().for_each(|v| holders.entry(v.0).or_default().push(kept.len()));
        kept.push(constraint);
    }
    kept
}

/// The solver may have so many conflicts in the proof that a rule is implied.
const CONFLICTS: u64 = 5_000;

/// The candidates that are not implied by what is sure and by other candidates, then those that are;
/// decided exactly, except that what is not proved in time counts as not implied.
pub(crate) fn implied(
    variables: usize,
    sure: &[Constraint],
    candidates: Vec<Constraint>,
) -> (Vec<Constraint>, Vec<Constraint>) {
    let mut entailment = Entailment::new(variables, CONFLICTS);
    let mut rules: Vec<usize> = sure.iter().map(|rule| entailment.add(rule)).collect();
    let numbers: Vec<usize> = candidates.iter().map(|rule| entailment.add(rule)).collect();
    rules.extend(&numbers);
    // The longest are the first to go.
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_key(|&at| (std::cmp::Reverse(candidates[at].len()), at));
    for at in order {
        let others = rules.iter().copied().filter(|rule| *rule != numbers[at]);
        if entailment.implies(others, &candidates[at]) {
            rules.retain(|rule| *rule != numbers[at]);
        }
    }
    let (kept, gone): (Vec<_>, Vec<_>) =
        candidates.into_iter().zip(numbers).partition(|(_, number)| rules.contains(number));
    let constraints = |some: Vec<(Constraint, usize)>| some.into_iter().map(|(c, _)| c).collect();
    (constraints(kept), constraints(gone))
}

/// Joins bounds on the same literals if what they say together `holds`, and leaves out what one other
/// constraint implies.
pub(crate) fn bounds(all: Vec<Constraint>, holds: impl Fn(&Constraint) -> bool) -> Vec<Constraint> {
    let mut joined: BTreeMap<(Vec<Lit>, Option<Lit>), Vec<Constraint>> = BTreeMap::new();
    for constraint in all {
        let same = joined.entry((constraint.literals().to_vec(), constraint.gate())).or_default();
        let together = |other: &Constraint| {
            let sums = Sums::set(constraint.sums().iter().filter(|s| other.sums().contains(*s)));
            // Two clauses are easier to read than that some are true and some are not.
            let is_clause = |rule: &Constraint| rule.len() > 2 && rule.as_clause().is_some();
            if constraint != *other && is_clause(&constraint) && is_clause(other) {
                return None;
            }
            let both = Constraint::new(constraint.literals().iter().copied(), sums);
            let both = constraint.gate().into_iter().fold(both, Constraint::gated);
            (both == *other || holds(&both)).then_some(both)
        };
        match same.iter().enumerate().find_map(|(at, other)| Some((at, together(other)?))) {
            Some((at, both)) => same[at] = both,
            None => same.push(constraint),
        }
    }
    let constraints: Vec<Constraint> = joined.into_values().flatten().collect();
    let mut holders: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (number, constraint) in constraints.iter().enumerate() {
        constraint.variables().for_each(|v| holders.entry(v.0).or_default().push(number));
    }
    let implied = |number: usize| {
        let constraint = &constraints[number];
        let Some(first) = constraint.variables().next() else { return true };
        holders[&first.0].iter().any(|&other| {
            other != number
                && constraints[other].implies(constraint)
                // Of two that imply each other the first stays.
                && (other < number || !constraint.implies(&constraints[other]))
        })
    };
    (0..constraints.len())
        .filter(|&number| !implied(number))
        .map(|number| constraints[number].clone())
        .collect()
}
