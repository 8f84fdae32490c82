//! Boolean variables with names, and the structure that the names carry.
//!
//! A name such as `cell[row 1, column 4, digit 7]` places a variable in a *block* (`cell`) at
//! coordinates on named *axes* (`row`, `column`, `digit`). A plain name is a variable without a place.
//! A block may have *derived* axes, computed from the others (`box` from `row` and `column`), and axes
//! known to be *one-hot* from how the data were encoded. Nothing here knows what the axes mean.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Expression, ExpressionError, Lit, Var};

/// A place on an axis: a number or a word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    name: String,
    labels: Vec<Label>,
    derived: Option<Expression>,
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
    name: String,
    axes: Vec<Axis>,
    one_hot: Option<usize>,
    members: Vec<Var>,
    by_place: HashMap<Vec<usize>, Var>,
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

/// All variables of a problem, in a fixed order, with their names and places.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Variables {
    names: Vec<String>,
    places: Vec<Option<Place>>,
    blocks: Vec<Block>,
    block_by_name: HashMap<String, usize>,
    by_name: HashMap<String, Var>,
    derivations: Vec<(String, Expression)>,
}

/// What is wrong with a set of names, or with what is said of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariablesError {
    /// Two variables with one name.
    #[error("the name {name:?} is given twice (variables {first} and {second})")]
    Duplicate {
        /// The name.
        name: String,
        /// The number of the first variable with it, from 1.
        first: usize,
        /// The number of the second variable with it, from 1.
        second: usize,
    },
    /// An empty name.
    #[error("variable {number} has an empty name")]
    Empty {
        /// The variable's number, from 1.
        number: usize,
    },
    /// A name that a line-based format cannot hold.
    #[error("variable {number}: the name {name:?} has a control character")]
    Control {
        /// The variable's number, from 1.
        number: usize,
        /// The name.
        name: String,
    },
    /// Names of one block with different axes.
    #[error("block {block:?} has axes ({first}) in one name and ({second}) in another, {name:?}")]
    Axes {
        /// The block's name.
        block: String,
        /// The axes of the first name of the block.
        first: String,
        /// The axes of the offending name.
        second: String,
        /// The offending name.
        name: String,
    },
    /// A derived axis whose name is taken.
    #[error("block {block:?} already has an axis {axis:?}")]
    AxisTaken {
        /// The block's name.
        block: String,
        /// The axis's name.
        axis: String,
    },
    /// No block has all the axes that an expression names.
    #[error("no block has the axes that {name:?} is computed from ({axes}); {there}")]
    NoSuchAxes {
        /// The derived axis.
        name: String,
        /// The axes that the expression names.
        axes: String,
        /// The blocks and axes that there are.
        there: String,
    },
    /// No block, or no axis of it, by that name.
    #[error("there is no axis {axis:?} in a block {block:?}")]
    NoSuchAxis {
        /// The block's name.
        block: String,
        /// The axis's name.
        axis: String,
    },
    /// An axis that an expression names has labels that are not numbers.
    #[error("axis {axis:?} has the label {label:?}, which is not a number to compute with")]
    NotANumber {
        /// The axis.
        axis: String,
        /// The label.
        label: String,
    },
    /// The expression has no value somewhere.
    #[error("derived axis {name:?} at {place}: {error}")]
    Evaluation {
        /// The derived axis.
        name: String,
        /// The variable's name.
        place: String,
        /// Why there is no value.
        error: ExpressionError,
    },
}

/// Splits `block[axis label, axis label]`; nothing if the name is a plain one.
fn split_name(name: &str) -> Option<(&str, Vec<(&str, &str)>)> {
    let (block, rest) = name.split_once('[')?;
    let inside = rest.strip_suffix(']')?;
    if block.trim() != block || block.is_empty() || inside.contains(['[', ']']) {
        return None;
    }
    let mut axes: Vec<(&str, &str)> = Vec::new();
    for item in inside.split(',') {
        let (axis, label) = item.trim().split_once(char::is_whitespace)?;
        let label = label.trim_start();
        if axes.iter().any(|(a, _)| *a == axis) {
            return None;
        }
        axes.push((axis, label));
    }
    Some((block, axes))
}

