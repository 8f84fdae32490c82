//! What can be done with a task of which only the name is known.

use std::path::{Path, PathBuf};
use std::time::Duration;

use preceptron_base::{Control, Flag, Given, Settings, apply, as_typed, kebab, quoted};
use preceptron_logic::{Problem, RuleSet};
use preceptron_perceive::PerceiveError;
use serde_json::json;

use super::{AnyAction, Asking, Case, Context, Shown, Task, TaskError, TaskResult};
use crate::adapt::{AdaptSettings, adapted_run};
use crate::page::{self, Compared, KeptScore, Page, Setting, settings_in_words};
use crate::{Keep, Model, Report, Run, StopReason, Training, ensure, train};

/// For what flags are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// `precept train`.
    Train,
    /// `precept eval`.
    Eval,
    /// One input of `precept solve`.
    Solve,
    /// Where relative rules are put.
    Ground,
}

/// What is to be trained, and where it is kept.
#[derive(Clone, Debug)]
pub struct TrainRequest {
    /// What was typed.
    pub given: Vec<Given>,
    /// The run's directory, if it was told.
    pub out: Option<PathBuf>,
    /// Whether an older run may be overwritten.
    pub force: bool,
    /// The run to go on with, in place of a new one.
    pub resume: Option<PathBuf>,
    /// The time between two checkpoints.
    pub save_every: Duration,
}

/// A [`Task`] of any kind.
pub trait AnyTask: Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// What it is.
    fn about(&self) -> &'static str;
    /// What a help text says below the flags.
    fn help(&self, verb: Verb) -> &'static str;
    /// The flags that it takes.
    fn flags(&self, verb: Verb) -> Vec<Flag>;
    /// Trains, scores and shows, and keeps a run with a page about it.
    ///
    /// # Errors
    /// If a setting or a file is wrong, or training fails. A start that fails leaves nothing behind.
    fn train(&self, request: &TrainRequest, control: &dyn Control) -> TaskResult<Shown>;
    /// Scores a run on examples that it was not trained on.
    ///
    /// # Errors
    /// If the run or a file is damaged.
    fn evaluate(&self, run: &Run, given: &[Given], control: &dyn Control) -> TaskResult<Shown>;
    /// Answers one input by a run.
    ///
    /// # Errors
    /// If the input cannot be understood.
    fn solve(&self, run: &Run, given: &[Given], asking: &Asking, control: &dyn Control) -> TaskResult<Shown>;
    /// Teaches the network of a run by pictures of which nobody says what they show, and writes a new run there; over
    /// an older one only if that is allowed.
    ///
    /// # Errors
    /// If the pictures cannot be read, or the network or the reasoner fails.
    fn adapt(
        &self,
        run: &Run,
        source: &Path,
        settings: &AdaptSettings,
        out: (&Path, bool),
        control: &dyn Control,
    ) -> TaskResult<Shown>;
    /// A run's rules as a solver takes them.
    ///
    /// # Errors
    /// If the rules are relative, and it was not told where they are to be put.
    fn ground(&self, run: &Run, given: &[Given]) -> TaskResult<Problem>;
    /// A run's rules in the task's own words, if it has some.
    ///
    /// # Errors
    /// If the run is damaged.
    fn rules(&self, run: &Run) -> TaskResult<Option<Shown>>;
    /// A run's rules, as they were learned, with more names for a reader.
    ///
    /// # Errors
    /// If the run is damaged.
    fn for_reader(&self, run: &Run) -> TaskResult<RuleSet>;
    /// Where a run goes that is asked for.
    ///
    /// # Errors
    /// If a setting that was typed cannot be understood.
    fn run_path(&self, request: &TrainRequest) -> TaskResult<PathBuf>;
    /// Writes the page about a run anew.
    ///
    /// # Errors
    /// If the run is damaged, or cannot be written to.
    fn report(&self, run: &Run, control: &dyn Control) -> TaskResult<()>;
    /// A page that compares runs of this task, as HTML; nothing is answered again.
    ///
    /// # Errors
    /// If a run is damaged, or one of another task.
    fn compare(&self, runs: &[Run]) -> TaskResult<String>;
    /// What else can be done.
    fn actions(&self) -> &'static [&'static dyn AnyAction];
}

