//! Reads integer programs over 0/1 variables in the LP format.

use std::collections::BTreeMap;

use crate::formats::draft::{Allowed, Draft, Order, Statement};
use crate::formats::tokens::{Comment, Cursor, Token, shown, split};
use crate::formats::{FormatError, comments};
use crate::{Lit, Problem, Var};

const SYMBOLS: [&str; 12] = ["->", "<=", "=<", ">=", "=>", "<", ">", "=", ":", "+", "-", "["];
const RELATIONS: [&str; 7] = ["<=", "=<", ">=", "=>", "<", ">", "="];

/// Reads an objective, named rows, bounds, and variables declared binary or whole.
pub(in crate::formats) fn read(text: &str) -> Result<Problem, FormatError> {
    let (tokens, comment_lines) = split(text, &Comment::Rest('\\'), &SYMBOLS);
    let mut reader = Reader {
        cursor: Cursor::new(tokens, text),
        draft: Draft::default(),
        bounds: BTreeMap::new(),
        group: 0,
        last_name: None,
    };
    for (line, comment) in comment_lines {
        comments::read(line, comment, &mut reader.draft)?;
    }
    reader.file()?;
    reader.finish()
}

/// What is known of a variable's domain, and where it was first mentioned.
struct Bounds<'a> {
    token: Token<'a>,
    whole: bool,
    min: i64,
    max: Option<i64>,
}

#[derive(Clone, Copy, PartialEq)]
enum Section {
    Objective { maximize: bool },
    Rows,
    Bounds,
    Binary,
    Whole,
    End,
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    draft: Draft,
    bounds: BTreeMap<Var, Bounds<'a>>,
    group: usize,
    last_name: Option<String>,
}

/// A linear expression: terms and a constant.
struct Sum {
    terms: Vec<(i64, Lit)>,
    constant: i64,
}

impl<'a> Reader<'a> {
    /// The section that begins here, and how many words say so.
    fn section(&self) -> Option<(Section, usize)> {
        let word = |n: usize| self.cursor.ahead(n).text.to_ascii_lowercase();
        // The name of a row can be any word.
        if self.cursor.ahead(1).text == ":" {
            return None;
        }
        Some(match word(0).as_str() {
            "minimize" | "minimum" | "min" => (Section::Objective { maximize: false }, 1),
            "maximize" | "maximum" | "max" => (Section::Objective { maximize: true }, 1),
            "subject" if word(1) == "to" => (Section::Rows, 2),
            "such" if word(1) == "that" => (Section::Rows, 2),
            "st" | "s.t." | "st." => (Section::Rows, 1),
            "bounds" | "bound" => (Section::Bounds, 1),
            "binary" | "binaries" | "bin" => (Section::Binary, 1),
            "general" | "generals" | "gen" | "integer" | "integers" | "int" => (Section::Whole, 1),
            "end" => (Section::End, 1),
            _ => return None,
        })
    }

    fn file(&mut self) -> Result<(), FormatError> {
        let mut section = None;
        while !self.cursor.is_done() {
            if let Some((next, words)) = self.section() {
                (0..words).for_each(|_| {
                    self.cursor.next();
                });
                if let Section::Objective { maximize } = next {
                    self.objective(maximize)?;
                }
                section = Some(next);
                continue;
            }
            let token = self.cursor.peek();
            match section {
                None => return Err(token.expected("\"Minimize\" or \"Maximize\"")),
                Some(Section::Objective { .. }) => return Err(token.expected("\"Subject To\"")),
                Some(Section::Rows) => self.row()?,
                Some(Section::Bounds) => self.bound()?,
                Some(Section::Binary) => {
                    let token = self.cursor.next();
                    let bounds = self.variable(token)?.1;
                    bounds.whole = true;
                    bounds.min = bounds.min.max(0);
                    bounds.max = Some(bounds.max.map_or(1, |max| max.min(1)));
                }
                Some(Section::Whole) => {
                    let token = self.cursor.next();
                    self.variable(token)?.1.whole = true;
                }
                Some(Section::End) => return Err(token.expected("nothing after \"End\"")),
            }
        }
        match section {
            Some(Section::End) => Ok(()),
            _ => Err(self.cursor.peek().expected("\"End\"")),
        }
    }

