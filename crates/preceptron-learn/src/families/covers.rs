//! Axes that nobody named, from cells that never have the same value.
//!
//! Cells of a block have one of n values each. Of the examples two thirds are looked at first:
//! ```text
//! G        the cells, joined where no example has the same value in both
//! cliques  of n cells of G: each value once among them, in these examples
//! cover    cliques that have each cell once, none of them a line whose values are known to differ
//! ```
//! If there is one cover and no other, it is held against the last third: all its cliques must have each value once
//! there too, and that must say something. Pairs of cells in one clique that are in no known line together would be
//! equal with probability 1/n, so m of them in H examples keep apart by chance with probability
//! ```text
//! (1 - 1/n)^(m H)      of which half is counted (in nats), as such pairs hang together
//! ```
//! The parts of a cover are the labels of a new axis; where runs or tiles of numbered axes say the same, they do.

use std::collections::{BTreeMap, BTreeSet};

use preceptron_logic::{Block, Constraint, Label, Lit, Variables};

use super::state::State;
use super::tiles::Derived;
use preceptron_base::Control;

/// Blocks of more cells than this are not looked at.
const CELLS: usize = 256;
/// Steps of the search for cliques, and for covers.
const STEPS: u32 = 2_000_000;
/// Cliques that covers are made of, at the most.
const CLIQUES: usize = 5_000;
/// What must speak for a cover: ln(1 / 0.001).
const NEEDED: f64 = 6.9;
/// Examples that are needed at the least: some to look at, some to confirm on.
const EXAMPLES: usize = 3;
/// What an axis that is neither runs nor tiles is called.
const NAME: &str = "part";

/// A partition of the cells of a block.
pub(super) struct Cover {
    /// Each value once in each part.
    pub(super) rules: Vec<Constraint>,
    /// The axis that its parts are labels of, where one can be computed from numbered axes.
    pub(super) axis: Option<Derived>,
}

/// A set of cells.
type Cells = [u64; CELLS / 64];

/// Looks at all blocks of cells with one of some values each.
pub(super) fn search(
    variables: &Variables,
    cuts: &[Derived],
    theory: &[Constraint],
    state: &State,
    control: &dyn Control,
) -> Vec<Cover> {
    let found = |block: &Block| {
        let grid = Grid::new(variables, block, theory, state)?;
        if state.len() < EXAMPLES || control.is_cancelled() {
            return None;
        }
        let held = state.len().div_ceil(3);
        let parts = grid.cover(&grid.cliques(0..state.len() - held, control)?)?;
        grid.is_confirmed(&parts, state.len() - held..state.len())
            .then(|| Cover { rules: grid.rules(&parts), axis: grid.axis(variables, block, cuts, &parts) })
    };
    variables.blocks().iter().filter_map(found).collect()
}

struct Grid {
    /// For each cell, by value, its variable's literal.
    cells: Vec<Vec<Lit>>,
    /// For each cell, its positions on the axes that are given, without that of values.
    places: Vec<Vec<usize>>,
    /// For each cell and example, the value.
    values: Vec<Vec<u8>>,
    count: usize,
    /// Sets of cells that are known to have each value once.
    lines: BTreeSet<Vec<usize>>,
}

