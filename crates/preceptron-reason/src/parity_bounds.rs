//! Rules that count the same literals twice.
//!
//! If the literals of some equalities, side by side, are those of some others, both sides count the same
//! sum: the rows of a Sudoku band and its boxes, a table's rows and its columns. When all but one of such
//! a *balance* hold, the last one follows, which is a short argument for a person and a long one for a
//! solver that can only resolve clauses. As a clause over the rules' switches it costs nothing.

use std::collections::BTreeMap;

use preceptron_logic::{Constraint, Lit};

/// Rules of which the first side counts the same literals as the second.
#[derive(Debug, PartialEq, Eq)]
pub struct Balance {
    /// The places of the rules, both sides.
    pub rules: Vec<usize>,
    /// Whether both sides demand the same sum. If not, the rules contradict each other.
    pub is_level: bool,
}

/// More rules than this make a balance too weak to be of use.
const WIDEST: usize = 64;

/// Finds balances among the equalities that have no gate.
///
/// Rules are sorted into *covers*, in which no literal comes twice, rules of one shape together; the
/// rules of two covers that hang together by common literals are a balance if they have all of them in
/// common.
pub fn balances<'a>(rules: impl Iterator<Item = &'a Constraint>) -> Vec<Balance> {
    let mut shapes: BTreeMap<Vec<usize>, Vec<(usize, &Constraint)>> = BTreeMap::new();
    for (place, rule) in rules.enumerate() {
        if rule.gate().is_none() && rule.sums().single().is_some() && rule.len() > 1 {
            shapes.entry(shape(rule)).or_default().push((place, rule));
        }
    }
    let mut covers: Vec<Cover> = Vec::new();
    for (place, rule) in shapes.into_values().flatten() {
        let fits =
            |cover: &Cover| rule.literals().iter().all(|literal| !cover.of_literal.contains_key(literal));
        let at = covers.iter().position(fits).unwrap_or_else(|| {
            covers.push(Cover::default());
            covers.len() - 1
        });
        covers[at].insert(place, rule);
    }
    let mut balances = Vec::new();
    for (at, first) in covers.iter().enumerate() {
        for second in &covers[..at] {
            first.balances(second, &mut balances);
        }
    }
    balances
}

/// The distances between the literals of a rule.
fn shape(rule: &Constraint) -> Vec<usize> {
    rule.literals().windows(2).map(|pair| pair[1].code().wrapping_sub(pair[0].code())).collect()
}

/// Rules that have no literal in common.
#[derive(Default)]
struct Cover<'a> {
    rules: Vec<(usize, &'a Constraint)>,
    /// For a literal the number of its rule in this cover.
    of_literal: BTreeMap<Lit, usize>,
}

impl<'a> Cover<'a> {
    fn insert(&mut self, place: usize, rule: &'a Constraint) {
        self.of_literal.extend(rule.literals().iter().map(|&literal| (literal, self.rules.len())));
        self.rules.push((place, rule));
    }

    /// Adds the balances of this cover and another.
    fn balances(&self, other: &Cover, balances: &mut Vec<Balance>) {
        let mut seen = vec![false; self.rules.len()];
        for start in 0..self.rules.len() {
            if seen[start] {
                continue;
            }
            let sides = [self, other];
            let mut found = [vec![start], Vec::new()];
            let mut next = vec![(0, start)];
            let mut is_whole = true;
            seen[start] = true;
            while let Some((side, rule)) = next.pop() {
                for literal in sides[side].rules[rule].1.literals() {
                    match sides[1 - side].of_literal.get(literal) {
                        None => is_whole = false,
                        Some(&met) if found[1 - side].contains(&met) => (),
                        Some(&met) => {
                            found[1 - side].push(met);
                            next.push((1 - side, met));
                        }
                    }
                }
                is_whole &= found[0].len() + found[1].len() <= WIDEST;
                if !is_whole {
                    break;
                }
            }
            found[0].iter().for_each(|&rule| seen[rule] = true);
            if is_whole {
                let sum = |side: usize| -> u64 {
                    let rules = found[side].iter().map(|&rule| sides[side].rules[rule].1);
                    rules.filter_map(|rule| rule.sums().single()).map(u64::from).sum()
                };
                let is_level = sum(0) == sum(1);
                let places = |side: usize| found[side].iter().map(move |&rule| sides[side].rules[rule].0);
                balances.push(Balance { rules: places(0).chain(places(1)).collect(), is_level });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::Var;

    fn rule(sum: u32, variables: &[u32]) -> Constraint {
        Constraint::exactly(sum, variables.iter().map(|&v| Var(v).positive()))
    }

    fn found(rules: &[Constraint]) -> Vec<(Vec<usize>, bool)> {
        let mut found: Vec<_> = balances(rules.iter()).into_iter().map(|b| (b.rules, b.is_level)).collect();
        found.iter_mut().for_each(|(rules, _)| rules.sort_unstable());
        found.sort_unstable();
        found
    }

    #[test]
    fn rows_and_columns_count_the_same() {
        let rules = [rule(1, &[0, 1]), rule(1, &[2, 3]), rule(1, &[0, 2]), rule(1, &[1, 3])];
        assert_eq!(found(&rules), [(vec![0, 1, 2, 3], true)]);
        // Two sides that demand different sums contradict each other.
        let rules = [rule(1, &[0, 1]), rule(1, &[2, 3]), rule(2, &[0, 2]), rule(1, &[1, 3])];
        assert_eq!(found(&rules), [(vec![0, 1, 2, 3], false)]);
    }

    #[test]
    fn what_is_not_whole_is_no_balance() {
        // A literal is missing, or negated; a rule is a range, or gated; nothing is there at all.
        let rows = [rule(1, &[0, 1]), rule(1, &[2, 3])];
        let with = |second: &[Constraint]| found(&[&rows, second].concat());
        assert_eq!(with(&[rule(1, &[0, 2])]), []);
        assert_eq!(
            with(&[rule(1, &[0, 2]), Constraint::exactly(1, [Var(1).positive(), Var(3).negative()])]),
            []
        );
        assert_eq!(
            with(&[rule(1, &[0, 2]), Constraint::at_most(1, [Var(1).positive(), Var(3).positive()])]),
            []
        );
        assert_eq!(with(&[rule(1, &[0, 2]), rule(1, &[1, 3]).gated(Var(4).positive())]), []);
        assert_eq!(with(&[]), []);
        assert_eq!(found(&[]), []);
    }
}
