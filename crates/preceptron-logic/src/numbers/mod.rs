//! Rules of whole numbers: what columns of integers obey that has to do with their order or with sums.
//!
//! A [`Claim`] speaks of columns by their places in [`NumberRules::columns`]; under a [`Gate`] it is claimed only of
//! rows that have a certain word in a column of words.

mod encode;
mod holds;
mod minizinc;
mod smtlib;
mod symbols;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use encode::{AUXILIARY, EncodeError, encoded};
pub(crate) use minizinc::written as in_minizinc;
pub(crate) use smtlib::written as in_smtlib;

/// A column of whole numbers, and the least and greatest that were seen in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NumberColumn {
    /// Its name.
    pub name: String,
    /// The least number seen.
    pub min: i64,
    /// The greatest number seen.
    pub max: i64,
}

/// A column of words that gates and classes speak of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Category {
    /// Its name.
    pub name: String,
    /// Its words.
    pub labels: Vec<String>,
}

/// The rows that a rule is about: those with a certain word in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// The column's place among the categories.
    pub category: usize,
    /// The word's place among its labels.
    pub label: usize,
}

/// How a sum stands to a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// It is equal.
    Equal,
    /// It is at most that.
    AtMost,
}

/// A product of columns with a coefficient; the coefficient alone if there are none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Monomial {
    /// What it is multiplied by.
    pub coefficient: i64,
    /// The columns; one twice is its square.
    pub columns: Vec<usize>,
}

/// What is claimed of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Claim {
    /// The sum of columns times coefficients is a constant, or at most that.
    Linear {
        /// Coefficients and columns.
        terms: Vec<(i64, usize)>,
        /// Which of the two.
        relation: Relation,
        /// The constant.
        constant: i64,
    },
    /// The product of columns is a constant times another column, or a constant.
    Product {
        /// The columns that are multiplied.
        factors: Vec<usize>,
        /// The column that the product is a multiple of.
        column: Option<usize>,
        /// The constant.
        constant: i64,
    },
    /// One of two columns is so many times the other.
    Ratio {
        /// One column.
        first: usize,
        /// The other.
        second: usize,
        /// How many times.
        times: i64,
    },
    /// The distance of two columns is within a range.
    Distance {
        /// One column.
        first: usize,
        /// The other.
        second: usize,
        /// The least distance.
        least: i64,
        /// The greatest distance.
        most: i64,
    },
    /// Two columns are apart: `first + before <= second` or `second + after <= first`.
    Apart {
        /// One column.
        first: usize,
        /// The other.
        second: usize,
        /// How long before the second the first must be.
        before: i64,
        /// How long after the second the first must be.
        after: i64,
    },
    /// Columns are all different; for `by` above 1, `(column + shift) div by` are.
    Distinct {
        /// The columns.
        columns: Vec<usize>,
        /// How many numbers that follow one another count as the same.
        by: i64,
        /// What is added first.
        shift: i64,
    },
    /// The distances between every two of the columns are all different.
    Differences {
        /// The columns.
        columns: Vec<usize>,
    },
    /// Each column is at least so much above the one before.
    Increasing {
        /// The columns in order.
        columns: Vec<usize>,
        /// How much.
        step: i64,
    },
    /// How many of the columns hold a value.
    Count {
        /// The columns.
        columns: Vec<usize>,
        /// The value.
        value: i64,
        /// The least number of columns.
        least: usize,
        /// The greatest number of columns.
        most: usize,
    },
    /// A word by the sign of an expression.
    Sign {
        /// The column of words.
        category: usize,
        /// The expression: a sum of products.
        expression: Vec<Monomial>,
        /// The word where it is below zero, if that was seen.
        below: Option<usize>,
        /// The word where it is zero, if that was seen.
        zero: Option<usize>,
        /// The word where it is above zero, if that was seen.
        above: Option<usize>,
    },
}

/// Why a rule is believed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NumberEvidence {
    /// The rows that it was checked in; none of them breaks it.
    pub rows: u64,
    /// Minus the logarithm of the chance of that, were the columns bound by nothing but the other rules.
    pub evidence: f64,
    /// The evidence that was asked for, by how many rules were looked at.
    pub needed: f64,
}

/// A rule of numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NumberRule {
    /// The rows that it is about; all without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
    /// What is claimed.
    pub claim: Claim,
    /// What several rules that were found together have in common, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// Why it is believed.
    #[serde(default)]
    pub evidence: NumberEvidence,
}

/// Rules of numbers over named columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NumberRules {
    /// The columns of numbers.
    pub columns: Vec<NumberColumn>,
    /// The columns of words that rules speak of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<Category>,
    /// The rules.
    pub rules: Vec<NumberRule>,
    /// Where the rules are on Boolean variables: what each of these constraints says.
    #[serde(skip)]
    pub encoding: Encoding,
}

/// What the constraints of a problem say whose rules of numbers were put on Boolean variables.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Encoding {
    /// By the number of a rule of the problem.
    pub rules: BTreeMap<usize, String>,
    /// By the number of a weighted sum of the problem.
    pub linear: BTreeMap<usize, String>,
}

