//! How fast the generators are: `cargo bench --bench rates`.

use std::time::Instant;

use preceptron_tasks::random_rules::{RandomRules, VARIABLES};
use preceptron_tasks::{roster, sudoku};

fn rate(what: &str, count: usize, work: impl FnOnce()) {
    let start = Instant::now();
    work();
    let seconds = start.elapsed().as_secs_f64();
    println!("{what}: {count} in {seconds:.2} s, {:.0} a second", count as f64 / seconds);
}

fn main() {
    println!("on {} threads", rayon::current_num_threads());
    for (order, count) in [(2, 100_000), (3, 50_000), (4, 20_000), (5, 5000)] {
        let what = format!("Sudoku grids of side {}", order * order);
        rate(&what, count, || drop(sudoku::generate(order, count, 1)));
    }
    rate("random rule sets with 1,000 examples each", 200, || {
        (0..200).for_each(|seed| drop(RandomRules::generate(seed, VARIABLES, 1000)));
    });
    let sets: Vec<RandomRules> = (0..200).map(|seed| RandomRules::generate(seed, VARIABLES, 0)).collect();
    rate("judgements of a whole set against itself", 200, || {
        assert!(sets.iter().all(|set| set.entailed_by(&set.truth).iter().all(|&found| found)));
    });
    let ward = roster::Ward::default();
    rate("rosters", 1000, || drop(roster::generate(&ward, 1000, 1)));
}
