//! What can be wrong with batches, settings and saved layers.

use preceptron_base::SettingsError;

/// What was wrong, and where.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SatNetError {
    /// A setting is out of its range.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A layer without variables.
    #[error("a layer needs a variable")]
    NoVariables,
    /// The values are not those of whole examples.
    #[error("{values} {what} are not {expected}")]
    Length {
        /// What they are.
        what: &'static str,
        /// How many there are.
        values: usize,
        /// How many there should be, in words.
        expected: String,
    },
    /// An input is not a probability.
    #[error("example {example}: variable {variable} is {value}, not a probability")]
    Input {
        /// The example, counted from 0.
        example: usize,
        /// The variable, counted from 0.
        variable: usize,
        /// Its value.
        value: f32,
    },
    /// A cell holds a class that there is not.
    #[error("cell {cell} holds class {class} of {classes}")]
    Class {
        /// The cell, counted from 0.
        cell: usize,
        /// What it holds.
        class: u8,
        /// How many classes there are.
        classes: u8,
    },
    /// No output of a batch has a target.
    #[error("a batch needs an output that is judged")]
    NothingJudged,
    /// The derivatives are no longer numbers; the layer is that of before the step.
    #[error("training diverged at step {step}: the loss or its derivatives are not finite")]
    Diverged {
        /// Steps made before.
        step: u64,
    },
    /// A saved layer cannot be understood or written.
    #[error("saved layer: {0}")]
    Format(#[from] safetensors::SafeTensorError),
    /// A tensor of a saved layer is missing or does not fit this layer.
    #[error("saved layer: {name}: {problem}")]
    Tensor {
        /// The tensor's name.
        name: &'static str,
        /// What is wrong with it.
        problem: String,
    },
}

impl SatNetError {
    /// A slice of another length than it should have.
    pub(super) fn length(what: &'static str, values: usize, expected: impl Into<String>) -> SatNetError {
        SatNetError::Length { what, values, expected: expected.into() }
    }
}
