//! The boards of a run and their pictures.

use std::path::Path;

use preceptron::{Scenes, TaskError, TaskResult, ensure};
use preceptron_base::Control;

use super::{
    Grid, Puzzle, Spread, SudokuSettings, examples_full, puzzles, read_lines, read_text, scenes, side,
    with_wrong_digits,
};
use crate::mnist::Mnist;

/// Boards with pictures, to train on and to test on.
pub struct SudokuData {
    /// The boards to train on, with their pictures and the answers as they are told; none where boards are
    /// only to be tested on.
    pub training: Option<(Vec<Puzzle>, Scenes)>,
    /// The boards to test on.
    pub test: Vec<Puzzle>,
    /// The same with their pictures.
    pub held_out: Scenes,
}

impl SudokuData {
    /// Reads or generates boards, and puts pictures into them.
    pub(super) fn new(settings: &SudokuSettings, control: &dyn Control) -> TaskResult<SudokuData> {
        let SudokuSettings { order, seed, .. } = *settings;
        let (train, test) = boards(settings, control)?;
        let mnist = pictures(settings)?;
        // What the answers say is made wrong; which digits the pictures show is not.
        let answers: Vec<Grid> = train.iter().map(Puzzle::answers).collect();
        let told = with_wrong_digits(&answers, settings.wrong_answers, seed);
        let training = scenes(order, &train, &mnist.train, seed)?.with_known(examples_full(order, &told))?;
        let held_out = scenes(order, &test, &mnist.test, seed)?;
        Ok(SudokuData { training: Some((train, training)), test, held_out })
    }

    /// The boards to test on alone, or `count` of them, with pictures that depend on a seed.
    pub(super) fn test_only(
        settings: &SudokuSettings,
        count: Option<usize>,
        seed: u64,
        control: &dyn Control,
    ) -> TaskResult<SudokuData> {
        let all = match &settings.test_boards {
            Some(file) => read(file, settings.order)?,
            None => boards(settings, control)?.1,
        };
        let test = spread(all, count.unwrap_or(usize::MAX));
        let held_out = scenes(settings.order, &test, &pictures(settings)?.test, seed)?;
        Ok(SudokuData { training: None, test, held_out })
    }
}

fn pictures(settings: &SudokuSettings) -> TaskResult<Mnist> {
    Ok(settings.mnist.as_deref().map(Mnist::read).transpose()?.unwrap_or_else(Mnist::embedded))
}

/// The boards to train on, and those to test on: of another file, the last ones of the file, or generated.
fn boards(settings: &SudokuSettings, control: &dyn Control) -> TaskResult<(Vec<Puzzle>, Vec<Puzzle>)> {
    let (order, (train, test)) = (settings.order, settings.counts());
    let Some(file) = settings.boards.as_deref() else {
        let mut all = puzzles(order, &Spread::of_order(order), train + test, settings.seed, control)?;
        ensure!(!control.is_cancelled(), "interrupted before all boards were drawn");
        let test = all.split_off(train);
        return Ok((all, test));
    };
    let mut puzzles = read(file, order)?;
    let (name, all) = (file.display(), puzzles.len());
    let held_out = match &settings.test_boards {
        Some(file) => spread(read(file, order)?, test),
        None => {
            ensure!(test < all, "{name}: {test} of {all} boards cannot be for tests; see --test");
            puzzles.split_off(all - test)
        }
    };
    let left = puzzles.len();
    ensure!(train <= left, "{name}: there are {left} boards to train on, not {train}");
    Ok((spread(puzzles, train), held_out))
}

/// The boards of a file.
pub fn read(file: &Path, order: usize) -> TaskResult<Vec<Puzzle>> {
    let (side, name) = (side(order), file.display());
    let text = read_text(file)?;
    let mut puzzles = Vec::new();
    for (line, puzzle) in read_lines(&text) {
        let puzzle = puzzle.map_err(|problem| TaskError::new(format!("{name}: line {line}: {problem}")))?;
        ensure!(puzzle.solution.order() == order, "{name}: line {line}: not a board of {side} x {side}");
        puzzles.push(puzzle);
    }
    ensure!(!puzzles.is_empty(), "{name}: there is no board in it");
    Ok(puzzles)
}

/// So many boards (all, if there are fewer), spread evenly over the numbers of givens, in their order.
pub fn spread(puzzles: Vec<Puzzle>, count: usize) -> Vec<Puzzle> {
    if count >= puzzles.len() {
        return puzzles;
    }
    let givens = |puzzle: &Puzzle| puzzle.givens.digits().iter().filter(|digit| **digit > 0).count();
    let mut order: Vec<usize> = (0..puzzles.len()).collect();
    order.sort_by_key(|&at| givens(&puzzles[at]));
    let mut chosen: Vec<usize> = (0..count).map(|n| order[n * puzzles.len() / count]).collect();
    chosen.sort_unstable();
    chosen.into_iter().map(|at| puzzles[at].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::{generate, with_givens};

    #[test]
    fn boards_are_spread_over_the_numbers_of_givens() {
        let puzzles = with_givens(&generate(2, 300, 1), 5..=10, 1);
        let givens = |p: &Puzzle| p.givens.digits().iter().filter(|d| **d > 0).count();
        let some = spread(puzzles.clone(), 60);
        assert_eq!(some.len(), 60);
        for count in 5..=10 {
            let share =
                |p: &[Puzzle]| p.iter().filter(|p| givens(p) == count).count() as f64 / p.len() as f64;
            assert!((share(&some) - share(&puzzles)).abs() < 0.02);
        }
        assert_eq!(spread(puzzles.clone(), 1000), puzzles);
    }
}
