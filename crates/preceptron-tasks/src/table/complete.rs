//! Completing a row (MAP): what was read in its pictures weighed against the rules, known values being facts.

use preceptron::Scenes;
use preceptron::grounding::{Known, query};
use preceptron_logic::{Lit, Var};
use preceptron_reason::{Limits, Query, ReasonError, Reasoner, Status, TieBreak};

/// A completed row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completed {
    /// A value for each variable.
    pub values: Vec<bool>,
    /// The sights whose likeliest symbol is another one, by their number in the row.
    pub repaired: Vec<usize>,
    /// Whether what pictures show leaves no other answer; nothing if that was not found within the limits.
    pub unique: Option<bool>,
}

/// The likeliest row that the rules of the reasoner allow, where each sight is read with these probabilities; nothing
/// if they allow none, or none was found and proved within the limits. It is unique if none with the same symbols in
/// its sights differs in a variable that is `asked` for.
///
/// # Errors
/// If a probability is not one, or the reasoner fails.
pub fn complete(
    scenes: &Scenes,
    row: usize,
    readings: &[&[f32]],
    asked: impl Fn(Var) -> bool,
    limits: &Limits,
    reasoner: &mut dyn Reasoner,
) -> Result<Option<Completed>, ReasonError> {
    let read = query(scenes, row, readings.iter().copied(), Known::Facts)?;
    let found = reasoner.solve(&Query { explain: false, limits: limits.clone(), ..read })?;
    let Some(solution) = found.solution.filter(|_| found.status == Status::Optimal) else { return Ok(None) };
    let likeliest = |row: &[f32]| (0..row.len()).max_by(|a, b| row[*a].total_cmp(&row[*b]));
    let (mut fixed, mut repaired): (Vec<Lit>, Vec<usize>) =
        (scenes.known_literals(row).collect(), Vec::new());
    for (number, (&sight, reading)) in scenes.sights(row).iter().zip(readings).enumerate() {
        let symbols = scenes.symbols(sight);
        fixed.extend(symbols.iter().map(|&var| Lit::new(var, !solution.value(var))));
        if likeliest(reading).is_some_and(|at| !solution.value(symbols[at])) {
            repaired.push(number);
        }
    }
    // Another answer differs somewhere in what is asked.
    let other =
        scenes.variables().iter().filter(|&var| asked(var)).map(|var| Lit::new(var, solution.value(var)));
    let mut query =
        Query { ties: TieBreak::Any, explain: false, limits: limits.clone(), ..Query::fixed(fixed) };
    query.clauses.push(other.collect());
    let unique = match query.clauses[0].is_empty() {
        true => Some(true),
        false => match reasoner.solve(&query)?.status {
            Status::Infeasible => Some(true),
            Status::Optimal | Status::Feasible => Some(false),
            Status::Unknown => None,
        },
    };
    Ok(Some(Completed { values: solution.values, repaired, unique }))
}
