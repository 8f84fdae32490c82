//! What can be wrong with examples, settings and saved rivals.

use preceptron::TrainError;
use preceptron_base::SettingsError;
use preceptron_perceive::PerceiveError;

use crate::{CellForm, SatNetError};

/// What was wrong, and where.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RivalError {
    /// An example does not fit the others.
    #[error("example {example}: {problem}")]
    Example {
        /// The example, from 1.
        example: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// The examples are not of the form that the rival was made for.
    #[error("the rival was made for {expected}, the examples have {found}")]
    Form {
        /// What the rival takes.
        expected: Box<CellForm>,
        /// What was handed in.
        found: Box<CellForm>,
    },
    /// A setting is out of range.
    #[error("{key} = {value} is out of range: {range}")]
    Setting {
        /// The setting.
        key: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        range: &'static str,
    },
    /// A setting is out of range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// No cell of a batch has a known answer.
    #[error("a batch needs a cell whose answer is known")]
    EmptyBatch,
    /// A loss or a gradient is not a number.
    #[error("training diverged at step {step}: lower the learning rate")]
    Diverged {
        /// The step.
        step: u64,
    },
    /// A tensor of a file is missing or does not fit.
    #[error("tensor {name} {problem}")]
    Tensor {
        /// The tensor.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The file is not one of tensors.
    #[error(transparent)]
    File(#[from] safetensors::SafeTensorError),
    /// The network for pictures.
    #[error(transparent)]
    Perceive(#[from] PerceiveError),
    /// A layer of SATNet.
    #[error(transparent)]
    SatNet(#[from] SatNetError),
    /// The threads could not be started.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl From<RivalError> for TrainError {
    fn from(error: RivalError) -> TrainError {
        TrainError::Task(Box::new(error))
    }
}