impl Variables {
    /// Variables from their names, in this order.
    pub fn from_names<S: Into<String>>(
        names: impl IntoIterator<Item = S>,
    ) -> Result<Variables, VariablesError> {
        let mut all = Variables::default();
        let mut labels: Vec<Vec<Vec<Label>>> = Vec::new();
        for (index, name) in names.into_iter().enumerate() {
            let written: String = name.into();
            if written.trim().is_empty() {
                return Err(VariablesError::Empty { number: index + 1 });
            }
            if written.contains(|c: char| c.is_control()) {
                return Err(VariablesError::Control { number: index + 1, name: written });
            }
            let var = Var(index as u32);
            let place = match split_name(&written) {
                None => None,
                Some((block, coordinates)) => {
                    let number = *all.block_by_name.entry(block.to_owned()).or_insert_with(|| {
                        all.blocks.push(Block {
                            name: block.to_owned(),
                            axes: coordinates
                                .iter()
                                .map(|(axis, _)| Axis {
                                    name: (*axis).to_owned(),
                                    labels: vec![],
                                    derived: None,
                                })
                                .collect(),
                            one_hot: None,
                            members: vec![],
                            by_place: HashMap::new(),
                        });
                        labels.push(vec![]);
                        all.blocks.len() - 1
                    });
                    let axes = &all.blocks[number].axes;
                    if axes.len() != coordinates.len()
                        || axes.iter().zip(&coordinates).any(|(a, (b, _))| a.name != *b)
                    {
                        return Err(VariablesError::Axes {
                            block: block.to_owned(),
                            first: axes.iter().map(|a| a.name.as_str()).collect::<Vec<_>>().join(", "),
                            second: coordinates.iter().map(|(a, _)| *a).collect::<Vec<_>>().join(", "),
                            name: written,
                        });
                    }
                    labels[number].push(coordinates.iter().map(|(_, label)| Label::parse(label)).collect());
                    all.blocks[number].members.push(var);
                    Some(number)
                }
            };
            // The name is kept in its canonical spelling, so that what is printed can be found again.
            let name = match place {
                None => written,
                Some(number) => {
                    let block = &all.blocks[number];
                    let last = labels[number].last().expect("a label row was just pushed");
                    spell(&block.name, block.axes.iter().map(|a| a.name.as_str()).zip(last))
                }
            };
            if let Some(first) = all.by_name.insert(name.clone(), var) {
                return Err(VariablesError::Duplicate { name, first: first.index() + 1, second: index + 1 });
            }
            all.names.push(name);
            all.places.push(place.map(|block| Place { block, positions: vec![] }));
        }
        for (block, rows) in all.blocks.iter_mut().zip(&labels) {
            for (column, axis) in block.axes.iter_mut().enumerate() {
                axis.labels = ordered_labels(rows.iter().map(|row| &row[column]));
            }
            for (axis, column) in block.axes.iter().zip(0..) {
                let position: HashMap<&Label, usize> = axis.labels.iter().zip(0..).collect();
                for (var, row) in block.members.iter().zip(rows) {
                    let place = all.places[var.index()].as_mut().expect("members of a block have a place");
                    place.positions.push(position[&row[column]]);
                }
            }
            for &var in &block.members {
                let place = all.places[var.index()].as_ref().expect("members of a block have a place");
                block.by_place.insert(place.positions.clone(), var);
            }
        }
        Ok(all)
    }

