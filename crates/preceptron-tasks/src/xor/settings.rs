//! The settings of the task.

use preceptron_base::{SettingsError, Within, choices, settings};
use preceptron_learn::{AuxiliarySettings, CheckedAuxiliary};

choices! {
    /// How to learn.
    pub enum Method: Both {
        /// By auxiliary variables, as the paper does.
        Auxiliary = "auxiliary",
        /// By elimination over GF(2).
        Parity = "parity",
        /// By one and by the other.
        Both = "both",
    }
}

impl Method {
    /// The methods that are meant, one by one.
    pub fn each(self) -> &'static [Method] {
        match self {
            Method::Auxiliary => &[Method::Auxiliary],
            Method::Parity => &[Method::Parity],
            Method::Both => &[Method::Auxiliary, Method::Parity],
        }
    }
}

settings! {
    /// The settings of chained XOR.
    #[derive(Copy)]
    pub struct XorSettings {
        /// How many bits a string has.
        length: u32 = 20, "L" in 2..=4000;
        /// The seed of all random choices.
        seed: u64 = 0, "N";
        /// How many strings to train on [default: 1000, or 2 L if that is more].
        count: Option<u32> = None, "N" in 1..=1_000_000;
        /// How probable a one is, such as 0.1 or 10%.
        ones: f64 = 0.5, "P" in Within(0.0, 1.0);
        /// The share of the bits that do not matter; which ones is drawn.
        irrelevant: f64 = 0.0, "SHARE" in 0.0..1.0;
        /// How to learn: by auxiliary variables as in the paper, by elimination over GF(2), or by both.
        method: Method = Method::Both, "METHOD";
        /// How many other strings to score the rules on.
        held_out: usize = 1000, "N" in 1..=1_000_000;
    }
    with {
        auxiliary: AuxiliarySettings as "The form with auxiliary variables",
    }
}

impl XorSettings {
    /// The same settings with every default filled in, as a run keeps them.
    #[must_use]
    pub fn resolved(mut self) -> XorSettings {
        self.count.get_or_insert(1000.max(self.length.saturating_mul(2)));
        self.auxiliary = self.auxiliary.resolved(self.length as usize);
        self
    }

    /// The settings of the form with auxiliary variables, checked.
    ///
    /// # Errors
    /// If one is out of its range.
    pub fn auxiliary_form(&self) -> Result<CheckedAuxiliary, SettingsError> {
        self.auxiliary.checked(self.length as usize, self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::Settings;

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
        assert_eq!((long.count, long.auxiliary.bound), (Some(2000), Some(1000.0)));
        assert_eq!(long.resolved(), long);
    }
}
