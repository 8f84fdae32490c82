//! Many queries at once: a reasoner on each thread, answers in the order of the queries.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::thread;

use preceptron_logic::Problem;

use crate::{Answer, Backend, Query, ReasonError};

/// A thread may be so many queries ahead of the one whose answer is awaited.
const AHEAD: usize = 64;

/// What the threads share.
struct Shared<I> {
    queries: I,
    taken: usize,
    delivered: usize,
    is_over: bool,
}

/// Answers queries on several threads and calls `each` with the answers in order, until there are no more
/// or it says to stop. Memory stays bounded: no thread runs far ahead of the answers delivered. The
/// answers do not depend on the number of threads, as long as ties are broken canonically and no limit
/// is reached.
///
/// # Errors
/// If the problem cannot be loaded. An error in a query is that query's answer.
pub fn solve_all(
    backend: Backend,
    problem: impl Into<Arc<Problem>>,
    queries: impl Iterator<Item = Query> + Send,
    threads: usize,
    mut each: impl FnMut(usize, Result<Answer, ReasonError>) -> ControlFlow<()>,
) -> Result<(), ReasonError> {
    let problem = problem.into();
    let reasoners: Vec<_> =
        (0..threads.max(1)).map(|_| backend.load(Arc::clone(&problem))).collect::<Result<_, _>>()?;
    let shared = Mutex::new(Shared { queries, taken: 0, delivered: 0, is_over: false });
    let delivered = Condvar::new();
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for mut reasoner in reasoners {
            let (sender, shared, delivered) = (sender.clone(), &shared, &delivered);
            scope.spawn(move || {
                while let Some((place, query)) = next(shared, delivered) {
                    if sender.send((place, reasoner.solve(&query))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut awaited = 0;
        for (place, answer) in receiver {
            early.insert(place, answer);
            while let Some(answer) = early.remove(&awaited) {
                let flow = each(awaited, answer);
                awaited += 1;
                let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                shared.delivered = awaited;
                shared.is_over |= flow.is_break();
                drop(shared);
                delivered.notify_all();
                if flow.is_break() {
                    return;
                }
            }
        }
    });
    Ok(())
}

/// The next query and its place, once the answers delivered are near enough.
fn next<I: Iterator<Item = Query>>(shared: &Mutex<Shared<I>>, delivered: &Condvar) -> Option<(usize, Query)> {
    let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
    while !shared.is_over && shared.taken >= shared.delivered + AHEAD {
        shared = delivered.wait(shared).unwrap_or_else(PoisonError::into_inner);
    }
    if shared.is_over {
        return None;
    }
    let query = shared.queries.next()?;
    shared.taken += 1;
    Some((shared.taken - 1, query))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Status;
    use preceptron_logic::{Constraint, Rule, RuleSet, Var, Variables};

    fn problem() -> Problem {
        let variables = Variables::block("x", &[("i", 0..=9)]);
        let all = (0..10).map(|v| Var(v).positive());
        Problem::from(RuleSet::with_rules(variables, [Rule::given(Constraint::exactly(1, all))]))
    }

    #[test]
    fn answers_come_in_order_whatever_the_threads() {
        let queries =
            || (0..1000).map(|i| Query { costs: vec![(Var(i % 10).positive(), -5)], ..Query::default() });
        for threads in [1, 2, 5] {
            let mut seen = 0;
            let each = |place, answer: Result<Answer, ReasonError>| {
                assert_eq!(place, seen);
                assert!(answer.unwrap().solution.unwrap().value(Var(place as u32 % 10)));
                seen += 1;
                ControlFlow::Continue(())
            };
            solve_all(Backend::Batsat, problem(), queries(), threads, each).unwrap();
            assert_eq!(seen, 1000);
        }
    }

    #[test]
    fn stopping_stops_and_an_error_is_one_answer() {
        let queries = std::iter::repeat_with(|| Query::fixed([Var(0).positive()]));
        let mut seen = 0;
        let each = |_, answer: Result<Answer, ReasonError>| {
            assert_eq!(answer.unwrap().status, Status::Optimal);
            seen += 1;
            if seen == 100 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        solve_all(Backend::Batsat, problem(), queries, 2, each).unwrap();
        assert_eq!(seen, 100);

        let queries = [Query::fixed([Var(77).positive()]), Query::default()].into_iter();
        let mut kinds = Vec::new();
        let each = |_, answer: Result<Answer, ReasonError>| {
            kinds.push(answer.is_ok());
            ControlFlow::Continue(())
        };
        solve_all(Backend::Batsat, problem(), queries, 2, each).unwrap();
        assert_eq!(kinds, [false, true]);
    }
}
