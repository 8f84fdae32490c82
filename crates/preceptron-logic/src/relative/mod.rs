//! Rules over axes and offsets, to be put on a domain of any size.
//!
//! "For every row and digit: exactly 1 of `cell[row, column *, digit]`" names no row and no digit: the rule
//! has an *anchor* on each of these axes, and its terms stand at offsets from the anchors, at fixed labels,
//! or at all labels of an axis. [`RelativeRule::ground`] puts it at every place of its anchors on a
//! [`Domain`]. Such rules are what [`lift`](crate::lift()) makes of many rules that say the same, and what is
//! learned from tables that pool the surroundings of many places.

mod domain;
mod ground;
#[cfg(test)]
pub(crate) mod tests;
mod words;

use serde::{Deserialize, Serialize};

use crate::{Constraint, Evidence, Label, Lit, Origin, Sums};
pub use domain::Domain;

/// Which labels of an axis a term takes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Select {
    /// All of them.
    Every,
    /// All that the term's other axes leave: one of these is computed from this axis. It is not printed.
    Implied,
    /// These.
    Labels(Vec<Label>),
    /// Those at these distances from the rule's anchor on the axis; words have only a distance of 0.
    Offsets(Vec<i64>),
}

/// The variables of a block at places relative to the anchors, or numbers that are known of an instance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RelativeTerm {
    /// The block's name; the name of a variable that has no place.
    pub block: String,
    /// The labels on each axis. An axis that is not named is taken as a whole.
    pub at: Vec<(String, Select)>,
    /// Whether it stands for the negations of the variables.
    #[serde(default)]
    pub negated: bool,
}

/// What a rule says of its terms' literals, however many these are on a domain. Numbers that are known of
/// an instance are added where literals are counted; those of a negated term are taken off.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// At least one literal is true: a clause.
    Any,
    /// All literals are true.
    All,
    /// So many literals are true; one of a negated term is true where its variable is false.
    Count(Sums),
    /// An even or an odd number of literals is true.
    Parity {
        /// Whether the number is odd.
        odd: bool,
        /// Among how many literals it was found, which says nothing of other domains.
        among: u32,
    },
    /// The number of true variables of the terms that are not negated, less that of the negated ones, is
    /// within these bounds.
    Balance {
        /// The least difference, if there is one.
        min: Option<i64>,
        /// The greatest difference, if there is one.
        max: Option<i64>,
    },
}

/// What lies beyond the labels of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// Nothing: where a term leaves an axis, the rule does not apply.
    #[default]
    Skip,
    /// Variables that are false.
    False,
}

/// What a relative rule says, in one way of writing: gate, terms, claim and edge.
pub(crate) type Normal = (Vec<RelativeTerm>, Vec<RelativeTerm>, Claim, Edge);

/// A rule that holds wherever its anchors are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RelativeRule {
    /// The axes with an anchor, in the order in which they are said.
    #[serde(rename = "for_every", default)]
    pub anchors: Vec<String>,
    /// The literal that must be true for the rule to apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<RelativeTerm>,
    /// What is counted.
    pub terms: Vec<RelativeTerm>,
    /// What is said of it.
    pub claim: Claim,
    /// What lies beyond the edge of an axis.
    #[serde(default)]
    pub edge: Edge,
    /// Places of the anchors where the rule was not found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<Vec<(String, Label)>>,
    /// Where it came from.
    #[serde(default)]
    pub origin: Origin,
    /// What the examples say of it, at all places together.
    #[serde(default)]
    pub evidence: Evidence,
}

impl RelativeTerm {
    /// The variables of a block at these labels.
    pub fn new(block: &str, at: &[(&str, Select)]) -> RelativeTerm {
        let at = at.iter().map(|(axis, select)| ((*axis).to_owned(), select.clone())).collect();
        RelativeTerm { block: block.to_owned(), at, negated: false }
    }

    /// The negations of the same variables, or the variables of these negations.
    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn not(mut self) -> RelativeTerm {
        self.negated = !self.negated;
        self
    }

    /// Whether it names one literal, rather than a set that may have one.
    pub fn is_literal(&self) -> bool {
        self.at.iter().all(|(_, select)| match select {
            Select::Every | Select::Implied => false,
            Select::Labels(labels) => labels.len() == 1,
            Select::Offsets(offsets) => offsets.len() == 1,
        })
    }

