//! What every rival can do.

use crate::{CellExamples, RivalError};

/// A network that maps the inputs of cells to their answers, with its optimiser.
pub trait Rival {
    /// Its name.
    fn name(&self) -> &'static str;

    /// One step of training on these examples; returns the loss before it, a mean over the cells whose answers
    /// are known. After an error everything is as it was.
    ///
    /// # Errors
    /// If the examples are of another form, no answer is known, or the loss is not a number.
    fn fit(&mut self, data: &CellExamples, batch: &[usize]) -> Result<f64, RivalError>;

    /// The probability of each class: example, cell, class.
    ///
    /// # Errors
    /// If the examples are of another form.
    fn predict(&self, data: &CellExamples, examples: &[usize]) -> Result<Vec<f32>, RivalError>;

    /// All that [`Rival::load`] needs to go on as if nothing had happened, as a file.
    ///
    /// # Errors
    /// If it cannot be written.
    fn save(&self) -> Result<Vec<u8>, RivalError>;

    /// Takes up what [`Rival::save`] wrote. After an error everything is as it was.
    ///
    /// # Errors
    /// If the file is not one of such a rival.
    fn load(&mut self, file: &[u8]) -> Result<(), RivalError>;
}

/// How many answers are right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Cells whose answers are known.
    pub cells: usize,
    /// Those of them whose most probable class is the answer.
    pub cells_right: usize,
    /// Examples with such cells.
    pub examples: usize,
    /// Those of them without a wrong cell.
    pub examples_right: usize,
}

impl Score {
    /// The share of cells that are right.
    pub fn of_cells(&self) -> f64 {
        self.cells_right as f64 / self.cells.max(1) as f64
    }

    /// The share of examples that are right as a whole.
    pub fn of_examples(&self) -> f64 {
        self.examples_right as f64 / self.examples.max(1) as f64
    }
}

/// Compares the most probable classes with the known answers.
///
/// # Errors
/// If the examples are of another form than the rival's.
pub fn score(rival: &dyn Rival, data: &CellExamples, examples: &[usize]) -> Result<Score, RivalError> {
    let (cells, classes) = (data.form().cells, data.form().classes);
    let mut score = Score::default();
    for some in examples.chunks(256) {
        let values = rival.predict(data, some)?;
        for (&example, rows) in some.iter().zip(values.chunks_exact(cells * classes)) {
            let known = rows.chunks_exact(classes).zip(data.answers(example));
            let verdicts = known.filter_map(|(row, answer)| {
                let best = (0..classes).max_by(|a, b| row[*a].total_cmp(&row[*b]))?;
                answer.map(|answer| best == usize::from(answer))
            });
            let (all, right) = verdicts.fold((0, 0), |(all, right), ok| (all + 1, right + usize::from(ok)));
            score.cells += all;
            score.cells_right += right;
            score.examples += usize::from(all > 0);
            score.examples_right += usize::from(all > 0 && all == right);
        }
    }
    Ok(score)
}
