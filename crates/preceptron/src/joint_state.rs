//! Joint training saved and taken up again, to the last bit.
//!
//! A state is a `safetensors` file:
//!
//! | tensor | shape | what it is |
//! |---|---|---|
//! | `rows` | rows, variables (f64) | the weights |
//! | `sums` | rows (f64) | the sums that rows are fitted to |
//! | `penalties` | 2 (f64) | t1 and t2 |
//! | `step` | 1 (u64) | steps made |
//! | `settings` | bytes (u8) | the settings, as JSON |
//! | `progress` | bytes (u8) | the phase, and in which generation rows were drawn, as JSON |
//! | `grounded` | numbers (f32) | the symbols of the examples that were grounded, one example after the other |
//! | `is_grounded` | examples (u8) | which these are |
//! | `apprentice` | bytes (u8) | the second network, if there is one |
//!
//! Centres and orders follow from the seed; the network has a part of its own.

use preceptron_matrix::Mat;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

use crate::joint_core::JointCore;
use crate::joint_generations::centre;
use crate::joint_phases::Progress;
use crate::{Joint, JointError, JointSettings, State};

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

/// A tensor by its name.
pub(crate) type Part = (&'static str, Dtype, Vec<usize>, Vec<u8>);

/// Tensors as a file.
pub(crate) fn file(parts: &[Part]) -> Result<Vec<u8>, JointError> {
    let mut views = Vec::with_capacity(parts.len());
    for (name, kind, shape, data) in parts {
        views.push((*name, TensorView::new(*kind, shape.clone(), data)?));
    }
    Ok(safetensors::serialize(views, None)?)
}

/// What a file says of rows, penalties and phases.
pub(crate) struct SavedCore {
    rows: Vec<f64>,
    sums: Vec<f64>,
    penalties: Vec<f64>,
    step: u64,
    progress: Progress,
}

impl JointCore {
    /// All that has changed.
    pub(crate) fn parts(&self) -> Result<Vec<Part>, JointError> {
        let (n, m) = (self.soft.rows.nrows(), self.soft.rows.ncols());
        let little = |values: &[f64]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
        let rows: Vec<u8> = (0..m).flat_map(|row| little(self.soft.rows.column(row))).collect();
        let json = |name, text: serde_json::Result<Vec<u8>>| text.map_err(|e| wrong(name, e.to_string()));
        let settings = json("settings", serde_json::to_vec(self.settings.given()))?;
        let progress = json("progress", serde_json::to_vec(&self.progress))?;
        Ok(vec![
            ("rows", Dtype::F64, vec![m, n], rows),
            ("sums", Dtype::F64, vec![m], little(&self.soft.sums)),
            ("penalties", Dtype::F64, vec![2], little(&self.penalties)),
            ("step", Dtype::U64, vec![1], self.step.to_le_bytes().to_vec()),
            ("settings", Dtype::U8, vec![settings.len()], settings),
            ("progress", Dtype::U8, vec![progress.len()], progress),
        ])
    }

    /// What was saved with the same settings.
    pub(crate) fn saved(&self, file: &SafeTensors<'_>) -> Result<SavedCore, JointError> {
        let settings: JointSettings = serde_json::from_slice(bytes(file, "settings", Dtype::U8, None)?)
            .map_err(|error| wrong("settings", error.to_string()))?;
        if settings != *self.settings.given() {
            return Err(wrong("settings", "are not those of this training"));
        }
        let (n, m) = (self.soft.rows.nrows(), self.soft.rows.ncols());
        let rows = numbers("rows", bytes(file, "rows", Dtype::F64, Some(&[m, n]))?, 1.0)?;
        let sums = numbers("sums", bytes(file, "sums", Dtype::F64, Some(&[m]))?, f64::MAX)?;
        let penalties = bytes(file, "penalties", Dtype::F64, Some(&[2]))?;
        let penalties = numbers("penalties", penalties, f64::MAX)?;
        let step = bytes(file, "step", Dtype::U64, Some(&[1]))?;
        let step = step.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        if step > self.steps() {
            return Err(wrong("step", format!("is {step}, beyond the last of {}", self.steps())));
        }
        let progress: Progress = serde_json::from_slice(bytes(file, "progress", Dtype::U8, None)?)
            .map_err(|error| wrong("progress", error.to_string()))?;
        if progress.drawn.len() != m {
            return Err(wrong("progress", format!("is that of {} rows, not of {m}", progress.drawn.len())));
        }
        Ok(SavedCore { rows, sums, penalties, step, progress })
    }

    /// Takes it up.
    pub(crate) fn take_up(&mut self, saved: SavedCore) {
        let (n, m) = (self.soft.rows.nrows(), self.soft.rows.ncols());
        self.soft.rows = Mat::from_fn(n, m, |i, r| saved.rows[r * n + i]);
        for (row, &generation) in saved.progress.drawn.iter().enumerate() {
            let centre = centre(self.settings.seed, generation, row, n);
            self.soft.centres.columns_mut(row..row + 1).copy_from_slice(&centre);
        }
        self.soft.sums = saved.sums;
        self.penalties.copy_from_slice(&saved.penalties);
        self.progress = saved.progress;
        self.step = saved.step;
    }

    /// Rows, penalties and phases as a `safetensors` file.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn save(&self) -> Result<Vec<u8>, JointError> {
        file(&self.parts()?)
    }

    /// Takes up what [`save`](JointCore::save) wrote, with the same settings. After an error everything is as it was.
    ///
    /// # Errors
    /// If the file is damaged, or of other settings or variables.
    pub fn load(&mut self, state: &[u8]) -> Result<(), JointError> {
        let saved = self.saved(&SafeTensors::deserialize(state)?)?;
        self.take_up(saved);
        Ok(())
    }
}

