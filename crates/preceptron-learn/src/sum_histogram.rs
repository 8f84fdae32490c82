//! How the sums of a group of literals are distributed over the examples.
//!
//! The literals' columns are added with carry-save counters: digit `d` of the sums of 64 examples is one
//! word. A group of k literals costs about 2k word operations for 64 examples.

use preceptron_logic::{Constraint, Evidence, Lit, Sums};
use serde::{Deserialize, Serialize};

use crate::Examples;

/// Sums of 64 examples at once, as binary digits.
#[derive(Default)]
struct Counter {
    digits: Vec<u64>,
}

impl Counter {
    fn add(&mut self, mut carry: u64) {
        for digit in &mut self.digits {
            if carry == 0 {
                return;
            }
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
        if carry != 0 {
            self.digits.push(carry);
        }
    }

    /// The sums of both.
    fn plus(&self, other: &Counter) -> Counter {
        let mut sums = Counter { digits: self.digits.clone() };
        for (place, &digit) in other.digits.iter().enumerate() {
            let mut carry = digit;
            for at in place.. {
                if carry == 0 {
                    break;
                }
                if at >= sums.digits.len() {
                    sums.digits.resize(at + 1, 0);
                }
                (sums.digits[at], carry) = (sums.digits[at] ^ carry, sums.digits[at] & carry);
            }
        }
        sums
    }

    /// Of the examples in `mask`, the least and the greatest sum.
    fn extremes(&self, mask: u64) -> (u32, u32) {
        let (mut low, mut high, mut least, mut greatest) = (mask, mask, 0, 0);
        for (d, digit) in self.digits.iter().enumerate().rev() {
            match low & !digit {
                0 => least |= 1 << d,
                some => low = some,
            }
            match high & digit {
                0 => {}
                some => (high, greatest) = (some, greatest | 1 << d),
            }
        }
        (least, greatest)
    }

    /// The examples whose sum is above `value`.
    fn above(&self, value: u32) -> u64 {
        if value >> self.digits.len() != 0 {
            return 0;
        }
        let (mut equal, mut above) = (u64::MAX, 0);
        for (d, digit) in self.digits.iter().enumerate().rev() {
            if value >> d & 1 == 1 {
                equal &= digit;
            } else {
                above |= equal & digit;
                equal &= !digit;
            }
        }
        above
    }

    /// The examples whose sum is `value`.
    fn equal(&self, value: u32) -> u64 {
        if value >> self.digits.len() != 0 {
            return 0;
        }
        self.digits
            .iter()
            .enumerate()
            .fold(u64::MAX, |all, (d, digit)| all & if value >> d & 1 == 1 { *digit } else { !*digit })
    }
}

/// Calls `each` with, for 64 examples at a time, the word's position, the counter of literals observed to
/// be true, and the counter of literals not observed.
fn sweep(examples: &Examples, literals: &[Lit], mut each: impl FnMut(usize, &Counter, &Counter)) {
    let (mut sums, mut open) = (Counter::default(), Counter::default());
    for word in 0..examples.words() {
        sums.digits.clear();
        open.digits.clear();
        for &literal in literals {
            sums.add(examples.true_word(literal, word));
            if let Some(known) = examples.known(literal.var()) {
                open.add(examples.mask(word) & !known[word]);
            }
        }
        each(word, &sums, &open);
    }
}

/// How many fully observed examples have each sum, from 0 to the number of literals.
pub fn histogram(examples: &Examples, literals: &[Lit]) -> Vec<u64> {
    let mut counts = vec![0; literals.len() + 1];
    sweep(examples, literals, |word, sums, open| {
        let mut left = examples.mask(word) & open.equal(0);
        for (value, count) in counts.iter_mut().enumerate() {
            let here = left & sums.equal(value as u32);
            *count += u64::from(here.count_ones());
            left &= !here;
            if left == 0 {
                break;
            }
        }
    });
    counts
}

/// The least that any example's sum can be at most, and the greatest that any example's sum is at least;
/// nothing if there is no example.
///
/// Of examples that observe all the literals these are the least and the greatest sum. No example breaks a
/// bound from below that is no higher than the first, nor one from above that is no lower than the second.
pub fn extremes(examples: &Examples, literals: &[Lit]) -> Option<(u32, u32)> {
    let mut found: Option<(u32, u32)> = None;
    sweep(examples, literals, |word, sums, open| {
        let mask = examples.mask(word);
        if mask != 0 {
            let (mut least, greatest) = sums.extremes(mask);
            if open.extremes(mask).1 > 0 {
                least = sums.plus(open).extremes(mask).0;
            }
            found = Some(found.map_or((least, greatest), |(l, g)| (l.min(least), g.max(greatest))));
        }
    });
    found
}

/// The examples, 64 to a word, in which all literals are observed and their sum is above `value`.
pub fn above_sum(examples: &Examples, literals: &[Lit], value: u32) -> Vec<u64> {
    let mut column = vec![0; examples.words()];
    sweep(examples, literals, |word, sums, open| {
        column[word] = examples.mask(word) & open.equal(0) & sums.above(value);
    });
    column
}

/// The examples, 64 to a word, in which so many of the literals are seen to be true. Where some are not
/// observed the sum may be greater.
pub fn with_seen(examples: &Examples, literals: &[Lit], value: u32) -> Vec<u64> {
    let mut column = vec![0; examples.words()];
    sweep(examples, literals, |word, sums, _| {
        column[word] = examples.mask(word) & sums.equal(value);
    });
    column
}

/// What the examples say of a constraint, and the first example that violates it.
///
/// An example speaks if so much of it is observed that it could show a violation; it violates the
/// constraint if nothing that is not observed could mend it. Where a gate is not observed to be true the
/// constraint is not asked for.
pub fn evidence(examples: &Examples, constraint: &Constraint) -> (Evidence, Option<usize>) {
    let Speaking { speak, violated, first } = Speaking::of(examples, constraint);
    let evidence = Evidence {
        examples: speak,
        satisfied: speak - violated,
        violated,
        undecided: examples.len() as u64 - speak,
        situations: situations(examples, constraint),
        expected_violations: expected_violations(examples, constraint),
    };
    (evidence, first)
}

/// The examples that could show a violation of a constraint, and those that do.
pub(crate) struct Speaking {
    speak: u64,
    violated: u64,
    /// The first example that violates it.
    pub(crate) first: Option<usize>,
}

impl Speaking {
    pub(crate) fn of(examples: &Examples, constraint: &Constraint) -> Speaking {
        let Violations { speak, violated, rows } = Violations::of(examples, constraint, 1);
        Speaking { speak, violated, first: rows.first().copied() }
    }

