//! The page about a run, and its events for TensorBoard.

mod driver;

use driver::Bench;

#[test]
fn a_run_leaves_a_page_and_events() {
    let bench = Bench::new();
    let flags = ["train", "sudoku", "--train", "600", "--test", "12", "--steps", "60", "--network", "lenet"];
    let run = bench.run(&[&flags[..], &["--out", "a & b"]].concat());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let page = bench.text("a & b/report.html");
    for text in
        ["324 of 324", "Loss", "grounded", "--out &#x27;a &amp; b&#x27;", "data:image/png;base64,", "</html>"]
    {
        assert!(page.contains(text), "{text}");
    }
    assert!(page.len() < 2_000_000, "{}", page.len());
    assert!(!page.contains("<script") && !page.contains("http"));
    let events = std::fs::read(bench.path().join("a & b/events.out.tfevents.0000000001.precept")).unwrap();
    let steps = events.windows(11).filter(|bytes| *bytes == b"staged/loss").count();
    assert_eq!(steps, 60);
    // The page can be written anew, and says the same but for the time that solving took.
    std::fs::remove_file(bench.path().join("a & b/report.html")).unwrap();
    let again = bench.run(&["report", "a & b"]);
    assert_eq!(
        (again.code, again.out.as_str()),
        (Some(0), "Written to a & b/report.html.\n"),
        "{}",
        again.err
    );
    let without_times = |page: &str| page.lines().filter(|line| !line.contains("<tr>")).collect::<String>();
    assert_eq!(without_times(&bench.text("a & b/report.html")), without_times(&page));
}

#[test]
fn what_has_no_page_is_said() {
    let bench = Bench::new();
    assert_eq!(bench.error(&["report", "nowhere"]), "precept: nowhere: no such run\n");
    let run = bench.run(&["train", "xor", "--length", "4", "--out", "x"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let error = bench.error(&["report", "x"]);
    assert_eq!(error, "precept: x: is a run of xor; there are pages about runs of sudoku\n");
}