impl Joint<'_> {
    /// All that has changed, except for the network.
    pub(crate) fn rest(&self) -> Result<Vec<u8>, JointError> {
        let grounded: Vec<u8> = self
            .stored
            .iter()
            .flatten()
            .flat_map(|row| row.iter())
            .flat_map(|value| value.to_le_bytes())
            .collect();
        let is_grounded: Vec<u8> = self.stored.iter().map(|row| u8::from(row.is_some())).collect();
        let apprentice = self.apprentice.as_ref().map(|apprentice| apprentice.save()).transpose()?;
        let apprentice = apprentice.unwrap_or_default();
        let mut parts = self.core.parts()?;
        parts.push(("grounded", Dtype::F32, vec![grounded.len() / 4], grounded));
        parts.push(("is_grounded", Dtype::U8, vec![is_grounded.len()], is_grounded));
        parts.push(("apprentice", Dtype::U8, vec![apprentice.len()], apprentice));
        file(&parts)
    }

    /// Takes up what was saved, for the same examples and settings. After an error everything is as it was.
    ///
    /// # Errors
    /// If the file is damaged, or of other settings, examples or networks.
    pub(crate) fn restore(&mut self, state: &State) -> Result<(), JointError> {
        let file = SafeTensors::deserialize(&state.rest)?;
        let saved = self.core.saved(&file)?;
        let stored = self.grounded_in(&file)?;
        // The networks come last: a file that does not fit one of them leaves the other as it was.
        let before = self.perception.save()?;
        self.perception.load(&state.network)?;
        if let Some(apprentice) = &mut self.apprentice {
            let saved = bytes(&file, "apprentice", Dtype::U8, None)?;
            if let Err(error) = apprentice.load(saved) {
                self.perception.load(&before)?;
                return Err(error.into());
            }
        }
        self.core.take_up(saved);
        self.stored = stored;
        self.order.clear();
        Ok(())
    }

    /// The symbols of each example's sights as they were last grounded.
    fn grounded_in(&self, file: &SafeTensors<'_>) -> Result<Vec<Option<Box<[f32]>>>, JointError> {
        let flags = bytes(file, "is_grounded", Dtype::U8, Some(&[self.scenes.len()]))?;
        let (values, _) = bytes(file, "grounded", Dtype::F32, None)?.as_chunks::<4>();
        let mut values = values.iter().map(|&bytes| f32::from_le_bytes(bytes));
        let mut row = |(example, flag): (usize, &u8)| {
            let count = self.scenes.sights(example).len() * self.scenes.classes();
            let row: Box<[f32]> =
                if *flag == 1 { values.by_ref().take(count).collect() } else { return Ok(None) };
            match row.len() == count && row.iter().all(|value| (0.0..=1.0).contains(value)) {
                true => Ok(Some(row)),
                false => Err(wrong("grounded", "has not a number from 0 to 1 for every symbol")),
            }
        };
        flags.iter().enumerate().map(&mut row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Schedule;
    use crate::joint::tests::{classifier, scenes, settings};
    use preceptron_base::Quiet;

    /// The state after so many steps, begun anew or from a state.
    fn after(steps: u64, threads: usize, from: Option<&State>) -> State {
        let (scenes, mut classifier) = (scenes(200), classifier(threads));
        // Penalties rise from the beginning, so that they are part of what must come back.
        let settings = JointSettings { warm_up: 0, ..settings() };
        let mut joint =
            Joint::new(&scenes, Box::new(&mut classifier), settings.checked(0, threads).unwrap()).unwrap();
        from.iter().for_each(|state| joint.restore(state).unwrap());
        while joint.steps_made() < steps {
            joint.step(&Quiet).unwrap();
        }
        Schedule::state(&joint).unwrap()
    }

    #[test]
    fn what_is_taken_up_ends_as_if_nothing_had_happened() {
        let whole = after(37, 1, None);
        assert_eq!(whole, after(37, 2, None), "two threads");
        for (first, second) in [(1, 1), (1, 2), (2, 2)] {
            // Not at the end of an epoch, which has five steps.
            let half = after(13, first, None);
            assert_ne!(half, whole);
            assert_eq!(after(13, second, Some(&half)), half);
            assert_eq!(after(37, second, Some(&half)), whole, "{first} then {second} threads");
        }
    }

    #[test]
    fn states_of_other_settings_or_damaged_ones_are_refused() {
        let state = after(3, 1, None);
        let (scenes, mut classifier) = (scenes(200), classifier(1));
        let (plain, threads) = (JointSettings { warm_up: 0, ..settings() }, 1);
        for (settings, expected) in [
            (
                JointSettings { rows: Some(9), ..plain },
                "saved state: settings: are not those of this training",
            ),
            (plain, "saved state: "),
        ] {
            let mut joint =
                Joint::new(&scenes, Box::new(&mut classifier), settings.checked(0, threads).unwrap())
                    .unwrap();
            let before = Schedule::state(&joint).unwrap();
            let mut damaged = state.clone();
            if settings == plain {
                damaged.rest.truncate(state.rest.len() - 9);
            }
            let message = joint.restore(&damaged).unwrap_err().to_string();
            assert!(message.starts_with(expected), "{message}");
            assert_eq!(Schedule::state(&joint).unwrap(), before);
        }
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        let bytes: Vec<u8> = [0.5, f64::NAN].iter().flat_map(|v| f64::to_le_bytes(*v)).collect();
        let message = numbers("rows", &bytes, 1.0).unwrap_err().to_string();
        assert_eq!(message, "saved state: rows: has NaN, not a number from 0 to 1");
    }
}
