//! Families of sums over axes: what is fixed, what is summed, what moves.
//!
//! A family gives every axis of a block a role. Places on *each* and the starts of *windows* tell the
//! copies of the family apart; within a copy, the variables of all labels that the roles admit are added
//! up. A lagged pair is a family too: a literal at one place of an axis and a literal a little further on.
//! Nothing is known of an axis but its labels, and whether these are numbers without gaps.

use std::collections::BTreeMap;

use preceptron_logic::{Constraint, Lit, Var, Variables};

/// Windows of consecutive labels have up to so many of them.
const WINDOW: usize = 7;
/// Sets of labels are tried on axes of up to so many labels that are words.
const SET_LABELS: usize = 5;
/// Pairs of labels are tried on axes of up to so many.
const PAIR_LABELS: usize = 12;
/// How far apart the members of a pair are, at the most.
const LAG: usize = 2;
/// Sums of more literals than this are not looked at.
const LITERALS: usize = 100;
/// Axes of a block that can have a role; further ones are summed over.
const AXES: usize = 6;

/// What an axis does in a family.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// There is a copy for every label.
    Each,
    /// There is a copy for each of these labels.
    EachOf(Vec<usize>),
    /// All labels are summed over.
    All,
    /// So many consecutive labels are summed over; there is a copy for every first one.
    Window(usize),
    /// The variables with one of these labels are summed over, or taken, if it is one.
    Labels(Vec<usize>),
}

/// Sums that are alike.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Family {
    /// All variables that the roles admit, added up.
    Sum {
        /// The block's number.
        block: usize,
        /// By axis, derived ones too.
        roles: Vec<Role>,
    },
    /// Two literals at places that differ by `lag` on `along` and perhaps on one more axis.
    Pair {
        /// The block's number.
        block: usize,
        along: usize,
        lag: usize,
        /// The axis whose label is given for both, and the two labels.
        states: Option<(usize, usize, usize)>,
        /// Whether the second literal is negated.
        negated: bool,
    },
}

/// One of the sums of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Copy {
    /// The labels that tell it from other copies, on axes whose labels are not numbers without gaps: there
    /// a copy is not another one shifted.
    pub(crate) states: Vec<usize>,
    pub(crate) literals: Vec<Lit>,
}

impl Copy {
    /// The same with all literals negated.
    pub(crate) fn negated(&self) -> Copy {
        Copy {
            states: self.states.clone(),
            literals: self.literals.iter().map(|&literal| !literal).collect(),
        }
    }

    /// The constraint that at most so many are true.
    pub(crate) fn at_most(&self, most: u32) -> Constraint {
        Constraint::at_most(most, self.literals.iter().copied())
    }
}

/// All families of the blocks' axes, the ones with the most copies for a sum first.
pub(crate) fn families(variables: &Variables) -> Vec<Family> {
    let mut all: Vec<(usize, Family)> = Vec::new();
    for block in 0..variables.blocks().len() {
        sums(variables, block, &mut all);
        pairs(variables, block, &mut all);
    }
    all.sort();
    all.into_iter().map(|(_, family)| family).collect()
}

/// Sums, each with the number of axes at a single label.
fn sums(variables: &Variables, block: usize, all: &mut Vec<(usize, Family)>) {
    let axes = variables.blocks()[block].axes();
    let given = variables.blocks()[block].given();
    let mut partial: Vec<Vec<Role>> = vec![vec![]];
    for (at, axis) in axes.iter().enumerate() {
        let count = axis.labels().len();
        let mut roles = vec![Role::All];
        if at < AXES {
            roles.push(Role::Each);
        }
        if at < given.min(AXES) {
            roles.extend((0..count).map(|label| Role::Labels(vec![label])));
            if axis.is_consecutive() {
                roles.extend((2..count.min(WINDOW + 1)).map(Role::Window));
            } else if count <= SET_LABELS {
                let sets = (0u32..1 << count).filter(|set| (2..count as u32).contains(&set.count_ones()));
                let labels = |set: u32| (0..count).filter(|label| set >> label & 1 == 1).collect();
                roles.extend(sets.clone().map(|set| Role::Labels(labels(set))));
                roles.extend(sets.map(|set| Role::EachOf(labels(set))));
            }
        }
        partial = partial
            .iter()
            .flat_map(|before| roles.iter().map(|role| [&before[..], std::slice::from_ref(role)].concat()))
            .filter(|roles| is_modest(&roles[..roles.len().min(given)], roles.get(given..).unwrap_or(&[])))
            .collect();
    }
    for roles in partial {
        let summed = roles[..given].iter().any(|role| match role {
            Role::Labels(labels) => labels.len() > 1,
            Role::All | Role::Window(_) => true,
            Role::Each | Role::EachOf(_) => false,
        });
        if summed {
            let single = roles.iter().filter(|role| is_single(role)).count();
            all.push((single, Family::Sum { block, roles }));
        }
    }
}