    fn variable(&mut self, token: Token<'a>) -> Result<(Var, &mut Bounds<'a>), FormatError> {
        let starts = |c: char| c.is_alphabetic() || "!\"#$%&(),;?@_'`{}~".contains(c);
        if !token.text.starts_with(starts) {
            return Err(token.expected("a variable"));
        }
        let var = self.draft.var(token.text);
        let bounds = self.bounds.entry(var).or_insert(Bounds { token, whole: false, min: 0, max: None });
        Ok((var, bounds))
    }

    /// Whether a sum ends here: at a relation, a section, or the end of the file.
    fn at_end(&self) -> bool {
        self.cursor.is_done() || RELATIONS.contains(&self.cursor.peek().text) || self.section().is_some()
    }

    /// The signs before a number or a variable, as a factor.
    fn sign(&mut self) -> i64 {
        let mut sign = 1;
        while ["+", "-"].contains(&self.cursor.peek().text) {
            if self.cursor.next().text == "-" {
                sign = -sign;
            }
        }
        sign
    }

    /// `2 x1 - x2 + 3`.
    fn sum(&mut self) -> Result<Sum, FormatError> {
        let mut sum = Sum { terms: vec![], constant: 0 };
        while !self.at_end() {
            let sign = self.sign();
            let token = self.cursor.next();
            if ["[", "->", ":"].contains(&token.text) {
                return Err(token.wrong(format!("{} is not supported, only linear rows", shown(token.text))));
            }
            let (digits, name) = leading_number(token);
            if digits.text.is_empty() {
                sum.terms.push((sign, self.variable(token)?.0.positive()));
                continue;
            }
            let coefficient = whole(sign, digits)?;
            if !name.text.is_empty() {
                sum.terms.push((coefficient, self.variable(name)?.0.positive()));
            } else if self.at_end() || ["+", "-"].contains(&self.cursor.peek().text) {
                let constant = sum.constant.checked_add(coefficient);
                sum.constant = constant.ok_or_else(|| token.wrong("a constant beyond 64 bits"))?;
            } else {
                let token = self.cursor.next();
                sum.terms.push((coefficient, self.variable(token)?.0.positive()));
            }
        }
        Ok(sum)
    }

    fn objective(&mut self, maximize: bool) -> Result<(), FormatError> {
        let start = self.cursor.peek();
        if self.cursor.ahead(1).text == ":" {
            self.cursor.next();
            self.cursor.next();
        }
        let mut sum = self.sum()?;
        if maximize {
            let negated = |c: i64| c.checked_neg().ok_or_else(|| start.wrong("a coefficient beyond 64 bits"));
            sum.constant = negated(sum.constant)?;
            for (coefficient, _) in &mut sum.terms {
                *coefficient = negated(*coefficient)?;
            }
        }
        self.draft.objective = sum.terms;
        self.draft.objective_constant = sum.constant;
        Ok(())
    }

    fn row(&mut self) -> Result<(), FormatError> {
        let start = self.cursor.peek();
        let name = (self.cursor.ahead(1).text == ":").then(|| {
            self.cursor.next();
            self.cursor.next();
            // Two rows of these names bound one sum from below and from above.
            start.text.trim_end_matches("_min").trim_end_matches("_max").to_owned()
        });
        if name != self.last_name {
            self.group += 1;
            self.last_name = name;
        }
        let (sum, min, max) = self.bounded()?;
        let statement = Statement::new(start.line, sum.terms, Allowed::Between(min, max));
        self.draft.statements.push(Statement { group: Some(self.group), ..statement });
        Ok(())
    }