    /// As [`Evidence::support`].
    pub(crate) fn support(&self) -> f64 {
        if self.speak == 0 { 1.0 } else { (self.speak - self.violated) as f64 / self.speak as f64 }
    }
}

/// How many examples could show a violation of a constraint, how many do, and the first of these.
pub(crate) struct Violations {
    pub(crate) speak: u64,
    pub(crate) violated: u64,
    /// Examples that violate it, the first ones.
    pub(crate) rows: Vec<usize>,
}

impl Violations {
    /// Those of examples, at most `wanted` of them by number.
    pub(crate) fn of(examples: &Examples, constraint: &Constraint, wanted: usize) -> Violations {
        let mut found = Violations { speak: 0, violated: 0, rows: vec![] };
        each_word(examples, constraint, |word, could, mut no| {
            found.speak += u64::from(could.count_ones());
            found.violated += u64::from(no.count_ones());
            while no != 0 && found.rows.len() < wanted {
                found.rows.push(word * 64 + no.trailing_zeros() as usize);
                no &= no - 1;
            }
        });
        found
    }
}

/// How often the literals of a constraint are true, and how many of them are not observed where it is asked for: all that
/// [`expected_violations`] needs. Those of several sets of examples add up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Spread {
    /// By literal: how many examples have it true, and how many observe it.
    ones: Vec<u64>,
    known: Vec<u64>,
    /// By number of literals that are not observed: examples that are asked.
    by_open: Vec<u64>,
    /// Whether some example does not observe everything.
    has_gaps: bool,
}

impl Spread {
    /// Adds the examples.
    pub(crate) fn add(&mut self, examples: &Examples, constraint: &Constraint) {
        let literals = constraint.literals();
        let ones = |column: &[u64]| column.iter().map(|w| u64::from(w.count_ones())).sum::<u64>();
        self.ones.resize(literals.len(), 0);
        self.known.resize(literals.len(), 0);
        self.by_open.resize(literals.len() + 1, 0);
        for (at, literal) in literals.iter().enumerate() {
            let known = examples.known(literal.var()).map_or(examples.len() as u64, ones);
            let positive = ones(examples.ones(literal.var()));
            self.ones[at] += if literal.is_negated() { known - positive } else { positive };
            self.known[at] += known;
        }
        if examples.is_complete() {
            self.by_open[0] += match constraint.gate() {
                Some(gate) => ones(&examples.true_column(gate)),
                None => examples.len() as u64,
            };
            return;
        }
        self.has_gaps = true;
        let by_open = &mut self.by_open;
        sweep(examples, literals, |word, _, open| {
            let asked = constraint.gate().map_or(u64::MAX, |gate| examples.true_word(gate, word));
            for (missing, count) in by_open.iter_mut().enumerate() {
                *count += u64::from((examples.mask(word) & asked & open.equal(missing as u32)).count_ones());
            }
        });
    }

