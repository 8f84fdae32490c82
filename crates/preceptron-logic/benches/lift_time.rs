//! How long lifting takes on large rule sets: `cargo bench --bench lift_time`.

use preceptron_logic::{Constraint, Lit, Rule, RuleSet, Var, Variables, lift, sentence};
use std::time::Instant;

fn report(name: &str, rules: &RuleSet) {
    let start = Instant::now();
    let families = lift(rules);
    let lifted = start.elapsed();
    let start = Instant::now();
    let letters: usize = rules.constraints().map(|c| sentence(rules.variables(), c).len()).sum();
    let said = start.elapsed();
    println!(
        "{name}: {} rules, {} families in {lifted:.2?}; sentences of {letters} bytes in {said:.2?}",
        rules.len(),
        families.len()
    );
    for family in families.iter().take(3) {
        let template: String = family.to_string().chars().take(100).collect();
        println!("    {template} ({} of {})", family.members.len(), family.expected);
    }
}

/// Numbers that look random and are the same in every run.
fn scatter(state: &mut u64, below: u32) -> u32 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    ((*state >> 33) % u64::from(below)) as u32
}

fn cells(side: i64) -> Variables {
    Variables::block("cell", &[("row", 1..=side), ("column", 1..=side), ("digit", 1..=side)])
}

fn main() {
    let at = |r: u32, c: u32, d: u32| Var(r * 625 + c * 25 + d).positive();
    let mut variables = cells(25);
    variables.derive("box", &"5*((row-1)/5) + (column-1)/5".parse().expect("an expression")).expect("axes");
    let mut rules = RuleSet::new(variables);
    for (a, b) in (0..625).map(|n| (n / 25, n % 25)) {
        let mut group = |place: &dyn Fn(u32) -> Lit| {
            rules.insert(Rule::given(Constraint::exactly(1, (0..25).map(place))));
        };
        group(&|k| at(a, b, k));
        group(&|k| at(a, k, b));
        group(&|k| at(k, a, b));
        group(&|k| at(a / 5 * 5 + k / 5, a % 5 * 5 + k % 5, b));
    }
    report("Sudoku 25x25", &rules);

    let mut random = RuleSet::new(rules.variables().clone());
    let mut state = 1;
    while random.len() < 10_000 {
        let literals: std::collections::BTreeSet<Lit> =
            (0..25).map(|_| Var(scatter(&mut state, 15_625)).positive()).collect();
        random.insert(Rule::given(Constraint::exactly(1, literals)));
    }
    report("random, 25 literals", &random);

    let mut pairs = RuleSet::new(cells(25));
    'all: for line in 0..625 {
        for (a, b) in (0..25).flat_map(|a| (a + 1..25).map(move |b| (a, b))) {
            pairs.insert(Rule::given(Constraint::at_most(
                1,
                [at(line / 25, a, line % 25), at(line / 25, b, line % 25)],
            )));
            if pairs.len() == 100_000 {
                break 'all;
            }
        }
    }
    report("pairs in rows", &pairs);

    let mut pairs = RuleSet::new(rules.variables().clone());
    while pairs.len() < 100_000 {
        let [a, b] = [(); 2].map(|()| scatter(&mut state, 15_625));
        if a != b {
            pairs.insert(Rule::given(Constraint::at_most(1, [Var(a).positive(), Var(b).positive()])));
        }
    }
    report("random pairs", &pairs);
}
