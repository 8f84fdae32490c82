//! Tests of SATNet over cells: the derivatives of the whole chain beside differences of plain twins, what it
//! learns, and what it refuses.

use super::*;
use crate::layers::tape::{by_differences, difference};
use crate::satnet::twin::Twin;
use crate::{CellInput, SatNetSettings, score};
use preceptron_base::stream;
use preceptron_perceive::Shape;
use rand::{Rng, RngExt};

/// Pictures of four pixels.
const PIXELS: usize = 4;
const CLASSES: usize = 3;
const HIDDEN: usize = 8;

/// A picture with one bright pixel.
fn picture(class: usize, random: &mut impl Rng) -> [u8; PIXELS] {
    let pixel = |at| if at == class { random.random_range(180..=255) } else { random.random_range(0..60) };
    std::array::from_fn(pixel)
}

/// Three cells: the third of three different classes, from pictures of the other two, of which there are several.
fn permutations() -> CellExamples {
    let mut random = stream(5, "pictures of a test", 0);
    let pixels: Vec<u8> = (0..30).flat_map(|at| picture(at % CLASSES, &mut random)).collect();
    let mut data = CellExamples::new(3, CLASSES).with_pictures(Shape::new(1, 2, 2), pixels.into());
    let boards = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0u16]];
    for (number, board) in boards.iter().cycle().take(36).enumerate() {
        let blank = number / 6 % 3;
        let picture = |cell: usize| CellInput::Picture(u32::from(board[cell]) + 3 * (number % 10) as u32);
        let input = |cell| if cell == blank { CellInput::Nothing } else { picture(cell) };
        let answer = |cell: usize| (cell == blank).then_some(board[cell]);
        data.push(&[0, 1, 2].map(input), &[0, 1, 2].map(answer)).unwrap();
    }
    data
}

fn settings() -> SatNetRivalSettings {
    let layer =
        SatNetSettings { clauses: 20, auxiliary: 6, learning_rate: 0.02, ..SatNetSettings::default() };
    let mut settings = SatNetRivalSettings {
        layer,
        pictures: vec![Layer::linear(HIDDEN).relu()],
        ..SatNetRivalSettings::default()
    };
    settings.optimiser.learning_rate = 0.02;
    settings
}

/// What the network reads, in f64: a hidden layer with ReLU, a linear one, softmax.
fn plain_reading(w: &[f64], pixels: &[u8]) -> Vec<f64> {
    let layer = |w: &[f64], x: &[f64], outputs: usize| -> Vec<f64> {
        let (weights, bias) = w.split_at(x.len() * outputs);
        let row = |out: usize| weights[out * x.len()..].iter().zip(x).map(|(w, x)| w * x).sum::<f64>();
        (0..outputs).map(|out| row(out) + bias[out]).collect()
    };
    let x: Vec<f64> = pixels.iter().map(|pixel| f64::from(*pixel) / 255.0).collect();
    let hidden: Vec<f64> = layer(w, &x, HIDDEN).into_iter().map(|value| value.max(0.0)).collect();
    let logits = layer(&w[(PIXELS + 1) * HIDDEN..], &hidden, CLASSES);
    let sum: f64 = logits.iter().map(|logit| logit.exp()).sum();
    logits.iter().map(|logit| logit.exp() / sum).collect()
}

/// The twin of an example, as the network with these weights reads it.
fn twin(
    rival: &SatNetRival,
    data: &CellExamples,
    example: usize,
    w: &[f64],
    vectors: &[f32],
    sweeps: usize,
) -> Twin {
    let layer = &rival.layer;
    let all = 1 + layer.variables() + layer.settings().auxiliary;
    let (mut z, mut known) = (vec![0.0; all], vec![false; all]);
    (z[0], known[0]) = (1.0, true);
    for (cell, input) in data.inputs(example).iter().enumerate() {
        if let CellInput::Picture(number) = *input {
            let row = plain_reading(w, &data.pixels()[number as usize * PIXELS..][..PIXELS]);
            z[1 + cell * CLASSES..][..CLASSES].copy_from_slice(&row);
            known[1 + cell * CLASSES..][..CLASSES].fill(true);
        }
    }
    let wide = |values: &[f32]| values.iter().map(|&value| f64::from(value)).collect::<Vec<f64>>();
    Twin {
        m: layer.settings().clauses,
        k: layer.vector_length(),
        s: wide(layer.clauses()),
        v: wide(vectors),
        z,
        known,
        sweeps,
        tolerance: 1e-24,
        damping: 0.0,
    }
}

