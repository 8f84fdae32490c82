//! Rules on nonograms in words and as formulas, and what is assumed before any is learned.

use preceptron_logic::{Claim, Edge, RelativeRule, RelativeTerm, Select};

use super::line::{after, cell, clue, run};

/// What is not learned.
pub const ASSUMED: [&str; 4] = [
    "on a line that is seen, run j has started by place i if its first cell is at i or before, and has ended \
     before i if its last cell is before i",
    "a rule is the same at every place, for every run, on every line, for rows and for columns",
    "a rule is a clause of two literals on neighbouring runs and places, or a signed sum over all runs or all \
     places",
    "a clue is a unary number: as many units as it says",
];

/// If one then the other.
pub(super) fn implies(one: RelativeTerm, other: RelativeTerm) -> RelativeRule {
    RelativeRule::new(None, vec![one.not(), other], Claim::Any, Edge::Skip)
}

/// Whether the rule that runs do not touch is one of these.
pub fn is_no_touch_among(rules: &preceptron_logic::RuleSet) -> bool {
    rules.contains_relative(&no_touch())
}

/// Terms that add up to nothing, negated ones taken off.
pub(super) fn sum(terms: impl Into<Vec<RelativeTerm>>) -> RelativeRule {
    RelativeRule::new(None, terms.into(), Claim::Balance { min: Some(0), max: Some(0) }, Edge::Skip)
}

/// No run starts before the one before it has ended and left a gap.
pub fn no_touch() -> RelativeRule {
    implies(run("started", after(1), after(1)), run("ended", after(0), after(0)))
}

/// A run that has started, or ended, stays so.
pub(super) fn stays(block: &str) -> RelativeRule {
    implies(run(block, after(0), after(0)), run(block, after(0), after(1)))
}

/// A run that has ended had started a place before.
pub(super) fn ends_after_start() -> RelativeRule {
    implies(run("ended", after(0), after(1)), run("started", after(0), after(0)))
}

/// A cell is black where one more run has started than ended.
pub(super) fn black() -> RelativeRule {
    let all = |block| run(block, Select::Every, after(0));
    sum([cell(), all("started").not(), all("ended")])
}

/// A run is as long as its clue says.
pub(super) fn long() -> RelativeRule {
    let all = |block| run(block, after(0), Select::Every);
    sum([all("started").not(), all("ended"), clue()])
}

/// The rule as a formula: `if started[run j+1, place i+1], then ended[run j, place i]`.
pub fn formula(rule: &RelativeRule) -> String {
    match (&rule.claim, &rule.terms[..]) {
        (Claim::Any, [a, b]) if a.negated != b.negated => {
            let (one, other) = if a.negated { (a, b) } else { (b, a) };
            format!("if {}, then {}", name(one), name(other))
        }
        (Claim::Any, terms) => {
            let literal =
                |term: &RelativeTerm| format!("{}{}", if term.negated { "not " } else { "" }, name(term));
            terms.iter().map(literal).collect::<Vec<_>>().join(" or ")
        }
        (Claim::Balance { min: Some(least), max: Some(most) }, terms) if least == most => {
            let mut text = String::new();
            for (place, term) in terms.iter().enumerate() {
                text += match (place, term.negated) {
                    (0, false) => "",
                    (0, true) => "-",
                    (_, false) => " + ",
                    (_, true) => " - ",
                };
                text += &name(term);
            }
            format!("{text} = {least}")
        }
        _ => rule.to_string(),
    }
}

/// A term with the letters j for a run and i for a place: `started[run j+1, place every]`.
fn name(term: &RelativeTerm) -> String {
    let at = |(axis, select): &(String, Select)| {
        let letter = if axis == "run" { 'j' } else { 'i' };
        match select {
            Select::Offsets(offsets) => match offsets[..] {
                [0] => format!("{axis} {letter}"),
                [offset] => format!("{axis} {letter}{offset:+}"),
                _ => format!("{axis} {letter}+{offsets:?}"),
            },
            _ => format!("{axis} every"),
        }
    };
    format!("{}[{}]", term.block, term.at.iter().map(at).collect::<Vec<_>>().join(", "))
}

/// The rules of nonograms, with words for them. They name and judge what was learned; no learner sees them.
fn known() -> [(RelativeRule, &'static str); 6] {
    [
        (stays("started"), "a run that has started stays so"),
        (stays("ended"), "a run that has ended stays so"),
        (ends_after_start(), "a run that ends has started, and has a cell at the least"),
        (no_touch(), "a run does not start before the one before it has ended and left a gap"),
        (
            black(),
            "a cell is black if one more run has started by it than has ended before it, and only then",
        ),
        (long(), "a run is at as many places as its clue says"),
    ]
}

/// For each rule of nonograms, in words, whether it is among these.
pub fn known_among(rules: &preceptron_logic::RuleSet) -> Vec<(&'static str, bool)> {
    let found: Vec<&str> = rules.relative().iter().filter_map(words).collect();
    known().into_iter().map(|(_, words)| (words, found.contains(&words))).collect()
}

/// The rule in words, where there are words for it.
pub fn words(rule: &RelativeRule) -> Option<&'static str> {
    let flipped =
        RelativeRule { terms: rule.terms.iter().cloned().map(RelativeTerm::not).collect(), ..rule.clone() };
    let is = |known: &RelativeRule| {
        let is_sum = matches!(known.claim, Claim::Balance { .. });
        known.says_the_same(rule) || (is_sum && known.says_the_same(&flipped))
    };
    known().iter().find(|(known, _)| is(known)).map(|(_, words)| *words)
}
