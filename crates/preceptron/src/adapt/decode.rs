//! What the pictures of an example show by the rules, and how sure that is.

use preceptron_logic::Lit;
use preceptron_reason::{Limits, Query, ReasonError, Reasoner, STEPS, Status, Strength, TieBreak};

use crate::Scenes;
use crate::grounding::{Known, query};

/// Conflicts after which the search for the likeliest completion ends, the one for the next, and the one for a
/// completion of the first guess: budgets that do not depend on the machine.
const CONFLICTS: [u64; 3] = [20_000, 5_000, 20_000];

/// Where more than one of so many pictures, and more than [`FEW`], would have to show something else than was read,
/// the example is not understood.
const REPAIRED: usize = 4;

/// So many pictures may show something else anyway.
const FEW: usize = 2;

/// The likeliest completion of an example that the rules allow.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// The value of each variable.
    pub values: Vec<bool>,
    /// What each sight shows.
    pub symbols: Vec<u16>,
    /// The sights of which something else was read.
    pub repaired: usize,
    /// By how much it is likelier than the likeliest with other symbols in its sights, as a logarithm: infinite if the
    /// rules allow no other, 0 if it was not found out.
    pub odds: f64,
}

impl Decoded {
    /// The probability against the next, at a temperature.
    pub fn confidence(&self, temperature: f64) -> f64 {
        1.0 / (1.0 + (-self.odds / temperature).exp())
    }

    /// Whether what was read is mostly what the rules say.
    pub fn is_understood(&self) -> bool {
        self.repaired <= FEW || self.repaired * REPAIRED <= self.symbols.len()
    }
}

/// The number of the likeliest symbol.
pub(super) fn likeliest(row: &[f32]) -> usize {
    (0..row.len()).max_by(|a, b| row[*a].total_cmp(&row[*b]).then(b.cmp(a))).unwrap_or(0)
}

/// Completes an example whose sights are read with these probabilities; nothing if the rules allow no completion, or
/// none was proved the likeliest in time.
pub fn decode(
    scenes: &Scenes,
    example: usize,
    readings: &[&[f32]],
    limits: &Limits,
    reasoner: &mut dyn Reasoner,
) -> Result<Option<Decoded>, ReasonError> {
    let within = |conflicts| Limits { conflicts: Some(conflicts), ..limits.clone() };
    let read = query(scenes, example, readings.iter().copied(), Known::Facts)?;
    let read = Query { explain: false, limits: within(CONFLICTS[0]), ..read };
    let found = reasoner.solve(&read)?;
    let Some(best) = found.solution.filter(|_| found.status == Status::Optimal) else { return Ok(None) };
    let (mut symbols, mut repaired, mut shown) = (Vec::new(), 0, Vec::new());
    for (&sight, row) in scenes.sights(example).iter().zip(readings) {
        let places = scenes.symbols(sight);
        let Some(symbol) = places.iter().position(|&var| best.value(var)) else { return Ok(None) };
        repaired += usize::from(symbol != likeliest(row));
        shown.push(places[symbol].negative());
        symbols.push(symbol as u16);
    }
    let mut other = Query { limits: within(CONFLICTS[1]), ties: TieBreak::Any, ..read };
    other.clauses.push(shown);
    let next = reasoner.solve(&other)?;
    let odds = match (next.status, next.solution) {
        (Status::Infeasible, _) => f64::INFINITY,
        (Status::Optimal, Some(next)) => (next.cost - best.cost) as f64 / STEPS,
        _ => 0.0,
    };
    Ok(Some(Decoded { values: best.values, symbols, repaired, odds }))
}

/// Completes an example by its first guess, with as few rules broken as can be.
pub fn pinned(
    scenes: &Scenes,
    example: usize,
    readings: &[&[f32]],
    limits: &Limits,
    reasoner: &mut dyn Reasoner,
) -> Result<Option<Vec<bool>>, ReasonError> {
    let guessed = scenes
        .sights(example)
        .iter()
        .zip(readings)
        .map(|(&sight, row)| scenes.symbols(sight)[likeliest(row)].positive());
    let all: Vec<Lit> = guessed.chain(scenes.known_literals(example)).collect();
    let answer = reasoner.solve(&Query {
        limits: Limits { conflicts: Some(CONFLICTS[2]), ..limits.clone() },
        ties: TieBreak::Any,
        explain: false,
        strength: Strength::AllSoft(1),
        ..Query::fixed(all)
    })?;
    Ok(answer.solution.filter(|_| answer.status != Status::Infeasible).map(|found| found.values))
}