fn is_single(role: &Role) -> bool {
    matches!(role, Role::Labels(labels) if labels.len() == 1)
}

/// Whether the roles are as few as a readable rule has: one window, two axes that are summed over whole or
/// in part, two single labels; with a derived axis, only whole axes and copies.
fn is_modest(given: &[Role], derived: &[Role]) -> bool {
    let count = |test: fn(&Role) -> bool| given.iter().filter(|role| test(role)).count();
    let windows = count(|role| matches!(role, Role::Window(_)));
    let lines = count(|role| matches!(role, Role::All)) + windows;
    let plain = count(|role| matches!(role, Role::Each | Role::All)) == given.len();
    match derived.contains(&Role::Each) {
        true => plain,
        false => windows <= 1 && lines <= 2 && count(is_single) <= 2,
    }
}

fn pairs(variables: &Variables, block: usize, all: &mut Vec<(usize, Family)>) {
    let axes = &variables.blocks()[block].axes()[..variables.blocks()[block].given().min(AXES)];
    for (along, axis) in axes.iter().enumerate().filter(|(_, axis)| axis.is_consecutive()) {
        for lag in 1..=LAG.min(axis.labels().len().saturating_sub(1)) {
            let mut add = |states: Option<(usize, usize, usize)>| {
                for negated in [false, true] {
                    let single = 2 * usize::from(states.is_some());
                    all.push((single, Family::Pair { block, along, lag, states, negated }));
                }
            };
            add(None);
            for (state, axis) in axes.iter().enumerate() {
                let count = axis.labels().len();
                if state != along && count <= PAIR_LABELS {
                    (0..count * count).for_each(|n| add(Some((state, n / count, n % count))));
                }
            }
        }
    }
}

impl Family {
    /// Every copy, in order; none if one has too many literals. Copies of fewer than two literals are left
    /// out.
    pub(crate) fn copies(&self, variables: &Variables) -> Vec<Copy> {
        match self {
            Family::Sum { block, roles } => sum_copies(variables, *block, roles),
            &Family::Pair { block, along, lag, states, negated } => {
                let block = &variables.blocks()[block];
                let mut copies = Vec::new();
                for &var in block.members() {
                    let place = variables.place(var).expect("members of a block have a place");
                    let mut other = place.positions[..block.given()].to_vec();
                    other[along] += lag;
                    if let Some((axis, first, second)) = states {
                        if other[axis] != first {
                            continue;
                        }
                        other[axis] = second;
                    }
                    if let Some(second) = block.at(&other) {
                        let state = |(at, &label): (usize, &usize)| {
                            let is_fixed = states.is_some_and(|(axis, ..)| axis == at);
                            (!is_fixed && !block.axes()[at].is_consecutive()).then_some(label)
                        };
                        let states = other.iter().enumerate().filter_map(state).collect();
                        let literals = vec![var.positive(), Lit::new(second, negated)];
                        copies.push(Copy { states, literals });
                    }
                }
                copies
            }
        }
    }
}

