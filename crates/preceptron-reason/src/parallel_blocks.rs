//! Work on many items in blocks, each block with a reasoner of its own.
//!
//! A warm reasoner remembers earlier queries. That never changes a canonical optimum, but it changes how
//! soon a limit is reached. Within a block the history is always the same, so that here nothing depends
//! on the number of threads.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use preceptron_logic::Problem;

use crate::{Backend, ReasonError, Reasoner};

/// Items in a block.
const BLOCK: usize = 64;

/// Does `work` on each item with a warm reasoner, on several threads, and calls `each` with the results in
/// order, until there are no more or it says to stop.
///
/// # Errors
/// If the problem cannot be loaded.
pub fn work_in_blocks<T: Sync, R: Send>(
    backend: Backend,
    problem: &Arc<Problem>,
    items: &[T],
    threads: usize,
    work: impl Fn(&mut dyn Reasoner, &T) -> R + Sync,
    mut each: impl FnMut(usize, R) -> ControlFlow<()>,
) -> Result<(), ReasonError> {
    let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    let do_blocks = |sender: &mpsc::Sender<(usize, R)>| -> Result<(), ReasonError> {
        loop {
            let first = BLOCK * next.fetch_add(1, Ordering::Relaxed);
            if first >= items.len() {
                return Ok(());
            }
            let mut reasoner = backend.load(Arc::clone(problem))?;
            for (place, item) in items.iter().enumerate().skip(first).take(BLOCK) {
                if is_over.load(Ordering::Relaxed) {
                    return Ok(());
                }
                // Nobody listens any more once it is over.
                let _ = sender.send((place, work(&mut *reasoner, item)));
            }
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1))
            .map(|_| {
                let (sender, do_blocks) = (sender.clone(), &do_blocks);
                scope.spawn(move || do_blocks(&sender))
            })
            .collect();
        drop(sender);
        let mut early = BTreeMap::new();
        let mut awaited = 0;
        for (place, result) in receiver {
            early.insert(place, result);
            while let Some(result) = early.remove(&awaited).filter(|_| !is_over.load(Ordering::Relaxed)) {
                is_over.store(each(awaited, result).is_break(), Ordering::Relaxed);
                awaited += 1;
            }
        }
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Query;
    use preceptron_logic::{Constraint, Rule, RuleSet, Var, Variables};

    #[test]
    fn results_come_in_order_until_they_are_not_wanted() {
        let variables = Variables::block("x", &[("i", 0..=9)]);
        let all = (0..10).map(|v| Var(v).positive());
        let rule = Rule::given(Constraint::exactly(1, all));
        let problem = Arc::new(Problem::from(RuleSet::with_rules(variables, [rule])));
        let items: Vec<u32> = (0..300).map(|i| i % 10).collect();
        for (threads, wanted) in [(1, 300), (2, 300), (5, 300), (2, 77)] {
            let mut seen = Vec::new();
            let work = |reasoner: &mut dyn Reasoner, &item: &u32| {
                let answer = reasoner.solve(&Query::fixed([Var(item).positive()])).unwrap();
                answer.solution.unwrap().values.iter().position(|&value| value)
            };
            work_in_blocks(Backend::Batsat, &problem, &items, threads, work, |place, found| {
                assert_eq!(found, Some(items[place] as usize));
                seen.push(place);
                if seen.len() == wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .unwrap();
            assert_eq!(seen, (0..wanted).collect::<Vec<_>>());
        }
    }
}
