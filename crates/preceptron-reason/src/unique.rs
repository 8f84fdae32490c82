//! Readings that leave one solution.
//!
//! A puzzle that somebody posed has one solution. To ask that the reading of its givens have just one is
//! a prior that neither the rules nor the evidence state, so it is a mode of its own.

use preceptron_logic::{Lit, Var};

use crate::{Answer, Query, ReasonError, Reasoner, Status, Strength, TieBreak};

/// The cheapest reading that leaves one solution.
#[derive(Clone, Debug)]
pub struct UniqueReading {
    /// The answer; infeasible if no reading leaves one solution.
    pub answer: Answer,
    /// How many cheaper readings left several solutions, and were passed over.
    pub passed_over: usize,
}

/// Whether what is fixed leaves exactly one assignment; nothing if it leaves none or a limit was reached.
/// Costs play no part.
///
/// # Errors
/// As [`Reasoner::solve`].
pub fn is_solution_unique(reasoner: &mut dyn Reasoner, query: &Query) -> Result<Option<bool>, ReasonError> {
    let plain =
        Query { costs: Vec::new(), groups: Vec::new(), ties: TieBreak::Any, explain: false, ..query.clone() };
    let Some(first) = reasoner.solve(&plain)?.solution else { return Ok(None) };
    is_only(reasoner, plain, &first.values)
}

/// Whether a query has no other assignment than this one; nothing if a limit was reached.
fn is_only(
    reasoner: &mut dyn Reasoner,
    mut query: Query,
    values: &[bool],
) -> Result<Option<bool>, ReasonError> {
    query.clauses.push((0u32..).zip(values).map(|(var, &value)| Lit::new(Var(var), value)).collect());
    Ok(match reasoner.solve(&query)?.status {
        Status::Infeasible => Some(true),
        Status::Optimal | Status::Feasible => Some(false),
        Status::Unknown => None,
    })
}

/// The cheapest assignment whose values of `observed` allow no other assignment. At most `most` readings
/// are tried; if none of them leaves one solution, the last answer is given as feasible at best.
///
/// # Errors
/// As [`Reasoner::solve`], and if rules are soft: then nothing is ruled out.
pub fn unique_reading(
    reasoner: &mut dyn Reasoner,
    query: &Query,
    observed: &[Var],
    most: usize,
) -> Result<UniqueReading, ReasonError> {
    if query.strength != Strength::AsLoaded {
        let what = "soft rules together with the wish for a unique solution".to_owned();
        return Err(ReasonError::Unsupported { backend: reasoner.name(), what });
    }
    let mut query = query.clone();
    let mut passed_over = 0;
    loop {
        let mut answer = reasoner.solve(&query)?;
        let Some(solution) = answer.solution.as_ref().filter(|_| answer.status == Status::Optimal) else {
            return Ok(UniqueReading { answer, passed_over });
        };
        let reading: Vec<Lit> = observed.iter().map(|&var| Lit::new(var, !solution.value(var))).collect();
        let fixed = query.fixed.iter().copied().chain(reading.iter().copied()).collect();
        let rest = Query { fixed, clauses: Vec::new(), limits: query.limits.clone(), ..Query::default() };
        let rest = Query { ties: TieBreak::Any, explain: false, ..rest };
        match is_only(reasoner, rest, &solution.values)? {
            Some(true) => return Ok(UniqueReading { answer, passed_over }),
            Some(false) if passed_over < most => {
                passed_over += 1;
                query.clauses.push(reading.into_iter().map(|literal| !literal).collect());
            }
            Some(false) | None => {
                answer.status = Status::Feasible;
                return Ok(UniqueReading { answer, passed_over });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Backend;
    use preceptron_logic::{Constraint, Problem, Rule, RuleSet, Variables};

    /// Exactly one of three, and the first or the second: reading the third says nothing of which.
    #[test]
    fn readings_with_several_solutions_are_passed_over() {
        let variables = Variables::block("x", &[("i", 0..=2)]);
        let [a, b, c] = [0, 1, 2].map(|v| Var(v).positive());
        let rules = RuleSet::with_rules(variables, [Rule::given(Constraint::exactly(1, [a, b]))]);
        let mut reasoner = Backend::Batsat.load(Problem::from(rules)).unwrap();
        let query = Query { costs: vec![(c, 5), (a, 1)], ..Query::default() };
        // Only c is read: whatever it is, a and b are open.
        let found = unique_reading(&mut *reasoner, &query, &[Var(2)], 10).unwrap();
        assert_eq!((found.answer.status, found.passed_over), (Status::Infeasible, 2));
        // With a read as well, there is one solution, and it is the cheapest.
        let found = unique_reading(&mut *reasoner, &query, &[Var(0), Var(2)], 10).unwrap();
        assert_eq!((found.answer.status, found.passed_over), (Status::Optimal, 0));
        assert_eq!(found.answer.solution.unwrap().values, [false, true, false]);
        let found = unique_reading(&mut *reasoner, &query, &[Var(2)], 0).unwrap();
        assert_eq!(found.answer.status, Status::Feasible);

        assert_eq!(is_solution_unique(&mut *reasoner, &Query::fixed([a, c])).unwrap(), Some(true));
        assert_eq!(is_solution_unique(&mut *reasoner, &Query::fixed([a])).unwrap(), Some(false));
        assert_eq!(is_solution_unique(&mut *reasoner, &Query::fixed([a, b])).unwrap(), None);
    }
}
