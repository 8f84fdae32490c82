//! Settings of joint training: parsed as they come, then checked into a type that cannot be wrong.

use preceptron_base::SettingsError;
use preceptron_learn::UpdateOrder;
use serde::{Deserialize, Serialize};

/// A number that goes in equal steps from its first value to its last in the course of training.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Course {
    /// The value in the first step.
    pub first: f64,
    /// The value in the last step.
    pub last: f64,
}

impl Course {
    /// A number that stays as it is.
    pub fn fixed(value: f64) -> Course {
        Course { first: value, last: value }
    }

    /// The value in a step, counted from 0, of so many.
    pub fn at(self, step: u64, steps: u64) -> f64 {
        let last = steps.saturating_sub(1).max(1);
        self.first + (self.last - self.first) * step.min(last) as f64 / last as f64
    }
}

/// Which sums a row allows once its weights are 0 or 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowBounds {
    /// The sum that it was fitted to.
    #[default]
    Fitted,
    /// The fewest neighbouring sums that this share of the examples shows, with what the network reads.
    Share(f64),
}

/// How joint training goes. The weights of the rows' update are per example: the constants of the paper and
/// of its authors' programs are for sums over a batch of 64, and are to be divided by it (lambda 0.1/64,
/// 1/gamma 1000/64 and t1 0.1/64 in an epoch, for 300 epochs). The defaults are for a tenth of the epochs.
///
/// | field | symbol | default | range |
/// |---|---|---|---|
/// | `rows` | m | 300 | 1 to 100,000 |
/// | `epochs` | | 30 | 1 to 10^6 |
/// | `batch` (examples in a step) | N | 64 | 1 to 10^5 |
/// | `sum` | b | 1 | above 0, to 10^6 |
/// | `trust_region` (0 is the ablation NTR) | lambda | 0.2/64 | 0 to 100 |
/// | `proximal` | 1/gamma | 100/64 | 0.001 to 10^6 |
/// | `constraint_penalty` (rise in an epoch; 0 is NDC) | t1 | 0.002 | 0 to 10^6 |
/// | `grounding_penalty` (rise in an epoch; 0 is NDC) | t2 | 0.02 | 0 to 10^6 |
/// | `warm_up` (epochs) | | 10 | 0 to 10^6 |
/// | `network_weight` | alpha | 0.5 | 10^-6 to 10^6 |
/// | `one_hot_weight` | rho | 0 | 0 to 100 |
/// | `order` | | `printed` | `printed`, `authors` |
/// | `bounds` | b_min, b_max | `fitted` | `fitted`, `share` above 0.5, to 1 |
/// | `threshold` | k% | 0.95 | above 0.5, to 1 |
/// | `false_alarm` | | 0.001 | above 0, to 0.5 |
/// | `seed` | | 0 | any |
/// | `threads` | | 2 | 1 to 1,024 |
///
/// The loss of the network, squared or cross-entropy, is a setting of the network itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JointSettings {
    /// Rows of weights that are learned.
    pub rows: usize,
    /// How often training goes through all examples.
    pub epochs: u64,
    /// Examples in a step.
    pub batch: usize,
    /// The sum that every row is fitted to.
    pub sum: f64,
    /// The weight of the pull towards each row's centre.
    pub trust_region: f64,
    /// The weight of the pull towards the row before the step.
    pub proximal: f64,
    /// How much the pull of weights towards 0 or 1 rises in an epoch, in equal steps, while any is neither.
    pub constraint_penalty: f64,
    /// How much the pull of symbols towards 0 or 1 rises in an epoch, in equal steps, while any is neither.
    pub grounding_penalty: f64,
    /// Epochs before the two penalties begin to rise: the network should read most pictures before rows are
    /// made to choose.
    pub warm_up: u64,
    /// How much grounding trusts the network, against the rows.
    pub network_weight: Course,
    /// How strongly rows are kept from saying that a picture shows one thing, which the encoding says
    /// already.
    pub one_hot_weight: f64,
    /// What a step updates first.
    pub order: UpdateOrder,
    /// The sums that a row allows.
    pub bounds: RowBounds,
    /// The share of examples that must satisfy a rule.
    pub threshold: f64,
    /// The probability of confirming any row by chance, if the variables were independent.
    pub false_alarm: f64,
    /// The seed of the centres and of the order of the examples.
    pub seed: u64,
    /// Threads; their number changes nothing but the time.
    pub threads: usize,
}

