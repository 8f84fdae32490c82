//! What training ends in: all that is needed to answer.

use std::collections::BTreeMap;

use preceptron_logic::RuleSet;
use preceptron_perceive::{PerceiveError, Perception};
use serde_json::Value;

use crate::Calibration;

/// What a run keeps: rules, network, calibration, and whatever else a task answers by.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// The rules.
    pub rules: RuleSet,
    /// The rules by method, where several were tried.
    pub methods: BTreeMap<String, RuleSet>,
    /// The network, as it saves itself.
    pub network: Option<Vec<u8>>,
    /// How far the network's probabilities can be trusted, where that is known.
    pub calibration: Option<Calibration>,
    /// What else is needed to answer, by name.
    pub parts: BTreeMap<String, Value>,
    /// What was found on the way, for those who ask how the model came about.
    pub found: Value,
}

impl Model {
    /// A model of rules alone.
    pub fn of_rules(rules: RuleSet) -> Model {
        Model { rules, ..Model::default() }
    }

    /// Loads the weights into a network of the same shape.
    ///
    /// # Errors
    /// If there is no network, or one of another shape.
    pub fn load<P: Perception>(&self, mut perception: P) -> Result<P, PerceiveError> {
        perception.load(self.network.as_deref().unwrap_or_default())?;
        Ok(perception)
    }
}
