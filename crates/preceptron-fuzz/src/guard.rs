//! Limits on a process: its memory, and the time of one input.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// An input that takes longer hangs.
const LONGEST: Duration = Duration::from_secs(10);

/// What a process ends with when an input hangs.
pub const HANG: u8 = 3;

/// Gives this process at most so many megabytes of addresses, where the system has a word for that.
pub fn limit(megabytes: u64) -> anyhow::Result<()> {
    #[cfg(unix)]
    {
        use anyhow::Context;
        use rustix::process::{Resource, Rlimit, setrlimit};
        let limit = |bytes| Rlimit { current: Some(bytes), maximum: Some(bytes) };
        setrlimit(Resource::As, limit(megabytes << 20)).context("a limit on memory")?;
        setrlimit(Resource::Core, limit(0)).context("a limit on core files")?;
    }
    Ok(())
}

/// When the input that is being run was begun, in milliseconds; 0 between inputs.
#[derive(Clone)]
pub struct Clock {
    zero: Instant,
    begun: Arc<AtomicU64>,
}

impl Clock {
    /// An input begins.
    pub fn begin(&self) {
        self.begun.store(self.zero.elapsed().as_millis() as u64 + 1, Ordering::Relaxed);
    }

    /// The input is done.
    pub fn end(&self) {
        self.begun.store(0, Ordering::Relaxed);
    }
}

/// Does `work` in a thread of its own, and gives up on it when one of its inputs hangs.
pub fn watch<T: Send + 'static>(work: impl FnOnce(Clock) -> T + Send + 'static) -> Result<T, ExitCode> {
    let clock = Clock { zero: Instant::now(), begun: Arc::default() };
    let its_clock = clock.clone();
    let worker = thread::spawn(move || work(its_clock));
    while !worker.is_finished() {
        thread::sleep(Duration::from_millis(20));
        let begun = clock.begun.load(Ordering::Relaxed);
        if begun > 0 && clock.zero.elapsed() > Duration::from_millis(begun - 1) + LONGEST {
            return Err(ExitCode::from(HANG));
        }
    }
    worker.join().map_err(|_| ExitCode::from(2))
}
