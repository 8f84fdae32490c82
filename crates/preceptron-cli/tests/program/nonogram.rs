//! `precept train nonogram`, and `eval`, `rules` and `solve` on its run.

use std::sync::OnceLock;

use crate::driver::Bench;
use serde_json::Value;

/// A run on a hundred generated boards, and what training printed.
fn trained() -> &'static (Bench, String) {
    static TRAINED: OnceLock<(Bench, String)> = OnceLock::new();
    TRAINED.get_or_init(|| {
        let bench = Bench::new();
        let run = bench.run(&["train", "nonogram", "--train", "100", "--test", "20", "--out", "run"]);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
        (bench, run.out)
    })
}

const NO_CLUES: &str = "precept: run: rules of nonograms hold for any board; say its clues with --rows and --columns, or --clues\n";

#[test]
fn what_is_assumed_and_what_is_learned_is_printed() {
    let (bench, out) = trained();
    assert!(out.contains("Assumed:\n") && out.contains("Learned:\n"), "{out}");
    assert!(out.contains("a run does not start before the one before it has ended and left a gap"), "{out}");
    assert!(out.contains("On boards that were not trained on: 20 of 20 boards solved."), "{out}");
    let rules = bench.run(&["rules", "run"]);
    assert_eq!(rules.code, Some(0));
    assert!(rules.out.contains("a run is at as many places as its clue says"), "{}", rules.out);
    let json: Value = serde_json::from_str(&bench.run(&["rules", "run", "--json"]).out).unwrap();
    assert_eq!(json["learned"].as_array().unwrap().len(), 6);
}

#[test]
fn relative_rules_are_put_on_a_board_for_solvers() {
    let (bench, _) = trained();
    assert_eq!(bench.error(&["export", "run", "--format", "opb"]), NO_CLUES);
    let clues = ["--rows", "3/1 1/3", "--columns", "3/1 1/3"];
    for format in ["opb", "cnf", "smt2", "mzn", "lp", "json"] {
        let file = format!("board.{format}");
        let run = bench.run(&[&["export", "run", "--out", &file][..], &clues].concat());
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{format}");
    }
    // What was exported says what the run says, and solving it gives the picture.
    let same = bench.run(&[&["certify", "run", "board.opb"][..], &clues].concat());
    assert_eq!((same.code, same.out.starts_with("equivalent")), (Some(0), true), "{}", same.out);
    let solved = bench.run(&["solve", "board.json", "--json"]);
    let value: Value = serde_json::from_str(&solved.out).unwrap();
    let black =
        value["true"].as_array().unwrap().iter().filter(|name| name.as_str().unwrap().starts_with("cell["));
    assert_eq!((solved.code, black.count()), (Some(0), 8), "{}", solved.out);
    let listed = bench.run(&[&["rules", "run", "--ground", "--show", "3"][..], &clues].concat());
    assert!(listed.code == Some(0) && listed.out.contains("row_started"), "{}", listed.out);
}

#[test]
fn other_sizes_are_solved() {
    let (bench, _) = trained();
    let run = bench.run(&["eval", "run", "--side", "10", "--count", "5"]);
    assert!(run.code == Some(0) && run.out.contains(": 5 of 5 boards solved."), "{}", run.out);
    bench.file("wide.csv", "1/0/1/1.1/0,101000\n");
    let run = bench.run(&["eval", "run", "--boards", "wide.csv"]);
    assert!(run.code == Some(0) && run.out.contains(": 1 of 1 boards solved."), "{}", run.out);
}

