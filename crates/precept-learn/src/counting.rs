//! Literals that are never true together, by counting.
//!
//! A *nogood* is a set of literals that no example shows all true: its negation is a clause. Pairs,
//! triples and quadruples are counted, and a nogood is accepted if it would have been seen, had its
//! members met as often as smaller parts of it say. For two members that is independence; for more, the
//! least of the estimates
//! ```text
//! n(P without x) n(P without y) / n(P without x and y)      over pairs x, y of the pattern P
//! ```
//! (two members independent given the others), because independence of all overstates what is possible
//! among variables that other rules already tie together. The estimate has to reach
//! `ln(patterns of that size / false alarm)`.

use precept_logic::{Lit, Var};
use rayon::prelude::*;

use crate::confirm::ln_choose;
use crate::{Checked, Control, Examples};

/// Literals that are never true together (or, below a threshold of 1, hardly ever), found by size.
pub(crate) struct Nogoods {
    /// The nogoods, smaller ones first.
    pub(crate) found: Vec<Vec<Lit>>,
    /// Sizes that were not searched, because of the budget.
    pub(crate) skipped: Vec<usize>,
}

/// How far observed violations may come up to what chance gives: none if everything must agree.
pub(crate) struct Bar {
    /// The share of the expected number that may be observed.
    tolerance: f64,
    /// ln(tests / false alarm).
    nats: f64,
}

impl Bar {
    pub(crate) fn new(ln_tests: f64, settings: &Checked) -> Bar {
        Bar { tolerance: 2.0 * (1.0 - settings.threshold), nats: ln_tests - settings.false_alarm.ln() }
    }

    /// Whether so few observations, where so many were expected, speak for a rule (Chernoff's bound on
    /// the Poisson tail).
    pub(crate) fn passes(&self, observed: f64, expected: f64) -> bool {
        if observed > self.tolerance * expected {
            return false;
        }
        let tail = if observed == 0.0 {
            expected
        } else {
            expected - observed + observed * (observed / expected).ln()
        };
        tail >= self.nats
    }

    /// Whether a number of observations could pass at all.
    pub(crate) fn allows(&self, observed: f64, most_expected: f64) -> bool {
        observed <= self.tolerance * most_expected
    }
}

/// One column for each literal, by its code.
pub(crate) struct Columns {
    words: usize,
    bits: Vec<u64>,
    counts: Vec<u32>,
}

impl Columns {
    pub(crate) fn new(examples: &Examples) -> Columns {
        let words = examples.words();
        let bits: Vec<u64> = (0..examples.variables() as u32)
            .flat_map(|v| [Var(v).positive(), Var(v).negative()])
            .flat_map(|l| examples.true_column(l))
            .collect();
        let counts = bits.chunks(words.max(1)).map(ones).collect();
        Columns { words, bits, counts }
    }

    pub(crate) fn of(&self, literal: Lit) -> &[u64] {
        &self.bits[literal.code() * self.words..][..self.words]
    }

    pub(crate) fn count(&self, literal: Lit) -> u32 {
        self.counts.get(literal.code()).copied().unwrap_or(0)
    }

    fn both(&self, a: Lit, b: Lit) -> u32 {
        self.of(a).iter().zip(self.of(b)).map(|(a, b)| (a & b).count_ones()).sum()
    }
}

pub(crate) fn ones(column: &[u64]) -> u32 {
    column.iter().map(|w| w.count_ones()).sum()
}

fn and(a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| a & b).collect()
}

fn both(a: &[u64], b: &[u64]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
}

