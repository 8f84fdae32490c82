//! Ctrl-C: the first asks the work to end with what it has, the second ends the program.
//!
//! Most work looks at the flag many times a second. Work that is in the midst of something long is left where it
//! is when its patience is over: what was worth keeping is in files by then.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;

/// How long work may take to end by itself after Ctrl-C.
pub const PATIENCE: Duration = Duration::from_millis(900);

/// The same for work that would lose what it found.
pub const MORE_PATIENCE: Duration = Duration::from_secs(20);

/// Whether there is a result to print.
static ENDED: AtomicBool = AtomicBool::new(false);

/// The work has ended: what it found may take its time to be printed.
pub fn ended() {
    ENDED.store(true, Ordering::SeqCst);
}

/// A flag that the first Ctrl-C (or a request to terminate) sets.
pub fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    flag_or(PATIENCE, || "stopped before there was a result".to_owned())
}

/// The same; if the work has not ended when its patience is over, `leave` tidies up and says what is left, and
/// the program ends with the exit code of a no.
pub fn flag_or(
    patience: Duration,
    leave: impl Fn() -> String + Clone + Send + 'static,
) -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = flag.clone();
    ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        let _ =
            writeln!(std::io::stderr(), "\nprecept: stopping with what was found; once more to stop at once");
        let leave = leave.clone();
        std::thread::spawn(move || {
            std::thread::sleep(patience);
            if ENDED.load(Ordering::SeqCst) {
                return;
            }
            let _ = writeln!(std::io::stderr(), "precept: {}", leave());
            std::process::exit(1);
        });
    })
    .context("Ctrl-C cannot be caught")?;
    Ok(flag)
}
