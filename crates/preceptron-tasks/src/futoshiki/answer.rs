//! The likeliest board (MAP): what was read in the givens weighed against the rules, signs being facts.

use preceptron::Scenes;
use preceptron::grounding::{Known, query};
use preceptron_reason::{Limits, Query, ReasonError, Reasoner, Status};

/// A board that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolvedBoard {
    /// The digits row by row, 0 where the rules leave none or several.
    pub digits: Vec<u8>,
    /// The cells whose pictures were most likely another digit, row by row from 0.
    pub repaired: Vec<usize>,
}

/// The likeliest board that the rules of the reasoner allow with the signs of this one, where each given is
/// read with these probabilities, a row for each in the order of the sights. Nothing if the rules allow none, and
/// neither if it was not found within the limits.
///
/// What is known of the board counts as facts, so the scenes should be those of
/// [`test_scenes`](super::test_scenes), unless the answers may be seen.
///
/// # Errors
/// If a probability is not one, or the reasoner fails.
pub fn answer<'a>(
    scenes: &Scenes,
    board: usize,
    readings: impl Iterator<Item = &'a [f32]> + Clone,
    limits: &Limits,
    reasoner: &mut dyn Reasoner,
) -> Result<Option<SolvedBoard>, ReasonError> {
    let limits = limits.clone();
    let query = Query { explain: false, limits, ..query(scenes, board, readings.clone(), Known::Facts)? };
    let found = reasoner.solve(&query)?;
    let Some(solution) = found.solution.filter(|_| found.status == Status::Optimal) else { return Ok(None) };
    let digit = |place: &Vec<_>| {
        let mut held = (1u8..).zip(place).filter(|(_, var)| solution.value(**var)).map(|(digit, _)| digit);
        match (held.next(), held.next()) {
            (Some(digit), None) => digit,
            _ => 0,
        }
    };
    let digits: Vec<u8> = scenes.places().iter().map(digit).collect();
    let likeliest = |row: &[f32]| (0..row.len()).max_by(|a, b| row[*a].total_cmp(&row[*b]));
    let other = scenes.sights(board).iter().zip(readings).filter(|(sight, row)| {
        likeliest(row).is_some_and(|at| at + 1 != usize::from(digits[sight.place as usize]))
    });
    let repaired = other.map(|(sight, _)| sight.place as usize).collect();
    Ok(Some(SolvedBoard { digits, repaired }))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::futoshiki::{Spread, puzzles, test_scenes, true_rules};
    use crate::mnist::Mnist;
    use preceptron_base::{Quiet, stream};
    use preceptron_logic::Problem;
    use preceptron_reason::Backend;
    use rand::RngExt;

    /// Simulated readings: sure of most digits, and of one given in each board a wrong one is likelier.
    #[test]
    fn boards_come_out_right_although_givens_are_misread() {
        for side in [4, 5, 6] {
            let puzzles = puzzles(side, &Spread::of_side(side).unwrap(), 60, 100, &Quiet).unwrap();
            let scenes = test_scenes(side, &puzzles, &Mnist::embedded().test, 1).unwrap();
            let mut reasoner = Backend::Portfolio.load(Arc::new(Problem::from(true_rules(side)))).unwrap();
            let (mut right, mut repaired) = (0, 0);
            for (board, puzzle) in puzzles.iter().enumerate() {
                let random = &mut stream(1, "futoshiki readings of a test", board as u64);
                let sights = scenes.sights(board);
                let misread = random.random_range(0..sights.len());
                let mut rows = Vec::new();
                for (at, sight) in sights.iter().enumerate() {
                    let truth = usize::from(puzzle.givens[sight.place as usize]) - 1;
                    let mut row = vec![0.002 / side as f32; side];
                    row[truth] = 0.998;
                    if at == misread {
                        row[(truth + random.random_range(1..side)) % side] = 0.75;
                        row[truth] = 0.25;
                    }
                    rows.push(row);
                }
                let found = answer(
                    &scenes,
                    board,
                    rows.iter().map(Vec::as_slice),
                    &Limits::default(),
                    &mut *reasoner,
                );
                let found = found.unwrap().unwrap();
                let cell = sights[misread].place as usize;
                right += usize::from(found.digits == puzzle.solution);
                repaired += usize::from(found.repaired == [cell]);
            }
            assert!(right >= 45 && repaired >= right, "side {side}: {right} right, {repaired} repaired");
        }
    }

    #[test]
    fn a_board_that_the_rules_forbid_has_no_answer() {
        let mut puzzles = puzzles(4, &Spread::of_side(4).unwrap(), 1, 100, &Quiet).unwrap();
        // Each sign stands there the other way round as well.
        let mut more = puzzles[0].signs.clone();
        more.iter_mut().for_each(|sign| std::mem::swap(&mut sign.less, &mut sign.greater));
        puzzles[0].signs.extend(more);
        let scenes = test_scenes(4, &puzzles, &Mnist::embedded().test, 1).unwrap();
        let mut reasoner = Backend::Portfolio.load(Arc::new(Problem::from(true_rules(4)))).unwrap();
        let rows = vec![vec![0.25f32; 4]; scenes.sights(0).len()];
        let found =
            answer(&scenes, 0, rows.iter().map(Vec::as_slice), &Limits::default(), &mut *reasoner).unwrap();
        assert_eq!(found, None);
    }
}
