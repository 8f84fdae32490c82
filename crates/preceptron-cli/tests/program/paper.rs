//! `precept bench paper` at its smallest: every row is there, and what was measured is not measured again.

use crate::driver::Bench;
use std::collections::BTreeMap;
use std::time::SystemTime;

const SMALL: [&str; 11] =
    ["bench", "paper", "--quick", "--train", "40", "--test", "4", "--lengths", "8", "--budget", "0.1s"];

/// The files below a folder, and when they were written.
fn written(bench: &Bench, folder: &str) -> BTreeMap<String, SystemTime> {
    let files = std::fs::read_dir(bench.path().join(folder)).unwrap().map(Result::unwrap);
    files
        .map(|file| (file.file_name().into_string().unwrap(), file.metadata().unwrap().modified().unwrap()))
        .collect()
}

#[test]
fn every_row_is_measured_once() {
    let bench = Bench::new();
    let arguments = [&SMALL[..], &["--only", "4x4,nonogram,xor"]].concat();
    let run = bench.run(&arguments);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    for row in [
        "sudoku-4x4/ours/0: ",
        "sudoku-4x4/joint/0: ",
        "sudoku-4x4/rrn/0: stopped at the budget",
        "sudoku-4x4/satnet/0: stopped at the budget",
        "sudoku-4x4/satnet-star/0: stopped at the budget",
        "nonogram-40/l1r32h4/0: stopped at the budget",
        "xor-8/ours/0: came to rest",
        "Table 4: nonograms\n",
        "Rules found, 4x4: there are 64, of rank 40\n",
        "stands †",
    ] {
        assert!(run.out.contains(row), "{row} is missing:\n{}", run.out);
    }
    let page = bench.text("paper/paper.html");
    assert!(page.contains("<svg") && page.contains("This is a quick look"), "{page}");
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http"), "it needs nothing but itself");
    let table = bench.text("paper/xor.csv");
    assert!(table.contains("\nAccuracy,SATNet,") && !table.contains('†'), "{table}");
    let units = written(&bench, "paper/units");
    assert_eq!(units.len(), 8 + 2 + 3);
    let again = bench.run(&arguments);
    assert_eq!((again.code, written(&bench, "paper/units")), (Some(0), units));
    assert!(!again.out.contains("sudoku-4x4/ours/0: "), "{}", again.out);
    assert_eq!(bench.text("paper/paper.html"), page);
}

#[test]
fn rows_of_paths_are_measured() {
    let bench = Bench::new();
    let run = bench.run(&[&SMALL[..], &["--only", "table2", "--rows", "rtnet,l1r32h4"]].concat());
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let table = bench.text("paper/table2.csv");
    for row in ["\nKITTI-like,RTNet,77.3,", "\nKITTI-like,\"RTNet, joined\",", "(a stand-in),L1R32H4,12.0,"] {
        assert!(table.contains(row), "{row} is missing:\n{table}");
    }
    assert!(!table.contains("ResNet"), "{table}");
}

#[test]
fn what_does_not_go_together_is_an_error() {
    let bench = Bench::new();
    let error = |more: &[&str]| bench.error(&[&["bench", "paper"], more].concat());
    assert!(error(&["--only", "table9"]).contains("table1 or table2"));
    assert!(error(&["--rows", "crnn"]).contains("satnet-star"));
    assert!(error(&["--budget", "2"]).contains("90s, 10m or 2h"));
    assert!(error(&["--rrn", "a.csv"]).contains("--rrn and --rrn-test go together"));
    assert!(error(&["--satnet", "none.csv"]).contains("none.csv: there is no such file"));
    assert!(!bench.path().join("paper").exists());
}
