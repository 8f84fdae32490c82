//! Joint training saved and taken up again, to the last bit.
//!
//! A state is a `safetensors` file:
//!
//! | tensor | shape | what it is |
//! |---|---|---|
//! | `rows` | rows, variables (f64) | the weights |
//! | `penalties` | 2 (f64) | t1 and t2 |
//! | `step` | 1 (u64) | steps made |
//! | `perception` | bytes (u8) | what [`Perception::save`] writes |
//! | `settings` | bytes (u8) | the settings, as JSON |
//!
//! Centres and orders follow from the seed.
//!
//! [`Perception::save`]: precept_perceive::Perception::save

use faer::Mat;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use crate::{Joint, JointError, JointSettings};

fn wrong(name: &'static str, problem: impl Into<String>) -> JointError {
    JointError::State { name, problem: problem.into() }
}

/// The bytes of a tensor of this kind and shape.
fn bytes<'f>(
    file: &SafeTensors<'f>,
    name: &'static str,
    kind: Dtype,
    shape: Option<&[usize]>,
) -> Result<&'f [u8], JointError> {
    let tensor = file.tensor(name).map_err(|_| wrong(name, "is missing"))?;
    if tensor.dtype() != kind || shape.is_some_and(|shape| tensor.shape() != shape) {
        return Err(wrong(name, format!("is {:?} {:?}", tensor.dtype(), tensor.shape())));
    }
    Ok(tensor.data())
}

/// Numbers from 0 to `most`.
fn numbers(name: &'static str, bytes: &[u8], most: f64) -> Result<Vec<f64>, JointError> {
    let (parts, _) = bytes.as_chunks::<8>();
    let numbers: Vec<f64> = parts.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect();
    match numbers.iter().find(|number| !(0.0..=most).contains(*number)) {
        Some(number) => Err(wrong(name, format!("has {number}, not a number from 0 to {most}"))),
        None => Ok(numbers),
    }
}

impl Joint<'_> {
    /// All that [`Joint::restore`] needs to go on as if nothing had happened.
    ///
    /// # Errors
    /// If the network cannot be saved.
    pub fn state(&self) -> Result<Vec<u8>, JointError> {
        let (n, m) = (self.soft.rows.nrows(), self.soft.rows.ncols());
        let little = |values: &[f64]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
        let rows: Vec<u8> = (0..m).flat_map(|row| little(self.soft.rows.col_as_slice(row))).collect();
        let (penalties, step) = (little(&self.penalties), self.step.to_le_bytes());
        let perception = self.perception.save()?;
        let settings = serde_json::to_vec(&*self.settings).map_err(|e| wrong("settings", e.to_string()))?;
        let views = [
            ("rows", TensorView::new(Dtype::F64, vec![m, n], &rows)?),
            ("penalties", TensorView::new(Dtype::F64, vec![2], &penalties)?),
            ("step", TensorView::new(Dtype::U64, vec![1], &step)?),
            ("perception", TensorView::new(Dtype::U8, vec![perception.len()], &perception)?),
            ("settings", TensorView::new(Dtype::U8, vec![settings.len()], &settings)?),
        ];
        Ok(safetensors::serialize(views, None)?)
    }

    /// Takes up what [`Joint::state`] wrote, for the same examples and settings (the number of threads may
    /// be another). After an error everything is as it was.
    ///
    /// # Errors
    /// If the file is damaged, or of other settings, examples or networks.
    pub fn restore(&mut self, state: &[u8]) -> Result<(), JointError> {
        let file = SafeTensors::deserialize(state)?;
        let settings: JointSettings = serde_json::from_slice(bytes(&file, "settings", Dtype::U8, None)?)
            .map_err(|error| wrong("settings", error.to_string()))?;
        if (JointSettings { threads: self.settings.threads, ..settings }) != *self.settings {
            return Err(wrong("settings", "are not those of this training"));
        }
        let (n, m) = (self.soft.rows.nrows(), self.soft.rows.ncols());
        let rows = numbers("rows", bytes(&file, "rows", Dtype::F64, Some(&[m, n]))?, 1.0)?;
        let penalties = bytes(&file, "penalties", Dtype::F64, Some(&[2]))?;
        let penalties = numbers("penalties", penalties, f64::MAX)?;
        let step = bytes(&file, "step", Dtype::U64, Some(&[1]))?;
        let step = step.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        if step > self.steps() {
            return Err(wrong("step", format!("is {step}, beyond the last of {}", self.steps())));
        }
        self.perception.load(bytes(&file, "perception", Dtype::U8, None)?)?;
        self.soft.rows = Mat::from_fn(n, m, |i, r| rows[r * n + i]);
        self.penalties.copy_from_slice(&penalties);
        self.step = step;
        self.order.clear();
        Ok(())
    }
}
