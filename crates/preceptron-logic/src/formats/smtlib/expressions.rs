//! S-expressions with their places.

use crate::formats::FormatError;
use crate::formats::tokens::{CommentLine, Token};

/// A symbol, number or keyword, or a list in parentheses.
pub(super) enum Expression<'a> {
    Atom(Token<'a>),
    List(Token<'a>, Vec<Expression<'a>>),
}

/// Lists within lists deeper than this are refused rather than recursed into.
const DEEPEST: usize = 100;

impl<'a> Expression<'a> {
    /// The atom, or the parenthesis that opens the list.
    pub fn start(&self) -> Token<'a> {
        match self {
            Expression::Atom(token) | Expression::List(token, _) => *token,
        }
    }

    /// The parts of a list.
    pub fn list(&self) -> Option<&[Expression<'a>]> {
        match self {
            Expression::Atom(_) => None,
            Expression::List(_, parts) => Some(parts),
        }
    }

    /// The first word of a list and the parts after it, or an atom and no parts; `""` if there is none.
    pub fn head(&self) -> (&'a str, &[Expression<'a>]) {
        match self {
            Expression::Atom(token) => (token.text, &[]),
            Expression::List(_, parts) => match parts.split_first() {
                Some((Expression::Atom(token), rest)) => (token.text, rest),
                _ => ("", parts),
            },
        }
    }
}

/// Words, and comments.
type Split<'a> = (Vec<Token<'a>>, Vec<CommentLine<'a>>);

/// Splits a text into words, `(`, `)`, `|quoted symbols|` and `"strings"`, with comments apart.
pub(super) fn split(text: &str) -> Result<Split<'_>, FormatError> {
    let (mut tokens, mut comments) = (Vec::new(), Vec::new());
    for (line, whole) in (1..).zip(text.lines()) {
        let mut rest = whole;
        let mut column = 1;
        while let Some(first) = rest.chars().next() {
            let token = Token { text: "", line, column };
            let length = match first {
                ';' => {
                    comments.push((line, &rest[1..]));
                    break;
                }
                '|' | '"' => match rest[1..].find(first) {
                    Some(end) => end + 2,
                    None => return Err(token.wrong(format!("expected another {first:?} on the line"))),
                },
                '(' | ')' => 1,
                c if c.is_whitespace() => c.len_utf8(),
                _ => rest
                    .find(|c: char| c.is_whitespace() || ['(', ')', ';', '|', '"'].contains(&c))
                    .unwrap_or(rest.len()),
            };
            let (word, after) = rest.split_at(length);
            if !first.is_whitespace() {
                tokens.push(Token { text: word, ..token });
            }
            column += word.chars().count();
            rest = after;
        }
    }
    Ok((tokens, comments))
}

/// The expressions of a whole text.
pub(super) fn parse<'a>(tokens: &[Token<'a>]) -> Result<Vec<Expression<'a>>, FormatError> {
    let mut open: Vec<(Token<'a>, Vec<Expression<'a>>)> = Vec::new();
    let mut done = Vec::new();
    for &token in tokens {
        let finished = match token.text {
            "(" if open.len() == DEEPEST => return Err(token.wrong("lists are nested too deeply")),
            "(" => {
                open.push((token, vec![]));
                continue;
            }
            ")" => {
                let (start, parts) = open.pop().ok_or_else(|| token.wrong("a \")\" that closes nothing"))?;
                Expression::List(start, parts)
            }
            _ => Expression::Atom(token),
        };
        open.last_mut().map_or(&mut done, |(_, parts)| parts).push(finished);
    }
    match open.first() {
        Some((start, _)) => Err(start.wrong("a \"(\" that is not closed")),
        None => Ok(done),
    }
}
