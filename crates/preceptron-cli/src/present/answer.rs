//! A reasoner's answer in words and as JSON.

use std::io::{self, Write};

use preceptron_logic::Problem;
use preceptron_reason::{Answer, Conflict, Piece, Solution, Status};
use serde_json::{Value, json};

use super::{count, piece_drawing, piece_json, piece_line, print_true, repair_line, true_names};

/// What an answer is shown with.
pub struct Question<'a> {
    /// The problem that was loaded.
    pub problem: &'a Problem,
    /// Whether anything costs anything.
    pub has_costs: bool,
    /// The price of every rule, if all are soft.
    pub soft: Option<u64>,
    /// What ends a search before its end.
    pub limit: &'static str,
    /// Whether to draw rules and to tell what it took.
    pub explain: bool,
    /// The most names, repairs and rules to list.
    pub show: usize,
}

impl Question<'_> {
    /// How sure the answer is, as one line.
    fn status_line(&self, answer: &Answer) -> String {
        let cost = answer.solution.as_ref().map_or(0, |solution| solution.cost);
        match answer.status {
            Status::Optimal => {
                let line = if self.has_costs { format!("optimal: cost {cost}") } else { "solved".to_owned() };
                let like_it = if self.has_costs { "costs as little" } else { "obeys the rules" };
                match answer.unique {
                    Some(true) => format!("{line}; no other assignment {like_it}"),
                    Some(false) => format!("{line}; another assignment {like_it} too"),
                    None => line,
                }
            }
            Status::Feasible if answer.gap() == Some(0) => format!(
                "{}; stopped by {} before it was known whether there are others",
                if self.has_costs { format!("optimal: cost {cost}") } else { "solved".to_owned() },
                self.limit
            ),
            Status::Feasible => {
                format!(
                    "feasible: cost {cost}, proved to be at least {}; stopped by {}",
                    answer.bound, self.limit
                )
            }
            Status::Infeasible => "infeasible: nothing obeys all that must hold".to_owned(),
            Status::Unknown => {
                let bound = match self.bound(answer).filter(|_| self.has_costs) {
                    Some(bound) => format!("; any assignment costs at least {bound}"),
                    None => String::new(),
                };
                format!("unknown: stopped by {} before an assignment was found{bound}", self.limit)
            }
        }
    }

    fn bound(&self, answer: &Answer) -> Option<i64> {
        Some(answer.bound).filter(|bound| *bound > i64::MIN && answer.status != Status::Infeasible)
    }

    /// Prints the answer; with a number, as one of several.
    pub fn print(&self, out: &mut dyn Write, answer: &Answer, number: Option<usize>) -> io::Result<()> {
        match (number, &answer.solution) {
            (Some(number), Some(solution)) if answer.status == Status::Optimal => match self.has_costs {
                true => writeln!(out, "{number}. cost {}", solution.cost)?,
                false => writeln!(out, "{number}.")?,
            },
            _ => writeln!(out, "{}", self.status_line(answer))?,
        }
        if let Some(solution) = &answer.solution {
            self.print_solution(out, solution)?;
        }
        if let Some(conflict) = &answer.conflict {
            self.print_conflict(out, conflict)?;
        }
        if self.explain {
            let work = &answer.work;
            writeln!(
                out,
                "{}: {} of the SAT solver, {}, {}",
                work.backend,
                count(work.calls as usize, "call"),
                count(work.conflicts as usize, "conflict"),
                count(work.cores as usize, "core")
            )?;
        }
        Ok(())
    }

    fn print_solution(&self, out: &mut dyn Write, solution: &Solution) -> io::Result<()> {
        let variables = self.problem.rules.variables();
        print_true(out, variables, &solution.values, self.show)?;
        if !solution.repairs.is_empty() {
            writeln!(out, "repaired:")?;
        }
        for repair in solution.repairs.iter().take(self.show) {
            writeln!(out, "  {}  (cost {})", repair_line(variables, repair), repair.price)?;
        }
        self.more(out, solution.repairs.len())?;
        if !solution.violated.is_empty() {
            writeln!(out, "violated:")?;
        }
        for &piece in solution.violated.iter().take(self.show) {
            self.print_piece(out, piece, &format!("  (cost {})", self.price(piece)))?;
        }
        self.more(out, solution.violated.len())
    }

    fn print_conflict(&self, out: &mut dyn Write, conflict: &Conflict) -> io::Result<()> {
        let one = conflict.pieces.len() == 1;
        match conflict.minimal {
            true if one => writeln!(out, "this cannot hold:")?,
            true => writeln!(out, "these cannot all hold; without any one of them the others can:")?,
            false => {
                writeln!(out, "these cannot all hold, but {} left no time to leave out some:", self.limit)?
            }
        }
        for &piece in conflict.pieces.iter().take(self.show) {
            self.print_piece(out, piece, "")?;
        }
        self.more(out, conflict.pieces.len())
    }

    fn print_piece(&self, out: &mut dyn Write, piece: Piece, remark: &str) -> io::Result<()> {
        writeln!(out, "  {}{remark}", piece_line(self.problem, piece))?;
        match piece_drawing(self.problem, piece).filter(|_| self.explain) {
            Some(drawing) => writeln!(out, "    {}", drawing.trim_end().replace('\n', "\n    ")),
            None => Ok(()),
        }
    }

    fn more(&self, out: &mut dyn Write, all: usize) -> io::Result<()> {
        match all.saturating_sub(self.show) {
            0 => Ok(()),
            more => writeln!(out, "  ... and {more} more (--show)"),
        }
    }

    fn price(&self, piece: Piece) -> u64 {
        match piece {
            Piece::Soft(soft) => self.problem.soft[soft].weight,
            _ => self.soft.unwrap_or(0),
        }
    }

    /// The answer as a JSON object.
    pub fn json(&self, answer: &Answer) -> Value {
        let variables = self.problem.rules.variables();
        let mut object = json!({
            "status": match answer.status {
                Status::Optimal => "optimal",
                Status::Feasible => "feasible",
                Status::Infeasible => "infeasible",
                Status::Unknown => "unknown",
            },
            "bound": self.bound(answer),
            "work": {
                "backend": answer.work.backend,
                "calls": answer.work.calls,
                "conflicts": answer.work.conflicts,
                "cores": answer.work.cores,
            },
        });
        if let Some(solution) = &answer.solution {
            object["cost"] = solution.cost.into();
            object["unique"] = answer.unique.into();
            object["true"] = true_names(variables, &solution.values).into();
            let repairs = solution.repairs.iter().map(|repair| {
                json!({
                    "read": variables.literal(repair.read),
                    "chosen": variables.literal(repair.chosen),
                    "cost": repair.price,
                    "sentence": repair_line(variables, repair),
                })
            });
            object["repairs"] = repairs.collect();
            let violated = solution.violated.iter().map(|&piece| {
                let mut object = piece_json(self.problem, piece);
                object["cost"] = self.price(piece).into();
                object
            });
            object["violated"] = violated.collect();
        }
        if let Some(conflict) = &answer.conflict {
            let pieces: Vec<Value> =
                conflict.pieces.iter().map(|&piece| piece_json(self.problem, piece)).collect();
            object["conflict"] = json!({ "pieces": pieces, "minimal": conflict.minimal });
        }
        object
    }
}
