//! `precept train sudoku`.

use crate::driver::Bench;
use serde_json::Value;

/// The file of events of a run.
fn events_file(bench: &Bench, run: &str) -> std::path::PathBuf {
    let files = std::fs::read_dir(bench.path().join(run)).unwrap().map(|file| file.unwrap().path());
    let is_events =
        |path: &std::path::PathBuf| path.to_string_lossy().contains("events.out.tfevents.0000000001.");
    files.into_iter().find(is_events).unwrap()
}

#[test]
fn a_small_run_is_judged_and_kept() {
    let bench = Bench::new();
    let flags = ["train", "sudoku", "--train", "500", "--test", "20", "--steps", "80", "--network", "lenet"];
    let run = bench.run(&[&flags[..], &["--json", "--out", "small"]].concat());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let value: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&value["rules"], &value["rules_spurious"]), (&Value::from(324), &Value::from(0)), "{value}");
    assert_eq!(value["held_out"]["boards"], 20);
    let read =
        value["held_out"]["givens_read"].as_f64().unwrap() / value["held_out"]["givens"].as_f64().unwrap();
    assert!(read > 0.8, "{value}");
    // What is evaluated is what was judged.
    let eval = bench.run(&["eval", "small", "--json"]);
    assert_eq!((eval.code, eval.err.as_str()), (Some(0), ""));
    let again: Value = serde_json::from_str(&eval.out).unwrap();
    for key in ["boards", "givens_read", "boards_read"] {
        assert_eq!(again["held_out"][key], value["held_out"][key], "{key}");
    }
    // It has left a page that needs no other file, and events for TensorBoard.
    let page = bench.text("small/report.html");
    for text in ["324 of 324", "Loss", "grounded", "--steps 80", "data:image/png;base64,", "</html>"] {
        assert!(page.contains(text), "{text}");
    }
    assert!(page.len() < 2_000_000, "{}", page.len());
    assert!(["<script", "http:", "https:"].iter().all(|text| !page.contains(text)));
    let name = events_file(&bench, "small");
    let events = std::fs::read(name).unwrap();
    assert_eq!(events.windows(11).filter(|bytes| *bytes == b"staged/loss").count(), 80);
    // The page can be written anew. What was learned and read is the same; of boards that are equally
    // likely, another may be found.
    let written = bench.run(&["report", "small"]);
    assert_eq!((written.code, written.out.as_str()), (Some(0), "Written to small/report.html.\n"));
    let figures = |page: &str| {
        let lines = page.lines().filter(|line| line.starts_with("<div class=\"figure\">"));
        lines.take(3).map(str::to_owned).collect::<Vec<_>>()
    };
    let again = figures(&bench.text("small/report.html"));
    assert_eq!((again.len(), again), (3, figures(&page)));
    // The run is a source of rules, and is not overwritten.
    let rules = bench.run(&["rules", "small"]);
    assert!(rules.code == Some(0) && rules.out.contains("324 rules"), "{}", rules.out);
    // Boxes are named as they are after training.
    let families = rules.out.lines().filter(|line| line.starts_with("  for every "));
    assert_eq!(families.count(), 4, "{}", rules.out);
    assert!(rules.out.contains("for every digit and box: exactly 1 of cell[digit, box]  (81 rules"));
    let again = bench.run(&[&flags[..], &["--out", "small"]].concat());
    assert_eq!((again.code, again.err.contains("is already there")), (Some(2), true), "{}", again.err);
}

const SMALL: [&str; 12] = [
    "train",
    "sudoku",
    "--order",
    "2",
    "--train",
    "150",
    "--test",
    "5",
    "--steps",
    "60",
    "--network",
    "lenet",
];

/// What training leaves behind, to the last bit.
fn files(bench: &Bench, run: &str) -> Vec<(&'static str, Vec<u8>)> {
    let read = |file| std::fs::read(bench.path().join(run).join(file)).unwrap();
    ["metrics.jsonl", "network.safetensors", "rules.json", "calibration.json"].map(|f| (f, read(f))).into()
}

fn assert_same(bench: &Bench, one: &str, other: &str) {
    for ((file, one), (_, other)) in files(bench, one).into_iter().zip(files(bench, other)) {
        assert!(one == other, "{file} differs");
    }
}

