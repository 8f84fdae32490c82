//! A rival's training as a schedule: epochs of batches in random order, until all are made, the loss no longer
//! falls, or the processors' time is spent.
//!
//! The time is that of all threads together, in steps alone, and goes on after a resumption. In which step it
//! ends is the clock's choice; all else depends on the seed only.

use preceptron::{Metrics, Model, Schedule, State, TrainError};
use preceptron_base::meter::Started;
use preceptron_base::{Control, stream};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use crate::{CellExamples, Rival, RivalError};

/// How long a rival is trained.
///
/// | field | default | range |
/// |---|---|---|
/// | `epochs` | 200 | 1 or more |
/// | `batch` | 16 | 1 or more |
/// | `seed` | 0 | any |
/// | `cpu_seconds` | no bound | above 0 |
/// | `patience` (epochs) | 20 | 1 or more |
/// | `least_gain` | 0.001 | 0 to 1 |
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ScheduleSettings {
    /// How often each example is seen, at the most.
    pub epochs: u64,
    /// Examples in a step.
    pub batch: usize,
    /// The seed of the order of the examples.
    pub seed: u64,
    /// Seconds of the processors that may be spent.
    pub cpu_seconds: Option<f64>,
    /// After so many epochs without a gain it has come to rest.
    pub patience: u64,
    /// An epoch has a gain if its loss is less than the least before by more than this share.
    pub least_gain: f64,
}

impl Default for ScheduleSettings {
    fn default() -> ScheduleSettings {
        ScheduleSettings {
            epochs: 200,
            batch: 16,
            seed: 0,
            cpu_seconds: None,
            patience: 20,
            least_gain: 1e-3,
        }
    }
}

impl ScheduleSettings {
    fn check(&self) -> Result<(), RivalError> {
        let (seconds, gain) = (self.cpu_seconds.unwrap_or(1.0), self.least_gain);
        for (key, value, ok, range) in [
            ("epochs", self.epochs as f64, self.epochs > 0, "1 or more"),
            ("batch", self.batch as f64, self.batch > 0, "1 or more"),
            ("cpu_seconds", seconds, seconds > 0.0, "above 0"),
            ("patience", self.patience as f64, self.patience > 0, "1 or more"),
            ("least_gain", gain, (0.0..=1.0).contains(&gain), "0 to 1"),
        ] {
            if !ok {
                return Err(RivalError::Setting { key, value: value.to_string(), range });
            }
        }
        Ok(())
    }
}

/// The training of a rival.
pub struct RivalSchedule<'a> {
    rival: Box<dyn Rival + 'a>,
    data: &'a CellExamples,
    settings: ScheduleSettings,
    /// The epoch whose order is at hand, and that order.
    ordered: Option<u64>,
    order: Vec<usize>,
    saved: Saved,
}

/// All that changes, but for the rival.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Saved {
    step: u64,
    cpu_seconds: f64,
    /// The sum of the losses in this epoch, and the mean of the last whole one.
    loss: f64,
    last: Option<f64>,
    least: Option<f64>,
    without_gain: u64,
}

impl<'a> RivalSchedule<'a> {
    /// Training that has not begun.
    ///
    /// # Errors
    /// If a setting is out of range, or there are no examples.
    pub fn new(
        rival: Box<dyn Rival + 'a>,
        data: &'a CellExamples,
        settings: ScheduleSettings,
    ) -> Result<RivalSchedule<'a>, RivalError> {
        settings.check()?;
        if data.is_empty() {
            return Err(RivalError::EmptyBatch);
        }
        let (ordered, order, saved) = Default::default();
        Ok(RivalSchedule { rival, data, settings, ordered, order, saved })
    }

    /// The rival.
    pub fn rival(&self) -> &dyn Rival {
        &*self.rival
    }

    /// Seconds of the processors that training has taken.
    pub fn cpu_seconds(&self) -> f64 {
        self.saved.cpu_seconds
    }

    /// Steps of an epoch.
    fn batches(&self) -> u64 {
        self.data.len().div_ceil(self.settings.batch) as u64
    }

    /// The examples of a step.
    fn batch(&mut self, step: u64) -> &[usize] {
        let (epoch, at) = (step / self.batches(), (step % self.batches()) as usize);
        if self.ordered != Some(epoch) {
            self.order = (0..self.data.len()).collect();
            self.order.shuffle(&mut stream(self.settings.seed, "order of a rival's examples", epoch));
            self.ordered = Some(epoch);
        }
        let from = at * self.settings.batch;
        &self.order[from..self.order.len().min(from + self.settings.batch)]
    }

    fn came_to_rest(&self) -> bool {
        self.saved.without_gain >= self.settings.patience
    }

    fn is_spent(&self) -> bool {
        self.settings.cpu_seconds.is_some_and(|most| self.saved.cpu_seconds >= most)
    }

    fn stopped(&self) -> &'static str {
        match (self.came_to_rest(), self.saved.step >= self.steps(), self.is_spent()) {
            (true, ..) => "came to rest",
            (_, true, _) => "made all of its epochs",
            (.., true) => "stopped at the budget",
            _ => "was interrupted",
        }
    }
}

