//! Training of a run, from the beginning or from its checkpoint.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use precept::{
    Calibration, Checkpoint, Metrics, Observer, Probe, Run, Schedule, Staged, StopReason, calibrate, follow,
    read,
};
use precept_learn::Control;
use precept_logic::RuleSet;
use precept_perceive::{Classifier, Perception};

use super::{Data, RunSettings};

/// Training boards whose pictures are read now and then, to show how training goes.
const WATCHED: usize = 50;

/// What training ended in.
pub struct Outcome {
    pub rules: RuleSet,
    pub classifier: Classifier,
    pub calibration: Option<Calibration>,
    /// The number of rules that were found in the answers alone.
    pub from_answers: usize,
    /// The share of the givens' pictures that these fixed.
    pub by_rules: f64,
    /// Whether training was stopped before its end.
    pub is_interrupted: bool,
    /// Seconds for the first rules, the steps, and the last rules.
    pub seconds: [f64; 3],
}

/// Trains, from the checkpoint if the run has one, and writes what was learned. Nothing if training was
/// interrupted before its first step.
pub fn train(
    settings: &RunSettings,
    data: &Data,
    run: &Run,
    save_every: Duration,
    observers: &mut [&mut dyn Observer],
    control: &dyn Control,
) -> anyhow::Result<Option<Outcome>> {
    let learner = settings.learner()?;
    let mut classifier = settings.classifier()?;
    let begun = Instant::now();
    let checkpoint = run.checkpoint()?;
    let mut schedule = match &checkpoint {
        None => Staged::begin(&data.training, &mut classifier, settings.staged, &learner, control)?,
        Some(Checkpoint { network, state, schedule, .. }) => {
            ensure!(schedule == "staged", "{}: the schedule {schedule:?} is not known", run.path().display());
            classifier.load(network)?;
            Staged::resume(&data.training, &mut classifier, settings.staged, &learner, state)?
        }
    };
    if control.is_cancelled() && checkpoint.is_none() {
        return Ok(None);
    }
    let mut seconds = [begun.elapsed().as_secs_f64(), 0.0, 0.0];
    let mut metrics = run.metrics_after(schedule.made())?;
    let mut observers: Vec<&mut dyn Observer> =
        observers.iter_mut().map(|observer| &mut **observer as _).collect();
    observers.push(&mut metrics);
    let report =
        follow(&mut schedule, run, Some(probe(settings, data)), &mut observers, control, save_every)?;
    drop(observers);
    let path = run.path().display();
    metrics.close().with_context(|| format!("{path}: metrics.jsonl cannot be written"))?;
    seconds[1] = report.seconds;
    let begun = Instant::now();
    let mut rules = schedule.rules();
    if report.stop != StopReason::Interrupted {
        let concluded = schedule.conclude(control)?;
        // Half a search is worth less than the rules that training went by.
        rules = if control.is_cancelled() { rules } else { concluded };
    }
    let is_interrupted = report.stop == StopReason::Interrupted || control.is_cancelled();
    seconds[2] = begun.elapsed().as_secs_f64();
    let (from_answers, by_rules) = (schedule.rules_from_known(), schedule.grounded_by_rules());
    let calibration =
        calibrate(&data.training, schedule.perception(), schedule.held_out(), schedule.symbols())?;
    let mut note = |key: &str, value: String| rules.notes.insert(key.to_owned(), value);
    note("source", "precept train sudoku".to_owned());
    note("program", format!("precept {}", env!("CARGO_PKG_VERSION")));
    if is_interrupted {
        note("interrupted", "training was stopped before its end".to_owned());
    }
    run.write_network(&schedule.perception().save()?)?;
    run.write_calibration(calibration.as_ref())?;
    run.write_rules(None, &rules)?;
    if !is_interrupted {
        run.remove_checkpoint()?;
    }
    let outcome = Outcome { rules, classifier, calibration, from_answers, by_rules, is_interrupted, seconds };
    Ok(Some(outcome))
}

/// What a run that was trained ended in, as far as its files tell.
pub fn load(settings: &RunSettings, run: &Run) -> anyhow::Result<(RuleSet, Classifier, Option<Calibration>)> {
    let mut classifier = settings.classifier()?;
    classifier.load(&run.network()?)?;
    Ok((run.rules(None)?, classifier, run.calibration()?))
}

/// Measures how many digits of some training boards are read right, and the rank of the rules. Training
/// knows nothing of it.
fn probe<'a>(settings: &RunSettings, data: &'a Data) -> Probe<'a> {
    let boards: Vec<usize> = (0..data.training.len().min(WATCHED)).collect();
    let places = |board: usize| data.training.sights(board).iter().map(|sight| sight.place as usize);
    let truth: Vec<u8> = boards
        .iter()
        .flat_map(|&board| places(board).map(move |cell| (board, cell)))
        .map(|(board, cell)| data.train[board].solution.digits()[cell])
        .collect();
    let measure = move |schedule: &dyn Schedule| {
        let readings = read(&data.training, schedule.perception(), &boards)?;
        let right =
            readings.most_probable().zip(&truth).filter(|(read, truth)| *read + 1 == usize::from(**truth));
        let share = right.count() as f64 / truth.len().max(1) as f64;
        Ok(Metrics::new([("digits_right", share), ("rank", schedule.rules().rank() as f64)]))
    };
    Probe { every: (settings.staged.steps / 40).max(1), measure: Box::new(measure) }
}
