//! Equations with small whole coefficients.
//!
//! `sum c_i x_i = k` in every row means that `sum c_i h_i = 0`, where `h_i` is a random sum over rows of the column's
//! differences from the first row, modulo a prime. Sums of one and two terms are looked up against each other, which
//! gives all equations of at most four columns; longer ones come from the null space of the columns. Of what holds, a
//! basis is kept: equations of few columns and small coefficients first, and one column against the rest before others.

use std::collections::HashMap;

use preceptron_base::stream;
use preceptron_logic::numbers::{Claim, Relation};
use rand::RngExt;

use crate::evidence::shuffles;
use crate::search::Search;

const PRIME: i128 = (1 << 61) - 1;
/// The largest coefficient of equations of up to three columns, of four, and of longer ones.
const COEFFICIENTS: [i64; 3] = [3, 2, 12];
/// The most columns of equations of four.
const MOST_COLUMNS: usize = 48;
/// The most equations that are looked at.
const MOST_FOUND: usize = 20_000;

/// Coefficients and columns.
pub(crate) type Terms = Vec<(i64, usize)>;

/// A vector space modulo a prime, by rows in echelon form.
pub(crate) struct Span {
    rows: Vec<(usize, Vec<i128>)>,
}

fn inverse(value: i128) -> i128 {
    let (mut result, mut base, mut power) = (1i128, value, PRIME - 2);
    while power > 0 {
        if power & 1 == 1 {
            result = result * base % PRIME;
        }
        base = base * base % PRIME;
        power >>= 1;
    }
    result
}

impl Span {
    pub fn new() -> Span {
        Span { rows: vec![] }
    }

    /// Adds a vector; false if it is in the space already.
    pub fn add(&mut self, mut vector: Vec<i128>) -> bool {
        vector.iter_mut().for_each(|value| *value = value.rem_euclid(PRIME));
        for (pivot, row) in &self.rows {
            let factor = vector[*pivot];
            if factor != 0 {
                vector
                    .iter_mut()
                    .zip(row)
                    .for_each(|(value, of)| *value = (*value + (PRIME - factor) * of) % PRIME);
            }
        }
        let Some(pivot) = vector.iter().position(|value| *value != 0) else { return false };
        let factor = inverse(vector[pivot]);
        vector.iter_mut().for_each(|value| *value = *value * factor % PRIME);
        self.rows.push((pivot, vector));
        true
    }

    pub fn add_terms(&mut self, terms: &[(i64, usize)], columns: usize) -> bool {
        let mut vector = vec![0; columns];
        terms.iter().for_each(|(coefficient, column)| vector[*column] = i128::from(*coefficient));
        self.add(vector)
    }
}

