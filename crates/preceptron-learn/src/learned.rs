//! What learning ends in: rules, what was dropped and why, a verdict on the data, and a report.

use std::time::Duration;

use preceptron_logic::{Constraint, RuleSet};
use serde::Serialize;

use crate::{NearMiss, Suspect};

/// Why the learner stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchEnd {
    /// Nothing new appeared for the stated number of rounds.
    Exhausted,
    /// The greatest number of rounds was reached.
    Rounds,
    /// The caller asked for it; the rules are those found until then.
    Interrupted,
}

/// Why a candidate is not among the rules.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DropReason {
    /// Too many examples violate it.
    Violated {
        /// The share that satisfies it.
        support: f64,
        /// The first example that violates it, from 0.
        first: usize,
    },
    /// It could hold by chance: too few violations would be expected of independent variables.
    Chance {
        /// The expected number of violations.
        expected: f64,
        /// The number that would have been needed.
        needed: f64,
    },
    /// What it forbids may be rare: as many pairs of values like it occur one to four times as never do.
    Rare {
        /// How many occur so seldom.
        like: usize,
    },
    /// Other rules imply it.
    Implied,
}

/// A candidate that is not among the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Dropped {
    /// The candidate.
    pub constraint: Constraint,
    /// The finder that proposed it.
    pub by: &'static str,
    /// Why it was dropped.
    pub reason: DropReason,
}

/// Is this enough data?
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Verdict {
    /// The number of examples.
    pub examples: usize,
    /// The number of variables.
    pub variables: usize,
    /// The rank of the examples (as differences from one another), if they are complete and not too many
    /// variables: `variables - rank` independent linear equations hold on all examples.
    pub rank: Option<usize>,
    /// The rank of the equalities among the rules.
    pub equality_rank: usize,
    /// Whether every combination of values of up to `stated_size` columns that the rules allow occurs, so that
    /// no rule over so few columns is missing.
    pub enough: bool,
    /// The number of columns up to which it was to be proved that nothing is missing.
    pub stated_size: usize,
    /// The number of columns up to which it is proved.
    pub complete_up_to: usize,
    /// For one column, two columns and so on: combinations of values that occur, and those that the rules allow
    /// and that do not.
    pub combinations: Vec<(u64, u64)>,
    /// What a missing rule over up to three columns would exclude at the most, as a share of what the rules
    /// allow; nothing if that was not looked at.
    pub excluded: Option<f64>,
    /// What share of all rows breaks a single rule at the most, and any of them, with 95% confidence.
    pub rule_bound: f64,
    /// See `rule_bound`.
    pub rules_bound: f64,
    /// Combinations that the rules allow and no example has, the most expected ones first.
    #[serde(skip)]
    pub near_misses: Vec<NearMiss>,
    /// An assignment that the rules allow, that no example is, and that is most suspicious: a value for each
    /// variable.
    #[serde(skip)]
    pub question: Option<Vec<bool>>,
    /// Rules that are not found without the last fifth of the examples; nothing if that was not tried.
    pub gained_late: Option<usize>,
    /// Rules that are found without the last fifth of the examples and not with it.
    pub lost_late: Option<usize>,
    /// The positions, among the rules, of those that rest on few different situations.
    pub ambiguous: Vec<usize>,
    /// Variables that never change: their value is a rule, or they were never tried.
    pub constant: usize,
    /// Candidates that at least nine tenths of the examples satisfy, but not all.
    pub nearly: usize,
    /// Searches that were cut short or left out, in words.
    pub limits: Vec<String>,
}

/// How the work went.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchReport {
    /// Why it ended.
    pub stop: SearchEnd,
    /// Rounds of least squares.
    pub rounds: u32,
    /// Rows or anchors that were solved.
    pub rows: u64,
    /// Candidates that were proposed, by finder.
    pub candidates: Vec<(&'static str, u64)>,
    /// Wall-clock time, by stage.
    #[serde(serialize_with = "seconds")]
    pub times: Vec<(&'static str, Duration)>,
}

fn seconds<S: serde::Serializer>(
    times: &[(&'static str, Duration)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(times.iter().map(|(name, time)| (name, time.as_secs_f64())))
}

/// The rules that were learned, and everything there is to say about them.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// The confirmed rules, each with its evidence.
    pub rules: RuleSet,
    /// Candidates that were not confirmed, or are implied.
    pub dropped: Vec<Dropped>,
    /// Is this enough data?
    pub verdict: Verdict,
    /// The share of examples that had to satisfy a rule.
    pub threshold: f64,
    /// The share of entries that seem to be wrong, where rules need not hold in all examples and it could be told.
    pub wrong: Option<f64>,
    /// Entries that may be wrong, where rules need not hold in all examples.
    pub suspects: Vec<Suspect>,
    /// How the work went.
    pub report: SearchReport,
}
