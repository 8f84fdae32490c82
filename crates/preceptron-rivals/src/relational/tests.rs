//! Tests of the recurrent relational network, beside a plain twin in f64.

use super::*;
use crate::layers::linear::Linear;
use crate::layers::tape::{Num, Tape, by_differences, difference};
use crate::{CellInput, score};
use preceptron_base::stream;
use rand::RngExt;

const WIDTH: usize = 3;
const EDGES: [[u32; 2]; 5] = [[0, 1], [1, 0], [1, 2], [2, 1], [0, 2]];

/// Three cells, of which two have answers.
fn data() -> CellExamples {
    let mut data = CellExamples::new(3, 2).with_symbols(2);
    for (inputs, answers) in [
        ([CellInput::Nothing, CellInput::Symbol(1), CellInput::Symbol(0)], [Some(1), None, Some(0)]),
        ([CellInput::Symbol(1), CellInput::Symbol(0), CellInput::Nothing], [Some(1), None, Some(1)]),
    ] {
        data.push(&inputs, &answers).unwrap();
    }
    data
}

fn settings() -> RelationalSettings {
    RelationalSettings { width: WIDTH, steps: 2, ..RelationalSettings::default() }
}

fn linear<'t>(tape: &'t Tape, w: &[Num<'t>], of: &Linear, x: &[Num<'t>]) -> Vec<Num<'t>> {
    let output = |out: usize| {
        let terms = x.iter().enumerate().map(|(i, x)| *x * w[of.weight.start + i * of.outputs + out]);
        let sum = tape.sum(terms);
        if of.bias.is_empty() { sum } else { sum + w[of.bias.start + out] }
    };
    (0..of.outputs).map(output).collect()
}

fn mlp<'t>(tape: &'t Tape, w: &[Num<'t>], layers: &[Linear], x: &[Num<'t>]) -> Vec<Num<'t>> {
    let mut x = x.to_vec();
    for (number, layer) in layers.iter().enumerate() {
        x = linear(tape, w, layer, &x);
        if number + 1 < layers.len() {
            x = x.into_iter().map(Num::relu).collect();
        }
    }
    x
}

fn add<'t>(a: &[Num<'t>], b: &[Num<'t>]) -> Vec<Num<'t>> {
    a.iter().zip(b).map(|(a, b)| *a + *b).collect()
}

/// The sum over steps of the mean loss over known cells.
fn twin<'t>(
    tape: &'t Tape,
    w: &[Num<'t>],
    network: &Network,
    data: &CellExamples,
    batch: &[usize],
) -> Num<'t> {
    let mut losses = Vec::new();
    for &example in batch {
        let embed = |(at, input): (usize, &CellInput)| {
            let row = match *input {
                CellInput::Symbol(number) => 1 + number as usize,
                _ => 0,
            };
            let embedded = add(&w[row * WIDTH..][..WIDTH], &w[(3 + at) * WIDTH..][..WIDTH]);
            mlp(tape, w, network.input.layers(), &embedded)
        };
        let x: Vec<Vec<Num<'t>>> = data.inputs(example).iter().enumerate().map(embed).collect();
        let mut h = x.clone();
        let mut c = vec![vec![tape.num(0.0); WIDTH]; 3];
        for _ in 0..network.steps {
            let mut sums = vec![vec![tape.num(0.0); WIDTH]; 3];
            for [i, j] in EDGES.map(|edge| edge.map(|cell| cell as usize)) {
                let both = add(&linear(tape, w, &network.from, &h[i]), &linear(tape, w, &network.to, &h[j]));
                let mut z: Vec<Num<'t>> = both.into_iter().map(Num::relu).collect();
                for layer in network.message.layers() {
                    z = linear(tape, w, layer, &z).into_iter().map(Num::relu).collect();
                }
                sums[j] = add(&sums[j], &linear(tape, w, &network.sent, &z));
            }
            for cell in 0..3 {
                let joined: Vec<Num<'t>> = x[cell].iter().chain(&sums[cell]).copied().collect();
                let node = mlp(tape, w, network.node.layers(), &joined);
                let gates = add(
                    &linear(tape, w, &network.gates, &node),
                    &linear(tape, w, &network.gates_of_output, &h[cell]),
                );
                for at in 0..WIDTH {
                    let gate = |number: usize| gates[number * WIDTH + at];
                    c[cell][at] = gate(1).sigmoid() * c[cell][at] + gate(0).sigmoid() * gate(2).tanh();
                    h[cell][at] = gate(3).sigmoid() * c[cell][at].tanh();
                }
                if let Some(answer) = data.answers(example)[cell] {
                    let logits = linear(tape, w, &network.head, &h[cell]);
                    let all = tape.sum(logits.iter().map(|logit| logit.exp()));
                    losses.push(all.ln() - logits[usize::from(answer)]);
                }
            }
        }
    }
    tape.sum(losses).times(1.0 / data.known(batch) as f64)
}

