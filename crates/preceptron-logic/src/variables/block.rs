//! Where variables stand: labels on axes, axes of blocks.

use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::{Deserialize, Serialize};

#[cfg(doc)]
use super::Variables;
use crate::{Expression, Var};

/// A place on an axis: a number or a word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Label {
    /// A whole number; numbers are ordered, and can be computed with in derived axes.
    Number(i64),
    /// Anything else.
    Word(String),
}

impl Label {
    /// Reads a label: a number if it is written as one would be printed, else a word.
    pub fn parse(text: &str) -> Label {
        match text.parse::<i64>() {
            Ok(number) if number.to_string() == text => Label::Number(number),
            _ => Label::Word(text.to_owned()),
        }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Label::Number(number) => write!(f, "{number}"),
            Label::Word(word) => write!(f, "{word}"),
        }
    }
}

/// A named axis and the labels on it. Numbers rise; words stand in the order in which they came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    pub(super) name: String,
    pub(super) labels: Vec<Label>,
    pub(super) derived: Option<Expression>,
}

impl Axis {
    /// The axis's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The labels, by position.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The expression that computes it from other axes, if it is derived.
    pub fn derived(&self) -> Option<&Expression> {
        self.derived.as_ref()
    }

    /// Whether all labels are numbers without gaps, so that "the next one" has a meaning.
    pub fn is_consecutive(&self) -> bool {
        consecutive(&self.labels)
    }
}

/// Variables that share a name and axes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub(super) name: String,
    pub(super) axes: Vec<Axis>,
    pub(super) one_hot: Option<usize>,
    pub(super) members: Vec<Var>,
    pub(super) by_place: HashMap<Vec<usize>, Var>,
}

impl Block {
    /// The block's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The axes: first those in the names, then the derived ones.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// How many of the axes are in the names, not derived.
    pub fn given(&self) -> usize {
        self.axes.iter().take_while(|axis| axis.derived.is_none()).count()
    }

    /// The position of the axis with this name.
    pub fn axis(&self, name: &str) -> Option<usize> {
        self.axes.iter().position(|a| a.name == name)
    }

    /// The axis of which, at each place on the others, exactly one variable is known to be true from the
    /// encoding of the data.
    pub fn one_hot(&self) -> Option<usize> {
        self.one_hot
    }

    /// The variable at these positions on the axes that are not derived.
    pub fn at(&self, positions: &[usize]) -> Option<Var> {
        self.by_place.get(positions).copied()
    }

    /// The block's variables, rising.
    pub fn members(&self) -> &[Var] {
        &self.members
    }
}

/// Where a variable stands: its block, and its position on each of the block's axes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The block's number in [`Variables::blocks`].
    pub block: usize,
    /// The position on each axis of the block, derived axes last.
    pub positions: Vec<usize>,
}

/// Whether all labels are numbers without gaps, rising.
pub(crate) fn consecutive(labels: &[Label]) -> bool {
    labels.iter().all(|label| matches!(label, Label::Number(_)))
        && labels
            .windows(2)
            .all(|w| matches!(w, [Label::Number(a), Label::Number(b)] if a.checked_add(1) == Some(*b)))
}

/// Distinct labels: rising if all are numbers, else in the order in which they came.
pub(crate) fn ordered_labels<'a>(labels: impl Iterator<Item = &'a Label>) -> Vec<Label> {
    let mut seen = HashSet::new();
    let mut distinct: Vec<Label> = labels.filter(|label| seen.insert(*label)).cloned().collect();
    if distinct.iter().all(|label| matches!(label, Label::Number(_))) {
        distinct.sort_unstable();
    }
    distinct
}
