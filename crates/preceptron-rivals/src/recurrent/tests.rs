//! Tests of the recurrent transformer.

use super::*;
use crate::layers::tape::{Tape, by_differences, difference};
use crate::{CellInput, Optimiser};
use preceptron_perceive::{Layer, Shape};
use rand::RngExt;
use twin::Twin;

/// Three cells with every kind of input, two answers known.
fn data() -> CellExamples {
    let pixels: Vec<u8> = (0..32u32).map(|i| (i * i * 37 % 251) as u8).collect();
    let mut data = CellExamples::new(3, 3)
        .with_symbols(2)
        .with_features(2, vec![0.5, -1.0, 1.5, 0.25])
        .with_pictures(Shape::new(1, 4, 4), pixels.into());
    for (inputs, answers) in [
        ([CellInput::Nothing, CellInput::Symbol(1), CellInput::Picture(1)], [Some(2), None, Some(0)]),
        ([CellInput::Features(1), CellInput::Picture(0), CellInput::Symbol(0)], [Some(1), Some(1), None]),
        ([CellInput::Symbol(1), CellInput::Features(0), CellInput::Nothing], [None, None, Some(2)]),
    ] {
        data.push(&inputs, &answers).unwrap();
    }
    data
}

fn settings() -> TransformerSettings {
    let pictures = vec![Layer::convolution(2, 3).relu()];
    TransformerSettings { width: 4, heads: 2, recurrences: 3, dropout: 0.0, pictures, ..Default::default() }
}

/// Weights that are far from those of the start, so that nothing is nearly 0.
fn weights(rival: &RecurrentTransformer) -> Vec<f32> {
    let mut random = stream_at(1, "test", &[]);
    rival.training.state.weights.iter().map(|w| w + random.random_range(-0.5..0.5)).collect()
}

/// Loss and gradient of a batch.
fn gradient(
    rival: &RecurrentTransformer,
    data: &CellExamples,
    w: &[f32],
    batch: &[usize],
) -> (f64, Vec<f64>) {
    let (network, mut worker) = (&rival.network, Worker::default());
    let (known, maps) = (data.known(batch), network.fold(w));
    let training = TrainingTask { dropout: rival.dropout, keys: Keys(3), share: 1.0 / known as f32 };
    let task = Task { network, weights: w, maps: &maps, data, examples: batch, training: Some(training) };
    let mut gradient = vec![0.0; w.len()];
    let loss = worker.forward(&task).unwrap() / known as f64;
    worker.backward(&task, &mut gradient);
    (loss, gradient.into_iter().map(f64::from).collect())
}

#[test]
fn loss_and_gradient_are_those_of_the_plain_twin() {
    let (data, settings, batch) = (data(), settings(), [2, 0, 1]);
    let rival = RecurrentTransformer::new(data.form(), settings.clone()).unwrap();
    let w = weights(&rival);
    let wide: Vec<f64> = w.iter().copied().map(f64::from).collect();
    let twin = Twin { network: &rival.network, settings: &settings, data: &data };
    let plain = |w: &[f64]| {
        let tape = Tape::default();
        let w: Vec<_> = w.iter().map(|w| tape.num(*w)).collect();
        let loss = twin.loss(&tape, &w, &batch);
        (loss.value(), tape.gradient(loss, w.len()))
    };
    let (expected, slopes) = plain(&wide);
    let (loss, found) = gradient(&rival, &data, &w, &batch);
    assert!((loss - expected).abs() < 1e-5 * expected, "{loss} {expected}");
    let error = difference(&found, &slopes);
    assert!(error < 1e-4, "{error}");
    let zeros = slopes.iter().filter(|slope| **slope == 0.0).count();
    assert!(zeros < slopes.len() / 5, "{zeros} of {}", slopes.len());
    let some: Vec<f64> = slopes.iter().copied().step_by(5).collect();
    let error = difference(&some, &by_differences(&wide, 5, |w| plain(w).0));
    assert!(error < 1e-6, "{error}");
}

