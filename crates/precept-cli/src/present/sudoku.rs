//! How boards with pictures were read and solved.

use std::io::Write;

use precept_tasks::sudoku::{Decoding, Judgement, Puzzle};

/// How boards were read and solved, and one of them that was repaired.
pub fn print(out: &mut dyn Write, judgement: &Judgement, puzzles: &[Puzzle]) -> anyhow::Result<()> {
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    writeln!(out, "\nOn {} boards that were held out, with pictures that were:", judgement.boards)?;
    writeln!(
        out,
        "  {:.2}% of the givens read right; on {:.1}% of the boards all of them",
        share(judgement.givens_read, judgement.givens),
        share(judgement.boards_read, judgement.boards)
    )?;
    for solved in &judgement.solved {
        let how = match solved.decoding {
            Decoding::Likeliest => "the likeliest board that obeys the rules",
            Decoding::Pinned => "the first guess pinned, rules soft (as in the paper)",
        };
        let (boards, cells) =
            (share(solved.boards, judgement.boards), share(solved.cells, 81 * judgement.boards));
        writeln!(
            out,
            "  {boards:.1}% solved ({cells:.2}% of the cells): {how}, {:.2} ms a board",
            1e3 * solved.seconds
        )?;
    }
    let Some(likeliest) = judgement.solved.first() else { return Ok(()) };
    let is_repaired = |&board: &usize| {
        let answer = &likeliest.answers[board];
        answer[..] == *puzzles[board].solution.digits()
            && judgement.readings[board].iter().any(|(cell, digit, _)| answer[*cell] != *digit)
    };
    let board = (0..likeliest.answers.len()).find(is_repaired).unwrap_or(0);
    if let Some(answer) = likeliest.answers.get(board) {
        writeln!(out, "\nBoard {}: [5] was read, !5! was repaired, the others were found:", board + 1)?;
        draw(out, answer, &judgement.readings[board])?;
    }
    Ok(())
}

/// A board as text: givens in brackets, repaired ones with a mark, and what was repaired.
pub fn draw(out: &mut dyn Write, answer: &[u8], readings: &[(usize, u8, f32)]) -> anyhow::Result<()> {
    for row in 0..9 {
        write!(out, "  ")?;
        for column in 0..9 {
            let cell = 9 * row + column;
            let digit = answer[cell];
            match readings.iter().find(|(given, ..)| *given == cell) {
                Some((_, read, _)) if *read != digit => write!(out, "!{digit}!")?,
                Some(_) => write!(out, "[{digit}]")?,
                None => write!(out, " {digit} ")?,
            }
            write!(out, "{}", if column == 2 || column == 5 { " |" } else { "" })?;
        }
        writeln!(out)?;
        if row == 2 || row == 5 {
            writeln!(out, "  ----------+-----------+----------")?;
        }
    }
    for (cell, read, probability) in readings.iter().filter(|(cell, digit, _)| answer[*cell] != *digit) {
        let (row, column) = (cell / 9 + 1, cell % 9 + 1);
        writeln!(
            out,
            "  row {row}, column {column}: read {read} ({probability:.2}), must be {}",
            answer[*cell]
        )?;
    }
    Ok(())
}
