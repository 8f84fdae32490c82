//! The search: families first, then equations, two columns at a time, words, and what holds under a gate.

use std::collections::BTreeSet;

use preceptron_base::Control;
use preceptron_logic::numbers::{Category, Claim, Gate, NumberColumn, NumberRule, NumberRules, Relation};

use crate::data::{Data, Numbers};
use crate::groups;
use crate::search::Search;
use crate::{classes, equations, families, pairs};

/// How to search.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The master seed of what is random in the search.
    pub seed: u64,
    /// The most rows that are looked at closely; rules are then checked in all.
    pub rows: usize,
    /// The fewest rows with a word for which rules of these rows are looked for.
    pub gated_rows: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { seed: 0, rows: 20_000, gated_rows: 20 }
    }
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The rules, over all columns of the table.
    pub rules: NumberRules,
    /// Whether the search was stopped before its end.
    pub is_interrupted: bool,
    /// Whether the search cost enough before its end, so that rules may be missing, or imply each other.
    pub is_cut_short: bool,
    /// Whether rows follow one another so that they count for less.
    pub is_serial: bool,
}

/// The fewest rows that are looked at.
const FEWEST: usize = 8;
/// The most columns that are looked at.
const MOST_COLUMNS: usize = 200;
/// The most rules of which it is looked whether others imply them.
const MOST_LOOKED_BACK: usize = 80;

/// Finds rules of numbers. The same table and settings give the same rules.
pub fn find(numbers: &Numbers, settings: &Settings, control: &dyn Control) -> Found {
    let mut found = Found { rules: empty(numbers), ..Found::default() };
    let all = Data::new(numbers);
    if all.rows.len() < FEWEST || all.columns() > MOST_COLUMNS {
        return found;
    }
    let names: Vec<&str> = numbers.columns.iter().map(|column| column.name.as_str()).collect();
    let lines = groups::lines(&names);
    let stride = all.rows.len().div_ceil(settings.rows.max(1));
    let data = all.some(|row| row % stride == 0);
    control.stage("rules of numbers", 8 + gates(numbers, &data, settings).len() as u64);
    let mut search = Search::new(&data, control, settings.seed);
    let steps: [&dyn Fn(&mut Search); 8] = [
        &|search| families::increasing(search, &lines),
        &|search| families::distinct(search, &lines),
        &|search| {
            equations::equations(search, 2);
            families::cliques(search);
            families::counts(search, &lines);
        },
        &|search| equations::equations(search, usize::MAX),
        &|search| equations::products(search),
        &|search| classes::classes(search, numbers),
        &|search| pairs::pairs(search),
        &|search| families::sums(search, &lines),
    ];
    for step in steps {
        if !control.is_cancelled() {
            let known = search.rules.len();
            step(&mut search);
            if search.rules.len() > known {
                look_back(&mut search, 0);
            }
            control.advance(1);
        }
    }
    found.is_cut_short = search.is_spent();
    let mut rules = search.rules;
    let known = rules.len();
    let gates = gates(numbers, &data, settings);
    for gate in &gates {
        if control.is_cancelled() {
            break;
        }
        let own = data.some(|row| data.words[row][gate.category] == Some(gate.label));
        let (more, is_spent) = gated(&own, *gate, &rules[..known], gates.len(), settings, control);
        rules.extend(more);
        found.is_cut_short |= is_spent;
        control.advance(1);
    }
    let mut search = Search::new(&data, control, settings.seed);
    search.rules = rules;
    if search.rules.len() > known && !search.is_over() {
        look_back(&mut search, 0);
    }
    pairs::joined(&mut search);
    rules = search.rules;
    // All rows are asked, also those that were not looked at closely.
    rules.retain_mut(|rule| {
        let held = all.rows.iter().zip(&all.words).map(|(row, words)| match rule.gate {
            Some(gate) if words[gate.category] != Some(gate.label) => None,
            _ => rule.claim.holds(row, words),
        });
        let mut count = 0;
        let holds = held.flatten().all(|holds| {
            count += u64::from(holds);
            holds
        });
        rule.evidence.rows = count;
        holds
    });
    let is_class = |rule: &NumberRule| matches!(rule.claim, Claim::Sign { .. });
    found.is_serial = rules.iter().any(|rule| !is_class(rule) && data.share(&rule.claim.columns()) < 1.0);
    found.is_interrupted = control.is_cancelled();
    found.rules.rules = rules;
    found
}

