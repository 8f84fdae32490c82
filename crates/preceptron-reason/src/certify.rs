//! Proofs about rules: what they imply, whether two sets say the same, which rules say nothing new.
//!
//! Rules imply a constraint if nothing obeys the rules and violates it. The cheapest proof comes first: the
//! constraint is one of the rules, or follows from one over the same variables, or from equations by adding
//! and subtracting them; a solver is asked about the rest, for an assignment that obeys the rules and
//! violates the constraint. What is known of a set is kept from one question to the next.

use preceptron_logic::{Constraint, RuleSet, Var, Variables};

use crate::Limits;
use crate::proofs::{Droppable, Proofs};
use crate::prover::Proof;
use crate::sat::Budget;

/// How long proofs may take, and who sees how many are done. The default takes any time and says nothing.
#[derive(Default)]
pub struct Effort<'a> {
    /// When to stop; the limits are those of all proofs together.
    pub limits: Limits,
    /// Called after each rule.
    pub seen: Option<&'a dyn Fn()>,
}

impl Effort<'_> {
    fn budget(&self) -> Budget {
        self.limits.budget()
    }

    fn saw_one(&self) {
        if let Some(seen) = self.seen {
            seen();
        }
    }
}

/// For each constraint whether the rules imply it: whether all that satisfies every rule satisfies it.
///
/// # Panics
/// If a constraint has a variable that the rules do not have.
pub fn implied<'a>(rules: &RuleSet, constraints: impl IntoIterator<Item = &'a Constraint>) -> Vec<bool> {
    let mut proofs = Proofs::of(rules);
    let mut ask = |constraint: &Constraint| {
        let known = rules.variables().len();
        assert!(constraint.variables().all(|v| v.index() < known), "a constraint over the rules' variables");
        proofs.ask(constraint, &Budget::default()) == Proof::Implied
    };
    constraints.into_iter().map(&mut ask).collect()
}

/// How two sets of rules stand to each other, proved both ways.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// The rules of the second set that the first does not imply. The witnesses are assignments of the
    /// first set's variables.
    pub missing: Vec<Witness>,
    /// The rules of the first set that the second does not imply. The witnesses are assignments of the
    /// second set's variables.
    pub extra: Vec<Witness>,
    /// Rules of the second set, by their places, of which nothing was proved in time.
    pub missing_open: Vec<usize>,
    /// Rules of the first set of which nothing was proved in time.
    pub extra_open: Vec<usize>,
}

/// A rule that a set does not imply, and why not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The rule's place in its own set.
    pub rule: usize,
    /// An assignment that obeys the other set and violates the rule: the values of that set's variables.
    pub values: Vec<bool>,
}

/// Why two sets cannot be held against each other.
#[derive(Debug, thiserror::Error)]
pub enum CertifyError {
    /// Rules of one set are about variables that the other does not have.
    #[error("rules are compared by the names of their variables, and {}", only(.first, .second))]
    Names {
        /// Names in rules of the first set that the second does not have.
        first: Vec<String>,
        /// Names in rules of the second set that the first does not have.
        second: Vec<String>,
    },
    /// A witness does not stand up to being checked: a fault of the solver, never of the rules.
    #[error("the solver gave a wrong witness against rule {rule}")]
    Wrong {
        /// The rule's content hash.
        rule: preceptron_logic::RuleId,
    },
}

fn only(first: &[String], second: &[String]) -> String {
    let sides = [("first", first), ("second", second)].into_iter().filter(|(_, names)| !names.is_empty());
    let side = |(which, names): (&str, &[String])| {
        let more = if names.len() > 5 { format!(" and {} more", names.len() - 5) } else { String::new() };
        format!("only the {which} set has {}{more}", names[..names.len().min(5)].join(", "))
    };
    sides.map(side).collect::<Vec<_>>().join("; ")
}

impl Certificate {
    /// Whether each set is proved to imply the other.
    pub fn is_equivalent(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty() && self.is_complete()
    }

    /// Whether every rule was decided.
    pub fn is_complete(&self) -> bool {
        self.missing_open.is_empty() && self.extra_open.is_empty()
    }
}

/// Whether the same assignments obey both sets, whose variables are matched by name, in any order.
/// Variables that no rule mentions may be in one set alone: they are free on either side.
///
/// # Errors
/// If a rule mentions a variable that the other set does not have.
pub fn equivalent(a: &RuleSet, b: &RuleSet) -> Result<Certificate, CertifyError> {
    equivalent_within(a, b, &Effort::default())
}

