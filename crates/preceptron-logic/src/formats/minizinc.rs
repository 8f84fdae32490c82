//! MiniZinc: Boolean variables `x1`, `x2`, ..., sums over them, and implications.
//!
//! ```text
//! var bool: x1;
//! constraint sum([x1, not x2, x3]) in {0, 2};
//! constraint x3 -> x1 \/ x2;
//! ```
//!
//! What this writes is also what [`read`] reads.

mod read;

use super::lowering;
use super::relation::{Relation, Said};
use super::{FormatError, comments};
use crate::{Body, Lit, Problem};

pub(super) use read::read;

/// The problem in MiniZinc.
pub(super) fn write(problem: &Problem) -> Result<String, FormatError> {
    let variables = problem.rules.variables();
    let mut text = comments::write("%", variables, &[], |n| format!("x{n}"));
    for var in variables.iter() {
        text.push_str(&format!("var bool: {};\n", literal(var.positive())));
    }
    for (rule, body) in lowering::hard(problem) {
        if let Some(id) = rule {
            text.push_str(&format!("% rule {id}\n"));
        }
        text.push_str(&format!("constraint {};\n", formula(&body)));
    }
    let costs = !problem.soft.is_empty() || !problem.objective.is_empty() || problem.objective_constant != 0;
    if costs || problem.cost_bound.is_some() {
        let mut terms: Vec<String> = problem.objective.iter().map(|&(c, l)| term(c, l)).collect();
        let soft = |s: &crate::Soft| format!("{}*bool2int(not ({}))", s.weight, formula(&s.body));
        terms.extend(problem.soft.iter().map(soft));
        text.push_str(&format!(
            "var int: cost = {} + sum([{}]);\n",
            problem.objective_constant,
            terms.join(", ")
        ));
    }
    if let Some(bound) = problem.cost_bound {
        text.push_str(&format!("constraint cost < {bound};\n"));
    }
    text.push_str(if costs { "solve minimize cost;\n" } else { "solve satisfy;\n" });
    Ok(text)
}

fn literal(literal: Lit) -> String {
    format!("{}x{}", if literal.is_negated() { "not " } else { "" }, literal.var().0 + 1)
}

fn term(coefficient: i64, of: Lit) -> String {
    format!("{coefficient}*bool2int({})", literal(of))
}

fn formula(body: &Body) -> String {
    let said = Said::new(body);
    let units = said.terms.iter().all(|(c, _)| *c == 1);
    let each = |&(c, l): &(i64, Lit)| if units { literal(l) } else { term(c, l) };
    let terms: Vec<String> = said.terms.iter().map(each).collect();
    let sum = format!("sum([{}])", terms.join(", "));
    let inner = match &said.relation {
        Relation::Constant(value) => value.to_string(),
        Relation::Clause => terms.join(" \\/ "),
        Relation::Equal(value) => format!("{sum} = {value}"),
        Relation::AtLeast(min) => format!("{sum} >= {min}"),
        Relation::AtMost(max) => format!("{sum} <= {max}"),
        Relation::Between(min, max) => format!("{sum} in {min}..{max}"),
        Relation::OneOf(values) => {
            let values: Vec<String> = values.iter().map(u32::to_string).collect();
            format!("{sum} in {{{}}}", values.join(", "))
        }
    };
    match said.gate {
        Some(gate) => format!("{} -> {inner}", literal(gate)),
        None => inner,
    }
}
