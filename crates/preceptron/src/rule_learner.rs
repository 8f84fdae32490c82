//! Rules from examples: what a schedule needs of a learner, and the learner of tables as a schedule.

use preceptron_base::Control;
use preceptron_learn::{Checked, Examples, Given, Learned, learn_given, learn_unjudged};
use preceptron_logic::{RuleSet, Variables};

use crate::{Metrics, Model, Schedule, State, TrainError};

/// Finds rules in examples, of which not everything need be known.
pub trait RuleLearner {
    /// The rules that the examples confirm; those found until then if `control` says to stop.
    fn learn(&self, variables: &Variables, examples: &Examples, control: &dyn Control) -> RuleSet;

    /// What the cheapest search alone confirms, if there is a cheaper one than [`learn`](RuleLearner::learn):
    /// enough to begin with, where it says what pictures show.
    fn learn_quickly(&self, _: &Variables, _: &Examples, _: &dyn Control) -> Option<RuleSet> {
        None
    }
}

impl RuleLearner for Checked {
    fn learn(&self, variables: &Variables, examples: &Examples, control: &dyn Control) -> RuleSet {
        learn_unjudged(variables, examples, self, control)
    }

    fn learn_quickly(
        &self,
        variables: &Variables,
        examples: &Examples,
        control: &dyn Control,
    ) -> Option<RuleSet> {
        Some(self.cliques_alone()?.learn(variables, examples, control))
    }
}

/// [`preceptron_learn::learn`] on a table, in one step.
pub struct TableLearner<'a> {
    variables: &'a Variables,
    examples: &'a Examples,
    settings: Checked,
    given: Given,
    learned: Option<Learned>,
}

impl<'a> TableLearner<'a> {
    /// A learner that has not begun.
    ///
    /// # Panics
    /// If the examples have another number of variables than `variables` names.
    pub fn new(variables: &'a Variables, examples: &'a Examples, settings: Checked) -> TableLearner<'a> {
        assert_eq!(variables.len(), examples.variables(), "examples of these variables");
        TableLearner { variables, examples, settings, given: Given::default(), learned: None }
    }

    /// The same, beyond rules that are known.
    #[must_use]
    pub fn with_given(mut self, given: Given) -> TableLearner<'a> {
        self.given = given;
        self
    }

    /// Everything that was learned, after the step.
    pub fn learned(self) -> Option<Learned> {
        self.learned
    }
}

impl Schedule for TableLearner<'_> {
    fn name(&self) -> &'static str {
        "table"
    }

    fn steps(&self) -> u64 {
        1
    }

    fn made(&self) -> u64 {
        u64::from(self.learned.is_some())
    }

    fn step(&mut self, control: &dyn Control) -> Result<Metrics, TrainError> {
        let learned = learn_given(self.variables, self.examples, &self.given, &self.settings, control);
        let candidates: u64 = learned.report.candidates.iter().map(|(_, count)| count).sum();
        let metrics =
            Metrics::new([("candidates", candidates as f64), ("rules", learned.rules.len() as f64)]);
        self.learned = Some(learned);
        Ok(metrics)
    }

    /// One step is made again rather than taken up.
    fn state(&self) -> Result<State, TrainError> {
        Ok(State::default())
    }

    fn restore(&mut self, _state: &State) -> Result<(), TrainError> {
        Ok(())
    }

    fn so_far(&mut self) -> Result<Model, TrainError> {
        let none = || RuleSet::new(self.variables.clone());
        Ok(Model::of_rules(self.learned.as_ref().map_or_else(none, |learned| learned.rules.clone())))
    }

    fn finish(&mut self, _control: &dyn Control) -> Result<Model, TrainError> {
        self.so_far()
    }
}
