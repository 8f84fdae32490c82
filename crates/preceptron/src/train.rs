//! The loop of training, which knows nothing of what is trained or who watches.
//!
//! With a run, a checkpoint is kept in its directory, so that training that was interrupted or killed goes on
//! from there and ends, bit for bit, where uninterrupted training does; and what was learned is written there.

use std::fmt;
use std::time::{Duration, Instant};

use preceptron_base::meter::Started;
use preceptron_base::{Control, Quiet};
use serde::Serialize;

use crate::{Checkpoint, Metrics, Model, Observer, Probe, Run, RunError, Schedule, StepRecord, TrainError};

/// Why training ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// Another step would change nothing.
    Settled,
    /// All steps were made.
    Steps,
    /// The caller asked for it.
    Interrupted,
}

/// How training went.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The name of the schedule.
    pub schedule: String,
    /// Why it ended.
    pub stop: StopReason,
    /// Steps that were made.
    pub steps: u64,
    /// Seconds on the clock: before the first step, for the steps, and after the last.
    pub seconds: [f64; 3],
    /// Seconds of all processors together, from beginning to end.
    pub cpu_seconds: f64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stop = match self.stop {
            StopReason::Settled => "came to rest after",
            StopReason::Steps => "made all of its",
            StopReason::Interrupted => "was interrupted after",
        };
        let plural = if self.steps == 1 { "" } else { "s" };
        write!(f, "{} {stop} {} step{plural}, {:.2} s", self.schedule, self.steps, self.seconds[1])
    }
}

/// Where checkpoints, measurements and the model are kept.
#[derive(Default)]
pub enum Keep<'a> {
    /// Nowhere: the caller has the model.
    #[default]
    Nowhere,
    /// In a run, which goes on from its checkpoint if it has one.
    In(Run),
    /// In a run that is made once training can begin, so that a start that fails leaves nothing.
    New(Box<dyn FnOnce() -> Result<Run, RunError> + 'a>),
}

/// What training came to.
#[derive(Debug)]
pub struct Trained {
    /// Where it is kept; nothing if it is kept nowhere, or was stopped before the first step.
    pub run: Option<Run>,
    /// How it went.
    pub report: Report,
    /// What was learned; nothing if it was stopped before the first step.
    pub model: Option<Model>,
}

/// What a schedule is followed with.
pub struct Training<'a> {
    /// Where it is kept.
    pub keep: Keep<'a>,
    /// What is measured now and then.
    pub probe: Option<Probe<'a>>,
    /// Who watches, beside the run's own files.
    pub observers: Vec<&'a mut dyn Observer>,
    /// Progress, and a way to stop.
    pub control: &'a dyn Control,
    /// The time between two checkpoints.
    pub save_every: Duration,
}

impl Default for Training<'_> {
    fn default() -> Self {
        let save_every = Duration::from_secs(10);
        Training { keep: Keep::Nowhere, probe: None, observers: Vec::new(), control: &Quiet, save_every }
    }
}

/// What stands beside the bar while training goes on: measurements by which it can be followed.
#[derive(Default)]
struct Noted {
    last: Vec<(&'static str, f64)>,
    shown: Option<Instant>,
}

impl Noted {
    /// The measurements that are shown, those that a step does not have as they were last.
    const SHOWN: [(&'static str, &'static str); 4] = [
        ("loss", "loss"),
        ("digits_right", "digits right"),
        ("grounded", "grounded"),
        ("boolean_weights", "Boolean"),
    ];

    /// Takes up the measurements of a step, and shows them a few times a second.
    fn look(&mut self, metrics: &Metrics, control: &dyn Control) {
        for (name, _) in Noted::SHOWN {
            if let Some(value) = metrics.get(name) {
                self.last.retain(|(known, _)| *known != name);
                self.last.push((name, value));
            }
        }
        if self.shown.is_none_or(|shown| shown.elapsed() > Duration::from_millis(200)) {
            self.shown = Some(Instant::now());
            control.note(&self.text());
        }
    }

