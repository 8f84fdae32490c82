//! Families of sums over axes: what is fixed, what is summed over, what moves.
//!
//! A family gives every axis of a block a role. Labels on *each* axis and the starts of *windows* tell its
//! members apart; within a member the variables of all labels that the roles admit are added up. A lagged
//! pair is a family too: a literal at one place of an axis and a literal a little further on. Nothing is
//! known of an axis but its labels, whether these are numbers without gaps, and whether they are the values
//! of categorical columns.

use std::collections::BTreeMap;

use preceptron_logic::{Block, Lit, Var, Variables};

/// Windows of consecutive labels have up to so many of them.
const WINDOW: usize = 7;
/// Sets of labels are summed over on axes of up to so many labels that are words.
const SET_LABELS: usize = 6;
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
enum Role {
    /// There is a member for every label.
    Each,
    /// All labels are summed over.
    All,
    /// So many consecutive labels are summed over; there is a member for every first one.
    Window(usize),
    /// These labels are summed over.
    Set(Vec<usize>),
}

/// One of the sums of a family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) literals: Vec<Lit>,
    /// The labels on the axes that tell members apart.
    pub(super) labels: Vec<usize>,
}

/// Sums that are alike.
pub(super) struct Family {
    pub(super) members: Vec<Member>,
    /// For each axis that tells members apart, whether its labels are values or words: a member with another
    /// label is then not the same one shifted.
    pub(super) is_state: Vec<bool>,
    /// How many labels are fixed in it.
    pub(super) fixed: usize,
    /// The name of the derived axis that tells members apart, if one does.
    pub(super) derived: Option<String>,
}

impl Family {
    /// The most literals of a member.
    pub(super) fn longest(&self) -> usize {
        self.members.iter().map(|member| member.literals.len()).max().unwrap_or(0)
    }

    /// How many labels there are on an axis that tells members apart.
    pub(super) fn labels(&self, axis: usize) -> usize {
        self.members.iter().map(|member| member.labels[axis] + 1).max().unwrap_or(0)
    }

    /// Whether all members have as many literals.
    pub(super) fn is_even(&self) -> bool {
        self.members.iter().all(|member| member.literals.len() == self.longest())
    }
}

/// All families of the blocks' axes.
pub(super) fn families(variables: &Variables) -> Vec<Family> {
    let mut all = Vec::new();
    for block in variables.blocks() {
        for roles in roles(block) {
            all.extend(sum(variables, block, &roles));
        }
        pairs(variables, block, &mut all);
    }
    all
}

/// Those among them that tell their members apart by a derived axis.
pub(super) fn by_derived_axes(variables: &Variables) -> Vec<Family> {
    let blocks = variables.blocks().iter();
    let all = blocks.flat_map(|block| roles(block).into_iter().map(move |roles| (block, roles)));
    all.filter(|(block, roles)| roles[block.given()..].contains(&Role::Each))
        .filter_map(|(block, roles)| sum(variables, block, &roles))
        .collect()
}

fn roles(block: &Block) -> Vec<Vec<Role>> {
    let given = block.given();
    let mut partial: Vec<Vec<Role>> = vec![vec![]];
    for (at, axis) in block.axes().iter().enumerate() {
        let count = axis.labels().len();
        let mut roles = vec![Role::All];
        if at < AXES || at >= given {
            roles.push(Role::Each);
        }
        if at < given.min(AXES) {
            if axis.is_consecutive() {
                roles.extend((2..count.min(WINDOW + 1)).map(Role::Window));
            } else if count <= SET_LABELS {
                // Of exactly one value the other half of the sets says the same.
                let most =
                    if block.one_hot() == Some(at) { count / 2 } else { count.saturating_sub(1) } as u32;
                let sets = (0u32..1 << count).filter(|set| (2..=most).contains(&set.count_ones()));
                roles.extend(
                    sets.map(|set| Role::Set((0..count).filter(|label| set >> label & 1 == 1).collect())),
                );
            }
        }
        partial = partial
            .iter()
            .flat_map(|before| roles.iter().map(|role| [&before[..], std::slice::from_ref(role)].concat()))
            .filter(|roles| is_modest(&roles[..roles.len().min(given)], roles.get(given..).unwrap_or(&[])))
            .collect();
    }
    partial.retain(|roles| roles[..given].iter().any(|role| *role != Role::Each));
    // A derived axis tells nothing apart that the axes it is computed from do.
    let is_each = |roles: &[Role], name: &str| block.axis(name).is_some_and(|at| roles[at] == Role::Each);
    partial.retain(|roles| {
        let mut derived = block.axes().iter().zip(roles).skip(given).filter(|(_, role)| **role == Role::Each);
        derived.all(|(axis, _)| {
            axis.derived().is_none_or(|from| !from.names().iter().all(|name| is_each(roles, name)))
        })
    });
    partial
}

/// Whether the roles are as few as a readable rule has: one window or set, two axes that are summed over;
/// at most one derived axis that tells members apart, and then only whole axes beside it.
fn is_modest(given: &[Role], derived: &[Role]) -> bool {
    let count = |test: fn(&Role) -> bool| given.iter().filter(|role| test(role)).count();
    let parts = count(|role| matches!(role, Role::Window(_) | Role::Set(_)));
    let lines = count(|role| !matches!(role, Role::Each));
    match derived.iter().filter(|role| **role == Role::Each).count() {
        0 => parts <= 1 && lines <= 2,
        1 => parts == 0,
        _ => false,
    }
}