fn sum_copies(variables: &Variables, block: usize, roles: &[Role]) -> Vec<Copy> {
    let block = &variables.blocks()[block];
    let is_each = |role: &&Role| matches!(role, Role::Each | Role::EachOf(_));
    // Of the labels that make up a copy's key, those of states.
    let is_state: Vec<bool> = roles
        .iter()
        .zip(block.axes())
        .filter(|(role, _)| is_each(role))
        .map(|(_, axis)| !axis.is_consecutive())
        .collect();
    let mut copies: BTreeMap<Vec<usize>, Vec<Lit>> = BTreeMap::new();
    for &var in block.members() {
        let place = variables.place(var).expect("members of a block have a place");
        let mut key: Vec<usize> = Vec::new();
        let mut starts = 0..1;
        let mut is_in = true;
        for ((role, &at), axis) in roles.iter().zip(&place.positions).zip(block.axes()) {
            match role {
                Role::Each => key.push(at),
                Role::All => {}
                Role::Window(length) => {
                    starts = (at + 1).saturating_sub(*length)..(at + 1).min(axis.labels().len() + 1 - length);
                }
                Role::Labels(labels) => is_in &= labels.contains(&at),
                Role::EachOf(labels) => {
                    key.push(at);
                    is_in &= labels.contains(&at);
                }
            }
        }
        if is_in {
            for start in starts {
                copies.entry([&key[..], &[start]].concat()).or_default().push(Var::positive(var));
            }
        }
    }
    if copies.values().any(|literals| literals.len() > LITERALS) {
        return vec![];
    }
    let copies = copies.into_iter().filter(|(_, literals)| literals.len() > 1);
    let states =
        |key: Vec<usize>| key.iter().zip(&is_state).filter(|(_, is)| **is).map(|(&at, _)| at).collect();
    copies.map(|(key, literals)| Copy { states: states(key), literals }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ward() -> Variables {
        let names =
            (1..=3).flat_map(|nurse| (1..=4).map(move |day| (nurse, day))).flat_map(|(nurse, day)| {
                ["off", "early", "night"]
                    .map(|shift| format!("work[nurse {nurse}, day {day}, shift {shift}]"))
            });
        Variables::from_names(names).unwrap()
    }

    #[test]
    fn copies_of_sums_and_pairs() {
        let ward = ward();
        let var = |nurse: u32, day: u32, shift: u32| Var((nurse * 4 + day) * 3 + shift).positive();
        let off = Family::Sum { block: 0, roles: vec![Role::Each, Role::Window(2), Role::Labels(vec![0])] };
        let copies = off.copies(&ward);
        assert_eq!(copies.len(), 9);
        assert_eq!(copies[4].literals, [var(1, 1, 0), var(1, 2, 0)]);
        let cover = Family::Sum { block: 0, roles: vec![Role::All, Role::Each, Role::Each] };
        assert_eq!(cover.copies(&ward)[5].literals, [0, 1, 2].map(|nurse| var(nurse, 1, 2)));
        let states = Some((2, 2, 1));
        let rest = Family::Pair { block: 0, along: 1, lag: 1, states, negated: true };
        assert_eq!(rest.copies(&ward).len(), 9);
        assert_eq!(rest.copies(&ward)[0].literals, [var(0, 0, 2), !var(0, 1, 1)]);
    }

    #[test]
    fn families_are_those_of_the_axes() {
        let all = families(&ward());
        let with = |roles: [Role; 3]| all.contains(&Family::Sum { block: 0, roles: roles.into() });
        assert!(with([Role::Each, Role::Each, Role::All]));
        assert!(with([Role::Each, Role::Window(3), Role::Labels(vec![0, 2])]));
        assert!(with([Role::All, Role::Labels(vec![3]), Role::Labels(vec![1])]));
        assert!(!with([Role::Each, Role::Each, Role::Labels(vec![1])]), "a single variable is no sum");
        assert!(!with([Role::Window(2), Role::Window(2), Role::Each]), "at most one window");
        assert!(families(&Variables::from_names(["a", "b"]).unwrap()).is_empty());
    }

    #[test]
    fn derived_axes_have_copies() {
        let mut cells = Variables::block("cell", &[("row", 1..=4), ("column", 1..=4), ("digit", 1..=2)]);
        cells.derive("box", &"2*((row-1)/2) + (column-1)/2".parse().unwrap()).unwrap();
        let boxes = Family::Sum { block: 0, roles: vec![Role::All, Role::All, Role::Each, Role::Each] };
        assert!(families(&cells).contains(&boxes));
        let copies = boxes.copies(&cells);
        assert_eq!((copies.len(), copies[0].literals.len()), (8, 4));
    }
}
