//! What is learned after the last epoch, and the model that all of it is.

use std::collections::BTreeMap;

use preceptron::Model;
use preceptron_base::Control;
use preceptron_logic::{RelativeRule, RuleSet};
use serde::{Deserialize, Serialize};

use super::super::{Kind, LearnedRules, Map, RuleSettings, learn_rules, rule_set_in_words};
use super::choosing::Chooser;
use super::learner::LIKELY;
use super::planning::{believed, lessons};
use super::trained::PLANNER;
use super::{Choices, LearningError, PathLearner, Supervision};

/// Of the co-occurrences of path and obstacle that chance would have, the share that predicted maps may have.
const EXCEPTIONS: f64 = 0.4;

/// Cells from which rules on obstacles are learned have this probability, so that few of them are none.
const SURE: f32 = 0.8;

/// What was found on the way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// What holds of starts, ends and obstacles alone, in words.
    pub facts: Vec<String>,
    /// Frames trained on, and frames held out to choose settings.
    pub frames: [usize; 2],
    /// Clauses in the last epoch: those that are certain, and those that are likely.
    pub clauses: [usize; 2],
    /// How often preferences choose the path shown, where there is a choice.
    pub trust: f64,
    /// The F1 of paths on the frames held out.
    pub held_out_f1: f64,
}

impl PathLearner<'_> {
    /// Learns preferences and rules once more from the maps that are believed in, and chooses what to plan by.
    pub(super) fn last(&mut self, control: &dyn Control) -> Result<Model, LearningError> {
        let (settings, frames) = (self.settings, self.seen.frames);
        let Some(planner) = self.planner.clone() else { return self.model(Choices::default(), 0.0) };
        if settings.supervision == Supervision::Paths {
            let train = self.believed(&self.train, LIKELY)?;
            self.prefer(&train);
            self.trust()?;
            self.learned = self.rules_with(&self.believed(&self.held_out, SURE)?, control)?;
        }
        let found = self.seen.predict(&self.mapper, &self.held_out)?;
        let frames = &frames.subset(&self.held_out);
        let chooser = Chooser { frames, planner: &planner, settings: &settings, control };
        let (choices, held_out_f1) = chooser.choose(&found, self.changed.preferences.as_ref())?;
        self.model(choices, held_out_f1)
    }

    /// What was learned, to be planned by these choices.
    pub(super) fn model(&self, choices: Choices, held_out_f1: f64) -> Result<Model, LearningError> {
        let fault = |error: serde_json::Error| LearningError::State(error.to_string());
        let learned = self.learned.as_ref();
        let findings = Findings {
            facts: learned.map(|learned| rule_set_in_words(&learned.facts)).unwrap_or_default(),
            frames: [self.train.len(), self.held_out.len()],
            clauses: self.changed.clauses,
            trust: self.changed.trust,
            held_out_f1,
        };
        Ok(Model {
            rules: learned.map_or_else(RuleSet::default, |learned| learned.rules.clone()),
            network: Some(self.mapper.save()?),
            parts: BTreeMap::from([(PLANNER.to_owned(), serde_json::to_value(choices).map_err(fault)?)]),
            found: serde_json::to_value(findings).map_err(fault)?,
            ..Model::default()
        })
    }

    /// The maps of what is blocked with more than a probability by the network.
    fn believed(&self, numbers: &[usize], least: f32) -> Result<Vec<Map>, LearningError> {
        let found = self.seen.predict(&self.mapper, numbers)?;
        Ok(found.rows().map(|row| believed(self.seen.frames.grid, row, least)).collect())
    }

    /// The rules that are known, and those on obstacles by these maps of the frames held out.
    fn rules_with(
        &self,
        held_out: &[Map],
        control: &dyn Control,
    ) -> Result<Option<LearnedRules>, LearningError> {
        let (frames, seed) = (self.seen.frames, self.settings.seed);
        let settings = RuleSettings { seed, exceptions: EXCEPTIONS, ..RuleSettings::default() };
        let found =
            learn_rules(&frames.grid, &lessons(frames, &self.held_out, held_out), &settings, control)?;
        let mut learned = self.learned.clone();
        let is_of_obstacles = |rule: &&RelativeRule| {
            rule.terms.iter().chain(&rule.gate).any(|term| term.block == Kind::Obstacle.name())
        };
        if let Some(learned) = &mut learned {
            for rule in found.rules.relative().iter().filter(is_of_obstacles) {
                learned.rules.insert_relative(rule.clone());
            }
        }
        Ok(learned)
    }
}
