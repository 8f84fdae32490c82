//! Terms: many literals of one block in one word, such as `cell[row 2, column *, digit 3]`.
//!
//! A term gives each axis a set of labels and stands for all variables of the block within them. Literals
//! are a term if their projections on the axes have no other common variable. Axes that the others imply
//! are then left open: first derived ones with several labels, then given ones with several labels, then
//! derived ones with one label. Of a Sudoku box remains `cell[digit 3, box 5]`.

use crate::{Axis, Block, Lit, RelativeTerm, Select, Var, Variables};

/// The variables of a block within sets of labels, all negated or none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term {
    /// The block's number in [`Variables::blocks`].
    pub block: usize,
    /// Whether it stands for the negations of the variables.
    pub negated: bool,
    /// For each axis of the block, the positions of the labels, rising; nothing if all labels are meant.
    pub labels: Vec<Option<Vec<usize>>>,
}

/// A part of a rule's literals.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A literal whose variable has no place.
    Plain(Lit),
    /// Literals of a block.
    Term(Term),
}

impl Part {
    /// The literals that it stands for.
    pub fn literals(&self, variables: &Variables) -> Vec<Lit> {
        match self {
            Part::Plain(literal) => vec![*literal],
            Part::Term(term) => {
                term.variables(variables, usize::MAX).iter().map(|&v| Lit::new(v, term.negated)).collect()
            }
        }
    }

    /// The part by names, with offsets on the axes of a block for which there are any.
    pub(crate) fn relative(
        &self,
        variables: &Variables,
        offsets: impl Fn(&Term, usize, &[usize]) -> Option<Vec<i64>>,
    ) -> RelativeTerm {
        match self {
            Part::Plain(literal) => RelativeTerm {
                block: variables.name(literal.var()).to_owned(),
                at: vec![],
                negated: literal.is_negated(),
            },
            Part::Term(term) => term.relative(variables, |axis, labels| offsets(term, axis, labels)),
        }
    }
}

/// The literals as parts: one term for the literals of one block and sign if there is such a term, at most
/// three that differ along one axis if there are such, and else one for each literal.
pub fn describe(variables: &Variables, literals: &[Lit], derived: bool) -> Vec<Part> {
    let kind = |l: Lit| variables.place(l.var()).map(|place| (place.block, l.is_negated()));
    let mut groups: Vec<Vec<Lit>> = Vec::new();
    for &literal in literals {
        match groups.iter_mut().find(|g| kind(literal).is_some() && kind(g[0]) == kind(literal)) {
            Some(group) => group.push(literal),
            None => groups.push(vec![literal]),
        }
    }
    let mut parts = Vec::new();
    for group in groups {
        let Some((block, negated)) = kind(group[0]) else {
            parts.push(Part::Plain(group[0]));
            continue;
        };
        let vars: Vec<Var> = group.iter().map(|l| l.var()).collect();
        let search = Search { variables, block, negated, derived };
        match search.product(&vars).map(|term| vec![term]).or_else(|| search.split(&vars)) {
            Some(terms) => parts.extend(terms.into_iter().map(Part::Term)),
            None => parts.extend(list(variables, &group)),
        }
    }
    parts
}

/// The literals as parts, one for each.
pub fn list(variables: &Variables, literals: &[Lit]) -> Vec<Part> {
    let part = |&literal: &Lit| match variables.place(literal.var()) {
        None => Part::Plain(literal),
        Some(place) => {
            let axes = variables.blocks()[place.block].axes();
            let position = |(axis, &at): (&Axis, &usize)| axis.derived().is_none().then(|| vec![at]);
            let labels = axes.iter().zip(&place.positions).map(position).collect();
            Part::Term(Term { block: place.block, negated: literal.is_negated(), labels })
        }
    };
    literals.iter().map(part).collect()
}

struct Search<'a> {
    variables: &'a Variables,
    block: usize,
    negated: bool,
    derived: bool,
}

