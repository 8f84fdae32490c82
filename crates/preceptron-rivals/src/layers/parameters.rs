//! The parameters of a network, one vector of numbers, and the file that they are saved in (`safetensors`).
//!
//! | tensor | what it is |
//! |---|---|
//! | by its name | the parameters |
//! | `gradient.…`, `square.…` | the optimiser's means |
//! | `step` | steps made (u64) |

use std::ops::Range;

use preceptron_base::stream;
use rand::RngExt;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use super::optimiser::State;
use crate::RivalError;

/// What a tensor is before training.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Start {
    /// The same everywhere.
    Value(f32),
    /// Normal with this deviation.
    Normal(f32),
    /// Uniform between this and its negative.
    Uniform(f32),
    /// These values.
    Given(Vec<f32>),
}

/// A tensor in its place.
#[derive(Clone, Debug)]
struct Tensor {
    name: String,
    shape: Vec<usize>,
    range: Range<usize>,
    start: Start,
    decays: bool,
}

/// The tensors of a network, one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters {
    tensors: Vec<Tensor>,
    pub len: usize,
}

impl Parameters {
    /// Adds a tensor and says where it stands.
    pub fn add(&mut self, name: String, shape: Vec<usize>, start: Start, decays: bool) -> Range<usize> {
        let range = self.len..self.len + shape.iter().product::<usize>();
        self.len = range.end;
        self.tensors.push(Tensor { name, shape, range: range.clone(), start, decays });
        range
    }

    /// The parameters before training.
    pub fn initial(&self, seed: u64) -> Vec<f32> {
        let mut values = vec![0.0; self.len];
        for (number, tensor) in self.tensors.iter().enumerate() {
            let mut random = stream(seed, "first weights of a rival", number as u64);
            let into = &mut values[tensor.range.clone()];
            match &tensor.start {
                Start::Value(value) => into.fill(*value),
                Start::Given(given) => into.copy_from_slice(given),
                Start::Uniform(bound) => {
                    into.iter_mut().for_each(|value| *value = bound * (2.0 * random.random::<f32>() - 1.0));
                }
                Start::Normal(deviation) => {
                    for value in into {
                        // Box and Muller.
                        let (u, v) = (1.0 - random.random::<f64>(), random.random::<f64>());
                        let normal = (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos();
                        *value = deviation * normal as f32;
                    }
                }
            }
        }
        values
    }

    /// Where weight decay acts.
    pub fn decaying(&self) -> Vec<Range<usize>> {
        self.tensors.iter().filter(|tensor| tensor.decays).map(|tensor| tensor.range.clone()).collect()
    }

    /// Everything in a file.
    pub fn write(&self, state: &State) -> Result<Vec<u8>, RivalError> {
        let mut tensors = Vec::new();
        for (prefix, values) in
            [("", &state.weights), ("gradient.", &state.gradient), ("square.", &state.square)]
        {
            for Tensor { name, shape, range, .. } in &self.tensors {
                let bytes: Vec<u8> =
                    values[range.clone()].iter().flat_map(|value| value.to_le_bytes()).collect();
                tensors.push((format!("{prefix}{name}"), Dtype::F32, shape.clone(), bytes));
            }
        }
        tensors.push(("step".to_owned(), Dtype::U64, vec![1], state.step.to_le_bytes().to_vec()));
        let views: Result<Vec<_>, RivalError> = tensors
            .iter()
            .map(|(name, kind, shape, bytes)| Ok((name, TensorView::new(*kind, shape.clone(), bytes)?)))
            .collect();
        Ok(safetensors::serialize(views?, None)?)
    }

    /// Reads what [`Parameters::write`] wrote for the same tensors.
    pub fn read(&self, file: &[u8]) -> Result<State, RivalError> {
        let file = SafeTensors::deserialize(file)?;
        let step = file.tensor("step").map_err(|_| wrong("step", "is missing"))?;
        let bytes = <[u8; 8]>::try_from(step.data()).map_err(|_| wrong("step", "is not one u64"))?;
        Ok(State {
            step: u64::from_le_bytes(bytes),
            weights: self.vector(&file, "", f32::MIN)?,
            gradient: self.vector(&file, "gradient.", f32::MIN)?,
            square: self.vector(&file, "square.", 0.0)?,
        })
    }

    fn vector(&self, file: &SafeTensors<'_>, prefix: &str, least: f32) -> Result<Vec<f32>, RivalError> {
        let mut values = vec![0.0; self.len];
        for Tensor { name, shape, range, .. } in &self.tensors {
            let name = format!("{prefix}{name}");
            let tensor = file.tensor(&name).map_err(|_| wrong(&name, "is missing"))?;
            if tensor.dtype() != Dtype::F32 || tensor.shape() != shape {
                let found = format!("is {:?} {:?}, not F32 {shape:?}", tensor.dtype(), tensor.shape());
                return Err(wrong(&name, &found));
            }
            for (value, bytes) in values[range.clone()].iter_mut().zip(tensor.data().chunks_exact(4)) {
                *value = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                if !(value.is_finite() && *value >= least) {
                    return Err(wrong(&name, &format!("has the value {value}")));
                }
            }
        }
        Ok(values)
    }
}

fn wrong(name: &str, problem: &str) -> RivalError {
    RivalError::Tensor { name: name.to_owned(), problem: problem.to_owned() }
}
