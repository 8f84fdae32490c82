//! New rows: read, repaired, completed.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use preceptron::{
    Asking, Context, Model, Scenes, Shown, TaskResult, bail, check_new, ensure, read_while, write_new,
};
use preceptron_base::Control;
use preceptron_learn::{Examples, Table, TableOptions, values_of};
use preceptron_logic::{Problem, Var, Variables};
use serde_json::{Value, json};

use super::complete::{Completed, complete};
use super::data::Pictured;
use super::settings::names_of;
use super::show::{row_text, value_of, values};
use super::{TableInput, TableSettings};
use crate::hidden::Forward;

/// How long all rows together may take, unless another time is asked for.
const TIME: Duration = Duration::from_secs(10);

/// The columns of the run's table, in order.
fn columns_of(variables: &Variables, axis: &str) -> Vec<String> {
    let mut columns: Vec<String> = Vec::new();
    for name in variables.names() {
        let end = format!("{axis} ");
        let column = match (name.rfind(&format!(", {end}")), name.rfind(&format!("[{end}"))) {
            (Some(at), _) => format!("{}]", &name[..at]),
            (None, Some(at)) => name[..at].to_owned(),
            (None, None) => name.clone(),
        };
        if columns.last() != Some(&column) {
            columns.push(column);
        }
    }
    columns
}

/// What the rows say of the run's variables.
pub(super) fn known(table: &Table, variables: &Variables, axis: &str, file: &str) -> TaskResult<Examples> {
    let mut rows = vec![vec![None; variables.len()]; table.examples.len()];
    for column in &table.columns {
        let own = values_of(&table.variables, column, axis);
        let of_run = values_of(variables, column, axis);
        let boolean = variables.find(column);
        ensure!(
            !of_run.is_empty() || boolean.is_some(),
            "{file}: column {column}: the table that the run was trained on has no such column"
        );
        for (at, row) in rows.iter_mut().enumerate() {
            let Some((value, _)) = own.iter().find(|(_, var)| table.examples.get(at, *var) == Some(true))
            else {
                continue;
            };
            let (values, truth): (Vec<(&str, Var)>, _) = (of_run.clone(), matches!(*value, "1" | "true"));
            match boolean {
                Some(var) if matches!(*value, "0" | "1" | "true" | "false") => row[var.index()] = Some(truth),
                _ if values.iter().any(|(label, _)| label == value) => {
                    values.iter().for_each(|(label, var)| row[var.index()] = Some(label == value));
                }
                _ => bail!(
                    "{file}: row {}, column {column}: {value:?} never occurs in the table that the run was trained on",
                    at + 1
                ),
            }
        }
    }
    Ok(Examples::from_rows(variables.len(), &rows))
}

