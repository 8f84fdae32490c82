//! Planning on maps of 10x10, 20x20 and 40x40 cells, by learned rules: `cargo bench --bench driving`.
//!
//! A time is that of one plan. `generic` is the exact reasoner, `compiled` the shortest path that the rules
//! are proved to mean. The slowest of the samples is the worst of the maps, each of which is planned on twice.
//! `precept bench reason --families driving-10,driving-20` has such maps beside Z3.

use divan::{Bencher, black_box};
use precept_learn::stream;
use precept_logic::RuleSet;
use precept_tasks::driving::{
    Cell, Demonstration, Grid, Lesson, Map, Planner, Request, RuleSettings, learn_rules, random_shortest,
    risk,
};
use rand::RngExt;

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

/// A question with a way from the first column to the last.
struct Question {
    start: Cell,
    end: Cell,
    blocked: Vec<bool>,
    risk: Vec<i64>,
}

impl Question {
    fn new(side: usize, density: f64, item: u64) -> Question {
        let grid = grid(side);
        let mut random = stream(1, "bench", item);
        loop {
            let question = Question {
                start: Cell { row: random.random_range(0..side), column: 0 },
                end: Cell { row: random.random_range(0..side), column: side - 1 },
                blocked: (0..grid.len()).map(|_| random.random_bool(density)).collect(),
                risk: vec![0; grid.len()],
            };
            if random_shortest(&grid, &question.request(), &mut random).is_some() {
                return question;
            }
        }
    }

    fn known(side: usize, known: Known, item: u64) -> Question {
        match known {
            Known::Blocked => Question::new(side, 0.2, item),
            Known::Likely => {
                let mut random = stream(1, "likely", item);
                let likely: Vec<f64> = (0..side * side)
                    .map(|_| {
                        let range = if random.random_bool(0.1) { 0.5..0.95 } else { 0.01..0.1 };
                        random.random_range(range)
                    })
                    .collect();
                Question { risk: risk(&likely, 1.0), ..Question::new(side, 0.1, item) }
            }
        }
    }

    fn request(&self) -> Request<'_> {
        Request { start: self.start, end: self.end, blocked: &self.blocked, risk: &self.risk }
    }
}

/// Rules from 500 demonstrations on 10x10 maps.
fn rules() -> RuleSet {
    let grid = grid(10);
    let shown = |item| {
        let question = Question::new(10, 0.05, 1000 + item);
        let path = random_shortest(&grid, &question.request(), &mut stream(1, "shown", item));
        let path = path.expect("there is a way");
        let Question { start, end, blocked, .. } = question;
        (Map { grid, blocked }, Demonstration { start, end, path })
    };
    let shown: Vec<(Map, Demonstration)> = (0..500).map(shown).collect();
    let lessons: Vec<Lesson> =
        shown.iter().map(|(map, demonstration)| Lesson { demonstration, obstacles: Some(map) }).collect();
    learn_rules(&grid, &lessons, &RuleSettings::default()).expect("settings within their ranges").rules
}

/// Plans on one map after the other.
fn plans(bencher: Bencher, side: usize, known: Known, load: fn(&RuleSet, &Grid) -> Planner) {
    let planner = load(&rules(), &grid(side));
    let questions: Vec<Question> = (0..MAPS).map(|item| Question::known(side, known, item)).collect();
    let mut turn = 0;
    bencher.bench_local(|| {
        turn = (turn + 1) % questions.len();
        planner.plan(black_box(&questions[turn].request())).expect("a question that fits").expect("a way")
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
