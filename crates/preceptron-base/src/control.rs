//! What long work tells its caller, and how the caller stops it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Sees the progress of long work and may ask it to stop. Called from several threads.
pub trait Control: Sync {
    /// A stage begins that has `total` parts, 0 if nobody knows how many.
    fn stage(&self, _name: &str, _total: u64) {}

    /// So many more parts of the stage are done.
    fn advance(&self, _parts: u64) {}

    /// A few words on how the stage goes, in place of those before, such as a loss.
    fn note(&self, _text: &str) {}

    /// What is to be known before the work goes on, such as what it leaves out because it would take too long.
    fn tell(&self, _text: &str) {}

    /// Whether to stop soon, keeping what was found.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// The flag that is set when work is to stop, if there is one, for work that cannot ask in its midst.
    fn cancel_flag(&self) -> Option<Arc<AtomicBool>> {
        None
    }
}

/// Says nothing and never stops.
pub struct Quiet;

impl Control for Quiet {}

/// A flag that stops the work when it is set, as from a signal handler.
impl Control for AtomicBool {
    fn is_cancelled(&self) -> bool {
        self.load(Ordering::Relaxed)
    }
}
