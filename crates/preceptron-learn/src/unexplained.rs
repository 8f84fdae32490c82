//! Which variables take part in an equation that nobody has found yet, by local ranks.
//!
//! The anchored search looks for equations among an anchor a and the literals N(a) that are most
//! correlated with it. All equations among these k variables are known if
//! ```text
//! rank C_kk + rank of the known equations over these variables alone  >=  k
//! ```
//! with C_kk their covariance; the search from that anchor can then find nothing new, and is not made. This
//! holds however many variables there are and however few examples, as long as there are more than k.

use std::collections::BTreeMap;

use preceptron_logic::Constraint;

use crate::Moments;
use crate::linear_span::Span;

/// Pivots below this share of the greatest variance are rounding: second moments are whole numbers.
const ROUNDING: f64 = 1e-9;

/// The known equations, by the variables that they begin with.
pub(crate) struct Explained<'a> {
    by_first: BTreeMap<usize, Vec<&'a Constraint>>,
}

impl<'a> Explained<'a> {
    pub(crate) fn new(equations: impl IntoIterator<Item = &'a Constraint>) -> Explained<'a> {
        let mut by_first: BTreeMap<usize, Vec<&Constraint>> = BTreeMap::new();
        for equation in equations {
            if let Some(first) = equation.variables().map(|v| v.index()).min() {
                by_first.entry(first).or_default().push(equation);
            }
        }
        Explained { by_first }
    }

    /// Whether these variables satisfy an equation that the known ones over them alone do not imply.
    pub(crate) fn leaves_equations(&self, moments: &Moments, variables: &[usize]) -> bool {
        let mut sorted = variables.to_vec();
        sorted.sort_unstable();
        let mut span = Span::default();
        let within =
            |equation: &&&Constraint| equation.variables().all(|v| sorted.binary_search(&v.index()).is_ok());
        for equation in sorted.iter().filter_map(|v| self.by_first.get(v)).flatten().filter(within) {
            span.add(equation);
        }
        // Without a variable that each known equation determines, the rest must be independent.
        let free: Vec<usize> = sorted.iter().copied().filter(|&v| !span.determines(v)).collect();
        covariance_rank(moments, &free) < free.len()
    }
}

/// The rank of the covariance of these variables, by Cholesky's elimination without a change of order.
fn covariance_rank(moments: &Moments, variables: &[usize]) -> usize {
    let k = variables.len();
    let mut matrix = vec![0.0; k * k];
    for (at, &i) in variables.iter().enumerate() {
        let upper = matrix[at * k..][at..k].iter_mut().zip(&variables[at..]);
        upper.for_each(|(entry, &j)| *entry = moments.covariance(i, j));
    }
    let greatest = (0..k).map(|i| matrix[i * k + i]).fold(0.0, f64::max);
    let mut rank = 0;
    for i in 0..k {
        let pivot = matrix[i * k + i];
        if pivot <= ROUNDING * greatest {
            continue;
        }
        rank += 1;
        let (above, below) = matrix.split_at_mut((i + 1) * k);
        let top = &above[i * k..];
        // Only the upper half is kept up: by symmetry it has the factors too.
        for (row, r) in below.chunks_mut(k).zip(i + 1..) {
            let factor = top[r] / pivot;
            if factor != 0.0 {
                row[r..].iter_mut().zip(&top[r..]).for_each(|(a, b)| *a -= factor * b);
            }
        }
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Examples;
    use crate::data_rank::data_rank;
    use preceptron_logic::Var;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_rank_of_the_covariance_is_that_of_the_examples(
            seeds in prop::collection::vec(any::<u8>(), 1..150),
            tie in any::<bool>(),
        ) {
            let rows: Vec<Vec<bool>> = seeds
                .iter()
                .map(|seed| {
                    let mut row: Vec<bool> = (0..8).map(|v| seed >> v & 1 == 1).collect();
                    row[7] = if tie { !row[2] } else { row[7] };
                    row
                })
                .collect();
            let examples = Examples::from_full_rows(8, &rows);
            let moments = Moments::of(&examples);
            for variables in [(0..8).collect::<Vec<_>>(), vec![2, 7], vec![1, 4, 5]] {
                let rank = covariance_rank(&moments, &variables);
                prop_assert_eq!(Some(rank), data_rank(&examples, Some(&moments), &variables).rank);
            }
        }
    }

    #[test]
    fn an_equation_is_left_until_it_is_known() {
        let rows: Vec<Vec<bool>> = (0..64u32)
            .map(|seed| {
                let a = seed % 3;
                vec![a == 0, a == 1, a == 2, seed & 8 > 0, seed & 8 == 0, seed & 16 > 0]
            })
            .collect();
        let moments = Moments::of(&Examples::from_full_rows(6, &rows));
        let one = Constraint::exactly(1, [0, 1, 2].map(|v| Var(v).positive()));
        let other = Constraint::exactly(1, [3, 4].map(|v| Var(v).positive()));
        let all = [0, 1, 2, 3, 4, 5];
        assert!(Explained::new([]).leaves_equations(&moments, &all));
        assert!(Explained::new([&one]).leaves_equations(&moments, &all));
        assert!(!Explained::new([&one]).leaves_equations(&moments, &[5, 2, 1, 0]));
        assert!(!Explained::new([&one, &other]).leaves_equations(&moments, &all));
    }
}
