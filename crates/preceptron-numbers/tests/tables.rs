//! What is found in tables whose rules are known, and in tables without rules.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use preceptron_base::{Control, Quiet, stream};
use preceptron_numbers::{Column, Numbers, Settings, Words, find, seems_implied};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

fn table(names: &[&str], rows: usize, seed: u64, row: impl Fn(&mut ChaCha8Rng) -> Vec<i64>) -> Numbers {
    let mut random = stream(seed, "tables of tests", 0);
    let rows: Vec<Vec<i64>> = (0..rows).map(|_| row(&mut random)).collect();
    let column = |(at, name): (usize, &&str)| Column {
        name: (*name).to_owned(),
        values: rows.iter().map(|row| Some(row[at])).collect(),
    };
    Numbers { columns: names.iter().enumerate().map(column).collect(), words: vec![] }
}

fn found(table: &Numbers) -> Vec<String> {
    let found = find(table, &Settings::default(), &Quiet);
    assert!(!found.is_interrupted);
    found.rules.lines().into_iter().map(|(line, _)| line).collect()
}

/// A column becomes words: its number's place among these.
fn worded(mut table: Numbers, labels: &[&str]) -> Numbers {
    let column = table.columns.pop().unwrap();
    table.words.push(Words {
        name: column.name,
        labels: labels.iter().map(|label| (*label).to_owned()).collect(),
        codes: column.values.iter().map(|value| value.map(|value| value as usize)).collect(),
    });
    table
}

#[test]
fn sums_are_found_from_few_rows() {
    let rules = found(&table(&["a", "b", "c", "total", "weighted"], 30, 1, |random| {
        let [a, b, c] = [0; 3].map(|_| random.random_range(0..=5));
        vec![a, b, c, a + b + c, 2 * a + b]
    }));
    assert_eq!(rules, ["weighted = 2 a + b", "total = a + b + c"]);
}

#[test]
fn rulers_are_increasing_and_their_differences_different() {
    let rules = found(&table(&["mark1", "mark2", "mark3", "mark4"], 200, 2, |random| {
        loop {
            let mut marks: Vec<i64> = (0..4).map(|_| random.random_range(0..20)).collect();
            marks.sort_unstable();
            let mut distances: Vec<i64> =
                (0..4).flat_map(|b| (0..b).map(move |a| (a, b))).map(|(a, b)| marks[b] - marks[a]).collect();
            distances.sort_unstable();
            if marks[0] < marks[1] && distances.windows(2).all(|two| two[0] < two[1]) {
                return marks;
            }
        }
    }));
    assert_eq!(
        rules,
        ["increasing: mark1, mark2, mark3, mark4", "all differences different: mark1, mark2, mark3, mark4"]
    );
}

#[test]
fn orders_are_exact_and_what_follows_is_left_out() {
    let rules = found(&table(&["a", "b", "c"], 600, 3, |random| {
        loop {
            let [a, b, c] = [0; 3].map(|_| random.random_range(0..=15));
            if a + 3 <= b && b + 2 <= c {
                return vec![a, b, c];
            }
        }
    }));
    assert_eq!(rules, ["a + 3 <= b", "b + 2 <= c"]);
}

#[test]
fn rules_under_a_word_are_found() {
    let rules = found(&worded(
        table(&["start", "end", "other", "machine"], 150, 4, |random| {
            let (machine, start) = (random.random_range(0..2), random.random_range(0..30));
            vec![start, start + [3, 8][machine as usize], random.random_range(0..30), machine]
        }),
        &["M1", "M2"],
    ));
    assert_eq!(rules, ["if machine is M1: end = start + 3", "if machine is M2: end = start + 8"]);
}

#[test]
fn a_class_is_the_sign_of_an_expression() {
    let rules = found(&worded(
        table(&["a", "b", "c", "class"], 80, 5, |random| {
            let [a, b, c] = [0; 3].map(|_| random.random_range(1..=6));
            vec![a, b, c, i64::from(a + b > 7)]
        }),
        &["low", "high"],
    ));
    assert_eq!(rules, ["class is low if a + b <= 7, high if a + b > 7"]);
}

