//! Settings of the form with auxiliary variables: parsed as they come, then checked for a length.

use serde::{Deserialize, Serialize};

use preceptron_base::SettingsError;

/// In which order a step updates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UpdateOrder {
    /// The rows, then the auxiliary variables: Algorithm 1 of the paper.
    #[default]
    Printed,
    /// The auxiliary variables, then the rows: the programs of its authors.
    Authors,
}

/// The settings of [`crate::AuxiliaryForm`], where L is the number of inputs.
///
/// | field | default | range |
/// |---|---|---|
/// | `seed` | 0 | any |
/// | `rows` | 20 | 1 to 1,000 |
/// | `auxiliaries` | L - 1 | 1 to 100,000 |
/// | `bound` (b) | L | above 0, to 10^6 |
/// | `trust_region` (lambda) | 0 | 0 to 10^6 |
/// | `proximal` (1/gamma) | 0.6 L | 0.001 to 10^6 |
/// | `ridge` (r) | L | 0.001 to 10^6 |
/// | `constraint_penalty`, `grounding_penalty` (t1, t2 at the last step) | 0 | 0 to 10^6 |
/// | `iterations` | 400 | 1 to 10^6 |
/// | `order` | `printed` | `printed`, `authors` |
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AuxiliarySettings {
    /// The master seed.
    pub seed: u64,
    /// How many rows are learned at once.
    pub rows: u32,
    /// How many auxiliary variables each example has.
    pub auxiliaries: Option<u32>,
    /// The sum that a row is fitted to, together with the answer.
    pub bound: Option<f64>,
    /// The weight of the trust region around the start.
    pub trust_region: f64,
    /// The weight of the proximal term.
    pub proximal: Option<f64>,
    /// The weight that pulls auxiliary variables to 0.
    pub ridge: Option<f64>,
    /// The pull of weights to 0 or 1 at the last step.
    pub constraint_penalty: f64,
    /// The pull of auxiliary variables to 0 or 1 at the last step.
    pub grounding_penalty: f64,
    /// Steps at the most; fewer if the rows come to rest.
    pub iterations: u32,
    /// What a step updates first.
    pub order: UpdateOrder,
}

impl Default for AuxiliarySettings {
    fn default() -> AuxiliarySettings {
        AuxiliarySettings {
            seed: 0,
            rows: 20,
            auxiliaries: None,
            bound: None,
            trust_region: 0.0,
            proximal: None,
            ridge: None,
            constraint_penalty: 0.0,
            grounding_penalty: 0.0,
            iterations: 400,
            order: UpdateOrder::Printed,
        }
    }
}

/// Settings that have been checked, with every default filled in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckedAuxiliary {
    pub(crate) seed: u64,
    pub(crate) rows: usize,
    pub(crate) auxiliaries: usize,
    pub(crate) bound: f64,
    pub(crate) trust_region: f64,
    pub(crate) proximal: f64,
    pub(crate) ridge: f64,
    pub(crate) constraint_penalty: f64,
    pub(crate) grounding_penalty: f64,
    pub(crate) iterations: u32,
    pub(crate) order: UpdateOrder,
}

impl CheckedAuxiliary {
    /// Steps at the most.
    pub fn iterations(&self) -> u32 {
        self.iterations
    }
}

impl AuxiliarySettings {
    /// Fills in what depends on the number of inputs.
    #[must_use]
    pub fn resolved(mut self, length: usize) -> AuxiliarySettings {
        self.auxiliaries.get_or_insert(length.saturating_sub(1).max(1) as u32);
        self.bound.get_or_insert(length as f64);
        self.proximal.get_or_insert(0.6 * length as f64);
        self.ridge.get_or_insert(length as f64);
        self
    }

    /// Fills in what depends on the number of inputs, and checks every range.
    pub fn check(self, length: usize) -> Result<CheckedAuxiliary, SettingsError> {
        let filled = self.resolved(length);
        let (AuxiliarySettings { rows, iterations, .. }, auxiliaries) =
            (filled, filled.auxiliaries.unwrap_or(1));
        let or_length = |value: Option<f64>| value.unwrap_or(length as f64);
        let within = |key, value: f64, least: f64, range| match (least..=1e6).contains(&value) {
            true => Ok(value),
            false => Err(SettingsError::range(key, value, range)),
        };
        let count = |key, value: u32, most: u32, range| match (1..=most).contains(&value) {
            true => Ok(value as usize),
            false => Err(SettingsError::range(key, value, range)),
        };
        count("iterations", iterations, 1_000_000, "1 to 1000000")?;
        let (positive, any) = ("0.001 to 1000000", "0 to 1000000");
        Ok(CheckedAuxiliary {
            seed: self.seed,
            rows: count("rows", rows, 1000, "1 to 1000")?,
            auxiliaries: count("auxiliaries", auxiliaries, 100_000, "1 to 100000")?,
            bound: within("bound", or_length(filled.bound), f64::MIN_POSITIVE, "above 0, to 1000000")?,
            trust_region: within("trust_region", self.trust_region, 0.0, any)?,
            proximal: within("proximal", or_length(filled.proximal), 1e-3, positive)?,
            ridge: within("ridge", or_length(filled.ridge), 1e-3, positive)?,
            constraint_penalty: within("constraint_penalty", self.constraint_penalty, 0.0, any)?,
            grounding_penalty: within("grounding_penalty", self.grounding_penalty, 0.0, any)?,
            iterations,
            order: self.order,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_depends_on_the_length() {
        let checked = AuxiliarySettings::default().check(20).unwrap();
        assert_eq!(
            (checked.auxiliaries, checked.bound, checked.ridge, checked.proximal),
            (19, 20.0, 20.0, 12.0)
        );
        let given =
            AuxiliarySettings { bound: Some(7.5), auxiliaries: Some(3), ..AuxiliarySettings::default() };
        let checked = given.check(20).unwrap();
        assert_eq!((checked.auxiliaries, checked.bound), (3, 7.5));
    }

    #[test]
    fn what_is_out_of_range_is_named() {
        let message = |settings: AuxiliarySettings| settings.check(5).unwrap_err().to_string();
        let plain = AuxiliarySettings::default();
        assert_eq!(message(AuxiliarySettings { rows: 0, ..plain }), "rows = 0 is out of range: 1 to 1000");
        assert_eq!(
            message(AuxiliarySettings { ridge: Some(f64::NAN), ..plain }),
            "ridge = NaN is out of range: 0.001 to 1000000"
        );
        assert_eq!(
            message(AuxiliarySettings { bound: Some(0.0), ..plain }),
            "bound = 0 is out of range: above 0, to 1000000"
        );
    }
}
