//! Columns of whole numbers: learned, shown, checked, filled in, exported; refused where nothing can be done.

use crate::driver::Bench;

/// Orders of a workshop: `end` follows `start` by the machine, `packed` comes at least 2 later, `pieces` is a sum.
fn workshop() -> String {
    let mut text = "machine,start,end,packed,red,blue,pieces\n".to_owned();
    let mut state = 1u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    for _ in 0..400 {
        let (machine, start) = (draw(2), draw(12));
        let end = start + [4, 7][machine as usize];
        let mut packed = end + 2;
        while packed < end + 9 && draw(5) > 1 {
            packed += 1;
        }
        let (red, blue) = (draw(10), draw(10));
        text += &format!("M{},{start},{end},{packed},{red},{blue},{}\n", machine + 1, red + blue);
    }
    text
}

/// What the program prints where it says yes.
fn said(bench: &Bench, arguments: &[&str]) -> String {
    let run = bench.run(arguments);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    run.out
}

/// Its exit code, and what it prints.
fn answered(bench: &Bench, arguments: &[&str]) -> (Option<i32>, String) {
    let run = bench.run(arguments);
    (run.code, run.out)
}

const RULES: [&str; 4] = [
    "pieces = red + blue",
    "end + 2 <= packed",
    "if machine is M1: end = start + 4",
    "if machine is M2: end = start + 7",
];

#[test]
fn numbers_from_a_table_to_a_plan() {
    let bench = Bench::new();
    bench.file("t.csv", workshop());
    let learned = said(&bench, &["learn", "t.csv", "--out", "rules.json"]);
    assert!(
        learned.contains("6 columns of whole numbers: start, end, packed, red, blue, pieces"),
        "{learned}"
    );
    assert!(learned.contains("4 rules of whole numbers:"), "{learned}");
    let shown = said(&bench, &["rules", "rules.json"]);
    for rule in RULES {
        assert!(learned.contains(rule) && shown.contains(rule), "{rule}: {learned}{shown}");
    }
    bench.file("plan.csv", "machine,start,end,packed,red,blue,pieces\nM1,3,7,9,4,2,6\nM2,3,8,9,4,2,6\n");
    let (code, checked) = answered(&bench, &["check", "rules.json", "plan.csv"]);
    assert_eq!(code, Some(1), "{checked}");
    assert!(
        checked.contains("broken in 1") && checked.contains("if machine is M2: end = start + 7"),
        "{checked}"
    );
    assert!(checked.contains("mended by"), "{checked}");
    bench.file("open.csv", "machine,start,end,packed,red,blue,pieces\nM2,3,,12,4,,9\n");
    let filled = said(&bench, &["solve", "rules.json", "--table", "open.csv"]);
    assert!(filled.contains("(end) is 10") && filled.contains("(blue) is 5"), "{filled}");
    let model = said(&bench, &["export", "rules.json", "--format", "mzn"]);
    assert!(model.contains("var 0..11: v_start;") && model.contains("v_pieces"), "{model}");
    assert!(
        said(&bench, &["export", "rules.json", "--format", "smt2"]).contains("(declare-const |start| Int)")
    );
    for refused in [
        vec!["export", "rules.json", "--format", "opb"],
        vec!["certify", "rules.json"],
        vec!["solve", "rules.json"],
        vec!["rules", "rules.json", "--compare", "rules.json"],
    ] {
        let error = bench.error(&refused);
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains("whole numbers"), "{error}");
    }
}

#[test]
fn numbers_can_be_named_or_left_out() {
    let bench = Bench::new();
    bench.file("t.csv", workshop());
    let none = answered(&bench, &["learn", "t.csv", "--numbers", "none", "--ignore", "packed"]).1;
    assert!(!none.contains("whole numbers"), "{none}");
    let some = said(&bench, &["learn", "t.csv", "--numbers", "red,blue,pieces"]);
    assert!(some.contains("1 rule of whole numbers:") && some.contains("Of the other columns"), "{some}");
    let error = bench.error(&["learn", "t.csv", "--numbers", "gold"]);
    assert_eq!(error, "precept: --numbers: no column is named \"gold\"\n");
    let error = bench.error(&["learn", "t.csv", "--numbers", "machine"]);
    assert_eq!(error, "precept: --numbers: column \"machine\" has cells that are no whole numbers\n");
    let error = bench.error(&["learn", "t.csv", "--numbers", "red", "--binary"]);
    assert!(error.contains("--numbers does not go with"), "{error}");
}

#[test]
fn a_range_that_is_too_large_to_fill_in_is_refused() {
    let bench = Bench::new();
    let mut text = "a,b\n".to_owned();
    (0..60u64).for_each(|row| {
        let a = row * row * 7919 % 5003;
        text += &format!("{a},{}\n", a + 12);
    });
    bench.file("t.csv", text).file("open.csv", "a,b\n5,\n").file("wrong.csv", "a,b\n5,18\n");
    assert!(said(&bench, &["learn", "t.csv", "--out", "rules.json"]).contains("b = a + 12"));
    let error = bench.error(&["solve", "rules.json", "--table", "open.csv"]);
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains("a reasoner takes up to 256"), "{error}");
    let (code, checked) = answered(&bench, &["check", "rules.json", "wrong.csv"]);
    assert!(code == Some(1) && checked.contains("what mends it was not looked for"), "{checked}");
}
