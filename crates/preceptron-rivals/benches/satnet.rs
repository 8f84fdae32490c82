//! Boards per second through SATNet, 40 sweeps each: `RAYON_NUM_THREADS=1 cargo bench -p preceptron-rivals`.
//!
//! The sizes are those of its authors for Sudoku of 9x9, and smaller ones for 4x4; a bit less than half of the
//! cells are known.

use divan::Bencher;
use divan::counter::ItemsCount;
use preceptron_base::stream;
use preceptron_rivals::{Batch, OneHotCells, SatNet, SatNetSettings, Start};
use rand::RngExt;

fn main() {
    divan::main();
}

struct Size {
    classes: u8,
    clauses: usize,
    auxiliary: usize,
    boards: usize,
}

const NAMES: [&str; 2] = ["4x4", "9x9"];

/// A layer, inputs, which of them are known, and derivatives by outputs.
fn case(name: &str) -> (SatNet, Vec<f32>, Vec<bool>, Vec<f32>, usize) {
    let size = match name {
        "4x4" => Size { classes: 4, clauses: 100, auxiliary: 50, boards: 40 },
        _ => Size { classes: 9, clauses: 600, auxiliary: 300, boards: 4 },
    };
    let random = &mut stream(0, "boards of a benchmark", 0);
    let cells = usize::from(size.classes).pow(2) * size.boards;
    let digits: Vec<u8> = (0..cells)
        .map(|_| if random.random_bool(0.45) { random.random_range(1..=size.classes) } else { 0 })
        .collect();
    let (inputs, known) = OneHotCells { classes: size.classes }.bits(&digits).expect("digits that there are");
    let settings = SatNetSettings {
        clauses: size.clauses,
        auxiliary: size.auxiliary,
        vector_length: Some(32),
        tolerance: 0.0,
        ..SatNetSettings::default()
    };
    let layer = SatNet::new(inputs.len() / size.boards, settings).expect("settings in their ranges");
    let derivatives = inputs.iter().map(|_| random.random_range(-0.5..0.5)).collect();
    (layer, inputs, known, derivatives, size.boards)
}

#[divan::bench(args = NAMES, sample_count = 20)]
fn forward(bencher: Bencher, name: &str) {
    let (layer, inputs, is_input, _, boards) = case(name);
    let batch = Batch { inputs: &inputs, is_input: &is_input };
    bencher.counter(ItemsCount::new(boards)).bench_local(|| layer.forward(batch, Start::Drawn(0)));
}

#[divan::bench(args = NAMES, sample_count = 20)]
fn backward(bencher: Bencher, name: &str) {
    let (layer, inputs, is_input, derivatives, boards) = case(name);
    let pass =
        layer.forward(Batch { inputs: &inputs, is_input: &is_input }, Start::Drawn(0)).expect("a batch");
    bencher.counter(ItemsCount::new(boards)).bench_local(|| layer.backward(&pass, &derivatives));
}

#[divan::bench(args = NAMES, sample_count = 20)]
fn fit(bencher: Bencher, name: &str) {
    let (mut layer, inputs, is_input, _, boards) = case(name);
    let batch = Batch { inputs: &inputs, is_input: &is_input };
    let judged = vec![true; inputs.len()];
    bencher.counter(ItemsCount::new(boards)).bench_local(|| layer.fit(batch, &inputs, &judged));
}
