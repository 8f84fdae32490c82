//! Rules from the rows of joint training.
//!
//! A row becomes a candidate by rounding its weights. Some rows end between two rules or at none: a
//! candidate becomes a rule if the training examples confirm it, completed by what the network reads in
//! their pictures. Readings are taken, not grounded symbols, which were made to agree with the very rows
//! that they would confirm; where both were tried, they confirmed as many rows, true and wrong. A reading
//! may be wrong, so that a share of the examples may speak against a rule; and they must have been able to
//! do so, as for every rule that is learned ([`preceptron_learn::confirm_at`]).

use std::collections::BTreeSet;

use preceptron_base::{Control, Quiet};
use preceptron_learn::{Bound, Examples, confirm_at, sum_histogram};
use preceptron_logic::{Constraint, Lit, RuleSet, Sums, Var, rank};
use preceptron_perceive::PerceiveError;

use crate::Joint;
use crate::joint::sights;
use crate::joint_core::JointCore;
use crate::joint_settings::BoundsBy;

impl JointCore {
    /// The different rows, weights above one half counting as 1, without empty ones.
    pub(crate) fn distinct_rows(&self) -> Vec<Vec<Lit>> {
        let rows: BTreeSet<Vec<usize>> =
            self.soft.binarised().into_iter().filter(|r| !r.is_empty()).collect();
        rows.iter().map(|row| row.iter().map(|&at| Var(at as u32).positive()).collect()).collect()
    }

    /// The rank of rows over the rationals.
    pub(crate) fn rank(&self, rows: &[Vec<Lit>]) -> usize {
        let row = |row: &Vec<Lit>| row.iter().map(|literal| (literal.var(), 1)).collect();
        rank::rank(rows.iter().map(row), self.variables.len())
    }

    /// The different rows as constraints, whether or not the examples confirm them.
    pub fn candidates(&self, completed: &Examples) -> Vec<Constraint> {
        let constraint = |literals: Vec<Lit>| {
            let histogram = || sum_histogram::histogram(completed, &literals);
            let sums = match (self.settings.bounds, self.settings.sum) {
                (None, Bound::Fixed(sum)) => return Constraint::exactly(sum.round() as u32, literals),
                // Which sum a row has come to is seen in the examples.
                (None, _) => narrowest(&histogram(), 0.5),
                (Some(share), _) => match self.settings.bounds_by {
                    BoundsBy::Share => narrowest(&histogram(), share),
                    BoundsBy::Quantiles => between_quantiles(&histogram(), share),
                },
            };
            Constraint::new(literals, sums)
        };
        self.distinct_rows().into_iter().map(constraint).collect()
    }

    /// For each row whether it is the first of its kind and the completed examples have its sum, but for the share that
    /// may not.
    pub(crate) fn confirmed_rows(&self, completed: &Examples) -> Vec<bool> {
        let mut seen = BTreeSet::new();
        let least = self.settings.threshold * completed.len() as f64;
        let is_new = |(row, at): (usize, Vec<usize>)| {
            let literals: Vec<Lit> = at.iter().map(|&at| Var(at as u32).positive()).collect();
            let is_confirmed = || {
                let histogram = sum_histogram::histogram(completed, &literals);
                let most = match self.settings.sum {
                    Bound::Fixed(sum) => histogram.get(sum.round() as usize).copied(),
                    Bound::Sweep(..) => histogram.get(self.soft.sums[row].round() as usize).copied(),
                    Bound::Updated(_) => histogram.iter().max().copied(),
                };
                most.unwrap_or(0) as f64 >= least
            };
            !at.is_empty() && !seen.contains(&at) && is_confirmed() && seen.insert(at)
        };
        self.soft.binarised().into_iter().enumerate().map(is_new).collect()
    }

    /// The candidates that completed examples confirm, with their evidence.
    pub fn rules(&self, completed: &Examples) -> RuleSet {
        let (threshold, false_alarm) = (self.settings.threshold, self.settings.false_alarm);
        let confirmed =
            |constraint| confirm_at(constraint, "joint training", completed, threshold, false_alarm).ok();
        let rules = self.candidates(completed).into_iter().filter_map(confirmed);
        RuleSet::with_rules(self.variables.clone(), rules)
    }
}

