//! `precept solve` on files of rules and problems.

use crate::driver::Bench;
use insta::assert_snapshot;
use preceptron_logic::{Constraint, Lit, Problem, Rule, RuleSet, Variables, formats, json};
use serde_json::Value;

/// Latin squares of this size: every cell has a digit, every digit is once in every row and column.
fn latin(size: i64) -> RuleSet {
    let axes = [("row", 1..=size), ("column", 1..=size), ("digit", 1..=size)];
    let mut cells = Variables::block("cell", &axes);
    cells.set_one_hot("cell", "digit").unwrap();
    let cell = |row: i64, column: i64, digit: i64| -> Lit {
        cells.find(&format!("cell[row {row}, column {column}, digit {digit}]")).unwrap().positive()
    };
    let mut rules = Vec::new();
    for a in 1..=size {
        for b in 1..=size {
            rules.push(Constraint::exactly(1, (1..=size).map(|c| cell(a, b, c))));
            rules.push(Constraint::exactly(1, (1..=size).map(|c| cell(a, c, b))));
            rules.push(Constraint::exactly(1, (1..=size).map(|c| cell(c, a, b))));
        }
    }
    RuleSet::with_rules(cells.clone(), rules.into_iter().map(Rule::given))
}

fn bench() -> Bench {
    let bench = Bench::new();
    bench.file("latin.json", json::write(&latin(3)));
    bench
}

const LATIN: &str = "latin.json";

