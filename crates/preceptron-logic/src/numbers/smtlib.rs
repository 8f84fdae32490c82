//! Rules of numbers in SMT-LIB: `Int` constants within the range that was seen.

use super::symbols::{monomials, pairs};
use super::{Claim, Monomial, NumberRule, NumberRules, Relation};

/// The declarations and assertions; `numbers` and `words` are the symbols of the columns.
pub(crate) fn written(rules: &NumberRules, numbers: &[String], words: &[String]) -> String {
    let mut text = String::new();
    for (column, symbol) in rules.columns.iter().zip(numbers) {
        text += &format!("; name {symbol} {}\n(declare-const {symbol} Int)\n", column.name);
        text += &format!("(assert (<= {} {symbol} {}))\n", number(column.min), number(column.max));
    }
    for (category, symbol) in rules.categories.iter().zip(words) {
        let labels: Vec<String> =
            (1..).zip(&category.labels).map(|(n, label)| format!("{n} {label}")).collect();
        text += &format!("; name {symbol} {}: {}\n", category.name, labels.join(", "));
        text += &format!(
            "(declare-const {symbol} Int)\n(assert (<= 1 {symbol} {}))\n",
            category.labels.len().max(1)
        );
    }
    let writer = Writer { rules, numbers, words };
    for rule in &rules.rules {
        text += &format!("; {}\n(assert {})\n", rules.line(rule), writer.rule(rule));
    }
    text
}

fn number(value: i64) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

/// An operator over several, or the one alone.
fn over(operator: &str, parts: Vec<String>) -> String {
    match &parts[..] {
        [] => "true".to_owned(),
        [one] => one.clone(),
        _ => format!("({operator} {})", parts.join(" ")),
    }
}

struct Writer<'a> {
    rules: &'a NumberRules,
    numbers: &'a [String],
    words: &'a [String],
}

impl Writer<'_> {
    fn sum(&self, terms: &[Monomial]) -> String {
        let term = |one: &Monomial| {
            let mut factors: Vec<String> =
                one.columns.iter().map(|column| self.numbers[*column].clone()).collect();
            if one.coefficient != 1 || factors.is_empty() {
                factors.insert(0, number(one.coefficient));
            }
            over("*", factors)
        };
        if terms.is_empty() { "0".to_owned() } else { over("+", terms.iter().map(term).collect()) }
    }

    fn rule(&self, rule: &NumberRule) -> String {
        let claim = self.claim(&rule.claim);
        match rule.gate {
            None => claim,
            Some(gate) => format!("(=> (= {} {}) {claim})", self.words[gate.category], gate.label + 1),
        }
    }

    fn distinct(parts: Vec<String>) -> String {
        if parts.len() < 2 { "true".to_owned() } else { over("distinct", parts) }
    }

    fn claim(&self, claim: &Claim) -> String {
        let name = |column: &usize| self.numbers[*column].clone();
        let below = |a: &str, step: i64, b: &str| format!("(<= (+ {a} {}) {b})", number(step));
        match claim {
            Claim::Linear { terms, relation, constant } => {
                let sign = if *relation == Relation::Equal { "=" } else { "<=" };
                format!("({sign} {} {})", self.sum(&monomials(terms)), number(*constant))
            }
            Claim::Product { factors, column, constant } => {
                let product = over("*", factors.iter().map(name).collect());
                let of = over("*", [number(*constant)].into_iter().chain(column.iter().map(name)).collect());
                format!("(= {product} {of})")
            }
            Claim::Ratio { first, second, times } => {
                let (a, b, times) = (name(first), name(second), number(*times));
                format!("(or (= {a} (* {times} {b})) (= {b} (* {times} {a})))")
            }
            Claim::Distance { first, second, least, most } => {
                format!(
                    "(<= {} (abs (- {} {})) {})",
                    number(*least),
                    name(first),
                    name(second),
                    number(*most)
                )
            }
            Claim::Apart { first, second, before, after } => {
                let (a, b) = (name(first), name(second));
                match (before, after) {
                    (1, 1) => format!("(distinct {a} {b})"),
                    _ => format!("(or {} {})", below(&a, *before, &b), below(&b, *after, &a)),
                }
            }
            Claim::Distinct { columns, by: 1, .. } => Self::distinct(columns.iter().map(name).collect()),
            Claim::Distinct { columns, by, shift } => {
                let shift = self.rules.shift(columns, *by, *shift);
                let key = |column: &usize| format!("(div (+ {} {}) {by})", name(column), number(shift));
                Self::distinct(columns.iter().map(key).collect())
            }
            Claim::Differences { columns } => {
                let distance = |(a, b): (usize, usize)| format!("(abs (- {} {}))", name(&a), name(&b));
                Self::distinct(pairs(columns).map(distance).collect())
            }
            Claim::Increasing { columns, step } => {
                let two = columns.windows(2).map(|two| below(&name(&two[0]), *step, &name(&two[1])));
                over("and", two.collect())
            }
            Claim::Count { columns, value, least, most } => {
                let one = |column: &usize| format!("(ite (= {} {}) 1 0)", name(column), number(*value));
                format!("(<= {least} {} {most})", over("+", columns.iter().map(one).collect()))
            }
            Claim::Sign { category, expression, below, zero, above } => {
                let (sum, class) = (self.sum(expression), &self.words[*category]);
                let part = |label: &Option<usize>, sign: &str| {
                    label.map(|label| format!("(=> ({sign} {sum} 0) (= {class} {}))", label + 1))
                };
                let parts = [part(below, "<"), part(zero, "="), part(above, ">")];
                over("and", parts.into_iter().flatten().collect())
            }
        }
    }
}
