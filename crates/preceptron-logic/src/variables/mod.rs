//! Boolean variables with names, and the structure that the names carry.
//!
//! A name such as `cell[row 1, column 4, digit 7]` places a variable in a *block* (`cell`) at
//! coordinates on named *axes* (`row`, `column`, `digit`). A plain name is a variable without a place.
//! A block may have *derived* axes, computed from the others (`box` from `row` and `column`), and axes
//! known to be *one-hot* from how the data were encoded. Nothing here knows what the axes mean.

mod block;
mod error;
mod name;
#[cfg(test)]
mod tests;
mod written;

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::{Expression, Lit, Var};
pub use block::{Axis, Block, Label, Place};
pub(crate) use block::{consecutive, ordered_labels};
pub use error::VariablesError;
use name::{spell, split_name};
use written::Written;

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
    /// # use preceptron_logic::{Variables, Var};
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
