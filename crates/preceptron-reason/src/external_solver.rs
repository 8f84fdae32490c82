//! Answers of an external solver, one that is not ours: it finds an assignment, or a cheapest one, and the
//! rest is done here. Every assignment is evaluated, ties are broken by further questions with the cost
//! fixed, and a conflict is what is left when pieces have been left out as long as nothing obeys the others.

use std::collections::BTreeMap;
use std::sync::Arc;

use preceptron_logic::{Problem, Sums, Var};

use crate::canonical::canonical;
use crate::check::evaluate;
use crate::conflict::restricted;
use crate::sat::Budget;
use crate::{Answer, Conflict, Piece, Query, ReasonError, Solution, Status, TieBreak};

/// A solver that is not ours, with a problem loaded.
pub trait Outside {
    /// Its name.
    const NAME: &'static str;

    /// Costs, prices and coefficients may add up to this.
    const CAPACITY: i64;

    /// The problem that was loaded.
    fn problem(&self) -> &Arc<Problem>;

    /// The cheapest assignment that obeys all that is hard, whatever it costs.
    fn cheapest(&mut self, query: &Query, budget: &Budget) -> Result<Cheapest, ReasonError>;

    /// An assignment that obeys all that is hard and costs at most `most`, if that is given: nothing inside
    /// if there is none, nothing at all if a limit came in between.
    fn any(
        &mut self,
        query: &Query,
        most: Option<i64>,
        budget: &Budget,
    ) -> Result<Option<Option<Vec<bool>>>, ReasonError>;
}

/// What a search for a cheapest assignment found.
pub enum Cheapest {
    /// An assignment that nothing is cheaper than.
    Optimal(Vec<bool>),
    /// That nothing obeys all that is hard.
    Nothing,
    /// A limit came in between: perhaps an assignment, and no assignment costs less than the bound.
    Ended { values: Option<Vec<bool>>, bound: i64 },
}

/// Whether the coefficients of every linear constraint add up to no more than a solver takes.
///
/// # Errors
/// If those of one do not.
pub fn check_coefficients<O: Outside>(problem: &Problem) -> Result<(), ReasonError> {
    let soft = problem.soft.iter().filter_map(|soft| match &soft.body {
        preceptron_logic::Body::Linear(linear) => Some(linear),
        preceptron_logic::Body::Cardinality(_) => None,
    });
    for linear in problem.linear.iter().chain(soft) {
        let size: i128 = linear.terms.iter().map(|(coefficient, _)| i128::from(*coefficient).abs()).sum();
        if size > i128::from(O::CAPACITY) {
            let what = format!("a linear constraint whose coefficients add up to more than {}", O::CAPACITY);
            return Err(ReasonError::Unsupported { backend: O::NAME, what });
        }
    }
    Ok(())
}

/// The ranges that a set of sums is made of.
pub fn runs(sums: &Sums) -> Vec<(u32, u32)> {
    let Sums::Set(values) = sums else {
        return sums.least().zip(sums.greatest()).into_iter().collect();
    };
    let runs = values.chunk_by(|before, after| before + 1 == *after);
    runs.map(|run| (run[0], run[run.len() - 1])).collect()
}

/// What each variable costs when it is true beyond what it costs when it is false, and what is paid in any
/// case. Variables for which that is nothing are left out.
pub fn literal_costs(query: &Query, problem: &Problem) -> (BTreeMap<Var, i64>, i64) {
    let mut costs: BTreeMap<Var, i64> = BTreeMap::new();
    let mut constant = problem.objective_constant;
    for (literal, cost) in query.all_costs(problem) {
        let more = if literal.is_negated() { -cost } else { cost };
        *costs.entry(literal.var()).or_default() += more;
        constant += if literal.is_negated() { cost } else { 0 };
    }
    costs.retain(|_, cost| *cost != 0);
    (costs, constant)
}

