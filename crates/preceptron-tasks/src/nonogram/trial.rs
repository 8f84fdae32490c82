//! Training from one line of each board, and scoring on whole boards.

use std::path::PathBuf;

use preceptron::{Learner, Metrics, Observer, Report, train};
use preceptron_base::{Control, SettingsError, stream};
use preceptron_logic::RuleSet;
use preceptron_reason::ReasonError;
use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    Board, BoardError, NonogramLearner, ObservedLine, Solved, Solver, generate, no_touch, read_boards,
};

/// How black generated pictures are at first.
pub const DENSITY: f64 = 0.5;

/// Test boards are drawn far from those trained on.
const TEST_ITEMS: usize = 1 << 40;

/// What is learned over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Encoding {
    /// Where runs have started and ended on the lines seen.
    #[default]
    Lines,
    /// The bits of the paper authors' program, see [`authors`](super::authors()).
    Authors,
}

/// The settings of nonograms.
///
/// | field | default | range |
/// |---|---|---|
/// | `seed` (which boards, which line of each) | 0 | any |
/// | `boards` (a file) | generated boards | |
/// | `side` (of generated boards) | 7 | 1 to 60 |
/// | `train` (boards of which one line is seen) | 1,000 | 1 to 1,000,000 |
/// | `test` (boards to solve, the last ones of a file) | 1,000 | 1 to 1,000,000 |
/// | `encoding` | `lines` | `lines`, `authors` |
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NonogramSettings {
    /// The master seed.
    pub seed: u64,
    /// A file of boards.
    pub boards: Option<PathBuf>,
    /// The side of generated boards.
    pub side: usize,
    /// How many boards to train on.
    pub train: usize,
    /// How many boards to test on.
    pub test: usize,
    /// What is learned over.
    pub encoding: Encoding,
}

impl Default for NonogramSettings {
    fn default() -> NonogramSettings {
        NonogramSettings {
            seed: 0,
            boards: None,
            side: 7,
            train: 1000,
            test: 1000,
            encoding: Encoding::Lines,
        }
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
    fn check(&self) -> Result<(), SettingsError> {
        let within =
            |key, value: usize, least: usize, most: usize, range| match (least..=most).contains(&value) {
                true => Ok(()),
                false => Err(SettingsError::range(key, value, range)),
            };
        within("side", self.side, 1, 60, "1 to 60")?;
        within("train", self.train, 1, 1_000_000, "1 to 1000000")?;
        within("test", self.test, 1, 1_000_000, "1 to 1000000")
    }

    /// The boards. The last boards of a file are to test on; those to train on are drawn from the others.
    ///
    /// # Errors
    /// If a setting is out of its range, or the file cannot be read or has too few boards.
    pub fn data(&self) -> Result<NonogramData, DataError> {
        self.check()?;
        let NonogramSettings { seed, side, train, test, .. } = *self;
        let Some(path) = &self.boards else {
            let line = |item| ObservedLine::of(&generate(side, side, DENSITY, seed, item), seed, item);
            let lines = (0..train).into_par_iter().map(line).collect();
            return Ok(NonogramData { lines, test: generated(side, test, seed) });
        };
        let mut boards = read_boards(path)?;
        if train.saturating_add(test) > boards.len() {
            return Err(DataError::Few { path: path.clone(), found: boards.len(), train, test });
        }
        let test = boards.split_off(boards.len() - test);
        let mut order: Vec<usize> = (0..boards.len()).collect();
        order.shuffle(&mut stream(seed, "training boards", 0));
        let line = |&number: &usize| ObservedLine::of(&boards[number], seed, number);
        Ok(NonogramData { lines: order[..train].iter().map(line).collect(), test })
    }
}

/// Boards to test on, none of which is trained on.
pub fn generated(side: usize, count: usize, seed: u64) -> Vec<Board> {
    (0..count).into_par_iter().map(|item| generate(side, side, DENSITY, seed, TEST_ITEMS + item)).collect()
}

/// What was learned, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct NonogramTrial {
    /// The relative rules.
    pub rules: RuleSet,
    /// How training went.
    pub report: Report,
}