#[test]
fn loss_and_gradient_are_those_of_the_plain_twin() {
    let (data, batch) = (data(), [1, 0]);
    let rival = RelationalNetwork::new(data.form(), &EDGES, settings()).unwrap();
    let network = &rival.network;
    let mut random = stream(2, "test", 0);
    let w: Vec<f32> =
        rival.training.state.weights.iter().map(|w| w + random.random_range(-0.4..0.6)).collect();
    let plain = |w: &[f64]| {
        let tape = Tape::default();
        let w: Vec<_> = w.iter().map(|w| tape.num(*w)).collect();
        let loss = twin(&tape, &w, network, &data, &batch);
        (loss.value(), tape.gradient(loss, w.len()))
    };
    let wide: Vec<f64> = w.iter().copied().map(f64::from).collect();
    let (expected, slopes) = plain(&wide);
    let (known, mut worker, mut gradient) = (data.known(&batch), Worker::default(), vec![0.0; w.len()]);
    let share = Some(1.0 / known as f32);
    let task = Task { network, weights: &w, data: &data, examples: &batch, share };
    let loss = worker.forward(&task).unwrap() / known as f64;
    worker.backward(&task, &mut gradient);
    assert!((loss - expected).abs() < 1e-5 * expected, "{loss} {expected}");
    let found: Vec<f64> = gradient.into_iter().map(f64::from).collect();
    let error = difference(&found, &slopes);
    assert!(error < 1e-4, "{error}");
    let zeros = slopes.iter().filter(|slope| **slope == 0.0).count();
    assert!(zeros < slopes.len() / 2, "{zeros} of {}", slopes.len());
    let some: Vec<f64> = slopes.iter().copied().step_by(5).collect();
    let error = difference(&some, &by_differences(&wide, 5, |w| plain(w).0));
    assert!(error < 1e-6, "{error}");
}

#[test]
fn learns_what_a_neighbour_has_on_any_number_of_threads() {
    // The second cell of a pair is what the first is not.
    let mut data = CellExamples::new(2, 2).with_symbols(2);
    for symbol in [0, 1] {
        data.push(&[CellInput::Symbol(symbol), CellInput::Nothing], &[None, Some(1 - symbol as u16)])
            .unwrap();
    }
    let edges = edges_of_groups(&[vec![0, 1]]);
    let trained = |threads: usize| {
        let mut settings = RelationalSettings { width: 8, steps: 3, threads, ..Default::default() };
        settings.optimiser.learning_rate = 0.01;
        let mut rival = RelationalNetwork::new(data.form(), &edges, settings).unwrap();
        let batch: Vec<usize> = (0..2000).map(|at| at % 2).collect();
        for _ in 0..60 {
            rival.fit(&data, &batch[..2]).unwrap();
        }
        (rival.fit(&data, &batch).unwrap(), rival)
    };
    let ((one, first), (three, second)) = (trained(1), trained(3));
    assert_eq!(one, three);
    assert_eq!(first.save().unwrap(), second.save().unwrap());
    assert_eq!(score(&first, &data, &[0, 1]).unwrap().cells_right, 2);
    let mut other = RelationalNetwork::new(
        data.form(),
        &edges,
        RelationalSettings { width: 8, steps: 3, ..RelationalSettings::default() },
    )
    .unwrap();
    other.load(&first.save().unwrap()).unwrap();
    assert_eq!(other.predict(&data, &[0, 1]).unwrap(), second.predict(&data, &[0, 1]).unwrap());
}

#[test]
fn a_graph_of_other_cells_is_refused() {
    let data = data();
    let message = |edges: &[[u32; 2]]| match RelationalNetwork::new(data.form(), edges, settings()) {
        Ok(_) => panic!("it was taken"),
        Err(error) => error.to_string(),
    };
    assert_eq!(message(&[[0, 3]]), "cells = 3 is out of range: more than the greatest in the graph, to 4096");
    assert_eq!(message(&[]), "edges = 0 is out of range: 1 to 16777216");
}
