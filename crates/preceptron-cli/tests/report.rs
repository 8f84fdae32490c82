//! `precept report` writes the page about a run of any task anew.

mod driver;

use driver::Bench;

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
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{task}: {}", run.out);
        let page = bench.text(&format!("{task}/report.html"));
        assert!(page.contains("class=\"figure\"") && page.contains("The rules") && page.contains("</html>"));
        let again = bench.run(&["report", task]);
        assert_eq!((again.code, again.out), (Some(0), format!("Written to {task}/report.html.\n")));
        assert!(bench.text(&format!("{task}/report.html")) == page, "another page of {task}");
        assert!(!bench.path().join(task).join(".lock").exists());
    }
}
