//! A rival's training as a unit: watched, within the budget, gone on with where it was stopped.

use preceptron::{Context, TaskResult};
use preceptron_rivals::{CellExamples, Rival, RivalSchedule, ScheduleSettings};

use crate::unit::{Course, Figures};
use crate::watched::{Seen, Watched, course_of};
use crate::work::Work;

/// Trains a rival, of which `new` gives one before training, and says how that went; nothing if it was interrupted.
/// On the way, `look` measures it.
///
/// # Errors
/// If the examples are not such that it can learn from them, or training fails.
pub fn trained_rival(
    work: &Work<'_>,
    new: &dyn Fn() -> TaskResult<Box<dyn Rival>>,
    examples: &CellExamples,
    how: ScheduleSettings,
    look: &dyn Fn(&dyn Rival) -> TaskResult<Figures>,
) -> TaskResult<Option<(Box<dyn Rival>, Course)>> {
    let epoch_of_step = how.batch as f64 / examples.len().max(1) as f64;
    let inner = Box::new(RivalSchedule::new(new()?, examples, how)?);
    let look = |schedule: &mut RivalSchedule<'_>| look(schedule.rival());
    let (budget, seen) = (work.budget(), Seen::default());
    let mut schedule = Watched { inner, budget, epoch_of_step, look: Box::new(look), seen };
    let Some(model) = work.train(&mut schedule)? else { return Ok(None) };
    let mut trained = new()?;
    trained.load(model.network.as_deref().context("training left no network")?)?;
    Ok(Some((trained, course_of(&model)?)))
}
