//! A query's costs as weights of literals that should be true.
//!
//! A literal that costs `c` is a wish that it be false, of weight `c`. Where exactly one of a group's
//! literals is true, which a hard rule must say, the costs become a staircase: with the costs in rising
//! order `c_1 <= c_2 <= ...`, the wish that the cheapest be true has weight `c_2 - c_1`, that one of the
//! two cheapest be true has `c_3 - c_2`, and so on. Each step follows from the one before it, so a step
//! need not be asked for until the one before has been given up: a group takes part in the search with
//! one wish instead of one for each of its literals.

use std::collections::BTreeMap;

use precept_logic::Lit;

use crate::engine::Groups;

/// A query's costs as wishes.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// What is paid in any case.
    pub constant: i64,
    /// Literals that should be true, and what it costs when they are not.
    pub single: Vec<(Lit, i64)>,
    /// Staircases: for each step the literals that join, and the weight of the wish that one of the
    /// literals so far is true.
    pub stairs: Vec<Vec<(Vec<Lit>, i64)>>,
}

/// Turns costs of true literals into wishes.
pub fn wishes(costs: impl Iterator<Item = (Lit, i64)>, groups: &Groups) -> Wishes {
    let mut wishes = Wishes::default();
    // By variable: the cost of its positive literal less that of its negative one.
    let mut of_literal: BTreeMap<Lit, i64> = BTreeMap::new();
    for (literal, cost) in costs {
        if literal.is_negated() {
            wishes.constant += cost;
            *of_literal.entry(!literal).or_default() -= cost;
        } else {
            *of_literal.entry(literal).or_default() += cost;
        }
    }
    of_literal.retain(|_, cost| *cost != 0);
    let costly: Vec<Lit> = of_literal.keys().copied().collect();
    for literal in costly {
        if !of_literal.contains_key(&literal) {
            continue;
        }
        // The group in which most literals cost something; the first of equals.
        let numbers = groups.of(literal).iter().chain(groups.of(!literal));
        let priced = |number: u32| {
            let members = groups.members[number as usize].iter();
            members.filter(|member| of_literal.contains_key(&member.var().positive())).count()
        };
        let Some((count, number)) = numbers.map(|&number| (priced(number), number)).max_by_key(|x| x.0)
        else {
            continue;
        };
        let members = &groups.members[number as usize];
        if count >= 2 && 2 * count >= members.len() {
            add_stairs(members, &mut of_literal, &mut wishes);
        }
    }
    for (literal, cost) in of_literal {
        if cost < 0 {
            wishes.constant += cost;
        }
        wishes.single.push((if cost > 0 { !literal } else { literal }, cost.abs()));
    }
    wishes
}

/// Takes the costs of a group's literals and adds them as a staircase.
fn add_stairs(members: &[Lit], of_literal: &mut BTreeMap<Lit, i64>, wishes: &mut Wishes) {
    let mut costs: Vec<(i64, Lit)> = Vec::with_capacity(members.len());
    for &member in members {
        let cost = of_literal.remove(&member.var().positive()).unwrap_or(0);
        // A negated member that costs c when its variable is true costs -c, beside the constant c.
        if member.is_negated() {
            wishes.constant += cost;
            costs.push((-cost, member));
        } else {
            costs.push((cost, member));
        }
    }
    costs.sort_unstable();
    wishes.constant += costs[0].0;
    let mut stairs: Vec<(Vec<Lit>, i64)> = Vec::new();
    let mut step = Vec::new();
    for (place, &(cost, literal)) in costs.iter().enumerate() {
        step.push(literal);
        if let Some(&(next, _)) = costs.get(place + 1)
            && next > cost
        {
            stairs.push((std::mem::take(&mut step), next - cost));
        }
    }
    if !stairs.is_empty() {
        wishes.stairs.push(stairs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use precept_logic::{Constraint, Problem, Rule, RuleSet, Var, Variables};
    use proptest::prelude::*;

    use crate::engine::Engine;
    use crate::sat::Batsat;

    const COUNT: u32 = 6;

    proptest! {
        #[test]
        fn wishes_cost_what_the_literals_cost(
            costs in prop::collection::vec((0..COUNT, any::<bool>(), -5i64..6), 0..10),
            groups in prop::collection::vec(prop::collection::btree_map(0..COUNT, any::<bool>(), 2..5), 0..3),
        ) {
            let literal = |var: u32, negated: bool| Lit::new(Var(var), negated);
            let costs: Vec<(Lit, i64)> = costs.into_iter().map(|(v, n, c)| (literal(v, n), c)).collect();
            let groups: Vec<Constraint> = groups
                .iter()
                .map(|group| Constraint::exactly(1, group.iter().map(|(&v, &n)| literal(v, n))))
                .collect();
            let mut rules = RuleSet::new(Variables::block("x", &[("i", 0..=i64::from(COUNT) - 1)]));
            for group in &groups {
                rules.insert(Rule::given(group.clone()));
            }
            let engine: Engine<Batsat> = Engine::load(&Problem::from(rules), false);
            let wishes = wishes(costs.iter().copied(), &engine.groups);
            prop_assert!(wishes.single.iter().all(|(_, weight)| *weight > 0));
            for bits in 0u32..1 << COUNT {
                let holds = |l: Lit| l.holds(bits >> l.var().0 & 1 == 1);
                if !groups.iter().all(|group| group.holds(|v: Var| bits >> v.0 & 1 == 1)) {
                    continue;
                }
                let paid: i64 = costs.iter().filter(|(l, _)| holds(*l)).map(|(_, c)| c).sum();
                let single: i64 = wishes.single.iter().filter(|(l, _)| !holds(*l)).map(|(_, w)| w).sum();
                let mut climbed = 0;
                for stairs in &wishes.stairs {
                    let steps = stairs.iter().take_while(|(joins, _)| !joins.iter().any(|l| holds(*l)));
                    climbed += steps.map(|(_, weight)| weight).sum::<i64>();
                }
                prop_assert_eq!(wishes.constant + single + climbed, paid);
            }
        }
    }
}
