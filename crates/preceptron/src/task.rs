//! What a task is.

use preceptron_learn::Examples;
use preceptron_logic::{RuleSet, Variables};

use crate::Metrics;

/// Which examples to score on: never any that were trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldOut {
    /// How many.
    pub count: usize,
    /// The seed that they are drawn or chosen by.
    pub seed: u64,
}

/// Data to learn rules from, and to judge them by.
pub trait Task {
    /// The task's name, as in `precept train NAME`.
    fn name(&self) -> &'static str;

    /// The variables of the rules.
    fn variables(&self) -> &Variables;

    /// The examples to learn from.
    fn training(&self) -> &Examples;

    /// How well rules answer examples that were held out.
    fn score(&self, rules: &RuleSet, held_out: HeldOut) -> Metrics;
}
