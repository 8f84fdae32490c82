//! Planning on maps of 10x10, 20x20 and 40x40 cells, by learned rules: `cargo bench --bench driving`.
//!
//! A time is that of one plan. `generic` is the exact reasoner, `compiled` the shortest path that the rules
//! are proved to mean. The slowest of the samples is the worst of the maps, each of which is planned on twice.
//! `precept bench reason --families driving-10,driving-20` has such maps beside Z3.

use divan::{Bencher, black_box};
use preceptron_logic::RuleSet;
use preceptron_tasks::driving::{Grid, Planner, PlannerWorkload, RuleSettings};

fn main() {
    divan::main();
}

const SIDES: [usize; 3] = [10, 20, 40];
/// How many maps are planned on in turn.
const MAPS: u64 = 20;

/// What is known of obstacles.
#[derive(Clone, Copy, Debug)]
enum Known {
    /// A fifth of the cells are blocked for sure.
    Blocked,
    /// A tenth are, and each other cell is with some probability, as a trained network has it: small nearly
    /// everywhere, large here and there.
    Likely,
}

fn grid(side: usize) -> Grid {
    Grid { rows: side, columns: side, ..Grid::default() }
}

/// The `item`-th map of a side.
fn workload(side: usize, known: Known, item: u64) -> PlannerWorkload {
    match known {
        Known::Blocked => PlannerWorkload::new(&grid(side), 0.2, 1, item),
        Known::Likely => PlannerWorkload::new(&grid(side), 0.1, 1, item).at_risk(1, item),
    }
}

/// Rules from 500 demonstrations on 10x10 maps.
fn rules() -> RuleSet {
    PlannerWorkload::rules(500, 1, &RuleSettings::default()).expect("settings within their ranges").rules
}

/// Plans on one map after the other.
fn plans(bencher: Bencher, side: usize, known: Known, load: fn(&RuleSet, &Grid) -> Planner) {
    let planner = load(&rules(), &grid(side));
    let workloads: Vec<PlannerWorkload> = (0..MAPS).map(|item| workload(side, known, item)).collect();
    let mut turn = 0;
    bencher.bench_local(|| {
        turn = (turn + 1) % workloads.len();
        planner.plan(black_box(&workloads[turn].request())).expect("a question that fits").expect("a way")
    });
}

fn load_generic(rules: &RuleSet, grid: &Grid) -> Planner {
    Planner::generic(rules, grid)
}

fn load_compiled(rules: &RuleSet, grid: &Grid) -> Planner {
    Planner::compiled(rules, grid).expect("rules of a path")
}

#[divan::bench(args = SIDES, sample_count = 40, sample_size = 1)]
fn generic_blocked(bencher: Bencher, side: usize) {
    plans(bencher, side, Known::Blocked, load_generic);
}

#[divan::bench(args = SIDES, sample_count = 40, sample_size = 1)]
fn generic_likely(bencher: Bencher, side: usize) {
    plans(bencher, side, Known::Likely, load_generic);
}

#[divan::bench(args = SIDES, sample_count = 40, sample_size = 10)]
fn compiled_blocked(bencher: Bencher, side: usize) {
    plans(bencher, side, Known::Blocked, load_compiled);
}

#[divan::bench(args = SIDES, sample_count = 40, sample_size = 10)]
fn compiled_likely(bencher: Bencher, side: usize) {
    plans(bencher, side, Known::Likely, load_compiled);
}

/// Learning the rules themselves, from 500 demonstrations.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn learning() -> RuleSet {
    rules()
}