    /// One dense block: all combinations of the labels on its axes, the last axis fastest.
    ///
    /// ```
    /// # use precept_logic::{Variables, Var};
    /// let v = Variables::block("cell", &[("row", 1..=2), ("column", 1..=2)]);
    /// assert_eq!(v.name(Var(1)), "cell[row 1, column 2]");
    /// ```
    ///
    /// # Panics
    /// If the names of block or axes have characters that a variable's name gives a meaning to.
    pub fn block(name: &str, axes: &[(&str, std::ops::RangeInclusive<i64>)]) -> Variables {
        Variables::blocks_of(&[(name, axes)])
    }

    /// Several dense blocks, one after the other; a block without axes is one plain variable.
    ///
    /// # Panics
    /// As [`Variables::block`] does, and if two blocks have one name.
    #[allow(clippy::type_complexity)]
    pub fn blocks_of(blocks: &[(&str, &[(&str, std::ops::RangeInclusive<i64>)])]) -> Variables {
        let mut names = Vec::new();
        for (name, axes) in blocks {
            let mut places: Vec<Vec<Label>> = vec![vec![]];
            for (_, range) in *axes {
                places = places
                    .into_iter()
                    .flat_map(|place| {
                        range.clone().map(move |number| {
                            let mut longer = place.clone();
                            longer.push(Label::Number(number));
                            longer
                        })
                    })
                    .collect();
            }
            names.extend(places.iter().map(|place| match place.is_empty() {
                true => (*name).to_owned(),
                false => spell(name, axes.iter().map(|(axis, _)| *axis).zip(place)),
            }));
        }
        let all = Variables::from_names(names).expect("names of dense blocks are distinct");
        let expected = blocks.iter().filter(|(_, axes)| !axes.is_empty()).count();
        assert_eq!(all.blocks.len(), expected, "a block or axis name has a character with a meaning");
        all
    }

    /// How many variables there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All variables in order.
    pub fn iter(&self) -> impl Iterator<Item = Var> + use<> {
        (0..self.names.len() as u32).map(Var)
    }

    /// All names in order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// A variable's name.
    pub fn name(&self, var: Var) -> &str {
        &self.names[var.index()]
    }

    /// A literal as text: the variable's name, after `not ` if it is negated.
    pub fn literal(&self, literal: Lit) -> String {
        let name = self.name(literal.var());
        if literal.is_negated() { format!("not {name}") } else { name.to_owned() }
    }

    /// The variable with this name, in any spelling of it.
    pub fn find(&self, name: &str) -> Option<Var> {
        self.by_name.get(name).copied().or_else(|| {
            let (block, coordinates) = split_name(name)?;
            let labels: Vec<Label> = coordinates.iter().map(|(_, label)| Label::parse(label)).collect();
            self.by_name.get(&spell(block, coordinates.iter().map(|(axis, _)| *axis).zip(&labels))).copied()
        })
    }

    /// The literal with this name: `not NAME`, `~NAME`, `!NAME` and `-NAME` are negations.
    pub fn find_literal(&self, text: &str) -> Option<Lit> {
        let text = text.trim();
        if let Some(var) = self.find(text) {
            return Some(var.positive());
        }
        let rest = ["not ", "~", "!", "-"].iter().find_map(|prefix| text.strip_prefix(prefix))?;
        self.find(rest.trim()).map(Var::negative)
    }

    /// The blocks, in the order in which they first came.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Where a variable stands; nothing for a plain one.
    pub fn place(&self, var: Var) -> Option<&Place> {
        self.places[var.index()].as_ref()
    }

