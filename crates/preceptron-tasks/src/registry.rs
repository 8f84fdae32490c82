//! All tasks, by name: a new one is a folder of its own and a line here.

use preceptron::{AnyAction, AnyTask, Group};

/// The tasks.
pub static TASKS: &[&dyn AnyTask] = &[&crate::sudoku::Sudoku, &crate::nonogram::Nonograms, &crate::xor::Xor];

/// Benchmarks over several tasks.
pub static BENCHES: &[&dyn AnyAction] = &[];

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
