//! A constraint in the form in which it is said: what is claimed, and of which parts.
//!
//! The canonical constraint is a sum of literals; a person says "if a then b" or "as many of these as of
//! those". A [`Statement`] is that form, without words yet, so that rules which are said alike can be
//! found ([`lift`](crate::lift())). As a [`RelativeRule`](crate::RelativeRule) it becomes constraints again.

use crate::term::{describe, list};
use crate::{Claim, Constraint, Lit, Part, Sums, Variables};

/// What is claimed of groups of literals.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    /// Nothing is: every assignment will do.
    Trivial,
    /// No assignment will do.
    Impossible,
    /// The one variable is true.
    Always,
    /// The one variable is false.
    Never,
    /// So many of the literals are true.
    Count(Quantity),
    /// Some variable of the group is false.
    NotAll,
    /// If all of the first group are true, then some of the second.
    If,
    /// So many more of the first group than of the second are true.
    More(u32),
    /// At least as many of the first group as of the second are true.
    AtLeastAsMany,
    /// Of the first group so many more are true than of the second, within bounds.
    Difference(Option<i64>, Option<i64>),
}

/// How many of some literals are true.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Quantity {
    All,
    None,
    Exactly(u32),
    AtLeast(u32),
    AtMost(u32),
    Between(u32, u32),
    /// An even number, of so many literals.
    Even(u32),
    /// An odd number, of so many literals.
    Odd(u32),
    OneOf(Vec<u32>),
}

/// A constraint as it is said.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Statement {
    pub form: Form,
    /// The literals by group; the form says what a group is for.
    pub groups: Vec<Vec<Part>>,
    pub gate: Option<Part>,
}

impl Statement {
    /// The statement of a constraint, its literals described with derived axes or without.
    pub fn new(variables: &Variables, constraint: &Constraint, derived: bool) -> Statement {
        let (form, groups) = form(constraint);
        let is_short = |group: &Vec<Lit>| match form {
            Form::NotAll => group.len() == 2,
            Form::If => group.len() <= 3,
            _ => false,
        };
        let parts = |group: &Vec<Lit>| match is_short(group) {
            true => list(variables, group),
            false => describe(variables, group, derived),
        };
        let groups = groups.iter().map(parts).collect();
        // A gate of a body that nothing satisfies has become the statement itself.
        let gate = constraint.gate().filter(|_| !constraint.is_contradiction());
        Statement { groups, gate: gate.map(|g| list(variables, &[g]).remove(0)), form }
    }

    /// Every part, the gate's last.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        self.groups.iter().flatten().chain(&self.gate)
    }

    /// What is claimed of the literals of all groups, and for each group whether these are the negations of
    /// what it names.
    pub fn claim(&self) -> (Claim, [bool; 2]) {
        let exactly = |difference| Claim::Balance { min: Some(difference), max: Some(difference) };
        match &self.form {
            Form::Trivial => (Claim::Count(Sums::range(0, u32::MAX)), [false, false]),
            Form::Impossible => (Claim::Any, [false, false]),
            Form::Always => (Claim::All, [false, false]),
            Form::Never => (Claim::All, [true, false]),
            Form::Count(quantity) => (quantity.claim(), [false, false]),
            Form::NotAll | Form::If => (Claim::Any, [true, false]),
            Form::More(difference) => (exactly(i64::from(*difference)), [false, true]),
            Form::AtLeastAsMany => (Claim::Balance { min: Some(0), max: None }, [false, true]),
            Form::Difference(min, max) => (Claim::Balance { min: *min, max: *max }, [false, true]),
        }
    }
}

/// The form of a constraint's body and its groups of literals.
fn form(constraint: &Constraint) -> (Form, Vec<Vec<Lit>>) {
    let (sums, literals) = (constraint.sums(), constraint.literals());
    let count = literals.len() as u32;
    let plus: Vec<Lit> = literals.iter().copied().filter(|l| !l.is_negated()).collect();
    let minus: Vec<Lit> = literals.iter().filter(|l| l.is_negated()).map(|&l| !l).collect();
    let all = || literals.to_vec();
    let (Some(least), Some(greatest)) = (sums.least(), sums.greatest()) else {
        return match constraint.gate() {
            Some(gate) if gate.is_negated() => (Form::Always, vec![vec![!gate]]),
            Some(gate) => (Form::Never, vec![vec![gate]]),
            None => (Form::Impossible, vec![]),
        };
    };
    if constraint.is_trivial() {
        return (Form::Trivial, vec![]);
    }
    if count == 1 {
        return (if least == 1 { Form::Always } else { Form::Never }, vec![plus]);
    }
    if matches!(sums, Sums::Set(_)) {
        return parity(sums, &plus, &minus).unwrap_or_else(|| {
            let quantity = Quantity::OneOf(sums.iter().collect());
            (Form::Count(quantity), vec![all()])
        });
    }
    // A clause: the negated literals are its conditions, the others its conclusions.
    let clause = match (least, greatest) {
        (1, most) if most == count => Some((&minus, &plus)),
        (0, most) if most == count - 1 => Some((&plus, &minus)),
        _ => None,
    };
    if let Some((conditions, conclusions)) = clause {
        return match (conditions.is_empty(), conclusions.is_empty()) {
            (true, _) => (Form::Count(Quantity::AtLeast(1)), vec![conclusions.clone()]),
            (_, true) => (Form::NotAll, vec![conditions.clone()]),
            _ => (Form::If, vec![conditions.clone(), conclusions.clone()]),
        };
    }
    let negated = minus.len() as u32;
    if negated > 0 {
        match (least, greatest) {
            (0, 0) => return (Form::Count(Quantity::All), vec![literals.iter().map(|&l| !l).collect()]),
            (a, b) if a == b && a < negated => return (Form::More(negated - a), vec![minus, plus]),
            (a, b) if a == b && a < count => return (Form::More(a - negated), vec![plus, minus]),
            (a, b) if a == negated && b == count => return (Form::AtLeastAsMany, vec![plus, minus]),
            (0, b) if b == negated => return (Form::AtLeastAsMany, vec![minus, plus]),
            _ => {}
        }
    }
    let quantity = match (least, greatest) {
        (0, 0) => Quantity::None,
        (a, b) if a == b && a == count => Quantity::All,
        (a, b) if a == b => Quantity::Exactly(a),
        (0, b) => Quantity::AtMost(b),
        (a, b) if b == count => Quantity::AtLeast(a),
        (a, b) => Quantity::Between(a, b),
    };
    (Form::Count(quantity), vec![all()])
}

