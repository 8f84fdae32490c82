//! What follows from equations by adding and subtracting them, in whole numbers and hence exactly.
//!
//! A rule "exactly k of these literals" is an equation over its variables. If a rule's row `r` is a
//! combination of the rows of others, `m r = sum of c_j r_j`, then its sum is known: `m s = sum of c_j k_j`,
//! and the rule follows if that sum is one that it allows. A solver that learns clauses needs ages for
//! such proofs, as for pigeons and holes; here they cost an elimination.
//!
//! [`Equations`] keeps, for each rule that is such a combination, the combination. When an equation is
//! taken away, it is replaced in all others by the combination that it is itself; if there is none, what
//! leans on it is forgotten. Nothing is claimed where a number outgrows its type or the work its bound:
//! a rule of which no combination is known may still be implied.
//!
//! Equations that were taken away still follow, and say more: where one of those left is violated by so much,
//! they tell by how much each of them is ([`Equations::moved`]). A solver that looks for such a violation finds
//! it, or that there is none, many times sooner by them.

use std::collections::BTreeMap;

use preceptron_logic::Constraint;

/// Coefficients that are not zero, by ascending column.
type Sparse = Vec<(usize, i128)>;

/// The most entries that are written while equations are put together.
const WORK: usize = 30_000_000;

/// What a combination is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum For {
    /// Any of its rules: all are equations that are left.
    Any,
    /// This rule, which is no equation; the others are.
    Other(usize),
    /// This equation, which was taken away, and what its row was; the others are left.
    Gone(usize, i128),
}

/// Equations among rules, and the combinations of them that other rules are.
pub struct Equations {
    /// For each rule that is an equation, what `row . x` is.
    values: Vec<Option<i128>>,
    /// Independent rows by leading column; behind the variables' columns, of which rules they are made.
    pivots: BTreeMap<usize, Sparse>,
    /// Combinations of rules whose rows add up to nothing.
    ties: Vec<(For, Sparse)>,
    variables: usize,
    work: usize,
}

