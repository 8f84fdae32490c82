//! Whether some literals avoid being true together beyond what every smaller part of them says.
//!
//! A pattern P of k literals splits the examples into 2^k cells. If parts of P hang together in whatever way, but P
//! as a whole adds nothing (no interaction of order k, in a log-linear model), the cells m with the same counts of
//! all parts satisfy
//! ```text
//! m_c = n_c + s_c d,    s_c = +1 if an even number of the literals of P is false in cell c, else -1
//! sum over c of  s_c ln m_c  =  0
//! ```
//! of which d is the only unknown. Where no example has all of P true, d is how often that was to be expected, and
//! ```text
//! evidence  =  sum over c of  n_c ln(n_c / m_c)
//! ```
//! is the likelihood ratio in nats.

use crate::Examples;
use crate::counting::Columns;
use preceptron_logic::Lit;

/// Halvings of the interval that d is in.
const HALVINGS: usize = 40;

/// How often a pattern that never occurs was to be expected, and what speaks against chance, in nats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interaction {
    pub(crate) expected: f64,
    pub(crate) nats: f64,
}

/// Looks at a pattern that no example has, in the examples that observe all of it; nothing if it was expected less
/// often than `least`.
pub(crate) fn interaction(
    pattern: &[Lit],
    columns: &Columns,
    examples: &Examples,
    least: f64,
) -> Option<Interaction> {
    let size = pattern.len();
    let mut cells = vec![0i64; 1 << size];
    let mut both = vec![u64::MAX; 1 << size];
    // How many examples have all literals of a set true...
    let literals: Vec<&[u64]> = pattern.iter().map(|&literal| columns.of(literal)).collect();
    let known: Vec<&[u64]> = pattern.iter().filter_map(|literal| examples.known(literal.var())).collect();
    (0..examples.words()).for_each(|word| {
        both[0] = known.iter().fold(examples.mask(word), |all, known| all & known[word]);
        cells[0] += i64::from(both[0].count_ones());
        for set in 1usize..1 << size {
            both[set] = literals[set.trailing_zeros() as usize][word] & both[set & (set - 1)];
            cells[set] += i64::from(both[set].count_ones());
        }
    });
    // ... and these and no others.
    for bit in 0..size {
        for set in (0..1 << size).filter(|set| set >> bit & 1 == 0) {
            cells[set] -= cells[set | 1 << bit];
        }
    }
    solve(&cells, least)
}

/// From the counts of the cells, by the set of literals that are true.
fn solve(cells: &[i64], least: f64) -> Option<Interaction> {
    let all = cells.len() - 1;
    let signed: Vec<(f64, f64)> = cells
        .iter()
        .enumerate()
        .map(|(set, &count)| {
            (if (all & !set).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 }, count as f64)
        })
        .collect();
    let most = signed.iter().filter(|(sign, _)| *sign < 0.0).map(|(_, n)| *n).fold(f64::INFINITY, f64::min);
    if most <= least {
        return None;
    }
    // Rises with d, from minus infinity at 0 to infinity at the least of the odd cells.
    let balance = |d: f64| signed.iter().map(|(sign, n)| sign * (n + sign * d).max(1e-300).ln()).sum::<f64>();
    if least > 0.0 && balance(least) >= 0.0 {
        return None;
    }
    let (mut low, mut high) = (least.max(0.0), most);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if balance(middle) < 0.0 { low = middle } else { high = middle }
    }
    let nats = signed
        .iter()
        .filter(|(_, n)| *n > 0.0)
        .map(|(sign, n)| n * (n / (n + sign * low).max(1e-300)).ln())
        .sum();
    Some(Interaction { expected: low, nats })
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::Var;

    #[test]
    fn of_two_literals_it_is_independence() {
        // 40 examples, a in 10, b in 20, never both: independence expects 5.
        let rows: Vec<[bool; 2]> = (0..40).map(|r| [r < 10, r >= 20]).collect();
        let examples = Examples::from_full_rows(2, &rows);
        let columns = Columns::new(&examples);
        let found = interaction(&[Var(0).positive(), Var(1).positive()], &columns, &examples, 0.0).unwrap();
        assert!((found.expected - 5.0).abs() < 1e-6);
        // The likelihood ratio of cells 0, 10, 20, 10 against 5, 5, 15, 15.
        let nats = 10.0 * 2f64.ln() + 20.0 * (20.0f64 / 15.0).ln() + 10.0 * (10.0f64 / 15.0).ln();
        assert!((found.nats - nats).abs() < 1e-6, "{found:?}");
        assert_eq!(interaction(&[Var(0).positive(), Var(1).positive()], &columns, &examples, 6.0), None);
        // Examples that show one of the two only say nothing.
        let mut partly: Vec<Vec<Option<bool>>> = rows.iter().map(|row| row.map(Some).to_vec()).collect();
        partly.extend((0..30).map(|r| vec![Some(r % 2 == 0), None]));
        let examples = Examples::from_rows(2, &partly);
        let columns = Columns::new(&examples);
        assert_eq!(
            interaction(&[Var(0).positive(), Var(1).positive()], &columns, &examples, 0.0),
            Some(found)
        );
    }

    #[test]
    fn what_a_part_explains_is_no_interaction() {
        // a and b exclude each other: that c is never with both says nothing more.
        let rows: Vec<[bool; 3]> = (0..90).map(|r| [r % 3 == 0, r % 3 == 1, r % 2 == 0]).collect();
        let examples = Examples::from_full_rows(3, &rows);
        let pattern = [0, 1, 2].map(|v| Var(v).positive());
        assert_eq!(interaction(&pattern, &Columns::new(&examples), &examples, 1.0), None);
    }
}
