//! A table with pictures as a task.

use std::path::{Path, absolute};

use preceptron::page::Section;
use preceptron::{
    AdaptSettings, Adapting, AnyAction, Asking, Case, Context, Model, Report, Schedule, Shown, Staged,
    StagedSettings, Task, TaskError, TaskResult, Verb, Views, ensure,
};
use preceptron_base::{Control, Quiet};
use preceptron_learn::{Table, values_of};

use super::data::{Pictured, held_out_of};
use super::network::BATCH;
use super::pictures::paper_of;
use super::settings::{is_meant, names};
use super::{
    StartBy, TableData, TableEvaluation, TableInput, TableNetwork, TableScore, TableSettings, actions, adapt,
    hidden, show, solve,
};
use crate::hidden::latent_of;

/// A table whose cells may be pictures.
pub struct Tables;

/// Pictures that are looked at to see what their ground is.
const LOOKED_AT: usize = 200;

impl TableEvaluation {
    /// How often each picture is looked at.
    fn views(&self) -> Views {
        if self.one_look { Views::One } else { Views::Five }
    }
}

/// What pictures may show: the values of their columns.
fn alphabet_of(settings: &TableSettings, table: &Table) -> TaskResult<Vec<String>> {
    let column = &table.pictures[0].column;
    let values = values_of(&table.variables, column, &settings.value_axis).into_iter();
    let alphabet: Vec<String> = values.map(|(label, _)| label.to_owned()).collect();
    ensure!(
        alphabet.len() > 1,
        "{}: column {column}: pictures could show {alphabet:?} alone; see --alphabet",
        settings.file()?.display()
    );
    Ok(alphabet)
}

impl Task for Tables {
    const NAME: &'static str = "table";
    const ABOUT: &'static str = "A table of your own whose cells may be pictures. Nobody says what a picture shows, and no \
                                 rule is known.";

    type Settings = TableSettings;
    type Evaluation = TableEvaluation;
    type Input = TableInput;
    type Domain = ();
    type Data = TableData;
    type Score = TableScore;