impl Equations {
    /// The equations among rules over variables `0..variables`, for questions about any rule.
    pub fn of<'a>(variables: usize, rules: impl IntoIterator<Item = &'a Constraint>) -> Equations {
        let rules: Vec<&Constraint> = rules.into_iter().collect();
        let values: Vec<_> = rules.iter().map(|rule| value(rule)).collect();
        let mut equations =
            Equations { values, pivots: BTreeMap::new(), ties: Vec::new(), variables, work: 0 };
        let (is, other): (Vec<usize>, Vec<usize>) =
            (0..rules.len()).partition(|&rule| equations.values[rule].is_some());
        for rule in is {
            match equations.reduced(rules[rule], rule) {
                Some(left) if left[0].0 < variables => drop(equations.pivots.insert(left[0].0, left)),
                Some(left) => equations.ties.push((For::Any, tie(&left, variables))),
                None => (),
            }
        }
        for rule in other {
            if let Some(left) = equations.reduced(rules[rule], rule).filter(|left| left[0].0 >= variables) {
                equations.ties.push((For::Other(rule), tie(&left, variables)));
            }
        }
        equations
    }

    /// Whether the equations, without the rule of this number, are known to imply the constraint, which is
    /// that rule.
    pub fn imply(&self, rule: usize, constraint: &Constraint) -> bool {
        self.ties.iter().any(|(of, tie)| {
            let is_for_it = match *of {
                For::Any => self.values[rule].is_some(),
                For::Other(of) => of == rule,
                For::Gone(..) => false,
            };
            is_for_it && self.fits(tie, rule, constraint)
        })
    }

    /// Whether the equations are known to imply a constraint that is none of the rules.
    pub fn imply_other(&mut self, constraint: &Constraint) -> bool {
        let own = self.values.len();
        let left = self.reduced(constraint, own).filter(|left| left[0].0 >= self.variables);
        left.is_some_and(|left| self.fits(&tie(&left, self.variables), own, constraint))
    }

    /// Takes a rule away.
    pub fn remove(&mut self, rule: usize) {
        let entry = |tie: &Sparse| at(tie, rule);
        let holders = (0..self.ties.len())
            .filter(|&tie| self.ties[tie].0 == For::Any && entry(&self.ties[tie].1).is_some());
        let shortest = holders.min_by_key(|&tie| self.ties[tie].1.len());
        let replaced = shortest.map(|tie| self.ties.swap_remove(tie).1);
        let ties = std::mem::take(&mut self.ties);
        self.ties = ties
            .into_iter()
            .filter_map(|(of, tie)| match (entry(&tie), &replaced) {
                _ if of == For::Other(rule) => None,
                (None, _) => Some((of, tie)),
                (Some(_), None) => None,
                (Some(mine), Some(other)) => Some((of, combined(&tie, mine, other, entry(other)?)?)),
            })
            .collect();
        let value = self.values[rule].take();
        self.ties.extend(replaced.zip(value).map(|(tie, value)| (For::Gone(rule, value), tie)));
    }

    /// Of each equation that was taken away, by how much its sum is another where that of the rule is another
    /// by `change` and all others that are left hold; nothing if a sum would be no whole number. Equations that
    /// contradict each other may move one although nothing changes.
    pub fn moved(&self, rule: usize, change: i128) -> Option<Vec<(usize, i128)>> {
        let mut moved = Vec::new();
        for (of, tie) in &self.ties {
            let For::Gone(gone, value) = *of else { continue };
            let value_of = |other: usize| Some(self.values[other]? + if other == rule { change } else { 0 });
            let others = tie.iter().filter(|(other, _)| *other != gone);
            let rest = others.map(|&(other, factor)| factor.checked_mul(value_of(other)?));
            // Where a number is too large, nothing is said of this one.
            let Some(rest) = rest.sum::<Option<i128>>() else { continue };
            let Some(own) = at(tie, gone) else { continue };
            if rest % own != 0 {
                return None;
            }
            moved.push((gone, -rest / own - value));
        }
        Some(moved)
    }

    /// Whether a combination in which a constraint takes part gives it a sum that it allows.
    fn fits(&self, tie: &Sparse, own: usize, constraint: &Constraint) -> bool {
        let sum = || {
            let mine = at(tie, own)?;
            let mut rest = 0i128;
            for &(rule, factor) in tie.iter().filter(|(rule, _)| *rule != own) {
                rest = rest.checked_add(factor.checked_mul(self.values[rule]?)?)?;
            }
            let value = (rest % mine == 0).then_some(-rest / mine)?;
            u32::try_from(value + i128::from(constraint.row().1)).ok()
        };
        sum().is_some_and(|sum| constraint.sums().contains(sum))
    }

    /// What is left of a rule's row when the pivots are subtracted; nothing if that cannot be told.
    fn reduced(&mut self, constraint: &Constraint, own: usize) -> Option<Sparse> {
        let row = constraint.row().0.into_iter().map(|(var, factor)| (var.index(), i128::from(factor)));
        let mut left: Sparse = row.chain([(self.variables + own, 1)]).collect();
        left.sort_unstable();
        while let Some(pivot) = self.pivots.get(&left[0].0) {
            left = combined(&left, left[0].1, pivot, pivot[0].1)?;
            self.work += left.len();
            if self.work > WORK {
                return None;
            }
        }
        Some(left)
    }
}

/// What `row . x` is where an equation holds; nothing for another constraint.
fn value(rule: &Constraint) -> Option<i128> {
    let sum = rule.sums().single().filter(|_| rule.is_equality() && rule.gate().is_none())?;
    Some(i128::from(sum) - i128::from(rule.row().1))
}

/// Of which rules nothing is made, from a row that has no variable.
fn tie(left: &Sparse, variables: usize) -> Sparse {
    left.iter().map(|&(column, factor)| (column - variables, factor)).collect()
}

fn at(row: &Sparse, column: usize) -> Option<i128> {
    row.binary_search_by_key(&column, |entry| entry.0).ok().map(|place| row[place].1)
}

