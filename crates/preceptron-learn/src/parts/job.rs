//! What is asked of every partition, and what it answers: both can be sent as text.
//!
//! A partition is worked on wherever its rows are; whoever has them calls [`work`]. Answers to one job are merged in any
//! order, by [`Outcome::merge`].

use preceptron_base::Control;
use preceptron_logic::{Constraint, json};
use serde::{Deserialize, Serialize};

use super::{PartsError, Sample, Tally};
use crate::{Pieces, Survey, TableOptions};

/// Work that is the same for every partition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Job {
    /// See what the columns hold.
    Survey,
    /// Choose some rows.
    Sample {
        /// What the columns hold in all partitions.
        survey: Survey,
        /// The number of the first row of each partition.
        starts: Vec<u64>,
        /// The seed of the choice.
        seed: u64,
        /// How many rows.
        rows: usize,
    },
    /// Count what speaks for and against rules.
    Tally {
        /// What the columns hold in all partitions.
        survey: Survey,
        /// The number of the first row of each partition.
        starts: Vec<u64>,
        /// The rules, as their file has them.
        rules: String,
        /// How many of the rows that break a rule are kept.
        keep: usize,
    },
}

/// What a partition answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// To [`Job::Survey`]; nothing of a partition without rows.
    Survey(Option<Survey>),
    /// To [`Job::Sample`].
    Sample(Sample),
    /// To [`Job::Tally`].
    Tally(Tally),
}

impl Job {
    /// The job as bytes, to be sent.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// The job that was sent.
    ///
    /// # Errors
    /// If it is none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Job, PartsError> {
        serde_json::from_slice(bytes).map_err(|error| PartsError::Message(error.to_string()))
    }
}

impl Outcome {
    /// The answer as bytes, to be sent back.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// The answer that was sent back.
    ///
    /// # Errors
    /// If it is none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Outcome, PartsError> {
        serde_json::from_slice(bytes).map_err(|error| PartsError::Message(error.to_string()))
    }
}

/// Does a job on the partition with this number.
///
/// # Errors
/// If its rows cannot be read, or it is not what it was when it was surveyed; and [`PartsError::Cancelled`].
pub fn work(
    job: &Job,
    partition: usize,
    pieces: &mut dyn Pieces,
    options: &TableOptions,
    control: &dyn Control,
) -> Result<Outcome, PartsError> {
    let mut next = || match control.is_cancelled() {
        true => Err(PartsError::Cancelled),
        false => Ok(pieces.next_piece()?),
    };
    let start = |starts: &[u64]| starts.get(partition).copied().ok_or(PartsError::NoSuchPartition(partition));
    match job {
        Job::Survey => {
            let mut all: Option<Survey> = None;
            while let Some(piece) = next()? {
                let rows = piece.rows() as u64;
                match &mut all {
                    None => all = Some(piece.survey()),
                    Some(all) => all.merge(&piece.survey(), piece.file())?,
                }
                control.advance(rows);
            }
            Ok(Outcome::Survey(all))
        }
        Job::Sample { survey, starts, seed, rows } => {
            let (mut at, mut sample) = (start(starts)?, Sample::new(*seed, *rows));
            while let Some(piece) = next()? {
                let examples = piece.table(survey, options)?.examples;
                sample.add(&examples, at);
                at += examples.len() as u64;
                control.advance(examples.len() as u64);
            }
            Ok(Outcome::Sample(sample))
        }
        Job::Tally { survey, starts, rules, keep } => {
            let rules = json::read(rules).map_err(|error| PartsError::Message(error.to_string()))?;
            let constraints: Vec<Constraint> = rules.constraints().cloned().collect();
            let (mut at, mut tally) = (start(starts)?, Tally::new(constraints.len()));
            while let Some(piece) = next()? {
                let examples = piece.table(survey, options)?.examples;
                if examples.variables() != rules.variables().len() {
                    return Err(PartsError::Changed);
                }
                tally.add(&constraints, &examples, at, *keep);
                at += examples.len() as u64;
                control.advance(examples.len() as u64);
            }
            Ok(Outcome::Tally(tally))
        }
    }
}
