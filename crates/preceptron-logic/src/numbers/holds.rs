//! Whether a row obeys a rule.

use super::{Claim, Monomial, NumberRule, Relation};

/// A sum of products, if all its columns are known.
fn value(expression: &[Monomial], numbers: &[Option<i64>]) -> Option<i128> {
    let mut sum = 0i128;
    for monomial in expression {
        let mut product = i128::from(monomial.coefficient);
        for column in &monomial.columns {
            product = product.checked_mul(i128::from(numbers[*column]?))?;
        }
        sum = sum.checked_add(product)?;
    }
    Some(sum)
}

/// Whether two of these are equal: known to be so, known not to be, or not known.
fn all_different(mut keys: Vec<i64>, is_all: bool) -> Option<bool> {
    keys.sort_unstable();
    match keys.windows(2).any(|two| two[0] == two[1]) {
        true => Some(false),
        false => is_all.then_some(true),
    }
}

impl Claim {
    /// Whether it is true of a row; nothing if that cannot be told from what is known.
    pub fn holds(&self, numbers: &[Option<i64>], words: &[Option<usize>]) -> Option<bool> {
        let known = |columns: &[usize]| -> (Vec<i64>, bool) {
            let known: Vec<i64> = columns.iter().filter_map(|column| numbers[*column]).collect();
            let is_all = known.len() == columns.len();
            (known, is_all)
        };
        match self {
            Claim::Linear { terms, relation, constant } => {
                let mut sum = 0i128;
                for (coefficient, column) in terms {
                    sum += i128::from(*coefficient) * i128::from(numbers[*column]?);
                }
                Some(match relation {
                    Relation::Equal => sum == i128::from(*constant),
                    Relation::AtMost => sum <= i128::from(*constant),
                })
            }
            Claim::Product { factors, column, constant } => {
                let mut product = 1i128;
                for column in factors {
                    product = product.checked_mul(i128::from(numbers[*column]?))?;
                }
                let of = match column {
                    None => 1,
                    Some(column) => i128::from(numbers[*column]?),
                };
                Some(product == i128::from(*constant) * of)
            }
            Claim::Ratio { first, second, times } => {
                let (a, b) = (i128::from(numbers[*first]?), i128::from(numbers[*second]?));
                let times = i128::from(*times);
                Some(a == times * b || b == times * a)
            }
            Claim::Distance { first, second, least, most } => {
                let distance = numbers[*first]?.abs_diff(numbers[*second]?) as i128;
                Some((i128::from(*least)..=i128::from(*most)).contains(&distance))
            }
            Claim::Apart { first, second, before, after } => {
                let (a, b) = (numbers[*first]?, numbers[*second]?);
                Some(a + before <= b || b + after <= a)
            }
            Claim::Distinct { columns, by, shift } => {
                let (known, is_all) = known(columns);
                all_different(known.iter().map(|x| (x + shift).div_euclid(*by)).collect(), is_all)
            }
            Claim::Differences { columns } => {
                let (known, is_all) = known(columns);
                let pairs = (0..known.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
                all_different(pairs.map(|(a, b)| (known[a] - known[b]).abs()).collect(), is_all)
            }
            Claim::Increasing { columns, step } => {
                let pairs = columns.windows(2).map(|two| Some((numbers[two[0]]?, numbers[two[1]]?)));
                let known: Vec<(i64, i64)> = pairs.flatten().collect();
                match known.iter().all(|(a, b)| a + step <= *b) {
                    false => Some(false),
                    true => (known.len() + 1 == columns.len()).then_some(true),
                }
            }
            Claim::Count { columns, value, least, most } => {
                let (known, _) = known(columns);
                let sure = known.iter().filter(|x| *x == value).count();
                let open = columns.len() - known.len();
                match (sure > *most || sure + open < *least, sure >= *least && sure + open <= *most) {
                    (true, _) => Some(false),
                    (false, true) => Some(true),
                    _ => None,
                }
            }
            Claim::Sign { category, expression, below, zero, above } => {
                let wanted = match value(expression, numbers)?.signum() {
                    -1 => below,
                    0 => zero,
                    _ => above,
                };
                Some((*wanted)? == words[*category]?)
            }
        }
    }
}

impl NumberRule {
    /// Whether a row obeys the rule; nothing if that cannot be told from what is known of it. Rows that the rule is
    /// not about obey it.
    pub fn holds(&self, numbers: &[Option<i64>], words: &[Option<usize>]) -> Option<bool> {
        match self.gate {
            None => self.claim.holds(numbers, words),
            Some(gate) => match words[gate.category] {
                None => self.claim.holds(numbers, words).filter(|holds| *holds),
                Some(label) if label != gate.label => Some(true),
                Some(_) => self.claim.holds(numbers, words),
            },
        }
    }
}
