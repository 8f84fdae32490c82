//! What a missing rule could exclude, and the assignment to ask a person about.
//!
//! From S assignments drawn from the rules: a missed combination c ([`crate::coverage`]) is in a share s(c) of
//! them, so a rule that excludes it would exclude that much of what the rules allow,
//! ```text
//! q = max over missed c of at most 3 columns of s(c),          expected(c) = N s(c)
//! ```
//! and N examples like the samples would have shown it expected(c) times. The question is the drawn assignment
//! that is in no example and in which the most is unexpected: the sum of expected(c)^2 over the missed
//! combinations in it. (Squares, because many combinations that were hardly expected are no gap.)
//!
//! | symbol | here |
//! |---|---|
//! | S | [`SAMPLES`] |
//! | s(c) | `share` |

use std::collections::HashSet;

use preceptron_base::stream;
use preceptron_logic::{Constraint, Lit, RuleSet, Var};
use preceptron_reason::Sampler;
use rayon::prelude::*;

use crate::Examples;
use crate::coverage::Coverage;

/// Assignments that are drawn, from so many walks; sweeps before the first of a walk and between two.
const SAMPLES: usize = 1024;
const WALKS: usize = 16;
const SWEEPS: (usize, usize) = (20, 3);
/// With more variables than this nothing is drawn.
const VARIABLES: usize = 300;
/// Near misses that are told.
const TOLD: usize = 5;

/// A combination of values that the rules allow and no example has.
#[derive(Clone, Debug, PartialEq)]
pub struct NearMiss {
    /// The values, as literals that are all true.
    pub literals: Vec<Lit>,
    /// How many examples would have it if the rules were all there is.
    pub expected: f64,
}

/// What samples of the rules say.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Question {
    /// What a missing rule over three columns could exclude at the most, as a share of what the rules allow.
    pub(crate) excluded: Option<f64>,
    /// The missed combinations that were most to be expected.
    pub(crate) near: Vec<NearMiss>,
    /// An assignment that the rules allow, that no example is, and that is most suspicious.
    pub(crate) assignment: Option<Vec<bool>>,
}

/// Draws from the rules and looks at what was missed.
pub(crate) fn question(rules: &RuleSet, examples: &Examples, coverage: &Coverage, seed: u64) -> Question {
    let mut question = Question::default();
    let looked = coverage.sizes.len() >= 3.min(coverage.columns);
    if coverage.missed.is_empty() {
        question.excluded = (looked && !coverage.sizes.is_empty()).then_some(0.0);
        return question;
    }
    if examples.variables() > VARIABLES {
        return question;
    }
    let constraints: Vec<Constraint> = rules.constraints().cloned().collect();
    let sampler = Sampler::new(examples.variables(), &constraints, &[]);
    let walk = |number: usize| -> Option<Vec<Vec<bool>>> {
        let mut random = stream(seed, "assignments to ask about", number as u64);
        let start = sampler.start(&mut random)?;
        let mut walk = sampler.walk(start, random)?;
        (0..SWEEPS.0).for_each(|_| walk.sweep());
        let next = |_| {
            (0..SWEEPS.1).for_each(|_| walk.sweep());
            walk.values().to_vec()
        };
        Some((0..SAMPLES / WALKS).map(next).collect())
    };
    let walks: Option<Vec<_>> = (0..WALKS).into_par_iter().map(walk).collect();
    let Some(samples) = walks.map(|walks| walks.concat()) else { return question };
    let drawn = Examples::from_full_rows(examples.variables(), &samples);
    let has = |literals: &[Lit]| -> Vec<u64> {
        let word =
            |word: usize| literals.iter().fold(drawn.mask(word), |all, &l| all & drawn.true_word(l, word));
        (0..drawn.words()).map(word).collect()
    };
    let (mut greatest, mut scores) = (0.0f64, vec![0.0; samples.len()]);
    for literals in &coverage.missed {
        let column = has(literals);
        let share = f64::from(column.iter().map(|w| w.count_ones()).sum::<u32>()) / samples.len() as f64;
        // What no sample has may still be there, as often as three in as many samples.
        greatest =
            if literals.len() <= 3 { greatest.max(share.max(3.0 / samples.len() as f64)) } else { greatest };
        let expected = share * observing(examples, literals);
        for (at, score) in scores.iter_mut().enumerate() {
            if column[at / 64] >> (at % 64) & 1 == 1 {
                *score += expected * expected;
            }
        }
        question.near.push(NearMiss { literals: literals.clone(), expected });
    }
    question.near.sort_by(|a, b| b.expected.total_cmp(&a.expected).then_with(|| a.literals.cmp(&b.literals)));
    question.near.truncate(TOLD);
    question.excluded = looked.then_some(greatest);
    let row = |row: usize| -> Option<Vec<bool>> {
        (0..examples.variables() as u32).map(|v| examples.get(row, Var(v))).collect()
    };
    let seen: HashSet<Vec<bool>> = (0..examples.len()).filter_map(row).collect();
    let best = (0..samples.len())
        .filter(|&at| scores[at] > 0.0 && !seen.contains(&samples[at]))
        .max_by(|&a, &b| scores[a].total_cmp(&scores[b]).then_with(|| samples[b].cmp(&samples[a])));
    question.assignment = best.map(|at| samples[at].clone());
    question
}

/// How many examples observe all of these.
fn observing(examples: &Examples, literals: &[Lit]) -> f64 {
    let known: Vec<&[u64]> = literals.iter().filter_map(|l| examples.known(l.var())).collect();
    let all = |word: usize| known.iter().fold(examples.mask(word), |all, known| all & known[word]);
    f64::from((0..examples.words()).map(|word| all(word).count_ones()).sum::<u32>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::Quiet;
    use preceptron_logic::Variables;

    #[test]
    fn what_is_never_seen_is_asked_about() {
        // "Not both a and b" was not learned; all else occurs.
        let rules = RuleSet::new(Variables::from_names(["a", "b", "c", "d"]).unwrap());
        let rows: Vec<Vec<bool>> = (0..16u32)
            .map(|bits| (0..4).map(|v| bits >> v & 1 == 1).collect::<Vec<bool>>())
            .filter(|row| !(row[0] && row[1]))
            .collect();
        let examples = Examples::from_full_rows(4, &rows);
        let coverage = Coverage::of(&rules, &examples, &Quiet);
        let asked = question(&rules, &examples, &coverage, 0);
        let assignment = asked.assignment.unwrap();
        assert!(assignment[0] && assignment[1]);
        assert_eq!(asked.near[0].literals, [Var(0).positive(), Var(1).positive()]);
        assert!((asked.excluded.unwrap() - 0.25).abs() < 0.05);
    }

    #[test]
    fn where_nothing_is_missed_nothing_is_asked() {
        let rules = RuleSet::new(Variables::from_names(["a", "b", "c"]).unwrap());
        let rows: Vec<Vec<bool>> =
            (0..8u32).map(|bits| (0..3).map(|v| bits >> v & 1 == 1).collect()).collect();
        let examples = Examples::from_full_rows(3, &rows);
        let asked = question(&rules, &examples, &Coverage::of(&rules, &examples, &Quiet), 0);
        assert_eq!(asked, Question { excluded: Some(0.0), ..Question::default() });
    }
}