impl Grid {
    fn new(variables: &Variables, block: &Block, theory: &[Constraint], state: &State) -> Option<Grid> {
        let value = block.one_hot()?;
        let count = block.axes()[value].labels().len();
        let mut cells: BTreeMap<Vec<usize>, Vec<Option<Lit>>> = BTreeMap::new();
        let mut place_of = BTreeMap::new();
        for &var in block.members() {
            let positions = variables.place(var)?.positions[..block.given()].to_vec();
            let mut place = positions.clone();
            place.remove(value);
            cells.entry(place.clone()).or_insert_with(|| vec![None; count])[positions[value]] =
                Some(var.positive());
            place_of.insert(var, (place, positions[value]));
        }
        let is_fit = (3..=64).contains(&count) && cells.len() <= CELLS && cells.len() >= 2 * count;
        if !is_fit || !cells.len().is_multiple_of(count) {
            return None;
        }
        let places: Vec<Vec<usize>> = cells.keys().cloned().collect();
        let cells: Vec<Vec<Lit>> =
            cells.into_values().map(|values| values.into_iter().collect()).collect::<Option<_>>()?;
        let value_of = |cell: &Vec<Lit>, example: usize| -> Option<u8> {
            cell.iter().position(|l| state.get(l.var().index(), example)).map(|value| value as u8)
        };
        let values = cells
            .iter()
            .map(|cell| (0..state.len()).map(|example| value_of(cell, example)).collect())
            .collect::<Option<Vec<Vec<u8>>>>()?;
        // A line has each value once.
        let mut once: BTreeMap<Vec<usize>, BTreeSet<usize>> = BTreeMap::new();
        for rule in theory.iter().filter(|rule| rule.sums().single() == Some(1) && rule.len() == count) {
            let at = rule.literals().iter().map(|l| place_of.get(&l.var()).filter(|_| !l.is_negated()));
            let Some(at) = at.collect::<Option<Vec<_>>>() else { continue };
            let value = at[0].1;
            if at.iter().any(|(_, other)| *other != value) {
                continue;
            }
            let mut line: Vec<usize> =
                at.iter().filter_map(|(place, _)| places.binary_search(place).ok()).collect();
            line.sort_unstable();
            once.entry(line).or_default().insert(value);
        }
        let lines = once.into_iter().filter(|(_, values)| values.len() == count).map(|(line, _)| line);
        Some(Grid { cells, places, values, count, lines: lines.collect() })
    }

    /// The cliques of n cells, without those that are lines; nothing if there are too many.
    fn cliques(&self, examples: std::ops::Range<usize>, control: &dyn Control) -> Option<Vec<Vec<usize>>> {
        let n = self.cells.len();
        let apart = |a: usize, b: usize| examples.clone().all(|e| self.values[a][e] != self.values[b][e]);
        let mut later: Vec<Cells> = vec![[0; CELLS / 64]; n];
        for (a, later) in later.iter_mut().enumerate() {
            (a + 1..n).filter(|&b| apart(a, b)).for_each(|b| later[b / 64] |= 1 << (b % 64));
        }
        let (mut steps, mut found) = (STEPS, Vec::new());
        for first in 0..n {
            let enough = self.grow(&mut vec![first], later[first], &later, &mut steps, &mut found);
            if !enough || found.len() > CLIQUES || control.is_cancelled() {
                return None;
            }
        }
        Some(found)
    }

    /// False when there were too many steps.
    fn grow(
        &self,
        clique: &mut Vec<usize>,
        open: Cells,
        later: &[Cells],
        steps: &mut u32,
        found: &mut Vec<Vec<usize>>,
    ) -> bool {
        if clique.len() == self.count {
            if !self.lines.contains(clique) {
                found.push(clique.clone());
            }
            return found.len() <= CLIQUES;
        }
        *steps = steps.saturating_sub(1);
        let left: u32 = open.iter().map(|word| word.count_ones()).sum();
        if *steps == 0 || clique.len() + (left as usize) < self.count {
            return *steps > 0;
        }
        for next in members(&open) {
            let mut both = later[next];
            both.iter_mut().zip(&open).for_each(|(a, b)| *a &= b);
            clique.push(next);
            let goes_on = self.grow(clique, both, later, steps, found);
            clique.pop();
            if !goes_on {
                return false;
            }
        }
        true
    }

    /// The only way to have each cell in one clique; nothing if there is none or more than one.
    fn cover(&self, cliques: &[Vec<usize>]) -> Option<Vec<Vec<usize>>> {
        let mut of_cell: Vec<Vec<usize>> = vec![vec![]; self.cells.len()];
        for (number, clique) in cliques.iter().enumerate() {
            clique.iter().for_each(|&cell| of_cell[cell].push(number));
        }
        let (mut found, mut steps) = (Vec::new(), STEPS / 20);
        let mut taken = vec![false; self.cells.len()];
        cover_rest(cliques, &of_cell, &mut taken, &mut vec![], &mut steps, &mut found);
        match &found[..] {
            [only] if steps > 0 => Some(only.iter().map(|&number| cliques[number].clone()).collect()),
            _ => None,
        }
    }

