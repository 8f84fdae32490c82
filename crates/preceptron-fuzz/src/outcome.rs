//! What became of an input, in few enough words that inputs of one kind share them.

use std::fmt::Display;

/// Enough of an error to tell it from others.
const LONGEST: usize = 80;

/// The outcome of an input that was refused: the error without its numbers, what it quotes, and
/// all from the first bracket, semicolon or "at" on, where names stand without quotes.
///
/// # Panics
/// If the error has several lines: every error of the project has one.
pub fn refused(error: &impl Display) -> String {
    let text = error.to_string();
    assert!(!text.contains('\n'), "an error of several lines: {text:?}");
    let mut short = String::from("refused: ");
    let mut quote = None;
    let mut before = ' ';
    for c in text.chars() {
        match quote {
            Some(close) if c == close && before != '\\' => quote = None,
            Some(_) => {}
            None if c.is_ascii_digit() => {
                if !before.is_ascii_digit() {
                    short.push('#');
                }
            }
            None if "([;".contains(c) || short.ends_with(" at ") || short.len() > LONGEST => break,
            None => {
                short.push(c);
                quote = match c {
                    '"' | '`' => Some(c),
                    // An apostrophe within a word quotes nothing.
                    '\'' if !before.is_alphanumeric() => Some(c),
                    _ => None,
                };
            }
        }
        before = if before == '\\' && c == '\\' { ' ' } else { c };
    }
    short
}

/// The outcome of an input that was read: how large the parts are of what came out, roughly.
pub fn read(sizes: &[(&str, usize)]) -> String {
    let sizes: Vec<String> = sizes.iter().map(|(part, size)| format!("{part} {}", roughly(*size))).collect();
    format!("read: {}", sizes.join(", "))
}

/// The number of binary digits.
fn roughly(size: usize) -> u32 {
    usize::BITS - size.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_quotations_are_left_out() {
        let one = refused(&"line 12: expected \">=\", found \"a\\\"b 3\" in a `c`, don't");
        assert_eq!(one, refused(&"line 7: expected \"x\", found \"\" in a `d e`, don't"));
        assert_eq!(one, "refused: line #: expected \", found \" in a `, don't");
        assert_eq!(refused(&"\"a\\\\\" 1 (b, c)"), "refused: \" # ");
    }

    #[test]
    fn sizes_are_rough() {
        assert_eq!(read(&[("rows", 0), ("columns", 5)]), "read: rows 0, columns 3");
        assert_eq!(read(&[("rows", 4)]), read(&[("rows", 7)]));
    }
}
