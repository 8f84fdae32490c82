//! Sudoku rules learned from the cells that are not given, judged rule by rule.
//!
//! ```text
//! cargo bench -p preceptron-tasks --bench partly_observed -- 300 250
//! cargo bench -p preceptron-tasks --bench partly_observed -- --file satnet.csv.xz 9000 1000 300
//! ```
//!
//! The arguments are numbers of boards. Boards are generated (`--order 2` to 5, `--givens 31..42`), or read
//! from a file (`--rows 9000` takes its first rows only); each number is tried with `--seeds 0..3`, which
//! choose the boards. `--wrong 0.05` makes that share of the digits wrong, and then `--threshold 0.9` should
//! be lower than 1. `--declared` tells the learner that a cell holds one digit; `--cliques` leaves the other
//! finders out; `--unique` generates puzzles with one solution and the least number of givens.

use std::path::PathBuf;
use std::time::Instant;

use preceptron_base::{Quiet, stream};
use preceptron_learn::{Settings, learn};
use preceptron_logic::{RuleSet, Variables};
use preceptron_tasks::sudoku;
use rand::seq::SliceRandom;

struct Arguments {
    sizes: Vec<usize>,
    seeds: std::ops::Range<u64>,
    order: usize,
    givens: std::ops::Range<usize>,
    file: Option<PathBuf>,
    rows: usize,
    wrong: f64,
    threshold: f64,
    declared: bool,
    cliques: bool,
    unique: bool,
}

fn range<T: std::str::FromStr>(text: &str) -> Option<std::ops::Range<T>> {
    let (first, last) = text.split_once("..")?;
    Some(first.parse().ok()?..last.parse().ok()?)
}

fn arguments() -> Option<Arguments> {
    let mut found = Arguments {
        sizes: vec![],
        seeds: 0..3,
        order: 3,
        givens: 31..42,
        file: None,
        rows: usize::MAX,
        wrong: 0.0,
        threshold: 1.0,
        declared: false,
        cliques: false,
        unique: false,
    };
    let mut words = std::env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        match word.as_str() {
            "--seeds" => found.seeds = range(&words.next()?)?,
            "--order" => found.order = words.next()?.parse().ok()?,
            "--givens" => found.givens = range(&words.next()?)?,
            "--file" => found.file = Some(words.next()?.into()),
            "--rows" => found.rows = words.next()?.parse().ok()?,
            "--wrong" => found.wrong = words.next()?.parse().ok()?,
            "--threshold" => found.threshold = words.next()?.parse().ok()?,
            "--declared" => found.declared = true,
            "--cliques" => found.cliques = true,
            "--unique" => found.unique = true,
            size => found.sizes.push(size.parse().ok()?),
        }
    }
    Some(found)
}

/// The processor time of this process, in seconds, as far as Linux tells.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = text.rsplit(')').next().unwrap_or_default();
    let ticks = |at: usize| after_name.split_whitespace().nth(at).and_then(|t| t.parse::<f64>().ok());
    (ticks(11).unwrap_or(0.0) + ticks(12).unwrap_or(0.0)) / 100.0
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Some(arguments) = arguments() else {
        eprintln!("expected numbers of boards, such as 300 250, and options: see the top of this file");
        std::process::exit(2);
    };
    let order = arguments.order;
    let truth = sudoku::true_rules(order);
    let mut variables: Variables = sudoku::variables(order);
    if arguments.declared {
        variables.set_one_hot("cell", "digit")?;
    }
    let alone = !arguments.cliques;
    let settings = Settings {
        stability: false,
        threshold: arguments.threshold,
        least_squares: alone,
        counting: alone,
        templates: alone,
        parity: alone,
        ..Settings::default()
    };
    let settings = settings.check()?;
    let mut file = arguments.file.as_deref().map(sudoku::read_file).transpose()?;
    if let Some(puzzles) = &mut file {
        puzzles.truncate(arguments.rows);
    }
    println!("boards  seed  true  spurious  rank  of {}  CPU-s  seconds", truth.rank());
    for &size in &arguments.sizes {
        for seed in arguments.seeds.clone() {
            let puzzles = match &file {
                Some(puzzles) => {
                    let mut chosen: Vec<usize> = (0..puzzles.len()).collect();
                    chosen.shuffle(&mut stream(seed, "boards", 0));
                    chosen.iter().take(size).map(|&row| puzzles[row].clone()).collect()
                }
                None => {
                    let grids = sudoku::generate(order, size, seed);
                    match arguments.unique {
                        true => sudoku::with_unique_solution(&grids, arguments.givens.start, seed)?,
                        false => {
                            let givens = arguments.givens.start..=arguments.givens.end;
                            sudoku::with_givens(&grids, givens, seed)
                        }
                    }
                }
            };
            let answers: Vec<sudoku::Grid> = puzzles.iter().map(sudoku::Puzzle::answers).collect();
            let answers = sudoku::with_wrong_digits(&answers, arguments.wrong, seed);
            let examples = sudoku::examples_full(order, &answers);
            let (started, before) = (Instant::now(), processor_seconds());
            let learned = learn(&variables, &examples, &settings, &Quiet);
            let (cpu, wall) = (processor_seconds() - before, started.elapsed().as_secs_f64());
            let comparison = learned.rules.compare(&truth);
            let found = RuleSet::with_rules(learned.rules.variables().clone(), comparison.equal.clone());
            println!(
                "{size:>6}  {seed:>4}  {:>4}  {:>8}  {:>4}  {:>width$}  {cpu:>5.1}  {wall:>7.1}",
                comparison.equal.len(),
                comparison.extra.len(),
                found.rank(),
                "",
                width = 3 + truth.rank().to_string().len() - 3,
            );
            for limit in &learned.verdict.limits {
                println!("        {limit}");
            }
        }
    }
    Ok(())
}
