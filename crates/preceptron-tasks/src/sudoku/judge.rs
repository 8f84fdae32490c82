//! How well boards are read and solved.
//!
//! A board is *read* right if the likeliest digit of every given's picture is the true one, and solved
//! right if all its cells are. Solutions serve only to count.

use std::ops::ControlFlow;
use std::sync::Arc;

use preceptron::page::ReadPicture;
use preceptron::{Scenes, Sight, TrainError, Views, read_while};
use preceptron_base::Control;
use preceptron_logic::{Problem, RuleSet};
use preceptron_perceive::{Perception, Probabilities, calibration_error};
use preceptron_reason::{Backend, Reasoner, work_in_blocks};
use serde::Serialize;

use super::decoding::{Board, Decoding, decode};
use super::reading::Reading;
use super::{Puzzle, side, variable};

/// How boards were solved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Solved {
    /// In which way.
    pub decoding: Decoding,
    /// Boards of which every cell is right.
    pub boards: usize,
    /// Boards on which every given is right in the answer, misread ones repaired.
    pub boards_perceived: usize,
    /// Boards on which every other cell is right.
    pub boards_completed: usize,
    /// Cells that are right, givens included.
    pub cells: usize,
    /// Boards for which there was no answer.
    pub without_answer: usize,
    /// Mean time for a board, on one thread, in seconds.
    pub seconds: f64,
    /// The longest time for a board, in seconds.
    pub worst_seconds: f64,
    /// For each board the digits of its cells, 0 where none was found.
    #[serde(skip)]
    pub answers: Vec<Vec<u8>>,
    /// For each board how sure the answer is, where that was asked for.
    #[serde(skip)]
    pub confidences: Vec<f64>,
}

/// How boards were read and solved.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Judgement {
    /// How many boards there were.
    pub boards: usize,
    /// Givens.
    pub givens: usize,
    /// Givens that were read right.
    pub givens_read: usize,
    /// Boards of which every given was read right.
    pub boards_read: usize,
    /// The expected calibration error of the readings.
    pub calibration_error: f64,
    /// How they were solved, in each way.
    pub solved: Vec<Solved>,
    /// For each board what was read in its givens.
    #[serde(skip)]
    pub readings: Vec<Vec<Reading>>,
}

/// Boards to judge a network and rules by.
#[derive(Clone, Copy)]
pub struct Judge<'a> {
    /// The boards with their pictures.
    pub scenes: &'a Scenes,
    /// The same boards with their solutions, which serve only to count.
    pub puzzles: &'a [Puzzle],
    /// The network.
    pub perception: &'a dyn Perception,
    /// How often each picture is looked at.
    pub views: Views,
    /// The rules.
    pub rules: &'a RuleSet,
    /// The ways of solving.
    pub decodings: &'a [Decoding],
    /// The temperature at which to say how sure the likeliest board is; nothing if nobody asks.
    pub confidence_at: Option<f64>,
    /// Threads.
    pub threads: usize,
}

