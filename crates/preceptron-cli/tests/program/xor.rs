//! `precept train xor`, `precept eval` and `precept bench xor`, and runs as sources of rules.

use crate::driver::Bench;
use insta::assert_snapshot;
use serde_json::Value;

const SMALL: [&str; 6] = ["train", "xor", "--length", "12", "--count", "150"];

fn trained(flags: &[&str]) -> (Bench, String) {
    let bench = Bench::new();
    let run = bench.run(&[&SMALL, flags].concat());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    (bench, run.out)
}

/// The text with the seconds, which differ from time to time, taken out.
fn timeless(text: &str) -> String {
    let word = |line: &str| match line.rsplit_once(", ") {
        Some((line, seconds)) if seconds.ends_with(" s") => format!("{line}, T s"),
        _ => line.to_owned(),
    };
    text.lines().map(word).collect::<Vec<_>>().join("\n")
}

#[test]
fn all_bits_matter() {
    let (bench, out) = trained(&[]);
    assert_snapshot!(timeless(&out), @"
    xor: 150 strings of 12 bits, all of which matter; 50.0% ones, seed 0
      1000 strings that were not trained on, to score rules by

    auxiliary came to rest after 53 steps
      1 distinct row
      x[position 1] + x[position 2] + ... + x[position 12] + y in {0, 2, ..., 12}
      that is, an even number (0, 2, 4, ...) of x[position *], y
      5 different sums from 2 to 10 were seen, all even; every even sum is allowed, seen or not
      names exactly the 12 bits that matter

    parity came to rest after 1 step
      x[position 1] + x[position 2] + ... + x[position 12] + y in {0, 2, ..., 12}
      that is, an even number (0, 2, 4, ...) of x[position *], y
      names exactly the 12 bits that matter

                                                    F1    F1                  if
      on strings held out               accuracy  of 0  of 1  undecided  guessed
      auxiliary                             100%  100%  100%       0.0%     100%
      parity                                100%  100%  100%       0.0%     100%
      control: all ones from the start      100%  100%  100%       0.0%     100%

    The control learns nothing but the sums, and its rule is that of the auxiliary form: a bound as large
    as the string drives every weight to 1, whichever bits matter. Only elimination finds those.

    The run's rules are those by parity.

    Written to runs/xor-12-0; all of it on one page: runs/xor-12-0/report.html

    Next:
      precept eval runs/xor-12-0 --seed 1
      precept rules runs/xor-12-0
      precept export runs/xor-12-0 --format opb
    ");
    let mut files: Vec<_> = std::fs::read_dir(bench.path().join("runs/xor-12-0"))
        .unwrap()
        .map(|f| f.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    files.sort();
    // The name of the file of events ends in the run's id.
    files.iter_mut().filter(|file| file.starts_with("events")).for_each(|file| file.truncate(30));
    assert_eq!(
        files,
        [
            "config.toml",
            "events.out.tfevents.0000000001",
            "metrics.jsonl",
            "report.html",
            "rules.auxiliary.json",
            "rules.json",
            "rules.parity.json",
            "score.json",
            "training.json"
        ]
    );
    let lines = bench.text("runs/xor-12-0/metrics.jsonl");
    let steps: Vec<Value> = lines.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&steps[0]["step"], &steps[0]["learner"]), (&1.into(), &"xor".into()));
    assert_eq!(steps.last().unwrap()["stop"], "settled");
}

#[test]
fn a_run_is_a_source_of_rules() {
    let (bench, _) = trained(&["--irrelevant", "50%", "--seed", "3", "--out", "half"]);
    let shown = bench.run(&["rules", "half"]);
    assert_eq!(shown.code, Some(0));
    assert!(shown.out.starts_with("half: 1 rule over 13 variables"), "{}", shown.out);
    assert!(shown.out.contains("an even number (0, 2, 4, ...) of x[position {"), "{}", shown.out);
    let exported = bench.run(&["export", "half", "--format", "json"]);
    assert_eq!(exported.out, bench.text("half/rules.json"));
    assert_eq!(bench.run(&["rules", "half", "--compare", "half/rules.parity.json"]).code, Some(0));
    assert_eq!(bench.run(&["rules", "half", "--compare", "half/rules.auxiliary.json"]).code, Some(1));
}

#[test]
fn evaluation_is_on_fresh_strings() {
    let (bench, out) = trained(&["--irrelevant", "0.5", "--seed", "3", "--ones", "0.3", "--out", "half"]);
    let table = |text: &str| {
        text.lines().filter(|l| l.contains('%') && l.starts_with("  ")).collect::<Vec<_>>().join("\n")
    };
    let same = bench.run(&["eval", "half"]);
    assert_eq!((same.code, table(&same.out)), (Some(0), table(&out)));
    let run = bench.run(&["eval", "half", "--count", "300", "--seed", "8", "--json"]);
    let object: Value = serde_json::from_str(&run.out).unwrap();
    let methods = object["methods"].as_array().unwrap();
    let names: Vec<&str> = methods.iter().map(|m| m["method"].as_str().unwrap()).collect();
    assert_eq!(names, ["auxiliary", "parity", "control"]);
    assert_eq!(methods[1]["held_out"]["strings"], 300.0);
    assert_eq!(methods[1]["held_out"]["accuracy"], 1.0);
    assert!(methods[0]["held_out"]["accuracy"].as_f64().unwrap() < 0.5);
}

