//! A board that was read from a picture and solved, in words and as JSON.

use std::io::Write;

use preceptron::words::count;
use preceptron_logic::{Problem, sentence};
use preceptron_reason::Status;
use serde_json::{Value, json};

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
    /// Why the picture is not taken for one of a board, where it is not.
    pub refusal: Option<String>,
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

fn place(cell: usize) -> String {
    format!("row {}, column {}", cell / 9 + 1, cell % 9 + 1)
}

impl BoardAnswer {
    /// The answer in words.
    pub fn print(&self, problem: &Problem, show: usize, out: &mut dyn Write) -> std::io::Result<()> {
        if let Some(refusal) = &self.refusal {
            writeln!(out, "This cannot be read as a board: {refusal}.")?;
            return writeln!(out, "A picture must be upright and cropped to the grid of 9 x 9 cells.");
        }
        let Some(board) = &self.board else {
            return writeln!(out, "No board obeys the run's rules: they contradict each other.");
        };
        writeln!(out, "[5] was read, !5! was repaired, the others were found:")?;
        show::draw(out, board, &self.readings)?;
        if self.status == Status::Feasible {
            writeln!(out, "Time was up before this was known to be the likeliest board.")?;
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
            _ if self.refusal.is_some() => "refused",
            Status::Optimal => "optimal",
            Status::Feasible => "feasible",
            Status::Infeasible => "infeasible",
            Status::Unknown => "unknown",
        };
        let mut read = vec![0; 81];
        self.readings.iter().for_each(|reading| read[reading.cell] = reading.digit());
        let rows = |digits: &[u8]| digits.chunks(9).map(<[u8]>::to_vec).collect::<Vec<_>>();
        let mut object = json!({ "status": status, "read": rows(&read) });
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
