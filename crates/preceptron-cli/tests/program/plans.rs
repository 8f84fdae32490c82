//! Plans in spreadsheets: checked, mended, filled in.

use crate::driver::Bench;
use insta::assert_snapshot;

/// Two nurses, three days: never early after night, and somebody works at night each day.
const RULES: &str = r#"{"format": "precept rules", "version": 1,
    "variables": {"names": [
        "work[nurse 1, day 1, shift early]", "work[nurse 1, day 1, shift night]",
        "work[nurse 1, day 2, shift early]", "work[nurse 1, day 2, shift night]",
        "work[nurse 2, day 1, shift early]", "work[nurse 2, day 1, shift night]",
        "work[nurse 2, day 2, shift early]", "work[nurse 2, day 2, shift night]", "holiday"],
        "one_hot": [{"block": "work", "axis": "shift"}]},
    "rules": [
        {"literals": [1, 2], "sums": {"range": [1, 1]}}, {"literals": [3, 4], "sums": {"range": [1, 1]}},
        {"literals": [5, 6], "sums": {"range": [1, 1]}}, {"literals": [7, 8], "sums": {"range": [1, 1]}},
        {"literals": [2, 3], "sums": {"range": [0, 1]}}, {"literals": [6, 7], "sums": {"range": [0, 1]}},
        {"literals": [4, 8], "sums": {"range": [1, 1]}}]}"#;

const HEADER: &str = "week;\"work[nurse 1, day 1]\";\"work[nurse 1, day 2]\";\"work[nurse 2, day 1]\";\"work[nurse 2, day 2]\";holiday\n";

fn bench(rows: &str) -> Bench {
    let bench = Bench::new();
    bench.file("rules.json", RULES).file("plan.csv", format!("{HEADER}{rows}"));
    bench
}

#[test]
fn what_breaks_rules_is_told_cell_by_cell() {
    let bench =
        bench("W1;night;early;early;night;no\nW2;early;early;early;night;yes\nW3;early;erly;early;;no\n");
    let run = bench.run(&["check", "rules.json", "plan.csv", "--out", "marked.xlsx"]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert_snapshot!(run.out, @r#"
    plan.csv: 7 rules checked in 3 rows, and broken in 2

    row 2 (W1):
      c915950d569a  not both work[nurse 1, day 1, shift night] and work[nurse 1, day 2, shift early]
        line 2 (work[nurse 1, day 1]) is night
        line 2 (work[nurse 1, day 2]) is early
      mended by 1 change:
        line 2 (work[nurse 1, day 1]) night -> early

    row 4 (W3):
      line 4 (work[nurse 1, day 2]) is "erly", which is none of early, night
      mended by 1 change:
        line 4 (work[nurse 1, day 2]) "erly" -> night

    Written to marked.xlsx.
    "#);
    let again = bench.run(&["check", "rules.json", "marked.xlsx", "--json"]);
    assert_eq!(again.code, Some(1), "{}", again.err);
    let object: serde_json::Value = serde_json::from_str(&again.out).unwrap();
    assert_eq!(object["broken_rows"][0]["broken"][0]["cells"][1]["cell"], "C2");
    assert_eq!(object["broken_rows"][0]["changes"].as_array().unwrap().len(), 1);
    assert_eq!(object["broken_rows"][1]["unknown_values"][0]["value"], "erly");
    assert!(bench.error(&["check", "rules.json", "plan.csv", "--out", "marked.xlsx"]).contains("--force"));
    assert!(
        bench
            .error(&["check", "rules.json", "plan.csv", "--out", "m.ods"])
            .contains("is written as .xlsx or .csv")
    );
}

#[test]
fn a_plan_that_is_right_is_said_to_be() {
    let run = bench("W2;early;early;early;night;yes\n").run(&["check", "rules.json", "plan.csv"]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (Some(0), "plan.csv: all 7 rules hold in 1 row\n"),
        "{}",
        run.err
    );
}

#[test]
fn blanks_are_filled_in_by_wishes() {
    let bench = bench("W1;night!;early?;;?;\n");
    let run = bench.run(&["solve", "rules.json", "--table", "plan.csv", "--out", "filled.csv"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(
        run.out.contains("given up: line 2 (work[nurse 1, day 2]) is early (weight 1), which cannot be with"),
        "{}",
        run.out
    );
    assert!(run.out.contains("not both work[nurse 1, day 1, shift night]"), "{}", run.out);
    let filled = bench.text("filled.csv");
    assert!(filled.lines().nth(1).unwrap().starts_with("W1,night,night,early,early,"), "{filled}");
    let checked = bench.run(&["check", "rules.json", "filled.csv"]);
    assert_eq!(checked.code, Some(0), "{}{}", checked.out, checked.err);
}

#[test]
fn what_cannot_be_filled_in_is_explained() {
    let bench = bench("W1;;night;early;night;no\n");
    let run = bench.run(&["solve", "rules.json", "--table", "plan.csv"]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(
        run.out.contains("these cannot all hold; without any one of them the others can:"),
        "{}",
        run.out
    );
    assert!(run.out.contains("line 2 (work[nurse 1, day 2]) is night"), "{}", run.out);
    assert!(bench.error(&["solve", "rules.json", "--out", "x.csv"]).contains("--out is for a plan"));
    let wrong = bench.file("w.csv", format!("{HEADER}W1;nigth?;;;;\n")).error(&[
        "solve",
        "rules.json",
        "--table",
        "w.csv",
    ]);
    assert!(wrong.contains("is \"nigth?\", which is none of early, night"), "{wrong}");
}

#[test]
fn a_workbook_is_learned_from_and_said_so() {
    let bench = Bench::new();
    let rows: String =
        (0..60).map(|n| format!("{n};{};{}\n", ["ja", "nein"][n % 2], ["nein", "ja"][n % 2])).collect();
    bench.file("t.csv", format!("Plan;;\n;;\nno;a;b\n{rows}"));
    let run = bench.run(&["learn", "t.csv", "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.err.contains("t.csv: columns a, b: ja and nein are Boolean"), "{}", run.err);
    let object: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(object["table"]["variables"], 2);
    assert!(object["table"]["said"].as_array().unwrap().len() > 2);
}
