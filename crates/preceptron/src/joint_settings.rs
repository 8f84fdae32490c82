//! Settings of joint training: parsed as they come, then checked into a type that cannot be wrong.

use preceptron_base::{Above, Kind, Settings, SettingsError, Value, choices, settings};
use preceptron_learn::{Bound, UpdateOrder};
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

choices! {
    /// How the two penalties rise, and what is done beside.
    pub enum JointCourse: Phased {
        /// In three phases, each of which ends when the network reads well enough for the next; then rows that say
        /// nothing new are drawn again, until none says anything new.
        Phased = "phased",
        /// By as much in every epoch, after a warm-up.
        Rising = "rising",
        /// As in the programs of the paper's authors: by 0.1 every 30 epochs, 300 epochs.
        Authors = "authors",
    }
}

choices! {
    /// The point at which the penalty on symbols is linearised.
    pub enum Linearised: Stored {
        /// The grounding of the example when it was last drawn, as in the paper.
        Stored = "stored",
        /// What the network reads now.
        Reading = "reading",
    }
}

choices! {
    /// How the bounds of a row are taken from the sums of the examples.
    pub enum BoundsBy: Share {
        /// The fewest neighbouring sums that the share of the examples has.
        Share = "share",
        /// Between two quantiles: as much is left out below as above.
        Quantiles = "quantiles",
    }
}

settings! {
    /// How joint training goes. The weights of the rows' update are per example: the constants of the paper and
    /// of its authors' programs are for sums over a batch of 64, and are divided by it here (lambda 0.1/64,
    /// 1/gamma 1000/64, and t1, which rises by 0.1/64 every 30 epochs). t2 and alpha are of one example as they are.
    ///
    /// The symbols of the paper: `rows` m, `batch` N, `sum` b, `trust_region` lambda, `proximal` 1/gamma,
    /// `constraint_penalty` t1, `grounding_penalty` t2, `alpha` alpha, `bounds` k% for b_min and b_max. The
    /// loss of the network, squared or cross-entropy, is a setting of the network itself.
    #[derive(Copy)]
    pub struct JointSettings {
        /// Joint: how the penalties rise.
        course: JointCourse = JointCourse::Phased, "COURSE";
        /// Joint: how often training goes through all examples, at the most [default: 90; rising 30, authors 300].
        epochs: Option<u64> = None, "N" in 1..=1_000_000;
        /// Joint: rows of weights that are learned [default: 2.75 for each variable, at least 300; authors 2000].
        rows: Option<usize> = None, "M" in 1..=100_000;
        /// Joint: examples in a step.
        batch: usize = 64, "N" in 1..=100_000;
        /// Joint: the sum that rows are fitted to: B for all, A..B for as many rows each, updated:B to follow the rows.
        sum: Bound = Bound::Fixed(1.0), "B|A..B|updated:B";
        /// Joint: the weight of the pull towards each row's centre, for each example; 0 is the ablation NTR
        /// [default: 0.2/64; authors 0.1/64].
        trust_region: Option<f64> = None, "WEIGHT" in 0.0..=100.0;
        /// Joint: the weight of the pull towards the row before the step [default: 100/64; authors 1000/64].
        proximal: Option<f64> = None, "WEIGHT" in 0.001..=1e6;
        /// Joint: the pull of weights to 0 or 1: phased, the greatest; else how much it rises in an epoch (authors: in
        /// 30) while any is neither. 0 for both pulls is the ablation NDC [default: 0.02; rising 0.002, authors 0.1/64].
        constraint_penalty: Option<f64> = None, "WEIGHT" in 0.0..=1e6;
        /// Joint: the same of symbols; phased, a share of what the rows say [default: 0.3; rising 0.02, authors 0.1].
        grounding_penalty: Option<f64> = None, "WEIGHT" in 0.0..=1e6;
        /// Joint, rising: epochs before the two begin to rise: the network should read most pictures before rows are
        /// made to choose.
        warm_up: u64 = 10, "N" in 0..=1_000_000;
        /// Joint: how much grounding trusts the network, against the rows; phased, a share of what the rows say. Two
        /// numbers rise or fall in the course of training [default: 0.55; rising 0.5, authors 1].
        alpha: Option<Course> = None, "ALPHA";
        /// Joint: at what point the penalty on symbols is linearised.
        linearised: Linearised = Linearised::Stored, "POINT";
        /// Joint: how strongly rows are kept from saying that a picture shows one thing, which the encoding
        /// says already.
        one_hot_weight: f64 = 0.0, "WEIGHT" in 0.0..=100.0;
        /// Joint: what a step updates first.
        step_order: UpdateOrder = UpdateOrder::Printed, "ORDER";
        /// Joint: bounds that this share of the examples satisfies, in place of the sum that rows are fitted to.
        bounds: Option<f64> = None, "SHARE" in Above(0.5, 1.0);
        /// Joint: how these bounds are taken.
        bounds_by: BoundsBy = BoundsBy::Share, "HOW";
        /// Joint: the share of examples that must satisfy a rule.
        threshold: f64 = 0.95, "SHARE" in Above(0.5, 1.0);
        /// Joint: the probability of confirming any row by chance, if the variables were independent.
        false_alarm: f64 = 1e-3, "P" in Above(0.0, 0.5);
    }
}

