//! A second network in joint training: one that reads better, but would not find its way from the beginning.
//!
//! Once rows are made to choose it is fitted, in every step, to what some sights of the batch are grounded to. The first
//! network goes on to ground; the second reads in the end.

use preceptron_base::stream;
use preceptron_perceive::{PerceiveError, Perception, Targets};
use rand::seq::SliceRandom;

use crate::joint::sights;
use crate::joint_phases::Phase;
use crate::joint_settings::JointCourse;
use crate::{Joint, JointError, Sight};

/// Sights of a batch that the second network is fitted to.
const BATCH: usize = 256;

/// What the second network's steps keep of their size in each epoch.
const PACE: f64 = 0.85;

impl<'a> Joint<'a> {
    /// The same with a second network that learns beside the first once rows choose, and reads in the end: one that
    /// reads better, but would not find its way from the beginning.
    ///
    /// # Errors
    /// If it does not take the same pictures, or tells other things apart.
    pub fn with_apprentice(mut self, apprentice: Box<dyn Perception + 'a>) -> Result<Joint<'a>, JointError> {
        if apprentice.input() != self.perception.input() {
            let (expected, found) = (self.perception.input(), apprentice.input());
            return Err(PerceiveError::InputShape { expected, found }.into());
        }
        if apprentice.classes() != self.perception.classes() {
            return Err(JointError::Classes { network: apprentice.classes(), scenes: self.scenes.classes() });
        }
        self.apprentice = Some(apprentice);
        Ok(self)
    }

    /// The network that reads in the end.
    pub(crate) fn reader(&self) -> &(dyn Perception + 'a) {
        self.apprentice.as_deref().filter(|_| self.is_taught()).unwrap_or(&*self.perception)
    }

    /// Whether the second network has begun to learn.
    pub(crate) fn is_taught(&self) -> bool {
        self.core.progress.taught_from.is_some()
    }

    /// Whether the network reads well enough for a second one to learn from it: once rows are made to choose.
    fn teaches(&self) -> bool {
        match self.core.settings.course {
            JointCourse::Phased => self.core.progress.phase > Phase::Sharpening,
            _ => self.core.penalties[0] > 0.0 || self.core.penalties[1] > 0.0,
        }
    }

    /// One step of the second network towards the same targets of some sights, once rows choose.
    pub(crate) fn teach(&mut self, batch: &[usize], targets: &[f32]) -> Result<(), PerceiveError> {
        let (steps, classes) = (self.steps_in_epoch(), self.scenes.classes());
        let (teaches, step) = (self.teaches(), self.steps_made());
        let Some(apprentice) = self.apprentice.as_mut().filter(|_| teaches) else {
            return Ok(());
        };
        let begun = *self.core.progress.taught_from.get_or_insert(step);
        let mut chosen: Vec<(usize, Sight)> =
            sights(self.scenes, batch).map(|(_, sight)| sight).enumerate().collect();
        chosen.shuffle(&mut stream(self.core.settings.seed, "sights for the second network", step));
        chosen.truncate(BATCH);
        let rows = chosen.iter().flat_map(|(at, _)| &targets[at * classes..][..classes]);
        let rows: Vec<f32> = rows.copied().collect();
        let images = self.scenes.gather(chosen.iter().map(|(_, sight)| *sight), &mut self.pixels)?;
        apprentice.set_pace(PACE.powi(((step - begun) / steps) as i32));
        apprentice.fit(images, Targets::new(&rows)).map(drop)
    }
}