/// With dropout, which leaves out the same whatever the weights are, by differences of the network itself.
#[test]
fn gradient_with_dropout() {
    let data = data();
    let rival =
        RecurrentTransformer::new(data.form(), TransformerSettings { dropout: 0.3, ..settings() }).unwrap();
    let w = weights(&rival);
    let (loss, slopes) = gradient(&rival, &data, &w, &[0, 1]);
    let without = RecurrentTransformer::new(data.form(), settings()).unwrap();
    assert!((gradient(&without, &data, &w, &[0, 1]).0 - loss).abs() > 1e-3);
    let most = slopes.iter().fold(0.0f64, |most, slope| most.max(slope.abs()));
    for entry in (0..w.len()).step_by(7) {
        let value = |by: f32| {
            let mut moved = w.clone();
            moved[entry] += by;
            (gradient(&rival, &data, &moved, &[0, 1]).0, f64::from(moved[entry]))
        };
        let (above, below) = (value(4e-3), value(-4e-3));
        let slope = (above.0 - below.0) / (above.1 - below.1);
        assert!((slope - slopes[entry]).abs() < 4e-3 * most, "{entry}: {slope} {}", slopes[entry]);
    }
}

#[test]
fn threads_change_nothing_and_saved_rivals_go_on() {
    let mut data = CellExamples::new(49, 2).with_symbols(3);
    for example in 0..20u32 {
        let symbol = |cell: u32| (cell * cell + example * cell + example) % 3;
        let inputs: Vec<CellInput> = (0..49).map(|cell| CellInput::Symbol(symbol(cell))).collect();
        let answers: Vec<Option<u16>> = (0..49).map(|cell| Some((symbol(cell) % 2) as u16)).collect();
        data.push(&inputs, &answers).unwrap();
    }
    let rival = |threads| {
        let settings =
            TransformerSettings { width: 16, heads: 2, recurrences: 2, threads, ..Default::default() };
        RecurrentTransformer::new(data.form(), settings).unwrap()
    };
    let (mut one, mut three) = (rival(1), rival(3));
    let batch: Vec<usize> = (0..20).collect();
    let fit = |rival: &mut RecurrentTransformer| rival.fit(&data, &batch).unwrap();
    assert_eq!(fit(&mut one), fit(&mut three));
    let mut other = rival(2);
    other.load(&one.save().unwrap()).unwrap();
    assert_eq!([fit(&mut one), fit(&mut one)], [fit(&mut three), fit(&mut three)]);
    fit(&mut other);
    fit(&mut other);
    assert_eq!(one.save().unwrap(), three.save().unwrap());
    assert_eq!(one.save().unwrap(), other.save().unwrap());
    let predicted = one.predict(&data, &batch).unwrap();
    assert_eq!(predicted, three.predict(&data, &batch).unwrap());
    assert!(predicted.chunks(2).all(|row| (row[0] + row[1] - 1.0).abs() < 1e-5));
}

#[test]
fn what_does_not_fit_is_refused() {
    let data = data();
    let message = |settings: TransformerSettings| match RecurrentTransformer::new(data.form(), settings) {
        Ok(_) => panic!("it was taken"),
        Err(error) => error.to_string(),
    };
    let heads = message(TransformerSettings { heads: 3, ..settings() });
    assert_eq!(heads, "heads = 3 is out of range: 1 to 64, a divisor of the width");
    let optimiser = Optimiser { learning_rate: 0.0, ..Optimiser::default() };
    let rate = message(TransformerSettings { optimiser, ..settings() });
    assert_eq!(rate, "learning_rate = 0 is out of range: above 0, to 10");
    let mut rival = RecurrentTransformer::new(data.form(), settings()).unwrap();
    assert!(rival.fit(&data, &[3]).is_err() && rival.fit(&data, &[]).is_err());
    let other = CellExamples::new(2, 2);
    let expected = "the rival was made for 3 cells of 3 classes, 2 symbols, 2 features, pictures of 1x4x4, the \
        examples have 2 cells of 2 classes, 0 symbols, 0 features";
    assert_eq!(rival.fit(&other, &[]).unwrap_err().to_string(), expected);
    let file = rival.save().unwrap();
    assert!(rival.load(&file[..file.len() - 1]).is_err());
    let narrow = TransformerSettings { width: 2, ..settings() };
    let narrow = RecurrentTransformer::new(data.form(), narrow).unwrap().save().unwrap();
    let message = rival.load(&narrow).unwrap_err().to_string();
    assert_eq!(message, "tensor embedding.nothing is F32 [1, 2], not F32 [1, 4]");
}
