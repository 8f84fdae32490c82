//! What the value of a setting may be.

use std::fmt::Display;
use std::ops::{Range, RangeFrom, RangeInclusive};

/// A set of values that a setting may have.
pub trait Limits<T> {
    /// Whether this value is one of them.
    fn allows(&self, value: &T) -> bool;

    /// The set in words: `1 to 100`.
    fn words(&self) -> String;
}

/// Above the first, up to and with the second.
#[derive(Clone, Copy, Debug)]
pub struct Above<T>(pub T, pub T);

/// Above the first and below the second.
#[derive(Clone, Copy, Debug)]
pub struct Within<T>(pub T, pub T);

impl<T: PartialOrd + Display> Limits<T> for RangeInclusive<T> {
    fn allows(&self, value: &T) -> bool {
        self.contains(value)
    }

    fn words(&self) -> String {
        format!("{} to {}", self.start(), self.end())
    }
}

impl<T: PartialOrd + Display> Limits<T> for Range<T> {
    fn allows(&self, value: &T) -> bool {
        self.contains(value)
    }

    fn words(&self) -> String {
        format!("{}, to below {}", self.start, self.end)
    }
}

impl<T: PartialOrd + Display> Limits<T> for RangeFrom<T> {
    fn allows(&self, value: &T) -> bool {
        self.contains(value)
    }

    fn words(&self) -> String {
        format!("{} or more", self.start)
    }
}

impl<T: PartialOrd + Display> Limits<T> for Above<T> {
    fn allows(&self, value: &T) -> bool {
        *value > self.0 && *value <= self.1
    }

    fn words(&self) -> String {
        format!("above {}, to {}", self.0, self.1)
    }
}

impl<T: PartialOrd + Display> Limits<T> for Within<T> {
    fn allows(&self, value: &T) -> bool {
        *value > self.0 && *value < self.1
    }

    fn words(&self) -> String {
        format!("above {}, below {}", self.0, self.1)
    }
}

/// The values of a setting that limits are for: one, perhaps one, or several.
pub trait Members<T> {
    /// Each of them.
    fn members(&self) -> Vec<&T>;
}

impl<T> Members<T> for T {
    fn members(&self) -> Vec<&T> {
        vec![self]
    }
}

impl<T> Members<T> for Option<T> {
    fn members(&self) -> Vec<&T> {
        self.iter().collect()
    }
}

impl<T> Members<T> for Vec<T> {
    fn members(&self) -> Vec<&T> {
        self.iter().collect()
    }
}

/// The first value that is not within the limits, with these in words.
pub fn outside<T: Display>(values: &impl Members<T>, limits: &impl Limits<T>) -> Option<(String, String)> {
    let wrong = values.members().into_iter().find(|value| !limits.allows(value))?;
    Some((wrong.to_string(), limits.words()))
}
