//! Panics as values.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use crate::Target;

/// A panic that was caught.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    /// The file and line.
    pub place: String,
    /// What it said.
    pub message: String,
}

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static LAST: RefCell<Option<Panic>> = const { RefCell::new(None) };
}

/// Runs a target on an input. A panic is caught and nothing is printed for it; other threads, and this
/// one at other times, panic as they would.
pub fn catch(target: &Target, input: &[u8]) -> Result<String, Panic> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| match CATCHING.get() {
            false => usual(info),
            true => {
                let place = info.location().map_or(String::new(), |l| format!("{}:{}", l.file(), l.line()));
                let payload = info.payload();
                let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
                let message = text.or_else(|| payload.downcast_ref().cloned()).unwrap_or_default();
                LAST.set(Some(Panic { place, message }));
            }
        }));
    });
    CATCHING.set(true);
    // A target keeps nothing between inputs but a directory for files, which each input overwrites.
    let result = panic::catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    CATCHING.set(false);
    let unknown = Panic { place: String::new(), message: String::new() };
    result.map_err(|_| LAST.take().unwrap_or(unknown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_value() {
        let run = |input: &[u8]| format!("{}", 10 / input.len());
        let target = Target { name: "division", seeds: Vec::new, words: &[], run };
        assert_eq!(catch(&target, b"ab"), Ok("5".to_owned()));
        let panic = catch(&target, b"").unwrap_err();
        assert!(panic.place.contains("catch.rs:"), "{panic:?}");
        assert_eq!(panic.message, "attempt to divide by zero");
    }
}
