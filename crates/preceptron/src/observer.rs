//! Those who watch training: a screen, a file of measurements, a test.

use std::io::{self, Write};

use serde::Serialize;

use crate::{Metrics, Report};

/// What was measured at a step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepRecord<'a> {
    /// The name of what is trained.
    pub learner: &'a str,
    /// The step's number, from 1.
    pub step: u64,
    /// The measurements.
    #[serde(flatten)]
    pub metrics: Metrics,
}

/// Watches training. What a method is not written for passes unseen.
pub trait Observer {
    /// Training begins, and takes so many steps at the most.
    fn started(&mut self, _learner: &str, _steps: u64) {}

    /// A step is done.
    fn step(&mut self, _record: &StepRecord<'_>) {}

    /// Training is over.
    fn finished(&mut self, _report: &Report) {}
}

/// Writes each step as one line of JSON, and the end as one more. Nothing in a line depends on time, so
/// that equal runs leave equal files.
pub struct JsonLines<W: Write> {
    out: W,
    fault: Option<io::Error>,
}

impl<W: Write> JsonLines<W> {
    /// Lines to `out`.
    pub fn new(out: W) -> JsonLines<W> {
        JsonLines { out, fault: None }
    }

    /// The first error in writing, if there was any: training goes on without its measurements.
    pub fn close(mut self) -> io::Result<()> {
        self.fault.take().map_or_else(|| self.out.flush(), Err)
    }

    fn line(&mut self, value: &impl Serialize) {
        if self.fault.is_none() {
            let written = serde_json::to_string(value).map_err(io::Error::from).and_then(|mut line| {
                line.push('\n');
                self.out.write_all(line.as_bytes())?;
                self.out.flush()
            });
            self.fault = written.err();
        }
    }
}

impl<W: Write> Observer for JsonLines<W> {
    fn step(&mut self, record: &StepRecord<'_>) {
        self.line(record);
    }

    fn finished(&mut self, report: &Report) {
        let Report { schedule, stop, steps, .. } = report;
        self.line(&serde_json::json!({ "learner": schedule, "stop": stop, "steps": steps }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StopReason;

    #[test]
    fn a_step_is_a_line() {
        let mut bytes = Vec::new();
        let mut lines = JsonLines::new(&mut bytes);
        let metrics = Metrics::new([("zeal", 0.5), ("age", f64::NAN)]);
        lines.step(&StepRecord { learner: "rows", step: 3, metrics });
        lines.finished(&Report {
            schedule: "rows".into(),
            stop: StopReason::Steps,
            steps: 3,
            seconds: [0.1; 3],
            cpu_seconds: 0.3,
        });
        lines.close().unwrap();
        assert_eq!(
            String::from_utf8(bytes).unwrap(),
            "{\"learner\":\"rows\",\"step\":3,\"zeal\":0.5,\"age\":null}\n\
             {\"learner\":\"rows\",\"steps\":3,\"stop\":\"steps\"}\n"
        );
    }

    #[test]
    fn an_error_in_writing_comes_out_at_the_end() {
        let mut short = [0u8; 10];
        let mut lines = JsonLines::new(&mut short[..]);
        lines.step(&StepRecord { learner: "rows", step: 1, metrics: Metrics::default() });
        assert!(lines.close().is_err());
    }
}