/// The sums that roles give; none if they are too long, or single variables.
fn sum(variables: &Variables, block: &Block, roles: &[Role]) -> Option<Family> {
    let mut members: BTreeMap<Vec<usize>, Vec<Lit>> = BTreeMap::new();
    for &var in block.members() {
        let place = variables.place(var)?;
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
                Role::Set(labels) => is_in &= labels.contains(&at),
            }
        }
        for start in starts.filter(|_| is_in) {
            let literals = members.entry([&key[..], &[start]].concat()).or_default();
            literals.push(Var::positive(var));
            if literals.len() > LITERALS {
                return None;
            }
        }
    }
    let is_state = roles
        .iter()
        .zip(block.axes())
        .enumerate()
        .filter(|(_, (role, _))| **role == Role::Each)
        .map(|(at, (_, axis))| !axis.is_consecutive() || block.one_hot() == Some(at))
        .collect();
    let member = |(mut labels, literals): (Vec<usize>, Vec<Lit>)| {
        labels.pop();
        Member { literals, labels }
    };
    let members: Vec<Member> = members.into_iter().map(member).collect();
    let longest = members.iter().map(|member| member.literals.len()).max()?;
    let fixed = roles.iter().map(|role| if let Role::Set(labels) = role { labels.len() } else { 0 }).sum();
    let derived = roles.iter().zip(block.axes()).skip(block.given()).find(|(role, _)| **role == Role::Each);
    let derived = derived.map(|(_, axis)| axis.name().to_owned());
    (longest > 1).then_some(Family { members, is_state, fixed, derived })
}

/// Lagged pairs along numbered axes: of any place with its neighbour, or of two labels of another axis.
fn pairs(variables: &Variables, block: &Block, all: &mut Vec<Family>) {
    let axes = &block.axes()[..block.given().min(AXES)];
    for (along, axis) in axes.iter().enumerate().filter(|(_, axis)| axis.is_consecutive()) {
        for lag in 1..=LAG.min(axis.labels().len().saturating_sub(1)) {
            for negated in [false, true] {
                all.extend(pair(variables, block, along, lag, None, negated));
                for (state, axis) in axes.iter().enumerate() {
                    let count = axis.labels().len();
                    // A place and its neighbour: the axis of values says what is there.
                    let is_value = block.one_hot() == Some(state) || !axis.is_consecutive();
                    if state != along && count <= PAIR_LABELS && is_value {
                        all.extend((0..count * count).filter_map(|n| {
                            pair(variables, block, along, lag, Some((state, n / count, n % count)), negated)
                        }));
                    }
                }
            }
        }
    }
}

fn pair(
    variables: &Variables,
    block: &Block,
    along: usize,
    lag: usize,
    states: Option<(usize, usize, usize)>,
    negated: bool,
) -> Option<Family> {
    let mut members = Vec::new();
    for &var in block.members() {
        let place = variables.place(var)?;
        let mut other = place.positions[..block.given()].to_vec();
        if let Some((axis, first, second)) = states {
            if other[axis] != first {
                continue;
            }
            other[axis] = second;
        }
        let labels = (0..other.len()).filter(|at| states.is_none_or(|(axis, ..)| axis != *at));
        let labels = labels.map(|at| place.positions[at]).collect();
        other[along] += lag;
        if let Some(second) = block.at(&other) {
            members.push(Member { literals: vec![var.positive(), Lit::new(second, negated)], labels });
        }
    }
    let is_state = (0..block.given())
        .filter(|at| states.is_none_or(|(axis, ..)| axis != *at))
        .map(|at| !block.axes()[at].is_consecutive() || block.one_hot() == Some(at))
        .collect();
    let fixed = 2 * usize::from(states.is_some());
    (!members.is_empty()).then_some(Family { members, is_state, fixed, derived: None })
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
    fn members_of_sums_and_pairs() {
        let ward = ward();
        let block = &ward.blocks()[0];
        let var = |nurse: u32, day: u32, shift: u32| Var((nurse * 4 + day) * 3 + shift).positive();
        let windows = sum(&ward, block, &[Role::Each, Role::Window(2), Role::Each]).unwrap();
        assert_eq!(windows.members.len(), 27);
        assert_eq!(
            (&windows.members[0].labels[..], &windows.is_state[..]),
            (&[0, 0][..], &[false, true][..])
        );
        let cover = sum(&ward, block, &[Role::All, Role::Each, Role::Each]).unwrap();
        assert_eq!(cover.members[5].literals, [0, 1, 2].map(|nurse| var(nurse, 1, 2)));
        let rest = pair(&ward, block, 1, 1, Some((2, 2, 1)), true).unwrap();
        assert_eq!((rest.members.len(), rest.fixed), (9, 2));
        assert_eq!(rest.members[0].literals, [var(0, 0, 2), !var(0, 1, 1)]);
    }

    #[test]
    fn families_are_those_of_the_axes() {
        let with = |variables: &Variables, members: usize, length: usize| {
            let is = |f: &Family| f.members.len() == members && f.members[0].literals.len() == length;
            families(variables).iter().any(is)
        };
        assert!(with(&ward(), 12, 3), "one shift for each nurse and day");
        assert!(families(&Variables::from_names(["a", "b"]).unwrap()).is_empty());
        let mut cells = Variables::block("cell", &[("row", 1..=4), ("column", 1..=4), ("digit", 1..=2)]);
        assert!(!with(&cells, 8, 4) || cells.blocks()[0].axes().len() == 3);
        cells.derive("box", &"2*((row-1)/2) + (column-1)/2".parse().unwrap()).unwrap();
        assert!(with(&cells, 8, 4), "four cells for each box and digit");
    }
}
