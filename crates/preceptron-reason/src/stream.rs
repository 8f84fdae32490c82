//! Work on a stream of items, on all threads, in order, in bounded memory.
//!
//! Items go in blocks, each to a reasoner of its own, as in [`work_in_blocks`](crate::work_in_blocks), so that no
//! result depends on the number of threads. An item is worked on as soon as it has come, and its result is
//! given as soon as those before it have been: whoever waits for an answer before asking again gets it. Of
//! what is read and what is found no more than a few blocks are kept.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::thread;

use preceptron_logic::Problem;

use crate::{Backend, ReasonError, Reasoner};

/// Items in a block.
const BLOCK: usize = 64;

/// For each thread so many blocks may be read beyond the item whose result is awaited.
const AHEAD: usize = 4;

/// A block's first number, and its items as they come.
type Block<T> = (usize, mpsc::Receiver<T>);

/// Does `work` on each item with a warm reasoner, on several threads, and calls `each` with the results in order,
/// until there are no more or it says to stop.
///
/// # Errors
/// If the problem cannot be loaded.
pub fn work_on_stream<T: Send, R: Send>(
    backend: Backend,
    problem: &Arc<Problem>,
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    work: impl Fn(&mut dyn Reasoner, T) -> R + Sync,
    mut each: impl FnMut(R) -> ControlFlow<()>,
) -> Result<(), ReasonError> {
    let threads = threads.max(1);
    let is_over = AtomicBool::new(false);
    let (delivered, came) = (Mutex::new(0), Condvar::new());
    let (put_block, take_block) = mpsc::sync_channel::<Block<T>>(threads);
    let take_block = Mutex::new(take_block);
    let (put_result, take_result) = mpsc::channel();
    let (is_over, delivered, came, take_block, work) = (&is_over, &delivered, &came, &take_block, &work);
    let read = move || {
        let mut block = None;
        for (place, item) in items.enumerate() {
            let mut count = delivered.lock().unwrap_or_else(PoisonError::into_inner);
            while place >= *count + AHEAD * threads * BLOCK && !is_over.load(Ordering::Relaxed) {
                count = came.wait(count).unwrap_or_else(PoisonError::into_inner);
            }
            drop(count);
            if place % BLOCK == 0 {
                let (put, take) = mpsc::sync_channel(BLOCK);
                block = Some(put);
                if put_block.send((place, take)).is_err() {
                    return;
                }
            }
            let is_taken = block.as_ref().is_some_and(|block| block.send(item).is_ok());
            if is_over.load(Ordering::Relaxed) || !is_taken {
                return;
            }
        }
    };
    let work_off = |results: mpsc::Sender<(usize, R)>| -> Result<(), ReasonError> {
        loop {
            let block = take_block.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((first, items)) = block else { return Ok(()) };
            let mut reasoner = backend.load(Arc::clone(problem))?;
            for (place, item) in (first..).zip(items) {
                if is_over.load(Ordering::Relaxed)
                    || results.send((place, work(&mut *reasoner, item))).is_err()
                {
                    return Ok(());
                }
            }
        }
    };
    // A problem that cannot be loaded is told before anything is read.
    backend.load(Arc::clone(problem))?;
    thread::scope(|scope| {
        scope.spawn(read);
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                let (results, work_off) = (put_result.clone(), &work_off);
                scope.spawn(move || work_off(results))
            })
            .collect();
        drop(put_result);
        let mut early = BTreeMap::new();
        let mut awaited = 0;
        'results: for (place, result) in take_result {
            early.insert(place, result);
            while let Some(result) = early.remove(&awaited) {
                let flow = each(result);
                awaited += 1;
                *delivered.lock().unwrap_or_else(PoisonError::into_inner) = awaited;
                is_over.fetch_or(flow.is_break(), Ordering::Relaxed);
                came.notify_all();
                if flow.is_break() {
                    break 'results;
                }
            }
        }
        let done = workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        // Whoever still reads is told that nobody listens.
        is_over.store(true, Ordering::Relaxed);
        while take_block.lock().unwrap_or_else(PoisonError::into_inner).try_recv().is_ok() {}
        let _count = delivered.lock().unwrap_or_else(PoisonError::into_inner);
        came.notify_all();
        done
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Query;
    use preceptron_logic::{Constraint, Rule, RuleSet, Var, Variables};

    fn problem() -> Arc<Problem> {
        let variables = Variables::block("x", &[("i", 0..=9)]);
        let all = (0..10).map(|v| Var(v).positive());
        Arc::new(Problem::from(RuleSet::with_rules(variables, [Rule::given(Constraint::exactly(1, all))])))
    }

    fn true_one(reasoner: &mut dyn Reasoner, item: usize) -> (usize, Option<usize>) {
        let answer = reasoner.solve(&Query::fixed([Var(item as u32 % 10).positive()])).unwrap();
        (item, answer.solution.unwrap().values.iter().position(|&value| value))
    }

    #[test]
    fn results_come_in_order_until_they_are_not_wanted() {
        for (threads, wanted) in [(1, 1500), (2, 1500), (5, 1500), (2, 77), (1, 1)] {
            let mut seen = 0;
            work_on_stream(Backend::Batsat, &problem(), 0..1500, threads, true_one, |(item, found)| {
                assert_eq!((item, found), (seen, Some(seen % 10)));
                seen += 1;
                if seen == wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .unwrap();
            assert_eq!(seen, wanted);
        }
    }

    /// Whoever asks waits for each answer before the next question.
    #[test]
    fn an_answer_comes_before_the_next_question() {
        let (ask, asked) = mpsc::channel();
        let asked = asked.into_iter();
        let mut sender = Some(ask);
        sender.as_ref().unwrap().send(0).unwrap();
        let mut last = 0;
        work_on_stream(Backend::Batsat, &problem(), asked, 3, true_one, |(item, _)| {
            last = item;
            match item {
                200 => drop(sender.take()),
                _ => sender.as_ref().unwrap().send(item + 1).unwrap(),
            }
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(last, 200);
    }
}
