//! The reasoner that is our own: core-guided search on a SAT solver, warm from query to query.

use std::sync::Arc;

use preceptron_logic::{Linear, Lit, Problem};

use crate::check::evaluate;
use crate::choices::{Choices, Chosen};
use crate::conflict::conflict;
use crate::cutting::{Cheapest, cheapest};
use crate::engine::{Engine, Unbuilt};
use crate::reasoner::differs;
use crate::sat::{Budget, Sat};
use crate::search::{Found, Search};
use crate::{Answer, Conflict, Piece, Query, ReasonError, Reasoner, Status, Strength, Work};

/// Core-guided search on a SAT solver. The rules are loaded once: as they stand, and, from the first
/// query on that takes some of them for soft, a second time with a switch for each.
pub struct CoreGuided<S: Sat> {
    problem: Arc<Problem>,
    /// The rules, if counting what is open in each of them may do without the solver.
    choices: Option<Choices>,
    plain: Option<Engine<S>>,
    switched: Option<Engine<S>>,
    others: Option<Others>,
}

/// Assignments that are forbidden, in an engine, while a literal is true there.
struct Others {
    is_switched: bool,
    activation: Lit,
    /// How many of them the engine has been told.
    told: usize,
    /// How many of these at once, when the engine was new.
    at_first: usize,
}

/// So many conflicts a query may have before it is tried from above.
const PATIENCE: u64 = 3_000;

/// The same where all sums are rows: so few that small problems are tried from above as well.
const PATIENCE_WITH_ROWS: u64 = 4;

/// So many conflicts it may have there.
const FROM_ABOVE: u64 = 3_000;

/// Costs and coefficients may add up to this.
const CAPACITY: i64 = i64::MAX / 8;

impl<S: Sat> CoreGuided<S> {
    /// Loads a problem.
    ///
    /// # Errors
    /// If the coefficients of a linear constraint add up to more than 60 bits.
    pub fn load(problem: impl Into<Arc<Problem>>) -> Result<CoreGuided<S>, ReasonError> {
        let problem = problem.into();
        let soft = problem.soft.iter().filter_map(|soft| match &soft.body {
            preceptron_logic::Body::Linear(linear) => Some(linear),
            preceptron_logic::Body::Cardinality(_) => None,
        });
        let size = |linear: &Linear| -> i128 { linear.terms.iter().map(|(c, _)| i128::from(*c).abs()).sum() };
        if problem.linear.iter().chain(soft).any(|linear| size(linear) > i128::from(CAPACITY)) {
            let what = format!("a linear constraint whose coefficients add up to more than {CAPACITY}");
            return Err(ReasonError::Unsupported { backend: S::NAME, what });
        }
        // Where every sum is to be a row, the rows are what is wanted.
        let choices = if S::ROWS_FROM == 0 { None } else { Choices::of(&problem) };
        Ok(CoreGuided { problem, choices, plain: None, switched: None, others: None })
    }

    /// Answers a query whose assignment is none of those given before, if there are any.
    fn answer(&mut self, query: &Query, given: &[Vec<bool>], known: usize) -> Result<Answer, ReasonError> {
        query.check(&self.problem, S::NAME, CAPACITY)?;
        let budget = query.limits.budget();
        if given.is_empty()
            && let Some(choices) = &mut self.choices
            && let Some(chosen) = choices.answer(&self.problem, query)
        {
            let work = Work { backend: S::NAME, ..Work::default() };
            let found = match chosen {
                Chosen::Nothing => Found::Nothing,
                Chosen::Values { values, cost, unique } => {
                    Found::Values { values, bound: cost, is_optimal: true, unique }
                }
            };
            return self.checked(query, true, &budget, found, work);
        }
        let is_switched = query.strength != Strength::AsLoaded;
        let slot = if is_switched { &mut self.switched } else { &mut self.plain };
        let engine = match slot {
            Some(engine) => engine,
            None => match Engine::load(&self.problem, is_switched, &budget) {
                Ok(engine) => slot.insert(engine),
                Err(Unbuilt::TooLarge(error)) => return Err(error),
                // Whatever holds, it costs no less than all that is gained by itself.
                Err(Unbuilt::Ended) => {
                    let gained: i64 = query.all_costs(&self.problem).map(|(_, cost)| cost.min(0)).sum();
                    let bound = self.problem.objective_constant + gained;
                    return Ok(Answer { bound, ..Answer::unknown(S::NAME) });
                }
            },
        };
        let activation = match given {
            [] => None,
            _ => Some(forbid(engine, &mut self.others, is_switched, given, known)),
        };
        let run = |engine: &mut Engine<S>, budget: Budget| {
            let mut search = Search::new(engine, &self.problem, query, budget);
            activation.into_iter().for_each(|literal| search.assume(literal));
            search.run()
        };
        // What cores do not settle soon is tried from above for a while, and then by cores to the end.
        let allowed = budget.conflicts.unwrap_or(u64::MAX);
        let patience = if S::ROWS_FROM == 0 { PATIENCE_WITH_ROWS } else { PATIENCE };
        let first = Budget { conflicts: Some(allowed.min(patience)), ..budget.clone() };
        let is_tried = given.is_empty() && allowed > patience;
        let (mut found, mut work) = run(engine, if is_tried { first } else { budget.clone() });
        if is_tried && !found.is_settled() && !budget.is_over() {
            let left = budget.conflicts.map(|most| most - patience);
            let second =
                Budget { conflicts: Some(left.unwrap_or(u64::MAX).min(FROM_ABOVE)), ..budget.clone() };
            let known = match &found {
                Found::Values { values, .. } => Some(values.as_slice()),
                _ => None,
            };
            match cheapest(&self.problem, query, known, &second) {
                Cheapest::Proved { values, cost, unique } => {
                    found = Found::Values { values, bound: cost, is_optimal: true, unique };
                }
                Cheapest::Nothing => found = Found::Nothing,
                from_above => {
                    let left = left.map(|left| left.saturating_sub(FROM_ABOVE));
                    if left != Some(0) && !budget.is_over() {
                        let (further, more) = run(engine, Budget { conflicts: left, ..budget.clone() });
                        (found, work) = (further, work.and(&more));
                    }
                    if let Cheapest::Better(values) = from_above {
                        found = better(&self.problem, query, found, values);
                    }
                }
            }
        }
        // All that is forbidden must be told to a new engine: seldom enough that it does not count.
        let told = self.others.as_ref().filter(|others| others.is_switched == is_switched);
        let is_time = told.is_none_or(|others| given.is_empty() || others.told >= 2 * others.at_first + 8);
        if engine.is_worn() && is_time {
            *slot = None;
            self.others = self.others.take().filter(|others| others.is_switched != is_switched);
        }
        self.checked(query, given.is_empty(), &budget, found, work)
    }

