//! Costs shifted along long sums (the dual of the linear relaxation, one row at a time).
//!
//! Where a rule says `w_1 l_1 + w_2 l_2 + ... = b`, costs may be changed by any multiple `u` of it:
//! ```text
//! sum of c_i l_i  =  u b + sum of (c_i - u w_i) l_i
//! ```
//! for every assignment that obeys the rule. What is paid in any case is at least `u b` and all the
//! `c_i - u w_i` below zero, and the best `u` is the price for a unit of weight at which the cheapest literals, taken
//! from the front, reach the bound. Core-guided search would find the same amount one core at a time, and a core
//! of such a rule has half of its literals. A count from `a` to `b` is the same for one of its bounds, where each
//! literal that is true beyond it costs `u` more: that is a wish about a count, as search makes them.

use preceptron_logic::{Lit, Var};

/// A rule with fewer literals is left to search.
pub const LONG: usize = 64;

/// Shifted costs stay below this in all.
const CAPACITY: i128 = (i64::MAX / 8) as i128;

/// Rules that have literals in common are gone through so many times.
const ROUNDS: usize = 3;

/// A sum of positive weights that is from `least` to `greatest`: an equation, or a count.
#[derive(Clone, Debug)]
pub struct Row {
    /// Weights and literals, no variable twice.
    pub terms: Vec<(i64, Lit)>,
    /// The least sum.
    pub least: i64,
    /// The greatest sum.
    pub greatest: i64,
}

/// A wish that at most `most` of some literals be true: each one more costs `weight`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The literals.
    pub literals: Vec<Lit>,
    /// How many may be true for nothing.
    pub most: usize,
    /// What each further one costs.
    pub weight: i64,
}

/// Costs that are the same for all that obeys the rows.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Shifted {
    /// What is paid in any case.
    pub constant: i64,
    /// What true literals cost.
    pub costs: Vec<(Lit, i64)>,
    /// What is paid for counts beside that.
    pub counts: Vec<Count>,
}

/// Shifts the costs of true literals along rows, to the highest bound that each row gives.
pub fn shifted(rows: &[&Row], costs: impl Iterator<Item = (Lit, i64)>, variables: usize) -> Shifted {
    // The price of a variable: what it costs more when it is true than when it is false.
    let mut prices = vec![0i64; variables];
    let mut shifted = Shifted::default();
    for (literal, cost) in costs {
        shifted.constant += if literal.is_negated() { cost } else { 0 };
        prices[literal.var().index()] += if literal.is_negated() { -cost } else { cost };
    }
    for _ in 0..ROUNDS {
        let mut is_changed = false;
        for row in rows {
            is_changed |= shift(row, &mut prices, &mut shifted);
        }
        if !is_changed {
            break;
        }
    }
    let priced = prices.into_iter().enumerate().filter(|(_, price)| *price != 0);
    shifted.costs = priced.map(|(var, price)| (Var(var as u32).positive(), price)).collect();
    shifted
}

/// What a literal costs more when it is true than when it is false.
fn cost_of(prices: &[i64], literal: Lit) -> i64 {
    let price = prices[literal.var().index()];
    if literal.is_negated() { -price } else { price }
}

/// Shifts the costs along one row; whether that raises what is paid in any case.
fn shift(row: &Row, prices: &mut [i64], shifted: &mut Shifted) -> bool {
    let costs: Vec<(i64, i64)> =
        row.terms.iter().map(|&(weight, literal)| (cost_of(prices, literal), weight)).collect();
    // What all assignments pay with this price for a unit.
    let bound = |unit: i64| -> i128 {
        let unit = i128::from(unit);
        let sum = if unit > 0 { row.least } else { row.greatest };
        let paid = |&(cost, weight): &(i64, i64)| (i128::from(cost) - unit * i128::from(weight)).min(0);
        unit * i128::from(sum) + costs.iter().map(paid).sum::<i128>()
    };
    let Some(ratio) = critical(&costs, row) else { return false };
    let Some(unit) = [ratio, ratio + 1].into_iter().max_by_key(|&unit| (bound(unit), unit)) else {
        return false;
    };
    if bound(unit) <= bound(0) {
        return false;
    }
    let sum = if unit > 0 { row.least } else { row.greatest };
    let size: i128 = prices.iter().map(|price| i128::from(*price).abs()).sum();
    let weights: i128 = row.terms.iter().map(|(weight, _)| i128::from(*weight)).sum();
    let added = i128::from(unit).abs() * (weights + i128::from(sum).abs());
    if size + i128::from(shifted.constant).abs() + 2 * added > CAPACITY {
        return false;
    }
    for &(weight, literal) in &row.terms {
        let less = unit * weight;
        prices[literal.var().index()] -= if literal.is_negated() { -less } else { less };
        // What a negated literal loses when it is true, its variable loses when it is false.
        shifted.constant += if literal.is_negated() { -less } else { 0 };
    }
    shifted.constant += unit * sum;
    if row.least < row.greatest {
        let literals = row.terms.iter().map(|&(_, literal)| if unit > 0 { literal } else { !literal });
        let most = if unit > 0 { row.least } else { row.terms.len() as i64 - row.greatest };
        let count = Count { literals: literals.collect(), most: most as usize, weight: unit.abs() };
        shifted.counts.push(count);
    }
    true
}

