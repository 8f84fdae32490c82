//! How often a rule that holds is seen broken where a share of all entries is wrong.
//!
//! An entry is the value of a column: of a one-hot group of m variables, or of a variable in none. Each is wrong with
//! probability e, independently, and a wrong value of a group is any other one. Of a column with c of its m values in
//! a sum the sum then changes by
//! ```text
//! one less   with probability  e (m - c)/(m - 1)     if it counts
//! one more   with probability  e c/(m - 1)           if it does not
//! ```
//! With d and u the means of these over the columns, a true sum of s of k columns is seen as
//! s - Bin(s, d) + Bin(k - s, u). The true sums are taken to be those seen, put back to the nearest that the rule
//! allows; how many examples the errors then throw out of the rule is what may be seen.

use preceptron_logic::{Constraint, Lit, Var};

use crate::{Examples, sum_histogram};

/// More than this many times the expected number, and so many standard deviations, are not explained.
const TIMES: f64 = 1.25;
const DEVIATIONS: f64 = 3.0;
/// Shares of wrong entries are looked for up to this one.
const MOST: f64 = 0.3;
/// Halvings of the interval that a share is in.
const HALVINGS: usize = 30;

/// How often the columns of a sum change it, if every entry is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rates {
    columns: usize,
    up: f64,
    down: f64,
}

/// The columns of a table.
pub(crate) struct Entries {
    /// For each variable its group and the group's size; nothing for one in none.
    group: Vec<Option<(u32, u32)>>,
}

impl Entries {
    /// Those of "exactly one of these" rules that the encoding makes true, whatever is wrong.
    pub(crate) fn new(variables: usize, encoded: &[Constraint]) -> Entries {
        let mut group = vec![None; variables];
        for (number, rule) in encoded.iter().enumerate() {
            rule.variables().for_each(|v| group[v.index()] = Some((number as u32, rule.len() as u32)));
        }
        Entries { group }
    }

    /// Whether a variable is an entry of its own.
    pub(crate) fn is_alone(&self, var: Var) -> bool {
        self.group[var.index()].is_none()
    }

    /// The probability that a false literal becomes true where its entry is wrong.
    pub(crate) fn rise(&self, literal: Lit) -> f64 {
        match self.group[literal.var().index()] {
            Some((_, size)) if !literal.is_negated() => 1.0 / f64::from(size.max(2) - 1),
            _ => 1.0,
        }
    }

    /// The rates of a sum.
    pub(crate) fn rates(&self, literals: &[Lit]) -> Rates {
        let (mut columns, mut up, mut down) = (0usize, 0.0, 0.0);
        let mut counted: Vec<(u32, u32, f64)> = Vec::new();
        for literal in literals {
            match self.group[literal.var().index()] {
                Some((group, size)) if !literal.is_negated() => {
                    match counted.iter_mut().find(|(known, ..)| *known == group) {
                        Some((.., count)) => *count += 1.0,
                        None => counted.push((group, size, 1.0)),
                    }
                }
                Some((_, size)) => {
                    columns += 1;
                    up += 1.0;
                    down += 1.0 / f64::from(size.max(2) - 1);
                }
                None => {
                    columns += 1;
                    up += 1.0;
                    down += 1.0;
                }
            }
        }
        for (_, size, count) in counted {
            let others = f64::from(size.max(2) - 1);
            columns += 1;
            up += count / others;
            down += (f64::from(size) - count) / others;
        }
        let all = columns.max(1) as f64;
        Rates { columns, up: up / all, down: down / all }
    }

    /// Whether errors explain how often a rule is seen broken.
    pub(crate) fn explain(&self, rule: &Constraint, examples: &Examples, share: f64) -> bool {
        if rule.gate().is_some() {
            return true;
        }
        let histogram = sum_histogram::histogram(examples, rule.literals());
        let is_allowed = |sum: usize| rule.sums().contains(sum as u32);
        let seen = broken(&histogram, is_allowed);
        is_explained(seen, self.rates(rule.literals()).broken(&histogram, is_allowed, share))
    }

    /// The share of wrong entries that makes a rule seen broken as often as it is.
    pub(crate) fn share(&self, rule: &Constraint, examples: &Examples) -> f64 {
        let histogram = sum_histogram::histogram(examples, rule.literals());
        self.rates(rule.literals()).share(&histogram, |sum| rule.sums().contains(sum as u32))
    }
}

/// How many of a histogram are not allowed.
fn broken(histogram: &[u64], is_allowed: impl Fn(usize) -> bool) -> f64 {
    (0..histogram.len()).filter(|&sum| !is_allowed(sum)).map(|sum| histogram[sum] as f64).sum()
}

/// Whether so many are no more than may be seen where so many are expected.
pub(crate) fn is_explained(seen: f64, expected: f64) -> bool {
    seen <= TIMES * expected + DEVIATIONS * expected.sqrt() + 1.0
}

