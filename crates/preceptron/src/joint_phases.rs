//! When joint training makes its symbols and its rows choose.
//!
//! Rows can only settle on rules of sharp and mostly right symbols, and at first the network's are neither. So the
//! penalties of Algorithm 1 come in phases. What ends a phase is measured in the last third of each epoch, and needs
//! no label:
//!
//! | phase | alpha | t2 | t1 | ends when |
//! |---|---|---|---|---|
//! | reading | 0.167 m/2000 | 0 | 0 | grounding and reading agree by their greatest in half of the sights |
//! | sharpening | 0.33 m/2000 | 0.33 m/2000 | 0 | the greatest probability is 0.8 on average |
//! | choosing, first generation | 0.55 T | 0.3 T | 0.0025 to 0.02 in 8 epochs | after these |
//! | choosing, later ones | 0.55 T | 0.3 T | rows drawn again: 0.005 to 0.02 in 6 epochs; others 0.015 | a generation confirms no new row |
//! | settling | 0.55 T | 0.3 T | 0.015 | every different row is confirmed, or after 8 epochs |
//!
//! m is the number of rows, T the mean of the diagonal of W W', which is about 1 while rows are soft. Between
//! generations a row that repeats another, or that the first examples contradict as the network reads them, gets a new
//! centre, and begins there. The first two phases have a learning rate three times that of the others.

use serde::{Deserialize, Serialize};

use crate::CheckedJoint;
use crate::batch_updates::GroundingWeights;
use crate::joint_settings::JointCourse;

/// Epochs of the first two phases, at the most.
const PATIENCE: u32 = 12;
/// The mean greatest probability with which the network is sure enough for rows to choose.
const SURE: f64 = 0.8;
/// Epochs in which the rows of the first generation choose.
const FIRST_EPOCHS: u32 = 8;
/// The same of later generations.
const LATER_EPOCHS: u32 = 6;
/// Epochs of settling, at the most.
const SETTLING_EPOCHS: u32 = 8;
/// t1 of rows that have chosen, as a share of its greatest.
const KEPT: f64 = 0.75;
/// t1 of rows drawn again, in their first epoch, as a share of its greatest.
const AGAIN: f64 = 0.25;

/// A phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Phase {
    /// The network learns to read, from soft rows.
    Reading,
    /// It learns to be sure.
    Sharpening,
    /// Rows choose.
    Choosing,
    /// No row is drawn again, and those between two rules come to rest.
    Settling,
    /// Nothing is left to do.
    Settled,
}

impl Phase {
    /// Its number, for measurements.
    pub fn number(self) -> f64 {
        f64::from(self as u8)
    }
}

/// Where training is, and what the last epoch was like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Progress {
    pub phase: Phase,
    /// Epochs of this phase, or of this generation, that were made.
    pub epochs: u32,
    /// How often rows were drawn again.
    pub generation: u32,
    /// Different rows that examples confirmed, after the last generation.
    pub confirmed: usize,
    /// In which generation each row's centre was drawn.
    pub drawn: Vec<u32>,
    /// The first step in which the second network was fitted.
    pub taught_from: Option<u64>,
    /// In the last third of this epoch: sights, those in which grounding and reading agree, and the sum of the greatest
    /// probabilities.
    pub seen: [f64; 3],
}

impl Progress {
    pub fn new(rows: usize) -> Progress {
        let (phase, drawn) = (Phase::Reading, vec![0; rows]);
        Progress { phase, epochs: 0, generation: 0, confirmed: 0, drawn, taught_from: None, seen: [0.0; 3] }
    }

    /// What grounding goes by.
    pub fn grounding(&self, settings: &CheckedJoint, alpha: f64) -> GroundingWeights {
        let (rows, is_ndc) = (self.drawn.len() as f64 / 2000.0, settings.grounding_penalty == 0.0);
        let sharp = if is_ndc { 0.0 } else { 0.33 * rows };
        match self.phase {
            Phase::Reading => GroundingWeights { alpha: [0.167 * rows, 0.0], penalty: [0.0; 2] },
            Phase::Sharpening => GroundingWeights { alpha: [0.33 * rows, 0.0], penalty: [sharp, 0.0] },
            _ => GroundingWeights { alpha: [0.0, alpha], penalty: [0.0, settings.grounding_penalty] },
        }
    }

    /// t1 of a row.
    pub fn penalty(&self, row: usize, settings: &CheckedJoint) -> f64 {
        let most = settings.constraint_penalty;
        let share = match (self.phase, self.generation) {
            (Phase::Reading | Phase::Sharpening, _) => 0.0,
            (Phase::Choosing, 0) => f64::from(self.epochs + 1) / f64::from(FIRST_EPOCHS),
            (Phase::Choosing, now) if self.drawn[row] == now => {
                AGAIN + (1.0 - AGAIN) * f64::from(self.epochs) / f64::from(LATER_EPOCHS - 1)
            }
            _ => KEPT,
        };
        most * share
    }

    /// The share of the learning rate that the network's steps are made with.
    pub fn pace(&self) -> f64 {
        if matches!(self.phase, Phase::Reading | Phase::Sharpening) { 1.0 } else { 1.0 / 3.0 }
    }

    /// The shares of sights in which grounding and reading agree, and the mean greatest probability.
    pub fn shares(&self) -> [f64; 2] {
        let [all, agreed, greatest] = self.seen;
        [agreed / all.max(1.0), greatest / all.max(1.0)]
    }