    /// Adds an axis computed from others to every block that has those; to none if one of them errs.
    pub fn derive(&mut self, name: &str, expression: &Expression) -> Result<(), VariablesError> {
        let needed = expression.names();
        let mut computed: Vec<(usize, Vec<Label>)> = Vec::new();
        for number in 0..self.blocks.len() {
            let block = &self.blocks[number];
            if !needed.iter().all(|axis| block.axis(axis).is_some()) {
                continue;
            }
            if block.axis(name).is_some() {
                return Err(VariablesError::AxisTaken { block: block.name.clone(), axis: name.to_owned() });
            }
            let mut values = Vec::with_capacity(block.members.len());
            for &var in &block.members {
                let place = self.places[var.index()].as_ref().expect("members of a block have a place");
                let mut known = BTreeMap::new();
                for axis in &needed {
                    let at = block.axis(axis).expect("checked above");
                    match &block.axes[at].labels[place.positions[at]] {
                        Label::Number(number) => known.insert(axis.as_str(), *number),
                        Label::Word(word) => {
                            return Err(VariablesError::NotANumber {
                                axis: axis.clone(),
                                label: word.clone(),
                            });
                        }
                    };
                }
                let value = expression.evaluate(&known).map_err(|error| VariablesError::Evaluation {
                    name: name.to_owned(),
                    place: self.names[var.index()].clone(),
                    error,
                })?;
                values.push(Label::Number(value));
            }
            computed.push((number, values));
        }
        for (number, values) in &computed {
            let block = &mut self.blocks[*number];
            let labels = ordered_labels(values.iter());
            for (var, value) in block.members.iter().zip(values) {
                let position = labels.binary_search(value).expect("the labels hold every value");
                let place = self.places[var.index()].as_mut().expect("members of a block have a place");
                place.positions.push(position);
            }
            block.axes.push(Axis { name: name.to_owned(), labels, derived: Some(expression.clone()) });
        }
        if !computed.is_empty() {
            self.derivations.push((name.to_owned(), expression.clone()));
            return Ok(());
        }
        let there: Vec<String> = self
            .blocks
            .iter()
            .map(|b| {
                format!(
                    "{}[{}]",
                    b.name,
                    b.axes.iter().map(|a| a.name.as_str()).collect::<Vec<_>>().join(", ")
                )
            })
            .collect();
        Err(VariablesError::NoSuchAxes {
            name: name.to_owned(),
            axes: needed.into_iter().collect::<Vec<_>>().join(", "),
            there: match there.is_empty() {
                true => "there are no blocks with axes".to_owned(),
                false => format!("there are {}", there.join(", ")),
            },
        })
    }

    /// Says that the encoding makes exactly one variable along `axis` true at each place of `block`.
    pub fn set_one_hot(&mut self, block: &str, axis: &str) -> Result<(), VariablesError> {
        let missing = || VariablesError::NoSuchAxis { block: block.to_owned(), axis: axis.to_owned() };
        let found = &mut self.blocks[*self.block_by_name.get(block).ok_or_else(missing)?];
        found.one_hot = Some(found.axis(axis).ok_or_else(missing)?);
        Ok(())
    }

    /// The groups of variables of which the encoding makes exactly one true.
    pub fn one_hot_groups(&self) -> Vec<Vec<Var>> {
        let mut groups: BTreeMap<(usize, Vec<usize>), Vec<Var>> = BTreeMap::new();
        for (number, block) in self.blocks.iter().enumerate() {
            let Some(one_hot) = block.one_hot else { continue };
            for &var in &block.members {
                let place = self.place(var).expect("members of a block have a place");
                let others = (0..block.axes.len())
                    .filter(|&axis| axis != one_hot && block.axes[axis].derived.is_none())
                    .map(|axis| place.positions[axis])
                    .collect();
                groups.entry((number, others)).or_default().push(var);
            }
        }
        groups.into_values().collect()
    }
}

/// `block[axis label, axis label]`.
fn spell<'a>(block: &str, coordinates: impl Iterator<Item = (&'a str, &'a Label)>) -> String {
    let inside: Vec<String> = coordinates.map(|(axis, label)| format!("{axis} {label}")).collect();
    format!("{block}[{}]", inside.join(", "))
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
    let mut seen = std::collections::HashSet::new();
    let mut distinct: Vec<Label> = labels.filter(|label| seen.insert(*label)).cloned().collect();
    if distinct.iter().all(|label| matches!(label, Label::Number(_))) {
        distinct.sort_unstable();
    }
    distinct
}