/// Settings that have been checked, every one with its value, with what is not a matter of joint training alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckedJoint {
    settings: JointSettings,
    /// The greatest number of epochs.
    pub epochs: u64,
    /// lambda.
    pub trust_region: f64,
    /// 1/gamma.
    pub proximal: f64,
    /// What t1 rises by, or to.
    pub constraint_penalty: f64,
    /// The same of t2.
    pub grounding_penalty: f64,
    /// alpha.
    pub alpha: Course,
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

impl CheckedJoint {
    /// How many rows there are over so many variables.
    pub fn rows(&self, variables: usize) -> usize {
        self.settings.rows.unwrap_or(match self.course {
            JointCourse::Phased => (11 * variables).div_ceil(4).max(300),
            JointCourse::Rising => 300,
            JointCourse::Authors => 2000,
        })
    }

    /// The settings as they came.
    pub fn given(&self) -> &JointSettings {
        &self.settings
    }
}

impl JointSettings {
    /// Checks every range, and fills in what the course says.
    ///
    /// # Errors
    /// If a setting is out of its range.
    pub fn checked(self, seed: u64, threads: usize) -> Result<CheckedJoint, SettingsError> {
        self.check()?;
        let of_course = |phased: f64, rising: f64, authors: f64| match self.course {
            JointCourse::Phased => phased,
            JointCourse::Rising => rising,
            JointCourse::Authors => authors,
        };
        let alpha = self.alpha.unwrap_or(Course::fixed(of_course(0.55, 0.5, 1.0)));
        for value in [alpha.first, alpha.last] {
            if !(1e-6..=1e6).contains(&value) {
                return Err(SettingsError::range("alpha", value, "0.000001 to 1000000"));
            }
        }
        if !(1..=1024).contains(&threads) {
            return Err(SettingsError::range("threads", threads, "1 to 1024"));
        }
        let sums = match self.sum {
            Bound::Fixed(sum) | Bound::Updated(sum) => [sum, sum],
            Bound::Sweep(first, last) => [f64::from(first), f64::from(last)],
        };
        if !(sums[0] > 0.0 && sums[1] >= sums[0] && sums[1] <= 1e6) {
            let sum = self.sum.written().unwrap_or_default();
            return Err(SettingsError::range("sum", sum, "above 0, to 1000000"));
        }
        Ok(CheckedJoint {
            settings: self,
            epochs: self.epochs.unwrap_or(of_course(90.0, 30.0, 300.0) as u64),
            trust_region: self.trust_region.unwrap_or(of_course(0.2, 0.2, 0.1) / 64.0),
            proximal: self.proximal.unwrap_or(of_course(100.0, 100.0, 1000.0) / 64.0),
            constraint_penalty: self.constraint_penalty.unwrap_or(of_course(0.02, 0.002, 0.1 / 64.0)),
            grounding_penalty: self.grounding_penalty.unwrap_or(of_course(0.3, 0.02, 0.1)),
            alpha,
            seed,
            threads,
        })
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
        assert_eq!(
            message(JointSettings { rows: Some(0), ..plain }),
            "rows = 0 is out of range: 1 to 100000"
        );
        assert_eq!(
            message(JointSettings { proximal: Some(f64::NAN), ..plain }),
            "proximal = NaN is out of range: 0.001 to 1000000"
        );
        assert_eq!(
            message(JointSettings { alpha: Some(Course { first: 1.0, last: 0.0 }), ..plain }),
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
