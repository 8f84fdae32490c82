//! Learning to drive as a schedule of training.

use preceptron::{Metrics, Model, Schedule, State, TrainError};
use preceptron_base::{Control, Quiet};

use super::super::Map;
use super::{Choices, LearningError, PathLearner, Supervision};

impl Schedule for PathLearner<'_> {
    fn name(&self) -> &'static str {
        self.settings.supervision.name()
    }

    fn steps(&self) -> u64 {
        self.settings.epochs.into()
    }

    fn made(&self) -> u64 {
        self.changed.epoch.into()
    }

    fn begin(&mut self, control: &dyn Control) -> Result<(), TrainError> {
        control.stage("rules of paths", 0);
        self.learn_paths(control)?;
        let frames = self.seen.frames;
        let map = |&frame: &usize| match self.settings.supervision {
            Supervision::Maps => frames.maps[frame].clone(),
            _ => Map::empty(frames.grid),
        };
        if self.planner.is_some() {
            self.prefer(&self.train.iter().map(map).collect::<Vec<_>>());
        }
        Ok(())
    }

    fn step(&mut self, control: &dyn Control) -> Result<Metrics, TrainError> {
        Ok(self.epoch(control)?)
    }

    fn state(&self) -> Result<State, TrainError> {
        let rest = serde_json::to_vec(&self.changed).map_err(|error| TrainError::State(error.to_string()))?;
        Ok(State { network: self.mapper.save()?, rest })
    }

    fn restore(&mut self, state: &State) -> Result<(), TrainError> {
        self.learn_paths(&Quiet)?;
        Ok(self.load(state)?)
    }

    fn so_far(&mut self) -> Result<Model, TrainError> {
        let preferences = self.changed.preferences.clone();
        Ok(self.model(Choices { preferences, ..Choices::default() }, 0.0)?)
    }

    fn finish(&mut self, control: &dyn Control) -> Result<Model, TrainError> {
        control.stage("preferences and risk", 0);
        match self.last(control) {
            Err(LearningError::Interrupted) => self.so_far(),
            model => Ok(model?),
        }
    }
}
