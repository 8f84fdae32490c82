//! Settings of training: parsed as they come, then checked into a type that cannot be wrong.

use serde::{Deserialize, Serialize};

use crate::{Augmentation, Objective, PerceiveError};

/// How weight decay enters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Optimiser {
    /// Adam: the decay is part of the gradient.
    #[default]
    Adam,
    /// AdamW: the decay is apart from it.
    AdamW,
}

/// The settings of a [`crate::Classifier`]. Every field has a default; [`Settings::check`] says what is out
/// of range.
///
/// | field | default | range |
/// |---|---|---|
/// | `seed` | 0 | any |
/// | `objective` | `cross_entropy` | `cross_entropy`, `squared` |
/// | `optimiser` | `adam` | `adam`, `adam_w` |
/// | `learning_rate` (at its highest) | 0.002 | above 0, to 10 |
/// | `steps` until it is 0 | none: it stays | 1 to 10^9 |
/// | `warm_up` (steps) | 50 | 0 to 10^6 |
/// | `weight_decay` | 0 | 0 to 10 |
/// | `gradient_memory` (beta 1) | 0.9 | 0 to 0.9999 |
/// | `square_memory` (beta 2) | 0.999 | 0 to 0.999999 |
/// | `averaging` | 0.998 | 0 (none) to 0.999999 |
/// | `augmentation` | none | see [`Augmentation`] |
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// The master seed: of the first weights and of the augmentation.
    pub seed: u64,
    /// What is made small.
    pub objective: Objective,
    /// How weight decay enters.
    pub optimiser: Optimiser,
    /// The learning rate after warming up.
    pub learning_rate: f64,
    /// Steps after which the learning rate has fallen to 0, along a cosine.
    pub steps: Option<u64>,
    /// Steps in which the learning rate rises.
    pub warm_up: u64,
    /// The pull of kernels towards 0; scales and shifts are left alone.
    pub weight_decay: f64,
    /// What the mean of gradients keeps in each step.
    pub gradient_memory: f64,
    /// What the mean of squared gradients keeps in each step.
    pub square_memory: f64,
    /// What the averaged weights keep in each step; prediction uses them. 0 for none.
    pub averaging: f64,
    /// How training images are varied.
    pub augmentation: Augmentation,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: 0,
            objective: Objective::CrossEntropy,
            optimiser: Optimiser::Adam,
            learning_rate: 2e-3,
            steps: None,
            warm_up: 50,
            weight_decay: 0.0,
            gradient_memory: 0.9,
            square_memory: 0.999,
            averaging: 0.998,
            augmentation: Augmentation::default(),
        }
    }
}

/// Settings that have been checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Checked(Settings);

impl Checked {
    /// The same with this share of the learning rate.
    pub(crate) fn at_pace(&self, share: f64) -> Checked {
        Checked(Settings { learning_rate: self.0.learning_rate * share, ..self.0 })
    }
}

impl std::ops::Deref for Checked {
    type Target = Settings;
    fn deref(&self) -> &Settings {
        &self.0
    }
}

impl Settings {
    /// Checks every range.
    pub fn check(self) -> Result<Checked, PerceiveError> {
        let within = |key, value: f64, ok: bool, range| match ok && value.is_finite() {
            true => Ok(()),
            false => Err(PerceiveError::Setting { key, value: value.to_string(), range }),
        };
        let (rate, steps) = (self.learning_rate, self.steps.unwrap_or(1));
        within("learning_rate", rate, rate > 0.0 && rate <= 10.0, "above 0, to 10")?;
        within("steps", steps as f64, (1..=1_000_000_000).contains(&steps), "1 to 1000000000")?;
        within("warm_up", self.warm_up as f64, self.warm_up <= 1_000_000, "0 to 1000000")?;
        within("weight_decay", self.weight_decay, (0.0..=10.0).contains(&self.weight_decay), "0 to 10")?;
        for (key, value, most, range) in [
            ("gradient_memory", self.gradient_memory, 0.9999, "0 to 0.9999"),
            ("square_memory", self.square_memory, 0.999_999, "0 to 0.999999"),
            ("averaging", self.averaging, 0.999_999, "0 to 0.999999"),
        ] {
            within(key, value, (0.0..=most).contains(&value), range)?;
        }
        let Augmentation { shift, rotation, scale, shear, translation, bend } = self.augmentation;
        within("augmentation.shift", f64::from(shift), shift <= 1000, "0 to 1000")?;
        for (key, value, most, range) in [
            ("augmentation.rotation", rotation, 180.0, "0 to 180"),
            ("augmentation.scale", scale, 0.9, "0 to 0.9"),
            ("augmentation.shear", shear, 0.9, "0 to 0.9"),
            ("augmentation.translation", translation, 1000.0, "0 to 1000"),
            ("augmentation.bend", bend, 1000.0, "0 to 1000"),
        ] {
            within(key, f64::from(value), (0.0..=most).contains(&value), range)?;
        }
        Ok(Checked(self))
    }

    /// The learning rate of a step, counted from 0: rising in a line while warming up, then falling along a
    /// cosine that reaches 0 at `steps`.
    pub fn rate(&self, step: u64) -> f64 {
        let warm = ((step + 1) as f64 / (self.warm_up + 1) as f64).min(1.0);
        let fall = self.steps.map_or(1.0, |steps| {
            let begin = self.warm_up.min(steps);
            let done = step.saturating_sub(begin) as f64 / (steps - begin).max(1) as f64;
            0.5 * (1.0 + (std::f64::consts::PI * done.min(1.0)).cos())
        });
        self.learning_rate * warm * fall
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_and_falls() {
        let settings = Settings { learning_rate: 1.0, warm_up: 4, steps: Some(14), ..Settings::default() };
        let rates: Vec<f64> = [0, 1, 4, 9, 14, 99].map(|step| settings.rate(step)).to_vec();
        for (found, expected) in rates.iter().zip([0.2, 0.4, 1.0, 0.5, 0.0, 0.0]) {
            assert!((found - expected).abs() < 1e-12, "{rates:?}");
        }
        let constant = Settings { steps: None, ..settings };
        assert_eq!(constant.rate(1_000_000), 1.0);
    }

    #[test]
    fn what_is_out_of_range_is_named() {
        let message = |settings: Settings| settings.check().unwrap_err().to_string();
        let plain = Settings::default();
        assert_eq!(
            message(Settings { learning_rate: f64::NAN, ..plain }),
            "learning_rate = NaN is out of range: above 0, to 10"
        );
        assert_eq!(
            message(Settings { averaging: 1.0, ..plain }),
            "averaging = 1 is out of range: 0 to 0.999999"
        );
        let augmentation = Augmentation { scale: 1.5, ..Augmentation::default() };
        assert_eq!(
            message(Settings { augmentation, ..plain }),
            "augmentation.scale = 1.5 is out of range: 0 to 0.9"
        );
    }
}
