//! Where training begins when nothing says what pictures show: clusters, and a relation between them and the answers.
//!
//! 1. Pictures become clusters: principal axes, k-means.
//! 2. One place or two: a latent table ([`super::table_em`]), from many starts.
//! 3. More places: a weighted sum where answers are numbers ([`super::sum_start`]); parity where there are two answers
//!    ([`super::parity_start`]); else the pair of places whose table says most of the answers.

use preceptron_base::{Control, stream};
use preceptron_perceive::clusters::{Effort, PrincipalAxes, k_means, nearest};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use super::relation::Relation;
use super::sum_start::Summed;
use super::table_em::{Counts, Fit, Wanted, fits};
use super::{LatentSettings, Puzzles, parity_start, sum_start};

const DIMENSIONS: usize = 50;
const ITERATIONS: usize = 15;
/// Axes and centres are those of so many pictures, at the most.
const CLUSTERED: usize = 10_000;
/// Starts of a table that are made together, and how many such rounds there are at the most.
const TOGETHER: u64 = 6;
const ROUNDS: u64 = 7;
/// Rounds that are made at least: the first starts may agree on a poor optimum.
const LEAST_ROUNDS: u64 = 2;
/// A symbol that is used less often than this share of the mean is one that was lost.
const RARE: f64 = 0.5;
/// Likelihoods that differ by less, as a share of what answers leave open, are those of the same optimum.
const SAME: f64 = 0.004;
/// Merging symbols that costs less, as such a share, says that they cannot be told apart.
const NOTHING: f64 = 0.001;
/// The cost, as such a share, above which symbols are told apart where their number is guessed.
const WORTH: f64 = 0.01;
/// A guess has at the most so many symbols.
pub(super) const MOST_GUESSED: usize = 12;
/// A relation that explains less of the answers is none.
const LEAST_EXPLAINED: f64 = 0.25;
/// One that explains more needs no comparison with answers that were shuffled.
const PLAIN: f64 = 0.8;
/// Shuffles to compare with, and how much more must be explained than with any of them, as a share of what is left.
const SHUFFLES: u64 = 3;
const BEYOND_CHANCE: f64 = 0.1;

/// Where training began, and what was assumed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Began {
    /// Which start was taken, in words.
    pub start: String,
    /// How many clusters there are.
    pub clusters: usize,
    /// How many starts were made, and how many of them ended at the best likelihood.
    pub starts: [u64; 2],
    /// The share of what answers leave open that clusters explain, 0 to 1.
    pub explained: f64,
    /// The number of symbols, and whether it is a guess.
    pub symbols: usize,
    /// Whether the number of symbols was guessed.
    pub is_guess: bool,
    /// The number that was assumed, where fewer can be told apart.
    pub assumed: Option<usize>,
}

/// A relation, and what it says of each picture.
pub(super) struct Start {
    pub relation: Relation,
    /// For each place of each example the probabilities of symbols.
    pub targets: Vec<f32>,
    pub began: Began,
}

/// The cluster of every picture at every place.
fn clusters(puzzles: &Puzzles, count: usize, seed: u64) -> Vec<u32> {
    let size = puzzles.shape.size();
    let mut numbers = puzzles.pictures.clone();
    numbers.sort_unstable();
    numbers.dedup();
    let points = |numbers: &[u32]| -> Vec<f32> {
        let pixels = numbers.iter().flat_map(|number| &puzzles.pixels[*number as usize * size..][..size]);
        pixels.map(|pixel| f32::from(*pixel) / 255.0).collect()
    };
    let mut some = numbers.clone();
    if some.len() > CLUSTERED {
        some.shuffle(&mut stream(seed, "which pictures a latent start clusters", 0));
        some.truncate(CLUSTERED);
    }
    let points_of_some = points(&some);
    let axes = PrincipalAxes::of(&points_of_some, size, DIMENSIONS.min(size), seed);
    let flat = axes.coordinates(&points_of_some);
    let effort = Effort { starts: 1, iterations: ITERATIONS, seed };
    let centres = k_means(&flat, axes.len(), count.min(some.len()), effort);
    let mut of_picture = vec![0; puzzles.pixels.len() / size.max(1)];
    for some in numbers.chunks(CLUSTERED) {
        let found = nearest(&axes.coordinates(&points(some)), axes.len(), &centres).centres;
        some.iter().zip(found).for_each(|(number, cluster)| of_picture[*number as usize] = cluster);
    }
    puzzles.pictures.iter().map(|number| of_picture[*number as usize]).collect()
}

