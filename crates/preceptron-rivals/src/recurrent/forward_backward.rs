//! One part of a batch through all recurrences and back, on one thread.
//!
//! With norm the layer norm, a column for each token, and the same weights in each of R recurrences:
//! ```text
//! x = embedding
//! R times:
//!     x = x + Wo attention(Wa norm(x) + ba) + bo
//!     x = x + W2 gelu(W1 norm(x) + b1) + b2
//!     L = L + mean over known cells of -ln softmax(Wh norm(x))(answer)
//! ```
//! | symbol | field of [`Network`] |
//! |---|---|
//! | Wa, ba | `asked` |
//! | Wo, bo | `attended` |
//! | W1, b1; W2, b2 | `hidden`; `output` |
//! | Wh | `head` |
//!
//! What is kept for the way back, for each recurrence, is in [`Trace`]. The tokens themselves are not: what
//! norm makes of them is enough. The head and the next recurrence share it.

use super::attention::{Dropped, Room};
use super::network::{Maps, Network};
use super::trace::Trace;
use crate::layers::cell_embedding::EmbeddingPass;
use crate::layers::dropout::{Dropout, Keys};
use crate::layers::gelu::{gelu, gelu_back};
use crate::layers::linear::{Linear, add_gradient, add_to_columns, apply, apply_back, sum_columns};
use crate::layers::norm::{normalise, normalise_back};
use crate::layers::softmax::{cross_entropy, softmax};
use crate::{CellExamples, RivalError};

/// Places of a recurrence where dropout acts, beside attention.
const EMBEDDED: usize = 0;
const ATTENDED: usize = 1;
const OUTPUT: usize = 2;

/// What a thread works with.
#[derive(Default)]
pub(super) struct Worker {
    embedding: EmbeddingPass,
    trace: Trace,
    room: Room,
    tokens: Vec<f32>,
    /// Values of a branch, or derivatives by them: hidden units twice, queries with keys and values, tokens.
    active: Vec<f32>,
    wide: Vec<f32>,
    branch: Vec<f32>,
    slopes: Vec<f32>,
    back: Vec<f32>,
    maps: Maps,
}

/// One part of a batch.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub network: &'a Network,
    pub weights: &'a [f32],
    pub maps: &'a Maps,
    pub data: &'a CellExamples,
    pub examples: &'a [usize],
    /// Nothing for prediction.
    pub training: Option<TrainingTask>,
}

/// What training needs to know.
#[derive(Clone, Copy)]
pub(super) struct TrainingTask {
    pub dropout: Option<Dropout>,
    pub keys: Keys,
    /// What each known cell counts in the loss.
    pub share: f32,
}

impl Task<'_> {
    fn dropped(&self, recurrence: usize) -> Option<Dropped> {
        let TrainingTask { dropout, keys, .. } = self.training?;
        dropout.map(|dropout| Dropped { dropout, keys, recurrence })
    }
}

impl Worker {
    fn prepare(&mut self, task: &Task<'_>) {
        let network = task.network;
        let tokens = task.examples.len() * network.attention.cells;
        let slots = if task.training.is_some() { network.recurrences } else { 1 };
        self.trace.prepare(network, tokens, slots);
        let width = network.width;
        for (values, size) in [
            (&mut self.tokens, width),
            (&mut self.active, 4 * width),
            (&mut self.wide, 4 * width),
            (&mut self.branch, width),
            (&mut self.slopes, width),
            (&mut self.back, width),
        ] {
            values.resize(size * tokens, 0.0);
        }
    }

    /// The sum of the losses over cells and recurrences in training, where derivatives take the place of the
    /// logits; otherwise the logits become the probabilities of the last recurrence.
    pub fn forward(&mut self, task: &Task<'_>) -> Result<f64, RivalError> {
        self.prepare(task);
        let Task { network, weights, maps, data, examples, .. } = *task;
        let (width, training) = (network.width, task.training.is_some());
        let Worker { embedding, trace, tokens, .. } = self;
        embedding.forward(&network.embedding, weights, data, examples, tokens)?;
        if let Some(Dropped { dropout, keys, .. }) = task.dropped(0) {
            dropout.drop_in(keys.of(0, EMBEDDED), tokens);
        }
        normalise(tokens, width, trace.seen.of_mut(0), trace.seen_inverse.of_mut(0));
        let mut loss = 0.0;
        for recurrence in 0..network.recurrences {
            let slot = if training { recurrence } else { 0 };
            let next = if training { slot + 1 } else { 0 };
            self.block(task, recurrence, slot, next);
            let Trace { seen, logits, .. } = &mut self.trace;
            let logits = logits.of_mut(slot);
            if let Some(TrainingTask { share, .. }) = task.training {
                apply(&maps.head.weight, seen.of(next), width, logits, false);
                add_to_columns(logits, &maps.head.bias);
                let answers = examples.iter().flat_map(|&example| data.answers(example));
                loss += cross_entropy(logits, network.classes, answers, share);
            } else if recurrence + 1 == network.recurrences {
                apply(&maps.head.weight, seen.of(next), width, logits, false);
                add_to_columns(logits, &maps.head.bias);
                softmax(logits, network.classes, 1.0);
            }
        }
        Ok(loss)
    }

    /// The probabilities after [`Worker::forward`] of a prediction.
    pub fn probabilities(&self) -> &[f32] {
        self.trace.logits.of(0)
    }