/// The derivative of the loss by the network's weights, through softmax and the layer, is what differences of the
/// twins' losses say.
#[test]
fn derivatives_of_the_whole_chain_are_those_of_differences() {
    let (data, batch) = (permutations(), [0, 8, 15]);
    let layer = SatNetSettings {
        clauses: 5,
        auxiliary: 2,
        sweeps: 1500,
        tolerance: 0.0,
        damping: 0.0,
        seed: 3,
        ..SatNetSettings::default()
    };
    let mut rival = SatNetRival::new(data.form(), SatNetRivalSettings { layer, ..settings() }).unwrap();
    let random = &mut stream(11, "test", 0);
    // Biases that keep hidden units awake, so that few derivatives are 0.
    rival.training.state.weights.iter_mut().for_each(|w| *w += random.random_range(0.0..0.4));
    let size = (1 + rival.layer.variables() + 2) * rival.layer.vector_length();
    let vectors: Vec<f32> = (0..batch.len() * size).map(|_| random.random_range(-1.0..1.0)).collect();
    let wide: Vec<f64> = rival.training.state.weights.iter().map(|&w| f64::from(w)).collect();
    // From where the descent ended it finds the same end again.
    let ends: Vec<Vec<f64>> = (batch.iter().zip(vectors.chunks_exact(size)))
        .map(|(&example, vectors)| twin(&rival, &data, example, &wide, vectors, 3000).forward().v)
        .collect();
    let loss = |w: &[f64]| {
        let (mut sum, mut count) = (0.0, 0);
        for ((&example, vectors), end) in batch.iter().zip(vectors.chunks_exact(size)).zip(&ends) {
            let twin = Twin { v: end.clone(), ..twin(&rival, &data, example, w, vectors, 3000) };
            let z = twin.forward().z;
            for (cell, answer) in data.answers(example).iter().enumerate() {
                for class in 0..if answer.is_some() { CLASSES } else { 0 } {
                    let z = z[1 + cell * CLASSES + class];
                    sum -= if *answer == Some(class as u16) { z.ln() } else { (1.0 - z).ln() };
                    count += 1;
                }
            }
        }
        sum / f64::from(count)
    };
    let slopes = rival.slopes(&data, &batch, Start::Given(&vectors)).unwrap();
    assert!((slopes.loss - loss(&wide)).abs() < 1e-4, "{} {}", slopes.loss, loss(&wide));
    let Slopes { pictured, by_readings, .. } = &slopes;
    let (network, mut gradient) = (rival.network.as_ref().unwrap(), vec![0.0; wide.len()]);
    let (weights, mut pass) = (&rival.training.state.weights, FeaturePass::default());
    read_back(network, weights, &data, &pictured.numbers, by_readings, &mut pass, &mut gradient).unwrap();
    let found: Vec<f64> = gradient.iter().map(|&slope| f64::from(slope)).collect();
    let expected = by_differences(&wide, 1, loss);
    let error = difference(&found, &expected);
    assert!(error < 1e-2, "{error}: {found:?} {expected:?}");
    assert!(expected.iter().filter(|slope| slope.abs() > 1e-6).count() > expected.len() / 2);
}

