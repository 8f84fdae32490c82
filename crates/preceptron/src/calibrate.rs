//! How far the network's probabilities can be trusted, by pictures that it was not trained on.
//!
//! Nobody says what these pictures show, but rules and answers do: the symbols that they were grounded to
//! stand in for labels.

use preceptron_perceive::{Perception, Probabilities, Temperature, calibration_error};
use serde::{Deserialize, Serialize};

use crate::grounding::Symbols;
use crate::{Scenes, TrainError, Views, read_in};

/// What pictures outside training say of the network.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// How many pictures there were.
    pub pictures: usize,
    /// The share that was read as it was grounded.
    pub agreement: f64,
    /// The temperature that makes probabilities most nearly what they say.
    pub temperature: f64,
    /// The expected calibration error before and after.
    pub error: (f64, f64),
}

/// Calibrates the network, with so many looks at a picture, on some examples; nothing if none of their sights is grounded.
///
/// # Errors
/// If the network fails.
pub fn calibrate(
    scenes: &Scenes,
    perception: &dyn Perception,
    views: Views,
    examples: impl IntoIterator<Item = usize>,
    symbols: &Symbols,
) -> Result<Option<Calibration>, TrainError> {
    let examples: Vec<usize> = examples.into_iter().collect();
    let all = read_in(views, scenes, perception, &examples)?;
    let (mut values, mut labels) = (Vec::new(), Vec::new());
    for (row, symbol) in all.rows().zip(examples.iter().flat_map(|&example| &symbols[example])) {
        if let Some(symbol) = symbol {
            values.extend_from_slice(row);
            labels.push(usize::from(*symbol));
        }
    }
    if labels.is_empty() {
        return Ok(None);
    }
    let probabilities = Probabilities::new(scenes.classes(), values);
    let agreeing = probabilities.most_probable().zip(&labels).filter(|(read, label)| read == *label).count();
    let temperature = Temperature::fit(&probabilities, &labels)?;
    let error = |probabilities: &Probabilities| calibration_error(probabilities, &labels, 15);
    Ok(Some(Calibration {
        pictures: labels.len(),
        agreement: agreeing as f64 / labels.len() as f64,
        temperature: temperature.value(),
        error: (error(&probabilities)?, error(&temperature.apply(&probabilities))?),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::{Told, WAYS, scenes};

    /// Of four pictures that show symbol 0 the network reads three so, surer than that.
    fn calibrated(symbols: &Symbols) -> Option<Calibration> {
        let scenes = scenes(&[(WAYS[0], &[0]), (WAYS[0], &[0]), (WAYS[1], &[0]), (WAYS[1], &[0])]);
        let told = Told(vec![[0.98, 0.01, 0.01], [0.98, 0.01, 0.01], [0.98, 0.01, 0.01], [0.01, 0.98, 0.01]]);
        calibrate(&scenes, &told, Views::One, 0..4, symbols).unwrap()
    }

    #[test]
    fn a_network_that_is_too_sure_is_cooled() {
        let found = calibrated(&vec![vec![Some(0)]; 4]).unwrap();
        assert_eq!((found.pictures, found.agreement), (4, 0.75));
        assert!(found.temperature > 1.5, "{found:?}");
        assert!((found.error.0 - 0.23).abs() < 1e-3 && found.error.1 < 0.05, "{found:?}");
    }

    #[test]
    fn only_what_is_grounded_counts() {
        let symbols = vec![vec![Some(0)], vec![None], vec![None], vec![Some(1)]];
        let found = calibrated(&symbols).unwrap();
        assert_eq!((found.pictures, found.agreement), (2, 1.0));
        assert_eq!(calibrated(&vec![vec![None]; 4]), None);
    }
}
