//! The learner's progress on the terminal or in a log, and the flag that stops it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use preceptron_base::Control;

/// How often a log has a line.
const LOG_EVERY: Duration = Duration::from_secs(60);

/// A progress bar on standard error; a line each minute if that is not a terminal.
pub struct Progress {
    bar: ProgressBar,
    cancelled: Arc<AtomicBool>,
    /// When the last line was written, where there is no terminal.
    logged: Option<Mutex<Instant>>,
}

impl Progress {
    /// A bar that has not begun; the work stops soon after `cancelled` is set.
    pub fn new(cancelled: Arc<AtomicBool>) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style =
            ProgressStyle::with_template("{spinner} {msg} [{bar:30}] {pos}/{len} {elapsed}, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
        let logged = bar.is_hidden().then(|| Mutex::new(Instant::now()));
        if logged.is_none() {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Progress { bar, cancelled, logged }
    }

    /// Takes the bar off the terminal.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// A line in the log, if it is time for one.
    fn log(&self, logged: &Mutex<Instant>) {
        let mut last = logged.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= LOG_EVERY {
            *last = Instant::now();
            eprintln!("{}", line(&self.bar));
        }
    }
}

/// How far a bar is, without a bar.
fn line(bar: &ProgressBar) -> String {
    let length =
        bar.length().filter(|length| *length > 0).map_or(String::new(), |length| format!("/{length}"));
    format!("{} {}{length}, {} in all", bar.message(), bar.position(), HumanDuration(bar.elapsed()))
}

impl Control for Progress {
    fn stage(&self, name: &str, total: u64) {
        self.bar.set_message(name.to_owned());
        self.bar.set_length(total);
        self.bar.set_position(0);
    }

    fn advance(&self, parts: u64) {
        self.bar.inc(parts);
        if let Some(logged) = &self.logged {
            self.log(logged);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far() {
        let progress = Progress::new(Arc::default());
        progress.stage("training", 40);
        progress.advance(3);
        progress.advance(4);
        assert_eq!(line(&progress.bar), "training 7/40, 0 seconds in all");
        progress.stage("searching", 0);
        progress.advance(5);
        assert_eq!(line(&progress.bar), "searching 5, 0 seconds in all");
    }
}