#[test]
fn a_board_is_solved_and_drawn() {
    let (bench, _) = trained();
    let clues = ["solve", "run", "--rows", "3/1 1/3", "--columns", "3/1 1/3"];
    let run = bench.run(&[&clues[..], &["--out", "board.svg"]].concat());
    let drawn = "      1\n    3 1 3\n  3 # # #\n1 1 # . #\n  3 # # #\n\nThis is the only solution.\n";
    assert_eq!((run.code, run.out), (Some(0), format!("{drawn}Drawn to board.svg.\n")));
    assert!(bench.text("board.svg").starts_with("<svg"));
    assert_eq!(bench.run(&[&clues[..], &["--out", "board.png"]].concat()).code, Some(0));
    assert!(std::fs::read(bench.path().join("board.png")).unwrap().starts_with(b"\x89PNG"));
    bench.file("oblong.txt", "2/1/2/2;1.2/4\n");
    let run = bench.run(&["solve", "run", "--clues", "oblong.txt"]);
    assert!(
        run.code == Some(0) && run.out.contains("# . # #\n") && run.out.contains("# # # #\n"),
        "{}",
        run.out
    );
    bench.file("clues.txt", "3/1.1/3/3/1.1/3\n");
    let run = bench.run(&["solve", "run", "--clues", "clues.txt", "--json"]);
    assert_eq!(run.out, "{\"pictures\":[[\"###\",\"#.#\",\"###\"]],\"run\":\"run\",\"unique\":true}\n");
}

#[test]
fn several_solutions_are_told() {
    let (bench, _) = trained();
    let clues = ["solve", "run", "--rows", "1/1", "--columns", "1/1"];
    let run = bench.run(&clues);
    assert_eq!(run.code, Some(0));
    assert!(run.out.ends_with("This is not the only solution; --all N shows more.\n"), "{}", run.out);
    let run = bench.run(&[&clues[..], &["--all", "5"]].concat());
    assert!(run.out.ends_with("These 2 are all solutions.\n"), "{}", run.out);
}

#[test]
fn lines_that_clash_are_named() {
    let (bench, _) = trained();
    let run = bench.run(&["solve", "run", "--rows", "3/1/0", "--columns", "1/0/2"]);
    let clash = "There is no solution: row 1 and column 2 cannot hold together.\n";
    assert_eq!((run.code, run.out.as_str()), (Some(1), clash));
    let run = bench.run(&["solve", "run", "--rows", "2 2", "--columns", "1/1/1/1"]);
    let clash = "There is no solution: row 1 has no room for its clue.\n";
    assert_eq!((run.code, run.out.as_str()), (Some(1), clash));
}

#[test]
fn faults_in_files_are_named() {
    let bench = Bench::new();
    let fault = |boards: &str| {
        bench.file("boards.csv", boards);
        let error =
            bench.error(&["train", "nonogram", "--boards", "boards.csv", "--train", "1", "--test", "1"]);
        error.rsplit_once('/').map_or(error.clone(), |(_, end)| end.to_owned())
    };
    assert_eq!(
        fault("1/1/1/1,1001\n1/1/1/2,1001\n"),
        "boards.csv: line 2: the clue of row 2 is 2, its cells have 1\n"
    );
    assert_eq!(
        fault("1/1/1,1001\n"),
        "boards.csv: line 1: 3 clues and 4 cells: no board has so many lines for its cells\n"
    );
    assert_eq!(
        fault("1/1/x/1,1001\n"),
        "boards.csv: line 1: \"x\" in the clue of row 1 is not a number of cells\n"
    );
    assert_eq!(
        fault("1/1/1/1,1001\n"),
        "boards.csv: 1 boards, 1 to train on and 1 to test on are asked for\n"
    );
    assert!(!bench.path().join("runs").exists());
}

#[test]
fn faults_in_clues_are_named() {
    let (bench, _) = trained();
    assert_eq!(
        bench.error(&["solve", "run", "--rows", "1/1"]),
        "precept: --rows and --columns go together\n"
    );
    assert_eq!(
        bench.error(&["solve", "run", "--rows", "1/a", "--columns", "1/1"]),
        "precept: --rows: \"a\" in the clue of row 2 is not a number of cells\n"
    );
    assert_eq!(bench.error(&["solve", "run"]), NO_CLUES);
}
