//! Tasks: data whose rules are known, what is learned from it, and how it is shown.
//!
//! Each task has a module of its own with the variables, a generator of examples or of problems, and the
//! true rules. These judge what was learned and pose problems to a reasoner; they never teach the learner.
//! Everything random is drawn from a seed, and the i-th item of a series depends on the seed and on i
//! alone, so that a series can be drawn on any number of threads, and begins like a longer one.

pub mod addition;
mod board_svg;
pub mod digit_network;
pub mod driving;
mod faces;
pub mod futoshiki;
mod glyphs;
pub mod handwriting;
pub mod hidden;
pub mod mnist;
pub mod nonogram;
pub mod parity;
pub mod path_grid;
pub mod random_rules;
pub mod reason_bench;
pub mod roster;
mod strokes;
pub mod sudoku;
pub mod table;
pub mod xor;

pub use preceptron_photo::{picture, rgb};

use preceptron::{AnyAction, AnyTask, Group};

/// The tasks: a new one is a folder of its own, its `mod`, and a line here.
#[rustfmt::skip]
pub static TASKS: &[&dyn AnyTask] = &[
    &sudoku::Sudoku,
    &futoshiki::Futoshiki,
    &nonogram::Nonograms,
    &driving::Driving,
    &xor::Xor,
    &addition::ADDITION,
    &addition::COMPARISON,
    &parity::PARITY,
    &table::Tables,
];

/// The task that a file or folder is for, where one is named in place of a task.
pub static OF_FILES: &dyn AnyTask = &table::Tables;

/// Benchmarks over several tasks.
pub static BENCHES: &[&dyn AnyAction] = reason_bench::BENCHES;

/// The task of this name.
pub fn task(name: &str) -> Option<&'static dyn AnyTask> {
    TASKS.iter().copied().find(|task| task.name() == name)
}

/// All benchmarks, those of the tasks first.
pub fn benches() -> impl Iterator<Item = &'static dyn AnyAction> {
    let of_tasks =
        TASKS.iter().flat_map(|task| task.actions()).filter(|action| action.group() == Group::Bench);
    of_tasks.chain(BENCHES).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron::Verb;
    use std::collections::{BTreeMap, BTreeSet};

    /// Within a command a flag is said once, and takes a value in all tasks or in none, so that it is read
    /// alike before it is known which task is meant.
    #[test]
    fn flags_are_said_once_and_alike() {
        for verb in [Verb::Train, Verb::Eval, Verb::Solve, Verb::Ground] {
            let mut kinds: BTreeMap<&str, (bool, bool)> = BTreeMap::new();
            for task in TASKS {
                let flags = task.flags(verb);
                let names: BTreeSet<&str> = flags.iter().map(|flag| flag.name).collect();
                assert_eq!(names.len(), flags.len(), "{} {verb:?} says a flag twice", task.name());
                for flag in flags {
                    assert!(!flag.help.is_empty());
                    let kind = (flag.takes_value(), flag.is_positional());
                    let known = *kinds.entry(flag.name).or_insert(kind);
                    assert_eq!(known, kind, "{} of {verb:?}", flag.name);
                }
            }
        }
    }

    #[test]
    fn names_are_told_apart() {
        let names: BTreeSet<&str> = TASKS.iter().map(|task| task.name()).collect();
        assert_eq!(names.len(), TASKS.len());
        let benches: BTreeSet<&str> = benches().map(|bench| bench.name()).collect();
        assert_eq!(benches.len(), self::benches().count());
        for task in TASKS {
            assert!(!task.about().is_empty() && !task.help(Verb::Train).is_empty());
        }
    }
}
