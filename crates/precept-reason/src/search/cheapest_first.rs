//! The second way to the cheapest assignment: sets of wishes given up, from the cheapest on.

use std::collections::HashMap;

use precept_logic::Lit;

use super::Search;
use super::hitting::{Hitting, Rung, Set};
use crate::sat::{Outcome, Sat};

/// So many sets are looked at before this way is given up.
const PATIENCE: usize = 200_000;

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
    /// Looks for the cheapest assignment among those that cost less than the best. True if the best is
    /// now the cheapest of all, nothing if that cannot be said.
    pub(super) fn cheapest_first(&mut self) -> Option<bool> {
        let mut state = self.ladders()?;
        let limit = self.best.as_ref().map_or(i64::MAX, |(cost, _)| cost - 1 - self.start);
        let found = self.cheapest_set(&mut state, &[], limit)?;
        match found {
            Some((cost, values)) => {
                self.bound = self.start + cost;
                self.best = Some((self.bound, values));
            }
            None => self.bound = self.best.as_ref()?.0,
        }
        self.determined_at = None;
        self.by_sets = Some(state);
        Some(true)
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
        let mut rungs = HashMap::new();
        for (number, ladder) in ladders.iter().enumerate() {
            for (rung, (literal, _)) in ladder.iter().enumerate() {
                if rungs.insert(*literal, (number as u32, rung as u32 + 1)).is_some() {
                    return None;
                }
            }
        }
        let prices = ladders.iter().map(|ladder| ladder.iter().map(|(_, weight)| *weight).collect());
        Some(CheapestFirst { hitting: Hitting::new(prices), ladders, rungs, of_literals: Vec::new() })
    }

    /// The cheapest assignment, and what it costs above what is paid in any case, in which these literals
    /// are true: nothing inside if all cost more than `limit`, nothing at all if a limit came in between.
    pub(super) fn cheapest_set(
        &mut self,
        state: &mut CheapestFirst,
        literals: &[Lit],
        limit: i64,
    ) -> Option<Option<(i64, Vec<bool>)>> {
        let known = state.hitting.cores();
        state.hitting.begin();
        let found = self.try_sets(state, literals, limit);
        let depends = |core: usize| state.of_literals.contains(&core);
        state.hitting.retain_cores(|core| core < known || !depends(core));
        state.of_literals.clear();
        found
    }

    /// Tries sets from the cheapest on.
    fn try_sets(
        &mut self,
        state: &mut CheapestFirst,
        literals: &[Lit],
        limit: i64,
    ) -> Option<Option<(i64, Vec<bool>)>> {
        while let Some(set) = state.hitting.next(limit, PATIENCE)? {
            let mut assumptions: Vec<Lit> = self.hard.iter().chain(literals).copied().collect();
            assumptions.extend(state.kept(&set));
            match self.solve(&assumptions) {
                Outcome::Unknown => return None,
                Outcome::Sat => return Some(Some((set.cost, self.engine.values(self.problem)))),
                Outcome::Unsat => {
                    self.work.cores += 1;
                    let core = self.engine.sat.core();
                    if core.iter().any(|literal| literals.contains(literal)) {
                        state.of_literals.push(state.hitting.cores());
                    }
                    let rungs = core.iter().filter_map(|literal| state.rungs.get(literal).copied());
                    state.hitting.add_core(rungs.collect());
                    state.hitting.put_back(set);
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
