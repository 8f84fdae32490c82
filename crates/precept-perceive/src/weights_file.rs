//! Saved weights: a `safetensors` file.
//!
//! | tensor | shape | what it is |
//! |---|---|---|
//! | `layer.N.weight` | output channels, input channels, rows, columns; linear: outputs, inputs | kernels |
//! | `layer.N.bias` | output channels | bias, where there is no batch norm |
//! | `layer.N.norm.scale`, `.shift` | output channels | batch norm's parameters |
//! | `layer.N.norm.mean`, `.variance` | output channels | batch norm's running means |
//! | `averaged.layer.…` | as above | the averaged weights, which predict |
//! | `gradient.layer.…`, `square.layer.…` | as above, without `mean` and `variance` | the optimiser's means |
//! | `step` | 1 (u64) | steps made |
//!
//! N counts layers from 0. Numbers are f32. A file with the plain weights alone, from elsewhere, is read as
//! a start: the averages are those weights, and the optimiser knows nothing yet.

use std::ops::Range;

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use crate::descent::State;
use crate::network::{Network, Weights};
use crate::{Checked, PerceiveError};

/// A tensor's name, its shape, and where it stands.
struct Entry {
    name: String,
    shape: Vec<usize>,
    range: Range<usize>,
}

/// The tensors of the parameters, and those of batch norm's statistics.
fn entries(network: &Network) -> [Vec<Entry>; 2] {
    let (mut parameters, mut statistics) = (Vec::new(), Vec::new());
    for (number, stage) in network.stages.iter().enumerate() {
        let (window, channels) = (stage.convolution.window, stage.convolution.channels);
        let entry = |name: &str, shape, range| Entry { name: format!("layer.{number}.{name}"), shape, range };
        let shape = match stage.is_linear {
            true => vec![channels, window.size()],
            false => vec![channels, window.input.channels, window.kernel[0], window.kernel[1]],
        };
        parameters.push(entry("weight", shape, stage.weights.clone()));
        let Some((scale, running)) = stage.scale.clone().zip(stage.statistics.clone()) else {
            parameters.push(entry("bias", vec![channels], stage.shift.clone()));
            continue;
        };
        parameters.push(entry("norm.scale", vec![channels], scale));
        parameters.push(entry("norm.shift", vec![channels], stage.shift.clone()));
        statistics.push(entry("norm.mean", vec![channels], running.start..running.start + channels));
        statistics.push(entry("norm.variance", vec![channels], running.start + channels..running.end));
    }
    [parameters, statistics]
}

const AVERAGED: &str = "averaged.";
const GRADIENT: &str = "gradient.";
const SQUARE: &str = "square.";
const STEP: &str = "step";

/// Everything in a file.
pub(crate) fn write(network: &Network, state: &State) -> Result<Vec<u8>, PerceiveError> {
    let [parameters, statistics] = entries(network);
    let mut tensors = Vec::new();
    let mut add = |prefix: &str, entries: &[Entry], values: &[f32]| {
        for Entry { name, shape, range } in entries {
            let bytes: Vec<u8> = values[range.clone()].iter().flat_map(|value| value.to_le_bytes()).collect();
            tensors.push((format!("{prefix}{name}"), Dtype::F32, shape.clone(), bytes));
        }
    };
    add("", &parameters, &state.weights.parameters);
    add("", &statistics, &state.weights.statistics);
    if let Some(averaged) = &state.averaged {
        add(AVERAGED, &parameters, &averaged.parameters);
        add(AVERAGED, &statistics, &averaged.statistics);
    }
    add(GRADIENT, &parameters, &state.gradient);
    add(SQUARE, &parameters, &state.square);
    tensors.push((STEP.to_owned(), Dtype::U64, vec![1], state.step.to_le_bytes().to_vec()));
    let views: Result<Vec<_>, PerceiveError> = tensors
        .iter()
        .map(|(name, kind, shape, bytes)| Ok((name, TensorView::new(*kind, shape.clone(), bytes)?)))
        .collect();
    Ok(safetensors::serialize(views?, None)?)
}

/// Reads what [`write`] wrote for the same network, or plain weights.
pub(crate) fn read(network: &Network, settings: &Checked, file: &[u8]) -> Result<State, PerceiveError> {
    let tensors = SafeTensors::deserialize(file)?;
    let [parameters, statistics] = entries(network);
    let vector = |prefix: &str, entries: &[Entry], length: usize, least: f32| {
        let mut values = vec![0.0; length];
        entries
            .iter()
            .try_for_each(|entry| fill(&tensors, prefix, entry, least, &mut values[entry.range.clone()]))
            .map(|()| values)
    };
    let weights = |prefix: &str| {
        let parameters = vector(prefix, &parameters, network.parameters, f32::MIN)?;
        let values = vector(prefix, &statistics, network.statistics, f32::MIN)?;
        match statistics
            .iter()
            .filter(|entry| entry.name.ends_with("variance"))
            .find(|entry| values[entry.range.clone()].iter().any(|variance| *variance < 0.0))
        {
            Some(entry) => Err(wrong(&format!("{prefix}{}", entry.name), "a variance is negative")),
            None => Ok(Weights { parameters, statistics: values }),
        }
    };
    let mut state = State { weights: weights("")?, ..State::new(network, settings) };
    state.averaged = state.averaged.map(|_| state.weights.clone());
    if let Ok(step) = tensors.tensor(STEP) {
        let bytes = <[u8; 8]>::try_from(step.data()).ok().filter(|_| step.dtype() == Dtype::U64);
        state.step = u64::from_le_bytes(bytes.ok_or_else(|| wrong(STEP, "is not one u64"))?);
        state.gradient = vector(GRADIENT, &parameters, network.parameters, f32::MIN)?;
        state.square = vector(SQUARE, &parameters, network.parameters, 0.0)?;
        if state.averaged.is_some() {
            state.averaged = Some(weights(AVERAGED)?);
        }
    }
    Ok(state)
}

fn wrong(name: &str, problem: impl Into<String>) -> PerceiveError {
    PerceiveError::Tensor { name: name.to_owned(), problem: problem.into() }
}

/// The values of one tensor, if it is there, has the right shape, and its numbers are finite and at least
/// `least`.
fn fill(
    tensors: &SafeTensors<'_>,
    prefix: &str,
    entry: &Entry,
    least: f32,
    into: &mut [f32],
) -> Result<(), PerceiveError> {
    let name = format!("{prefix}{}", entry.name);
    let tensor = tensors.tensor(&name).map_err(|_| wrong(&name, "is missing"))?;
    if tensor.dtype() != Dtype::F32 || tensor.shape() != entry.shape {
        let found = format!("is {:?} {:?}, not F32 {:?}", tensor.dtype(), tensor.shape(), entry.shape);
        return Err(wrong(&name, found));
    }
    for (value, bytes) in into.iter_mut().zip(tensor.data().chunks_exact(4)) {
        *value = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        if !(value.is_finite() && *value >= least) {
            return Err(wrong(&name, format!("has the value {value}")));
        }
    }
    Ok(())
}
