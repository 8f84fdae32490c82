//! Rules that were found at one size, put on variables of another.
//!
//! The families of a rule set ([`lift`]) are relative rules: they name axes, not places. A family of which no place is
//! missing says as much at any size, so it is put on every place of the new variables; single rules, and families
//! with exceptions, are about places of the old size and are left out.

use crate::{Expression, Label, Rule, RuleSet, Variables, VariablesError, lift};

/// The new numbers of labels, and the derived axes that are computed in another way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sizes {
    /// How many labels an axis has.
    pub axes: Vec<(String, i64)>,
    /// What a derived axis is.
    pub derived: Vec<(String, Expression)>,
}

/// Why rules cannot be put at another size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResizeError {
    /// The text is not sizes.
    #[error("{0:?}: expected an axis and its size, or an axis = what it is computed as")]
    Syntax(String),
    /// There is no such axis.
    #[error("no axis is called {0:?}")]
    UnknownAxis(String),
    /// The labels of this axis are not numbers without gaps.
    #[error("the labels of {0:?} are not numbers without gaps")]
    NotNumbered(String),
    /// More than so many variables.
    #[error("more than {0} variables")]
    TooMany(usize),
    /// The names or a derived axis do not fit.
    #[error(transparent)]
    Variables(#[from] VariablesError),
}

/// No more variables than these are made.
const MOST: usize = 1_000_000;

impl std::str::FromStr for Sizes {
    type Err = ResizeError;

    /// `row 16, column 16, box = 4*((row-1)/4) + (column-1)/4 + 1`.
    fn from_str(text: &str) -> Result<Sizes, ResizeError> {
        let mut sizes = Sizes::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let wrong = || ResizeError::Syntax(part.to_owned());
            match part.split_once('=') {
                Some((name, expression)) => {
                    let expression = expression.trim().parse().map_err(|_| wrong())?;
                    sizes.derived.push((name.trim().to_owned(), expression));
                }
                None => {
                    let (name, size) = part.rsplit_once(' ').ok_or_else(wrong)?;
                    let size = size
                        .parse()
                        .ok()
                        .filter(|size| (1..=MOST as i64).contains(size))
                        .ok_or_else(wrong)?;
                    sizes.axes.push((name.trim().to_owned(), size));
                }
            }
        }
        Ok(sizes)
    }
}

impl RuleSet {
    /// The whole families of these rules on variables of other sizes.
    ///
    /// # Errors
    /// If an axis is not there or not numbered, or a derived axis does not fit.
    pub fn resized(&self, sizes: &Sizes) -> Result<RuleSet, ResizeError> {
        let blocks = self.variables().blocks();
        let is_axis =
            |name: &String| blocks.iter().any(|b| b.axes()[..b.given()].iter().any(|a| a.name() == name));
        if let Some((name, _)) = sizes.axes.iter().find(|(name, _)| !is_axis(name)) {
            return Err(ResizeError::UnknownAxis(name.clone()));
        }
        let mut names = Vec::new();
        for block in blocks {
            let mut places = vec![String::new()];
            for axis in &block.axes()[..block.given()] {
                let size = sizes.axes.iter().find(|(name, _)| name == axis.name());
                let labels: Vec<Label> = match (size, axis.labels().first()) {
                    (None, _) => axis.labels().to_vec(),
                    (Some((_, size)), Some(Label::Number(first))) if axis.is_consecutive() => {
                        (*first..first + size).map(Label::Number).collect()
                    }
                    (Some((name, _)), _) => return Err(ResizeError::NotNumbered(name.clone())),
                };
                if places.len().saturating_mul(labels.len()) + names.len() > MOST {
                    return Err(ResizeError::TooMany(MOST));
                }
                let more = |place: &String, label: &Label| match place.is_empty() {
                    true => format!("{} {label}", axis.name()),
                    false => format!("{place}, {} {label}", axis.name()),
                };
                places = places.iter().flat_map(|p| labels.iter().map(move |label| more(p, label))).collect();
            }
            names.extend(places.iter().map(|place| format!("{}[{place}]", block.name())));
        }
        let mut variables = Variables::from_names(names)?;
        for block in blocks {
            for axis in &block.axes()[block.given()..] {
                let given = sizes.derived.iter().find(|(name, _)| name == axis.name()).map(|(_, e)| e);
                let is_new = variables.blocks().iter().all(|block| block.axis(axis.name()).is_none());
                if let Some(expression) = given.or(axis.derived()).filter(|_| is_new) {
                    variables.derive(axis.name(), expression)?;
                }
            }
            if let Some(axis) = block.one_hot() {
                let name = block.axes()[axis].name();
                variables.set_one_hot(block.name(), name)?;
            }
        }
        let families = lift(self);
        let whole =
            families.iter().filter(|family| family.members.len() > 1 && family.rule.exceptions.is_empty());
        let relative = RuleSet::of_relative(whole.map(|family| family.rule.clone()));
        let mut set = RuleSet::new(variables.clone());
        let domain = crate::Domain::of(&variables);
        for rule in relative.relative() {
            for constraint in rule.ground(&domain) {
                set.insert(Rule { constraint, evidence: rule.evidence, origin: rule.origin.clone() });
            }
        }
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Constraint, Var};

    /// Every row and every column of a grid has each digit once, and so has every box.
    fn grid(side: i64, box_side: i64) -> RuleSet {
        let axes = [("row", 1..=side), ("column", 1..=side), ("digit", 1..=side)];
        let mut variables = Variables::block("cell", &axes);
        let text = format!("{box_side}*((row-1)/{box_side}) + (column-1)/{box_side} + 1");
        variables.derive("box", &text.parse().unwrap()).unwrap();
        let mut set = RuleSet::new(variables);
        let at = |r: i64, c: i64, d: i64| Var(((r * side + c) * side + d) as u32).positive();
        for (a, d) in (0..side).flat_map(|a| (0..side).map(move |d| (a, d))) {
            let (top, left) = (a / box_side * box_side, a % box_side * box_side);
            let boxed = |k: i64| at(top + k / box_side, left + k % box_side, d);
            set.insert(Rule::given(Constraint::exactly(1, (0..side).map(|c| at(a, c, d)))));
            set.insert(Rule::given(Constraint::exactly(1, (0..side).map(|r| at(r, a, d)))));
            set.insert(Rule::given(Constraint::exactly(1, (0..side).map(boxed))));
        }
        set
    }

    #[test]
    fn families_are_put_on_another_size() {
        let sizes = "row 9, column 9, digit 9, box = 3*((row-1)/3) + (column-1)/3 + 1".parse().unwrap();
        let large = grid(4, 2).resized(&sizes).unwrap();
        assert_eq!(large.len(), 243);
        assert!(large.compare(&grid(9, 3)).is_equal());
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let said = |text: &str| {
            let sizes: Result<Sizes, ResizeError> = text.parse();
            sizes.and_then(|sizes| grid(4, 2).resized(&sizes)).unwrap_err().to_string()
        };
        assert_eq!(said("line 9"), "no axis is called \"line\"");
        assert!(said("row").starts_with("\"row\": expected an axis and its size"));
        assert!(said("row 100000, column 100000").starts_with("more than"));
    }
}