impl Judge<'_> {
    /// Reads and solves the boards. If `control` says to stop, those that were solved until then count.
    ///
    /// # Errors
    /// If the network or the reasoner fails.
    ///
    /// # Panics
    /// If there are not as many puzzles as scenes.
    pub fn judge(&self, control: &dyn Control) -> Result<Judgement, TrainError> {
        assert_eq!(self.scenes.len(), self.puzzles.len(), "a puzzle for each scene");
        let all: Vec<usize> = (0..self.scenes.len()).collect();
        control.stage("reading pictures of boards", all.len() as u64);
        let probabilities = read_while(self.views, self.scenes, self.perception, &all, control)?;
        if control.is_cancelled() {
            return Ok(Judgement::default());
        }
        let mut rows = probabilities.rows();
        let one = |(sight, row): (&Sight, &[f32])| Reading::of_row(sight.place as usize, row);
        let mut board = |board| self.scenes.sights(board).iter().zip(rows.by_ref()).map(one).collect();
        let readings: Vec<Vec<Reading>> = all.iter().map(|&number| board(number)).collect();
        let truth = |board: usize, cell: usize| self.puzzles[board].solution.digits()[cell];
        let right =
            |board: usize| readings[board].iter().filter(|one| truth(board, one.cell) == one.digit()).count();
        let labels: Vec<usize> = (0..)
            .zip(&readings)
            .flat_map(|(board, readings)| readings.iter().map(move |r| usize::from(truth(board, r.cell)) - 1))
            .collect();
        let mut judgement = Judgement {
            boards: self.scenes.len(),
            givens: labels.len(),
            givens_read: all.iter().map(|&board| right(board)).sum(),
            boards_read: all.iter().filter(|&&board| right(board) == readings[board].len()).count(),
            calibration_error: calibration_error(&probabilities, &labels, 15).unwrap_or(0.0),
            solved: Vec::new(),
            readings,
        };
        let problem = Arc::new(Problem::from(self.rules.clone()));
        for &decoding in self.decodings.iter().filter(|_| !control.is_cancelled()) {
            judgement.solved.push(self.solve(decoding, &problem, &probabilities, control)?);
        }
        Ok(judgement)
    }

    fn solve(
        &self,
        decoding: Decoding,
        problem: &Arc<Problem>,
        probabilities: &Probabilities,
        control: &dyn Control,
    ) -> Result<Solved, TrainError> {
        control.stage(&format!("solving boards by {}", decoding.short_name()), self.scenes.len() as u64);
        let mut rows = probabilities.rows();
        let boards: Vec<(usize, Vec<&[f32]>)> = (0..self.scenes.len())
            .map(|board| (board, rows.by_ref().take(self.scenes.sights(board).len()).collect()))
            .collect();
        let mut solved = Solved {
            decoding,
            boards: 0,
            boards_perceived: 0,
            boards_completed: 0,
            cells: 0,
            without_answer: 0,
            seconds: 0.0,
            worst_seconds: 0.0,
            answers: Vec::new(),
            confidences: Vec::new(),
        };
        let (mut failure, cancel) = (None, control.cancel_flag());
        let work = |reasoner: &mut dyn Reasoner, (board, readings): &(usize, Vec<&[f32]>)| {
            decode(decoding, self.scenes, *board, readings, self.confidence_at, &cancel, reasoner)
        };
        work_in_blocks(Backend::Portfolio, problem, &boards, self.threads, work, |board, answer| {
            control.advance(1);
            match answer {
                // The answer to a question that was broken off is none.
                _ if control.is_cancelled() => (),
                Err(error) => failure = Some(error),
                Ok(answer) => solved.count(&self.puzzles[board], answer),
            }
            let go_on = failure.is_none() && !control.is_cancelled();
            if go_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        solved.seconds /= solved.answers.len().max(1) as f64;
        failure.map_or(Ok(solved), |error| Err(error.into()))
    }
}

impl Judgement {
    /// What was read in each picture, for the page.
    pub fn pictures(&self, puzzles: &[Puzzle]) -> Vec<ReadPicture> {
        let of_board = |(readings, puzzle): (&Vec<Reading>, &Puzzle)| -> Vec<ReadPicture> {
            let one = |reading: &Reading| ReadPicture {
                truth: usize::from(puzzle.solution.digits()[reading.cell]).saturating_sub(1),
                read: usize::from(reading.digit()).saturating_sub(1),
                probability: reading.probability(),
            };
            readings.iter().map(one).collect()
        };
        self.readings.iter().zip(puzzles).flat_map(of_board).collect()
    }
}

impl Solved {
    fn count(&mut self, puzzle: &Puzzle, answer: Board) {
        let (truth, order) = (puzzle.solution.digits(), puzzle.solution.order());
        let digits = digits(order, answer.values.as_deref());
        let is_right: Vec<bool> = digits.iter().zip(truth).map(|(digit, truth)| digit == truth).collect();
        let givens = puzzle.givens.digits();
        self.cells += is_right.iter().filter(|right| **right).count();
        self.boards += usize::from(is_right.iter().all(|right| *right));
        let is_right_where = |wanted: &dyn Fn(u8) -> bool| {
            is_right.iter().zip(givens).all(|(right, given)| *right || !wanted(*given))
        };
        self.boards_perceived += usize::from(is_right_where(&|given| given > 0));
        self.boards_completed += usize::from(is_right_where(&|given| given == 0));
        self.without_answer += usize::from(answer.values.is_none());
        self.seconds += answer.seconds;
        self.worst_seconds = self.worst_seconds.max(answer.seconds);
        self.confidences.extend(answer.confidence);
        self.answers.push(digits);
    }

    /// Boards that are answered if an answer must be at least so sure, and how many of these are right.
    /// Nothing if it was not asked how sure the answers are.
    pub fn at_confidence(&self, least: f64, puzzles: &[Puzzle]) -> Option<(usize, usize)> {
        if self.confidences.len() != self.answers.len() {
            return None;
        }
        let boards = self.confidences.iter().zip(&self.answers).zip(puzzles);
        let answered = boards.filter(|((confidence, _), _)| **confidence >= least);
        Some(answered.fold((0, 0), |(all, right), ((_, answer), puzzle)| {
            (all + 1, right + usize::from(answer[..] == *puzzle.solution.digits()))
        }))
    }
}

/// The digits of a solution, 0 where a cell has none.
fn digits(order: usize, values: Option<&[bool]>) -> Vec<u8> {
    let side = side(order);
    let cell = |cell: usize| {
        let holds = |digit: &usize| {
            values.is_some_and(|values| values[variable(order, cell / side, cell % side, *digit).index()])
        };
        (1..=side).find(holds).unwrap_or(0) as u8
    };
    (0..side * side).map(cell).collect()
}
