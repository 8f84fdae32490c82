//! Results of nonograms in words and as JSON.

use std::io::Write;

use preceptron_logic::{Origin, RelativeRule, RuleSet, evidence_line};
use preceptron_tasks::nonogram::{ASSUMED, BoardScore, formula, words};
use serde_json::{Value, json};

/// What is assumed, the rules that were learned, and those that were given.
pub fn print_rules(out: &mut dyn Write, rules: &RuleSet) -> anyhow::Result<()> {
    writeln!(out, "Assumed:")?;
    for assumed in ASSUMED {
        writeln!(out, "  - {assumed}")?;
    }
    let of_origin = |is_learned: bool| {
        let rules = rules.relative().iter();
        rules.filter(move |rule| matches!(rule.origin, Origin::Learned { .. }) == is_learned)
    };
    if of_origin(false).next().is_some() {
        writeln!(out, "Given, not learned:")?;
    }
    for rule in of_origin(false) {
        writeln!(out, "  - {}", formula(rule))?;
    }
    writeln!(out, "Learned:")?;
    for rule in of_origin(true) {
        match words(rule) {
            Some(words) => writeln!(out, "  - {words}\n    {}", formula(rule))?,
            None => writeln!(out, "  - {}", formula(rule))?,
        }
        if rule.evidence.examples > 0 {
            writeln!(out, "    {}", evidence_line(&rule.evidence))?;
        }
    }
    if of_origin(true).next().is_none() {
        writeln!(out, "  nothing")?;
    }
    Ok(())
}

/// The rules as JSON objects.
pub fn rules(rules: &RuleSet) -> anyhow::Result<Value> {
    let entry = |rule: &RelativeRule| {
        json!({
            "formula": formula(rule),
            "words": words(rule),
            "evidence": rule.evidence,
            "origin": rule.origin,
        })
    };
    Ok(json!({
        "assumed": ASSUMED,
        "learned": rules.relative().iter().map(entry).collect::<Vec<_>>(),
    }))
}

/// A score in a sentence.
pub fn score_line(score: &BoardScore) -> String {
    let BoardScore { boards, right, several, wrong, none } = score;
    let mut line = format!("{right} of {boards} boards solved");
    let rest = [
        (several, "left with several pictures"),
        (wrong, "solved wrongly"),
        (none, "left without a picture"),
    ];
    for (count, what) in rest.into_iter().filter(|(count, _)| **count > 0) {
        line += &format!("; {count} {what}");
    }
    line
}
