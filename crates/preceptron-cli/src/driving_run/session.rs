//! Training of a run of driving, from the beginning or from its checkpoint, and what is kept of it.

use anyhow::{Context, ensure};
use preceptron::{Checkpoint, Observer, Report, Run, StepRecord, StopReason};
use preceptron_base::Control;
use preceptron_tasks::driving::{Findings, Frames, LearningSettings, PathLearner, Trained};

use super::DrivingSettings;
use crate::output::Destination;

const SCHEDULE: &str = "driving";
const PLANNER: &str = "planner.json";

/// What training ended in.
pub struct Outcome {
    pub trained: Trained,
    pub findings: Findings,
}

/// Trains, and keeps a checkpoint after each epoch if there is a run. Nothing if training was interrupted.
pub fn train(
    frames: &Frames,
    settings: &LearningSettings,
    run: Option<&Run>,
    observers: &mut [&mut dyn Observer],
    control: &dyn Control,
) -> anyhow::Result<Option<Outcome>> {
    control.stage("rules of paths", 1);
    let begun = std::time::Instant::now();
    let name = settings.supervision.name();
    let mut learner = PathLearner::new(frames, settings)?;
    if let Some(checkpoint) = run.map(Run::checkpoint).transpose()?.flatten() {
        let Checkpoint { schedule, network, state, .. } = checkpoint;
        ensure!(schedule == SCHEDULE, "a checkpoint of the schedule {schedule}");
        learner.load(&network, &state)?;
    }
    let steps = u64::from(settings.epochs);
    observers.iter_mut().for_each(|observer| observer.started(name, steps));
    let mut stop = StopReason::Steps;
    while learner.epoch() < settings.epochs {
        if control.is_cancelled() {
            stop = StopReason::Interrupted;
            break;
        }
        let stage = format!("{name}: epoch {} of {}", learner.epoch() + 1, settings.epochs);
        control.stage(&stage, learner.frames()[0] as u64);
        let metrics = learner.step(control)?;
        let step = u64::from(learner.epoch());
        let record = StepRecord { learner: name, step, metrics };
        observers.iter_mut().for_each(|observer| observer.step(&record));
        if let Some(run) = run {
            let (network, state) = learner.save()?;
            run.write_checkpoint(&Checkpoint { schedule: SCHEDULE.to_owned(), step, network, state })?;
        }
    }
    let (made, seconds) = (u64::from(learner.epoch()), begun.elapsed().as_secs_f64());
    let report = Report { learner: name.to_owned(), stop, steps: made, seconds };
    observers.iter_mut().for_each(|observer| observer.finished(&report));
    if stop == StopReason::Interrupted {
        return Ok(None);
    }
    control.stage("preferences and risk", 1);
    let (trained, findings) = learner.finish()?;
    if let Some(run) = run {
        keep(run, &trained, &findings)?;
    }
    Ok(Some(Outcome { trained, findings }))
}

/// Writes what was learned.
fn keep(run: &Run, trained: &Trained, findings: &Findings) -> anyhow::Result<()> {
    run.write_network(&trained.mapper.save()?)?;
    Destination::check(&run.path().join(PLANNER), true)?.write(&serde_json::to_vec(&trained.choices)?)?;
    let mut rules = findings.rules().cloned().unwrap_or_default();
    let mut note = |key: &str, value: String| rules.notes.insert(key.to_owned(), value);
    note("source", "precept train driving".to_owned());
    note("program", format!("precept {}", env!("CARGO_PKG_VERSION")));
    run.write_rules(None, &rules)?;
    run.remove_checkpoint()?;
    Ok(())
}

/// Takes up what a run learned, for frames of this size.
pub fn load(run: &Run, settings: &DrivingSettings, frames: &Frames) -> anyhow::Result<Trained> {
    let file = run.path().join(PLANNER);
    let shown = file.display();
    let bytes = std::fs::read(&file).with_context(|| format!("{shown}: cannot be read"))?;
    let choices = serde_json::from_slice(&bytes).with_context(|| format!("{shown}: is damaged"))?;
    let (network, rules) = (run.network()?, run.rules(None)?);
    Ok(Trained::load(frames, &settings.learning, &network, &rules, choices)?)
}
