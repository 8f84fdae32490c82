//! No rule is reported that the examples break, whatever is missing in them and why.

use preceptron_base::{Quiet, stream};
use preceptron_learn::{Examples, Learned, Settings, Table, TableOptions, learn};
use preceptron_logic::{Constraint, Lit, Sums, Var, Variables};
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

type Rows = Vec<Vec<Option<bool>>>;

/// How many rows break a constraint: its gate is seen to be true, and no sum that the literals can have,
/// whatever is not seen, is allowed.
fn broken_by(constraint: &Constraint, rows: &Rows) -> usize {
    let breaks = |row: &&Vec<Option<bool>>| {
        let seen = |literal: &Lit| row[literal.var().index()].map(|value| value != literal.is_negated());
        let asked = constraint.gate().is_none_or(|gate| seen(&gate) == Some(true));
        let least = constraint.literals().iter().filter(|l| seen(l) == Some(true)).count() as u32;
        let most = constraint.literals().iter().filter(|l| seen(l) != Some(false)).count() as u32;
        asked && !(least..=most).any(|sum| constraint.sums().contains(sum))
    };
    rows.iter().filter(breaks).count()
}

fn broken(learned: &Learned, rows: &Rows) -> Vec<(Constraint, usize)> {
    let all = learned.rules.constraints().map(|rule| (rule.clone(), broken_by(rule, rows)));
    all.filter(|(_, rows)| *rows > 0).collect()
}

/// Two one-hot groups of 4 and 3 values, and 5 columns more. A hidden class ties the groups and some columns
/// together where `tied`; further rules hold in all rows.
const GROUPS: [std::ops::Range<usize>; 2] = [0..4, 4..7];
const COLUMNS: usize = 12;

fn complete_rows(random: &mut impl Rng, count: usize, tied: bool) -> Rows {
    let rules: Vec<Constraint> = (0..random.random_range(0..3)).map(|_| random_rule(random)).collect();
    let noise = random.random_range(0.0..0.2);
    let mut rows = Rows::new();
    for _ in 0..20 * count {
        let class = random.random_range(0..4usize);
        let strays = |random: &mut dyn FnMut() -> f64| !tied || random() < noise;
        let mut draw = || random.random::<f64>();
        let first = if strays(&mut draw) { (draw() * 4.0) as usize } else { class };
        let second = if strays(&mut draw) { (draw() * 3.0) as usize } else { class / 2 + class % 2 };
        let mut row = vec![Some(false); COLUMNS];
        (row[first], row[4 + second]) = (Some(true), Some(true));
        for (at, cell) in row.iter_mut().enumerate().skip(7) {
            let value = if strays(&mut draw) { draw() < 0.4 } else { (class + at) % 3 == 0 };
            *cell = Some(value);
        }
        if rules.iter().all(|rule| rule.holds(|v| row[v.index()] == Some(true))) {
            rows.push(row);
        }
        if rows.len() == count {
            break;
        }
    }
    rows
}

fn random_rule(random: &mut impl Rng) -> Constraint {
    let size = random.random_range(2..5);
    let mut columns: Vec<u32> = (0..COLUMNS as u32).collect();
    columns.shuffle(random);
    let literals: Vec<Lit> = columns[..size].iter().map(|&v| Lit::new(Var(v), random.random())).collect();
    let least = random.random_range(0..2);
    Constraint::new(literals, Sums::range(least, least + random.random_range(0..size as u32 - 1)))
}

