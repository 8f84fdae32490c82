//! Statements moved along axes.
//!
//! Axes of the same name are one axis, whichever block they are in. A statement can be lifted along an axis
//! if its labels there are numbers without gaps, or if it has one label there throughout. Its *anchor* on
//! the axis is the least label; what remains, the offsets from the anchor, is the same for all rules that
//! differ only by where they stand.

use crate::explain::{enumerate, words};
use crate::statement::Statement;
use crate::variables::{consecutive, ordered_labels};
use crate::{Label, Part, Term, Variables};

/// No rule is lifted along more axes than this: the subsets of them are all tried.
const MOST_AXES: usize = 6;

/// The axes of all blocks, those of one name together.
pub(crate) struct Axes<'a> {
    variables: &'a Variables,
    shared: Vec<Shared>,
    /// For each block and each of its axes, which shared axis it is.
    links: Vec<Vec<Link>>,
}

struct Shared {
    name: String,
    labels: Vec<Label>,
    is_consecutive: bool,
}

struct Link {
    shared: usize,
    /// From the block's positions to shared ones, and back.
    to: Vec<usize>,
    from: Vec<Option<usize>>,
}

/// A shared axis and a position on it.
pub(crate) type Anchor = (usize, usize);

impl<'a> Axes<'a> {
    pub fn new(variables: &'a Variables) -> Axes<'a> {
        let mut shared: Vec<Shared> = Vec::new();
        for axis in variables.blocks().iter().flat_map(|b| b.axes()) {
            match shared.iter_mut().find(|s| s.name == axis.name()) {
                Some(there) => there.labels = ordered_labels(there.labels.iter().chain(axis.labels())),
                None => shared.push(Shared {
                    name: axis.name().to_owned(),
                    labels: axis.labels().to_vec(),
                    is_consecutive: false,
                }),
            }
        }
        for axis in &mut shared {
            axis.is_consecutive = consecutive(&axis.labels);
        }
        let link = |axis: &crate::Axis| {
            let at = shared.iter().position(|s| s.name == axis.name()).expect("every axis is shared");
            let position: std::collections::HashMap<&Label, usize> =
                shared[at].labels.iter().zip(0..).collect();
            let to: Vec<usize> = axis.labels().iter().map(|label| position[label]).collect();
            let mut from = vec![None; shared[at].labels.len()];
            to.iter().enumerate().for_each(|(here, &there)| from[there] = Some(here));
            Link { shared: at, to, from }
        };
        let links = variables.blocks().iter().map(|b| b.axes().iter().map(link).collect()).collect();
        Axes { variables, shared, links }
    }

    /// How many labels a shared axis has.
    pub fn size(&self, axis: usize) -> usize {
        self.shared[axis].labels.len()
    }

    /// The axes along which the statement can be lifted, each with the statement's least label there.
    pub fn anchors(&self, statement: &Statement) -> Vec<Anchor> {
        let mut ranges: Vec<Option<(usize, usize)>> = vec![None; self.shared.len()];
        for (link, labels) in terms(statement).flat_map(|term| self.linked(term)) {
            let (Some(labels), range) = (labels, &mut ranges[link.shared]) else { continue };
            for at in labels.iter().map(|&l| link.to[l]) {
                *range = Some(range.map_or((at, at), |(least, greatest)| (least.min(at), greatest.max(at))));
            }
        }
        let anchor = |(axis, range): (usize, Option<(usize, usize)>)| {
            range.filter(|r| r.0 == r.1 || self.shared[axis].is_consecutive).map(|r| (axis, r.0))
        };
        ranges.into_iter().enumerate().filter_map(anchor).take(MOST_AXES).collect()
    }

    fn linked<'t>(&'t self, term: &'t Term) -> impl Iterator<Item = (&'t Link, &'t Option<Vec<usize>>)> {
        self.links[term.block].iter().zip(&term.labels)
    }

