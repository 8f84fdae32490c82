//! The latent table, fitted to clusters and answers by expectation and maximisation (EM), with more symbols than are
//! wanted, which are then merged.
//!
//! ```text
//! q_n(i,j) ~ A[c_1,i] A[c_2,j] T[i,j,y_n]
//! U[i,j,y] = sum_n q_n(i,j),    T = (U + 0.01) / row sum
//! A[c,i]   = (sum over the pictures of c of the marginals of q + 0.01) / row sum
//! cost(i,j) = h(U_i) + h(U_j) - h(U_i + U_j) over rows and columns,    h(U) = sum U log(U / sum_y U)
//! ```
//! | symbol | field |
//! |---|---|
//! | c, y, n | [`Cell`]: examples with the same clusters and answer are one cell with a count |
//! | A | [`Fit::emission`], a row for each cluster |
//! | T | [`Fit::table`], answer by answer |
//! | cost | [`Fit::costs`] |
//!
//! A starts at random (Dirichlet 0.5), the first T comes from A alone. Of many starts the best likelihood is kept. With
//! as many symbols as are wanted from the beginning, two starts of three end in a poor optimum.

use std::collections::BTreeMap;

use preceptron_base::{Control, stream};
use rand::{Rng, RngExt};
use rayon::prelude::*;

use super::relation::Relation;

/// What is added to counts.
pub(super) const SMOOTHING: f64 = 0.01;
const ITERATIONS: usize = 60;
const BETWEEN_MERGES: usize = 8;
/// An iteration that gains less per example is the last.
const GAIN: f64 = 2e-5;

/// Examples with the same clusters and answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    pub first: u32,
    pub second: u32,
    pub answer: u32,
    pub count: f64,
}

/// All that is fitted to.
pub(super) struct Counts {
    pub cells: Vec<Cell>,
    pub clusters: usize,
    pub answers: usize,
    /// Whether there is a second place.
    pub is_pair: bool,
}

impl Counts {
    /// From the clusters at one place or two, and the answers.
    pub fn of(first: &[u32], second: Option<&[u32]>, answers: &[u32], sizes: [usize; 2]) -> Counts {
        let mut cells: BTreeMap<(u32, u32, u32), f64> = BTreeMap::new();
        for (at, answer) in answers.iter().enumerate() {
            let key = (*answer, first[at], second.map_or(0, |second| second[at]));
            *cells.entry(key).or_default() += 1.0;
        }
        let cells = cells.into_iter();
        let cells =
            cells.map(|((answer, first, second), count)| Cell { first, second, answer, count }).collect();
        Counts { cells, clusters: sizes[0], answers: sizes[1], is_pair: second.is_some() }
    }

    fn total(&self) -> f64 {
        self.cells.iter().map(|cell| cell.count).sum()
    }

    /// The mean logarithm of the answers' probabilities where pictures say nothing.
    pub fn base(&self) -> f64 {
        let mut of_answer = vec![0.0; self.answers];
        self.cells.iter().for_each(|cell| of_answer[cell.answer as usize] += cell.count);
        let total = self.total();
        of_answer.iter().filter(|n| **n > 0.0).map(|n| n / total * (n / total).ln()).sum()
    }
}

/// A fitted table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fit {
    pub symbols: usize,
    /// Whether there is a second place.
    pub is_pair: bool,
    /// For each cluster the probability of each symbol.
    pub emission: Vec<f64>,
    /// For each answer, each symbol of the first place, each of the second the answer's probability.
    pub table: Vec<f64>,
    /// The same in examples.
    pub seen: Vec<f64>,
    /// The mean logarithm of the answers' probabilities.
    pub likelihood: f64,
    /// What each merge cost per example: how many symbols there were before it, and the cost.
    pub costs: Vec<(usize, f64)>,
}

/// How many symbols there are in the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Wanted {
    /// So many.
    Exactly(usize),
    /// As many as can't be merged at less than this cost per example, up to so many.
    Guess { most: usize, cost: f64 },
}

/// Symbols beyond those that are wanted to begin with.
const BEYOND: usize = 4;

/// Fits from starts of these numbers, in order.
pub(super) fn fits(
    counts: &Counts,
    wanted: Wanted,
    starts: std::ops::Range<u64>,
    seed: u64,
    control: &dyn Control,
) -> Vec<Fit> {
    let one = |start: u64| {
        let fit = fit(counts, wanted, &mut stream(seed, "starts of a latent table", start), control);
        control.advance(1);
        fit
    };
    starts.into_par_iter().map(one).collect()
}