    /// Whether a generation ends with this epoch.
    fn ends_generation(&self) -> bool {
        let epochs = if self.generation == 0 { FIRST_EPOCHS } else { LATER_EPOCHS };
        self.phase == Phase::Choosing && self.epochs + 1 >= epochs
    }

    /// Whether it is to be known, now that an epoch has ended, which rows the examples confirm.
    pub fn looks_at_rows(&self) -> bool {
        self.ends_generation() || self.phase == Phase::Settling
    }

    /// What comes after an epoch, given how many different rows the examples confirm, if that was to be known, and how
    /// many there are in all. Whether the others are to be drawn again.
    pub fn after_epoch(&mut self, confirmed: usize, different: usize) -> bool {
        let [agreed, greatest] = self.shares();
        let is_long = self.epochs + 1 >= PATIENCE;
        let next = match self.phase {
            Phase::Reading if agreed >= 0.5 || is_long => Some(Phase::Sharpening),
            Phase::Sharpening if greatest >= SURE || is_long => Some(Phase::Choosing),
            Phase::Choosing if self.ends_generation() => {
                let is_new = confirmed > self.confirmed;
                self.confirmed = confirmed;
                self.generation += u32::from(is_new);
                Some(if is_new { Phase::Choosing } else { Phase::Settling })
            }
            Phase::Settling if confirmed == different || self.epochs + 1 >= SETTLING_EPOCHS => {
                Some(Phase::Settled)
            }
            _ => None,
        };
        self.seen = [0.0; 3];
        self.epochs = if next.is_some() { 0 } else { self.epochs + 1 };
        self.phase = next.unwrap_or(self.phase);
        next == Some(Phase::Choosing) && self.generation > 0
    }
}

/// By how many of their amounts the penalties rise after a step, where they rise with the epochs.
pub(crate) fn rise(settings: &CheckedJoint, step: u64, steps_in_epoch: u64) -> f64 {
    let (epoch, is_last) = (step / steps_in_epoch, (step + 1).is_multiple_of(steps_in_epoch));
    match settings.course {
        JointCourse::Phased => 0.0,
        JointCourse::Rising if epoch < settings.warm_up => 0.0,
        JointCourse::Rising => 1.0 / steps_in_epoch as f64,
        JointCourse::Authors => f64::from(u8::from(is_last && (epoch + 1).is_multiple_of(30))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::JointSettings;

    #[test]
    fn phases_end_by_what_is_read() {
        let settings = JointSettings::default().checked(0, 1).unwrap();
        let mut progress = Progress::new(2);
        let mut after = |seen: [f64; 3], rows: [usize; 2]| {
            progress.seen = seen;
            let is_again = progress.after_epoch(rows[0], rows[1]);
            (is_again, progress.clone())
        };
        let plain = |progress: &Progress| (progress.phase, progress.epochs);
        assert_eq!(plain(&after([10.0, 4.0, 3.0], [0; 2]).1), (Phase::Reading, 1));
        let (_, now) = after([10.0, 5.0, 3.0], [0; 2]);
        assert_eq!((plain(&now), now.penalty(0, &settings)), ((Phase::Sharpening, 0), 0.0));
        let (is_again, mut now) = after([10.0, 9.0, 9.5], [0; 2]);
        assert_eq!((is_again, now.phase, now.pace()), (false, Phase::Choosing, 1.0 / 3.0));
        let mut penalties = vec![now.penalty(0, &settings)];
        while !now.looks_at_rows() {
            now = after([1.0; 3], [0; 2]).1;
            penalties.push(now.penalty(0, &settings));
        }
        assert_eq!((penalties.len(), penalties[0], penalties[7]), (8, 0.0025, 0.02));
        let (is_again, mut now) = after([1.0; 3], [5, 9]);
        assert!(is_again);
        now.drawn[1] = now.generation;
        assert_eq!([0, 1].map(|row| now.penalty(row, &settings)), [0.015, 0.005]);
        progress = now;
        while !progress.looks_at_rows() {
            assert!(!progress.after_epoch(0, 0));
        }
        assert_eq!([0, 1].map(|row| progress.penalty(row, &settings)), [0.015, 0.02]);
        // Nothing new; then rows that no example confirms are gone.
        assert!(!progress.after_epoch(5, 9));
        assert_eq!(progress.phase, Phase::Settling);
        progress.after_epoch(5, 6);
        assert_eq!(progress.phase, Phase::Settling);
        progress.after_epoch(5, 5);
        assert_eq!(progress.phase, Phase::Settled);
    }

    #[test]
    fn a_network_that_never_reads_does_not_hold_up_the_rest() {
        let mut progress = Progress::new(1);
        (0..2 * PATIENCE).for_each(|_| {
            progress.after_epoch(0, 0);
        });
        assert_eq!(progress.phase, Phase::Choosing);
    }

    #[test]
    fn penalties_that_rise_with_the_epochs() {
        let of = |course| JointSettings { course, ..JointSettings::default() }.checked(0, 1).unwrap();
        let after = |course, epochs: u64| (0..4 * epochs).map(|step| rise(&of(course), step, 4)).sum::<f64>();
        assert_eq!([10, 12].map(|epochs| after(JointCourse::Rising, epochs)), [0.0, 2.0]);
        assert_eq!([29, 30, 65].map(|epochs| after(JointCourse::Authors, epochs)), [0.0, 1.0, 2.0]);
        assert_eq!(after(JointCourse::Phased, 20), 0.0);
    }
}
