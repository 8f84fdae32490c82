//! What training is made of: steps that can be saved and gone on from.
//!
//! A [`Schedule`] says in what order rules, symbols and network are improved; [`train`](crate::train()) owns
//! the loop that follows it. Training in stages, joint training, learners of a table and what a task brings
//! of its own are all schedules.

use preceptron_base::{Control, SettingsError};
use preceptron_perceive::{PerceiveError, Perception};
use preceptron_reason::ReasonError;

use crate::{JointError, Metrics, Model, RunError};

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
    /// A setting.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// No rule was found in what is known.
    #[error("no rule was found in what is known of {0} examples, so nothing says what the pictures show")]
    NoRules(usize),
    /// The rules say of no picture what it shows.
    #[error("{0} rules were found, but they say of no picture what it shows")]
    NothingGrounded(usize),
    /// Nothing binds clusters of pictures to answers.
    #[error(
        "nothing was found in {0} examples that binds their pictures to their answers: neither a table over two pictures, \
         nor a sum, nor parity; more examples or another number of symbols may help"
    )]
    NoRelation(usize),
    /// A saved state does not belong to these examples and settings.
    #[error("the saved state does not fit: {0}")]
    State(String),
    /// Something that only the task knows of.
    #[error(transparent)]
    Task(Box<dyn std::error::Error + Send + Sync>),
}

/// All that has changed since the beginning of training.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The network, as it saves itself; empty where there is none.
    pub network: Vec<u8>,
    /// The rest.
    pub rest: Vec<u8>,
}

/// An order of improving rules, symbols and network.
pub trait Schedule {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Steps at the most.
    fn steps(&self) -> u64;

    /// Steps that were made.
    fn made(&self) -> u64;

    /// Whether another step would change nothing.
    fn is_settled(&self) -> bool {
        false
    }

    /// What is done before the first step of training that is not gone on with. If `control` says to stop
    /// in its midst, nothing is kept.
    ///
    /// # Errors
    /// If the examples do not allow training.
    fn begin(&mut self, _control: &dyn Control) -> Result<(), TrainError> {
        Ok(())
    }

    /// One step; it is not made, and nothing changes, if `control` says to stop in its midst.
    ///
    /// # Errors
    /// If the network or the reasoner fails.
    fn step(&mut self, control: &dyn Control) -> Result<Metrics, TrainError>;

    /// The network, where there is one.
    fn perception(&self) -> Option<&dyn Perception> {
        None
    }

    /// All that has changed since the beginning.
    ///
    /// # Errors
    /// If it cannot be written.
    fn state(&self) -> Result<State, TrainError>;

    /// Goes on from a saved state, in place of [`begin`](Schedule::begin).
    ///
    /// # Errors
    /// If the state is not one of these examples and settings.
    fn restore(&mut self, state: &State) -> Result<(), TrainError>;

    /// What has been learned by now, for a look at training that was stopped.
    ///
    /// # Errors
    /// If the network fails, where it is asked.
    fn so_far(&mut self) -> Result<Model, TrainError>;

    /// What is done after the last step, and all that was learned. If `control` says to stop in its midst,
    /// the model is not kept.
    ///
    /// # Errors
    /// If the network or the reasoner fails.
    fn finish(&mut self, control: &dyn Control) -> Result<Model, TrainError>;
}

/// Something that is measured every so many steps, beside what a step itself measures.
pub struct Probe<'a> {
    /// How many steps lie between two measurements.
    pub every: u64,
    /// What is measured. It must depend on nothing but the state of training.
    #[expect(clippy::type_complexity, reason = "a name would say less")]
    pub measure: Box<dyn FnMut(&dyn Schedule) -> Result<Metrics, TrainError> + 'a>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::Quiet;

    /// A schedule that has only what it must have.
    struct Plain;

    impl Schedule for Plain {
        fn name(&self) -> &'static str {
            "plain"
        }

        fn steps(&self) -> u64 {
            2
        }

        fn made(&self) -> u64 {
            0
        }

        fn step(&mut self, _control: &dyn Control) -> Result<Metrics, TrainError> {
            Err(TrainError::NoRules(7))
        }

        fn state(&self) -> Result<State, TrainError> {
            Ok(State::default())
        }

        fn restore(&mut self, state: &State) -> Result<(), TrainError> {
            match state.rest.is_empty() {
                true => Ok(()),
                false => Err(TrainError::State("there is more than nothing".to_owned())),
            }
        }

        fn so_far(&mut self) -> Result<Model, TrainError> {
            Ok(Model::default())
        }

        fn finish(&mut self, _control: &dyn Control) -> Result<Model, TrainError> {
            self.so_far()
        }
    }

    #[test]
    fn what_a_schedule_does_not_say_changes_nothing() {
        let mut plain = Plain;
        assert!(!plain.is_settled() && plain.perception().is_none() && plain.begin(&Quiet).is_ok());
        assert!(plain.restore(&plain.state().unwrap()).is_ok());
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let mut plain = Plain;
        let message = plain.step(&Quiet).unwrap_err().to_string();
        assert!(message.starts_with("no rule was found in what is known of 7 examples"), "{message}");
        let other = State { rest: vec![1], ..State::default() };
        let message = plain.restore(&other).unwrap_err().to_string();
        assert_eq!(message, "the saved state does not fit: there is more than nothing");
        // What is wrapped speaks for itself.
        let inner = PerceiveError::EmptyBatch;
        assert_eq!(TrainError::from(PerceiveError::EmptyBatch).to_string(), inner.to_string());
    }

    #[test]
    fn a_probe_sees_the_schedule() {
        let measure = |schedule: &dyn Schedule| Ok(Metrics::new([("steps", schedule.steps() as f64)]));
        let mut probe = Probe { every: 1, measure: Box::new(measure) };
        assert_eq!((probe.measure)(&Plain).unwrap().get("steps"), Some(2.0));
    }
}