/// Answers a query.
///
/// # Errors
/// If the query does not fit the problem or the solver, or the solver's answer fails its check.
pub fn solve<O: Outside>(outside: &mut O, query: &Query) -> Result<Answer, ReasonError> {
    let problem = Arc::clone(outside.problem());
    query.check(&problem, O::NAME, O::CAPACITY)?;
    let budget = Budget { conflicts: None, ..query.limits.budget() };
    let mut answer = Answer::unknown(O::NAME);
    if budget.is_over() {
        return Ok(answer);
    }
    let (values, is_optimal) = match outside.cheapest(query, &budget)? {
        Cheapest::Optimal(values) => (Some(values), true),
        Cheapest::Nothing => (None, true),
        Cheapest::Ended { values, bound } => {
            answer.bound = bound;
            (values, false)
        }
    };
    match values.map(|values| evaluate(&problem, query, values)) {
        None | Some(Err(Piece::CostBound)) if is_optimal => {
            answer.status = Status::Infeasible;
            answer.conflict = Some(conflict(outside, query, &budget)?);
        }
        None | Some(Err(Piece::CostBound)) => (),
        Some(Err(piece)) => return Err(ReasonError::violated(O::NAME, piece)),
        Some(Ok(solution)) if is_optimal => settle(outside, query, &budget, solution, &mut answer)?,
        Some(Ok(solution)) => {
            answer.status = Status::Feasible;
            answer.solution = Some(solution);
        }
    }
    Ok(answer)
}

/// Answers with a cheapest assignment: with the first of them, where the query asks for it.
fn settle<O: Outside>(
    outside: &mut O,
    query: &Query,
    budget: &Budget,
    solution: Solution,
    answer: &mut Answer,
) -> Result<(), ReasonError> {
    let problem = Arc::clone(outside.problem());
    let cost = solution.cost;
    let mut values = solution.values;
    if query.ties == TieBreak::Canonical {
        let mut further = query.clone();
        answer.unique = canonical(&mut values, &mut |fixed, clause| {
            further.fixed.truncate(query.fixed.len());
            further.fixed.extend_from_slice(fixed);
            further.clauses.truncate(query.clauses.len());
            further.clauses.extend(clause);
            let found = outside.any(&further, Some(cost), budget)?;
            if let Some(Some(values)) = &found {
                let found = evaluate(&problem, &further, values.clone());
                let found = found.map_err(|piece| ReasonError::violated(O::NAME, piece))?.cost;
                if found != cost {
                    let what = format!("a cost of {found} where the least was {cost}");
                    return Err(ReasonError::Wrong { backend: O::NAME, what });
                }
            }
            Ok(found)
        })?;
    }
    let is_first = answer.unique.is_some() || query.ties == TieBreak::Any;
    answer.status = if is_first { Status::Optimal } else { Status::Feasible };
    answer.bound = cost;
    let solution = evaluate(&problem, query, values);
    answer.solution = Some(solution.map_err(|piece| ReasonError::violated(O::NAME, piece))?);
    Ok(())
}

/// A conflict of an infeasible query: all that is hard, less every piece that it goes without, half of
/// them at once at first, and one by one in the end.
fn conflict<O: Outside>(outside: &mut O, query: &Query, budget: &Budget) -> Result<Conflict, ReasonError> {
    let problem = Arc::clone(outside.problem());
    let rules = (0..problem.rules.len()).map(Piece::Rule).chain((0..problem.linear.len()).map(Piece::Linear));
    let hard = rules.filter(|piece| query.price(&problem, *piece).is_none());
    let asked = query.fixed.iter().map(|&literal| Piece::Fixed(literal));
    let asked = asked.chain((0..query.clauses.len()).map(Piece::Clause));
    let bound = problem.cost_bound.map(|_| Piece::CostBound);
    let mut kept: Vec<Piece> = bound.into_iter().chain(hard).chain(asked).collect();
    kept.sort_unstable_by_key(|piece| (*piece != Piece::CostBound, *piece));
    kept.dedup();
    let mut minimal = true;
    let mut size = kept.len().div_ceil(2).max(1);
    loop {
        let mut place = 0;
        while place < kept.len() {
            let end = (place + size).min(kept.len());
            let fewer = [&kept[..place], &kept[end..]].concat();
            let part = restricted(&problem, query, &fewer);
            let most = problem.cost_bound.filter(|_| fewer.contains(&Piece::CostBound));
            let most = most.map(|bound| i64::try_from(bound).map_or(i64::MAX, |bound| bound - 1));
            match outside.any(&part, most, budget)? {
                Some(None) => kept = fewer,
                Some(Some(_)) => place = end,
                None => {
                    minimal &= size > 1;
                    place = end;
                }
            }
        }
        if size == 1 {
            kept.sort_unstable();
            return Ok(Conflict { pieces: kept, minimal });
        }
        size /= 2;
    }
}