fn fit(counts: &Counts, wanted: Wanted, random: &mut impl Rng, control: &dyn Control) -> Fit {
    let first = match wanted {
        Wanted::Exactly(count) => count + BEYOND,
        Wanted::Guess { most, .. } => most + 2,
    };
    let mut fit = Fit::random(counts, first, random);
    fit.iterate(counts, ITERATIONS, control);
    while fit.symbols > 1 && !control.is_cancelled() {
        let (i, j, cost) = fit.cheapest(counts);
        let cost = cost / counts.total();
        let is_enough = match wanted {
            Wanted::Exactly(count) => fit.symbols <= count,
            Wanted::Guess { most, cost: worth } => fit.symbols <= most && cost > worth,
        };
        if is_enough {
            break;
        }
        fit.costs.push((fit.symbols, cost));
        fit.merge(counts, i, j);
        fit.iterate(counts, BETWEEN_MERGES, control);
    }
    fit.iterate(counts, ITERATIONS, control);
    fit
}

impl Fit {
    fn width(&self, counts: &Counts) -> usize {
        if counts.is_pair { self.symbols } else { 1 }
    }

    fn random(counts: &Counts, symbols: usize, random: &mut impl Rng) -> Fit {
        let mut emission = Vec::with_capacity(counts.clusters * symbols);
        for _ in 0..counts.clusters {
            // Dirichlet(0.5): squares of normal numbers, which are Gamma(1/2), over their sum.
            let row: Vec<f64> = (0..symbols).map(|_| normal(random).powi(2) + 1e-6).collect();
            let total: f64 = row.iter().sum();
            emission.extend(row.into_iter().map(|x| x / total));
        }
        let width = if counts.is_pair { symbols } else { 1 };
        let table = vec![1.0; counts.answers * symbols * width];
        let seen = vec![0.0; table.len()];
        let mut fit = Fit {
            symbols,
            is_pair: counts.is_pair,
            emission,
            table,
            seen,
            likelihood: f64::NEG_INFINITY,
            costs: Vec::new(),
        };
        // The first table comes from A alone.
        fit.expect(counts);
        fit.renew_table(counts);
        fit
    }

    /// The share of pictures that show the symbol which is used least.
    pub fn rarest(&self) -> f64 {
        let k = self.symbols;
        let width = if self.is_pair { k } else { 1 };
        let mut used = vec![0.0; k];
        for (at, seen) in self.seen.iter().enumerate() {
            used[at / width % k] += seen;
            if self.is_pair {
                used[at % width] += seen;
            }
        }
        let total: f64 = used.iter().sum();
        used.into_iter().fold(f64::INFINITY, f64::min) / total.max(f64::MIN_POSITIVE)
    }

    /// So many iterations, or fewer if they gain nothing.
    fn iterate(&mut self, counts: &Counts, most: usize, control: &dyn Control) {
        let mut before = f64::NEG_INFINITY;
        for _ in 0..most {
            if control.is_cancelled() {
                return;
            }
            let emission = self.expect(counts);
            self.emission = emission;
            self.renew_table(counts);
            if self.likelihood - before < GAIN {
                return;
            }
            before = self.likelihood;
        }
    }

    /// The expectation: fills `seen` and the likelihood, and returns the next A.
    fn expect(&mut self, counts: &Counts) -> Vec<f64> {
        let (k, width) = (self.symbols, self.width(counts));
        let mut next = vec![SMOOTHING; self.emission.len()];
        self.seen.fill(0.0);
        let (mut weights, mut likelihood) = (vec![0.0; k * width], 0.0);
        let mut columns = vec![0.0; width];
        let one = [1.0];
        for cell in &counts.cells {
            let first = &self.emission[cell.first as usize * k..][..k];
            let second: &[f64] = match counts.is_pair {
                true => &self.emission[cell.second as usize * k..][..k],
                false => &one,
            };
            let table = &self.table[cell.answer as usize * k * width..][..k * width];
            let mut total = 0.0;
            for ((weights, table), a) in
                weights.chunks_exact_mut(width).zip(table.chunks_exact(width)).zip(first)
            {
                for ((weight, t), b) in weights.iter_mut().zip(table).zip(second) {
                    *weight = a * b * t;
                }
                total += weights.iter().sum::<f64>();
            }
            likelihood += cell.count * total.max(1e-300).ln();
            let factor = cell.count / total.max(1e-300);
            let seen = &mut self.seen[cell.answer as usize * k * width..][..k * width];
            let own = &mut next[cell.first as usize * k..][..k];
            columns.fill(0.0);
            let rows = weights.chunks_exact(width).zip(seen.chunks_exact_mut(width)).zip(own);
            for ((weights, seen), own) in rows {
                let mut sum = 0.0;
                for ((weight, seen), column) in weights.iter().zip(seen).zip(&mut columns) {
                    let q = weight * factor;
                    *seen += q;
                    *column += q;
                    sum += q;
                }
                *own += sum;
            }
            if counts.is_pair {
                let own = &mut next[cell.second as usize * k..][..k];
                own.iter_mut().zip(&columns).for_each(|(own, column)| *own += column);
            }
        }
        self.likelihood = likelihood / counts.total();
        next.chunks_exact_mut(k).for_each(|row| {
            let total: f64 = row.iter().sum();
            row.iter_mut().for_each(|x| *x /= total);
        });
        next
    }