/// Takes cells away, in one of seven ways.
fn take_away(rows: &mut Rows, pattern: usize, random: &mut impl Rng) {
    let count = rows.len().max(1);
    let share: f64 = random.random_range(0.05..0.7);
    let some: Vec<usize> = (0..COLUMNS).filter(|_| random.random::<f64>() < 0.4).collect();
    let (other, wanted) = (random.random_range(0..COLUMNS), random.random());
    let from = random.random_range(0..count);
    let group = GROUPS[random.random_range(0..2)].clone();
    for (number, row) in rows.iter_mut().enumerate() {
        let chosen = random.random::<f64>() < share;
        let before = row.clone();
        for at in 0..COLUMNS {
            let gone = match pattern {
                // At random; whole columns in some rows; by another column's value.
                0 => random.random::<f64>() < share,
                1 => chosen && some.contains(&at),
                2 => before[other] == Some(wanted) && some.contains(&at) && random.random::<f64>() < 0.9,
                // A block of rows and columns; a one-hot group as a whole.
                3 => number >= from && some.contains(&at),
                4 => chosen && (group.contains(&at) || (some.contains(&at) && before[other] == Some(wanted))),
                // Nearly everything; by the value itself.
                5 => random.random::<f64>() < 0.93,
                _ => before[at] == Some(wanted) && random.random::<f64>() < share,
            };
            if gone {
                row[at] = None;
            }
        }
    }
}

fn names(one_hot: bool) -> Variables {
    let groups = ["a", "b"].iter().zip(GROUPS);
    let members =
        groups.flat_map(|(name, group)| (0..group.len()).map(move |at| format!("{name}[value {at}]")));
    let others = (7..COLUMNS).map(|at| format!("x{at}"));
    let mut names = Variables::from_names(members.chain(others)).unwrap();
    if one_hot {
        ["a", "b"].iter().for_each(|group| names.set_one_hot(group, "value").unwrap());
    }
    names
}

#[test]
fn no_reported_rule_is_broken() {
    let (mut rules, mut with_rules, mut broken_tables) = (0, 0, vec![]);
    for number in 0..200 {
        let mut random = stream(7, "tables with gaps", number);
        let (count, tied) = (random.random_range(20..200), random.random::<f64>() < 0.7);
        let mut rows = complete_rows(&mut random, count, tied);
        if number % 9 == 0 {
            // The table says that columns are one-hot, and some rows are not.
            rows.iter_mut().step_by(11).for_each(|row| row[1] = row[1].map(|value| !value));
        }
        take_away(&mut rows, number as usize % 7, &mut random);
        let examples = Examples::from_rows(COLUMNS, &rows);
        let settings = Settings { stability: false, clause_literals: 4, seed: number, ..Settings::default() };
        let learned = learn(&names(number % 3 == 0), &examples, &settings.check().unwrap(), &Quiet);
        if !broken(&learned, &rows).is_empty() {
            broken_tables.push(number);
        }
        assert!(learned.rules.rules().iter().all(|rule| rule.evidence.violated == 0));
        rules += learned.rules.rules().len();
        with_rules += usize::from(!learned.rules.rules().is_empty());
    }
    assert_eq!(broken_tables, [] as [u64; 0]);
    // There is something to break.
    assert!(rules > 500 && with_rules > 120, "{rules} rules of {with_rules} tables");
}

