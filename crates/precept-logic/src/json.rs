//! Rule sets as JSON, with a version, read and written without loss.
//!
//! Literals are signed numbers as in DIMACS: variable 1 is the first name, a minus is a negation.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::{Constraint, Evidence, Lit, Origin, Rule, RuleSet, Sums, Var, Variables};

/// The version that this library writes, and the newest that it reads.
pub const VERSION: u32 = 1;
const FORMAT: &str = "precept rules";

/// Why a text is not a rule set.
#[derive(Debug, thiserror::Error)]
pub enum JsonError {
    /// Not JSON, or not with these fields.
    #[error("not a rule set: {0}")]
    Syntax(#[from] serde_json::Error),
    /// JSON of another kind.
    #[error("the field \"format\" is {found:?}; a rule set says \"precept rules\"")]
    Format {
        /// What the field says.
        found: String,
    },
    /// A version from the future.
    #[error("version {found} of the rule file format; this program reads up to {newest}", newest = VERSION)]
    Version {
        /// The file's version.
        found: u32,
    },
    /// A rule that cannot be.
    #[error("rule {number}: {problem}")]
    Rule {
        /// The rule's number in the file, from 1.
        number: usize,
        /// What is wrong.
        problem: String,
    },
}

#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u32,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    notes: BTreeMap<String, String>,
    variables: Variables,
    rules: Vec<WrittenRule>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(default)]
    format: String,
    #[serde(default)]
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct WrittenRule {
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gate: Option<i64>,
    literals: Vec<i64>,
    sums: WrittenSums,
    #[serde(default)]
    origin: Origin,
    #[serde(default)]
    evidence: Evidence,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WrittenSums {
    Range(u32, u32),
    Set(Vec<u32>),
}

/// The rule set as JSON text, ending in a line break.
pub fn write(rules: &RuleSet) -> String {
    let file = File {
        format: FORMAT.to_owned(),
        version: VERSION,
        notes: rules.notes.clone(),
        variables: rules.variables().clone(),
        rules: rules
            .rules()
            .iter()
            .map(|rule| WrittenRule {
                id: rule.id().to_string(),
                gate: rule.constraint.gate().map(Lit::dimacs),
                literals: rule.constraint.literals().iter().map(|l| l.dimacs()).collect(),
                sums: match rule.constraint.sums() {
                    Sums::Range { min, max } => WrittenSums::Range(*min, *max),
                    Sums::Set(values) => WrittenSums::Set(values.clone()),
                },
                origin: rule.origin.clone(),
                evidence: rule.evidence,
            })
            .collect(),
    };
    let mut text =
        serde_json::to_string_pretty(&file).expect("a rule set has only values that JSON can hold");
    text.push('\n');
    text
}

/// Reads what [`write`] wrote.
pub fn read(text: &str) -> Result<RuleSet, JsonError> {
    let header: Header = serde_json::from_str(text)?;
    if header.format != FORMAT {
        return Err(JsonError::Format { found: header.format });
    }
    if header.version > VERSION {
        return Err(JsonError::Version { found: header.version });
    }
    let file: File = serde_json::from_str(text)?;
    let count = file.variables.len();
    let mut set = RuleSet::new(file.variables);
    set.notes = file.notes;
    for (index, written) in file.rules.into_iter().enumerate() {
        let wrong = |problem: String| JsonError::Rule { number: index + 1, problem };
        let literal = |number: i64| match number.unsigned_abs() {
            n if n >= 1 && n <= count as u64 => Ok(Lit::new(Var((n - 1) as u32), number < 0)),
            _ => Err(wrong(format!("{number} is no literal over {count} variables"))),
        };
        let mut literals = written.literals.iter().map(|n| literal(*n)).collect::<Result<Vec<_>, _>>()?;
        literals.sort_unstable();
        if let Some(twice) = literals.windows(2).find(|w| w[0] == w[1]) {
            return Err(wrong(format!("literal {} is counted twice", twice[0].dimacs())));
        }
        let sums = match written.sums {
            WrittenSums::Range(min, max) => Sums::range(min, max),
            WrittenSums::Set(values) => Sums::set(values),
        };
        let mut constraint = Constraint::new(literals, sums);
        if let Some(gate) = written.gate {
            constraint = constraint.gated(literal(gate)?);
        }
        let id = constraint.id().to_string();
        if written.id != id {
            return Err(wrong(format!(
                "its id is {:?}, but its content has the id {id:?}: edited by hand?",
                written.id
            )));
        }
        set.insert(Rule { constraint, evidence: written.evidence, origin: written.origin });
    }
    Ok(set)
}