#[test]
fn it_reads_and_completes_from_answers_alone() {
    let data = permutations();
    let all: Vec<usize> = (0..data.len()).collect();
    let trained = |threads: usize| {
        let mut rival = SatNetRival::new(data.form(), SatNetRivalSettings { threads, ..settings() }).unwrap();
        for _ in 0..150 {
            rival.fit(&data, &all).unwrap();
        }
        rival
    };
    let (one, three) = (trained(1), trained(3));
    assert_eq!(one.save().unwrap(), three.save().unwrap(), "threads change nothing");
    let found = score(&one, &data, &all).unwrap();
    assert!(found.of_examples() > 0.95, "{found:?}");
    // What is read of the pictures tells classes apart, by whatever name.
    let rows = one.predict(&data, &all).unwrap();
    let mut names = [[0; CLASSES]; CLASSES];
    for (&example, rows) in all.iter().zip(rows.chunks_exact(3 * CLASSES)) {
        for (input, row) in data.inputs(example).iter().zip(rows.chunks_exact(CLASSES)) {
            assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            if let CellInput::Picture(number) = input {
                let best = (0..CLASSES).max_by(|a, b| row[*a].total_cmp(&row[*b])).unwrap();
                names[*number as usize % CLASSES][best] += 1;
            }
        }
    }
    assert!(names.iter().all(|counts| counts.iter().filter(|count| **count > 0).count() == 1), "{names:?}");
}

#[test]
fn saved_rivals_go_on() {
    let data = permutations();
    let rival = || SatNetRival::new(data.form(), settings()).unwrap();
    let (mut whole, mut other) = (rival(), rival());
    let batches = [[0, 1, 2], [3, 20, 30], [9, 8, 7]];
    whole.fit(&data, &batches[0]).unwrap();
    other.load(&whole.save().unwrap()).unwrap();
    for rival in [&mut whole, &mut other] {
        for batch in &batches[1..] {
            rival.fit(&data, batch).unwrap();
        }
    }
    assert_eq!(whole.save().unwrap(), other.save().unwrap());
    assert_eq!(whole.predict(&data, &[5, 6]).unwrap(), other.predict(&data, &[5, 6]).unwrap());
    let file = whole.save().unwrap();
    assert!(other.load(&file[..file.len() - 1]).is_err());
    let error = other.load(&whole.layer().save().unwrap()).unwrap_err().to_string();
    assert_eq!(error, "tensor pictures is missing");
    assert_eq!(other.save().unwrap(), file, "after an error it is as it was");
}

/// Symbols of another alphabet: four names for two bits, of which the blank one is the parity.
#[test]
fn symbols_may_have_variables_of_their_own() {
    let mut data = CellExamples::new(3, 2).with_symbols(4);
    for names in 0..16u32 {
        let (a, b) = (names % 4, names / 4);
        let inputs = [CellInput::Symbol(a), CellInput::Symbol(b), CellInput::Nothing];
        data.push(&inputs, &[None, None, Some(((a / 2) ^ (b / 2)) as u16)]).unwrap();
    }
    let refused = SatNetRival::new(data.form(), settings()).err().unwrap().to_string();
    let expected = "symbols = 4 is out of range: 0 to the number of classes, or symbols of their own";
    assert_eq!(refused, expected);
    let mut rival =
        SatNetRival::new(data.form(), SatNetRivalSettings { own_symbols: true, ..settings() }).unwrap();
    let all: Vec<usize> = (0..16).collect();
    for _ in 0..150 {
        rival.fit(&data, &all).unwrap();
    }
    let found = score(&rival, &data, &all).unwrap();
    assert_eq!((found.cells, found.cells_right), (16, 16));
}

#[test]
fn what_does_not_fit_is_refused() {
    let data = CellExamples::new(1, 2).with_features(1, vec![0.0]);
    let error = SatNetRival::new(data.form(), settings()).err().unwrap().to_string();
    assert_eq!(error, "features = 1 is out of range: 0: SATNet is given symbols and pictures");
    let mut given = CellExamples::new(1, 2).with_symbols(2);
    given.push(&[CellInput::Symbol(1)], &[Some(1)]).unwrap();
    let mut rival = SatNetRival::new(given.form(), settings()).unwrap();
    // The answer is given: there is nothing to learn.
    assert_eq!(
        rival.fit(&given, &[0]).unwrap_err().to_string(),
        "a batch needs a cell whose answer is known"
    );
    assert_eq!(rival.predict(&given, &[0]).unwrap(), [0.0, 1.0]);
    assert!(rival.fit(&given, &[1]).is_err() && rival.predict(&data, &[]).is_err());
}
