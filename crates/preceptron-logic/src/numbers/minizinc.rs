//! Rules of numbers in MiniZinc: `int` variables within the range that was seen, and named constraints.

use super::symbols::{monomials, pairs};
use super::{Claim, Monomial, NumberRule, NumberRules, Relation};

/// The declarations and constraints; `numbers` and `words` are the identifiers of the columns.
pub(crate) fn written(rules: &NumberRules, numbers: &[String], words: &[String]) -> String {
    let mut text = String::new();
    for (column, identifier) in rules.columns.iter().zip(numbers) {
        text += &format!("% name {identifier} {}\n", column.name);
        text += &format!("var {}..{}: {identifier};\n", column.min, column.max);
    }
    for (category, identifier) in rules.categories.iter().zip(words) {
        let labels: Vec<String> =
            (1..).zip(&category.labels).map(|(n, label)| format!("{n} {label}")).collect();
        text += &format!("% name {identifier} {}: {}\n", category.name, labels.join(", "));
        text += &format!("var 1..{}: {identifier};\n", category.labels.len().max(1));
    }
    let writer = Writer { rules, numbers, words };
    for rule in &rules.rules {
        text += &format!("% {}\nconstraint {};\n", rules.line(rule), writer.rule(rule));
    }
    text
}

struct Writer<'a> {
    rules: &'a NumberRules,
    numbers: &'a [String],
    words: &'a [String],
}

impl Writer<'_> {
    fn sum(&self, terms: &[Monomial]) -> String {
        let term = |one: &Monomial| {
            let mut factors = vec![format!("({})", one.coefficient)];
            if one.coefficient == 1 && !one.columns.is_empty() {
                factors.clear();
            }
            factors.extend(one.columns.iter().map(|column| self.numbers[*column].clone()));
            factors.join("*")
        };
        if terms.is_empty() { "0".to_owned() } else { terms.iter().map(term).collect::<Vec<_>>().join(" + ") }
    }

    fn list(&self, columns: &[usize]) -> String {
        let names: Vec<&str> = columns.iter().map(|column| self.numbers[*column].as_str()).collect();
        format!("[{}]", names.join(", "))
    }

    fn rule(&self, rule: &NumberRule) -> String {
        let claim = self.claim(&rule.claim);
        match rule.gate {
            None => claim,
            Some(gate) => format!("({} = {}) -> ({claim})", self.words[gate.category], gate.label + 1),
        }
    }

    fn claim(&self, claim: &Claim) -> String {
        let name = |column: &usize| self.numbers[*column].as_str();
        match claim {
            Claim::Linear { terms, relation, constant } => {
                let sign = if *relation == Relation::Equal { "=" } else { "<=" };
                format!("{} {sign} {constant}", self.sum(&monomials(terms)))
            }
            Claim::Product { factors, column, constant } => {
                let product = factors.iter().map(name).collect::<Vec<_>>().join("*");
                let of = column.map_or(String::new(), |column| format!("*{}", self.numbers[column]));
                format!("{product} = ({constant}){of}")
            }
            Claim::Ratio { first, second, times } => {
                let (a, b) = (name(first), name(second));
                format!("{a} = ({times})*{b} \\/ {b} = ({times})*{a}")
            }
            Claim::Distance { first, second, least, most } => {
                let distance = format!("abs({} - {})", name(first), name(second));
                format!("{distance} >= {least} /\\ {distance} <= {most}")
            }
            Claim::Apart { first, second, before, after } => {
                let (a, b) = (name(first), name(second));
                match (before, after) {
                    (1, 1) => format!("{a} != {b}"),
                    _ => format!("{a} + {before} <= {b} \\/ {b} + {after} <= {a}"),
                }
            }
            Claim::Distinct { columns, by: 1, .. } => format!("alldifferent({})", self.list(columns)),
            Claim::Distinct { columns, by, shift } => {
                let shift = self.rules.shift(columns, *by, *shift);
                let keys: Vec<String> =
                    columns.iter().map(|column| format!("({} + {shift}) div {by}", name(column))).collect();
                format!("alldifferent([{}])", keys.join(", "))
            }
            Claim::Differences { columns } => {
                let distances: Vec<String> =
                    pairs(columns).map(|(a, b)| format!("abs({} - {})", name(&a), name(&b))).collect();
                format!("alldifferent([{}])", distances.join(", "))
            }
            Claim::Increasing { columns, step: 1 } => format!("strictly_increasing({})", self.list(columns)),
            Claim::Increasing { columns, step: 0 } => format!("increasing({})", self.list(columns)),
            Claim::Increasing { columns, step } => {
                let parts: Vec<String> = (columns.windows(2))
                    .map(|two| format!("{} + {step} <= {}", name(&two[0]), name(&two[1])))
                    .collect();
                parts.join(" /\\ ")
            }
            Claim::Count { columns, value, least, most } => {
                let count = format!("count({}, {value})", self.list(columns));
                match least == most {
                    true => format!("{count} = {least}"),
                    false => format!("{count} >= {least} /\\ {count} <= {most}"),
                }
            }
            Claim::Sign { category, expression, below, zero, above } => {
                let (sum, class) = (self.sum(expression), &self.words[*category]);
                let part = |label: &Option<usize>, sign: &str| {
                    label.map(|label| format!("({sum} {sign} 0 -> {class} = {})", label + 1))
                };
                let parts = [part(below, "<"), part(zero, "="), part(above, ">")];
                parts.into_iter().flatten().collect::<Vec<_>>().join(" /\\ ")
            }
        }
    }
}
