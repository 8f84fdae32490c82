//! The sums that a constraint allows: a range, or a set of single values.

use std::fmt;

/// Which numbers of true literals are allowed. Always in its shortest form: values without a gap are
/// a range.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sums {
    /// From `min` to `max`, both included; empty if `min > max`.
    Range {
        /// The smallest allowed sum.
        min: u32,
        /// The largest allowed sum.
        max: u32,
    },
    /// Exactly these, rising, with at least one gap between them.
    Set(Vec<u32>),
}

impl Sums {
    /// The one sum `value`.
    pub fn exactly(value: u32) -> Sums {
        Sums::Range { min: value, max: value }
    }

    /// Sums from `min` to `max`, both included.
    pub fn range(min: u32, max: u32) -> Sums {
        if min > max { Sums::EMPTY } else { Sums::Range { min, max } }
    }

    /// The given sums, in any order.
    pub fn set(values: impl IntoIterator<Item = u32>) -> Sums {
        let mut values: Vec<u32> = values.into_iter().collect();
        values.sort_unstable();
        values.dedup();
        match (values.first(), values.last()) {
            (Some(&min), Some(&max)) if (max - min) as usize + 1 == values.len() => Sums::range(min, max),
            (Some(_), Some(_)) => Sums::Set(values),
            _ => Sums::EMPTY,
        }
    }

    /// No sum at all: nothing satisfies it.
    pub const EMPTY: Sums = Sums::Range { min: 1, max: 0 };

    /// Whether this sum is allowed.
    pub fn contains(&self, sum: u32) -> bool {
        match self {
            Sums::Range { min, max } => (*min..=*max).contains(&sum),
            Sums::Set(values) => values.binary_search(&sum).is_ok(),
        }
    }

    /// The smallest allowed sum, if there is any.
    pub fn least(&self) -> Option<u32> {
        self.iter().next()
    }

    /// The largest allowed sum, if there is any.
    pub fn greatest(&self) -> Option<u32> {
        match self {
            Sums::Range { min, max } => (min <= max).then_some(*max),
            Sums::Set(values) => values.last().copied(),
        }
    }

    /// The one allowed sum, if there is just one.
    pub fn single(&self) -> Option<u32> {
        match self {
            Sums::Range { min, max } if min == max => Some(*min),
            _ => None,
        }
    }

    /// The allowed sums, rising.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let (range, values) = match self {
            Sums::Range { min, max } => (Some(*min..=*max), &[][..]),
            Sums::Set(values) => (None, values.as_slice()),
        };
        range.into_iter().flatten().chain(values.iter().copied())
    }

    /// The same sums for `count` literals, counted over their negations.
    pub fn complement(&self, count: u32) -> Sums {
        Sums::set(self.iter().filter(|&s| s <= count).map(|s| count - s))
    }

    /// Only what `count` literals can reach.
    pub fn clipped(&self, count: u32) -> Sums {
        match self {
            Sums::Range { min, max } if *min <= count => Sums::range(*min, (*max).min(count)),
            Sums::Range { .. } => Sums::EMPTY,
            Sums::Set(values) => Sums::set(values.iter().copied().filter(|&s| s <= count)),
        }
    }

    /// The same sums less `by`; those below `by` are gone.
    pub fn lowered(&self, by: u32) -> Sums {
        Sums::set(self.iter().filter(|&s| s >= by).map(|s| s - by))
    }
}

impl fmt::Display for Sums {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sums::Range { min, max } if min > max => write!(f, "none"),
            Sums::Range { min, max } if min == max => write!(f, "{min}"),
            Sums::Range { min, max } => write!(f, "{min}..{max}"),
            Sums::Set(values) => {
                let values: Vec<String> = values.iter().map(u32::to_string).collect();
                write!(f, "{{{}}}", values.join(", "))
            }
        }
    }
}
