use super::*;
use crate::formats::{self, Format};
use crate::{Problem, RuleSet, Var, json};

fn rule(claim: Claim) -> NumberRule {
    let evidence = NumberEvidence { rows: 9, evidence: 12.5, needed: 7.25 };
    NumberRule { gate: None, claim, family: None, evidence }
}

/// One rule of each kind over four columns of the numbers -1 to 2, and a column of two words.
fn every_kind() -> NumberRules {
    let column = |name: &str| NumberColumn { name: name.to_owned(), min: -1, max: 2 };
    let linear = |terms: &[(i64, usize)], relation, constant| Claim::Linear {
        terms: terms.to_vec(),
        relation,
        constant,
    };
    let monomial = |coefficient, columns: &[usize]| Monomial { coefficient, columns: columns.to_vec() };
    let claims = vec![
        linear(&[(2, 0), (1, 1), (-1, 2)], Relation::Equal, 1),
        linear(&[(1, 0), (-1, 1)], Relation::AtMost, -1),
        linear(&[(-1, 0), (-1, 1), (-1, 2)], Relation::AtMost, 0),
        Claim::Product { factors: vec![0, 1], column: Some(2), constant: 2 },
        Claim::Product { factors: vec![0, 1, 3], column: None, constant: 2 },
        Claim::Ratio { first: 0, second: 1, times: 2 },
        Claim::Distance { first: 0, second: 3, least: 1, most: 2 },
        Claim::Apart { first: 1, second: 2, before: 1, after: 2 },
        Claim::Distinct { columns: vec![0, 1, 2], by: 1, shift: 0 },
        Claim::Distinct { columns: vec![0, 2], by: 2, shift: 1 },
        Claim::Differences { columns: vec![0, 1, 2] },
        Claim::Increasing { columns: vec![0, 1, 3], step: 1 },
        Claim::Increasing { columns: vec![0, 1, 3], step: 0 },
        Claim::Count { columns: vec![0, 1, 2, 3], value: 2, least: 1, most: 2 },
        Claim::Sign {
            category: 0,
            expression: vec![monomial(1, &[0, 1]), monomial(-1, &[2])],
            below: Some(0),
            zero: Some(0),
            above: Some(1),
        },
    ];
    NumberRules {
        columns: ["a", "b", "x[i 1]", "x[i 2]"].map(column).to_vec(),
        categories: vec![Category {
            name: "machine".to_owned(),
            labels: vec!["M1".to_owned(), "M2".to_owned()],
        }],
        rules: claims.into_iter().map(rule).collect(),
        ..NumberRules::default()
    }
}

/// Every row of numbers and a word.
fn rows() -> impl Iterator<Item = (Vec<Option<i64>>, Vec<Option<usize>>)> {
    (0..4usize.pow(4) * 2).map(|at| {
        let number = |column: u32| Some((at / 4usize.pow(column) % 4) as i64 - 1);
        ((0..4).map(number).collect(), vec![Some(at / 256)])
    })
}

/// Whether the encoded problem allows a row, by its variables' names.
fn allows(encoded: &Problem, numbers: &[Option<i64>], words: &[Option<usize>]) -> bool {
    let value = |name: &str| {
        let is = |column: usize, start: &str| {
            name.strip_prefix(start).and_then(|end| end.strip_suffix(']'))
                == Some(&numbers[column].unwrap_or_default().to_string())
        };
        if let Some(rest) = name.strip_prefix(AUXILIARY) {
            // `a and b 3 (0)`: true where they have the distance.
            let place =
                |word: &str| ["a", "b", "x(i 1)", "x(i 2)"].iter().position(|one| *one == word).unwrap();
            let (first, rest) = rest.split_once(" and ").unwrap();
            let mut words: Vec<&str> = rest.rsplitn(3, ' ').collect();
            let (second, distance) = (words.pop().unwrap(), words[1]);
            let (first, second) = (numbers[place(first)].unwrap(), numbers[place(second)].unwrap());
            return (first - second).abs().to_string() == distance;
        }
        is(0, "a[value ")
            || is(1, "b[value ")
            || is(2, "x[i 1, value ")
            || is(3, "x[i 2, value ")
            || words[0].is_some_and(|word| name == format!("machine[value M{}]", word + 1))
    };
    encoded.cost(|var: Var| value(encoded.rules.variables().name(var))).is_some()
}

