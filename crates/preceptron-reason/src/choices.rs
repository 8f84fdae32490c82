//! Propagation before search: rules of which exactly one, at most one or at least one literal is true.
//!
//! Where a problem has only such rules, as Sudoku does, most queries are decided by counting what is still open in
//! each rule, or by a few guesses. Of each rule two numbers are kept,
//! ```text
//! open = how many of its literals are not false        rest = the exclusive or of their codes
//! ```
//! so that the last open literal is known without a look at the others, and taking back costs what doing did. Costs are
//! bounded from below by the cheapest open literal of each rule, as far as rules share no priced literal; the search goes
//! from the choice that has most to lose to the one that has least, and gives up after so many nodes: what it does not
//! settle is for the solver, with its cores.
//!
//! What depends on the rules alone is made once for all queries.

use preceptron_logic::{Lit, Problem, Sums, Var};

use crate::{Query, Strength, TieBreak};

/// So many nodes a query without costs may have, and one with costs.
const NODES: u32 = 400;
const NODES_WITH_COSTS: u32 = 200;

/// A rule: how its literals are bound.
struct Rule {
    members: std::ops::Range<u32>,
    /// At most one is true.
    is_exclusive: bool,
    /// At least one is true.
    is_needed: bool,
}

/// What is open in a rule.
#[derive(Clone, Copy)]
struct Left {
    open: u32,
    rest: u32,
}

const OPEN: u8 = 0;
const TRUE: u8 = 1;
const FALSE: u8 = 2;

/// The rules of a problem, and a search that is under way.
pub struct Choices {
    rules: Vec<Rule>,
    members: Vec<u32>,
    /// By a literal's code: where its rules stand.
    starts: Vec<u32>,
    occurs: Vec<u32>,
    /// By a literal's code.
    values: Vec<u8>,
    left: Vec<Left>,
    trail: Vec<u32>,
    /// So many of the trail have been followed.
    followed: usize,
    /// By a literal's code: what it costs, between queries zero.
    prices: Vec<i64>,
    /// The rules whose cheapest open literal is paid in any case; then the literals that are paid by themselves.
    priced: Vec<u32>,
    single: Vec<u32>,
}

/// What was found.
pub enum Chosen {
    /// The cheapest assignment, what it costs, and whether it is the only one, if that was asked.
    Values { values: Vec<bool>, cost: i64, unique: Option<bool> },
    /// That there is none.
    Nothing,
}

/// The search of one query.
struct Dive<'a> {
    query: &'a Query,
    nodes: u32,
    is_canonical: bool,
    best: Option<(i64, Vec<bool>)>,
    /// Whether another assignment costs as little as the best.
    is_tied: bool,
}

/// Nothing is known: the nodes are used up, or the rules leave something open.
struct GivenUp;

