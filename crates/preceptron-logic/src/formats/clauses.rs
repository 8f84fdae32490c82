//! Constraints as clauses.
//!
//! A cardinality constraint that forbids few combinations becomes one clause for each (exactly one of
//! nine: 1 + 36 clauses), a larger one a totalizer, which counts in unary. A linear constraint with
//! different coefficients becomes a network of adders, which counts in binary. The auxiliary variables
//! of all of these are decided by the others, up to those that no clause asks for.

use rustsat::encodings::card::{BoundBoth, BoundLower, BoundUpper, Totalizer};
use rustsat::instances::{BasicVarManager, Cnf, ManageVars};
use rustsat::types::{Lit as SatLit, Var as SatVar};

use super::symbols::Auxiliaries;
use crate::{Body, Constraint, Lit, Sums, Var};

/// The usual value of [`Clauses::direct`].
pub(super) const DIRECT: u64 = 300;

/// Clauses, and the variables that had to be added for them.
pub(super) struct Clauses<'a> {
    pub auxiliaries: Auxiliaries<'a>,
    pub clauses: Vec<Vec<Lit>>,
    /// Up to this many clauses a constraint is written without auxiliary variables.
    pub direct: u64,
}

impl Clauses<'_> {
    /// Adds the clauses of a constraint, which any of `unless` being true switches off.
    pub fn add(&mut self, body: &Body, unless: &[Lit]) {
        match body {
            Body::Cardinality(constraint) => {
                let unless: Vec<Lit> = unless.iter().copied().chain(constraint.gate().map(|g| !g)).collect();
                self.cardinality(constraint, &unless);
            }
            Body::Linear(linear) => match linear.as_cardinality() {
                Some(constraint) => self.cardinality(&constraint, unless),
                None => self.linear(linear, unless),
            },
        }
    }

    pub(super) fn push(&mut self, literals: impl IntoIterator<Item = Lit>, unless: &[Lit]) {
        let mut clause: Vec<Lit> = literals.into_iter().chain(unless.iter().copied()).collect();
        clause.sort_unstable();
        clause.dedup();
        if clause.windows(2).any(|w| w[0] == !w[1]) {
            return;
        }
        if clause.is_empty() {
            // Not every solver reads an empty clause.
            let any = self.auxiliaries.fresh();
            self.clauses.extend([vec![any], vec![!any]]);
        } else {
            self.clauses.push(clause);
        }
    }

    fn cardinality(&mut self, constraint: &Constraint, unless: &[Lit]) {
        let (literals, sums) = (constraint.literals(), constraint.sums());
        let count = literals.len();
        let (Some(least), Some(greatest)) = (sums.least(), sums.greatest()) else {
            return self.push([], unless);
        };
        let (least, greatest) = (least as usize, greatest as usize);
        let gaps: Vec<usize> = match sums {
            Sums::Range { .. } => vec![],
            Sums::Set(_) => (least..greatest).filter(|&v| !sums.contains(v as u32)).collect(),
        };
        let below = if least > 0 { choose(count, least - 1) } else { 0 };
        let above = if greatest < count { choose(count, greatest + 1) } else { 0 };
        let between = gaps.iter().fold(0u64, |sum, &v| sum.saturating_add(choose(count, v)));
        if below.saturating_add(above).saturating_add(between) > self.direct {
            return self.totalizer(literals, (least, greatest), &gaps, unless);
        }
        if least > 0 {
            each_subset(count, count - least + 1, |some| {
                self.push(some.iter().map(|&i| literals[i]), unless)
            });
        }
        if greatest < count {
            each_subset(count, greatest + 1, |some| self.push(some.iter().map(|&i| !literals[i]), unless));
        }
        for value in gaps {
            each_subset(count, value, |some| {
                let inside = |i: &usize| some.binary_search(i).is_ok();
                let clause = (0..count).map(|i| if inside(&i) { !literals[i] } else { literals[i] });
                self.push(clause, unless);
            });
        }
    }

    /// Counts in unary: the totalizer has a literal for "at least v" for each v that it is asked about.
    fn totalizer(&mut self, literals: &[Lit], range: (usize, usize), gaps: &[usize], unless: &[Lit]) {
        let mut totalizer: Totalizer =
            literals.iter().map(|l| SatLit::new(l.var().0, l.is_negated())).collect();
        let mut manager = BasicVarManager::from_next_free(SatVar::new(self.auxiliaries.count() as u32));
        let mut definitions = Cnf::new();
        let mut bounds: Vec<(Option<usize>, Option<usize>)> =
            vec![(Some(range.0), None), (None, Some(range.1))];
        bounds.extend(gaps.iter().map(|&v| (Some(v + 1), Some(v - 1))));
        let mut enforced = Vec::new();
        totalizer
            .encode_both(0..=literals.len(), &mut definitions, &mut manager)
            .expect("memory for clauses");
        for (at_least, at_most) in bounds {
            let low = at_least.map(|v| totalizer.enforce_lb(v).expect("all bounds are encoded"));
            let high = at_most.map(|v| totalizer.enforce_ub(v).expect("all bounds are encoded"));
            let clause: Vec<SatLit> = low.into_iter().chain(high).flatten().collect();
            // No literal: the bound holds of itself.
            if !clause.is_empty() {
                enforced.push(clause);
            }
        }
        let last = manager.max_var().map_or(0, |v| v.idx() + 1);
        while self.auxiliaries.count() < last {
            self.auxiliaries.fresh();
        }
        let back = |l: &SatLit| Lit::new(Var(l.vidx32()), l.is_neg());
        for clause in definitions.iter() {
            self.push(clause.iter().map(back), &[]);
        }
        for clause in enforced {
            self.push(clause.iter().map(back), unless);
        }
    }
}

/// The number of subsets of this size.
fn choose(count: usize, size: usize) -> u64 {
    (0..size.min(count - size))
        .try_fold(1u64, |product, i| product.checked_mul((count - i) as u64).map(|p| p / (i as u64 + 1)))
        .unwrap_or(u64::MAX)
}

/// Calls `found` with each subset of `0..count` that has this size, rising.
fn each_subset(count: usize, size: usize, mut found: impl FnMut(&[usize])) {
    let mut some: Vec<usize> = (0..size).collect();
    loop {
        found(&some);
        // The last element that can still move up does, and those after it follow closely.
        let Some(at) = (0..size).rev().find(|&i| some[i] < count - size + i) else { return };
        some[at] += 1;
        for i in at + 1..size {
            some[i] = some[i - 1] + 1;
        }
    }
}