    /// Whether these examples, which it was not found from, speak for a cover.
    fn is_confirmed(&self, parts: &[Vec<usize>], examples: std::ops::Range<usize>) -> bool {
        let pairs = |part: &Vec<usize>| -> Vec<(usize, usize)> {
            part.iter().flat_map(|&a| part.iter().filter(move |b| **b > a).map(move |&b| (a, b))).collect()
        };
        let holds =
            |(a, b): &(usize, usize)| examples.clone().all(|e| self.values[*a][e] != self.values[*b][e]);
        let all: Vec<(usize, usize)> = parts.iter().flat_map(pairs).collect();
        let is_free = |(a, b): &&(usize, usize)| !self.lines.iter().any(|l| l.contains(a) && l.contains(b));
        let free = all.iter().filter(is_free).count() as f64;
        let nats = -0.5 * free * examples.len() as f64 * (-1.0 / self.count as f64).ln_1p();
        all.iter().all(holds) && nats >= NEEDED
    }

    /// Each value once in each part.
    fn rules(&self, parts: &[Vec<usize>]) -> Vec<Constraint> {
        let rule = |part: &Vec<usize>, value: usize| {
            Constraint::exactly(1, part.iter().map(|&cell| self.cells[cell][value]))
        };
        parts.iter().flat_map(|part| (0..self.count).map(move |value| rule(part, value))).collect()
    }

    /// The parts as labels of an axis.
    fn axis(
        &self,
        variables: &Variables,
        block: &Block,
        cuts: &[Derived],
        parts: &[Vec<usize>],
    ) -> Option<Derived> {
        let mut part_of = vec![0; self.cells.len()];
        for (number, part) in parts.iter().enumerate() {
            part.iter().for_each(|&cell| part_of[cell] = number);
        }
        // A cut that has the same cells together.
        for (name, expression) in cuts {
            let Some(axis) = block.axis(name) else { continue };
            let position =
                |cell: &Vec<Lit>| variables.place(cell[0].var()).map(|place| place.positions[axis]);
            let mut seen = BTreeMap::new();
            let is_same = self.cells.iter().zip(&part_of).all(|(cell, part)| {
                position(cell).is_some_and(|position| *seen.entry(position).or_insert(*part) == *part)
            });
            if is_same && seen.len() == parts.len() {
                return Some((name.clone(), expression.clone()));
            }
        }
        let value = block.one_hot()?;
        let axes: Vec<_> = (0..block.given()).filter(|at| *at != value).map(|at| &block.axes()[at]).collect();
        let is_dense = axes.iter().map(|axis| axis.labels().len()).product::<usize>() == self.cells.len();
        if !is_dense || !axes.iter().all(|axis| axis.is_consecutive()) || block.axis(NAME).is_some() {
            return None;
        }
        // Places are sorted, the last axis fastest.
        let index = axes.iter().fold(String::new(), |index, axis| {
            let first = match axis.labels().first() {
                Some(Label::Number(first)) => *first,
                _ => 0,
            };
            let here = format!("({} - {first})", axis.name()).replace("- -", "+ ");
            match index.is_empty() {
                true => here,
                false => format!("{}*({index}) + {here}", axis.labels().len()),
            }
        });
        debug_assert!(self.places.is_sorted());
        let labels: Vec<String> = part_of.iter().map(|part| (part + 1).to_string()).collect();
        let expression = format!("pick({index} + 1, {})", labels.join(", ")).parse().ok()?;
        Some((NAME.to_owned(), expression))
    }
}

fn members(cells: &Cells) -> Vec<usize> {
    let bit = |at: &usize| cells[at / 64] >> (at % 64) & 1 == 1;
    (0..CELLS).filter(bit).collect()
}