/// The same within limits; rules that were not decided in time are told.
///
/// # Errors
/// As [`equivalent`].
pub fn equivalent_within(a: &RuleSet, b: &RuleSet, effort: &Effort) -> Result<Certificate, CertifyError> {
    let names = [(a, b), (b, a)].map(|(here, there)| unknown(here, there.variables()));
    let [first, second] = names;
    if !first.is_empty() || !second.is_empty() {
        return Err(CertifyError::Names { first, second });
    }
    let budget = effort.budget();
    let (missing, missing_open) = witnesses(a, b, effort, &budget)?;
    let (extra, extra_open) = witnesses(b, a, effort, &budget)?;
    Ok(Certificate { missing, extra, missing_open, extra_open })
}

/// The names in the rules that `there` does not have, in the order of the variables.
fn unknown(rules: &RuleSet, there: &Variables) -> Vec<String> {
    let mut mentioned = vec![false; rules.variables().len()];
    rules.constraints().flat_map(Constraint::variables).for_each(|var| mentioned[var.index()] = true);
    let names = rules.variables().names().iter().zip(mentioned);
    names.filter(|(name, said)| *said && there.find(name).is_none()).map(|(name, _)| name.clone()).collect()
}

/// The rules of `asked` that `rules` do not imply, and those of which it was not found out.
fn witnesses(
    rules: &RuleSet,
    asked: &RuleSet,
    effort: &Effort,
    budget: &Budget,
) -> Result<(Vec<Witness>, Vec<usize>), CertifyError> {
    let mut proofs = Proofs::of(rules);
    let (mut found, mut open) = (Vec::new(), Vec::new());
    for (place, rule) in asked.rules().iter().enumerate() {
        let constraint = rule.constraint.renamed(asked.variables(), rules.variables());
        let constraint = constraint.expect("every name that a rule mentions was looked up");
        match proofs.ask(&constraint, budget) {
            Proof::Implied => (),
            Proof::Open => open.push(place),
            Proof::Violated(values) => {
                let value = |var: Var| values[var.index()];
                if constraint.holds(value) || !rules.constraints().all(|c| c.holds(value)) {
                    return Err(CertifyError::Wrong { rule: rule.id() });
                }
                found.push(Witness { rule: place, values });
            }
        }
        effort.saw_one();
    }
    Ok((found, open))
}

/// Rules that the others imply, by their places: from the last to the first, each is dropped if what is
/// left at that time implies it. Without all of them the rules say the same.
pub fn redundant(rules: &RuleSet) -> Vec<usize> {
    redundant_within(rules, &Effort::default()).dropped
}

/// Rules that the others imply, as far as that was found out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redundant {
    /// The rules that were dropped, by their places: without all of them the rules say the same.
    pub dropped: Vec<usize>,
    /// How many rules, from the first on, were not decided in time.
    pub open: usize,
}

