//! Rows whose pictures are never values: complete ones become examples of pictures and answers.

use std::collections::{BTreeMap, BTreeSet};

use preceptron::latent::{AnswerColumn, Puzzles};
use preceptron::{Scenes, TaskResult, Views, ensure};
use preceptron_base::Control;
use preceptron_learn::{Examples, Table, values_of};
use preceptron_logic::Variables;

use super::data::{Pictured, held_out_of, split};
use super::{TableData, TableSettings};
use crate::hidden::{HiddenData, column_of};

/// A row that is complete.
struct Row<'a> {
    /// Its number, from 0.
    number: usize,
    /// The names of its pictures, column by column.
    pictures: Vec<&'a str>,
    /// The values of its answers.
    told: Vec<String>,
}

/// The columns of pictures and of values, and the rows that have all of them.
struct Rows<'a> {
    places: Vec<&'a str>,
    answers: Vec<&'a str>,
    rows: Vec<Row<'a>>,
}

/// The complete rows of a table.
///
/// # Errors
/// If there are no answers, no such rows, or rows that contradict each other.
fn rows_of<'a>(settings: &TableSettings, table: &'a Table) -> TaskResult<Rows<'a>> {
    let file = settings.file()?.display().to_string();
    let with_pictures: BTreeSet<&str> = table.pictures.iter().map(|cell| cell.column.as_str()).collect();
    let columns = table.columns.iter().map(String::as_str);
    let (places, others): (Vec<&str>, Vec<&str>) = columns.partition(|column| with_pictures.contains(column));
    let examples = &table.examples;
    let values = |column: &&str| values_of(&table.variables, column, &settings.value_axis);
    let is_told = |column: &&str| {
        values(column)
            .iter()
            .any(|(_, var)| (0..examples.len()).any(|row| examples.get(row, *var) == Some(true)))
    };
    let answers: Vec<&str> = others.into_iter().filter(is_told).collect();
    ensure!(
        !answers.is_empty(),
        "{file}: row 1, column {}: a picture, and no column has values: nothing says what pictures show; a table needs \
         a column of answers",
        places.first().unwrap_or(&"")
    );
    let of_columns: Vec<_> = answers.iter().map(values).collect();
    let mut pictures: BTreeMap<(usize, &str), &str> = BTreeMap::new();
    for cell in &table.pictures {
        pictures.insert((cell.row, cell.column.as_str()), cell.name.as_str());
    }
    let row = |number: usize| -> Option<Row<'a>> {
        let own =
            places.iter().map(|place| pictures.get(&(number, *place)).copied()).collect::<Option<_>>()?;
        let value = |values: &Vec<(&str, preceptron_logic::Var)>| {
            let mut held = values.iter().filter(|(_, var)| examples.get(number, *var) == Some(true));
            held.next().map(|(label, _)| (*label).to_owned())
        };
        Some(Row { number, pictures: own, told: of_columns.iter().map(value).collect::<Option<_>>()? })
    };
    let rows: Vec<Row<'_>> = (0..examples.len()).filter_map(row).collect();
    ensure!(
        rows.len() > 1,
        "{file}: {} of {} rows have a picture in each of the columns {} and a value in each of the columns {}; at least \
         2 must",
        rows.len(),
        examples.len(),
        places.join(", "),
        answers.join(", ")
    );
    if !settings.noisy {
        check_contradictions(&file, &rows, &answers)?;
    }
    let combinations: BTreeSet<&Vec<String>> = rows.iter().map(|row| &row.told).collect();
    ensure!(
        2 * combinations.len() <= rows.len() || combinations.len() <= 4,
        "{file}: column {}: {} different answers in {} rows are too many to learn from; --ignore leaves out columns that \
         are no answers",
        answers.join(", "),
        combinations.len(),
        rows.len()
    );
    Ok(Rows { places, answers, rows })
}

