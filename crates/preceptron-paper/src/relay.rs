//! Work on a thread of its own, so that whoever waits for it need not wait for the end of a long step.
//!
//! The worker reports to a [`Relay`], from which the waiting thread tells the real control. If that says to stop, the
//! worker is told, and left to itself if it does not end within [`PATIENCE`]: all that is worth keeping is in files.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use preceptron::{TaskResult, bail};
use preceptron_base::Control;

/// How long the worker may take to end after it was told to.
const PATIENCE: Duration = Duration::from_millis(400);

/// How often progress is passed on.
const EVERY: Duration = Duration::from_millis(40);

/// What a worker says, until it is passed on.
#[derive(Default)]
pub struct Relay {
    cancelled: Arc<AtomicBool>,
    advanced: AtomicU64,
    said: Mutex<Said>,
}

#[derive(Default)]
struct Said {
    stage: Option<(String, u64)>,
    note: Option<String>,
}

impl Control for Relay {
    fn stage(&self, name: &str, total: u64) {
        self.advanced.store(0, Ordering::Relaxed);
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        *said = Said { stage: Some((name.to_owned(), total)), note: None };
    }

    fn advance(&self, parts: u64) {
        self.advanced.fetch_add(parts, Ordering::Relaxed);
    }

    fn note(&self, text: &str) {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).note = Some(text.to_owned());
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn cancel_flag(&self) -> Option<Arc<AtomicBool>> {
        Some(self.cancelled.clone())
    }
}

impl Relay {
    /// Passes on what was said since the last time, stages with a name before them.
    fn pass_on(&self, before: &str, control: &dyn Control) {
        let said = std::mem::take(&mut *self.said.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some((name, total)) = said.stage {
            control.stage(&format!("{before}: {name}"), total);
        }
        control.advance(self.advanced.swap(0, Ordering::Relaxed));
        if let Some(note) = said.note {
            control.note(&note);
        }
    }
}

/// Does the work on a thread of its own; nothing if it was interrupted.
///
/// # Errors
/// If the work fails, or breaks off.
pub fn relayed<T: Send + 'static>(
    name: &str,
    control: &dyn Control,
    work: impl FnOnce(&dyn Control) -> TaskResult<Option<T>> + Send + 'static,
) -> TaskResult<Option<T>> {
    let relay = Arc::new(Relay::default());
    let (done, result) = mpsc::channel();
    let own = relay.clone();
    std::thread::Builder::new().name(name.to_owned()).spawn(move || {
        // Nobody may be waiting any more.
        let _ = done.send(work(&*own).map_err(|error| error.to_string()));
    })?;
    let mut told: Option<Instant> = None;
    loop {
        match result.recv_timeout(EVERY) {
            Ok(Ok(found)) => return Ok(found),
            Ok(Err(message)) => bail!("{message}"),
            Err(RecvTimeoutError::Disconnected) => bail!("the work on {name} broke off"),
            Err(RecvTimeoutError::Timeout) => (),
        }
        relay.pass_on(name, control);
        if control.is_cancelled() {
            relay.cancelled.store(true, Ordering::Relaxed);
            let told = told.get_or_insert_with(Instant::now);
            if told.elapsed() > PATIENCE {
                return Ok(None);
            }
        }
    }
}

/// A control that stops at a time, or when the other one does, and may say nothing of progress.
pub struct Limited<'a> {
    inner: &'a dyn Control,
    until: Option<Instant>,
    is_silent: bool,
}

impl<'a> Limited<'a> {
    /// Stops after a time as well.
    pub fn within(inner: &'a dyn Control, seconds: f64) -> Limited<'a> {
        let until = Some(Instant::now() + Duration::from_secs_f64(seconds));
        Limited { inner, until, is_silent: false }
    }

    /// Says nothing.
    pub fn silent(inner: &'a dyn Control) -> Limited<'a> {
        Limited { inner, until: None, is_silent: true }
    }

    /// The same, and stops after a time as well.
    pub fn silent_within(inner: &'a dyn Control, seconds: f64) -> Limited<'a> {
        Limited { is_silent: true, ..Limited::within(inner, seconds) }
    }
}

impl Control for Limited<'_> {
    fn stage(&self, name: &str, total: u64) {
        if !self.is_silent {
            self.inner.stage(name, total);
        }
    }

    fn advance(&self, parts: u64) {
        if !self.is_silent {
            self.inner.advance(parts);
        }
    }

    fn note(&self, text: &str) {
        if !self.is_silent {
            self.inner.note(text);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.inner.is_cancelled() || self.until.is_some_and(|until| Instant::now() > until)
    }

    fn cancel_flag(&self) -> Option<Arc<AtomicBool>> {
        self.inner.cancel_flag()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::Quiet;

    #[derive(Default)]
    struct Log(Mutex<Vec<String>>);

    impl Control for Log {
        fn stage(&self, name: &str, total: u64) {
            self.0.lock().unwrap().push(format!("{name} {total}"));
        }
    }

    #[test]
    fn what_is_said_and_found_comes_back() {
        let log = Log::default();
        let found = relayed("unit", &log, |control| {
            control.stage("counting", 3);
            control.advance(3);
            std::thread::sleep(3 * EVERY);
            Ok(Some(7))
        });
        assert_eq!(found.unwrap(), Some(7));
        assert_eq!(log.0.into_inner().unwrap(), ["unit: counting 3"]);
    }

    #[test]
    fn a_limit_ends_work_and_may_be_silent() {
        let log = Log::default();
        Limited::silent(&log).stage("unheard", 1);
        let limited = Limited::within(&log, 1e-3);
        limited.stage("heard", 2);
        std::thread::sleep(Duration::from_millis(3));
        assert!(limited.is_cancelled() && !Limited::silent(&log).is_cancelled());
        assert_eq!(log.0.into_inner().unwrap(), ["heard 2"]);
    }

    #[test]
    fn errors_and_panics_are_said() {
        let failed = relayed::<()>("unit", &Quiet, |_| bail!("there is no board"));
        assert_eq!(failed.unwrap_err().to_string(), "there is no board");
        let broken = relayed::<()>("unit", &Quiet, |_| panic!("for the test"));
        assert_eq!(broken.unwrap_err().to_string(), "the work on unit broke off");
    }

    #[test]
    fn work_that_does_not_end_is_left() {
        let begun = Instant::now();
        let found = relayed("unit", &AtomicBool::new(true), |_| {
            std::thread::sleep(Duration::from_secs(20));
            Ok(Some(()))
        });
        assert_eq!(found.unwrap(), None);
        assert!(begun.elapsed() < Duration::from_secs(5));
    }
}
