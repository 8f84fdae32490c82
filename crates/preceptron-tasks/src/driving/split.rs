//! A split by drive: no drive has frames on both sides.
//!
//! Drives are shuffled by the seed. Of the sets of drives that have exactly as many frames as the test asks for, the
//! one is taken that the shuffled order meets first; training takes the others in that order until it has
//! enough, and leaves out the rest. Where no set of drives has exactly that many, the test takes the nearest
//! number above, and leaves out what is too much.

use std::collections::BTreeMap;

use rand::RngExt;

use super::DrivingError;

/// The numbers of the frames to train on and of those to test on, sorted, given the drive of each frame.
///
/// # Errors
/// If there are not so many frames in drives apart.
pub fn split_by_drive<'a>(
    drives: impl Iterator<Item = &'a str>,
    train: usize,
    test: usize,
    seed: u64,
) -> Result<(Vec<usize>, Vec<usize>), DrivingError> {
    let mut by_drive: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (frame, drive) in drives.enumerate() {
        by_drive.entry(drive).or_default().push(frame);
    }
    let mut groups: Vec<Vec<usize>> = by_drive.into_values().collect();
    let mut random = preceptron_base::stream(seed, "split by drive", 0);
    for at in (1..groups.len()).rev() {
        groups.swap(at, random.random_range(0..=at));
    }
    let short = || {
        let (frames, groups) = (groups.iter().map(Vec::len).sum::<usize>(), groups.len());
        DrivingError::Asked(format!(
            "{train} frames to train on and {test} to test on, of drives apart, are more than {frames} frames of {groups} drives allow"
        ))
    };
    let chosen = choose(&groups, test).ok_or_else(short)?;
    let gather = |is_test: bool, most: usize| {
        let side = groups.iter().zip(&chosen).filter(|(_, chosen)| **chosen == is_test);
        let mut frames: Vec<usize> = side.flat_map(|(group, _)| group.iter().copied()).take(most).collect();
        frames.sort_unstable();
        frames
    };
    let (train_frames, test_frames) = (gather(false, train), gather(true, test));
    match (train_frames.len(), test_frames.len()) == (train, test) {
        true => Ok((train_frames, test_frames)),
        false => Err(short()),
    }
}

/// Which groups together have this many members, or the least number above.
fn choose(groups: &[Vec<usize>], wanted: usize) -> Option<Vec<bool>> {
    let total: usize = groups.iter().map(Vec::len).sum();
    // For each sum that can be had, the last group of the first way to it.
    let mut last: Vec<Option<usize>> = vec![None; total + 1];
    let can = |last: &[Option<usize>], sum: usize| sum == 0 || last[sum].is_some();
    for (at, group) in groups.iter().enumerate() {
        for sum in (group.len()..=total).rev() {
            if last[sum].is_none() && can(&last, sum - group.len()) {
                last[sum] = Some(at);
            }
        }
    }
    let mut sum = (wanted..=total).find(|sum| can(&last, *sum))?;
    let mut chosen = vec![false; groups.len()];
    while sum > 0 {
        let at = last[sum]?;
        chosen[at] = true;
        sum -= groups[at].len();
    }
    Some(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split_all(
        drives: &[String],
        train: usize,
        test: usize,
        seed: u64,
    ) -> Result<(Vec<usize>, Vec<usize>), DrivingError> {
        split_by_drive(drives.iter().map(String::as_str), train, test, seed)
    }

    proptest! {
        #[test]
        fn drives_stay_apart(sizes in proptest::collection::vec(1usize..9, 1..20), test in 0usize..30, train in 0usize..60, seed: u64) {
            let drives: Vec<String> = sizes.iter().enumerate()
                .flat_map(|(drive, size)| std::iter::repeat_n(format!("{drive}"), *size)).collect();
            if let Ok((a, b)) = split_all(&drives, train, test, seed) {
                prop_assert_eq!((a.len(), b.len()), (train, test));
                prop_assert!(a.iter().all(|&x| b.iter().all(|&y| drives[x] != drives[y])));
                prop_assert_eq!(split_all(&drives, train, test, seed).unwrap(), (a, b));
            } else {
                // At most a drive less one is lost at the border.
                prop_assert!(train + test + 8 > drives.len());
            }
        }
    }

    #[test]
    fn what_cannot_be_had_is_said() {
        let drives = vec!["a".to_owned(); 5];
        let fault = split_all(&drives, 3, 2, 0).unwrap_err().to_string();
        assert!(fault.contains("more than 5 frames of 1 drives allow"), "{fault}");
        assert_eq!(split_all(&drives, 5, 0, 0).unwrap().0.len(), 5);
    }
}
