//! Words with their places, and what is said when another was expected.
//!
//! OPB, LP and MiniZinc are all words and symbols apart from comments to the end of a line, so one
//! splitter does for the three.

use super::FormatError;

/// A word or symbol, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub text: &'a str,
    pub line: usize,
    pub column: usize,
}

impl Token<'_> {
    pub fn wrong(&self, problem: impl Into<String>) -> FormatError {
        FormatError::At { line: self.line, column: self.column, problem: problem.into() }
    }

    pub fn expected(&self, what: &str) -> FormatError {
        let found = if self.text.is_empty() { "the end".to_owned() } else { shown(self.text) };
        self.wrong(format!("expected {what}, found {found}"))
    }

    /// The token as a whole number.
    pub fn number(&self, what: &str) -> Result<i64, FormatError> {
        let digits = self.text.strip_prefix(['+', '-']).unwrap_or(self.text);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(self.expected(what));
        }
        self.text.parse().map_err(|_| self.wrong(format!("{} does not fit in 64 bits", shown(self.text))))
    }
}

/// The text in quotes, cut short if it is long.
pub(super) fn shown(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// Where comments begin.
pub(super) enum Comment {
    /// A line is a comment if this is the first thing in it.
    Line(char),
    /// This and the rest of the line, anywhere.
    Rest(char),
}

/// A comment: its line, and the text after the character that begins it.
pub(super) type CommentLine<'a> = (usize, &'a str);

/// Splits a text into words and `symbols` (of which a longer one is listed before its beginnings), and
/// sets comments apart.
pub(super) fn split<'a>(
    text: &'a str,
    comment: &Comment,
    symbols: &[&str],
) -> (Vec<Token<'a>>, Vec<CommentLine<'a>>) {
    let (mut tokens, mut comments) = (Vec::new(), Vec::new());
    for (line, mut rest) in (1..).zip(text.lines()) {
        match *comment {
            Comment::Line(mark) => {
                if let Some(inside) = rest.trim_start().strip_prefix(mark) {
                    comments.push((line, inside));
                    continue;
                }
            }
            Comment::Rest(mark) => {
                if let Some((before, inside)) = rest.split_once(mark) {
                    comments.push((line, inside));
                    rest = before;
                }
            }
        }
        let mut column = 1;
        while let Some(first) = rest.chars().next() {
            let symbol = symbols.iter().find(|s| rest.starts_with(**s));
            let length = match symbol {
                Some(symbol) => symbol.len(),
                None if first.is_whitespace() => first.len_utf8(),
                None => rest
                    .char_indices()
                    .find(|&(at, c)| c.is_whitespace() || symbols.iter().any(|s| rest[at..].starts_with(*s)))
                    .map_or(rest.len(), |(at, _)| at),
            };
            let (word, after) = rest.split_at(length);
            if !first.is_whitespace() {
                tokens.push(Token { text: word, line, column });
            }
            column += word.chars().count();
            rest = after;
        }
    }
    (tokens, comments)
}

/// Tokens one after the other, with an end that has a place too.
pub(super) struct Cursor<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    end: Token<'a>,
}

impl<'a> Cursor<'a> {
    pub fn new(tokens: Vec<Token<'a>>, text: &str) -> Cursor<'a> {
        let end = Token { text: "", line: text.lines().count().max(1), column: 1 };
        let end = tokens.last().map_or(end, |last| Token {
            text: "",
            line: last.line,
            column: last.column + last.text.chars().count(),
        });
        Cursor { tokens, at: 0, end }
    }

    /// The next token, which stays there; an empty one at the end.
    pub fn peek(&self) -> Token<'a> {
        self.ahead(0)
    }

    /// The token after `skipped` others.
    pub fn ahead(&self, skipped: usize) -> Token<'a> {
        self.tokens.get(self.at + skipped).copied().unwrap_or(self.end)
    }

    pub fn next(&mut self) -> Token<'a> {
        let token = self.peek();
        self.at += 1;
        token
    }

    pub fn is_done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// Takes the next token if it is this one.
    pub fn take(&mut self, text: &str) -> bool {
        let there = self.peek().text == text;
        self.at += usize::from(there);
        there
    }

    /// Takes the next token, which must be this one.
    pub fn expect(&mut self, text: &str) -> Result<(), FormatError> {
        let token = self.next();
        if token.text == text { Ok(()) } else { Err(token.expected(&format!("{text:?}"))) }
    }
}