/// The multiple of a row less the multiple of another that takes away an entry, which is `mine` in the one
/// and `theirs` in the other; nothing if a number outgrows its type.
fn combined(row: &Sparse, mine: i128, other: &Sparse, theirs: i128) -> Option<Sparse> {
    let common = gcd(mine, theirs);
    let (keep, less) = (theirs / common, mine / common);
    let mut sum = Vec::with_capacity(row.len() + other.len());
    let (mut a, mut b) = (row.iter().copied().peekable(), other.iter().copied().peekable());
    let mut content = 0;
    loop {
        let column = match (a.peek(), b.peek()) {
            (Some(a), Some(b)) => a.0.min(b.0),
            (Some(one), None) | (None, Some(one)) => one.0,
            (None, None) => break,
        };
        let mine = a.next_if(|entry| entry.0 == column).map_or(0, |entry| entry.1);
        let theirs = b.next_if(|entry| entry.0 == column).map_or(0, |entry| entry.1);
        let value = mine.checked_mul(keep)?.checked_sub(theirs.checked_mul(less)?)?;
        if value != 0 {
            sum.push((column, value));
            content = if content == 1 { 1 } else { gcd(content, value) };
        }
    }
    if content > 1 {
        sum.iter_mut().for_each(|entry| entry.1 /= content);
    }
    Some(sum)
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::{Lit, Sums, Var};
    use proptest::prelude::*;

    fn exactly(sum: u32, vars: &[u32]) -> Constraint {
        Constraint::exactly(sum, vars.iter().map(|&v| Var(v).positive()))
    }

    /// Rows and columns of a 3 x 3 square, one each: the last column follows from the others.
    #[test]
    fn the_last_line_follows_until_another_is_taken_away() {
        let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8]];
        let rules = lines.map(|line| exactly(1, &line));
        let mut equations = Equations::of(9, &rules);
        assert!((0..6).all(|rule| equations.imply(rule, &rules[rule])));
        equations.remove(5);
        assert_eq!(equations.moved(0, 1), Some(vec![(5, 1)]));
        assert_eq!(equations.moved(3, 2), Some(vec![(5, -2)]));
        assert!((0..5).all(|rule| !equations.imply(rule, &rules[rule])));
        assert!(!equations.imply_other(&exactly(2, &[2, 5, 8])));
        assert!(equations.imply_other(&exactly(2, &[0, 1, 2, 3, 4, 5])));
        assert!(
            equations.imply_other(&Constraint::at_most(2, [0, 1, 2, 3, 4, 5].map(|v| Var(v).positive())))
        );
    }

    #[test]
    fn halves_are_no_sums() {
        // Twice the sum of three is three.
        let rules = [exactly(1, &[0, 1]), exactly(1, &[1, 2]), exactly(1, &[0, 2])];
        let mut equations = Equations::of(3, &rules);
        assert!(!equations.imply_other(&exactly(1, &[0, 1, 2])));
        assert!(!equations.imply_other(&exactly(2, &[0, 1, 2])));
    }

    proptest! {
        #[test]
        fn what_is_said_to_follow_does(
            rules in prop::collection::vec(
                (prop::collection::btree_map(0u32..6, any::<bool>(), 1..5), 0u32..3, any::<bool>()), 1..7),
            away in prop::collection::vec(0usize..7, 0..3),
        ) {
            let rules: Vec<Constraint> = rules.into_iter().map(|(literals, sum, is_equal)| {
                let sums = if is_equal { Sums::exactly(sum) } else { Sums::range(0, sum) };
                Constraint::new(literals.into_iter().map(|(v, n)| Lit::new(Var(v), n)), sums)
            }).collect();
            let mut equations = Equations::of(6, &rules);
            let mut left: Vec<usize> = (0..rules.len()).collect();
            for rule in away {
                if left.contains(&rule) {
                    equations.remove(rule);
                    left.retain(|other| *other != rule);
                }
            }
            for &rule in &left {
                if equations.imply(rule, &rules[rule]) {
                    for bits in 0..64u32 {
                        let value = |v: Var| bits >> v.0 & 1 == 1;
                        let others = left.iter().filter(|other| **other != rule);
                        let obeys = others.map(|other| &rules[*other]).all(|other| other.holds(value));
                        prop_assert!(!obeys || rules[rule].holds(value));
                    }
                }
            }
        }
    }
}