/// The cost of a unit of weight, rounded down, at which the cheapest terms reach the bound that keeps the row
/// from being free; nothing if none does.
fn critical(costs: &[(i64, i64)], row: &Row) -> Option<i64> {
    let free: i128 = costs.iter().filter(|(cost, _)| *cost <= 0).map(|(_, weight)| i128::from(*weight)).sum();
    let gains: i128 = costs.iter().filter(|(cost, _)| *cost < 0).map(|(_, weight)| i128::from(*weight)).sum();
    let bound = match () {
        () if free < i128::from(row.least) => i128::from(row.least),
        () if gains > i128::from(row.greatest) => i128::from(row.greatest) + 1,
        () => return None,
    };
    let mut order: Vec<&(i64, i64)> = costs.iter().collect();
    order.sort_by(|(a, v), (b, w)| (i128::from(*a) * i128::from(*w)).cmp(&(i128::from(*b) * i128::from(*v))));
    let mut sum = 0;
    for &&(cost, weight) in &order {
        sum += i128::from(weight);
        if sum >= bound {
            return Some(cost.div_euclid(weight));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COUNT: u32 = 7;

    fn row() -> impl Strategy<Value = Row> {
        let terms = prop::collection::btree_map(0..COUNT, (any::<bool>(), 1..5i64), 1..7);
        (terms, any::<bool>(), 0..12i64, 0..3i64).prop_map(|(terms, is_count, least, more)| {
            let weigh = |weight| if is_count { 1 } else { weight };
            let terms: Vec<(i64, Lit)> = terms
                .into_iter()
                .map(|(var, (negated, weight))| (weigh(weight), Lit::new(Var(var), negated)))
                .collect();
            let most: i64 = terms.iter().map(|(weight, _)| weight).sum();
            let least = least % (most + 1);
            let greatest = if is_count { (least + more).min(most) } else { least };
            Row { terms, least, greatest }
        })
    }

    proptest! {
        /// The plain twin adds up the costs of every assignment that obeys the rows.
        #[test]
        fn costs_are_the_same_for_all_that_obeys(
            rows in prop::collection::vec(row(), 1..4),
            costs in prop::collection::vec((0..COUNT, any::<bool>(), -9i64..10), 0..12),
        ) {
            let costs: Vec<(Lit, i64)> =
                costs.into_iter().map(|(var, negated, cost)| (Lit::new(Var(var), negated), cost)).collect();
            let refs: Vec<&Row> = rows.iter().collect();
            let shifted = shifted(&refs, costs.iter().copied(), COUNT as usize);
            prop_assert!(shifted.counts.iter().all(|count| count.weight > 0));
            let mut least = None;
            for bits in 0u32..1 << COUNT {
                let holds = |literal: Lit| literal.holds(bits >> literal.var().0 & 1 == 1);
                let sum = |row: &Row| -> i64 {
                    row.terms.iter().filter(|(_, literal)| holds(*literal)).map(|(weight, _)| weight).sum()
                };
                if !rows.iter().all(|row| (row.least..=row.greatest).contains(&sum(row))) {
                    continue;
                }
                let paid = |costs: &[(Lit, i64)]| -> i64 {
                    costs.iter().filter(|(literal, _)| holds(*literal)).map(|(_, cost)| cost).sum()
                };
                let mut total = shifted.constant + paid(&shifted.costs);
                for count in &shifted.counts {
                    let beyond = count.literals.iter().filter(|literal| holds(**literal)).count() - count.most;
                    total += count.weight * beyond as i64;
                }
                prop_assert_eq!(total, paid(&costs));
                least = least.into_iter().chain([total]).min();
            }
            // What is paid in any case is no more than anything costs.
            let bound = shifted.constant + shifted.costs.iter().map(|(_, cost)| cost.min(&0)).sum::<i64>();
            prop_assert!(least.is_none_or(|least| bound <= least));
            // One count alone is solved by it.
            if let [row] = &rows[..] && row.terms.iter().all(|(weight, _)| *weight == 1) {
                prop_assert_eq!(Some(bound), least);
            }
        }
    }
}
