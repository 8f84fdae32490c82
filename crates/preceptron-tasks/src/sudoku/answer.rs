//! A board that was read from a picture and solved, in words and as JSON.

use std::io::Write;

use preceptron::words::count;
use preceptron_logic::{Problem, sentence};
use preceptron_reason::Status;
use serde_json::{Value, json};

use super::posterior::{Posterior, Prior};
use super::reading::Reading;
use super::{Grounds, Why, show};

/// A solved board.
pub struct BoardAnswer {
    /// How sure it is.
    pub status: Status,
    /// The digits row by row, 0 where a cell has none; nothing if there is no board.
    pub board: Option<Vec<u8>>,
    /// What was read.
    pub readings: Vec<Reading>,
    /// Whether the same givens have another solution.
    pub other: Other,
    /// A cell, why it holds its digit, and the last step to it.
    pub why: Option<(usize, Why, Option<Grounds>)>,
    /// Why the picture is not taken for one of a board, where it is not; a board is then a guess.
    pub refusal: Option<String>,
    /// What was taken for granted.
    pub prior: Prior,
    /// How sure it is, and what else it may be.
    pub sure: Option<Posterior>,
}

/// Whether there is another solution.
pub enum Other {
    /// There is none.
    None,
    /// One has this digit in this cell.
    Differs(usize, u8),
    /// Nobody knows.
    Unknown,
}

/// More rules than these are told by their number and their last step.
const MANY: usize = 9;

/// A probability with as many nines as it has.
fn probability(p: f64) -> String {
    match p {
        _ if p > 0.99995 => "more than 0.9999".to_owned(),
        _ if p > 0.99 => format!("{p:.4}"),
        _ => format!("{p:.2}"),
    }
}

fn place(cell: usize) -> String {
    format!("row {}, column {}", cell / 9 + 1, cell % 9 + 1)
}

/// Other readings that are less probable are not told.
const TOLD: f64 = 0.001;

/// A cell is told to be unsure below this.
const UNSURE: f64 = 0.99;

impl BoardAnswer {
    /// No answer yet to what was read.
    pub fn of(readings: Vec<Reading>, prior: Prior) -> BoardAnswer {
        BoardAnswer {
            status: Status::Unknown,
            readings,
            other: Other::Unknown,
            why: None,
            board: None,
            refusal: None,
            prior,
            sure: None,
        }
    }

    /// The answer in words.
    pub fn print(&self, problem: &Problem, show: usize, out: &mut dyn Write) -> std::io::Result<()> {
        if let Some(refusal) = &self.refusal {
            writeln!(out, "This cannot be read as a board: {refusal}.")?;
            match (&self.board, &self.sure) {
                (Some(_), _) => writeln!(out, "The best guess all the same:")?,
                (None, Some(_)) => {
                    return writeln!(out, "--guess tells what it may be, --show-grid what was found.");
                }
                (None, None) => {
                    return writeln!(
                        out,
                        "--show-grid tells what was found; --cropped takes the whole picture for the grid."
                    );
                }
            }
        }
        let Some(board) = &self.board else {
            return writeln!(out, "No board obeys the run's rules: they contradict each other.");
        };
        writeln!(out, "[5] was read, !5! was repaired, the others were found:")?;
        show::draw(out, board, &self.readings)?;
        if self.status == Status::Feasible {
            writeln!(out, "Time was up before this was known to be the likeliest board.")?;
        }
        if let Some(sure) = &self.sure {
            self.print_sure(sure, board, out)?;
        }
        let open = board.iter().filter(|&&digit| digit == 0).count();
        if open > 0 {
            writeln!(out, "The run's rules leave {} without a digit.", count(open, "cell"))?;
        }
        match self.other {
            Other::None => writeln!(out, "No other solution has these givens.")?,
            Other::Differs(cell, digit) => writeln!(
                out,
                "It is not the only solution with these givens: another has {digit} at {}.",
                place(cell)
            )?,
            Other::Unknown => writeln!(out, "Whether another solution has these givens was not found out.")?,
        }
        if let Some((cell, why, step)) = &self.why {
            self.print_why(problem, board, (*cell, why, step.as_ref()), show, out)?;
        }
        Ok(())
    }

    fn print_sure(&self, sure: &Posterior, board: &[u8], out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(out, "Sure to {}, {}.", probability(sure.confidence()), self.prior.in_words())?;
        let mut unsure: Vec<usize> =
            (0..sure.cells.len()).filter(|&cell| sure.cells[cell] < UNSURE).collect();
        unsure.sort_by(|a, b| sure.cells[*a].total_cmp(&sure.cells[*b]));
        if let Some(least) = unsure.first() {
            let cells = count(unsure.len(), "cell");
            let sure = probability(sure.cells[*least]);
            writeln!(out, "Less sure than {UNSURE}: {cells}, least {} with {sure}.", place(*least))?;
        }
        for other in sure.candidates.iter().skip(1).take(4).filter(|one| one.probability >= TOLD) {
            let differs =
                self.readings.iter().filter(|reading| other.board[reading.cell] != board[reading.cell]);
            let read: Vec<String> = differs
                .map(|r| format!("r{}c{} = {}", r.cell / 9 + 1, r.cell % 9 + 1, other.board[r.cell]))
                .collect();
            writeln!(out, "It may also be, with {}: {}.", probability(other.probability), read.join(", "))?;
        }
        Ok(())
    }

