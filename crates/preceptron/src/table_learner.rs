//! The learner of tables as a learner of one step.

use preceptron_base::Control;
use preceptron_learn::{Checked, Examples, Learned, learn};
use preceptron_logic::{RuleSet, Variables};

use crate::{Learner, Metrics, Step};

/// [`preceptron_learn::learn`] on a table, in one step.
pub struct TableLearner<'a> {
    variables: &'a Variables,
    examples: &'a Examples,
    settings: Checked,
    learned: Option<Learned>,
}

impl<'a> TableLearner<'a> {
    /// A learner that has not begun.
    ///
    /// # Panics
    /// If the examples have another number of variables than `variables` names.
    pub fn new(variables: &'a Variables, examples: &'a Examples, settings: Checked) -> TableLearner<'a> {
        assert_eq!(variables.len(), examples.variables(), "examples of these variables");
        TableLearner { variables, examples, settings, learned: None }
    }

    /// Everything that was learned, after the step.
    pub fn learned(&self) -> Option<&Learned> {
        self.learned.as_ref()
    }
}

impl Learner for TableLearner<'_> {
    fn steps(&self) -> u64 {
        1
    }

    fn step(&mut self, control: &dyn Control) -> Step {
        let learned = learn(self.variables, self.examples, &self.settings, control);
        let candidates: u64 = learned.report.candidates.iter().map(|(_, count)| count).sum();
        let metrics =
            Metrics::new([("candidates", candidates as f64), ("rules", learned.rules.len() as f64)]);
        self.learned = Some(learned);
        Step { metrics, settled: !control.is_cancelled() }
    }

    fn rules(&self) -> RuleSet {
        match &self.learned {
            Some(learned) => learned.rules.clone(),
            None => RuleSet::new(self.variables.clone()),
        }
    }
}
