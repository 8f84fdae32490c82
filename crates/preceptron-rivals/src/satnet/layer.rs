//! A layer, its forward pass for whole batches, and the steps of its clauses.

use preceptron_base::{Settings, stream};
use preceptron_matrix::Strided;
use rand::{Rng, RngExt};
use rayon::prelude::*;

use super::adam::Adam;
use super::batch::Shape;
use super::derivatives::by_columns;
use super::descent::{Problem, Settled, Workspace};
use super::kernels::Kernels;
use super::settings::vector_length;
use super::{Batch, SatNetError, SatNetSettings, Start};

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
    pub(super) settled: Vec<Settled>,
    pub(super) outputs: Vec<f32>,
}

impl Pass {
    /// The probabilities that variables are true, row by row: inputs as they were, outputs as found.
    pub fn outputs(&self) -> &[f32] {
        &self.outputs
    }

    /// How many sweeps each example took.
    pub fn sweeps(&self) -> impl Iterator<Item = usize> {
        self.settled.iter().map(|settled| settled.sweeps)
    }
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

    pub(super) fn problem(&self) -> Problem<'_> {
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

    pub(super) fn matrix(&self) -> Strided<'_, f32> {
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

    /// One step of Adam, or of plain descent.
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
        match self.settings.plain_descent {
            true => self.adam.descend(by_clauses, self.settings.learning_rate),
            false => self.adam.update(by_clauses, self.settings.learning_rate),
        }
        self.renew();
        Ok(())
    }
}

/// A normal number (Box and Muller).
fn normal(random: &mut impl Rng) -> f32 {
    let (radius, angle): (f32, f32) = (random.random(), random.random());
    (-2.0 * (1.0 - radius).ln()).sqrt() * (std::f32::consts::TAU * angle).cos()
}
