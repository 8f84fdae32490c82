//! Generations of rows: what is measured at the end of an epoch, and which rows are drawn again.
//!
//! Rows are judged by the first examples, completed by what the network that reads in the end reads in them. A row that
//! repeats another, or that these examples contradict, gets a new centre, and begins there.

use preceptron_base::{Control, stream_at};
use preceptron_learn::Examples;
use preceptron_perceive::PerceiveError;
use rand::RngExt;

use crate::Joint;
use crate::joint_core::JointCore;
use crate::joint_settings::JointCourse;

/// Examples by which rows are judged.
const JUDGING: usize = 2000;

/// Asks whether to stop, and says nothing of its own progress.
struct Silently<'c>(&'c dyn Control);

impl Control for Silently<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

impl Joint<'_> {
    /// The examples by which rows are judged after this step, if they are to be.
    pub(crate) fn examples_to_judge_by(
        &mut self,
        control: &dyn Control,
    ) -> Result<Option<Examples>, PerceiveError> {
        self.core.is_judging().then(|| self.completed_first(JUDGING, &Silently(control))).transpose()
    }
}

impl JointCore {
    /// What is measured at the end of an epoch; in the phases, what comes next.
    pub(crate) fn after_epoch(&mut self, completed: Option<&Examples>) -> Vec<(&'static str, f64)> {
        let rows = self.distinct_rows();
        let mut metrics = vec![("distinct_rows", rows.len() as f64), ("rank", self.rank(&rows) as f64)];
        if self.settings.course == JointCourse::Phased {
            let [agreed, sure] = self.progress.shares();
            metrics.extend([
                ("grounding_agrees", agreed),
                ("sure", sure),
                ("phase", self.progress.phase.number()),
            ]);
            let confirmed = completed.map(|completed| self.confirmed_rows(completed)).unwrap_or_default();
            let count = confirmed.iter().filter(|is_confirmed| **is_confirmed).count();
            if self.progress.after_epoch(count, rows.len()) {
                self.draw_again(&confirmed);
            }
            metrics.extend(completed.map(|_| ("confirmed_rows", count as f64)));
        }
        metrics
    }

    /// Gives rows that are not confirmed a new centre, at which they begin.
    fn draw_again(&mut self, confirmed: &[bool]) {
        let (generation, n) = (self.progress.generation, self.variables.len());
        for (row, _) in confirmed.iter().enumerate().filter(|(_, is_confirmed)| !**is_confirmed) {
            let drawn = centre(self.settings.seed, generation, row, n);
            self.soft.centres.columns_mut(row..row + 1).copy_from_slice(&drawn);
            self.soft.rows.columns_mut(row..row + 1).copy_from_slice(&drawn);
            self.progress.drawn[row] = generation;
        }
    }
}

/// The centre of a row that is drawn in a generation.
pub(crate) fn centre(seed: u64, generation: u32, row: usize, variables: usize) -> Vec<f64> {
    let mut random = stream_at(seed, "centres of joint training", &[u64::from(generation), row as u64]);
    (0..variables).map(|_| random.random::<f64>()).collect()
}
