//! The first of several cheapest assignments, found by asking for others.
//!
//! False comes before true, and the first variable counts most. Whatever can find *an* assignment of the
//! least cost under further conditions can find the first one: fix the variables from the front, each to
//! false where that is possible.

use preceptron_logic::{Lit, Var};

use crate::ReasonError;

/// An assignment of the least cost in which some literals are true and a clause holds, if there is a clause:
/// nothing inside if there is none, nothing at all if a limit came in between.
pub type Further<'a> =
    dyn FnMut(&[Lit], Option<Vec<Lit>>) -> Result<Option<Option<Vec<bool>>>, ReasonError> + 'a;

/// Makes `values`, which cost least, the first of all assignments that cost least; whether it is the only
/// one. Nothing if a limit came in between.
///
/// # Errors
/// Those of `further`.
pub fn canonical(values: &mut Vec<bool>, further: &mut Further<'_>) -> Result<Option<bool>, ReasonError> {
    let literal = |var: usize, value: bool| Lit::new(Var(var as u32), !value);
    let differs = values.iter().enumerate().map(|(var, &value)| literal(var, !value)).collect();
    match further(&[], Some(differs))? {
        None => return Ok(None),
        Some(None) => return Ok(Some(true)),
        Some(Some(other)) => *values = other.min(std::mem::take(values)),
    }
    let mut prefix = Vec::with_capacity(values.len());
    for var in 0..values.len() {
        if values[var] {
            prefix.push(literal(var, false));
            match further(&prefix, None)? {
                None => return Ok(None),
                Some(None) => (),
                Some(Some(other)) => *values = other,
            }
            prefix.pop();
        }
        prefix.push(literal(var, values[var]));
    }
    Ok(Some(false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn finds_the_first(
            set in prop::collection::btree_set(prop::collection::vec(any::<bool>(), 4), 1..8),
            picks in prop::collection::vec(0..8usize, 6),
        ) {
            let mut picks = picks.into_iter().cycle();
            let mut pick = |fitting: Vec<&Vec<bool>>| match fitting.len() {
                0 => None,
                count => Some(fitting[picks.next().expect("a cycle has no end") % count].clone()),
            };
            let mut values = pick(set.iter().collect()).expect("the set is not empty");
            let holds = |values: &[bool], literal: Lit| literal.holds(values[literal.var().index()]);
            let unique = canonical(&mut values, &mut |fixed, clause| {
                let fits = |values: &&Vec<bool>| {
                    fixed.iter().all(|literal| holds(values, *literal))
                        && clause.iter().all(|clause| clause.iter().any(|literal| holds(values, *literal)))
                };
                Ok(Some(pick(set.iter().filter(fits).collect())))
            });
            prop_assert_eq!(unique.expect("no error"), Some(set.len() == 1));
            prop_assert_eq!(Some(&values), set.first());
        }
    }

    #[test]
    fn a_limit_leaves_it_open() {
        let mut values = vec![true, false];
        let mut calls = 0;
        let unique = canonical(&mut values, &mut |_, _| {
            calls += 1;
            Ok((calls < 2).then(|| Some(vec![true, true])))
        });
        assert_eq!((unique.expect("no error"), values), (None, vec![true, false]));
    }
}
