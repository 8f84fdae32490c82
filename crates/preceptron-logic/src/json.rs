//! Rule sets as JSON, with a version, read and written without loss.
//!
//! Literals are signed numbers as in DIMACS: variable 1 is the first name, a minus is a negation. Version 2
//! has relative rules, and is written only where there are any.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::{Constraint, Evidence, Lit, Origin, RelativeRule, Rule, RuleSet, Sums, Var, Variables};

/// The newest version that this library writes and reads.
pub const VERSION: u32 = 2;
const FORMAT: &str = "precept rules";

/// Why a text is not a rule set.
#[derive(Debug, thiserror::Error)]
pub enum JsonError {
    /// Not JSON, or not with these fields.
    #[error("not a rule set: {}", one_line(.0))]
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

/// What is wrong in one line, though the word that it quotes may have several.
fn one_line(error: &serde_json::Error) -> String {
    error.to_string().replace(|c: char| c.is_control(), " ")
}

#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u32,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    notes: BTreeMap<String, String>,
    variables: Variables,
    rules: Vec<WrittenRule>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    relative: Vec<RelativeRule>,
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
    sums: Sums,
    #[serde(default)]
    origin: Origin,
    #[serde(default)]
    evidence: Evidence,
}

/// The rule set as JSON text, ending in a line break.
pub fn write(rules: &RuleSet) -> String {
    let file = File {
        format: FORMAT.to_owned(),
        version: if rules.relative().is_empty() { 1 } else { VERSION },
        notes: rules.notes.clone(),
        variables: rules.variables().clone(),
        rules: rules
            .rules()
            .iter()
            .map(|rule| WrittenRule {
                id: rule.id().to_string(),
                gate: rule.constraint.gate().map(Lit::dimacs),
                literals: rule.constraint.literals().iter().map(|l| l.dimacs()).collect(),
                sums: rule.constraint.sums().clone(),
                origin: rule.origin.clone(),
                evidence: rule.evidence,
            })
            .collect(),
        relative: rules.relative().to_vec(),
    };
    let mut text =
        serde_json::to_string_pretty(&file).expect("a rule set has only values that JSON can hold");
    text.push('\n');
    text
}

