//! A start for weighted sums over any number of places: least squares on clusters, then whole numbers.
//!
//! ```text
//! y_n ~ offset + sum_l w_l v(c_nl)      v, w in turn by least squares; first w from the main direction of E[y | c at l]
//! w -> whole numbers, one of a few roundings;   then y_n = offset + sum_l w_l z_nl with z a whole number,
//! A[c,i] = P(z = i | c) by EM, begun near v(c)
//! ```
//! | symbol | here |
//! |---|---|
//! | c_nl | `clusters`, example by example |
//! | w | [`Line`] |
//! | A | [`Summed::emission`] |
//!
//! Of the roundings and offsets the one is kept under which the answers are most probable.

use preceptron_base::Control;
use preceptron_matrix::{Cholesky, Mat};
use rayon::prelude::*;

use super::relation::Relation;

/// What the largest weight, and by it the others, may be.
const LARGEST: [i64; 24] =
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 20, 24, 25, 30, 32, 50, 60, 64, 100, 256, 1000];
/// Roundings that are tried at the most.
const MOST_ROUNDINGS: usize = 120;
/// Standard errors that a weight may be off.
const ERRORS: f64 = 2.5;
/// Turns of least squares.
const TURNS: usize = 30;
/// Below this share of the variance explained, there is no sum.
const EXPLAINED: f64 = 0.3;
/// The values that a symbol may have.
const MOST_VALUES: i64 = 40;
/// Partial sums that are gone through at the most.
const MOST_STATES: i64 = 20_000;
/// Examples by which roundings are compared, and iterations of EM for it: first all of them, then the best.
const TRIED: [usize; 2] = [400, 1500];
const TRIAL: [usize; 2] = [2, 6];
const BEST: usize = 8;
const ITERATIONS: usize = 25;
/// Examples that are gone through at once.
const BLOCK: usize = 64;

/// What was found.
pub(super) struct Summed {
    pub relation: Relation,
    /// For each cluster the probability of each value.
    pub emission: Vec<f32>,
    /// The mean logarithm of the answers' probabilities.
    pub likelihood: f64,
}

/// A fit by least squares.
struct Line {
    weights: Vec<f64>,
    /// Their standard errors.
    errors: Vec<f64>,
    /// The share of the variance that it explains.
    explained: f64,
}

/// Looks for a weighted sum; nothing if least squares explain too little.
pub(super) fn find(
    clusters: &[u32],
    count: usize,
    places: usize,
    codes: &[u32],
    numbers: &[i64],
    control: &dyn Control,
) -> Option<Summed> {
    let answers: Vec<f64> = codes.iter().map(|code| numbers[*code as usize] as f64).collect();
    let line = fit_line(clusters, count, places, &answers)?;
    if line.explained < EXPLAINED {
        return None;
    }
    let (least, most) = (*numbers.iter().min()?, *numbers.iter().max()?);
    let start = Start { clusters, count, places, codes, answers: &answers, numbers };
    let mut tried: Vec<(Summed, i64)> = Vec::new();
    for weights in roundings(&line) {
        let reach: i64 = weights.iter().map(|w| w.abs()).sum();
        let negative: i64 = weights.iter().filter(|w| **w < 0).sum();
        // Offsets apart by the sum of all weights are the same but for the names of the values.
        for offset in [0, least - negative * ((most - least + reach - 1) / reach.max(1))] {
            // So many values reach the greatest and the least answer.
            let steps = |gap: i64, by: i64| {
                if gap <= 0 { 0 } else { (gap + by - 1).checked_div(by).unwrap_or(i64::MAX) }
            };
            let span = steps(most - offset, reach + negative).max(steps(offset - least, -negative));
            if control.is_cancelled() {
                return None;
            }
            if !(1..=MOST_VALUES).contains(&span) || span * reach > MOST_STATES {
                continue;
            }
            let found = start.refine(&weights, offset, span, TRIED[0], TRIAL[0], None);
            tried.extend(found.map(|found| (found, span)));
        }
    }
    tried.sort_by(|a, b| b.0.likelihood.total_cmp(&a.0.likelihood));
    tried.truncate(BEST);
    let mut best: Option<Summed> = None;
    for (found, span) in tried {
        let Relation::Sum { weights, offset, .. } = &found.relation else { return None };
        let found = start.refine(weights, *offset, span, TRIED[1], TRIAL[1], Some(found.emission.clone()));
        best = best.into_iter().chain(found).reduce(|a, b| if b.likelihood > a.likelihood { b } else { a });
    }
    let best = best?;
    let Relation::Sum { weights, values, offset, .. } = &best.relation else { return None };
    let (weights, offset, span) = (weights.clone(), *offset, values.len() as i64 - 1);
    start.refine(&weights, offset, span, usize::MAX, ITERATIONS, Some(best.emission))
}