    fn help(verb: Verb) -> &'static str {
        match verb {
            Verb::Train => {
                "\
Examples:
  precept data table latin --out squares
  precept train squares/table.csv
  precept train squares/table.csv --test 100 --steps 1500 --out runs/squares

A cell is a value, empty, or the name of a picture, in the table's folder. Columns with pictures share an
alphabet: the values that they have where they show none. The same column may have pictures in some rows
and values in others. Rules come from the values, and say what pictures must show. Where pictures are never
values, as with two pictures and their sum, training starts from clusters and what the other columns say."
            }
            Verb::Eval => "Example:\n  precept eval runs/table-0 --count 50",
            Verb::Solve => "Example:\n  precept solve runs/table-0 new-rows.csv --out completed.csv",
            Verb::Ground => "",
        }
    }

    fn run_name(settings: &TableSettings) -> String {
        let of_file = settings.table.as_deref().and_then(|table| table.file_stem());
        let name = of_file.map_or_else(|| "table".to_owned(), |stem| stem.to_string_lossy().into_owned());
        format!("{name}-{}", settings.seed)
    }

    fn settle(settings: &mut TableSettings) -> TaskResult<()> {
        let file = absolute(settings.file()?)?;
        settings.table = Some(file.clone());
        settings.pictures = settings.pictures.as_deref().map(absolute).transpose()?;
        if settings.start.is_none() {
            settings.start = Some(settings.first_start()?);
        }
        let is_hidden = settings.start == Some(StartBy::Clusters);
        let table = settings.read()?;
        let shown = file.display();
        ensure!(table.examples.len() > 1, "{shown}: one row is not enough to train and to test on");
        settings.test.get_or_insert(held_out_of(table.examples.len()));
        let given = names(settings.given.as_deref());
        if let Some(none) =
            given.iter().find(|one| !table.columns.iter().any(|name| is_meant(name, &[(*one).clone()])))
        {
            return Err(TaskError::new(format!(
                "{shown}: no column is named {none:?}, which is to be known in tests"
            )));
        }
        if is_hidden {
            hidden::check(settings, &table)?;
        } else {
            settings.alphabet = Some(alphabet_of(settings, &table)?);
        }
        if let (Some(stated), alphabet) =
            (&settings.probabilities, settings.alphabet.clone().unwrap_or_default())
        {
            ensure!(
                !is_hidden,
                "--probabilities: nothing says what they mean where no column with pictures has a value"
            );
            let other = alphabet.iter().find(|symbol| !stated.contains(symbol));
            ensure!(
                other.is_none() && stated.len() == alphabet.len(),
                "--probabilities names {}; pictures may show {}",
                stated.join(","),
                alphabet.join(",")
            );
        }
        if settings.paper.is_none() && settings.probabilities.is_none() {
            let first = &table.pictures[..table.pictures.len().min(LOOKED_AT)];
            let pictured = Pictured {
                variables: &table.variables,
                axis: &settings.value_axis,
                cells: first,
                file: shown.to_string(),
            };
            let (_, pixels) = pictured.pixels(settings, &settings.folder(), &Quiet)?.unwrap_or_default();
            settings.paper = Some(paper_of(settings.shape(), &pixels));
        }
        let classes = settings.network().classes.max(2);
        TableNetwork { classes, ..settings.network() }.build().map(drop)
    }

    fn data(settings: &TableSettings, control: &dyn Control) -> TaskResult<TableData> {
        TableData::new(settings, true, control)
    }

    fn schedule<'a>(settings: &TableSettings, data: &'a TableData) -> TaskResult<Box<dyn Schedule + 'a>> {
        if let Some(hidden) = &data.hidden {
            let puzzles = hidden.training.as_ref().context("there are no rows to train on")?;
            return latent_of(puzzles, settings.latent(), &settings.value_axis);
        }
        let scenes = data.training.as_ref().context("there are no rows to train on")?;
        let staged = StagedSettings {
            steps: settings.steps,
            batch: BATCH,
            seed: settings.seed,
            threads: settings.threads,
            views: settings.network().views(false),
            ..StagedSettings::default()
        };
        let learner = preceptron_learn::Settings { seed: settings.seed, ..Default::default() }.check()?;
        Ok(Box::new(Staged::new(scenes, settings.network().build()?, staged, learner)))
    }

    fn held_out(
        settings: &TableSettings,
        _how: &TableEvaluation,
        control: &dyn Control,
    ) -> TaskResult<TableData> {
        TableData::new(settings, false, control)
    }

    fn score(case: Case<'_, Tables>, how: &TableEvaluation, control: &dyn Control) -> TaskResult<TableScore> {
        let count = how.count.unwrap_or(usize::MAX);
        let views = case.settings.network_of(case.model).views(how.one_look);
        case.data.score(case.settings, case.model, views, count, control)
    }

    fn show(
        case: Case<'_, Tables>,
        how: &TableEvaluation,
        score: &TableScore,
        trained: Option<&Report>,
    ) -> TaskResult<Shown> {
        show::shown(case, &Self::assumptions(case.settings, how), score, trained)
    }

    fn so_far(score: &TableScore) -> Option<String> {
        if let Some(score) = &score.hidden {
            let (right, of) = (score.right(), score.answers.len());
            return (of > 0).then(|| format!("{right} of {of} rows were answered right until then."));
        }
        let (right, of) = (score.right(), score.answers.len());
        (of > 0).then(|| format!("{right} of {of} rows were completed right until then."))
    }

    fn next(_settings: &TableSettings) -> Vec<String> {
        vec![
            "precept rules {run}".to_owned(),
            "precept solve {run} new-rows.csv".to_owned(),
            "precept export {run} --format opb".to_owned(),
        ]
    }

    fn solve(
        settings: &TableSettings,
        model: &Model,
        input: &TableInput,
        asking: &Asking,
        control: &dyn Control,
    ) -> TaskResult<Shown> {
        control.stage("reading and completing rows", 0);
        solve::solve(settings, model, input, asking, control)
    }

    fn adapting(
        settings: &TableSettings,
        model: &Model,
        source: &Path,
        how: &AdaptSettings,
        control: &dyn Control,
    ) -> TaskResult<Adapting> {
        adapt::adapting(settings, model, source, how, control)
    }

    fn assumptions(settings: &TableSettings, how: &TableEvaluation) -> Vec<String> {
        if settings.start == Some(StartBy::Clusters) {
            return hidden::assumptions(settings, how.views());
        }
        let alphabet = settings.alphabet.as_deref().unwrap_or_default();
        let how_read = match settings.probabilities {
            Some(_) => {
                "probabilities are somebody else's; their temperature was fitted on what rules and values agree on"
            }
            None => how.views().in_words(),
        };
        vec![
            format!("a picture shows one of {} symbols ({})", alphabet.len(), alphabet.join(", ")),
            "a cell has one value, from the encoding".to_owned(),
            "which cells are pictures is known".to_owned(),
            how_read.to_owned(),
        ]
    }

    fn sections(case: Case<'_, Tables>, score: &TableScore) -> TaskResult<Vec<Section>> {
        show::sections(case, score)
    }

    fn actions() -> &'static [&'static dyn AnyAction] {
        actions::ACTIONS
    }
}
