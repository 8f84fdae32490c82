//! Saved weights: a `safetensors` file, whose tensors the first page of the crate lists.

use std::ops::Range;

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use crate::adam::State;
use crate::network::{Network, Weights};
use crate::{Checked, PerceiveError};

/// A tensor's name, its shape, and where it stands.
pub(crate) struct Entry {
    pub name: String,
    pub shape: Vec<usize>,
    pub range: Range<usize>,
}

/// The tensors of the parameters, and those of batch norm's statistics, of a network whose vectors of numbers
/// begin so far into those of a whole.
pub(crate) fn entries(network: &Network, prefix: &str, begin: [usize; 2]) -> [Vec<Entry>; 2] {
    let (mut parameters, mut statistics) = (Vec::new(), Vec::new());
    for (number, stage) in network.stages.iter().enumerate() {
        let (window, channels) = (stage.convolution.window, stage.convolution.channels);
        let entry = |vector: usize, name: &str, shape, range: Range<usize>| {
            let range = begin[vector] + range.start..begin[vector] + range.end;
            Entry { name: format!("{prefix}layer.{number}.{name}"), shape, range }
        };
        let shape = match stage.is_linear {
            true => vec![channels, window.size()],
            false => vec![channels, window.input.channels, window.kernel[0], window.kernel[1]],
        };
        parameters.push(entry(0, "weight", shape, stage.weights.clone()));
        let Some((scale, running)) = stage.scale.clone().zip(stage.statistics.clone()) else {
            parameters.push(entry(0, "bias", vec![channels], stage.shift.clone()));
            continue;
        };
        parameters.push(entry(0, "norm.scale", vec![channels], scale));
        parameters.push(entry(0, "norm.shift", vec![channels], stage.shift.clone()));
        statistics.push(entry(1, "norm.mean", vec![channels], running.start..running.start + channels));
        statistics.push(entry(1, "norm.variance", vec![channels], running.start + channels..running.end));
    }
    [parameters, statistics]
}

const AVERAGED: &str = "averaged.";
const GRADIENT: &str = "gradient.";
const SQUARE: &str = "square.";
const STEP: &str = "step";

/// Everything in a file.
pub(crate) fn write(network: &Network, state: &State) -> Result<Vec<u8>, PerceiveError> {
    write_tensors(entries(network, "", [0, 0]).each_ref().map(Vec::as_slice), state)
}

/// Everything in a file; the entries are those of the parameters and of the statistics.
pub(crate) fn write_tensors(
    [parameters, statistics]: [&[Entry]; 2],
    state: &State,
) -> Result<Vec<u8>, PerceiveError> {
    let mut tensors = Vec::new();
    let mut add = |prefix: &str, entries: &[Entry], values: &[f32]| {
        for Entry { name, shape, range } in entries {
            let bytes: Vec<u8> = values[range.clone()].iter().flat_map(|value| value.to_le_bytes()).collect();
            tensors.push((format!("{prefix}{name}"), Dtype::F32, shape.clone(), bytes));
        }
    };
    add("", parameters, &state.weights.parameters);
    add("", statistics, &state.weights.statistics);
    if let Some(averaged) = &state.averaged {
        add(AVERAGED, parameters, &averaged.parameters);
        add(AVERAGED, statistics, &averaged.statistics);
    }
    add(GRADIENT, parameters, &state.gradient);
    add(SQUARE, parameters, &state.square);
    tensors.push((STEP.to_owned(), Dtype::U64, vec![1], state.step.to_le_bytes().to_vec()));
    let views: Result<Vec<_>, PerceiveError> = tensors
        .iter()
        .map(|(name, kind, shape, bytes)| Ok((name, TensorView::new(*kind, shape.clone(), bytes)?)))
        .collect();
    Ok(safetensors::serialize(views?, None)?)
}

/// Reads what [`write`] wrote for the same network, or plain weights.
pub(crate) fn read(network: &Network, settings: &Checked, file: &[u8]) -> Result<State, PerceiveError> {
    let start = State::new(network, settings);
    read_tensors(entries(network, "", [0, 0]).each_ref().map(Vec::as_slice), start, file)
}

/// Reads what [`write_tensors`] wrote for the same entries, or plain weights, in place of those of `start`.
pub(crate) fn read_tensors(
    [parameters, statistics]: [&[Entry]; 2],
    start: State,
    file: &[u8],
) -> Result<State, PerceiveError> {
    let tensors = SafeTensors::deserialize(file)?;
    let vector = |prefix: &str, entries: &[Entry]| {
        let mut values = vec![0.0; entries.last().map_or(0, |entry| entry.range.end)];
        entries
            .iter()
            .try_for_each(|entry| fill(&tensors, prefix, entry, &mut values[entry.range.clone()]))
            .map(|()| values)
    };
    let weights = |prefix: &str| -> Result<Weights, PerceiveError> {
        Ok(Weights { parameters: vector(prefix, parameters)?, statistics: vector(prefix, statistics)? })
    };
    let mut state = State { weights: weights("")?, ..start };
    state.averaged = state.averaged.map(|_| state.weights.clone());
    if let Ok(step) = tensors.tensor(STEP) {
        let bytes = <[u8; 8]>::try_from(step.data()).ok().filter(|_| step.dtype() == Dtype::U64);
        state.step = u64::from_le_bytes(bytes.ok_or_else(|| wrong(STEP, "is not one u64"))?);
        state.gradient = vector(GRADIENT, parameters)?;
        state.square = vector(SQUARE, parameters)?;
        if state.averaged.is_some() {
            state.averaged = Some(weights(AVERAGED)?);
        }
    }
    Ok(state)
}