    /// Adds those of other examples.
    pub(crate) fn merge(&mut self, other: &Spread) {
        for (mine, theirs) in [
            (&mut self.ones, &other.ones),
            (&mut self.known, &other.known),
            (&mut self.by_open, &other.by_open),
        ] {
            mine.resize(mine.len().max(theirs.len()), 0);
            mine.iter_mut().zip(theirs).for_each(|(a, b)| *a += b);
        }
        self.has_gaps |= other.has_gaps;
    }

    /// As [`expected_violations`].
    pub(crate) fn expected_violations(&self, constraint: &Constraint) -> f64 {
        let mean = |(ones, known): (&u64, &u64)| if *known == 0 { 0.5 } else { *ones as f64 / *known as f64 };
        let means: Vec<f64> = self.ones.iter().zip(&self.known).map(mean).collect();
        if !self.has_gaps {
            return self.by_open.first().map_or(0.0, |&asked| asked as f64)
                * (1.0 - chance_of(&means, constraint.sums()));
        }
        let average = means.iter().sum::<f64>() / means.len().max(1) as f64;
        let expected = |missing: usize| {
            let hopeless = Sums::set(hopeless_sums(constraint, missing as u32));
            chance_of(&vec![average; constraint.len() - missing], &hopeless)
        };
        let by_open = self.by_open.iter().enumerate().filter(|(_, count)| **count > 0);
        by_open.map(|(missing, count)| *count as f64 * expected(missing)).sum()
    }
}

/// Calls `found` for each word with the examples that could violate a constraint, and those that do.
fn each_word(examples: &Examples, constraint: &Constraint, mut found: impl FnMut(usize, u64, u64)) {
    let literals = constraint.literals();
    let count = literals.len() as u32;
    let hopeless: Vec<Vec<u32>> = (0..=count).map(|missing| hopeless_sums(constraint, missing)).collect();
    sweep(examples, literals, |word, sums, open| {
        let asked = constraint.gate().map_or(u64::MAX, |gate| examples.true_word(gate, word));
        let (mut could, mut no) = (0, 0);
        for (missing, hopeless) in hopeless.iter().enumerate().filter(|(_, sums)| !sums.is_empty()) {
            let these = examples.mask(word) & asked & open.equal(missing as u32);
            could |= these;
            if these != 0 {
                no |= these & hopeless.iter().fold(0, |all, &sum| all | sums.equal(sum));
            }
        }
        found(word, could, no);
    });
}

/// The examples that violate a constraint, whatever they do not show.
pub(crate) fn violated(examples: &Examples, constraint: &Constraint) -> Vec<u64> {
    let mut all = vec![0; examples.words()];
    each_word(examples, constraint, |word, _, no| all[word] = no);
    all
}

/// The sums of the observed literals that no values of `missing` others could mend.
fn hopeless_sums(constraint: &Constraint, missing: u32) -> Vec<u32> {
    let observed = constraint.len() as u32 - missing;
    (0..=observed).filter(|&sum| (sum..=sum + missing).all(|s| !constraint.sums().contains(s))).collect()
}

/// How many examples observe all the literals.
pub fn fully_observed(examples: &Examples, literals: &[Lit]) -> u64 {
    let mut count = 0;
    sweep(examples, literals, |word, _, open| {
        count += u64::from((examples.mask(word) & open.equal(0)).count_ones());
    });
    count
}

/// Different sets of the constraint's literals that are seen true in an example, of the examples that
/// observe any. (Beyond 64 literals they are told apart by a 64-bit hash.)
fn situations(examples: &Examples, constraint: &Constraint) -> u64 {
    let literals = constraint.literals();
    let mut seen: Vec<u64> = Vec::with_capacity(examples.len());
    let mut columns = vec![0; literals.len()];
    for word in 0..examples.words() {
        let mut known = 0;
        for (column, literal) in columns.iter_mut().zip(literals) {
            known |= examples.known(literal.var()).map_or(u64::MAX, |k| k[word]);
            *column = examples.true_word(*literal, word);
        }
        known &= examples.mask(word);
        while known != 0 {
            let bit = known.trailing_zeros();
            known &= known - 1;
            seen.push(columns.chunks(64).fold(0, |hash: u64, chunk| {
                let bits = chunk.iter().rev().fold(0, |bits, column| bits << 1 | (column >> bit & 1));
                hash.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29) ^ bits
            }));
        }
    }
    seen.sort_unstable();
    seen.dedup();
    seen.len() as u64
}

/// How many examples would be seen to violate the constraint if the variables were independent. Where
/// some literals are not observed, those that are count with the literals' average mean.
pub fn expected_violations(examples: &Examples, constraint: &Constraint) -> f64 {
    let mut spread = Spread::default();
    spread.add(examples, constraint);
    spread.expected_violations(constraint)
}

