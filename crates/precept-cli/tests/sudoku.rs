//! `precept train sudoku`.

mod driver;

use driver::Bench;
use serde_json::Value;

#[test]
fn a_small_run_is_judged_and_kept() {
    let bench = Bench::new();
    let flags = ["train", "sudoku", "--train", "600", "--test", "20", "--steps", "40", "--network", "lenet"];
    let run = bench.run(&[&flags[..], &["--json", "--out", "small"]].concat());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let value: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&value["rules"], &value["rules_spurious"]), (&Value::from(324), &Value::from(0)), "{value}");
    assert_eq!(value["held_out"]["boards"], 20);
    let read =
        value["held_out"]["givens_read"].as_f64().unwrap() / value["held_out"]["givens"].as_f64().unwrap();
    assert!(read > 0.5, "{value}");
    // What is evaluated is what was judged.
    let eval = bench.run(&["eval", "small", "--json"]);
    assert_eq!((eval.code, eval.err.as_str()), (Some(0), ""));
    let again: Value = serde_json::from_str(&eval.out).unwrap();
    for key in ["boards", "givens_read", "boards_read"] {
        assert_eq!(again["held_out"][key], value["held_out"][key], "{key}");
    }
    // It has left a page that needs no other file, and events for TensorBoard.
    let page = bench.text("small/report.html");
    for text in ["324 of 324", "Loss", "grounded", "--seed 0", "data:image/png;base64,", "</html>"] {
        assert!(page.contains(text), "{text}");
    }
    assert!(page.len() < 2_000_000, "{}", page.len());
    assert!(["<script", "http:", "https:"].iter().all(|text| !page.contains(text)));
    let events = std::fs::read(bench.path().join("small/events.out.tfevents.0000000001.precept")).unwrap();
    assert_eq!(events.windows(11).filter(|bytes| *bytes == b"staged/loss").count(), 40);
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
    let again = bench.run(&[&flags[..], &["--out", "small"]].concat());
    assert_eq!((again.code, again.err.contains("is already there")), (Some(2), true), "{}", again.err);
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
    assert!(fault(&["--train", "0"]).contains("there must be boards to train on"));
    assert!(fault(&["--mnist", "."]).contains("no file train-images-idx3-ubyte there"));
    assert!(fault(&["--steps", "1"]).contains("--steps"));
}
