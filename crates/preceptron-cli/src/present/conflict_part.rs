//! What can be violated or be in conflict, and what was repaired, in words and as JSON.

use preceptron_logic::{Body, Linear, Lit, Problem, Variables, draw};
use preceptron_reason::{Piece, Repair};
use serde_json::{Value, json};

use super::constraint_line;

/// Longer weighted sums are shortened to their beginning.
const SHOWN: usize = 8;

/// A piece as one line.
pub fn piece_line(problem: &Problem, piece: Piece) -> String {
    let variables = problem.rules.variables();
    let of_numbers = match piece {
        Piece::Rule(rule) => problem.numbers.encoding.rules.get(&rule),
        Piece::Linear(linear) => problem.numbers.encoding.linear.get(&linear),
        _ => None,
    };
    if let Some(line) = of_numbers {
        return line.clone();
    }
    match piece {
        Piece::Rule(rule) => {
            let rule = &problem.rules.rules()[rule];
            format!("{}  {}", rule.id(), constraint_line(variables, &rule.constraint))
        }
        Piece::Linear(linear) => linear_line(variables, &problem.linear[linear]),
        Piece::Soft(soft) => match &problem.soft[soft].body {
            Body::Cardinality(constraint) => constraint_line(variables, constraint),
            Body::Linear(linear) => linear_line(variables, linear),
        },
        Piece::Fixed(literal) => {
            let value = if literal.is_negated() { "false" } else { "true" };
            format!("{} is fixed to be {value}", variables.name(literal.var()))
        }
        Piece::Clause(clause) => format!("clause {} of the query", clause + 1),
        Piece::CostBound => {
            format!("the cost must be below {}", problem.cost_bound.unwrap_or(u64::MAX))
        }
    }
}

/// A piece as a grid, if it is a rule whose axes allow it.
pub fn piece_drawing(problem: &Problem, piece: Piece) -> Option<String> {
    let constraint = match piece {
        Piece::Rule(rule) => &problem.rules.rules()[rule].constraint,
        Piece::Soft(soft) => match &problem.soft[soft].body {
            Body::Cardinality(constraint) => constraint,
            Body::Linear(_) => return None,
        },
        _ => return None,
    };
    draw(problem.rules.variables(), constraint)
}

/// A piece as a JSON object.
pub fn piece_json(problem: &Problem, piece: Piece) -> Value {
    let (kind, number) = match piece {
        Piece::Rule(rule) => {
            let rule = &problem.rules.rules()[rule];
            let sentence = constraint_line(problem.rules.variables(), &rule.constraint);
            return json!({ "kind": "rule", "id": rule.id().to_string(), "sentence": sentence });
        }
        Piece::Linear(linear) => ("linear", Some(linear + 1)),
        Piece::Soft(soft) => ("soft", Some(soft + 1)),
        Piece::Fixed(_) => ("fixed", None),
        Piece::Clause(clause) => ("clause", Some(clause + 1)),
        Piece::CostBound => ("cost bound", None),
    };
    json!({ "kind": kind, "number": number, "sentence": piece_line(problem, piece) })
}

