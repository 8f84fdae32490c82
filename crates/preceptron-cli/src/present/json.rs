//! Results as JSON objects.

use preceptron_learn::{DropReason, Dropped, Learned, NearMiss, Table};
use preceptron_logic::{Lit, Rule, RuleSet, Var, Variables};
use serde_json::{Value, json};

use super::constraint_line;
use preceptron_logic::Family;

/// The rules as they stand in a file.
pub fn rules(set: &RuleSet) -> anyhow::Result<Value> {
    Ok(serde_json::from_str(&preceptron_logic::json::write(set))?)
}

/// The families, each with its line and the ids of its rules.
pub fn families(set: &RuleSet, families: &[Family]) -> Value {
    let entry = |family: &Family| {
        let ids: Vec<String> = family.members.iter().map(|&at| set.rules()[at].id().to_string()).collect();
        json!({ "line": family.to_string(), "rules": ids, "expected": family.expected, "missing": family.missing() })
    };
    families.iter().map(entry).collect()
}

/// Rules with their ids and sentences.
pub fn listed(variables: &Variables, rules: &[Rule]) -> Value {
    let entry = |rule: &Rule| {
        json!({
            "id": rule.id().to_string(),
            "sentence": constraint_line(variables, &rule.constraint),
            "evidence": rule.evidence,
            "origin": rule.origin,
        })
    };
    rules.iter().map(entry).collect()
}

/// How many candidates were dropped, by reason.
pub fn dropped_summary(dropped: &[Dropped]) -> Value {
    let count = |wanted: fn(&DropReason) -> bool| dropped.iter().filter(|d| wanted(&d.reason)).count();
    json!({
        "violated": count(|reason| matches!(reason, DropReason::Violated { .. })),
        "chance": count(|reason| matches!(reason, DropReason::Chance { .. })),
        "rare": count(|reason| matches!(reason, DropReason::Rare { .. })),
        "implied": count(|reason| matches!(reason, DropReason::Implied)),
    })
}

/// Everything there is to say about what was learned; the dropped candidates one by one only if wanted.
pub fn learned(
    source: &str,
    table: &Table,
    learned: &Learned,
    lifted: &[Family],
    all_dropped: bool,
) -> anyhow::Result<Value> {
    let variables = learned.rules.variables();
    let name = |var: Option<Var>| var.map(|var| variables.name(var).to_owned());
    let suspects: Vec<Value> = learned
        .suspects
        .iter()
        .map(|suspect| {
            let rule = learned.rules.rules().get(suspect.rule).map(|rule| rule.id().to_string());
            json!({
                "example": suspect.example + 1,
                "was": name(suspect.was),
                "mended": name(suspect.mended),
                "rule": rule,
                "mends": suspect.mends,
                "among": suspect.among,
            })
        })
        .collect();
    let mut object = json!({
        "table": {
            "file": source,
            "examples": table.examples.len(),
            "variables": table.variables.len(),
            "observed": table.examples.observed(),
            "notes": table.notes,
        },
        "threshold": learned.threshold,
        "wrong": learned.wrong,
        "suspects": suspects,
        "rules": rules(&learned.rules)?,
        "lifted": families(&learned.rules, lifted),
        "rank": learned.rules.rank(),
        "verdict": learned.verdict,
        "report": learned.report,
        "dropped": dropped_summary(&learned.dropped),
    });
    if !table.said.is_empty() {
        object["table"]["said"] = json!(table.said);
    }
    let names = |literals: &[Lit]| -> Vec<String> {
        literals.iter().map(|&literal| table.variables.literal(literal)).collect()
    };
    let near = |near: &NearMiss| json!({ "values": names(&near.literals), "expected": near.expected });
    object["verdict"]["near_misses"] = learned.verdict.near_misses.iter().map(near).collect();
    object["verdict"]["question"] = match &learned.verdict.question {
        Some(values) => json!({ "true": super::true_names(&table.variables, values) }),
        None => Value::Null,
    };
    if all_dropped {
        let entry = |dropped: &Dropped| {
            json!({
                "sentence": constraint_line(&table.variables, &dropped.constraint),
                "by": dropped.by,
                "reason": dropped.reason,
            })
        };
        object["dropped_candidates"] = learned.dropped.iter().map(entry).collect();
    }
    Ok(object)
}
