//! The boards of a run: one line of each to train on, whole boards to test on.

use std::path::PathBuf;

use preceptron_base::{SettingsError, choices, settings, stream};
use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::{Board, BoardError, ObservedLine, generate, read_boards};

/// How black generated pictures are at first.
pub const DENSITY: f64 = 0.5;

/// Test boards are drawn far from those trained on.
const TEST_ITEMS: usize = 1 << 40;

choices! {
    /// What is learned over.
    pub enum Encoding: Lines {
        /// Where runs have started and ended on the lines seen.
        Lines = "lines",
        /// The bits of the paper authors' program, beside random rows that are never trained.
        Authors = "authors",
    }
}

settings! {
    /// The settings of nonograms.
    pub struct NonogramSettings {
        /// A file of boards: the last ones are to test on, those to train on are drawn from the others
        /// [default: generated boards].
        boards: Option<PathBuf> = None, "FILE";
        /// The side of generated boards.
        side: usize = 7, "N" in 1..=60;
        /// How many boards to train on; one line of each is seen.
        train: usize = 1000, "N" in 1..=1_000_000;
        /// How many boards to solve.
        test: usize = 1000, "N" in 1..=1_000_000;
        /// The seed: which boards are trained on, and which line of each is seen.
        seed: u64 = 0, "N";
        /// What is learned over.
        encoding: Encoding = Encoding::Lines, "NAME";
    }
}

/// Why there are no boards as asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// A setting is out of its range.
    #[error(transparent)]
    Setting(#[from] SettingsError),
    /// A file cannot be understood.
    #[error(transparent)]
    File(#[from] BoardError),
    /// A file has too few boards.
    #[error("{}: {found} boards, {train} to train on and {test} to test on are asked for", path.display())]
    Few {
        /// The file.
        path: PathBuf,
        /// How many it has.
        found: usize,
        /// How many to train on.
        train: usize,
        /// How many to test on.
        test: usize,
    },
}

/// One line of each training board, and whole boards to test on.
#[derive(Clone, Debug)]
pub struct NonogramData {
    /// The lines seen.
    pub lines: Vec<ObservedLine>,
    /// The boards to test on.
    pub test: Vec<Board>,
}

impl NonogramSettings {
    /// The boards. The last boards of a file are to test on; those to train on are drawn from the others.
    ///
    /// # Errors
    /// If a setting is out of its range, or the file cannot be read or has too few boards.
    pub fn data(&self) -> Result<NonogramData, DataError> {
        let (train, test) = self.whole_boards()?;
        let line = |(number, board): &(usize, Board)| ObservedLine::of(board, self.seed, *number);
        Ok(NonogramData { lines: train.par_iter().map(line).collect(), test })
    }

    /// The boards that [`data`](Self::data) takes lines of, each with its number, and those to test on: for learners
    /// that are told more.
    ///
    /// # Errors
    /// As [`data`](Self::data).
    #[expect(clippy::type_complexity, reason = "boards with numbers, and boards")]
    pub fn whole_boards(&self) -> Result<(Vec<(usize, Board)>, Vec<Board>), DataError> {
        preceptron_base::Settings::check(self)?;
        let NonogramSettings { seed, side, train, test, .. } = *self;
        let Some(path) = &self.boards else {
            let board = |item| (item, generate(side, side, DENSITY, seed, item));
            return Ok(((0..train).into_par_iter().map(board).collect(), generated(side, test, seed)));
        };
        let mut boards = read_boards(path)?;
        if train.saturating_add(test) > boards.len() {
            return Err(DataError::Few { path: path.clone(), found: boards.len(), train, test });
        }
        let test = boards.split_off(boards.len() - test);
        let mut order: Vec<usize> = (0..boards.len()).collect();
        order.shuffle(&mut stream(seed, "training boards", 0));
        Ok((order[..train].iter().map(|&number| (number, boards[number].clone())).collect(), test))
    }
}

/// Boards to test on, none of which is trained on.
pub fn generated(side: usize, count: usize, seed: u64) -> Vec<Board> {
    (0..count).into_par_iter().map(|item| generate(side, side, DENSITY, seed, TEST_ITEMS + item)).collect()
}