/// Exact covers, at most two of them, by the cell that the fewest cliques could have.
fn cover_rest(
    cliques: &[Vec<usize>],
    of_cell: &[Vec<usize>],
    taken: &mut [bool],
    chosen: &mut Vec<usize>,
    steps: &mut u32,
    found: &mut Vec<Vec<usize>>,
) {
    *steps = steps.saturating_sub(1);
    if *steps == 0 || found.len() > 1 {
        return;
    }
    let fits = |number: &usize, taken: &[bool]| cliques[*number].iter().all(|&cell| !taken[cell]);
    let open = (0..taken.len()).filter(|&cell| !taken[cell]);
    let ways = |cell: usize| -> Vec<usize> {
        of_cell[cell].iter().copied().filter(|number| fits(number, &taken[..])).collect()
    };
    let Some(fewest) = open.map(ways).min_by_key(Vec::len) else {
        found.push(chosen.clone());
        return;
    };
    for number in fewest {
        cliques[number].iter().for_each(|&cell| taken[cell] = true);
        chosen.push(number);
        cover_rest(cliques, of_cell, taken, chosen, steps, found);
        chosen.pop();
        cliques[number].iter().for_each(|&cell| taken[cell] = false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Examples;
    use preceptron_base::{Quiet, stream};
    use rand::seq::SliceRandom;

    /// Cells of 4 x 6 with one of four values: each part has each once, all else is free.
    fn table(examples: u64, parts: &[usize]) -> (Variables, State) {
        let mut variables = Variables::block("cell", &[("row", 1..=4), ("column", 1..=6), ("digit", 1..=4)]);
        variables.set_one_hot("cell", "digit").unwrap();
        let row = |number: u64| {
            let mut random = stream(3, "parts", number);
            let mut values = [0; 24];
            for part in 0..6 {
                let mut order = [0, 1, 2, 3];
                order.shuffle(&mut random);
                let own = (0..24).filter(|&cell| parts[cell] == part);
                own.zip(order).for_each(|(cell, value)| values[cell] = value);
            }
            (0..96).map(|v| values[v / 4] == v % 4).collect::<Vec<bool>>()
        };
        let rows: Vec<Vec<bool>> = (0..examples).map(row).collect();
        (variables, State::of(&Examples::from_full_rows(96, &rows), 100))
    }

    #[test]
    fn any_parts_are_found_and_confirmed() {
        let parts = [0, 0, 1, 1, 2, 2, 3, 0, 0, 1, 1, 2, 3, 3, 4, 4, 5, 2, 3, 4, 4, 5, 5, 5];
        let (variables, state) = table(24, &parts);
        let found = search(&variables, &[], &[], &state, &Quiet);
        let [cover] = &found[..] else { panic!("one cover") };
        assert_eq!(cover.rules.len(), 24);
        let mut named = variables.clone();
        let (name, expression) = cover.axis.as_ref().unwrap();
        named.derive(name, expression).unwrap();
        let axis = named.blocks()[0].axis(NAME).unwrap();
        let label = |cell: usize| {
            named.place(cover.rules[0].literals()[0].var()).is_some() && {
                let var = preceptron_logic::Var(4 * cell as u32);
                named.place(var).unwrap().positions[axis] == parts_number(&parts, cell)
            }
        };
        assert!((0..24).all(label));
        // What is known needs not be found.
        assert!(search(&variables, &[], &cover.rules, &state, &Quiet).is_empty());
    }

    /// The number of a cell's part, in the order in which parts begin.
    fn parts_number(parts: &[usize], cell: usize) -> usize {
        let mut order: Vec<usize> = parts.to_vec();
        order.dedup();
        let mut seen = BTreeSet::new();
        order.retain(|part| seen.insert(*part));
        order.iter().position(|part| *part == parts[cell]).unwrap()
    }

    #[test]
    fn nothing_where_cells_are_free() {
        for number in 0..20 {
            let mut random = stream(4, "free cells", number);
            let mut variables =
                Variables::block("cell", &[("row", 1..=4), ("column", 1..=4), ("digit", 1..=4)]);
            variables.set_one_hot("cell", "digit").unwrap();
            let rows: Vec<Vec<bool>> = (0..6)
                .map(|_| {
                    let values: Vec<usize> =
                        (0..16).map(|_| rand::RngExt::random_range(&mut random, 0..4)).collect();
                    (0..64).map(|v| values[v / 4] == v % 4).collect()
                })
                .collect();
            let state = State::of(&Examples::from_full_rows(64, &rows), 100);
            assert!(search(&variables, &[], &[], &state, &Quiet).is_empty());
        }
    }
}
