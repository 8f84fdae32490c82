//! Proofs of answers, in a format that others' checkers read.
//!
//! An answer says that nothing costs less, that nothing obeys the rules, or that nothing else costs as little. What
//! is searched for the answer itself is not written down; a second search, on the rules as rows, is: it is told the
//! answer's cost, looks for something cheaper, and every row that it learns until there can be none is a line of
//! the proof.

mod formula;

use std::io::{self, Write};

use preceptron_logic::Problem;

pub use self::formula::{Formula, MARK};
use crate::cutting::{Cutting, Found, Log, Version, assignment};
use crate::sat::Budget;
use crate::{Answer, Limits, Query, Status};

/// What became of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proving {
    /// It is written; so many bytes.
    Done(u64),
    /// A limit came before its end.
    Unfinished,
    /// The answer claims nothing that could be proved: a limit ended its search.
    NothingClaimed,
}

/// A formula and what is claimed of it.
pub struct Claim {
    formula: Formula,
    /// The values of all variables, and of another assignment of the same cost.
    values: Option<(Vec<bool>, Option<Vec<bool>>)>,
    opb: String,
}

impl Claim {
    /// What an answer claims, if it claims something. `another` is an assignment of the same cost, if it is to be
    /// shown that there is one.
    ///
    /// # Errors
    /// In words, if numbers are too large for a proof.
    pub fn of(
        problem: &Problem,
        query: &Query,
        answer: &Answer,
        another: Option<&[bool]>,
    ) -> Result<Option<Claim>, String> {
        if !matches!(answer.status, Status::Optimal | Status::Infeasible) {
            return Ok(None);
        }
        let large = || "its numbers are too large for a proof".to_owned();
        let formula = Formula::of(problem, query).ok_or_else(large)?;
        let values = match &answer.solution {
            None => None,
            Some(solution) => {
                let whole = |values: &[bool]| {
                    let values = formula.extended(values, solution.cost);
                    values.ok_or_else(|| "its assignment does not fit the formula".to_owned())
                };
                Some((whole(&solution.values)?, another.map(whole).transpose()?))
            }
        };
        Ok(Some(Claim { opb: formula.to_opb(problem), formula, values }))
    }

    /// That no other assignment of the rules' variables costs as little as the answer.
    ///
    /// # Errors
    /// In words, if numbers are too large for a proof.
    pub fn of_unique(problem: &Problem, query: &Query, answer: &Answer) -> Result<Option<Claim>, String> {
        let Some(solution) = answer.solution.as_ref().filter(|_| answer.unique == Some(true)) else {
            return Ok(None);
        };
        let large = || "its numbers are too large for a proof".to_owned();
        let formula = Formula::of(problem, query).ok_or_else(large)?;
        let formula = formula.others(&solution.values, solution.cost).ok_or_else(large)?;
        Ok(Some(Claim { opb: formula.to_opb(problem), formula, values: None }))
    }

    /// The formula.
    pub fn opb(&self) -> &str {
        &self.opb
    }

    /// Searches for the proof and writes it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn prove(&self, version: Version, limits: &Limits, out: &mut dyn Write) -> io::Result<Proving> {
        let budget: Budget = limits.budget();
        let formula = &self.formula;
        let mut log = Log::new(out, version, formula.rows.len());
        let has_objective = !formula.objective.is_empty();
        let shown = self.values.as_ref().map(|(values, _)| assignment(values));
        if let Some((_, Some(another))) = &self.values {
            log.line(&format!("sol {}", assignment(another)));
        }
        let conclusion = match &shown {
            Some(shown) if !has_objective => {
                log.line(&format!("sol {shown}"));
                "SAT".to_owned()
            }
            _ => {
                let mut search = Cutting::new(formula.variables, Some(&mut log));
                for (number, row) in (1..).zip(&formula.rows) {
                    search.add(row.clone(), number);
                }
                let mut cost = 0;
                if let (Some((values, _)), Some(shown)) = (&self.values, &shown) {
                    let holds = |literal: u32| values[(literal >> 1) as usize] != (literal & 1 == 1);
                    let paid = formula.objective.iter().filter(|(_, literal)| holds(*literal));
                    cost = paid.map(|(weight, _)| weight).sum();
                    search.prefer(values);
                    let number = search.log().map_or(0, |log| log.adds(&format!("soli {shown}")));
                    let Some(cheaper) = formula.cheaper_than(cost) else { return Ok(Proving::Unfinished) };
                    search.add(cheaper, number);
                    search.reduce_costs(formula.rows.len());
                }
                match search.search(&budget) {
                    Found::Nothing(number) => match (&shown, has_objective) {
                        (Some(_), _) => format!("BOUNDS {cost} : {number} {cost}"),
                        (None, true) => format!("BOUNDS INF : {number} INF"),
                        (None, false) => format!("UNSAT : {number}"),
                    },
                    Found::Values(_) => {
                        return Err(io::Error::other("the search for a proof found the answer wrong"));
                    }
                    Found::Unknown => match log.failed.take() {
                        Some(error) => return Err(error),
                        None => return Ok(Proving::Unfinished),
                    },
                }
            }
        };
        log.line("output NONE");
        log.line(&format!("conclusion {conclusion}"));
        log.line("end pseudo-Boolean proof");
        match log.failed.take() {
            Some(error) => Err(error),
            None => Ok(Proving::Done(log.bytes)),
        }
    }
}
