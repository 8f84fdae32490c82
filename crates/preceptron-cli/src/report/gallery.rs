//! Boards that were held out, as they were read and solved: some of each outcome, and what was repaired.

use anyhow::ensure;
use preceptron::Scenes;
use preceptron_tasks::sudoku::{Judgement, Puzzle};
use serde::Serialize;

use super::board::Board;
use super::picture::data_address;

/// Boards of one outcome.
#[derive(Debug, Serialize)]
pub struct Outcome {
    pub title: &'static str,
    /// How many boards there are, shown or not.
    pub boards: usize,
    pub shown: Vec<Shown>,
}

/// A board.
#[derive(Debug, Serialize)]
pub struct Shown {
    /// Its number, from 1.
    pub number: usize,
    pub svg: String,
    /// What there is to say of its givens.
    pub remarks: Vec<String>,
}

/// Repaired and plainly solved boards are shown up to this number, failed ones up to the next.
const SOLVED_SHOWN: usize = 6;
const FAILED_SHOWN: usize = 12;

/// The boards as the first way of solving left them, by outcome; an outcome that no board has is left out.
pub fn outcomes(judgement: &Judgement, scenes: &Scenes, puzzles: &[Puzzle]) -> anyhow::Result<Vec<Outcome>> {
    let boards = [judgement.boards, judgement.readings.len(), scenes.len(), puzzles.len()];
    ensure!(
        boards.iter().all(|&n| n == boards[0]),
        "boards, scenes and puzzles differ in number: {boards:?}"
    );
    let answers = judgement.solved.first().map_or(&[][..], |solved| &solved.answers);
    let outcome = |board: usize| match answers[board][..] == *puzzles[board].solution.digits() {
        false => 0,
        true if judgement.readings[board].iter().any(|(cell, digit, _)| answers[board][*cell] != *digit) => 1,
        true => 2,
    };
    let mut outcomes = Vec::new();
    let kinds =
        [("Failed", FAILED_SHOWN), ("Solved after repair", SOLVED_SHOWN), ("Solved as read", SOLVED_SHOWN)];
    for (kind, (title, most)) in kinds.into_iter().enumerate() {
        let boards: Vec<usize> = (0..answers.len()).filter(|&board| outcome(board) == kind).collect();
        let shown = boards
            .iter()
            .take(most)
            .map(|&board| show(board, &answers[board], &judgement.readings[board], scenes, &puzzles[board]));
        let shown = shown.collect::<anyhow::Result<Vec<_>>>()?;
        outcomes.push(Outcome { title, boards: boards.len(), shown });
    }
    outcomes.retain(|outcome| outcome.boards > 0);
    Ok(outcomes)
}

/// Draws one board.
fn show(
    number: usize,
    answer: &[u8],
    readings: &[(usize, u8, f32)],
    scenes: &Scenes,
    puzzle: &Puzzle,
) -> anyhow::Result<Shown> {
    let truth = puzzle.solution.digits();
    let side = truth.len().isqrt();
    let mut board = Board::new(puzzle.solution.order());
    let mut remarks = Vec::new();
    let mut is_given = vec![false; truth.len()];
    let mut pixels = Vec::new();
    for (&sight, &(cell, read, probability)) in scenes.sights(number).iter().zip(readings) {
        is_given[cell] = true;
        let shape = scenes.gather([sight].into_iter(), &mut pixels)?.shape();
        board.picture(cell, &data_address(shape.width, shape.height, &pixels[..shape.pixels()])?);
        let (found, place) = (answer[cell], format!("row {}, column {}", cell / side + 1, cell % side + 1));
        let remark = |rest: String| format!("{place}: read {read} ({probability:.2}), {rest}");
        match (found == truth[cell], found == read) {
            (true, true) => (),
            (true, false) => {
                board.tile(cell, "frame repaired");
                board.note(cell, &found.to_string(), "repaired");
                remarks.push(remark(format!("must be {found}")));
            }
            (false, agrees) => {
                board.tile(cell, "frame wrong");
                board.note(cell, &truth[cell].to_string(), "wrong");
                let taken = match found {
                    _ if agrees => String::new(),
                    0 => "left open, ".to_owned(),
                    _ => format!("taken for {found}, "),
                };
                remarks.push(remark(format!("{taken}is {}", truth[cell])));
            }
        }
    }
    for cell in (0..truth.len()).filter(|&cell| !is_given[cell]) {
        let found = if answer[cell] == 0 { "?".to_owned() } else { answer[cell].to_string() };
        if answer[cell] == truth[cell] {
            board.text(cell, &found, "found");
        } else {
            board.tile(cell, "fill wrong");
            board.text(cell, &found, "wrong");
            board.note(cell, &truth[cell].to_string(), "truth");
        }
    }
    let right = answer.iter().zip(truth).filter(|(a, b)| a == b).count();
    let label = format!("Board {}: {right} of {} cells are right", number + 1, truth.len());
    Ok(Shown { number: number + 1, svg: board.svg(&label), remarks })
}
