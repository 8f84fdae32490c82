//! The rows of a run and their pictures.

use std::collections::BTreeMap;

use preceptron::{Scenes, Sight, TaskError, TaskResult, ensure};
use preceptron_base::{Control, stream};
use preceptron_learn::{Examples, PictureCell, Table, values_of};
use preceptron_logic::{Var, Variables};
use rand::seq::SliceRandom;

use super::hidden;
use super::settings::{is_meant, names};
use super::{Look, StartBy, TableSettings};
use crate::hidden::HiddenData;

/// The most rows that are held out without being asked for.
const MOST_HELD_OUT: usize = 500;

/// Rows with pictures, to train on and to test on.
pub struct TableData {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows to train on; none where rows are only to be tested on.
    pub training: Option<Scenes>,
    /// The numbers of the rows to test on, from 0.
    pub rows: Vec<usize>,
    /// These rows, of which pictures are seen and the given columns are known.
    pub held_out: Scenes,
    /// All that the table says of them.
    pub truth: Examples,
    /// Pictures of theirs that are in rows to train on as well.
    pub seen_before: usize,
    /// The rows where pictures are never values; then all that is above is empty.
    pub hidden: Option<HiddenData>,
}

/// Rows with their pictures, of which this much is known.
pub(super) struct Pictured<'a> {
    /// The variables of the rules.
    pub variables: &'a Variables,
    /// The axis of values.
    pub axis: &'a str,
    /// The cells with pictures, row by row.
    pub cells: &'a [PictureCell],
    /// How rows are named in errors.
    pub file: String,
}

/// Pictures by their names, in the order in which they occur.
pub(crate) type Numbers<'a> = BTreeMap<&'a str, u32>;

/// The pictures of a table's cells, each once; nothing if it was stopped.
pub(crate) fn load_cells<'a>(
    cells: &'a [PictureCell],
    look: Look,
    file: &str,
    folder: &std::path::Path,
    control: &dyn Control,
) -> TaskResult<Option<(Numbers<'a>, Vec<u8>)>> {
    let (mut numbers, mut first) = (Numbers::new(), Vec::new());
    for cell in cells {
        numbers.entry(cell.name.as_str()).or_insert_with(|| {
            first.push(cell);
            first.len() as u32 - 1
        });
    }
    let all: Vec<&str> = first.iter().map(|cell| cell.name.as_str()).collect();
    let loaded = look.load(folder, &all, control).map_err(|(number, what)| {
        let PictureCell { row, column, .. } = first[number];
        TaskError::new(format!("{file}: row {}, column {column}: {what}", row + 1))
    })?;
    Ok(loaded.map(|pixels| (numbers, pixels)))
}

impl Pictured<'_> {
    /// The pictures, each once; nothing if it was stopped.
    pub fn pixels(
        &self,
        settings: &TableSettings,
        folder: &std::path::Path,
        control: &dyn Control,
    ) -> TaskResult<Option<(Numbers<'_>, Vec<u8>)>> {
        let loaded = load_cells(self.cells, settings.look(), &self.file, folder, control)?;
        Ok(loaded.map(|(numbers, pixels)| (numbers, in_order(settings, pixels))))
    }

    /// Some of the rows, with what is known of them.
    pub fn scenes(
        &self,
        settings: &TableSettings,
        rows: &[usize],
        known: Examples,
        (numbers, pixels): (&Numbers<'_>, std::sync::Arc<[u8]>),
    ) -> TaskResult<Scenes> {
        let mut columns: Vec<&str> = self.cells.iter().map(|cell| cell.column.as_str()).collect();
        columns.sort_unstable();
        columns.dedup();
        let mut places = Vec::new();
        for column in &columns {
            let values: Vec<Var> =
                values_of(self.variables, column, self.axis).into_iter().map(|(_, var)| var).collect();
            ensure!(!values.is_empty(), "{}: column {column}: the rules know no such column", self.file);
            places.push(values);
        }
        let mut sights: BTreeMap<usize, Vec<Sight>> = BTreeMap::new();
        for cell in self.cells {
            let place = columns.binary_search(&cell.column.as_str()).unwrap_or_default() as u32;
            sights.entry(cell.row).or_default().push(Sight { place, picture: numbers[cell.name.as_str()] });
        }
        let sights = rows.iter().map(|row| sights.get(row).cloned().unwrap_or_default()).collect();
        Ok(Scenes::new(self.variables.clone(), places, known, sights, settings.shape(), pixels)?)
    }
}

