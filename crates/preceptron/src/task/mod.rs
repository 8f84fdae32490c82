//! What a task is: one folder that has everything of its own, and one line in a registry.
//!
//! A [`Task`] says what it is made with ([`Settings`], which are the flags of `precept train` and the keys of
//! `config.toml` at once), where its examples come from, by which [`Schedule`] it is trained, how answers are
//! scored, how one input is answered, and how all of it is shown. Whoever has a list of tasks can train, load,
//! evaluate and answer without knowing any of them: every task is an [`AnyTask`].

mod action;
mod any;
mod error;
mod shown;

use std::path::Path;
use std::time::Duration;

use preceptron_base::{Control, Settings};
use preceptron_logic::{Problem, RuleSet};
use preceptron_reason::{Backend, Limits};

use crate::adapt::{AdaptSettings, Adapting};
use crate::page::Section;
use crate::{Model, Probe, Report, Schedule};
pub use action::{Action, AnyAction, Group};
pub use any::{AnyTask, TrainRequest, Verb};
pub use error::{Context, TaskError, TaskResult};
pub use shown::{Shown, check_new, check_new_png, write_new};

/// What a trained model is judged on.
pub struct Case<'a, T: Task + ?Sized> {
    /// What it was made with.
    pub settings: &'a T::Settings,
    /// What was learned.
    pub model: &'a Model,
    /// The examples to judge by, among others perhaps those trained on.
    pub data: &'a T::Data,
}

impl<T: Task + ?Sized> Clone for Case<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Task + ?Sized> Copy for Case<'_, T> {}

/// How the reasoner is asked.
#[derive(Clone, Debug, Default)]
pub struct Asking {
    /// Which solver.
    pub backend: Backend,
    /// How long.
    pub limits: Limits,
    /// How many rules and names to list.
    pub show: usize,
}

impl Asking {
    /// The limits of all that is asked from now on together: after the time that was asked for, or else this
    /// one, all of it ends.
    pub fn limits_or(&self, time: Duration) -> Limits {
        Limits { time: self.limits.time.or(Some(time)), ..self.limits.clone() }.begun()
    }
}

