//! What somebody else's network says, in place of a network of ours: probabilities stand where pixels would, and are
//! learned to be trusted as far as they deserve.
//!
//! ```text
//! p(c | x) = q_c^b / sum_k q_k^b,     b = 1 / temperature
//! ```
//! q is what was stated. A step of training moves b against the slope of the cross-entropy to the targets, which is the
//! mean over the batch of `sum_c p_c log q_c - log q_target`.
//!
//! | symbol | field |
//! |---|---|
//! | b | `sharpness` |

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use crate::{Images, PerceiveError, Perception, Probabilities, Shape, Targets};

/// Probabilities below this are taken for this.
const LEAST: f64 = 1e-9;

/// Two bytes for the logarithm of each.
const STEPS: f64 = 65_535.0;

/// How far a step goes at first, and after how many steps it goes half as far.
const PACE: [f64; 2] = [0.2, 40.0];

/// The least and the greatest sharpness.
const SHARPNESS: [f64; 2] = [0.05, 20.0];

/// Probabilities that were stated, at a temperature that is learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Stated {
    classes: usize,
    sharpness: f64,
    step: u64,
}

impl Stated {
    /// Probabilities of so many classes, trusted as they are.
    pub fn new(classes: usize) -> Stated {
        Stated { classes, sharpness: 1.0, step: 0 }
    }

    /// The shape of what stands in place of a picture.
    pub fn shape(classes: usize) -> Shape {
        Shape::new(2 * classes, 1, 1)
    }

    /// The temperature that was learned.
    pub fn temperature(&self) -> f64 {
        self.sharpness.recip()
    }

    /// Probabilities as bytes in place of a picture, to three thousandths of a per cent of each.
    pub fn written(probabilities: &[f64]) -> Vec<u8> {
        let code = |p: &f64| {
            let share = p.clamp(LEAST, 1.0).ln() / LEAST.ln();
            ((share * STEPS).round() as u16).to_be_bytes()
        };
        probabilities.iter().flat_map(code).collect()
    }

    /// The logarithms that were written, row by row.
    fn logarithms(&self, images: Images<'_>) -> Result<Vec<f64>, PerceiveError> {
        if images.shape() != self.input() {
            return Err(PerceiveError::InputShape { expected: self.input(), found: images.shape() });
        }
        let mut bytes = vec![0.0; 2 * self.classes];
        let mut all = Vec::with_capacity(images.len() * self.classes);
        for image in 0..images.len() {
            images.copy(image, &mut bytes);
            let byte = |value: f32| f64::from((value * 255.0).round());
            all.extend(
                bytes.chunks_exact(2).map(|two| (256.0 * byte(two[0]) + byte(two[1])) / STEPS * LEAST.ln()),
            );
        }
        Ok(all)
    }

    /// The probabilities of a row.
    fn row(&self, logarithms: &[f64]) -> Vec<f64> {
        let most = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = logarithms.iter().map(|l| ((l - most) * self.sharpness).exp()).collect();
        let total: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / total).collect()
    }
}

impl Perception for Stated {
    fn classes(&self) -> usize {
        self.classes
    }

    fn input(&self) -> Shape {
        Stated::shape(self.classes)
    }

    fn predict(&self, images: Images<'_>) -> Result<Probabilities, PerceiveError> {
        let logarithms = self.logarithms(images)?;
        let rows = logarithms.chunks_exact(self.classes).flat_map(|row| self.row(row));
        Ok(Probabilities::new(self.classes, rows.map(|p| p as f32).collect()))
    }

    fn fit(&mut self, images: Images<'_>, targets: Targets<'_>) -> Result<f64, PerceiveError> {
        let logarithms = self.logarithms(images)?;
        let total = targets.check(images.len(), self.classes)?;
        let (mut loss, mut slope) = (0.0, 0.0);
        let rows = logarithms.chunks_exact(self.classes).zip(targets.rows.chunks_exact(self.classes));
        for (number, (row, target)) in rows.enumerate() {
            let (weight, found) = (f64::from(targets.weight(number)) / total, self.row(row));
            for ((log, p), target) in row.iter().zip(&found).zip(target) {
                let target = f64::from(*target);
                loss -= weight * target * p.max(f64::MIN_POSITIVE).ln();
                slope += weight * (p - target) * log;
            }
        }
        let pace = PACE[0] / (1.0 + self.step as f64 / PACE[1]);
        let factor = (-pace * slope * self.sharpness).clamp(-0.5, 0.5).exp();
        self.sharpness = (self.sharpness * factor).clamp(SHARPNESS[0], SHARPNESS[1]);
        self.step += 1;
        Ok(loss)
    }