/// Completes the rows of a file.
pub(crate) fn solve(
    settings: &TableSettings,
    model: &Model,
    input: &TableInput,
    asking: &Asking,
    control: &dyn Control,
) -> TaskResult<Shown> {
    let Some(path) = &input.row else { bail!("there are no rows: precept solve RUN rows.csv") };
    input.out.as_deref().map(|path| check_new(path, input.force)).transpose()?;
    let (file, axis) = (path.display().to_string(), &settings.value_axis);
    let hidden = Forward::of(model, axis)?;
    let alphabet = names_of(model).or_else(|| settings.alphabet.clone());
    let options = TableOptions { categorical: true, alphabet, ..settings.options() };
    let table = Table::read(path, &options)?;
    let variables = model.rules.variables();
    let known = known(&table, variables, axis, &file)?;
    let pictured = Pictured { variables, axis, cells: &table.pictures, file };
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let folder = input.pictures.clone().unwrap_or(folder);
    let Some((numbers, pixels)) = pictured.pixels(settings, &folder, control)? else {
        bail!("interrupted before all pictures were read")
    };
    let rows: Vec<usize> = (0..table.examples.len()).collect();
    let scenes = pictured.scenes(settings, &rows, known, (&numbers, pixels.into()))?;
    let mut network = settings.network_of(model).build()?;
    network.load(model.network.as_deref().context("the run has no network")?)?;
    let readings = read_while(settings.network_of(model).views(false), &scenes, &*network, &rows, control)?;
    let mut reasoner = asking.backend.load(Arc::new(Problem::from(model.rules.clone())))?;
    let (limits, columns) = (asking.limits_or(TIME), columns_of(variables, axis));
    let (mut all, mut text, mut objects, mut lines) =
        (readings.rows(), String::new(), Vec::new(), Vec::new());
    let mut solved = 0;
    for row in rows {
        let read: Vec<&[f32]> = all.by_ref().take(scenes.sights(row).len()).collect();
        let is_asked = |var: Var| scenes.known().get(row, var).is_none();
        let found = complete(&scenes, row, &read, is_asked, &limits, &mut *reasoner)?;
        let Some(answer) = found else {
            let why = match limits.is_over() {
                true => "not completed in time; --time allows more",
                false => "nothing obeys the run's rules with these values",
            };
            text += &format!("Row {}: {why}\n", row + 1);
            objects.push(json!({ "row": row + 1, "values": null, "why": why }));
            lines.push(vec![String::new(); columns.len()]);
            continue;
        };
        solved += 1;
        let values = values(&columns, axis, &scenes, row, &answer);
        let sure = hidden.as_ref().and_then(|hidden| confidence(hidden, &scenes, row, &read, &answer, axis));
        let unique = match answer.unique {
            Some(true) => "no other completion has these pictures",
            Some(false) => "one of several completions with these pictures",
            None => "whether another completion has these pictures was not found out in time",
        };
        let sure_words =
            sure.map_or_else(String::new, |sure| format!("; the answer's probability is {sure:.4}"));
        text += &format!("Row {}: {unique}{sure_words}\n{}", row + 1, row_text(&values));
        let mut read_as = Vec::new();
        for (number, (&sight, reading)) in scenes.sights(row).iter().zip(&read).enumerate() {
            let symbols = scenes.symbols(sight);
            let name = |at: usize| variables.name(symbols[at]).to_owned();
            let likeliest =
                (0..reading.len()).max_by(|a, b| reading[*a].total_cmp(&reading[*b])).unwrap_or(0);
            let chosen = symbols.iter().position(|var| answer.values[var.index()]).unwrap_or(likeliest);
            read_as.push(json!({
                "read": name(likeliest), "probability": reading[likeliest],
                "answer": name(chosen), "probability_of_answer": reading[chosen],
            }));
            if answer.repaired.contains(&number) {
                text += &format!(
                    "  read as {} ({:.2}), must be {} ({:.2})\n",
                    name(likeliest),
                    reading[likeliest],
                    name(chosen),
                    reading[chosen]
                );
            }
        }
        let cells: serde_json::Map<String, Value> = values
            .iter()
            .map(|(column, value, source)| {
                ((*column).to_owned(), json!({ "value": value, "is": source.word() }))
            })
            .collect();
        objects
            .push(json!({ "row": row + 1, "values": cells, "pictures": read_as, "unique": answer.unique, "confidence": sure }));
        lines.push(values.into_iter().map(|(_, value, _)| value.unwrap_or_default()).collect());
    }
    if let Some(path) = &input.out {
        write_new(path, input.force, csv(&columns, &lines).as_bytes())?;
        text += &format!("Written to {}.\n", path.display());
    } else {
        text = format!("[a] was read in a picture, !a! was read as something else:\n{text}");
    }
    Ok(Shown::answer(solved == objects.len(), text, json!({ "rows": objects })))
}

/// The probability of the answer in a row, where all pictures of a run from clusters are there.
fn confidence(
    hidden: &Forward,
    scenes: &Scenes,
    row: usize,
    read: &[&[f32]],
    answer: &Completed,
    axis: &str,
) -> Option<f64> {
    let variables = scenes.variables();
    let reading = |place: &String| {
        let first = values_of(variables, place, axis).first().map(|(_, var)| *var)?;
        let at =
            scenes.sights(row).iter().position(|sight| scenes.symbols(*sight).first() == Some(&first))?;
        Some(read[at].to_vec())
    };
    let readings = hidden.places().iter().map(reading).collect::<Option<Vec<_>>>()?.concat();
    let of_column = |column: &String| value_of(variables, column, axis, &answer.values);
    let answers: Vec<Option<String>> = hidden.columns().iter().map(of_column).collect();
    Some(hidden.confidence(&readings, &answers))
}

/// A table as text.
fn csv(columns: &[String], rows: &[Vec<String>]) -> String {
    let field = |text: &String| match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.clone(),
    };
    let line = |fields: &[String]| fields.iter().map(field).collect::<Vec<_>>().join(",") + "\n";
    line(columns) + &rows.iter().map(|row| line(row)).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_back_from_variables() {
        let names = ["a", "b[value 1]", "b[value 2]", "c[x 1, y 2, value u]", "c[x 1, y 2, value v]"];
        let variables = Variables::from_names(names).unwrap();
        assert_eq!(columns_of(&variables, "value"), ["a", "b", "c[x 1, y 2]"]);
        let text = csv(&["a".into(), "c[x 1, y 2]".into()], &[vec!["1".into(), "\"".into()]]);
        assert_eq!(text, "a,\"c[x 1, y 2]\"\n1,\"\"\"\"\n");
    }
}
