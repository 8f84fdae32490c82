//! A query's costs as weights of literals that should be true: the soft clauses of MaxSAT.
//!
//! A literal that costs `c` is a wish that it be false, of weight `c`. Where exactly one of a group's
//! literals is true, which a hard rule must say, the costs become a staircase: with the costs in rising
//! order `c_1 <= c_2 <= ...`, the wish that the cheapest be true has weight `c_2 - c_1`, that one of the
//! two cheapest be true has `c_3 - c_2`, and so on. Each step follows from the one before it, so a step
//! need not be asked for until the one before has been given up: a group takes part in the search with
//! one wish instead of one for each of its literals.

use std::cmp::Reverse;

use preceptron_logic::{Lit, Var};

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

/// Turns costs of true literals into wishes. `prices` has room for a number for each variable; all are
/// zero before and after.
pub fn wishes(costs: impl Iterator<Item = (Lit, i64)>, groups: &Groups, prices: &mut [i64]) -> Wishes {
    let mut wishes = Wishes::default();
    // The price of a variable: what it costs more when it is true than when it is false.
    let mut priced: Vec<Var> = Vec::new();
    for (literal, cost) in costs {
        if literal.is_negated() {
            wishes.constant += cost;
        }
        prices[literal.var().index()] += if literal.is_negated() { -cost } else { cost };
        priced.push(literal.var());
    }
    priced.sort_unstable();
    priced.dedup();
    for &var in &priced {
        if prices[var.index()] == 0 {
            continue;
        }
        // The group in which most literals cost something; the first of equals.
        let numbers = groups.of(var.positive()).iter().chain(groups.of(var.negative()));
        let count = |number: u32| {
            let members = groups.members[number as usize].iter();
            members.filter(|member| prices[member.var().index()] != 0).count()
        };
        let counted = numbers.map(|&number| (count(number), Reverse(number)));
        if let Some((count, Reverse(number))) = counted.max() {
            let members = &groups.members[number as usize];
            if count >= 2 && 2 * count >= members.len() {
                add_stairs(members, prices, &mut wishes);
            }
        }
    }
    for var in priced {
        let price = std::mem::take(&mut prices[var.index()]);
        wishes.constant += price.min(0);
        if price != 0 {
            wishes.single.push((Lit::new(var, price > 0), price.abs()));
        }
    }
    wishes
}

/// Takes the prices of a group's variables and adds them as a staircase.
fn add_stairs(members: &[Lit], prices: &mut [i64], wishes: &mut Wishes) {
    let mut costs: Vec<(i64, Lit)> = Vec::with_capacity(members.len());
    for &member in members {
        let price = std::mem::take(&mut prices[member.var().index()]);
        // A negated member costs the price when it is false, which is the price less itself when true.
        if member.is_negated() {
            wishes.constant += price;
            costs.push((-price, member));
        } else {
            costs.push((price, member));
        }
    }
    costs.sort_unstable();
    wishes.constant += costs[0].0;
    let mut stairs: Vec<(Vec<Lit>, i64)> = Vec::new();
    let mut step = Vec::new();
    for pair in costs.windows(2) {
        let [(cost, literal), (next, _)] = [pair[0], pair[1]];
        step.push(literal);
        if next > cost {
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
    use preceptron_logic::{Constraint, Problem, Rule, RuleSet, Variables};
    use proptest::prelude::*;

    use crate::engine::Engine;
    use crate::sat::{Batsat, Budget};

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
            let mut engine: Engine<Batsat> =
                Engine::load(&Problem::from(rules), false, &Budget::default()).unwrap();
            let wishes = wishes(costs.iter().copied(), &engine.groups, &mut engine.prices);
            prop_assert!(engine.prices.iter().all(|price| *price == 0));
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