/// The weights as whole numbers, in a few ways, which the errors of least squares leave open.
///
/// Weights that are equal within their errors become one number. The largest is one of [`LARGEST`], the others follow
/// from it: the nearest whole number, and the round ones within their errors.
fn roundings(line: &Line) -> Vec<Vec<i64>> {
    let largest = line.weights.iter().fold(0.0f64, |most, w| most.max(w.abs()));
    if largest <= 0.0 {
        return Vec::new();
    }
    // Sizes as shares of the largest, each with its error, from large to small; equal ones in one group.
    let error =
        |place: usize| ERRORS * line.errors[place] / largest + 0.03 * line.weights[place].abs() / largest;
    let mut order: Vec<usize> = (0..line.weights.len()).collect();
    order.sort_by(|a, b| line.weights[*b].abs().total_cmp(&line.weights[*a].abs()));
    let mut groups: Vec<Group> = Vec::new();
    for place in order {
        let (size, error) = (line.weights[place].abs() / largest, error(place));
        match groups.last_mut().filter(|group| group.size() - size <= group.error().hypot(error)) {
            Some(group) => group.add(place, size, error),
            None => groups.push(Group { places: vec![place], sizes: size, errors: error * error }),
        }
    }
    let mut all: Vec<Vec<i64>> = Vec::new();
    for largest in LARGEST {
        let mut some: Vec<Vec<i64>> = vec![Vec::new()];
        for group in &groups {
            let choices = group.choices(largest as f64 / groups[0].size());
            some = some
                .iter()
                .flat_map(|before| choices.iter().map(move |n| [before.as_slice(), &[*n]].concat()))
                .take(MOST_ROUNDINGS)
                .collect();
        }
        for numbers in some.iter().filter(|numbers| numbers.iter().fold(0, |a, b| gcd(a, *b)) == 1) {
            let mut weights = vec![0; line.weights.len()];
            for (group, number) in groups.iter().zip(numbers) {
                for place in &group.places {
                    weights[*place] = number * line.weights[*place].signum() as i64;
                }
            }
            if !all.contains(&weights) {
                all.push(weights);
            }
        }
    }
    all.truncate(MOST_ROUNDINGS);
    all
}

/// Places whose weights are of one size, within their errors.
struct Group {
    places: Vec<usize>,
    sizes: f64,
    errors: f64,
}

impl Group {
    fn size(&self) -> f64 {
        self.sizes / self.places.len() as f64
    }

    fn error(&self) -> f64 {
        self.errors.sqrt() / self.places.len() as f64
    }

    fn add(&mut self, place: usize, size: f64, error: f64) {
        self.places.push(place);
        self.sizes += size;
        self.errors += error * error;
    }

