//! The best few assignments (k-best MAP), one after the other: each is forbidden before the next is asked
//! for.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::Instant;

use crate::{Answer, Query, ReasonError, Reasoner, Status};

/// Up to `k` assignments, the cheapest first, no two of them equal. Fewer if there are no more, or if a
/// limit ends the search: then the last one is [`Status::Feasible`], and something that was not found may
/// be cheaper. Without any assignment the one answer says why there is none. The limits are those of all
/// answers together.
///
/// # Errors
/// As for [`Reasoner::solve`].
pub fn k_best(reasoner: &mut dyn Reasoner, query: &Query, k: usize) -> Result<Vec<Answer>, ReasonError> {
    let mut answers: Vec<Answer> = Vec::new();
    each_best(reasoner, query, k, |answer| {
        answers.push(answer);
        ControlFlow::Continue(())
    })?;
    Ok(answers)
}

/// The same, each told as soon as it is found, until `each` says to stop. What forbids an assignment is given
/// to the solver once, so that many answers take as long as few for each.
///
/// # Errors
/// As for [`Reasoner::solve`].
pub fn each_best(
    reasoner: &mut dyn Reasoner,
    query: &Query,
    k: usize,
    mut each: impl FnMut(Answer) -> ControlFlow<()>,
) -> Result<(), ReasonError> {
    let begun = Instant::now();
    let mut query = query.clone();
    let (time, conflicts) = (query.limits.rest(), query.limits.conflicts);
    let mut used = 0;
    let mut given: Vec<Vec<bool>> = Vec::new();
    let mut seen: HashSet<Vec<bool>> = HashSet::new();
    while given.len() < k {
        query.limits.time = time.map(|time| time.saturating_sub(begun.elapsed()));
        query.limits.conflicts = conflicts.map(|most| most.saturating_sub(used));
        let answer = match given.len() {
            0 => reasoner.solve(&query)?,
            count => reasoner.solve_others(&query, &given, count - 1)?,
        };
        used += answer.work.conflicts;
        let Some(solution) = &answer.solution else {
            if given.is_empty() {
                let _ = each(answer);
            }
            break;
        };
        if !seen.insert(solution.values.clone()) {
            let what = "an assignment that it had given before".to_owned();
            return Err(ReasonError::Wrong { backend: answer.work.backend, what });
        }
        given.push(solution.values.clone());
        let is_last = answer.status != Status::Optimal;
        if each(answer).is_break() || is_last {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::{Constraint, Lit, Problem, Rule, RuleSet, Sums, Var, Variables};
    use proptest::prelude::*;

    use crate::{Backend, Limits};

    const COUNT: u32 = 5;

    fn problem(constraints: &[Constraint]) -> Problem {
        let variables = Variables::block("x", &[("i", 1..=i64::from(COUNT))]);
        RuleSet::with_rules(variables, constraints.iter().cloned().map(Rule::given)).into()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn the_order_is_that_of_enumeration(
            rules in prop::collection::vec((prop::collection::btree_map(0..COUNT, any::<bool>(), 1..4), 0u32..3, 0u32..2), 0..3),
            costs in prop::collection::vec((0..COUNT, any::<bool>(), -4i64..5), 0..6),
            k in 0..12usize,
        ) {
            let literal = |(var, negated): (u32, bool)| Lit::new(Var(var), negated);
            let rule = |(literals, least, more): &(std::collections::BTreeMap<u32, bool>, u32, u32)| {
                let literals = literals.iter().map(|(&v, &n)| literal((v, n)));
                Constraint::new(literals, Sums::range(*least, least + more))
            };
            let rules: Vec<Constraint> = rules.iter().map(rule).collect();
            let costs = costs.into_iter().map(|(v, n, c)| (literal((v, n)), c)).collect();
            let query = Query { costs, ..Query::default() };
            let mut all: Vec<(i64, Vec<bool>)> = Vec::new();
            for bits in 0u32..1 << COUNT {
                let value = |v: Var| bits >> v.0 & 1 == 1;
                if rules.iter().all(|r| r.holds(value)) {
                    let paid = query.costs.iter().filter(|(l, _)| l.holds(value(l.var()))).map(|(_, c)| c).sum();
                    all.push((paid, (0..COUNT).map(|v| value(Var(v))).collect()));
                }
            }
            all.sort();
            all.truncate(k);
            let mut reasoner = Backend::Batsat.load(problem(&rules)).unwrap();
            // What was given to another question binds none that comes after it.
            k_best(&mut *reasoner, &Query::default(), 3).unwrap();
            let answers = k_best(&mut *reasoner, &query, k).unwrap();
            if all.is_empty() && k > 0 {
                prop_assert_eq!(answers.len(), 1);
                prop_assert_eq!(answers[0].status, Status::Infeasible);
            } else {
                prop_assert!(answers.iter().all(|answer| answer.status == Status::Optimal));
                let found = answers.into_iter().filter_map(|a| a.solution).map(|s| (s.cost, s.values));
                prop_assert_eq!(found.collect::<Vec<_>>(), all);
            }
        }
    }

    #[test]
    fn limits_are_kept() {
        let mut reasoner = Backend::Batsat.load(problem(&[])).unwrap();
        let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
        let answers = k_best(&mut *reasoner, &Query { limits, ..Query::default() }, 3).unwrap();
        assert_eq!(answers.iter().map(|a| a.status).collect::<Vec<_>>(), [Status::Unknown]);
    }
}
