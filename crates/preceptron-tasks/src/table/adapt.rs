//! Rows with other pictures, to which a run's network is adapted.

use std::path::Path;

use preceptron::adapt::{AdaptSettings, Adapting};
use preceptron::{Model, TaskResult, bail, ensure};
use preceptron_base::Control;
use preceptron_learn::{Table, TableOptions};

use super::data::{Pictured, of_columns};
use super::network::BATCH;
use super::settings::{names, names_of, table_in};
use super::solve::known;
use super::{TableNetwork, TableSettings};

/// What is needed to adapt a run on a table.
pub(super) fn adapting(
    settings: &TableSettings,
    model: &Model,
    source: &Path,
    how: &AdaptSettings,
    control: &dyn Control,
) -> TaskResult<Adapting> {
    let path = if source.is_dir() { table_in(source)? } else { source.to_owned() };
    let (file, axis) = (path.display().to_string(), &settings.value_axis);
    let alphabet = names_of(model).or_else(|| settings.alphabet.clone());
    let options = TableOptions { categorical: true, alphabet, ..settings.options() };
    let table = Table::read(&path, &options)?;
    ensure!(!table.pictures.is_empty(), "{file}: no cell names a picture (.png, .jpg)");
    let variables = model.rules.variables();
    let truth = known(&table, variables, axis, &file)?;
    // What stays known in tests is no answer.
    let given = names(settings.given.as_deref());
    let facts = match how.facts {
        true => truth.clone(),
        false => of_columns(&truth, variables, &table.columns, axis, &given),
    };
    let pictured = Pictured { variables, axis, cells: &table.pictures, file };
    let folder = how.pictures.as_deref().or(path.parent()).unwrap_or(Path::new("")).to_owned();
    let Some((numbers, pixels)) = pictured.pixels(settings, &folder, control)? else {
        bail!("interrupted before all pictures were read")
    };
    let rows: Vec<usize> = (0..table.examples.len()).collect();
    let scenes = pictured.scenes(settings, &rows, facts, (&numbers, pixels.into()))?;
    let network = settings.network_of(model);
    Ok(Adapting {
        scenes,
        truth: Some(truth),
        views: network.views(false),
        batch: BATCH,
        unit: "row",
        network: Box::new(move |steps| TableNetwork { steps, ..network }.build()),
        notes: Vec::new(),
    })
}
