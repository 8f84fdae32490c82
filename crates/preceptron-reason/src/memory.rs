//! How much memory there is, and how much of it this process has.

use std::fs;

/// The bytes that this process has in memory; nothing where the system does not tell.
pub fn resident() -> Option<u64> {
    let pages: u64 = fs::read_to_string("/proc/self/statm").ok()?.split_whitespace().nth(1)?.parse().ok()?;
    // Linux has pages of 4 kB wherever this is built; larger ones would end a search later than asked.
    Some(pages * 4096)
}

/// Three quarters of the memory that is free, together with what this process has; nothing where the system does
/// not tell.
pub fn three_quarters_free() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let free: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some((free * 1024 + resident()?) / 4 * 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_has_less_than_there_is() {
        if let (Some(here), Some(most)) = (resident(), three_quarters_free()) {
            assert!(here > 100_000 && most > 1_000_000, "{here} of {most}");
        }
    }
}
