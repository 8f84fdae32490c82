//! A layer for whole batches: forward, backward, and what Adam makes of it.

use preceptron_base::{Settings, stream};
use preceptron_matrix::{Strided, multiply};
use rand::{Rng, RngExt};
use rayon::prelude::*;

use super::adam::Adam;
use super::batch::Shape;
use super::descent::{Problem, Settled, Workspace};
use super::kernels::Kernels;
use super::settings::vector_length;
use super::{Batch, SatNetError, SatNetSettings, Start};

/// Columns of a product of matrices that a thread computes at a time.
const COLUMNS: usize = 128;

/// A layer that completes examples: a relaxed MAXSAT problem whose clauses are learned.
#[derive(Clone, Debug)]
pub struct SatNet {
    pub(super) settings: SatNetSettings,
    pub(super) variables: usize,
    /// The weights are S, a row of `settings.clauses` for each variable.
    pub(super) adam: Adam,
    /// C = S S'.
    gram: Vec<f32>,
    pub(super) kernels: Kernels,
}

/// A batch that went through a layer.
#[derive(Clone, Debug)]
pub struct Pass {
    settled: Vec<Settled>,
    pub(super) outputs: Vec<f32>,
}

impl Pass {
    /// The probabilities that variables are true, row by row: inputs as they were, outputs as they were found.
    pub fn outputs(&self) -> &[f32] {
        &self.outputs
    }

    /// How many sweeps each example took.
    pub fn sweeps(&self) -> impl Iterator<Item = usize> {
        self.settled.iter().map(|settled| settled.sweeps)
    }
}

/// The derivatives of a loss.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradients {
    /// By S, summed over the examples: for each variable, the truth first and auxiliary ones last, a row with a
    /// number for each clause.
    pub clauses: Vec<f32>,
    /// By the inputs, row by row; 0 for outputs.
    pub inputs: Vec<f32>,
}

impl SatNet {
    /// A layer of so many variables beside auxiliary ones, with random clauses.
    ///
    /// # Errors
    /// If a setting is out of its range.
    pub fn new(variables: usize, settings: SatNetSettings) -> Result<SatNet, SatNetError> {
        settings.check()?;
        if variables == 0 {
            return Err(SatNetError::NoVariables);
        }
        let all = 1 + variables + settings.auxiliary;
        let scale = (0.5 / (all + settings.clauses) as f32).sqrt();
        let random = &mut stream(settings.seed, "clauses of a satnet layer", 0);
        let weights = (0..all * settings.clauses).map(|_| scale * normal(random)).collect();
        let adam = Adam::new(weights);
        let mut layer = SatNet { settings, variables, adam, gram: Vec::new(), kernels: Kernels::best() };
        layer.renew();
        Ok(layer)
    }

    /// The settings.
    pub fn settings(&self) -> &SatNetSettings {
        &self.settings
    }

    /// How many variables there are beside the truth and the auxiliary ones.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// How many numbers a vector has.
    pub fn vector_length(&self) -> usize {
        vector_length(&self.settings, 1 + self.variables + self.settings.auxiliary)
    }

    /// Steps of training that were made.
    pub fn step(&self) -> u64 {
        self.adam.step
    }

    /// S: for each variable, the truth first and auxiliary ones last, a row with a number for each clause.
    pub fn clauses(&self) -> &[f32] {
        &self.adam.weights
    }

    pub(super) fn shape(&self) -> Shape {
        Shape {
            variables: self.variables,
            auxiliary: self.settings.auxiliary,
            vector_length: self.vector_length(),
            seed: self.settings.seed,
        }
    }

