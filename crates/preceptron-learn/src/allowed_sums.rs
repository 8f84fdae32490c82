//! From a row to a rule: which sums of its literals the examples show.
//!
//! A row alone says nothing. The rule is that the sum is one of those that were seen. If all of them are
//! even (or all odd), and there are several, every even (odd) sum is allowed: new examples have sums that
//! were not seen, and a rule that forbade them would be wrong there.

use preceptron_logic::{Constraint, Lit, Origin, Rule, Sums};

use crate::{Examples, sum_histogram};

/// So many different sums of one residue, at the least, make a rule of parity.
const DIFFERENT: usize = 3;
/// So many violations must have been expected of independent variables: e^-7 is below a thousandth.
const EXPECTED: f64 = 7.0;

/// A rule made of the sums that a row was seen to have.
#[derive(Clone, Debug, PartialEq)]
pub struct AllowedSums {
    /// The rule, with the evidence for it.
    pub rule: Rule,
    /// The sums that were seen.
    pub seen: Sums,
    /// Whether sums that were not seen are allowed too, as all that were are even, or odd.
    pub completed: bool,
}

impl AllowedSums {
    /// The rule for these literals. Examples that do not observe all of them show no sum; where one of them
    /// cannot have any of the sums that were seen, the sums between are allowed as far as it can reach.
    pub fn of(examples: &Examples, literals: &[Lit], by: &str) -> AllowedSums {
        let histogram = sum_histogram::histogram(examples, literals);
        let values: Vec<u32> = (0..histogram.len()).filter(|&s| histogram[s] > 0).map(|s| s as u32).collect();
        let seen = Sums::set(values.iter().copied());
        let rule = |sums: Sums| {
            let constraint = Constraint::new(literals.iter().copied(), sums);
            let (evidence, _) = sum_histogram::evidence(examples, &constraint);
            Rule { constraint, evidence, origin: Origin::Learned { by: by.to_owned() } }
        };
        if values.len() >= DIFFERENT && values.iter().all(|sum| sum % 2 == values[0] % 2) {
            let rule = rule(Sums::set((values[0] % 2..=literals.len() as u32).step_by(2)));
            if rule.evidence.expected_violations >= EXPECTED {
                return AllowedSums { rule, seen, completed: true };
            }
        }
        let mut only = rule(seen.clone());
        if only.evidence.violated > 0
            && let Some((low, high)) = sum_histogram::extremes(examples, literals)
        {
            only = rule(Sums::range(low.min(high), high.max(low)));
        }
        AllowedSums { rule: only, seen, completed: false }
    }

    /// What was seen, and what was made of it.
    pub fn note(&self) -> String {
        let (least, most) = (self.seen.least().unwrap_or(0), self.seen.greatest().unwrap_or(0));
        let different = self.seen.iter().count();
        let parity = if least % 2 == 0 { "even" } else { "odd" };
        match self.completed {
            true => format!(
                "{different} different sums from {least} to {most} were seen, all {parity}; every {parity} sum \
                 is allowed, seen or not"
            ),
            false => format!("the sums allowed are those seen, {different} from {least} to {most}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::Var;

    fn seen(rows: &[u8]) -> AllowedSums {
        let bits = |row: &u8| (0..8).map(|bit| row >> bit & 1 == 1).collect::<Vec<_>>();
        let examples = Examples::from_full_rows(8, &rows.iter().map(bits).collect::<Vec<_>>());
        AllowedSums::of(&examples, &(0..8).map(|v| Var(v).positive()).collect::<Vec<_>>(), "rows")
    }

    #[test]
    fn even_sums_are_completed() {
        let even: Vec<u8> = (0..200u8).filter(|b| matches!(b.count_ones(), 0 | 2 | 4)).collect();
        let found = seen(&even);
        assert!(found.completed);
        assert_eq!(*found.rule.constraint.sums(), Sums::set([0, 2, 4, 6, 8]));
        assert_eq!((found.rule.evidence.examples, found.rule.evidence.violated), (even.len() as u64, 0));
        assert_eq!(
            found.note(),
            "3 different sums from 0 to 4 were seen, all even; every even sum is allowed, seen or not"
        );
        let odd: Vec<u8> = (0..=255u8).filter(|b| b.count_ones() % 2 == 1).collect();
        assert_eq!(*seen(&odd).rule.constraint.sums(), Sums::set([1, 3, 5, 7]));
    }

    #[test]
    fn what_may_be_chance_stays_as_it_was_seen() {
        assert_eq!(*seen(&[0b11, 0b1111, 0b11_1111]).rule.constraint.sums(), Sums::set([2, 4, 6]));
        let two: Vec<u8> = (0..=255u8).filter(|b| matches!(b.count_ones(), 2 | 4)).collect();
        assert_eq!(*seen(&two).rule.constraint.sums(), Sums::set([2, 4]));
        let mixed = seen(&[0, 1, 0b11, 0b111]);
        assert_eq!((mixed.completed, mixed.rule.constraint.sums()), (false, &Sums::range(0, 3)));
        assert_eq!(mixed.note(), "the sums allowed are those seen, 4 from 0 to 3");
    }
}
