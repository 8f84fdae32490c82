//! A table beside rules that were learned elsewhere: which cells say what of which variables.

use std::collections::{BTreeMap, HashMap};

use preceptron_logic::{Label, Lit, Var, Variables};

use super::sheet::{Holds, Sheet, SheetCell, truth};
use super::{encode, indices};

/// What the values of a column are as variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// One variable, true or false.
    Boolean(Var),
    /// One variable for each value, of which one is true.
    OneOf(Vec<(String, Var)>),
}

/// A column of a table that rules know.
#[derive(Clone, Debug)]
pub struct PlanColumn {
    /// Its number among the sheet's columns.
    pub column: usize,
    /// Its name, as variables have it.
    pub name: String,
    /// Its values.
    pub values: Values,
}

/// The columns of a table that rules know, and what of both fits nothing.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The columns, in the sheet's order.
    pub columns: Vec<PlanColumn>,
    /// Names of columns that no rule knows.
    pub unknown: Vec<String>,
    /// Names of columns that rules know and the table does not have.
    pub absent: Vec<String>,
    by_var: HashMap<Var, usize>,
}

/// What a cell says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// Nothing.
    Nothing,
    /// That this literal is true.
    Value(Lit),
    /// A value that the rules do not know.
    Unknown,
}

/// The columns that variables came from, in order, each with its values.
fn columns_of(variables: &Variables) -> Vec<(String, Values)> {
    let mut all: Vec<(String, Values)> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for var in variables.iter() {
        let name = variables.name(var);
        let block = variables.place(var).map(|place| &variables.blocks()[place.block]);
        let axis = block.and_then(|block| block.one_hot().map(|axis| block.axes()[axis].name()));
        let split = axis.and_then(|axis| {
            let (start, end) = (format!(", {axis} "), format!("[{axis} "));
            let (column, label) = match (name.rfind(&start), name.rfind(&end)) {
                (Some(at), _) => (format!("{}]", &name[..at]), &name[at + start.len()..]),
                (None, at) => (name[..at?].to_owned(), &name[at? + end.len()..]),
            };
            Some((column, label.strip_suffix(']')?.to_owned()))
        });
        match split {
            None => all.push((name.to_owned(), Values::Boolean(var))),
            Some((column, label)) => {
                let at = *known.entry(column.clone()).or_insert_with(|| {
                    all.push((column, Values::OneOf(vec![])));
                    all.len() - 1
                });
                if let Values::OneOf(values) = &mut all[at].1 {
                    values.push((label, var));
                }
            }
        }
    }
    all
}

/// A column's name as variables spell it.
pub(super) fn canonical(name: &str) -> String {
    Variables::from_names([name])
        .map_or_else(|_| name.to_owned(), |variables| variables.name(Var(0)).to_owned())
}

impl Plan {
    /// Finds the columns of a sheet among the variables of rules.
    pub fn of(sheet: &Sheet, variables: &Variables) -> Plan {
        let known = columns_of(variables);
        let by_name: BTreeMap<&str, usize> =
            known.iter().enumerate().map(|(at, (name, _))| (name.as_str(), at)).collect();
        let (placed, _) = indices::placed(sheet.columns.iter().map(|column| column.name.as_str()));
        let (mut columns, mut unknown, mut seen) = (Vec::new(), Vec::new(), vec![false; known.len()]);
        for (at, (column, placed)) in sheet.columns.iter().zip(placed).enumerate() {
            let name = canonical(&placed.unwrap_or_else(|| column.name.clone()));
            let plain = encode::plain(&name);
            let found = by_name.get(name.as_str()).or_else(|| by_name.get(plain.as_str())).copied();
            match found.filter(|at| !seen[*at]) {
                None if matches!(column.holds, Holds::Aside(_)) => {}
                None => unknown.push(column.name.clone()),
                Some(found) => {
                    seen[found] = true;
                    let (name, values) = known[found].clone();
                    columns.push(PlanColumn { column: at, name, values });
                }
            }
        }
        let absent =
            known.iter().zip(&seen).filter(|(_, seen)| !**seen).map(|((name, _), _)| name.clone()).collect();
        let mut by_var = HashMap::new();
        for (at, column) in columns.iter().enumerate() {
            match &column.values {
                Values::Boolean(var) => by_var.extend([(*var, at)]),
                Values::OneOf(values) => by_var.extend(values.iter().map(|(_, var)| (*var, at))),
            }
        }
        Plan { columns, unknown, absent, by_var }
    }

