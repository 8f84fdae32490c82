//! SMT-LIB 2: Boolean constants, sums of `ite`, linear integer arithmetic.
//!
//! ```text
//! (declare-const |cell[row 1, digit 1]| Bool)
//! (assert (= (+ (ite |cell[row 1, digit 1]| 1 0) (ite |cell[row 1, digit 2]| 1 0)) 1))
//! ```
//!
//! An objective is a function `cost` that `minimize` (understood by z3 and OptiMathSAT) names; a soft
//! constraint is a term of it. What this writes is also what [`read`] reads.

mod expressions;

use super::lowering;
use super::relation::{Relation, Said};
use super::symbols::{quoted, unused};
use super::{FormatError, comments};
use crate::numbers::in_smtlib;
use crate::{Body, Lit, Problem, Variables};

pub(super) use read::read;

mod read;

/// The problem in SMT-LIB.
pub(super) fn write(problem: &Problem) -> Result<String, FormatError> {
    let variables = problem.rules.variables();
    let symbols = quoted(variables);
    let mut text = comments::write_axes(";", variables);
    text.push_str(if problem.numbers.has_products() {
        "(set-logic QF_NIA)\n"
    } else {
        "(set-logic QF_LIA)\n"
    });
    for (symbol, name) in symbols.iter().zip(variables.names()) {
        if !symbol.starts_with('|') {
            text.push_str(&format!("; name {symbol} {name}\n"));
        }
        text.push_str(&format!("(declare-const {symbol} Bool)\n"));
    }
    for (rule, body) in lowering::hard(problem) {
        if let Some(id) = rule {
            text.push_str(&format!("; rule {id}\n"));
        }
        text.push_str(&format!("(assert {})\n", formula(&body, &symbols)));
    }
    if !problem.numbers.is_empty() {
        let names = variables.names().iter();
        let numbers = problem.numbers.columns.iter().map(|column| &column.name);
        let words = problem.numbers.categories.iter().map(|category| format!("{} word", category.name));
        let all = Variables::from_names(names.chain(numbers).cloned().chain(words))?;
        let mut numbers = quoted(&all).split_off(variables.len());
        let words = numbers.split_off(problem.numbers.columns.len());
        text.push_str(&in_smtlib(&problem.numbers, &numbers, &words));
    }
    let costs = !problem.soft.is_empty() || !problem.objective.is_empty() || problem.objective_constant != 0;
    if costs || problem.cost_bound.is_some() {
        let mut terms = vec![number(problem.objective_constant)];
        terms.extend(problem.objective.iter().map(|&(c, l)| term(c, l, &symbols)));
        terms.extend(
            problem.soft.iter().map(|s| format!("(ite {} 0 {})", formula(&s.body, &symbols), s.weight)),
        );
        let cost = unused("cost", variables);
        text.push_str(&format!("(define-fun |{cost}| () Int (+ 0 {}))\n", terms.join(" ")));
        if let Some(bound) = problem.cost_bound {
            text.push_str(&format!("(assert (< |{cost}| {bound}))\n"));
        }
        if costs {
            text.push_str(&format!("(minimize |{cost}|)\n"));
        }
    }
    text.push_str("(check-sat)\n(get-model)\n");
    Ok(text)
}

fn literal(literal: Lit, symbols: &[String]) -> String {
    let symbol = &symbols[literal.var().index()];
    if literal.is_negated() { format!("(not {symbol})") } else { symbol.clone() }
}

fn number(number: i64) -> String {
    if number < 0 { format!("(- {})", number.unsigned_abs()) } else { number.to_string() }
}

fn term(coefficient: i64, literal: Lit, symbols: &[String]) -> String {
    let symbol = &symbols[literal.var().index()];
    match literal.is_negated() {
        false => format!("(ite {symbol} {} 0)", number(coefficient)),
        true => format!("(ite {symbol} 0 {})", number(coefficient)),
    }
}

fn formula(body: &Body, symbols: &[String]) -> String {
    let said = Said::new(body);
    let sum = || match said.terms.as_slice() {
        [(c, l)] => term(*c, *l, symbols),
        terms => {
            let terms: Vec<String> = terms.iter().map(|&(c, l)| term(c, l, symbols)).collect();
            format!("(+ {})", terms.join(" "))
        }
    };
    let inner = match &said.relation {
        Relation::Constant(value) => value.to_string(),
        Relation::Clause => {
            let literals: Vec<String> = said.terms.iter().map(|&(_, l)| literal(l, symbols)).collect();
            if let [one] = literals.as_slice() { one.clone() } else { format!("(or {})", literals.join(" ")) }
        }
        Relation::Equal(value) => format!("(= {} {})", sum(), number(*value)),
        Relation::AtLeast(min) => format!("(>= {} {})", sum(), number(*min)),
        Relation::AtMost(max) => format!("(<= {} {})", sum(), number(*max)),
        Relation::Between(min, max) => format!("(<= {} {} {})", number(*min), sum(), number(*max)),
        Relation::OneOf(values) => {
            let cases: Vec<String> = values.iter().map(|v| format!("(= sum {v})")).collect();
            format!("(let ((sum {})) (or {}))", sum(), cases.join(" "))
        }
    };
    match said.gate {
        Some(gate) => format!("(=> {} {inner})", literal(gate, symbols)),
        None => inner,
    }
}
