//! Each task's flags are for that task alone: given to another they are refused, with a line that says where
//! they belong.

use crate::driver::Bench;
use preceptron::{AnyTask, Verb};
use preceptron_base::Flag;
use preceptron_tasks::TASKS;

/// The flags of a task for a command, those that are typed by their place left out.
fn flags(task: &dyn AnyTask, verb: Verb) -> Vec<Flag> {
    task.flags(verb).into_iter().filter(|flag| !flag.is_positional()).collect()
}

/// Every flag of every task, given to every task that does not have it.
fn refused(
    bench: &Bench,
    verb: Verb,
    command: &dyn Fn(&'static str) -> Vec<&'static str>,
    own: &dyn Fn(&str) -> String,
) {
    let mut tried = 0;
    for task in TASKS {
        for other in TASKS.iter().filter(|other| other.name() != task.name()) {
            for flag in flags(*other, verb) {
                let is_there = task.flags(verb).iter().any(|known| known.name == flag.name);
                let is_general =
                    ["all", "explain", "out", "force"].contains(&flag.name) && verb == Verb::Solve;
                if is_there || is_general {
                    continue;
                }
                let typed = format!("--{}", flag.long());
                let mut words = command(task.name());
                words.push(&typed);
                if flag.takes_value() {
                    words.push("1");
                }
                let error = bench.error(&words);
                let expected = format!("precept: {typed} is not for {}; it is for ", own(task.name()));
                assert!(error.starts_with(&expected) && error.contains(other.name()), "{words:?}: {error}");
                assert_eq!(error.lines().count(), 1, "{error}");
                tried += 1;
            }
        }
    }
    assert!(tried > 4, "{tried} combinations");
}

#[test]
fn of_training() {
    let bench = Bench::new();
    refused(&bench, Verb::Train, &|task| vec!["train", task], &str::to_owned);
    assert_eq!(std::fs::read_dir(bench.path()).unwrap().count(), 0, "nothing is left");
}

/// A directory that looks like a run of each task.
fn runs() -> Bench {
    let bench = Bench::new();
    for task in TASKS {
        std::fs::create_dir(bench.path().join(task.name())).unwrap();
        let config = format!("id = \"0\"\ntask = {:?}\nprogram = \"\"\n[settings]\n", task.name());
        bench.file(&format!("{}/config.toml", task.name()), config);
    }
    bench
}

#[test]
fn of_runs() {
    let bench = runs();
    let of_run = |task: &str| format!("a run of {task}");
    refused(&bench, Verb::Eval, &|task| vec!["eval", task], &of_run);
    refused(&bench, Verb::Ground, &|task| vec!["export", task, "--format", "opb"], &of_run);
}

/// A flag that means nothing with the other settings of its own task is refused as well.
#[test]
fn of_other_settings() {
    let bench = Bench::new();
    let refused =
        |words: &[&str], expected: &str| assert_eq!(bench.error(words), format!("precept: {expected}\n"));
    refused(&["train", "sudoku", "--rows", "5", "--epochs", "3"], "--epochs is for --schedule joint");
    refused(&["train", "sudoku", "--schedule", "joint", "--steps", "9"], "--steps is for --schedule staged");
    refused(
        &["train", "sudoku", "--schedule", "joint", "--warm-up", "3"],
        "--warm-up is for penalties that rise in every epoch: --course rising",
    );
    refused(&["train", "sudoku", "--device", "cpu"], "--device is for --network transformer");
    refused(
        &["train", "nonogram", "--boards", "b.csv", "--side", "9"],
        "--side is for generated boards, without --boards",
    );
    assert_eq!(std::fs::read_dir(bench.path()).unwrap().count(), 0, "nothing is left");
}

/// The help of a command shows the flags of the task at hand, and of no other.
#[test]
fn help_is_of_one_task() {
    let bench = runs();
    for task in TASKS {
        let help = bench.run(&["train", task.name(), "--help=all"]).out;
        for flag in flags(*task, Verb::Train) {
            assert!(help.contains(&format!("--{}", flag.long())), "{} {}", task.name(), flag.name);
        }
        let help = bench.run(&["eval", task.name(), "--help=all"]).out;
        for flag in flags(*task, Verb::Eval) {
            assert!(help.contains(&format!("--{}", flag.long())), "{} {}", task.name(), flag.name);
        }
        for other in TASKS {
            for flag in flags(*other, Verb::Eval) {
                let is_there = task.flags(Verb::Eval).iter().any(|known| known.name == flag.name);
                assert!(
                    is_there || !help.contains(&format!("--{} ", flag.long())),
                    "{} {}",
                    task.name(),
                    flag.name
                );
            }
        }
    }
}
