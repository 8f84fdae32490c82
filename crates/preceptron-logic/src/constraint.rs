//! A cardinality constraint: how many of some literals may be true.
//!
//! ```text
//! gate  ->  l_1 + l_2 + ... + l_k  in  S
//! ```
//!
//! The paper's form is `w'(z; y) in [b_min, b_max]` with `w` Boolean. Here the row may also count
//! negated literals, the allowed sums may be a set, and a gate literal may switch the whole off.

use std::collections::BTreeMap;
use std::fmt;

use sha2::{Digest, Sha256};

use crate::{Lit, Sums, Var, Variables};

/// How many of some literals may be true, in canonical form: literals in order, no variable twice,
/// allowed sums within reach, and of a constraint and its mirror image (all literals negated) the one
/// with fewer negations. Two constraints that differ only in such ways of writing are equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Constraint {
    literals: Vec<Lit>,
    sums: Sums,
    gate: Option<Lit>,
}

impl Constraint {
    /// The constraint that the number of true `literals` is one of `sums`.
    ///
    /// # Panics
    /// If a literal is given twice: a cardinality constraint counts each literal once.
    pub fn new(literals: impl IntoIterator<Item = Lit>, sums: Sums) -> Constraint {
        let mut literals: Vec<Lit> = literals.into_iter().collect();
        literals.sort_unstable();
        assert!(
            literals.windows(2).all(|w| w[0] != w[1]),
            "a cardinality constraint counts each literal once"
        );
        let mut pairs = 0;
        let mut kept: Vec<Lit> = Vec::with_capacity(literals.len());
        for literal in literals {
            if kept.last() == Some(&!literal) {
                kept.pop();
                pairs += 1;
            } else {
                kept.push(literal);
            }
        }
        let count = kept.len() as u32;
        let sums = sums.clipped(count + pairs).lowered(pairs);
        let mut constraint = Constraint { literals: kept, sums, gate: None };
        let negated = constraint.negated_count();
        let positive = constraint.literals.len() - negated;
        let starts_negated = constraint.literals.first().is_some_and(|l| l.is_negated());
        if negated > positive || (negated == positive && starts_negated) {
            for literal in &mut constraint.literals {
                *literal = !*literal;
            }
            constraint.sums = constraint.sums.complement(count);
        }
        constraint
    }

    /// The same constraint, asked for only where `gate` is true. A literal of the gate's own variable has
    /// one value there, and is counted out.
    #[must_use]
    pub fn gated(mut self, gate: Lit) -> Constraint {
        if let Ok(at) = self.literals.binary_search_by_key(&gate.var(), |l| l.var()) {
            let sums = self.sums.lowered(u32::from(self.literals.remove(at) == gate));
            self = Constraint::new(self.literals, sums);
        }
        self.gate = Some(gate);
        self
    }

    /// The constraint over the variables of `to` that have the same names as those of `from` here.
    ///
    /// # Errors
    /// The first name that is not in `to`.
    pub fn renamed(&self, from: &Variables, to: &Variables) -> Result<Constraint, String> {
        let literal = |l: Lit| {
            let name = from.name(l.var());
            to.find(name).map(|v| Lit::new(v, l.is_negated())).ok_or_else(|| name.to_owned())
        };
        let literals = self.literals.iter().map(|&l| literal(l)).collect::<Result<Vec<_>, _>>()?;
        let renamed = Constraint::new(literals, self.sums.clone());
        Ok(match self.gate {
            Some(gate) => renamed.gated(literal(gate)?),
            None => renamed,
        })
    }

    /// Exactly `sum` of the literals.
    pub fn exactly(sum: u32, literals: impl IntoIterator<Item = Lit>) -> Constraint {
        Constraint::new(literals, Sums::exactly(sum))
    }

    /// At most `sum` of the literals.
    pub fn at_most(sum: u32, literals: impl IntoIterator<Item = Lit>) -> Constraint {
        Constraint::new(literals, Sums::range(0, sum))
    }

    /// At least `sum` of the literals.
    pub fn at_least(sum: u32, literals: impl IntoIterator<Item = Lit>) -> Constraint {
        Constraint::new(literals, Sums::range(sum, u32::MAX))
    }

