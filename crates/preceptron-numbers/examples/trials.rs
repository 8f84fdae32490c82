//! Tables with rules that are known, and tables without rules: what is found, missed and false.
//!
//! `cargo run --release -p preceptron-numbers --example trials [rules|none] [FIRST_SEED] [COUNT]`
//!
//! A rule that is found is false if one of 20,000 other rows of the same maker breaks it. A known rule is missed if rows
//! that obey what was found break it.

use std::collections::BTreeMap;

use preceptron_base::{Quiet, stream};
use preceptron_logic::numbers::{Claim, Gate, NumberEvidence, NumberRule, Relation};
use preceptron_numbers::{Column, Numbers, Settings, Words, find, seems_implied};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

type Random = ChaCha8Rng;
/// Numbers, and the places of words.
type Row = (Vec<i64>, Vec<usize>);

/// A maker of rows: names, a row, and what is true of all rows, each under the kind of rule that it is.
struct Maker {
    name: &'static str,
    columns: Vec<String>,
    words: Vec<(String, Vec<String>)>,
    row: Box<dyn Fn(&mut Random) -> Row>,
    known: Vec<(&'static str, NumberRule)>,
}

fn rule(claim: Claim) -> NumberRule {
    NumberRule { gate: None, claim, family: None, evidence: NumberEvidence::default() }
}

fn at_most(terms: &[(i64, usize)], constant: i64) -> NumberRule {
    rule(Claim::Linear { terms: terms.to_vec(), relation: Relation::AtMost, constant })
}

fn equal(terms: &[(i64, usize)], constant: i64) -> NumberRule {
    rule(Claim::Linear { terms: terms.to_vec(), relation: Relation::Equal, constant })
}

fn distinct(columns: &[usize]) -> NumberRule {
    rule(Claim::Distinct { columns: columns.to_vec(), by: 1, shift: 0 })
}

fn shuffle<T>(all: &mut [T], random: &mut Random) {
    for at in (1..all.len()).rev() {
        all.swap(at, random.random_range(0..=at));
    }
}

/// A wait that is mostly short.
fn wait(random: &mut Random) -> i64 {
    let mut wait = 0;
    while wait < 8 && random.random_range(0..2) == 1 {
        wait += 1;
    }
    wait
}

/// Three jobs of three operations on three machines, dispatched in random order.
fn job_shop() -> Maker {
    const MACHINE: [[usize; 3]; 3] = [[0, 1, 2], [1, 0, 2], [2, 1, 0]];
    const TIME: [[i64; 3]; 3] = [[3, 2, 4], [2, 5, 1], [4, 3, 2]];
    let row = |random: &mut Random| {
        let mut order: Vec<usize> = (0..9).map(|at| at / 3).collect();
        shuffle(&mut order, random);
        let (mut next, mut free, mut ready) = ([0; 3], [0; 3], [0; 3]);
        let mut starts = vec![0; 9];
        for job in order {
            let operation = next[job];
            let machine = MACHINE[job][operation];
            let start = ready[job].max(free[machine]) + wait(random);
            starts[3 * job + operation] = start;
            (ready[job], free[machine]) = (start + TIME[job][operation], start + TIME[job][operation]);
            next[job] += 1;
        }
        (starts, vec![])
    };
    let mut known = Vec::new();
    for (job, times) in TIME.iter().enumerate() {
        for (operation, time) in times.iter().enumerate().take(2) {
            let terms = [(1, 3 * job + operation), (-1, 3 * job + operation + 1)];
            known.push(("order", at_most(&terms, -time)));
        }
    }
    let places: Vec<usize> = (0..9).collect();
    for &b in &places {
        for &a in &places[..b] {
            if a / 3 != b / 3 && MACHINE[a / 3][a % 3] == MACHINE[b / 3][b % 3] {
                let (before, after) = (TIME[a / 3][a % 3], TIME[b / 3][b % 3]);
                known.push(("apart", rule(Claim::Apart { first: a, second: b, before, after })));
            }
        }
    }
    let columns = (0..9).map(|at| format!("start[job {}, operation {}]", at / 3 + 1, at % 3 + 1)).collect();
    Maker { name: "job shop", columns, words: vec![], row: Box::new(row), known }
}

/// Magic squares of side three, of any numbers.
fn magic() -> Maker {
    let row = |random: &mut Random| {
        let mut one = || random.random_range(-9..=9);
        let (a, b, c) = (one(), one(), one() + 20);
        (vec![c + a, c - a - b, c + b, c - a + b, c, c + a - b, c - b, c + a + b, c - a], vec![])
    };
    let mut known = Vec::new();
    let lines = [[3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    for line in lines {
        let mut terms: BTreeMap<usize, i64> = BTreeMap::new();
        line.iter().for_each(|at| *terms.entry(*at).or_default() += 1);
        [0, 1, 2].iter().for_each(|at| *terms.entry(*at).or_default() -= 1);
        let terms: Vec<(i64, usize)> =
            terms.into_iter().filter(|t| t.1 != 0).map(|(at, c)| (c, at)).collect();
        known.push(("equation", equal(&terms, 0)));
    }
    let columns = (0..9).map(|at| format!("x[row {}, column {}]", at / 3 + 1, at % 3 + 1)).collect();
    Maker { name: "magic squares", columns, words: vec![], row: Box::new(row), known }
}

/// Latin squares of side five with four cages.
fn kenken() -> Maker {
    let cages = || {
        vec![
            ("equation", equal(&[(1, 0), (1, 1), (1, 5)], 8)),
            ("distance", rule(Claim::Distance { first: 8, second: 9, least: 2, most: 2 })),
            ("product", rule(Claim::Product { factors: vec![11, 16], column: None, constant: 12 })),
            ("ratio", rule(Claim::Ratio { first: 23, second: 24, times: 2 })),
        ]
    };
    let own = cages();
    let row = move |random: &mut Random| loop {
        let mut square = vec![0i64; 25];
        if fill(&mut square, 0, random)
            && own.iter().all(|(_, rule)| {
                rule.holds(&square.iter().map(|x| Some(*x)).collect::<Vec<_>>(), &[]) == Some(true)
            })
        {
            return (square, vec![]);
        }
    };
    let mut known = cages();
    for line in 0..5 {
        known.push(("all different", distinct(&(0..5).map(|at| 5 * line + at).collect::<Vec<_>>())));
        known.push(("all different", distinct(&(0..5).map(|at| 5 * at + line).collect::<Vec<_>>())));
    }
    let columns = (0..25).map(|at| format!("x[row {}, column {}]", at / 5 + 1, at % 5 + 1)).collect();
    Maker { name: "KenKen cages", columns, words: vec![], row: Box::new(row), known }
}

/// Fills in a Latin square by trying in random order.
fn fill(square: &mut [i64], at: usize, random: &mut Random) -> bool {
    if at == 25 {
        return true;
    }
    let mut values = [1, 2, 3, 4, 5];
    shuffle(&mut values, random);
    for value in values {
        let (row, column) = (at / 5, at % 5);
        let is_free = (0..column).all(|c| square[5 * row + c] != value)
            && (0..row).all(|r| square[5 * r + column] != value);
        if is_free {
            square[at] = value;
            if fill(square, at + 1, random) {
                return true;
            }
        }
    }
    false
}

/// Four teams, six rounds of two matches, each pair once at home and once away.
fn round_robin() -> Maker {
    let row = |random: &mut Random| {
        let pairings = [[(1, 2), (3, 4)], [(1, 3), (2, 4)], [(1, 4), (2, 3)]];
        let mut rounds = Vec::new();
        for pairing in pairings {
            let first = pairing.map(|(a, b)| if random.random_range(0..2) == 0 { (a, b) } else { (b, a) });
            rounds.push(first);
            rounds.push(first.map(|(a, b)| (b, a)));
        }
        shuffle(&mut rounds, random);
        rounds.iter_mut().for_each(|round| shuffle(round, random));
        let home = rounds.iter().flatten().map(|one| one.0);
        let away = rounds.iter().flatten().map(|one| one.1);
        (home.chain(away).collect(), vec![])
    };
    let mut known = Vec::new();
    for round in 0..6 {
        known.push(("all different", distinct(&[2 * round, 2 * round + 1, 12 + 2 * round, 13 + 2 * round])));
    }
    for team in 1..=4 {
        for start in [0, 12] {
            let columns = (start..start + 12).collect();
            known.push(("count", rule(Claim::Count { columns, value: team, least: 3, most: 3 })));
        }
    }
    let name = |side: &str, at: usize| format!("{side}[round {}, match {}]", at / 2 + 1, at % 2 + 1);
    let columns = (0..12).map(|at| name("home", at)).chain((0..12).map(|at| name("away", at))).collect();
    Maker { name: "double round robin", columns, words: vec![], row: Box::new(row), known }
}

/// Trips of three lines over five stops.
fn bus() -> Maker {
    const RIDE: [i64; 3] = [4, 7, 9];
    let row = |random: &mut Random| {
        let line = random.random_range(0..3);
        let first = random.random_range(0..40);
        let second = first + RIDE[line];
        let third = second + random.random_range(3..=6);
        let fourth = third + 2 + wait(random);
        let last = fourth + 5;
        let passengers = random.random_range(1..30);
        (vec![first, second, third, fourth, last, passengers], vec![line])
    };
    let mut known = vec![
        ("equation", equal(&[(1, 4), (-1, 3)], 5)),
        ("order", at_most(&[(1, 1), (-1, 2)], -3)),
        ("order", at_most(&[(-1, 1), (1, 2)], 6)),
        ("order", at_most(&[(1, 2), (-1, 3)], -2)),
    ];
    for (label, ride) in RIDE.iter().enumerate() {
        let gate = Some(Gate { category: 0, label });
        known.push(("gated equation", NumberRule { gate, ..equal(&[(1, 1), (-1, 0)], *ride) }));
    }
    let columns = ["stop1", "stop2", "stop3", "stop4", "stop5", "passengers"].map(str::to_owned).to_vec();
    let words = vec![("line".to_owned(), ["A", "B", "C"].map(str::to_owned).to_vec())];
    Maker { name: "bus timetable", columns, words, row: Box::new(row), known }
}

fn table(maker: &Maker, rows: usize, random: &mut Random) -> Numbers {
    let rows: Vec<(Vec<i64>, Vec<usize>)> = (0..rows).map(|_| (maker.row)(random)).collect();
    let column = |(at, name): (usize, &String)| Column {
        name: name.clone(),
        values: rows.iter().map(|row| Some(row.0[at])).collect(),
    };
    let words = |(at, (name, labels)): (usize, &(String, Vec<String>))| Words {
        name: name.clone(),
        labels: labels.clone(),
        codes: rows.iter().map(|row| Some(row.1[at])).collect(),
    };
    Numbers {
        columns: maker.columns.iter().enumerate().map(column).collect(),
        words: maker.words.iter().enumerate().map(words).collect(),
    }
}

fn kind(rule: &NumberRule) -> &'static str {
    let kind = match &rule.claim {
        Claim::Linear { relation: Relation::Equal, .. } => "equation",
        Claim::Linear { terms, .. } if terms.len() == 2 => "order",
        Claim::Linear { .. } => "sum",
        Claim::Product { .. } => "product",
        Claim::Ratio { .. } => "ratio",
        Claim::Distance { .. } => "distance",
        Claim::Apart { .. } => "apart",
        Claim::Distinct { .. } => "all different",
        Claim::Differences { .. } => "differences",
        Claim::Increasing { .. } => "increasing",
        Claim::Count { .. } => "count",
        Claim::Sign { .. } => "class",
    };
    if rule.gate.is_some() { "gated" } else { kind }
}

fn with_rules(first: u64, count: u64) {
    let makers = [job_shop(), magic(), kenken(), round_robin(), bus()];
    println!("{:20} {:>5}  known found-known  other  false  seconds", "table", "rows");
    let mut by_kind: BTreeMap<(&str, usize), [usize; 2]> = BTreeMap::new();
    for maker in &makers {
        if std::env::var("ONLY").is_ok_and(|only| !maker.name.contains(&only)) {
            continue;
        }
        for rows in [50, 200, 1000] {
            let (mut met, mut others, mut falses, mut seconds) = (0, 0, 0, 0.0);
            for seed in first..first + count {
                let mut random = stream(seed, maker.name, rows as u64);
                let table_ = table(maker, rows, &mut random);
                let start = std::time::Instant::now();
                let found = find(&table_, &Settings { seed, ..Settings::default() }, &Quiet).rules.rules;
                seconds += start.elapsed().as_secs_f64();
                let fresh: Vec<(Vec<i64>, Vec<usize>)> =
                    (0..20_000).map(|_| (maker.row)(&mut random)).collect();
                let is_false = |rule: &NumberRule| {
                    fresh.iter().any(|(numbers, words)| {
                        let numbers: Vec<Option<i64>> = numbers.iter().map(|x| Some(*x)).collect();
                        let words: Vec<Option<usize>> = words.iter().map(|x| Some(*x)).collect();
                        rule.holds(&numbers, &words) == Some(false)
                    })
                };
                let (wrong, right): (Vec<NumberRule>, Vec<NumberRule>) =
                    found.into_iter().partition(is_false);
                falses += wrong.len();
                if std::env::var_os("SHOW").is_some() {
                    let rules = find(&table_, &Settings { seed, ..Settings::default() }, &Quiet).rules;
                    wrong
                        .iter()
                        .for_each(|rule| println!("   false: {} {:?}", rules.line(rule), rule.evidence));
                    right.iter().for_each(|rule| println!("   {}: {}", kind(rule), rules.line(rule)));
                }
                let known = maker.known.iter().filter(|(kind, rule)| {
                    let is_met = seems_implied(&table_, &right, rule, seed);
                    let entry = by_kind.entry((kind, rows)).or_default();
                    entry[0] += 1;
                    entry[1] += usize::from(is_met);
                    is_met
                });
                let implied = known.count();
                met += implied;
                let is_known =
                    |rule: &&NumberRule| maker.known.iter().any(|(_, one)| one.claim == rule.claim);
                others += right.iter().filter(|rule| !is_known(rule)).count();
            }
            let known = maker.known.len() * count as usize;
            println!(
                "{:20} {rows:>5}  {known:>5} {met:>11} {others:>6} {falses:>6} {:>8.2}",
                maker.name,
                seconds / count as f64
            );
        }
    }
    println!("\n{:20} {:>5}  known  true  missed", "kind", "rows");
    for ((kind, rows), [known, met]) in by_kind {
        println!("{kind:20} {rows:>5}  {known:>5} {met:>5} {:>7}", known - met);
    }
}

/// A number of a normal distribution.
fn normal(random: &mut Random) -> f64 {
    let (u, v): (f64, f64) = (random.random(), random.random());
    (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// A table without rules, of one of four kinds.
fn without(kind: usize, random: &mut Random) -> Numbers {
    let columns = random.random_range(2..=10usize);
    let rows = [20, 50, 100, 300, 1000][random.random_range(0..5)];
    let indexed = random.random_range(0..2) == 0;
    let factors: Vec<[f64; 2]> = (0..columns).map(|_| [normal(random), normal(random)]).collect();
    let own: Vec<f64> = (0..columns).map(|_| [0.1, 0.3, 1.0][random.random_range(0..3)]).collect();
    let scale: Vec<f64> = (0..columns).map(|_| [0.7, 2.0, 5.0, 20.0][random.random_range(0..4)]).collect();
    let mean: Vec<f64> = (0..columns).map(|_| random.random_range(0.0..10.0)).collect();
    let width: Vec<i64> = (0..columns).map(|_| random.random_range(2..=30)).collect();
    let shape = random.random_range(0..3);
    let mut table = vec![Vec::new(); columns];
    let mut walk: Vec<f64> = mean.clone();
    for _ in 0..rows {
        let common = [normal(random), normal(random)];
        for column in 0..columns {
            let value = match kind {
                0 => random.random_range(0..width[column]),
                1 => {
                    let [a, b] = factors[column];
                    let value = a * common[0] + b * common[1] + own[column] * normal(random);
                    (mean[column] + scale[column] * value).round() as i64
                }
                2 => {
                    walk[column] += match shape {
                        0 => f64::from(random.random_range(0..2i32) * 2 - 1),
                        1 => f64::from(random.random_range(-1..=1i32)),
                        _ => scale[column] * normal(random),
                    };
                    walk[column].round() as i64
                }
                _ => match shape {
                    0 => (-(1.0 - random.random::<f64>()).ln() * scale[column]).floor() as i64,
                    1 => (normal(random) * 0.8 + 0.5).exp().floor() as i64,
                    _ => (0..10).filter(|_| random.random_range(0.0..1.0) < own[column] / 2.0).count() as i64,
                },
            };
            table[column].push(Some(value));
        }
    }
    let name =
        |at: usize| if indexed { format!("x{}", at + 1) } else { format!("{}", (b'a' + at as u8) as char) };
    let columns =
        table.into_iter().enumerate().map(|(at, values)| Column { name: name(at), values }).collect();
    let mut words = Vec::new();
    if random.random_range(0..2) == 0 {
        let labels = ["u", "v", "w"].map(str::to_owned).to_vec();
        let codes = (0..rows).map(|_| Some(random.random_range(0..3usize))).collect();
        words.push(Words { name: "word".to_owned(), labels, codes });
    }
    Numbers { columns, words }
}

fn without_rules(first: u64, count: u64) {
    let kinds = ["independent", "correlated normals", "random walks", "skewed counts"];
    let mut all = 0;
    for (at, name) in kinds.iter().enumerate() {
        let mut wrong = 0;
        let start = std::time::Instant::now();
        for seed in first..first + count / 4 {
            let table = without(at, &mut stream(seed, name, 0));
            let found = find(&table, &Settings { seed, ..Settings::default() }, &Quiet).rules;
            wrong += usize::from(!found.rules.is_empty());
            if std::env::var_os("SHOW").is_some() {
                for rule in &found.rules {
                    println!(
                        "   {name} {seed}: {} rows: {} {:?}",
                        table.rows(),
                        found.line(rule),
                        rule.evidence
                    );
                }
            }
        }
        println!(
            "{name:20} {:>4} tables, {wrong:>3} with a rule, {:.1} s",
            count / 4,
            start.elapsed().as_secs_f64()
        );
        all += wrong;
    }
    println!("{:20} {count:>4} tables, {all:>3} with a rule", "all");
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let what = arguments.next().unwrap_or_else(|| "rules".to_owned());
    let mut number = |other: u64| arguments.next().map_or(other, |text| text.parse().expect("a number"));
    let first = number(1);
    match what.as_str() {
        "none" => without_rules(first, number(1000)),
        _ => with_rules(first, number(3)),
    }
}