    /// The same literals by terms with one label each, where not too many labels are listed; axes by name,
    /// and without those that are taken as a whole.
    fn single(&self) -> Vec<RelativeTerm> {
        let whole = |select: &Select| matches!(select, Select::Every | Select::Implied);
        let mut axes: Vec<_> = self.at.iter().filter(|(_, select)| !whole(select)).cloned().collect();
        axes.sort_unstable();
        let size = |select: &Select| match select {
            Select::Every | Select::Implied => 1,
            Select::Labels(labels) => labels.len(),
            Select::Offsets(offsets) => offsets.len(),
        };
        if axes.iter().fold(1usize, |all, (_, select)| all.saturating_mul(size(select))) > 1000 {
            return vec![RelativeTerm { at: axes, ..self.clone() }];
        }
        let mut terms = vec![RelativeTerm { at: vec![], ..self.clone() }];
        for (axis, select) in axes {
            let each: Vec<Select> = match select {
                Select::Every | Select::Implied => continue,
                Select::Labels(labels) => labels.into_iter().map(|l| Select::Labels(vec![l])).collect(),
                Select::Offsets(offsets) => offsets.into_iter().map(|o| Select::Offsets(vec![o])).collect(),
            };
            let with = |term: &RelativeTerm, select: &Select| {
                let mut term = term.clone();
                term.at.push((axis.clone(), select.clone()));
                term
            };
            terms = terms.iter().flat_map(|term| each.iter().map(|select| with(term, select))).collect();
        }
        terms
    }
}

impl RelativeRule {
    /// A rule that was stated, not learned, with an anchor on each axis on which a term has an offset.
    pub fn new(
        gate: Option<RelativeTerm>,
        terms: Vec<RelativeTerm>,
        claim: Claim,
        edge: Edge,
    ) -> RelativeRule {
        let mut rule = RelativeRule {
            anchors: vec![],
            gate,
            terms,
            claim,
            edge,
            exceptions: vec![],
            origin: Origin::Given,
            evidence: Evidence::default(),
        };
        rule.anchors = rule.anchors().into_iter().map(str::to_owned).collect();
        rule
    }

    /// From a constraint over the columns of a table, each of which stands for a term.
    ///
    /// # Panics
    /// If the constraint has a variable beyond the columns.
    pub fn from_constraint(constraint: &Constraint, columns: &[RelativeTerm], edge: Edge) -> RelativeRule {
        let term = |literal: Lit| {
            let column = columns[literal.var().index()].clone();
            if literal.is_negated() { column.not() } else { column }
        };
        let body = Constraint::new(constraint.literals().iter().copied(), constraint.sums().clone());
        let (literals, claim) = match body.as_clause() {
            Some(clause) => (clause, Claim::Any),
            None => (body.literals().to_vec(), Claim::Count(body.sums().clone())),
        };
        let terms = literals.into_iter().map(term).collect();
        RelativeRule::new(constraint.gate().map(term), terms, claim, edge)
    }

    /// The terms, the gate last.
    fn all_terms(&self) -> impl Iterator<Item = &RelativeTerm> {
        self.terms.iter().chain(&self.gate)
    }

    /// The axes with an anchor: those that are said, then any others on which a term has an offset.
    pub fn anchors(&self) -> Vec<&str> {
        let mut anchors: Vec<&str> = self.anchors.iter().map(String::as_str).collect();
        for (axis, select) in self.all_terms().flat_map(|term| &term.at) {
            if matches!(select, Select::Offsets(_)) && !anchors.contains(&axis.as_str()) {
                anchors.push(axis);
            }
        }
        anchors
    }

    /// Whether two rules say the same, whatever their evidence and their exceptions, in one way of writing
    /// or another: with terms in any order, and one term for several places or several terms.
    pub fn says_the_same(&self, other: &RelativeRule) -> bool {
        self.normal() == other.normal()
    }

    pub(crate) fn normal(&self) -> Normal {
        let mut terms: Vec<RelativeTerm> = self.terms.iter().flat_map(RelativeTerm::single).collect();
        terms.sort_unstable();
        terms.dedup();
        let claim = match &self.claim {
            Claim::Any => Claim::Count(Sums::range(1, u32::MAX)),
            Claim::Parity { odd, .. } => Claim::Parity { odd: *odd, among: 0 },
            claim => claim.clone(),
        };
        (self.gate.iter().flat_map(RelativeTerm::single).collect(), terms, claim, self.edge)
    }
}
