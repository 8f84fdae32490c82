//! Named numbers, in the order in which they were measured.

use serde::ser::{Serialize, Serializer};

/// Measurements with their names. As JSON an object; a number that is not finite becomes null.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metrics {
    entries: Vec<(&'static str, f64)>,
}

impl Metrics {
    /// These measurements, in this order.
    pub fn new(entries: impl IntoIterator<Item = (&'static str, f64)>) -> Metrics {
        Metrics { entries: entries.into_iter().collect() }
    }

    /// Adds other measurements behind these.
    pub fn extend(&mut self, other: Metrics) {
        self.entries.extend(other.entries);
    }

    /// The measurement with this name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// The measurements in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, f64)> + '_ {
        self.entries.iter().copied()
    }
}

impl Serialize for Metrics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
