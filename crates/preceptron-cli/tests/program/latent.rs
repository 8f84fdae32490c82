//! Symbols that are never answers: addition, comparison, parity, and tables whose pictures are never values.

use crate::driver::Bench;
use serde_json::Value;

fn json(bench: &Bench, words: &[&str]) -> Value {
    let run = bench.run(&[words, &["--json"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

#[test]
fn addition_is_found_and_named() {
    let bench = Bench::new();
    let words = ["train", "addition", "--pairs", "1500", "--test", "300", "--steps", "150", "--out", "run"];
    let trained = json(&bench, &words);
    assert_eq!(trained["relation"], serde_json::json!(["y = a + b"]));
    assert_eq!(trained["meaning"]["symmetries"], 1);
    assert_eq!(trained["held_out"]["cells_right"], serde_json::json!([100, 100]));
    let right = trained["held_out"]["rows_right"].as_u64().unwrap();
    assert!(right >= 270, "{right} of 300");
    assert_eq!(&json(&bench, &["eval", "run"])["held_out"], &trained["held_out"]);
    assert!(bench.text("run/report.html").contains("y = a + b"));
    let rules = bench.run(&["rules", "run"]);
    assert!(rules.out.contains("exactly 1 of a[value *]"), "{}", rules.out);

    // New pictures, from a table that the program writes.
    let made = bench.run(&["data", "table", "addition", "--count", "40", "--seed", "9", "--out", "pairs"]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    let table = bench.text("pairs/table.csv");
    let rows: Vec<(&str, &str)> = table.lines().skip(1).map(|line| line.rsplit_once(',').unwrap()).collect();
    let pictures: String = rows.iter().map(|(pictures, _)| format!("{pictures}\n")).collect();
    bench.file("pairs/new.csv", format!("a,b\n{pictures}"));
    let solved = json(&bench, &["solve", "run", "pairs/new.csv"]);
    let found = solved["rows"].as_array().unwrap();
    let is_right =
        |(row, (_, sum)): &(&serde_json::Value, &(&str, &str))| row["values"]["y"]["value"] == *sum;
    let right = found.iter().zip(&rows).filter(is_right).count();
    assert!(found.len() == 40 && right >= 33, "{right} of 40: {solved}");
    assert!(found.iter().all(|row| (0.0..=1.0).contains(&row["confidence"].as_f64().unwrap())));
}

#[test]
fn parity_is_found_and_named() {
    let bench = Bench::new();
    let words = ["train", "parity", "--length", "6", "--examples", "300", "--test", "100", "--steps", "60"];
    let trained = json(&bench, &[&words[..], &["--out", "run"]].concat());
    assert_eq!(trained["relation"], serde_json::json!(["y is the parity of the pictures"]));
    assert_eq!((&trained["meaning"]["symmetries"], &trained["rules"]), (&2.into(), &8.into()));
    assert!(trained["held_out"]["rows_right"].as_u64().unwrap() >= 95, "{}", trained["held_out"]);
}

#[test]
fn comparison_has_a_command() {
    let bench = Bench::new();
    let help = bench.run(&["train", "comparison", "--help"]);
    assert_eq!(help.code, Some(0));
    assert!(help.out.contains("precept train comparison --seed 1"), "{}", help.out);
}

#[test]
fn a_table_whose_pictures_are_never_values_starts_from_clusters() {
    let bench = Bench::new();
    let made = ["data", "table", "addition", "--count", "1200", "--operation", "max", "--out", "pairs"];
    assert_eq!(bench.run(&made).code, Some(0));
    let words = ["train", "pairs", "--symbols", "10", "--steps", "120", "--test", "200", "--out", "run"];
    let run = bench.run(&words);
    assert!(run.code == Some(0) || run.code == Some(1), "{}", run.err);
    assert!(run.out.contains("training began with clusters and a latent table"), "{}", run.out);
    assert!(run.out.contains("of the answers are right"), "{}", run.out);
}

#[test]
fn what_is_wrong_with_such_a_table_is_said_in_a_line() {
    let bench = Bench::new();
    assert_eq!(bench.run(&["data", "table", "addition", "--count", "40", "--out", "pairs"]).code, Some(0));
    let place = bench.path().canonicalize().unwrap().display().to_string();
    let fault = |flags: &[&str]| {
        let message = bench.error(&[&["train", "pairs", "--out", "run"], flags].concat());
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(!bench.path().join("run").exists());
        message.replace(&format!("{place}/"), "")
    };
    let table = bench.text("pairs/table.csv");
    let lines: Vec<&str> = table.lines().collect();
    let write = |lines: &[&str]| {
        bench.file("pairs/table.csv", lines.join("\n") + "\n");
    };
    let pictures = |line: &str| line.rsplit_once(',').unwrap().0.to_owned();

    let message = fault(&["--symbols", "2"]);
    assert!(message.contains("column y: has "), "{message}");
    assert!(message.contains("2 pictures of 2 symbols show 4 different things at the most"), "{message}");

    // The same pictures twice, with another answer.
    let other = format!("{},77", pictures(lines[1]));
    write(&[&lines[..], &[other.as_str()]].concat());
    let message = fault(&[]);
    assert!(
        message.contains("table.csv: row 41, column y: is 77, but row 1 has the same pictures"),
        "{message}"
    );

    // A column of answers with a picture in it.
    let half = format!("{0},{0}", pictures(lines[7]).split_once("\",").unwrap().0.to_owned() + "\"");
    let half = format!("{half},{}", half.split_once("\",").unwrap().0.to_owned() + "\"");
    write(&[&lines[..7], &[half.as_str()], &lines[8..]].concat());
    let message = fault(&[]);
    assert!(
        message.contains("table.csv: row 7, column y: a picture, but row 1 has a value there"),
        "{message}"
    );

    let alone: Vec<String> = lines.iter().map(|line| pictures(line)).collect();
    write(&alone.iter().map(String::as_str).collect::<Vec<_>>());
    let message = fault(&[]);
    assert!(message.contains("row 1, column "), "{message}");
    assert!(message.contains("a table needs a column of answers"), "{message}");

    // A picture that is not there, and one that is none.
    let missing = lines[5].replace("rows/00005.png", "rows/none.png");
    write(&[&lines[..5], &[missing.as_str()], &lines[6..]].concat());
    let message = fault(&[]);
    assert!(message.contains("table.csv: row 5, column "), "{message}");
    assert!(message.contains("rows/none.png: no such file"), "{message}");
    bench.file("pairs/rows/none.png", "nothing");
    assert!(fault(&[]).contains("rows/none.png: neither a PNG nor a JPEG"));
}