fn empty(numbers: &Numbers) -> NumberRules {
    let column = |column: &crate::Column| {
        let values = || column.values.iter().flatten().copied();
        NumberColumn {
            name: column.name.clone(),
            min: values().min().unwrap_or(0),
            max: values().max().unwrap_or(0),
        }
    };
    let category = |words: &crate::Words| Category { name: words.name.clone(), labels: words.labels.clone() };
    NumberRules {
        columns: numbers.columns.iter().map(column).collect(),
        categories: numbers.words.iter().map(category).collect(),
        ..NumberRules::default()
    }
}

/// The words that enough rows have.
fn gates(numbers: &Numbers, data: &Data, settings: &Settings) -> Vec<Gate> {
    const MOST_WORDS: usize = 12;
    let mut gates = Vec::new();
    for (category, words) in numbers.words.iter().enumerate() {
        if !(2..=MOST_WORDS).contains(&words.labels.len()) {
            continue;
        }
        for label in 0..words.labels.len() {
            let rows = data.words.iter().filter(|row| row[category] == Some(label)).count();
            if rows >= settings.gated_rows && rows < data.rows.len() {
                gates.push(Gate { category, label });
            }
        }
    }
    gates
}

/// The rules of the rows with a word, beside those of all rows.
fn gated(
    data: &Data,
    gate: Gate,
    known: &[NumberRule],
    gates: usize,
    settings: &Settings,
    control: &dyn Control,
) -> (Vec<NumberRule>, bool) {
    let mut search = Search::new(data, control, settings.seed);
    search.rules = known.to_vec();
    (search.gate, search.times) = (Some(gate), gates);
    equations::equations(&mut search, usize::MAX);
    equations::products(&mut search);
    pairs::pairs(&mut search);
    look_back(&mut search, known.len());
    let is_spent = search.is_spent();
    (search.rules.split_off(known.len()), is_spent)
}

/// Leaves out what the other rules imply: without the rule no sample breaks it. The last is looked at last.
fn look_back(search: &mut Search, from: usize) {
    let families: Vec<Vec<usize>> = {
        let mut seen = BTreeSet::new();
        let mut families: Vec<Vec<usize>> = Vec::new();
        for (at, rule) in search.rules.iter().enumerate().skip(from) {
            match &rule.family {
                Some(family) if !seen.insert(family.clone()) => {
                    let of =
                        |members: &&mut Vec<usize>| search.rules[members[0]].family.as_ref() == Some(family);
                    if let Some(members) = families.iter_mut().find(of) {
                        members.push(at);
                    }
                }
                _ => families.push(vec![at]),
            }
        }
        families
    };
    if families.len() < 2 || families.len() > MOST_LOOKED_BACK {
        return;
    }
    let mut dropped: BTreeSet<usize> = BTreeSet::new();
    for members in &families {
        if search.is_over() {
            return;
        }
        // Equations are independent of each other already.
        let is_equation =
            |at: &usize| matches!(search.rules[*at].claim, Claim::Linear { relation: Relation::Equal, .. });
        if members.iter().all(is_equation) {
            continue;
        }
        let others: Vec<NumberRule> = (0..search.rules.len())
            .filter(|at| !dropped.contains(at) && !members.contains(at))
            .map(|at| search.rules[at].clone())
            .collect();
        if others.is_empty() {
            continue;
        }
        let samples = search.draw(&others);
        let is_broken = samples.iter().any(|sample| {
            members.iter().any(|at| search.rules[*at].holds(&sample.numbers, &sample.words) == Some(false))
        });
        // Where nothing moves nothing is known: equations and the like may hold every row in its place.
        let moved = samples.iter().filter(|sample| sample.is_new).count();
        if !is_broken && moved * 10 > samples.len() {
            dropped.extend(members);
        }
    }
    let mut at = 0;
    search.rules.retain(|_| {
        at += 1;
        !dropped.contains(&(at - 1))
    });
}

/// Whether rules imply a claim, as far as random rows tell: none of those that obey the rules breaks it.
pub fn seems_implied(numbers: &Numbers, rules: &[NumberRule], claim: &NumberRule, seed: u64) -> bool {
    let data = Data::new(numbers);
    let data = match claim.gate {
        Some(gate) => data.some(|row| data.words[row][gate.category] == Some(gate.label)),
        None => data,
    };
    let search = Search::new(&data, &preceptron_base::Quiet, seed);
    let samples = search.draw(rules);
    samples.iter().all(|sample| claim.holds(&sample.numbers, &sample.words) != Some(false))
}
