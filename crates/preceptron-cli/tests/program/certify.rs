//! `precept certify` on files of rules.

use crate::driver::Bench;
use insta::assert_snapshot;

/// Exactly one of three, said in two ways, and less than that.
fn bench() -> Bench {
    let bench = Bench::new();
    bench
        .file("one.opb", "+1 x1 +1 x2 +1 x3 = 1 ;\n")
        .file(
            "parts.opb",
            "+1 x3 +1 x2 +1 x1 >= 1 ;\n-1 x1 -1 x2 >= -1 ;\n-1 x1 -1 x3 >= -1 ;\n-1 x2 -1 x3 >= -1 ;\n",
        )
        .file("least.opb", "+1 x1 +1 x2 +1 x3 >= 1 ;\n");
    bench
}

#[test]
fn sets_that_say_the_same() {
    let run = bench().run(&["certify", "one.opb", "parts.opb"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert_snapshot!(run.out, @"
    equivalent: one.opb and parts.opb imply each other
    one.opb: none of 1 rule is redundant
    parts.opb: none of 4 rules is redundant
    ");
    let run = bench().run(&["certify", "one.opb", "parts.opb", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &object["equivalent"]), (Some(0), &true.into()));
}

#[test]
fn sets_that_do_not() {
    let run = bench().run(&["certify", "least.opb", "parts.opb", "--show", "2"]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    assert_snapshot!(run.out, @"
    not equivalent
    least.opb does not imply 3 rules of parts.opb:
      3f545879a6ca  not both x1 and x2
      is violated, and least.opb is obeyed, where these are true and all others false:
      x1, x2
      ff4061567c14  not both x1 and x3
      is violated, and least.opb is obeyed, where these are true and all others false:
      x1, x2, x3
      ... and 1 more (--show)
    parts.opb implies all rules of least.opb
    least.opb: none of 1 rule is redundant
    parts.opb: none of 4 rules is redundant
    ");
    let run = bench().run(&["certify", "one.opb", "least.opb", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &object["missing"]), (Some(1), &serde_json::json!([])));
    assert!(object["extra"][0]["true"].as_array().unwrap().len() > 1, "{object}");
}

#[test]
fn redundant_rules_of_one_set() {
    let bench = bench();
    let both = bench.text("one.opb") + &bench.text("parts.opb");
    let run = bench.file("both.opb", &both).run(&["certify", "both.opb"]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    assert_snapshot!(run.out, @"
    both.opb: 4 of 5 rules redundant:
      bed629871895  at least 1 of x1, x2, x3
      3f545879a6ca  not both x1 and x2
      ff4061567c14  not both x1 and x3
      c915950d569a  not both x2 and x3
    ");
    let run = bench.run(&["certify", "parts.opb"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), "parts.opb: none of 4 rules is redundant\n"));
}

#[test]
fn what_cannot_be_certified() {
    let bench = bench();
    bench.file("other.opb", "+1 x1 +1 x4 >= 1 ;\n").file("weighted.opb", "+1 x1 +2 x2 +3 x3 >= 3 ;\n");
    let errors: String = [&["one.opb", "other.opb"][..], &["weighted.opb"], &["one.opb", "no.opb"]]
        .iter()
        .map(|files| bench.error(&[&["certify"][..], files].concat()))
        .collect();
    assert_snapshot!(errors, @"
    precept: rules are compared by the names of their variables, and only the first set has x2, x3; only the second set has x4
    precept: weighted.opb: has 1 weighted linear constraint, and only rules that count literals can be certified
    precept: no.opb: no such file
    ");
}
