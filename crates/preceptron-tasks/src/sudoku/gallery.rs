//! Boards that were held out, as they were read and solved: some of each outcome, and what was repaired.

use preceptron::page::{Block, Drawing, Section, png_address};
use preceptron::{Scenes, TaskResult};

use super::reading::Reading;
use super::{Judgement, Puzzle, SudokuData};
use crate::board_svg::BoardSvg;
use crate::picture::Picture;

/// Repaired and plainly solved boards are shown up to this number, failed ones up to the next.
const SOLVED_SHOWN: usize = 6;
const FAILED_SHOWN: usize = 12;

/// The boards as the first way of solving left them, by what became of them.
pub fn section(judgement: &Judgement, data: &SudokuData) -> TaskResult<Section> {
    let SudokuData { test: puzzles, held_out: scenes, .. } = data;
    let answers = judgement.solved.first().map_or(&[][..], |solved| &solved.answers);
    let became = |board: usize| match answers[board][..] == *puzzles[board].solution.digits() {
        false => 0,
        true if judgement.readings[board].iter().any(|one| one.is_repaired(&answers[board])) => 1,
        true => 2,
    };
    let mut blocks = vec![Block::Key(vec![
        ("", "", "pictures are given"),
        ("found", "5", "found"),
        ("repaired", "5", "repaired: read otherwise, and right"),
        ("wrong", "5", "wrong, with the truth in small"),
    ])];
    let kinds =
        [("Failed", FAILED_SHOWN), ("Solved after repair", SOLVED_SHOWN), ("Solved as read", SOLVED_SHOWN)];
    for (kind, (title, most)) in kinds.into_iter().enumerate() {
        let boards: Vec<usize> = (0..answers.len()).filter(|&board| became(board) == kind).collect();
        if boards.is_empty() {
            continue;
        }
        let shown = boards
            .iter()
            .take(most)
            .map(|&board| show(board, &answers[board], &judgement.readings[board], scenes, &puzzles[board]));
        let shown = shown.collect::<TaskResult<Vec<_>>>()?;
        let part = match shown.len() < boards.len() {
            true => format!(" ({} shown)", shown.len()),
            false => String::new(),
        };
        blocks.push(Block::Heading(format!("{title}: {} of {}{part}", boards.len(), judgement.boards)));
        blocks.push(Block::Drawings(shown));
    }
    Ok(Section::new("Boards", blocks))
}

/// Draws one board.
fn show(
    number: usize,
    answer: &[u8],
    readings: &[Reading],
    scenes: &Scenes,
    puzzle: &Puzzle,
) -> TaskResult<Drawing> {
    let truth = puzzle.solution.digits();
    let side = truth.len().isqrt();
    let mut board = BoardSvg::new(side, puzzle.solution.order());
    let mut remarks = Vec::new();
    let mut is_given = vec![false; truth.len()];
    let mut pixels = Vec::new();
    for (&sight, reading) in scenes.sights(number).iter().zip(readings) {
        let (cell, read, probability) = (reading.cell, reading.digit(), reading.probability());
        is_given[cell] = true;
        let shape = scenes.gather([sight].into_iter(), &mut pixels)?.shape();
        // Shown as ink on paper: 0 is white.
        let ink: Vec<u8> = pixels[..shape.pixels()].iter().map(|pixel| 255 - pixel).collect();
        board.picture(cell, &png_address(&Picture::from_pixels(shape.width, ink).to_png()?));
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
    let notes = vec![format!("Board {}", number + 1)];
    Ok(Drawing { svg: board.svg(&label), remarks, notes, ..Drawing::default() })
}
