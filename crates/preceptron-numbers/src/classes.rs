//! A column of words by the sign of an expression over columns of numbers.
//!
//! Simple expressions come first: a column against a constant, two columns against each other, a sum or a product
//! against a constant or a column, two products or two sums against each other. Those of one kind that all fit are in
//! doubt, and none is taken, unless they say the same of every row.

use preceptron_logic::numbers::{Claim, Monomial};

use crate::data::Numbers;
use crate::evidence::shuffles;
use crate::search::Search;

/// The most columns that are tried.
const MOST_COLUMNS: usize = 10;

/// Terms of an expression; whether a constant is to be found for it.
struct Draft {
    terms: Vec<(i64, Vec<usize>)>,
    has_cut: bool,
}

/// Kinds of expressions, simple ones first.
fn drafts(columns: &[usize]) -> Vec<Vec<Draft>> {
    let draft = |terms: &[(i64, &[usize])], has_cut| Draft {
        terms: terms.iter().map(|(coefficient, columns)| (*coefficient, columns.to_vec())).collect(),
        has_cut,
    };
    let mut kinds: Vec<Vec<Draft>> = (0..6).map(|_| vec![]).collect();
    let pairs: Vec<[usize; 2]> =
        columns.iter().enumerate().flat_map(|(at, &b)| columns[..at].iter().map(move |&a| [a, b])).collect();
    for &a in columns {
        kinds[0].push(draft(&[(1, &[a])], true));
    }
    for &[a, b] in &pairs {
        kinds[1].push(draft(&[(1, &[a]), (-1, &[b])], false));
        kinds[2].push(draft(&[(1, &[a]), (-1, &[b])], true));
        kinds[2].push(draft(&[(1, &[a]), (1, &[b])], true));
        kinds[3].push(draft(&[(1, &[a, b])], true));
        for &c in columns.iter().filter(|c| **c != a && **c != b) {
            kinds[3].push(draft(&[(1, &[a, b]), (-1, &[c])], false));
            kinds[3].push(draft(&[(1, &[a]), (1, &[b]), (-1, &[c])], false));
        }
        for &[c, d] in
            pairs.iter().filter(|other| **other > [a, b] && !other.contains(&a) && !other.contains(&b))
        {
            kinds[4].push(draft(&[(1, &[a, b]), (-1, &[c, d])], false));
            kinds[4].push(draft(&[(1, &[a]), (1, &[b]), (-1, &[c]), (-1, &[d])], false));
            kinds[5].push(draft(&[(1, &[a, b]), (1, &[c, d])], true));
        }
    }
    kinds
}

/// What an expression says of the rows with a word: the claim, and the sign of each row.
fn fitted(draft: &Draft, category: usize, rows: &[(&Vec<Option<i64>>, usize)]) -> Option<(Claim, Vec<i64>)> {
    let value = |row: &[Option<i64>]| -> Option<i64> {
        let mut sum = 0i64;
        for (coefficient, columns) in &draft.terms {
            let product =
                columns.iter().try_fold(*coefficient, |product, c| product.checked_mul(row[*c]?))?;
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    };
    let mut values: Vec<(i64, usize)> = Vec::with_capacity(rows.len());
    let mut seen: [Option<usize>; 3] = [None; 3];
    for (row, label) in rows {
        let value = value(row)?;
        if !draft.has_cut {
            let of = &mut seen[(value.signum() + 1) as usize];
            if of.is_some_and(|known| known != *label) {
                return None;
            }
            *of = Some(*label);
        }
        values.push((value, *label));
    }
    let mut expression: Vec<Monomial> = (draft.terms.iter())
        .map(|(coefficient, columns)| Monomial { coefficient: *coefficient, columns: columns.clone() })
        .collect();
    let mut cut = 0;
    if draft.has_cut {
        let lowest = values.iter().min()?.1;
        let highest_of_low =
            values.iter().filter(|(_, label)| *label == lowest).map(|(value, _)| *value).max()?;
        let above: Vec<&(i64, usize)> = values.iter().filter(|(value, _)| *value > highest_of_low).collect();
        let label = above.first()?.1;
        let is_cut = above.iter().all(|(_, other)| *other == label)
            && values.iter().all(|(value, other)| *value > highest_of_low || *other == lowest);
        if !is_cut || label == lowest {
            return None;
        }
        cut = highest_of_low;
        if cut != 0 {
            expression.push(Monomial { coefficient: -cut, columns: vec![] });
        }
        seen = [Some(lowest), Some(lowest), Some(label)];
    }
    let mut labels: Vec<usize> = seen.into_iter().flatten().collect();
    labels.sort_unstable();
    labels.dedup();
    if labels.len() < 2 {
        return None;
    }
    let signs = values.iter().map(|(value, _)| (value - cut).signum()).collect();
    let [below, zero, above] = seen;
    Some((Claim::Sign { category, expression, below, zero, above }, signs))
}

/// Finds classes by the sign of an expression.
pub(crate) fn classes(search: &mut Search, numbers: &Numbers) {
    let columns: Vec<usize> = (0..search.data.columns()).filter(|c| !search.data.is_constant(*c)).collect();
    if columns.len() > MOST_COLUMNS {
        return;
    }
    let kinds = drafts(&columns);
    let looked_at: usize = kinds.iter().map(Vec::len).sum();
    for (category, words) in numbers.words.iter().enumerate() {
        if words.labels.len() < 2 || words.labels.len() > 3 || search.is_over() {
            continue;
        }
        let rows: Vec<(&Vec<Option<i64>>, usize)> = (search.data.rows.iter().zip(&search.data.words))
            .filter_map(|(row, words)| Some((row, words[category]?)))
            .filter(|(row, _)| columns.iter().all(|column| row[*column].is_some()))
            .collect();
        let labels: Vec<i64> = rows.iter().map(|(_, label)| *label as i64).collect();
        let (evidence, needed) = (shuffles(&labels), search.needed(looked_at * numbers.words.len()));
        if evidence < needed {
            continue;
        }
        for kind in &kinds {
            let fits: Vec<(Claim, Vec<i64>)> =
                kind.iter().filter_map(|draft| fitted(draft, category, &rows)).collect();
            let Some((claim, signs)) = fits.first() else { continue };
            let is_sure = fits
                .iter()
                .all(|(_, other)| other == signs || other.iter().zip(signs).all(|(a, b)| *a == -b));
            if is_sure {
                let claims = vec![claim.clone()];
                if let Some(count) = search.rows_of(&claims) {
                    search.accept(claims, None, count, evidence, needed);
                }
            }
            break;
        }
    }
}
