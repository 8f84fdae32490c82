//! The right answer to a query, found by looking at every assignment.

use std::collections::BTreeSet;

use preceptron_logic::{Lit, Var};
use preceptron_reason::{Piece, Query, Repair};

use crate::conformance::plain::{Plain, is_true};

/// An assignment, and all that a query makes of it.
#[derive(Debug)]
pub struct World {
    pub values: Vec<bool>,
    /// What it costs; rules that are hard cost nothing.
    pub cost: i128,
    /// The soft rules that it violates.
    pub violated: Vec<Piece>,
    /// The hard pieces that it violates, by their place in [`Judged::hard`].
    against: u128,
}

/// Every assignment of a problem as a query sees it.
#[derive(Debug)]
pub struct Judged {
    /// All that is hard.
    pub hard: Vec<Piece>,
    /// The assignments, in the order in which false comes before true and the first variable counts most.
    pub worlds: Vec<World>,
}

/// All that a query takes for hard.
fn hard(plain: &Plain, query: &Query) -> Vec<Piece> {
    let rules = plain.priced(query).into_iter().filter(|(.., price)| price.is_none());
    let mut hard: Vec<Piece> = rules.map(|(piece, ..)| piece).collect();
    hard.extend(query.fixed.iter().map(|&literal| Piece::Fixed(literal)).collect::<BTreeSet<Piece>>());
    hard.extend((0..query.clauses.len()).map(Piece::Clause));
    hard.extend(plain.cost_bound.map(|_| Piece::CostBound));
    hard
}

impl World {
    /// Looks at one assignment.
    pub fn new(plain: &Plain, query: &Query, values: Vec<bool>) -> World {
        World::look(plain, query, &hard(plain, query), values)
    }

    fn look(plain: &Plain, query: &Query, hard: &[Piece], values: Vec<bool>) -> World {
        let place = |piece: Piece| 1u128 << hard.iter().position(|other| *other == piece).unwrap();
        let mut world = World { cost: plain.constant.into(), violated: Vec::new(), against: 0, values };
        for (piece, body, price) in plain.priced(query) {
            if body.is_obeyed(&world.values) {
                continue;
            }
            match price {
                None => world.against |= place(piece),
                Some(price) => {
                    world.cost += i128::from(price);
                    world.violated.push(piece);
                }
            }
        }
        let objective = plain.objective.iter().map(|&(cost, literal)| (literal, cost));
        let costs = query.costs.iter().chain(query.groups.iter().flatten()).copied();
        for (literal, cost) in objective.chain(costs) {
            if is_true(&world.values, literal) {
                world.cost += i128::from(cost);
            }
        }
        for &literal in query.fixed.iter().filter(|literal| !is_true(&world.values, **literal)) {
            world.against |= place(Piece::Fixed(literal));
        }
        for (number, clause) in query.clauses.iter().enumerate() {
            if !clause.iter().any(|literal| is_true(&world.values, *literal)) {
                world.against |= place(Piece::Clause(number));
            }
        }
        if plain.cost_bound.is_some_and(|bound| world.cost >= i128::from(bound)) {
            world.against |= place(Piece::CostBound);
        }
        world
    }

    /// Whether it obeys all that is hard.
    pub fn is_obedient(&self) -> bool {
        self.against == 0
    }
}

impl Judged {
    /// Looks at every assignment.
    pub fn new(plain: &Plain, query: &Query) -> Judged {
        let hard = hard(plain, query);
        let values = |number: u32| (0..plain.variables).rev().map(|bit| number >> bit & 1 == 1).collect();
        let worlds = (0..1u32 << plain.variables).map(values);
        let worlds = worlds.map(|values| World::look(plain, query, &hard, values)).collect();
        Judged { hard, worlds }
    }

    /// The cheapest assignments that obey all that is hard, in order.
    pub fn cheapest(&self) -> Vec<&World> {
        let obedient = || self.worlds.iter().filter(|world| world.is_obedient());
        let least = obedient().map(|world| world.cost).min();
        obedient().filter(|world| Some(world.cost) == least).collect()
    }

    /// The assignment with these values, if it obeys all that is hard.
    pub fn obedient(&self, values: &[bool]) -> Option<&World> {
        self.worlds.iter().find(|world| world.values == values && world.is_obedient())
    }

    /// Whether no assignment obeys all of these pieces, which must be hard ones.
    pub fn is_conflict(&self, pieces: &[Piece]) -> bool {
        let place = |piece: &Piece| self.hard.iter().position(|hard| hard == piece).expect("a hard piece");
        let pieces = pieces.iter().fold(0u128, |pieces, piece| pieces | 1 << place(piece));
        self.worlds.iter().all(|world| world.against & pieces != 0)
    }
}

/// Where an assignment departs from what would have cost least: first the groups, of each the dearest true
/// literal (the last of equals) instead of the cheapest one (the first of equals), then the variables that
/// have costs of their own.
pub fn repairs(plain: &Plain, query: &Query, values: &[bool]) -> Vec<Repair> {
    let mut repairs = Vec::new();
    for group in &query.groups {
        let mut read: Option<(Lit, i64)> = None;
        let mut chosen: Option<(Lit, i64)> = None;
        for &(literal, cost) in group {
            if read.is_none_or(|(_, least)| cost < least) {
                read = Some((literal, cost));
            }
            if is_true(values, literal) && chosen.is_none_or(|(_, most)| cost >= most) {
                chosen = Some((literal, cost));
            }
        }
        match (read, chosen) {
            (Some((read, least)), Some((chosen, cost))) if cost != least => {
                repairs.push(Repair { read, chosen, price: cost - least });
            }
            _ => (),
        }
    }
    for var in (0..plain.variables as u32).map(Var) {
        let cost_of = |literal: Lit| -> i64 {
            query.costs.iter().filter(|(other, _)| *other == literal).map(|(_, cost)| cost).sum()
        };
        let (chosen, read) = match values[var.0 as usize] {
            true => (var.positive(), var.negative()),
            false => (var.negative(), var.positive()),
        };
        let price = cost_of(chosen) - cost_of(read);
        if price > 0 {
            repairs.push(Repair { read, chosen, price });
        }
    }
    repairs
}