impl Joint<'_> {
    /// The different rows as constraints, whether or not the examples confirm them.
    pub fn candidates(&self, completed: &Examples) -> Vec<Constraint> {
        self.core.candidates(completed)
    }

    /// The candidates that completed examples confirm, with their evidence.
    pub fn rules(&self, completed: &Examples) -> RuleSet {
        self.core.rules(completed)
    }

    /// The training examples with what is known and the likeliest symbol of each sight as the network reads it.
    ///
    /// # Errors
    /// If the network fails.
    pub fn completed_examples(&mut self) -> Result<Examples, PerceiveError> {
        self.completed_first(self.scenes.len(), &Quiet)
    }

    /// The same of the first so many; of fewer, if `control` says to stop.
    ///
    /// # Errors
    /// If the network fails.
    pub(crate) fn completed_first(
        &mut self,
        examples: usize,
        control: &dyn Control,
    ) -> Result<Examples, PerceiveError> {
        let (scenes, n) = (self.scenes, self.scenes.variables().len());
        let all: Vec<usize> = (0..scenes.len().min(examples)).collect();
        let mut rows: Vec<Vec<Option<bool>>> = Vec::with_capacity(all.len());
        for batch in all.chunks(self.core.settings.batch) {
            if control.is_cancelled() {
                break;
            }
            control.advance(batch.len() as u64);
            let read = self.predicted(batch, true)?;
            let known = |&example: &usize| {
                (0..n as u32).map(|var| scenes.known().get(example, Var(var))).collect::<Vec<_>>()
            };
            let begin = rows.len();
            rows.extend(batch.iter().map(known));
            for (at, sight) in sights(scenes, batch) {
                let vars = scenes.symbols(sight);
                let value = |var: &&Var| read[(var.index(), at)];
                let shown = vars.iter().rev().max_by(|a, b| value(a).total_cmp(&value(b)));
                vars.iter().for_each(|var| rows[begin + at][var.index()] = Some(Some(var) == shown));
            }
        }
        Ok(Examples::from_rows(n, &rows))
    }
}

/// The fewest neighbouring sums that at least this share of the examples has; of equally few the ones that
/// most have, and the smallest of these.
fn narrowest(histogram: &[u64], share: f64) -> Sums {
    let total: u64 = histogram.iter().sum();
    let enough = (share * total as f64).ceil() as u64;
    let count = |first: usize, width: usize| histogram[first..first + width].iter().sum::<u64>();
    let best = |width: usize| {
        (0..=histogram.len() - width).rev().max_by_key(|&first| count(first, width)).unwrap_or(0)
    };
    let width = (1..histogram.len()).find(|&width| count(best(width), width) >= enough);
    let width = width.unwrap_or(histogram.len());
    let first = best(width) as u32;
    Sums::range(first, first + width as u32 - 1)
}

/// From the quantile below which half of the rest lies to the one above which the other half does.
fn between_quantiles(histogram: &[u64], share: f64) -> Sums {
    let total: u64 = histogram.iter().sum();
    let outside = (1.0 - share) / 2.0 * total as f64;
    // The first sum, counted from either end, with which more than that is reached.
    fn first<'a>(sums: impl Iterator<Item = (usize, &'a u64)>, outside: f64) -> u32 {
        let sums = sums.scan(0, |reached, (sum, count)| {
            *reached += count;
            Some((sum, *reached))
        });
        let mut beyond = sums.filter(|(_, reached)| *reached as f64 > outside);
        beyond.next().map_or(0, |(sum, _)| sum as u32)
    }
    let sums = || histogram.iter().enumerate();
    let (low, high) = (first(sums(), outside), first(sums().rev(), outside));
    Sums::range(low, high.max(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_that_a_share_satisfies() {
        assert_eq!(narrowest(&[1, 97, 2], 0.95), Sums::range(1, 1));
        assert_eq!(narrowest(&[1, 97, 2], 0.98), Sums::range(1, 2));
        assert_eq!(narrowest(&[1, 97, 2], 1.0), Sums::range(0, 2));
        assert_eq!(narrowest(&[50, 0, 50], 0.9), Sums::range(0, 2));
        assert_eq!(narrowest(&[50, 0, 50], 0.51), Sums::range(0, 2));
    }

    #[test]
    fn bounds_between_quantiles() {
        assert_eq!(between_quantiles(&[1, 97, 2], 0.95), Sums::range(1, 1));
        assert_eq!(between_quantiles(&[1, 96, 3], 0.95), Sums::range(1, 2));
        assert_eq!(between_quantiles(&[1, 97, 2], 1.0), Sums::range(0, 2));
        assert_eq!(between_quantiles(&[0, 50, 50, 0], 1.0), Sums::range(1, 2));
    }
}
