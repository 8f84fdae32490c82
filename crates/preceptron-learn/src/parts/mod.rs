//! Rules from a table that memory does not hold, or that is spread over machines.
//!
//! Rules are looked for among some rows, chosen at random by their numbers, and then held against all of them:
//! ```text
//! 1. survey    every partition says what its columns hold                 -> the variables
//! 2. sample    every partition offers rows                                -> the rows that are looked at closely
//! 3. learn     as from any table ([`crate::learn`])                       -> rules
//! 4. tally     every partition counts what speaks for and against each    -> evidence, rows that break a rule
//! 5. if rules are broken: these rows join the others, and so on from 3
//! ```
//! So no row of the whole table breaks a rule that is reported, and evidence is counted in all of them. A rule that so few
//! rows speak for that those chosen do not show it is not found; the verdict says how many were chosen. Where all rows are
//! chosen, the result is that of [`crate::learn`].
//!
//! What works on partitions is an [`Engine`]: threads on files ([`Files`]), or whatever else can call [`work`] where the rows
//! are and bring back the bytes. The result depends neither on the number of partitions nor on who worked on them.

mod files;
mod job;
mod sample;
mod tally;

use std::collections::BTreeMap;

use preceptron_base::{Control, stream};
use preceptron_logic::{RuleSet, json};
use rand::Rng;

pub use files::Files;
pub use job::{Job, Outcome, work};
pub use sample::{RowBits, Sample};
pub use tally::Tally;

use crate::{Checked, DropReason, Dropped, Learned, Survey, Table, TableError, TableOptions, learn};

/// Who has the partitions, and has work done on them.
pub trait Engine {
    /// How many partitions there are.
    fn partitions(&self) -> usize;

    /// What to call a partition in errors.
    fn name(&self, partition: usize) -> String {
        format!("part {}", partition + 1)
    }

    /// Has a job done on every partition; the outcomes in the partitions' order.
    ///
    /// # Errors
    /// If a partition cannot be worked on, or the work is cancelled.
    fn run(&self, job: &Job, control: &dyn Control) -> Result<Vec<Outcome>, PartsError>;
}

/// Why rules could not be learned from partitions.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartsError {
    /// A table that cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// No partition, or none with rows.
    #[error("there are no rows")]
    NoRows,
    /// A job for a partition that does not exist.
    #[error("there is no partition {0}")]
    NoSuchPartition(usize),
    /// A partition is another one when it is read again.
    #[error("a part of the table changed while it was read")]
    Changed,
    /// Bytes that are no job or no outcome.
    #[error("is not a message of this program: {0}")]
    Message(String),
    /// What an engine says.
    #[error("{0}")]
    Engine(String),
    /// The work was cancelled before there were rules.
    #[error("stopped before there were rules")]
    Cancelled,
}

/// How closely to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closeness {
    /// How many rows are looked at closely, at the most; without it [`ROWS`], or as many as take [`MEMORY`].
    pub rows: Option<usize>,
    /// How often rules are learned again, at the most.
    pub rounds: usize,
    /// How many rows that break a rule join the others.
    pub keep: usize,
}

impl Default for Closeness {
    fn default() -> Closeness {
        Closeness { rows: None, rounds: 8, keep: 16 }
    }
}

/// How many rows are looked at closely, unless one says otherwise: more of them cost the search time, and few rules need
/// them.
pub const ROWS: usize = 250_000;

/// What these rows may take at the most, in bytes.
pub const MEMORY: usize = 64 << 20;

/// What was learned from partitions.
#[derive(Clone, Debug)]
pub struct PartsLearned {
    /// The rules, their evidence counted in all rows, and the verdict.
    pub learned: Learned,
    /// The variables, what is to be said of the reading, and the rows that were looked at closely.
    pub table: Table,
    /// How many rows there are in all.
    pub rows: u64,
    /// How often rules were learned.
    pub rounds: usize,
}

