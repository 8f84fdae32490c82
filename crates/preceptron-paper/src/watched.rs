//! A schedule with a budget of processor time, of which a curve is drawn on the way.
//!
//! The time is that of all threads together, in what the schedule itself does; looking at it is not counted. Both the
//! time and the curve are part of the state, so that training that was stopped goes on with them. In which step the time
//! is over, and how often is looked, is the clock's choice; all else depends on the seed alone.

use preceptron::{Metrics, Model, Schedule, State, TaskResult, TrainError};
use preceptron_base::Control;
use preceptron_base::meter::measured;
use serde::{Deserialize, Serialize};

use crate::unit::{Course, Figures, Point, Status};

/// Looks are as many times apart in steps as this.
const APART: f64 = 1.4;

/// Looking may take this share of the time of training, and so many seconds beside.
const LOOKING: (f64, f64) = (0.15, 1.0);

/// The name under which a model keeps how it was trained.
const COURSE: &str = "course";

/// What is seen of a schedule that is looked at.
pub type Look<'a, S> = Box<dyn FnMut(&mut S) -> TaskResult<Figures> + 'a>;

/// A schedule that is watched.
pub struct Watched<'a, S: Schedule + ?Sized> {
    /// The schedule.
    pub inner: Box<S>,
    /// Seconds that it may take.
    pub budget: f64,
    /// The part of an epoch that a step is; 0 where there are no epochs.
    pub epoch_of_step: f64,
    /// What is measured on the way.
    pub look: Look<'a, S>,
    /// What has been seen until now.
    pub seen: Seen,
}

/// What has been seen of a schedule.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    cpu_seconds: f64,
    looking: f64,
    /// The step after which it is looked at next.
    next: u64,
    curve: Vec<Point>,
}

impl<S: Schedule + ?Sized> Watched<'_, S> {
    fn is_spent(&self) -> bool {
        self.seen.cpu_seconds >= self.budget
    }

    fn status(&self) -> Status {
        match (self.inner.is_settled(), self.inner.made() >= self.inner.steps()) {
            (true, _) => Status::Rest,
            (_, true) => Status::Epochs,
            _ => Status::Budget,
        }
    }

    fn epoch(&self) -> f64 {
        self.inner.made() as f64 * self.epoch_of_step
    }

    /// Looks at the schedule if it is time.
    fn look(&mut self, control: &dyn Control) -> Result<(), TrainError> {
        let made = self.inner.made();
        let may = self.seen.looking <= LOOKING.0 * self.seen.cpu_seconds + LOOKING.1;
        let is_last = self.inner.is_settled() || made >= self.inner.steps() || self.is_spent();
        if !(made >= self.seen.next && may || is_last) || control.is_cancelled() {
            return Ok(());
        }
        let (inner, look) = (&mut *self.inner, &mut self.look);
        let (figures, cost) = measured(|| look(inner));
        let figures = figures.map_err(|error| TrainError::Task(error.into()))?;
        let (epoch, cpu_seconds) = (self.epoch(), self.seen.cpu_seconds);
        self.seen.curve.push(Point { epoch, cpu_seconds, figures });
        self.seen.looking += cost.busy();
        self.seen.next = made.max((made as f64 * APART).ceil() as u64).max(made + 1);
        Ok(())
    }

    /// The model with how it was trained.
    fn with_course(&self, mut model: Model) -> Result<Model, TrainError> {
        let course = Course {
            status: self.status(),
            epochs: (self.epoch_of_step > 0.0).then(|| self.epoch()),
            cpu_seconds: self.seen.cpu_seconds,
            curve: self.seen.curve.clone(),
        };
        let course = serde_json::to_value(course).map_err(|error| TrainError::State(error.to_string()))?;
        if model.found.is_null() {
            model.found = serde_json::json!({});
        }
        if let Some(found) = model.found.as_object_mut() {
            found.insert(COURSE.to_owned(), course);
        }
        Ok(model)
    }
}

/// How a model was trained.
///
/// # Errors
/// If it was not watched.
pub fn course_of(model: &Model) -> TaskResult<Course> {
    Ok(serde_json::from_value(model.found.get(COURSE).cloned().unwrap_or_default())?)
}

