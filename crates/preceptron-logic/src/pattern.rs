//! Statements moved along axes.
//!
//! Axes of the same name are one axis, whichever block they are in. A statement can be lifted along an axis
//! if its labels there are numbers without gaps, or if it has one label there throughout. Its *anchor* on
//! the axis is the least label; what remains, the offsets from the anchor, is the same for all rules that
//! differ only by where they stand.

use crate::statement::Statement;
use crate::variables::{consecutive, ordered_labels};
use crate::{Axis, Edge, Label, Part, RelativeRule, RelativeTerm, Term, Variables};

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
    /// From the block's positions to shared ones.
    to: Vec<usize>,
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
        let link = |axis: &Axis| {
            let at = shared.iter().position(|s| s.name == axis.name()).expect("every axis is shared");
            let position: std::collections::HashMap<&Label, usize> =
                shared[at].labels.iter().zip(0..).collect();
            Link { shared: at, to: axis.labels().iter().map(|label| position[label]).collect() }
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

    /// The statement for every place on the anchored axes.
    pub fn rule(&self, statement: &Statement, anchors: &[Anchor]) -> RelativeRule {
        let (claim, negated) = statement.claim();
        let groups = statement.groups.iter().zip(negated);
        let terms = groups.flat_map(|(group, flip)| group.iter().map(move |part| (part, flip)));
        let terms = terms.map(|(part, flip)| {
            let term = self.term(part, anchors);
            if flip { term.not() } else { term }
        });
        let gate = statement.gate.as_ref().map(|gate| self.term(gate, anchors));
        let rule = RelativeRule::new(gate, terms.collect(), claim, Edge::Skip);
        RelativeRule { anchors: anchors.iter().map(|a| self.shared[a.0].name.clone()).collect(), ..rule }
    }

    fn term(&self, part: &Part, anchors: &[Anchor]) -> RelativeTerm {
        part.relative(self.variables, |term, axis, labels| {
            let link = &self.links[term.block][axis];
            let (_, base) = anchors.iter().find(|a| a.0 == link.shared)?;
            Some(labels.iter().map(|&at| (link.to[at] - base) as i64).collect())
        })
    }

    /// A statement's place on the anchored axes.
    pub fn place(&self, anchors: &[Anchor]) -> Vec<Label> {
        anchors.iter().map(|&(axis, at)| self.shared[axis].labels[at].clone()).collect()
    }
}

fn terms(statement: &Statement) -> impl Iterator<Item = &Term> {
    statement.parts().filter_map(|part| match part {
        Part::Term(term) => Some(term),
        Part::Plain(_) => None,
    })
}
