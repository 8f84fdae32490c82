//! How a network is adapted.

use std::path::PathBuf;

use preceptron_base::{Within, settings};

settings! {
    /// How a network is adapted to other handwriting.
    pub struct AdaptSettings {
        /// The folder that names of pictures begin in [default: the table's].
        pictures: Option<PathBuf> = None, "DIR";
        /// How often all pictures are read anew.
        rounds: usize = 8, "N" in 1..=100;
        /// Steps of training in all rounds together.
        steps: u64 = 1600, "N" in 4..=1_000_000;
        /// How sure an example must be to teach the network.
        sure: f64 = 0.9, "PROBABILITY" in Within(0.5, 1.0);
        /// The share of the examples that teach nothing, and that the figures are of.
        held_out: f64 = 0.2, "SHARE" in 0.0..=0.9;
        /// Take the values of a table for facts that help to say what pictures show. Without this they only judge.
        facts: bool = false;
        /// The seed of all random choices.
        seed: u64 = 0, "N";
        /// Threads; they do not change the result.
        threads: usize = 2, "N" in 1..=64;
    }
}
