//! What partitions say of rules: counts that add up, and the first rows that break each.
//!
//! Counts are whole numbers of 64 bits, so that tallies of partitions give the same whatever the partitions are and in
//! whichever order they come.

use preceptron_logic::{Constraint, Evidence};
use serde::{Deserialize, Serialize};

use crate::Examples;
use crate::parts::RowBits;
use crate::sum_histogram::{Spread, Violations};

/// Counts for each of some constraints.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    rows: u64,
    counts: Vec<Counts>,
}

/// What rows say of one constraint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Counts {
    speak: u64,
    violated: u64,
    spread: Spread,
    /// The first rows that violate it.
    first: Vec<RowBits>,
}

impl Tally {
    /// A tally of no rows.
    pub fn new(constraints: usize) -> Tally {
        Tally { rows: 0, counts: vec![Counts::default(); constraints] }
    }

    /// Adds rows, of which the first has this number in the whole table; of those that violate a constraint at most
    /// `keep` are kept.
    pub fn add(&mut self, constraints: &[Constraint], examples: &Examples, start: u64, keep: usize) {
        self.rows += examples.len() as u64;
        for (constraint, counts) in constraints.iter().zip(&mut self.counts) {
            let wanted = keep.saturating_sub(counts.first.len());
            let found = Violations::of(examples, constraint, wanted);
            counts.speak += found.speak;
            counts.violated += found.violated;
            counts.spread.add(examples, constraint);
            counts.first.extend(found.rows.into_iter().map(|row| RowBits::of(examples, row, start)));
        }
    }

    /// Adds another tally of the same constraints.
    pub fn merge(&mut self, other: Tally, keep: usize) {
        self.rows += other.rows;
        for (mine, theirs) in self.counts.iter_mut().zip(other.counts) {
            mine.speak += theirs.speak;
            mine.violated += theirs.violated;
            mine.spread.merge(&theirs.spread);
            mine.first.extend(theirs.first);
            mine.first.sort_by_key(|row| row.row);
            mine.first.truncate(keep);
        }
    }

    /// How many constraints there are.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The evidence for a constraint; how many different situations there are is left as it is.
    pub fn evidence(&self, at: usize, constraint: &Constraint, situations: u64) -> Evidence {
        let Counts { speak, violated, spread, .. } = &self.counts[at];
        Evidence {
            examples: *speak,
            satisfied: speak - violated,
            violated: *violated,
            undecided: self.rows - speak,
            situations,
            expected_violations: spread.expected_violations(constraint),
        }
    }

    /// The first rows that violate a constraint.
    pub fn violating(&self, at: usize) -> &[RowBits] {
        &self.counts[at].first
    }
}