    fn text(&self) -> String {
        let value = |name: &str| self.last.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        let part = |(name, words): (&str, &str)| {
            let value = value(name)?;
            Some(if name == "loss" {
                format!("{words} {value:.3}")
            } else {
                format!("{words} {:.1}%", 100.0 * value)
            })
        };
        Noted::SHOWN.into_iter().filter_map(part).collect::<Vec<_>>().join(", ")
    }
}

/// Makes steps until all are made, none would change anything, or `control` says to stop.
///
/// # Errors
/// If a step fails, or the run's files cannot be written.
pub fn train(schedule: &mut dyn Schedule, training: Training<'_>) -> Result<Trained, TrainError> {
    let Training { keep, mut probe, mut observers, control, save_every } = training;
    let name = schedule.name();
    let (begun, started) = (Instant::now(), Started::now());
    let saved = match &keep {
        Keep::In(run) => run.checkpoint()?,
        _ => None,
    };
    let is_new = saved.is_none();
    match saved {
        Some(saved) if saved.schedule == name => schedule.restore(&saved.state)?,
        Some(saved) => {
            return Err(TrainError::State(format!("it is one of the schedule {}", saved.schedule)));
        }
        None => schedule.begin(control)?,
    }
    let before = begun.elapsed().as_secs_f64();
    if control.is_cancelled() && is_new {
        let (schedule, stop) = (name.to_owned(), StopReason::Interrupted);
        let report = Report {
            schedule,
            stop,
            steps: 0,
            seconds: [before, 0.0, 0.0],
            cpu_seconds: started.cost().busy(),
        };
        return Ok(Trained { report, model: None, run: None });
    }
    let run = match keep {
        Keep::Nowhere => None,
        Keep::In(run) => Some(run),
        Keep::New(create) => Some(create()?),
    };
    let run = run.as_ref();
    let save = |schedule: &dyn Schedule| match run {
        Some(run) => Ok::<_, TrainError>(run.write_checkpoint(&Checkpoint::of(schedule)?)?),
        None => Ok(()),
    };
    save(schedule)?;
    let mut metrics = run.map(|run| run.metrics_after(schedule.made())).transpose()?;
    let mut events = run.map(Run::tensorboard).transpose()?;
    observers.extend(metrics.as_mut().map(|lines| lines as &mut dyn Observer));
    observers.extend(events.as_mut().map(|events| events as &mut dyn Observer));
    observers.iter_mut().for_each(|observer| observer.started(name, schedule.steps()));

    let (begun, mut saved) = (Instant::now(), Instant::now());
    let show = |schedule: &dyn Schedule| {
        control.stage(name, schedule.steps());
        control.advance(schedule.made());
    };
    show(schedule);
    let mut noted = Noted::default();
    while schedule.made() < schedule.steps() && !schedule.is_settled() && !control.is_cancelled() {
        let (before, began) = (schedule.made(), Instant::now());
        let mut metrics = schedule.step(control)?;
        let made = schedule.made();
        if made == before {
            continue;
        }
        if let Some(probe) = &mut probe
            && !control.is_cancelled()
            && (made == 1 || made.is_multiple_of(probe.every.max(1)) || made == schedule.steps())
        {
            metrics.extend((probe.measure)(schedule)?);
        }
        // A long step has shown a stage of its own.
        if began.elapsed() > Duration::from_millis(500) {
            show(schedule);
        } else {
            control.advance(made - before);
        }
        noted.look(&metrics, control);
        let record = StepRecord { learner: name, step: made, metrics };
        observers.iter_mut().for_each(|observer| observer.step(&record));
        if saved.elapsed() > save_every {
            save(schedule)?;
            saved = Instant::now();
        }
    }
    save(schedule)?;
    let stop = match (schedule.is_settled(), schedule.made() < schedule.steps()) {
        (true, _) => StopReason::Settled,
        (false, true) => StopReason::Interrupted,
        (false, false) => StopReason::Steps,
    };
    let steps = begun.elapsed().as_secs_f64();
    let mut report = Report {
        schedule: name.to_owned(),
        stop,
        steps: schedule.made(),
        seconds: [before, steps, 0.0],
        cpu_seconds: started.cost().busy(),
    };
    observers.iter_mut().for_each(|observer| observer.finished(&report));
    drop(observers);
    let path = run.map(Run::path);
    let failed = |source| RunError::File { path: path.unwrap_or("".as_ref()).to_owned(), source };
    metrics.map_or(Ok(()), |lines| lines.close()).map_err(failed)?;
    events.map_or(Ok(()), |events| events.close()).map_err(failed)?;

    let begun = Instant::now();
    let finished = match stop {
        StopReason::Interrupted => None,
        // Half a search is worth less than the rules that training went by.
        _ => Some(schedule.finish(control)?).filter(|_| !control.is_cancelled()),
    };
    if finished.is_none() {
        report.stop = StopReason::Interrupted;
    }
    let is_finished = finished.is_some();
    let model = finished.map_or_else(|| schedule.so_far(), Ok)?;
    report.seconds[2] = begun.elapsed().as_secs_f64();
    report.cpu_seconds = started.cost().busy();
    if let Some(run) = run {
        run.write_model(&model, is_finished)?;
    }
    Ok(Trained { report, model: Some(model), run: run.cloned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::State;
    use std::sync::atomic::AtomicBool;

    /// Counts, and rests at a number.
    struct Counter(u64, u64);

    impl Schedule for Counter {
        fn name(&self) -> &'static str {
            "counter"
        }

        fn steps(&self) -> u64 {
            5
        }

        fn made(&self) -> u64 {
            self.0
        }

        fn is_settled(&self) -> bool {
            self.0 == self.1
        }

        fn step(&mut self, _control: &dyn Control) -> Result<Metrics, TrainError> {
            self.0 += 1;
            Ok(Metrics::new([("count", self.0 as f64)]))
        }

        fn state(&self) -> Result<State, TrainError> {
            Ok(State { rest: self.0.to_le_bytes().to_vec(), ..State::default() })
        }

        fn restore(&mut self, state: &State) -> Result<(), TrainError> {
            self.0 = u64::from_le_bytes(
                state.rest[..].try_into().map_err(|_| TrainError::State("length".into()))?,
            );
            Ok(())
        }

        fn so_far(&mut self) -> Result<Model, TrainError> {
            Ok(Model::default())
        }

        fn finish(&mut self, _control: &dyn Control) -> Result<Model, TrainError> {
            Ok(Model { found: self.0.into(), ..Model::default() })
        }
    }

    #[derive(Default)]
    struct Log(Vec<String>);

    impl Observer for Log {
        fn started(&mut self, learner: &str, steps: u64) {
            self.0.push(format!("{learner} {steps}"));
        }

        fn step(&mut self, record: &StepRecord<'_>) {
            self.0.push(format!("{} {:?}", record.step, record.metrics.get("count")));
        }

        fn finished(&mut self, report: &Report) {
            self.0.push(format!("{:?} {}", report.stop, report.steps));
        }
    }

    fn log(rest: u64, control: &dyn Control) -> (Vec<String>, Trained) {
        let mut log = Log::default();
        let training = Training { observers: vec![&mut log], control, ..Training::default() };
        let trained = train(&mut Counter(0, rest), training).unwrap();
        (log.0, trained)
    }

    #[test]
    fn observers_see_the_beginning_every_step_and_the_end() {
        let (lines, trained) = log(2, &Quiet);
        assert_eq!(lines, ["counter 5", "1 Some(1.0)", "2 Some(2.0)", "Settled 2"]);
        assert_eq!(trained.model.unwrap().found, 2);
        assert_eq!(log(9, &Quiet).0[6], "Steps 5");
        let (lines, trained) = log(9, &AtomicBool::new(true));
        assert!(lines.is_empty() && trained.model.is_none());
        assert_eq!(trained.report.stop, StopReason::Interrupted);
    }

    #[test]
    fn what_stands_beside_the_bar() {
        let mut noted = Noted::default();
        noted.look(&Metrics::new([("loss", 0.25), ("digits_right", 0.5), ("rank", 3.0)]), &Quiet);
        noted.look(&Metrics::new([("loss", 0.125)]), &Quiet);
        assert_eq!(noted.text(), "loss 0.125, digits right 50.0%");
    }

    /// Stops after so many questions.
    struct Impatient(std::sync::atomic::AtomicU64);

    impl Control for Impatient {
        fn is_cancelled(&self) -> bool {
            self.0.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) == 0
        }
    }

    #[test]
    fn a_run_goes_on_where_it_was_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        let run = Run::reserve(&path, false).unwrap().create("toy", &toml::Table::new(), &[]).unwrap();
        let control = Impatient(4.into());
        let trained = train(
            &mut Counter(0, 9),
            Training { keep: Keep::In(run.clone()), control: &control, ..Training::default() },
        );
        assert_eq!(trained.unwrap().report.stop, StopReason::Interrupted);
        assert!(!run.is_finished());
        let mut again = Counter(0, 9);
        let trained =
            train(&mut again, Training { keep: Keep::In(run.clone()), ..Training::default() }).unwrap();
        assert_eq!((trained.report.steps, trained.model.unwrap().found), (5, 5.into()));
        assert!(run.is_finished());
        let steps: Vec<u64> =
            run.measurements().unwrap().iter().filter_map(|line| line.get("step")?.as_u64()).collect();
        assert_eq!(steps, [1, 2, 3, 4, 5]);
    }
}
