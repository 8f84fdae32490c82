//! The learner's progress on the terminal, and the flag that stops it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use precept_learn::Control;

/// A progress bar on standard error; invisible if that is not a terminal.
pub struct Progress {
    bar: ProgressBar,
    cancelled: Arc<AtomicBool>,
}

impl Progress {
    /// A bar that has not begun; the work stops soon after `cancelled` is set.
    pub fn new(cancelled: Arc<AtomicBool>) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style =
            ProgressStyle::with_template("{spinner} {msg} [{bar:30}] {pos}/{len} {elapsed}, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Progress { bar, cancelled }
    }

    /// Takes the bar off the terminal.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Control for Progress {
    fn stage(&self, name: &str, total: u64) {
        self.bar.set_message(name.to_owned());
        self.bar.set_length(total);
        self.bar.set_position(0);
    }

    fn advance(&self, parts: u64) {
        self.bar.inc(parts);
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}