    fn renew_table(&mut self, counts: &Counts) {
        let cells = self.symbols * self.width(counts);
        let mut totals = vec![counts.answers as f64 * SMOOTHING; cells];
        for seen in self.seen.chunks_exact(cells) {
            totals.iter_mut().zip(seen).for_each(|(total, seen)| *total += seen);
        }
        for (table, seen) in self.table.chunks_exact_mut(cells).zip(self.seen.chunks_exact(cells)) {
            for ((t, seen), total) in table.iter_mut().zip(seen).zip(&totals) {
                *t = (seen + SMOOTHING) / total;
            }
        }
    }

    /// Merges symbols as long as that costs next to nothing per example: they cannot be told apart.
    pub fn merge_equal(&mut self, counts: &Counts, cost: f64, control: &dyn Control) {
        while self.symbols > 2 && !control.is_cancelled() {
            let (i, j, found) = self.cheapest(counts);
            if found / counts.total() > cost {
                break;
            }
            self.merge(counts, i, j);
            self.iterate(counts, ITERATIONS, control);
        }
    }

    /// As a relation between places and answers.
    pub fn relation(&self, counts: &Counts, places: &[usize]) -> Relation {
        let cells = self.symbols * self.width(counts);
        let chance = (0..cells * counts.answers)
            .map(|at| self.table[at % counts.answers * cells + at / counts.answers])
            .collect();
        Relation::Table { places: places.to_vec(), symbols: self.symbols, chance }
    }

    /// The answers that were seen with symbols.
    fn row(&self, counts: &Counts, i: usize, j: usize) -> impl Iterator<Item = f64> + '_ {
        let (width, cells) = (self.width(counts), self.symbols * self.width(counts));
        (0..counts.answers).map(move |answer| self.seen[answer * cells + i * width + j])
    }

    /// The two symbols whose merging costs the least, and the cost.
    fn cheapest(&self, counts: &Counts) -> (usize, usize, f64) {
        let width = self.width(counts);
        let cell = |places: &[(usize, usize)]| {
            let mut sums = vec![0.0; counts.answers];
            for &(i, j) in places {
                sums.iter_mut().zip(self.row(counts, i, j)).for_each(|(sum, x)| *sum += x);
            }
            information(&sums)
        };
        let plain: Vec<f64> = (0..self.symbols * width).map(|at| cell(&[(at / width, at % width)])).collect();
        let own = |i: usize, j: usize| plain[i * width + j];
        let mut best = (0, 1, f64::INFINITY);
        for i in 0..self.symbols {
            for j in i + 1..self.symbols {
                let mut cost = 0.0;
                for other in (0..width).filter(|other| !counts.is_pair || ![i, j].contains(other)) {
                    cost += own(i, other) + own(j, other) - cell(&[(i, other), (j, other)]);
                    if counts.is_pair {
                        cost += own(other, i) + own(other, j) - cell(&[(other, i), (other, j)]);
                    }
                }
                if counts.is_pair {
                    let block = [(i, i), (i, j), (j, i), (j, j)];
                    cost += block.iter().map(|&(a, b)| own(a, b)).sum::<f64>() - cell(&block);
                }
                if cost < best.2 {
                    best = (i, j, cost);
                }
            }
        }
        best
    }

    fn merge(&mut self, counts: &Counts, i: usize, j: usize) {
        let (k, width) = (self.symbols, self.width(counts));
        let to = |symbol: usize| match symbol {
            _ if symbol == j => i,
            _ => symbol - usize::from(symbol > j),
        };
        let mut emission = Vec::with_capacity(counts.clusters * (k - 1));
        for row in self.emission.chunks_exact(k) {
            let mut merged = vec![0.0; k - 1];
            row.iter().enumerate().for_each(|(symbol, a)| merged[to(symbol)] += a);
            emission.extend(merged);
        }
        let narrow = if counts.is_pair { k - 1 } else { 1 };
        let mut seen = vec![0.0; counts.answers * (k - 1) * narrow];
        for (at, x) in self.seen.iter().enumerate() {
            let (answer, a, b) = (at / (k * width), at / width % k, at % width);
            let b = if counts.is_pair { to(b) } else { 0 };
            seen[(answer * (k - 1) + to(a)) * narrow + b] += x;
        }
        self.symbols = k - 1;
        self.emission = emission;
        self.table = vec![0.0; seen.len()];
        self.seen = seen;
        self.renew_table(counts);
    }
}