impl Search<'_> {
    fn block(&self) -> &Block {
        &self.variables.blocks()[self.block]
    }

    fn position(&self, var: Var, axis: usize) -> usize {
        self.variables.place(var).expect("members of a block have a place").positions[axis]
    }

    /// The term that stands for exactly these variables, if there is one.
    fn product(&self, vars: &[Var]) -> Option<Term> {
        let axes = self.block().axes();
        let projection = |axis: usize| {
            let mut labels: Vec<usize> = vars.iter().map(|&v| self.position(v, axis)).collect();
            labels.sort_unstable();
            labels.dedup();
            (self.derived || axes[axis].derived().is_none()).then_some(labels)
        };
        let labels = (0..axes.len()).map(projection).collect();
        let mut term = Term { block: self.block, negated: self.negated, labels };
        let is_same = |term: &Term| term.variables(self.variables, vars.len() + 1).len() == vars.len();
        if !is_same(&term) {
            return None;
        }
        for (is_derived, is_single) in [(true, false), (false, false), (true, true)] {
            for (axis, there) in axes.iter().enumerate() {
                let fits = |l: &Vec<usize>| (l.len() == 1) == is_single;
                if there.derived().is_some() != is_derived || !term.labels[axis].as_ref().is_some_and(fits) {
                    continue;
                }
                let labels = term.labels[axis].take();
                if !is_same(&term) {
                    term.labels[axis] = labels;
                }
            }
        }
        // Several labels on a derived axis and on others too would be exact, but nobody could read them.
        let several = |axis: usize| term.labels[axis].as_ref().is_some_and(|l| l.len() > 1);
        let given = self.block().given();
        let is_readable =
            !(given..axes.len()).any(several) || (0..axes.len()).filter(|&a| several(a)).count() == 1;
        is_readable.then_some(term)
    }

    /// The fewest terms, at most three, that the variables fall into along one axis.
    fn split(&self, vars: &[Var]) -> Option<Vec<Term>> {
        let axes = self.block().axes();
        let mut best: Option<Vec<Term>> = None;
        for axis in (0..axes.len()).filter(|&a| self.derived || axes[a].derived().is_none()) {
            let most = best.as_ref().map_or(3, |terms| terms.len() - 1);
            let Some(classes) = self.classes(vars, axis, most) else { continue };
            if let Some(terms) = classes.iter().map(|class| self.product(class)).collect() {
                best = Some(terms);
            }
        }
        best
    }

    /// The variables by their label on an axis, labels with the same cross-section together.
    fn classes(&self, vars: &[Var], axis: usize, most: usize) -> Option<Vec<Vec<Var>>> {
        let mut slices: std::collections::BTreeMap<usize, Vec<Var>> = Default::default();
        for &var in vars {
            slices.entry(self.position(var, axis)).or_default().push(var);
        }
        let given = self.block().given();
        let section = |slice: &[Var]| {
            let others = |v: &Var| (0..given).filter(|&a| a != axis).map(|a| self.position(*v, a)).collect();
            let mut places: Vec<Vec<usize>> = slice.iter().map(others).collect();
            places.sort_unstable();
            places
        };
        let mut classes: Vec<(Vec<Vec<usize>>, Vec<Var>)> = Vec::new();
        for slice in slices.into_values() {
            let section = section(&slice);
            match classes.iter().position(|(s, _)| *s == section) {
                Some(at) => classes[at].1.extend(slice),
                None if classes.len() == most => return None,
                None => classes.push((section, slice)),
            }
        }
        Some(classes.into_iter().map(|(_, class)| class).collect())
    }
}

impl Term {
    /// The variables that it stands for; no more than `most` of them.
    pub fn variables(&self, variables: &Variables, most: usize) -> Vec<Var> {
        let block = &variables.blocks()[self.block];
        let given = block.given();
        let size = |a: usize| self.labels[a].as_ref().map_or(block.axes()[a].labels().len(), Vec::len);
        let label = |a: usize, at: usize| self.labels[a].as_ref().map_or(at, |labels| labels[at]);
        let places = (0..given).try_fold(1usize, |places, a| places.checked_mul(size(a)));
        let is_within = |var: &Var, from: usize| {
            let place = variables.place(*var).expect("members of a block have a place");
            let axes = self.labels.iter().zip(&place.positions).skip(from);
            axes.into_iter().all(|(l, at)| l.as_ref().is_none_or(|l| l.binary_search(at).is_ok()))
        };
        // A sparse block can have far fewer variables than the labels have places.
        if places.is_none_or(|places| places > block.members().len()) {
            return block.members().iter().copied().filter(|v| is_within(v, 0)).take(most).collect();
        }
        let mut found = Vec::new();
        let mut at = vec![0; given];
        let mut place: Vec<usize> = (0..given).map(|a| label(a, 0)).collect();
        while found.len() < most {
            found.extend(block.at(&place).filter(|v| is_within(v, given)));
            let Some(axis) = (0..given).rev().find(|&a| at[a] + 1 < size(a)) else { break };
            at[axis] += 1;
            at[axis + 1..].fill(0);
            for a in axis..given {
                place[a] = label(a, at[a]);
            }
        }
        found
    }

    /// The term in words: axes with their labels, `*` for an axis that is open unless a derived axis that
    /// is printed is computed from it.
    pub fn text(&self, variables: &Variables) -> String {
        self.relative(variables, |_, _| None).to_string()
    }

