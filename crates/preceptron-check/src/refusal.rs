//! Why something is not accepted.

use std::fmt;

/// Why a proof, a formula or an answer is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What was read, and its line if it is one.
    place: Option<(&'static str, usize)>,
    what: String,
}

impl Refusal {
    /// Something wrong in a line of a file.
    pub(crate) fn at(file: &'static str, line: usize, what: &str) -> Refusal {
        Refusal { place: Some((file, line)), what: what.to_owned() }
    }

    /// Something wrong with the whole.
    pub(crate) fn of(what: impl Into<String>) -> Refusal {
        Refusal { place: None, what: what.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((file, line)) = self.place {
            write!(f, "{file}, line {line}: ")?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for Refusal {}
