//! What a run on a table is made with, how it is scored, and what it is asked.

use std::path::{Path, PathBuf};

use preceptron::latent::LatentSettings;
use preceptron::{Context, Model, TaskResult, bail, ensure};
use preceptron_base::{choices, settings};
use preceptron_learn::{Fault, Table, TableOptions, values_of};
use preceptron_perceive::Shape;

use super::{Look, Paper, TableNetwork};

choices! {
    /// Where training starts.
    pub enum StartBy: Values {
        /// The values that columns with pictures have in other rows.
        Values = "values",
        /// Clusters of pictures: these are never values.
        Clusters = "clusters",
    }
}

settings! {
    /// What a run on a table is made with.
    pub struct TableSettings {
        /// The table: CSV (also .gz, .xz) or Parquet, or a folder with one such file. A cell is a value, empty, or the
        /// name of a PNG or JPEG, such as `signs/a.png`, or of a part of one: `page.png#x,y,width,height`.
        table: Option<PathBuf> = None, "<TABLE>";
        /// The folder that names of pictures begin in [default: the table's].
        pictures: Option<PathBuf> = None, "DIR";
        /// What pictures may show [default: the values in columns with pictures].
        alphabet: Option<Vec<String>> = None, "SYMBOL,...";
        /// How many rows to test on, drawn at random [default: a fifth, at most 500].
        test: Option<usize> = None, "N" in 1..=10_000_000;
        /// Columns whose values stay known in rows for tests: names, or their beginnings and *, between
        /// semicolons [default: none; all values are to be found].
        given: Option<String> = None, "COLUMNS";
        /// Steps of the network's training.
        steps: u64 = 800, "N" in 4..=1_000_000;
        /// Cells are no pictures, but rows of an array such as `given.npy#7`, with the probabilities that a network of
        /// your own gives these symbols, in this order.
        probabilities: Option<Vec<String>> = None, "SYMBOL,...";
        section "Pictures that are never values";
        /// Where training starts: the values of columns with pictures, or clusters of pictures and what other columns
        /// say of them [default: values, if these columns have some].
        start: Option<StartBy> = None, "START";
        /// How many symbols pictures show, where training starts from clusters [default: a guess].
        symbols: Option<usize> = None, "N" in 2..=40;
        /// Take rows that contradict each other for wrong answers, not for a fault of the table.
        noisy: bool = false;
        section "Pictures";
        /// Sides that pictures are brought to, in pixels.
        size: usize = 28, "PIXELS" in 12..=96;
        /// Keep colours; otherwise pictures are gray.
        colour: bool = false;
        /// What the ground of the pictures is [default: as most of their edges are].
        paper: Option<Paper> = None, "TONE";
        section "Table";
        /// The name of the axis on which values stand.
        value_axis: String = "value".to_owned(), "NAME";
        /// Columns to leave out: names, or their beginnings and *, between semicolons.
        ignore: Option<String> = None, "COLUMNS";
        section "Random choices";
        /// The seed of all random choices.
        seed: u64 = 0, "N";
        /// Threads; they do not change the result.
        threads: usize = 2, "N" in 1..=64;
    }
}

settings! {
    /// Which rows are read and completed.
    pub struct TableEvaluation {
        /// How many rows [default: as many as the run tests on].
        count: Option<usize> = None, "N" in 1..=10_000_000;
        /// Look at each picture once, not also moved by a pixel to each side (test-time augmentation).
        one_look: bool = false;
    }
}

settings! {
    /// New rows to complete.
    pub struct TableInput {
        /// A table with columns of the run's table; what is empty or a picture is to be found.
        row: Option<PathBuf> = None, "<ROWS>";
        /// The folder that names of pictures begin in [default: that of the rows].
        pictures: Option<PathBuf> = None, "DIR";
        /// Write the completed rows as CSV.
        out: Option<PathBuf> = None, "FILE.csv";
        /// Overwrite the file.
        force: bool = false;
    }
}

/// The symbols of a model whose pictures are never values: their names.
pub(crate) fn names_of(model: &Model) -> Option<Vec<String>> {
    let names = model.parts.get("meaning")?.get("symbols")?.as_array()?;
    names.iter().map(|name| name.as_str().map(str::to_owned)).collect()
}

/// How many these are.
pub(crate) fn symbols_of(model: &Model) -> Option<usize> {
    names_of(model).map(|names| names.len())
}

/// Names between semicolons.
pub(super) fn names(list: Option<&str>) -> Vec<String> {
    let names = list.unwrap_or_default().split(';').map(str::trim);
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Whether a name is meant: it is the pattern, or begins like one that ends in `*`.
pub(super) fn is_meant(name: &str, patterns: &[String]) -> bool {
    patterns.iter().any(|pattern| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    })
}

/// The table in a folder: the one called `table`, or the only one.
pub(crate) fn table_in(folder: &Path) -> TaskResult<PathBuf> {
    const ENDINGS: [&str; 5] = [".csv", ".csv.gz", ".csv.xz", ".parquet", ".tsv"];
    let shown = folder.display();
    let entries = std::fs::read_dir(folder).context(&shown)?;
    let mut tables: Vec<PathBuf> = Vec::new();
    for entry in entries {
        let path = entry.context(&shown)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            tables.push(path);
        }
    }
    tables.sort();
    let is_called_table = |path: &&PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().to_lowercase().starts_with("table."))
    };
    if let Some(table) = tables.iter().find(is_called_table) {
        return Ok(table.clone());
    }
    match tables.as_slice() {
        [table] => Ok(table.clone()),
        [] => bail!("{shown}: there is no table in this folder (.csv or .parquet)"),
        [first, second, ..] => bail!(
            "{shown}: has several tables, {} and {} among them; name one",
            first.display(),
            second.display()
        ),
    }
}

