//! OPB, the format of pseudo-Boolean solvers, and WBO, which adds soft constraints.
//!
//! ```text
//! * #variable= 3 #constraint= 1
//! min: +2 x1 -1 x3 ;
//! +1 x1 +1 ~x2 +3 x3 >= 2 ;
//! ```
//!
//! A term may be a product of literals, `+2 x1 ~x2`; what is written has none.

use super::draft::{Allowed, Draft, Order, Statement};
use super::lowering::{self, Lowering};
use super::symbols::Auxiliaries;
use super::tokens::{Comment, Cursor, Token, split};
use super::{Format, FormatError, comments};
use crate::{Linear, Lit, Problem};

/// The problem in OPB; in WBO if it has soft constraints or a bound on the cost.
pub(super) fn write(problem: &Problem) -> Result<String, FormatError> {
    let variables = problem.rules.variables();
    let mut lowering = Lowering { format: Format::Opb, auxiliaries: Auxiliaries::new(variables) };
    let mut body = String::new();
    let mut count = 0;
    let mut constant = problem.objective_constant;
    let mut soft = problem.soft.clone();
    if !soft.is_empty() || problem.cost_bound.is_some() {
        // WBO has no objective beside its soft constraints.
        let too_large = || lowering.cannot_hold("an objective whose coefficients leave 64 bits");
        let (literals, rest) = lowering::objective_as_soft(problem).ok_or_else(too_large)?;
        constant = rest;
        soft.extend(literals.into_iter().map(lowering::soft_literal));
        match lowering::bound_without(constant, problem.cost_bound) {
            Some(Some(top)) => body.push_str(&format!("soft: {top} ;\n")),
            Some(None) => body.push_str("soft: ;\n"),
            None => return Err(lowering.cannot_hold("a bound on the cost below the objective's constant")),
        }
    } else if !problem.objective.is_empty() || constant != 0 {
        body.push_str(&format!("min:{} ;\n", terms(&problem.objective)));
    }
    for (rule, constraint) in lowering::hard(problem) {
        if let Some(id) = rule {
            body.push_str(&format!("* rule {id}\n"));
        }
        for row in lowering.rows(&constraint)? {
            body.push_str(&row_line(&row));
            count += 1;
        }
    }
    for soft in &soft {
        let (rows, wanted) = lowering.soft_rows(&soft.body, false)?;
        count += rows.len();
        match wanted {
            None => {
                rows.iter().for_each(|row| body.push_str(&format!("[{}] {}", soft.weight, row_line(row))))
            }
            Some(wanted) => {
                rows.iter().for_each(|row| body.push_str(&row_line(row)));
                body.push_str(&format!("[{}]{} >= 1 ;\n", soft.weight, terms(&[(1, wanted)])));
                count += 1;
            }
        }
    }
    let auxiliaries = &lowering.auxiliaries;
    let mut text = format!("* #variable= {} #constraint= {count}\n", auxiliaries.count());
    text.push_str(&comments::write("*", variables, &auxiliaries.names, |n| format!("x{n}")));
    if constant != 0 {
        text.push_str(&format!("* objective constant {constant}\n"));
    }
    Ok(text + &body)
}

fn terms(terms: &[(i64, Lit)]) -> String {
    let sign = |l: Lit| if l.is_negated() { "~" } else { "" };
    terms.iter().map(|(c, l)| format!(" {c:+} {}x{}", sign(*l), l.var().0 + 1)).collect()
}

fn row_line(row: &Linear) -> String {
    let (relation, bound) = match (row.min, row.max) {
        (Some(min), Some(_)) => ("=", min),
        (Some(min), None) => (">=", min),
        (None, max) => ("<=", max.unwrap_or(i64::MAX)),
    };
    format!("{} {relation} {bound} ;\n", terms(&row.terms).trim_start())
}

