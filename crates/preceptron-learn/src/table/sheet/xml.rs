//! XML, element by element: what workbooks need of it.
//!
//! Names are told without their prefix. Entities are those of XML and numbers; a document's own ones are left as they
//! stand, so that none grows while it is read.

use std::borrow::Cow;

/// What comes next.
pub(super) enum Event<'a> {
    /// The start of an element.
    Open(Element<'a>),
    /// The end of an element, by its name; one that is empty has an end too.
    Close(&'a str),
    /// Text between them.
    Text(Cow<'a, str>),
}

/// The start of an element.
#[derive(Clone, Copy)]
pub(super) struct Element<'a> {
    pub name: &'a str,
    attributes: &'a str,
}

fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

impl<'a> Element<'a> {
    /// The value of an attribute, by its name without a prefix.
    pub fn attribute(&self, name: &str) -> Option<Cow<'a, str>> {
        let mut rest = self.attributes;
        loop {
            let (key, after) = rest.split_once('=')?;
            let after = after.trim_start();
            let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let (value, further) = after[1..].split_once(quote)?;
            if local(key.trim()) == name {
                return Some(unescaped(value));
            }
            rest = further;
        }
    }

    /// The number that an attribute holds.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.attribute(name)?.trim().parse().ok()
    }
}

/// Text without the entities in it.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        plain.push_str(before);
        let entity = after.split_once(';').filter(|(name, _)| name.len() <= 10);
        let character = entity.and_then(|(name, _)| match name {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => {
                let digits = name.strip_prefix('#')?;
                let code = match digits.strip_prefix(['x', 'X']) {
                    Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
                    None => digits.parse(),
                };
                char::from_u32(code.ok()?)
            }
        });
        match (character, entity) {
            (Some(character), Some((_, after))) => {
                plain.push(character);
                rest = after;
            }
            _ => {
                plain.push('&');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// A document that is being read.
pub(super) struct Reader<'a> {
    rest: &'a str,
    closing: Option<&'a str>,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str) -> Reader<'a> {
        Reader { rest: text, closing: None }
    }

    /// The next event; nothing at the end, nor where the document is cut off.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Option<Event<'a>> {
        if let Some(name) = self.closing.take() {
            return Some(Event::Close(name));
        }
        loop {
            let rest = self.rest;
            let Some(inside) = rest.strip_prefix('<') else {
                let end = rest.find('<')?;
                self.rest = &rest[end..];
                return Some(Event::Text(unescaped(&rest[..end])));
            };
            if let Some(data) = inside.strip_prefix("![CDATA[") {
                let (data, after) = data.split_once("]]>")?;
                self.rest = after;
                return Some(Event::Text(Cow::Borrowed(data)));
            }
            if let Some(comment) = inside.strip_prefix("!--") {
                self.rest = comment.split_once("-->")?.1;
                continue;
            }
            if inside.starts_with(['!', '?']) {
                self.rest = inside.split_once('>')?.1;
                continue;
            }
            let end = end_of_tag(inside)?;
            self.rest = &inside[end + 1..];
            let tag = &inside[..end];
            if let Some(name) = tag.strip_prefix('/') {
                return Some(Event::Close(local(name.trim())));
            }
            let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
            let (name, attributes) = tag.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((tag, ""));
            let name = local(name);
            self.closing = is_empty.then_some(name);
            return Some(Event::Open(Element { name, attributes }));
        }
    }

    /// Whether all was read.
    pub fn is_over(&self) -> bool {
        self.rest.trim().is_empty()
    }
}

/// Where a tag ends: the first `>` that is not in quotes.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quote = None;
    text.bytes().position(|byte| match (quote, byte) {
        (None, b'>') => true,
        (None, b'"' | b'\'') => {
            quote = Some(byte);
            false
        }
        (Some(open), byte) if open == byte => {
            quote = None;
            false
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        let mut reader = Reader::new(text);
        let mut all = String::new();
        while let Some(event) = reader.next() {
            match event {
                Event::Open(element) => {
                    let value = element.attribute("v").unwrap_or_default();
                    all += &format!("<{} {value}>", element.name);
                }
                Event::Close(name) => all += &format!("</{name}>"),
                Event::Text(text) => all += &text,
            }
        }
        all
    }

    #[test]
    fn elements_and_text_come_in_order() {
        let text = "<?xml version='1.0'?><!-- <x> --><a:b c='>' x:v=\"1 &lt; 2\">&#65;&amp;&other;<d/>\
                    <![CDATA[<raw>]]></a:b>";
        assert_eq!(told(text), "<b 1 < 2>A&&other;<d ></d><raw></b>");
        for cut in 0..text.len() {
            told(&text[..cut]);
        }
    }
}
