//! How far long work is, on the terminal or in a log, and the flag that stops it.
//!
//! On a terminal there is a bar with the stage's name and count, or a spinner where nobody knows how many parts
//! there are, and beside it what the work notes. Without a terminal there are lines: the first soon after the
//! start, then one each minute. A thread of its own writes them, so that they come also while the work is in
//! the midst of a long part.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use preceptron_base::Control;

/// When a log has its first line.
const FIRST: Duration = Duration::from_millis(1500);

/// How often a log has a line after that.
const LOG_EVERY: Duration = Duration::from_secs(60);

/// A bar for so many parts, and what stands there where their number is not known.
const BAR: &str = "{spinner} {prefix} [{bar:20}] {pos}/{len} {elapsed}, {eta} left{msg}";
const SPINNER: &str = "{spinner} {prefix} {pos} {elapsed}{msg}";

/// A progress bar on standard error; lines now and then if that is not a terminal.
pub struct Progress {
    bar: ProgressBar,
    cancelled: Arc<AtomicBool>,
    log: Mutex<Option<Log>>,
    /// What was told, each once; nothing where such things are of no use.
    told: Option<Mutex<Vec<String>>>,
}

/// The thread that writes lines; it ends when its sender is dropped.
struct Log {
    stop: mpsc::Sender<()>,
    thread: JoinHandle<()>,
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> ")
}

impl Progress {
    /// A bar that has not begun; the work stops soon after `cancelled` is set.
    pub fn new(cancelled: Arc<AtomicBool>) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        bar.set_style(style(SPINNER));
        bar.set_prefix("starting");
        let log = match bar.is_hidden() {
            true => Some(Log::start(bar.clone())),
            false => {
                bar.enable_steady_tick(Duration::from_millis(200));
                None
            }
        };
        Progress { bar, cancelled, log: Mutex::new(log), told: None }
    }

    /// The same, which prints what it is told: where somebody chose what is searched.
    pub fn telling(self) -> Progress {
        Progress { told: Some(Mutex::default()), ..self }
    }

    /// Takes the bar off the terminal while something is printed.
    pub fn suspend(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Takes the bar off the terminal, and ends the log.
    pub fn finish(&self) {
        crate::interrupt::ended();
        self.bar.finish_and_clear();
        let log = self.log.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Log { stop, thread }) = log {
            drop(stop);
            let _ = thread.join();
        }
    }
}

impl Log {
    fn start(bar: ProgressBar) -> Log {
        let (stop, stopped) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let mut wait = FIRST;
            while stopped.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                eprintln!("{}", line(&bar));
                wait = LOG_EVERY;
            }
        });
        Log { stop, thread }
    }
}

/// How far a bar is, without a bar.
fn line(bar: &ProgressBar) -> String {
    let position = match bar.length().filter(|length| *length > 0) {
        Some(length) => format!(" {}/{length}", bar.position()),
        None if bar.position() > 0 => format!(" {}", bar.position()),
        None => String::new(),
    };
    format!("{}{position}, {} in all{}", bar.prefix(), HumanDuration(bar.elapsed()), bar.message())
}

impl Control for Progress {
    fn stage(&self, name: &str, total: u64) {
        self.bar.set_style(style(if total > 0 { BAR } else { SPINNER }));
        self.bar.set_prefix(name.to_owned());
        self.bar.set_message("");
        self.bar.set_length(total);
        self.bar.set_position(0);
    }

    fn advance(&self, parts: u64) {
        self.bar.inc(parts);
    }

    fn note(&self, text: &str) {
        self.bar.set_message(if text.is_empty() { String::new() } else { format!("; {text}") });
    }

    fn tell(&self, text: &str) {
        let Some(told) = &self.told else { return };
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        if !told.iter().any(|known| known == text) {
            told.push(text.to_owned());
            self.bar.suspend(|| eprintln!("{text}"));
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn cancel_flag(&self) -> Option<Arc<AtomicBool>> {
        Some(self.cancelled.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far() {
        let progress = Progress::new(Arc::default());
        assert_eq!(line(&progress.bar), "starting, 0 seconds in all");
        progress.stage("training", 40);
        progress.advance(3);
        progress.advance(4);
        assert_eq!(line(&progress.bar), "training 7/40, 0 seconds in all");
        progress.note("loss 0.25");
        assert_eq!(line(&progress.bar), "training 7/40, 0 seconds in all; loss 0.25");
        progress.stage("searching", 0);
        assert_eq!(line(&progress.bar), "searching, 0 seconds in all");
        progress.advance(5);
        assert_eq!(line(&progress.bar), "searching 5, 0 seconds in all");
        progress.finish();
    }

    #[test]
    fn templates_are_understood() {
        assert!([BAR, SPINNER].iter().all(|template| ProgressStyle::with_template(template).is_ok()));
    }
}
