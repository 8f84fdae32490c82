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

/// A ward in which nobody works the day after a night, but for one nurse who does.
#[test]
fn a_label_is_exempt() {
    let names = |n: u32, d: u32| {
        ["off", "day", "night"].map(|s| format!("work[nurse {}, day {}, shift {s}]", n + 1, d + 1))
    };
    let places = || (0..8u32).flat_map(|n| (0..7u32).map(move |d| (n, d)));
    let mut ward = Variables::from_names(places().flat_map(|(n, d)| names(n, d))).unwrap();
    ward.set_one_hot("work", "shift").unwrap();
    let mut random = stream(8, "a ward with an exception", 0);
    let rows: Vec<Vec<bool>> = (0..60)
        .map(|_| {
            let mut shifts = vec![0u32; 56];
            for (n, d) in places() {
                let at = (n * 7 + d) as usize;
                shifts[at] = random.random_range(0..3);
                while n != 2 && d > 0 && shifts[at] == 1 && shifts[at - 1] == 2 {
                    shifts[at] = random.random_range(0..3);
                }
            }
            (0..168).map(|v| shifts[v / 3] == v as u32 % 3).collect()
        })
        .collect();
    let examples = Examples::from_full_rows(168, &rows);
    let found = learn(&ward, &examples, &Settings::default().check().unwrap(), &Quiet).rules;
    let ban = |n: u32, d: u32| {
        Constraint::at_most(1, [Var((n * 7 + d) * 3 + 2).positive(), Var((n * 7 + d + 1) * 3 + 1).positive()])
    };
    let has = |n: u32| (0..6).filter(|&d| found.contains(&ban(n, d))).count();
    assert_eq!((0..8).map(has).collect::<Vec<_>>(), [6, 6, 0, 6, 6, 6, 6, 6]);
    assert_eq!(found.len(), 56 + 42);
}

/// Parts of cells that are neither lines nor tiles get an axis of their own.
#[test]
fn parts_that_nobody_named_are_an_axis() {
    let part = |cell: usize| [0, 0, 1, 1, 0, 2, 1, 3, 0, 2, 1, 3, 2, 2, 3, 3][cell];
    let mut cells = Variables::block("cell", &[("row", 1..=4), ("column", 1..=4), ("digit", 1..=4)]);
    cells.set_one_hot("cell", "digit").unwrap();
    let rows: Vec<Vec<bool>> = (0..12)
        .map(|number| {
            let mut random = stream(9, "parts of cells", number);
            let mut values = [0; 16];
            for own in 0..4 {
                let mut order = [0, 1, 2, 3];
                order.shuffle(&mut random);
                (0..16).filter(|&cell| part(cell) == own).zip(order).for_each(|(cell, v)| values[cell] = v);
            }
            (0..64).map(|v| values[v / 4] == v % 4).collect()
        })
        .collect();
    let found =
        learn(&cells, &Examples::from_full_rows(64, &rows), &Settings::default().check().unwrap(), &Quiet)
            .rules;
    for (own, digit) in (0..4).flat_map(|own| (0..4).map(move |digit| (own, digit))) {
        let members = (0..16).filter(|&cell| part(cell) == own);
        let rule = Constraint::exactly(1, members.map(|cell| Var((cell * 4 + digit) as u32).positive()));
        assert!(found.contains(&rule));
    }
    assert_eq!(found.len(), 16 + 16);
    assert!(found.variables().blocks()[0].axis("part").is_some());
}