    fn problem(&self) -> Problem<'_> {
        Problem {
            kernels: self.kernels,
            gram: &self.gram,
            variables: self.shape().all(),
            width: self.shape().width(),
            sweeps: self.settings.sweeps,
            tolerance: self.settings.tolerance as f32,
            damping: self.settings.damping as f32,
        }
    }

    fn matrix(&self) -> Strided<'_, f32> {
        let (rows, columns) = (self.shape().all(), self.settings.clauses);
        Strided { values: &self.adam.weights, rows, columns, row_stride: columns, column_stride: 1 }
    }

    /// Computes what follows from S, after it changed.
    pub(super) fn renew(&mut self) {
        let mut gram = std::mem::take(&mut self.gram);
        gram.resize(self.shape().all().pow(2), 0.0);
        by_columns(&mut gram, self.shape().all(), self.matrix(), self.matrix().transposed());
        self.gram = gram;
    }

    /// Finds the outputs from the inputs.
    ///
    /// # Errors
    /// If the batch is not one of this layer.
    pub fn forward(&self, batch: Batch<'_>, start: Start<'_>) -> Result<Pass, SatNetError> {
        let examples = batch.examples(self.variables)?;
        let (shape, problem) = (self.shape(), self.problem());
        let expected = examples * shape.all() * shape.vector_length;
        if let Start::Given(given) = start
            && given.len() != expected
        {
            let expected = format!("{expected}, for {examples} examples");
            return Err(SatNetError::length("numbers of vectors", given.len(), expected));
        }
        let order = shape.order(start);
        let settle = |work: &mut Workspace, example: usize| {
            let mut settled = shape.begin(batch, example, &order, start);
            problem.settle(&mut settled, work);
            settled
        };
        let settled: Vec<Settled> =
            (0..examples).into_par_iter().map_init(Workspace::default, settle).collect();
        let mut outputs = batch.inputs.to_vec();
        for (settled, outputs) in settled.iter().zip(outputs.chunks_exact_mut(self.variables)) {
            for (position, &variable) in settled.order.iter().enumerate() {
                if let Some(output) = outputs.get_mut(variable - 1) {
                    *output = problem.output(settled, position);
                }
            }
        }
        Ok(Pass { settled, outputs })
    }

    /// The derivatives of a loss, from those by the outputs of a pass. Values at inputs are not looked at: what an input
    /// is worth by itself is for the caller to add.
    ///
    /// # Errors
    /// If there is not one derivative for each output of the pass.
    pub fn backward(&self, pass: &Pass, by_outputs: &[f32]) -> Result<Gradients, SatNetError> {
        if by_outputs.len() != pass.outputs.len() {
            let expected = format!("one for each of {} outputs", pass.outputs.len());
            return Err(SatNetError::length("derivatives", by_outputs.len(), expected));
        }
        let (problem, all) = (self.problem(), self.shape().all());
        let one = |work: &mut Workspace, (settled, by_outputs): (&Settled, &[f32])| {
            let derivative = |&variable: &usize| by_outputs.get(variable - 1).copied().unwrap_or(0.0);
            let by_unknown: Vec<f32> = settled.order.iter().map(derivative).collect();
            let changes = problem.linearised(settled, &by_unknown, work);
            let by_known = problem.by_inputs(settled, &changes, work);
            (changes, by_known)
        };
        let pairs = pass.settled.par_iter().zip(by_outputs.par_chunks_exact(self.variables));
        let found: Vec<_> = pairs.map_init(Workspace::default, one).collect();
        let mut inputs = vec![0.0; by_outputs.len()];
        // The vectors of all examples side by side: U and V, a row for each variable.
        let length = problem.width * 8;
        let stride = length * found.len();
        let (mut changes, mut vectors) = (vec![0.0; all * stride], vec![0.0; all * stride]);
        let examples = pass.settled.iter().zip(&found).zip(inputs.chunks_exact_mut(self.variables));
        for (number, ((settled, (change, by_known)), inputs)) in examples.enumerate() {
            problem.spread_unknown(settled, change, &mut changes[number * length..], stride);
            problem.spread(settled, &mut vectors[number * length..], stride);
            for (known, derivative) in
                settled.known.iter().zip(by_known).filter(|(known, _)| known.variable > 0)
            {
                inputs[known.variable - 1] = *derivative;
            }
        }
        // dL/dC = U V' + V U' and dL/dS = (U V' + V U') S.
        let rows =
            |values| Strided { values, rows: all, columns: stride, row_stride: stride, column_stride: 1 };
        let mut by_gram = vec![0.0; all * all];
        by_columns(&mut by_gram, all, rows(&changes[..]), rows(&vectors[..]).transposed());
        for i in 0..all {
            for j in 0..i {
                let sum = by_gram[i * all + j] + by_gram[j * all + i];
                (by_gram[i * all + j], by_gram[j * all + i]) = (sum, sum);
            }
            by_gram[i * all + i] *= 2.0;
        }
        let mut clauses = vec![0.0; self.adam.weights.len()];
        let by_gram = Strided::by_columns(&by_gram, all, all, all);
        by_columns(&mut clauses, self.settings.clauses, self.matrix().transposed(), by_gram);
        Ok(Gradients { clauses, inputs })
    }

    /// One step of Adam.
    ///
    /// # Errors
    /// If a derivative is not finite, or there is not one for each number of S; nothing has changed then.
    pub fn apply(&mut self, by_clauses: &[f32]) -> Result<(), SatNetError> {
        if by_clauses.len() != self.adam.weights.len() {
            let expected = format!("one for each of {} numbers", self.adam.weights.len());
            return Err(SatNetError::length("derivatives", by_clauses.len(), expected));
        }
        if !by_clauses.iter().all(|derivative| derivative.is_finite()) {
            return Err(SatNetError::Diverged { step: self.adam.step });
        }
        self.adam.update(by_clauses, self.settings.learning_rate);
        self.renew();
        Ok(())
    }
}

/// `product = left right`, some columns at a time on each thread. Every sum is the same on any number of threads.
fn by_columns(product: &mut [f32], rows: usize, left: Strided<'_, f32>, right: Strided<'_, f32>) {
    product.par_chunks_mut(rows * COLUMNS).enumerate().for_each(|(number, part)| {
        let columns = number * COLUMNS..number * COLUMNS + part.len() / rows;
        multiply(part, rows, left, right.columns_of(columns), false);
    });
}

/// A normal number (Box and Muller).
fn normal(random: &mut impl Rng) -> f32 {
    let (radius, angle): (f32, f32) = (random.random(), random.random());
    (-2.0 * (1.0 - radius).ln()).sqrt() * (std::f32::consts::TAU * angle).cos()
}
