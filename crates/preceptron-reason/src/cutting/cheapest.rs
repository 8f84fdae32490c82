//! The cheapest assignment from above: find one, ask for a cheaper one, until there is none.
//!
//! Where costs are many and the rows are knapsacks, cores raise the bound from below in steps too small to end;
//! here each assignment that is found makes a row that reduces the costs of all others. The first of several
//! cheapest is found by deciding variables in order, false before true: what is true then had to be.

use preceptron_logic::Problem;

use super::{Cutting, Found, Row};
use crate::proof::Formula;
use crate::sat::Budget;
use crate::{Query, TieBreak};

/// Problems with more terms than this are not tried.
const LARGE: usize = 3_000_000;

/// What was found from above.
pub enum Cheapest {
    /// The cheapest, with its cost, and whether it is the only one if that was asked.
    Proved { values: Vec<bool>, cost: i64, unique: Option<bool> },
    /// Nothing obeys the rules.
    Nothing,
    /// The best that was found, if it is better than what was known.
    Better(Vec<bool>),
    /// Nothing new.
    Unknown,
}

impl Formula {
    fn cost(&self, values: &[bool]) -> i64 {
        let holds = |literal: u32| values[(literal >> 1) as usize] != (literal & 1 == 1);
        self.objective.iter().filter(|(_, literal)| holds(*literal)).map(|(weight, _)| weight).sum()
    }

    /// A search on the rows, and on a bound of the cost if there is one to keep.
    fn search(&self, most: Option<i64>) -> Option<Cutting<'static, 'static>> {
        let mut search = Cutting::new(self.variables, None);
        self.rows.iter().for_each(|row| search.add(row.clone(), 0));
        if let Some(most) = most.filter(|_| !self.objective.is_empty()) {
            search.add(self.cheaper_than(most.checked_add(1)?)?, 0);
            search.reduce_costs(self.rows.len());
        }
        Some(search)
    }
}

/// Looks for the cheapest assignment; `known` obeys the rules, if one is known.
pub fn cheapest(problem: &Problem, query: &Query, known: Option<&[bool]>, budget: &Budget) -> Cheapest {
    attempt(problem, query, known, budget).unwrap_or(Cheapest::Unknown)
}

fn attempt(problem: &Problem, query: &Query, known: Option<&[bool]>, budget: &Budget) -> Option<Cheapest> {
    let sizes = problem.rules.constraints().map(|rule| rule.len() + rule.sums().iter().take(64).count());
    let size: usize = sizes.chain(problem.linear.iter().map(|linear| linear.terms.len())).sum();
    if size > LARGE {
        return None;
    }
    let formula = Formula::of(problem, query)?;
    if formula.rows.iter().map(|row| row.terms.len()).sum::<usize>() > LARGE || budget.is_full() {
        return None;
    }
    let mut left = budget.clone();
    let mut search = formula.search(None)?;
    let mut best: Option<Vec<bool>> = None;
    if let Some(known) = known {
        let values = formula.extended(known, i64::MAX / 8)?;
        search.prefer(&values);
        search.add(formula.cheaper_than(formula.cost(&values))?, 0);
        search.reduce_costs(formula.rows.len());
        best = Some(values);
    }
    let mut is_new = false;
    loop {
        let found = search.search(&left);
        match found {
            Found::Values(values) => {
                let row = formula.cheaper_than(formula.cost(&values))?;
                search.add(row, 0);
                search.reduce_costs(formula.rows.len());
                (best, is_new) = (Some(values), true);
            }
            Found::Nothing(_) => break,
            Found::Unknown => {
                let own = |mut values: Vec<bool>| {
                    values.truncate(formula.own);
                    Cheapest::Better(values)
                };
                return best.filter(|_| is_new).map(own);
            }
        }
    }
    left.conflicts = left.conflicts.map(|most| most.saturating_sub(search.conflicts));
    let Some(mut values) = best else { return Some(Cheapest::Nothing) };
    let least = formula.cost(&values);
    let cost = least.checked_add(formula.constant)?;
    let mut unique = None;
    if query.ties == TieBreak::Canonical {
        let mut search = formula.search(Some(least))?;
        search.in_order = true;
        let Found::Values(first) = search.search(&left) else {
            values.truncate(formula.own);
            return Some(Cheapest::Better(values));
        };
        left.conflicts = left.conflicts.map(|most| most.saturating_sub(search.conflicts));
        let mut search = formula.search(Some(least))?;
        let differs = (0..).zip(&first[..formula.own]).map(|(v, &value)| (1, 2 * v + u32::from(value)));
        search.add(Row::new(differs, 1)?, 0);
        values = first;
        unique = match search.search(&left) {
            Found::Values(_) => Some(false),
            Found::Nothing(_) => Some(true),
            Found::Unknown => {
                values.truncate(formula.own);
                return Some(Cheapest::Better(values));
            }
        };
    }
    values.truncate(formula.own);
    Some(Cheapest::Proved { values, cost, unique })
}