impl Claim {
    /// The columns that it speaks of, each once, in order.
    pub fn columns(&self) -> Vec<usize> {
        let mut all: Vec<usize> = match self {
            Claim::Linear { terms, .. } => terms.iter().map(|term| term.1).collect(),
            Claim::Product { factors, column, .. } => factors.iter().copied().chain(*column).collect(),
            Claim::Ratio { first, second, .. }
            | Claim::Distance { first, second, .. }
            | Claim::Apart { first, second, .. } => vec![*first, *second],
            Claim::Distinct { columns, .. }
            | Claim::Differences { columns }
            | Claim::Increasing { columns, .. }
            | Claim::Count { columns, .. } => columns.clone(),
            Claim::Sign { expression, .. } => {
                expression.iter().flat_map(|monomial| monomial.columns.iter().copied()).collect()
            }
        };
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether it has to do with the order of numbers or with arithmetic, and not only with which are equal.
    pub fn is_ordered(&self) -> bool {
        match self {
            Claim::Linear { terms, relation: Relation::Equal, constant: 0 } => {
                !matches!(terms[..], [(a, _), (b, _)] if a == -b)
            }
            Claim::Distinct { by, .. } => *by > 1,
            Claim::Apart { before, after, .. } => (*before, *after) != (1, 1),
            Claim::Count { .. } => false,
            _ => true,
        }
    }
}

impl Claim {
    /// Gives columns and categories other places.
    pub fn renumber(&mut self, column: impl Fn(usize) -> usize, words: impl Fn(usize) -> usize) {
        match self {
            Claim::Linear { terms, .. } => terms.iter_mut().for_each(|term| term.1 = column(term.1)),
            Claim::Product { factors, column: of, .. } => {
                factors.iter_mut().for_each(|factor| *factor = column(*factor));
                *of = of.map(&column);
            }
            Claim::Ratio { first, second, .. }
            | Claim::Distance { first, second, .. }
            | Claim::Apart { first, second, .. } => {
                (*first, *second) = (column(*first), column(*second));
            }
            Claim::Distinct { columns, .. }
            | Claim::Differences { columns }
            | Claim::Increasing { columns, .. }
            | Claim::Count { columns, .. } => columns.iter_mut().for_each(|one| *one = column(*one)),
            Claim::Sign { category, expression, .. } => {
                *category = words(*category);
                let all = expression.iter_mut().flat_map(|monomial| &mut monomial.columns);
                all.for_each(|one| *one = column(*one));
            }
        }
    }
}

impl NumberRules {
    /// Whether there are neither columns nor rules.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty() && self.rules.is_empty()
    }

    /// What is wrong with rules that were read from a file: a place where no column or word is, a range without a
    /// number, or numbers too large to be computed with.
    ///
    /// # Errors
    /// With the rule's number, from 1, and what is wrong.
    pub fn check(&self) -> Result<(), String> {
        const LARGEST: i64 = 1 << 50;
        for column in &self.columns {
            if column.min > column.max || column.min < -LARGEST || column.max > LARGEST {
                return Err(format!("column {:?}: its range is not one", column.name));
            }
        }
        for (number, rule) in (1..).zip(&self.rules) {
            let wrong = |what: &str| Err(format!("rule of numbers {number}: {what}"));
            if rule.claim.columns().iter().any(|column| *column >= self.columns.len()) {
                return wrong("speaks of a column that there is not");
            }
            let word = |gate: Gate| {
                self.categories.get(gate.category).is_some_and(|of| gate.label < of.labels.len())
            };
            if rule.gate.is_some_and(|gate| !word(gate)) {
                return wrong("its gate is no word of a column");
            }
            if let Claim::Sign { category, below, zero, above, .. } = &rule.claim
                && ![below, zero, above]
                    .into_iter()
                    .flatten()
                    .all(|label| word(Gate { category: *category, label: *label }))
            {
                return wrong("its class is no word of a column");
            }
            if rule.claim.constants().iter().any(|constant| constant.unsigned_abs() > LARGEST as u64) {
                return wrong("has a number beyond 2^50");
            }
            if matches!(rule.claim, Claim::Distinct { by, .. } if by < 1) {
                return wrong("divides by a number below 1");
            }
        }
        Ok(())
    }
}

impl Claim {
    /// The numbers in it that are no columns.
    fn constants(&self) -> Vec<i64> {
        match self {
            Claim::Linear { terms, constant, .. } => {
                terms.iter().map(|term| term.0).chain([*constant]).collect()
            }
            Claim::Product { constant, .. } => vec![*constant],
            Claim::Ratio { times, .. } => vec![*times],
            Claim::Distance { least, most, .. } => vec![*least, *most],
            Claim::Apart { before, after, .. } => vec![*before, *after],
            Claim::Distinct { by, shift, .. } => vec![*by, *shift],
            Claim::Increasing { step, .. } => vec![*step],
            Claim::Count { value, .. } => vec![*value],
            Claim::Sign { expression, .. } => expression.iter().map(|one| one.coefficient).collect(),
            Claim::Differences { .. } => vec![],
        }
    }
}
