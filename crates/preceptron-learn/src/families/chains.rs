//! Two chains that change examples and keep the rules: what the examples could have been.
//!
//! - **Between examples** (assumes only that they are independent): take two examples, join by union-find
//!   the variables that differ and share a rule, and swap each component with probability 1/2. Every rule
//!   sees the values of the one or of the other example, so all rules and all column totals stay. In half
//!   of the steps only equalities join; the components are then swapped one after the other, in random order,
//!   and each swap is kept if both examples still obey the bounds (or,
//!   where entries may be wrong, break them by as much as before).
//! - **Within an example** (assumes that the labels of an axis are interchangeable): swap two labels of a
//!   numbered axis on one component of the variables that differ, and keep it if all rules hold.
//!
//! Either step is its own inverse with the same probability, so that the stationary law is uniform.

use std::collections::BTreeMap;

use preceptron_logic::Variables;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::ground::Ground;
use super::state::State;

/// Where a label of an axis can be put in place of another one.
pub(super) struct Exchange {
    /// By label and place on the other axes, the variable; [`NOBODY`] where there is none.
    table: Vec<Vec<u32>>,
}

const NOBODY: u32 = u32::MAX;

impl Exchange {
    /// The numbered axes of all blocks, without those that hold values.
    pub(super) fn all(variables: &Variables) -> Vec<Exchange> {
        let mut all = Vec::new();
        for block in variables.blocks() {
            let axes = &block.axes()[..block.given()];
            for (number, axis) in axes.iter().enumerate() {
                if block.one_hot() == Some(number) || !axis.is_consecutive() || axis.labels().len() < 2 {
                    continue;
                }
                let places: usize = axes
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| *at != number)
                    .map(|(_, a)| a.labels().len())
                    .product();
                let mut table = vec![vec![NOBODY; places]; axis.labels().len()];
                for &var in block.members() {
                    let Some(place) = variables.place(var) else { continue };
                    let mut rest = 0;
                    for (at, axis) in axes.iter().enumerate().filter(|(at, _)| *at != number) {
                        rest = rest * axis.labels().len() + place.positions[at];
                    }
                    table[place.positions[number]][rest] = var.0;
                }
                all.push(Exchange { table });
            }
        }
        all
    }
}

/// A walk over examples that obey rules.
pub(super) struct Chain<'a> {
    ground: &'a Ground,
    pub(super) state: State,
    random: ChaCha8Rng,
    variables: usize,
    // Of the step under way:
    parent: Vec<u32>,
    /// For each rule, the step in which it was met, and the unit that met it first.
    met: Vec<(u64, u32)>,
    step: u64,
}