/// Searches for nogoods of up to the set number of literals.
pub(crate) fn search(
    examples: &Examples,
    columns: &Columns,
    settings: &Checked,
    control: &dyn Control,
) -> Nogoods {
    let literals: Vec<Lit> = (0..examples.variables() as u32)
        .filter(|&v| columns.count(Var(v).positive()) > 0 && columns.count(Var(v).negative()) > 0)
        .flat_map(|v| [Var(v).positive(), Var(v).negative()])
        .collect();
    let mut nogoods = Nogoods { found: vec![], skipped: vec![] };
    for size in 2..=settings.clause_literals as usize {
        let patterns = ln_choose(literals.len() / 2, size) + size as f64 * std::f64::consts::LN_2;
        if literals.len() / 2 < size || control.is_cancelled() {
            break;
        }
        if patterns + (columns.words as f64).ln() > (settings.clause_budget as f64).ln() {
            nogoods.skipped.extend(size..=settings.clause_literals as usize);
            break;
        }
        let search =
            Search { columns, examples, literals: &literals, bar: Bar::new(patterns, settings), size };
        let found: Vec<Vec<Lit>> = (0..literals.len())
            .into_par_iter()
            .flat_map_iter(|first| {
                let mut found = Vec::new();
                if !control.is_cancelled() {
                    let pattern = vec![literals[first]];
                    search.extend(&pattern, columns.of(literals[first]), first + 1, &mut found);
                }
                control.advance(1);
                found
            })
            .collect();
        nogoods.found.extend(found);
    }
    nogoods
}

struct Search<'a> {
    columns: &'a Columns,
    examples: &'a Examples,
    literals: &'a [Lit],
    bar: Bar,
    size: usize,
}

impl Search<'_> {
    /// All nogoods of the wanted size that begin with `pattern`, whose examples are `column`.
    fn extend(&self, pattern: &[Lit], column: &[u64], from: usize, found: &mut Vec<Vec<Lit>>) {
        let last = pattern.len() + 1 == self.size;
        let here = ones(column) as f64;
        for (at, &next) in self.literals.iter().enumerate().skip(from) {
            if next.var() == pattern[pattern.len() - 1].var() {
                continue;
            }
            if last {
                let observed = f64::from(both(column, self.columns.of(next)));
                let most = here.min(f64::from(self.columns.count(next)));
                if self.bar.allows(observed, most) {
                    let longer = [pattern, &[next]].concat();
                    if self.bar.passes(observed, self.expected(&longer)) {
                        found.push(longer);
                    }
                }
            } else {
                let both = and(column, self.columns.of(next));
                // A part that never occurs, or too rarely to tell, is no beginning of a longer nogood.
                if f64::from(ones(&both)) >= self.bar.nats {
                    self.extend(&[pattern, &[next]].concat(), &both, at + 1, found);
                }
            }
        }
    }

    /// The least of the estimates of how often the whole pattern should have been seen.
    fn expected(&self, pattern: &[Lit]) -> f64 {
        if let [a, b] = *pattern {
            let known = |l: Lit| self.examples.known(l.var());
            let (together, share_a, share_b) = match (known(a), known(b)) {
                (Some(ka), Some(kb)) => (both(ka, kb), f64::from(ones(ka)), f64::from(ones(kb))),
                _ => (self.examples.len() as u32, self.examples.len() as f64, self.examples.len() as f64),
            };
            return f64::from(together) * f64::from(self.columns.count(a)) / share_a
                * f64::from(self.columns.count(b))
                / share_b;
        }
        let without = |skip: &[usize]| {
            let mut kept = pattern.iter().enumerate().filter(|(i, _)| !skip.contains(i)).map(|(_, l)| *l);
            let first = kept.next().expect("a pattern of three or more");
            match (kept.next(), kept.next()) {
                (None, _) => f64::from(self.columns.count(first)),
                (Some(second), None) => f64::from(self.columns.both(first, second)),
                (Some(second), Some(third)) => {
                    let (a, b, c) = (self.columns.of(first), self.columns.of(second), self.columns.of(third));
                    f64::from((0..a.len()).map(|w| (a[w] & b[w] & c[w]).count_ones()).sum::<u32>())
                }
            }
        };
        let mut least = f64::INFINITY;
        for x in 0..pattern.len() {
            for y in 0..x {
                let rest = without(&[x, y]);
                if rest > 0.0 {
                    least = least.min(without(&[x]) * without(&[y]) / rest);
                }
            }
        }
        least
    }
}