    /// At least one of the literals.
    pub fn clause(literals: impl IntoIterator<Item = Lit>) -> Constraint {
        Constraint::at_least(1, literals)
    }

    /// The literals counted, in order.
    pub fn literals(&self) -> &[Lit] {
        &self.literals
    }

    /// The sums allowed.
    pub fn sums(&self) -> &Sums {
        &self.sums
    }

    /// The literal that must be true for the constraint to apply, if there is one.
    pub fn gate(&self) -> Option<Lit> {
        self.gate
    }

    /// How many literals are counted.
    pub fn len(&self) -> usize {
        self.literals.len()
    }

    /// Whether no literal is counted.
    pub fn is_empty(&self) -> bool {
        self.literals.is_empty()
    }

    /// How many of the literals are negated.
    pub fn negated_count(&self) -> usize {
        self.literals.iter().filter(|l| l.is_negated()).count()
    }

    /// Every variable that occurs, the gate's too.
    pub fn variables(&self) -> impl Iterator<Item = Var> + '_ {
        self.literals.iter().chain(&self.gate).map(|l| l.var())
    }

    /// Whether everything satisfies it.
    pub fn is_trivial(&self) -> bool {
        (0..=self.len() as u32).all(|s| self.sums.contains(s))
    }

    /// Whether no sum is allowed (with a gate, the gate must then be false).
    pub fn is_contradiction(&self) -> bool {
        self.sums.least().is_none()
    }

    /// Whether exactly one sum is allowed and no gate limits it.
    pub fn is_equality(&self) -> bool {
        self.gate.is_none() && self.sums.single().is_some()
    }

    /// The literals of the clause ("at least one of these") that the constraint is, if it is one.
    pub fn as_clause(&self) -> Option<Vec<Lit>> {
        if self.is_empty() || self.is_trivial() || self.is_contradiction() {
            return None;
        }
        let count = self.len() as u32;
        let mut literals = if self.sums == Sums::range(1, count) {
            self.literals.clone()
        } else if self.sums == Sums::range(0, count - 1) {
            self.literals.iter().map(|&l| !l).collect()
        } else {
            return None;
        };
        literals.extend(self.gate.map(|g| !g));
        Some(literals)
    }

    /// How many literals are true under `value`.
    pub fn sum(&self, value: impl Fn(Var) -> bool) -> u32 {
        self.literals.iter().filter(|l| l.holds(value(l.var()))).count() as u32
    }

    /// Whether an assignment satisfies the constraint.
    pub fn holds(&self, value: impl Fn(Var) -> bool) -> bool {
        self.gate.is_some_and(|g| !g.holds(value(g.var()))) || self.sums.contains(self.sum(value))
    }

    /// The row as integer coefficients over variables and the constant that negations leave:
    /// the sum of the literals is `coefficients . x + constant`.
    pub fn row(&self) -> (Vec<(Var, i64)>, i64) {
        let coefficients =
            self.literals.iter().map(|l| (l.var(), if l.is_negated() { -1 } else { 1 })).collect();
        (coefficients, self.negated_count() as i64)
    }

    /// Whether every assignment that satisfies `self` satisfies `other`, looking at these two alone.
    /// Exact for constraints without gates; a gated one implies only an equal one and what its own body
    /// implies under the same gate.
    pub fn implies(&self, other: &Constraint) -> bool {
        if other.is_trivial() || self == other {
            return true;
        }
        match (self.gate, other.gate) {
            (Some(a), Some(b)) if a != b => return false,
            (Some(_), None) => return false,
            _ => {}
        }
        let mine: BTreeMap<Var, bool> = self.literals.iter().map(|l| (l.var(), l.is_negated())).collect();
        let (mut same, mut opposite, mut outside) = (0i64, 0i64, 0i64);
        for literal in &other.literals {
            match mine.get(&literal.var()) {
                Some(&negated) if negated == literal.is_negated() => same += 1,
                Some(_) => opposite += 1,
                None => outside += 1,
            }
        }
        let free = self.len() as i64 - same - opposite;
        // With s true literals of `self`, p of them among the shared ones of the same sign and q among
        // those of the opposite sign, `other` counts p + (opposite - q) and anything outside. It takes
        // every value between the least and the greatest, in steps that p and q can make.
        for s in self.sums.iter().map(i64::from) {
            for p in 0..=same.min(s) {
                for q in 0..=opposite.min(s - p) {
                    if s - p - q > free {
                        continue;
                    }
                    let inside = p + opposite - q;
                    if (inside..=inside + outside).any(|sum| !other.sums.contains(sum as u32)) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Twelve hexadecimal digits that name the constraint: a hash of its canonical form.
    pub fn id(&self) -> RuleId {
        let mut hash = Sha256::new();
        hash.update(b"precept constraint 1");
        hash.update((self.literals.len() as u32).to_le_bytes());
        for literal in &self.literals {
            hash.update((literal.code() as u32).to_le_bytes());
        }
        for sum in self.sums.iter() {
            hash.update(sum.to_le_bytes());
        }
        hash.update(self.gate.map_or(u32::MAX, |g| g.code() as u32).to_le_bytes());
        let digest = hash.finalize();
        let mut id = [0; 6];
        id.copy_from_slice(&digest[..6]);
        RuleId(id)
    }
}

/// The name of a constraint: a hash of its content, printed as twelve hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RuleId([u8; 6]);

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COUNT: u32 = 6;

    fn lit(number: i64) -> Lit {
        Lit::new(Var(number.unsigned_abs() as u32 - 1), number < 0)
    }

    fn lits(numbers: &[i64]) -> Vec<Lit> {
        numbers.iter().map(|&n| lit(n)).collect()
    }

    /// Any sums over any literals, with a variable and its negation at times.
    fn any_constraint(gates: bool) -> impl Strategy<Value = (Vec<Lit>, Sums, Option<Lit>)> {
        let literals =
            prop::collection::vec(prop::bool::weighted(0.4), 2 * COUNT as usize).prop_map(|there| {
                let all = (0..COUNT).flat_map(|v| [Var(v).positive(), Var(v).negative()]);
                all.zip(there).filter(|(_, there)| *there).map(|(l, _)| l).collect::<Vec<_>>()
            });
        let sums = prop_oneof![
            prop::collection::vec(0..8u32, 0..5).prop_map(Sums::set),
            (0..6u32, 0..8u32).prop_map(|(a, b)| Sums::range(a, b)),
        ];
        let gate = (0..COUNT, any::<bool>()).prop_map(|(v, negated)| Lit::new(Var(v), negated));
        (literals, sums, prop::option::of(gate).prop_map(move |gate| gate.filter(|_| gates)))
    }

    fn built((literals, sums, gate): &(Vec<Lit>, Sums, Option<Lit>)) -> Constraint {
        let constraint = Constraint::new(literals.iter().copied(), sums.clone());
        gate.map_or(constraint.clone(), |g| constraint.gated(g))
    }

    fn truth_table(holds: impl Fn(&dyn Fn(Var) -> bool) -> bool) -> Vec<bool> {
        (0u32..1 << COUNT).map(|bits| holds(&|v: Var| bits >> v.0 & 1 == 1)).collect()
    }

    fn table(constraint: &Constraint) -> Vec<bool> {
        truth_table(|value| constraint.holds(value))
    }

    proptest! {
        #[test]
        fn canonical_form_keeps_the_meaning(written in any_constraint(true)) {
            let (literals, sums, gate) = &written;
            let constraint = built(&written);
            let plain = truth_table(|value| {
                let sum = literals.iter().filter(|l| l.holds(value(l.var()))).count() as u32;
                gate.is_some_and(|g| !g.holds(value(g.var()))) || sums.contains(sum)
            });
            prop_assert_eq!(table(&constraint), plain.clone());
            prop_assert_eq!(constraint.is_trivial(), plain.iter().all(|holds| *holds));
            prop_assert!(constraint.literals().windows(2).all(|w| w[0].var() < w[1].var()));
            prop_assert!(2 * constraint.negated_count() <= constraint.len());
            prop_assert!(constraint.literals().iter().all(|l| Some(l.var()) != gate.map(|g| g.var())));
            prop_assert!(constraint.sums().greatest().is_none_or(|s| s as usize <= constraint.len()));
        }

        #[test]
        fn mirrored_or_reordered_is_the_same_constraint(written in any_constraint(true), seed in 0..1000usize) {
            let (mut literals, sums, gate) = written.clone();
            let count = literals.len();
            literals.rotate_left(seed % count.max(1));
            literals.reverse();
            let reordered = built(&(literals.clone(), sums.clone(), gate));
            prop_assert_eq!(&reordered, &built(&written));
            let mirrored = built(&(literals.iter().map(|&l| !l).collect(), sums.complement(count as u32), gate));
            prop_assert_eq!(&mirrored, &reordered);
            prop_assert_eq!(mirrored.id(), built(&written).id());
        }

        #[test]
        fn implies_as_brute_force_says(a in any_constraint(false), b in any_constraint(false)) {
            let (a, b) = (built(&a), built(&b));
            let expected = table(&a).iter().zip(table(&b)).all(|(a, b)| !a || b);
            prop_assert_eq!(a.implies(&b), expected, "{:?} and {:?}", a, b);
        }

        #[test]
        fn implies_among_shared_literals(a in any_constraint(false), keep in 0u32..64, least in 0..3u32, width in 0..5u32) {
            let a = built(&a);
            let kept = a.literals().iter().copied().filter(|l| keep >> l.var().0 & 1 == 1);
            let b = Constraint::new(kept, Sums::range(least, least + width));
            let expected = table(&a).iter().zip(table(&b)).all(|(a, b)| !a || b);
            prop_assert_eq!(a.implies(&b), expected, "{:?} and {:?}", a, b);
        }

        #[test]
        fn implies_never_errs_with_gates(a in any_constraint(true), b in any_constraint(true)) {
            let (a, b) = (built(&a), built(&b));
            let is_true = table(&a).iter().zip(table(&b)).all(|(a, b)| !a || b);
            prop_assert!(!a.implies(&b) || is_true, "{:?} and {:?}", a, b);
        }

        #[test]
        fn a_clause_is_a_clause(written in any_constraint(true)) {
            let constraint = built(&written);
            if let Some(clause) = constraint.as_clause() {
                let plain = truth_table(|value| clause.iter().any(|l| l.holds(value(l.var()))));
                prop_assert_eq!(plain, table(&constraint));
                prop_assert_eq!(table(&Constraint::clause(clause)), table(&constraint));
            }
        }

        #[test]
        fn the_row_is_the_sum(written in any_constraint(false), bits in 0u32..1 << COUNT) {
            let constraint = built(&written);
            let value = |v: Var| bits >> v.0 & 1 == 1;
            let (row, constant) = constraint.row();
            let sum: i64 = row.iter().map(|(v, c)| c * i64::from(value(*v))).sum();
            prop_assert_eq!(sum + constant, i64::from(constraint.sum(value)));
        }

        #[test]
        fn ids_tell_constraints_apart(a in any_constraint(true), b in any_constraint(true)) {
            let (a, b) = (built(&a), built(&b));
            prop_assert_eq!(a.id() == b.id(), a == b);
        }
    }

    #[test]
    fn ids_do_not_change() {
        // Files name rules by these: a change here breaks every file.
        assert_eq!(Constraint::exactly(1, lits(&[1, 2, 3])).id().to_string(), "385ee77fd698");
        assert_eq!(
            Constraint::new(lits(&[1, -2, 3]), Sums::set([0, 2])).gated(lit(-4)).id().to_string(),
            "53374972f18c"
        );
    }

    #[test]
    fn examples_of_canonical_form() {
        assert_eq!(Constraint::at_most(1, lits(&[1, 2])), Constraint::clause(lits(&[-2, -1])));
        assert_eq!(Constraint::exactly(2, lits(&[1, -1, 2])), Constraint::exactly(1, lits(&[2])));
        assert_eq!(
            Constraint::exactly(2, lits(&[1, 2, 3])).gated(lit(3)),
            Constraint::exactly(1, lits(&[1, 2])).gated(lit(3))
        );
        assert!(Constraint::at_least(0, lits(&[1, 2])).is_trivial());
        assert!(Constraint::exactly(3, lits(&[1, 2])).is_contradiction());
    }

    #[test]
    #[should_panic(expected = "counts each literal once")]
    fn a_literal_twice_is_refused() {
        Constraint::exactly(1, lits(&[1, 2, 1]));
    }
}