impl<S: Schedule + ?Sized> Schedule for Watched<'_, S> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn steps(&self) -> u64 {
        self.inner.steps()
    }

    fn made(&self) -> u64 {
        self.inner.made()
    }

    fn is_settled(&self) -> bool {
        self.inner.is_settled() || self.is_spent()
    }

    fn begin(&mut self, control: &dyn Control) -> Result<(), TrainError> {
        let (begun, cost) = measured(|| self.inner.begin(control));
        self.seen.cpu_seconds += cost.busy();
        begun
    }

    fn step(&mut self, control: &dyn Control) -> Result<Metrics, TrainError> {
        let before = self.inner.made();
        let (metrics, cost) = measured(|| self.inner.step(control));
        self.seen.cpu_seconds += cost.busy();
        let metrics = metrics?;
        if self.inner.made() > before {
            self.look(control)?;
        }
        Ok(metrics)
    }

    fn state(&self) -> Result<State, TrainError> {
        let inner = self.inner.state()?;
        let seen = serde_json::to_vec(&self.seen).map_err(|error| TrainError::State(error.to_string()))?;
        let length = (seen.len() as u64).to_le_bytes();
        Ok(State { network: inner.network, rest: [&length[..], &seen, &inner.rest].concat() })
    }

    fn restore(&mut self, state: &State) -> Result<(), TrainError> {
        let short = || TrainError::State("it is too short".to_owned());
        let (length, rest) = state.rest.split_first_chunk::<8>().ok_or_else(short)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| short())?;
        let (seen, rest) = rest.split_at_checked(length).ok_or_else(short)?;
        let seen = serde_json::from_slice(seen).map_err(|error| TrainError::State(error.to_string()))?;
        self.inner.restore(&State { network: state.network.clone(), rest: rest.to_vec() })?;
        self.seen = seen;
        Ok(())
    }

    fn so_far(&mut self) -> Result<Model, TrainError> {
        let model = self.inner.so_far()?;
        self.with_course(model)
    }

    fn finish(&mut self, control: &dyn Control) -> Result<Model, TrainError> {
        let (model, cost) = measured(|| self.inner.finish(control));
        self.seen.cpu_seconds += cost.busy();
        self.with_course(model?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron::{Training, train};
    use preceptron_base::Quiet;

    /// Counts to 40 and burns a little time on the way.
    struct Counter(u64);

    impl Schedule for Counter {
        fn name(&self) -> &'static str {
            "counter"
        }

        fn steps(&self) -> u64 {
            40
        }

        fn made(&self) -> u64 {
            self.0
        }

        fn step(&mut self, _control: &dyn Control) -> Result<Metrics, TrainError> {
            let sum: f64 = (0..200_000).map(|n| f64::from(n).sqrt()).sum();
            self.0 += 1;
            Ok(Metrics::new([("sum", sum)]))
        }

        fn state(&self) -> Result<State, TrainError> {
            Ok(State { rest: self.0.to_le_bytes().to_vec(), ..State::default() })
        }

        fn restore(&mut self, state: &State) -> Result<(), TrainError> {
            let bytes = state.rest[..].try_into().map_err(|_| TrainError::State("length".into()))?;
            self.0 = u64::from_le_bytes(bytes);
            Ok(())
        }

        fn so_far(&mut self) -> Result<Model, TrainError> {
            Ok(Model::default())
        }

        fn finish(&mut self, _control: &dyn Control) -> Result<Model, TrainError> {
            self.so_far()
        }
    }

    fn watched(budget: f64) -> Watched<'static, Counter> {
        let look = |counter: &mut Counter| Ok(Figures::from([("count".to_owned(), counter.0 as f64)]));
        Watched {
            inner: Box::new(Counter(0)),
            budget,
            epoch_of_step: 0.5,
            look: Box::new(look),
            seen: Seen::default(),
        }
    }

    #[test]
    fn a_curve_ends_where_training_does() {
        let model = train(&mut watched(1e9), Training::default()).unwrap().model.unwrap();
        let course = course_of(&model).unwrap();
        assert_eq!((course.status, course.epochs), (Status::Epochs, Some(20.0)));
        let last = course.curve.last().unwrap();
        assert_eq!((last.epoch, last.figures["count"]), (20.0, 40.0));
        assert!(
            course.curve.windows(2).all(|w| w[0].epoch < w[1].epoch && w[0].cpu_seconds <= w[1].cpu_seconds)
        );
        assert!(course_of(&Model::default()).is_err());
    }

    #[test]
    fn it_stops_at_the_budget() {
        let model = train(&mut watched(1e-4), Training::default()).unwrap().model.unwrap();
        let course = course_of(&model).unwrap();
        assert_eq!((course.status, course.epochs, course.curve.len()), (Status::Budget, Some(0.5), 1));
    }

    #[test]
    fn time_and_curve_go_on_with_the_state() {
        let mut first = watched(1e9);
        (0..9).for_each(|_| drop(first.step(&Quiet).unwrap()));
        let mut second = watched(1e9);
        second.restore(&first.state().unwrap()).unwrap();
        assert_eq!((&second.seen, second.made()), (&first.seen, 9));
        assert!(second.seen.cpu_seconds > 0.0 && !second.seen.curve.is_empty());
        assert!(second.restore(&State { rest: vec![9; 9], ..State::default() }).is_err());
    }
}