    /// The whole numbers that its size times a scale may be.
    fn choices(&self, scale: f64) -> Vec<i64> {
        let (middle, error) = (scale * self.size(), scale * self.error());
        let near = middle.round() as i64;
        // A weight within its error of nothing is that of a picture that answers don't depend on.
        let mut found = Vec::new();
        if near > 0 && (near as f64 - middle).abs() <= error {
            found.push(near);
        }
        let round = LARGEST.into_iter().filter(|n| *n != near && (*n as f64 - middle).abs() <= error);
        found.extend(round.take(4));
        if error >= middle {
            found.push(0);
        }
        found
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn fit_line(clusters: &[u32], count: usize, places: usize, answers: &[f64]) -> Option<Line> {
    let total = answers.len() as f64;
    let mean = answers.iter().sum::<f64>() / total;
    let centred: Vec<f64> = answers.iter().map(|y| y - mean).collect();
    let variance = centred.iter().map(|y| y * y).sum::<f64>();
    if variance <= 0.0 {
        return None;
    }
    // The mean answer of each cluster at each place, and its main direction over places.
    let (mut sums, mut counts) = (vec![0.0; places * count], vec![1.0; places * count]);
    for (example, y) in clusters.chunks_exact(places).zip(&centred) {
        for (place, c) in example.iter().enumerate() {
            sums[place * count + *c as usize] += y;
            counts[place * count + *c as usize] += 1.0;
        }
    }
    let means: Vec<f64> = sums.iter().zip(&counts).map(|(sum, n)| sum / n).collect();
    let mut weights = vec![1.0; places];
    // From all ones where that points somewhere, else from the place with the largest means.
    let mut values: Vec<f64> = vec![0.0; count];
    let square = |place: usize| means[place * count..][..count].iter().map(|m| m * m).sum::<f64>();
    let first = (0..places).max_by(|a, b| square(*a).total_cmp(&square(*b)))?;
    values.copy_from_slice(&means[first * count..][..count]);
    for _ in 0..TURNS {
        for (place, weight) in weights.iter_mut().enumerate() {
            *weight = means[place * count..][..count].iter().zip(&values).map(|(m, v)| m * v).sum();
        }
        let length = weights.iter().map(|w: &f64| w * w).sum::<f64>().sqrt().max(1e-12);
        weights.iter_mut().for_each(|w| *w /= length);
        for (c, value) in values.iter_mut().enumerate() {
            *value = (0..places).map(|place| weights[place] * means[place * count + c]).sum();
        }
    }
    let mut errors = vec![0.0; places];
    for _ in 0..TURNS / 3 {
        values = solve_values(clusters, count, places, &weights, &centred)?;
        (weights, errors) = solve_weights(clusters, places, &values, &centred)?;
    }
    let middle = middles(clusters, places, &values);
    let rest: f64 = clusters
        .chunks_exact(places)
        .zip(&centred)
        .map(|(example, y)| {
            let sum: f64 = (0..places).map(|l| weights[l] * (values[example[l] as usize] - middle[l])).sum();
            (y - sum).powi(2)
        })
        .sum();
    // What as many numbers explain by chance is taken off.
    let free = (total - count as f64 - places as f64).max(1.0);
    let explained = 1.0 - rest / free / (variance / (total - 1.0).max(1.0));
    errors.iter_mut().for_each(|error| *error = (*error * rest / free).sqrt());
    Some(Line { weights, errors, explained })
}

/// The mean value at each place.
fn middles(clusters: &[u32], places: usize, values: &[f64]) -> Vec<f64> {
    let mut middle = vec![0.0; places];
    for example in clusters.chunks_exact(places) {
        middle.iter_mut().zip(example).for_each(|(m, c)| *m += values[*c as usize]);
    }
    middle.iter_mut().for_each(|m| *m /= (clusters.len() / places).max(1) as f64);
    middle
}

/// Least squares for the values, weights being given.
fn solve_values(
    clusters: &[u32],
    count: usize,
    places: usize,
    weights: &[f64],
    answers: &[f64],
) -> Option<Vec<f64>> {
    let (mut normal, mut right) = (Mat::zeros(count, count), Mat::zeros(count, 1));
    for (example, y) in clusters.chunks_exact(places).zip(answers) {
        for (a, wa) in example.iter().zip(weights) {
            right[(*a as usize, 0)] += wa * y;
            for (b, wb) in example.iter().zip(weights) {
                normal[(*a as usize, *b as usize)] += wa * wb;
            }
        }
    }
    let ridge = 1e-3 * weights.iter().map(|w| w * w).sum::<f64>();
    (0..count).for_each(|c| normal[(c, c)] += ridge);
    let solved = Cholesky::of(&normal)?.solve(right);
    Some((0..count).map(|c| solved[(c, 0)]).collect())
}

/// Least squares for the weights, values being given; and the variance of each where that of the answers is 1.
fn solve_weights(
    clusters: &[u32],
    places: usize,
    values: &[f64],
    answers: &[f64],
) -> Option<(Vec<f64>, Vec<f64>)> {
    let middle = middles(clusters, places, values);
    let (mut normal, mut right) = (Mat::zeros(places, places), Mat::zeros(places, 1));
    for (example, y) in clusters.chunks_exact(places).zip(answers) {
        let row: Vec<f64> = example.iter().zip(&middle).map(|(c, m)| values[*c as usize] - m).collect();
        for (a, x) in row.iter().enumerate() {
            right[(a, 0)] += x * y;
            row.iter().enumerate().for_each(|(b, other)| normal[(a, b)] += x * other);
        }
    }
    (0..places).for_each(|l| normal[(l, l)] += 1e-9 * (1.0 + normal[(l, l)]));
    let factor = Cholesky::of(&normal)?;
    let solved = factor.solve(right);
    let mut unit = Mat::zeros(places, places);
    (0..places).for_each(|l| unit[(l, l)] = 1.0);
    let inverse = factor.solve(unit);
    Some(((0..places).map(|l| solved[(l, 0)]).collect(), (0..places).map(|l| inverse[(l, l)]).collect()))
}

struct Start<'a> {
    clusters: &'a [u32],
    count: usize,
    places: usize,
    codes: &'a [u32],
    answers: &'a [f64],
    numbers: &'a [i64],
}

impl Start<'_> {
    /// EM with these weights, on the first examples.
    fn refine(
        &self,
        weights: &[i64],
        offset: i64,
        span: i64,
        examples: usize,
        iterations: usize,
        emission: Option<Vec<f32>>,
    ) -> Option<Summed> {
        let symbols = span as usize + 1;
        let real: Vec<f64> = weights.iter().map(|w| *w as f64).collect();
        let emission = match emission {
            Some(emission) => emission,
            None => {
                let shifted: Vec<f64> = self.answers.iter().map(|y| y - offset as f64).collect();
                let values = solve_values(self.clusters, self.count, self.places, &real, &shifted)?;
                values.iter().flat_map(|value| near(*value, symbols)).collect()
            }
        };
        let relation = Relation::Sum {
            weights: weights.to_vec(),
            values: (0..=span).collect(),
            modulus: None,
            offset,
            answers: self.numbers.to_vec(),
            wrong: 0.05,
        };
        let count = self.codes.len().min(examples);
        let mut found = Summed { relation, emission, likelihood: f64::NEG_INFINITY };
        for _ in 0..iterations {
            let before = found.likelihood;
            found.turn(&self.clusters[..count * self.places], self.places, &self.codes[..count], self.count);
            if found.likelihood - before < 1e-4 {
                break;
            }
        }
        Some(found)
    }
}