/// That no two rows have the same pictures and different answers.
fn check_contradictions(file: &str, rows: &[Row<'_>], answers: &[&str]) -> TaskResult<()> {
    let mut seen: BTreeMap<&[&str], &Row<'_>> = BTreeMap::new();
    for row in rows {
        let first = seen.entry(row.pictures.as_slice()).or_insert(row);
        if let Some(at) = (0..answers.len()).find(|at| first.told[*at] != row.told[*at]) {
            preceptron::bail!(
                "{file}: row {}, column {}: is {}, but row {} has the same pictures and {}; --noisy if answers may be wrong",
                row.number + 1,
                answers[at],
                row.told[at],
                first.number + 1,
                first.told[at]
            );
        }
    }
    Ok(())
}

/// Whether a table can be trained on from clusters.
pub(super) fn check(settings: &TableSettings, table: &Table) -> TaskResult<()> {
    rows_of(settings, table).map(drop)
}

/// The rows to train on and those for tests.
pub(super) fn data(
    settings: &TableSettings,
    with_training: bool,
    control: &dyn Control,
) -> TaskResult<TableData> {
    let table = settings.read()?;
    let found = rows_of(settings, &table)?;
    let file = settings.file()?.display().to_string();
    let count = found.rows.len();
    let test = settings.test.unwrap_or_else(|| held_out_of(count)).min(count - 1);
    let (rows, training) = split(count, test, settings.seed);
    let axis = &settings.value_axis;
    let pictured = Pictured { variables: &table.variables, axis, cells: &table.pictures, file };
    let loaded = pictured.pixels(settings, &settings.folder(), control)?;
    ensure!(loaded.is_some(), "interrupted before all pictures were read");
    let (numbers, pixels) = loaded.unwrap_or_default();
    let pixels: std::sync::Arc<[u8]> = pixels.into();
    // Codes are those of all rows, so that an answer means the same in both parts.
    let columns: Vec<(AnswerColumn, Vec<u32>)> = found
        .answers
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let told: Vec<String> = found.rows.iter().map(|row| row.told[at].clone()).collect();
            column_of(name, &told)
        })
        .collect();
    let puzzles = |some: &[usize]| Puzzles {
        places: found.places.iter().map(|place| (*place).to_owned()).collect(),
        answers: columns.iter().map(|(column, _)| column.clone()).collect(),
        pictures: some
            .iter()
            .flat_map(|row| found.rows[*row].pictures.iter().map(|name| numbers[name]))
            .collect(),
        told: some.iter().flat_map(|row| columns.iter().map(|(_, codes)| codes[*row])).collect(),
        shape: settings.shape(),
        pixels: pixels.clone(),
    };
    let hidden = HiddenData {
        training: with_training.then(|| puzzles(&training)),
        held_out: puzzles(&rows),
        labels: Vec::new(),
        rows: rows.iter().map(|row| found.rows[*row].number + 1).collect(),
    };
    let (variables, none) = (Variables::default(), Examples::from_rows::<Vec<Option<bool>>>(0, &[]));
    let empty =
        Scenes::new(variables, Vec::new(), none.clone(), Vec::new(), settings.shape(), Vec::new().into())?;
    Ok(TableData {
        columns: table.columns.clone(),
        training: None,
        rows: Vec::new(),
        held_out: empty,
        truth: none,
        seen_before: 0,
        hidden: Some(hidden),
    })
}

/// What figures lean on.
pub(super) fn assumptions(settings: &TableSettings, views: Views) -> Vec<String> {
    let mut all = match settings.latent().symbols {
        Some(symbols) => vec![format!("pictures show {symbols} symbols, all columns the same ones")],
        None => vec!["all columns of pictures show the same symbols, whose number is a guess".to_owned()],
    };
    all.push("rows without a picture or an answer are left out".to_owned());
    if settings.noisy {
        all.push("answers may be wrong".to_owned());
    }
    all.push(views.in_words().to_owned());
    all
}
