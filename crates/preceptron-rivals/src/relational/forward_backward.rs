//! One part of a batch through all steps and back, on one thread.
//!
//! With a column for each cell i, edges (i, j) of the graph, and the same weights in each of T steps:
//! ```text
//! x = mlp(embedding)        h = x        c = 0
//! T times:
//!     m_j = sum over i of mlp([h_i, h_j])
//!     h, c = lstm(mlp([x, m]), h, c)
//!     L = L + mean over known cells of -ln softmax(R h)(answer)
//! ```
//! The first layer of a message's network is the sum of a map of h_i and a map of h_j, which are computed for
//! cells, not for edges; its last layer is linear, and so is applied to the sum over i.
//!
//! | symbol | field |
//! |---|---|
//! | mlp of the embedding; of \[x, m\] | `input`; `node` of [`Network`] |
//! | mlp of \[h_i, h_j\] | `from` and `to`; `message`; `sent` |
//! | lstm, R | `gates` and `gates_of_output`; `head` |
//! | h, c | `output`, `memory` of [`Step`] |

use preceptron_matrix::widest;

use super::network::Network;
use crate::layers::cell_embedding::EmbeddingPass;
use crate::layers::linear::{Linear, add_all, add_gradient, add_to_columns, apply, apply_back, sum_columns};
use crate::layers::lstm;
use crate::layers::mlp::{MlpTrace, relu, relu_back};
use crate::layers::softmax::{cross_entropy, softmax};
use crate::{CellExamples, RivalError};

/// What a thread works with.
#[derive(Default)]
pub(super) struct Worker {
    embedding: EmbeddingPass,
    embedded: Vec<f32>,
    input: MlpTrace,
    /// The first has the output and the memory before the first step.
    steps: Vec<Step>,
    /// Values of cells: the maps of h_i and h_j, and derivatives by them.
    from: Vec<f32>,
    to: Vec<f32>,
    slopes: Slopes,
}

/// What is kept of a step.
#[derive(Default)]
struct Step {
    output: Vec<f32>,
    memory: Vec<f32>,
    first: Vec<f32>,
    message: MlpTrace,
    summed: Vec<f32>,
    joined: Vec<f32>,
    node: MlpTrace,
    gates: Vec<f32>,
    /// Derivatives by the logits; probabilities in prediction.
    logits: Vec<f32>,
}

/// Derivatives by what their names say.
#[derive(Default)]
struct Slopes {
    output: Vec<f32>,
    memory: Vec<f32>,
    input: Vec<f32>,
    gates: Vec<f32>,
    node: Vec<f32>,
    message: Vec<f32>,
    sent: Vec<f32>,
    room: Vec<f32>,
}

/// One part of a batch.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub network: &'a Network,
    pub weights: &'a [f32],
    pub data: &'a CellExamples,
    pub examples: &'a [usize],
    /// What each known cell counts in the loss; nothing for prediction.
    pub share: Option<f32>,
}

impl Task<'_> {
    fn of(&self, linear: &Linear) -> &[f32] {
        &self.weights[linear.weight.clone()]
    }

    /// The columns of the cells at the ends of all edges: from, to.
    fn edges(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        let Network { cells, edges, .. } = self.network;
        let of = move |example: usize| {
            edges.iter().map(move |edge| edge.map(|cell| example * cells + cell as usize))
        };
        (0..self.examples.len()).flat_map(of)
    }
}

