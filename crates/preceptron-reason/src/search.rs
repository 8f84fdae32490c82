//! The cheapest assignment by core-guided search (OLL, of weighted MaxSAT), from below.
//!
//! All wishes are assumed to come true. While they cannot, the solver names a *core*: wishes of which at
//! least one must be given up. Its least weight `w` is paid in any case, so the bound rises by `w`, the
//! wishes of the core lose `w` each, and in their place stands the wish, of weight `w`, that no more than
//! one of them be given up. When all that is left can come true, its model costs as much as the bound.
//!
//! Heavy wishes come first (stratification). A model found on the way is an upper bound; a wish whose
//! weight exceeds the gap can then no longer be given up, and is assumed for good in this query
//! (hardening). Wishes about counts are made only when a model goes against them.

mod cheapest_first;
mod hitting;

use std::collections::HashMap;

use preceptron_logic::{Lit, Problem, Var};

use self::cheapest_first::CheapestFirst;
use crate::costs::wishes;
use crate::engine::Engine;
use crate::potentials::{Row, shifted};
use crate::sat::{Budget, Outcome, Sat};
use crate::{Query, TieBreak, Work};

/// What a search found.
pub enum Found {
    /// An assignment; if it is the cheapest, and, if known, whether it is the only cheapest one.
    Values { values: Vec<bool>, bound: i64, is_optimal: bool, unique: Option<bool> },
    /// That nothing obeys all that is hard.
    Nothing,
    /// Nothing yet.
    Unknown { bound: i64 },
}

impl Found {
    /// Whether nothing is left to be found out.
    pub fn is_settled(&self) -> bool {
        matches!(self, Found::Nothing | Found::Values { is_optimal: true, .. })
    }
}

/// A wish: a literal that should be true, at a price.
struct Wish {
    literal: Lit,
    weight: i64,
    /// Steps of staircases that follow when this wish has been given up: staircase and step.
    stairs: Vec<(usize, usize)>,
    /// If the wish is that no more than so many of a core be given up: the core, and how many.
    count: Option<(usize, usize)>,
}

/// A core in which a bound on the count has not been asked for yet.
struct Postponed {
    /// The literals that are true where a wish was given up.
    given_up: Vec<Lit>,
    weight: i64,
}

/// One query's search.
pub struct Search<'a, S: Sat> {
    engine: &'a mut Engine<S>,
    problem: &'a Problem,
    query: &'a Query,
    hard: Vec<Lit>,
    wishes: Vec<Wish>,
    place: HashMap<Lit, usize>,
    stairs: Vec<Vec<(Vec<Lit>, i64)>>,
    postponed: Vec<Postponed>,
    /// Wishes that are in no staircase, as the query has them.
    single: Vec<(Lit, i64)>,
    /// What is paid in any case.
    start: i64,
    bound: i64,
    best: Option<(i64, Vec<bool>)>,
    /// The bound when the best model was found, if nothing in it was guessed: all that costs no more is
    /// the same.
    determined_at: Option<i64>,
    /// The bound when sets of wishes were tried.
    bound_by_cores: i64,
    /// After so many cores sets of wishes are tried.
    many_cores: u64,
    /// The sets of wishes that can be given up, if the cheapest assignment was found by these.
    by_sets: Option<CheapestFirst>,
    budget: Budget,
    conflicts_left: Option<u64>,
    /// Literals that switch on the clauses of this query, and are switched off for good after it.
    activations: Vec<Lit>,
    /// What it took.
    pub work: Work,
}

/// After so many cores, sets of wishes to be given up are tried from the cheapest on; if that does not
/// lead to an end soon, again after so many times as many.
const MANY_CORES: u64 = 16;

/// After so many variables in a row that could not be made false, all the others are asked for at once.
const PATIENCE: usize = 8;