/// Probabilities in the order of the alphabet, where they stand in another; pictures as they are.
fn in_order(settings: &TableSettings, pixels: Vec<u8>) -> Vec<u8> {
    let (Some(stated), Some(alphabet)) = (&settings.probabilities, &settings.alphabet) else { return pixels };
    let place = |symbol: &String| stated.iter().position(|other| other == symbol).unwrap_or(0);
    let places: Vec<usize> = alphabet.iter().map(place).collect();
    let row = |row: &[u8]| places.iter().flat_map(|at| [row[2 * at], row[2 * at + 1]]).collect::<Vec<u8>>();
    pixels.chunks_exact(2 * stated.len()).flat_map(row).collect()
}

/// What is known of some variables alone.
fn of_variables(examples: &Examples, is_kept: &[bool]) -> Examples {
    let row = |row: usize| -> Vec<Option<bool>> {
        let value = |var: u32| is_kept[var as usize].then(|| examples.get(row, Var(var))).flatten();
        (0..examples.variables() as u32).map(value).collect()
    };
    Examples::from_rows(examples.variables(), &(0..examples.len()).map(row).collect::<Vec<_>>())
}

/// What is known of the columns that are meant.
pub(super) fn of_columns(
    examples: &Examples,
    variables: &Variables,
    columns: &[String],
    axis: &str,
    meant: &[String],
) -> Examples {
    let mut is_kept = vec![false; variables.len()];
    for column in columns.iter().filter(|column| is_meant(column, meant)) {
        let values = values_of(variables, column, axis).into_iter().map(|(_, var)| var);
        values.chain(variables.find(column)).for_each(|var| is_kept[var.index()] = true);
    }
    of_variables(examples, &is_kept)
}

/// The rows for tests, if there are so many, and the others, both in order.
pub(super) fn split(rows: usize, test: usize, seed: u64) -> (Vec<usize>, Vec<usize>) {
    let mut order: Vec<usize> = (0..rows).collect();
    order.shuffle(&mut stream(seed, "rows of a table for tests", 0));
    let mut training = order.split_off(test.min(rows));
    order.sort_unstable();
    training.sort_unstable();
    (order, training)
}

/// How many rows are held out unless one says otherwise.
pub(super) fn held_out_of(rows: usize) -> usize {
    (rows / 5).clamp(1, MOST_HELD_OUT)
}

impl TableData {
    /// Reads the table and its pictures; without rows to train on if these are not asked for.
    pub(super) fn new(
        settings: &TableSettings,
        with_training: bool,
        control: &dyn Control,
    ) -> TaskResult<TableData> {
        if settings.start == Some(StartBy::Clusters) {
            return hidden::data(settings, with_training, control);
        }
        let Table { variables, examples, columns, pictures, .. } = settings.read()?;
        let file = settings.file()?.display().to_string();
        let test = settings.test.unwrap_or_else(|| held_out_of(examples.len()));
        ensure!(
            test < examples.len(),
            "{file}: {test} of {} rows cannot be for tests; see --test",
            examples.len()
        );
        let (rows, training) = split(examples.len(), test, settings.seed);
        let pictured = Pictured { variables: &variables, axis: &settings.value_axis, cells: &pictures, file };
        let loaded = pictured.pixels(settings, &settings.folder(), control)?;
        ensure!(loaded.is_some(), "interrupted before all pictures were read");
        let (numbers, pixels) = loaded.unwrap_or_default();
        let pixels: std::sync::Arc<[u8]> = pixels.into();
        let training = match with_training {
            false => None,
            true => Some(pictured.scenes(
                settings,
                &training,
                examples.select(&training),
                (&numbers, pixels.clone()),
            )?),
        };
        let truth = examples.select(&rows);
        let given = names(settings.given.as_deref());
        let known = of_columns(&truth, &variables, &columns, &settings.value_axis, &given);
        let held_out = pictured.scenes(settings, &rows, known, (&numbers, pixels))?;
        let mut trained_on = vec![false; numbers.len()];
        if let Some(training) = &training {
            let sights = (0..training.len()).flat_map(|row| training.sights(row));
            sights.for_each(|sight| trained_on[sight.picture as usize] = true);
        }
        let sights = (0..held_out.len()).flat_map(|row| held_out.sights(row));
        let seen_before = sights.filter(|sight| trained_on[sight.picture as usize]).count();
        Ok(TableData { columns, training, rows, held_out, truth, seen_before, hidden: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_drawn_for_tests() {
        let (test, training) = split(100, 20, 3);
        assert_eq!((test.len(), training.len()), (20, 80));
        let mut all = [test.clone(), training].concat();
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
        assert_ne!(split(100, 20, 4).0, test);
        assert_eq!([1, 4, 10, 9000].map(held_out_of), [1, 1, 2, 500]);
    }
}
