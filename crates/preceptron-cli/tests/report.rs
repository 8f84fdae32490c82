//! `precept report` writes the page about a run of any task anew.

mod driver;

use driver::Bench;

#[test]
fn every_task_has_a_page() {
    let bench = Bench::new();
    assert_eq!(bench.error(&["report", "nowhere"]), "precept: nowhere: no such run\n");
    let runs: [(&str, &[&str]); 3] = [
        ("xor", &["--length", "6", "--count", "60"]),
        ("nonogram", &["--train", "100", "--test", "4"]),
        ("futoshiki", &["--side", "4", "--train", "150", "--test", "5", "--steps", "20", "--network", "mlp"]),
    ];
    for (task, flags) in runs {
        let run = bench.run(&[&["train", task, "--out", task][..], flags].concat());
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{task}: {}", run.out);
        let page = bench.text(&format!("{task}/report.html"));
        assert!(page.contains("class=\"figure\"") && page.contains("The rules") && page.contains("</html>"));
        let again = bench.run(&["report", task]);
        assert_eq!((again.code, again.out), (Some(0), format!("Written to {task}/report.html.\n")));
        assert!(bench.text(&format!("{task}/report.html")) == page, "another page of {task}");
        assert!(!bench.path().join(task).join(".lock").exists());
    }
}
