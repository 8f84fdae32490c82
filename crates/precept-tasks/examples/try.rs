use precept_learn::*;
use precept_tasks::sudoku;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let order: usize = args[1].parse().unwrap();
    let count: usize = args[2].parse().unwrap();
    let mode = &args[3];
    let seed: u64 = args[4].parse().unwrap();
    let t = Instant::now();
    let grids = sudoku::generate(order, count, seed);
    eprintln!("generated in {:?}", t.elapsed());
    let truth = sudoku::true_rules(order);
    let variables = truth.variables().clone();
    let mut settings = Settings { seed, stability: false, ..Settings::default() };
    let side = order * order;
    let cells = side * side;
    let givens = (cells * 31 / 81)..=(cells * 42 / 81);
    let examples = match mode.as_str() {
        "full" => sudoku::examples_full(order, &grids),
        "dc" => {
            settings.cliques = false;
            sudoku::examples_full(order, &grids)
        }
        "clique" => {
            settings.least_squares = false;
            sudoku::examples_full(order, &grids)
        }
        "partial" => sudoku::examples_from_answers(order, &sudoku::with_givens(&grids, givens, seed)),
        m => {
            let share: f64 = m.parse().unwrap();
            settings.threshold = 0.9;
            let p = sudoku::with_givens(&grids, givens, seed);
            let wrong =
                sudoku::with_wrong_digits(&p.iter().map(|p| p.answers()).collect::<Vec<_>>(), share, seed);
            answers(order, &wrong)
        }
    };
    let settings = settings.check().unwrap();
    let t = Instant::now();
    let learned = learn(&variables, &examples, &settings, &Quiet);
    let elapsed = t.elapsed();
    let c = learned.rules.compare(&truth);
    println!(
        "order {order} N {count} {mode} seed {seed}: true {} missing {} extra {} rank {} in {:?} | {:?} | {:?} rows {} rounds {}",
        c.equal.len(),
        c.missing.len(),
        c.extra.len(),
        learned.rules.rank(),
        elapsed,
        learned.report.times,
        learned.report.candidates,
        learned.report.rows,
        learned.report.rounds
    );
    println!("verdict {:?}", learned.verdict);
    for r in c.extra.iter().take(8) {
        println!("  extra {:?} {:?} {:?}", r.constraint, r.evidence, r.origin);
    }
}

fn answers(order: usize, grids: &[sudoku::Grid]) -> Examples {
    sudoku::examples_full(order, grids)
}
