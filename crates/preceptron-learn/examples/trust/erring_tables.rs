//! Tables of which some entries are wrong: rosters, boards and feature models, with the rules that made them.

use preceptron_base::stream;
use preceptron_logic::{Constraint, Var, Variables};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::Set;

/// What the rows are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nurses by days, with shifts.
    Rosters,
    /// Sudoku boards of 4 x 4.
    Boards,
    /// Products of a feature model.
    Features,
}

pub const KINDS: [Kind; 3] = [Kind::Rosters, Kind::Boards, Kind::Features];

/// A table with wrong entries.
pub struct Erring {
    pub variables: Variables,
    /// What is true of the right rows, without the encoding.
    pub rules: Vec<Constraint>,
    /// What the encoding makes true.
    pub encoded: Vec<Constraint>,
    pub rows: Vec<Vec<bool>>,
    /// Row and variable of the wrong value that each wrong entry has, or of the variable itself.
    pub wrong: Vec<(usize, Var, bool)>,
}

/// The table with a number, of which this share of the entries is wrong.
pub fn table(kind: Kind, set: Set, share: f64, number: u64) -> Erring {
    let name = format!("{kind:?} with wrong entries, {}", if set == Set::Tune { "tune" } else { "report" });
    let random = &mut stream(33, &name, number);
    match kind {
        Kind::Rosters => rosters(set, share, random),
        Kind::Boards => boards(set, share, random),
        Kind::Features => features(set, share, random),
    }
}

/// Rows of columns with as many values each, some of them another one.
fn of_values(
    variables: Variables,
    rules: Vec<Constraint>,
    mut drawn: Vec<Vec<usize>>,
    values: usize,
    share: f64,
    random: &mut ChaCha8Rng,
) -> Erring {
    let mut wrong = Vec::new();
    for (number, row) in drawn.iter_mut().enumerate() {
        for (column, value) in row.iter_mut().enumerate() {
            if random.random_bool(share) {
                *value = (*value + random.random_range(1..values)) % values;
                wrong.push((number, Var((column * values + *value) as u32), true));
            }
        }
    }
    let rows: Vec<Vec<bool>> = drawn
        .iter()
        .map(|row| row.iter().flat_map(|&v| (0..values).map(move |w| v == w)).collect())
        .collect();
    let columns = variables.len() / values;
    let group = |column: usize| (0..values).map(move |v| Var((column * values + v) as u32).positive());
    let encoded = (0..columns).map(|column| Constraint::exactly(1, group(column))).collect();
    Erring { variables, rules, encoded, rows, wrong }
}

/// Every day each shift has its nurses, nobody works early after a night, nor too many nights, nor always.
fn rosters(set: Set, share: f64, random: &mut ChaCha8Rng) -> Erring {
    const SHIFTS: [&str; 4] = ["early", "late", "night", "off"];
    let (nurses, days) = if set == Set::Tune { (7, 7) } else { (9, 6) };
    let count = if set == Set::Tune { 300 } else { 400 };
    let (nights, most) = (2, if set == Set::Tune { 2 } else { 3 });
    let at =
        |nurse: usize, day: usize, shift: usize| Var(((nurse * days + day) * 4 + shift) as u32).positive();
    let mut rules = Vec::new();
    for nurse in 0..nurses {
        rules.push(Constraint::at_most(nights, (0..days).map(|day| at(nurse, day, 2))));
        rules.push(Constraint::at_least(1, (0..days).map(|day| at(nurse, day, 3))));
        rules.extend((1..days).map(|day| Constraint::at_most(1, [at(nurse, day - 1, 2), at(nurse, day, 0)])));
    }
    for day in 0..days {
        for shift in 0..3 {
            let all = || (0..nurses).map(|nurse| at(nurse, day, shift));
            rules.push(Constraint::at_least(1, all()));
            rules.push(Constraint::at_most(most, all()));
        }
    }
    let mut drawn = Vec::new();
    while drawn.len() < count {
        if let Some(row) = roster(nurses, days, nights as usize, most as usize, random) {
            drawn.push(row);
        }
    }
    let names = (1..=nurses).flat_map(|n| (1..=days).map(move |d| (n, d)));
    let names = names.flat_map(|(n, d)| SHIFTS.map(|s| format!("work[nurse {n}, day {d}, shift {s}]")));
    let mut variables = Variables::from_names(names).expect("names differ");
    variables.set_one_hot("work", "shift").expect("the axis is there");
    of_values(variables, rules, drawn, 4, share, random)
}

/// A roster day by day; nothing where that leads nowhere.
fn roster(
    nurses: usize,
    days: usize,
    nights: usize,
    most: usize,
    random: &mut ChaCha8Rng,
) -> Option<Vec<usize>> {
    let mut row = vec![3; nurses * days];
    for day in 0..days {
        let mut done = false;
        for _ in 0..200 {
            let mut counts = [0usize; 4];
            for nurse in 0..nurses {
                let before = if day > 0 { row[nurse * days + day - 1] } else { 3 };
                let had = (0..day).filter(|&d| row[nurse * days + d] == 2).count();
                let fits = |shift: usize| match shift {
                    0 => before != 2,
                    2 => had < nights,
                    _ => true,
                };
                let can: Vec<usize> = (0..4).filter(|&shift| fits(shift)).collect();
                let shift = can[random.random_range(0..can.len())];
                row[nurse * days + day] = shift;
                counts[shift] += 1;
            }
            done = counts[..3].iter().all(|count| (1..=most).contains(count));
            if done {
                break;
            }
        }
        if !done {
            return None;
        }
    }
    let rests = |nurse: usize| row[nurse * days..][..days].contains(&3);
    (0..nurses).all(rests).then_some(row)
}

