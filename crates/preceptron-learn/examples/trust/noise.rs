//! Wrong entries: tables of groups of which exactly one is true, some entries flipped, and the threshold left to the
//! learner. Rules found, others, and how many of the wrong entries are suspected.

use preceptron_base::{Quiet, stream};
use preceptron_learn::{Examples, Settings, learn};
use preceptron_logic::{Constraint, Var, Variables};
use rand::RngExt;

use crate::{Asked, Set};

/// Prints, for each share of wrong entries, what is found.
pub fn measure(asked: &Asked) {
    let settings =
        Settings { auto_threshold: true, ..Settings::default() }.check().expect("settings are in range");
    let (groups, size) = if asked.set == Set::Tune { (6, 4) } else { (8, 3) };
    let count = groups * size;
    let variables = Variables::from_names((0..count).map(|v| format!("x{v}"))).expect("names differ");
    let truth: Vec<Constraint> = (0..groups)
        .map(|g| Constraint::exactly(1, (g * size..(g + 1) * size).map(|v| Var(v as u32).positive())))
        .collect();
    for share in [0.01, 0.05] {
        let (mut right, mut others, mut wrong, mut suspected, mut thresholds) = (0, 0, 0, 0, vec![]);
        for number in asked.first..asked.first + asked.tables {
            let random = &mut stream(33, "tables with wrong entries", number);
            let mut flipped = Vec::new();
            let rows: Vec<Vec<bool>> = (0..1000)
                .map(|row| {
                    let mut values = vec![false; count];
                    (0..groups).for_each(|g| values[g * size + random.random_range(0..size)] = true);
                    for (v, value) in values.iter_mut().enumerate() {
                        if random.random_bool(share) {
                            *value ^= true;
                            flipped.push((row, v));
                        }
                    }
                    values
                })
                .collect();
            let learned = learn(&variables, &Examples::from_full_rows(count, &rows), &settings, &Quiet);
            right += truth.iter().filter(|rule| learned.rules.contains(rule)).count();
            others += learned.rules.constraints().filter(|rule| !truth.contains(rule)).count();
            let is_suspected = |(row, v): &&(usize, usize)| {
                let var = Some(Var(*v as u32));
                learned.suspects.iter().any(|s| s.example == *row && (s.was == var || s.mended == var))
            };
            wrong += flipped.len();
            suspected += flipped.iter().filter(is_suspected).count();
            thresholds.push(learned.threshold);
        }
        println!(
            "{share}: {right} of {} rules, {others} others; {suspected} of {wrong} wrong entries suspected; thresholds {thresholds:.3?}",
            groups * asked.tables as usize
        );
    }
}
