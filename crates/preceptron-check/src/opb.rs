//! The formula: constraints and an objective in the format OPB.
//!
//! ```text
//! * #variable= 3 #constraint= 2
//! min: +2 x1 -1 ~x3 ;
//! +1 x1 +1 ~x2 +3 x3 >= 2 ;
//! +1 x1 +1 x2 = 1 ;
//! ```
//!
//! An equation counts as two constraints, `>=` and then `<=`. `* objective constant C` adds a number to
//! every value of the objective that people are told.

use std::collections::HashMap;

use crate::constraint::{Constraint, Lit};
use crate::refusal::Refusal;

/// Variables by their names, in the order in which they were first seen.
#[derive(Clone, Debug, Default)]
pub struct Names {
    numbers: HashMap<String, u32>,
}

impl Names {
    /// The literal that a word such as `~x3` means; a new variable if it has not been seen.
    pub fn literal(&mut self, word: &str) -> Option<Lit> {
        let (name, negated) = word.strip_prefix('~').map_or((word, 0), |name| (name, 1));
        let next = self.numbers.len() as u32;
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !is_name || next >= 1 << 30 {
            return None;
        }
        let number = match self.numbers.get(name) {
            Some(number) => *number,
            None => *self.numbers.entry(name.to_owned()).or_insert(next),
        };
        Some(2 * number + negated)
    }

    /// The number of a variable that has been seen.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// How many variables have been seen.
    pub fn count(&self) -> usize {
        self.numbers.len()
    }
}

/// Constraints and what is to be least.
#[derive(Clone, Debug, Default)]
pub struct Formula {
    /// The variables.
    pub names: Names,
    /// The constraints, numbered from 1.
    pub constraints: Vec<Constraint>,
    /// Weighted literals, if there is something to minimise.
    pub objective: Option<Vec<(i128, Lit)>>,
    /// What people add to the objective.
    pub constant: i128,
}

impl Formula {
    /// Reads OPB.
    ///
    /// # Errors
    /// With the line, if something there is no OPB.
    pub fn read(text: &str) -> Result<Formula, Refusal> {
        let mut formula = Formula::default();
        for (line, content) in (1..).zip(text.lines()) {
            let content = content.trim();
            let wrong = |what: &str| Refusal::at("the formula", line, what);
            if let Some(comment) = content.strip_prefix('*') {
                if let Some(constant) = comment.trim().strip_prefix("objective constant ") {
                    formula.constant = constant.trim().parse().map_err(|_| wrong("no whole number"))?;
                }
                continue;
            }
            for statement in content.split_inclusive(';') {
                let statement = statement.trim();
                if statement.is_empty() {
                    continue;
                }
                let body =
                    statement.strip_suffix(';').ok_or_else(|| wrong("no `;` at the end of the line"))?;
                let words: Vec<&str> = body.split_whitespace().collect();
                if words.first() == Some(&"min:") {
                    if formula.objective.is_some() || !formula.constraints.is_empty() {
                        return Err(wrong("an objective stands once, before the constraints"));
                    }
                    formula.objective =
                        Some(sum(&words[1..], &mut formula.names).map_err(|what| wrong(&what))?);
                    continue;
                }
                let read = constraints(&words, &mut formula.names).map_err(|what| wrong(&what))?;
                formula.constraints.extend(read);
            }
        }
        Ok(formula)
    }

    /// What an assignment costs, without the constant.
    pub fn value(&self, is_true: impl Fn(Lit) -> bool) -> i128 {
        let terms = self.objective.iter().flatten();
        terms.filter(|(_, literal)| is_true(*literal)).map(|(weight, _)| weight).sum()
    }

    /// The constraint that the objective is at most a number.
    ///
    /// # Errors
    /// If numbers become too large.
    pub fn at_most(&self, most: i128) -> Result<Constraint, crate::constraint::Overflow> {
        let terms = self.objective.iter().flatten().map(|&(weight, literal)| (-weight, literal));
        Constraint::new(terms, -most)
    }

    /// The constraint that the objective is at least a number.
    ///
    /// # Errors
    /// If numbers become too large.
    pub fn at_least(&self, least: i128) -> Result<Constraint, crate::constraint::Overflow> {
        Constraint::new(self.objective.iter().flatten().copied(), least)
    }
}

/// Weights and literals in turns.
fn sum(words: &[&str], names: &mut Names) -> Result<Vec<(i128, Lit)>, String> {
    if !words.len().is_multiple_of(2) {
        return Err("weights and literals come in pairs".to_owned());
    }
    let term = |pair: &[&str]| {
        // Weights of 64 bits add up without leaving 127 however many there are.
        let weight: i64 = pair[0].parse().map_err(|_| format!("{:?} is no weight of 64 bits", pair[0]))?;
        let literal = names.literal(pair[1]).ok_or_else(|| format!("{:?} is no literal", pair[1]))?;
        Ok((i128::from(weight), literal))
    };
    words.chunks(2).map(term).collect()
}

/// One constraint, or two for an equation; words without the `;`.
pub fn constraints(words: &[&str], names: &mut Names) -> Result<Vec<Constraint>, String> {
    let [terms @ .., relation, bound] = words else { return Err("no constraint".to_owned()) };
    let bound: i128 = bound.parse().map_err(|_| format!("{bound:?} is no whole number"))?;
    let terms = big_sum(terms, names)?;
    let least = || Constraint::new(terms.iter().copied(), bound);
    let most = || Constraint::new(terms.iter().map(|&(weight, literal)| (-weight, literal)), -bound);
    let made = match *relation {
        ">=" => vec![least()],
        "<=" => vec![most()],
        "=" => vec![least(), most()],
        other => return Err(format!("{other:?} is none of >=, <=, =")),
    };
    let made: Result<Vec<_>, _> = made.into_iter().collect();
    made.map_err(|_| "numbers are too large".to_owned())
}

/// The same as `sum` with weights as large as proofs may have.
fn big_sum(words: &[&str], names: &mut Names) -> Result<Vec<(i128, Lit)>, String> {
    if !words.len().is_multiple_of(2) {
        return Err("weights and literals come in pairs".to_owned());
    }
    let term = |pair: &[&str]| {
        let weight: i128 = pair[0].parse().map_err(|_| format!("{:?} is no weight", pair[0]))?;
        if weight.unsigned_abs() >= 1 << 100 {
            return Err(format!("the weight {weight} is too large"));
        }
        let literal = names.literal(pair[1]).ok_or_else(|| format!("{:?} is no literal", pair[1]))?;
        Ok((weight, literal))
    };
    words.chunks(2).map(term).collect()
}
