//! Rule sets and problems as JSON, with a version, read and written without loss.
//!
//! Literals are signed numbers as in DIMACS: variable 1 is the first name, a minus is a negation. Version 2
//! has relative rules; version 3 has what a problem has beside rules (`linear`, `soft`, `objective` and
//! `cost_bound`); version 4 has rules of whole numbers (`numbers`). Each is written only where it is needed. A rule's `id` may be left out; if it is there, it must
//! be that of the rule's content.

mod parts;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::{Constraint, Evidence, Lit, Origin, Problem, RelativeRule, Rule, RuleSet, Sums, Var, Variables};
use parts::Parts;

/// The newest version that this library writes and reads.
pub const VERSION: u32 = 4;
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
    /// Something beside the rules that cannot be.
    #[error("{part}: {problem}")]
    Part {
        /// Which.
        part: String,
        /// What is wrong.
        problem: String,
    },
    /// Rules were asked for, and there is more.
    #[error("the file has {0} beside its rules, which are not for this")]
    More(&'static str),
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
    #[serde(flatten)]
    parts: Parts,
}

#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(default)]
    format: String,
    #[serde(default)]
    version: u32,
}

/// A constraint by itself.
#[derive(Serialize, Deserialize)]
struct WrittenConstraint {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gate: Option<i64>,
    literals: Vec<i64>,
    sums: Sums,
}

#[derive(Serialize, Deserialize)]
struct WrittenRule {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gate: Option<i64>,
    literals: Vec<i64>,
    sums: Sums,
    #[serde(default)]
    origin: Origin,
    #[serde(default)]
    evidence: Evidence,
}

/// Signed numbers as literals over so many variables.
#[derive(Clone, Copy)]
struct Literals {
    variables: usize,
}

impl Literals {
    fn read(self, number: i64) -> Result<Lit, String> {
        match number.unsigned_abs() {
            n if n >= 1 && n <= self.variables as u64 => Ok(Lit::new(Var((n - 1) as u32), number < 0)),
            _ => Err(format!("{number} is no literal over {} variables", self.variables)),
        }
    }

    fn terms(self, terms: &[(i64, i64)]) -> Result<Vec<(i64, Lit)>, String> {
        terms.iter().map(|&(coefficient, number)| Ok((coefficient, self.read(number)?))).collect()
    }
}

impl From<&Constraint> for WrittenConstraint {
    fn from(constraint: &Constraint) -> WrittenConstraint {
        WrittenConstraint {
            gate: constraint.gate().map(Lit::dimacs),
            literals: constraint.literals().iter().map(|l| l.dimacs()).collect(),
            sums: constraint.sums().clone(),
        }
    }
}

impl WrittenConstraint {
    fn read(&self, all: Literals) -> Result<Constraint, String> {
        let mut literals = self.literals.iter().map(|n| all.read(*n)).collect::<Result<Vec<_>, _>>()?;
        literals.sort_unstable();
        if let Some(twice) = literals.windows(2).find(|w| w[0] == w[1]) {
            return Err(format!("literal {} is counted twice", twice[0].dimacs()));
        }
        let constraint = Constraint::new(literals, self.sums.clone());
        Ok(match self.gate {
            Some(gate) => constraint.gated(all.read(gate)?),
            None => constraint,
        })
    }
}

/// The rule set as JSON text, ending in a line break.
pub fn write(rules: &RuleSet) -> String {
    write_with(rules, Parts::default())
}

/// The problem as JSON text, ending in a line break.
pub fn write_problem(problem: &Problem) -> String {
    write_with(&problem.rules, Parts::of(problem))
}

fn write_with(rules: &RuleSet, parts: Parts) -> String {
    let file = File {
        format: FORMAT.to_owned(),
        version: match (parts.first(), rules.relative()) {
            (Some(_), _) if parts.has_numbers() => 4,
            (Some(_), _) => 3,
            (None, []) => 1,
            (None, _) => 2,
        },
        notes: rules.notes.clone(),
        variables: rules.variables().clone(),
        rules: rules
            .rules()
            .iter()
            .map(|rule| {
                let WrittenConstraint { gate, literals, sums } = (&rule.constraint).into();
                let (origin, evidence) = (rule.origin.clone(), rule.evidence);
                WrittenRule { id: Some(rule.id().to_string()), gate, literals, sums, origin, evidence }
            })
            .collect(),
        relative: rules.relative().to_vec(),
        parts,
    };
    let mut text =
        serde_json::to_string_pretty(&file).expect("a rule set has only values that JSON can hold");
    text.push('\n');
    text
}

/// Reads what [`write()`] wrote.
///
/// # Errors
/// If it is no such text, or has more than rules.
pub fn read(text: &str) -> Result<RuleSet, JsonError> {
    let (rules, parts) = read_with(text)?;
    parts.first().map_or(Ok(rules), |what| Err(JsonError::More(what)))
}

