//! `precept bench` on small tasks.

use crate::driver::Bench;
use serde_json::Value;

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn rules_of_small_boards_are_found_and_judged() {
    let small =
        ["bench", "rules", "--order", "2", "--rows", "0-199", "--seeds", "2", "--only", "full,wrong-5"];
    let run = Bench::new().run(&[&small[..], &["--json"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(run.err, "precept: full-300: left out, there are too few boards\n");
    let lines = objects(&run.out);
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[0]["name"], &lines[0]["boards"]), (&"full".into(), &200.into()));
    assert_eq!(lines[0]["true"], Value::from(vec![64, 64]));
    assert_eq!(lines[0]["spurious"], Value::from(vec![0, 0]));
    assert_eq!(lines[0]["rank"], Value::from(vec![40, 40]));
    assert_eq!(lines[1]["settings"]["threshold"], 0.9);
    assert!(
        lines[2]["peak_memory_bytes"].is_null() || lines[2]["peak_memory_bytes"].as_u64() > Some(1 << 20)
    );
    let run = Bench::new().run(&small);
    assert!(run.out.starts_with("Sudoku of side 4, 200 boards, generated; 64 true rules\n"), "{}", run.out);
}

#[test]
fn what_cannot_be_measured_is_an_error() {
    let bench = Bench::new();
    assert!(bench.error(&["bench", "rules", "--only", "nothing"]).contains("there is no case \"nothing\""));
    assert!(bench.error(&["bench", "rules", "--rows", "5-2"]).contains("expected FROM-TO"));
    assert!(bench.error(&["bench", "rules", "--boards", "none.csv"]).contains("none.csv: "));
    bench.file("wrong.csv", "12,34\n");
    let message = bench.error(&["bench", "rules", "--boards", "wrong.csv"]);
    assert!(message.contains("wrong.csv: line 1: the puzzle: 2 cells"), "{message}");
    assert!(
        bench.error(&["bench", "theorems", "--wrong", "2"]).contains("wrong = 2 is out of range: 0 to 1")
    );
}

#[test]
fn without_a_trust_region_rows_from_a_common_start_fall_together() {
    let arguments =
        ["bench", "theorems", "--rows", "20", "--iterations", "2000", "--trust-region", "0,0.1", "--json"];
    let run = Bench::new().run(&arguments);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let lines = objects(&run.out);
    assert_eq!(lines.len(), 4);
    let together = |line: usize| lines[line]["together"].as_f64().unwrap();
    assert_eq!((&lines[2]["common_start"], together(2)), (&true.into(), 1.0));
    assert!(together(0) < 0.5 && together(3) < 0.5);
    assert!(lines[2]["bound_mean"].is_null());
    assert!(lines[3]["bound_mean"].as_f64().unwrap() <= 1.0);
}
