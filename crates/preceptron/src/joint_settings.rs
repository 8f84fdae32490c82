//! Settings of joint training: parsed as they come, then checked into a type that cannot be wrong.

use preceptron_base::{Above, Kind, Settings, SettingsError, Value, settings};
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

/// `0.5`, or `0.5,0.1` for a number that rises or falls.
impl Value for Course {
    const KIND: Kind = Kind::Text;

    fn read(text: &str) -> Result<Course, String> {
        let values = Vec::<f64>::read(text).unwrap_or_default();
        match values[..] {
            [value] => Ok(Course::fixed(value)),
            [first, last] => Ok(Course { first, last }),
            _ => Err("a number, or the first and the last with a comma between them".to_owned()),
        }
    }

    fn written(&self) -> Option<String> {
        let Course { first, last } = self;
        Some(if first == last { first.to_string() } else { format!("{first},{last}") })
    }
}

settings! {
    /// How joint training goes. The weights of the rows' update are per example: the constants of the paper and
    /// of its authors' programs are for sums over a batch of 64, and are to be divided by it (lambda 0.1/64,
    /// 1/gamma 1000/64 and t1 0.1/64 in an epoch, for 300 epochs). The defaults are for a tenth of the epochs.
    ///
    /// The symbols of the paper: `rows` m, `batch` N, `sum` b, `trust_region` lambda, `proximal` 1/gamma,
    /// `constraint_penalty` t1, `grounding_penalty` t2, `alpha` alpha, `bounds` k% for b_min and b_max. The
    /// loss of the network, squared or cross-entropy, is a setting of the network itself.
    #[derive(Copy)]
    pub struct JointSettings {
        /// Joint: how often training goes through all examples.
        epochs: u64 = 30, "N" in 1..=1_000_000;
        /// Joint: rows of weights that are learned.
        rows: usize = 300, "M" in 1..=100_000;
        /// Joint: examples in a step.
        batch: usize = 64, "N" in 1..=100_000;
        /// Joint: the sum that every row is fitted to.
        sum: f64 = 1.0, "B" in Above(0.0, 1e6);
        /// Joint: the weight of the pull towards each row's centre, for each example; 0 is the ablation NTR.
        trust_region: f64 = 0.2 / 64.0, "WEIGHT" in 0.0..=100.0;
        /// Joint: the weight of the pull towards the row before the step.
        proximal: f64 = 100.0 / 64.0, "WEIGHT" in 0.001..=1e6;
        /// Joint: how much the pull of weights to 0 or 1 rises in an epoch, while any is neither; 0 for both
        /// pulls is the ablation NDC.
        constraint_penalty: f64 = 0.002, "WEIGHT" in 0.0..=1e6;
        /// Joint: how much the pull of symbols to 0 or 1 rises in an epoch, while any is neither.
        grounding_penalty: f64 = 0.02, "WEIGHT" in 0.0..=1e6;
        /// Joint: epochs before the two begin to rise: the network should read most pictures before rows are
        /// made to choose.
        warm_up: u64 = 10, "N" in 0..=1_000_000;
        /// Joint: how much grounding trusts the network, against the rows; two numbers rise or fall in the
        /// course of training.
        alpha: Course = Course::fixed(0.5), "ALPHA";
        /// Joint: how strongly rows are kept from saying that a picture shows one thing, which the encoding
        /// says already.
        one_hot_weight: f64 = 0.0, "WEIGHT" in 0.0..=100.0;
        /// Joint: what a step updates first.
        step_order: UpdateOrder = UpdateOrder::Printed, "ORDER";
        /// Joint: bounds that this share of the examples satisfies, in place of the sum that rows are fitted to.
        bounds: Option<f64> = None, "SHARE" in Above(0.5, 1.0);
        /// Joint: the share of examples that must satisfy a rule.
        threshold: f64 = 0.95, "SHARE" in Above(0.5, 1.0);
        /// Joint: the probability of confirming any row by chance, if the variables were independent.
        false_alarm: f64 = 1e-3, "P" in Above(0.0, 0.5);
    }
}

/// Settings that have been checked, with what is not a matter of joint training alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckedJoint {
    settings: JointSettings,
    /// The seed of the centres and of the order of the examples.
    pub seed: u64,
    /// Threads; their number changes nothing but the time.
    pub threads: usize,
}

impl std::ops::Deref for CheckedJoint {
    type Target = JointSettings;
    fn deref(&self) -> &JointSettings {
        &self.settings
    }
}

impl JointSettings {
    /// Checks every range.
    ///
    /// # Errors
    /// If a setting is out of its range.
    pub fn checked(self, seed: u64, threads: usize) -> Result<CheckedJoint, SettingsError> {
        self.check()?;
        let Course { first, last } = self.alpha;
        for value in [first, last] {
            if !(1e-6..=1e6).contains(&value) {
                return Err(SettingsError::range("alpha", value, "0.000001 to 1000000"));
            }
        }
        if !(1..=1024).contains(&threads) {
            return Err(SettingsError::range("threads", threads, "1 to 1024"));
        }
        Ok(CheckedJoint { settings: self, seed, threads })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_range_is_named() {
        let message = |settings: JointSettings| settings.checked(0, 1).unwrap_err().to_string();
        let plain = JointSettings::default();
        assert!(plain.checked(0, 1).is_ok());
        assert_eq!(message(JointSettings { rows: 0, ..plain }), "rows = 0 is out of range: 1 to 100000");
        assert_eq!(
            message(JointSettings { proximal: f64::NAN, ..plain }),
            "proximal = NaN is out of range: 0.001 to 1000000"
        );
        assert_eq!(
            message(JointSettings { alpha: Course { first: 1.0, last: 0.0 }, ..plain }),
            "alpha = 0 is out of range: 0.000001 to 1000000"
        );
        assert_eq!(
            message(JointSettings { bounds: Some(0.5), ..plain }),
            "bounds = 0.5 is out of range: above 0.5, to 1"
        );
        assert_eq!(plain.checked(0, 0).unwrap_err().to_string(), "threads = 0 is out of range: 1 to 1024");
    }

    #[test]
    fn a_course_begins_and_ends_where_it_says() {
        let course = Course { first: 2.0, last: 1.0 };
        assert_eq!([0, 2, 4, 9].map(|step| course.at(step, 5)), [2.0, 1.5, 1.0, 1.0]);
        assert_eq!(course.at(0, 1), 2.0);
        assert_eq!(Course::fixed(0.5).at(3, 7), 0.5);
        assert_eq!(Course::read("2,1").unwrap().written().unwrap(), "2,1");
        assert!(Course::read("1,2,3").is_err());
    }

    #[test]
    fn settings_are_written_and_read() {
        let settings = JointSettings { bounds: Some(0.95), ..JointSettings::default() };
        let text = toml::to_string(&settings).unwrap();
        assert_eq!(toml::from_str::<JointSettings>(&text).unwrap(), settings);
        assert!(toml::from_str::<JointSettings>("row = 3").is_err());
    }
}
