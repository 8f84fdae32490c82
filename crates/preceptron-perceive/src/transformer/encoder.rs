//! The transformer as a function of its parameters, which are one vector of numbers.
//!
//! ```text
//! x = patches We + be + position
//! recurrences times, for each layer:
//!     x = x + attention(norm(x)) Wo + bo         softmax(Q K' / sqrt(width / heads)) V in each head
//!     x = x + gelu(norm(x) W1 + b1) W2 + b2      4 width hidden units
//! logits = mean over tokens of norm(x), times Wh, + bh
//! ```
//! The layers' weights are the same in each recurrence. [`Encoder::new`] lists the tensors in the order in
//! which [`Encoder::logits`] takes them.

use std::ops::Range;

use burn::tensor::Tensor;
use burn::tensor::activation::gelu;
use burn::tensor::module::{attention, layer_norm, linear};
use rand::RngExt;

use super::TransformerSettings;
use crate::network::Weights;
use crate::weights_file::Entry;
use crate::{PerceiveError, Shape};
use preceptron_base::stream_at;

const EPSILON: f64 = 1e-5;

/// The architecture, without its weights.
pub(super) struct Encoder {
    pub input: Shape,
    pub classes: usize,
    settings: TransformerSettings,
    /// The tensors, one after the other in the vector of parameters.
    pub entries: Vec<Entry>,
    /// Where the kernels are: what weight decay is for.
    pub decaying: Vec<Range<usize>>,
    pub parameters: usize,
}

impl Encoder {
    pub fn new(
        settings: TransformerSettings,
        input: Shape,
        classes: usize,
    ) -> Result<Encoder, PerceiveError> {
        settings.check(input, classes)?;
        let (entries, decaying) = (Vec::new(), Vec::new());
        let mut encoder = Encoder { input, classes, settings, entries, decaying, parameters: 0 };
        let TransformerSettings { patch, width, layers, .. } = settings;
        let (values, hidden) = (input.channels * patch * patch, 4 * width);
        encoder.add_linear("embedding", values, width);
        encoder.add("position", vec![encoder.tokens(), width]);
        for layer in 0..layers {
            encoder.add_norm(&format!("layer.{layer}.attention.norm"));
            for name in ["query", "key", "value", "output"] {
                encoder.add_linear(&format!("layer.{layer}.attention.{name}"), width, width);
            }
            encoder.add_norm(&format!("layer.{layer}.mlp.norm"));
            encoder.add_linear(&format!("layer.{layer}.mlp.hidden"), width, hidden);
            encoder.add_linear(&format!("layer.{layer}.mlp.output"), hidden, width);
        }
        encoder.add_norm("norm");
        encoder.add_linear("head", width, classes);
        Ok(encoder)
    }

    fn add(&mut self, name: &str, shape: Vec<usize>) {
        let range = self.parameters..self.parameters + shape.iter().product::<usize>();
        self.parameters = range.end;
        self.entries.push(Entry { name: name.to_owned(), shape, range });
    }

    fn add_linear(&mut self, name: &str, inputs: usize, outputs: usize) {
        self.add(&format!("{name}.weight"), vec![inputs, outputs]);
        self.decaying.extend(self.entries.last().map(|entry| entry.range.clone()));
        self.add(&format!("{name}.bias"), vec![outputs]);
    }

    fn add_norm(&mut self, name: &str) {
        self.add(&format!("{name}.scale"), vec![self.settings.width]);
        self.add(&format!("{name}.shift"), vec![self.settings.width]);
    }

    /// Tokens of an image.
    fn tokens(&self) -> usize {
        self.input.pixels() / (self.settings.patch * self.settings.patch)
    }

    /// The shape of the patches of so many images: image, token, value.
    pub fn patches(&self, images: usize) -> [usize; 3] {
        [images, self.tokens(), self.input.size() / self.tokens()]
    }

    /// Appends an image patch by patch.
    pub fn cut(&self, image: &[f32], into: &mut Vec<f32>) {
        let (Shape { channels, height, width }, patch) = (self.input, self.settings.patch);
        for top in (0..height).step_by(patch) {
            for left in (0..width).step_by(patch) {
                for row in
                    (0..channels).flat_map(|channel| (top..top + patch).map(move |y| channel * height + y))
                {
                    into.extend_from_slice(&image[row * width + left..][..patch]);
                }
            }
        }
    }

