//! What a sign says, learned from all signs at once, and put back on every place of a board.
//!
//! Over two cells that hold one digit each, any rule at all is a list of pairs of digits that do not occur.
//! The general learner finds rules in the table of [`signed_pairs`](super::signed_pairs); the pairs that they
//! forbid are then written in one way: a digit that goes with none of the other cell's is forbidden there by
//! itself, and the pairs that are left are forbidden as pairs.
//!
//! Rows of one board are not independent. Two signs at one corner whose lesser cell is the same, or whose
//! greater one is, would show a forbidden pair together more often than independent rows; others on a board
//! exclude each other. So twice the evidence is asked for that independent rows would need.

use preceptron_base::Control;
use preceptron_learn::{Checked, Settings, learn_unjudged};
use preceptron_logic::{Constraint, Evidence, Lit, Origin, Rule, Var};

use super::{SignedPairs, cell_variable, sign_variables};

/// The name of this finder.
pub(super) const FINDER: &str = "counting over all signs";

/// How much more evidence is asked for than independent rows would need.
const DEPENDENCE: f64 = 2.0;

/// Digits that never stand on the two sides of a sign; where a side is left out, any digit of it.
#[derive(Clone, Debug, PartialEq)]
pub struct PairRule {
    /// The digit of the lesser cell.
    pub first: Option<usize>,
    /// The digit of the greater cell.
    pub second: Option<usize>,
    /// What the boards say of it.
    pub evidence: Evidence,
}

impl PairRule {
    /// The rule in words.
    pub fn words(&self) -> String {
        match (self.first, self.second) {
            (Some(first), Some(second)) => {
                format!("never {first} at its point with {second} at its open side")
            }
            (Some(first), None) => format!("never {first} at its point"),
            (None, Some(second)) => format!("never {second} at its open side"),
            (None, None) => "no sign at all".to_owned(),
        }
    }
}

/// Learns what a sign says. The threshold, the false-alarm probability and the seed of the settings count.
pub fn learn_pair_rules(pairs: &SignedPairs, settings: &Checked, control: &dyn Control) -> Vec<PairRule> {
    if pairs.board.is_empty() {
        return vec![];
    }
    // The candidates are pairs of literals, so many that independent rows would need this evidence.
    let columns = 2.0 * pairs.side as f64;
    let candidates = (columns * (columns - 1.0) * 2.0).ln();
    let needed = DEPENDENCE * (candidates - settings.false_alarm.ln());
    let settings = Settings {
        seed: settings.seed,
        threshold: settings.threshold,
        false_alarm: (candidates - needed).exp().max(1e-300),
        clause_literals: 2,
        least_squares: false,
        cliques: false,
        templates: false,
        parity: false,
        stability: false,
        ..Settings::default()
    };
    let settings = settings.check().expect("settings within their ranges");
    let learned = learn_unjudged(&pairs.variables, &pairs.examples, &settings, control);
    let is_learned = |rule: &&Rule| rule.origin != Origin::Encoding;
    let found: Vec<&Rule> = learned.rules().iter().filter(is_learned).collect();
    let allows = |first: usize, second: usize| {
        let value = |var: Var| var == pairs.first(first) || var == pairs.second(second);
        found.iter().all(|rule| rule.constraint.holds(value))
    };
    forbidden(pairs.side, allows)
        .into_iter()
        .map(|(first, second)| {
            let first_literal = first.map(|digit| pairs.first(digit).negative());
            let second_literal = second.map(|digit| pairs.second(digit).negative());
            let clause = Constraint::clause(first_literal.into_iter().chain(second_literal));
            PairRule { first, second, evidence: pairs.evidence(&clause) }
        })
        .collect()
}

/// The pairs of digits that are not allowed: whole digits first, then the pairs that these leave.
fn forbidden(side: usize, allows: impl Fn(usize, usize) -> bool) -> Vec<(Option<usize>, Option<usize>)> {
    let digits = || 1..=side;
    let first: Vec<usize> = digits().filter(|&d| digits().all(|e| !allows(d, e))).collect();
    let second: Vec<usize> = digits().filter(|&e| digits().all(|d| !allows(d, e))).collect();
    if first.len() == side {
        return vec![(None, None)];
    }
    let mut rules: Vec<(Option<usize>, Option<usize>)> = first.iter().map(|&d| (Some(d), None)).collect();
    rules.extend(second.iter().map(|&e| (None, Some(e))));
    for d in digits().filter(|d| !first.contains(d)) {
        let pairs = digits().filter(|e| !second.contains(e) && !allows(d, *e));
        rules.extend(pairs.map(|e| (Some(d), Some(e))));
    }
    rules
}

/// The rules on every place of a board: for each sign that could stand there, what it says if it does.
///
/// # Panics
/// If the side is not 4 to 7.
pub fn on_board(side: usize, rules: &[PairRule]) -> Vec<Rule> {
    let mut all = Vec::new();
    for rule in rules {
        for (sign, var) in sign_variables(side) {
            let not = |cell, digit: Option<usize>| digit.map(|d| cell_variable(side, cell, d).negative());
            let cells: Vec<Lit> = [not(sign.less, rule.first), not(sign.greater, rule.second)]
                .into_iter()
                .flatten()
                .chain([var.negative()])
                .collect();
            let origin = Origin::Learned { by: FINDER.to_owned() };
            all.push(Rule { constraint: Constraint::clause(cells), evidence: rule.evidence, origin });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Written in one way or as a table: the same pairs are allowed, and nothing is said twice.
        #[test]
        fn the_list_forbids_what_the_table_forbids(side in 4usize..=7, bits in any::<u64>(), more in any::<u64>()) {
            let allows = |d: usize, e: usize| (bits | more) >> ((d - 1) * side + e - 1) & 1 == 1;
            let rules = forbidden(side, allows);
            let breaks = |rule: &(Option<usize>, Option<usize>), d: usize, e: usize| {
                rule.0.is_none_or(|digit| digit == d) && rule.1.is_none_or(|digit| digit == e)
            };
            for d in 1..=side {
                for e in 1..=side {
                    prop_assert_eq!(rules.iter().all(|rule| !breaks(rule, d, e)), allows(d, e));
                }
            }
            let needless = |at: &usize| {
                let others = rules.iter().enumerate().filter(|(other, _)| other != at);
                (1..=side).all(|d| (1..=side).all(|e| {
                    !breaks(&rules[*at], d, e) || others.clone().any(|(_, rule)| breaks(rule, d, e))
                }))
            };
            prop_assert!(!(0..rules.len()).any(|at| needless(&at)));
        }
    }

    #[test]
    fn a_rule_is_put_on_every_place() {
        let rule = |first, second| PairRule { first, second, evidence: Evidence::default() };
        let board = on_board(4, &[rule(Some(3), Some(2)), rule(None, Some(1))]);
        assert_eq!(board.len(), 96);
        let variables = crate::futoshiki::variables(4);
        let text = preceptron_logic::sentence(&variables, &board[0].constraint);
        for part in ["less[row 1, column 1, towards right]", "digit 3", "cell[row 1, column 2, digit 2]"] {
            assert!(text.contains(part), "{text}");
        }
        assert_eq!(rule(Some(4), None).words(), "never 4 at its point");
    }
}