/// Reads OPB and WBO.
pub(super) fn read(text: &str) -> Result<Problem, FormatError> {
    let symbols = [";", ">=", "<=", "=>", "=<", "=", "[", "]", "*", "min:", "max:", "soft:"];
    let (tokens, comment_lines) = split(text, &Comment::Line('*'), &symbols);
    let mut draft = Draft::default();
    for &(line, comment) in &comment_lines {
        // Only at the start: the name of a variable may have the word in it.
        if let Some(rest) = comment.trim_start().strip_prefix("#variable=") {
            let claimed = rest.split_whitespace().next().and_then(|n| n.parse().ok());
            draft.claim(line, claimed.unwrap_or(0), text)?;
        }
        comments::read(line, comment, &mut draft)?;
    }
    let mut rules = comment_lines.iter().filter(|(_, c)| comments::is_rule(c)).map(|(l, _)| *l).peekable();
    let mut group = 0;
    let mut cursor = Cursor::new(tokens, text);
    while !cursor.is_done() {
        let start = cursor.peek();
        while rules.next_if(|&line| line < start.line).is_some() {
            group += 1;
        }
        if cursor.take("min:") || cursor.take("max:") {
            draft.objective = sum(&mut cursor, &mut draft)?;
            if start.text == "max:" {
                for (coefficient, _) in &mut draft.objective {
                    *coefficient = coefficient
                        .checked_neg()
                        .ok_or_else(|| start.wrong("a coefficient beyond 64 bits"))?;
                }
            }
        } else if cursor.take("soft:") {
            if cursor.peek().text != ";" {
                draft.cost_bound = Some(weight(cursor.next())?);
            }
        } else {
            let price = if cursor.take("[") {
                let price = weight(cursor.next())?;
                cursor.expect("]")?;
                Some(price)
            } else {
                None
            };
            let terms = sum(&mut cursor, &mut draft)?;
            let relation = cursor.next();
            if ![">=", "<=", "="].contains(&relation.text) {
                return Err(relation.expected("a coefficient, \">=\", \"<=\" or \"=\""));
            }
            let bound = number(&mut cursor, "a whole number")?;
            let allowed = match relation.text {
                ">=" => Allowed::Between(Some(bound), None),
                "<=" => Allowed::Between(None, Some(bound)),
                _ => Allowed::Between(Some(bound), Some(bound)),
            };
            let statement = Statement::new(start.line, terms, allowed);
            draft.statements.push(Statement { weight: price, group: Some(group), ..statement });
        }
        cursor.expect(";")?;
    }
    if let Some(bound) = &mut draft.cost_bound {
        *bound = bound.saturating_add_signed(draft.objective_constant);
    }
    draft.finish(Order::Numbered)
}

/// Coefficients and products of literals up to whatever else comes.
fn sum(cursor: &mut Cursor, draft: &mut Draft) -> Result<Vec<(i64, Lit)>, FormatError> {
    let mut terms = Vec::new();
    while cursor.peek().text.starts_with(['+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']) {
        let coefficient = number(cursor, "a coefficient")?;
        cursor.take("*");
        let mut factors = vec![literal(cursor.next(), draft)?];
        while cursor.peek().text.starts_with(|c: char| c == '~' || c.is_alphabetic() || c == '_') {
            factors.push(literal(cursor.next(), draft)?);
        }
        terms.extend(draft.product(factors).map(|literal| (coefficient, literal)));
    }
    Ok(terms)
}

fn literal(token: Token, draft: &mut Draft) -> Result<Lit, FormatError> {
    let (symbol, negated) = match token.text.strip_prefix('~') {
        Some(symbol) => (symbol, true),
        None => (token.text, false),
    };
    if !symbol.starts_with(|c: char| c.is_alphabetic() || c == '_') || symbol.ends_with(':') {
        return Err(token.expected("a variable"));
    }
    Ok(Lit::new(draft.var(symbol), negated))
}

/// A number whose sign may stand apart from it.
fn number(cursor: &mut Cursor, what: &str) -> Result<i64, FormatError> {
    match cursor.peek().text {
        sign @ ("+" | "-") => {
            cursor.next();
            let token = cursor.next();
            let text = format!("{sign}{}", token.text);
            Token { text: &text, ..token }.number(what)
        }
        _ => cursor.next().number(what),
    }
}

fn weight(token: Token) -> Result<u64, FormatError> {
    match token.text.parse() {
        Ok(0) => Err(token.wrong("a weight of 0 means nothing")),
        Ok(weight) => Ok(weight),
        Err(_) => Err(token.expected("a whole number above 0 of 64 bits")),
    }
}
