//! Assignments drawn from the rules found so far: what the examples would look like if there were no
//! other rules.

use preceptron_logic::{Constraint, Lit, Var};
use preceptron_reason::Sampler;
use rayon::prelude::*;

use super::family::Copy;
use crate::{Examples, reduce, sum_histogram};
use preceptron_base::stream;

/// So many walks share the work; each goes on from another example.
const WALKS: usize = 64;
/// Sweeps before a walk's first sample is taken, and between two of them.
const SWEEPS: (usize, usize) = (12, 2);

/// The share of variables that a walk has to change before its first sample.
const MOVED: f64 = 0.05;

/// Samples of a set of rules.
pub(super) struct Samples {
    drawn: Examples,
    /// The samples that obey the rules that came after they were drawn.
    alive: Vec<u64>,
}

impl Samples {
    /// About `count` samples of the rules, from walks that start at examples; where examples do not obey
    /// the rules, at assignments that the SAT solver finds. Nothing if there are none, or if walks hardly
    /// move: samples would then be little else than the examples, and speak against nothing.
    pub(super) fn draw(
        rules: &[Constraint],
        examples: &Examples,
        count: usize,
        seed: u64,
        number: u64,
    ) -> Option<Samples> {
        let rules = reduce::bounds(rules.to_vec(), |_| true);
        let sampler = Sampler::new(examples.variables(), &rules, &[]);
        let each = count.div_ceil(WALKS);
        let walk = |at: usize| -> Option<(bool, Vec<Vec<bool>>)> {
            let mut random = stream(seed, "samples of the theory", number << 16 | at as u64);
            let example = (at * examples.len() / WALKS).min(examples.len() - 1);
            let row: Option<Vec<bool>> =
                (0..examples.variables() as u32).map(|v| examples.get(example, Var(v))).collect();
            let obeys = |row: &Vec<bool>| rules.iter().all(|rule| rule.holds(|v| row[v.index()]));
            let start = row.filter(obeys).or_else(|| sampler.start(&mut random))?;
            let mut walk = sampler.walk(start.clone(), random)?;
            (0..SWEEPS.0).for_each(|_| walk.sweep());
            let moved = walk.values().iter().zip(&start).filter(|(value, old)| value != old).count();
            let has_moved = moved as f64 >= MOVED * start.len() as f64;
            let rows = (0..if has_moved { each } else { 0 }).map(|_| {
                (0..SWEEPS.1).for_each(|_| walk.sweep());
                walk.values().to_vec()
            });
            Some((has_moved, rows.collect()))
        };
        // The first walk tells whether the others are worth the time.
        let (has_moved, mut rows) = walk(0)?;
        if !has_moved {
            return None;
        }
        let others: Vec<_> = (1..WALKS).into_par_iter().map(walk).collect();
        rows.extend(others.into_iter().flatten().flat_map(|(_, rows)| rows));
        let drawn = Examples::from_full_rows(examples.variables(), &rows);
        let alive = (0..drawn.words()).map(|word| drawn.mask(word)).collect();
        Some(Samples { drawn, alive })
    }

    /// How many samples obey all rules.
    pub(super) fn len(&self) -> usize {
        self.alive.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Leaves out the samples in which more than `most` of the literals are true.
    pub(super) fn require_at_most(&mut self, literals: &[Lit], most: u32) {
        let above = sum_histogram::above_sum(&self.drawn, literals, most);
        self.alive.iter_mut().zip(above).for_each(|(alive, above)| *alive &= !above);
    }

    /// The least and the greatest sum of the literals in any sample, obeying all rules or not.
    pub(super) fn extremes(&self, literals: &[Lit]) -> Option<(u32, u32)> {
        sum_histogram::extremes(&self.drawn, literals)
    }

    /// How many samples have a sum above `most` in some copy, and how many in each.
    pub(super) fn above(&self, copies: &[Copy], most: u32) -> (usize, Vec<usize>) {
        let ones = |column: &[u64]| column.iter().map(|word| word.count_ones() as usize).sum();
        let mut any = vec![0; self.alive.len()];
        let mut each = Vec::with_capacity(copies.len());
        for copy in copies {
            let mut column = sum_histogram::above_sum(&self.drawn, &copy.literals, most);
            column.iter_mut().zip(&self.alive).for_each(|(above, alive)| *above &= alive);
            any.iter_mut().zip(&column).for_each(|(any, above)| *any |= above);
            each.push(ones(&column));
        }
        (ones(&any), each)
    }
}