impl NonogramTrial {
    /// Learns from lines.
    pub fn new(
        lines: Vec<ObservedLine>,
        seed: u64,
        observers: &mut [&mut dyn Observer],
        control: &dyn Control,
    ) -> NonogramTrial {
        let mut learner = NonogramLearner::new(lines, seed);
        let report = train("lines", &mut learner, observers, control);
        NonogramTrial { rules: learner.rules(), report }
    }

    /// Whether the rule that runs do not touch is among the rules.
    pub fn has_no_touch(&self) -> bool {
        self.rules.contains_relative(&no_touch())
    }
}

/// How rules solve whole boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BoardScore {
    /// The boards.
    pub boards: usize,
    /// Boards whose picture is the only one that the rules allow.
    pub right: usize,
    /// Boards of which the rules allow several pictures.
    pub several: usize,
    /// Boards of which they allow only another picture.
    pub wrong: usize,
    /// Boards of which they allow none.
    pub none: usize,
}

impl BoardScore {
    /// Solves boards.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn of(solver: &Solver, boards: &[Board], control: &dyn Control) -> Result<BoardScore, ReasonError> {
        control.stage("boards", boards.len() as u64);
        let one = |board: &Board| {
            let mut score = BoardScore { boards: 1, ..BoardScore::default() };
            if control.is_cancelled() {
                return Ok(BoardScore::default());
            }
            match solver.solve(&board.clues, 2)? {
                Solved::Pictures(pictures, _) if pictures.len() > 1 => score.several = 1,
                Solved::Pictures(pictures, _) if pictures.first() == Some(&board.picture) => score.right = 1,
                Solved::Pictures(..) | Solved::Unknown => score.wrong = 1,
                Solved::Clash(_) => score.none = 1,
            }
            control.advance(1);
            Ok(score)
        };
        let scores = boards.par_iter().map(one).collect::<Result<Vec<_>, ReasonError>>()?;
        Ok(scores.into_iter().fold(BoardScore::default(), |a, b| BoardScore {
            boards: a.boards + b.boards,
            right: a.right + b.right,
            several: a.several + b.several,
            wrong: a.wrong + b.wrong,
            none: a.none + b.none,
        }))
    }

    /// The score as named numbers.
    pub fn metrics(&self) -> Metrics {
        let BoardScore { boards, right, several, wrong, none } = *self;
        Metrics::new(
            [("boards", boards), ("right", right), ("several", several), ("wrong", wrong), ("none", none)]
                .map(|(name, count)| (name, count as f64)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::Quiet;

    #[test]
    fn boards_are_solved_by_what_single_lines_teach() {
        let settings = NonogramSettings { train: 100, test: 40, seed: 3, ..NonogramSettings::default() };
        let data = settings.data().unwrap();
        assert_eq!((data.lines.len(), data.test.len()), (100, 40));
        let trial = NonogramTrial::new(data.lines, 3, &mut [], &Quiet);
        assert!(trial.has_no_touch());
        let solver = Solver::new(&trial.rules).unwrap();
        let score = BoardScore::of(&solver, &data.test, &Quiet).unwrap();
        assert_eq!((score.right, score.boards), (40, 40));
        let wide: Vec<Board> = (0..5).map(|item| generate(4, 11, 0.5, 1, item)).collect();
        assert_eq!(BoardScore::of(&solver, &wide, &Quiet).unwrap().right, 5);
        // Without the rule that runs do not touch, some boards have several pictures, and none is wrong.
        let others = trial.rules.relative().iter().filter(|rule| !rule.says_the_same(&no_touch()));
        let fewer = RuleSet::of_relative(others.cloned());
        let score = BoardScore::of(&Solver::new(&fewer).unwrap(), &data.test, &Quiet).unwrap();
        assert!(score.several > 0 && score.wrong + score.none == 0, "{score:?}");
    }

    #[test]
    fn what_is_out_of_range_is_named() {
        let plain = NonogramSettings::default();
        let message = |settings: NonogramSettings| settings.data().unwrap_err().to_string();
        assert_eq!(
            message(NonogramSettings { side: 0, ..plain.clone() }),
            "side = 0 is out of range: 1 to 60"
        );
        assert_eq!(
            message(NonogramSettings { train: 0, ..plain }),
            "train = 0 is out of range: 1 to 1000000"
        );
    }
}