/// How many clusters are made of so many examples with a table.
fn cluster_count(pictures: usize, examples: usize) -> usize {
    let count = match examples {
        0..2000 => 60,
        2000..6000 => 100,
        _ => 200,
    };
    count.min(pictures / 5).max(2)
}

/// Begins; nothing if nothing was found that binds pictures to answers, or it was stopped.
pub(super) fn begin(puzzles: &Puzzles, settings: &LatentSettings, control: &dyn Control) -> Option<Start> {
    let (places, examples) = (puzzles.places.len(), puzzles.len());
    let codes = puzzles.combined();
    let count = cluster_count(puzzles.pictures.len(), examples);
    control.stage("clustering pictures", 0);
    let found = clusters(puzzles, count, settings.seed);
    let began = Began { clusters: count, ..Began::default() };
    let whole = Whole { puzzles, settings, codes: &codes.codes, values: codes.values.len(), control };
    if places <= 2 {
        return whole.table(&found, count, &(0..places).collect::<Vec<_>>(), began, ROUNDS);
    }
    control.stage("looking for a sum", 0);
    let told: Option<Vec<i64>> = puzzles
        .numbers()
        .map(|numbers| codes.values.iter().map(|values| numbers[values[0] as usize]).collect());
    if let Some(numbers) = told.filter(|numbers| numbers.len() > 2)
        && let Some(summed) = sum_start::find(&found, count, places, &codes.codes, &numbers, control)
    {
        let start = "clusters and a weighted sum, by least squares".to_owned();
        if let Some(start) = whole.summed(&found, summed, Began { start, ..began.clone() }) {
            return Some(start);
        }
    }
    if codes.values.len() == 2
        && !control.is_cancelled()
        && let Some(start) = whole.parity()
    {
        return Some(start);
    }
    whole.pairs(&found, count, began)
}

struct Whole<'a> {
    puzzles: &'a Puzzles,
    settings: &'a LatentSettings,
    codes: &'a [u32],
    values: usize,
    control: &'a dyn Control,
}

