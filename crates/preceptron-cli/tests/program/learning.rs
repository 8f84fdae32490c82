//! `precept learn` from a table to the rules on the screen and in a file.

use crate::driver::{Bench, squares};
use insta::assert_snapshot;

#[test]
fn rules_are_found_and_written() {
    let bench = Bench::new();
    let run = bench.file("squares.csv", squares()).run(&["learn", "squares.csv", "--out", "rules.json"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert!(run.out.starts_with("squares.csv: 60 examples of 8 variables, 100% observed\n"), "{}", run.out);
    assert!(run.out.contains("\nIs this enough data?\n  "), "{}", run.out);
    assert!(run.out.contains("\nWritten to rules.json.\n"), "{}", run.out);
    assert!(run.out.contains("\n  precept export rules.json --format opb\n"), "{}", run.out);
    let written = preceptron_logic::json::read(&bench.text("rules.json")).unwrap();
    assert!(!written.is_empty());
    assert_eq!(written.notes["source"], "squares.csv");
    let files: Vec<_> = std::fs::read_dir(bench.path()).unwrap().map(|f| f.unwrap().file_name()).collect();
    assert_eq!(files.len(), 2, "no temporary file is left: {files:?}");
}

#[test]
fn standard_input_crlf_and_bom() {
    let bench = Bench::new();
    let input = format!("\u{feff}{}", squares().replace('\n', "\r\n"));
    let run = bench.run_with(&["learn", "-"], &input);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.starts_with("standard input: 60 examples of 8 variables"), "{}", run.out);
}

#[test]
fn categories_are_reported() {
    let bench = Bench::new();
    let table = "\"work[nurse 1]\",\"work[nurse 2]\",x\noff,early,0\nearly,,1\n";
    let run = bench.file("t.csv", table).run(&["learn", "t.csv", "--value-axis", "shift"]);
    let head: Vec<&str> = run.out.lines().take(2).collect();
    assert_snapshot!(head.join("\n"), @"
    t.csv: 2 examples of 5 variables, 80.0% observed
      column work[nurse]: 2 categorical columns became one-hot axis `shift` (early, off)
    ");
}

#[test]
fn no_rule_is_an_answer() {
    let bench = Bench::new();
    let rows: String = (0..64).map(|n| format!("{},{},{}\n", n & 1, n >> 1 & 1, n >> 2 & 1)).collect();
    let run = bench.file("t.csv", format!("a,b,c\n{rows}")).run(&["learn", "t.csv"]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    assert!(run.out.contains("\nNo rule was found: "), "{}", run.out);
    let run = bench.run(&["learn", "t.csv", "--json"]);
    assert_eq!(run.code, Some(1));
    let object: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(object["rules"]["rules"], serde_json::json!([]));
}

#[test]
fn one_json_object() {
    let bench = Bench::new();
    let run = bench.file("t.csv", squares()).run(&["learn", "t.csv", "--json", "--dropped"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let object: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let keys: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    assert_snapshot!(keys.join(" "), @"dropped dropped_candidates lifted rank report rules suspects table threshold verdict wrong");
    let rules = preceptron_logic::json::read(&object["rules"].to_string()).unwrap();
    let lifted = object["lifted"].as_array().unwrap();
    // A rule can be in more than one family, and is in at least one.
    let members: std::collections::BTreeSet<&str> =
        lifted.iter().flat_map(|f| f["rules"].as_array().unwrap()).map(|id| id.as_str().unwrap()).collect();
    assert_eq!(members.len(), rules.len());
    assert_eq!(object["table"]["examples"], 60);
}

#[test]
fn files_are_not_overwritten_unasked() {
    let bench = Bench::new();
    bench.file("t.csv", squares()).file("r.json", "mine");
    // The table is not even looked for before the place to write is known to be good.
    assert_snapshot!(bench.error(&["learn", "no.csv", "--out", "r.json"]), @"precept: r.json: is already there; --force overwrites it");
    assert_eq!(bench.text("r.json"), "mine");
    assert_snapshot!(bench.error(&["learn", "no.csv", "--out", "no/r.json"]), @"precept: no/r.json: there is no directory no");
    std::fs::create_dir(bench.path().join("d")).unwrap();
    assert_snapshot!(bench.error(&["learn", "no.csv", "--out", "d"]), @"precept: d: is a directory, not a file to write");
    assert_eq!(bench.run(&["learn", "t.csv", "--out", "r.json", "--force"]).code, Some(0));
    assert!(preceptron_logic::json::read(&bench.text("r.json")).is_ok());
}

#[test]
fn threads_do_not_matter() {
    let bench = Bench::new();
    bench.file("t.csv", squares());
    let rules = |threads: &str| {
        assert_eq!(
            bench.run(&["learn", "t.csv", "--threads", threads, "--out", "r.json", "--force"]).code,
            Some(0)
        );
        bench.text("r.json")
    };
    assert_eq!(rules("1"), rules("3"));
}

#[test]
fn settings_are_checked() {
    let bench = Bench::new();
    bench.file("t.csv", squares()).file("s.toml", "seed = 3\nform = \"paper\"\n");
    bench.file("bad.toml", "seed = 3\nsede = 4\n").file("type.toml", "seed = \"x\"\n");
    assert_eq!(bench.run(&["learn", "t.csv", "--config", "s.toml", "--bound", "1..3"]).code, Some(0));
    assert_snapshot!(bench.error(&["learn", "t.csv", "--config", "bad.toml"]), @"precept: bad.toml: line 2: unknown field `sede`, expected one of `seed`, `form`, `least_squares`, `cliques`, `counting`, `templates`, `parity`, `trust_region`, `proximal`, `dc_penalty`, `iterations`, `rows`, `neighbours`, `bound`, `patience`, `rounds`, `threshold`, `auto_threshold`, `false_alarm`, `clause_literals`, `clause_budget`, `situations`, `stability`");
    assert_snapshot!(bench.error(&["learn", "t.csv", "--config", "type.toml"]), @r#"precept: type.toml: line 1: invalid type: string "x", expected u64"#);
    assert_snapshot!(bench.error(&["learn", "t.csv", "--config", "no.toml"]), @"precept: no.toml: cannot be read: No such file or directory (os error 2)");
    assert_snapshot!(bench.error(&["learn", "t.csv", "--threshold", "40%"]), @"precept: threshold = 0.4 is out of range: above 0.5, to 1");
    assert_snapshot!(bench.error(&["learn", "t.csv", "--bound", "5..3"]), @"precept: bound = 3 is out of range: a sweep from a smaller to a larger sum");
    assert!(bench.error(&["learn", "t.csv", "--bound", "x"]).contains("updated:B"));
    assert!(bench.error(&["learn", "t.csv", "--threads", "0"]).contains("0 is not in 1..=1024"));
    bench.run(&["learn", "t.csv", "--config", "s.toml", "--seed", "9", "--out", "r.json", "--ntr"]);
    let rules = preceptron_logic::json::read(&bench.text("r.json")).unwrap();
    let settings: serde_json::Value = serde_json::from_str(&rules.notes["settings"]).unwrap();
    assert_eq!(settings["seed"], 9);
    assert_eq!(settings["form"], "paper");
    assert_eq!(settings["trust_region"], 0.0);
}

/// A table of three colours, of which one is chosen, and a spare bit.
fn colours() -> String {
    let row = |n: u32| {
        format!("{},{},{},{}\n", n % 3 / 2, n % 3 % 2, u32::from(n.is_multiple_of(3)), u32::from(n % 7 < 3))
    };
    format!("red,green,blue,spare\n{}", (0..90).map(row).collect::<String>())
}

#[test]
fn given_rules_are_kept_and_not_learned() {
    let bench = Bench::new();
    bench.file("t.csv", colours());
    // Exactly one colour is what there is to learn, and what this file says.
    let one = "* #variable= 3 #constraint= 2\n* name x1 blue\n* name x2 red\n* name x3 green\n";
    let given = format!("{one}+1 x1 +1 x2 +1 x3 >= 1 ;\n-1 x1 -1 x2 -1 x3 >= -1 ;\n");
    bench.file("known.opb", given);
    let run = bench.run(&["learn", "t.csv", "--given", "known.opb", "--out", "r.json"]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""), "{}", run.out);
    let rules = preceptron_logic::json::read(&bench.text("r.json")).unwrap();
    assert!(rules.rules().iter().all(|r| r.origin == preceptron_logic::Origin::Given), "{:?}", rules.rules());
    assert!(!rules.is_empty());
    assert!(rules.rules().iter().all(|r| r.evidence.satisfied == 90));
}

#[test]
fn given_rules_meet_the_table() {
    let bench = Bench::new();
    bench.file("t.csv", colours());
    let rules = |names: [&str; 2]| {
        let variables = preceptron_logic::Variables::from_names(names).unwrap();
        let both = variables.iter().map(|v| v.positive()).collect::<Vec<_>>();
        let rule = preceptron_logic::Rule::given(preceptron_logic::Constraint::exactly(1, both));
        preceptron_logic::json::write(&preceptron_logic::RuleSet::with_rules(variables, [rule]))
    };
    bench.file("wrong.json", rules(["green", "red"])).file("unknown.json", rules(["red", "yellow"]));
    assert_snapshot!(bench.error(&["learn", "t.csv", "--given", "unknown.json"]), @r#"precept: unknown.json: rule 1 names "yellow", which is not among the variables"#);
    assert_snapshot!(bench.error(&["learn", "t.csv", "--given", "no.json"]), @"precept: no.json: no such file");
    let kept = bench.run(&["learn", "t.csv", "--given", "wrong.json"]);
    assert!(kept.out.contains("\nGiven, and violated by 30 of 90 examples: "), "{}", kept.out);
    let soft = bench.run(&["learn", "t.csv", "--given", "wrong.json", "--given-soft", "--out", "r.json"]);
    assert!(
        soft.out.contains("\nGiven and dropped, as 66.6% satisfy it and example 1 does not: "),
        "{}",
        soft.out
    );
    let rules = preceptron_logic::json::read(&bench.text("r.json")).unwrap();
    assert!(rules.rules().iter().all(|r| r.origin != preceptron_logic::Origin::Given));
    assert_eq!(soft.code, Some(0));
    let loose = ["learn", "t.csv", "--given", "wrong.json", "--given-soft", "--threshold", "60%"];
    let loose = bench.run(&loose);
    assert!(loose.out.contains("Given, and violated by 30 of 90"), "{}", loose.out);
}
