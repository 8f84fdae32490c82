//! The loop of training, which knows nothing of what is trained or who watches.

use std::fmt;
use std::time::Instant;

use preceptron_base::Control;
use preceptron_logic::RuleSet;
use serde::Serialize;

use crate::{Metrics, Observer, StepRecord};

/// What one step measured, and whether another would change anything.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// The measurements.
    pub metrics: Metrics,
    /// Whether the learner has come to rest.
    pub settled: bool,
}

/// Learns rules a step at a time.
pub trait Learner {
    /// Steps at the most.
    fn steps(&self) -> u64;

    /// One step; a long one asks `control` whether to end early.
    fn step(&mut self, control: &dyn Control) -> Step;

    /// The rules as they are at this point.
    fn rules(&self) -> RuleSet;
}

/// Why training ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// Another step would change nothing.
    Settled,
    /// All steps were made.
    Steps,
    /// The caller asked for it; the rules are those found until then.
    Interrupted,
}

/// How training went.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The name of what was trained.
    pub learner: String,
    /// Why it ended.
    pub stop: StopReason,
    /// Steps that were made.
    pub steps: u64,
    /// Wall-clock time.
    pub seconds: f64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stop = match self.stop {
            StopReason::Settled => "came to rest after",
            StopReason::Steps => "made all of its",
            StopReason::Interrupted => "was interrupted after",
        };
        let plural = if self.steps == 1 { "" } else { "s" };
        write!(f, "{} {stop} {} step{plural}, {:.2} s", self.learner, self.steps, self.seconds)
    }
}

/// Makes steps until the learner rests, has made all of them, or `control` says to stop.
pub fn train(
    name: &str,
    learner: &mut dyn Learner,
    observers: &mut [&mut dyn Observer],
    control: &dyn Control,
) -> Report {
    let begun = Instant::now();
    let (mut steps, mut stop) = (0, StopReason::Steps);
    control.stage(name, learner.steps());
    observers.iter_mut().for_each(|observer| observer.started(name, learner.steps()));
    while steps < learner.steps() {
        if control.is_cancelled() {
            stop = StopReason::Interrupted;
            break;
        }
        let Step { metrics, settled } = learner.step(control);
        steps += 1;
        control.advance(1);
        let record = StepRecord { learner: name, step: steps, metrics };
        observers.iter_mut().for_each(|observer| observer.step(&record));
        if settled {
            stop = StopReason::Settled;
            break;
        }
    }
    let report = Report { learner: name.to_owned(), stop, steps, seconds: begun.elapsed().as_secs_f64() };
    observers.iter_mut().for_each(|observer| observer.finished(&report));
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::Quiet;
    use std::sync::atomic::AtomicBool;

    /// Counts, and rests at a number.
    struct Counter(u64, u64);

    impl Learner for Counter {
        fn steps(&self) -> u64 {
            5
        }

        fn step(&mut self, _control: &dyn Control) -> Step {
            self.0 += 1;
            Step { metrics: Metrics::new([("count", self.0 as f64)]), settled: self.0 == self.1 }
        }

        fn rules(&self) -> RuleSet {
            RuleSet::default()
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

    fn log(rest: u64, control: &dyn Control) -> Vec<String> {
        let mut log = Log::default();
        train("counter", &mut Counter(0, rest), &mut [&mut log], control);
        log.0
    }

    #[test]
    fn observers_see_the_beginning_every_step_and_the_end() {
        assert_eq!(log(2, &Quiet), ["counter 5", "1 Some(1.0)", "2 Some(2.0)", "Settled 2"]);
        assert_eq!(log(9, &Quiet)[6], "Steps 5");
        assert_eq!(log(9, &AtomicBool::new(true)), ["counter 5", "Interrupted 0"]);
    }
}
