//! What a rule says beyond the encoding of the columns.
//!
//! Of a one-hot group at most one member is true because the table was encoded so: that two of its members never meet
//! speaks for nothing. A rule is held against columns that are independent, each with its own frequencies, in place
//! of variables that are.

use preceptron_logic::{Constraint, Var};

use crate::{Examples, sum_histogram};

/// The one-hot group of each variable.
pub(crate) struct EncodedGroups {
    group: Vec<Option<u32>>,
}

impl EncodedGroups {
    /// The groups of "exactly 1 of these" rules that the encoding makes true.
    pub(crate) fn new(variables: usize, encoded: &[Constraint]) -> EncodedGroups {
        let mut group = vec![None; variables];
        for (number, rule) in encoded.iter().enumerate() {
            rule.variables().for_each(|v| group[v.index()] = Some(number as u32));
        }
        EncodedGroups { group }
    }

    /// The group of a variable, if it is in one.
    pub(crate) fn of(&self, var: Var) -> Option<u32> {
        self.group[var.index()]
    }

    /// Whether two of the variables are of one group.
    pub(crate) fn overlap(&self, rule: &Constraint) -> bool {
        let mut groups: Vec<u32> = rule.variables().filter_map(|v| self.of(v)).collect();
        let count = groups.len();
        groups.sort_unstable();
        groups.dedup();
        groups.len() < count
    }

    /// How many of complete examples would break a rule if columns were independent.
    pub(crate) fn expected_violations(&self, rule: &Constraint, examples: &Examples) -> f64 {
        let means = sum_histogram::means(examples, rule.literals());
        let mut left: Vec<(Option<u32>, bool, f64)> = rule
            .literals()
            .iter()
            .zip(&means)
            .map(|(literal, &mean)| (self.of(literal.var()), literal.is_negated(), mean))
            .collect();
        left.sort_by_key(|(group, ..)| group.map_or(u32::MAX, |group| group));
        let mut distribution = vec![1.0];
        for column in left.chunk_by(|a, b| a.0.is_some() && a.0 == b.0) {
            // With k negated members of a group their sum is k, one less if one of these has the value, one more if
            // another member has.
            let negated = column.iter().filter(|(_, negated, _)| *negated).count();
            let less: f64 =
                column.iter().filter(|(_, negated, _)| *negated).map(|(.., mean)| 1.0 - mean).sum();
            let more: f64 = column.iter().filter(|(_, negated, _)| !*negated).map(|(.., mean)| mean).sum();
            let chances =
                [(negated.wrapping_sub(1), less), (negated, 1.0 - less - more), (negated + 1, more)];
            let mut next = vec![0.0; distribution.len() + column.len()];
            for (add, chance) in chances.into_iter().filter(|(_, chance)| *chance > 0.0) {
                for (sum, probability) in distribution.iter().enumerate() {
                    next[sum + add] += probability * chance;
                }
            }
            distribution = next;
        }
        let is_allowed = |sum: usize| rule.sums().contains(sum as u32);
        let kept: f64 =
            distribution.iter().enumerate().filter(|(sum, _)| is_allowed(*sum)).map(|(_, p)| p).sum();
        examples.len() as f64 * (1.0 - kept).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_a_group_are_one_column() {
        let rows: Vec<[bool; 5]> =
            (0..60).map(|r| [r % 3 == 0, r % 3 == 1, r % 3 == 2, r % 2 == 0, r % 2 == 1]).collect();
        let examples = Examples::from_full_rows(5, &rows);
        let group = |from: u32, to: u32| Constraint::exactly(1, (from..to).map(|v| Var(v).positive()));
        let groups = EncodedGroups::new(5, &[group(0, 3), group(3, 5)]);
        assert!(groups.expected_violations(&group(0, 3), &examples).abs() < 1e-9);
        // Two values of the first and one of the second: broken where both or neither has them.
        let rule = Constraint::exactly(1, [0, 1, 3].map(|v| Var(v).positive()));
        assert!((groups.expected_violations(&rule, &examples) - 60.0 * (2.0 / 6.0 + 1.0 / 6.0)).abs() < 1e-9);
        let rule = Constraint::exactly(1, [Var(0).negative(), Var(1).negative(), Var(3).positive()]);
        let broken = 60.0 * (1.0 - (2.0 / 3.0) * 0.5);
        assert!((groups.expected_violations(&rule, &examples) - broken).abs() < 1e-9);
        assert!(
            groups.overlap(&rule)
                && !groups.overlap(&Constraint::at_most(1, [Var(0).positive(), Var(4).positive()]))
        );
    }
}
