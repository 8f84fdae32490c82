//! Clauses in the DIMACS format, and weighted clauses for MaxSAT.
//!
//! WCNF is written in the form of 2022 (`h` before hard clauses); the older one with a `p wcnf` line and
//! a top weight is read too.

use super::clauses::{Clauses, DIRECT};
use super::draft::{Draft, Order, Statement};
use super::symbols::Auxiliaries;
use super::tokens::{Comment, Cursor, Token, split};
use super::{Format, FormatError, comments, lowering, plural};
use crate::{Body, Lit, Problem};

/// The problem as clauses; weighted ones if the format is WCNF.
pub(super) fn write(problem: &Problem, format: Format) -> Result<String, FormatError> {
    let cannot_hold = |what: &str| FormatError::CannotHold { format, what: what.to_owned() };
    if format == Format::Cnf && !problem.soft.is_empty() {
        return Err(cannot_hold("soft constraints (wcnf can)"));
    }
    if format == Format::Cnf && (!problem.objective.is_empty() || problem.objective_constant != 0) {
        return Err(cannot_hold("an objective (wcnf can)"));
    }
    if problem.cost_bound.is_some() {
        return Err(cannot_hold("a bound on the cost (opb can)"));
    }
    let variables = problem.rules.variables();
    let mut clauses = Clauses { auxiliaries: Auxiliaries::new(variables), clauses: vec![], direct: DIRECT };
    // The lines after the comments: clauses, and before those of a rule its name.
    let mut body = String::new();
    let mut count = 0;
    let mut flush = |clauses: &mut Clauses, body: &mut String| {
        for clause in clauses.clauses.drain(..) {
            count += 1;
            body.push_str(if format == Format::Wcnf { "h " } else { "" });
            body.push_str(&line(&clause));
        }
    };
    for (rule, constraint) in lowering::hard(problem) {
        if let Some(id) = rule {
            body.push_str(&format!("c rule {id}\n"));
        }
        clauses.add(&constraint, &[]);
        flush(&mut clauses, &mut body);
    }
    let (objective, constant) = lowering::objective_as_soft(problem)
        .ok_or_else(|| cannot_hold("an objective whose coefficients leave 64 bits"))?;
    let objective = objective.into_iter().map(lowering::soft_literal);
    for soft in problem.soft.iter().cloned().chain(objective) {
        let clause = match &soft.body {
            Body::Cardinality(constraint) => constraint.as_clause(),
            Body::Linear(_) => None,
        };
        let clause = clause.unwrap_or_else(|| {
            let wanted = clauses.auxiliaries.fresh();
            clauses.add(&soft.body, &[!wanted]);
            vec![wanted]
        });
        flush(&mut clauses, &mut body);
        body.push_str(&format!("{} {}", soft.weight, line(&clause)));
    }
    let auxiliaries = &clauses.auxiliaries;
    let mut text = comments::write("c", variables, &auxiliaries.names, |n| n.to_string());
    if constant != 0 {
        text.push_str(&format!("c objective constant {constant}\n"));
    }
    if format == Format::Cnf {
        text.push_str(&format!("p cnf {} {count}\n", auxiliaries.count()));
    }
    Ok(text + &body)
}

fn line(clause: &[Lit]) -> String {
    clause.iter().map(|l| format!("{} ", l.dimacs())).collect::<String>() + "0\n"
}

/// Reads clauses, weighted or not.
pub(super) fn read(text: &str, format: Format) -> Result<Problem, FormatError> {
    let (tokens, comment_lines) = split(text, &Comment::Line('c'), &[]);
    let mut draft = Draft::default();
    for (line, comment) in comment_lines {
        comments::read(line, comment, &mut draft)?;
    }
    let mut cursor = Cursor::new(tokens, text);
    let header = if cursor.peek().text == "p" || format == Format::Cnf {
        Some(header(&mut cursor, format, text, &mut draft)?)
    } else {
        None
    };
    let mut count = 0;
    // Some collections end their clauses with a percent sign.
    while !cursor.is_done() && cursor.peek().text != "%" {
        let start = cursor.peek();
        let weight = match (format, &header) {
            (Format::Cnf, _) => None,
            (_, None) if cursor.take("h") => None,
            (_, header) => {
                let expected = if header.is_some() { "a weight" } else { "\"h\" or a weight" };
                let token = cursor.next();
                let weight = token.text.parse().map_err(|_| token.expected(expected))?;
                let hard = header.as_ref().and_then(|h| h.top).is_some_and(|top| weight >= top);
                (!hard).then_some(weight)
            }
        };
        let mut literals = Vec::new();
        loop {
            let token = cursor.next();
            match token.number("a literal or 0")? {
                0 => break,
                number => literals.push(literal(token, number, &header, &mut draft)?),
            }
        }
        count += 1;
        if weight != Some(0) {
            draft.statements.push(Statement { weight, ..Statement::clause(start.line, literals) });
        }
    }
    if let Some(Header { clauses, .. }) = header
        && clauses != count
    {
        let problem = format!("{} in the header, and {count} in the file", plural(clauses, "clause"));
        return Err(FormatError::Line { line: cursor.peek().line, problem });
    }
    draft.finish(Order::Numbered)
}

struct Header {
    variables: u64,
    clauses: usize,
    top: Option<u64>,
}

fn header(cursor: &mut Cursor, format: Format, text: &str, draft: &mut Draft) -> Result<Header, FormatError> {
    let first = cursor.next();
    if first.text != "p" {
        return Err(first.expected("the line \"p cnf VARIABLES CLAUSES\""));
    }
    let kind = cursor.next();
    if kind.text != format.to_string() {
        return Err(kind.expected(&format!("\"{format}\"")));
    }
    let mut number = |what: &str| {
        let token = cursor.next();
        let number = token.number(what)?;
        u64::try_from(number).map_err(|_| token.expected(what))
    };
    let variables = number("the number of variables")?;
    let clauses = number("the number of clauses")? as usize;
    draft.claim(first.line, variables, text)?;
    let top = cursor.peek();
    let has_top = format == Format::Wcnf && top.line == first.line && !cursor.is_done();
    let top = if has_top {
        cursor.next();
        Some(top.text.parse().map_err(|_| top.expected("the weight of hard clauses"))?)
    } else {
        None
    };
    Ok(Header { variables, clauses, top })
}

fn literal(
    token: Token,
    number: i64,
    header: &Option<Header>,
    draft: &mut Draft,
) -> Result<Lit, FormatError> {
    match header {
        Some(header) if number.unsigned_abs() > header.variables => {
            Err(token.wrong(format!("literal {number}, and the header has {} variables", header.variables)))
        }
        _ => Ok(Lit::new(draft.var(&format!("x{}", number.unsigned_abs())), number < 0)),
    }
}