    fn begin_anew(&mut self) {
        self.step = 0;
    }

    fn save(&self) -> Result<Vec<u8>, PerceiveError> {
        let sharpness = self.sharpness.to_le_bytes();
        let counts = [self.classes as u64, self.step].map(u64::to_le_bytes).concat();
        let tensors = [
            ("stated.sharpness", TensorView::new(Dtype::F64, vec![1], &sharpness)?),
            ("stated.counts", TensorView::new(Dtype::U64, vec![2], &counts)?),
        ];
        Ok(safetensors::serialize(tensors, None)?)
    }

    fn load(&mut self, file: &[u8]) -> Result<(), PerceiveError> {
        let tensors = SafeTensors::deserialize(file)?;
        let (sharpness, counts) = (tensors.tensor("stated.sharpness")?, tensors.tensor("stated.counts")?);
        let word = |bytes: &[u8], at: usize| {
            <[u8; 8]>::try_from(bytes.get(8 * at..8 * at + 8).unwrap_or_default()).unwrap_or_default()
        };
        let found = f64::from_le_bytes(word(sharpness.data(), 0));
        let classes = u64::from_le_bytes(word(counts.data(), 0));
        if classes != self.classes as u64 || !(SHARPNESS[0]..=SHARPNESS[1]).contains(&found) {
            let found = Stated::shape(classes.min(1 << 16) as usize);
            return Err(PerceiveError::InputShape { expected: self.input(), found });
        }
        (self.sharpness, self.step) = (found, u64::from_le_bytes(word(counts.data(), 1)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Temperature;
    use preceptron_base::stream;
    use rand::RngExt;

    #[test]
    fn what_is_written_comes_back() {
        let stated = Stated::new(3);
        let pixels = Stated::written(&[0.7, 0.2999, 0.0001]);
        let found = stated.predict(Images::bytes(stated.input(), &pixels).unwrap()).unwrap();
        for (found, p) in found.values().iter().zip([0.7, 0.2999, 0.0001]) {
            assert!((f64::from(*found) / p - 1.0).abs() < 5e-4, "{found} {p}");
        }
        assert!(stated.predict(Images::bytes(Shape::new(4, 1, 1), &pixels[..4]).unwrap()).is_err());
    }

    /// The plain twin is [`Temperature::fit`].
    #[test]
    fn the_temperature_is_learned_and_kept() {
        let mut random = stream(2, "test", 0);
        let (mut pixels, mut rows, mut values, mut labels) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for _ in 0..400 {
            // Surer than it is right: 0.97 where three of four are.
            let first = random.random_range(0..2);
            let label = if random.random_bool(0.75) { first } else { 1 - first };
            let p = if first == 0 { [0.97, 0.03] } else { [0.03, 0.97] };
            pixels.extend(Stated::written(&p));
            values.extend(p.map(|p| p as f32));
            rows.extend([0, 1].map(|class| if class == label { 1.0 } else { 0.0 }));
            labels.push(label);
        }
        let mut stated = Stated::new(2);
        let images = Images::bytes(stated.input(), &pixels).unwrap();
        let losses: Vec<f64> = (0..200).map(|_| stated.fit(images, Targets::new(&rows)).unwrap()).collect();
        let fitted = Temperature::fit(&Probabilities::new(2, values), &labels).unwrap();
        assert!(
            (stated.temperature() / fitted.value() - 1.0).abs() < 0.02,
            "{} {fitted:?}",
            stated.temperature()
        );
        assert!(losses[199] < losses[0]);
        let mut again = Stated::new(2);
        again.load(&stated.save().unwrap()).unwrap();
        assert_eq!(again, stated);
        assert!(Stated::new(3).load(&stated.save().unwrap()).is_err());
    }
}
