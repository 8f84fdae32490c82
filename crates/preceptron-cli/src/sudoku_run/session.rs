//! Training of a run, from the beginning or from its checkpoint.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use preceptron::{
    Calibration, Checkpoint, Joint, JointSettings, Metrics, Observer, Probe, Run, Schedule, Staged,
    StopReason, Views, calibrate, follow, read,
};
use preceptron_base::Control;
use preceptron_logic::RuleSet;
use preceptron_perceive::Perception;

use super::{Data, RunSettings};

/// Training boards whose pictures are read now and then, to show how training goes.
const WATCHED: usize = 50;

/// How often a picture is looked at once the network is trained.
pub const VIEWS: Views = Views::Five;

/// What training ended in.
pub struct Outcome {
    pub rules: RuleSet,
    pub classifier: Box<dyn Perception>,
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
    let name = if settings.joint.is_some() { "joint" } else { "staged" };
    if let Some(Checkpoint { network, schedule, .. }) = &checkpoint {
        ensure!(schedule == name, "{}: a checkpoint of the schedule {schedule}", run.path().display());
        classifier.load(network)?;
    }
    let state = checkpoint.as_ref().map(|checkpoint| &*checkpoint.state);
    let session = Session { data, run, save_every, control };
    let (ended, from_answers, by_rules, calibration) = match &settings.joint {
        Some(joint) => {
            let joint = JointSettings { seed: settings.seed(), threads: settings.staged.threads, ..*joint };
            let mut schedule = Joint::begin(&data.training, &mut *classifier, joint.check()?)?;
            state.map(|state| schedule.restore(state)).transpose()?;
            (session.follow(&mut schedule, observers)?, 0, 0.0, None)
        }
        None => {
            let mut schedule = match state {
                None => Staged::begin(&data.training, &mut *classifier, settings.staged, &learner, control)?,
                Some(state) => {
                    Staged::resume(&data.training, &mut *classifier, settings.staged, &learner, state)?
                }
            };
            if control.is_cancelled() && state.is_none() {
                return Ok(None);
            }
            let ended = session.follow(&mut schedule, observers)?;
            let (network, held_out) = (schedule.perception(), schedule.held_out());
            let calibration = calibrate(&data.training, network, VIEWS, held_out, schedule.symbols())?;
            (ended, schedule.rules_from_known(), schedule.grounded_by_rules(), calibration)
        }
    };
    let Ended { mut rules, is_interrupted, steps, last } = ended;
    let seconds = [begun.elapsed().as_secs_f64() - steps - last, steps, last];
    let mut note = |key: &str, value: String| rules.notes.insert(key.to_owned(), value);
    note("source", "precept train sudoku".to_owned());
    note("program", format!("precept {}", env!("CARGO_PKG_VERSION")));
    if is_interrupted {
        note("interrupted", "training was stopped before its end".to_owned());
    }
    run.write_network(&classifier.save()?)?;
    run.write_calibration(calibration.as_ref())?;
    run.write_rules(None, &rules)?;
    if !is_interrupted {
        run.remove_checkpoint()?;
    }
    let outcome = Outcome { rules, classifier, calibration, from_answers, by_rules, is_interrupted, seconds };
    Ok(Some(outcome))
}

/// What following a schedule ended in.
struct Ended {
    rules: RuleSet,
    is_interrupted: bool,
    /// Seconds for the steps, and for the last rules.
    steps: f64,
    last: f64,
}

/// What a schedule is followed with.
struct Session<'a> {
    data: &'a Data,
    run: &'a Run,
    save_every: Duration,
    control: &'a dyn Control,
}

impl Session<'_> {
    /// Makes the steps that are left, and learns the rules once more.
    fn follow(
        &self,
        schedule: &mut dyn Schedule,
        observers: &mut [&mut dyn Observer],
    ) -> anyhow::Result<Ended> {
        let mut metrics = self.run.metrics_after(schedule.made())?;
        let mut watching: Vec<&mut dyn Observer> = vec![&mut metrics];
        watching.extend(observers.iter_mut().map(|observer| &mut **observer as &mut dyn Observer));
        let probe = probe(self.data, schedule.steps());
        let report = follow(schedule, self.run, Some(probe), &mut watching, self.control, self.save_every)?;
        let path = self.run.path().display();
        metrics.close().with_context(|| format!("{path}: metrics.jsonl cannot be written"))?;
        let begun = Instant::now();
        let mut is_interrupted = report.stop == StopReason::Interrupted;
        let mut rules = None;
        if !is_interrupted {
            rules = Some(schedule.conclude(self.control)?);
            // Half a search is worth less than the rules that training went by.
            is_interrupted = self.control.is_cancelled();
        }
        let rules = match rules.filter(|_| !is_interrupted) {
            Some(rules) => rules,
            None => schedule.rules()?,
        };
        Ok(Ended { rules, is_interrupted, steps: report.seconds, last: begun.elapsed().as_secs_f64() })
    }
}

/// What a run that was trained ended in, as far as its files tell.
pub fn load(
    settings: &RunSettings,
    run: &Run,
) -> anyhow::Result<(RuleSet, Box<dyn Perception>, Option<Calibration>)> {
    let mut classifier = settings.classifier()?;
    classifier.load(&run.network()?)?;
    Ok((run.rules(None)?, classifier, run.calibration()?))
}

/// Measures how many digits of some training boards are read right. Training knows nothing of it.
fn probe(data: &Data, steps: u64) -> Probe<'_> {
    let boards: Vec<usize> = (0..data.training.len().min(WATCHED)).collect();
    let cells = |board: usize| data.training.sights(board).iter().map(move |sight| (board, sight.place));
    let digit = |(board, cell): (usize, u32)| data.train[board].solution.digits()[cell as usize];
    let truth: Vec<u8> = boards.iter().flat_map(|&board| cells(board)).map(digit).collect();
    let measure = move |schedule: &dyn Schedule| {
        let readings = read(&data.training, schedule.perception(), &boards)?;
        let pairs = readings.most_probable().zip(&truth);
        let right = pairs.filter(|(read, truth)| *read + 1 == usize::from(**truth)).count();
        Ok(Metrics::new([("digits_right", right as f64 / truth.len().max(1) as f64)]))
    };
    Probe { every: (steps / 40).max(1), measure: Box::new(measure) }
}
