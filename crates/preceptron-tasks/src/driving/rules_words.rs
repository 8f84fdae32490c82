//! Relative rules in words, with their evidence.

use preceptron_logic::{Constraint, Lit, RelativeRule, RuleSet, evidence_line, sentence};

use super::patches::{placed, relative};
use super::rules::on_patch;
use super::{Kind, LearnedRules, Preferences, patch_variables};

/// What was learned, a line for each rule: `if a cell is on the path: exactly 2 of: it is the start, ...`.
pub fn rules_in_words(learned: &LearnedRules) -> Vec<String> {
    rules_with_facts(&learned.rules, &rule_set_in_words(&learned.facts))
}

/// The same, with the facts of starts, ends and obstacles in words already.
pub fn rules_with_facts(rules: &RuleSet, facts: &[String]) -> Vec<String> {
    let mut lines = rule_set_in_words(rules);
    if !facts.is_empty() {
        lines.push("of starts, ends and obstacles alone (not used in planning):".to_owned());
        lines.extend(facts.iter().map(|line| format!("  {line}")));
    }
    lines.push("declared: rules hold in every orientation".to_owned());
    lines
}

/// What is wanted of paths that obey the rules, and whether it is declared or learned. `shown` is what
/// [`shown_shortest`](super::shown_shortest) says.
pub fn objective_in_words(shown: (usize, usize), preferences: Option<&Preferences>) -> [String; 2] {
    let (shortest, known) = shown;
    let length = format!(
        "declared: of all paths that obey the rules the shortest is wanted ({shortest} of {known} \
         demonstrations are as short as can be)"
    );
    let taste = match preferences {
        None => "declared: of equally short paths any will do".to_owned(),
        Some(preferences) => format!(
            "learned: which of equally short paths, from {} demonstrations ({} were planned as shown in the \
             last pass over them)",
            preferences.lessons, preferences.agreed
        ),
    };
    [length, taste]
}

/// Relative rules in words, with their evidence.
pub fn rule_set_in_words(rules: &RuleSet) -> Vec<String> {
    let line = |rule: &RelativeRule| {
        let evidence = evidence_line(&rule.evidence).replace("example", "cell");
        format!("{} ({evidence})", rule_in_words(rule))
    };
    rules.relative().iter().map(line).collect()
}

/// A relative rule in words.
pub fn rule_in_words(rule: &RelativeRule) -> String {
    match on_patch(std::slice::from_ref(rule)).as_ref().map(RuleSet::rules) {
        Some([near]) => in_words(&near.constraint),
        _ => rule.to_string(),
    }
}

/// A constraint over the variables of a patch in words.
fn in_words(constraint: &Constraint) -> String {
    if let Some(words) = implication(constraint) {
        return words;
    }
    match (constraint.gate(), constraint.sums().single()) {
        (Some(gate), Some(sum)) if is_here(gate) && constraint.negated_count() == 0 => {
            let parts = parts(constraint.literals());
            format!("if {}: exactly {sum} of: {}", about(gate, "a cell"), parts.join(", "))
        }
        _ => sentence(&patch_variables(), constraint),
    }
}

/// A clause of two literals, one of them in the middle: if this then that.
fn implication(constraint: &Constraint) -> Option<String> {
    let clause = constraint.as_clause()?;
    let [a, b] = clause[..] else { return None };
    // Said as "if something is there": the premise is a negated literal in the middle.
    let (head, then) = match (is_here(a) && a.is_negated(), is_here(b) && b.is_negated()) {
        // Of two exclusive ones, what is decided comes first.
        (true, true) if placed(a.var()).0.is_given() && !placed(b.var()).0.is_given() => (b, a),
        (true, _) => (a, b),
        (_, true) => (b, a),
        _ => return None,
    };
    Some(format!("if {} then {}", about(!head, "a cell"), about(then, "it")))
}

fn is_here(literal: Lit) -> bool {
    placed(literal.var()).1 == (0, 0)
}

/// `it is the start`; `the cell ahead 1, right 0 of it is on the path`.
fn about(literal: Lit, cell: &str) -> String {
    let (kind, (ahead, right)) = placed(literal.var());
    let subject = match (ahead, right) {
        (0, 0) => cell.to_owned(),
        _ => format!("the cell {ahead} ahead and {right} to the right of it"),
    };
    let is = if literal.is_negated() { "is not" } else { "is" };
    format!("{subject} {is} {}", predicate(kind))
}

fn predicate(kind: Kind) -> &'static str {
    match kind {
        Kind::Start => "the start",
        Kind::End => "the end",
        Kind::Path => "on the path",
        Kind::Obstacle => "an obstacle",
    }
}

/// Positive literals, all 8 neighbours of one kind as one part.
fn parts(literals: &[Lit]) -> Vec<String> {
    let mut parts = Vec::new();
    for kind in Kind::ALL {
        let here = relative(kind, (0, 0));
        let of_kind: Vec<Lit> = literals.iter().copied().filter(|l| placed(l.var()).0 == kind).collect();
        let (middle, around): (Vec<Lit>, Vec<Lit>) = of_kind.into_iter().partition(|l| l.var() == here);
        parts.extend(middle.iter().map(|literal| about(*literal, "it")));
        match around.len() {
            8 => parts.push(format!("each of its 8 neighbours is {}", predicate(kind))),
            _ => parts.extend(around.iter().map(|literal| about(*literal, "it"))),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driving::degree_rules;

    #[test]
    fn rules_of_paths() {
        let words: Vec<String> = degree_rules().relative().iter().map(rule_in_words).collect();
        assert_eq!(
            words,
            [
                "if a cell is on the path: exactly 2 of: it is the start, it is the end, \
                 each of its 8 neighbours is on the path",
                "if a cell is the start then it is on the path",
                "if a cell is the end then it is on the path",
                "if a cell is on the path then it is not an obstacle",
            ]
        );
    }

    #[test]
    fn what_is_wanted() {
        let [length, taste] = objective_in_words((9, 10), None);
        assert!(length.ends_with("the shortest is wanted (9 of 10 demonstrations are as short as can be)"));
        assert!(length.starts_with("declared: ") && taste.starts_with("declared: "));
        let preferences = Preferences::learn(&crate::driving::Grid::default(), &[], &Default::default());
        assert!(objective_in_words((0, 0), Some(&preferences))[1].starts_with("learned: "));
    }

    #[test]
    fn rules_of_other_shapes() {
        let here = |kind| relative(kind, (0, 0)).positive();
        let aside = |kind| relative(kind, (0, 1)).positive();
        let near = Constraint::clause([!here(Kind::Start), !aside(Kind::End)]);
        assert_eq!(
            in_words(&near),
            "if a cell is the start then the cell 0 ahead and 1 to the right of it is not the end"
        );
        let few = Constraint::exactly(1, [here(Kind::End), aside(Kind::Path)]).gated(here(Kind::Path));
        assert_eq!(
            in_words(&few),
            "if a cell is on the path: exactly 1 of: it is the end, \
             the cell 0 ahead and 1 to the right of it is on the path"
        );
        let range = Constraint::at_most(1, [here(Kind::End), aside(Kind::Path), aside(Kind::End)]);
        assert!(in_words(&range).starts_with("at most 1 of "));
    }
}
