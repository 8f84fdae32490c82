//! The search: decide, propagate, learn, and begin anew now and then.

use super::{Cutting, Found, NONE};
use crate::sat::Budget;

/// So many conflicts are in the shortest round before the search begins anew.
const ROUND: u64 = 100;

/// So many rows are kept of what was learned, and one more for every two rows of the problem.
const KEPT: usize = 4000;

/// So many terms are kept of what was learned.
const TERMS: usize = 4_000_000;

/// After so many decisions and conflicts the clock is looked at.
const LOOK_EVERY: u64 = 64;

impl Cutting<'_, '_> {
    /// Looks for an assignment that satisfies all rows.
    pub fn search(&mut self, budget: &Budget) -> Found {
        self.back_to(0);
        if let Some(number) = self.refuted {
            return Found::Nothing(number);
        }
        for at in 0..self.rows.len() as u32 {
            if !self.infer(at) {
                self.refute(at);
                return Found::Nothing(self.refuted.unwrap_or(0));
            }
            if let Some(violated) = self.propagate() {
                self.refute(violated);
                return Found::Nothing(self.refuted.unwrap_or(0));
            }
        }
        let (mut steps, mut round, mut rounds) = (0u64, 0, 1);
        loop {
            steps += 1;
            if steps.is_multiple_of(LOOK_EVERY) && self.is_over(budget) {
                self.back_to(0);
                return Found::Unknown;
            }
            if let Some(violated) = self.propagate() {
                let is_root = self.begun.is_empty();
                if is_root {
                    self.refute(violated);
                }
                if is_root || !self.learn(violated) {
                    return Found::Nothing(self.refuted.unwrap_or(0));
                }
                round += 1;
                continue;
            }
            if round >= ROUND * luby(rounds) {
                (round, rounds) = (0, rounds + 1);
                self.back_to(0);
                let problem = self.rows.len() - self.learned;
                if self.learned > KEPT + problem / 2 + rounds as usize * 10 || self.learned_terms > TERMS {
                    self.forget();
                }
                continue;
            }
            let open = if self.in_order {
                (0..self.value.len()).find(|v| self.value[*v] == 0).map(|variable| variable as u32)
            } else {
                std::iter::from_fn(|| self.heap.pop()).find(|v| self.value[*v as usize] == 0)
            };
            let Some(variable) = open else {
                let values = self.value.iter().map(|value| *value > 0).collect();
                return Found::Values(values);
            };
            self.begun.push(self.trail.len());
            let literal = 2 * variable + u32::from(self.in_order || !self.phase[variable as usize]);
            self.set(literal, NONE);
        }
    }
}

/// The sequence 1, 1, 2, 1, 1, 2, 4, ... counted from 1.
fn luby(mut at: u64) -> u64 {
    loop {
        let size = (at + 1).next_power_of_two();
        if size == at + 1 {
            return size / 2;
        }
        at -= size / 2 - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cutting::{Log, Row, Version};
    use proptest::prelude::*;

    const COUNT: u32 = 6;

    fn row() -> impl Strategy<Value = (Vec<(i64, u32)>, i64)> {
        let terms = prop::collection::btree_map(0..COUNT, (1..6i64, 0..2u32), 1..6);
        (terms, 1..12i64).prop_map(|(terms, degree)| {
            (
                terms.into_iter().map(|(variable, (weight, sign))| (weight, 2 * variable + sign)).collect(),
                degree,
            )
        })
    }

    #[test]
    fn rounds_grow_as_luby_says() {
        assert_eq!((1..=15).map(luby).collect::<Vec<_>>(), [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        /// The plain twin goes through all assignments.
        #[test]
        fn finds_what_enumeration_finds(rows in prop::collection::vec(row(), 1..12)) {
            let obeys = |bits: u32| rows.iter().all(|(terms, degree)| {
                let holds = |l: &u32| (bits >> (l >> 1) & 1 == 1) != (l & 1 == 1);
                terms.iter().filter(|(_, l)| holds(l)).map(|(w, _)| w).sum::<i64>() >= *degree
            });
            let is_possible = (0..1u32 << COUNT).any(obeys);
            let mut text = Vec::new();
            let mut log = Log::new(&mut text, Version::Two, rows.len());
            let mut search = Cutting::new(COUNT as usize, Some(&mut log));
            for (number, (terms, degree)) in (1..).zip(&rows) {
                search.add(Row::new(terms.iter().copied(), *degree).unwrap(), number);
            }
            match search.search(&Budget::default()) {
                Found::Values(values) => {
                    prop_assert!(is_possible);
                    let bits = (0..COUNT).filter(|&v| values[v as usize]).map(|v| 1u32 << v).sum();
                    prop_assert!(obeys(bits));
                }
                Found::Nothing(_) => prop_assert!(!is_possible),
                Found::Unknown => prop_assert!(false, "there is no limit"),
            }
        }
    }
}
