//! From what is given of cells to vectors: a table for symbols, a matrix for features, a network for pictures,
//! a vector of its own for nothing, and a learned vector for each position, which is added.

use std::ops::Range;

use preceptron_perceive::{FeatureNetwork, FeaturePass, Images, Layer};

use super::linear::{add_all, add_gradient, apply};
use super::parameters::{Parameters, Start};
use crate::{CellExamples, CellForm, CellInput, RivalError};

/// Where the parameters stand.
#[derive(Clone, Debug)]
pub(crate) struct CellEmbedding {
    width: usize,
    features: usize,
    nothing: Range<usize>,
    symbols: Range<usize>,
    matrix: Range<usize>,
    pictures: Option<(FeatureNetwork, Range<usize>)>,
    position: Range<usize>,
}

/// The network for pictures that the recurrent transformer's authors have, without its last layer: two
/// convolutions with pooling, and 500 hidden units.
pub fn digit_layers() -> Vec<Layer> {
    vec![
        Layer::convolution(20, 5).relu().pool(2),
        Layer::convolution(50, 5).relu().pool(2),
        Layer::linear(500).relu(),
    ]
}

impl CellEmbedding {
    /// Adds the tensors that a form needs. Behind the layers for pictures comes a linear one to the width.
    pub fn add(
        parameters: &mut Parameters,
        form: &CellForm,
        width: usize,
        layers: &[Layer],
        seed: u64,
        start: &Start,
    ) -> Result<CellEmbedding, RivalError> {
        let mut table = |name: &str, rows: usize, start: &Start| match rows {
            0 => parameters.len..parameters.len,
            rows => parameters.add(format!("embedding.{name}"), vec![rows, width], start.clone(), false),
        };
        let nothing = table("nothing", 1, start);
        let symbols = table("symbols", form.symbols, start);
        let matrix = table("features", form.features, start);
        let position = table("position", form.cells, &Start::Value(0.0));
        let pictures = match form.pictures {
            None => None,
            Some(shape) => {
                let layers: Vec<Layer> = layers.iter().copied().chain([Layer::linear(width)]).collect();
                let network = FeatureNetwork::new(shape, &layers)?;
                let (initial, begin) = (network.initial(seed), parameters.len);
                for (name, shape, range) in network.tensors() {
                    let (decays, values) = (name.ends_with("weight"), initial[range].to_vec());
                    parameters.add(format!("pictures.{name}"), shape, Start::Given(values), decays);
                }
                Some((network, begin..parameters.len))
            }
        };
        Ok(CellEmbedding { width, features: form.features, nothing, symbols, matrix, pictures, position })
    }
}

/// What one part of a batch works with.
#[derive(Default)]
pub(crate) struct EmbeddingPass {
    /// The vectors and pictures that are inputs, the tokens that they belong to, and their rows.
    vectors: Vec<f32>,
    vector_tokens: Vec<usize>,
    numbers: Vec<u32>,
    picture_tokens: Vec<usize>,
    rows: Vec<f32>,
    pictures: FeaturePass,
}

impl EmbeddingPass {
    /// Writes the vectors of all cells of some examples.
    pub fn forward(
        &mut self,
        embedding: &CellEmbedding,
        weights: &[f32],
        data: &CellExamples,
        examples: &[usize],
        into: &mut [f32],
    ) -> Result<(), RivalError> {
        let width = embedding.width;
        self.vectors.clear();
        self.numbers.clear();
        self.vector_tokens.clear();
        self.picture_tokens.clear();
        let inputs = examples.iter().flat_map(|&example| data.inputs(example));
        let positions = weights[embedding.position.clone()].chunks_exact(width).cycle();
        let tokens = into.chunks_exact_mut(width).zip(positions);
        for (at, ((token, position), &input)) in tokens.zip(inputs).enumerate() {
            token.copy_from_slice(position);
            match input {
                CellInput::Nothing => add_all(token, &weights[embedding.nothing.clone()]),
                CellInput::Symbol(number) => add_all(token, &weights[embedding.symbol(number)]),
                CellInput::Features(number) => {
                    self.vectors.extend_from_slice(data.vector(number));
                    self.vector_tokens.push(at);
                }
                CellInput::Picture(number) => {
                    self.numbers.push(number);
                    self.picture_tokens.push(at);
                }
            }
        }
        if !self.vector_tokens.is_empty() {
            self.rows.resize(self.vector_tokens.len() * width, 0.0);
            let matrix = &weights[embedding.matrix.clone()];
            apply(matrix, &self.vectors, embedding.features, &mut self.rows, false);
            scatter(&self.rows, &self.vector_tokens, into, width);
        }
        if let Some((network, range)) = &embedding.pictures {
            self.rows.resize(self.numbers.len() * width, 0.0);
            let images = Images::bytes(network.input(), data.pixels())?;
            let weights = &weights[range.clone()];
            self.pictures.forward(network, weights, images, &self.numbers, &mut self.rows)?;
            scatter(&self.rows, &self.picture_tokens, into, width);
        }
        Ok(())
    }

    /// After [`EmbeddingPass::forward`], with the derivatives by its vectors: adds those by the parameters.
    pub fn backward(
        &mut self,
        embedding: &CellEmbedding,
        weights: &[f32],
        data: &CellExamples,
        examples: &[usize],
        slopes: &[f32],
        gradient: &mut [f32],
    ) {
        let width = embedding.width;
        let inputs = examples.iter().flat_map(|&example| data.inputs(example));
        let cells = embedding.position.len() / width;
        for (at, (slopes, &input)) in slopes.chunks_exact(width).zip(inputs).enumerate() {
            let position = embedding.position.start + at % cells * width;
            add_all(&mut gradient[position..position + width], slopes);
            match input {
                CellInput::Nothing => add_all(&mut gradient[embedding.nothing.clone()], slopes),
                CellInput::Symbol(number) => add_all(&mut gradient[embedding.symbol(number)], slopes),
                CellInput::Features(_) | CellInput::Picture(_) => {}
            }
        }
        if !self.vector_tokens.is_empty() {
            gather(slopes, &self.vector_tokens, &mut self.rows, width);
            let into = &mut gradient[embedding.matrix.clone()];
            add_gradient(&self.rows, &self.vectors, embedding.features, into);
        }
        if let Some((network, range)) = &embedding.pictures {
            gather(slopes, &self.picture_tokens, &mut self.rows, width);
            let (weights, into) = (&weights[range.clone()], &mut gradient[range.clone()]);
            self.pictures.backward(network, weights, &self.rows, into);
        }
    }
}

impl CellEmbedding {
    fn symbol(&self, number: u32) -> Range<usize> {
        let begin = self.symbols.start + number as usize * self.width;
        begin..begin + self.width
    }
}

fn scatter(rows: &[f32], tokens: &[usize], into: &mut [f32], width: usize) {
    for (row, token) in rows.chunks_exact(width).zip(tokens) {
        add_all(&mut into[token * width..(token + 1) * width], row);
    }
}

fn gather(slopes: &[f32], tokens: &[usize], rows: &mut Vec<f32>, width: usize) {
    rows.clear();
    tokens.iter().for_each(|token| rows.extend_from_slice(&slopes[token * width..(token + 1) * width]));
}
