//! Runs are owned: one writer at a time, no file of another run, nothing left by a start that fails.

use crate::driver::Bench;

const SMALL: [&str; 10] =
    ["train", "futoshiki", "--side", "4", "--train", "150", "--test", "5", "--network", "mlp"];

fn left(bench: &Bench) -> Vec<String> {
    let files = std::fs::read_dir(bench.path()).unwrap();
    files.map(|file| file.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn a_start_that_fails_leaves_nothing() {
    let bench = Bench::new();
    let starts: [&[&str]; 5] = [
        &["train", "futoshiki", "--boards", "nowhere.csv"],
        &["train", "sudoku", "--boards", "nowhere.csv"],
        &["train", "driving", "--labels", "nowhere"],
        &["train", "nonogram", "--boards", "nowhere.csv"],
        // Too few boards for any rule: what fails is the start of training itself.
        &[
            "train",
            "sudoku",
            "--order",
            "2",
            "--train",
            "3",
            "--test",
            "1",
            "--steps",
            "4",
            "--network",
            "mlp",
        ],
    ];
    for start in starts {
        let error = bench.error(start);
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(left(&bench).is_empty(), "{start:?} left {:?}", left(&bench));
    }
    // And an older run stays when the one in its place cannot begin.
    assert_eq!(bench.run(&[&SMALL[..], &["--steps", "8", "--out", "old"]].concat()).code, Some(0));
    let rules = bench.text("old/rules.json");
    bench.error(&["train", "sudoku", "--boards", "nowhere.csv", "--out", "old", "--force"]);
    assert_eq!(bench.text("old/rules.json"), rules);
    assert!(!bench.path().join("old/.lock").exists());
}

#[test]
fn two_processes_do_not_write_to_one_run() {
    let bench = Bench::new();
    let long = [&SMALL[..], &["--steps", "100000", "--out", "run"]].concat();
    let mut first = bench.spawn(&long);
    let checkpoint = bench.path().join("run/checkpoint");
    while !checkpoint.exists() {
        assert!(first.try_wait().unwrap().is_none(), "training ended early");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let busy = format!("precept: run: another process ({}) is writing it\n", first.id());
    assert_eq!(bench.error(&["train", "futoshiki", "--resume", "run"]), busy);
    assert_eq!(bench.error(&[&long[..], &["--force"]].concat()), busy);
    first.kill().unwrap();
    first.wait().unwrap();
    // The lock ends with the process, however that ends.
    let other = bench.error(&["train", "futoshiki", "--resume", "run", "--steps", "9"]);
    assert_eq!(other, "precept: --steps: a run goes on with its own settings\n");
    let mut again = bench.spawn(&["train", "futoshiki", "--resume", "run"]);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(again.try_wait().unwrap().is_none(), "it goes on");
    again.kill().unwrap();
    again.wait().unwrap();
}

#[test]
fn a_file_of_another_run_is_noticed() {
    let bench = Bench::new();
    for (seed, name) in [("1", "one"), ("2", "two")] {
        let run = bench.run(&[&SMALL[..], &["--steps", "8", "--seed", seed, "--out", name]].concat());
        assert_eq!(run.code, Some(0), "{}", run.err);
    }
    for file in ["network.safetensors", "rules.json", "calibration.json", "training.json"] {
        let own = std::fs::read(bench.path().join("one").join(file)).unwrap();
        std::fs::copy(bench.path().join("two").join(file), bench.path().join("one").join(file)).unwrap();
        let error = bench.error(&["eval", "one"]);
        assert!(
            error.starts_with(&format!("precept: one: {file} is not of this run: it is of the run ")),
            "{error}"
        );
        std::fs::write(bench.path().join("one").join(file), own).unwrap();
        assert_eq!(bench.run(&["eval", "one", "--count", "1"]).code, Some(0));
    }
}
