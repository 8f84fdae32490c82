//! Reads the SMT-LIB that this library writes.

use super::expressions::{Expression, parse, split};
use crate::formats::draft::{Allowed, Draft, Order, Statement};
use crate::formats::tokens::{Token, shown};
use crate::formats::{FormatError, comments};
use crate::{Lit, Problem};

/// Reads Boolean constants, sums of `ite` in bounds, clauses, implications, and a cost.
pub(in crate::formats) fn read(text: &str) -> Result<Problem, FormatError> {
    let (tokens, comment_lines) = split(text)?;
    let mut reader = Reader { draft: Draft::default(), cost: None };
    for (line, comment) in comment_lines {
        comments::read(line, comment, &mut reader.draft)?;
    }
    for command in &parse(&tokens)? {
        reader.command(command)?;
    }
    reader.draft.finish(Order::Mentioned)
}

struct Reader<'a> {
    draft: Draft,
    cost: Option<&'a str>,
}

/// A symbol without the bars around it.
fn bare(text: &str) -> &str {
    text.strip_prefix('|').and_then(|t| t.strip_suffix('|')).unwrap_or(text)
}

fn unsupported(token: Token, what: &str, found: &str) -> FormatError {
    token.wrong(format!("{what} {} is outside the SMT-LIB that is read", shown(found)))
}

impl<'a> Reader<'a> {
    fn command(&mut self, command: &Expression<'a>) -> Result<(), FormatError> {
        let at = command.start();
        match command.head() {
            (
                "set-logic" | "set-info" | "set-option" | "check-sat" | "get-model" | "get-objectives"
                | "exit",
                _,
            ) => {}
            ("declare-const", [Expression::Atom(name), kind])
            | ("declare-fun", [Expression::Atom(name), Expression::List(..), kind])
                if kind.head().0 == "Bool" =>
            {
                if self.draft.find(bare(name.text)).is_some() {
                    return Err(name.wrong(format!("{} is declared twice", shown(name.text))));
                }
                self.draft.var(bare(name.text));
            }
            ("define-fun", [Expression::Atom(name), Expression::List(_, none), kind, sum])
                if none.is_empty() && kind.head().0 == "Int" && self.cost.is_none() =>
            {
                self.cost(sum)?;
                self.cost = Some(bare(name.text));
            }
            ("assert", [body]) => match (body.head(), self.cost) {
                (("<", [Expression::Atom(name), bound]), Some(cost)) if bare(name.text) == cost => {
                    let bound = bound.start();
                    let number = bound.text.parse().map_err(|_| bound.expected("a whole number"))?;
                    self.draft.cost_bound = Some(number);
                }
                _ => {
                    let statement = self.statement(body)?;
                    self.draft.statements.push(statement);
                }
            },
            ("minimize", [Expression::Atom(name)]) if Some(bare(name.text)) == self.cost => {}
            (name, _) => return Err(unsupported(at, "the command", name)),
        }
        Ok(())
    }

    fn literal(&self, expression: &Expression) -> Result<Lit, FormatError> {
        let (token, negated) = match (expression, expression.head()) {
            (Expression::Atom(token), _) => (*token, false),
            (_, ("not", [Expression::Atom(token)])) => (*token, true),
            (_, (head, _)) => return Err(unsupported(expression.start(), "as a literal,", head)),
        };
        let var = self.draft.find(bare(token.text)).ok_or_else(|| token.expected("a declared constant"))?;
        Ok(Lit::new(var, negated))
    }

