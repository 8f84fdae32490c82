//! How learning grows with the problem: Sudoku of order 2 to 5, each learned once.
//!
//! `cargo bench --bench growth` prints for each order what was found, seconds with the stages' shares, and
//! the most memory that was held so far. Order 5 (15,625 variables) takes longer, and is left out unless
//! the environment variable `PRECEPT_ORDER_5` is set.

use std::time::Instant;

use preceptron_base::Quiet;
use preceptron_learn::{Settings, learn};
use preceptron_tasks::sudoku;

/// Orders, and how many boards each is learned from.
const SIZES: [(usize, usize); 4] = [(2, 300), (3, 1000), (4, 2000), (5, 5000)];

fn main() {
    // Without an option, as when tests of all targets are run, there is nothing to measure.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    println!("side variables boards       true missing other  rank seconds    peak  stages");
    for (order, boards) in SIZES {
        if order < 5 || std::env::var_os("PRECEPT_ORDER_5").is_some() {
            measure(order, boards);
        }
    }
}

fn measure(order: usize, boards: usize) {
    let truth = sudoku::true_rules(order);
    let examples = sudoku::examples_full(order, &sudoku::generate(order, boards, 1));
    let settings = Settings { stability: false, ..Settings::default() };
    let settings = settings.check().expect("settings within their ranges");
    let started = Instant::now();
    let learned = learn(truth.variables(), &examples, &settings, &Quiet);
    let seconds = started.elapsed().as_secs_f64();
    let comparison = learned.rules.compare(&truth);
    let mut stages = learned.report.times.clone();
    stages.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
    let share = |time: std::time::Duration| 100.0 * time.as_secs_f64() / seconds;
    let stages: Vec<String> =
        stages.into_iter().map(|(name, time)| format!("{name} {:.0}%", share(time))).collect();
    println!(
        "{:>4} {:>9} {boards:>6} {:>10} {:>7} {:>5} {:>5} {seconds:>7.2} {:>4} MB  {}",
        order * order,
        truth.variables().len(),
        format!("{}/{}", comparison.equal.len(), truth.len()),
        comparison.missing.len(),
        comparison.extra.len(),
        learned.rules.rank(),
        peak_memory().map_or("?".to_owned(), |bytes| (bytes / 1_000_000).to_string()),
        stages.join(", "),
    );
}

/// The most memory that the program has held so far, where the system says.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
