//! Ctrl-C: the first asks the work to end with what it has, the second ends the program.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

/// A flag that the first Ctrl-C (or a request to terminate) sets.
pub fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = flag.clone();
    ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        let _ =
            writeln!(std::io::stderr(), "\nprecept: stopping with what was found; once more to stop at once");
    })
    .context("Ctrl-C cannot be caught")?;
    Ok(flag)
}