/// The form of [`Variables`] in files.
#[derive(Serialize, Deserialize)]
struct Written {
    names: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    derived: Vec<WrittenDerived>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    one_hot: Vec<WrittenOneHot>,
}

#[derive(Serialize, Deserialize)]
struct WrittenDerived {
    axis: String,
    expression: String,
}

#[derive(Serialize, Deserialize)]
struct WrittenOneHot {
    block: String,
    axis: String,
}

impl From<Variables> for Written {
    fn from(variables: Variables) -> Written {
        let derived = variables.derivations.into_iter();
        let derived =
            derived.map(|(axis, expression)| WrittenDerived { axis, expression: expression.to_string() });
        let one_hot = variables.blocks.iter().filter_map(|block| {
            let axis = block.axes[block.one_hot?].name.clone();
            Some(WrittenOneHot { block: block.name.clone(), axis })
        });
        Written { names: variables.names, derived: derived.collect(), one_hot: one_hot.collect() }
    }
}

impl TryFrom<Written> for Variables {
    type Error = String;
    fn try_from(written: Written) -> Result<Variables, String> {
        let mut variables = Variables::from_names(written.names).map_err(|e| e.to_string())?;
        for derived in written.derived {
            let expression = derived.expression.parse().map_err(|e: ExpressionError| e.to_string())?;
            variables.derive(&derived.axis, &expression).map_err(|e| e.to_string())?;
        }
        for one_hot in written.one_hot {
            variables.set_one_hot(&one_hot.block, &one_hot.axis).map_err(|e| e.to_string())?;
        }
        Ok(variables)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn made(names: &[&str]) -> Variables {
        Variables::from_names(names.iter().copied()).unwrap()
    }

    fn refused(names: &[&str]) -> String {
        Variables::from_names(names.iter().copied()).unwrap_err().to_string()
    }

    #[test]
    fn names_are_kept_in_one_spelling_and_found_in_any() {
        let v = made(&[
            "cell[row  1,column 2]",
            "plain",
            "odd[]",
            "odd[x]",
            "a[i 1, i 2]",
            "[i 1]",
            "x [i 1]",
            "b[i [1]]",
        ]);
        assert_eq!(v.name(Var(0)), "cell[row 1, column 2]");
        assert_eq!(v.find(" cell[row 1, column 2]"), None);
        assert_eq!(v.find("cell[ row 1 ,  column   2 ]"), Some(Var(0)));
        // The rest have no place: no axis with a label, an axis twice, no block name, brackets inside.
        assert_eq!(v.blocks().len(), 1);
        assert!((1..8).all(|n| v.place(Var(n)).is_none()));
        assert!(v.iter().all(|var| v.find(v.name(var)) == Some(var)));
    }

    #[test]
    fn one_hot_blocks_are_found_by_name() {
        let mut v = made(&["x[i 1]", "y[i 1, j 1]", "y[i 1, j 2]"]);
        v.set_one_hot("y", "j").unwrap();
        assert_eq!(v.blocks().iter().map(|b| b.one_hot()).collect::<Vec<_>>(), [None, Some(1)]);
        assert_eq!(
            v.set_one_hot("z", "j").unwrap_err().to_string(),
            "there is no axis \"j\" in a block \"z\""
        );
        assert_eq!(
            v.set_one_hot("x", "j").unwrap_err().to_string(),
            "there is no axis \"j\" in a block \"x\""
        );
    }

    #[test]
    fn labels_are_numbers_only_if_they_print_alike() {
        for (text, is_number) in
            [("7", true), ("-7", true), ("07", false), ("+7", false), ("7.0", false), ("-0", false)]
        {
            let label = Label::parse(text);
            assert_eq!((matches!(label, Label::Number(_)), label.to_string().as_str()), (is_number, text));
        }
    }

    #[test]
    fn numbers_rise_and_words_stand_as_they_came() {
        let v = made(&["x[i 10, j b]", "x[i 2, j a]", "x[i 3, j b]"]);
        let [i, j] = v.blocks()[0].axes() else { panic!("two axes") };
        assert_eq!(i.labels(), [2, 3, 10].map(Label::Number));
        assert_eq!(j.labels(), ["b", "a"].map(|w| Label::Word(w.to_owned())));
        assert_eq!(v.place(Var(0)).unwrap().positions, [2, 0]);
        assert_eq!(v.blocks()[0].at(&[0, 1]), Some(Var(1)));
        assert_eq!(v.blocks()[0].at(&[0, 0]), None);
        assert!(!i.is_consecutive() && !j.is_consecutive());
        assert!(!made(&["x[i one]"]).blocks()[0].axes()[0].is_consecutive());
        assert!(made(&["x[i 4]", "x[i 3]"]).blocks()[0].axes()[0].is_consecutive());
    }

    #[test]
    fn literals_are_found_by_their_negations() {
        let v = made(&["a", "-b", "not c"]);
        for text in ["not a", "~a", "!a", "-a", " - a "] {
            assert_eq!(v.find_literal(text), Some(Var(0).negative()), "{text}");
        }
        assert_eq!(v.find_literal("-b"), Some(Var(1).positive()));
        assert_eq!(v.find_literal("not -b"), Some(Var(1).negative()));
        assert_eq!(v.find_literal("not not c"), Some(Var(2).negative()));
        assert_eq!(v.find_literal("b"), None);
        assert_eq!(v.literal(Var(2).negative()), "not not c");
    }

    #[test]
    fn errors_say_which_name() {
        let mut v = made(&["x[i 1, j a]", "x[i 0, j b]", "y[k 1]", "a"]);
        let mut derive =
            |name: &str, text: &str| v.derive(name, &text.parse().unwrap()).unwrap_err().to_string();
        let lines = [
            refused(&["a", "b", "a"]),
            refused(&["x[i 1, j 2]", "x[i  1,j 2]"]),
            refused(&["a", " "]),
            refused(&["a\nb"]),
            refused(&["x[i 1, j 2]", "x[j 1, i 2]"]),
            derive("i", "j + i"),
            derive("half", "j / 2"),
            derive("rest", "2 / i"),
            derive("none", "i + k"),
            made(&["a"]).derive("none", &"i".parse().unwrap()).unwrap_err().to_string(),
            made(&["x[i 1]"]).set_one_hot("x", "j").unwrap_err().to_string(),
            made(&["x[i 1]"]).set_one_hot("y", "i").unwrap_err().to_string(),
        ];
        insta::assert_snapshot!(lines.join("\n"), @r#"
        the name "a" is given twice (variables 1 and 3)
        the name "x[i 1, j 2]" is given twice (variables 1 and 2)
        variable 2 has an empty name
        variable 1: the name "a\nb" has a control character
        block "x" has axes (i, j) in one name and (j, i) in another, "x[j 1, i 2]"
        block "x" already has an axis "i"
        axis "j" has the label "a", which is not a number to compute with
        derived axis "rest" at x[i 0, j b]: division by zero
        no block has the axes that "none" is computed from (i, k); there are x[i, j], y[k]
        no block has the axes that "none" is computed from (i); there are no blocks with axes
        there is no axis "j" in a block "x"
        there is no axis "i" in a block "y"
        "#);
        assert_eq!(v, made(&["x[i 1, j a]", "x[i 0, j b]", "y[k 1]", "a"]));
    }

    #[test]
    fn an_axis_that_cannot_be_derived_everywhere_is_derived_nowhere() {
        let names = ["x[i 1]", "y[i zero]"];
        let mut v = made(&names);
        assert!(v.derive("half", &"i / 2".parse().unwrap()).is_err());
        assert_eq!(v, made(&names));
    }

    #[test]
    fn derived_axes_reach_every_block_that_has_the_axes() {
        let mut v = made(&["x[i 1]", "x[i 4]", "y[i 3, j 1]", "z[j 1]"]);
        v.derive("half", &"i / 2".parse().unwrap()).unwrap();
        v.derive("parity", &"half % 2".parse().unwrap()).unwrap();
        let axes = |block: usize| v.blocks()[block].axes().iter().map(Axis::name).collect::<Vec<_>>();
        assert_eq!(
            [axes(0), axes(1), axes(2)],
            [vec!["i", "half", "parity"], vec!["i", "j", "half", "parity"], vec!["j"]]
        );
        assert_eq!(v.blocks()[0].axes()[1].labels(), [0, 2].map(Label::Number));
        assert_eq!(v.place(Var(1)).unwrap().positions, [1, 1, 0]);
        assert_eq!(v.blocks()[1].given(), 2);
    }

    #[test]
    fn one_hot_groups_are_lines_along_the_axis() {
        let mut v = made(&["x[i 1, j a]", "x[i 1, j b]", "p", "x[i 2, j b]", "x[i 2, j c]", "y[i 1]"]);
        assert!(v.one_hot_groups().is_empty());
        v.set_one_hot("x", "j").unwrap();
        v.derive("same", &"i - i".parse().unwrap()).unwrap();
        assert_eq!(v.one_hot_groups(), [[Var(0), Var(1)], [Var(3), Var(4)]]);
        v.set_one_hot("y", "i").unwrap();
        assert_eq!(v.one_hot_groups().last(), Some(&vec![Var(5)]));
    }

    #[test]
    fn files_keep_what_was_derived_in_its_order() {
        let mut v = made(&["x[i 1]", "y[i 1, j 1]", "z[k 1]"]);
        for (name, text) in [("e", "j + 1"), ("d", "i + 1"), ("f", "d + i"), ("e", "k + 5")] {
            v.derive(name, &text.parse().unwrap()).unwrap();
        }
        v.set_one_hot("y", "j").unwrap();
        let text = serde_json::to_string(&v).unwrap();
        assert_eq!(serde_json::from_str::<Variables>(&text).unwrap(), v);
    }

    proptest! {
        #[test]
        fn names_print_and_parse_both_ways(
            block in "[a-z_.]{1,4}",
            places in prop::collection::btree_set((-20..20i64, "[a-z]{1,3}( [a-z0-9]{1,2})?"), 1..12),
        ) {
            let names: Vec<String> = places.iter().map(|(i, w)| format!("{block}[index {i}, word {w}]")).collect();
            let v = Variables::from_names(names.clone()).unwrap();
            prop_assert_eq!(v.names(), &names[..]);
            for (var, (number, word)) in v.iter().zip(&places) {
                let Place { block, positions } = v.place(var).unwrap();
                let axes = v.blocks()[*block].axes();
                prop_assert_eq!(&axes[0].labels()[positions[0]], &Label::Number(*number));
                prop_assert_eq!(&axes[1].labels()[positions[1]], &Label::Word(word.clone()));
                prop_assert_eq!(v.blocks()[*block].at(positions), Some(var));
                prop_assert_eq!(v.find(&v.name(var).replace(", ", " ,  ")), Some(var));
            }
            let text = serde_json::to_string(&v).unwrap();
            prop_assert_eq!(serde_json::from_str::<Variables>(&text).unwrap(), v);
        }

        #[test]
        fn any_names_are_taken_or_refused_in_words(names in prop::collection::vec("[ab\\[\\], 1]{0,9}", 0..5)) {
            if let Ok(v) = Variables::from_names(names) {
                prop_assert!(v.iter().all(|var| v.find(v.name(var)) == Some(var)));
                let again = Variables::from_names(v.names().to_vec()).unwrap();
                prop_assert_eq!(again, v);
            }
        }
    }
}
