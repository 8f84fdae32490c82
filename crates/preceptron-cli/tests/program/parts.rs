//! A table in parts: the rules are those of the whole.

use crate::driver::Bench;

/// Rows of three columns of which exactly one is true, and one that is free.
fn rows(count: usize) -> Vec<String> {
    (0..count)
        .map(|n| format!("{},{},{},{}\n", n % 3 / 2, n % 3 % 2, u8::from(n % 3 == 0), n % 7 % 2))
        .collect()
}

#[test]
fn parts_are_the_whole() {
    let bench = Bench::new();
    let rows = rows(300);
    let part = |from: usize, to: usize| format!("a,b,c,d\n{}", rows[from..to].concat());
    bench.file("whole.csv", part(0, 300)).file("1.csv", part(0, 11)).file("2.csv", part(11, 300));
    let rules = |arguments: &[&str]| {
        let run = bench.run(&[&["learn", "--json"], arguments].concat());
        assert_eq!(run.code, Some(0), "{}", run.err);
        let object: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        (object["rules"]["rules"].clone(), object["verdict"].clone(), object["table"]["examples"].clone())
    };
    let whole = rules(&["whole.csv"]);
    assert_eq!(rules(&["1.csv", "2.csv"]), whole);
    let few = rules(&["1.csv", "2.csv", "--closely", "100", "--threads", "1"]);
    assert_eq!(few.0, whole.0);
    assert_eq!(few, rules(&["whole.csv", "--closely", "100"]));
    let text = bench.run(&["learn", "1.csv", "2.csv"]).out;
    assert!(text.starts_with("1.csv and 1 more part: 300 examples of 4 variables"), "{text}");
}

#[test]
fn what_cannot_be_in_parts() {
    let bench = Bench::new();
    bench.file("a.csv", "a,b\n1,0\n").file("b.csv", "a,c\n1,0\n").file("r.opb", "+1 x1 >= 1;\n");
    let messages = [
        bench.error(&["learn", "a.csv", "b.csv"]),
        bench.error(&["learn", "a.csv", "-"]),
        bench.error(&["learn", "a.csv", "a.csv", "--given", "r.opb"]),
    ];
    insta::assert_snapshot!(messages.concat().trim_end(), @r#"
    precept: b.csv: has other columns than the first part: "c" is new, "b" is missing
    precept: standard input can be read only once; parts of a table are files
    precept: --given goes with a table that is read at once
    "#);
}
