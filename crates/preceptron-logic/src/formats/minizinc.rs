//! MiniZinc: Boolean variables, sums over them, and implications.
//!
//! ```text
//! % name cell_row_1 cell[row 1]
//! var bool: cell_row_1;
//! constraint sum([cell_row_1, not cell_row_2, cell_row_3]) in {0, 2};
//! constraint cell_row_3 -> cell_row_1 \/ cell_row_2;
//! ```
//!
//! Names are made into identifiers that can be read; comments have them as they are. What this writes is also what
//! [`read`] reads, and so are files whose variables are `x1`, `x2`, ...

mod read;

use super::lowering;
use super::relation::{Relation, Said};
use super::symbols::identifiers;
use super::{FormatError, comments};
use crate::numbers::in_minizinc;
use crate::{Body, Lit, Problem, Variables};

pub(super) use read::read;

/// The problem in MiniZinc.
pub(super) fn write(problem: &Problem) -> Result<String, FormatError> {
    let variables = problem.rules.variables();
    let symbols = Symbols(identifiers(variables));
    let mut text = comments::write("%", variables, &[], |n| symbols.0[n - 1].clone());
    for symbol in &symbols.0 {
        text.push_str(&format!("var bool: {symbol};\n"));
    }
    for (rule, body) in lowering::hard(problem) {
        if let Some(id) = rule {
            text.push_str(&format!("% rule {id}\n"));
        }
        text.push_str(&format!("constraint {};\n", symbols.formula(&body)));
    }
    if !problem.numbers.is_empty() {
        let (numbers, words) = of_numbers(problem)?;
        text.insert_str(0, "include \"globals.mzn\";\n");
        text.push_str(&in_minizinc(&problem.numbers, &numbers, &words));
    }
    let costs = !problem.soft.is_empty() || !problem.objective.is_empty() || problem.objective_constant != 0;
    if costs || problem.cost_bound.is_some() {
        let mut terms: Vec<String> = problem.objective.iter().map(|&(c, l)| symbols.term(c, l)).collect();
        let soft = |s: &crate::Soft| format!("{}*bool2int(not ({}))", s.weight, symbols.formula(&s.body));
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

/// Identifiers for the columns of numbers and of words that are nobody's else.
fn of_numbers(problem: &Problem) -> Result<(Vec<String>, Vec<String>), FormatError> {
    let names = problem.rules.variables().names().iter();
    let numbers = problem.numbers.columns.iter().map(|column| &column.name);
    let words = problem.numbers.categories.iter().map(|category| format!("{} word", category.name));
    let all = Variables::from_names(names.chain(numbers).cloned().chain(words))?;
    let mut numbers = identifiers(&all).split_off(problem.rules.variables().len());
    let words = numbers.split_off(problem.numbers.columns.len());
    Ok((numbers, words))
}

/// The identifiers of the variables.
struct Symbols(Vec<String>);

impl Symbols {
    fn literal(&self, literal: Lit) -> String {
        format!("{}{}", if literal.is_negated() { "not " } else { "" }, self.0[literal.var().index()])
    }

    fn term(&self, coefficient: i64, of: Lit) -> String {
        format!("{coefficient}*bool2int({})", self.literal(of))
    }

    fn formula(&self, body: &Body) -> String {
        let said = Said::new(body);
        let units = said.terms.iter().all(|(c, _)| *c == 1);
        let each = |&(c, l): &(i64, Lit)| if units { self.literal(l) } else { self.term(c, l) };
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
            Some(gate) => format!("{} -> {inner}", self.literal(gate)),
            None => inner,
        }
    }
}