impl Summed {
    /// From what is known of each cluster, for any relation.
    pub fn new(relation: Relation, emission: Vec<f32>) -> Summed {
        Summed { relation, emission, likelihood: f64::NEG_INFINITY }
    }

    /// One iteration of EM: the next emission, and the share of wrong answers.
    pub fn turn(&mut self, clusters: &[u32], places: usize, codes: &[u32], count: usize) {
        let (k, total) = (self.relation.symbols(), codes.len() as f64);
        let share = match &self.relation {
            Relation::Sum { wrong, answers, .. } => wrong / answers.len() as f64,
            Relation::Table { .. } => 0.0,
        };
        let block = |(examples, codes): (&[u32], &[u32])| {
            let (mut sums, mut logarithms, mut wrong) = (vec![0.0f64; count * k], 0.0, 0.0);
            let (mut readings, mut posterior) = (vec![0.0; places * k], vec![0.0; places * k]);
            for (example, code) in examples.chunks_exact(places).zip(codes) {
                for (reading, c) in readings.chunks_exact_mut(k).zip(example) {
                    reading.copy_from_slice(&self.emission[*c as usize * k..][..k]);
                }
                let logarithm = self.relation.posterior(&readings, *code, &mut posterior);
                logarithms += logarithm;
                wrong += (share / logarithm.exp()).min(1.0);
                for (row, c) in posterior.chunks_exact(k).zip(example) {
                    let sums = &mut sums[*c as usize * k..][..k];
                    sums.iter_mut().zip(row).for_each(|(sum, q)| *sum += f64::from(*q));
                }
            }
            (sums, logarithms, wrong)
        };
        let blocks = clusters.par_chunks(BLOCK * places).zip(codes.par_chunks(BLOCK));
        let found: Vec<(Vec<f64>, f64, f64)> = blocks.map(block).collect();
        let mut sums = vec![0.01; count * k];
        let (mut logarithms, mut doubted) = (0.0, 0.0);
        for (some, logarithm, wrong) in found {
            sums.iter_mut().zip(some).for_each(|(sum, x)| *sum += x);
            logarithms += logarithm;
            doubted += wrong;
        }
        for (row, sums) in self.emission.chunks_exact_mut(k).zip(sums.chunks_exact(k)) {
            let all: f64 = sums.iter().sum();
            row.iter_mut().zip(sums).for_each(|(a, sum)| *a = (sum / all) as f32);
        }
        self.likelihood = logarithms / total;
        if let Relation::Sum { wrong, .. } = &mut self.relation {
            *wrong = (doubted / total).clamp(1e-3, 0.5);
        }
    }
}

