//! An answer, held against a proof.
//!
//! | answer | what the proof must conclude |
//! |---|---|
//! | infeasible | that the formula has no assignment |
//! | optimal, of cost c | bounds c and c of the objective, the constant added, or SAT where nothing costs anything |
//! | the only one of its cost | a second proof: no assignment that differs in these variables costs at most c |
//! | not the only one | an assignment in the proof that differs and costs c |
//!
//! The assignment itself is evaluated here, whatever the proof says.

use crate::constraint::{Constraint, Lit};
use crate::opb::Formula;
use crate::proof::{Conclusion, check};
use crate::refusal::Refusal;

/// What is claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing satisfies the formula.
    Infeasible,
    /// This costs least.
    Optimal {
        /// What it costs, with the constant.
        cost: i128,
        /// The values of variables, such as `x1` or `~x1`. Variables that are not there may have any.
        literals: Vec<String>,
        /// Whether every other assignment of the same variables costs more, if that is claimed.
        unique: Option<bool>,
    },
}

/// What was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Steps of all proofs.
    pub steps: usize,
    /// Constraints of the formula.
    pub constraints: usize,
}

/// Holds an answer against a formula and proofs: that of its cost, and, if it is claimed that it is the only one,
/// that of [`others`].
///
/// # Errors
/// What does not hold.
pub fn verify(
    formula: &str,
    answer: &Answer,
    proof: &str,
    proof_of_unique: Option<&str>,
) -> Result<Verified, Refusal> {
    let mut formula = Formula::read(formula)?;
    let constraints = formula.constraints.len();
    // What proofs define later is no part of it.
    let known = formula.names.clone();
    let proved = check(&mut formula, proof)?;
    let Answer::Optimal { cost, literals, unique } = answer else {
        return match proved.conclusion {
            Conclusion::Unsat | Conclusion::Bounds(None, None) => {
                Ok(Verified { steps: proved.steps, constraints })
            }
            _ => Err(Refusal::of("the proof does not conclude that there is no assignment")),
        };
    };
    let cost = cost.checked_sub(formula.constant).ok_or_else(|| Refusal::of("the cost is too large"))?;
    let optimal = match proved.conclusion {
        Conclusion::Sat => cost == 0,
        Conclusion::Bounds(lower, upper) => lower == Some(cost) && upper == Some(cost),
        _ => false,
    };
    if !optimal {
        return Err(Refusal::of("the proof does not conclude that the answer's cost is the least"));
    }
    let mut values: Vec<Lit> = Vec::new();
    for literal in literals {
        let name = literal.strip_prefix('~').unwrap_or(literal);
        // A variable that nothing mentions may have any value.
        if let Some(number) = known.find(name) {
            values.push(2 * number + u32::from(name.len() < literal.len()));
        }
    }
    let agrees = |found: &[Lit]| {
        let mut is_true = vec![false; 2 * formula.names.count()];
        found.iter().for_each(|literal| is_true[*literal as usize] = true);
        values.iter().all(|literal| is_true[*literal as usize])
    };
    // The proof's assignment gives values to what the formula has beside the answer's variables.
    if !proved.solutions.iter().any(|(found, value)| *value == cost && agrees(found)) {
        return Err(Refusal::of("the answer's assignment is not shown to satisfy the formula at its cost"));
    }
    let mut steps = proved.steps;
    match (unique, proof_of_unique) {
        (None, _) => (),
        (Some(false), _) => {
            let free = literals.len() > values.len();
            if !free && !proved.solutions.iter().any(|(found, value)| *value == cost && !agrees(found)) {
                return Err(Refusal::of("no other assignment of the same cost is shown"));
            }
        }
        (Some(true), None) => {
            return Err(Refusal::of("it is not proved that no other assignment costs as little"));
        }
        (Some(true), Some(_)) if literals.len() > values.len() => {
            return Err(Refusal::of("a variable that nothing mentions may have another value"));
        }
        (Some(true), Some(proof)) => {
            let mut rest = others(&formula, &values, cost)?;
            let proved = check(&mut rest, proof)
                .map_err(|error| Refusal::of(format!("that there is no other: {error}")))?;
            if proved.conclusion != Conclusion::Unsat {
                return Err(Refusal::of(
                    "the second proof does not conclude that there is no other assignment",
                ));
            }
            steps += proved.steps;
        }
    }
    Ok(Verified { steps, constraints })
}

/// The formula that says: another assignment of these literals' variables that costs no more. Its constraints are
/// those of the formula, then the bound on the objective if there is one, then the difference.
///
/// # Errors
/// If numbers become too large.
pub fn others(formula: &Formula, values: &[Lit], cost: i128) -> Result<Formula, Refusal> {
    let large = |_| Refusal::of("numbers beyond 127 bits");
    let mut rest = formula.clone();
    if formula.objective.is_some() {
        rest.constraints.push(formula.at_most(cost).map_err(large)?);
    }
    rest.constraints.push(Constraint::new(values.iter().map(|literal| (1, literal ^ 1)), 1).map_err(large)?);
    rest.objective = None;
    Ok(rest)
}
