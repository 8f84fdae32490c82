//! Tables whose cells may be pictures: training, evaluation, new rows, and what can be wrong with a table.

use crate::driver::Bench;
use serde_json::Value;

/// A folder `squares` with a table of Latin squares, half of them pictures.
fn squares(rows: &str) -> Bench {
    let bench = Bench::new();
    let made = bench.run(&["data", "table", "latin", "--rows", rows, "--out", "squares"]);
    assert_eq!((made.code, made.err.as_str()), (Some(0), ""));
    assert!(made.out.starts_with(&format!("{rows} rows in squares/table.csv")), "{}", made.out);
    bench
}

fn json(bench: &Bench, words: &[&str]) -> Value {
    let run = bench.run(&[words, &["--json"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

/// The table's first row with its values taken out: pictures alone.
fn pictures_alone(bench: &Bench) -> String {
    let table = bench.text("squares/table.csv");
    let mut lines = table.lines();
    let (header, row) = (lines.next().unwrap(), lines.next().unwrap());
    // Commas in quotes are parts of names.
    let is_value = |cell: &&str| ["circle", "cross", "square", "triangle"].contains(cell);
    let cells: Vec<&str> = row.split(',').map(|cell| if is_value(&cell) { "" } else { cell }).collect();
    format!("{header}\n{}\n", cells.join(","))
}

#[test]
fn signs_that_nobody_named_are_read_and_squares_completed() {
    let bench = squares("400");
    let trained = json(&bench, &["train", "squares", "--steps", "200", "--test", "60", "--out", "run"]);
    assert_eq!(trained["rules"], 48);
    let held_out = &trained["held_out"];
    let [read, pictures] = ["pictures_read", "pictures"].map(|key| held_out[key].as_u64().unwrap());
    assert!(pictures > 300 && read * 100 >= pictures * 97, "{held_out}");
    let right = held_out["rows_right"].as_u64().unwrap();
    assert!(right >= 57, "{held_out}");
    // The same figures from the run.
    assert_eq!(&json(&bench, &["eval", "run"])["held_out"], held_out);
    let rules = bench.run(&["rules", "run"]);
    assert!(
        rules.out.contains("for every row and value: exactly 1 of cell[row, column *, value]"),
        "{}",
        rules.out
    );
    assert!(bench.text("run/report.html").contains("of rows completed right"));

    // A new row of pictures alone.
    bench.file("squares/new.csv", pictures_alone(&bench));
    let solved = json(&bench, &["solve", "run", "squares/new.csv"]);
    let row = &solved["rows"][0];
    assert_eq!(row["unique"], true);
    let truth = bench.text("squares/table.csv");
    let found: Vec<&Value> = row["values"].as_object().unwrap().values().collect();
    assert_eq!(found.iter().filter(|cell| cell["is"] == "found").count(), 8);
    let count = |sign: &str| found.iter().filter(|cell| cell["value"] == sign).count();
    assert_eq!(["circle", "cross", "square", "triangle"].map(count), [4; 4], "{row} {truth}");
    let written = bench.run(&["solve", "run", "squares/new.csv", "--out", "done.csv"]);
    assert_eq!(written.code, Some(0), "{}", written.err);
    assert_eq!(bench.text("done.csv").lines().count(), 2);
    let again = bench.error(&["solve", "run", "squares/new.csv", "--out", "done.csv"]);
    assert_eq!(again, "precept: done.csv: is already there; --force overwrites it\n");

    // Values that the run has never seen, and columns.
    bench.file("other.csv", "\"cell[row 1, column 1]\"\nstar\n");
    let message = bench.error(&["solve", "run", "other.csv"]);
    assert!(message.contains("\"star\" never occurs in the table that the run was trained on"), "{message}");
    bench.file("other.csv", "colour\nred\n");
    let message = bench.error(&["solve", "run", "other.csv"]);
    assert!(
        message.contains("column colour: the table that the run was trained on has no such column"),
        "{message}"
    );
}

#[test]
fn what_is_wrong_with_a_table_is_said_in_a_line_and_leaves_nothing() {
    let bench = squares("20");
    let train = |table: &str| {
        let message = bench.error(&["train", table, "--out", "run"]);
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(!bench.path().join("run").exists());
        message
    };
    let place = bench.path().canonicalize().unwrap().display().to_string();
    let without = |message: String| message.replace(&format!("{place}/"), "");
    std::fs::rename(bench.path().join("squares/rows/00007.png"), bench.path().join("away")).unwrap();
    let message = without(train("squares"));
    assert!(message.starts_with("precept: squares/table.csv: row 7, column cell[row "), "{message}");
    assert!(message.ends_with("rows/00007.png: no such file\n"), "{message}");
    bench.file("squares/rows/00007.png", "no picture");
    let message = without(train("squares"));
    assert!(message.ends_with("rows/00007.png: neither a PNG nor a JPEG\n"), "{message}");
    std::fs::rename(bench.path().join("away"), bench.path().join("squares/rows/00007.png")).unwrap();
    let few = bench.error(&["train", "squares", "--alphabet", "circle,cross", "--out", "run"]);
    assert!(few.contains(": row 1, column cell[row "), "{few}");
    assert!(few.contains("is not among the symbols that pictures may show; see --alphabet"), "{few}");
    let few = bench.error(&["train", "squares", "--test", "20", "--out", "run"]);
    assert!(few.contains("20 of 20 rows cannot be for tests; see --test"), "{few}");

    bench.file(
        "pairs.csv",
        "a,b,y\nsquares/rows/00001.png,squares/rows/00002.png,3\nsquares/rows/00003.png,,4\n",
    );
    let message = train("pairs.csv");
    assert!(
        message.contains("1 of 2 rows have a picture in each of the columns a, b and a value in"),
        "{message}"
    );
    bench.file("plain.csv", "a,b\n1,2\n2,1\n");
    assert!(train("plain.csv").contains("no cell names a picture"));
    assert!(train("nothing.csv").ends_with("nothing.csv: no such file\n"));
    std::fs::create_dir(bench.path().join("empty")).unwrap();
    assert!(train("empty").contains("there is no table in this folder"));
}
