//! The parts that learning is made of, one by one: `cargo bench --bench parts`.

use divan::{Bencher, black_box};
use preceptron_base::{Quiet, stream};
use preceptron_learn::row_update::{Projection, RowProblem, SoftConstraints};
use preceptron_learn::{Examples, Moments, Settings, learn, sum_histogram};
use preceptron_logic::{Constraint, lift};
use preceptron_matrix::Mat;
use preceptron_tasks::sudoku::{examples_full, generate, true_rules, variables, variables_with_box};
use rand::RngExt;

fn main() {
    divan::main();
}

/// Complete boards of side 9.
fn boards(count: usize) -> Examples {
    examples_full(3, &generate(3, count, 1))
}

#[divan::bench(args = [300, 9000])]
fn moments(bencher: Bencher, count: usize) {
    let examples = boards(count);
    bencher.bench_local(|| Moments::of(black_box(&examples)));
}

/// Eight rows over 64 variables, as at an anchor.
#[divan::bench]
fn update_anchored(bencher: Bencher) {
    update(bencher, 64, 8, false);
}

/// Twenty-five rows over all 729 variables with a fixed sum, as in a part of a round of the global form.
#[divan::bench]
fn update_global(bencher: Bencher) {
    update(bencher, 729, 25, true);
}

fn update(bencher: Bencher, variables: usize, rows: usize, keeps_sum: bool) {
    let moments = Moments::of(&boards(1000));
    let quadratic = Mat::from_fn(variables, variables, |i, j| moments.covariance(i, j));
    let mean: Vec<f64> = (0..variables).map(|i| moments.mean(i)).collect();
    let schedule = Settings::default().check().expect("settings within their ranges").row_weights();
    let problem = match keeps_sum {
        true => RowProblem::with_sum(&quadratic, mean, &schedule),
        false => RowProblem::new(&quadratic, vec![0.0; variables], Projection::Box, &schedule),
    };
    let problem = problem.expect("moments of complete examples can be factorised");
    let mut random = stream(1, "centres", 0);
    let soft = SoftConstraints::at(Mat::from_fn(variables, rows, |_, _| random.random::<f64>()), 1.0);
    bencher.bench_local(|| problem.update(black_box(&soft), 0.05));
}

/// The evidence for one rule of nine literals, from 9,000 boards.
#[divan::bench]
fn evidence(bencher: Bencher) {
    let examples = boards(9000);
    let constraint: Constraint = true_rules(3).rules()[100].constraint.clone();
    bencher.bench_local(|| sum_histogram::evidence(black_box(&examples), black_box(&constraint)));
}

/// Learning with these finders alone, from 1,000 boards, moments and rank included.
fn with_finders(bencher: Bencher, choose: fn(&mut Settings)) {
    let (variables, examples) = (variables(3), boards(1000));
    let mut settings = Settings {
        least_squares: false,
        cliques: false,
        counting: false,
        parity: false,
        stability: false,
        ..Settings::default()
    };
    choose(&mut settings);
    let settings = settings.check().expect("settings within their ranges");
    bencher.bench_local(|| learn(black_box(&variables), black_box(&examples), &settings, &Quiet));
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn finder_none(bencher: Bencher) {
    with_finders(bencher, |_| {});
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn finder_least_squares(bencher: Bencher) {
    with_finders(bencher, |settings| settings.least_squares = true);
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn finder_cliques(bencher: Bencher) {
    with_finders(bencher, |settings| settings.cliques = true);
}

/// Counting alone, with clauses of two literals: it has no equalities to leave out what they imply.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn finder_counting(bencher: Bencher) {
    with_finders(bencher, |settings| {
        settings.counting = true;
        settings.clause_literals = 2;
    });
}

/// The 324 rules of Sudoku in families.
#[divan::bench]
fn lifting(bencher: Bencher) {
    let mut rules = true_rules(3);
    *rules.variables_mut() = variables_with_box(3);
    bencher.bench_local(|| lift(black_box(&rules)));
}