/// Finds equations of at most so many columns that hold in every row, and keeps a basis of them.
pub(crate) fn equations(search: &mut Search, most: usize) {
    let columns: Vec<usize> = (0..search.data.columns()).filter(|c| !search.data.is_constant(*c)).collect();
    let mut seen = std::collections::BTreeSet::new();
    let rows: Vec<Vec<i64>> = (search.data.rows.iter())
        .filter_map(|row| columns.iter().map(|column| row[*column]).collect::<Option<Vec<i64>>>())
        .collect();
    // Rows that are the same in all columns are one.
    let places: Vec<usize> = (0..rows.len()).filter(|row| seen.insert(&rows[*row])).collect();
    if places.len() < 4 || columns.len() < 2 {
        return;
    }
    let own: Vec<Vec<i64>> = places.iter().map(|row| rows[*row].clone()).collect();
    let hashes = hashes(&own, search.seed);
    let mut found = short(&hashes, columns.len(), most);
    if most > 4 {
        found.extend(long(&own));
    }
    found.retain(|terms| terms.len() <= most);
    let place = |(coefficient, column): &(i64, usize)| (*coefficient, columns[*column]);
    let mut found: Vec<Terms> = found.iter().map(|terms| terms.iter().map(place).collect()).collect();
    found.sort_by_cached_key(rank);
    found.dedup();
    let all = search.data.columns();
    let mut span = Span::new();
    for rule in &search.rules {
        match &rule.claim {
            Claim::Linear { terms, relation: Relation::Equal, .. } => {
                span.add_terms(terms, all);
            }
            // All different, and as many columns as numbers: their sum is that of the numbers.
            Claim::Distinct { columns, by: 1, .. } => {
                let least = columns.iter().map(|column| search.data.ranges[*column].0).min().unwrap_or(0);
                let most = columns.iter().map(|column| search.data.ranges[*column].1).max().unwrap_or(0);
                if most - least + 1 == columns.len() as i64 {
                    span.add_terms(&columns.iter().map(|column| (1, *column)).collect::<Vec<_>>(), all);
                }
            }
            _ => {}
        }
    }
    for columns in counted(search) {
        span.add_terms(&columns.iter().map(|column| (1, *column)).collect::<Vec<_>>(), all);
    }
    for mut terms in found {
        if search.is_over() {
            return;
        }
        let Some(first) = search.data.rows.iter().find_map(|row| sum(&terms, row)) else { continue };
        if terms.iter().filter(|term| term.0 > 0).count() * 2 < terms.len() {
            terms.iter_mut().for_each(|term| term.0 = -term.0);
        }
        let constant = search.data.rows.iter().find_map(|row| sum(&terms, row)).unwrap_or(first);
        let claim = Claim::Linear { terms: terms.clone(), relation: Relation::Equal, constant };
        let Some(count) = search.rows_of(std::slice::from_ref(&claim)) else { continue };
        let (evidence, needed) = (permuted(search, &terms), needed(search, &terms, columns.len()));
        if evidence >= needed && span.add_terms(&terms, all) {
            search.accept(vec![claim], None, count, evidence, needed);
        }
    }
}

/// Groups of columns whose values are all counted, or all but one, so that their sum is known.
fn counted(search: &Search) -> Vec<Vec<usize>> {
    let mut groups: Vec<(Vec<usize>, usize)> = Vec::new();
    for rule in &search.rules {
        if let Claim::Count { columns, least, most, .. } = &rule.claim
            && least == most
        {
            match groups.iter_mut().find(|group| group.0 == *columns) {
                Some(group) => group.1 += 1,
                None => groups.push((columns.clone(), 1)),
            }
        }
    }
    // Of the last value there are as many as are left.
    let values = |columns: &[usize]| {
        let cells = search.data.rows.iter().flat_map(|row| columns.iter().filter_map(|column| row[*column]));
        cells.collect::<std::collections::BTreeSet<i64>>().len()
    };
    groups.retain(|(columns, counted)| counted + 1 >= values(columns));
    groups.into_iter().map(|group| group.0).collect()
}

fn sum(terms: &[(i64, usize)], row: &[Option<i64>]) -> Option<i64> {
    terms.iter().map(|(coefficient, column)| Some(coefficient * row[*column]?)).sum()
}

/// What comes first: few columns, small coefficients, one column against the rest.
fn rank(terms: &Terms) -> (usize, i64, usize, Vec<(usize, i64)>) {
    let size: i64 = terms.iter().map(|(coefficient, _)| coefficient.abs()).sum();
    let positive = terms.iter().filter(|term| term.0 > 0).count();
    let lone = positive.min(terms.len() - positive);
    (
        terms.len(),
        size,
        lone.abs_diff(1),
        terms.iter().map(|(coefficient, column)| (*column, *coefficient)).collect(),
    )
}

/// By how many equations there are of this shape.
fn needed(search: &Search, terms: &Terms, columns: usize) -> f64 {
    let most = terms.iter().map(|(coefficient, _)| coefficient.abs()).max().unwrap_or(1) as f64;
    let ways = terms.len() as f64 * (2.0 * most).ln();
    let choices: f64 = (0..terms.len()).map(|at| ((columns - at) as f64 / (at + 1) as f64).ln()).sum();
    search.needed(1) + ways + choices
}