/// Settings from what was typed.
fn typed<S: Settings>(given: &[Given]) -> TaskResult<S> {
    let mut settings = S::default();
    apply(&mut settings, given)?;
    Ok(settings)
}

/// The settings of a run, checked.
fn settings_of<T: Task>(run: &Run) -> TaskResult<T::Settings> {
    ensure!(run.task() == T::NAME, "{}: is a run of {}", run.path().display(), run.task());
    let settings: T::Settings = run.settings()?;
    settings.check().context(format!("{}: config.toml", run.path().display()))?;
    Ok(settings)
}

/// What a run's model gave; if its network is not one that the task can take up, the file is named.
fn of_model<R>(run: &Run, given: TaskResult<R>) -> TaskResult<R> {
    let is_of_weights = |error: &TaskError| {
        let first = error.source().map(|source| source as &(dyn std::error::Error + 'static));
        std::iter::successors(first, |error| error.source()).any(|error| {
            matches!(
                error.downcast_ref::<PerceiveError>(),
                Some(PerceiveError::Format(_) | PerceiveError::Tensor { .. })
            )
        })
    };
    match given {
        Err(error) if is_of_weights(&error) => {
            Err(error).context(format!("{}: network.safetensors is damaged", run.path().display()))
        }
        given => given,
    }
}

/// That every flag that was typed means something with these settings.
fn check_places<T: Task>(settings: &T::Settings, given: &[Given]) -> TaskResult<()> {
    for Given { name, .. } in given {
        if let Some(place) = T::misplaced(settings, name) {
            return Err(TaskError::new(format!("--{} is for {place}", kebab(name))));
        }
    }
    Ok(())
}

/// A run to go on with, and its settings with those that may be others.
fn resumed<T: Task>(path: &Path, given: &[Given]) -> TaskResult<(Run, T::Settings)> {
    let run = Run::reopen(path)?;
    let mut settings = settings_of::<T>(&run)?;
    for Given { name, text } in given {
        ensure!(T::FREE.contains(&name.as_str()), "--{}: a run goes on with its own settings", kebab(name));
        settings.set(name, text)?;
    }
    settings.check()?;
    Ok((run.locked()?, settings))
}

fn interrupted<T: Task>(run: &Path, report: &Report, is_kept: bool) -> Shown {
    let text = match is_kept {
        true => format!(
            "Training was interrupted after {} steps, and is saved.\n\nNext:\n  precept train {} --resume {}\n",
            report.steps,
            T::NAME,
            quoted(&run.display().to_string())
        ),
        false => "Training was interrupted before its first step; nothing was written.\n".to_owned(),
    };
    let json =
        json!({ "task": T::NAME, "run": run, "interrupted": true, "step": is_kept.then_some(report.steps) });
    Shown::answer(false, text, json)
}

/// The settings of a run in words, but for those that mean nothing beside the others.
fn in_words<T: Task>(settings: &T::Settings) -> Vec<Setting> {
    let mut flags = T::Settings::flags();
    flags.retain(|flag| T::misplaced(settings, flag.name).is_none());
    settings_in_words(&flags, &settings.typed())
}

/// What is said of training that was stopped before it began or went on.
fn before_training<T: Task>(path: &Path, keep: &Keep<'_>) -> Shown {
    let nothing = Report {
        schedule: String::new(),
        stop: StopReason::Interrupted,
        steps: 0,
        seconds: [0.0; 3],
        cpu_seconds: 0.0,
    };
    match keep {
        Keep::In(run) => {
            let text = format!(
                "Interrupted before training went on; the run is as it was.\n\nNext:\n  precept train {} --resume {}\n",
                T::NAME,
                quoted(&run.path().display().to_string())
            );
            Shown::answer(false, text, json!({ "task": T::NAME, "run": run.path(), "interrupted": true }))
        }
        _ => interrupted::<T>(path, &nothing, false),
    }
}

/// What is said of a run that was trained and whose scoring was stopped.
fn unscored<T: Task>(run: &str) -> Shown {
    let name = quoted(run);
    let text = format!(
        "Trained, and written to {run}; it was interrupted while examples were answered.\n\nNext:\n  \
         precept eval {name}\n  precept report {name}\n"
    );
    Shown::answer(false, text, json!({ "task": T::NAME, "run": run, "interrupted": true, "trained": true }))
}

/// What is said of examples that were not all answered.
fn half_scored<T: Task>(run: &Run, score: Option<&T::Score>) -> Shown {
    let so_far = score.and_then(T::so_far).map_or_else(String::new, |line| format!("{line}\n"));
    let text = format!("Interrupted before all examples were answered.\n{so_far}");
    Shown::answer(
        false,
        text,
        json!({ "task": T::NAME, "run": run.path(), "interrupted": true, "so_far": so_far.trim() }),
    )
}

/// The figures of a run, and the page about it.
fn write_page<T: Task>(run: &Run, case: Case<'_, T>, score: &T::Score) -> TaskResult<()> {
    let name = quoted(&run.path().display().to_string());
    let flags = as_typed(case.settings);
    let page = Page {
        task: T::NAME,
        about: T::ABOUT,
        is_interrupted: !run.is_finished(),
        sections: T::sections(case, score)?,
        assumptions: T::assumptions(case.settings, &T::Evaluation::default()),
        commands: vec![
            format!("precept train {} {flags} --out {name}", T::NAME).replace("  ", " "),
            format!("precept eval {name}"),
            format!("precept report {name}"),
        ],
        settings: in_words::<T>(case.settings),
    };
    let html = page::render(run, &page).context(format!("{}: no page about it", run.path().display()))?;
    run.write_score(&KeptScore::of(&page.sections))?;
    Ok(run.write_report(&html)?)
}

impl<T: Task> AnyTask for T {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn about(&self) -> &'static str {
        T::ABOUT
    }

    fn help(&self, verb: Verb) -> &'static str {
        T::help(verb)
    }

    fn flags(&self, verb: Verb) -> Vec<Flag> {
        match verb {
            Verb::Train => T::Settings::flags(),
            Verb::Eval => T::Evaluation::flags(),
            Verb::Solve => T::Input::flags(),
            Verb::Ground => T::Domain::flags(),
        }
    }

    fn run_path(&self, request: &TrainRequest) -> TaskResult<PathBuf> {
        match request.resume.as_ref().or(request.out.as_ref()) {
            Some(path) => Ok(path.clone()),
            None => Ok(PathBuf::from("runs").join(T::run_name(&typed(&request.given)?))),
        }
    }

    fn train(&self, request: &TrainRequest, control: &dyn Control) -> TaskResult<Shown> {
        let path = self.run_path(request)?;
        let (keep, settings) = match &request.resume {
            Some(path) => {
                let (run, settings) = resumed::<T>(path, &request.given)?;
                (Keep::In(run), settings)
            }
            None => {
                let mut settings: T::Settings = typed(&request.given)?;
                check_places::<T>(&settings, &request.given)?;
                // The directory is kept for the run before any long work; if nothing comes of it, it goes.
                let reserved = Run::reserve(&path, request.force)?;
                T::settle(&mut settings)?;
                let table = toml::Table::try_from(&settings)?;
                let keep = Keep::New(Box::new(move || reserved.create(T::NAME, &table, T::FREE)));
                (keep, settings)
            }
        };
        let data = match T::data(&settings, control) {
            // What goes wrong in data that are half made is no fault.
            _ if control.is_cancelled() => return Ok(before_training::<T>(&path, &keep)),
            data => data?,
        };
        let (run, model, report) = match keep {
            Keep::In(run) if run.is_finished() => {
                let model = run.model()?;
                (run, model, None)
            }
            keep => {
                let mut schedule = T::schedule(&settings, &data)?;
                let (probe, save_every) = (T::probe(&settings, &data), request.save_every);
                let training = Training { keep, probe, control, save_every, ..Training::default() };
                let trained = train(&mut *schedule, training)?;
                match (trained.report.stop, trained.run, trained.model) {
                    (StopReason::Settled | StopReason::Steps, Some(run), Some(model)) => {
                        (run, model, Some(trained.report))
                    }
                    (_, run, _) => return Ok(interrupted::<T>(&path, &trained.report, run.is_some())),
                }
            }
        };
        let (case, how) = (Case::<T> { settings: &settings, model: &model, data: &data }, Default::default());
        let path = run.path().display().to_string();
        let score = match T::score(case, &how, control) {
            _ if control.is_cancelled() => return Ok(unscored::<T>(&path)),
            score => score?,
        };
        write_page(&run, case, &score)?;
        let mut shown = T::show(case, &how, &score, report.as_ref())?;
        shown.text += &format!("\nWritten to {path}; all of it on one page: {path}/report.html\n\nNext:\n");
        for line in T::next(&settings) {
            shown.text += &format!("  {}\n", line.replace("{run}", &quoted(&path)));
        }
        shown.json["task"] = json!(T::NAME);
        shown.json["run"] = json!(run.path());
        Ok(shown)
    }

    fn evaluate(&self, run: &Run, given: &[Given], control: &dyn Control) -> TaskResult<Shown> {
        let (settings, how) = (settings_of::<T>(run)?, typed::<T::Evaluation>(given)?);
        let model = run.model()?;
        let data = match T::held_out(&settings, &how, control) {
            _ if control.is_cancelled() => return Ok(half_scored::<T>(run, None)),
            data => data?,
        };
        let case = Case::<T> { settings: &settings, model: &model, data: &data };
        let score = match of_model(run, T::score(case, &how, control)) {
            score if control.is_cancelled() => return Ok(half_scored::<T>(run, score.ok().as_ref())),
            score => score?,
        };
        let mut shown = T::show(case, &how, &score, None)?;
        shown.text = format!("{}\n{}", run.path().display(), shown.text);
        let assumptions = T::assumptions(&settings, &how);
        if !assumptions.is_empty() {
            shown.text += &format!("\nThese figures lean on this: {}.\n", assumptions.join("; "));
        }
        shown.json["run"] = json!(run.path());
        Ok(shown)
    }

    fn solve(&self, run: &Run, given: &[Given], asking: &Asking, control: &dyn Control) -> TaskResult<Shown> {
        let (settings, input) = (settings_of::<T>(run)?, typed(given)?);
        let model = run.model()?;
        let mut shown = of_model(run, T::solve(&settings, &model, &input, asking, control))?;
        shown.json["run"] = json!(run.path());
        Ok(shown)
    }

    fn adapt(
        &self,
        run: &Run,
        source: &Path,
        settings: &AdaptSettings,
        (out, force): (&Path, bool),
        control: &dyn Control,
    ) -> TaskResult<Shown> {
        let of_run = settings_of::<T>(run)?;
        settings.check()?;
        // The directory is kept for the run before any long work; if nothing comes of it, it goes.
        let reserved = Run::reserve(out, force)?;
        let adapting = T::adapting(&of_run, &run.model()?, source, settings, control)?;
        let mut shown = of_model(run, adapted_run(run, &adapting, settings, (source, reserved), control))?;
        shown.json["task"] = json!(T::NAME);
        Ok(shown)
    }

    fn ground(&self, run: &Run, given: &[Given]) -> TaskResult<Problem> {
        let (settings, domain) = (settings_of::<T>(run)?, typed(given)?);
        let model = Model { rules: run.rules(None)?, ..Model::default() };
        T::ground(&settings, &model, &domain)
    }

    fn rules(&self, run: &Run) -> TaskResult<Option<Shown>> {
        T::rules(&settings_of::<T>(run)?, &run.rules(None)?)
    }

    fn for_reader(&self, run: &Run) -> TaskResult<RuleSet> {
        T::for_reader(&settings_of::<T>(run)?, &run.rules(None)?)
    }

    fn report(&self, run: &Run, control: &dyn Control) -> TaskResult<()> {
        let run = run.clone().locked()?;
        let (settings, how) = (settings_of::<T>(&run)?, Default::default());
        let (model, data) = (run.model()?, T::held_out(&settings, &how, control)?);
        let case = Case::<T> { settings: &settings, model: &model, data: &data };
        let score = of_model(&run, T::score(case, &how, control))?;
        ensure!(!control.is_cancelled(), "interrupted before all examples were answered");
        write_page(&run, case, &score)
    }

    fn compare(&self, runs: &[Run]) -> TaskResult<String> {
        let compared = |run: &Run| -> TaskResult<Compared> {
            Ok(Compared {
                settings: in_words::<T>(&settings_of::<T>(run)?),
                rules: run.rules(None)?,
                score: run.score()?,
                measurements: run.measurements()?,
                run: run.clone(),
            })
        };
        let runs = runs.iter().map(compared).collect::<TaskResult<Vec<_>>>()?;
        Ok(page::compare(T::NAME, T::ABOUT, &runs))
    }

    fn actions(&self) -> &'static [&'static dyn AnyAction] {
        T::actions()
    }
}
