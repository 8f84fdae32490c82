//! HTML that is written piece by piece, its text escaped on the way.
//!
//! Beside the characters that have a meaning in HTML, those that no eye sees and that change what it reads (control
//! characters, and marks that turn the direction of writing, such as U+202E) come out as `\u{202e}`.

use std::fmt::{self, Write};

/// Text as it may stand in a page, in an element or in a quoted attribute.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'a>(pub &'a str);

/// Marks that embed, override or isolate a direction of writing, or hint at one.
fn turns_writing(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '&' => f.write_str("&amp;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            '\n' | '\t' => f.write_char(c),
            _ if c.is_control() || turns_writing(c) => write!(f, "{}", c.escape_unicode()),
            _ => f.write_char(c),
        })
    }
}

/// A page, or a part of one, that is being written.
#[derive(Default)]
pub struct Html(String);

impl Html {
    /// What was written.
    pub fn finish(self) -> String {
        self.0
    }

    /// Markup as it is: the program's own, or a drawing whose maker has escaped what it was given.
    pub fn markup(&mut self, markup: &str) -> &mut Html {
        self.0.push_str(markup);
        self
    }

    /// Text.
    pub fn text(&mut self, text: &str) -> &mut Html {
        // Writing to a string does not fail.
        let _ = write!(self.0, "{}", Escaped(text));
        self
    }

    fn open(&mut self, tag: &str, class: &str) {
        let _ = match class {
            "" => write!(self.0, "<{tag}>"),
            _ => write!(self.0, "<{tag} class=\"{class}\">"),
        };
    }

    fn close(&mut self, tag: &str) {
        let _ = writeln!(self.0, "</{tag}>");
    }

    /// An element with text in it, on a line of its own; the class may be empty. Tag and class are the program's own.
    pub fn element(&mut self, tag: &str, class: &str, text: &str) -> &mut Html {
        self.open(tag, class);
        self.text(text).close(tag);
        self
    }

    /// An element with others in it.
    pub fn within(&mut self, tag: &str, class: &str, inner: impl FnOnce(&mut Html)) -> &mut Html {
        self.open(tag, class);
        self.markup("\n");
        inner(self);
        self.close(tag);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What a browser makes of the text.
    fn read_back(text: &str) -> String {
        let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
        text.replace("&#39;", "'").replace("&amp;", "&")
    }

    fn is_hidden(c: char) -> bool {
        (c.is_control() && c != '\n' && c != '\t') || turns_writing(c)
    }

    #[test]
    fn what_turns_writing_is_shown() {
        let shown = |text: &str| Escaped(text).to_string();
        assert_eq!(shown("gnp\u{202e}.exe"), "gnp\\u{202e}.exe");
        assert_eq!(shown("\u{1b}[31m\u{7}\u{0}\r\n"), "\\u{1b}[31m\\u{7}\\u{0}\\u{d}\n");
        assert_eq!(shown("<a href='x'>&\"é¬"), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;é¬");
    }

    #[test]
    fn elements_stand_in_each_other() {
        let mut html = Html::default();
        html.within("div", "a", |html| {
            html.element("p", "", "1 < 2").element("b", "found", "5");
        });
        let expected = "<div class=\"a\">\n<p>1 &lt; 2</p>\n<b class=\"found\">5</b>\n</div>\n";
        assert_eq!(html.finish(), expected);
    }

    proptest! {
        #[test]
        fn no_text_is_markup_or_hidden(
            parts in proptest::collection::vec(
                prop_oneof![
                    Just("<".to_owned()), Just(">".to_owned()), Just("&".to_owned()), Just("&lt;".to_owned()),
                    Just("\"".to_owned()), Just("'".to_owned()), Just("\u{202e}".to_owned()),
                    Just("\u{2066}".to_owned()), Just("\u{0}".to_owned()), Just("\u{9b}".to_owned()), ".*",
                ],
                0..12,
            ),
        ) {
            let text = parts.concat();
            let shown = Escaped(&text).to_string();
            prop_assert!(!shown.contains(['<', '>', '"', '\'']));
            prop_assert!(!shown.chars().any(is_hidden));
            for (at, _) in shown.match_indices('&') {
                let is_named = ["&lt;", "&gt;", "&amp;", "&quot;", "&#39;"].iter().any(|n| shown[at..].starts_with(n));
                prop_assert!(is_named, "{shown}");
            }
            // Nothing is lost: what is hidden is named, all else comes back.
            let named = |c: char| if is_hidden(c) { c.escape_unicode().to_string() } else { c.to_string() };
            prop_assert_eq!(read_back(&shown), text.chars().map(named).collect::<String>());
        }
    }
}
