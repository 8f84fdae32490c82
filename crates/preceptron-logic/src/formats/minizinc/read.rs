//! Reads the MiniZinc that this library writes.

use crate::formats::draft::{Allowed, Draft, Order, Statement};
use crate::formats::tokens::{Comment, Cursor, shown, split};
use crate::formats::{FormatError, comments};
use crate::{Lit, Problem};

const SYMBOLS: [&str; 18] =
    [";", ":", "->", "\\/", "(", ")", "[", "]", "{", "}", ",", "..", ">=", "<=", "=", "<", "+", "*"];

/// Reads Boolean variables, constraints on sums, clauses, implications, and a cost.
pub(in crate::formats) fn read(text: &str) -> Result<Problem, FormatError> {
    let (tokens, comment_lines) = split(text, &Comment::Rest('%'), &SYMBOLS);
    let mut reader = Reader { cursor: Cursor::new(tokens, text), draft: Draft::default(), cost: false };
    while !reader.cursor.is_done() {
        reader.item()?;
        reader.cursor.expect(";")?;
    }
    for (line, comment) in comment_lines {
        comments::read(line, comment, &mut reader.draft)?;
    }
    reader.draft.finish(Order::Mentioned)
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    draft: Draft,
    cost: bool,
}

impl Reader<'_> {
    fn item(&mut self) -> Result<(), FormatError> {
        let start = self.cursor.next();
        match start.text {
            "var" => {
                let kind = self.cursor.next();
                self.cursor.expect(":")?;
                let name = self.cursor.next();
                match kind.text {
                    "bool" if is_name(name.text) && self.draft.find(name.text).is_none() => {
                        self.draft.var(name.text);
                    }
                    "bool" => return Err(name.expected("a name that is not declared yet")),
                    "int" if name.text == "cost" && !self.cost => {
                        self.cursor.expect("=")?;
                        self.cost = true;
                        self.objective()?;
                    }
                    "int" => return Err(name.expected("\"cost\", once")),
                    _ => return Err(kind.expected("\"bool\" or \"int\"")),
                }
            }
            "constraint" if self.cost && self.cursor.take("cost") => {
                self.cursor.expect("<")?;
                let bound = self.cursor.next();
                let number = bound.text.parse().map_err(|_| bound.expected("a whole number"))?;
                self.draft.cost_bound = Some(number);
            }
            "constraint" => {
                let statement = self.statement()?;
                self.draft.statements.push(statement);
            }
            "solve" => {
                if self.cost && self.cursor.take("minimize") {
                    self.cursor.expect("cost")?;
                } else {
                    self.cursor.expect("satisfy")?;
                }
            }
            _ => {
                let item = shown(start.text);
                return Err(start.wrong(format!("the item {item} is outside the MiniZinc that is read")));
            }
        }
        Ok(())
    }

    fn literal(&mut self) -> Result<Lit, FormatError> {
        let negated = self.cursor.take("not");
        let token = self.cursor.next();
        let var = self.draft.find(token.text).ok_or_else(|| token.expected("a variable declared before"))?;
        Ok(Lit::new(var, negated))
    }

    fn statement(&mut self) -> Result<Statement, FormatError> {
        let start = self.cursor.peek();
        if !["sum", "true", "false"].contains(&start.text) {
            let first = self.literal()?;
            if self.cursor.take("->") {
                let inner = self.ungated()?;
                return Ok(Statement { gate: Some(first), ..inner });
            }
            return self.clause(start.line, first);
        }
        self.ungated()
    }

    fn clause(&mut self, line: usize, first: Lit) -> Result<Statement, FormatError> {
        let mut literals = vec![first];
        while self.cursor.take("\\/") {
            literals.push(self.literal()?);
        }
        Ok(Statement::clause(line, literals))
    }

    fn ungated(&mut self) -> Result<Statement, FormatError> {
        let start = self.cursor.peek();
        let bounded = |terms, min, max| Ok(Statement::new(start.line, terms, Allowed::Between(min, max)));
        if self.cursor.take("true") {
            return bounded(vec![], None, None);
        }
        if self.cursor.take("false") {
            return bounded(vec![], Some(1), None);
        }
        if !self.cursor.take("sum") {
            let first = self.literal()?;
            return self.clause(start.line, first);
        }
        let mut terms = Vec::new();
        self.sum(|reader| {
            let term = reader.term()?;
            terms.push(term);
            Ok(())
        })?;
        let relation = self.cursor.next();
        match relation.text {
            "=" => {
                let value = self.number()?;
                bounded(terms, Some(value), Some(value))
            }
            ">=" => bounded(terms, Some(self.number()?), None),
            "<=" => bounded(terms, None, Some(self.number()?)),
            "in" if self.cursor.take("{") => {
                let mut values = Vec::new();
                loop {
                    let token = self.cursor.next();
                    values.push(token.text.parse().map_err(|_| token.expected("a sum that can be"))?);
                    if self.cursor.take("}") {
                        break;
                    }
                    self.cursor.expect(",")?;
                }
                Ok(Statement::new(start.line, terms, Allowed::OneOf(values)))
            }
            "in" => {
                let min = self.number()?;
                self.cursor.expect("..")?;
                bounded(terms, Some(min), Some(self.number()?))
            }
            _ => Err(relation.expected("\"=\", \">=\", \"<=\" or \"in\"")),
        }
    }

    /// What stands between `([` and `])`, item by item.
    fn sum(&mut self, mut item: impl FnMut(&mut Self) -> Result<(), FormatError>) -> Result<(), FormatError> {
        self.cursor.expect("(")?;
        self.cursor.expect("[")?;
        if !self.cursor.take("]") {
            loop {
                item(self)?;
                if self.cursor.take("]") {
                    break;
                }
                self.cursor.expect(",")?;
            }
        }
        self.cursor.expect(")")
    }

    /// `x1`, `not x1`, `3*bool2int(not x1)`.
    fn term(&mut self) -> Result<(i64, Lit), FormatError> {
        if self.cursor.ahead(1).text != "*" {
            return Ok((1, self.literal()?));
        }
        let coefficient = self.number()?;
        self.factor()?;
        let literal = self.literal()?;
        self.cursor.expect(")")?;
        Ok((coefficient, literal))
    }

    fn factor(&mut self) -> Result<(), FormatError> {
        self.cursor.expect("*")?;
        self.cursor.expect("bool2int")?;
        self.cursor.expect("(")
    }

    /// A number, terms, and constraints that cost something when they do not hold.
    fn objective(&mut self) -> Result<(), FormatError> {
        self.draft.objective_constant = self.number()?;
        self.cursor.expect("+")?;
        self.cursor.expect("sum")?;
        self.sum(|reader| {
            if reader.cursor.ahead(4).text != "not" || reader.cursor.ahead(5).text != "(" {
                let term = reader.term()?;
                reader.draft.objective.push(term);
                return Ok(());
            }
            let weight = reader.cursor.next();
            let price: u64 = weight.text.parse().map_err(|_| weight.expected("a weight"))?;
            reader.factor()?;
            reader.cursor.expect("not")?;
            reader.cursor.expect("(")?;
            let statement = reader.statement()?;
            reader.draft.statements.push(Statement { weight: Some(price), ..statement });
            reader.cursor.expect(")")?;
            reader.cursor.expect(")")
        })
    }

    fn number(&mut self) -> Result<i64, FormatError> {
        self.cursor.next().number("a whole number")
    }
}

fn is_name(text: &str) -> bool {
    let reserved = ["not", "sum", "true", "false", "in", "cost", "bool2int"];
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !reserved.contains(&text)
}