/// The least evidence of its columns, by shuffling one against the others. Where rows follow one another it is their
/// changes that are shuffled.
fn permuted(search: &Search, terms: &Terms) -> f64 {
    let columns: Vec<usize> = terms.iter().map(|term| term.1).collect();
    let mut seen = std::collections::BTreeSet::new();
    let is_serial = search.data.share(&columns) < 1.0;
    let rows: Vec<&Vec<Option<i64>>> = (search.data.rows.iter())
        .filter(|row| columns.iter().all(|column| row[*column].is_some()))
        .filter(|row| is_serial || seen.insert(*row))
        .collect();
    let values = |column: usize| -> Vec<i64> {
        let values: Vec<i64> = rows.iter().filter_map(|row| row[column]).collect();
        match is_serial {
            false => values,
            true => values.windows(2).map(|two| two[1] - two[0]).collect(),
        }
    };
    columns.iter().map(|column| shuffles(&values(*column))).fold(f64::INFINITY, f64::min)
}

/// A random sum over rows for each column.
fn hashes(rows: &[Vec<i64>], seed: u64) -> Vec<i128> {
    let mut random = stream(seed, "hashes of columns", 0);
    let mut hashes = vec![0i128; rows[0].len()];
    for row in &rows[1..] {
        let weight = i128::from(random.random_range(1..1u64 << 60));
        for (hash, (value, first)) in hashes.iter_mut().zip(row.iter().zip(&rows[0])) {
            *hash = (*hash + weight * i128::from(value - first)).rem_euclid(PRIME);
        }
    }
    hashes
}

/// Equations of two to four columns, by their hashes.
fn short(hashes: &[i128], columns: usize, longest: usize) -> Vec<Terms> {
    let [most, most_of_four, _] = COEFFICIENTS;
    let of = |terms: &[(i64, usize)]| {
        terms.iter().map(|(c, column)| i128::from(*c) * hashes[*column]).sum::<i128>().rem_euclid(PRIME)
    };
    let coefficients = |most: i64| (-most..=most).filter(|c| *c != 0);
    let mut found = Vec::new();
    let mut singles: HashMap<i128, Vec<(i64, usize)>> = HashMap::new();
    for column in 0..columns {
        for c in coefficients(most) {
            singles.entry(of(&[(c, column)])).or_default().push((c, column));
        }
    }
    let largest = if columns > MOST_COLUMNS { 1 } else { most };
    let mut pairs: HashMap<i128, Vec<[(i64, usize); 2]>> = HashMap::new();
    for first in 0..columns {
        for a in coefficients(largest) {
            for second in first + 1..columns {
                for b in coefficients(largest) {
                    let pair = [(a, first), (b, second)];
                    let hash = of(&pair);
                    if hash == 0 && a > 0 {
                        found.push(pair.to_vec());
                    }
                    let wanted = (PRIME - hash) % PRIME;
                    for single in singles.get(&wanted).into_iter().flatten() {
                        if a > 0 && single.1 > second && found.len() < MOST_FOUND {
                            found.push(vec![pair[0], pair[1], *single]);
                        }
                    }
                    if longest > 3
                        && columns <= MOST_COLUMNS
                        && a.abs() <= most_of_four
                        && b.abs() <= most_of_four
                    {
                        pairs.entry(hash).or_default().push(pair);
                    }
                }
            }
        }
    }
    // In the order of columns, whatever that of the map is.
    let mut of_four = Vec::new();
    for (hash, left) in &pairs {
        let Some(right) = pairs.get(&((PRIME - hash) % PRIME)) else { continue };
        for a in left.iter().filter(|pair| pair[0].0 > 0) {
            let others = right.iter().filter(|b| b[0].1 > a[1].1);
            of_four.extend(others.map(|b| vec![a[0], a[1], b[0], b[1]]));
        }
    }
    of_four.sort_by_cached_key(rank);
    of_four.truncate(MOST_FOUND);
    found.extend(of_four);
    found.retain(|terms| terms.iter().fold(0, |all, term| crate::evidence::gcd(all, term.0)) == 1);
    found
}

