//! What can be wrong with names.

use crate::ExpressionError;

/// What is wrong with a set of names, or with what is said of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariablesError {
    /// Two variables with one name.
    #[error("the name {name:?} is given twice (variables {first} and {second})")]
    Duplicate {
        /// The name.
        name: String,
        /// The number of the first variable with it, from 1.
        first: usize,
        /// The number of the second variable with it, from 1.
        second: usize,
    },
    /// An empty name.
    #[error("variable {number} has an empty name")]
    Empty {
        /// The variable's number, from 1.
        number: usize,
    },
    /// A name that a line-based format cannot hold.
    #[error("variable {number}: the name {name:?} has a control character")]
    Control {
        /// The variable's number, from 1.
        number: usize,
        /// The name.
        name: String,
    },
    /// Names of one block with different axes.
    #[error("block {block:?} has axes ({first}) in one name and ({second}) in another, {name:?}")]
    Axes {
        /// The block's name.
        block: String,
        /// The axes of the first name of the block.
        first: String,
        /// The axes of the offending name.
        second: String,
        /// The offending name.
        name: String,
    },
    /// A derived axis whose name is taken.
    #[error("block {block:?} already has an axis {axis:?}")]
    AxisTaken {
        /// The block's name.
        block: String,
        /// The axis's name.
        axis: String,
    },
    /// No block has all the axes that an expression names.
    #[error("no block has the axes that {name:?} is computed from ({axes}); {there}")]
    NoSuchAxes {
        /// The derived axis.
        name: String,
        /// The axes that the expression names.
        axes: String,
        /// The blocks and axes that there are.
        there: String,
    },
    /// No block, or no axis of it, by that name.
    #[error("there is no axis {axis:?} in a block {block:?}")]
    NoSuchAxis {
        /// The block's name.
        block: String,
        /// The axis's name.
        axis: String,
    },
    /// An axis that an expression names has labels that are not numbers.
    #[error("axis {axis:?} has the label {label:?}, which is not a number to compute with")]
    NotANumber {
        /// The axis.
        axis: String,
        /// The label.
        label: String,
    },
    /// The expression has no value somewhere.
    #[error("derived axis {name:?} at {place}: {error}")]
    Evaluation {
        /// The derived axis.
        name: String,
        /// The variable's name.
        place: String,
        /// Why there is no value.
        error: ExpressionError,
    },
}
