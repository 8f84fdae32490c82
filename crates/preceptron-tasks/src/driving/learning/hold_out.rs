//! Which drives are held out from training, to choose by them what is not trained.

use std::collections::BTreeMap;

use preceptron_base::stream;
use rand::seq::SliceRandom;

use super::super::Frames;
use super::{LearningError, LearningSettings};

/// Frames to train on, and frames of other drives.
pub(super) fn hold_out(
    frames: &Frames,
    settings: &LearningSettings,
) -> Result<(Vec<usize>, Vec<usize>), LearningError> {
    let mut drives: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (frame, drive) in frames.drives.iter().enumerate() {
        drives.entry(drive).or_default().push(frame);
    }
    let count = drives.len();
    let mut drives: Vec<Vec<usize>> = drives.into_values().collect();
    drives.shuffle(&mut stream(settings.seed, "drives held out", 0));
    let wanted = settings.wanted(frames.len());
    // A drive that is far too long for what is wanted is left in training, unless there is no other.
    let is_long = |held: &[usize], drive: &[usize]| held.len() + drive.len() > wanted + wanted / 2;
    let (mut train, mut held) = (Vec::new(), Vec::new());
    for drive in drives {
        let is_enough = held.len() >= wanted || (!held.is_empty() && is_long(&held, &drive));
        if is_enough || (is_long(&held, &drive) && train.is_empty() && count > 2) {
            train.extend(drive);
        } else {
            held.extend(drive);
        }
    }
    train.sort_unstable();
    held.sort_unstable();
    match train.is_empty() || held.is_empty() {
        true => Err(LearningError::Drives { frames: frames.len(), drives: count }),
        false => Ok((train, held)),
    }
}