/// The share of examples, of those that observe it, in which each literal is true.
pub fn means(examples: &Examples, literals: &[Lit]) -> Vec<f64> {
    literals
        .iter()
        .map(|&literal| {
            let ones = |column: &[u64]| column.iter().map(|w| u64::from(w.count_ones())).sum::<u64>() as f64;
            let known = examples.known(literal.var()).map_or(examples.len() as f64, ones);
            let share = if known == 0.0 { 0.5 } else { ones(examples.ones(literal.var())) / known };
            if literal.is_negated() { 1.0 - share } else { share }
        })
        .collect()
}

/// The probability that the sum of independent literals with these means is one of `sums`.
pub fn chance_of(means: &[f64], sums: &Sums) -> f64 {
    let mut distribution = vec![1.0];
    for mean in means {
        let mut next = vec![0.0; distribution.len() + 1];
        for (sum, probability) in distribution.iter().enumerate() {
            next[sum] += probability * (1.0 - mean);
            next[sum + 1] += probability * mean;
        }
        distribution = next;
    }
    distribution.iter().enumerate().filter(|(sum, _)| sums.contains(*sum as u32)).map(|(_, p)| p).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::Var;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_row_by_row(
            rows in prop::collection::vec(prop::collection::vec(any::<Option<bool>>(), 5), 1..140),
            negated in prop::collection::vec(any::<bool>(), 4),
            min in 0u32..4, width in 0u32..3, gate in any::<Option<bool>>(),
        ) {
            let literals: Vec<Lit> = negated.iter().enumerate().map(|(v, n)| Lit::new(Var(v as u32), *n)).collect();
            let mut constraint = Constraint::new(literals, Sums::range(min, min + width));
            if let Some(negated) = gate {
                constraint = constraint.gated(Lit::new(Var(4), negated));
            }
            let examples = Examples::from_rows(5, &rows);
            let (found, first) = evidence(&examples, &constraint);
            let (mut speak, mut violated, mut first_plain) = (0, 0, None);
            for (number, row) in rows.iter().enumerate() {
                let value = |l: &Lit| row[l.var().index()].map(|v| l.holds(v));
                if constraint.gate().is_some_and(|g| value(&g) != Some(true)) {
                    continue;
                }
                let sum = constraint.literals().iter().filter(|l| value(l) == Some(true)).count() as u32;
                let open = constraint.literals().iter().filter(|l| value(l).is_none()).count() as u32;
                let possible: Vec<bool> = (sum..=sum + open).map(|s| constraint.sums().contains(s)).collect();
                let observed = constraint.len() as u32 - open;
                let could = (0..=observed).any(|s| (s..=s + open).all(|s| !constraint.sums().contains(s)));
                speak += u64::from(could);
                if possible.iter().all(|p| !p) {
                    violated += 1;
                    first_plain = first_plain.or(Some(number));
                }
            }
            prop_assert_eq!((found.examples, found.violated, first), (speak, violated, first_plain));
            prop_assert_eq!(found.satisfied + found.violated, found.examples);
            let counts = histogram(&examples, constraint.literals());
            for (value, count) in counts.iter().enumerate() {
                let plain = rows.iter().filter(|row| {
                    constraint.literals().iter().all(|l| row[l.var().index()].is_some())
                        && constraint.sum(|v| row[v.index()] == Some(true)) == value as u32
                }).count() as u64;
                prop_assert_eq!(*count, plain);
            }
            let seen = |row: &Vec<Option<bool>>, wanted: fn(Option<bool>) -> bool| {
                let value = |l: &Lit| row[l.var().index()].map(|v| l.holds(v));
                constraint.literals().iter().filter(|l| wanted(value(l))).count() as u32
            };
            let least = rows.iter().map(|row| seen(row, |value| value != Some(false))).min().unwrap();
            let greatest = rows.iter().map(|row| seen(row, |value| value == Some(true))).max().unwrap();
            prop_assert_eq!(extremes(&examples, constraint.literals()), Some((least, greatest)));
            let with: u32 =
                with_seen(&examples, constraint.literals(), min).iter().map(|word| word.count_ones()).sum();
            let plain = rows.iter().filter(|row| seen(row, |value| value == Some(true)) == min).count();
            prop_assert_eq!(with as usize, plain);
            let above: u32 =
                above_sum(&examples, constraint.literals(), min).iter().map(|word| word.count_ones()).sum();
            prop_assert_eq!(u64::from(above), counts.iter().skip(min as usize + 1).sum::<u64>());
        }
    }

    #[test]
    fn chance_is_the_binomial_for_equal_means() {
        let exact = chance_of(&[0.5; 4], &Sums::exactly(2));
        assert!((exact - 6.0 / 16.0).abs() < 1e-12);
    }
}