impl<'a> Chain<'a> {
    pub(super) fn new(ground: &'a Ground, variables: usize, state: State, random: ChaCha8Rng) -> Chain<'a> {
        let met = vec![(0, 0); ground.len()];
        Chain { ground, state, random, variables, parent: vec![], met, step: 0 }
    }

    fn root(&mut self, mut unit: u32) -> u32 {
        while self.parent[unit as usize] != unit {
            let above = self.parent[self.parent[unit as usize] as usize];
            self.parent[unit as usize] = above;
            unit = above;
        }
        unit
    }

    /// Joins units, each of some variables, that share a rule (or an equality).
    fn join(&mut self, units: &[[u32; 2]], only_equalities: bool) {
        self.step += 1;
        self.parent.clear();
        self.parent.extend(0..units.len() as u32);
        for (unit, members) in units.iter().enumerate() {
            let unit = unit as u32;
            for &variable in &members[..if members[0] == members[1] { 1 } else { 2 }] {
                for &rule in self.ground.of(variable as usize) {
                    if only_equalities && !self.ground.is_equality(rule) {
                        continue;
                    }
                    let (step, first) = self.met[rule as usize];
                    if step == self.step {
                        let (a, b) = (self.root(unit), self.root(first));
                        self.parent[a.max(b) as usize] = a.min(b);
                    } else {
                        self.met[rule as usize] = (self.step, unit);
                    }
                }
            }
        }
    }

    /// A step between two examples.
    pub(super) fn between(&mut self) {
        let count = self.state.len();
        let a = self.random.random_range(0..count);
        let b = (a + self.random.random_range(1..count)) % count;
        let differ = |&v: &u32| self.state.get(v as usize, a) != self.state.get(v as usize, b);
        let units: Vec<[u32; 2]> = (0..self.variables as u32).filter(differ).map(|v| [v, v]).collect();
        let only_equalities = self.ground.has_bounds() && self.random.random::<bool>();
        self.join(&units, only_equalities);
        // To swap two examples as a whole changes nothing.
        if (0..units.len() as u32).all(|unit| self.root(unit) == 0) {
            return;
        }
        let mut components: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for unit in 0..units.len() as u32 {
            components.entry(self.root(unit)).or_default().push(units[unit as usize][0]);
        }
        let mut components: Vec<Vec<u32>> = components.into_values().collect();
        if only_equalities {
            components.shuffle(&mut self.random);
        }
        for component in components {
            if self.random.random() {
                let before = if only_equalities { self.excess(&component, a, b) } else { 0 };
                self.swap(&component, a, b);
                if only_equalities && self.excess(&component, a, b) != before {
                    self.swap(&component, a, b);
                }
            }
        }
    }

    fn swap(&mut self, variables: &[u32], a: usize, b: usize) {
        for &v in variables {
            self.state.flip(v as usize, a);
            self.state.flip(v as usize, b);
        }
    }

    /// How far both examples are beyond the bounds on these variables, in all; nothing where they obey them.
    fn excess(&self, variables: &[u32], a: usize, b: usize) -> u32 {
        let (ground, state) = (self.ground, &self.state);
        let rules = variables.iter().flat_map(|&v| ground.of(v as usize));
        let bounds = rules.filter(|rule| !ground.is_equality(**rule));
        bounds.map(|&rule| ground.excess(rule, state, a) + ground.excess(rule, state, b)).sum()
    }

    /// A step within an example.
    pub(super) fn within(&mut self, exchanges: &[Exchange]) {
        let example = self.random.random_range(0..self.state.len());
        let table = &exchanges[self.random.random_range(0..exchanges.len())].table;
        let one = self.random.random_range(0..table.len());
        let other = (one + self.random.random_range(1..table.len())) % table.len();
        let units: Vec<[u32; 2]> = table[one]
            .iter()
            .zip(&table[other])
            .filter(|(a, b)| **a != NOBODY && **b != NOBODY)
            .filter(|(a, b)| self.state.get(**a as usize, example) != self.state.get(**b as usize, example))
            .map(|(a, b)| [*a, *b])
            .collect();
        if units.is_empty() {
            return;
        }
        self.join(&units, false);
        // A component, each as likely as any other.
        let roots: Vec<u32> = (0..units.len() as u32).filter(|&unit| self.root(unit) == unit).collect();
        let chosen = roots[self.random.random_range(0..roots.len())];
        let swapped: Vec<[u32; 2]> = (0..units.len() as u32)
            .filter(|&unit| self.root(unit) == chosen)
            .map(|unit| units[unit as usize])
            .collect();
        swapped.iter().flatten().for_each(|&v| self.state.flip(v as usize, example));
        let (ground, state) = (self.ground, &self.state);
        let obeys = |&v: &u32| ground.of(v as usize).iter().all(|&rule| ground.holds(rule, state, example));
        if !swapped.iter().flatten().all(obeys) {
            swapped.iter().flatten().for_each(|&v| self.state.flip(v as usize, example));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Examples;
    use preceptron_base::stream;
    use preceptron_logic::{Constraint, Var};

    /// Cells of a grid of 4 x 4 with one of 4 values each, every row of different values.
    fn grid() -> (Variables, Vec<Constraint>, State) {
        let mut variables = Variables::block("cell", &[("row", 1..=4), ("column", 1..=4), ("digit", 1..=4)]);
        variables.set_one_hot("cell", "digit").unwrap();
        let at = |row: u32, column: u32, digit: u32| Var(row * 16 + column * 4 + digit).positive();
        let mut rules = Vec::new();
        for row in 0..4 {
            for other in 0..4 {
                rules.push(Constraint::exactly(1, (0..4).map(|digit| at(row, other, digit))));
                rules.push(Constraint::at_most(1, (0..4).map(|column| at(row, column, other))));
            }
        }
        let rows: Vec<Vec<bool>> = (0..6u32)
            .map(|e| (0..64).map(|v| (v / 4 % 4 + v / 16 * (e % 3) + e) % 4 == v % 4).collect())
            .collect();
        (variables, rules, State::of(&Examples::from_full_rows(64, &rows), 10))
    }

    #[test]
    fn both_chains_move_and_keep_the_rules() {
        let (variables, rules, state) = grid();
        let mut ground = Ground::new(64);
        rules.iter().for_each(|rule| ground.add(rule));
        assert!((0..6).all(|example| ground.all_hold(&state, example)));
        let exchanges = Exchange::all(&variables);
        assert_eq!(exchanges.len(), 2, "the axis of values is not exchanged");
        let totals = |state: &State| (0..64).map(|v| state.column(v)[0].count_ones()).collect::<Vec<_>>();
        for kind in 0..2 {
            let mut chain = Chain::new(&ground, 64, state.clone(), stream(1, "a test of chains", kind));
            for _ in 0..300 {
                match kind {
                    0 => chain.between(),
                    _ => chain.within(&exchanges),
                }
            }
            assert!((0..6).all(|example| ground.all_hold(&chain.state, example)));
            assert!(chain.state.moved(&state) > 0.05);
            assert!(kind == 1 || totals(&chain.state) == totals(&state));
        }
    }
}