impl Schedule for RivalSchedule<'_> {
    fn name(&self) -> &'static str {
        self.rival.name()
    }

    fn steps(&self) -> u64 {
        self.settings.epochs.saturating_mul(self.batches())
    }

    fn made(&self) -> u64 {
        self.saved.step
    }

    fn is_settled(&self) -> bool {
        self.came_to_rest() || self.is_spent()
    }

    fn step(&mut self, _control: &dyn Control) -> Result<Metrics, TrainError> {
        let begun = Started::now();
        let batch = self.batch(self.saved.step).to_vec();
        let loss = self.rival.fit(self.data, &batch)?;
        let saved = &mut self.saved;
        saved.step += 1;
        saved.cpu_seconds += begun.cost().busy();
        saved.loss += loss * batch.len() as f64;
        let mut metrics = Metrics::new([("loss", loss), ("cpu_seconds", saved.cpu_seconds)]);
        if self.saved.step.is_multiple_of(self.batches()) {
            let mean = self.saved.loss / self.data.len() as f64;
            let gain = self.saved.least.is_none_or(|least| mean < least * (1.0 - self.settings.least_gain));
            let saved = &mut self.saved;
            (saved.loss, saved.last) = (0.0, Some(mean));
            saved.without_gain = if gain { 0 } else { saved.without_gain + 1 };
            saved.least = if gain { Some(mean) } else { saved.least };
            metrics.extend(Metrics::new([("epoch_loss", mean)]));
        }
        Ok(metrics)
    }

    fn state(&self) -> Result<State, TrainError> {
        let rest = serde_json::to_vec(&self.saved).map_err(|error| TrainError::Task(Box::new(error)))?;
        Ok(State { network: self.rival.save()?, rest })
    }

    fn restore(&mut self, state: &State) -> Result<(), TrainError> {
        let saved: Saved =
            serde_json::from_slice(&state.rest).map_err(|error| TrainError::State(error.to_string()))?;
        if saved.step > self.steps() {
            let problem = format!("{} steps of {} were made", saved.step, self.steps());
            return Err(TrainError::State(problem));
        }
        self.rival.load(&state.network)?;
        self.saved = saved;
        Ok(())
    }

    fn so_far(&mut self) -> Result<Model, TrainError> {
        let found = serde_json::json!({
            "rival": self.rival.name(),
            "stopped": self.stopped(),
            "epochs": self.saved.step as f64 / self.batches() as f64,
            "cpu_seconds": self.saved.cpu_seconds,
            "loss": self.saved.last,
        });
        Ok(Model { network: Some(self.rival.save()?), found, ..Model::default() })
    }

    fn finish(&mut self, _control: &dyn Control) -> Result<Model, TrainError> {
        self.so_far()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CellInput, RecurrentTransformer, TransformerSettings};
    use preceptron::{StopReason, Training, train};
    use preceptron_base::Quiet;

    fn data() -> CellExamples {
        let mut data = CellExamples::new(3, 2).with_symbols(2);
        for bits in 0..8u32 {
            let inputs = [0, 1, 2].map(|bit| CellInput::Symbol(bits >> bit & 1));
            data.push(&inputs, &[Some((bits.count_ones() % 2) as u16), None, None]).unwrap();
        }
        data
    }

    fn schedule(data: &CellExamples, settings: ScheduleSettings) -> RivalSchedule<'_> {
        let size = TransformerSettings { width: 8, heads: 2, recurrences: 2, ..Default::default() };
        let rival = RecurrentTransformer::new(data.form(), size).unwrap();
        RivalSchedule::new(Box::new(rival), data, settings).unwrap()
    }

    #[test]
    fn resumed_training_ends_where_uninterrupted_training_does() {
        let (data, settings) =
            (data(), ScheduleSettings { epochs: 5, batch: 3, ..ScheduleSettings::default() });
        let mut whole = schedule(&data, settings);
        let trained = train(&mut whole, Training::default()).unwrap();
        assert_eq!(trained.report.stop, StopReason::Steps);
        assert_eq!(trained.model.unwrap().found["stopped"], "made all of its epochs");
        let (mut first, mut second) = (schedule(&data, settings), schedule(&data, settings));
        (0..7).for_each(|_| drop(first.step(&Quiet).unwrap()));
        assert_eq!(first.so_far().unwrap().found["stopped"], "was interrupted");
        second.restore(&first.state().unwrap()).unwrap();
        while second.made() < second.steps() {
            second.step(&Quiet).unwrap();
        }
        assert_eq!(second.state().unwrap().network, whole.state().unwrap().network);
        let rest = |schedule: &RivalSchedule<'_>| Saved { cpu_seconds: 0.0, ..schedule.saved.clone() };
        assert_eq!(rest(&second), rest(&whole));
        assert!(second.restore(&State::default()).is_err());
    }

    #[test]
    fn ends_at_the_budget_or_at_rest() {
        let data = data();
        let found = |settings| {
            let trained = train(&mut schedule(&data, settings), Training::default()).unwrap();
            assert_eq!(trained.report.stop, StopReason::Settled);
            trained.model.unwrap().found["stopped"].clone()
        };
        let long = ScheduleSettings { epochs: 1_000_000, patience: 1_000_000, ..ScheduleSettings::default() };
        assert_eq!(found(ScheduleSettings { cpu_seconds: Some(0.02), ..long }), "stopped at the budget");
        let rest = ScheduleSettings { patience: 2, least_gain: 1.0, ..long };
        assert_eq!(found(rest), "came to rest");
    }
}