impl Worker {
    /// The sum of the losses over cells and steps in training, where derivatives take the place of the logits;
    /// otherwise the probabilities of the last step do.
    pub fn forward(&mut self, task: &Task<'_>) -> Result<f64, RivalError> {
        let Task { network, weights, data, examples, .. } = *task;
        let columns = examples.len() * network.cells;
        self.embedded.resize(columns * network.width, 0.0);
        self.embedding.forward(&network.embedding, weights, data, examples, &mut self.embedded)?;
        network.input.forward(weights, &self.embedded, &mut self.input);
        self.steps.resize_with(network.steps + 1, Step::default);
        self.steps[0].output = self.input.output().to_vec();
        self.steps[0].memory = vec![0.0; columns * network.width];
        let mut loss = 0.0;
        for number in 1..=network.steps {
            self.step(task, number);
            let Step { output, logits, .. } = &mut self.steps[number];
            if task.share.is_none() && number < network.steps {
                continue;
            }
            logits.resize(columns * network.classes, 0.0);
            apply(task.of(&network.head), output, network.width, logits, false);
            add_to_columns(logits, &weights[network.head.bias.clone()]);
            match task.share {
                Some(share) => {
                    let answers = examples.iter().flat_map(|&example| data.answers(example));
                    loss += cross_entropy(logits, network.classes, answers, share);
                }
                None => softmax(logits, network.classes, 1.0),
            }
        }
        Ok(loss)
    }

    /// The probabilities after [`Worker::forward`] of a prediction.
    pub fn probabilities(&self) -> &[f32] {
        self.steps.last().map_or(&[], |step| &step.logits)
    }

    fn step(&mut self, task: &Task<'_>, number: usize) {
        let Task { network, weights, examples, .. } = *task;
        let width = network.width;
        let cells = examples.len() * network.cells * width;
        let Worker { input, steps, from, to, .. } = self;
        let (before, step) = steps.split_at_mut(number);
        let (before, step) = (&before[number - 1], &mut step[0]);
        for values in [&mut *from, &mut *to, &mut step.output, &mut step.memory] {
            values.resize(cells, 0.0);
        }
        apply(task.of(&network.from), &before.output, width, from, false);
        apply(task.of(&network.to), &before.output, width, to, false);
        add_to_columns(to, &weights[network.to.bias.clone()]);
        step.first.resize(examples.len() * network.edges.len() * width, 0.0);
        widest(
            #[inline(always)]
            || {
                for (first, [i, j]) in step.first.chunks_exact_mut(width).zip(task.edges()) {
                    let (from, to) = (&from[i * width..][..width], &to[j * width..][..width]);
                    first.iter_mut().zip(from).zip(to).for_each(|((first, from), to)| *first = from + to);
                }
            },
        );
        relu(&mut step.first);
        network.message.forward(weights, &step.first, &mut step.message);
        step.summed.clear();
        step.summed.resize(cells, 0.0);
        add_to_ends(step.message.output(), task.edges().map(|[_, j]| j), &mut step.summed, width);
        // The messages of each cell stand behind its x.
        let (sent, joined) = (&mut *from, &mut step.joined);
        apply(task.of(&network.sent), &step.summed, width, sent, false);
        let bias = &weights[network.sent.bias.clone()];
        for j in task.edges().map(|[_, j]| j) {
            add_all(&mut sent[j * width..][..width], bias);
        }
        joined.clear();
        for (x, sent) in input.output().chunks_exact(width).zip(sent.chunks_exact(width)) {
            joined.extend_from_slice(x);
            joined.extend_from_slice(sent);
        }
        network.node.forward(weights, joined, &mut step.node);
        step.gates.resize(4 * cells, 0.0);
        apply(task.of(&network.gates), step.node.output(), width, &mut step.gates, false);
        apply(task.of(&network.gates_of_output), &before.output, width, &mut step.gates, true);
        add_to_columns(&mut step.gates, &weights[network.gates.bias.clone()]);
        lstm::forward(&mut step.gates, &before.memory, &mut step.memory, &mut step.output, width);
    }

