//! `precept report` writes the page about a run of any task anew, and compares runs.

use crate::driver::Bench;

/// The command of a page, put into a shell, makes the same run.
#[cfg(unix)]
#[test]
fn the_printed_command_gives_the_same_settings() {
    let bench = Bench::new();
    let run =
        bench.run(&["train", "xor", "--length", "6", "--count", "60", "--seed", "7", "--out", "my run"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let (page, config) = (bench.text("my run/report.html"), bench.text("my run/config.toml"));
    assert!(config.contains("length = 6") && config.contains("seed = 7"), "{config}");
    let from = page.find("precept train xor").unwrap();
    let command = page[from..].split(['<', '\n']).next().unwrap();
    let signs =
        [("&#x27;", "'"), ("&#39;", "'"), ("&quot;", "\""), ("&#x2f;", "/"), ("&#47;", "/"), ("&amp;", "&")];
    let command = signs.iter().fold(command.to_owned(), |text, (from, to)| text.replace(from, to));
    std::fs::remove_dir_all(bench.path().join("my run")).unwrap();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_precept")).parent().unwrap();
    let status = std::process::Command::new("sh")
        .args(["-c", &command])
        .env("PATH", format!("{}:/usr/bin:/bin", program.display()))
        .current_dir(bench.path())
        .stdout(std::process::Stdio::null())
        .status();
    assert_eq!(status.unwrap().code(), Some(0), "{command}");
    assert_eq!(bench.text("my run/config.toml"), config, "{command}");
}

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
        assert_eq!(run.code, Some(0), "{task}: {} {}", run.out, run.err);
        let page = bench.text(&format!("{task}/report.html"));
        assert!(page.contains("class=\"figure\"") && page.contains("The rules") && page.contains("</html>"));
        assert!(page.contains("Found and missing") && !page.contains("http:"), "{task}");
        let again = bench.run(&["report", task]);
        assert_eq!((again.code, again.out), (Some(0), format!("Written to {task}/report.html.\n")));
        assert!(bench.text(&format!("{task}/report.html")) == page, "another page of {task}");
        assert!(!bench.path().join(task).join(".lock").exists());
    }
}

#[test]
fn runs_of_a_task_are_compared() {
    let bench = Bench::new();
    let train = |out: &str, seed: &str, length: &str| {
        let flags = ["train", "xor", "--length", length, "--count", "60", "--seed", seed, "--out", out];
        assert_eq!(bench.run(&flags).code, Some(0), "{out}");
    };
    train("one", "1", "6");
    train("two", "2", "6");
    train("three", "1", "8");
    let run = bench.run(&["report", "one", "two", "three"]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(0), "Written to compare.html.\n", ""));
    let page = bench.text("compare.html");
    for text in ["<title>Xor compared: one, two, three</title>", "Settings that differ", "Figures", "</html>"]
    {
        assert!(page.contains(text), "{text}");
    }
    // Settings that differ are listed, others are not.
    let setting = |name: &str| page.contains(&format!("<td>{name}</td>"));
    assert_eq!((setting("seed"), setting("length"), setting("count")), (true, true, false));
    // The figures are those of the runs' own pages, in the order of the runs.
    for (run, own) in [("one", 0), ("two", 1), ("three", 2)] {
        let text = bench.text(&format!("{run}/report.html"));
        let figure = text.lines().find(|line| line.starts_with("<div class=\"figure\">")).unwrap();
        let value = figure.split(['>', '<']).nth(4).unwrap();
        let rows: Vec<&str> = page.split("<tr>").filter(|row| row.contains("answered right")).collect();
        let cells: Vec<&str> = rows[0].split("<td class=\"number\">").skip(1).collect();
        assert!(cells[own].starts_with(value), "{run}: {value} {cells:?}");
    }
    assert!(["<script", "http:", "https:"].iter().all(|text| !page.contains(text)));

    // A page is not written over another unasked, and only runs of one task are compared.
    let again = "precept: compare.html: is already there; --force overwrites it\n";
    assert_eq!(bench.error(&["report", "one", "two"]), again);
    assert_eq!(bench.run(&["report", "one", "two", "--force"]).code, Some(0));
    assert!(!bench.text("compare.html").contains("three"));
    let run = bench.run(&["report", "one", "two", "--out", "b.html"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), "Written to b.html.\n"));
    assert_eq!(
        bench.error(&["report", "one", "--out", "b.html"]),
        "precept: --out and --force are for a comparison of several runs; the page about one is one/report.html\n"
    );
    let other = ["train", "nonogram", "--train", "60", "--test", "2", "--out", "other"];
    assert_eq!(bench.run(&other).code, Some(0));
    assert_eq!(
        bench.error(&["report", "one", "other"]),
        "precept: one is a run of xor, other of nonogram; only runs of one task can be compared\n"
    );

    // A run that has kept no score says how to get one.
    std::fs::remove_file(bench.path().join("two/score.json")).unwrap();
    assert_eq!(bench.run(&["report", "one", "two", "--force"]).code, Some(0));
    assert!(bench.text("compare.html").contains("precept report two scores it anew"));
    assert_eq!(bench.run(&["report", "two"]).code, Some(0));
    assert!(bench.path().join("two/score.json").exists());
}