    fn statement(&mut self, expression: &Expression<'a>) -> Result<Statement, FormatError> {
        let line = expression.start().line;
        let bounded = |terms, min, max| Ok(Statement::new(line, terms, Allowed::Between(min, max)));
        match expression.head() {
            ("=>", [gate, body]) => {
                let gate = self.literal(gate)?;
                let inner = self.statement(body)?;
                if inner.gate.is_some() {
                    return Err(unsupported(body.start(), "within an implication,", "=>"));
                }
                Ok(Statement { gate: Some(gate), ..inner })
            }
            ("=", [sum, value]) => {
                let value = number(value)?;
                bounded(self.sum(sum)?, Some(value), Some(value))
            }
            (">=", [sum, min]) => bounded(self.sum(sum)?, Some(number(min)?), None),
            ("<=", [sum, max]) => bounded(self.sum(sum)?, None, Some(number(max)?)),
            ("<=", [min, sum, max]) => bounded(self.sum(sum)?, Some(number(min)?), Some(number(max)?)),
            ("let", [bindings, cases]) => {
                let binding = bindings.list().and_then(|b| if let [one] = b { one.list() } else { None });
                let Some([Expression::Atom(name), sum]) = binding else {
                    return Err(bindings.start().expected("one symbol and a sum"));
                };
                let ("or", cases) = cases.head() else { return Err(cases.start().expected("\"(or\"")) };
                let value = |case: &Expression| match case.head() {
                    ("=", [Expression::Atom(symbol), value]) if symbol.text == name.text => {
                        u32::try_from(number(value)?).map_err(|_| value.start().expected("a small number"))
                    }
                    _ => Err(case.start().expected(&format!("(= {} NUMBER)", name.text))),
                };
                let values = cases.iter().map(value).collect::<Result<_, _>>()?;
                Ok(Statement::new(line, self.sum(sum)?, Allowed::OneOf(values)))
            }
            ("or", literals) => {
                let literals = literals.iter().map(|l| self.literal(l)).collect::<Result<Vec<_>, _>>()?;
                Ok(Statement::clause(line, literals))
            }
            ("false", []) => bounded(vec![], Some(1), None),
            ("true", []) => bounded(vec![], None, None),
            _ => Ok(Statement::clause(line, [self.literal(expression)?])),
        }
    }

    fn sum(&self, expression: &Expression) -> Result<Vec<(i64, Lit)>, FormatError> {
        match expression.head() {
            ("+", parts) => parts.iter().map(|p| self.term(p)).collect(),
            _ => Ok(vec![self.term(expression)?]),
        }
    }

    fn term(&self, expression: &Expression) -> Result<(i64, Lit), FormatError> {
        let ("ite", [condition, yes, no]) = expression.head() else {
            return Err(unsupported(expression.start(), "as a term of a sum,", expression.head().0));
        };
        let literal = self.literal(condition)?;
        match (number(yes)?, number(no)?) {
            (coefficient, 0) => Ok((coefficient, literal)),
            (0, coefficient) => Ok((coefficient, !literal)),
            _ => Err(expression.start().wrong("expected a term with 0 as one of its values")),
        }
    }

    /// The cost: numbers, terms, and constraints that cost something when they do not hold.
    fn cost(&mut self, expression: &Expression<'a>) -> Result<(), FormatError> {
        let ("+", parts) = expression.head() else { return Err(expression.start().expected("\"(+\"")) };
        for part in parts {
            match part.head() {
                ("ite", [body, Expression::Atom(zero), weight])
                    if zero.text == "0" && (body.list().is_some() || is_constant(body)) =>
                {
                    let weight = weight.start();
                    let price: u64 = weight.text.parse().map_err(|_| weight.expected("a weight"))?;
                    let statement = self.statement(body)?;
                    self.draft.statements.push(Statement { weight: Some(price), ..statement });
                }
                ("ite", _) => {
                    let term = self.term(part)?;
                    self.draft.objective.push(term);
                }
                _ => {
                    let constant = self.draft.objective_constant.checked_add(number(part)?);
                    let too_large = || part.start().wrong("the constant does not fit in 64 bits");
                    self.draft.objective_constant = constant.ok_or_else(too_large)?;
                }
            }
        }
        Ok(())
    }
}

fn is_constant(expression: &Expression) -> bool {
    matches!(expression.head(), ("true" | "false", []))
}

fn number(expression: &Expression) -> Result<i64, FormatError> {
    match (expression, expression.head()) {
        (Expression::Atom(token), _) => token.number("a whole number"),
        (_, ("-", [Expression::Atom(token)])) => {
            let text = format!("-{}", token.text);
            Token { text: &text, ..*token }.number("a whole number")
        }
        _ => Err(expression.start().expected("a whole number")),
    }
}
