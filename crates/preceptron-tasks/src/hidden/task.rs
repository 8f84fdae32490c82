//! All such tasks as tasks.

use std::marker::PhantomData;

use preceptron::page::Section;
use preceptron::{AnyAction, Asking, Case, Model, Report, Schedule, Shown, Task, TaskResult, Verb, Views};
use preceptron_base::{Control, Settings, settings};

use super::{HiddenData, HiddenScore, Latency, Plan, latent_of, score, sections, shown};
use crate::table::{Paper, TableInput, TableSettings, solve_rows};

/// The axis on which values stand.
const AXIS: &str = "value";

/// What is a task's own.
pub trait HiddenTask: Sync + 'static {
    /// Its name.
    const NAME: &'static str;
    /// What it is, in a sentence.
    const ABOUT: &'static str;
    /// Examples of `train`.
    const HELP: &'static str;
    /// What it is made with.
    type Settings: Settings;

    /// Its examples.
    ///
    /// # Errors
    /// If settings do not go together.
    fn plan(settings: &Self::Settings) -> TaskResult<Plan>;

    /// What its runs are called.
    fn run_name(settings: &Self::Settings) -> String;
}

/// Such a task.
pub struct Hidden<T>(PhantomData<fn() -> T>);

impl<T> Hidden<T> {
    /// The task.
    pub const fn new() -> Hidden<T> {
        Hidden(PhantomData)
    }
}

impl<T> Default for Hidden<T> {
    fn default() -> Self {
        Hidden::new()
    }
}

settings! {
    /// Which examples are read and answered.
    pub struct HiddenEvaluation {
        /// How many examples [default: as many as the run tests on].
        count: Option<usize> = None, "N" in 1..=10_000_000;
        /// Look at each picture once, not also moved by a pixel to each side (test-time augmentation).
        one_look: bool = false;
    }
}

impl HiddenEvaluation {
    fn views(&self) -> Views {
        if self.one_look { Views::One } else { Views::Five }
    }
}

impl<T: HiddenTask> Task for Hidden<T> {
    const NAME: &'static str = T::NAME;
    const ABOUT: &'static str = T::ABOUT;

    type Settings = T::Settings;
    type Evaluation = HiddenEvaluation;
    type Input = TableInput;
    type Domain = ();
    type Data = HiddenData;
    type Score = HiddenScore;

    fn help(verb: Verb) -> &'static str {
        match verb {
            Verb::Train => T::HELP,
            Verb::Solve => {
                "Rows are a table whose columns are the run's, with names of pictures in the table's folder (PNG, JPEG; \
                 light on dark)."
            }
            Verb::Eval | Verb::Ground => "",
        }
    }

    fn run_name(settings: &T::Settings) -> String {
        T::run_name(settings)
    }

    fn settle(settings: &mut T::Settings) -> TaskResult<()> {
        T::plan(settings).map(drop)
    }

    fn data(settings: &T::Settings, control: &dyn Control) -> TaskResult<HiddenData> {
        control.stage("drawing examples", 0);
        T::plan(settings)?.data(true, None)
    }

    fn schedule<'a>(settings: &T::Settings, data: &'a HiddenData) -> TaskResult<Box<dyn Schedule + 'a>> {
        latent_of(data.training.as_ref().unwrap_or(&data.held_out), T::plan(settings)?.latent, AXIS)
    }

    fn held_out(settings: &T::Settings, how: &HiddenEvaluation, _: &dyn Control) -> TaskResult<HiddenData> {
        T::plan(settings)?.data(false, how.count)
    }

    fn score(case: Case<'_, Self>, how: &HiddenEvaluation, control: &dyn Control) -> TaskResult<HiddenScore> {
        let latency = Latency { latent: T::plan(case.settings)?.latent, shape: case.data.held_out.shape };
        let network = latency.network(crate::table::symbols_of(case.model).unwrap_or(2)).build()?;
        score(case.data, case.model, AXIS, network, how.views(), control)
    }

    fn show(
        case: Case<'_, Self>,
        how: &HiddenEvaluation,
        score: &HiddenScore,
        trained: Option<&Report>,
    ) -> TaskResult<Shown> {
        let (plan, assumptions) = (T::plan(case.settings)?, Self::assumptions(case.settings, how));
        shown(case.model, case.data, score, &assumptions, trained, Some(&plan.told))
    }

    fn so_far(score: &HiddenScore) -> Option<String> {
        let (right, of) = (score.right(), score.answers.len());
        (of > 0).then(|| format!("{right} of {of} examples were answered right until then."))
    }

    fn solve(
        settings: &T::Settings,
        model: &Model,
        input: &TableInput,
        asking: &Asking,
        control: &dyn Control,
    ) -> TaskResult<Shown> {
        let latent = T::plan(settings)?.latent;
        let table = TableSettings {
            paper: Some(Paper::Dark),
            steps: latent.steps,
            seed: latent.seed,
            threads: latent.threads,
            ..TableSettings::default()
        };
        control.stage("reading and answering rows", 0);
        solve_rows(&table, model, input, asking, control)
    }

    fn assumptions(settings: &T::Settings, how: &HiddenEvaluation) -> Vec<String> {
        let Ok(plan) = T::plan(settings) else { return Vec::new() };
        let mut all = match plan.latent.symbols {
            Some(symbols) => vec![format!("pictures show {symbols} symbols, all columns the same ones")],
            None => vec!["all columns of pictures show the same symbols".to_owned()],
        };
        all.push(format!("answers are {} of MNIST's labels, which nothing that learns sees", plan.truth));
        if plan.wrong > 0.0 {
            all.push(format!("{:.1}% of the answers to train on are wrong", 100.0 * plan.wrong));
        }
        all.push("examples to test on are of MNIST's test images".to_owned());
        all.push(how.views().in_words().to_owned());
        all
    }

    fn sections(case: Case<'_, Self>, score: &HiddenScore) -> TaskResult<Vec<Section>> {
        sections(case.model, case.data, score)
    }

    fn actions() -> &'static [&'static dyn AnyAction] {
        &[]
    }
}