/// Cells of a grid with one of three values each, so that there are families to look for. Lines of the grid avoid a
/// value beside itself, or have it at most twice, in all rows but those that stray; some cells are then taken away.
#[test]
fn no_reported_family_is_broken() {
    const SIDES: (usize, usize) = (3, 4);
    let cells: Vec<(usize, usize)> = (0..SIDES.0).flat_map(|r| (0..SIDES.1).map(move |c| (r, c))).collect();
    let name = |(r, c): &(usize, usize)| {
        ["a", "b", "c"].map(|v| format!("x[row {}, column {}, value {v}]", r + 1, c + 1))
    };
    let mut variables = Variables::from_names(cells.iter().flat_map(name)).unwrap();
    variables.set_one_hot("x", "value").unwrap();
    let (mut found, mut broken_tables) = (0, vec![]);
    for number in 0..40u64 {
        let mut random = stream(10, "grids with gaps", number);
        let (beside, most) = (random.random::<bool>(), random.random_range(1..4));
        let strays = [0.0, 0.0, 0.01, 0.1][number as usize % 4];
        let mut rows: Rows = Vec::new();
        while rows.len() < 60 {
            let values: Vec<usize> = cells.iter().map(|_| random.random_range(0..3)).collect();
            let line = |r: usize| &values[r * SIDES.1..][..SIDES.1];
            let keeps = |r: usize| {
                let count = line(r).iter().filter(|v| **v == 0).count();
                count <= most && !(beside && line(r).windows(2).any(|pair| pair == [1, 1]))
            };
            if (0..SIDES.0).all(keeps) || random.random_bool(strays) {
                rows.push(values.iter().flat_map(|&v| (0..3).map(move |at| Some(at == v))).collect());
            }
        }
        if number % 5 == 4 {
            rows.iter_mut().flatten().filter(|_| random.random_bool(0.1)).for_each(|cell| *cell = None);
        }
        let examples = Examples::from_rows(variables.len(), &rows);
        let settings = Settings { clause_literals: 3, seed: number, ..Settings::default() };
        let learned = learn(&variables, &examples, &settings.check().unwrap(), &Quiet);
        if !broken(&learned, &rows).is_empty() {
            broken_tables.push(number);
        }
        found += learned.rules.len().saturating_sub(cells.len());
    }
    assert_eq!(broken_tables, [] as [u64; 0]);
    assert!(found > 100, "{found} rules");
}

/// A threshold below 1 is kept too: each rule has that share of the rows that decide it.
#[test]
fn no_reported_rule_is_below_the_threshold() {
    for number in 0..30 {
        let mut random = stream(8, "tables with gaps", number);
        let mut rows = complete_rows(&mut random, 150, true);
        take_away(&mut rows, number as usize % 7, &mut random);
        let examples = Examples::from_rows(COLUMNS, &rows);
        let settings =
            Settings { stability: false, clause_literals: 3, threshold: 0.95, ..Settings::default() };
        let learned = learn(&names(false), &examples, &settings.check().unwrap(), &Quiet);
        for rule in learned.rules.rules() {
            let (broken, all) = (broken_by(&rule.constraint, &rows) as f64, rule.evidence.examples as f64);
            assert!(broken <= (1.0 - 0.95) * all + 1e-9, "table {number}: {broken} of {all}");
        }
    }
}

/// Mushrooms on paths have no flaring ring where the root was recorded, and some have where it was not: a
/// group with a root, paths and flaring holds on the rows that observe all of it, and not on all.
#[test]
fn a_column_is_missing_where_others_differ() {
    let mut text = String::from("root,habitat,ring,odour\n");
    let mut random = stream(9, "mushrooms", 0);
    for number in 0..800 {
        let mut pick = |values: &[&'static str]| values[random.random_range(0..values.len())];
        let (root, habitats, rings): (_, &[_], &[_]) = match number % 8 {
            0..3 => ("bulbous", &["woods", "grass"], &["pendant", "large"]),
            3 => ("club", &["paths", "paths", "grass"], &["pendant", "large"]),
            4 => ("equal", &["woods", "grass"], &["flaring", "flaring", "large"]),
            5 => ("rooted", &["paths"], &["pendant", "large"]),
            6 => ("rooted", &["woods", "grass"], &["flaring"]),
            _ => ("", &["paths", "woods"], &["flaring", "pendant"]),
        };
        text += &format!("{root},{},{},{}\n", pick(habitats), pick(rings), pick(&["none", "foul", "almond"]));
    }
    let table = Table::from_bytes("mushrooms.csv", text.into_bytes(), &TableOptions::default()).unwrap();
    let row = |at| (0..table.variables.len() as u32).map(|v| table.examples.get(at, Var(v))).collect();
    let rows: Rows = (0..table.examples.len()).map(row).collect();
    assert!(rows.iter().any(|row| row.contains(&None)));
    let learned = learn(&table.variables, &table.examples, &Settings::default().check().unwrap(), &Quiet);
    assert!(learned.rules.rules().len() > 5);
    assert_eq!(broken(&learned, &rows), []);
}