/// A task.
///
/// | what | is for |
/// |---|---|
/// | `Settings` | flags of `train`, keys of `config.toml` |
/// | `Evaluation` | flags of `eval` |
/// | `Input` | flags of `solve`: one input |
/// | `Domain` | flags of `export`, `certify`, `rules`, `solve`: where relative rules are put |
pub trait Task: Sync + 'static {
    /// Its name, as in `precept train NAME`.
    const NAME: &'static str;
    /// What it is, in a sentence.
    const ABOUT: &'static str;
    /// Settings that may be others when training goes on, since they do not change what comes of it.
    const FREE: &'static [&'static str] = &["threads"];

    /// What a run is made with.
    type Settings: Settings;
    /// How it is scored.
    type Evaluation: Settings;
    /// One input to be answered.
    type Input: Settings;
    /// Where rules that hold at any size are put.
    type Domain: Settings;
    /// Examples to train on, to score on, or both.
    type Data;
    /// How answers stand to the truth.
    type Score;

    /// Examples of use and what else a help text says below the flags.
    fn help(verb: Verb) -> &'static str;

    /// What a run is called unless one says otherwise.
    fn run_name(settings: &Self::Settings) -> String;

    /// Fills in what follows from other settings and from files, and checks what ranges do not say.
    ///
    /// # Errors
    /// If settings do not go together.
    fn settle(_settings: &mut Self::Settings) -> TaskResult<()> {
        Ok(())
    }

    /// Where a flag that was typed would mean something, if it does not with these settings.
    fn misplaced(_settings: &Self::Settings, _flag: &str) -> Option<&'static str> {
        None
    }

    /// The examples to train on, and to score on afterwards.
    ///
    /// # Errors
    /// If a file cannot be read or has too few examples.
    fn data(settings: &Self::Settings, control: &dyn Control) -> TaskResult<Self::Data>;

    /// How it is trained.
    ///
    /// # Errors
    /// If the settings allow no such training.
    fn schedule<'a>(settings: &Self::Settings, data: &'a Self::Data) -> TaskResult<Box<dyn Schedule + 'a>>;

    /// What is measured now and then while it is trained.
    fn probe<'a>(_settings: &Self::Settings, _data: &'a Self::Data) -> Option<Probe<'a>> {
        None
    }

    /// Examples to score on that were not trained on.
    ///
    /// # Errors
    /// If a file cannot be read, or there is no such example.
    fn held_out(
        settings: &Self::Settings,
        how: &Self::Evaluation,
        control: &dyn Control,
    ) -> TaskResult<Self::Data>;

    /// How well the model answers the examples.
    ///
    /// # Errors
    /// If the network or the reasoner fails.
    fn score(case: Case<'_, Self>, how: &Self::Evaluation, control: &dyn Control) -> TaskResult<Self::Score>;

    /// The score in words and as JSON, with what was learned if training has just come to its end.
    ///
    /// # Errors
    /// If it cannot be shown.
    fn show(
        case: Case<'_, Self>,
        how: &Self::Evaluation,
        score: &Self::Score,
        trained: Option<&Report>,
    ) -> TaskResult<Shown>;

    /// What a score of some of the examples says, where the others were not answered in time; nothing if there
    /// is nothing to say.
    fn so_far(_score: &Self::Score) -> Option<String> {
        None
    }

    /// What to type next, where `{run}` stands for the run.
    fn next(_settings: &Self::Settings) -> Vec<String> {
        vec!["precept eval {run}".to_owned(), "precept rules {run}".to_owned()]
    }

    /// Answers one input.
    ///
    /// # Errors
    /// If the input cannot be understood, or is none.
    fn solve(
        settings: &Self::Settings,
        model: &Model,
        input: &Self::Input,
        asking: &Asking,
        control: &dyn Control,
    ) -> TaskResult<Shown>;

    /// What is needed to adapt a run's network to other pictures, whose names or files `source` has.
    ///
    /// # Errors
    /// If the pictures cannot be read, or the task has none.
    fn adapting(
        _settings: &Self::Settings,
        _model: &Model,
        _source: &Path,
        _how: &AdaptSettings,
        _control: &dyn Control,
    ) -> TaskResult<Adapting> {
        Err(TaskError::new(format!("a run of {} has no pictures of symbols to adapt to", Self::NAME)))
    }

    /// The rules as a solver takes them: as they were learned, or put where the domain says.
    ///
    /// # Errors
    /// If the domain is needed and not told.
    fn ground(_settings: &Self::Settings, model: &Model, _domain: &Self::Domain) -> TaskResult<Problem> {
        Ok(Problem::from(model.rules.clone()))
    }

    /// The rules in the task's own words; nothing if they are listed like any other rules.
    ///
    /// # Errors
    /// If they are rules of something else.
    fn rules(_settings: &Self::Settings, _rules: &RuleSet) -> TaskResult<Option<Shown>> {
        Ok(None)
    }

    /// The rules with more names for a reader than the learner had, such as axes that are computed from others.
    ///
    /// # Errors
    /// If they are rules of something else.
    fn for_reader(_settings: &Self::Settings, rules: &RuleSet) -> TaskResult<RuleSet> {
        Ok(rules.clone())
    }

    /// What the figures lean on beside inputs and answers, if they are scored so.
    fn assumptions(settings: &Self::Settings, how: &Self::Evaluation) -> Vec<String>;

    /// The sections of the page about a run: figures first.
    ///
    /// # Errors
    /// If a drawing cannot be made.
    fn sections(case: Case<'_, Self>, score: &Self::Score) -> TaskResult<Vec<Section>>;

    /// Other things that can be done: making and checking data, benchmarks.
    fn actions() -> &'static [&'static dyn AnyAction] {
        &[]
    }
}
