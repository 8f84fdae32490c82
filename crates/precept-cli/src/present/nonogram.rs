//! Results of nonograms in words and as JSON.

use std::io::Write;

use precept_logic::{RuleSet, evidence_line};
use precept_tasks::nonogram::{ASSUMED, BoardScore, Template};
use serde_json::{Value, json};

/// What is assumed, and the rules that were learned.
pub fn print_rules(out: &mut dyn Write, rules: &RuleSet) -> anyhow::Result<()> {
    writeln!(out, "Assumed:")?;
    for assumed in ASSUMED {
        writeln!(out, "  - {assumed}")?;
    }
    writeln!(out, "Learned:")?;
    for (template, rule) in Template::read(rules)?.iter().zip(rules.rules()) {
        match template.words() {
            Some(words) => writeln!(out, "  - {words}\n    {}", template.formula())?,
            None => writeln!(out, "  - {}", template.formula())?,
        }
        writeln!(out, "    {}", evidence_line(&rule.evidence))?;
    }
    if rules.is_empty() {
        writeln!(out, "  nothing")?;
    }
    Ok(())
}

/// The rules as JSON objects.
pub fn rules(rules: &RuleSet) -> anyhow::Result<Value> {
    let entry = |(template, rule): (&Template, &precept_logic::Rule)| {
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