/// Probabilities of whole numbers near a number.
fn near(value: f64, symbols: usize) -> Vec<f32> {
    let value = value.clamp(0.0, symbols as f64 - 1.0);
    let row: Vec<f64> =
        (0..symbols).map(|i| (-(i as f64 - value).powi(2) / 0.8).exp() + 0.02 / symbols as f64).collect();
    let total: f64 = row.iter().sum();
    row.into_iter().map(|x| (x / total) as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::{Quiet, stream};
    use rand::RngExt;

    /// Three clusters for each digit, one of a hundred pictures in a wrong one.
    fn check(weights: &[i64], digits: u32, examples: usize) {
        let mut random = stream(3, "test", 0);
        let (mut clusters, mut sums) = (Vec::new(), Vec::new());
        for _ in 0..examples {
            let mut sum = 0;
            for weight in weights {
                let digit = random.random_range(0..digits);
                sum += weight * i64::from(digit);
                let seen =
                    if random.random_range(0..100) == 0 { random.random_range(0..digits) } else { digit };
                clusters.push(3 * seen + random.random_range(0..3));
            }
            sums.push(sum);
        }
        let mut numbers = sums.clone();
        numbers.sort_unstable();
        numbers.dedup();
        let codes: Vec<u32> = sums.iter().map(|sum| numbers.binary_search(sum).unwrap() as u32).collect();
        let count = 3 * digits as usize;
        let found = find(&clusters, count, weights.len(), &codes, &numbers, &Quiet).unwrap();
        let Relation::Sum { weights: of, .. } = &found.relation else { panic!() };
        assert_eq!(of, weights);
        let k = found.relation.symbols();
        let value = |c: usize| {
            let row = &found.emission[c * k..][..k];
            (0..k).max_by(|a, b| row[*a].total_cmp(&row[*b])).unwrap() as i64
        };
        let least = value(0);
        assert!(
            (0..count).all(|c| value(c) - least == c as i64 / 3),
            "{:?}",
            (0..count).map(value).collect::<Vec<_>>()
        );
    }

    #[test]
    fn sums_are_found_with_their_weights() {
        check(&[1, 1, 1], 6, 800);
        check(&[10, 1, 10, 1], 10, 1500);
        check(&[100, 10, 1], 10, 1500);
        check(&[1, 1, -1], 5, 800);
    }

    #[test]
    fn what_is_no_sum_is_none() {
        let mut random = stream(4, "test", 0);
        let clusters: Vec<u32> = (0..3000).map(|_| random.random_range(0..12)).collect();
        let codes: Vec<u32> = (0..1000).map(|_| random.random_range(0..9)).collect();
        assert!(find(&clusters, 12, 3, &codes, &(0..9).collect::<Vec<_>>(), &Quiet).is_none());
    }
}