impl Whole<'_> {
    /// How many symbols are wanted, where answers leave so much open.
    fn wanted(&self, open: f64) -> Wanted {
        match self.settings.symbols {
            Some(count) => Wanted::Exactly(count),
            None => Wanted::Guess { most: MOST_GUESSED, cost: WORTH * open },
        }
    }

    /// The clusters at some places.
    fn at(&self, clusters: &[u32], place: usize) -> Vec<u32> {
        clusters.iter().skip(place).step_by(self.puzzles.places.len()).copied().collect()
    }

    fn counts(&self, clusters: &[u32], count: usize, places: &[usize]) -> Counts {
        let first = self.at(clusters, places[0]);
        let second = places.get(1).map(|place| self.at(clusters, *place));
        Counts::of(&first, second.as_deref(), self.codes, [count, self.values])
    }

    /// A latent table, from as many starts as it takes for two of them to end at the same best likelihood.
    fn table(
        &self,
        clusters: &[u32],
        count: usize,
        places: &[usize],
        began: Began,
        rounds: u64,
    ) -> Option<Start> {
        let counts = self.counts(clusters, count, places);
        let open = -counts.base();
        let mut all: Vec<Fit> = Vec::new();
        let mut agreeing = 0;
        self.control.stage("fitting a latent table", TOGETHER * rounds);
        for round in 0..rounds {
            let numbers = round * TOGETHER..(round + 1) * TOGETHER;
            all.extend(fits(&counts, self.wanted(open), numbers, self.settings.seed, self.control));
            if self.control.is_cancelled() {
                return None;
            }
            let best = all.iter().map(|fit| fit.likelihood).fold(f64::NEG_INFINITY, f64::max);
            agreeing = all.iter().filter(|fit| fit.likelihood > best - SAME * open).count() as u64;
            // Where a symbol that was told of is hardly used, two others have become one.
            let is_whole = |fit: &Fit| fit.likelihood < best || fit.rarest() * fit.symbols as f64 >= RARE;
            let wants_all = matches!(self.wanted(open), Wanted::Exactly(_));
            if agreeing >= 2 && round + 1 >= LEAST_ROUNDS && (!wants_all || all.iter().all(is_whole)) {
                break;
            }
        }
        let starts = [all.len() as u64, agreeing];
        let mut best = all.into_iter().reduce(|a, b| if b.likelihood > a.likelihood { b } else { a })?;
        let assumed = best.symbols;
        best.merge_equal(&counts, NOTHING * open, self.control);
        let explained = if open > 0.0 { 1.0 + best.likelihood / open } else { 0.0 };
        if explained < LEAST_EXPLAINED
            || (explained < PLAIN && self.is_chance(explained, clusters, count, places))
        {
            return None;
        }
        let relation = best.relation(&counts, places);
        let emission: Vec<f32> = best.emission.iter().map(|a| *a as f32).collect();
        let began = Began {
            start: match places.len() {
                _ if places.len() < self.puzzles.places.len() => {
                    "clusters and a latent table over the pair of pictures that says most".to_owned()
                }
                1 => "clusters and a latent table".to_owned(),
                _ => "clusters and a latent table over pairs".to_owned(),
            },
            starts,
            explained,
            symbols: best.symbols,
            is_guess: self.settings.symbols.is_none(),
            assumed: (best.symbols < assumed).then_some(assumed),
            ..began
        };
        Some(Start { targets: self.targets(&relation, &emission, clusters), relation, began })
    }

    /// Whether tables explain about as much of answers that are shuffled, so that nothing binds them to pictures: many
    /// clusters and few examples explain much.
    fn is_chance(&self, explained: f64, clusters: &[u32], count: usize, places: &[usize]) -> bool {
        let most = (0..SHUFFLES).map(|shuffle| {
            let mut codes = self.codes.to_vec();
            codes.shuffle(&mut stream(self.settings.seed, "answers that are shuffled", shuffle));
            let counts = Whole { codes: &codes, ..*self }.counts(clusters, count, places);
            let open = -counts.base();
            let found = fits(&counts, self.wanted(open), 0..2, self.settings.seed, self.control);
            let best = found.iter().map(|fit| fit.likelihood).fold(f64::NEG_INFINITY, f64::max);
            if open > 0.0 { 1.0 + best / open } else { 0.0 }
        });
        let by_chance = most.fold(0.0, f64::max);
        explained < by_chance + BEYOND_CHANCE * (1.0 - by_chance)
    }

    /// The pair of places whose table says most of the answers.
    fn pairs(&self, clusters: &[u32], count: usize, began: Began) -> Option<Start> {
        const PLACES: usize = 8;
        let places = self.puzzles.places.len();
        if places > PLACES {
            return None;
        }
        let mut best: Option<(f64, [usize; 2])> = None;
        self.control.stage("trying pairs of pictures", (places * (places - 1)) as u64);
        for a in 0..places {
            for b in a + 1..places {
                let counts = self.counts(clusters, count, &[a, b]);
                let found =
                    fits(&counts, self.wanted(-counts.base()), 0..2, self.settings.seed, self.control);
                let gain = found.iter().map(|fit| fit.likelihood).fold(f64::NEG_INFINITY, f64::max);
                if best.is_none_or(|(before, _)| gain > before) {
                    best = Some((gain, [a, b]));
                }
            }
        }
        let (_, pair) = best?;
        self.table(clusters, count, &pair, began, ROUNDS)
    }

    /// A sum: values that no cluster has are left out.
    fn summed(&self, clusters: &[u32], mut summed: Summed, began: Began) -> Option<Start> {
        let (counts, k) = (self.uses(&summed, clusters), summed.relation.symbols());
        let total: f64 = counts.iter().sum();
        let kept: Vec<usize> = (0..k).filter(|i| counts[*i] > 0.005 * total).collect();
        let Relation::Sum { values, .. } = &mut summed.relation else { return None };
        *values = kept.iter().map(|i| values[*i]).collect();
        let row = |row: &[f32]| {
            let sum: f32 = kept.iter().map(|i| row[*i]).sum::<f32>().max(1e-9);
            kept.iter().map(|i| row[*i] / sum).collect::<Vec<f32>>()
        };
        summed.emission = summed.emission.chunks_exact(k).flat_map(row).collect();
        let answers = self.values;
        let base = self.base(answers);
        let explained = 1.0 - summed.likelihood / base;
        if explained < LEAST_EXPLAINED {
            return None;
        }
        let targets = self.targets(&summed.relation, &summed.emission, clusters);
        let symbols = kept.len();
        Some(Start {
            targets,
            relation: summed.relation,
            began: Began { starts: [1, 1], explained, symbols, ..began },
        })
    }

    /// How often each symbol occurs.
    fn uses(&self, summed: &Summed, clusters: &[u32]) -> Vec<f64> {
        let k = summed.relation.symbols();
        let mut uses = vec![0.0; k];
        for c in clusters {
            let row = &summed.emission[*c as usize * k..][..k];
            uses.iter_mut().zip(row).for_each(|(sum, a)| *sum += f64::from(*a));
        }
        uses
    }

    fn base(&self, answers: usize) -> f64 {
        let mut counts = vec![0.0; answers];
        self.codes.iter().for_each(|code| counts[*code as usize] += 1.0);
        let total = self.codes.len() as f64;
        counts.iter().filter(|n| **n > 0.0).map(|n| n / total * (n / total).ln()).sum()
    }

    /// Parity, with few clusters or more.
    fn parity(&self) -> Option<Start> {
        let places = self.puzzles.places.len();
        let odd: Vec<bool> = self.codes.iter().map(|code| *code == 1).collect();
        self.control.stage("solving equations of parity", 0);
        let mut best: Option<(parity_start::Bits, Vec<u32>, usize)> = None;
        for count in [10, 16, 24, 40, 60] {
            if self.puzzles.len() < 2 * count || self.control.is_cancelled() {
                break;
            }
            let found = clusters(self.puzzles, count, self.settings.seed);
            let bits = parity_start::find(&found, count, places, &odd, self.settings.seed, self.control);
            if let Some(bits) = bits
                && best.as_ref().is_none_or(|(before, ..)| bits.agreement > before.agreement)
            {
                let is_enough = bits.agreement > 0.97;
                best = Some((bits, found, count));
                if is_enough {
                    break;
                }
            }
        }
        let (bits, found, count) = best?;
        let relation = Relation::Sum {
            weights: vec![1; places],
            values: vec![0, 1],
            modulus: Some(2),
            offset: 0,
            answers: vec![0, 1],
            wrong: 0.02,
        };
        let error = bits.error(places);
        let row = |bit: &bool| if *bit { [error, 1.0 - error] } else { [1.0 - error, error] };
        let mut summed = Summed::new(relation, bits.bits.iter().flat_map(row).collect());
        for _ in 0..ITERATIONS {
            summed.turn(&found, places, self.codes, count);
        }
        let targets = self.targets(&summed.relation, &summed.emission, &found);
        let began = Began {
            start: format!(
                "clusters and equations of parity over them, which {:.1}% of the answers agree with",
                100.0 * bits.agreement
            ),
            clusters: count,
            starts: [bits.tries, 1],
            explained: 1.0 - summed.likelihood / self.base(2),
            symbols: 2,
            ..Began::default()
        };
        Some(Start { relation: summed.relation, targets, began })
    }

    /// What the relation says of each picture, from its cluster.
    fn targets(&self, relation: &Relation, emission: &[f32], clusters: &[u32]) -> Vec<f32> {
        let (k, places) = (relation.symbols(), self.puzzles.places.len());
        let readings: Vec<f32> =
            clusters.iter().flat_map(|c| &emission[*c as usize * k..][..k]).copied().collect();
        let mut targets = vec![0.0; readings.len()];
        let rows = readings.chunks_exact(places * k).zip(targets.chunks_exact_mut(places * k));
        for ((readings, targets), code) in rows.zip(self.codes) {
            relation.posterior(readings, *code, targets);
        }
        targets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_fewer_than_pictures() {
        assert_eq!(
            [(40, 20), (2000, 1000), (20_000, 10_000)].map(|(p, n)| cluster_count(p, n)),
            [8, 60, 200]
        );
    }
}
