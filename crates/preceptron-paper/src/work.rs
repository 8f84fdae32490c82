//! The work on one unit: what it depends on, how it is trained and gone on with, what it gives.

use preceptron::{Context, Keep, Model, PROGRAM, Run, Schedule, StopReason, TaskResult, Training, train};
use preceptron_base::Control;
use serde_json::{Value, json};

use crate::kept::Kept;
use crate::scale::Scale;
use crate::settings::PaperSettings;
use crate::unit::{Course, Experiment, Figures, Measured, Unit};
use crate::watched::Watched;
use crate::{driving, nonogram, sudoku, xor};

/// All that units share.
#[derive(Clone, Debug)]
pub struct Bench {
    /// What was asked for.
    pub settings: PaperSettings,
    /// How large everything is.
    pub scale: Scale,
    /// Where results are kept.
    pub kept: Kept,
}

/// The work on one unit.
pub struct Work<'a> {
    /// What it shares with others.
    pub bench: &'a Bench,
    /// The unit.
    pub unit: Unit,
    /// All that it depends on.
    pub made_with: Value,
    /// Progress, and a way to stop.
    pub control: &'a dyn Control,
}

/// What a unit gives, beside what it is made with.
pub struct Found {
    /// The figures.
    pub figures: Figures,
    /// How training went.
    pub course: Course,
    /// Examples to train on.
    pub examples: usize,
    /// What is to be said.
    pub notes: Vec<String>,
    /// Pictures.
    pub pictures: Vec<String>,
}

impl Bench {
    /// The folder is made, and files are looked for.
    ///
    /// # Errors
    /// If files do not go together, or the folder cannot be made.
    pub fn new(settings: &PaperSettings) -> TaskResult<Bench> {
        let settings = settings.settled()?;
        let (scale, kept) = (Scale::of(&settings), Kept::below(&settings.out)?);
        Ok(Bench { settings, scale, kept })
    }

    /// Seconds of the processors that a unit's training may take.
    pub fn budget(&self, unit: &Unit) -> f64 {
        self.scale.budget(&self.settings, unit.experiment, unit.method)
    }

    /// All that a unit depends on.
    pub fn made_with(&self, unit: &Unit) -> Value {
        let of_task = match unit.experiment {
            Experiment::Sudoku(boards) => sudoku::made_with(self, boards),
            Experiment::Nonogram(_) => nonogram::made_with(self),
            Experiment::Xor(_) => xor::made_with(self),
            Experiment::Driving(scenery) => driving::made_with(self, scenery),
        };
        json!({ "program": PROGRAM, "unit": unit.to_string(), "budget": self.budget(unit), "task": of_task })
    }

    /// Measures a unit; nothing if it was interrupted.
    ///
    /// # Errors
    /// If data cannot be read, or training fails.
    pub fn measure(&self, unit: Unit, control: &dyn Control) -> TaskResult<Option<Measured>> {
        let work = Work { bench: self, unit, made_with: self.made_with(&unit), control };
        let found = match unit.experiment {
            Experiment::Sudoku(boards) => sudoku::measure(&work, boards),
            Experiment::Nonogram(boards) => nonogram::measure(&work, boards),
            Experiment::Xor(length) => xor::measure(&work, length),
            Experiment::Driving(scenery) => driving::measure(&work, scenery),
        };
        let Some(found) = found? else { return Ok(None) };
        let Found { figures, course, examples, notes, pictures } = found;
        let (unit_name, made_with) = (unit.to_string(), work.made_with);
        let measured = Measured { unit: unit_name, made_with, figures, course, examples, notes, pictures };
        self.kept.keep(&unit, &measured)?;
        Ok(Some(measured))
    }
}

impl Work<'_> {
    /// Seconds of the processors that training may take.
    pub fn budget(&self) -> f64 {
        self.bench.budget(&self.unit)
    }

    /// Trains, or goes on with training that was stopped; nothing if it is interrupted again.
    ///
    /// # Errors
    /// If training fails, or its run cannot be written.
    pub fn train<S: Schedule + ?Sized>(&self, schedule: &mut Watched<'_, S>) -> TaskResult<Option<Model>> {
        let path = self.bench.kept.run(&self.unit, &self.made_with);
        let keep = match Run::is_run(&path) {
            true => {
                let run = Run::reopen(&path)?.locked()?;
                if run.is_finished() {
                    return Ok(Some(run.model()?));
                }
                Keep::In(run)
            }
            false => {
                let reserved = Run::reserve(&path, false)?;
                let table =
                    toml::Table::from_iter([("made_with".to_owned(), self.made_with.to_string().into())]);
                Keep::New(Box::new(move || reserved.create("paper", &table, &[])))
            }
        };
        let trained = train(schedule, Training { keep, control: self.control, ..Training::default() })?;
        match trained.report.stop {
            StopReason::Interrupted => Ok(None),
            _ => Ok(Some(trained.model.context("training left no model")?)),
        }
    }
}
