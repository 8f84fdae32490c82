//! Training of a network together with rules, in steps that can be saved and gone on from.
//!
//! A [`Schedule`] says in what order rules, symbols and network are improved; [`follow`] owns the loop: it
//! tells observers of each step, and keeps a checkpoint in the run's directory, so that training that was
//! interrupted or killed goes on from there and ends, bit for bit, where uninterrupted training does.

use std::time::{Duration, Instant};

use preceptron_base::Control;
use preceptron_logic::RuleSet;
use preceptron_perceive::{PerceiveError, Perception};
use preceptron_reason::ReasonError;

use crate::{Checkpoint, JointError, Metrics, Observer, Report, Run, RunError, StepRecord, StopReason};

/// Why training could not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// The network.
    #[error(transparent)]
    Perceive(#[from] PerceiveError),
    /// The reasoner.
    #[error(transparent)]
    Reason(#[from] ReasonError),
    /// The directory of the run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Joint training.
    #[error(transparent)]
    Joint(#[from] JointError),
    /// No rule was found in what is known.
    #[error("no rule was found in what is known of {0} examples, so nothing says what the pictures show")]
    NoRules(usize),
    /// The rules say of no picture what it shows.
    #[error("{0} rules were found, but they say of no picture what it shows")]
    NothingGrounded(usize),
    /// A saved state does not belong to these examples and settings.
    #[error("the saved state does not fit: {0}")]
    State(String),
}

/// An order of improving rules, symbols and network.
pub trait Schedule {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Steps at the most.
    fn steps(&self) -> u64;

    /// Steps that were made.
    fn made(&self) -> u64;

    /// One step; it is not made, and nothing changes, if `control` says to stop in its midst.
    ///
    /// # Errors
    /// If the network or the reasoner fails.
    fn step(&mut self, control: &dyn Control) -> Result<Metrics, TrainError>;

    /// The rules as they are at this point.
    ///
    /// # Errors
    /// If the network fails, where it is asked for them.
    fn rules(&mut self) -> Result<RuleSet, TrainError>;

    /// What is done after the last step; the rules that it ends in.
    ///
    /// # Errors
    /// If the network or the reasoner fails.
    fn conclude(&mut self, control: &dyn Control) -> Result<RuleSet, TrainError>;

    /// The network.
    fn perception(&self) -> &dyn Perception;

    /// All that has changed since the beginning, except for the network.
    ///
    /// # Errors
    /// If it cannot be written.
    fn state(&self) -> Result<Vec<u8>, TrainError>;
}

/// Something that is measured every so many steps, beside what a step itself measures.
pub struct Probe<'a> {
    /// How many steps lie between two measurements.
    pub every: u64,
    /// What is measured. It must depend on nothing but the state of training.
    #[expect(clippy::type_complexity, reason = "a name would say less")]
    pub measure: Box<dyn FnMut(&dyn Schedule) -> Result<Metrics, TrainError> + 'a>,
}

/// Makes steps until all are made or `control` says to stop, with a checkpoint in the run's directory every
/// so often and at the end.
///
/// # Errors
/// If a step fails, or the checkpoint cannot be written.
pub fn follow(
    schedule: &mut dyn Schedule,
    run: &Run,
    mut probe: Option<Probe<'_>>,
    observers: &mut [&mut dyn Observer],
    control: &dyn Control,
    save_every: Duration,
) -> Result<Report, TrainError> {
    let begun = Instant::now();
    let mut saved = Instant::now();
    let mut stop = StopReason::Steps;
    let name = schedule.name();
    run.write_checkpoint(&Checkpoint::of(schedule)?)?;
    observers.iter_mut().for_each(|observer| observer.started(name, schedule.steps()));
    let steps = schedule.steps();
    let show = |made| {
        control.stage("training", steps);
        control.advance(made);
    };
    show(schedule.made());
    while schedule.made() < steps {
        if control.is_cancelled() {
            stop = StopReason::Interrupted;
            break;
        }
        let (before, began) = (schedule.made(), Instant::now());
        let mut metrics = schedule.step(control)?;
        let made = schedule.made();
        if made == before {
            continue;
        }
        if let Some(probe) = &mut probe
            && (made == 1 || made.is_multiple_of(probe.every.max(1)) || made == steps)
        {
            metrics.extend((probe.measure)(schedule)?);
        }
        // A long step has shown a stage of its own.
        if began.elapsed() > Duration::from_millis(500) {
            show(made);
        } else {
            control.advance(1);
        }
        let record = StepRecord { learner: name, step: made, metrics };
        observers.iter_mut().for_each(|observer| observer.step(&record));
        if saved.elapsed() > save_every {
            run.write_checkpoint(&Checkpoint::of(schedule)?)?;
            saved = Instant::now();
        }
    }
    run.write_checkpoint(&Checkpoint::of(schedule)?)?;
    let seconds = begun.elapsed().as_secs_f64();
    let report = Report { learner: name.to_owned(), stop, steps: schedule.made(), seconds };
    observers.iter_mut().for_each(|observer| observer.finished(&report));
    Ok(report)
}
