//! Integer programs in CPLEX's LP format, with 0/1 variables and whole coefficients.
//!
//! ```text
//! Minimize
//!  obj: 2 x1 - x3
//! Subject To
//!  rule_0a1b2c3d4e5f: x1 - x2 + 3 x3 >= 1
//! Binary
//!  x1 x2 x3
//! End
//! ```
//!
//! The format has no negated literals, so `not x` is written `1 - x` with the 1 moved to the bound.
//!
//! What OR-Tools imports under the name LP is another format, that of lp_solve, with a semicolon behind each row: it
//! refuses its own exports in this one too. It takes the MPS into which HiGHS turns this (`highs problem.lp
//! --write_model_file problem.mps`).

mod read;

use super::lowering::{self, Lowering};
use super::symbols::Auxiliaries;
use super::{Format, FormatError, comments};
use crate::{Linear, Lit, Problem};

pub(super) use read::read;

/// The problem in LP.
pub(super) fn write(problem: &Problem) -> Result<String, FormatError> {
    let variables = problem.rules.variables();
    let mut lowering = Lowering { format: Format::Lp, auxiliaries: Auxiliaries::new(variables) };
    let mut rows = String::new();
    let mut unnamed = 0;
    let mut add = |rows: &mut String, name: Option<String>, row: &Linear| {
        let name = name.unwrap_or_else(|| {
            unnamed += 1;
            format!("row_{unnamed}")
        });
        row_lines(row, &name).map(|lines| rows.push_str(&lines))
    };
    let too_large = "coefficients that add up to more than 64 bits";
    for (rule, body) in lowering::hard(problem) {
        let parts = lowering.rows(&body)?;
        for (number, row) in parts.iter().enumerate() {
            let name = rule.map(|id| match (parts.len(), row.min) {
                (1, _) => format!("rule_{id}"),
                (2, Some(_)) if row.max.is_none() => format!("rule_{id}_min"),
                (2, None) => format!("rule_{id}_max"),
                _ => format!("rule_{id}_part{}", number + 1),
            });
            add(&mut rows, name, row).ok_or_else(|| lowering.cannot_hold(too_large))?;
        }
    }
    let mut objective = problem.objective.clone();
    for soft in &problem.soft {
        let (parts, wanted) = lowering.soft_rows(&soft.body, true)?;
        for row in &parts {
            add(&mut rows, None, row).ok_or_else(|| lowering.cannot_hold(too_large))?;
        }
        let weight = i64::try_from(soft.weight).map_err(|_| lowering.cannot_hold("a weight of 64 bits"))?;
        objective.extend(wanted.map(|wanted| (weight, !wanted)));
    }
    if let Some(bound) = problem.cost_bound {
        let max = i128::from(bound) - 1 - i128::from(problem.objective_constant);
        let row = i64::try_from(max).ok().and_then(|max| Linear::merged(objective.clone(), None, Some(max)));
        let row = row.ok_or_else(|| lowering.cannot_hold("a bound on the cost beyond 64 bits"))?;
        add(&mut rows, Some("cost_bound".to_owned()), &row).ok_or_else(|| lowering.cannot_hold(too_large))?;
    }
    let (terms, constant) = positive(&objective).ok_or_else(|| lowering.cannot_hold(too_large))?;
    let constant = i64::try_from(constant + i128::from(problem.objective_constant))
        .map_err(|_| lowering.cannot_hold(too_large))?;
    let mut sum = sum_text(&terms);
    if constant != 0 {
        sum.push_str(&format!(" {} {}", if constant < 0 { "-" } else { "+" }, constant.unsigned_abs()));
    }
    let names = &lowering.auxiliaries.names;
    let mut text = comments::write("\\", variables, names, |n| format!("x{n}"));
    text.push_str(&format!("Minimize\n obj:{}\nSubject To\n{rows}Binary\n", wrapped(&sum)));
    let symbols: String = (1..=lowering.auxiliaries.count()).map(|n| format!(" x{n}")).collect();
    Ok(text + &wrapped(&symbols) + "\nEnd\n")
}

/// Coefficients of variables instead of literals, and the constant that negations leave.
fn positive(terms: &[(i64, Lit)]) -> Option<(Vec<(i64, Lit)>, i128)> {
    let mut constant = 0;
    let mut plain = Vec::with_capacity(terms.len());
    for &(coefficient, literal) in terms {
        if literal.is_negated() {
            constant += i128::from(coefficient);
            plain.push((coefficient.checked_neg()?, !literal));
        } else {
            plain.push((coefficient, literal));
        }
    }
    Some((plain, constant))
}

fn row_lines(row: &Linear, name: &str) -> Option<String> {
    let (terms, constant) = positive(&row.terms)?;
    let (relation, bound) = match (row.min, row.max) {
        (Some(min), Some(_)) => ("=", min),
        (Some(min), None) => (">=", min),
        (None, max) => ("<=", max?),
    };
    // A sum without terms is written over a variable that it does not depend on.
    let sum = if terms.is_empty() { " 0 x1".to_owned() } else { sum_text(&terms) };
    let bound = i64::try_from(i128::from(bound) - constant).ok()?;
    Some(format!(" {name}:{} {relation} {bound}\n", wrapped(&sum)))
}

fn sum_text(terms: &[(i64, Lit)]) -> String {
    let mut text = String::new();
    for (coefficient, literal) in terms {
        let sign = match (*coefficient < 0, text.is_empty()) {
            (true, _) => " -",
            (false, false) => " +",
            (false, true) => "",
        };
        text.push_str(sign);
        if coefficient.unsigned_abs() != 1 {
            text.push_str(&format!(" {}", coefficient.unsigned_abs()));
        }
        text.push_str(&format!(" x{}", literal.var().0 + 1));
    }
    text
}

/// Breaks lines at spaces: some readers of the format stop at 255 characters.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut length = 0;
    for word in text.split_inclusive(' ') {
        if length + word.len() > 200 && word != " " {
            lines.push_str("\n  ");
            length = 0;
        }
        length += word.len();
        lines.push_str(word);
    }
    lines
}
