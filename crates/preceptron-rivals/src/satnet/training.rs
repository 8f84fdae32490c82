//! Training by binary cross-entropy, and prediction.
//!
//! Over the outputs o that are judged, with targets t_o:
//! ```text
//! loss = -mean_o (t_o ln z_o + (1 - t_o) ln(1 - z_o))
//! ```

use super::{Batch, Pass, SatNet, SatNetError, Start};

/// Outputs count as this far from 0 and 1 at the least, so that no logarithm is infinite.
const LEAST: f64 = 1e-7;

impl SatNet {
    /// One step of training on a batch; returns the loss before it. Outputs are judged by targets, which are
    /// probabilities, where `judged` says so.
    ///
    /// # Errors
    /// If the batch or the targets are not those of this layer, no output is judged, or derivatives are not
    /// finite. Nothing has changed then.
    pub fn fit(&mut self, batch: Batch<'_>, targets: &[f32], judged: &[bool]) -> Result<f64, SatNetError> {
        let pass = self.forward(batch, Start::Drawn(self.step()))?;
        let (loss, by_outputs) = self.loss(&pass, batch, targets, judged)?;
        let gradients = self.backward(&pass, &by_outputs)?;
        self.apply(&gradients.clauses)?;
        Ok(loss)
    }

    /// The loss of a pass, and its derivatives by the outputs.
    ///
    /// # Errors
    /// If the targets do not belong to the pass, or no output is judged.
    pub fn loss(
        &self,
        pass: &Pass,
        batch: Batch<'_>,
        targets: &[f32],
        judged: &[bool],
    ) -> Result<(f64, Vec<f32>), SatNetError> {
        let count = pass.outputs().len();
        for (what, found) in [("targets", targets.len()), ("flags", judged.len().min(batch.is_input.len()))] {
            if found != count {
                return Err(SatNetError::length(what, found, format!("one for each of {count} variables")));
            }
        }
        let counts = judged.iter().zip(batch.is_input).map(|(judged, is_input)| *judged && !is_input);
        let total = counts.clone().filter(|counts| *counts).count();
        if total == 0 {
            return Err(SatNetError::NothingJudged);
        }
        let mut by_outputs = vec![0.0; count];
        let mut loss = 0.0;
        let values = pass.outputs().iter().zip(targets);
        for ((derivative, (output, target)), _) in
            by_outputs.iter_mut().zip(values).zip(counts).filter(|(_, counts)| *counts)
        {
            let (z, t) = (f64::from(*output).clamp(LEAST, 1.0 - LEAST), f64::from(*target));
            loss -= t * z.ln() + (1.0 - t) * (1.0 - z).ln();
            *derivative = ((z - t) / (z * (1.0 - z)) / total as f64) as f32;
        }
        Ok((loss / total as f64, by_outputs))
    }

    /// The probabilities that variables are true, row by row: inputs as they are, outputs as found. They
    /// depend on the example alone, not on the others of the batch.
    ///
    /// # Errors
    /// If the batch is not one of this layer.
    pub fn predict(&self, batch: Batch<'_>) -> Result<Vec<f32>, SatNetError> {
        Ok(self.forward(batch, Start::Fixed)?.outputs)
    }
}