impl<'a, S: Sat> Search<'a, S> {
    /// Prepares a query.
    pub fn new(engine: &'a mut Engine<S>, problem: &'a Problem, query: &'a Query, budget: Budget) -> Self {
        let hard = engine.hard_assumptions(problem, query);
        let long = engine.long.iter().filter(|(piece, _)| query.price(problem, *piece).is_none());
        let long: Vec<&Row> = long.map(|(_, row)| row).collect();
        let mut counts = Vec::new();
        let wished = if long.is_empty() {
            wishes(query.all_costs(problem), &engine.groups, &mut engine.prices)
        } else {
            let shifted = shifted(&long, query.all_costs(problem), engine.prices.len());
            counts = shifted.counts;
            let mut wished = wishes(shifted.costs.into_iter(), &engine.groups, &mut engine.prices);
            wished.constant += shifted.constant;
            wished
        };
        let mut search = Search {
            conflicts_left: budget.conflicts,
            start: wished.constant + problem.objective_constant,
            bound: wished.constant + problem.objective_constant,
            single: Vec::new(),
            bound_by_cores: 0,
            many_cores: MANY_CORES,
            by_sets: None,
            stairs: wished.stairs,
            work: Work { backend: S::NAME, ..Work::default() },
            wishes: Vec::new(),
            place: HashMap::new(),
            postponed: Vec::new(),
            best: None,
            determined_at: None,
            activations: Vec::new(),
            engine,
            problem,
            query,
            hard,
            budget,
        };
        for clause in &query.clauses {
            let activation = search.activate(clause);
            search.hard.push(activation);
        }
        search.single = wished.single;
        for (piece, switch) in search.engine.switches.clone() {
            if let Some(price) = query.price(problem, piece).filter(|price| *price > 0) {
                search.single.push((switch, price as i64));
            }
        }
        for (literal, weight) in search.single.clone() {
            search.wish(literal, weight);
        }
        for stairs in 0..search.stairs.len() {
            search.climb(stairs, 0);
        }
        for count in counts {
            let counter = search.engine.counter(&count.literals);
            search.wish_count(counter, count.most, count.weight);
            // Sets of wishes know nothing of counts.
            search.many_cores = u64::MAX;
        }
        search
    }

    /// Makes a literal of the engine's own hard as well.
    pub fn assume(&mut self, literal: Lit) {
        self.hard.push(literal);
    }

    /// Searches until the cheapest assignment is found and proved, or a limit is reached.
    pub fn run(mut self) -> (Found, Work) {
        let minimised = if self.pay_parities() { self.minimise() } else { Some(false) };
        let found = match minimised {
            Some(true) => self.settle(),
            Some(false) => Found::Nothing,
            None => match self.best.take() {
                Some((_, values)) => {
                    Found::Values { values, bound: self.bound, is_optimal: false, unique: None }
                }
                None => Found::Unknown { bound: self.bound },
            },
        };
        for activation in std::mem::take(&mut self.activations) {
            self.engine.sat.add_clause(&[!activation]);
        }
        (found, self.work)
    }

    /// Raises the bound by what counting modulo two proves; false if it proves that there is no model.
    fn pay_parities(&mut self) -> bool {
        let Some(parities) = &self.engine.parities else { return true };
        let mut weights = vec![0; 2 * self.problem.rules.variables().len()];
        for wish in &self.wishes {
            if let Some(weight) = weights.get_mut(wish.literal.code()) {
                *weight = wish.weight;
            }
        }
        let Some(cores) = parities.cores(&mut weights, &self.query.fixed) else { return false };
        self.work.cores += cores.len() as u64;
        self.work.parity_cores += cores.len() as u64;
        for core in cores {
            let places = core.literals.iter().map(|literal| self.place[literal]).collect();
            self.pay(places, core.weight);
        }
        true
    }

    /// Raises the bound until a model meets it: true. False if there is no model, nothing if a limit
    /// came in between.
    fn minimise(&mut self) -> Option<bool> {
        let mut threshold = if self.work.parity_cores > 0 { 1 } else { self.next_threshold(i64::MAX) };
        loop {
            if self.best.as_ref().is_some_and(|(cost, _)| *cost == self.bound) {
                return Some(true);
            }
            let assumptions = self.assumptions(threshold);
            match self.solve(&assumptions) {
                Outcome::Unknown => return None,
                Outcome::Unsat => {
                    let core = self.engine.sat.core().to_vec();
                    if !self.relax(core) {
                        return Some(false);
                    }
                    if self.work.cores >= self.many_cores {
                        self.many_cores *= MANY_CORES;
                        if self.cheapest_first() {
                            return Some(true);
                        }
                    }
                }
                Outcome::Sat => {
                    self.keep_model();
                    if self.ask_postponed(threshold) == 0 {
                        if threshold == 1 {
                            return Some(true);
                        }
                        threshold = self.next_threshold(threshold);
                    }
                }
            }
        }
    }

    /// The weight from which on wishes are assumed next: the greatest below `last`, and all that are at
    /// least half of it.
    fn next_threshold(&self, last: i64) -> i64 {
        let below = self.wishes.iter().map(|wish| wish.weight);
        let below = below.chain(self.postponed.iter().map(|postponed| postponed.weight));
        below.filter(|&weight| weight > 0 && weight < last).max().map_or(1, |weight| (weight / 2).max(1))
    }

    /// All that is hard, and the wishes of at least this weight.
    fn assumptions(&self, threshold: i64) -> Vec<Lit> {
        let wished = self.wishes.iter().filter(|wish| wish.weight > 0 && wish.weight >= threshold);
        self.hard.iter().copied().chain(wished.map(|wish| wish.literal)).collect()
    }

