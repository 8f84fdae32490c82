//! `precept rules` and `precept export` on files of rules.

use crate::driver::Bench;
use insta::assert_snapshot;
use preceptron_logic::{Constraint, Rule, RuleSet, Variables, json};

/// Two rules over four variables, and the ids of both.
fn bench() -> (Bench, [String; 2]) {
    let bench = Bench::new();
    let names = Variables::from_names(["a", "b", "c", "d"]).unwrap();
    let literal = |name: &str| names.find(name).unwrap().positive();
    let first = Constraint::exactly(1, [literal("a"), literal("b")]);
    let second = Constraint::at_most(1, [literal("b"), literal("c"), literal("d")]);
    let ids = [first.id().to_string(), second.id().to_string()];
    let set = |rules: &[&Constraint]| {
        json::write(&RuleSet::with_rules(names.clone(), rules.iter().map(|c| Rule::given((*c).clone()))))
    };
    bench.file("both.json", set(&[&first, &second])).file("one.json", set(&[&first]));
    (bench, ids)
}

#[test]
fn rules_are_listed() {
    let (bench, ids) = bench();
    let run = bench.run(&["rules", "both.json", "--ground"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert!(run.out.starts_with("both.json: 2 rules over 4 variables; rank 2, of the equalities 1\n"));
    assert!(ids.iter().all(|id| run.out.contains(id)), "{}", run.out);
    let run = bench.run(&["rules", "both.json", "--ground", "--show", "1"]);
    assert!(run.out.ends_with("... and 1 more (--show)\n"), "{}", run.out);
    assert_eq!(bench.run(&["rules", "both.json"]).code, Some(0));
    let object: serde_json::Value =
        serde_json::from_str(&bench.run(&["rules", "both.json", "--json"]).out).unwrap();
    assert_eq!((&object["rank"], &object["equality_rank"]), (&2.into(), &1.into()));
}

#[test]
fn one_rule_is_explained_by_the_start_of_its_id() {
    let (bench, ids) = bench();
    let run = bench.run(&["rules", "both.json", "--explain", &ids[1][..4]]);
    assert!(run.out.starts_with(&ids[1]) && run.out.contains("Given, not learned."), "{}", run.out);
    assert_eq!(bench.run(&["rules", "both.json", "--explain", &ids[1].to_uppercase()]).out, run.out);
    assert_snapshot!(bench.error(&["rules", "both.json", "--explain", "xyz"]), @r#"precept: no rule's id begins with "xyz"; precept rules both.json --ground lists them"#);
    assert_snapshot!(bench.error(&["rules", "both.json", "--explain", ""]), @r#"precept: 2 rules' ids begin with "": a60d5f92d2ef, 5bbd6a8de0a8"#);
}

#[test]
fn sets_are_compared() {
    let (bench, ids) = bench();
    let run = bench.run(&["rules", "both.json", "--compare", "both.json"]);
    assert_eq!(run.code, Some(0));
    assert!(run.out.contains("2 equal, 0 missing from both.json, 0 extra in it"), "{}", run.out);
    let run = bench.run(&["rules", "one.json", "--compare", "both.json"]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("1 equal, 1 missing from one.json") && run.out.contains(&ids[1]), "{}", run.out);
    let run = bench.run(&["rules", "both.json", "--compare", "one.json", "--json"]);
    assert_eq!(run.code, Some(1));
    let object: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&object["equal"], &object["extra"][0]["id"]), (&1.into(), &ids[1].as_str().into()));
}

#[test]
fn rules_are_exported() {
    let (bench, _) = bench();
    let run = bench.run(&["export", "both.json", "--format", "json"]);
    assert_eq!((run.code, run.out), (Some(0), bench.text("both.json")));
    assert_eq!(bench.run(&["export", "both.json", "--out", "copy.json"]).code, Some(0));
    assert_eq!(bench.text("copy.json"), bench.text("both.json"));
    assert_snapshot!(bench.error(&["export", "both.json", "--out", "copy.json"]), @"precept: copy.json: is already there; --force overwrites it");
    assert_eq!(bench.run(&["export", "one.json", "--out", "copy.json", "--force"]).code, Some(0));
    assert_eq!(bench.text("copy.json"), bench.text("one.json"));
    assert_snapshot!(bench.error(&["export", "both.json"]), @"precept: say which --format to write, or a file with --out");
    assert_snapshot!(bench.error(&["export", "both.json", "--out", "copy.xyz"]), @"precept: copy.xyz: no format is known by that name; say --format");
}

#[test]
fn files_that_are_no_rules() {
    let (bench, _) = bench();
    bench.file("broken.json", "{").file("other.json", "{}").file("rules.xyz", "").file("bytes.json", b"\xff");
    let errors: String = ["no.json", ".", "broken.json", "other.json", "rules.xyz", "bytes.json"]
        .iter()
        .map(|name| bench.error(&["rules", name]))
        .collect();
    assert_snapshot!(errors, @r#"
    precept: no.json: no such file
    precept: .: is a directory, neither a file of rules nor a run
    precept: broken.json: not a rule set: EOF while parsing an object at line 1 column 1
    precept: other.json: the field "format" is ""; a rule set says "precept rules"
    precept: rules.xyz: no format is known by that name; say --from
    precept: bytes.json: is not valid UTF-8
    "#);
    assert_snapshot!(bench.error(&["rules", "one.json", "--compare", "no.json"]), @"precept: no.json: no such file");
}

#[test]
fn names_cannot_steer_a_terminal() {
    let bench = Bench::new();
    let table = format!("a\u{202e}b,c\n{}", "1,0\n0,1\n".repeat(40));
    bench.file("t.csv", table);
    let learned = bench.run(&["learn", "t.csv", "--out", "r.json"]);
    assert_eq!((learned.code, learned.err.as_str()), (Some(0), ""));
    let shown = bench.run(&["rules", "r.json"]).out;
    for text in [learned.out, shown] {
        assert!(text.contains("a\\u202eb"), "{text}");
        assert!(!text.contains('\u{202e}'), "{text}");
    }
    // To a program the names are what they are, and files have them as they are.
    let json: serde_json::Value =
        serde_json::from_str(&bench.run(&["rules", "r.json", "--json"]).out).unwrap();
    assert_eq!(json["rules"]["variables"]["names"][0], "a\u{202e}b");
    let exported = bench.run(&["export", "r.json", "--format", "opb"]).out;
    assert!(exported.contains("a\u{202e}b"), "{exported}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    use std::process::{Command, Stdio};
    let (bench, _) = bench();
    let mut child = Command::new(env!("CARGO_BIN_EXE_precept"))
        .args(["rules", "both.json"])
        .current_dir(bench.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), String::new()));
}

#[test]
fn help_version_manual_and_completions() {
    let (bench, _) = bench();
    for arguments in [
        &["--help"][..],
        &["learn", "--help"],
        &["rules", "--help"],
        &["export", "--help"],
        &["solve", "--help"],
        &["certify", "--help"],
        &["man"],
        &["man", "learn"],
        &["man", "solve"],
        &["completions", "bash"],
        &["completions", "zsh"],
        &["completions", "fish"],
    ] {
        let run = bench.run(arguments);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{arguments:?}");
        assert!(run.out.contains("precept") && run.out.len() > 300, "{arguments:?}: {}", run.out);
    }
    assert_eq!(bench.run(&["--version"]).out, concat!("precept ", env!("CARGO_PKG_VERSION"), "\n"));
    assert_eq!(bench.run(&[]).code, Some(2));
}
