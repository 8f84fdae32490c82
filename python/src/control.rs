//! Long work beside Python: on a thread of its own, without the interpreter's lock, while the calling thread asks for
//! signals ten times a second and tells of the progress.
//!
//! Where Ctrl-C was pressed the work is asked to stop, and what it has found until then is returned together with
//! the exception.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use preceptron_base::Control;
use pyo3::prelude::*;

use crate::errors::{failed, fault};

/// How often signals are asked for.
const TICK: Duration = Duration::from_millis(100);

/// What work tells of itself, and whether it is to stop.
#[derive(Default)]
pub struct Signals {
    stop: Arc<AtomicBool>,
    stage: Mutex<(String, u64, String)>,
    done: AtomicU64,
}

impl Control for Signals {
    fn stage(&self, name: &str, total: u64) {
        let mut stage = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        self.done.store(0, Ordering::Relaxed);
        *stage = (name.to_owned(), total, String::new());
    }

    fn advance(&self, parts: u64) {
        self.done.fetch_add(parts, Ordering::Relaxed);
    }

    fn note(&self, text: &str) {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner).2 = text.to_owned();
    }

    fn is_cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn cancel_flag(&self) -> Option<Arc<AtomicBool>> {
        Some(Arc::clone(&self.stop))
    }
}

impl Signals {
    /// The flag that stops the work.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    fn tell(&self, progress: &Bound<'_, PyAny>) -> PyResult<()> {
        let (name, total, note) = self.stage.lock().unwrap_or_else(PoisonError::into_inner).clone();
        progress.call1((name, self.done.load(Ordering::Relaxed), total, note)).map(drop)
    }
}

/// What work came to: its result, and the exception that stopped it early.
pub struct Outcome<T> {
    /// What was found.
    pub value: T,
    /// What stopped it.
    pub stopped: Option<PyErr>,
}

impl<T> Outcome<T> {
    /// The result of work that is of no use when it was stopped.
    pub fn whole(self) -> PyResult<T> {
        self.stopped.map_or(Ok(self.value), Err)
    }
}

/// Does long work; an error of its own comes before an exception that stopped it.
pub fn beside<T: Send>(
    py: Python<'_>,
    threads: usize,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Signals) -> PyResult<T> + Send,
) -> PyResult<Outcome<T>> {
    let signals = Signals::default();
    let (sender, receiver) = sync_channel(1);
    let receiver = Mutex::new(receiver);
    let mut stopped = None;
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            let result = catch_unwind(AssertUnwindSafe(|| match threads {
                0 => work(&signals),
                _ => {
                    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                    pool.map_err(failed)?.install(|| work(&signals))
                }
            }));
            // Nobody waits any more if the interpreter is gone.
            let _ = sender.send(result);
        });
        loop {
            let waited =
                py.detach(|| receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(TICK));
            match waited {
                Ok(result) => return result.unwrap_or_else(|panic| Err(fault(&*panic))),
                Err(RecvTimeoutError::Disconnected) => return Err(failed("the work ended without a result")),
                Err(RecvTimeoutError::Timeout) => {
                    let told = py.check_signals().and_then(|()| progress.map_or(Ok(()), |p| signals.tell(p)));
                    if let Err(error) = told {
                        signals.stop.store(true, Ordering::Relaxed);
                        stopped.get_or_insert(error);
                    }
                }
            }
        }
    });
    match (result, stopped) {
        (Ok(value), stopped) => Ok(Outcome { value, stopped }),
        (Err(_), Some(stopped)) => Err(stopped),
        (Err(error), None) => Err(error),
    }
}