/// The form of a set of sums that is all even or all odd ones within reach. Negations only turn even to
/// odd, so that they are not said.
fn parity(sums: &Sums, plus: &[Lit], minus: &[Lit]) -> Option<(Form, Vec<Vec<Lit>>)> {
    let count = (plus.len() + minus.len()) as u32;
    let rest = sums.least()? % 2;
    if !(0..=count).all(|s| sums.contains(s) == (s % 2 == rest)) {
        return None;
    }
    let mut literals = [plus, minus].concat();
    literals.sort_unstable();
    let is_even = (rest + minus.len() as u32).is_multiple_of(2);
    Some(match (count, is_even) {
        (2, true) => (Form::More(0), literals.iter().map(|&l| vec![l]).collect()),
        (2, false) => (Form::Count(Quantity::Exactly(1)), vec![literals]),
        (_, true) => (Form::Count(Quantity::Even(count)), vec![literals]),
        (_, false) => (Form::Count(Quantity::Odd(count)), vec![literals]),
    })
}

impl Quantity {
    fn claim(&self) -> Claim {
        Claim::Count(match self {
            Quantity::All => return Claim::All,
            Quantity::Even(among) => return Claim::Parity { odd: false, among: *among },
            Quantity::Odd(among) => return Claim::Parity { odd: true, among: *among },
            Quantity::AtLeast(1) => return Claim::Any,
            Quantity::None => Sums::exactly(0),
            Quantity::Exactly(sum) => Sums::exactly(*sum),
            Quantity::AtLeast(least) => Sums::range(*least, u32::MAX),
            Quantity::AtMost(most) => Sums::range(0, *most),
            Quantity::Between(least, most) => Sums::range(*least, *most),
            Quantity::OneOf(values) => Sums::set(values.iter().copied()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Axes;
    use crate::{Domain, Var};
    use proptest::prelude::*;

    /// A sparse block with a derived axis, a block on one axis, and plain names.
    fn variables() -> Variables {
        let cells = (1..=4).flat_map(|r| (1..=3).map(move |c| (r, c))).filter(|(r, c)| r + c != 5);
        let names = cells.map(|(r, c)| format!("cell[row {r}, column {c}]"));
        let names = names.chain((1..=3).map(|d| format!("open[day {d}]"))).chain(["a".into(), "b".into()]);
        let mut variables = Variables::from_names(names).unwrap();
        variables.derive("half", &"(row+1)/2".parse().unwrap()).unwrap();
        variables
    }

    proptest! {
        #[test]
        fn a_statement_states_its_constraint(
            signs in prop::collection::vec(0..5u8, 14),
            sums in prop::collection::btree_set(0..6u32, 1..5),
            width in prop::option::of((0..6u32, 0..4u32)),
            gate in prop::option::of(any::<bool>()),
            derived: bool,
        ) {
            let variables = variables();
            prop_assert_eq!(variables.len(), 14);
            let chosen = signs.iter().zip(variables.iter()).filter(|(s, _)| **s < 2);
            let literals = chosen.map(|(s, v)| Lit::new(v, *s == 1));
            let sums = width.map_or(Sums::set(sums), |(least, width)| Sums::range(least, least + width));
            let mut constraint = Constraint::new(literals, sums);
            if let Some(negated) = gate {
                constraint = constraint.gated(Lit::new(Var(0), negated));
            }
            prop_assume!(!constraint.is_trivial());
            let statement = Statement::new(&variables, &constraint, derived);
            let said = Axes::new(&variables).rule(&statement, &[]).ground(&Domain::of(&variables));
            let [said] = &said[..] else { panic!("{statement:?} is {said:?}") };
            // Equal as functions: a parity is said without its negations.
            let mut all: Vec<Var> = constraint.variables().chain(said.variables()).collect();
            all.sort_unstable();
            all.dedup();
            for bits in 0u32..1 << all.len() {
                let value = |v: Var| bits >> all.binary_search(&v).unwrap() & 1 == 1;
                prop_assert_eq!(constraint.holds(value), said.holds(value), "{:?} said as {:?}", constraint, said);
            }
        }
    }
}