    /// One recurrence.
    fn block(&mut self, task: &Task<'_>, recurrence: usize, slot: usize, next: usize) {
        let Task { network, weights, maps, .. } = *task;
        let (width, dropped) = (network.width, task.dropped(recurrence));
        let Worker { trace, room, tokens, active, branch, .. } = self;
        let asked = trace.asked.of_mut(slot);
        apply(&maps.asked.weight, trace.seen.of(slot), width, asked, false);
        add_to_columns(asked, &maps.asked.bias);
        let mixed = trace.mixed.of_mut(slot);
        network.attention.forward(asked, trace.shares.of_mut(slot), mixed, dropped, room);
        let mut add = |linear: &Linear, x: &[f32], tokens: &mut [f32], site: usize| {
            let (weight, bias) = (&weights[linear.weight.clone()], &weights[linear.bias.clone()]);
            match dropped {
                None => {
                    add_to_columns(tokens, bias);
                    apply(weight, x, linear.inputs, tokens, true);
                }
                Some(Dropped { dropout, keys, .. }) => {
                    apply(weight, x, linear.inputs, branch, false);
                    add_to_columns(branch, bias);
                    dropout.add(keys.of(recurrence, site), branch, tokens);
                }
            }
        };
        add(&network.attended, mixed, tokens, ATTENDED);
        let middle = trace.middle.of_mut(slot);
        normalise(tokens, width, middle, trace.middle_inverse.of_mut(slot));
        let hidden = trace.hidden.of_mut(slot);
        apply(&maps.hidden.weight, middle, width, hidden, false);
        gelu(hidden, &maps.hidden.bias, active);
        add(&network.output, active, tokens, OUTPUT);
        normalise(tokens, width, trace.seen.of_mut(next), trace.seen_inverse.of_mut(next));
    }

    /// After [`Worker::forward`] in training: adds the derivatives by the parameters.
    pub fn backward(&mut self, task: &Task<'_>, gradient: &mut [f32]) {
        let Task { network, weights, maps, data, examples, .. } = *task;
        let width = network.width;
        network.clear(&mut self.maps);
        self.slopes.fill(0.0);
        self.back.fill(0.0);
        for recurrence in (0..network.recurrences).rev() {
            let Worker { trace, slopes, back, maps: by, .. } = self;
            let (after, logits) = (trace.seen.of(recurrence + 1), trace.logits.of(recurrence));
            apply_back(&maps.head.weight, logits, width, back, true);
            add_gradient(logits, after, width, &mut by.head.weight);
            sum_columns(logits, &mut by.head.bias);
            normalise_back(back, width, after, trace.seen_inverse.of(recurrence + 1), slopes);
            self.hidden_back(task, recurrence, gradient);
            self.attention_back(task, recurrence, gradient);
        }
        let Worker { trace, slopes, back, maps: by, embedding, .. } = self;
        normalise_back(back, width, trace.seen.of(0), trace.seen_inverse.of(0), slopes);
        if let Some(Dropped { dropout, keys, .. }) = task.dropped(0) {
            dropout.drop_in(keys.of(0, EMBEDDED), slopes);
        }
        network.unfold(weights, by, gradient);
        embedding.backward(&network.embedding, weights, data, examples, slopes, gradient);
    }

    /// Takes `slopes` from behind the hidden units to before them.
    fn hidden_back(&mut self, task: &Task<'_>, recurrence: usize, gradient: &mut [f32]) {
        let Task { network, weights, maps, .. } = *task;
        let (width, output) = (network.width, &network.output);
        let Worker { trace, slopes, back, maps: by, active, wide, branch, .. } = self;
        let added = kept(task.dropped(recurrence), OUTPUT, slopes, branch);
        apply_back(&weights[output.weight.clone()], added, output.inputs, wide, false);
        gelu_back(trace.hidden.of(recurrence), wide, active, &mut by.hidden.bias);
        add_gradient(added, active, output.inputs, &mut gradient[output.weight.clone()]);
        sum_columns(added, &mut gradient[output.bias.clone()]);
        let middle = trace.middle.of(recurrence);
        add_gradient(wide, middle, width, &mut by.hidden.weight);
        apply_back(&maps.hidden.weight, wide, width, back, false);
        normalise_back(back, width, middle, trace.middle_inverse.of(recurrence), slopes);
    }

    /// Takes `slopes` from behind attention to before it, but for what came through the layer norm: `back` are
    /// derivatives by what that gave.
    fn attention_back(&mut self, task: &Task<'_>, recurrence: usize, gradient: &mut [f32]) {
        let Task { network, weights, maps, .. } = *task;
        let (width, attended) = (network.width, &network.attended);
        let Worker { trace, slopes, back, maps: by, wide, branch, room, .. } = self;
        let dropped = task.dropped(recurrence);
        let added = kept(dropped, ATTENDED, slopes, branch);
        apply_back(&weights[attended.weight.clone()], added, width, back, false);
        add_gradient(added, trace.mixed.of(recurrence), width, &mut gradient[attended.weight.clone()]);
        sum_columns(added, &mut gradient[attended.bias.clone()]);
        let by_asked = &mut wide[..trace.asked.size];
        let (asked, shares) = (trace.asked.of(recurrence), trace.shares.of(recurrence));
        network.attention.backward(asked, shares, back, by_asked, dropped, room);
        add_gradient(by_asked, trace.seen.of(recurrence), width, &mut by.asked.weight);
        sum_columns(by_asked, &mut by.asked.bias);
        apply_back(&maps.asked.weight, by_asked, width, back, false);
    }
}

/// The derivatives by what was added to tokens: those by the tokens, without what was left out.
fn kept<'a>(dropped: Option<Dropped>, site: usize, slopes: &'a [f32], room: &'a mut [f32]) -> &'a [f32] {
    match dropped {
        None => slopes,
        Some(Dropped { dropout, keys, recurrence }) => {
            dropout.drop(keys.of(recurrence, site), slopes, room);
            room
        }
    }
}