fn wrong(name: &str, problem: impl Into<String>) -> PerceiveError {
    PerceiveError::Tensor { name: name.to_owned(), problem: problem.into() }
}

/// The values of one tensor, if it is there, has the right shape, and its numbers are finite. Variances and
/// means of squares are not below 0 either.
fn fill(
    tensors: &SafeTensors<'_>,
    prefix: &str,
    entry: &Entry,
    into: &mut [f32],
) -> Result<(), PerceiveError> {
    let name = format!("{prefix}{}", entry.name);
    let tensor = tensors.tensor(&name).map_err(|_| wrong(&name, "is missing"))?;
    if tensor.dtype() != Dtype::F32 || tensor.shape() != entry.shape {
        let found = format!("is {:?} {:?}, not F32 {:?}", tensor.dtype(), tensor.shape(), entry.shape);
        return Err(wrong(&name, found));
    }
    let least = if prefix == SQUARE || name.ends_with(".variance") { 0.0 } else { f32::MIN };
    for (value, bytes) in into.iter_mut().zip(tensor.data().chunks_exact(4)) {
        *value = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        if !(value.is_finite() && *value >= least) {
            return Err(wrong(&name, format!("has the value {value}")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Layer, Settings, Shape};
    use proptest::prelude::*;

    fn network() -> Network {
        let layers = [Layer::convolution(2, 3).norm().relu().pool(2), Layer::linear(3)];
        Network::new(Shape::new(1, 6, 6), &layers).unwrap()
    }

    fn settings() -> Checked {
        Settings::default().check().unwrap()
    }

    fn state() -> State {
        let mut state = State::new(&network(), &settings());
        let (step, length) = (7, state.gradient.len());
        state.step = step;
        state.gradient = (0..length).map(|i| i as f32 / 3.0).collect();
        state.square = (0..length).map(|i| i as f32 / 7.0).collect();
        state
    }

    fn message(file: &[u8], network: &Network) -> String {
        read(network, &settings(), file).unwrap_err().to_string()
    }

    #[test]
    fn everything_comes_back() {
        let file = write(&network(), &state()).unwrap();
        assert_eq!(read(&network(), &settings(), &file).unwrap(), state());
        assert_eq!(write(&network(), &state()).unwrap(), file);
        let names: Vec<String> =
            SafeTensors::deserialize(&file).unwrap().names().into_iter().map(str::to_owned).collect();
        for name in
            ["layer.0.weight", "layer.0.norm.variance", "averaged.layer.1.bias", "square.layer.1.weight"]
        {
            assert!(names.iter().any(|found| found == name), "{name} in {names:?}");
        }
    }

    #[test]
    fn plain_weights_are_a_start() {
        let weights = state().weights;
        let [parameters, statistics] = entries(&network(), "", [0, 0]);
        let bytes = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let tensors: Vec<(String, Vec<usize>, Vec<u8>)> =
            [(parameters, &weights.parameters), (statistics, &weights.statistics)]
                .into_iter()
                .flat_map(|(entries, values)| {
                    entries
                        .into_iter()
                        .map(move |entry| (entry.name, entry.shape, bytes(&values[entry.range])))
                })
                .collect();
        let views = tensors
            .iter()
            .map(|(name, shape, bytes)| (name, TensorView::new(Dtype::F32, shape.clone(), bytes).unwrap()));
        let file = safetensors::serialize(views, None).unwrap();
        let found = read(&network(), &settings(), &file).unwrap();
        assert_eq!((found.step, &found.weights, found.averaged.as_ref()), (0, &weights, Some(&weights)));
    }

    #[test]
    fn another_network_is_named() {
        let file = write(&network(), &state()).unwrap();
        let wider = [Layer::convolution(2, 3).norm().relu().pool(2), Layer::linear(4)];
        let wider = Network::new(Shape::new(1, 6, 6), &wider).unwrap();
        let expected = "saved weights: layer.1.weight: is F32 [3, 8], not F32 [4, 8]";
        assert_eq!(message(&file, &wider), expected);
        let deeper = [Layer::convolution(2, 3).norm().relu().pool(2), Layer::linear(3), Layer::linear(3)];
        let deeper = Network::new(Shape::new(1, 6, 6), &deeper).unwrap();
        assert_eq!(message(&file, &deeper), "saved weights: layer.2.weight: is missing");
    }

    #[test]
    fn numbers_that_cannot_be_are_named() {
        let mut wrong = state();
        wrong.weights.parameters[3] = f32::NAN;
        let expected = "saved weights: layer.0.weight: has the value NaN";
        assert_eq!(message(&write(&network(), &wrong).unwrap(), &network()), expected);
        let mut wrong = state();
        wrong.weights.statistics[2] = -1.0;
        let expected = "saved weights: layer.0.norm.variance: has the value -1";
        assert_eq!(message(&write(&network(), &wrong).unwrap(), &network()), expected);
    }

    proptest! {
        /// A damaged file is read or refused; nothing panics.
        #[test]
        fn damaged_files(at in any::<prop::sample::Index>(), byte: u8, cut in any::<prop::sample::Index>()) {
            let mut file = write(&network(), &state()).unwrap();
            let index = at.index(file.len());
            file[index] = byte;
            let _ = read(&network(), &settings(), &file);
            file.truncate(cut.index(file.len()));
            prop_assert!(read(&network(), &settings(), &file).is_err());
        }
    }
}