    fn print_why(
        &self,
        problem: &Problem,
        board: &[u8],
        (cell, why, step): (usize, &Why, Option<&Grounds>),
        show: usize,
        out: &mut dyn Write,
    ) -> std::io::Result<()> {
        let (name, digit) = (place(cell), board[cell]);
        if let Some(reading) = self.readings.iter().find(|reading| reading.cell == cell) {
            writeln!(out, "\n{name} was read as {} ({:.2}).", reading.digit(), reading.probability())?;
        } else {
            writeln!(out)?;
        }
        let grounds = match why {
            Why::Open => {
                writeln!(out, "{name}: the rules and the other givens leave more than {digit}.")?;
                return Ok(());
            }
            Why::Forced(grounds) => {
                write!(out, "{name} must be {digit}")?;
                grounds
            }
            Why::Excluded(read, grounds) => {
                write!(out, "{name} cannot be {read}")?;
                grounds
            }
        };
        let (rules, givens) = (grounds.rules.len(), grounds.cells.len());
        write!(out, ", by {} and {}", count(rules, "rule"), count(givens, "given"))?;
        let Grounds { rules, cells } = match (why, step) {
            (Why::Forced(_), Some(step)) if rules > MANY => {
                writeln!(out, ", in many steps. The last one:")?;
                step
            }
            _ => {
                writeln!(out, ":")?;
                grounds
            }
        };
        let is_given = |cell: usize| self.readings.iter().any(|reading| reading.cell == cell);
        let known = |&cell: &usize| {
            let found = if is_given(cell) { "" } else { " (found)" };
            format!("r{}c{} = {}{found}", cell / 9 + 1, cell % 9 + 1, board[cell])
        };
        if !cells.is_empty() {
            writeln!(out, "  {}", cells.iter().map(known).collect::<Vec<_>>().join(", "))?;
        }
        let all = &problem.rules;
        for &rule in rules.iter().take(show) {
            writeln!(out, "  {}", sentence(all.variables(), &all.rules()[rule].constraint))?;
        }
        if rules.len() > show {
            writeln!(out, "  ... and {} (--show)", count(rules.len() - show, "more rule"))?;
        }
        Ok(())
    }

    /// The answer as JSON.
    pub fn json(&self, problem: &Problem) -> Value {
        let status = match self.status {
            _ if self.refusal.is_some() && self.board.is_some() => "guess",
            _ if self.refusal.is_some() => "refused",
            Status::Optimal => "optimal",
            Status::Feasible => "feasible",
            Status::Infeasible => "infeasible",
            Status::Unknown => "unknown",
        };
        let mut read = vec![0; 81];
        self.readings.iter().for_each(|reading| read[reading.cell] = reading.digit());
        let rows = |digits: &[u8]| digits.chunks(9).map(<[u8]>::to_vec).collect::<Vec<_>>();
        let confidence = self.sure.as_ref().map(Posterior::confidence);
        let mut object =
            json!({ "status": status, "read": rows(&read), "prior": self.prior, "confidence": confidence });
        if let Some(refusal) = &self.refusal {
            object["refusal"] = json!(refusal);
        }
        let Some(board) = &self.board else { return object };
        let at = |cell: usize| json!({ "row": cell / 9 + 1, "column": cell % 9 + 1 });
        let with = |cell: usize, key: &str, value: Value| {
            let mut object = at(cell);
            object[key] = value;
            object
        };
        let repair = |reading: &Reading| {
            let mut repair = with(reading.cell, "read", json!(reading.digit()));
            repair["probability"] = json!(reading.probability());
            repair["digit"] = json!(board[reading.cell]);
            repair
        };
        let repaired = self.readings.iter().filter(|reading| reading.is_repaired(board));
        object["board"] = json!(rows(board));
        if let Some(sure) = &self.sure {
            let told = sure.candidates.iter().skip(1).filter(|one| one.probability >= TOLD);
            let other = told.map(|one| json!({ "board": rows(&one.board), "probability": one.probability }));
            object["cell_confidence"] = json!(sure.cells.chunks(9).map(<[f64]>::to_vec).collect::<Vec<_>>());
            object["other_readings"] = other.collect();
        }
        object["repairs"] = repaired.map(repair).collect();
        object["unique"] = match self.other {
            Other::None => json!(true),
            Other::Differs(..) => json!(false),
            Other::Unknown => Value::Null,
        };
        if let Other::Differs(cell, digit) = self.other {
            object["other_solution"] = with(cell, "digit", json!(digit));
        }
        if let Some((cell, why, step)) = &self.why {
            let (kind, grounds) = match why {
                Why::Forced(grounds) => ("forced", Some(grounds)),
                Why::Excluded(_, grounds) => ("excluded", Some(grounds)),
                Why::Open => ("open", None),
            };
            let all = &problem.rules;
            let words = |rules: &[usize]| {
                let one = |&rule: &usize| sentence(all.variables(), &all.rules()[rule].constraint);
                rules.iter().map(one).collect::<Vec<String>>()
            };
            let held = |cells: &[usize]| {
                cells.iter().map(|&cell| with(cell, "digit", json!(board[cell]))).collect::<Vec<_>>()
            };
            let mut explanation = with(*cell, "digit", json!(board[*cell]));
            explanation["kind"] = json!(kind);
            let told =
                |grounds: &Grounds| json!({ "rules": words(&grounds.rules), "cells": held(&grounds.cells) });
            explanation["grounds"] = json!(grounds.map(told));
            explanation["last_step"] = json!(step.as_ref().map(told));
            object["explanation"] = explanation;
        }
        object
    }
}