/// Killed again and again at random moments, a run ends where one that was left alone does, on another
/// number of threads. `PRECEPT_KILLS=100` kills as often as that.
#[test]
fn a_run_survives_being_killed() {
    let bench = Bench::new();
    let out = bench.run(&[&SMALL[..], &["--threads", "1", "--out", "whole", "--json"]].concat());
    assert_eq!((out.code, out.err.as_str()), (Some(0), ""));
    let kills: u32 = std::env::var("PRECEPT_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(6);
    let mut begun = false;
    // Moments that differ from kill to kill, some before the run exists and some after its end.
    let moments = (0u64..).map(|n| 15 + (n.wrapping_mul(2_654_435_761) >> 7) % 400);
    let mut killed = 0;
    for moment in moments.take(kills as usize) {
        let resumed = ["train", "sudoku", "--resume", "killed", "--save-every", "0.05"];
        let fresh = [&SMALL[..], &["--save-every", "0.05", "--out", "killed"]].concat();
        let mut child = bench.spawn(if begun { &resumed } else { &fresh });
        std::thread::sleep(std::time::Duration::from_millis(moment));
        killed += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        begun |= bench.path().join("killed/config.toml").exists();
        if bench.path().join("killed/rules.json").exists() && !bench.path().join("killed/checkpoint").exists()
        {
            assert_same(&bench, "whole", "killed");
            std::fs::remove_dir_all(bench.path().join("killed")).unwrap();
            begun = false;
        }
    }
    assert!(killed > 0, "nothing was killed in time");
    let last = match begun {
        true => bench.run(&["train", "sudoku", "--resume", "killed"]),
        false => bench.run(&[&SMALL[..], &["--out", "killed"]].concat()),
    };
    assert_eq!((last.code, last.err.as_str()), (Some(0), ""));
    assert_same(&bench, "whole", "killed");
    // Once more there is nothing left to train, and the judgement is the same.
    let again = bench.run(&["train", "sudoku", "--resume", "killed", "--json"]);
    let (one, other): (Value, Value) =
        (serde_json::from_str(&out.out).unwrap(), serde_json::from_str(&again.out).unwrap());
    assert_eq!(one["held_out"]["givens_read"], other["held_out"]["givens_read"]);
    // A picture of a board is not read as one of another size.
    let refused = bench.error(&["solve", "whole", "board.png"]);
    assert!(refused.contains("a run on boards of 4 x 4"), "{refused}");
    // What is damaged is said to be, and where.
    let network = bench.path().join("whole/network.safetensors");
    let bytes = std::fs::read(&network).unwrap();
    let at = bytes.windows(6).position(|part| part == b"weight").unwrap();
    let renamed = [&bytes[..at], b"height", &bytes[at + 6..]].concat();
    for damaged in [&bytes[..bytes.len() - 4], &renamed[..]] {
        std::fs::write(&network, damaged).unwrap();
        let message = bench.error(&["eval", "whole"]);
        assert!(message.starts_with("precept: whole: network.safetensors is damaged: "), "{message}");
    }
    std::fs::write(bench.path().join("killed/checkpoint"), "precept checkpoint 2\n{}").unwrap();
    let damaged = bench.run(&["train", "sudoku", "--resume", "killed"]);
    assert_eq!(damaged.code, Some(2));
    assert!(damaged.err.contains("checkpoint is damaged: it ends in its header"), "{}", damaged.err);
}

/// Ctrl-C saves and says how to go on.
#[cfg(unix)]
#[test]
fn an_interrupted_run_goes_on() {
    let bench = Bench::new();
    let long = ["train", "sudoku", "--order", "2", "--train", "150", "--test", "5", "--steps", "3000"];
    let flags = [&long[..], &["--network", "lenet", "--out", "long"]].concat();
    let child = bench.spawn(&flags);
    let metrics = bench.path().join("long/metrics.jsonl");
    while std::fs::metadata(&metrics).map_or(0, |file| file.len()) < 100 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let stop = |pid: u32| std::process::Command::new("kill").args(["-INT", &pid.to_string()]).status();
    assert!(stop(child.id()).unwrap().success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("and is saved") && text.contains("precept train sudoku --resume long"), "{text}");
    // What was learned until then can be looked at.
    assert_eq!(bench.run(&["eval", "long"]).code, Some(0));
    let other = bench.run(&["train", "sudoku", "--resume", "long", "--steps", "9"]);
    assert!(other.code == Some(2) && other.err.contains("--steps"), "{}", other.err);
}

#[test]
fn what_is_wrong_is_said() {
    let bench = Bench::new();
    let fault = |flags: &[&str]| {
        let run = bench.run(&[&["train", "sudoku"], flags].concat());
        assert_eq!(run.code, Some(2));
        run.err
    };
    assert!(fault(&["--boards", "nowhere.csv"]).contains("nowhere.csv"));
    assert!(fault(&["--train", "0"]).contains("train = 0 is out of range"));
    assert!(fault(&["--mnist", "."]).contains("no file train-images-idx3-ubyte there"));
    assert!(fault(&["--steps", "1"]).contains("steps = 1 is out of range: 4 to 1000000"));
    assert!(fault(&["--doubt", "60%"]).contains("doubt = 60% is out of range: 0 to 0.4"));
    assert!(fault(&["--doubt", "150"]).contains("doubt = 150 is out of range: 0 to 0.4"));
    assert!(fault(&["--resume", "nowhere"]).contains("nowhere: no such run"));
    bench.file("small.csv", "1000000000000000,1234341221434321\n");
    assert!(fault(&["--boards", "small.csv"]).contains("line 1: not a board of 9 x 9"));
    bench.run(&["data", "sudoku", "draw", "--rows", "1", "--out", "board.png"]);
    assert!(fault(&["--boards", "board.png"]).contains("board.png: is a picture (PNG), not a file of text"));
}

#[test]
fn the_transformer_is_a_feature() {
    let bench = Bench::new();
    let flags =
        ["train", "sudoku", "--order", "2", "--train", "20", "--test", "4", "--steps", "4", "--out", "t"];
    let error = bench.error(&[&flags[..], &["--recurrences", "2"]].concat());
    assert_eq!(error, "precept: --recurrences is for --network transformer\n");
    let flags = [&flags[..], &["--network", "transformer", "--recurrences", "2"]].concat();
    if cfg!(not(feature = "burn")) {
        let error = bench.error(&flags);
        assert!(
            error.contains("built without the feature burn: cargo run --release --features burn"),
            "{error}"
        );
    } else if cfg!(not(feature = "burn-cuda")) {
        let error = bench.error(&[&flags[..], &["--device", "cuda"]].concat());
        assert_eq!(error, "precept: device cuda: built without the feature burn-cuda\n");
    }
    assert!(!bench.path().join("t").exists());
}