    /// `sum <= 3`, `1 <= sum <= 3`, `3 >= sum`: the sum without its constant, and its bounds.
    fn bounded(&mut self) -> Result<(Sum, Option<i64>, Option<i64>), FormatError> {
        let mut sum = self.sum()?;
        let mut relation = self.cursor.next();
        let (mut min, mut max) = (None, None);
        let mut set = |relation: Token, bound: i64, constant: i64, bound_is_left: bool| {
            let bound =
                bound.checked_sub(constant).ok_or_else(|| relation.wrong("a bound beyond 64 bits"))?;
            match relation.text.trim_matches('=') {
                "" if RELATIONS.contains(&relation.text) => (min, max) = (Some(bound), Some(bound)),
                "<" if bound_is_left => min = Some(bound),
                "<" => max = Some(bound),
                ">" if bound_is_left => max = Some(bound),
                ">" => min = Some(bound),
                _ => return Err(relation.expected("\"<=\", \">=\" or \"=\"")),
            }
            Ok(())
        };
        let mut is_done = false;
        if sum.terms.is_empty() {
            let left = sum.constant;
            sum = self.sum()?;
            set(relation, left, sum.constant, true)?;
            is_done = !RELATIONS.contains(&self.cursor.peek().text);
            if !is_done {
                relation = self.cursor.next();
            }
        }
        if !is_done {
            let sign = self.sign();
            let bound = whole(sign, self.cursor.next())?;
            set(relation, bound, sum.constant, false)?;
        }
        Ok((sum, min, max))
    }

    fn bound(&mut self) -> Result<(), FormatError> {
        let start = self.cursor.peek();
        if self.cursor.ahead(1).text.eq_ignore_ascii_case("free") {
            return Err(
                start.wrong(format!("{} is free, and only 0/1 variables are supported", shown(start.text)))
            );
        }
        let (sum, min, max) = self.bounded()?;
        let [(1, literal)] = sum.terms.as_slice() else {
            return Err(start.expected("one variable with its bounds"));
        };
        if let Some(bounds) = self.bounds.get_mut(&literal.var()) {
            bounds.min = min.unwrap_or(bounds.min);
            bounds.max = max.or(bounds.max);
        }
        Ok(())
    }

    /// Checks that every variable is 0/1, and keeps bounds that fix one as constraints.
    fn finish(mut self) -> Result<Problem, FormatError> {
        for (var, bounds) in &self.bounds {
            let line = bounds.token.line;
            let name = shown(bounds.token.text);
            match (bounds.whole, bounds.min, bounds.max) {
                (true, 0, Some(1)) => {}
                (true, min, Some(max)) if min >= 0 && max <= 1 => {
                    let allowed = Allowed::Between(Some(min), Some(max));
                    self.draft.statements.push(Statement::new(line, vec![(1, var.positive())], allowed));
                }
                (true, ..) => return Err(bounds.token.wrong(format!("{name} is not bounded by 0 and 1"))),
                (false, ..) => {
                    return Err(bounds.token.wrong(format!(
                        "{name} is not declared binary, and only 0/1 variables are supported"
                    )));
                }
            }
        }
        self.draft.finish(Order::Numbered)
    }
}

/// A token such as `3x1` in its number and its name; either can be empty.
fn leading_number(token: Token<'_>) -> (Token<'_>, Token<'_>) {
    let length = token.text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(token.text.len());
    let (digits, name) = token.text.split_at(length);
    (Token { text: digits, ..token }, Token { text: name, column: token.column + length, ..token })
}

/// A number that may be written with a decimal point but must be whole, times its sign: the least number
/// of 64 bits has no positive twin.
fn whole(sign: i64, token: Token) -> Result<i64, FormatError> {
    let text = match token.text.split_once('.') {
        Some((before, after)) if after.bytes().all(|b| b == b'0') => before,
        Some(_) => return Err(token.wrong(format!("{} is not a whole number", shown(token.text)))),
        None => token.text,
    };
    let text = if sign < 0 { format!("-{text}") } else { text.to_owned() };
    Token { text: &text, ..token }.number("a whole number")
}
