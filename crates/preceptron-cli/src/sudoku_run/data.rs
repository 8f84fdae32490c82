//! The boards of a run and their pictures.

use std::path::Path;

use anyhow::ensure;
use preceptron::Scenes;
use preceptron_base::Quiet;
use preceptron_tasks::mnist::Mnist;
use preceptron_tasks::sudoku::{self, Puzzle};

use super::RunSettings;

/// Boards with pictures, to train on and to test on.
pub struct Data {
    /// The boards to train on, with the answers as they are told.
    pub train: Vec<Puzzle>,
    pub test: Vec<Puzzle>,
    pub training: Scenes,
    pub held_out: Scenes,
}

impl Data {
    /// Reads or generates boards, and puts pictures into them.
    pub fn new(settings: &RunSettings) -> anyhow::Result<Data> {
        let RunSettings { order, .. } = *settings;
        let seed = settings.seed();
        let (train, test) = boards(settings)?;
        let mnist = pictures(settings)?;
        // What the answers say is made wrong; which digits the pictures show is not.
        let told = with_wrong_answers(&train, settings.wrong_answers, seed);
        let training = sudoku::scenes(order, &train, &mnist.train, seed)?;
        let training = training.with_known(sudoku::examples_full(order, &told))?;
        let held_out = sudoku::scenes(order, &test, &mnist.test, seed)?;
        Ok(Data { train, test, training, held_out })
    }

    /// The boards to test on alone, or `count` of them, with pictures that depend on a seed.
    pub fn test_only(
        settings: &RunSettings,
        count: Option<usize>,
        seed: u64,
    ) -> anyhow::Result<(Vec<Puzzle>, Scenes)> {
        let puzzles = match &settings.test_boards {
            Some(file) => spread(read(file, settings.order)?, count.unwrap_or(usize::MAX)),
            None => spread(boards(settings)?.1, count.unwrap_or(usize::MAX)),
        };
        let scenes = sudoku::scenes(settings.order, &puzzles, &pictures(settings)?.test, seed)?;
        Ok((puzzles, scenes))
    }
}

fn pictures(settings: &RunSettings) -> anyhow::Result<Mnist> {
    Ok(settings.mnist.as_deref().map(Mnist::read).transpose()?.unwrap_or_else(Mnist::embedded))
}

/// The answers of puzzles, some of them wrong.
fn with_wrong_answers(puzzles: &[Puzzle], share: f64, seed: u64) -> Vec<sudoku::Grid> {
    let answers: Vec<sudoku::Grid> = puzzles.iter().map(Puzzle::answers).collect();
    sudoku::with_wrong_digits(&answers, share, seed)
}

/// The boards to train on, and those to test on: of another file, the last ones of the file, or generated.
fn boards(settings: &RunSettings) -> anyhow::Result<(Vec<Puzzle>, Vec<Puzzle>)> {
    let RunSettings { train, test, order, .. } = *settings;
    ensure!(train > 0 && test > 0, "there must be boards to train on and boards to test on");
    let Some(file) = settings.boards.as_deref() else {
        let (all, seed) = (train + test, settings.seed());
        let mut puzzles = match order {
            2 => sudoku::with_givens(&sudoku::generate(order, all, seed), 5..=9, seed),
            _ => sudoku::puzzles(order, &sudoku::Spread::of_order(order), all, seed, &Quiet)?,
        };
        let test = puzzles.split_off(train);
        return Ok((puzzles, test));
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
pub fn read(file: &Path, order: usize) -> anyhow::Result<Vec<Puzzle>> {
    let (side, name) = (sudoku::side(order), file.display());
    let text = sudoku::read_text(file)?;
    let mut puzzles = Vec::new();
    for (line, puzzle) in sudoku::read_lines(&text) {
        let puzzle = puzzle.map_err(|problem| anyhow::anyhow!("{name}: line {line}: {problem}"))?;
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

    #[test]
    fn boards_are_spread_over_the_numbers_of_givens() {
        let grids = sudoku::generate(2, 300, 1);
        let puzzles = sudoku::with_givens(&grids, 5..=10, 1);
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
