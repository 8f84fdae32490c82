//! `precept report` where there is nothing to write; the tests of `precept train` have the pages themselves.

mod driver;

use driver::Bench;

#[test]
fn what_has_no_page_is_said() {
    let bench = Bench::new();
    assert_eq!(bench.error(&["report", "nowhere"]), "precept: nowhere: no such run\n");
    let run = bench.run(&["train", "xor", "--length", "4", "--out", "x"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let error = bench.error(&["report", "x"]);
    assert_eq!(error, "precept: x: is a run of xor; there are pages about runs of sudoku and driving\n");
}