impl TableSettings {
    /// The file of the table.
    pub(super) fn file(&self) -> TaskResult<PathBuf> {
        let Some(table) = &self.table else { bail!("no table is named: precept train TABLE") };
        if table.is_dir() { table_in(table) } else { Ok(table.clone()) }
    }

    /// The folder that names of pictures begin in.
    pub(super) fn folder(&self) -> PathBuf {
        let of_table = || self.table.as_deref().and_then(Path::parent).unwrap_or(Path::new("")).to_owned();
        self.pictures.clone().unwrap_or_else(of_table)
    }

    /// How a table of the run is read.
    pub(super) fn options(&self) -> TableOptions {
        // Where pictures are never values, nothing is in their columns, and any alphabet does.
        let any = || Some(["1", "2"].map(str::to_owned).to_vec());
        let is_hidden = self.start == Some(StartBy::Clusters);
        TableOptions {
            pictures: true,
            alphabet: self
                .alphabet
                .clone()
                .or_else(|| self.probabilities.clone())
                .or_else(|| is_hidden.then(any).flatten()),
            categorical: is_hidden,
            value_axis: self.value_axis.clone(),
            ignore: names(self.ignore.as_deref()),
            ..TableOptions::default()
        }
    }

    /// The table.
    pub(super) fn read(&self) -> TaskResult<Table> {
        let (file, options) = (self.file()?, self.options());
        let table = Table::read(&file, &options)?;
        ensure!(
            !table.pictures.is_empty(),
            "{}: no cell names a picture (.png, .jpg); precept learn finds the rules of values alone",
            file.display()
        );
        Ok(table)
    }

    /// Where training starts: from clusters where no cell of a column with pictures has a value.
    pub(super) fn first_start(&self) -> TaskResult<StartBy> {
        if self.symbols.is_some() {
            return Ok(StartBy::Clusters);
        }
        let (file, options) = (self.file()?, self.options());
        let table = match Table::read(&file, &options) {
            Err(error) if matches!(*error.fault, Fault::NoAlphabet) => return Ok(StartBy::Clusters),
            table => table?,
        };
        let mut columns: Vec<&str> = table.pictures.iter().map(|cell| cell.column.as_str()).collect();
        columns.sort_unstable();
        columns.dedup();
        let known_row = |column: &str| {
            let values = values_of(&table.variables, column, &self.value_axis);
            let known = |row: &usize| values.iter().any(|(_, var)| table.examples.get(*row, *var).is_some());
            (0..table.examples.len()).find(known)
        };
        let known: Vec<Option<usize>> = columns.iter().map(|column| known_row(column)).collect();
        let never = known.iter().filter(|row| row.is_none()).count();
        let mixed = columns.iter().zip(&known).find_map(|(column, row)| Some((*column, (*row)?)));
        if let Some((column, row)) = mixed.filter(|_| 2 * never >= columns.len()) {
            let picture = table.pictures.iter().find(|cell| cell.column == column);
            let alone: Vec<&str> =
                columns.iter().zip(&known).filter(|(_, row)| row.is_none()).map(|(c, _)| *c).collect();
            bail!(
                "{}: row {}, column {column}: a picture, but row {} has a value there, and {} never have one: no rule of \
                 values says what pictures show; leave out such rows, or --start values",
                file.display(),
                picture.map_or(0, |cell| cell.row) + 1,
                row + 1,
                alone.join(", ")
            );
        }
        let is_hidden = !columns.is_empty() && never == columns.len();
        Ok(if is_hidden { StartBy::Clusters } else { StartBy::Values })
    }

    /// How training from clusters goes.
    pub(super) fn latent(&self) -> LatentSettings {
        LatentSettings {
            symbols: self.symbols.or(self.alphabet.as_ref().map(Vec::len)),
            steps: self.steps,
            seed: self.seed,
            threads: self.threads,
            ..LatentSettings::default()
        }
    }

    /// How pictures are brought to one form.
    pub(super) fn look(&self) -> Look {
        let stated = self.probabilities.as_ref().map(Vec::len);
        Look { size: self.size, colour: self.colour, paper: self.paper.unwrap_or_default(), stated }
    }

    /// The network of a model, before its weights are loaded.
    pub(super) fn network_of(&self, model: &Model) -> TableNetwork {
        let classes = symbols_of(model).map(|symbols| symbols.max(2));
        TableNetwork { classes: classes.unwrap_or(self.network().classes), ..self.network() }
    }

    /// The network before training.
    pub(super) fn network(&self) -> TableNetwork {
        TableNetwork {
            shape: self.look().shape(),
            classes: self.alphabet.as_ref().map_or(0, Vec::len),
            steps: self.steps,
            seed: self.seed,
            threads: self.threads,
        }
    }

    /// The shape of pictures as the network takes them.
    pub(super) fn shape(&self) -> Shape {
        self.look().shape()
    }
}