    /// Calls the solver within what is left of the budget.
    fn solve(&mut self, assumptions: &[Lit]) -> Outcome {
        self.budget.conflicts = self.conflicts_left;
        let before = self.engine.sat.conflicts();
        let outcome = self.engine.sat.solve(assumptions, &self.budget);
        let used = self.engine.sat.conflicts() - before;
        self.work.calls += 1;
        self.work.conflicts += used;
        // Cores that need no conflict take time as well, so each call counts.
        self.conflicts_left = self.conflicts_left.map(|left| left.saturating_sub(used.max(1)));
        outcome
    }

    /// Keeps the model found last if it is cheaper than the best.
    fn keep_model(&mut self) {
        let values = self.engine.values(self.problem);
        let cost = self.cost(&values);
        if self.best.as_ref().is_none_or(|(best, _)| cost < *best) {
            self.best = Some((cost, values));
            self.determined_at = self.engine.sat.is_determined().then_some(self.bound);
        }
    }

    /// What an assignment costs.
    fn cost(&self, values: &[bool]) -> i64 {
        let value = |var: Var| values[var.index()];
        let paid =
            self.query.all_costs(self.problem).filter(|(literal, _)| literal.holds(value(literal.var())));
        let mut cost = self.problem.objective_constant + paid.map(|(_, cost)| cost).sum::<i64>();
        for (piece, _) in &self.engine.switches {
            if let Some(price) = self.query.price(self.problem, *piece)
                && !piece.holds(self.problem, value)
            {
                cost += price as i64;
            }
        }
        cost
    }

    /// Adds a wish, or adds to its weight.
    fn wish(&mut self, literal: Lit, weight: i64) -> usize {
        let place = *self.place.entry(literal).or_insert_with(|| {
            self.wishes.push(Wish { literal, weight: 0, stairs: Vec::new(), count: None });
            self.wishes.len() - 1
        });
        self.wishes[place].weight += weight;
        place
    }

    /// Wishes a step of a staircase.
    fn climb(&mut self, stairs: usize, step: usize) {
        let Some(&(_, weight)) = self.stairs[stairs].get(step) else { return };
        let so_far: Vec<Lit> =
            self.stairs[stairs][..=step].iter().flat_map(|(joins, _)| joins).copied().collect();
        let union = self.engine.union(&so_far);
        let place = self.wish(union, weight);
        self.wishes[place].stairs.push((stairs, step));
    }

    /// Takes a core into account; false if there is no wish in it that could be given up.
    fn relax(&mut self, core: Vec<Lit>) -> bool {
        let gap = self.best.as_ref().map(|(cost, _)| cost - self.bound);
        let is_wish = |literal: &Lit| self.place.get(literal).copied().filter(|&p| self.wishes[p].weight > 0);
        let mut soft: Vec<usize> = core.iter().filter_map(is_wish).collect();
        let is_implied = soft.len() == core.len();
        // A wish heavier than the gap holds in all that costs no more than the best.
        soft.retain(|&place| gap.is_none_or(|gap| self.wishes[place].weight <= gap));
        let Some(weight) = soft.iter().map(|&place| self.wishes[place].weight).min() else { return false };
        self.work.cores += 1;
        if is_implied {
            let clause: Vec<Lit> = core.iter().map(|&literal| !literal).collect();
            self.engine.keep_clause(&clause);
        }
        self.pay(soft, weight);
        true
    }

    /// Pays `weight` for wishes of which one must be given up.
    fn pay(&mut self, core: Vec<usize>, weight: i64) {
        self.bound += weight;
        let given_up: Vec<Lit> = core.iter().map(|&place| !self.wishes[place].literal).collect();
        for place in core {
            self.wishes[place].weight -= weight;
            if let Some((counter, most)) = self.wishes[place].count {
                self.wish_count(counter, most + 1, weight);
            }
            if self.wishes[place].weight == 0 {
                for (stairs, step) in std::mem::take(&mut self.wishes[place].stairs) {
                    self.climb(stairs, step + 1);
                }
            }
        }
        if given_up.len() > 1 {
            self.postponed.push(Postponed { given_up, weight });
        }
    }

    /// Wishes that no more than `most` of a counter's literals be true.
    fn wish_count(&mut self, counter: usize, most: usize, weight: i64) {
        if let Some(literal) = self.engine.at_most(counter, most) {
            let place = self.wish(literal, weight);
            self.wishes[place].count = Some((counter, most));
        }
    }

    /// Makes wishes of the counts that the model found last goes against, as far as they weigh enough;
    /// how many.
    fn ask_postponed(&mut self, threshold: i64) -> usize {
        let goes_against = |engine: &Engine<S>, postponed: &Postponed| {
            postponed.given_up.iter().filter(|literal| engine.sat.holds(**literal)).nth(1).is_some()
        };
        let (asked, left): (Vec<_>, Vec<_>) = std::mem::take(&mut self.postponed)
            .into_iter()
            .partition(|postponed| postponed.weight >= threshold && goes_against(self.engine, postponed));
        self.postponed = left;
        let count = asked.len();
        for postponed in asked {
            let counter = self.engine.counter(&postponed.given_up);
            self.wish_count(counter, 1, postponed.weight);
        }
        count
    }

