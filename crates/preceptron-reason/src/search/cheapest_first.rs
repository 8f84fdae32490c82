//! The second way to the cheapest assignment: sets of wishes given up, from the cheapest on.

use std::collections::{HashMap, HashSet};

use preceptron_logic::Lit;

use super::Search;
use super::hitting::{Hitting, Rung, Set};
use crate::Piece;
use crate::sat::{Outcome, Sat};

/// So many sets are looked at for each core, and for each core that the search had before, before this
/// way is given up. Where it leads to an end it takes two or three.
const PATIENCE: usize = 8;

/// Cores at the most, after which the search is given up.
const MOST_CORES: usize = 400;

/// The way is tried if the best assignment so far gives up something on no more ladders than this: sets
/// are many where they are large.
const FEW: usize = 8;

/// So many sets are looked at for all other assignments that are as cheap.
const PATIENCE_FOR_TIES: usize = 100_000;

/// A query's wishes as ladders, and what is known of what can be given up.
pub struct CheapestFirst {
    /// The literals and weights of each ladder's rungs.
    ladders: Vec<Vec<(Lit, i64)>>,
    hitting: Hitting,
    /// The rung that a literal stands for.
    rungs: HashMap<Lit, Rung>,
    /// Cores that hold only while the literals of a call are true.
    of_literals: Vec<usize>,
}

impl<S: Sat> Search<'_, S> {
    /// Looks for the cheapest assignment among those that cost less than the best; whether the best is
    /// now the cheapest of all.
    pub(super) fn cheapest_first(&mut self) -> bool {
        let Some((cost, values)) = &self.best else { return false };
        if *cost == self.bound || self.given_up(values) > FEW {
            return false;
        }
        let limit = cost - 1 - self.start;
        let Some(mut sets) = self.ladders() else { return false };
        match self.cheapest_set(&mut sets, &[], limit) {
            Some(Some((cost, values))) => self.best = Some((self.start + cost, values)),
            Some(None) => (),
            None => return false,
        }
        self.bound_by_cores = self.bound;
        self.bound = self.best.as_ref().map_or(self.bound, |(cost, _)| *cost);
        self.determined_at = None;
        sets.hitting.patience = PATIENCE_FOR_TIES;
        self.by_sets = Some(sets);
        true
    }

    /// On how many ladders an assignment gives something up.
    fn given_up(&self, values: &[bool]) -> usize {
        // Wishes about variables of the solver's own are those about soft rules, which are looked at below.
        let holds =
            |literal: &Lit| values.get(literal.var().index()).is_none_or(|value| literal.holds(*value));
        let single = self.single.iter().filter(|(literal, _)| !holds(literal)).count();
        let stairs = self.stairs.iter().filter(|stairs| !stairs[0].0.iter().any(holds)).count();
        let is_violated = |piece: Piece| {
            self.query.price(self.problem, piece).is_some_and(|price| price > 0)
                && !piece.holds(self.problem, |var| values[var.index()])
        };
        single + stairs + self.engine.switches.iter().filter(|(piece, _)| is_violated(*piece)).count()
    }

    /// The wishes of the query as ladders. Nothing if two wishes are about one literal.
    fn ladders(&mut self) -> Option<CheapestFirst> {
        let mut ladders: Vec<Vec<(Lit, i64)>> = self.single.iter().map(|&single| vec![single]).collect();
        for stairs in &self.stairs {
            let mut so_far = Vec::new();
            let mut ladder = Vec::new();
            for (joins, weight) in stairs {
                so_far.extend_from_slice(joins);
                ladder.push((self.engine.union(&so_far), *weight));
            }
            ladders.push(ladder);
        }
        let hard: HashSet<Lit> = self.hard.iter().copied().collect();
        let mut rungs = HashMap::new();
        for (number, ladder) in ladders.iter().enumerate() {
            for (rung, (literal, _)) in ladder.iter().enumerate() {
                // What is hard cannot be given up.
                if hard.contains(literal) {
                    continue;
                }
                if rungs.insert(*literal, (number as u32, rung as u32 + 1)).is_some() {
                    return None;
                }
            }
        }
        let prices = ladders.iter().map(|ladder| ladder.iter().map(|(_, weight)| *weight).collect());
        let mut hitting = Hitting::new(prices);
        hitting.patience = PATIENCE * self.work.cores as usize;
        Some(CheapestFirst { hitting, ladders, rungs, of_literals: Vec::new() })
    }

    /// The cheapest assignment, and what it costs above what is paid in any case, in which these literals
    /// are true: nothing inside if all cost more than `limit`, nothing at all if a limit came in between.
    pub(super) fn cheapest_set(
        &mut self,
        sets: &mut CheapestFirst,
        literals: &[Lit],
        limit: i64,
    ) -> Option<Option<(i64, Vec<bool>)>> {
        let known = sets.hitting.cores();
        sets.hitting.begin();
        let found = self.try_sets(sets, literals, limit);
        let depends = |core: usize| sets.of_literals.contains(&core);
        sets.hitting.retain_cores(|core| core < known || !depends(core));
        sets.of_literals.clear();
        found
    }

    /// Tries sets from the cheapest on.
    fn try_sets(
        &mut self,
        sets: &mut CheapestFirst,
        literals: &[Lit],
        limit: i64,
    ) -> Option<Option<(i64, Vec<bool>)>> {
        while let Some(set) = sets.hitting.next(limit)? {
            // Each set is held against all cores: with so many of them another search is faster.
            if sets.hitting.cores() > MOST_CORES {
                return None;
            }
            let mut assumptions: Vec<Lit> = self.hard.iter().chain(literals).copied().collect();
            assumptions.extend(sets.kept(&set));
            self.work.sets += 1;
            match self.solve(&assumptions) {
                Outcome::Unknown => return None,
                Outcome::Sat => return Some(Some((set.cost, self.engine.values(self.problem)))),
                Outcome::Unsat => {
                    self.work.cores += 1;
                    let core = self.engine.sat.core();
                    if core.iter().any(|literal| literals.contains(literal)) {
                        sets.of_literals.push(sets.hitting.cores());
                    }
                    let rungs = core.iter().filter(|literal| !literals.contains(literal));
                    let rungs = rungs.filter_map(|literal| sets.rungs.get(literal).copied());
                    sets.hitting.add_core(rungs.collect());
                    sets.hitting.patience = sets.hitting.patience.saturating_add(PATIENCE);
                    sets.hitting.put_back(set);
                }
            }
        }
        Some(None)
    }
}

