//! What work takes of the processors.

use std::time::{Duration, Instant};

/// The time of the processors, or that on the wall where the system does not say.
pub(crate) struct Clock {
    wall: Instant,
    cpu: Option<Duration>,
}

impl Clock {
    pub fn now() -> Clock {
        Clock { wall: Instant::now(), cpu: cpu_time() }
    }

    /// Seconds since then.
    pub fn elapsed(&self) -> f64 {
        let cpu = self.cpu.zip(cpu_time()).map(|(before, after)| after.saturating_sub(before));
        cpu.unwrap_or_else(|| self.wall.elapsed()).as_secs_f64()
    }
}

#[cfg(unix)]
fn cpu_time() -> Option<Duration> {
    Duration::try_from(rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime)).ok()
}

#[cfg(not(unix))]
fn cpu_time() -> Option<Duration> {
    None
}