/// `2 a + 3 not b - c >= 4`.
fn linear_line(variables: &Variables, linear: &Linear) -> String {
    let mut sum = String::new();
    for (place, &(coefficient, literal)) in linear.terms.iter().take(SHOWN).enumerate() {
        let sign = match (place, coefficient < 0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        let size = if coefficient.unsigned_abs() == 1 {
            String::new()
        } else {
            format!("{} ", coefficient.unsigned_abs())
        };
        sum += &format!("{sign}{size}{}", variables.literal(literal));
    }
    if linear.terms.len() > SHOWN {
        sum += &format!(" + ... ({} terms)", linear.terms.len());
    }
    match (linear.min, linear.max) {
        (Some(min), Some(max)) if min == max => format!("{sum} = {min}"),
        (Some(min), Some(max)) => format!("{min} <= {sum} <= {max}"),
        (Some(min), None) => format!("{sum} >= {min}"),
        (None, Some(max)) => format!("{sum} <= {max}"),
        (None, None) => format!("{sum} is anything"),
    }
}

/// What was repaired: `cell[row 1, column 2]: read as digit 3, must be 5`.
pub fn repair_line(variables: &Variables, repair: &Repair) -> String {
    let Repair { read, chosen, .. } = *repair;
    if read.var() == chosen.var() {
        let value = |literal: Lit| if literal.is_negated() { "false" } else { "true" };
        return format!("{}: read as {}, must be {}", variables.name(read.var()), value(read), value(chosen));
    }
    one_axis(variables, read, chosen).unwrap_or_else(|| {
        format!("read as {}, must be {}", variables.literal(read), variables.literal(chosen))
    })
}

/// The line for two variables of a block that differ on one axis.
fn one_axis(variables: &Variables, read: Lit, chosen: Lit) -> Option<String> {
    if read.is_negated() || chosen.is_negated() {
        return None;
    }
    let (from, to) = (variables.place(read.var())?, variables.place(chosen.var())?);
    let block = variables.blocks().get(from.block).filter(|_| from.block == to.block)?;
    let axes = &block.axes()[..block.given()];
    let label = |axis: usize, at: usize| axes[axis].labels()[at].to_string();
    let differs = |axis: &usize| from.positions[*axis] != to.positions[*axis];
    let [axis] = (0..axes.len()).filter(differs).collect::<Vec<_>>()[..] else { return None };
    let others: Vec<String> = (0..axes.len())
        .filter(|other| *other != axis)
        .map(|other| format!("{} {}", axes[other].name(), label(other, from.positions[other])))
        .collect();
    let place = if others.is_empty() {
        block.name().to_owned()
    } else {
        format!("{}[{}]", block.name(), others.join(", "))
    };
    let (read, chosen) = (label(axis, from.positions[axis]), label(axis, to.positions[axis]));
    Some(format!("{place}: read as {} {read}, must be {chosen}", axes[axis].name()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_logic::Var;

    #[test]
    fn repairs_are_told_as_choices() {
        let mut names = Variables::block("cell", &[("row", 1..=2), ("digit", 1..=2)]).names().to_vec();
        names.extend(["lamp", "door[is open]", "door[is shut]"].map(str::to_owned));
        let variables = Variables::from_names(names).unwrap();
        let line = |read: Lit, chosen: Lit| repair_line(&variables, &Repair { read, chosen, price: 1 });
        let [a, b, _, d, lamp, open, shut] = [0, 1, 2, 3, 4, 5, 6].map(|v| Var(v).positive());
        let lines = [line(a, b), line(a, d), line(lamp, !lamp), line(open, shut), line(a, lamp), line(!a, b)];
        insta::assert_snapshot!(lines.join("\n"), @"
        cell[row 1]: read as digit 1, must be 2
        read as cell[row 1, digit 1], must be cell[row 2, digit 2]
        lamp: read as true, must be false
        door: read as is open, must be shut
        read as cell[row 1, digit 1], must be lamp
        read as not cell[row 1, digit 1], must be cell[row 1, digit 2]
        ");
    }

    #[test]
    fn weighted_sums_have_a_line() {
        let variables = Variables::block("x", &[("i", 1..=10)]);
        let line = |coefficients: &[i64], min, max| {
            let literal = |v: usize| Lit::new(Var(v as u32), v == 1);
            let terms = coefficients.iter().enumerate().map(|(v, &c)| (c, literal(v))).collect();
            linear_line(&variables, &Linear { terms, min, max })
        };
        let lines = [
            line(&[-2, 3, -1], Some(4), None),
            line(&[1, 2], None, Some(1)),
            line(&[1, 2], Some(1), Some(2)),
            line(&[5; 10], Some(9), Some(9)),
        ];
        insta::assert_snapshot!(lines.join("\n"), @"
        -2 x[i 1] + 3 not x[i 2] - x[i 3] >= 4
        x[i 1] + 2 not x[i 2] <= 1
        1 <= x[i 1] + 2 not x[i 2] <= 2
        5 x[i 1] + 5 not x[i 2] + 5 x[i 3] + 5 x[i 4] + 5 x[i 5] + 5 x[i 6] + 5 x[i 7] + 5 x[i 8] + ... (10 terms) = 9
        ");
    }
}
