//! `precept solve --proof`, and `precept verify` on what it wrote.

use crate::driver::Bench;

/// Two of three for least, with one answer; and the same where nothing fits.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.file("least.opb", "min: 2 x1 3 x2 4 x3 ;\n+1 x1 +1 x2 +1 x3 = 2 ;\n").file(
        "clash.opb",
        "+1 x1 +1 x2 +1 x3 >= 2 ;\n-1 x1 -1 x2 >= -1 ;\n-1 x1 -1 x3 >= -1 ;\n-1 x2 -1 x3 >= -1 ;\n",
    );
    bench
}

#[test]
fn an_answer_is_proved_and_verified() {
    let bench = bench();
    for version in ["2.0", "3.0"] {
        let run =
            bench.run(&["solve", "least.opb", "--json", "--proof", "p.pbp", "--proof-version", version]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        bench.file("answer.json", &run.out);
        assert!(bench.text("p.pbp").starts_with(&format!("pseudo-Boolean proof version {version}\n")));
        let run = bench.run(&["verify", "least.opb", "answer.json", "p.pbp"]);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
        assert!(
            run.out.starts_with("verified: cost 5 is the least, and no other assignment costs as little"),
            "{}",
            run.out
        );
        assert_eq!(bench.run(&["verify", "p.opb", "answer.json", "p.pbp"]).code, Some(0));
    }
    // A wrong answer, a proof of something else, a proof that lacks its end.
    let right = bench.text("answer.json");
    bench.file("wrong.json", right.replace("\"cost\":5", "\"cost\":6"));
    assert_ne!(right, bench.text("wrong.json"));
    let run = bench.run(&["verify", "least.opb", "wrong.json", "p.pbp"]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.starts_with("not verified: "), "{}", run.out);
    assert_eq!(bench.run(&["verify", "clash.opb", "answer.json", "p.pbp"]).code, Some(1));
    assert_eq!(bench.run(&["verify", "least.opb", "answer.json", "p.pbp", "--fix", "x1=0"]).code, Some(1));
    bench.file("short.pbp", bench.text("p.pbp").replace("output NONE", ""));
    assert_eq!(bench.run(&["verify", "least.opb", "answer.json", "short.pbp"]).code, Some(1));
}

#[test]
fn what_nothing_obeys_is_proved() {
    let bench = bench();
    let run = bench.run(&["solve", "clash.opb", "--proof", "p.pbp"]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.out.contains("proof: p.pbp"), "{}", run.out);
    let run = bench.run(&["verify", "clash.opb", "infeasible", "p.pbp", "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(bench.run(&["verify", "least.opb", "infeasible", "p.pbp"]).code, Some(1));
}

#[test]
fn that_two_sets_say_the_same_is_proved() {
    let bench = bench();
    bench.file("one.opb", "+1 x1 +1 x2 +1 x3 = 1 ;\n").file(
        "parts.opb",
        "+1 x3 +1 x2 +1 x1 >= 1 ;\n-1 x1 -1 x2 >= -1 ;\n-1 x1 -1 x3 >= -1 ;\n-1 x2 -1 x3 >= -1 ;\n",
    );
    let run = bench.run(&["certify", "one.opb", "parts.opb", "--proof", "p.pbp"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("proof that one.opb implies parts.opb: p.pbp"), "{}", run.out);
    let verify = |first: &str, proof: &str, second: &str| {
        bench.run(&["verify", first, "infeasible", proof, "--implies", second])
    };
    let run = verify("one.opb", "p.pbp", "parts.opb");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{}", run.out);
    assert!(run.out.starts_with("verified: one.opb implies parts.opb"), "{}", run.out);
    assert_eq!(verify("parts.opb", "p.back.pbp", "one.opb").code, Some(0));
    // Each proof is of its own direction, and of these rules.
    assert_eq!(verify("one.opb", "p.pbp", "least.opb").code, Some(1));
    assert_eq!(verify("clash.opb", "p.back.pbp", "one.opb").code, Some(1));
    // What is not implied has no proof; what is has.
    let run = bench.run(&["certify", "one.opb", "clash.opb", "--proof", "q.pbp", "--json"]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(!bench.path().join("q.pbp").exists());
    assert_eq!(verify("clash.opb", "q.back.pbp", "one.opb").code, Some(0));
}
