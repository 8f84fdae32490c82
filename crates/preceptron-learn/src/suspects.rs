//! Entries that may be wrong: changed, they would mend the rules that their example breaks.
//!
//! Where rules need not hold in all examples, an example that breaks some of them has perhaps a wrong entry. An entry
//! is the value of a column: of a one-hot group, or of a variable in none. Of all entries that a broken rule has, the
//! one is suspected whose other value mends the most rules and breaks none that held; then the next, until nothing is
//! gained. Where several entries would mend as many, all of them are suspected, and each says among how many it is.

use std::collections::BTreeSet;

use preceptron_logic::{Constraint, Lit, RuleSet, Var};
use rayon::prelude::*;

use crate::{Examples, sum_histogram};

/// An entry that may be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspect {
    /// The example, from 0.
    pub example: usize,
    /// The variable that is true there and perhaps should not be; nothing where one that is false should be true.
    pub was: Option<Var>,
    /// The variable that would be true in its place; nothing where it should only be false.
    pub mended: Option<Var>,
    /// The position, among the rules, of one that the entry breaks.
    pub rule: usize,
    /// How many broken rules the change mends.
    pub mends: usize,
    /// Among how many entries of the example it is that would mend as many; one of them is enough.
    pub among: usize,
}

/// Changes of one example at the most.
const CHANGES: usize = 20;

/// The suspects of all examples, by example. What an example does not show is no entry of it, and breaks no rule.
pub(crate) fn suspects(rules: &RuleSet, examples: &Examples) -> Vec<Suspect> {
    let constraints: Vec<&Constraint> = rules.constraints().collect();
    let mut of_variable: Vec<Vec<u32>> = vec![vec![]; examples.variables()];
    for (number, rule) in constraints.iter().enumerate() {
        rule.variables().for_each(|v| of_variable[v.index()].push(number as u32));
    }
    let mut group: Vec<Vec<Var>> = (0..examples.variables() as u32).map(|v| vec![Var(v)]).collect();
    for members in rules.variables().one_hot_groups() {
        members.iter().for_each(|v| group[v.index()].clone_from(&members));
    }
    let violated: Vec<Vec<u64>> =
        constraints.par_iter().map(|rule| sum_histogram::violated(examples, rule)).collect();
    let breaks = |example: &usize| violated.iter().any(|rows| rows[example / 64] >> (example % 64) & 1 == 1);
    (0..examples.len())
        .into_par_iter()
        .filter(breaks)
        .flat_map_iter(|example| of_example(example, &constraints, &of_variable, &group, examples))
        .collect()
}

fn of_example(
    example: usize,
    rules: &[&Constraint],
    of_variable: &[Vec<u32>],
    group: &[Vec<Var>],
    examples: &Examples,
) -> Vec<Suspect> {
    let mut values: Vec<Option<bool>> =
        (0..examples.variables() as u32).map(|v| examples.get(example, Var(v))).collect();
    let holds = |rule: u32, values: &[Option<bool>]| can_hold(rules[rule as usize], values);
    let mut found = Vec::new();
    for _ in 0..CHANGES {
        let broken: Vec<u32> = (0..rules.len() as u32).filter(|&rule| !holds(rule, &values)).collect();
        let (mut mends, mut best): (usize, Vec<Vec<Var>>) = (0, vec![]);
        let mut tried = vec![false; values.len()];
        for var in broken.iter().flat_map(|&rule| rules[rule as usize].variables()) {
            if values[var.index()].is_none() || std::mem::replace(&mut tried[var.index()], true) {
                continue;
            }
            // The variable gets its other value: in a group, another member changes with it.
            let others: Vec<Vec<Var>> = match (group[var.index()].len(), values[var.index()]) {
                (1, _) => vec![vec![var]],
                (_, Some(true)) => {
                    group[var.index()].iter().filter(|v| **v != var).map(|&v| vec![var, v]).collect()
                }
                _ => {
                    let set = group[var.index()].iter().filter(|v| values[v.index()] == Some(true));
                    vec![std::iter::once(var).chain(set.copied()).collect()]
                }
            };
            for change in others {
                let touched: Vec<u32> =
                    change.iter().flat_map(|v| of_variable[v.index()].iter().copied()).collect();
                let before = touched.iter().filter(|&&rule| !holds(rule, &values)).count();
                flip(&mut values, &change);
                let after = touched.iter().filter(|&&rule| !holds(rule, &values)).count();
                flip(&mut values, &change);
                let gain = before.saturating_sub(after);
                if gain > mends {
                    mends = gain;
                    best.clear();
                }
                if gain > 0 && gain == mends {
                    best.push(change);
                }
            }
        }
        // One for each column.
        let mut columns = BTreeSet::new();
        best.retain(|change| columns.insert(group[change[0].index()][0].0));
        for change in &best {
            let was = change.iter().copied().find(|v| values[v.index()] == Some(true));
            let mended = change.iter().copied().find(|v| values[v.index()] == Some(false));
            let has = |rule: &u32| rules[*rule as usize].variables().any(|v| change.contains(&v));
            let rule = broken.iter().copied().find(has).unwrap_or(0) as usize;
            found.push(Suspect { example, was, mended, rule, mends, among: best.len() });
        }
        let Some(first) = best.first() else { break };
        flip(&mut values, first);
    }
    found
}

/// Whether some values of what is not observed would satisfy a rule.
fn can_hold(rule: &Constraint, values: &[Option<bool>]) -> bool {
    let seen = |literal: &Lit| values[literal.var().index()].map(|value| literal.holds(value));
    if rule.gate().is_some_and(|gate| seen(&gate) != Some(true)) {
        return true;
    }
    let least = rule.literals().iter().filter(|l| seen(l) == Some(true)).count() as u32;
    let open = rule.literals().iter().filter(|l| seen(l).is_none()).count() as u32;
    (least..=least + open).any(|sum| rule.sums().contains(sum))
}

fn flip(values: &mut [Option<bool>], change: &[Var]) {
    change.iter().for_each(|v| values[v.index()] = values[v.index()].map(|value| !value));
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::{Rule, Variables};

    #[test]
    fn the_entry_that_mends_both_rules_is_suspected() {
        let literals = |numbers: &[u32]| numbers.iter().map(|&v| Var(v).positive()).collect::<Vec<_>>();
        let rules =
            [Constraint::exactly(1, literals(&[0, 1, 2])), Constraint::exactly(1, literals(&[2, 3, 4]))];
        let set = RuleSet::with_rules(
            Variables::from_names(["a", "b", "c", "d", "e"]).unwrap(),
            rules.into_iter().map(Rule::given),
        );
        let rows = [[true, false, false, true, false], [true, false, true, true, false]];
        let found = suspects(&set, &Examples::from_full_rows(5, &rows));
        let wrong = Suspect { example: 1, was: Some(Var(2)), mended: None, rule: 0, mends: 2, among: 1 };
        assert_eq!(found, [wrong]);
        // Of two that are true in a group, either may be wrong.
        let found = suspects(&set, &Examples::from_full_rows(5, &[[true, true, false, true, false]]));
        let suspected: Vec<_> = found.iter().map(|suspect| (suspect.was, suspect.among)).collect();
        assert_eq!(suspected, [(Some(Var(0)), 2), (Some(Var(1)), 2)]);
    }
}