    /// A literal that makes a clause bind while it is assumed.
    fn activate(&mut self, clause: &[Lit]) -> Lit {
        let activation = self.engine.sat.new_variable().positive();
        let clause: Vec<Lit> = clause.iter().copied().chain([!activation]).collect();
        self.engine.sat.add_clause(&clause);
        self.activations.push(activation);
        activation
    }

    /// The answer among the cheapest assignments.
    fn settle(&mut self) -> Found {
        let (_, mut values) = self.best.take().expect("a model met the bound");
        let mut unique = None;
        if self.query.ties == TieBreak::Canonical {
            let is_determined = self.determined_at == Some(self.bound);
            unique = if is_determined { Some(true) } else { self.canonical(&mut values) };
        }
        let is_optimal = unique.is_some() || self.query.ties == TieBreak::Any;
        Found::Values { values, bound: self.bound, is_optimal, unique }
    }

    /// Makes `values` the first of the cheapest assignments in the order in which false comes before
    /// true and the first variable counts most; whether it is the only one. Nothing if a limit came in
    /// between.
    fn canonical(&mut self, values: &mut Vec<bool>) -> Option<bool> {
        let literal = |var: usize, value: bool| Lit::new(Var(var as u32), !value);
        let differs: Vec<Lit> = values.iter().enumerate().map(|(var, &value)| literal(var, !value)).collect();
        let other = self.activate(&differs);
        match self.cheapest_with(&[other])? {
            None => return Some(true),
            Some(model) if model < *values => *values = model,
            Some(_) => (),
        }
        let mut prefix = Vec::new();
        let (mut in_vain, mut stride) = (0, 1);
        let mut var = 0;
        while var < values.len() {
            let positive = literal(var, true);
            if values[var] && !self.is_assumed(positive) {
                // As many at once as went well the last time, and twice as many.
                let depth = prefix.len();
                let last = (var..values.len()).filter(|&var| values[var]).take(stride).last().unwrap_or(var);
                prefix.extend((var..=last).map(|var| literal(var, false)));
                let found = self.cheapest_with(&prefix)?;
                prefix.truncate(depth);
                match found {
                    Some(model) => {
                        *values = model;
                        (in_vain, stride) = (0, 2 * stride);
                    }
                    None if stride > 1 => {
                        stride = (stride / 4).max(1);
                        continue;
                    }
                    None => in_vain += 1,
                }
            }
            prefix.push(literal(var, values[var]));
            var += 1;
            // Now and then the rest is asked for at once.
            if in_vain == PATIENCE {
                in_vain = 0;
                let rest = (var..values.len()).filter(|&var| values[var]);
                let rest: Vec<Lit> = rest.map(|var| literal(var, false)).collect();
                prefix.push(self.activate(&rest));
                if self.cheapest_with(&prefix)?.is_none() {
                    break;
                }
                prefix.pop();
            }
        }
        Some(false)
    }

    /// Whether a literal is true in all that costs no more than the bound: being hard, or wished for when
    /// cores have proved the bound.
    fn is_assumed(&self, literal: Lit) -> bool {
        let is_wished = self.place.get(&literal).is_some_and(|&place| self.wishes[place].weight > 0);
        (is_wished && self.by_sets.is_none()) || self.hard.contains(&literal)
    }

    /// An assignment that costs no more than the bound in which these literals are true: nothing inside
    /// if there is none, nothing at all if a limit came in between.
    fn cheapest_with(&mut self, literals: &[Lit]) -> Option<Option<Vec<bool>>> {
        if let Some(mut sets) = self.by_sets.take() {
            let found = self.cheapest_set(&mut sets, literals, self.bound - self.start);
            if let Some(found) = found {
                self.by_sets = Some(sets);
                return Some(found.map(|(_, values)| values));
            }
            // Too many sets: back to cores, which have not proved the bound yet.
            (self.bound, self.many_cores) = (self.bound_by_cores, u64::MAX);
            if self.minimise() != Some(true) {
                return None;
            }
        }
        loop {
            let mut assumptions = self.assumptions(1);
            assumptions.extend_from_slice(literals);
            match self.solve(&assumptions) {
                Outcome::Unknown => return None,
                Outcome::Unsat => return Some(None),
                Outcome::Sat => {
                    let values = self.engine.values(self.problem);
                    if self.ask_postponed(1) == 0 {
                        return Some(Some(values));
                    }
                }
            }
        }
    }
}
