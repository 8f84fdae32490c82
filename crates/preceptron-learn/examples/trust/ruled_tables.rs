//! Random rule sets over few variables, with rows drawn from what they allow.

use preceptron_base::stream;
use preceptron_logic::{Constraint, Lit, Sums, Var, Variables};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::Set;

/// Rules, all assignments that they allow, and rows.
pub struct Ruled {
    pub variables: Variables,
    pub rules: Vec<Constraint>,
    /// By number of the assignment, with variable v at bit v.
    pub is_allowed: Vec<bool>,
    pub rows: Vec<Vec<bool>>,
}

/// The values of an assignment.
pub fn values(assignment: usize, variables: usize) -> Vec<bool> {
    (0..variables).map(|v| assignment >> v & 1 == 1).collect()
}

/// The table with a number, of so many rows.
pub fn table(set: Set, rows: usize, number: u64) -> Ruled {
    let name = format!("random rule sets, {}", if set == Set::Tune { "tune" } else { "report" });
    let random = &mut stream(32, &name, number << 16 | rows as u64);
    let count = random.random_range(6..=13);
    loop {
        let rules: Vec<Constraint> = match set {
            Set::Tune => (0..random.random_range(1..6)).map(|_| clause_or_group(count, random)).collect(),
            Set::Report => (0..random.random_range(1..5)).map(|_| sum(count, random)).collect(),
        };
        let is_allowed: Vec<bool> = (0..1 << count)
            .map(|a: usize| rules.iter().all(|rule| rule.holds(|v| a >> v.index() & 1 == 1)))
            .collect();
        let allowed: Vec<usize> = (0..1 << count).filter(|&a| is_allowed[a]).collect();
        if allowed.len() < 8 {
            continue;
        }
        // Rows are even over what is allowed, or lean to some values.
        let lean: Vec<f64> = (0..count)
            .map(|_| if set == Set::Tune { random.random_range(0.25..0.75) } else { 0.5 })
            .collect();
        let weight = |a: usize| -> f64 {
            (0..count).map(|v| if a >> v & 1 == 1 { lean[v] } else { 1.0 - lean[v] }).product()
        };
        let mut sums = Vec::with_capacity(allowed.len());
        let mut total = 0.0;
        for &a in &allowed {
            total += weight(a);
            sums.push(total);
        }
        let draw = |random: &mut ChaCha8Rng| {
            let at = random.random::<f64>() * total;
            allowed[sums.partition_point(|s| *s < at).min(allowed.len() - 1)]
        };
        let rows = (0..rows).map(|_| values(draw(random), count)).collect();
        let variables = Variables::from_names((1..=count).map(|n| format!("x{n}"))).expect("names differ");
        return Ruled { variables, rules, is_allowed, rows };
    }
}

fn literals(count: usize, size: usize, random: &mut ChaCha8Rng) -> Vec<Lit> {
    let mut all: Vec<u32> = (0..count as u32).collect();
    all.shuffle(random);
    let is_signed = random.random_bool(0.5);
    all[..size].iter().map(|&v| Lit::new(Var(v), is_signed && random.random_bool(0.5))).collect()
}

/// A clause of two to four literals, or exactly or at most one of three to five.
fn clause_or_group(count: usize, random: &mut ChaCha8Rng) -> Constraint {
    let size = random.random_range(2..5);
    match random.random_range(0..4) {
        0 => Constraint::exactly(1, literals(count, size + 1, random)),
        1 => Constraint::at_most(1, literals(count, size + 1, random)),
        _ => Constraint::clause(literals(count, size, random)),
    }
}

/// Between some numbers of two to six literals, or a parity.
fn sum(count: usize, random: &mut ChaCha8Rng) -> Constraint {
    let size = random.random_range(2..=6.min(count));
    let chosen = literals(count, size, random);
    if size > 2 && random.random_bool(0.08) {
        let odd = random.random_range(0..2);
        return Constraint::new(chosen, Sums::set((odd..=size as u32).step_by(2)));
    }
    let least = random.random_range(0..size as u32);
    let most = random.random_range(least..=size as u32);
    match (least, most) {
        (0, most) if most == size as u32 => Constraint::at_least(1, chosen),
        _ => Constraint::new(chosen, Sums::range(least, most)),
    }
}