/// Learns the rules that hold in all partitions.
///
/// # Errors
/// If a partition cannot be read, there are no rows, or the work is cancelled before there are rules.
pub fn learn_parts(
    engine: &dyn Engine,
    options: &TableOptions,
    settings: &Checked,
    closeness: Closeness,
    control: &dyn Control,
) -> Result<PartsLearned, PartsError> {
    control.stage("rows", 0);
    let (survey, starts) = surveyed(engine, engine.run(&Job::Survey, control)?)?;
    let rows = survey.rows();
    let mut table = survey.empty_table("the table", options)?;
    let variables = table.variables.len();
    let fitting = MEMORY / variables.div_ceil(64).max(1) / 16;
    let chosen = closeness.rows.unwrap_or(fitting.min(ROWS)).max(1);
    let seed = stream(settings.seed, "rows that are looked at closely", 0).next_u64();
    let job = Job::Sample { survey: survey.clone(), starts: starts.clone(), seed, rows: chosen };
    control.stage("choosing rows", rows);
    let sample = sampled(engine.run(&job, control)?, seed, chosen)?;
    let mut added: BTreeMap<u64, RowBits> = BTreeMap::new();
    let mut rounds = 0;
    loop {
        rounds += 1;
        table.examples = sample::examples_of(variables, sample.rows().chain(added.values()));
        let mut learned = learn(&table.variables, &table.examples, settings, control);
        let is_all = table.examples.len() as u64 == rows;
        if is_all {
            return Ok(PartsLearned { learned, table, rows, rounds });
        }
        let job = Job::Tally {
            survey: survey.clone(),
            starts: starts.clone(),
            rules: json::write(&learned.rules),
            keep: closeness.keep,
        };
        control.stage("counting in all rows", rows);
        let tally = tallied(engine.run(&job, control)?, learned.rules.len(), closeness.keep)?;
        let evidence: Vec<_> = (learned.rules.rules().iter().enumerate())
            .map(|(at, rule)| tally.evidence(at, &rule.constraint, rule.evidence.situations))
            .collect();
        let is_broken = |at: &usize| evidence[*at].support() < settings.threshold;
        let broken: Vec<usize> = (0..evidence.len()).filter(is_broken).collect();
        let before = added.len();
        // Where rows may be wrong, a few that break a rule do not show that it is none.
        if settings.threshold == 1.0 && rounds < closeness.rounds && !control.is_cancelled() {
            let rows = broken.iter().flat_map(|&at| tally.violating(at));
            added.extend(rows.map(|row| (row.row, row.clone())));
        }
        if added.len() > before {
            continue;
        }
        let looked_at = table.examples.len();
        settle(&mut learned, evidence, &broken, looked_at, rows);
        return Ok(PartsLearned { learned, table, rows, rounds });
    }
}

/// Gives rules the evidence of all rows, and leaves out those that it is against.
fn settle(
    learned: &mut Learned,
    evidence: Vec<preceptron_logic::Evidence>,
    broken: &[usize],
    looked_at: usize,
    rows: u64,
) {
    let mut kept = Vec::new();
    for (at, (rule, evidence)) in learned.rules.rules().iter().zip(evidence).enumerate() {
        match broken.contains(&at) {
            true => learned.dropped.push(Dropped {
                constraint: rule.constraint.clone(),
                by: "all rows",
                reason: DropReason::Violated { support: evidence.support(), first: 0 },
            }),
            false => kept.push(preceptron_logic::Rule { evidence, ..rule.clone() }),
        }
    }
    let of =
        kept.iter().filter(|rule| matches!(rule.origin, preceptron_logic::Origin::Learned { .. })).count();
    learned.rules = RuleSet::with_rules(learned.rules.variables().clone(), kept);
    let verdict = &mut learned.verdict;
    verdict.examples = usize::try_from(rows).unwrap_or(usize::MAX);
    verdict.rule_bound = (3.0 / rows.max(1) as f64).min(1.0);
    verdict.rules_bound = (((of.max(1) as f64).ln() + 3.0) / rows.max(1) as f64).min(1.0);
    verdict.limits.insert(
        0,
        format!(
            "rules were looked for in {looked_at} of the {rows} rows, then counted in all of them: a rule that fewer \
             rows speak for is not found, and a combination that was not seen among these rows may be in others"
        ),
    );
}

/// What all partitions hold, and the number of the first row of each.
fn surveyed(engine: &dyn Engine, outcomes: Vec<Outcome>) -> Result<(Survey, Vec<u64>), PartsError> {
    let (mut all, mut starts, mut at): (Option<Survey>, _, _) = (None, vec![], 0);
    for (number, outcome) in outcomes.into_iter().enumerate() {
        let Outcome::Survey(survey) = outcome else { return Err(odd("a survey")) };
        starts.push(at);
        let Some(survey) = survey else { continue };
        at += survey.rows();
        match &mut all {
            None => all = Some(survey),
            Some(all) => all.merge(&survey, &engine.name(number))?,
        }
    }
    Ok((all.filter(|all| all.rows() > 0).ok_or(PartsError::NoRows)?, starts))
}

fn sampled(outcomes: Vec<Outcome>, seed: u64, rows: usize) -> Result<Sample, PartsError> {
    let mut all = Sample::new(seed, rows);
    for outcome in outcomes {
        let Outcome::Sample(sample) = outcome else { return Err(odd("a sample")) };
        all.merge(sample);
    }
    Ok(all)
}

fn tallied(outcomes: Vec<Outcome>, rules: usize, keep: usize) -> Result<Tally, PartsError> {
    let mut all = Tally::new(rules);
    for outcome in outcomes {
        match outcome {
            Outcome::Tally(tally) if tally.len() == rules => all.merge(tally, keep),
            _ => return Err(odd("a tally of these rules")),
        }
    }
    Ok(all)
}

fn odd(expected: &str) -> PartsError {
    PartsError::Message(format!("{expected} was asked for"))
}
