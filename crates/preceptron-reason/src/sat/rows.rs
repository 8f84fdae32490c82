//! Sums inside the search: no clauses, a number for each.
//!
//! A row is `w_1 l_1 + w_2 l_2 + ... <= b` with positive weights. Of each row the search keeps
//! ```text
//! slack = b - (weights of the literals that are true)
//! ```
//! A slack below zero is a conflict, and an open literal that weighs more than the slack must be false. The
//! reason is made only when it is asked for: as many of the heaviest true literals as are needed, of those
//! that were true at that time. Memory is linear in the literals, where clauses would take their number
//! times the bound.
//!
//! A row that binds only where guards are true has each guard for a term: with the weight `m` by which the
//! sum can exceed the bound, `sum + m g <= b + m`.

use batsat::{TheoryArg, lbool};
use preceptron_logic::Lit;

use super::batsat::{from_batsat, to_batsat};

/// A row, without its terms.
struct Row {
    slack: i64,
    /// The places of its terms, the heaviest first.
    terms: std::ops::Range<usize>,
    /// How many of the terms weigh more than the slack: all of these have a value.
    heavy: usize,
}

/// Rows, and how far they have followed the solver.
#[derive(Default)]
pub struct Rows {
    rows: Vec<Row>,
    terms: Vec<(i64, Lit)>,
    /// By a literal's code: the rows that it is in, and its weight there.
    occurs: Vec<Vec<(u32, i64)>>,
    /// The solver's true literals as far as they are counted.
    trail: Vec<Lit>,
    /// How many were counted when each level was begun.
    levels: Vec<usize>,
    /// By variable: its place in the trail.
    place: Vec<u32>,
    /// By variable: the row that gave it its value, and how many literals were counted then.
    reasons: Vec<(u32, u32)>,
    /// The rows from this one on have not been looked at yet.
    unseen: usize,
    reason: Vec<batsat::Lit>,
}

const OPEN: u32 = u32::MAX;

impl Rows {
    /// Adds a row of positive weights, of which some exceed the bound together. Each variable is there once, and
    /// weights add up to less than 62 bits. `variables` are there in all. No search may be under way.
    pub fn add(&mut self, mut terms: Vec<(i64, Lit)>, bound: i64, variables: usize) {
        self.make_room(variables);
        terms.sort_unstable_by_key(|&(weight, literal)| (std::cmp::Reverse(weight), literal));
        let number = self.rows.len() as u32;
        let mut slack = bound;
        for &(weight, literal) in &terms {
            self.occurs[literal.code()].push((number, weight));
            if self.is_true(literal) {
                slack -= weight;
            }
        }
        let start = self.terms.len();
        self.terms.extend(terms);
        self.rows.push(Row { slack, terms: start..self.terms.len(), heavy: 0 });
    }

    /// How many terms there are in all rows.
    pub fn size(&self) -> usize {
        self.terms.len()
    }

    /// Makes room for all variables; those that are true for good may have been counted before.
    fn make_room(&mut self, variables: usize) {
        let known = self.place.len();
        if known < variables {
            self.place.resize(variables, OPEN);
            self.reasons.resize(variables, (0, 0));
            self.occurs.resize(2 * variables, Vec::new());
            for (place, literal) in (0..).zip(&self.trail) {
                if literal.var().index() >= known {
                    self.place[literal.var().index()] = place;
                }
            }
        }
    }

    fn is_true(&self, literal: Lit) -> bool {
        let place = self.place[literal.var().index()];
        place != OPEN && self.trail[place as usize] == literal
    }

    /// A level of the solver begins.
    pub fn create_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    /// Levels of the solver end.
    pub fn pop_levels(&mut self, levels: usize) {
        let left = self.levels.len() - levels;
        let counted = self.levels[left];
        self.levels.truncate(left);
        while self.trail.len() > counted {
            let Some(literal) = self.trail.pop() else { return };
            // Variables that are in no row have no entry.
            let Some(place) = self.place.get_mut(literal.var().index()) else { continue };
            *place = OPEN;
            for &(row, weight) in &self.occurs[literal.code()] {
                let row = &mut self.rows[row as usize];
                row.slack += weight;
                while row.heavy > 0 && self.terms[row.terms.start + row.heavy - 1].0 <= row.slack {
                    row.heavy -= 1;
                }
            }
        }
    }

    /// Counts what has become true, and tells the solver what follows.
    pub fn follow(&mut self, state: &mut TheoryArg) {
        while self.unseen < self.rows.len() {
            let row = self.unseen as u32;
            if !self.infer(row, state) {
                return;
            }
            self.unseen += 1;
        }
        while let Some(&literal) = state.model().get(self.trail.len()) {
            let literal = from_batsat(literal);
            let place = self.trail.len() as u32;
            self.trail.push(literal);
            let Some(entry) = self.place.get_mut(literal.var().index()) else { continue };
            *entry = place;
            for &(row, weight) in &self.occurs[literal.code()] {
                self.rows[row as usize].slack -= weight;
            }
            for at in 0..self.occurs[literal.code()].len() {
                let row = self.occurs[literal.code()][at].0;
                if !self.infer(row, state) {
                    return;
                }
            }
        }
    }