impl CheapestFirst {
    /// The literals of the wishes that come true when a set is given up.
    fn kept<'a>(&'a self, set: &'a Set) -> impl Iterator<Item = Lit> + 'a {
        let next = |(number, ladder): (usize, &'a Vec<(Lit, i64)>)| {
            ladder.get(set.level(number as u32) as usize).map(|(literal, _)| *literal)
        };
        self.ladders.iter().enumerate().filter_map(next)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Backend, Query, TieBreak};
    use preceptron_logic::{Constraint, Problem, Rule, RuleSet, Var, Variables};
    use rand::{RngExt, SeedableRng};

    /// The first of the cheapest assignments, by trying all, and whether it is the only one.
    fn cheapest(rules: &[Constraint], prices: &[i64]) -> (i64, Vec<bool>, bool) {
        let mut found: Option<(i64, Vec<bool>, bool)> = None;
        for bits in 0u32..1 << prices.len() {
            let values: Vec<bool> =
                (0..prices.len()).map(|v| bits >> (prices.len() - 1 - v) & 1 == 1).collect();
            if rules.iter().all(|rule| rule.holds(|var: Var| values[var.index()])) {
                let cost =
                    prices.iter().zip(&values).filter(|(_, value)| **value).map(|(price, _)| price).sum();
                match &mut found {
                    Some((best, _, unique)) if *best == cost => *unique = false,
                    Some((best, ..)) if *best < cost => (),
                    _ => found = Some((cost, values, true)),
                }
            }
        }
        found.expect("all true obeys clauses without negation")
    }

    #[test]
    fn sets_lead_to_the_first_of_the_cheapest() {
        const COUNT: u32 = 14;
        let (mut by_sets, mut ties) = (0, 0);
        for seed in 0..200 {
            let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
            let spread = if seed % 2 == 0 { 1000 } else { 30 };
            let prices: Vec<i64> = (0..COUNT).map(|_| random.random_range(1..=spread)).collect();
            let clause = |random: &mut rand_chacha::ChaCha8Rng| {
                let picked = rand::seq::index::sample(random, COUNT as usize, 3);
                Constraint::clause(picked.into_iter().map(|v| Var(v as u32).positive()))
            };
            let rules: Vec<Constraint> = (0..60).map(|_| clause(&mut random)).collect();
            let set = RuleSet::with_rules(
                Variables::block("x", &[("i", 1..=i64::from(COUNT))]),
                rules.iter().cloned().map(Rule::given),
            );
            let costs = prices.iter().enumerate().map(|(v, &price)| (Var(v as u32).positive(), price));
            let query = Query { costs: costs.collect(), ties: TieBreak::Canonical, ..Query::default() };
            let answer = Backend::Batsat.load(Problem::from(set)).unwrap().solve(&query).unwrap();
            let (cost, values, unique) = cheapest(&rules, &prices);
            let solution = answer.solution.expect("there is an assignment");
            assert_eq!(
                (solution.cost, solution.values, answer.unique),
                (cost, values, Some(unique)),
                "{seed}"
            );
            by_sets += usize::from(answer.work.sets > 0);
            ties += usize::from(answer.work.sets > 0 && !unique);
        }
        assert!(by_sets >= 5 && ties >= 2, "{by_sets} by sets, {ties} of these with ties");
    }
}
