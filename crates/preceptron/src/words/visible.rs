//! Names as they are, not as they would like to be seen: characters that steer a terminal or turn the direction
//! of writing are printed as `\u202e`.
//!
//! That is how JSON spells them too, so that what is written through [`Visible`] means the same to a program.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Whether a character shows nothing and changes how others are shown. The end of a line and a tab are not meant.
fn is_steering(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}' => true,
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        other => other.is_control(),
    }
}

/// A text in which every character can be seen.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_steering) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match is_steering(character) {
            // A text takes whatever is written.
            true => drop(write!(shown, "\\u{:04x}", u32::from(character))),
            false => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

/// Writes text so that every character can be seen.
pub struct Visible<W: Write> {
    inner: W,
    /// The beginning of a character whose end has not come yet.
    begun: Vec<u8>,
}

impl<W: Write> Visible<W> {
    /// Writes to `inner`.
    pub fn new(inner: W) -> Visible<W> {
        Visible { inner, begun: Vec::new() }
    }
}

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        let mut rest = &all[..];
        loop {
            let error = match std::str::from_utf8(rest) {
                Ok(text) => {
                    self.inner.write_all(visible(text).as_bytes())?;
                    return Ok(bytes.len());
                }
                Err(error) => error,
            };
            let (text, other) = rest.split_at(error.valid_up_to());
            self.inner.write_all(visible(&String::from_utf8_lossy(text)).as_bytes())?;
            let Some(length) = error.error_len() else {
                self.begun = other.to_vec();
                return Ok(bytes.len());
            };
            // What is no text is not changed.
            self.inner.write_all(&other[..length])?;
            rest = &other[length..];
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_is_spelled_and_the_rest_is_left() {
        assert_eq!(visible("an\u{202e}na\u{1b}[2J\r\n\ta"), "an\\u202ena\\u001b[2J\\u000d\n\ta");
        for plain in ["cell[row 1]", "Größe", "کتاب‌ها", "👩‍🔬", "名前\n"] {
            assert!(matches!(visible(plain), Cow::Borrowed(text) if text == plain), "{plain}");
        }
        let json = serde_json::json!({ "name": "a\u{202e}b\u{7f}" });
        let shown = visible(&json.to_string()).into_owned();
        assert!(!shown.contains('\u{202e}'));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), json);
    }

    #[test]
    fn characters_may_come_in_pieces() {
        let text = "ä\u{202e}👩 b".as_bytes();
        for size in 1..=text.len() {
            let mut out = Visible::new(Vec::new());
            text.chunks(size).for_each(|part| out.write_all(part).unwrap());
            assert_eq!(out.inner, "ä\\u202e👩 b".as_bytes(), "{size}");
        }
        let mut out = Visible::new(Vec::new());
        out.write_all(b"a\xff\x1bb").unwrap();
        assert_eq!(out.inner, b"a\xff\\u001bb");
    }
}
