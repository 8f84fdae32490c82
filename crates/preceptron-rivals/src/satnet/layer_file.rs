//! Saved layers: a `safetensors` file.
//!
//! | tensor | shape | what it is |
//! |---|---|---|
//! | `clauses` | variables with the truth and auxiliary ones, clauses (f32) | S |
//! | `gradient`, `square` | the same | Adam's means |
//! | `step` | 1 (u64) | steps made |

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use super::{SatNet, SatNetError};

const CLAUSES: &str = "clauses";
const GRADIENT: &str = "gradient";
const SQUARE: &str = "square";
const STEP: &str = "step";

/// So that counting on never overflows.
const MOST_STEPS: u64 = 1 << 40;

impl SatNet {
    /// The layer as a file. Training that goes on from it ends where uninterrupted training does, to the last
    /// bit.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self) -> Result<Vec<u8>, SatNetError> {
        let bytes = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let adam = &self.adam;
        let tensors = [(CLAUSES, &adam.weights), (GRADIENT, &adam.gradient), (SQUARE, &adam.square)]
            .map(|(name, values)| (name, bytes(values)));
        let step = adam.step.to_le_bytes();
        let mut views = vec![(STEP, TensorView::new(Dtype::U64, vec![1], &step)?)];
        for (name, bytes) in &tensors {
            views.push((name, TensorView::new(Dtype::F32, self.tensor_shape(), bytes)?));
        }
        Ok(safetensors::serialize(views, None)?)
    }

    /// Goes on from a saved layer of the same shape.
    ///
    /// # Errors
    /// If the file is damaged or that of another layer; nothing has changed then.
    pub fn load(&mut self, file: &[u8]) -> Result<(), SatNetError> {
        let tensors = SafeTensors::deserialize(file)?;
        let [weights, gradient, square] =
            [CLAUSES, GRADIENT, SQUARE].map(|name| self.numbers(&tensors, name));
        let step = tensors.tensor(STEP).map_err(|_| wrong(STEP, "is missing"))?;
        let bytes = <[u8; 8]>::try_from(step.data()).ok().filter(|_| step.dtype() == Dtype::U64);
        let step = u64::from_le_bytes(bytes.ok_or_else(|| wrong(STEP, "is not one u64"))?);
        if step > MOST_STEPS {
            return Err(wrong(STEP, format!("is {step}, more than anybody makes")));
        }
        self.adam = super::adam::Adam { step, weights: weights?, gradient: gradient?, square: square? };
        self.renew();
        Ok(())
    }

    fn tensor_shape(&self) -> Vec<usize> {
        vec![self.shape().all(), self.settings.clauses]
    }

    fn numbers(&self, tensors: &SafeTensors<'_>, name: &'static str) -> Result<Vec<f32>, SatNetError> {
        let tensor = tensors.tensor(name).map_err(|_| wrong(name, "is missing"))?;
        let (kind, shape, expected) = (tensor.dtype(), tensor.shape(), self.tensor_shape());
        if kind != Dtype::F32 || shape != expected {
            return Err(wrong(name, format!("is {kind:?} {shape:?}, not F32 {expected:?}")));
        }
        let least = if name == SQUARE { 0.0 } else { f32::MIN };
        let number = |bytes: &[u8]| {
            let value = f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            match value.is_finite() && value >= least {
                true => Ok(value),
                false => Err(wrong(name, format!("has the value {value}"))),
            }
        };
        tensor.data().chunks_exact(4).map(number).collect()
    }
}

fn wrong(name: &'static str, problem: impl Into<String>) -> SatNetError {
    SatNetError::Tensor { name, problem: problem.into() }
}