/// Reads what [`write_problem`] or [`write()`] wrote.
///
/// # Errors
/// If it is no such text.
pub fn read_problem(text: &str) -> Result<Problem, JsonError> {
    let (rules, parts) = read_with(text)?;
    let literals = Literals { variables: rules.variables().len() };
    let mut problem = Problem::from(rules);
    let wrong = |(part, problem)| JsonError::Part { part, problem };
    parts.add_to(&mut problem, literals).map_err(wrong)?;
    Ok(problem)
}

fn read_with(text: &str) -> Result<(RuleSet, Parts), JsonError> {
    let header: Header = serde_json::from_str(text)?;
    if header.format != FORMAT {
        return Err(JsonError::Format { found: header.format });
    }
    if header.version > VERSION {
        return Err(JsonError::Version { found: header.version });
    }
    let file: File = serde_json::from_str(text)?;
    let literals = Literals { variables: file.variables.len() };
    let mut set = RuleSet::new(file.variables);
    set.notes = file.notes;
    for (index, written) in file.rules.into_iter().enumerate() {
        let wrong = |problem: String| JsonError::Rule { number: index + 1, problem };
        let WrittenRule { id: told, gate, literals: counted, sums, origin, evidence } = written;
        let constraint = WrittenConstraint { gate, literals: counted, sums };
        let constraint = constraint.read(literals).map_err(wrong)?;
        let id = constraint.id().to_string();
        if let Some(told) = told.filter(|told| *told != id) {
            return Err(wrong(format!(
                "its id is {told:?}, but its content has the id {id:?}: edited by hand? It may be left out"
            )));
        }
        set.insert(Rule { constraint, evidence, origin });
    }
    for rule in file.relative {
        set.insert_relative(rule);
    }
    Ok((set, file.parts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::relative::tests::any_relative_rule;
    use crate::{Body, Linear, Soft};
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
            message(&file(5, FORMAT, "")),
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
        version 5 of the rule file format; this program reads up to 4
        not a rule set: missing field `literals` at line 1 column 90
        rule 1: 3 is no literal over 2 variables
        rule 1: 0 is no literal over 2 variables
        rule 1: -9223372036854775808 is no literal over 2 variables
        rule 1: literal 1 is counted twice
        rule 1: 7 is no literal over 2 variables
        rule 1: its id is "x", but its content has the id "a60d5f92d2ef": edited by hand? It may be left out
        not a rule set: the name "a" is given twice (variables 1 and 2) at line 1 column 76
        not a rule set: unknown variant `ran ge`, expected `range` or `set` at line 1 column 146
        "#);
    }

    #[test]
    fn an_id_may_be_left_out() {
        let text = r#"{"format": "precept rules", "version": 1, "variables": {"names": ["a", "b"]},
            "rules": [{"literals": [1, 2], "sums": {"range": [1, 1]}}]}"#;
        let rules = read(text).unwrap();
        assert_eq!(rules.rules()[0].id().to_string(), "a60d5f92d2ef");
    }

    #[test]
    fn what_a_problem_has_beside_rules_comes_back() {
        let (a, b, c) = (Var(0).positive(), Var(1).negative(), Var(2).positive());
        let linear = Linear { terms: vec![(2, a), (-3, b), (5, c)], min: Some(-1), max: None };
        let rules = RuleSet::with_rules(variables(), [Rule::given(Constraint::exactly(1, [a, c]))]);
        let problem = Problem {
            linear: vec![linear.clone(), Linear { min: None, max: Some(i64::MAX), ..linear.clone() }],
            soft: vec![
                Soft { weight: u64::MAX, body: Body::Linear(linear.clone()) },
                Soft { weight: 2, body: Body::Cardinality(Constraint::at_most(1, [a, b]).gated(c)) },
            ],
            objective: vec![(7, a), (-2, b)],
            objective_constant: -4,
            cost_bound: Some(99),
            ..Problem::from(rules.clone())
        };
        let text = write_problem(&problem);
        assert!(text.contains("\"version\": 3"), "{text}");
        assert_eq!(read_problem(&text).unwrap(), problem);
        let message = read(&text).unwrap_err().to_string();
        assert_eq!(message, "the file has linear constraints beside its rules, which are not for this");
        // Rules alone are written as they always were.
        assert_eq!(write_problem(&Problem::from(rules.clone())), write(&rules));
        assert_eq!(read_problem(&write(&rules)).unwrap(), Problem::from(rules));
        let wrong = |from: &str, to: &str| {
            let compact: serde_json::Value = serde_json::from_str(&text).unwrap();
            read_problem(&compact.to_string().replace(from, to)).unwrap_err().to_string()
        };
        assert_eq!(wrong("[5,3]", "[5,9]"), "linear constraint 1: 9 is no literal over 8 variables");
        assert_eq!(wrong("[-2,-2]", "[-2,0]"), "objective: 0 is no literal over 8 variables");
    }

    #[test]
    fn a_later_version_is_told_even_if_its_fields_are_unknown() {
        let error = read(r#"{"format": "precept rules", "version": 9, "shape": []}"#).unwrap_err();
        assert!(matches!(error, JsonError::Version { found: 9 }));
    }
}
