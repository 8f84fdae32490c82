//! Integer arithmetic over axis names, for derived axes: `3*((row-1)/3) + (column-1)/3 + 1`.
//!
//! `pick(N, A, B, C, ...)` is the Nth of the whole numbers that follow, from 1: any cut of places into parts.
//! `+ - * / %` with the usual precedence, unary minus, parentheses, whole numbers and names. Division
//! rounds down and the remainder has the divisor's sign, so that both are even steps across zero.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

/// An arithmetic expression over named whole numbers. Prints as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    text: String,
    root: Node,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Number(i64),
    Name(String),
    Negate(Box<Node>),
    Binary(char, Box<Node>, Box<Node>),
    Pick(Box<Node>, Vec<i64>),
}

/// Why an expression cannot be read or has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExpressionError {
    /// Not an expression.
    #[error("{text:?} at character {at}: expected {expected}")]
    Syntax {
        /// The whole text.
        text: String,
        /// Where reading stopped, counted in characters from 1.
        at: usize,
        /// What could have stood there.
        expected: &'static str,
    },
    /// A name without a value.
    #[error("{0:?} has no value")]
    Unknown(String),
    /// A division by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// A number that `pick` has nothing for.
    #[error("pick has {count} numbers, and none at {at}")]
    Outside {
        /// The number that was asked for.
        at: i64,
        /// How many there are.
        count: usize,
    },
    /// A value beyond 64 bits.
    #[error("a value is too large")]
    Overflow,
}

impl Expression {
    /// The names that occur.
    pub fn names(&self) -> BTreeSet<String> {
        fn walk(node: &Node, names: &mut BTreeSet<String>) {
            match node {
                Node::Number(_) => {}
                Node::Name(name) => {
                    names.insert(name.clone());
                }
                Node::Negate(inner) => walk(inner, names),
                Node::Binary(_, left, right) => {
                    walk(left, names);
                    walk(right, names);
                }
                Node::Pick(at, _) => walk(at, names),
            }
        }
        let mut names = BTreeSet::new();
        walk(&self.root, &mut names);
        names
    }

    /// The value where the names have these values.
    pub fn evaluate(&self, values: &BTreeMap<&str, i64>) -> Result<i64, ExpressionError> {
        fn value(node: &Node, values: &BTreeMap<&str, i64>) -> Result<i64, ExpressionError> {
            let checked = match node {
                Node::Number(number) => Some(*number),
                Node::Name(name) => {
                    Some(*values.get(name.as_str()).ok_or_else(|| ExpressionError::Unknown(name.clone()))?)
                }
                Node::Negate(inner) => value(inner, values)?.checked_neg(),
                Node::Pick(at, list) => {
                    let at = value(at, values)?;
                    let picked = at.checked_sub(1).and_then(|at| list.get(usize::try_from(at).ok()?));
                    Some(*picked.ok_or(ExpressionError::Outside { at, count: list.len() })?)
                }
                Node::Binary(operator, left, right) => {
                    let (a, b) = (value(left, values)?, value(right, values)?);
                    match operator {
                        '+' => a.checked_add(b),
                        '-' => a.checked_sub(b),
                        '*' => a.checked_mul(b),
                        _ if b == 0 => return Err(ExpressionError::DivisionByZero),
                        '/' => a.checked_div(b).map(|q| q - i64::from(a % b != 0 && (a < 0) != (b < 0))),
                        _ => a.checked_rem(b).map(|r| if r != 0 && (r < 0) != (b < 0) { r + b } else { r }),
                    }
                }
            };
            checked.ok_or(ExpressionError::Overflow)
        }
        value(&self.root, values)
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Expression {
    type Err = ExpressionError;
    fn from_str(text: &str) -> Result<Expression, ExpressionError> {
        let mut reader = Reader { text, characters: text.chars().collect(), at: 0, depth: 0 };
        let root = reader.sum()?;
        match reader.peek() {
            None => Ok(Expression { text: text.trim().to_owned(), root }),
            Some(_) => Err(reader.expected("an operator or the end")),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    characters: Vec<char>,
    at: usize,
    depth: usize,
}

/// Parentheses and minus signs deeper than this are refused rather than recursed into.
const DEEPEST: usize = 200;

impl Reader<'_> {
    fn expected(&self, expected: &'static str) -> ExpressionError {
        ExpressionError::Syntax { text: self.text.to_owned(), at: self.at + 1, expected }
    }

    fn peek(&mut self) -> Option<char> {
        while self.characters.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
        self.characters.get(self.at).copied()
    }

    fn sum(&mut self) -> Result<Node, ExpressionError> {
        self.chain(&['+', '-'], Self::product)
    }

    fn product(&mut self) -> Result<Node, ExpressionError> {
        self.chain(&['*', '/', '%'], Self::factor)
    }

    fn chain(
        &mut self,
        operators: &[char],
        part: fn(&mut Self) -> Result<Node, ExpressionError>,
    ) -> Result<Node, ExpressionError> {
        let mut left = part(self)?;
        let mut links = 0;
        while let Some(operator) = self.peek().filter(|c| operators.contains(c)) {
            self.at += 1;
            links += 1;
            if links > DEEPEST {
                return Err(self.expected("fewer operators"));
            }
            left = Node::Binary(operator, Box::new(left), Box::new(part(self)?));
        }
        Ok(left)
    }

    fn factor(&mut self) -> Result<Node, ExpressionError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.expected("fewer nested parts"));
        }
        let node = match self.peek() {
            Some('-') => {
                self.at += 1;
                Node::Negate(Box::new(self.factor()?))
            }
            Some('(') => {
                self.at += 1;
                let inside = self.sum()?;
                if self.peek() != Some(')') {
                    return Err(self.expected("a closing parenthesis"));
                }
                self.at += 1;
                inside
            }
            Some(c) if c.is_ascii_digit() => {
                let digits = self.take(|c| c.is_ascii_digit());
                Node::Number(digits.parse().map_err(|_| ExpressionError::Overflow)?)
            }
            Some(c) if c.is_alphabetic() || c == '_' => {
                let name = self.take(|c| c.is_alphanumeric() || c == '_');
                match name == "pick" && self.peek() == Some('(') {
                    true => self.pick()?,
                    false => Node::Name(name),
                }
            }
            _ => return Err(self.expected("a number, a name or a parenthesis")),
        };
        self.depth -= 1;
        Ok(node)
    }