/// Equations of any number of columns: the null space of the columns, its numbers taken for small fractions. Each
/// column comes last once, so that equations that are one column against few others are among them.
fn long(rows: &[Vec<i64>]) -> Vec<Terms> {
    let columns = rows[0].len();
    // As many random rows as there are columns are enough.
    let mut random = stream(0, "sums of rows", 0);
    let mut mixed = vec![vec![0i128; columns]; columns + 4];
    for row in &rows[1..] {
        for of in &mut mixed {
            let weight = i128::from(random.random_range(1..1u64 << 60));
            for (sum, (value, first)) in of.iter_mut().zip(row.iter().zip(&rows[0])) {
                *sum = (*sum + weight * i128::from(value - first)).rem_euclid(PRIME);
            }
        }
    }
    let mut found: Vec<Terms> = Vec::new();
    for backwards in [false, true] {
        let order: Vec<usize> = if backwards { (0..columns).rev().collect() } else { (0..columns).collect() };
        found.extend(null_space(&mixed, &order));
    }
    shorten(&mut found, columns);
    found
}

/// The null space of rows by elimination, in an order of columns: one vector for each column that is no pivot.
fn null_space(rows: &[Vec<i128>], order: &[usize]) -> Vec<Terms> {
    let mut rows = rows.to_vec();
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    for &column in order {
        let done = pivots.len();
        let Some(at) = (done..rows.len()).find(|at| rows[*at][column] != 0) else { continue };
        rows.swap(done, at);
        let factor = inverse(rows[done][column]);
        rows[done].iter_mut().for_each(|value| *value = *value * factor % PRIME);
        let pivot = rows[done].clone();
        for (other, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if other != done && factor != 0 {
                row.iter_mut()
                    .zip(&pivot)
                    .for_each(|(value, of)| *value = (*value + (PRIME - factor) * of) % PRIME);
            }
        }
        pivots.push((done, column));
    }
    let free = order.iter().filter(|column| !pivots.iter().any(|(_, pivot)| pivot == *column));
    free.filter_map(|&column| {
        let mut terms: Vec<(i128, i64, usize)> = vec![(1, 1, column)];
        for &(row, pivot) in &pivots {
            let value = (PRIME - rows[row][column]) % PRIME;
            if value != 0 {
                let (above, below) = fraction(value)?;
                terms.push((above, below, pivot));
            }
        }
        let common =
            terms.iter().fold(1i64, |all, (_, below, _)| all / crate::evidence::gcd(all, *below) * below);
        let mut terms: Terms = terms
            .into_iter()
            .map(|(above, below, column)| (above as i64 * (common / below), column))
            .collect();
        terms.sort_by_key(|term| term.1);
        Some(terms)
    })
    .filter(|terms| terms.iter().all(|term| term.0.abs() <= 60))
    .collect()
}

/// A number modulo the prime as a small fraction.
fn fraction(value: i128) -> Option<(i128, i64)> {
    (1..=12i64).find_map(|below| {
        let above = value * i128::from(below) % PRIME;
        let above = if above > PRIME / 2 { above - PRIME } else { above };
        (above.abs() <= 60).then_some((above, below))
    })
}

/// Adds and subtracts vectors while that makes them shorter.
fn shorten(found: &mut Vec<Terms>, columns: usize) {
    const MOST: usize = 200;
    found.truncate(MOST);
    let mut dense: Vec<Vec<i64>> = (found.iter())
        .map(|terms| {
            let mut vector = vec![0; columns];
            terms.iter().for_each(|(coefficient, column)| vector[*column] = *coefficient);
            vector
        })
        .collect();
    let size = |vector: &[i64]| {
        let count = vector.iter().filter(|value| **value != 0).count() as i64;
        (count, vector.iter().map(|value| value.abs()).sum::<i64>())
    };
    for _ in 0..20 {
        let mut is_done = true;
        for a in 0..dense.len() {
            for b in 0..dense.len() {
                for factor in [-2, -1, 1, 2] {
                    if a == b {
                        continue;
                    }
                    let sum: Vec<i64> = dense[a].iter().zip(&dense[b]).map(|(x, y)| x + factor * y).collect();
                    let common = sum.iter().fold(0, |all, value| crate::evidence::gcd(all, *value));
                    if common == 0 {
                        continue;
                    }
                    let sum: Vec<i64> = sum.iter().map(|value| value / common).collect();
                    if size(&sum) < size(&dense[a]) {
                        dense[a] = sum;
                        is_done = false;
                    }
                }
            }
        }
        if is_done {
            break;
        }
    }
    *found = (dense.iter())
        .map(|vector| {
            let common = vector.iter().fold(0, |all, value| crate::evidence::gcd(all, *value)).max(1);
            let sign = vector.iter().find(|value| **value != 0).map_or(1, |value| value.signum());
            let terms = vector.iter().enumerate().filter(|(_, value)| **value != 0);
            terms.map(|(column, value)| (sign * value / common, column)).collect::<Terms>()
        })
        .filter(|terms| !terms.is_empty() && terms.iter().all(|term| term.0.abs() <= COEFFICIENTS[2]))
        .collect();
}

