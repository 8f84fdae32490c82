//! Columns that are equal or opposite in all examples: said once, and one stands for both.
//!
//! Twins would stand in for each other in every other rule, and make many of each. The first of them stands for all;
//! the rules that they are equal (or opposite) are kept, and rules that have another are put in terms of the first.

use std::collections::HashMap;

use preceptron_logic::{Constraint, Lit, Sums, Var};

use crate::{Checked, Examples, confirm, sum_histogram};

/// Which variables are another one, or its negation.
#[derive(Default)]
pub(crate) struct Twins {
    /// For each variable the literal that it equals; nothing for one that stands for itself.
    first: Vec<Option<Lit>>,
}

impl Twins {
    /// The twins among variables that all examples observe, if chance does not explain them.
    pub(crate) fn of(examples: &Examples, settings: &Checked) -> Twins {
        let mut twins = Twins { first: vec![None; examples.variables()] };
        if examples.is_empty() || settings.threshold < 1.0 {
            return twins;
        }
        let needed = confirm::needed(examples.variables(), 2, true, settings.false_alarm);
        let mut seen: HashMap<Vec<u64>, Lit> = HashMap::new();
        for var in (0..examples.variables() as u32).map(Var) {
            let is_observed = |known: &[u64]| (0..known.len()).all(|word| known[word] == examples.mask(word));
            if !examples.known(var).is_none_or(is_observed) {
                continue;
            }
            // As the literal that is true in the first example.
            let literal = Lit::new(var, examples.ones(var)[0] & 1 == 0);
            let share = sum_histogram::means(examples, &[literal])[0];
            if 2.0 * share * (1.0 - share) * (examples.len() as f64) < needed {
                continue;
            }
            let first = *seen.entry(examples.true_column(literal)).or_insert(literal);
            if first != literal {
                twins.first[var.index()] = Some(if literal.is_negated() { !first } else { first });
            }
        }
        twins
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.first.iter().all(Option::is_none)
    }

    /// The variables that others stand for.
    pub(crate) fn hidden(&self) -> impl Iterator<Item = Var> + '_ {
        (0..self.first.len() as u32).map(Var).filter(|var| self.first[var.index()].is_some())
    }

    /// That each is equal, or opposite, to the one that stands for it.
    pub(crate) fn rules(&self) -> Vec<Constraint> {
        let rule = |var: Var| Some(Constraint::exactly(1, [var.positive(), !self.first[var.index()]?]));
        self.hidden().filter_map(rule).collect()
    }

    /// Lets those stand for themselves of which the rule that says so is not wanted.
    pub(crate) fn retain(&mut self, is_wanted: impl Fn(&Constraint) -> bool) {
        for at in 0..self.first.len() {
            let rule = |first: Lit| Constraint::exactly(1, [Var(at as u32).positive(), !first]);
            self.first[at] = self.first[at].filter(|&first| is_wanted(&rule(first)));
        }
    }

    /// A clause over values, as what the others make of the last column of two values, or what it makes of them.
    pub(crate) fn as_implication(&self, rule: &Constraint, encoded: &[Constraint]) -> Constraint {
        let count = rule.len() as u32;
        let is_plain = rule.gate().is_none() && rule.negated_count() == 0 && count > 2;
        let ends = (rule.sums().least(), rule.sums().greatest());
        let is_ban = is_plain && ends == (Some(0), Some(count - 1));
        let is_demand = is_plain && ends == (Some(1), Some(count)) && rule.as_clause().is_some();
        let pair = |literal: &Lit| {
            let pair = encoded.iter().find(|pair| pair.len() == 2 && pair.literals().contains(literal))?;
            pair.literals().iter().copied().find(|other| other != literal)
        };
        let last = rule.literals().iter().rev().find_map(|literal| Some((*literal, pair(literal)?)));
        let others = |literal: Lit| rule.literals().iter().copied().filter(move |l| *l != literal);
        match last.filter(|_| is_ban || is_demand) {
            // That a value is there is the other's absence: the clause says the same.
            Some((literal, other)) if is_demand => Constraint::clause(others(literal).chain([!other])),
            Some((literal, other)) => Constraint::clause(others(literal).map(|l| !l).chain([other])),
            None => rule.clone(),
        }
    }

    /// A rule in terms of the variables that stand for others; nothing if it then says nothing, and the rule itself
    /// if it cannot be put so.
    pub(crate) fn said_by_first(&self, rule: &Constraint) -> Option<Constraint> {
        let has_hidden = rule.variables().any(|var| self.first[var.index()].is_some());
        if !has_hidden || rule.gate().is_some() {
            return Some(rule.clone());
        }
        let stands_for = |literal: &Lit| match self.first[literal.var().index()] {
            Some(first) if literal.is_negated() => !first,
            Some(first) => first,
            None => *literal,
        };
        let mut literals: Vec<Lit> = rule.literals().iter().map(stands_for).collect();
        literals.sort_unstable();
        let (mut kept, mut always): (Vec<Lit>, u32) = (Vec::new(), 0);
        for literal in literals {
            match kept.last() {
                // Of a literal and its negation one is always true.
                Some(last) if *last == !literal => {
                    kept.pop();
                    always += 1;
                }
                Some(last) if *last == literal => return Some(rule.clone()),
                _ => kept.push(literal),
            }
        }
        let sums = Sums::set(rule.sums().iter().filter_map(|sum| sum.checked_sub(always)));
        let said = Constraint::new(kept, sums);
        (!said.is_trivial()).then_some(said)
    }

    /// The examples with hidden variables never true.
    pub(crate) fn hide(&self, examples: &Examples) -> Examples {
        let hidden: Vec<bool> = self.first.iter().map(Option::is_some).collect();
        let column = |var: Var| match hidden[var.index()] {
            true => vec![0; examples.words()],
            false => examples.ones(var).to_vec(),
        };
        let values = (0..examples.variables() as u32).flat_map(|v| column(Var(v))).collect();
        Examples::from_columns(examples.len(), examples.variables(), values, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;

    #[test]
    fn one_stands_for_equal_and_opposite_ones() {
        let rows: Vec<[bool; 5]> = (0..64u32)
            .map(|r| [r & 1 == 1, r >> 1 & 1 == 1, r & 1 == 1, r >> 1 & 1 == 0, r >> 2 & 1 == 1])
            .collect();
        let examples = Examples::from_full_rows(5, &rows);
        let twins = Twins::of(&examples, &Settings::default().check().unwrap());
        assert_eq!(twins.hidden().collect::<Vec<_>>(), [Var(2), Var(3)]);
        let pair = |a: Lit, b: Lit| Constraint::exactly(1, [a, b]);
        assert_eq!(
            twins.rules(),
            [pair(Var(2).positive(), Var(0).negative()), pair(Var(3).positive(), Var(1).positive())]
        );
        let rule = Constraint::at_most(1, [2, 3, 4].map(|v| Var(v).positive()));
        let said = Constraint::at_most(1, [Var(0).positive(), Var(1).negative(), Var(4).positive()]);
        assert_eq!(twins.said_by_first(&rule), Some(said));
        assert_eq!(twins.said_by_first(&twins.rules()[0]), None);
        // Twice the same literal is no sum of literals.
        let twice = Constraint::at_most(1, [0, 2, 4].map(|v| Var(v).positive()));
        assert_eq!(twins.said_by_first(&twice), Some(twice.clone()));
        assert!(twins.hide(&examples).ones(Var(2)).iter().all(|word| *word == 0));
        let few = Examples::from_full_rows(5, &rows[..4]);
        assert!(Twins::of(&few, &Settings::default().check().unwrap()).is_empty());
    }
}
