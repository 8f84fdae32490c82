//! Whether a probability means what it says: temperature scaling and the expected calibration error.
//!
//! Probabilities p of a network become `p^(1/T) / sum p^(1/T)`, which is the softmax of its logits divided
//! by the temperature T. T is what makes the labels of held-out images most likely. It does not change which
//! class is the most probable; it matters for confidence and for abstaining.

use crate::{PerceiveError, Probabilities};

/// A temperature: above 1 makes probabilities less certain, below 1 more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Temperature(f64);

/// The range that a temperature is looked for in.
const RANGE: [f64; 2] = [0.05, 20.0];

/// The least probability that a logarithm is taken of.
const LEAST: f32 = 1e-12;

impl Temperature {
    /// The temperature, from 0.05 to 20, at which the labels are most likely. Fit it on images that the
    /// network was not trained on.
    pub fn fit(probabilities: &Probabilities, labels: &[usize]) -> Result<Temperature, PerceiveError> {
        check(probabilities, labels)?;
        let logarithms: Vec<f64> =
            probabilities.values().iter().map(|p| f64::from(p.max(LEAST)).ln()).collect();
        // As a function of 1/T the negative log-likelihood is convex: its slope has one root.
        let slope = |inverse: f64| -> f64 {
            let rows = logarithms.chunks_exact(probabilities.classes());
            rows.zip(labels).map(|(row, &label)| mean(row, inverse) - row[label]).sum()
        };
        let (mut low, mut high) = (RANGE[1].recip(), RANGE[0].recip());
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if slope(middle) > 0.0 { high = middle } else { low = middle }
        }
        Ok(Temperature((0.5 * (low + high)).recip()))
    }

    /// The temperature itself.
    pub fn value(&self) -> f64 {
        self.0
    }

    /// Probabilities at this temperature.
    #[must_use]
    pub fn apply(&self, probabilities: &Probabilities) -> Probabilities {
        let mut values = Vec::with_capacity(probabilities.values().len());
        for row in probabilities.rows() {
            let scaled: Vec<f64> = row.iter().map(|p| f64::from(p.max(LEAST)).ln() / self.0).collect();
            let greatest = scaled.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = scaled.iter().map(|x| (x - greatest).exp()).sum();
            values.extend(scaled.iter().map(|x| ((x - greatest).exp() / sum) as f32));
        }
        Probabilities::new(probabilities.classes(), values)
    }
}

/// The mean of the logarithms under the distribution that `inverse` makes of them.
fn mean(row: &[f64], inverse: f64) -> f64 {
    let greatest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights = row.iter().map(|x| ((x - greatest) * inverse).exp());
    let (sum, weighted) = row.iter().zip(weights).fold((0.0, 0.0), |(s, w), (x, p)| (s + p, w + p * x));
    weighted / sum
}

/// The expected calibration error: images are put into bins by the probability of their most probable class,
/// and in each bin the mean of that probability is compared with the share of images that are right.
/// 0 is perfect.
pub fn calibration_error(
    probabilities: &Probabilities,
    labels: &[usize],
    bins: usize,
) -> Result<f64, PerceiveError> {
    check(probabilities, labels)?;
    let bins = bins.max(1);
    // What confidence claims less what is right, for each bin.
    let mut excess = vec![0.0; bins];
    let rows = probabilities.rows().zip(probabilities.most_probable());
    for ((row, class), &label) in rows.zip(labels) {
        let confidence = f64::from(row[class]);
        let bin = ((confidence * bins as f64) as usize).min(bins - 1);
        excess[bin] += confidence - f64::from(u8::from(class == label));
    }
    Ok(excess.iter().map(|sum| sum.abs()).sum::<f64>() / labels.len() as f64)
}

/// That there is an image, and a label for each that is one of the classes.
fn check(probabilities: &Probabilities, labels: &[usize]) -> Result<(), PerceiveError> {
    let (images, classes) = (probabilities.len(), probabilities.classes());
    if images == 0 {
        return Err(PerceiveError::EmptyBatch);
    }
    if labels.len() != images {
        return Err(PerceiveError::Labels { images, labels: labels.len() });
    }
    match labels.iter().position(|label| *label >= classes) {
        Some(image) => Err(PerceiveError::Target { image, problem: "the label is not one of the classes" }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::stream_at;
    use rand::RngExt;

    /// Rows that are true probabilities, and labels drawn from them.
    fn drawn(count: usize) -> (Probabilities, Vec<usize>) {
        let mut random = stream_at(1, "draw of a test", &[0, 0]);
        let (mut values, mut labels) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let row: Vec<f32> = (0..4).map(|_| random.random::<f32>().powi(4) + 1e-3).collect();
            let sum: f32 = row.iter().sum();
            let mut left = random.random::<f32>() * sum;
            let label = row
                .iter()
                .position(|p| {
                    left -= p;
                    left < 0.0
                })
                .unwrap_or(3);
            values.extend(row.iter().map(|p| p / sum));
            labels.push(label);
        }
        (Probabilities::new(4, values), labels)
    }

    #[test]
    fn a_wrong_temperature_is_found() {
        let (true_ones, labels) = drawn(20_000);
        for wrong in [0.3, 1.0, 2.5] {
            let given = Temperature(wrong).apply(&true_ones);
            let found = Temperature::fit(&given, &labels).unwrap();
            assert!((found.value() * wrong - 1.0).abs() < 0.03, "{wrong}: {}", found.value());
            let error = |p: &Probabilities| calibration_error(p, &labels, 15).unwrap();
            assert!(error(&found.apply(&given)) < 0.015);
            assert!(wrong == 1.0 || error(&given) > 0.05);
        }
    }

    #[test]
    fn likelihood_is_greatest_at_the_temperature() {
        let (given, labels) = drawn(500);
        let loss = |temperature: f64| -> f64 {
            let rows = Temperature(temperature).apply(&given);
            rows.rows().zip(&labels).map(|(row, &label)| -f64::from(row[label]).ln()).sum()
        };
        let best = Temperature::fit(&given, &labels).unwrap().value();
        assert!(loss(best) < loss(best * 1.05) && loss(best) < loss(best / 1.05));
    }

    #[test]
    fn certain_and_right_or_wrong() {
        let sure = Probabilities::new(2, vec![1.0, 0.0, 0.0, 1.0]);
        assert_eq!(calibration_error(&sure, &[0, 1], 10).unwrap(), 0.0);
        assert_eq!(calibration_error(&sure, &[1, 0], 10).unwrap(), 1.0);
        assert!((Temperature::fit(&sure, &[0, 1]).unwrap().value() - 0.05).abs() < 1e-6);
        assert!((Temperature::fit(&sure, &[1, 0]).unwrap().value() - 20.0).abs() < 1e-6);
    }

    #[test]
    fn labels_that_do_not_fit_are_named() {
        let rows = Probabilities::new(2, vec![0.5; 4]);
        let message = |labels: &[usize]| Temperature::fit(&rows, labels).unwrap_err().to_string();
        assert_eq!(message(&[0]), "2 images need as many labels, not 1");
        assert_eq!(message(&[0, 2]), "image 1: the label is not one of the classes");
    }
}