#[test]
fn operations_on_one_machine_keep_apart() {
    let rules = found(&table(&["first", "second"], 1000, 6, |random| {
        loop {
            let [a, b] = [0; 2].map(|_| random.random_range(0..=12));
            if a + 3 <= b || b + 2 <= a {
                return vec![a, b];
            }
        }
    }));
    assert_eq!(rules, ["first + 3 <= second or second + 2 <= first"]);
}

#[test]
fn nothing_is_found_where_nothing_is() {
    let mut wrong = Vec::new();
    for seed in 0..30 {
        let noise = table(&["x1", "x2", "x3", "x4"], 60, seed, |random| {
            let common = random.random_range(0..8);
            vec![
                common,
                common + random.random_range(0..8),
                random.random_range(0..5),
                random.random_range(-9..9),
            ]
        });
        // The second is the first and something: that is a rule, of both sides.
        let known = ["x1 <= x2", "x2 <= x1 + 7"];
        wrong.extend(found(&noise).into_iter().filter(|line| !known.contains(&line.as_str())));
    }
    assert!(wrong.len() <= 1, "{wrong:?}");
}

#[test]
fn walks_are_no_rules() {
    for seed in 0..20 {
        let mut at = [0i64, 30];
        let mut random = stream(seed, "walks of tests", 0);
        let mut columns = vec![Vec::new(), Vec::new()];
        for _ in 0..500 {
            for (column, at) in columns.iter_mut().zip(&mut at) {
                *at += random.random_range(-1..=1);
                column.push(Some(*at));
            }
        }
        let columns = columns
            .into_iter()
            .zip(["a", "b"])
            .map(|(values, name)| Column { name: name.to_owned(), values });
        let rules = found(&Numbers { columns: columns.collect(), words: vec![] });
        assert!(rules.is_empty(), "{seed}: {rules:?}");
    }
}

#[test]
fn the_same_table_gives_the_same_rules() {
    let one = table(&["a", "b", "c"], 300, 7, |random| {
        let a = random.random_range(0..20);
        vec![a, a + random.random_range(2..6), random.random_range(0..9)]
    });
    let settings = Settings::default();
    assert_eq!(find(&one, &settings, &Quiet), find(&one, &settings, &Quiet));
}

#[test]
fn cells_that_are_not_known_are_no_evidence_against_a_rule() {
    let mut one = table(&["a", "b", "total"], 80, 8, |random| {
        let [a, b] = [0; 2].map(|_| random.random_range(0..=9));
        vec![a, b, a + b]
    });
    (0..80).step_by(5).for_each(|row| one.columns[row % 3].values[row] = None);
    assert_eq!(found(&one), ["total = a + b"]);
}

/// Stops after some parts.
struct Stopped(AtomicUsize, AtomicBool);

impl Control for Stopped {
    fn advance(&self, _: u64) {
        if self.0.fetch_add(1, Ordering::Relaxed) >= 3 {
            self.1.store(true, Ordering::Relaxed);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.1.load(Ordering::Relaxed)
    }
}

#[test]
fn a_search_that_is_stopped_keeps_what_it_found() {
    let one = table(&["a", "b", "c"], 300, 9, |random| {
        let a = random.random_range(0..20);
        vec![a, a + 4, random.random_range(0..9)]
    });
    let found = find(&one, &Settings::default(), &Stopped(AtomicUsize::new(0), AtomicBool::new(false)));
    assert!(found.is_interrupted);
    assert_eq!(found.rules.lines()[0].0, "b = a + 4");
}

#[test]
fn what_rules_imply_is_seen() {
    let one = table(&["a", "b", "c"], 100, 10, |random| {
        let a = random.random_range(0..9);
        vec![a, a + 2, random.random_range(0..9)]
    });
    let rules = find(&one, &Settings::default(), &Quiet).rules.rules;
    let mut claim = rules[0].clone();
    assert!(seems_implied(&one, &rules, &claim, 0));
    if let preceptron_logic::numbers::Claim::Linear { constant, .. } = &mut claim.claim {
        *constant += 1;
    }
    assert!(!seems_implied(&one, &rules, &claim, 0));
}