    /// The term by names, with offsets on the axes for which there are any.
    pub(crate) fn relative(
        &self,
        variables: &Variables,
        offsets: impl Fn(usize, &[usize]) -> Option<Vec<i64>>,
    ) -> RelativeTerm {
        let block = &variables.blocks()[self.block];
        let select = |(at, (axis, labels)): (usize, (&Axis, &Option<Vec<usize>>))| {
            let select = match labels {
                Some(labels) => match offsets(at, labels) {
                    Some(offsets) => Select::Offsets(offsets),
                    None => Select::Labels(labels.iter().map(|&l| axis.labels()[l].clone()).collect()),
                },
                None if axis.derived().is_some() => return None,
                None if self.tells(block, axis.name()) => Select::Implied,
                None => Select::Every,
            };
            Some((axis.name().to_owned(), select))
        };
        let at = block.axes().iter().zip(&self.labels).enumerate().filter_map(select).collect();
        RelativeTerm { block: block.name().to_owned(), at, negated: self.negated }
    }

    /// Whether an axis with labels is computed from the named one.
    fn tells(&self, block: &Block, axis: &str) -> bool {
        let derived = block.axes().iter().zip(&self.labels).filter(|(_, labels)| labels.is_some());
        derived.into_iter().any(|(derived, _)| is_computed_from(block, derived, axis))
    }
}

/// Whether a derived axis is computed from the named one, directly or through others.
fn is_computed_from(block: &Block, derived: &Axis, axis: &str) -> bool {
    derived.derived().is_some_and(|expression| {
        expression.names().iter().any(|name| {
            name == axis
                || block.axis(name).is_some_and(|at| is_computed_from(block, &block.axes()[at], axis))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A block with holes and two derived axes, and a plain name.
    fn variables(holes: u32) -> Variables {
        let places = (0..24).filter(|n| holes >> n & 1 == 0).map(|n| (n / 6, n / 2 % 3, n % 2));
        let names = places.map(|(i, j, k)| format!("x[i {i}, j {j}, k {}]", ["red", "blue"][k as usize]));
        let mut variables = Variables::from_names(names.chain(["plain".to_owned()])).unwrap();
        if variables.len() > 1 {
            variables.derive("half", &"i / 2".parse().unwrap()).unwrap();
            variables.derive("slope", &"i - j + half".parse().unwrap()).unwrap();
        }
        variables
    }

    proptest! {
        #[test]
        fn parts_stand_for_the_literals(holes: u32, dense: bool, chosen: u32, negated: u32, derived: bool) {
            let variables = variables(if dense { 0 } else { holes });
            let all = variables.iter().filter(|v| chosen >> v.0 & 1 == 1);
            let mut literals: Vec<Lit> = all.map(|v| Lit::new(v, negated >> v.0 & 1 == 1)).collect();
            let parts = describe(&variables, &literals, derived);
            let mut found: Vec<Lit> = parts.iter().flat_map(|p| p.literals(&variables)).collect();
            found.sort_unstable();
            literals.sort_unstable();
            prop_assert_eq!(found, literals);
        }

        #[test]
        fn a_product_is_one_term(i in 1u32..16, j in 1u32..8, k in 1u32..4, holes: u32, derived: bool) {
            let variables = variables(holes & holes.rotate_left(7));
            let bits = |set: u32| (0..4).filter(|b| set >> b & 1 == 1).collect::<Vec<usize>>();
            let sets = [bits(i), bits(j), bits(k)];
            let within = |v: &Var| {
                let place = variables.place(*v);
                place.is_some_and(|p| sets.iter().zip(&p.positions).all(|(set, at)| set.contains(at)))
            };
            let literals: Vec<Lit> = variables.iter().filter(within).map(Var::positive).collect();
            prop_assume!(!literals.is_empty());
            let parts = describe(&variables, &literals, derived);
            prop_assert!(parts.len() == 1 || derived, "{:?}", parts);
        }
    }

    #[test]
    fn open_axes_are_printed_unless_a_derived_one_tells_them() {
        let mut v = Variables::block("x", &[("i", 1..=4), ("j", 1..=2)]);
        v.derive("half", &"(i-1)/2".parse().unwrap()).unwrap();
        v.derive("side", &"half*10".parse().unwrap()).unwrap();
        let text = |labels: [Option<Vec<usize>>; 4]| {
            Term { block: 0, negated: true, labels: labels.into() }.text(&v)
        };
        assert_eq!(text([None, None, None, None]), "not x[i *, j *]");
        assert_eq!(text([None, Some(vec![0]), Some(vec![1]), None]), "not x[j 1, half 1]");
        assert_eq!(text([None, None, None, Some(vec![1])]), "not x[j *, side 10]");
        assert_eq!(text([Some(vec![0, 1, 2]), None, None, None]), "not x[i 1..3, j *]");
        assert_eq!(text([Some(vec![0, 2]), None, None, None]), "not x[i {1, 3}, j *]");
    }
}