impl Rates {
    /// How many examples are expected to be thrown out of what is allowed, by the histogram of the sums seen.
    pub(crate) fn broken(
        &self,
        histogram: &[u64],
        is_allowed: impl Fn(usize) -> bool + Copy,
        share: f64,
    ) -> f64 {
        let k = self.columns;
        let nearest = |sum: usize| {
            (0..histogram.len())
                .flat_map(|away| [sum.checked_sub(away), Some(sum + away)])
                .flatten()
                .find(|&to| to < histogram.len() && is_allowed(to))
        };
        let mut put_back = vec![0.0; k + 1];
        for (sum, &count) in histogram.iter().enumerate().filter(|(_, count)| **count > 0) {
            if let Some(to) = nearest(sum) {
                put_back[to.min(k)] += count as f64;
            }
        }
        let mut expected = 0.0;
        for (sum, count) in put_back.into_iter().enumerate().filter(|(_, count)| *count > 0.0) {
            let less = binomial(sum, share * self.down);
            let more = binomial(k - sum, share * self.up);
            let out: f64 = less
                .iter()
                .enumerate()
                .map(|(down, p)| {
                    let out = more.iter().enumerate().filter(|(up, _)| !is_allowed(sum - down + up));
                    p * out.map(|(_, q)| q).sum::<f64>()
                })
                .sum();
            expected += count * out;
        }
        expected
    }

    /// The share of wrong entries that throws out as many as are seen.
    pub(crate) fn share(&self, histogram: &[u64], is_allowed: impl Fn(usize) -> bool + Copy) -> f64 {
        let seen = broken(histogram, is_allowed);
        if seen == 0.0 {
            return 0.0;
        }
        let (mut low, mut high) = (0.0, MOST);
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2.0;
            if self.broken(histogram, is_allowed, middle) < seen { low = middle } else { high = middle }
        }
        high
    }
}

/// The probabilities of the likely numbers of n that happen.
fn binomial(n: usize, p: f64) -> Vec<f64> {
    let p = p.min(1.0);
    if p >= 1.0 {
        let mut all = vec![0.0; n + 1];
        all[n] = 1.0;
        return all;
    }
    let mut term = (1.0 - p).powi(n as i32);
    let (mut all, mut sum) = (vec![term], term);
    for count in 1..=n {
        if sum > 1.0 - 1e-9 {
            break;
        }
        term *= (n + 1 - count) as f64 / count as f64 * p / (1.0 - p);
        sum += term;
        all.push(term);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::stream;
    use rand::RngExt;

    fn group(range: std::ops::Range<u32>) -> Constraint {
        Constraint::exactly(1, range.map(|v| Var(v).positive()))
    }

    /// Columns of three values that are all different, with wrong entries.
    fn rows(count: usize, share: f64) -> Examples {
        let random = &mut stream(5, "a test of wrong entries", 0);
        let rows: Vec<Vec<bool>> = (0..count)
            .map(|row| {
                let mut values = [row % 3, (row + 1 + row / 3 % 2) % 3, (row + 2 - row / 3 % 2) % 3];
                for value in &mut values {
                    if random.random_bool(share) {
                        *value = (*value + random.random_range(1..3)) % 3;
                    }
                }
                (0..9).map(|v| values[v / 3] == v % 3).collect()
            })
            .collect();
        Examples::from_full_rows(9, &rows)
    }

    #[test]
    fn the_share_is_found_from_a_rule_and_explains_it() {
        let entries = Entries::new(9, &[group(0..3), group(3..6), group(6..9)]);
        let rule = Constraint::exactly(1, [0, 3, 6].map(|v| Var(v).positive()));
        let examples = rows(3000, 0.05);
        let share = entries.share(&rule, &examples);
        assert!((share - 0.05).abs() < 0.012, "{share}");
        assert!(entries.explain(&rule, &examples, 0.05));
        assert!(!entries.explain(&rule, &examples, 0.01));
        assert_eq!(entries.share(&rule, &rows(300, 0.0)), 0.0);
        let no_rule = Constraint::exactly(1, [0, 4].map(|v| Var(v).positive()));
        assert!(!entries.explain(&no_rule, &examples, 0.05));
    }

    #[test]
    fn all_values_of_a_column_never_change_its_sum() {
        let entries = Entries::new(9, &[group(0..3), group(3..6), group(6..9)]);
        let rates = entries.rates(group(0..3).literals());
        assert_eq!((rates.columns, rates.down), (1, 0.0));
        let histogram = [0, 50, 0, 0];
        assert_eq!(rates.broken(&histogram, |sum| sum == 1, 0.1), 0.0);
    }

    #[test]
    fn probabilities_add_up() {
        for (n, p) in [(0, 0.3), (7, 0.1), (20, 0.02), (3, 1.0)] {
            assert!((binomial(n, p).iter().sum::<f64>() - 1.0).abs() < 1e-8);
        }
    }
}
