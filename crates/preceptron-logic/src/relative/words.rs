//! Relative rules in words: "for every row and digit: exactly 1 of cell[row, column *, digit]".

use std::fmt;

use super::{Claim, RelativeRule, RelativeTerm, Select};
use crate::explain::{Word, enumerate, words};
use crate::statement::{Form, Quantity};
use crate::variables::consecutive;
use crate::{Label, Sums};

impl fmt::Display for RelativeTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |(axis, select): &(String, Select)| match select {
            Select::Implied => None,
            Select::Every => Some(format!("{axis} *")),
            Select::Labels(labels) => Some(format!("{axis} {}", spell(labels))),
            Select::Offsets(offsets) => Some(spell_offsets(axis, offsets)),
        };
        let words: Vec<String> = self.at.iter().filter_map(word).collect();
        let not = if self.negated { "not " } else { "" };
        match self.at.is_empty() {
            true => write!(f, "{not}{}", self.block),
            false => write!(f, "{not}{}[{}]", self.block, words.join(", ")),
        }
    }
}

/// Labels in words: one, a run of numbers, or a list.
fn spell(labels: &[Label]) -> String {
    match labels {
        [one] => one.to_string(),
        [first, .., last] if consecutive(labels) => format!("{first}..{last}"),
        _ => format!("{{{}}}", labels.iter().map(Label::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// `day`, `day+1`, `day..day+2`, `{day, day+3}`.
fn spell_offsets(axis: &str, offsets: &[i64]) -> String {
    let word = |offset: &i64| if *offset == 0 { axis.to_owned() } else { format!("{axis}{offset:+}") };
    match offsets {
        [one] => word(one),
        [first, .., last] if offsets.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1])) => {
            format!("{}..{}", word(first), word(last))
        }
        _ => format!("{{{}}}", offsets.iter().map(word).collect::<Vec<_>>().join(", ")),
    }
}

impl fmt::Display for RelativeRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (form, groups) = self.form();
        let gate = self.gate.as_ref().map(RelativeTerm::to_string);
        let body = words(&form, &groups, gate.as_deref());
        let anchors: Vec<String> = self.anchors().into_iter().map(str::to_owned).collect();
        match anchors.is_empty() {
            true => f.write_str(&body),
            false => write!(f, "for every {}: {body}", enumerate(&anchors, "and")),
        }
    }
}

impl RelativeRule {
    /// The form in which it is said, and its groups of terms.
    fn form(&self) -> (Form, Vec<Vec<Word>>) {
        let word = |term: &RelativeTerm| (term.to_string(), term.is_literal());
        let all = || vec![self.terms.iter().map(word).collect::<Vec<_>>()];
        let signed = |negated: bool| -> Vec<Word> {
            let terms = self.terms.iter().filter(|term| term.negated == negated);
            terms.map(|term| word(&RelativeTerm { negated: false, ..term.clone() })).collect()
        };
        let counted = |quantity: Quantity| (Form::Count(quantity), all());
        match (&self.claim, &self.terms[..]) {
            (Claim::All | Claim::Any, [one]) if one.is_literal() => {
                (if one.negated { Form::Never } else { Form::Always }, vec![signed(one.negated)])
            }
            (Claim::Any, []) => (Form::Impossible, vec![]),
            (Claim::Any, terms) => {
                match (terms.iter().any(|term| term.negated), terms.iter().any(|term| !term.negated)) {
                    (false, _) => counted(Quantity::AtLeast(1)),
                    (_, false) => (Form::NotAll, vec![signed(true)]),
                    _ => (Form::If, vec![signed(true), signed(false)]),
                }
            }
            (Claim::All, _) => counted(Quantity::All),
            (Claim::Count(sums), _) => counted(quantity(sums)),
            (Claim::Parity { odd: false, among }, _) => counted(Quantity::Even(*among)),
            (Claim::Parity { odd: true, among }, _) => counted(Quantity::Odd(*among)),
            (Claim::Balance { min, max }, _) => self.balance(*min, *max, [signed(false), signed(true)]),
        }
    }

    /// A difference in words: of what there is more, and of what there is less.
    fn balance(&self, min: Option<i64>, max: Option<i64>, groups: [Vec<Word>; 2]) -> (Form, Vec<Vec<Word>>) {
        let number = |bound: i64| u32::try_from(bound.unsigned_abs()).unwrap_or(u32::MAX);
        let [plus, minus] = groups;
        let (form, is_swapped) = match (min, max) {
            (min, max) if minus.is_empty() && min.is_none_or(|m| m >= 0) && max.is_none_or(|m| m >= 0) => {
                let sums = Sums::range(min.map_or(0, number), max.map_or(u32::MAX, number));
                (Form::Count(quantity(&sums)), false)
            }
            (Some(least), Some(most)) if least == most => (Form::More(number(least)), least < 0),
            (Some(0), None) => (Form::AtLeastAsMany, false),
            (None, Some(0)) => (Form::AtLeastAsMany, true),
            (min, max) => (Form::Difference(min, max), false),
        };
        (form, if is_swapped { vec![minus, plus] } else { vec![plus, minus] })
    }
}

/// A number of literals in words.
fn quantity(sums: &Sums) -> Quantity {
    match *sums {
        Sums::Set(ref values) => Quantity::OneOf(values.clone()),
        Sums::Range { min: 0, max: 0 } => Quantity::None,
        Sums::Range { min, max } if min == max => Quantity::Exactly(min),
        Sums::Range { min, max: u32::MAX } => Quantity::AtLeast(min),
        Sums::Range { min: 0, max } => Quantity::AtMost(max),
        Sums::Range { min, max } => Quantity::Between(min, max),
    }
}