impl Default for JointSettings {
    fn default() -> JointSettings {
        JointSettings {
            rows: 300,
            epochs: 30,
            batch: 64,
            sum: 1.0,
            trust_region: 0.2 / 64.0,
            proximal: 100.0 / 64.0,
            constraint_penalty: 0.002,
            grounding_penalty: 0.02,
            warm_up: 10,
            network_weight: Course::fixed(0.5),
            one_hot_weight: 0.0,
            order: UpdateOrder::Printed,
            bounds: RowBounds::Fitted,
            threshold: 0.95,
            false_alarm: 1e-3,
            seed: 0,
            threads: 2,
        }
    }
}

/// Settings that have been checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckedJoint(JointSettings);

impl std::ops::Deref for CheckedJoint {
    type Target = JointSettings;
    fn deref(&self) -> &JointSettings {
        &self.0
    }
}

impl JointSettings {
    /// Checks every range.
    ///
    /// # Errors
    /// If a setting is out of its range.
    pub fn check(self) -> Result<CheckedJoint, SettingsError> {
        let within = |key, value: f64, ok: bool, range| match ok && value.is_finite() {
            true => Ok(()),
            false => Err(SettingsError::range(key, value, range)),
        };
        let count =
            |key, value: u64, most: u64, range| within(key, value as f64, (1..=most).contains(&value), range);
        let up_to =
            |key, value: f64, most: f64, range| within(key, value, (0.0..=most).contains(&value), range);
        count("rows", self.rows as u64, 100_000, "1 to 100000")?;
        count("epochs", self.epochs, 1_000_000, "1 to 1000000")?;
        count("batch", self.batch as u64, 100_000, "1 to 100000")?;
        count("threads", self.threads as u64, 1024, "1 to 1024")?;
        within("sum", self.sum, self.sum > 0.0 && self.sum <= 1e6, "above 0, to 1000000")?;
        up_to("trust_region", self.trust_region, 100.0, "0 to 100")?;
        let proximal = self.proximal;
        within("proximal", proximal, (1e-3..=1e6).contains(&proximal), "0.001 to 1000000")?;
        up_to("constraint_penalty", self.constraint_penalty, 1e6, "0 to 1000000")?;
        up_to("grounding_penalty", self.grounding_penalty, 1e6, "0 to 1000000")?;
        up_to("warm_up", self.warm_up as f64, 1e6, "0 to 1000000")?;
        let Course { first, last } = self.network_weight;
        for (key, value) in [("network_weight.first", first), ("network_weight.last", last)] {
            within(key, value, (1e-6..=1e6).contains(&value), "0.000001 to 1000000")?;
        }
        up_to("one_hot_weight", self.one_hot_weight, 100.0, "0 to 100")?;
        let share = |key, share: f64| within(key, share, share > 0.5 && share <= 1.0, "above 0.5, to 1");
        if let RowBounds::Share(k) = self.bounds {
            share("bounds.share", k)?;
        }
        share("threshold", self.threshold)?;
        let alarm = self.false_alarm;
        within("false_alarm", alarm, alarm > 0.0 && alarm <= 0.5, "above 0, to 0.5")?;
        Ok(CheckedJoint(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_range_is_named() {
        let message = |settings: JointSettings| settings.check().unwrap_err().to_string();
        let plain = JointSettings::default();
        assert!(plain.check().is_ok());
        assert_eq!(message(JointSettings { rows: 0, ..plain }), "rows = 0 is out of range: 1 to 100000");
        assert_eq!(
            message(JointSettings { proximal: f64::NAN, ..plain }),
            "proximal = NaN is out of range: 0.001 to 1000000"
        );
        assert_eq!(
            message(JointSettings { network_weight: Course { first: 1.0, last: 0.0 }, ..plain }),
            "network_weight.last = 0 is out of range: 0.000001 to 1000000"
        );
        assert_eq!(
            message(JointSettings { bounds: RowBounds::Share(0.5), ..plain }),
            "bounds.share = 0.5 is out of range: above 0.5, to 1"
        );
    }

    #[test]
    fn a_course_begins_and_ends_where_it_says() {
        let course = Course { first: 2.0, last: 1.0 };
        assert_eq!([0, 2, 4, 9].map(|step| course.at(step, 5)), [2.0, 1.5, 1.0, 1.0]);
        assert_eq!(course.at(0, 1), 2.0);
        assert_eq!(Course::fixed(0.5).at(3, 7), 0.5);
    }

    #[test]
    fn settings_are_written_and_read() {
        let settings = JointSettings { bounds: RowBounds::Share(0.95), ..JointSettings::default() };
        let text = toml::to_string(&settings).unwrap();
        assert_eq!(toml::from_str::<JointSettings>(&text).unwrap(), settings);
        assert!(toml::from_str::<JointSettings>("row = 3").is_err());
    }
}