    /// The statement but for its place on the anchored axes, as numbers: equal for statements that differ
    /// only by that place. The form is given by a number of its own.
    pub fn key(&self, form: usize, statement: &Statement, anchors: &[Anchor]) -> Vec<u32> {
        let mut key = vec![form as u32];
        for group in statement.groups.iter().map(Vec::as_slice).chain([statement.gate.as_slice()]) {
            key.push(group.len() as u32);
            for part in group {
                let Part::Term(term) = part else {
                    key.extend(part.literals(self.variables).iter().flat_map(|l| [1, l.code() as u32]));
                    continue;
                };
                key.extend([2, term.block as u32, u32::from(term.negated)]);
                for (link, labels) in self.linked(term) {
                    let base = anchors.iter().find(|a| a.0 == link.shared).map_or(0, |a| a.1);
                    key.push(labels.as_ref().map_or(0, Vec::len) as u32);
                    key.extend(labels.iter().flatten().map(|&l| (link.to[l] - base) as u32));
                }
            }
        }
        key.extend(anchors.iter().map(|a| a.0 as u32));
        key
    }

    /// The statement moved from its anchors to these positions on the same axes; nothing if it leaves an
    /// axis, or if a label of it has no variable there.
    pub fn moved(&self, statement: &Statement, anchors: &[Anchor], to: &[usize]) -> Option<Statement> {
        let mut moved = statement.clone();
        for part in moved.groups.iter_mut().flatten().chain(&mut moved.gate) {
            let Part::Term(term) = part else { continue };
            for (link, labels) in self.links[term.block].iter().zip(&mut term.labels) {
                let Some(at) = anchors.iter().position(|a| a.0 == link.shared) else { continue };
                for label in labels.iter_mut().flatten() {
                    let shifted = link.to[*label] - anchors[at].1 + to[at];
                    *label = (*link.from.get(shifted)?)?;
                }
            }
        }
        let is_there = terms(&moved).all(|term| self.is_there(term));
        is_there.then_some(moved)
    }

    /// Whether every label of the term has a variable.
    fn is_there(&self, term: &Term) -> bool {
        let vars = term.variables(self.variables, usize::MAX);
        let has = |axis: usize, label: usize| {
            vars.iter().any(|&v| self.variables.place(v).is_some_and(|p| p.positions[axis] == label))
        };
        !vars.is_empty()
            && term.labels.iter().enumerate().all(|(axis, labels)| match labels {
                Some(labels) if labels.len() > 1 => labels.iter().all(|&label| has(axis, label)),
                _ => true,
            })
    }

    /// The statement for every place on the anchored axes, in words.
    pub fn template(&self, statement: &Statement, anchors: &[Anchor]) -> String {
        let names: Vec<String> = anchors.iter().map(|a| self.shared[a.0].name.clone()).collect();
        let body = words(self.variables, statement, &|part| match part {
            Part::Plain(literal) => self.variables.literal(*literal),
            Part::Term(term) => self.text(term, anchors),
        });
        match names.is_empty() {
            true => body,
            false => format!("for every {}: {body}", enumerate(&names, "and")),
        }
    }

    fn text(&self, term: &Term, anchors: &[Anchor]) -> String {
        let axes = self.variables.blocks()[term.block].axes();
        term.text_with(self.variables, |axis, labels| {
            let link = &self.links[term.block][axis];
            match anchors.iter().find(|a| a.0 == link.shared) {
                None => format!("{} {}", axes[axis].name(), crate::term::spell(&axes[axis], labels)),
                Some((_, base)) => {
                    let offsets: Vec<usize> = labels.iter().map(|&l| link.to[l] - base).collect();
                    spell_offsets(axes[axis].name(), &offsets)
                }
            }
        })
    }

    /// A place on the anchored axes, in words: `row 3, digit 4`.
    pub fn place(&self, anchors: &[Anchor], at: &[usize]) -> String {
        let word = |(anchor, &at): (&Anchor, &usize)| {
            let axis = &self.shared[anchor.0];
            format!("{} {}", axis.name, axis.labels[at])
        };
        anchors.iter().zip(at).map(word).collect::<Vec<_>>().join(", ")
    }
}

fn terms(statement: &Statement) -> impl Iterator<Item = &Term> {
    statement.parts().filter_map(|part| match part {
        Part::Term(term) => Some(term),
        Part::Plain(_) => None,
    })
}

/// `day`, `day+1`, `day..day+2`, `{day, day+3}`.
fn spell_offsets(axis: &str, offsets: &[usize]) -> String {
    let word = |offset: &usize| if *offset == 0 { axis.to_owned() } else { format!("{axis}+{offset}") };
    match offsets {
        [one] => word(one),
        [first, .., last] if last - first + 1 == offsets.len() => format!("{}..{}", word(first), word(last)),
        _ => format!("{{{}}}", offsets.iter().map(word).collect::<Vec<_>>().join(", ")),
    }
}
