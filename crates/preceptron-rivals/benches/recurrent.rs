//! Steps of the recurrent transformer, on one thread, beside `scripts/bench_pytorch.py --recurrent`.

use divan::Bencher;
use preceptron_rivals::{CellExamples, CellInput, RecurrentTransformer, Rival, TransformerSettings};

fn main() {
    divan::main();
}

const BATCH: usize = 16;

/// Cells, recurrences, classes, and dropout in percent.
const SIZES: [[usize; 4]; 5] =
    [[49, 16, 2, 10], [81, 32, 9, 10], [16, 32, 4, 10], [49, 16, 2, 0], [81, 32, 9, 0]];

fn rival([cells, recurrences, classes, dropout]: [usize; 4]) -> (RecurrentTransformer, CellExamples) {
    let mut data = CellExamples::new(cells, classes).with_symbols(10);
    for example in 0..BATCH {
        let inputs: Vec<CellInput> =
            (0..cells).map(|cell| CellInput::Symbol(((cell * 7 + example) % 10) as u32)).collect();
        let answers: Vec<Option<u16>> =
            (0..cells).map(|cell| Some(((cell * 3 + example) % classes) as u16)).collect();
        data.push(&inputs, &answers).expect("examples fit");
    }
    let settings = TransformerSettings {
        recurrences,
        dropout: dropout as f64 / 100.0,
        ..TransformerSettings::default()
    };
    (RecurrentTransformer::new(data.form(), settings).expect("settings are in range"), data)
}

#[divan::bench(args = SIZES)]
fn trains(bencher: Bencher<'_, '_>, size: [usize; 4]) {
    let (mut rival, data) = rival(size);
    let batch: Vec<usize> = (0..BATCH).collect();
    bencher
        .counter(divan::counter::ItemsCount::new(BATCH))
        .bench_local(|| rival.fit(&data, &batch).expect("a step"));
}

#[divan::bench(args = SIZES[..2].iter())]
fn predicts(bencher: Bencher<'_, '_>, size: &[usize; 4]) {
    let (rival, data) = rival(*size);
    let batch: Vec<usize> = (0..BATCH).collect();
    bencher
        .counter(divan::counter::ItemsCount::new(BATCH))
        .bench_local(|| rival.predict(&data, &batch).expect("a prediction"));
}
