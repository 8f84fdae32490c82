//! Tables without rules: every row that the columns can have, it could have had.

use preceptron_base::stream;
use preceptron_learn::Examples;
use preceptron_logic::Variables;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::Set;

/// What makes a table look as if it had rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing: columns are independent, values about as frequent as each other.
    Independent,
    /// Columns are independent, and some values rare.
    Skewed,
    /// Columns hang together.
    Correlated,
    /// Rows hang together.
    DependentRows,
}

pub const KINDS: [Kind; 4] = [Kind::Independent, Kind::Skewed, Kind::Correlated, Kind::DependentRows];

/// Columns with a number of values each: two are a Boolean variable, more a one-hot group.
struct Columns {
    values: Vec<usize>,
    variables: Variables,
}

/// The columns of a table: Booleans, words or cells of a grid.
fn columns(random: &mut ChaCha8Rng, set: Set) -> Columns {
    let shape = random.random_range(0..3);
    let mut names = Vec::new();
    let mut values = Vec::new();
    let mut one_hot = Vec::new();
    if shape == 2 {
        let (rows, across) = match set {
            Set::Tune => (random.random_range(2..6), random.random_range(2..6)),
            Set::Report => (random.random_range(3..8), random.random_range(2..5)),
        };
        let count = random.random_range(2..6);
        for (row, column) in (1..=rows).flat_map(|r| (1..=across).map(move |c| (r, c))) {
            values.push(count);
            match count {
                2 => names.push(format!("x[row {row}, column {column}]")),
                _ => names.extend((1..=count).map(|v| format!("x[row {row}, column {column}, value {v}]"))),
            }
        }
        if count > 2 {
            one_hot.push("x".to_owned());
        }
    } else {
        for column in 0..random.random_range(4..16) {
            let count = if shape == 0 { 2 } else { random.random_range(2..7) };
            values.push(count);
            match count {
                2 => names.push(format!("c{column}")),
                _ => {
                    names.extend((0..count).map(|v| format!("c{column}[value v{v}]")));
                    one_hot.push(format!("c{column}"));
                }
            }
        }
    }
    let mut variables = Variables::from_names(names).expect("names differ");
    one_hot.iter().for_each(|name| variables.set_one_hot(name, "value").expect("the axis is there"));
    Columns { values, variables }
}

/// A value by weights.
fn pick(weights: &[f64], random: &mut ChaCha8Rng) -> usize {
    let mut left = random.random::<f64>() * weights.iter().sum::<f64>();
    for (value, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return value;
        }
    }
    weights.len() - 1
}

/// How frequent the values of each column are.
fn weights(values: &[usize], is_skewed: bool, set: Set, random: &mut ChaCha8Rng) -> Vec<Vec<f64>> {
    let mut column = |&count: &usize| -> Vec<f64> {
        match (is_skewed, set) {
            (false, Set::Tune) => (0..count).map(|_| random.random_range(0.6..1.0)).collect(),
            (false, Set::Report) => vec![1.0; count],
            // A few values take nearly all; powers of the rank.
            (true, Set::Tune) => (0..count).map(|_| random.random::<f64>().powi(4) + 0.004).collect(),
            (true, Set::Report) => {
                let power = random.random_range(1.0..3.5);
                (0..count).map(|v| (v as f64 + 1.0).powf(-power)).collect()
            }
        }
    };
    values.iter().map(&mut column).collect()
}

/// The table of a kind with a number.
pub fn table(kind: Kind, set: Set, number: u64) -> (Variables, Examples) {
    let name = format!("{kind:?} tables without rules, {}", if set == Set::Tune { "tune" } else { "report" });
    let random = &mut stream(31, &name, number);
    let Columns { values, variables } = columns(random, set);
    let rows = 10f64.powf(random.random_range(1.2..3.3)) as usize;
    let is_skewed = kind == Kind::Skewed || kind != Kind::Independent && random.random_bool(0.3);
    let weights = weights(&values, is_skewed, set, random);
    let drawn = match kind {
        Kind::Independent | Kind::Skewed => {
            (0..rows).map(|_| weights.iter().map(|w| pick(w, random)).collect()).collect()
        }
        Kind::Correlated => correlated(&weights, rows, set, random),
        Kind::DependentRows => dependent(&weights, rows, set, random),
    };
    let encoded: Vec<Vec<bool>> = drawn.iter().map(|row: &Vec<usize>| encode(row, &values)).collect();
    let examples = Examples::from_full_rows(variables.len(), &encoded);
    (variables, examples)
}

fn encode(row: &[usize], values: &[usize]) -> Vec<bool> {
    let column = |(&value, &count): (&usize, &usize)| match count {
        2 => vec![value == 1],
        _ => (0..count).map(|v| v == value).collect(),
    };
    row.iter().zip(values).flat_map(column).collect()
}

/// Tune: hidden classes, each with its own frequencies. Report: a column follows an earlier one by an order of the
/// values, as strongly as a number drawn for the pair says.
fn correlated(weights: &[Vec<f64>], rows: usize, set: Set, random: &mut ChaCha8Rng) -> Vec<Vec<usize>> {
    match set {
        Set::Tune => {
            let classes: Vec<Vec<Vec<f64>>> = (0..random.random_range(2..5))
                .map(|_| {
                    let mut tilt = |w: &Vec<f64>| -> Vec<f64> {
                        w.iter().map(|w| w * random.random_range(0.15..1.0f64)).collect()
                    };
                    weights.iter().map(&mut tilt).collect()
                })
                .collect();
            (0..rows)
                .map(|_| {
                    let class = &classes[random.random_range(0..classes.len())];
                    class.iter().map(|w| pick(w, random)).collect()
                })
                .collect()
        }
        Set::Report => {
            let parents: Vec<(usize, f64, usize)> = (0..weights.len())
                .map(|at| {
                    (
                        random.random_range(0..at.max(1)),
                        random.random_range(0.0..0.85),
                        random.random_range(0..7),
                    )
                })
                .collect();
            (0..rows)
                .map(|_| {
                    let mut row: Vec<usize> = Vec::new();
                    for (at, w) in weights.iter().enumerate() {
                        let (parent, strength, shift) = parents[at];
                        let follows = at > 0 && random.random_bool(strength);
                        let value = if follows { (row[parent] + shift) % w.len() } else { pick(w, random) };
                        row.push(value);
                    }
                    row
                })
                .collect()
        }
    }
}

/// Tune: groups of rows around one start. Report: each row is the one before with some values drawn anew.
fn dependent(weights: &[Vec<f64>], rows: usize, set: Set, random: &mut ChaCha8Rng) -> Vec<Vec<usize>> {
    let fresh = random.random_range(0.3..0.9);
    let group = if set == Set::Tune { random.random_range(2..7) } else { usize::MAX };
    let mut start: Vec<usize> = weights.iter().map(|w| pick(w, random)).collect();
    let mut all = Vec::new();
    for number in 0..rows {
        if number % group == 0 {
            start = weights.iter().map(|w| pick(w, random)).collect();
        }
        let row: Vec<usize> = start
            .iter()
            .zip(weights)
            .map(|(&value, w)| if random.random_bool(fresh) { pick(w, random) } else { value })
            .collect();
        if set == Set::Report {
            start.clone_from(&row);
        }
        all.push(row);
    }
    all
}
