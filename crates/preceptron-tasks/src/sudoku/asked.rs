//! What is asked about a board that was seen: the likeliest solution, how sure it is, and why it is no answer where it is none.

use preceptron::TaskResult;
use preceptron_perceive::Perception;
use preceptron_reason::{Limits, Status};

use super::answer::{BoardAnswer, Other};
use super::posterior::{Flattening, Prior, posterior};
use super::reading::Reading;
use super::seen_board::{Refusal, SeenBoard};
use super::{BoardSolver, read_cells};

/// A picture is not taken for one of a board if more than one of so many digits that were read, and more than
/// [`FEW`], would have to be others.
const REPAIRED: usize = 6;

/// So many digits may be others anyway.
const FEW: usize = 2;

/// What the network says of a photograph, less sure.
const IN_PHOTOGRAPHS: Flattening = Flattening { temperature: 1.2, stains: 0.002 };

/// What is asked about a board.
pub struct Asked<'a> {
    /// Who solves it.
    pub solver: &'a mut BoardSolver,
    /// What is taken for granted.
    pub prior: Prior,
    /// How sure an answer must be.
    pub confidence: f64,
    /// Whether the best guess is wanted where there is no answer, whatever time that takes.
    pub guess: bool,
    /// When all of it ends.
    pub limits: &'a Limits,
}

impl Asked<'_> {
    /// The answer, of the board as it is or, if it cannot be read so, as it is when turned by quarters.
    fn upright(&mut self, seen: SeenBoard, network: &dyn Perception) -> TaskResult<(SeenBoard, BoardAnswer)> {
        let answer = self.answer(read_cells(&seen.cells, network)?)?;
        if answer.refusal.is_none() || seen.found.is_none() {
            return Ok((seen, answer));
        }
        for quarters in 1..4 {
            let other = seen.turned(quarters);
            let turned = self.answer(read_cells(&other.cells, network)?)?;
            if turned.refusal.is_none() {
                return Ok((other, turned));
            }
        }
        Ok((seen, answer))
    }

    /// The answer to a picture, and what was seen in it if a board was.
    pub fn picture(
        &mut self,
        seen: Result<SeenBoard, Refusal>,
        network: &dyn Perception,
    ) -> TaskResult<(Option<SeenBoard>, BoardAnswer)> {
        match seen {
            Err(refusal) => {
                let nothing = BoardAnswer::of(Vec::new(), self.prior);
                Ok((None, BoardAnswer { refusal: Some(refusal), ..nothing }))
            }
            Ok(seen) => {
                let (seen, answer) = self.upright(seen, network)?;
                Ok((Some(seen), answer))
            }
        }
    }

    /// The likeliest board, how sure it is, and why it is not told where it is not.
    pub fn answer(&mut self, readings: Vec<Reading>) -> TaskResult<BoardAnswer> {
        let readings: Vec<Reading> = readings.iter().map(|reading| IN_PHOTOGRAPHS.of(reading)).collect();
        let mut answer = BoardAnswer::of(readings, self.prior);
        let readings = &answer.readings;
        let many = |repairs: usize| repairs > FEW && repairs * REPAIRED > readings.len();
        let least = self.solver.least_repairs(readings);
        if many(least) {
            answer.refusal =
                Some(format!("at least {least} of its {} digits contradict the others", readings.len()));
            if !self.guess {
                return Ok(answer);
            }
        }
        let found = posterior(self.solver, readings, self.prior, self.limits)?;
        answer.status = found.status;
        let Some(best) = found.candidates.first() else {
            if answer.status != Status::Infeasible {
                answer.refusal.get_or_insert_with(|| unfinished(self.limits));
            }
            return Ok(answer);
        };
        let repairs = readings.iter().filter(|reading| reading.is_repaired(&best.board)).count();
        let confidence = found.confidence();
        let of_guess = answer.refusal.take();
        answer.refusal = if of_guess.is_some() {
            of_guess
        } else if many(repairs) {
            Some(format!("{repairs} of its {} digits would have to be others than were read", readings.len()))
        } else if best.is_only == Some(false) && confidence < self.confidence {
            Some("its givens, as they were read, leave several boards".to_owned())
        } else if confidence < self.confidence {
            let least = self.confidence;
            Some(format!(
                "the likeliest board is sure to {confidence:.2} only, and --confidence asks for {least}"
            ))
        } else {
            None
        };
        answer.board = Some(best.board.clone());
        answer.other = match (&best.twin, best.is_only) {
            (Some(twin), _) => {
                let differs = (0..81).find(|&cell| twin[cell] != best.board[cell]);
                differs.map_or(Other::Unknown, |cell| Other::Differs(cell, twin[cell]))
            }
            (None, Some(true)) => Other::None,
            _ => Other::Unknown,
        };
        answer.sure = Some(found);
        Ok(answer)
    }

    /// Adds why a cell holds its digit.
    pub fn explain(&mut self, answer: &mut BoardAnswer, cell: Option<usize>) -> TaskResult<()> {
        let Some(board) = &answer.board else { return Ok(()) };
        let Some(cell) = cell.filter(|&cell| board[cell] > 0) else { return Ok(()) };
        let given: Vec<usize> = answer.readings.iter().map(|reading| reading.cell).collect();
        let why = self.solver.why(&answer.readings, board, cell)?;
        let step = self.solver.last_step(&given, board, cell)?;
        answer.why = Some((cell, why, step));
        Ok(())
    }
}

/// Why no board was found.
fn unfinished(limits: &Limits) -> String {
    match (limits.is_cancelled(), limits.time) {
        (true, _) => "stopped by Ctrl-C before a board was found".to_owned(),
        (false, Some(time)) => {
            format!("no board was found in {} s; --time allows more", time.as_secs_f64())
        }
        (false, None) => "no board was found".to_owned(),
    }
}
