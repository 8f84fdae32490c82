//! Families over axes from few examples, and nothing where there is no rule.

use preceptron_base::{Quiet, stream};
use preceptron_learn::{Examples, Learned, Settings, learn};
use preceptron_logic::{Constraint, Lit, Var, Variables};
use rand::RngExt;
use rand::seq::SliceRandom;

const SIDE: u32 = 6;

fn cells() -> Variables {
    let axes = [("row", 1..=6), ("column", 1..=6), ("digit", 1..=6)];
    let mut cells = Variables::block("cell", &axes);
    cells.set_one_hot("cell", "digit").unwrap();
    cells
}

fn at(row: u32, column: u32, digit: u32) -> Lit {
    Var((row * SIDE + column) * SIDE + digit).positive()
}

/// A Latin square: a cyclic one with rows, columns and digits in random order.
fn square(number: u64) -> Vec<bool> {
    let mut random = stream(5, "squares", number);
    let mut orders = [(); 3].map(|()| (0..SIDE).collect::<Vec<u32>>());
    orders.iter_mut().for_each(|order| order.shuffle(&mut random));
    let [rows, columns, digits] = orders;
    let digit = |r: u32, c: u32| digits[((rows[r as usize] + columns[c as usize]) % SIDE) as usize];
    (0..SIDE.pow(3)).map(|v| digit(v / 36, v / 6 % 6) == v % 6).collect()
}

fn learned(rows: &[Vec<bool>]) -> Learned {
    let examples = Examples::from_full_rows(cells().len(), rows);
    learn(&cells(), &examples, &Settings::default().check().unwrap(), &Quiet)
}

#[test]
fn rows_and_columns_from_three_squares() {
    let rows: Vec<Vec<bool>> = (0..3).map(square).collect();
    let found = learned(&rows).rules;
    for a in 0..SIDE {
        for digit in 0..SIDE {
            let row = Constraint::exactly(1, (0..SIDE).map(|column| at(a, column, digit)));
            let column = Constraint::exactly(1, (0..SIDE).map(|row| at(row, a, digit)));
            assert!(found.contains(&row) && found.contains(&column));
        }
    }
}

#[test]
fn the_order_of_rows_changes_nothing() {
    let mut rows: Vec<Vec<bool>> = (0..5).map(square).collect();
    let before = learned(&rows);
    rows.reverse();
    let after = learned(&rows);
    assert_eq!(before.rules, after.rules);
    assert_eq!(before.verdict, after.verdict);
}

#[test]
fn nothing_where_there_is_no_rule() {
    let alarms = (0..5).filter(|&number| {
        let mut random = stream(6, "free cells", number);
        let rows: Vec<Vec<bool>> = (0..8)
            .map(|_| {
                let values: Vec<u32> = (0..36).map(|_| random.random_range(0..SIDE)).collect();
                (0..SIDE.pow(3)).map(|v| values[(v / SIDE) as usize] == v % SIDE).collect()
            })
            .collect();
        learned(&rows).rules.len() > 36
    });
    assert!(alarms.count() <= 1);
}

/// A value that is rare, and so is in no example of some cells, makes no rule of those that are left.
#[test]
fn nothing_where_a_value_is_rare() {
    let alarms = (0..8).filter(|&number| {
        let mut random = stream(7, "rare values", number);
        let rows: Vec<Vec<bool>> = (0..30)
            .map(|_| {
                let mut value = || if random.random_bool(0.04) { 0 } else { random.random_range(1..SIDE) };
                let values: Vec<u32> = (0..36).map(|_| value()).collect();
                (0..SIDE.pow(3)).map(|v| values[(v / SIDE) as usize] == v % SIDE).collect()
            })
            .collect();
        learned(&rows).rules.len() > 36
    });
    assert_eq!(alarms.count(), 0);
}
