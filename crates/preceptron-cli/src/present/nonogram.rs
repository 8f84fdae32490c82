//! Results of nonograms in words and as JSON.

use std::io::Write;

use preceptron_logic::{Origin, RuleSet, evidence_line};
use preceptron_tasks::nonogram::{ASSUMED, BoardScore, Template};
use serde_json::{Value, json};

/// What is assumed, the rules that were learned, and those that were given.
pub fn print_rules(out: &mut dyn Write, rules: &RuleSet) -> anyhow::Result<()> {
    writeln!(out, "Assumed:")?;
    for assumed in ASSUMED {
        writeln!(out, "  - {assumed}")?;
    }
    let templates = Template::read(rules)?;
    let of_origin = |is_learned: bool| {
        let pairs = templates.iter().zip(rules.rules());
        pairs.filter(move |(_, rule)| matches!(rule.origin, Origin::Learned { .. }) == is_learned)
    };
    if of_origin(false).next().is_some() {
        writeln!(out, "Given, not learned:")?;
    }
    for (template, _) in of_origin(false) {
        writeln!(out, "  - {}", template.formula())?;
    }
    writeln!(out, "Learned:")?;
    for (template, rule) in of_origin(true) {
        match template.words() {
            Some(words) => writeln!(out, "  - {words}\n    {}", template.formula())?,
            None => writeln!(out, "  - {}", template.formula())?,
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
    let entry = |(template, rule): (&Template, &preceptron_logic::Rule)| {
        json!({
            "formula": template.formula(),
            "words": template.words(),
            "evidence": rule.evidence,
            "origin": rule.origin,
        })
    };
    let templates = Template::read(rules)?;
    Ok(json!({
        "assumed": ASSUMED,
        "learned": templates.iter().zip(rules.rules()).map(entry).collect::<Vec<_>>(),
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
