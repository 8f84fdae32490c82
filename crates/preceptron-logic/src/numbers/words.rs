//! Rules of numbers in words.

use super::{Claim, Monomial, NumberRule, NumberRules, Relation};

/// A sum of terms, such as `2 a + b - c`.
fn sum(terms: &[(i64, String)]) -> String {
    let mut text = String::new();
    for (at, (coefficient, name)) in terms.iter().enumerate() {
        text += match (at, *coefficient < 0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        match coefficient.unsigned_abs() {
            1 if !name.is_empty() => text += name,
            size if name.is_empty() => text += &size.to_string(),
            size => text += &format!("{size} {name}"),
        }
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

impl NumberRules {
    fn name(&self, column: usize) -> String {
        self.columns.get(column).map_or_else(|| format!("column {column}"), |column| column.name.clone())
    }

    fn names(&self, columns: &[usize]) -> String {
        columns.iter().map(|column| self.name(*column)).collect::<Vec<_>>().join(", ")
    }

    fn label(&self, category: usize, label: usize) -> &str {
        self.categories.get(category).and_then(|of| of.labels.get(label)).map_or("?", String::as_str)
    }

    fn expression(&self, expression: &[Monomial]) -> String {
        let name = |one: &Monomial| one.columns.iter().map(|c| self.name(*c)).collect::<Vec<_>>().join(" * ");
        sum(&expression.iter().map(|one| (one.coefficient, name(one))).collect::<Vec<_>>())
    }

    /// A linear rule with positive terms on each side: `a + 3 <= b`, `total = a + b + c`.
    fn linear(&self, terms: &[(i64, usize)], relation: Relation, constant: i64) -> String {
        let named = |wanted: bool, sign: i64| -> Vec<(i64, String)> {
            let side = terms.iter().filter(|term| (term.0 > 0) == wanted);
            side.map(|(coefficient, column)| (sign * coefficient, self.name(*column))).collect()
        };
        let (mut left, mut right) = (named(true, 1), named(false, -1));
        // What is a column of its own stands on the left of an equation.
        let is_lone = |side: &[(i64, String)]| side.len() == 1 && side[0].0 == 1;
        let swap = relation == Relation::Equal
            && (left.is_empty() || is_lone(&right) && (!is_lone(&left) || constant < 0));
        let mut constant = constant;
        if swap {
            std::mem::swap(&mut left, &mut right);
            constant = -constant;
        }
        let sign = if relation == Relation::Equal { "=" } else { "<=" };
        if left.is_empty() && relation == Relation::AtMost {
            return format!("{} >= {}", sum(&right), -constant);
        }
        match (constant, right.is_empty()) {
            (_, true) => format!("{} {sign} {constant}", sum(&left)),
            (-1, _) if relation == Relation::AtMost => format!("{} < {}", sum(&left), sum(&right)),
            (0, _) => format!("{} {sign} {}", sum(&left), sum(&right)),
            (below, _) if below < 0 && relation == Relation::AtMost => {
                left.push((-below, String::new()));
                format!("{} {sign} {}", sum(&left), sum(&right))
            }
            _ => {
                right.push((constant, String::new()));
                format!("{} {sign} {}", sum(&left), sum(&right))
            }
        }
    }

    fn claim(&self, claim: &Claim) -> String {
        match claim {
            Claim::Linear { terms, relation, constant } => self.linear(terms, *relation, *constant),
            Claim::Product { factors, column, constant } => {
                let product = factors.iter().map(|factor| self.name(*factor)).collect::<Vec<_>>().join(" * ");
                match (column, constant) {
                    (None, _) => format!("{product} = {constant}"),
                    (Some(column), 1) => format!("{} = {product}", self.name(*column)),
                    (Some(column), _) => format!("{product} = {constant} {}", self.name(*column)),
                }
            }
            Claim::Ratio { first, second, times } => {
                format!("one of {}, {} is {times} times the other", self.name(*first), self.name(*second))
            }
            Claim::Distance { first, second, least, most } => {
                let distance = format!("|{} - {}|", self.name(*first), self.name(*second));
                match (least, most) {
                    (least, most) if least == most => format!("{distance} = {least}"),
                    (0, _) => format!("{distance} <= {most}"),
                    _ => format!("{distance} from {least} to {most}"),
                }
            }
            Claim::Apart { first, second, before, after } => {
                let (a, b) = (self.name(*first), self.name(*second));
                match (before, after) {
                    (1, 1) => format!("{a} and {b} are different"),
                    (before, after) if before == after => format!("|{a} - {b}| >= {before}"),
                    _ => format!("{a} + {before} <= {b} or {b} + {after} <= {a}"),
                }
            }
            Claim::Distinct { columns, by: 1, .. } => format!("all different: {}", self.names(columns)),
            Claim::Distinct { columns, by, shift } => {
                let shift = match shift {
                    0 => String::new(),
                    shift => format!(" + {shift}"),
                };
                format!("all different, each{shift} div {by}: {}", self.names(columns))
            }
            Claim::Differences { columns } => format!("all differences different: {}", self.names(columns)),
            Claim::Increasing { columns, step: 1 } => format!("increasing: {}", self.names(columns)),
            Claim::Increasing { columns, step: 0 } => format!("never decreasing: {}", self.names(columns)),
            Claim::Increasing { columns, step } => {
                format!("each at least {step} above the one before: {}", self.names(columns))
            }
            Claim::Count { columns, value, least, most } => {
                let many = match (least, most) {
                    (least, most) if least == most => format!("exactly {least}"),
                    (0, most) => format!("at most {most}"),
                    (least, most) if *most == columns.len() => format!("at least {least}"),
                    (least, most) => format!("{least} to {most}"),
                };
                let verb = if (*least, *most) == (1, 1) { "is" } else { "are" };
                format!("{many} of these {verb} {value}: {}", self.names(columns))
            }
            Claim::Sign { category, expression, below, zero, above } => {
                let name = self.categories.get(*category).map_or("class", |of| of.name.as_str());
                let positive: Vec<Monomial> =
                    expression.iter().filter(|one| one.coefficient > 0).cloned().collect();
                let negative = expression.iter().filter(|one| one.coefficient < 0);
                let negative: Vec<Monomial> =
                    negative.map(|one| Monomial { coefficient: -one.coefficient, ..one.clone() }).collect();
                let sides = |sign: &str| {
                    format!("{} {sign} {}", self.expression(&positive), self.expression(&negative))
                };
                let part = |label: &Option<usize>, sign: &str| {
                    label.map(|label| format!("{} if {}", self.label(*category, label), sides(sign)))
                };
                let parts = match (below == zero, zero == above) {
                    (true, _) => vec![part(below, "<="), part(above, ">")],
                    (_, true) => vec![part(below, "<"), part(above, ">=")],
                    _ => vec![part(below, "<"), part(zero, "="), part(above, ">")],
                };
                format!("{name} is {}", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// A rule as a person says it.
    pub fn line(&self, rule: &NumberRule) -> String {
        let claim = self.claim(&rule.claim);
        match rule.gate {
            None => claim,
            Some(gate) => {
                let name = self.categories.get(gate.category).map_or("?", |of| of.name.as_str());
                format!("if {name} is {}: {claim}", self.label(gate.category, gate.label))
            }
        }
    }

    /// All rules in lines, those of a family in one, with how many they are.
    pub fn lines(&self) -> Vec<(String, usize)> {
        let mut lines: Vec<(Option<&String>, String, usize)> = Vec::new();
        for rule in &self.rules {
            let family = rule.family.as_ref();
            match lines.iter_mut().find(|line| family.is_some() && line.0 == family) {
                Some(line) => {
                    line.2 += 1;
                    line.1 = family.cloned().unwrap_or_default();
                }
                None => lines.push((family, self.line(rule), 1)),
            }
        }
        lines.into_iter().map(|(_, line, count)| (line, count)).collect()
    }
}
