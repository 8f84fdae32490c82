//! Why nothing obeys all that is hard: pieces that cannot all hold, none of which can be left out (a minimal
//! unsatisfiable subset, MUS).
//!
//! The problem is loaded afresh with a switch for every rule, so that the same query has the same
//! conflict whatever was asked before.

use std::collections::HashSet;

use preceptron_logic::{Lit, Problem};

use crate::engine::Engine;
use crate::sat::{Budget, Outcome, Sat};
use crate::search::{Found, Search};
use crate::{Conflict, Piece, Query, Strength, TieBreak};

/// A conflict of an infeasible query.
pub fn conflict<S: Sat>(problem: &Problem, query: &Query, budget: &Budget) -> Conflict {
    let Ok(mut engine) = Engine::<S>::load(problem, true, budget) else {
        return everything(problem, query);
    };
    let mut pieces: Vec<(Piece, Lit)> = engine
        .switches
        .iter()
        .copied()
        .filter(|(piece, _)| query.price(problem, *piece).is_none())
        .chain(query.fixed.iter().map(|&literal| (Piece::Fixed(literal), literal)))
        .collect();
    for (place, clause) in query.clauses.iter().enumerate() {
        let switch = engine.sat.new_variable().positive();
        engine.sat.add_clause(&clause.iter().copied().chain([!switch]).collect::<Vec<Lit>>());
        pieces.push((Piece::Clause(place), switch));
    }
    let literals = |pieces: &[(Piece, Lit)]| pieces.iter().map(|(_, switch)| *switch).collect::<Vec<Lit>>();
    match engine.sat.solve(&literals(&pieces), budget) {
        Outcome::Unsat => keep_core(&mut pieces, engine.sat.core()),
        // All rules can hold together: it is the bound on the cost that cannot be met.
        Outcome::Sat => return cost_conflict(&mut engine, problem, query, pieces, budget),
        Outcome::Unknown => {
            let mut all = finished(pieces, false);
            all.pieces.extend(problem.cost_bound.map(|_| Piece::CostBound));
            return all;
        }
    }
    let mut minimal = true;
    let mut needed = 0;
    while needed < pieces.len() {
        let mut fewer = pieces.clone();
        fewer.remove(needed);
        match engine.sat.solve(&literals(&fewer), budget) {
            Outcome::Unsat => {
                // Two pieces may have one switch: that which was left out stays out.
                pieces = fewer;
                keep_core(&mut pieces, engine.sat.core());
            }
            Outcome::Sat => needed += 1,
            Outcome::Unknown => {
                minimal = false;
                needed += 1;
            }
        }
    }
    finished(pieces, minimal)
}

/// All that is hard.
fn everything(problem: &Problem, query: &Query) -> Conflict {
    let rules = (0..problem.rules.len()).map(Piece::Rule).chain((0..problem.linear.len()).map(Piece::Linear));
    let asked = query.fixed.iter().map(|&literal| Piece::Fixed(literal));
    let asked = asked.chain((0..query.clauses.len()).map(Piece::Clause));
    let bound = problem.cost_bound.map(|_| Piece::CostBound);
    let hard = rules.filter(|piece| query.price(problem, *piece).is_none()).chain(asked).chain(bound);
    let mut pieces: Vec<Piece> = hard.collect();
    pieces.sort_unstable();
    pieces.dedup();
    Conflict { pieces, minimal: false }
}

fn keep_core(pieces: &mut Vec<(Piece, Lit)>, core: &[Lit]) {
    pieces.retain(|(_, switch)| core.contains(switch));
}

fn finished(pieces: Vec<(Piece, Lit)>, minimal: bool) -> Conflict {
    let mut pieces: Vec<Piece> = pieces.into_iter().map(|(piece, _)| piece).collect();
    pieces.sort_unstable();
    pieces.dedup();
    Conflict { pieces, minimal }
}

/// A conflict with the bound on the cost: pieces are left out as long as what is left costs too much.
fn cost_conflict<S: Sat>(
    engine: &mut Engine<S>,
    problem: &Problem,
    query: &Query,
    pieces: Vec<(Piece, Lit)>,
    budget: &Budget,
) -> Conflict {
    let mut kept: Vec<Piece> = pieces.iter().map(|(piece, _)| *piece).collect();
    let mut minimal = true;
    for (piece, _) in pieces {
        let fewer: Vec<Piece> = kept.iter().copied().filter(|kept| *kept != piece).collect();
        let part = restricted(problem, query, &fewer);
        match Search::new(engine, problem, &part, budget.clone()).run().0 {
            Found::Values { bound, is_optimal: true, .. }
                if problem.cost_bound.is_some_and(|most| i128::from(bound) >= i128::from(most)) =>
            {
                kept = fewer;
            }
            Found::Values { is_optimal: true, .. } | Found::Nothing => (),
            Found::Values { .. } | Found::Unknown { .. } => minimal = false,
        }
    }
    kept.push(Piece::CostBound);
    kept.sort_unstable();
    kept.dedup();
    Conflict { pieces: kept, minimal }
}

/// The query with only these pieces hard, and the other hard ones left out.
pub fn restricted(problem: &Problem, query: &Query, pieces: &[Piece]) -> Query {
    let pieces: HashSet<Piece> = pieces.iter().copied().collect();
    let rules = (0..problem.rules.len()).map(Piece::Rule).chain((0..problem.linear.len()).map(Piece::Linear));
    let price = |piece: Piece| match query.price(problem, piece) {
        Some(price) => Some(price),
        None => (!pieces.contains(&piece)).then_some(0),
    };
    let clauses = query.clauses.iter().enumerate();
    Query {
        fixed: query
            .fixed
            .iter()
            .copied()
            .filter(|literal| pieces.contains(&Piece::Fixed(*literal)))
            .collect(),
        clauses: clauses
            .filter(|(p, _)| pieces.contains(&Piece::Clause(*p)))
            .map(|(_, c)| c.clone())
            .collect(),
        strength: Strength::Each(rules.map(price).collect()),
        ties: TieBreak::Any,
        ..query.clone()
    }
}