#[test]
fn on_boolean_variables_rules_say_the_same() {
    let all = every_kind();
    for gate in [None, Some(Gate { category: 0, label: 1 })] {
        for one in &all.rules {
            let own = NumberRule { gate, ..one.clone() };
            let numbers = NumberRules { rules: vec![own.clone()], ..all.clone() };
            let encoded = encoded(&Problem { numbers, ..Problem::default() }).unwrap();
            let mut allowed = 0;
            for (numbers, words) in rows() {
                let holds = own.holds(&numbers, &words) == Some(true);
                allowed += usize::from(holds);
                assert_eq!(
                    allows(&encoded, &numbers, &words),
                    holds,
                    "{} {numbers:?} {words:?}",
                    all.line(&own)
                );
            }
            assert!(allowed > 0 && allowed < 512, "{}", all.line(&own));
        }
    }
}

#[test]
fn what_is_not_known_is_not_judged() {
    for one in every_kind().rules {
        for (numbers, words) in rows() {
            for column in 0..4 {
                let mut partial = numbers.clone();
                partial[column] = None;
                if let Some(known) = one.holds(&partial, &words) {
                    assert_eq!(one.holds(&numbers, &words), Some(known), "{:?} {partial:?}", one.claim);
                }
            }
        }
    }
}

#[test]
fn a_column_of_too_many_numbers_is_refused() {
    let mut numbers = every_kind();
    numbers.columns[1].max = 1000;
    let error = encoded(&Problem { numbers, ..Problem::default() }).unwrap_err().to_string();
    assert_eq!(error.lines().count(), 1);
    assert!(error.contains("\"b\" may be any of 1002 numbers"), "{error}");
}

#[test]
fn files_hold_them() {
    let mut numbers = every_kind();
    numbers.rules[0].gate = Some(Gate { category: 0, label: 1 });
    numbers.rules[1].family = Some("for each i: so".to_owned());
    let problem = Problem { numbers, ..Problem::from(RuleSet::default()) };
    let text = json::write_problem(&problem);
    assert!(text.contains("\"version\": 4"));
    assert_eq!(json::read_problem(&text).unwrap(), problem);
    let message = json::read(&text).unwrap_err().to_string();
    assert_eq!(message, "the file has rules of whole numbers beside its rules, which are not for this");
    let compact: serde_json::Value = serde_json::from_str(&text).unwrap();
    let wrong = |from: &str, to: &str| {
        let text = compact.to_string();
        assert!(text.contains(from), "{text}");
        json::read_problem(&text.replace(from, to)).unwrap_err().to_string()
    };
    assert_eq!(
        wrong("[2,0],[1,1]", "[2,0],[1,9]"),
        "numbers: rule of numbers 1: speaks of a column that there is not"
    );
    assert_eq!(
        wrong("\"label\":1", "\"label\":5"),
        "numbers: rule of numbers 1: its gate is no word of a column"
    );
    for format in [Format::Opb, Format::Cnf, Format::Wcnf, Format::Lp] {
        let message = formats::write(&problem, format).unwrap_err().to_string();
        assert_eq!(message, format!("{format} cannot hold rules of whole numbers; json, mzn and smt2 do"));
    }
}

#[test]
fn rules_in_words() {
    let mut numbers = every_kind();
    numbers.rules[1].gate = Some(Gate { category: 0, label: 1 });
    let lines: Vec<String> = numbers.rules.iter().map(|rule| numbers.line(rule)).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn rules_in_minizinc_and_smtlib() {
    let mut numbers = every_kind();
    numbers.rules[1].gate = Some(Gate { category: 0, label: 1 });
    let problem = Problem { numbers, ..Problem::default() };
    insta::assert_snapshot!("minizinc", formats::write(&problem, Format::MiniZinc).unwrap());
    insta::assert_snapshot!("smtlib", formats::write(&problem, Format::SmtLib).unwrap());
}
