//! The settings of the task, parsed as they come and then checked.

use preceptron_base::SettingsError;
use preceptron_learn::{AuxiliarySettings, CheckedAuxiliary};
use serde::{Deserialize, Serialize};

/// How to learn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// By auxiliary variables, as the paper does.
    Auxiliary,
    /// By elimination over GF(2).
    Parity,
    /// By one and by the other.
    #[default]
    Both,
}

impl Method {
    /// The names of the methods that are meant.
    pub fn names(self) -> &'static [&'static str] {
        match self {
            Method::Auxiliary => &["auxiliary"],
            Method::Parity => &["parity"],
            Method::Both => &["auxiliary", "parity"],
        }
    }
}

/// The settings of chained XOR.
///
/// | field | default | range |
/// |---|---|---|
/// | `seed` | 0 | any |
/// | `length` | 20 | 2 to 4,000 |
/// | `count` (training strings) | 1,000, or 2 `length` if that is more | 1 to 1,000,000 |
/// | `ones` (the probability of a one) | 0.5 | above 0, below 1 |
/// | `irrelevant` (share of the bits) | 0 | 0, to below 1 |
/// | `method` | `both` | `auxiliary`, `parity`, `both` |
/// | `auxiliary` | see [`AuxiliarySettings`]; the seed is the task's | |
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct XorSettings {
    /// The master seed.
    pub seed: u64,
    /// How many bits a string has.
    pub length: u32,
    /// How many strings to train on.
    pub count: Option<u32>,
    /// How probable a one is.
    pub ones: f64,
    /// Which share of the bits does not matter.
    pub irrelevant: f64,
    /// How to learn.
    pub method: Method,
    /// The settings of the form with auxiliary variables.
    pub auxiliary: AuxiliarySettings,
}

impl Default for XorSettings {
    fn default() -> XorSettings {
        XorSettings {
            seed: 0,
            length: 20,
            count: None,
            ones: 0.5,
            irrelevant: 0.0,
            method: Method::Both,
            auxiliary: AuxiliarySettings::default(),
        }
    }
}

/// Settings that have been checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckedXor {
    pub(super) seed: u64,
    pub(super) length: u32,
    pub(super) count: u32,
    pub(super) ones: f64,
    pub(super) irrelevant: f64,
    pub(super) auxiliary: CheckedAuxiliary,
}

impl XorSettings {
    /// The same settings with every default filled in, as a run keeps them.
    #[must_use]
    pub fn resolved(mut self) -> XorSettings {
        self.count.get_or_insert(1000.max(self.length.saturating_mul(2)));
        self.auxiliary.seed = self.seed;
        self.auxiliary = self.auxiliary.resolved(self.length as usize);
        self
    }

    /// Fills in the defaults and checks every range.
    pub fn check(self) -> Result<CheckedXor, SettingsError> {
        let XorSettings { seed, length, count, ones, irrelevant, auxiliary, .. } = self.resolved();
        let count = count.unwrap_or(1000);
        let within = |key, value: f64, ok: bool, range| match ok {
            true => Ok(()),
            false => Err(SettingsError::range(key, value, range)),
        };
        within("length", f64::from(length), (2..=4000).contains(&length), "2 to 4000")?;
        within("count", f64::from(count), (1..=1_000_000).contains(&count), "1 to 1000000")?;
        within("ones", ones, ones > 0.0 && ones < 1.0, "above 0, below 1")?;
        within("irrelevant", irrelevant, (0.0..1.0).contains(&irrelevant), "0, to below 1")?;
        let auxiliary = auxiliary.check(length as usize)?;
        Ok(CheckedXor { seed, length, count, ones, irrelevant, auxiliary })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_range_is_named() {
        let message = |settings: XorSettings| settings.check().unwrap_err().to_string();
        let plain = XorSettings::default();
        assert_eq!(message(XorSettings { length: 1, ..plain }), "length = 1 is out of range: 2 to 4000");
        assert_eq!(message(XorSettings { ones: 1.0, ..plain }), "ones = 1 is out of range: above 0, below 1");
        let irrelevant = message(XorSettings { irrelevant: f64::NAN, ..plain });
        assert_eq!(irrelevant, "irrelevant = NaN is out of range: 0, to below 1");
        let auxiliary = AuxiliarySettings { rows: 0, ..AuxiliarySettings::default() };
        assert_eq!(message(XorSettings { auxiliary, ..plain }), "rows = 0 is out of range: 1 to 1000");
    }

    #[test]
    fn defaults_depend_on_the_length() {
        let long = XorSettings { length: 1000, seed: 3, ..XorSettings::default() }.resolved();
        assert_eq!((long.count, long.auxiliary.seed, long.auxiliary.bound), (Some(2000), 3, Some(1000.0)));
        assert_eq!(long.resolved(), long);
    }
}
