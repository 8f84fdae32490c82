//! Tasks that the learner and the reasoner are tried on: data whose rules are known.
//!
//! Each task has a module of its own with the variables, a generator of examples or of problems, and the
//! true rules. These judge what was learned and pose problems to a reasoner; they never teach the learner.
//! Everything random is drawn from a seed, and the i-th item of a series depends on the seed and on i
//! alone, so that a series can be drawn on any number of threads, and begins like a longer one.

pub mod driving;
mod meter;
pub mod mnist;
pub mod nonogram;
pub mod path_grid;
pub mod picture;
pub mod random_rules;
pub mod reason_bench;
pub mod roster;
pub mod sudoku;
pub mod xor;
