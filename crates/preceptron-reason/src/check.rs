//! What an assignment is worth, found by evaluating the rules and costs one by one.
//!
//! The reference implementation. Nothing here is shared with a solver: no encoding, no bound, no normal form.
//! An answer is claimed only after it has passed through here.

use std::collections::BTreeMap;

use preceptron_logic::{Lit, Problem, Var};

use crate::{Piece, Query, Repair, Solution};

/// The solution that an assignment is, or the hard piece that it violates.
pub fn evaluate(problem: &Problem, query: &Query, values: Vec<bool>) -> Result<Solution, Piece> {
    let value = |var: Var| values[var.index()];
    let holds = |literal: Lit| literal.holds(value(literal.var()));
    if let Some(&literal) = query.fixed.iter().find(|literal| !holds(**literal)) {
        return Err(Piece::Fixed(literal));
    }
    if let Some(clause) = query.clauses.iter().position(|clause| !clause.iter().any(|l| holds(*l))) {
        return Err(Piece::Clause(clause));
    }
    let rules = problem.rules.constraints().map(|constraint| constraint.holds(value));
    let linear = problem.linear.iter().map(|linear| linear.holds(value));
    let soft = problem.soft.iter().map(|soft| soft.body.holds(value));
    let pieces = rules.enumerate().map(|(rule, holds)| (Piece::Rule(rule), holds));
    let pieces = pieces.chain(linear.enumerate().map(|(linear, holds)| (Piece::Linear(linear), holds)));
    let pieces = pieces.chain(soft.enumerate().map(|(soft, holds)| (Piece::Soft(soft), holds)));
    let mut violated = Vec::new();
    let mut cost = i128::from(problem.objective_constant);
    for (piece, _) in pieces.filter(|(_, holds)| !holds) {
        cost += i128::from(query.price(problem, piece).ok_or(piece)?);
        violated.push(piece);
    }
    let paid = query.all_costs(problem).filter(|(literal, _)| holds(*literal));
    cost += paid.map(|(_, cost)| i128::from(cost)).sum::<i128>();
    if problem.cost_bound.is_some_and(|bound| cost >= i128::from(bound)) {
        return Err(Piece::CostBound);
    }
    let cost = i64::try_from(cost).map_err(|_| Piece::CostBound)?;
    Ok(Solution { cost, violated, repairs: repairs(query, holds), values })
}

/// Where an assignment departs from the cheapest reading of the query's costs.
fn repairs(query: &Query, holds: impl Fn(Lit) -> bool) -> Vec<Repair> {
    let mut repairs = Vec::new();
    for group in &query.groups {
        let least = group.iter().min_by_key(|(_, cost)| *cost);
        let chosen = group.iter().filter(|(literal, _)| holds(*literal)).max_by_key(|(_, cost)| *cost);
        if let (Some(&(read, least)), Some(&(chosen, cost))) = (least, chosen)
            && cost > least
        {
            repairs.push(Repair { read, chosen, price: cost - least });
        }
    }
    let mut of_variable: BTreeMap<Var, i64> = BTreeMap::new();
    for &(literal, cost) in &query.costs {
        // What the variable costs more when true than when false.
        let sign = if literal.is_negated() { -1 } else { 1 };
        *of_variable.entry(literal.var()).or_default() += sign * cost;
    }
    for (var, more) in of_variable {
        let chosen = Lit::new(var, !holds(var.positive()));
        let price = if chosen.is_negated() { -more } else { more };
        if price > 0 {
            repairs.push(Repair { read: !chosen, chosen, price });
        }
    }
    repairs
}
