//! What can be done beside training.

use preceptron::AnyAction;

/// All of it.
pub static ACTIONS: &[&dyn AnyAction] = &[&super::bench::Table1];