    /// The number of the column (in [`Plan::columns`]) that a variable is of.
    pub fn column_of(&self, var: Var) -> Option<usize> {
        self.by_var.get(&var).copied()
    }
}

impl PlanColumn {
    /// What a cell of the column says. Where `blank_is_open` an empty cell says nothing, also where it means no.
    pub fn said(&self, cell: &SheetCell, blank_is_open: bool) -> Said {
        if cell.word.is_empty() || blank_is_open && cell.raw.trim().is_empty() {
            return Said::Nothing;
        }
        match &self.values {
            Values::Boolean(var) => match truth(&cell.word) {
                Some(value) => Said::Value(Lit::new(*var, !value)),
                None => Said::Unknown,
            },
            Values::OneOf(values) => {
                let find = |fits: &dyn Fn(&str) -> bool| {
                    values.iter().find(|(label, _)| fits(label)).map(|(_, var)| *var)
                };
                let label = |text: &str| encode::label(text).to_string();
                let (word, raw) = (label(&cell.word), label(cell.raw.trim()));
                let lower = word.to_lowercase();
                let number: Option<f64> = word.parse().ok();
                let found = find(&|label| label == word)
                    .or_else(|| find(&|label| label == raw))
                    .or_else(|| find(&|label| label.to_lowercase() == lower))
                    .or_else(|| number.and_then(|number| find(&|label| label.parse() == Ok(number))));
                // A column that was yes and no where rules were learned, and is categorical there.
                let as_truth =
                    || truth(&cell.raw).and_then(|value| find(&|label| truth(label) == Some(value)));
                found.or_else(as_truth).map_or(Said::Unknown, |var| Said::Value(var.positive()))
            }
        }
    }

    /// The value that makes a literal true, in words.
    pub fn word(&self, literal: Lit) -> String {
        match &self.values {
            Values::Boolean(_) => if literal.is_negated() { "no" } else { "yes" }.to_owned(),
            Values::OneOf(values) => {
                let found = values.iter().find(|(_, var)| *var == literal.var());
                let word = found.map_or("", |(label, _)| label);
                if literal.is_negated() { format!("not {word}") } else { word.to_owned() }
            }
        }
    }

    /// The literal that is true in an assignment: the column's value.
    pub fn value(&self, holds: impl Fn(Var) -> bool) -> Option<Lit> {
        match &self.values {
            Values::Boolean(var) => Some(Lit::new(*var, !holds(*var))),
            Values::OneOf(values) => {
                values.iter().find(|(_, var)| holds(*var)).map(|(_, var)| var.positive())
            }
        }
    }

    /// The literals that are true if the column has another value than this.
    pub fn others(&self, literal: Lit) -> Vec<Lit> {
        match &self.values {
            Values::Boolean(_) => vec![!literal],
            Values::OneOf(values) => {
                values.iter().map(|(_, var)| var.positive()).filter(|other| *other != literal).collect()
            }
        }
    }

    /// All values, in words.
    pub fn words(&self) -> Vec<String> {
        match &self.values {
            Values::Boolean(_) => vec!["yes".to_owned(), "no".to_owned()],
            Values::OneOf(values) => values.iter().map(|(label, _)| label.clone()).collect(),
        }
    }
}

/// Whether a label is a number, to be written as one.
pub fn number_of(word: &str) -> Option<f64> {
    match Label::parse(word) {
        Label::Number(number) => Some(number as f64),
        Label::Word(word) => word.parse().ok().filter(|number: &f64| number.is_finite()),
    }
}