    /// What follows `pick`.
    fn pick(&mut self) -> Result<Node, ExpressionError> {
        self.at += 1;
        let at = Box::new(self.sum()?);
        let mut list = Vec::new();
        while self.peek() == Some(',') {
            self.at += 1;
            if !self.peek().is_some_and(|c| c.is_ascii_digit()) {
                return Err(self.expected("a number"));
            }
            let digits = self.take(|c| c.is_ascii_digit());
            list.push(digits.parse().map_err(|_| ExpressionError::Overflow)?);
        }
        if list.is_empty() || self.peek() != Some(')') {
            return Err(self.expected("a comma and a number, or a closing parenthesis"));
        }
        self.at += 1;
        Ok(Node::Pick(at, list))
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let start = self.at;
        while self.characters.get(self.at).copied().is_some_and(&wanted) {
            self.at += 1;
        }
        self.characters[start..self.at].iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, values: &[(&str, i64)]) -> Result<i64, ExpressionError> {
        text.parse::<Expression>()?.evaluate(&values.iter().copied().collect())
    }

    #[test]
    fn boxes_of_sudoku() {
        let text = "3*((row-1)/3) + (column-1)/3";
        assert_eq!(value(text, &[("row", 1), ("column", 9)]), Ok(2));
        assert_eq!(value(text, &[("row", 9), ("column", 1)]), Ok(6));
    }

    #[test]
    fn precedence_and_signs() {
        assert_eq!(value("1 + 2 * 3 - -4", &[]), Ok(11));
        assert_eq!(value("-7 / 2", &[]), Ok(-4));
        assert_eq!(value("-7 % 2", &[]), Ok(1));
        assert_eq!(value("8 - 3 - 2", &[]), Ok(3));
    }

    #[test]
    fn any_cut_can_be_picked() {
        let text = "pick(2*(row-1) + column, 7, 7, 8, 9) + 1";
        assert_eq!(value(text, &[("row", 2), ("column", 1)]), Ok(9));
        assert_eq!(value("pick + 1", &[("pick", 4)]), Ok(5), "a name like any other where no list follows");
        let message = |text: &str| value(text, &[]).unwrap_err().to_string();
        assert_eq!(message("pick(3, 1, 2)"), "pick has 2 numbers, and none at 3");
        assert_eq!(message("pick(0, 1, 2)"), "pick has 2 numbers, and none at 0");
        assert!(message("pick(1)").ends_with("expected a comma and a number, or a closing parenthesis"));
        assert!(message("pick(1, x)").ends_with("expected a number"));
    }

    #[test]
    fn errors_say_where() {
        let message = |text: &str| value(text, &[]).unwrap_err().to_string();
        assert_eq!(message("1 +"), "\"1 +\" at character 4: expected a number, a name or a parenthesis");
        assert_eq!(message("(1"), "\"(1\" at character 3: expected a closing parenthesis");
        assert_eq!(message("1 2"), "\"1 2\" at character 3: expected an operator or the end");
        assert_eq!(message("1/0"), "division by zero");
        assert_eq!(message("a"), "\"a\" has no value");
        assert_eq!(message("9223372036854775807+1"), "a value is too large");
        assert!(message(&"(".repeat(100_000)).contains("fewer nested parts"));
    }
}