fn parsed(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

#[test]
fn a_picture_of_the_only_solution() {
    let bench = bench();
    let fixed = ["--fix", "cell[row 1, column 1, digit 2]=1", "--fix", "cell[row 1, column 2, digit 3]=true"];
    let more = ["--fix", "cell[row 2, column 1, digit 1]=0", "--unique"];
    let run = bench.run(&[&["solve", LATIN][..], &fixed, &more].concat());
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert_snapshot!(run.out, @"
    latin.json: 27 rules over 27 variables
    solved; no other assignment obeys the rules
      cell: row down, column across
          1 2 3
        1 2 3 1
        2 3 1 2
        3 1 2 3
    ");
    let run = bench.run(&[&["solve", LATIN][..], &fixed, &["--unique"]].concat());
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("\nsolved; another assignment obeys the rules too\n"), "{}", run.out);
}

#[test]
fn readings_are_repaired() {
    let bench = bench();
    let mut table = "name,probability\n".to_owned();
    let square = [[1, 2, 3], [2, 3, 2], [3, 1, 2]];
    for (row, digits) in (1..).zip(square) {
        for (column, read) in (1..).zip(digits) {
            for digit in 1..=3 {
                let probability = if digit == read { 0.8 } else { 0.1 };
                table += &format!("\"cell[row {row}, column {column}, digit {digit}]\",{probability}\n");
            }
        }
    }
    let run = bench.file("seen.csv", &table).run(&["solve", LATIN, "--evidence", "seen.csv"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert_snapshot!(run.out, @"
    latin.json: 27 rules over 27 variables
    optimal: cost 2080; no other assignment costs as little
      cell: row down, column across
          1 2 3
        1 1 2 3
        2 2 3 1
        3 3 1 2
    repaired:
      cell[row 2, column 3]: read as digit 2, must be 1  (cost 2080)
    ");
    let run = bench.run(&["solve", LATIN, "--evidence", "seen.csv", "--json"]);
    let object = parsed(&run.out);
    assert_eq!(object["repairs"][0]["chosen"], "cell[row 2, column 3, digit 1]");
    assert_eq!(
        (&object["cost"], &object["bound"], &object["unique"]),
        (&2080.into(), &2080.into(), &true.into())
    );
    assert_eq!(object["true"].as_array().unwrap().len(), 9);
}

#[test]
fn a_conflict_in_words() {
    let bench = bench();
    let fixed = ["--fix", "cell[row 1, column 1, digit 2]=1", "--fix", "cell[row 1, column 3, digit 2]=1"];
    let run = bench.run(&[&["solve", LATIN, "--explain"][..], &fixed].concat());
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    let (text, work) = run.out.trim_end().rsplit_once('\n').unwrap();
    assert!(work.starts_with("batsat: "), "{work}");
    assert_snapshot!(text, @"
    latin.json: 27 rules over 27 variables
    infeasible: nothing obeys all that must hold
    these cannot all hold; without any one of them the others can:
      3545059c6e1b  exactly 1 of cell[row 1, column *, digit 2]
        digit 2; row down, column across
          1 2 3
        1 2 2 2
        2 . . .
        3 . . .
      cell[row 1, column 1, digit 2] is fixed to be true
      cell[row 1, column 3, digit 2] is fixed to be true
    ");
    let run = bench.run(&[&["solve", LATIN, "--json"][..], &fixed].concat());
    let object = parsed(&run.out);
    assert_eq!((&object["status"], &object["bound"]), (&"infeasible".into(), &Value::Null));
    assert_eq!(object["conflict"]["pieces"].as_array().unwrap().len(), 3);
    assert_eq!(object["conflict"]["minimal"], true);
    // The same with rules that may be violated.
    let run = bench.run(&[&["solve", LATIN, "--soft", "5"][..], &fixed].concat());
    assert_eq!(run.code, Some(0));
    assert!(run.out.contains("optimal: cost 15;") && run.out.contains("\nviolated:\n"), "{}", run.out);
}

#[test]
fn a_problem_with_costs() {
    let bench = Bench::new();
    let problem = "* #variable= 3\nmin: +3 x1 x2 -1 x3 ;\n+1 x1 +1 x2 >= 1 ;\n+2 x1 +3 x2 +1 ~x3 >= 3 ;\n";
    bench.file("p.opb", problem);
    let run = bench.run(&["solve", "p.opb", "--all", "20"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert_snapshot!(run.out, @"
    p.opb: 4 rules over 4 variables
    1. cost -1
      x2, x3
    2. cost 0
      x2
    3. cost 0
      x1
    4. cost 2
      x1, x2, x3, product(x1, x2)
    5. cost 3
      x1, x2, product(x1, x2)
    there are no more
    ");
    let two = bench.run(&["solve", "p.opb", "--next-best", "1", "--json"]);
    let costs: Vec<Value> =
        parsed(&two.out)["answers"].as_array().unwrap().iter().map(|a| a["cost"].clone()).collect();
    assert_eq!(costs, [-1, 0]);
    for backend in preceptron_reason::Backend::ALL {
        let one = bench.run(&["solve", "p.opb", "--backend", backend.name(), "--json"]);
        assert_eq!(parsed(&one.out)["cost"], -1, "{backend}");
    }
    let wbo = "soft: 9 ;\n[2] +1 x1 >= 1 ;\n[3] +1 x1 +1 x2 <= 0 ;\n[4] +2 x2 +3 x3 >= 4 ;\n";
    let run = bench.file("p.wbo", wbo).run(&["solve", "p.wbo"]);
    assert_snapshot!(run.out, @"
    p.wbo: 0 rules over 3 variables
    optimal: cost 3; no other assignment costs as little
      x1, x2, x3
    violated:
      none of x1, x2  (cost 3)
    ");
}

#[test]
fn queries_line_by_line() {
    let bench = bench();
    let queries = "{\"fix\": {\"cell[row 1, column 1, digit 1]\": 1}}\n\n\
                   {\"fix\": {\"cell[row 1, column 1, digit 1]\": true, \"cell[row 1, column 2, digit 1]\": true}}\n\
                   {\"cost\": {\"cell[row 1, column 1, digit 3]\": -7}}\n";
    let run = bench.file("q.jsonl", queries).run(&["solve", LATIN, "--evidence", "q.jsonl"]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    let answers: Vec<Value> = run.out.lines().map(parsed).collect();
    let statuses: Vec<&Value> = answers.iter().map(|answer| &answer["status"]).collect();
    assert_eq!(statuses, ["optimal", "infeasible", "optimal"]);
    assert_eq!(answers[2]["cost"], -7);
    assert!(answers.iter().all(|answer| answer["milliseconds"].is_number()));
    // All but the time it took is the same, whatever the threads.
    let timeless = |out: &str| -> Vec<Value> {
        let mut answers: Vec<Value> = out.lines().map(parsed).collect();
        answers.iter_mut().for_each(|answer| answer["milliseconds"] = Value::Null);
        answers
    };
    let piped = bench.run_with(&["solve", LATIN, "--evidence", "-"], queries);
    assert_eq!((piped.code, timeless(&piped.out)), (Some(1), timeless(&run.out)));
    // A line with an error is answered with it, and the others all the same.
    let queries =
        queries.replace("{\"fix\": {\"cell[row 1, column 1, digit 1]\": true", "{\"fixed\": {\"a\": true");
    let wrong = bench.file("q.jsonl", &queries).run(&["solve", LATIN, "--evidence", "q.jsonl"]);
    assert_eq!(wrong.code, Some(2));
    let answers = timeless(&wrong.out);
    assert_eq!((&answers[0], &answers[2]["cost"]), (&timeless(&run.out)[0], &Value::from(-7)));
    assert_snapshot!(answers[1]["error"], @r#""line 3: column 8: unknown field `fixed`, expected one of `fix`, `probability`, `cost`""#);
    assert_snapshot!(wrong.err, @"precept: q.jsonl: line 3: column 8: unknown field `fixed`, expected one of `fix`, `probability`, `cost`");
}

#[test]
fn long_sums_take_little_memory() {
    let bench = bench();
    let terms =
        |weight: fn(usize) -> usize| (1..=3000).map(|i| format!("+{} x{i} ", weight(i))).collect::<String>();
    let costs = terms(|i| i * 7919 % 101 + 1);
    let rules = format!("min: {costs};\n{}= 1500 ;\n", terms(|_| 1));
    let run = bench.file("p.opb", &rules).run(&["solve", "p.opb", "--json", "--memory", "200M"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let mut all: Vec<u64> = (1..=3000).map(|i| i * 7919 % 101 + 1).collect();
    all.sort_unstable();
    let answer = parsed(&run.out);
    assert_eq!(
        (&answer["status"], &answer["cost"]),
        (&"optimal".into(), &all[..1500].iter().sum::<u64>().into())
    );
    let small = bench.run(&["solve", "p.opb", "--memory", "100k"]);
    assert_eq!(small.code, Some(2));
    assert_snapshot!(small.err, @"precept: rule 1, of 3000 literals, would take about 600 kB of memory in batsat, and all may take 100 kB");
    let wrong = bench.run(&["solve", "p.opb", "--memory", "much"]);
    assert_eq!(wrong.code, Some(2));
}

#[test]
fn limits_end_the_search() {
    let bench = bench();
    let run = bench.run(&["solve", LATIN, "--time", "0"]);
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""));
    assert_snapshot!(run.out, @"
    latin.json: 27 rules over 27 variables
    unknown: stopped by the time limit before an assignment was found
    ");
    let mut problem = Problem::from(latin(3));
    problem.objective = problem.rules.variables().iter().map(|v| (1, v.positive())).collect();
    let opb = formats::write(&problem, formats::Format::Opb).unwrap();
    let run = bench.file("l.opb", opb).run(&["solve", "l.opb", "--time", "0"]);
    assert!(run.out.contains("stopped by the time limit before an assignment was found; any"), "{}", run.out);
}

#[test]
fn what_cannot_be_asked() {
    let bench = bench();
    bench.file("e.csv", "name,cost\nx,1\n").file("e.txt", "");
    let arguments: [&[&str]; 7] = [
        &["no.json"],
        &[LATIN, "--fix", "x=1"],
        &[LATIN, "--evidence", "e.csv"],
        &[LATIN, "--evidence", "e.txt"],
        &[LATIN, "--evidence", "no.csv"],
        &["-", "--evidence", "-"],
        &[LATIN, "--soft", "18446744073709551615"],
    ];
    let errors: String =
        arguments.iter().map(|arguments| bench.error(&[&["solve"][..], arguments].concat())).collect();
    assert_snapshot!(errors, @r#"
    precept: no.json: no such file
    precept: --fix: there is no variable "x"; there are cell[row 1, column 1, digit 1]; cell[row 1, column 1, digit 2]; cell[row 1, column 1, digit 3]; ...
    precept: e.csv: line 2: there is no variable "x"; there are cell[row 1, column 1, digit 1]; cell[row 1, column 1, digit 2]; cell[row 1, column 1, digit 3]; ...
    precept: e.txt: evidence is a file .csv, .json or .jsonl
    precept: no.csv: no such file
    precept: rules and evidence cannot both come from standard input
    precept: costs and prices add up to 498062089990157893605, and batsat takes at most 1152921504606846975
    "#);
    for arguments in
        [["--fix", "x"], ["--time", "-1"], ["--backend", "abacus"], ["--soft", "0"], ["--all", "0"]]
    {
        assert_eq!(bench.run(&[&["solve", LATIN][..], &arguments].concat()).code, Some(2), "{arguments:?}");
    }
}

#[test]
fn probabilities_that_are_too_small_are_counted() {
    let bench = bench();
    bench.file("sure.csv", "name,probability\n\"cell[row 1, column 1, digit 1]\",0\n");
    let flags = ["solve", LATIN, "--evidence", "sure.csv"];
    let run = bench.run(&flags);
    assert!(run.code == Some(0) && run.out.contains("1 probability is taken as 1e-9"), "{}", run.out);
    let value: Value = serde_json::from_str(&bench.run(&[&flags[..], &["--json"]].concat()).out).unwrap();
    assert_eq!(value["probabilities_raised"], 1);
}
