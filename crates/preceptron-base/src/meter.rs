//! What a measurement costs: time on the clock, time of the processors, and memory.

use std::time::{Duration, Instant};

/// What a piece of work took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Seconds on the clock.
    pub wall: f64,
    /// Seconds of all threads together; nothing where the system does not say.
    pub cpu: Option<f64>,
}

impl Cost {
    /// Seconds of the processors; those on the clock where the system does not say.
    pub fn busy(&self) -> f64 {
        self.cpu.unwrap_or(self.wall)
    }
}

/// A moment from which costs are counted.
#[derive(Clone, Copy, Debug)]
pub struct Started {
    wall: Instant,
    cpu: Option<Duration>,
}

impl Started {
    /// This moment.
    pub fn now() -> Started {
        Started { wall: Instant::now(), cpu: cpu_time() }
    }

    /// What everything that the program did since then has taken.
    pub fn cost(&self) -> Cost {
        let cpu = self.cpu.zip(cpu_time()).map(|(before, after)| after.saturating_sub(before).as_secs_f64());
        Cost { wall: self.wall.elapsed().as_secs_f64(), cpu }
    }
}

/// Does the work and says what it took.
pub fn measured<T>(work: impl FnOnce() -> T) -> (T, Cost) {
    let started = Started::now();
    let result = work();
    (result, started.cost())
}

#[cfg(unix)]
fn cpu_time() -> Option<Duration> {
    Duration::try_from(rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime)).ok()
}

#[cfg(not(unix))]
fn cpu_time() -> Option<Duration> {
    None
}

/// The most memory that the program has held so far, in bytes; nothing where the system does not say.
pub fn peak_memory() -> Option<u64> {
    status_bytes("VmHWM:")
}

/// The memory that the program holds, in bytes; nothing where the system does not say.
pub fn memory() -> Option<u64> {
    status_bytes("VmRSS:")
}

fn status_bytes(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_clock_stands_in_for_an_unknown_time() {
        let ((), cost) = measured(|| std::thread::sleep(Duration::from_millis(300)));
        assert!(cost.wall >= 0.3 && cost.cpu.is_some(), "{cost:?}");
        let unknown = Cost { cpu: None, ..cost };
        assert_eq!((unknown.busy(), cost.busy()), (cost.wall, cost.cpu.unwrap()));
    }
}
