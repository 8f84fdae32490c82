//! The sums that a constraint allows: a range, or a set of single values.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Which numbers of true literals are allowed. Always in its shortest form: values without a gap are
/// a range.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
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

    /// The sums of `count` literals that are allowed where `known` is counted beside them.
    pub(crate) fn beside(&self, known: i64, count: u32) -> Sums {
        let sum = |s: u32| u32::try_from(i64::from(s).saturating_sub(known)).ok();
        match self {
            Sums::Range { min, max } => match sum(*max) {
                Some(max) => Sums::range(sum(*min).unwrap_or(0), max.min(count)),
                // Above what a sum can be, or below.
                None if known < 0 => Sums::range(sum(*min).unwrap_or(u32::MAX), count),
                None => Sums::EMPTY,
            },
            Sums::Set(values) => Sums::set(values.iter().filter_map(|&s| sum(s)).filter(|&s| s <= count)),
        }
    }
}

/// The form of [`Sums`] in files.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Written {
    Range(u32, u32),
    Set(Vec<u32>),
}

impl From<Written> for Sums {
    fn from(written: Written) -> Sums {
        match written {
            Written::Range(min, max) => Sums::range(min, max),
            Written::Set(values) => Sums::set(values),
        }
    }
}

impl From<Sums> for Written {
    fn from(sums: Sums) -> Written {
        match sums {
            Sums::Range { min, max } => Written::Range(min, max),
            Sums::Set(values) => Written::Set(values),
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn any_sums() -> impl Strategy<Value = (Sums, BTreeSet<u32>)> {
        let set = prop::collection::btree_set(0..12u32, 0..8).prop_map(|s| (Sums::set(s.iter().copied()), s));
        let range = (0..12u32, 0..12u32).prop_map(|(a, b)| (Sums::range(a, b), (a..=b).collect()));
        prop_oneof![set, range]
    }

    proptest! {
        #[test]
        fn sums_are_the_set_that_they_were_made_of(
            (sums, plain) in any_sums(),
            count in 0..14u32,
            known in -15..15i64,
        ) {
            let values = |sums: &Sums| sums.iter().collect::<BTreeSet<u32>>();
            prop_assert_eq!(&values(&sums), &plain);
            prop_assert!((0..15).all(|s| sums.contains(s) == plain.contains(&s)));
            prop_assert_eq!((sums.least(), sums.greatest()), (plain.first().copied(), plain.last().copied()));
            prop_assert_eq!(sums.single(), plain.first().copied().filter(|_| plain.len() == 1));
            let reach: BTreeSet<u32> = plain.iter().copied().filter(|s| *s <= count).collect();
            prop_assert_eq!(values(&sums.clipped(count)), reach.clone());
            prop_assert_eq!(values(&sums.complement(count)), reach.iter().map(|s| count - s).collect());
            let lowered: BTreeSet<u32> = plain.iter().filter_map(|s| s.checked_sub(count)).collect();
            prop_assert_eq!(values(&sums.lowered(count)), lowered);
            let beside = (0..=count).filter(|s| plain.contains(&((i64::from(*s) + known) as u32)));
            prop_assert_eq!(values(&sums.beside(known, count)), beside.collect());
        }

        #[test]
        fn the_same_sums_are_equal((a, plain_a) in any_sums(), (b, plain_b) in any_sums()) {
            prop_assert_eq!(a == b, plain_a == plain_b);
        }
    }

    #[test]
    fn prints_short() {
        let print = |values: &[u32]| Sums::set(values.iter().copied()).to_string();
        assert_eq!(
            [print(&[]), print(&[2]), print(&[3, 2, 4, 3]), print(&[4, 0])],
            ["none", "2", "2..4", "{0, 4}"]
        );
    }

    #[test]
    fn huge_ranges_cost_nothing() {
        assert_eq!(Sums::range(3, u32::MAX).clipped(5), Sums::range(3, 5));
        assert_eq!(Sums::range(3, u32::MAX).greatest(), Some(u32::MAX));
        assert_eq!(Sums::range(3, u32::MAX).beside(-2, 9), Sums::range(5, 9));
        assert_eq!(Sums::range(3, u32::MAX).beside(i64::MIN, 9), Sums::EMPTY);
        assert_eq!(Sums::range(3, u32::MAX).beside(i64::MAX, 9), Sums::EMPTY);
    }
}
