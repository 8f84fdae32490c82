//! How long it takes to learn the rules of 9 x 9 Sudoku from generated boards: `cargo bench --bench sudoku`.
//!
//! What is learned is judged by `precept bench rules`; here only the clock counts.

use divan::{Bencher, black_box};
use preceptron_base::Quiet;
use preceptron_learn::{Examples, Settings, learn};
use preceptron_tasks::sudoku::{
    GIVENS, Grid, Puzzle, examples_full, generate, variables, with_givens, with_wrong_digits,
};

fn main() {
    divan::main();
}

fn answers(count: usize) -> Vec<Grid> {
    with_givens(&generate(3, count, 1), GIVENS, 1).iter().map(Puzzle::answers).collect()
}

/// Times the default learner on these examples.
fn learning(bencher: Bencher, examples: &Examples, threshold: f64) {
    let variables = variables(3);
    let settings = Settings { stability: false, threshold, ..Settings::default() };
    let settings = settings.check().expect("settings within their ranges");
    bencher.bench_local(|| learn(black_box(&variables), black_box(examples), &settings, &Quiet));
}

#[divan::bench(args = [300, 9000], sample_count = 3, sample_size = 1)]
fn full_boards(bencher: Bencher, boards: usize) {
    learning(bencher, &examples_full(3, &generate(3, boards, 1)), 1.0);
}

#[divan::bench(args = [500, 1000, 9000], sample_count = 3, sample_size = 1)]
fn non_given_cells(bencher: Bencher, boards: usize) {
    learning(bencher, &examples_full(3, &answers(boards)), 1.0);
}

/// The percentage of wrong digits, in 9,000 boards.
#[divan::bench(args = [5, 20], sample_count = 3, sample_size = 1)]
fn wrong_digits(bencher: Bencher, percent: u32) {
    let wrong = with_wrong_digits(&answers(9000), f64::from(percent) / 100.0, 1);
    learning(bencher, &examples_full(3, &wrong), 0.9);
}