/// All boards of 4 x 4 that a solver by trial finds, with the box as an axis.
fn boards(set: Set, share: f64, random: &mut ChaCha8Rng) -> Erring {
    let mut variables = Variables::block("cell", &[("row", 1..=4), ("column", 1..=4), ("digit", 1..=4)]);
    variables.set_one_hot("cell", "digit").expect("the axis is there");
    variables
        .derive("box", &"2*((row-1)/2) + (column-1)/2 + 1".parse().expect("an expression"))
        .expect("new");
    let at = |row: usize, column: usize, digit: usize| Var((row * 16 + column * 4 + digit) as u32).positive();
    let mut rules = Vec::new();
    for (one, digit) in (0..4).flat_map(|one| (0..4).map(move |digit| (one, digit))) {
        rules.push(Constraint::exactly(1, (0..4).map(|c| at(one, c, digit))));
        rules.push(Constraint::exactly(1, (0..4).map(|r| at(r, one, digit))));
        let cell = |k: usize| (one / 2 * 2 + k / 2, one % 2 * 2 + k % 2);
        rules.push(Constraint::exactly(1, (0..4).map(|k| at(cell(k).0, cell(k).1, digit))));
    }
    let count = if set == Set::Tune { 300 } else { 400 };
    let drawn = (0..count).map(|_| board(random)).collect();
    of_values(variables, rules, drawn, 4, share, random)
}

fn board(random: &mut ChaCha8Rng) -> Vec<usize> {
    loop {
        let mut cells = vec![4usize; 16];
        let mut fits = true;
        for at in 0..16 {
            let clash = |other: usize| {
                other / 4 == at / 4
                    || other % 4 == at % 4
                    || (other / 8 == at / 8 && other % 4 / 2 == at % 4 / 2)
            };
            let can: Vec<usize> =
                (0..4).filter(|&v| (0..at).all(|other| !clash(other) || cells[other] != v)).collect();
            fits = !can.is_empty();
            if !fits {
                break;
            }
            cells[at] = can[random.random_range(0..can.len())];
        }
        if fits {
            return cells;
        }
    }
}

/// A tree of features: optional ones, one of some, at least one of some; and a few rules across.
fn features(set: Set, share: f64, random: &mut ChaCha8Rng) -> Erring {
    let size = if set == Set::Tune { 16 } else { 20 };
    let mut groups: Vec<(u32, usize, Vec<usize>)> = Vec::new();
    let (mut count, mut next) = (1, 0);
    while count < size {
        let kind = random.random_range(0..3);
        let members: Vec<usize> = (count..count + if kind == 0 { 2 } else { 3 }).collect();
        count += members.len();
        groups.push((kind, next, members));
        next += 1;
    }
    let var = |feature: usize| Var(feature as u32);
    let mut rules = Vec::new();
    for (kind, parent, members) in &groups {
        for &member in members {
            rules.push(Constraint::clause([var(member).negative(), var(*parent).positive()]));
        }
        let all = || members.iter().map(|&member| var(member).positive());
        if *kind > 0 {
            rules.push(Constraint::clause(all().chain([var(*parent).negative()])));
        }
        if *kind == 1 {
            rules.push(Constraint::at_most(1, all()));
        }
    }
    rules.push(Constraint::clause([var(0).positive()]));
    let mut pairs: Vec<usize> = (1..count).collect();
    pairs.shuffle(random);
    let across: Vec<Constraint> = pairs
        .chunks(2)
        .take(2)
        .filter(|pair| pair.len() == 2)
        .map(|pair| Constraint::clause([var(pair[0]).negative(), var(pair[1]).negative()]))
        .collect();
    let is_free = |rows: &[Vec<bool>]| {
        across
            .iter()
            .all(|rule| rows.iter().filter(|row| !rule.holds(|v| row[v.index()])).count() * 40 > rows.len())
    };
    let draw = |random: &mut ChaCha8Rng| {
        let mut row = vec![false; count];
        row[0] = true;
        for (kind, parent, members) in groups.iter().filter(|(_, parent, _)| *parent < count) {
            if !row[*parent] {
                continue;
            }
            loop {
                members.iter().for_each(|&m| row[m] = random.random_bool(0.5));
                let on = members.iter().filter(|&&m| row[m]).count();
                if *kind == 0 || *kind == 1 && on == 1 || *kind == 2 && on > 0 {
                    break;
                }
            }
        }
        row
    };
    let sample: Vec<Vec<bool>> = (0..400).map(|_| draw(random)).collect();
    if is_free(&sample) {
        rules.extend(across);
    }
    let mut rows: Vec<Vec<bool>> = Vec::new();
    while rows.len() < 2000 {
        let row = draw(random);
        if rules.iter().all(|rule| rule.holds(|v| row[v.index()])) {
            rows.push(row);
        }
    }
    let mut wrong = Vec::new();
    for (number, row) in rows.iter_mut().enumerate() {
        for (v, value) in row.iter_mut().enumerate() {
            if random.random_bool(share) {
                *value ^= true;
                wrong.push((number, Var(v as u32), *value));
            }
        }
    }
    let variables = Variables::from_names((0..count).map(|n| format!("f{n}"))).expect("names differ");
    Erring { variables, rules, encoded: vec![], rows, wrong }
}