/// Products of columns that are constant or a column, ratios and distances that are constant.
pub(crate) fn products(search: &mut Search) {
    const MOST: usize = 40;
    let all = search.data.columns();
    let columns: Vec<usize> = (0..all).filter(|c| !search.data.is_constant(*c)).take(MOST).collect();
    let is_positive =
        |column: &usize| search.data.ranges[*column].0 >= 0 && search.data.ranges[*column].1 > 1;
    let positive: Vec<usize> = columns.iter().copied().filter(is_positive).collect();
    let mut claims = Vec::new();
    let mut looked_at = 0;
    let first = search.data.rows.iter().find(|row| row.iter().all(Option::is_some));
    let Some(first) = first.map(|row| row.iter().flatten().copied().collect::<Vec<i64>>()) else { return };
    for (at, &a) in columns.iter().enumerate() {
        for &b in &columns[at + 1..] {
            looked_at += 2;
            let distance = (first[a] - first[b]).abs();
            claims.push(Claim::Distance { first: a, second: b, least: distance, most: distance });
            let (low, high) = (first[a].min(first[b]), first[a].max(first[b]));
            if low > 0 && high % low == 0 && high > low {
                claims.push(Claim::Ratio { first: a, second: b, times: high / low });
            }
        }
    }
    for (at, &a) in positive.iter().enumerate() {
        for (next, &b) in positive.iter().enumerate().skip(at) {
            let Some(product) = first[a].checked_mul(first[b]) else { continue };
            looked_at += 1;
            if a != b {
                claims.push(Claim::Product { factors: vec![a, b], column: None, constant: product });
            }
            for &c in positive.iter().filter(|c| **c != a && **c != b && first[**c] == product) {
                claims.push(Claim::Product { factors: vec![a, b], column: Some(c), constant: 1 });
            }
            for &c in positive.iter().skip(next + 1).filter(|_| a != b) {
                looked_at += 1;
                let Some(product) = product.checked_mul(first[c]) else { continue };
                claims.push(Claim::Product { factors: vec![a, b, c], column: None, constant: product });
            }
        }
    }
    let needed = search.needed(looked_at);
    // Few rows tell that most of these are false.
    claims.retain(|claim| search.rows_of(std::slice::from_ref(claim)).is_some());
    for claim in claims {
        if search.is_over() {
            return;
        }
        let claims = vec![claim];
        let Some(rows) = search.rows_of(&claims) else { continue };
        let evidence = search.chance(&claims, rows);
        if evidence >= needed {
            search.accept(claims, None, rows, evidence, needed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_knows_what_follows() {
        let mut span = Span::new();
        assert!(span.add_terms(&[(1, 0), (-1, 1)], 3));
        assert!(span.add_terms(&[(1, 1), (2, 2)], 3));
        assert!(!span.add_terms(&[(1, 0), (2, 2)], 3));
        assert!(span.add_terms(&[(1, 0), (1, 2)], 3));
    }

    #[test]
    fn equations_of_many_columns_are_seen() {
        let rows: Vec<Vec<i64>> = (0..40)
            .map(|row: i64| {
                let mut x: Vec<i64> =
                    (0..6).map(|column| (row * (column + 3) * 7919 + column * 31) % 23).collect();
                x.push(x.iter().sum::<i64>() - x[2] * 3);
                x
            })
            .collect();
        let found = long(&rows);
        assert!(found.contains(&vec![(1, 0), (1, 1), (-2, 2), (1, 3), (1, 4), (1, 5), (-1, 6)]), "{found:?}");
    }
}
