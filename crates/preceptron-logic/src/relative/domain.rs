//! Where relative rules are put: blocks of literals or numbers with named axes of any size.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use crate::variables::ordered_labels;
use crate::{Label, Lit, Variables};

/// Blocks of literals, and of numbers that are known of an instance, at places on named axes.
///
/// ```
/// use preceptron_logic::{Claim, Domain, Edge, RelativeRule, RelativeTerm, Select, Var};
///
/// // No two neighbours on a line are both true, whatever its length.
/// let here = |offset| RelativeTerm::new("x", &[("place", Select::Offsets(vec![offset]))]).not();
/// let apart = RelativeRule::new(None, vec![here(0), here(1)], Claim::Any, Edge::Skip);
/// let line = |length| {
///     let literals = (0..length).map(|v| Var(v).positive());
///     Domain::default().with_block("x", &[("place", 1..=i64::from(length))], literals)
/// };
/// assert_eq!((apart.ground(&line(3)).len(), apart.ground(&line(9)).len()), (2, 8));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Domain {
    views: Vec<View>,
}

/// What stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Literal(Lit),
    Number(i64),
}

/// The labels of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Labels {
    /// So many numbers in a row, from the first.
    Range(i64, usize),
    /// Any labels, each with its position.
    Listed(Vec<Label>, HashMap<Label, usize>),
}

impl Labels {
    fn listed(labels: Vec<Label>) -> Labels {
        let positions = labels.iter().cloned().zip(0..).collect();
        Labels::Listed(labels, positions)
    }

    /// The labels of several axes of one name.
    pub fn of_all(mut axes: Vec<&Labels>) -> Labels {
        axes.dedup();
        match axes[..] {
            [] => Labels::Range(0, 0),
            [one] => one.clone(),
            _ => {
                let all: Vec<Label> =
                    axes.iter().flat_map(|axis| (0..axis.len()).map(|at| axis.at(at))).collect();
                Labels::listed(ordered_labels(all.iter()))
            }
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Labels::Range(_, count) => *count,
            Labels::Listed(labels, _) => labels.len(),
        }
    }

    /// The label at a position.
    pub fn at(&self, position: usize) -> Label {
        match self {
            Labels::Range(first, _) => Label::Number(first + position as i64),
            Labels::Listed(labels, _) => labels[position].clone(),
        }
    }

    pub fn position(&self, label: &Label) -> Option<usize> {
        match (self, label) {
            (Labels::Range(first, count), Label::Number(number)) => {
                usize::try_from(number.checked_sub(*first)?).ok().filter(|at| at < count)
            }
            (Labels::Range(..), Label::Word(_)) => None,
            (Labels::Listed(_, positions), label) => positions.get(label).copied(),
        }
    }
}

/// The positions that are meant on an axis; nothing stands for one that the axis does not have.
#[derive(Clone, Copy)]
pub(super) enum Pick<'a> {
    All,
    These(&'a [Option<usize>]),
}

/// A block as relative rules see it.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub name: String,
    /// The axes, those that are computed from others last.
    pub axes: Vec<(String, Labels)>,
    /// How many of the axes are not computed.
    given: usize,
    places: Places,
}

#[derive(Clone, Debug)]
enum Places {
    /// A value at every place, the last axis fastest; no axis is computed.
    Full(Vec<Value>),
    /// Values with their positions on all axes.
    Some(Vec<(Vec<usize>, Value)>),
}

impl Domain {
    /// All variables, by the names of their blocks; a plain variable is a block without axes.
    pub fn of(variables: &Variables) -> Domain {
        let plain = variables.iter().filter(|v| variables.place(*v).is_none()).map(|v| View {
            name: variables.name(v).to_owned(),
            axes: vec![],
            given: 0,
            places: Places::Full(vec![Value::Literal(v.positive())]),
        });
        let view = |block: &crate::Block| {
            let axes =
                block.axes().iter().map(|a| (a.name().to_owned(), Labels::listed(a.labels().to_vec())));
            let member = |&v: &crate::Var| {
                let positions = variables.place(v).map(|place| place.positions.clone());
                (positions.unwrap_or_default(), Value::Literal(v.positive()))
            };
            let mut view = View {
                name: block.name().to_owned(),
                axes: axes.collect(),
                given: block.given(),
                places: Places::Some(block.members().iter().map(member).collect()),
            };
            if block.given() == block.axes().len() {
                view.fill();
            }
            view
        };
        Domain { views: plain.chain(variables.blocks().iter().map(view)).collect() }
    }

    /// Adds a block with a literal at every place, the last axis fastest.
    ///
    /// # Panics
    /// If there are not as many literals as places.
    #[must_use]
    pub fn with_block(
        self,
        name: &str,
        axes: &[(&str, RangeInclusive<i64>)],
        literals: impl IntoIterator<Item = Lit>,
    ) -> Domain {
        self.with(name, axes, literals.into_iter().map(Value::Literal).collect())
    }