impl Choices {
    /// The rules of a problem that has no others.
    pub fn of(problem: &Problem) -> Option<Choices> {
        let is_plain = problem.linear.is_empty() && problem.soft.is_empty() && problem.cost_bound.is_none();
        let count = problem.rules.variables().len();
        if !is_plain || problem.rules.is_empty() || 2 * count >= u32::MAX as usize {
            return None;
        }
        let (mut rules, mut members) = (Vec::new(), Vec::new());
        for constraint in problem.rules.constraints() {
            let size = constraint.len() as u32;
            let Sums::Range { min, max } = *constraint.sums() else { return None };
            // A rule that nothing obeys is for the solver to explain.
            if min > max || min > size {
                return None;
            }
            // At least all but one are true: at most one of the negations is.
            let (is_mirrored, min, max) = match (min, max) {
                (min @ 0..=1, max) if max == 1 || max >= size => (false, min, max),
                (min, max) if min + 1 == size && size > 0 => (true, size - max.min(size), 1),
                _ => return None,
            };
            if constraint.gate().is_some() || size == 0 {
                return None;
            }
            let start = members.len() as u32;
            members.extend(constraint.literals().iter().map(|l| l.code() as u32 ^ u32::from(is_mirrored)));
            rules.push(Rule {
                members: start..members.len() as u32,
                is_exclusive: max == 1,
                is_needed: min == 1,
            });
        }
        let mut starts = vec![0u32; 2 * count + 1];
        members.iter().for_each(|&code| starts[code as usize + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let (mut next, mut occurs) = (starts.clone(), vec![0; members.len()]);
        for (number, rule) in (0..).zip(&rules) {
            for &code in &members[rule.members.start as usize..rule.members.end as usize] {
                occurs[next[code as usize] as usize] = number;
                next[code as usize] += 1;
            }
        }
        let left = rules.iter().map(|rule| {
            let range = rule.members.start as usize..rule.members.end as usize;
            Left {
                open: rule.members.len() as u32,
                rest: members[range].iter().fold(0, |all, code| all ^ code),
            }
        });
        Some(Choices {
            left: left.collect(),
            values: vec![OPEN; 2 * count],
            prices: vec![0; 2 * count],
            rules,
            members,
            starts,
            occurs,
            trail: Vec::with_capacity(count),
            followed: 0,
            priced: Vec::new(),
            single: Vec::new(),
        })
    }

    /// Answers a query if that takes few guesses.
    pub fn answer(&mut self, problem: &Problem, query: &Query) -> Option<Chosen> {
        if query.strength != Strength::AsLoaded || query.limits.conflicts.is_some_and(|most| most < 1_000) {
            return None;
        }
        let is_costly = self.take_prices(problem, query);
        let mut dive = Dive {
            query,
            nodes: if is_costly { NODES_WITH_COSTS } else { NODES },
            is_canonical: query.ties == TieBreak::Canonical,
            best: None,
            is_tied: false,
        };
        let starts = self.rules.iter().zip(&self.left).zip(0u32..);
        let mut is_possible = true;
        let units: Vec<u32> = starts
            .filter(|((rule, left), _)| rule.is_needed && left.open == 1)
            .map(|((_, left), _)| left.rest)
            .collect();
        for code in query.fixed.iter().map(|literal| literal.code() as u32).chain(units) {
            is_possible = is_possible && self.assume(code);
        }
        let ended = if is_possible && self.follow() { self.dive(&mut dive) } else { Ok(()) };
        self.undo(0);
        for code in query.all_costs(problem).map(|(literal, _)| literal.code()) {
            self.prices[code & !1] = 0;
            self.prices[code | 1] = 0;
        }
        ended.ok()?;
        match dive.best {
            _ if dive.is_tied => None,
            Some((cost, values)) => {
                let (cost, unique) = (cost + problem.objective_constant, dive.is_canonical.then_some(true));
                Some(Chosen::Values { values, cost, unique })
            }
            // Why there is none is for the solver to say.
            None if query.explain => None,
            None => Some(Chosen::Nothing),
        }
    }

    /// Puts the costs where the search finds them; whether there are any.
    fn take_prices(&mut self, problem: &Problem, query: &Query) -> bool {
        let (priced, single) = (&mut self.priced, &mut self.single);
        priced.clear();
        single.clear();
        let mut codes: Vec<u32> = Vec::new();
        for (literal, cost) in query.all_costs(problem) {
            self.prices[literal.code()] += cost;
            codes.push(literal.code() as u32);
        }
        codes.sort_unstable();
        codes.dedup();
        codes.retain(|&code| self.prices[code as usize] != 0);
        // A literal is paid by the rule of which most literals are priced, the first of equals, and by no other.
        let mut counts: Vec<(u32, u32)> = Vec::new();
        for &code in &codes {
            counts.extend(
                self.occurs[self.starts[code as usize] as usize..self.starts[code as usize + 1] as usize]
                    .iter()
                    .filter(|&&rule| {
                        self.rules[rule as usize].is_exclusive && self.rules[rule as usize].is_needed
                    })
                    .map(|&rule| (rule, code)),
            );
        }
        counts.sort_unstable();
        let mut runs: Vec<&[(u32, u32)]> = counts.chunk_by(|one, other| one.0 == other.0).collect();
        runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
        let mut is_paid = vec![false; if codes.is_empty() { 0 } else { self.values.len() }];
        for run in runs.iter().filter(|run| run.len() >= 2) {
            if run.iter().all(|&(_, code)| !is_paid[code as usize]) {
                run.iter().for_each(|&(_, code)| is_paid[code as usize] = true);
                priced.push(run[0].0);
            }
        }
        single.extend(codes.iter().filter(|&&code| !is_paid[code as usize]));
        !codes.is_empty()
    }

    fn rules_of(&self, code: u32) -> std::ops::Range<usize> {
        self.starts[code as usize] as usize..self.starts[code as usize + 1] as usize
    }

    fn members(&self, rule: u32) -> std::ops::Range<usize> {
        let range = &self.rules[rule as usize].members;
        range.start as usize..range.end as usize
    }

    /// Makes a literal true; false if it is false.
    fn assume(&mut self, code: u32) -> bool {
        match self.values[code as usize] {
            OPEN => {
                self.values[code as usize] = TRUE;
                self.values[(code ^ 1) as usize] = FALSE;
                self.trail.push(code);
                true
            }
            value => value == TRUE,
        }
    }

    /// Makes true what follows; false if that is a contradiction.
    fn follow(&mut self) -> bool {
        while let Some(&code) = self.trail.get(self.followed) {
            self.followed += 1;
            let mut is_possible = true;
            // All rules are told, so that taking back is telling them again.
            for at in self.rules_of(code ^ 1) {
                let rule = self.occurs[at];
                let left = &mut self.left[rule as usize];
                left.open -= 1;
                left.rest ^= code ^ 1;
                let Left { open, rest } = *left;
                if open <= 1 && self.rules[rule as usize].is_needed {
                    is_possible = is_possible && open == 1 && self.assume(rest);
                }
            }
            if !is_possible {
                return false;
            }
            for at in self.rules_of(code) {
                let rule = self.occurs[at];
                if !self.rules[rule as usize].is_exclusive {
                    continue;
                }
                for member in self.members(rule) {
                    let other = self.members[member];
                    if other != code && !self.assume(other ^ 1) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Takes back all after the first so many.
    fn undo(&mut self, kept: usize) {
        while self.trail.len() > kept {
            let Some(code) = self.trail.pop() else { return };
            self.values[code as usize] = OPEN;
            self.values[(code ^ 1) as usize] = OPEN;
            if self.trail.len() < self.followed {
                self.followed = self.trail.len();
                for at in self.rules_of(code ^ 1) {
                    let left = &mut self.left[self.occurs[at] as usize];
                    left.open += 1;
                    left.rest ^= code ^ 1;
                }
            }
        }
    }

    /// What is paid in any case, and the cheapest open literal of the rule that has most to lose.
    fn bound(&self) -> (i64, Option<u32>) {
        let (mut bound, mut most, mut next) = (0, 0, None);
        for &rule in &self.priced {
            let (mut least, mut second, mut cheapest) = (i64::MAX, i64::MAX, 0);
            for at in self.members(rule) {
                let code = self.members[at];
                if self.values[code as usize] == FALSE {
                    continue;
                }
                let price = self.prices[code as usize];
                if price < least {
                    (least, second, cheapest) = (price, least, code);
                } else {
                    second = second.min(price);
                }
            }
            bound += if least == i64::MAX { 0 } else { least };
            if second != i64::MAX && second - least > most {
                (most, next) = (second - least, Some(cheapest));
            }
        }
        for &code in &self.single {
            let price = self.prices[code as usize];
            match self.values[code as usize] {
                TRUE => bound += price,
                OPEN => {
                    bound += price.min(0);
                    if price.abs() > most {
                        (most, next) = (price.abs(), Some(if price < 0 { code } else { code ^ 1 }));
                    }
                }
                _ => (),
            }
        }
        (bound, next)
    }

    /// Goes through what is left; all that was found is in `dive`.
    fn dive(&mut self, dive: &mut Dive) -> Result<(), GivenUp> {
        if dive.nodes == 0 || dive.query.limits.is_cancelled() {
            return Err(GivenUp);
        }
        dive.nodes -= 1;
        let (bound, next) = self.bound();
        if let Some((best, _)) = &dive.best
            && (bound > *best || (bound == *best && !dive.is_canonical) || dive.is_tied)
        {
            return Ok(());
        }
        let Some(code) = next.or_else(|| self.narrowest()) else {
            if 2 * self.trail.len() != self.values.len() {
                return Err(GivenUp);
            }
            let holds = |literal: &Lit| self.values[literal.code()] == TRUE;
            if dive.query.clauses.iter().all(|clause| clause.iter().any(holds)) {
                dive.is_tied = dive.best.as_ref().is_some_and(|(best, _)| *best == bound);
                let count = self.values.len() as u32 / 2;
                let values = (0..count).map(|v| holds(&Var(v).positive())).collect();
                dive.best = Some((bound, values));
            }
            return Ok(());
        };
        let kept = self.trail.len();
        for code in [code, code ^ 1] {
            let ended = if self.assume(code) && self.follow() { self.dive(dive) } else { Ok(()) };
            self.undo(kept);
            ended?;
        }
        Ok(())
    }

    /// An open literal of the rule that has fewest of them.
    fn narrowest(&self) -> Option<u32> {
        let (mut least, mut found) = (u32::MAX, None);
        for (number, left) in (0..).zip(&self.left) {
            if left.open > 1 && left.open < least && self.rules[number as usize].is_needed {
                let open = |&at: &usize| self.values[self.members[at] as usize] == OPEN;
                // Where one is true and others are not false yet, the rule is not exclusive, and content.
                let is_content =
                    self.members(number).any(|at| self.values[self.members[at] as usize] == TRUE);
                if let Some(at) = self.members(number).find(open).filter(|_| !is_content) {
                    (least, found) = (left.open, Some(self.members[at]));
                    if least == 2 {
                        break;
                    }
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::{Constraint, RuleSet, Variables};
    use proptest::prelude::*;

    const COUNT: u32 = 7;

    fn literals(least: usize) -> impl Strategy<Value = Vec<Lit>> {
        let chosen = prop::collection::btree_map(0..COUNT, any::<bool>(), least..5);
        chosen.prop_map(|all| all.into_iter().map(|(var, negated)| Lit::new(Var(var), negated)).collect())
    }

    fn rule() -> impl Strategy<Value = Constraint> {
        let sums =
            prop_oneof![Just((1, 1)), Just((0, 1)), Just((1, 9)), Just((9, 9)), Just((0, 0)), Just((3, 2))];
        (literals(1), sums).prop_map(|(literals, (min, max))| {
            let size = literals.len() as u32;
            // 9 stands for all, and for all but one from below.
            let least = if min == 9 { size - 1 } else { min.min(size) };
            if min > max {
                return Constraint::new(literals, Sums::EMPTY);
            }
            Constraint::new(literals, Sums::range(least, if max == 9 { size } else { max.max(least) }))
        })
    }

    proptest! {
        /// The plain twin goes through all assignments.
        #[test]
        fn answers_are_those_of_enumeration(
            rules in prop::collection::vec(rule(), 1..8),
            queries in prop::collection::vec(
                (literals(0), prop::collection::vec((0..COUNT, any::<bool>(), -3i64..9), 0..9), literals(1), any::<bool>()),
                1..4,
            ),
        ) {
            let variables = Variables::block("x", &[("i", 0..=i64::from(COUNT) - 1)]);
            let rules = RuleSet::with_rules(variables, rules.into_iter().map(preceptron_logic::Rule::given));
            let problem = Problem::from(rules);
            let Some(mut choices) = Choices::of(&problem) else { return Ok(()) };
            for (fixed, costs, clause, is_canonical) in queries {
                let query = Query {
                    fixed,
                    costs: costs.into_iter().map(|(v, negated, cost)| (Lit::new(Var(v), negated), cost)).collect(),
                    clauses: vec![clause],
                    ties: if is_canonical { TieBreak::Canonical } else { TieBreak::Any },
                    explain: false,
                    ..Query::default()
                };
                let holds = |bits: u32, literal: &Lit| literal.holds(bits >> literal.var().0 & 1 == 1);
                let obeys = |bits: &u32| {
                    problem.rules.constraints().all(|rule| rule.holds(|var: Var| bits >> var.0 & 1 == 1))
                        && query.fixed.iter().all(|literal| holds(*bits, literal))
                        && query.clauses.iter().all(|clause| clause.iter().any(|literal| holds(*bits, literal)))
                };
                let cost = |bits: u32| -> i64 {
                    query.costs.iter().filter(|(literal, _)| holds(bits, literal)).map(|(_, cost)| cost).sum()
                };
                let all: Vec<u32> = (0u32..1 << COUNT).filter(obeys).collect();
                let least = all.iter().map(|&bits| cost(bits)).min();
                let cheapest: Vec<u32> = all.into_iter().filter(|&bits| Some(cost(bits)) == least).collect();
                match choices.answer(&problem, &query) {
                    // Where something is left open, or two are as cheap, the solver is asked.
                    None => {}
                    Some(Chosen::Nothing) => prop_assert_eq!(least, None),
                    Some(Chosen::Values { values, cost, unique }) => {
                        prop_assert_eq!(Some(cost), least);
                        let bits = (0u32..).zip(&values).map(|(v, &value)| u32::from(value) << v).sum();
                        prop_assert!(cheapest.contains(&bits));
                        prop_assert_eq!(unique, is_canonical.then_some(true));
                        prop_assert!(!is_canonical || cheapest.len() == 1);
                    }
                }
                prop_assert!(choices.trail.is_empty() && choices.values.iter().all(|value| *value == OPEN));
                prop_assert!(choices.prices.iter().all(|price| *price == 0));
            }
        }
    }

    /// A Latin square of four rows, of which three cells are known: nothing is left to guess.
    #[test]
    fn squares_are_decided_without_a_solver() {
        let variables = Variables::block("x", &[("row", 0..=3), ("column", 0..=3), ("digit", 0..=3)]);
        let literal = |row: u32, column: u32, digit: u32| Var(16 * row + 4 * column + digit).positive();
        let mut rules = RuleSet::new(variables);
        for (a, b) in (0..16).map(|at| (at / 4, at % 4)) {
            for kind in 0..3 {
                let place = |c: u32| match kind {
                    0 => literal(a, b, c),
                    1 => literal(a, c, b),
                    _ => literal(c, a, b),
                };
                rules.insert(preceptron_logic::Rule::given(Constraint::exactly(1, (0..4).map(place))));
            }
        }
        let problem = Problem::from(rules);
        let mut choices = Choices::of(&problem).unwrap();
        let known =
            [literal(0, 0, 0), literal(1, 1, 1), literal(2, 2, 2), literal(0, 1, 2), literal(3, 0, 1)];
        let query = Query { explain: false, ..Query::fixed(known) };
        let Some(Chosen::Values { values, unique: Some(true), .. }) = choices.answer(&problem, &query) else {
            panic!("it has one solution");
        };
        assert!(problem.rules.constraints().all(|rule| rule.holds(|var| values[var.index()])));
        let twice = Query { fixed: vec![known[0], literal(0, 1, 0)], ..query };
        assert!(matches!(choices.answer(&problem, &twice), Some(Chosen::Nothing)));
    }
}