/// The same as [`redundant`] within limits. It ends at the first rule that is not decided in time, since
/// what becomes of the others depends on it.
pub fn redundant_within(rules: &RuleSet, effort: &Effort) -> Redundant {
    let budget = effort.budget();
    let mut left = Droppable::of(rules);
    let mut dropped = Vec::new();
    for place in (0..rules.len()).rev() {
        match left.try_to_drop(place, &budget) {
            Proof::Implied => dropped.insert(0, place),
            Proof::Violated(_) => (),
            Proof::Open => return Redundant { dropped, open: place + 1 },
        }
        effort.saw_one();
    }
    Redundant { dropped, open: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::{Lit, Rule, Sums};
    use proptest::prelude::*;

    const VARIABLES: u32 = 7;

    fn constraint() -> impl Strategy<Value = Constraint> {
        let literals = prop::collection::btree_map(0..VARIABLES, any::<bool>(), 0..6);
        let sums = prop_oneof![
            prop::collection::btree_set(0u32..6, 0..6).prop_map(Sums::set),
            (0u32..3, 0u32..4).prop_map(|(least, more)| Sums::range(least, least + more)),
        ];
        (literals, sums, prop::option::weighted(0.3, (0..VARIABLES, any::<bool>()))).prop_map(
            |(literals, sums, gate)| {
                let of = |(var, negated)| Lit::new(Var(var), negated);
                let constraint = Constraint::new(literals.into_iter().map(of), sums);
                gate.map_or(constraint.clone(), |gate| constraint.gated(of(gate)))
            },
        )
    }

    fn constraints() -> impl Strategy<Value = Vec<Constraint>> {
        prop::collection::vec(constraint(), 0..6)
    }

    /// Equations for the most part, so that some are combinations of others.
    fn equations() -> impl Strategy<Value = Vec<Constraint>> {
        let literals = prop::collection::btree_map(0..VARIABLES, prop::bool::weighted(0.2), 1..6);
        let equation = (literals, 0u32..4).prop_map(|(literals, sum)| {
            Constraint::exactly(sum, literals.into_iter().map(|(var, negated)| Lit::new(Var(var), negated)))
        });
        prop::collection::vec(prop_oneof![8 => equation, 1 => constraint()], 0..10)
    }

    fn name(var: u32) -> String {
        format!("x{var}")
    }

    fn set(constraints: &[Constraint]) -> RuleSet {
        let variables = Variables::from_names((0..VARIABLES).map(name)).unwrap();
        RuleSet::with_rules(variables, constraints.iter().cloned().map(Rule::given))
    }

    /// The plain twin: goes through all assignments.
    fn plainly_implied<'a>(rules: impl Iterator<Item = &'a Constraint> + Clone, asked: &Constraint) -> bool {
        (0..1u32 << VARIABLES).all(|bits| {
            let value = |v: Var| bits >> v.0 & 1 == 1;
            !rules.clone().all(|r| r.holds(value)) || asked.holds(value)
        })
    }

    proptest! {
        #[test]
        fn implied_is_what_enumeration_says(rules in constraints(), asked in constraints()) {
            let plain: Vec<bool> = asked.iter().map(|c| plainly_implied(rules.iter(), c)).collect();
            prop_assert_eq!(implied(&set(&rules), &asked), plain);
        }

        #[test]
        fn equivalent_is_what_enumeration_says(a in constraints(), b in constraints(), swap in any::<bool>()) {
            let a = set(&a);
            let b = set(&b);
            // The second set's variables in the opposite order, with one more that no rule mentions.
            let names = ["free".to_owned()].into_iter().chain((0..VARIABLES).rev().map(name));
            let variables = Variables::from_names(names).unwrap();
            let moved = |c: &Constraint| Rule::given(c.renamed(b.variables(), &variables).unwrap());
            let b = RuleSet::with_rules(variables.clone(), b.constraints().map(moved));
            let (a, b) = if swap { (b, a) } else { (a, b) };
            let certificate = equivalent(&a, &b).unwrap();
            for (rules, asked, witnesses) in [(&a, &b, &certificate.missing), (&b, &a, &certificate.extra)] {
                let back = |c: &Constraint| c.renamed(asked.variables(), rules.variables()).unwrap();
                for (place, constraint) in asked.constraints().enumerate() {
                    // Enumeration goes over the seven variables that both have.
                    let plain = set(&[]);
                    let own = |set: &RuleSet, c: &Constraint| c.renamed(set.variables(), plain.variables()).unwrap();
                    let all: Vec<Constraint> = rules.constraints().map(|c| own(rules, c)).collect();
                    let is_implied = plainly_implied(all.iter(), &own(asked, constraint));
                    let witness = witnesses.iter().find(|witness| witness.rule == place);
                    prop_assert_eq!(witness.is_none(), is_implied);
                    if let Some(witness) = witness {
                        let value = |v: Var| witness.values[v.index()];
                        prop_assert_eq!(witness.values.len(), rules.variables().len());
                        prop_assert!(rules.constraints().all(|c| c.holds(value)));
                        prop_assert!(!back(constraint).holds(value));
                    }
                }
            }
            let both = certificate.missing.is_empty() && certificate.extra.is_empty();
            prop_assert_eq!(certificate.is_equivalent(), both);
        }

        #[test]
        fn equations_imply_what_enumeration_says(rules in equations(), asked in equations()) {
            let plain: Vec<bool> = asked.iter().map(|c| plainly_implied(rules.iter(), c)).collect();
            prop_assert_eq!(implied(&set(&rules), &asked), plain);
        }

        #[test]
        fn redundant_rules_are_dropped_from_the_last_to_the_first(
            rules in prop_oneof![constraints(), equations()],
        ) {
            let rules = set(&rules);
            let all: Vec<&Constraint> = rules.constraints().collect();
            let mut kept: Vec<usize> = (0..all.len()).collect();
            let mut plain = Vec::new();
            for place in (0..all.len()).rev() {
                let others = kept.iter().filter(|&&other| other != place).map(|&other| all[other]);
                if plainly_implied(others, all[place]) {
                    kept.retain(|&other| other != place);
                    plain.insert(0, place);
                }
            }
            prop_assert_eq!(redundant(&rules), plain);
        }
    }

    #[test]
    fn wide_rules_are_proved() {
        let variables = Variables::block("x", &[("i", 1..=200)]);
        let all: Vec<Lit> = variables.iter().map(Var::positive).collect();
        let exactly = Constraint::exactly(1, all.iter().copied());
        let parts = [Constraint::at_most(1, all.iter().copied()), Constraint::clause(all.iter().copied())];
        let a = RuleSet::with_rules(variables.clone(), [Rule::given(exactly.clone())]);
        let b = RuleSet::with_rules(variables.clone(), parts.clone().map(Rule::given));
        assert!(equivalent(&a, &b).unwrap().is_equivalent());
        let most = RuleSet::with_rules(variables.clone(), [Rule::given(parts[0].clone())]);
        let certificate = equivalent(&most, &a).unwrap();
        assert!(certificate.extra.is_empty());
        assert_eq!(certificate.missing, [Witness { rule: 0, values: vec![false; 200] }]);
        let [most, least] = parts;
        let three = RuleSet::with_rules(variables, [exactly, most, least].map(Rule::given));
        assert_eq!(redundant(&three), [1, 2]);
    }

    /// The rules of a 3 x 3 Latin square, 27 equations of rank 19.
    fn latin() -> RuleSet {
        let variables = Variables::block("cell", &[("row", 0..=2), ("column", 0..=2), ("digit", 0..=2)]);
        let at = |row: u32, column: u32, digit: u32| Var(9 * row + 3 * column + digit).positive();
        let pairs = || (0..3).flat_map(|a| (0..3).map(move |b| (a, b)));
        let cells = pairs().map(|(a, b)| Constraint::exactly(1, (0..3).map(|c| at(a, b, c))));
        let rows = pairs().map(|(a, b)| Constraint::exactly(1, (0..3).map(|c| at(a, c, b))));
        let columns = pairs().map(|(a, b)| Constraint::exactly(1, (0..3).map(|c| at(c, a, b))));
        RuleSet::with_rules(variables, cells.chain(rows).chain(columns).map(Rule::given))
    }

    #[test]
    fn what_is_left_of_many_equations_implies_all_of_them() {
        let rules = latin();
        let dropped = redundant(&rules);
        assert!(dropped.len() >= 8, "{dropped:?}");
        let left = (0..rules.len()).filter(|place| !dropped.contains(place));
        let left =
            RuleSet::with_rules(rules.variables().clone(), left.map(|place| rules.rules()[place].clone()));
        assert!(equivalent(&left, &rules).unwrap().is_equivalent());
        assert_eq!(redundant(&left), [0usize; 0]);
    }

    #[test]
    fn without_time_nothing_is_claimed() {
        let rules = latin();
        let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
        let seen = std::cell::Cell::new(0);
        let count = || seen.set(seen.get() + 1);
        let effort = Effort { limits, seen: Some(&count) };
        let found = redundant_within(&rules, &effort);
        // What follows by adding and subtracting takes no time.
        assert!(found.dropped.iter().all(|place| *place >= found.open) && found.open > 0, "{found:?}");
        assert_eq!(seen.get(), rules.len() - found.open);
        let other = Rule::given(Constraint::clause([Var(0).positive(), Var(1).positive()]));
        let asked = RuleSet::with_rules(rules.variables().clone(), [other]);
        let certificate = equivalent_within(&rules, &asked, &effort).unwrap();
        assert!(!certificate.is_equivalent() && certificate.missing_open == [0]);
    }

    #[test]
    fn names_that_only_one_set_has() {
        let set = |names: &[&str]| {
            let variables = Variables::from_names(names.iter().copied()).unwrap();
            let all: Vec<Lit> = variables.iter().map(Var::positive).collect();
            RuleSet::with_rules(variables, [Rule::given(Constraint::clause(all))])
        };
        let error = |a: &[&str], b: &[&str]| equivalent(&set(a), &set(b)).unwrap_err().to_string();
        assert_eq!(
            error(&["a", "b"], &["b", "c"]),
            "rules are compared by the names of their variables, and only the first set has a; only the second \
             set has c"
        );
        assert_eq!(
            error(&["b"], &["a", "b", "c", "d", "e", "f", "g", "h"]),
            "rules are compared by the names of their variables, and only the second set has a, c, d, e, f and \
             2 more"
        );
    }
}