    /// Weights to start from: uniform with variance 1 / inputs, positions as large as the embedding, biases
    /// and shifts 0, scales 1. What is added to the tokens in each of n additions is less by sqrt(n), so
    /// that it does not depend on the recurrences how large tokens become.
    pub fn initial(&self, seed: u64) -> Weights {
        let mut parameters = vec![0.0; self.parameters];
        let additions = (2 * self.settings.layers * self.settings.recurrences) as f32;
        for (number, Entry { name, shape, range }) in self.entries.iter().enumerate() {
            let values = &mut parameters[range.clone()];
            if name.ends_with(".scale") {
                values.fill(1.0);
            } else if shape.len() == 2 {
                let inputs = if name == "position" { self.entries[0].shape[0] } else { shape[0] };
                let share = if name.ends_with(".output.weight") { additions } else { 1.0 };
                let bound = (3.0 / (inputs as f32 * share)).sqrt();
                let mut random = stream_at(seed, "first weights of the encoder", &[number as u64, 0]);
                values.iter_mut().for_each(|value| *value = bound * (2.0 * random.random::<f32>() - 1.0));
            }
        }
        Weights { parameters, statistics: Vec::new() }
    }

    /// Logits (image, class) of images that were cut into patches (image, token, value).
    pub fn logits(&self, parameters: Tensor<1>, patches: Tensor<3>) -> Tensor<2> {
        let mut taken = Taken { parameters, entries: self.entries.iter() };
        let embedding = taken.linear();
        let position = taken.next::<2>();
        let layers: Vec<Block> = (0..self.settings.layers).map(|_| Block::take(&mut taken)).collect();
        let (norm, head) = (taken.norm(), taken.linear());
        let mut tokens = embedding.apply(patches) + position.unsqueeze();
        for _ in 0..self.settings.recurrences {
            for layer in &layers {
                tokens = layer.apply(tokens, self.settings.heads);
            }
        }
        head.apply(norm.apply(tokens).mean_dim(1).squeeze_dim::<2>(1))
    }
}

/// The tensors within the vector of parameters, in their order.
struct Taken<'a> {
    parameters: Tensor<1>,
    entries: std::slice::Iter<'a, Entry>,
}

impl Taken<'_> {
    fn next<const D: usize>(&mut self) -> Tensor<D> {
        let entry = self.entries.next().expect("the tensors are taken as they were listed");
        let shape: [usize; D] = std::array::from_fn(|side| entry.shape[side]);
        self.parameters.clone().slice([entry.range.clone()]).reshape(shape)
    }

    fn linear(&mut self) -> Linear {
        Linear { weight: self.next(), bias: self.next() }
    }

    fn norm(&mut self) -> Norm {
        Norm { scale: self.next(), shift: self.next() }
    }
}

struct Linear {
    weight: Tensor<2>,
    bias: Tensor<1>,
}

impl Linear {
    fn apply<const D: usize>(&self, input: Tensor<D>) -> Tensor<D> {
        linear(input, self.weight.clone(), Some(self.bias.clone()))
    }
}

struct Norm {
    scale: Tensor<1>,
    shift: Tensor<1>,
}

impl Norm {
    fn apply(&self, tokens: Tensor<3>) -> Tensor<3> {
        layer_norm(tokens, self.scale.clone(), Some(self.shift.clone()), EPSILON)
    }
}

/// A layer: attention, then a linear layer with hidden units, each added to the tokens.
struct Block {
    attention_norm: Norm,
    query: Linear,
    key: Linear,
    value: Linear,
    attention_output: Linear,
    norm: Norm,
    hidden: Linear,
    output: Linear,
}

impl Block {
    fn take(taken: &mut Taken<'_>) -> Block {
        Block {
            attention_norm: taken.norm(),
            query: taken.linear(),
            key: taken.linear(),
            value: taken.linear(),
            attention_output: taken.linear(),
            norm: taken.norm(),
            hidden: taken.linear(),
            output: taken.linear(),
        }
    }

    fn apply(&self, tokens: Tensor<3>, heads: usize) -> Tensor<3> {
        let [images, count, width] = tokens.dims();
        let seen = self.attention_norm.apply(tokens.clone());
        let split = |linear: &Linear| {
            linear.apply(seen.clone()).reshape([images, count, heads, width / heads]).swap_dims(1, 2)
        };
        let (query, key, value) = (split(&self.query), split(&self.key), split(&self.value));
        let mixed = attention(query, key, value, None, None, Default::default());
        let mixed = mixed.swap_dims(1, 2).reshape([images, count, width]);
        let tokens = tokens + self.attention_output.apply(mixed);
        let hidden = gelu(self.hidden.apply(self.norm.apply(tokens.clone())));
        tokens + self.output.apply(hidden)
    }
}