    /// Tells the solver what follows from a row; false if that is a conflict.
    fn infer(&mut self, number: u32, state: &mut TheoryArg) -> bool {
        let row = &mut self.rows[number as usize];
        if row.slack < 0 {
            self.explain(number, self.trail.len(), 0);
            if self.reason.is_empty() {
                // Nothing was assumed for it, and the solver wants to see literals all the same.
                let terms = &self.terms[self.rows[number as usize].terms.clone()];
                let literals = terms.iter().map(|(_, literal)| *literal);
                let counted: Vec<_> = literals.filter(|&l| self.is_true(l)).map(to_batsat).collect();
                self.reason = counted;
            }
            self.reason.iter_mut().for_each(|literal| *literal = !*literal);
            state.raise_conflict(&self.reason, false);
            return false;
        }
        while let Some(&(weight, literal)) = self.terms[row.terms.clone()].get(row.heavy) {
            if weight <= row.slack {
                break;
            }
            row.heavy += 1;
            let asked = to_batsat(literal);
            // One that is true already, and not yet counted, is a conflict when it is.
            if state.value(asked.var()) == lbool::UNDEF {
                self.reasons[literal.var().index()] = (number, self.trail.len() as u32);
                state.propagate(!asked);
            }
        }
        true
    }

    /// The true literals that made a row give this literal's variable its value.
    pub fn explain_propagation(&mut self, literal: batsat::Lit) -> &[batsat::Lit] {
        let literal = from_batsat(literal);
        let (row, counted) = self.reasons[literal.var().index()];
        let terms = &self.terms[self.rows[row as usize].terms.clone()];
        let own = terms.iter().find(|(_, term)| *term == !literal).map_or(0, |(weight, _)| *weight);
        self.explain(row, counted as usize, own);
        &self.reason
    }

    /// Makes a reason of true literals, of those counted before the `counted`th, that with the weight `own`
    /// exceed the bound of a row. Literals that are always true come for nothing.
    fn explain(&mut self, number: u32, counted: usize, own: i64) {
        let row = &self.rows[number as usize];
        let terms = &self.terms[row.terms.clone()];
        let always = self.levels.first().copied().unwrap_or(0);
        let place_of = |literal: Lit| {
            let place = self.place[literal.var().index()];
            (place != OPEN && self.trail[place as usize] == literal).then_some(place as usize)
        };
        let (mut bound, mut free) = (row.slack, 0);
        for &(weight, literal) in terms {
            if let Some(place) = place_of(literal) {
                bound += weight;
                free += if place < always { weight } else { 0 };
            }
        }
        let mut sum = own + free;
        self.reason.clear();
        for &(weight, literal) in terms {
            if sum > bound {
                break;
            }
            if let Some(place) = place_of(literal)
                && place >= always
                && place < counted
            {
                sum += weight;
                self.reason.push(to_batsat(literal));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use preceptron_logic::{Lit, Var};
    use proptest::prelude::*;

    use crate::sat::{Batsat, Budget, Outcome, Sat};

    const COUNT: u32 = 7;

    type Row = (Vec<(i64, Lit)>, i64);

    fn literals(most: usize) -> impl Strategy<Value = Vec<Lit>> {
        let chosen = prop::collection::btree_map(0..COUNT, any::<bool>(), 1..most);
        chosen.prop_map(|all| all.into_iter().map(|(var, negated)| Lit::new(Var(var), negated)).collect())
    }

    fn row() -> impl Strategy<Value = Row> {
        (literals(8), prop::collection::vec(1..6i64, 8), 0..100i64).prop_map(|(literals, weights, bound)| {
            let terms: Vec<(i64, Lit)> = weights.into_iter().zip(literals).collect();
            let total: i64 = terms.iter().map(|(weight, _)| weight).sum();
            (terms, bound % total)
        })
    }

    proptest! {
        /// Rows and clauses come bit by bit, and are asked about with assumptions in between. The plain twin
        /// goes through all assignments.
        #[test]
        fn models_and_cores_are_those_of_enumeration(
            steps in prop::collection::vec((row(), literals(4), literals(5)), 1..6),
        ) {
            let mut sat: Batsat = Batsat::default();
            (0..COUNT).for_each(|_| {
                sat.new_variable();
            });
            let (mut rows, mut clauses): (Vec<Row>, Vec<Vec<Lit>>) = (Vec::new(), Vec::new());
            for ((terms, bound), clause, assumed) in steps {
                sat.add_row(terms.clone(), bound);
                rows.push((terms, bound));
                sat.add_clause(&clause);
                clauses.push(clause);
                let obeys = |bits: u32, assumed: &[Lit]| {
                    let holds = |literal: &Lit| literal.holds(bits >> literal.var().0 & 1 == 1);
                    let sum = |terms: &[(i64, Lit)]| -> i64 {
                        terms.iter().filter(|(_, literal)| holds(literal)).map(|(weight, _)| weight).sum()
                    };
                    rows.iter().all(|(terms, bound)| sum(terms) <= *bound)
                        && clauses.iter().all(|clause| clause.iter().any(holds))
                        && assumed.iter().all(holds)
                };
                let is_possible = |assumed: &[Lit]| (0..1u32 << COUNT).any(|bits| obeys(bits, assumed));
                match sat.solve(&assumed, &Budget::default()) {
                    Outcome::Sat => {
                        let bits = (0..COUNT).filter(|&v| sat.holds(Var(v).positive())).map(|v| 1u32 << v).sum();
                        prop_assert!(obeys(bits, &assumed));
                    }
                    Outcome::Unsat => {
                        prop_assert!(sat.core().iter().all(|literal| assumed.contains(literal)));
                        prop_assert!(!is_possible(sat.core()));
                    }
                    Outcome::Unknown => prop_assert!(false, "there is no limit"),
                }
            }
        }
    }
}