#[test]
fn equal_runs_leave_equal_files() {
    let ((a, _), (b, _)) = (trained(&["--order", "authors"]), trained(&["--order", "authors"]));
    for file in ["config.toml", "metrics.jsonl", "rules.json", "rules.auxiliary.json"] {
        let file = format!("runs/xor-12-0/{file}");
        assert_eq!(a.text(&file), b.text(&file), "{file}");
    }
}

#[test]
fn one_json_object() {
    let (_, out) = trained(&["--json", "--method", "auxiliary"]);
    let object: Value = serde_json::from_str(&out).unwrap();
    let keys: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    assert_snapshot!(keys.join(" "), @"kept methods relevant run seed settings task");
    assert_eq!((&object["kept"], &object["settings"]["count"]), (&"auxiliary".into(), &150.into()));
    let method = &object["methods"][0];
    assert_eq!(method["names_exactly_the_relevant_bits"], true);
    assert_eq!(method["found"]["distinct_rows"], 1);
    assert_eq!(object["methods"][1]["method"], "control");
}

#[test]
fn too_few_strings_give_no_rule_by_elimination() {
    let bench = Bench::new();
    let run = bench.run(&["train", "xor", "--length", "12", "--count", "20", "--method", "parity"]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    assert!(run.out.contains("\n  no rule was found\n"), "{}", run.out);
}

#[test]
fn what_is_wrong_is_said() {
    let (bench, _) = trained(&[]);
    std::fs::create_dir_all(bench.path().join("other")).unwrap();
    bench.file("other/thesis.tex", "mine");
    assert_snapshot!(bench.error(&SMALL), @"precept: runs/xor-12-0: is already there; --force overwrites it");
    assert_snapshot!(bench.error(&[&SMALL[..], &["--out", "other", "--force"]].concat()), @"precept: other: is not a run: it has no config.toml");
    assert_snapshot!(bench.error(&["train", "xor", "--length", "1"]), @"precept: length = 1 is out of range: 2 to 4000");
    assert_snapshot!(bench.error(&["train", "xor", "--length", "9", "--ones", "1.5"]), @"precept: ones = 1.5 is out of range: above 0, below 1");
    assert_snapshot!(bench.error(&["train", "xor", "--length", "9", "--ridge", "0"]), @"precept: ridge = 0 is out of range: 0.001 to 1000000");
    assert_snapshot!(bench.error(&["eval", "no"]), @"precept: no: no such run");
    assert_snapshot!(bench.error(&["eval", "other"]), @"precept: other: is not a run: it has no config.toml");
    bench.file("runs/xor-12-0/rules.parity.json", "{");
    assert_snapshot!(bench.error(&["eval", "runs/xor-12-0"]), @"precept: runs/xor-12-0: rules.parity.json is damaged: not a rule set: EOF while parsing an object at line 1 column 1");
    std::fs::remove_file(bench.path().join("runs/xor-12-0/rules.json")).unwrap();
    assert_snapshot!(bench.error(&["rules", "runs/xor-12-0"]), @"precept: runs/xor-12-0: rules.json is missing: training did not come to its end");
    let config = bench.text("runs/xor-12-0/config.toml");
    assert_eq!(bench.run(&[&SMALL[..], &["--force"]].concat()).code, Some(0));
    assert_eq!(bench.text("runs/xor-12-0/config.toml"), config);
    bench.file("runs/xor-12-0/config.toml", config.replace("length = 12", "length = -1"));
    assert_snapshot!(bench.error(&["eval", "runs/xor-12-0"]), @"precept: runs/xor-12-0: config.toml is damaged: invalid value: integer `-1`, expected u32");
    bench.file("runs/xor-12-0/config.toml", config.replace("\"xor\"", "\"chess\""));
    assert_snapshot!(bench.error(&["eval", "runs/xor-12-0"]), @"precept: runs/xor-12-0: there is no task \"chess\"");
}

#[test]
fn a_table_by_length() {
    let bench = Bench::new();
    let flags =
        ["bench", "xor", "--lengths", "8,12", "--seeds", "2", "--count", "120", "--irrelevant", "0.5"];
    let run = bench.run(&flags);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let columns = |line: &str| line.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
    let parity: Vec<String> = run.out.lines().filter(|l| l.contains("parity")).map(columns).collect();
    assert_eq!(parity, ["parity 8 100% 100%", "parity 12 100% 100%"]);
    let run = bench.run(&[&flags[..], &["--json"]].concat());
    let object: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(object["rows"].as_array().unwrap().len(), 6);
    assert_eq!(bench.run(&["bench", "xor", "--lengths", "8,1"]).code, Some(2));
}

/// With so strong a proximal term the weights stay where they are, neither 0 nor 1: only Ctrl-C ends it.
#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_there() {
    use std::process::{Command, Stdio};
    let bench = Bench::new();
    let child = Command::new(env!("CARGO_BIN_EXE_precept"))
        .args([
            "train",
            "xor",
            "--length",
            "60",
            "--count",
            "100",
            "--proximal",
            "1000000",
            "--iterations",
            "1000000",
        ])
        .current_dir(bench.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let metrics = bench.path().join("runs/xor-60-0/metrics.jsonl");
    while std::fs::metadata(&metrics).map_or(0, |file| file.len()) == 0 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(
        Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap().success()
    );
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(
        out.starts_with("Training was interrupted after ") && out.contains("--resume runs/xor-60-0"),
        "{out}"
    );
    let rules = preceptron_logic::json::read(&bench.text("runs/xor-60-0/rules.auxiliary.json")).unwrap();
    assert!(rules.notes.contains_key("interrupted"));
    assert_eq!(bench.run(&["eval", "runs/xor-60-0"]).code, Some(0));
}