/// h(U) of one cell.
fn information(seen: &[f64]) -> f64 {
    let total: f64 = seen.iter().sum();
    seen.iter().filter(|x| **x > 1e-12).map(|x| x * (x / total).ln()).sum()
}

/// A normal number, by Box and Muller.
fn normal(random: &mut impl Rng) -> f64 {
    let (u, v): (f64, f64) = (random.random(), random.random());
    (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::Quiet;

    /// Pairs of clusters, three to a symbol of four, and an operator's answers.
    fn pairs(count: usize, operator: impl Fn(usize, usize) -> usize) -> Counts {
        let mut random = stream(5, "test", 0);
        let mut draw = || (0..count).map(|_| random.random_range(0..12)).collect::<Vec<u32>>();
        let (first, second) = (draw(), draw());
        let answer = |(a, b): (&u32, &u32)| operator(*a as usize / 3, *b as usize / 3) as u32;
        let answers: Vec<u32> = first.iter().zip(&second).map(answer).collect();
        let sizes = [12, *answers.iter().max().unwrap() as usize + 1];
        Counts::of(&first, Some(&second), &answers, sizes)
    }

    fn best(counts: &Counts, wanted: Wanted) -> Fit {
        let all = fits(counts, wanted, 0..6, 0, &Quiet);
        all.into_iter().max_by(|a, b| a.likelihood.total_cmp(&b.likelihood)).unwrap()
    }

    /// The symbol of each cluster.
    fn symbols(fit: &Fit) -> Vec<usize> {
        let most = |row: &[f64]| (0..row.len()).max_by(|a, b| row[*a].total_cmp(&row[*b])).unwrap();
        fit.emission.chunks_exact(fit.symbols).map(most).collect()
    }

    #[test]
    fn clusters_of_a_symbol_come_together() {
        let operators: [fn(usize, usize) -> usize; 4] =
            [|a, b| a + b, |a, b| a * b, |a, b| a.max(b), |a, b| (a + 2 * b) % 4];
        for operator in operators {
            let counts = pairs(2000, operator);
            for wanted in [Wanted::Exactly(4), Wanted::Guess { most: 8, cost: 0.01 }] {
                let fit = best(&counts, wanted);
                assert!(fit.likelihood > -0.02, "{wanted:?} {}", fit.likelihood);
                assert_eq!(fit.symbols, 4, "{:?}", fit.costs);
                assert!((0.15..0.26).contains(&fit.rarest()), "{}", fit.rarest());
                let found = symbols(&fit);
                assert!((0..12).all(|at| found[at] == found[at / 3 * 3]), "{found:?}");
            }
        }
    }

    #[test]
    fn starts_do_not_depend_on_threads() {
        let counts = pairs(300, |a, b| a + b);
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| fits(&counts, Wanted::Exactly(4), 0..4, 1, &Quiet))
        };
        assert_eq!(on(1), on(3));
    }

    #[test]
    fn one_place_is_a_table_too() {
        let clusters: Vec<u32> = (0..400).map(|n| n % 9).collect();
        let answers: Vec<u32> = clusters.iter().map(|c| c / 3).collect();
        let counts = Counts::of(&clusters, None, &answers, [9, 3]);
        let fit = best(&counts, Wanted::Exactly(3));
        assert!(fit.likelihood > -0.01);
        assert_eq!(symbols(&fit).iter().collect::<std::collections::BTreeSet<_>>().len(), 3);
        assert!((counts.base() + 3f64.ln()).abs() < 1e-3);
    }
}
