//! Fuzzing of everything that reads what a user hands in, on stable Rust and without a network.
//!
//! A [`Target`] feeds bytes to one reader, checks what comes out (what was read is written, read again
//! and compared), and says in a short text what became of them. There is no instrumentation that would
//! show which code was reached, so that text stands in for it: a [`Campaign`] keeps an input, to change
//! it further, if its text is new. A reader fails by a panic, and in the program `fuzz`, which runs each
//! campaign in a process of its own, by taking too long, too much memory or too deep a stack.

mod campaign;
mod catch;
mod minimise;
mod mutate;
pub mod outcome;
mod targets;

pub use campaign::Campaign;
pub use catch::{Panic, catch};
pub use minimise::minimise;
pub use mutate::Mutator;
pub use targets::targets;

/// A reader, and what it is fed.
pub struct Target {
    /// The target's name on the command line.
    pub name: &'static str,
    /// Inputs to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words that mean something to the reader.
    pub words: &'static [&'static str],
    /// Reads an input, checks what was read, and says what became of it: see [`outcome`].
    ///
    /// # Panics
    /// If the reader is at fault.
    pub run: fn(&[u8]) -> String,
}