    /// After [`Worker::forward`] in training: adds the derivatives by the parameters.
    pub fn backward(&mut self, task: &Task<'_>, gradient: &mut [f32]) {
        let Task { network, weights, data, examples, .. } = *task;
        let cells = examples.len() * network.cells * network.width;
        let Slopes { output, memory, input, gates, sent, .. } = &mut self.slopes;
        for values in [output, memory, input] {
            values.clear();
            values.resize(cells, 0.0);
        }
        gates.resize(4 * cells, 0.0);
        sent.resize(cells, 0.0);
        for number in (1..=network.steps).rev() {
            self.step_back(task, number, gradient);
        }
        // What x is before the first step, it is in all of them.
        let Slopes { output, input, room, .. } = &mut self.slopes;
        add_all(input, output);
        network.input.backward(weights, &self.embedded, &self.input, input, room, gradient);
        self.embedding.backward(&network.embedding, weights, data, examples, input, gradient);
    }

    fn step_back(&mut self, task: &Task<'_>, number: usize, gradient: &mut [f32]) {
        let Task { network, weights, .. } = *task;
        let width = network.width;
        let Worker { steps, from, to, slopes, .. } = self;
        let (before, step) = (&steps[number - 1], &steps[number]);
        let Slopes { output, memory, input, gates, node, message, sent, room } = slopes;
        apply_back(task.of(&network.head), &step.logits, width, output, true);
        add_gradient(&step.logits, &step.output, width, &mut gradient[network.head.weight.clone()]);
        sum_columns(&step.logits, &mut gradient[network.head.bias.clone()]);
        lstm::backward(&step.gates, [&before.memory, &step.memory], output, memory, gates, width);
        let of_gates = &mut gradient[network.gates.weight.clone()];
        add_gradient(gates, step.node.output(), width, of_gates);
        sum_columns(gates, &mut gradient[network.gates.bias.clone()]);
        let of_output = &mut gradient[network.gates_of_output.weight.clone()];
        add_gradient(gates, &before.output, width, of_output);
        apply_back(task.of(&network.gates_of_output), gates, width, output, false);
        node.resize(output.len(), 0.0);
        apply_back(task.of(&network.gates), gates, width, node, false);
        network.node.backward(weights, &step.joined, &step.node, node, room, gradient);
        let parts = input.chunks_exact_mut(width).zip(sent.chunks_exact_mut(width));
        for ((input, sent), joined) in parts.zip(node.chunks_exact(2 * width)) {
            add_all(input, &joined[..width]);
            sent.copy_from_slice(&joined[width..]);
        }
        add_gradient(sent, &step.summed, width, &mut gradient[network.sent.weight.clone()]);
        for j in task.edges().map(|[_, j]| j) {
            add_all(&mut gradient[network.sent.bias.clone()], &sent[j * width..][..width]);
        }
        // From here on `to` has the derivatives by the sums of messages, then those by the maps of h_j.
        apply_back(task.of(&network.sent), sent, width, to, false);
        message.clear();
        task.edges().for_each(|[_, j]| message.extend_from_slice(&to[j * width..][..width]));
        network.message.backward(weights, &step.first, &step.message, message, room, gradient);
        relu_back(&step.first, message);
        from.fill(0.0);
        to.fill(0.0);
        add_to_ends(message, task.edges().map(|[i, _]| i), from, width);
        add_to_ends(message, task.edges().map(|[_, j]| j), to, width);
        for (linear, slopes) in [(&network.from, from), (&network.to, to)] {
            add_gradient(slopes, &before.output, width, &mut gradient[linear.weight.clone()]);
            apply_back(task.of(linear), slopes, width, output, true);
            if !linear.bias.is_empty() {
                sum_columns(slopes, &mut gradient[linear.bias.clone()]);
            }
        }
    }
}

/// Adds each column to that of a cell.
fn add_to_ends(columns: &[f32], ends: impl Iterator<Item = usize>, onto: &mut [f32], width: usize) {
    widest(
        #[inline(always)]
        || {
            for (column, end) in columns.chunks_exact(width).zip(ends) {
                let onto = &mut onto[end * width..][..width];
                onto.iter_mut().zip(column).for_each(|(sum, value)| *sum += value);
            }
        },
    );
}
