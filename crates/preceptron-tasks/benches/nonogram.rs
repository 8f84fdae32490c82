//! How long a nonogram takes by rules learned from single lines of 7 x 7 boards: `cargo bench --bench nonogram`.
//!
//! `precept bench reason --families learned-nonogram-15 --python PYTHON` has Z3 beside it, on the same boards.

use divan::{Bencher, black_box};
use preceptron::{Training, train};
use preceptron_logic::RuleSet;
use preceptron_tasks::nonogram::{NonogramLearner, NonogramSettings, ObservedLine, Solver, generated};

fn main() {
    divan::main();
}

fn learned(lines: &[ObservedLine]) -> RuleSet {
    let trained = train(&mut NonogramLearner::new(lines, 0), Training::default());
    trained.ok().and_then(|trained| trained.model).expect("training that nobody stops").rules
}

/// The rules of 1,000 lines.
fn solver() -> Solver {
    let settings = NonogramSettings { test: 1, ..NonogramSettings::default() };
    let data = settings.data().expect("generated boards");
    Solver::new(&learned(&data.lines)).expect("rules on nonograms")
}

/// One board after another, of so many rows and columns.
#[divan::bench(args = [7, 15, 20, 30], sample_count = 10, sample_size = 1)]
fn one_board(bencher: Bencher, side: usize) {
    let (solver, boards) = (solver(), generated(side, 5, 0));
    let mut turn = boards.iter().cycle();
    bencher.bench_local(|| {
        let board = turn.next().expect("boards without end");
        black_box(solver.solve(black_box(&board.clues), 1).expect("a board is solved"))
    });
}

/// The rules from so many lines.
#[divan::bench(args = [100, 1000, 9000], sample_count = 3, sample_size = 1)]
fn learning(bencher: Bencher, lines: usize) {
    let settings = NonogramSettings { train: lines, test: 1, ..NonogramSettings::default() };
    let data = settings.data().expect("generated boards");
    bencher.bench_local(|| learned(black_box(&data.lines)));
}