    /// Adds a block of numbers that are known of the instance, the last axis fastest.
    ///
    /// # Panics
    /// If there are not as many numbers as places.
    #[must_use]
    pub fn with_numbers(
        self,
        name: &str,
        axes: &[(&str, RangeInclusive<i64>)],
        numbers: impl IntoIterator<Item = i64>,
    ) -> Domain {
        self.with(name, axes, numbers.into_iter().map(Value::Number).collect())
    }

    fn with(mut self, name: &str, axes: &[(&str, RangeInclusive<i64>)], values: Vec<Value>) -> Domain {
        let labels = |range: &RangeInclusive<i64>| Labels::Range(*range.start(), range.clone().count());
        let axes: Vec<_> = axes.iter().map(|(axis, range)| ((*axis).to_owned(), labels(range))).collect();
        let places: usize = axes.iter().map(|(_, labels)| labels.len()).product();
        assert_eq!(values.len(), places, "a value for every place of {name}");
        self.views.push(View {
            name: name.to_owned(),
            given: axes.len(),
            axes,
            places: Places::Full(values),
        });
        self
    }

    /// The block that a term over these axes is of. A name can be that of a plain variable too.
    pub(super) fn find(&self, name: &str, is_plain: bool) -> Option<&View> {
        let mut named = self.views.iter().filter(|view| view.name == name);
        let first = named.next()?;
        if first.axes.is_empty() == is_plain { Some(first) } else { Some(named.next().unwrap_or(first)) }
    }
}

impl View {
    /// Turns places that are all taken into a full table.
    fn fill(&mut self) {
        let Places::Some(members) = &self.places else { return };
        let sizes = || self.axes.iter().map(|(_, labels)| labels.len());
        if sizes().try_fold(1usize, |places, size| places.checked_mul(size)) != Some(members.len()) {
            return;
        }
        let number = |at: &[usize]| {
            at.iter().zip(sizes()).fold(0, |number, (position, size)| number * size + position)
        };
        let mut placed: Vec<(usize, Value)> =
            members.iter().map(|(at, value)| (number(at), *value)).collect();
        placed.sort_unstable_by_key(|(number, _)| *number);
        self.places = Places::Full(placed.into_iter().map(|(_, value)| value).collect());
    }

    /// Calls `found` with each value within the picks, one for each axis.
    pub fn each(&self, picks: &[Pick], found: &mut impl FnMut(Value)) {
        match &self.places {
            Places::Full(values) => self.walk(values, picks, 0, found),
            Places::Some(members) => {
                let is_within = |at: &[usize]| {
                    picks.iter().zip(at).all(|(pick, position)| match pick {
                        Pick::All => true,
                        Pick::These(these) => these.contains(&Some(*position)),
                    })
                };
                members.iter().filter(|(at, _)| is_within(at)).for_each(|(_, value)| found(*value));
            }
        }
    }

    fn walk(&self, values: &[Value], picks: &[Pick], number: usize, found: &mut impl FnMut(Value)) {
        let Some((pick, rest)) = picks.split_first() else {
            found(values[number]);
            return;
        };
        let size = self.axes[self.axes.len() - picks.len()].1.len();
        match pick {
            Pick::All => (0..size).for_each(|at| self.walk(values, rest, number * size + at, found)),
            Pick::These(these) => {
                these.iter().flatten().for_each(|at| self.walk(values, rest, number * size + at, found));
            }
        }
    }

    /// Whether every picked position has a value within the picks. Of a block without any value none is
    /// missed.
    pub fn has_all(&self, picks: &[Pick]) -> bool {
        let Places::Some(members) = &self.places else { return true };
        let has = |picks: &[Pick]| {
            let mut any = false;
            self.each(picks, &mut |_| any = true);
            any
        };
        let has_each = |axis: usize| match picks[axis] {
            Pick::These(these) if these.len() > 1 => these.iter().all(|one| {
                let mut narrow = picks.to_vec();
                narrow[axis] = Pick::These(std::slice::from_ref(one));
                has(&narrow)
            }),
            _ => true,
        };
        members.is_empty() || (has(picks) && (0..picks.len()).all(has_each))
    }

    /// How many literals within the picks are beyond the edge, if `found` values are not; none where a
    /// computed axis is picked from, since nothing is computed there.
    pub fn outside(&self, picks: &[Pick], found: usize) -> usize {
        let is_of_numbers =
            matches!(&self.places, Places::Full(values) if matches!(values.first(), Some(Value::Number(_))));
        if is_of_numbers || picks[self.given..].iter().any(|pick| matches!(pick, Pick::These(_))) {
            return 0;
        }
        let size = |(pick, (_, labels)): (&Pick, &(String, Labels))| match pick {
            Pick::All => labels.len(),
            Pick::These(these) => these.len(),
        };
        let sizes = picks.iter().zip(&self.axes).take(self.given).map(size);
        sizes.fold(1usize, usize::saturating_mul).saturating_sub(found)
    }
}
