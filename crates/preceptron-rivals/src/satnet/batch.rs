//! Examples that go through a layer, and the vectors that they start from.

use preceptron_base::{stream, stream_at};
use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

use super::SatNetError;
use super::couplings::Lanes;
use super::descent::{Known, Settled};

/// Some examples, row by row: a value and a flag for each variable.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The probabilities that variables are true. Those of outputs are not looked at.
    pub inputs: &'a [f32],
    /// Which variables are inputs; the others are outputs.
    pub is_input: &'a [bool],
}

impl Batch<'_> {
    /// How many examples there are, if there are whole ones and all inputs are probabilities.
    pub(super) fn examples(&self, variables: usize) -> Result<usize, SatNetError> {
        let values = self.inputs.len();
        if !values.is_multiple_of(variables) {
            let expected = format!("a whole number of examples of {variables} variables");
            return Err(SatNetError::length("inputs", values, expected));
        }
        if self.is_input.len() != values {
            return Err(SatNetError::length(
                "flags",
                self.is_input.len(),
                format!("one for each of {values} inputs"),
            ));
        }
        let wrong = |(value, is_input): (&f32, &bool)| *is_input && !(0.0..=1.0).contains(value);
        match self.inputs.iter().zip(self.is_input).position(wrong) {
            Some(at) => Err(SatNetError::Input {
                example: at / variables,
                variable: at % variables,
                value: self.inputs[at],
            }),
            None => Ok(values / variables),
        }
    }
}

/// Which vectors the unknown variables have before the first sweep, and in which order they are gone through.
#[derive(Clone, Copy, Debug)]
pub enum Start<'a> {
    /// The same for every example: what is found for one does not depend on the others.
    Fixed,
    /// Drawn from the seed, this number, and the example's place in the batch.
    Drawn(u64),
    /// These: for each example, a row for the truth, then for each variable, then for each auxiliary one.
    /// Only the sign of the second number counts for inputs. The order is that of the variables.
    Given(&'a [f32]),
}

/// The variables of a layer: the truth is number 0, auxiliary ones come last.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub variables: usize,
    pub auxiliary: usize,
    pub vector_length: usize,
    pub seed: u64,
}

impl Shape {
    /// With the truth and the auxiliary variables.
    pub fn all(&self) -> usize {
        1 + self.variables + self.auxiliary
    }

    /// [`Lanes`] of a vector.
    pub fn width(&self) -> usize {
        self.vector_length.div_ceil(8)
    }

    /// The order in which variables are gone through.
    pub fn order(&self, start: Start<'_>) -> Vec<usize> {
        let mut order: Vec<usize> = (1..self.all()).collect();
        match start {
            Start::Fixed => order.shuffle(&mut stream(self.seed, "order of a satnet prediction", 0)),
            Start::Drawn(number) => order.shuffle(&mut stream(self.seed, "order of a satnet sweep", number)),
            Start::Given(_) => {}
        }
        order
    }

    /// An example before the first sweep.
    pub fn begin(&self, batch: Batch<'_>, example: usize, order: &[usize], start: Start<'_>) -> Settled {
        let row = example * self.variables..(example + 1) * self.variables;
        let (inputs, is_input) = (&batch.inputs[row.clone()], &batch.is_input[row]);
        let is_known =
            |variable: usize| variable <= self.variables && (variable == 0 || is_input[variable - 1]);
        let mut settled = Settled::default();
        settled.order.extend(order.iter().copied().filter(|&variable| !is_known(variable)));
        settled.vectors.resize(settled.order.len() * self.width(), Lanes::default());
        let mut known = |variable: usize, is_positive: bool| {
            let value = if variable == 0 { 1.0 } else { inputs[variable - 1] };
            settled.known.push(Known { variable, value, sign: if is_positive { 1.0 } else { -1.0 } });
        };
        let vectors = settled.order.iter().zip(settled.vectors.chunks_exact_mut(self.width().max(1)));
        if let Start::Given(given) = start {
            let rows = &given[example * self.all() * self.vector_length..];
            let row = |variable: usize| &rows[variable * self.vector_length..][..self.vector_length];
            for (&variable, vector) in vectors {
                fill(vector, row(variable).iter().copied());
            }
            let all_known = (0..self.all()).filter(|&variable| is_known(variable));
            all_known.for_each(|variable| known(variable, row(variable)[1] >= 0.0));
        } else {
            let random = &mut match start {
                Start::Drawn(number) => {
                    stream_at(self.seed, "vectors of a satnet example", &[number, example as u64])
                }
                _ => stream(self.seed, "vectors of a satnet prediction", 0),
            };
            vectors.for_each(|(_, vector)| direction(vector, self.vector_length, random));
            let all_known = (0..self.all()).filter(|&variable| is_known(variable));
            all_known.for_each(|variable| known(variable, random.random()));
        }
        settled
    }
}

fn fill(vector: &mut [Lanes], values: impl Iterator<Item = f32>) {
    vector.iter_mut().flat_map(|lanes| &mut lanes.0).zip(values).for_each(|(into, value)| *into = value);
}

/// Normal numbers, whose direction is evenly spread, two at a time (Box and Muller).
fn direction(vector: &mut [Lanes], length: usize, random: &mut impl Rng) {
    let pairs = std::iter::repeat_with(|| {
        let (radius, angle): (f32, f32) = (random.random(), random.random());
        let radius = (-2.0 * (1.0 - radius).ln()).sqrt();
        let (sine, cosine) = (std::f32::consts::TAU * angle).sin_cos();
        [radius * cosine, radius * sine]
    });
    fill(vector, pairs.take(length.div_ceil(2)).flatten().take(length));
}