/// Reads what [`write()`] wrote.
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
        let mut constraint = Constraint::new(literals, written.sums);
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
    for rule in file.relative {
        set.insert_relative(rule);
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relative::tests::any_relative_rule;
    use proptest::prelude::*;

    fn any_rule() -> impl Strategy<Value = Rule> {
        let literals = prop::collection::btree_map(0..8u32, any::<bool>(), 1..8);
        let sums = prop_oneof![
            prop::collection::vec(0..8u32, 0..5).prop_map(Sums::set),
            (0..6u32, 0..8u32).prop_map(|(a, b)| Sums::range(a, b)),
        ];
        let gate = prop::option::of((0..8u32, any::<bool>()));
        let origin = prop_oneof![
            Just(Origin::Given),
            Just(Origin::Encoding),
            any::<String>().prop_map(|by| Origin::Learned { by }),
        ];
        let finite = any::<f64>().prop_filter("JSON has finite numbers only", |f| f.is_finite());
        let evidence = (any::<[u64; 5]>(), finite).prop_map(|(n, expected_violations)| Evidence {
            examples: n[0],
            satisfied: n[1],
            violated: n[2],
            undecided: n[3],
            situations: n[4],
            expected_violations,
        });
        (literals, sums, gate, origin, evidence).prop_map(|(literals, sums, gate, origin, evidence)| {
            let constraint = Constraint::new(literals.iter().map(|(&v, &n)| Lit::new(Var(v), n)), sums);
            let gated = gate.map(|(v, negated)| constraint.clone().gated(Lit::new(Var(v), negated)));
            Rule { constraint: gated.unwrap_or(constraint), evidence, origin }
        })
    }

    fn variables() -> Variables {
        let names =
            ["a", "not b", "c\"d", "é", "x[i 1, j red]", "x[i 2, j green]", "x[i 3, j red]", "y[i 1]"];
        let mut variables = Variables::from_names(names).unwrap();
        variables.derive("half", &"i / 2".parse().unwrap()).unwrap();
        variables.set_one_hot("x", "j").unwrap();
        variables
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            rules in prop::collection::vec(any_rule(), 0..8),
            relative in prop::collection::vec(any_relative_rule(), 0..4),
            notes in prop::collection::btree_map(any::<String>(), any::<String>(), 0..3),
        ) {
            let mut set = RuleSet::with_rules(variables(), rules);
            set.notes = notes;
            relative.into_iter().for_each(|rule| {
                set.insert_relative(rule);
            });
            let text = write(&set);
            let read = read(&text).unwrap();
            prop_assert_eq!(&read, &set);
            prop_assert_eq!(write(&read), text);
        }
    }

    #[test]
    fn the_file_is_as_it_was() {
        let constraint =
            Constraint::new([Var(0).positive(), Var(2).negative(), Var(4).positive()], Sums::set([0, 2]));
        let rule = Rule {
            evidence: Evidence { examples: 3, satisfied: 3, ..Evidence::default() },
            ..Rule::given(constraint.gated(Var(7).negative()))
        };
        insta::assert_snapshot!(write(&RuleSet::with_rules(variables(), [rule])), @r#"
        {
          "format": "precept rules",
          "version": 1,
          "variables": {
            "names": [
              "a",
              "not b",
              "c\"d",
              "é",
              "x[i 1, j red]",
              "x[i 2, j green]",
              "x[i 3, j red]",
              "y[i 1]"
            ],
            "derived": [
              {
                "axis": "half",
                "expression": "i / 2"
              }
            ],
            "one_hot": [
              {
                "block": "x",
                "axis": "j"
              }
            ]
          },
          "rules": [
            {
              "id": "78d4e40100a6",
              "gate": -8,
              "literals": [
                1,
                -3,
                5
              ],
              "sums": {
                "set": [
                  0,
                  2
                ]
              },
              "origin": "given",
              "evidence": {
                "examples": 3,
                "satisfied": 3,
                "violated": 0,
                "undecided": 0,
                "situations": 0,
                "expected_violations": 0.0
              }
            }
          ]
        }
        "#);
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let file = |version: u32, format: &str, rule: &str| {
            format!(
                r#"{{"format": "{format}", "version": {version}, "variables": {{"names": ["a", "b"]}}, "rules": [{rule}]}}"#
            )
        };
        let rule = |id: &str, literals: &str, gate: &str| {
            format!(
                r#"{{"id": "{id}", "literals": {literals}, "gate": {gate}, "sums": {{"range": [1, 1]}}}}"#
            )
        };
        let message = |text: &str| read(text).map(|rules| rules.len()).unwrap_err().to_string();
        let lines = [
            message("no JSON"),
            message("{}"),
            message(&file(1, "other", "")),
            message(&file(3, FORMAT, "")),
            message(&file(1, FORMAT, "{}")),
            message(&file(1, FORMAT, &rule("x", "[1, 3]", "null"))),
            message(&file(1, FORMAT, &rule("x", "[0]", "null"))),
            message(&file(1, FORMAT, &rule("x", "[-9223372036854775808]", "null"))),
            message(&file(1, FORMAT, &rule("x", "[1, 2, 1]", "null"))),
            message(&file(1, FORMAT, &rule("x", "[1]", "7"))),
            message(&file(1, FORMAT, &rule("x", "[1, 2]", "null"))),
            message(&file(1, FORMAT, "").replace("\"b\"", "\"a\"")),
            message(&file(1, FORMAT, &rule("x", "[1]", "7").replace("range", "ran\\nge"))),
        ];
        insta::assert_snapshot!(lines.join("\n"), @r#"
        not a rule set: expected ident at line 1 column 2
        the field "format" is ""; a rule set says "precept rules"
        the field "format" is "other"; a rule set says "precept rules"
        version 3 of the rule file format; this program reads up to 2
        not a rule set: missing field `id` at line 1 column 90
        rule 1: 3 is no literal over 2 variables
        rule 1: 0 is no literal over 2 variables
        rule 1: -9223372036854775808 is no literal over 2 variables
        rule 1: literal 1 is counted twice
        rule 1: 7 is no literal over 2 variables
        rule 1: its id is "x", but its content has the id "a60d5f92d2ef": edited by hand?
        not a rule set: the name "a" is given twice (variables 1 and 2) at line 1 column 76
        not a rule set: unknown variant `ran ge`, expected `range` or `set` at line 1 column 146
        "#);
    }

    #[test]
    fn a_later_version_is_told_even_if_its_fields_are_unknown() {
        let error = read(r#"{"format": "precept rules", "version": 9, "shape": []}"#).unwrap_err();
        assert!(matches!(error, JsonError::Version { found: 9 }));
    }
}
