//! Settings of the form with auxiliary variables: parsed as they come, then checked for a length.

use preceptron_base::{Above, Settings, SettingsError, choices, settings};

choices! {
    /// In which order a step updates.
    pub enum UpdateOrder: Printed {
        /// The rows first, then the symbols: Algorithm 1 of the paper.
        Printed = "printed",
        /// The symbols first, then the rows: the programs of its authors.
        Authors = "authors",
    }
}

settings! {
    /// The settings of [`crate::AuxiliaryForm`], where L is the number of inputs.
    #[derive(Copy)]
    pub struct AuxiliarySettings {
        /// How many rows are learned at once.
        rows: u32 = 20, "M" in 1..=1000;
        /// How many auxiliary variables each example has [default: L - 1].
        auxiliaries: Option<u32> = None, "N" in 1..=100_000;
        /// The sum that a row is fitted to, together with the answer [default: L].
        bound: Option<f64> = None, "B" in Above(0.0, 1e6);
        /// The weight of the trust region around the start.
        trust_region: f64 = 0.0, "WEIGHT" in 0.0..=1e6;
        /// The weight of the proximal term [default: 0.6 L].
        proximal: Option<f64> = None, "WEIGHT" in 0.001..=1e6;
        /// The weight that pulls auxiliary variables to 0 [default: L; the authors' programs have 1].
        ridge: Option<f64> = None, "WEIGHT" in 0.001..=1e6;
        /// The pull of weights to 0 or 1 at the last step.
        constraint_penalty: f64 = 0.0, "WEIGHT" in 0.0..=1e6;
        /// The pull of auxiliary variables to 0 or 1 at the last step.
        grounding_penalty: f64 = 0.0, "WEIGHT" in 0.0..=1e6;
        /// Steps at the most; fewer if the rows come to rest.
        iterations: u32 = 400, "N" in 1..=1_000_000;
        /// What a step updates first.
        order: UpdateOrder = UpdateOrder::Printed, "ORDER";
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
    ///
    /// # Errors
    /// With the first setting that is out of its range.
    pub fn checked(self, length: usize, seed: u64) -> Result<CheckedAuxiliary, SettingsError> {
        let filled = self.resolved(length);
        filled.check()?;
        let or_length = |value: Option<f64>| value.unwrap_or(length as f64);
        Ok(CheckedAuxiliary {
            seed,
            rows: filled.rows as usize,
            auxiliaries: filled.auxiliaries.unwrap_or(1) as usize,
            bound: or_length(filled.bound),
            trust_region: filled.trust_region,
            proximal: or_length(filled.proximal),
            ridge: or_length(filled.ridge),
            constraint_penalty: filled.constraint_penalty,
            grounding_penalty: filled.grounding_penalty,
            iterations: filled.iterations,
            order: filled.order,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_depends_on_the_length() {
        let checked = AuxiliarySettings::default().checked(20, 0).unwrap();
        assert_eq!(
            (checked.auxiliaries, checked.bound, checked.ridge, checked.proximal),
            (19, 20.0, 20.0, 12.0)
        );
        let given =
            AuxiliarySettings { bound: Some(7.5), auxiliaries: Some(3), ..AuxiliarySettings::default() };
        let checked = given.checked(20, 0).unwrap();
        assert_eq!((checked.auxiliaries, checked.bound), (3, 7.5));
    }

    #[test]
    fn what_is_out_of_range_is_named() {
        let message = |settings: AuxiliarySettings| settings.checked(5, 0).unwrap_err().to_string();
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