    /// What was found, evaluated, as an answer; with a conflict where there is no assignment, if that is wanted.
    fn checked(
        &self,
        query: &Query,
        explain: bool,
        budget: &Budget,
        found: Found,
        work: Work,
    ) -> Result<Answer, ReasonError> {
        let mut answer = Answer { work, ..Answer::unknown(S::NAME) };
        let infeasible = || match explain {
            true => self.infeasible(query, budget),
            false => (Status::Infeasible, None),
        };
        match found {
            Found::Unknown { bound } => answer.bound = bound,
            Found::Nothing => (answer.status, answer.conflict) = infeasible(),
            Found::Values { values, bound, is_optimal, unique } => {
                answer.bound = bound;
                match evaluate(&self.problem, query, values) {
                    Err(Piece::CostBound) if is_optimal => {
                        (answer.status, answer.conflict) = infeasible();
                    }
                    Err(Piece::CostBound) => (),
                    Err(piece) => return Err(ReasonError::violated(S::NAME, piece)),
                    Ok(solution) if is_optimal && solution.cost != bound => {
                        let what = format!("a cost of {} where {bound} was proved", solution.cost);
                        return Err(ReasonError::Wrong { backend: S::NAME, what });
                    }
                    Ok(solution) => {
                        answer.status = if is_optimal { Status::Optimal } else { Status::Feasible };
                        answer.solution = Some(solution);
                        answer.unique = unique;
                    }
                }
            }
        }
        Ok(answer)
    }

    fn infeasible(&self, query: &Query, budget: &Budget) -> (Status, Option<Conflict>) {
        (Status::Infeasible, query.explain.then(|| conflict::<S>(&self.problem, query, budget)))
    }
}

/// The better of what was found and of an assignment that obeys the rules.
fn better(problem: &Problem, query: &Query, found: Found, other: Vec<bool>) -> Found {
    let cost = |values: &[bool]| evaluate(problem, query, values.to_vec()).ok().map(|one| one.cost);
    match &found {
        Found::Unknown { bound } => {
            Found::Values { values: other, bound: *bound, is_optimal: false, unique: None }
        }
        Found::Values { values, bound, is_optimal: false, .. }
            if cost(&other).is_some_and(|other| cost(values).is_none_or(|cost| other < cost)) =>
        {
            Found::Values { values: other, bound: *bound, is_optimal: false, unique: None }
        }
        _ => found,
    }
}

impl<S: Sat> Reasoner for CoreGuided<S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn capacity(&self) -> i64 {
        CAPACITY
    }

    fn problem(&self) -> &Arc<Problem> {
        &self.problem
    }

    fn solve(&mut self, query: &Query) -> Result<Answer, ReasonError> {
        self.answer(query, &[], 0)
    }

    fn solve_others(
        &mut self,
        query: &Query,
        given: &[Vec<bool>],
        known: usize,
    ) -> Result<Answer, ReasonError> {
        self.answer(query, given, known)
    }
}

/// Forbids assignments, of which the first `known` may have been forbidden before, while the literal answered is
/// true.
fn forbid<S: Sat>(
    engine: &mut Engine<S>,
    others: &mut Option<Others>,
    is_switched: bool,
    given: &[Vec<bool>],
    known: usize,
) -> Lit {
    let same = |others: &&mut Others| others.is_switched == is_switched && others.told == known && known > 0;
    let others = match others.as_mut().filter(same) {
        Some(_) => others.as_mut(),
        None => {
            if let Some(old) = others.take().filter(|old| old.is_switched == is_switched) {
                engine.sat.add_clause(&[!old.activation]);
            }
            let activation = engine.sat.new_variable().positive();
            Some(others.insert(Others { is_switched, activation, told: 0, at_first: given.len() }))
        }
    };
    let others = others.expect("it is there or has been put there");
    for values in &given[others.told..] {
        let clause: Vec<Lit> = differs(values).chain([!others.activation]).collect();
        engine.sat.add_clause(&clause);
    }
    others.told = given.len();
    others.activation
}
