//! Numbers with units, thousands' separators, and a point or a comma before the decimals.

use super::grid::plain;

/// What stands before the decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decimal {
    /// `1,234.5`.
    Point,
    /// `1.234,5`.
    Comma,
}

/// A word that is a number, perhaps with a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Numeral {
    /// Sign, digits and separators.
    digits: String,
    /// What stands before or behind it: `kg`, `%`, a currency.
    pub unit: String,
}

/// What the separators of a numeral say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// A whole number without any.
    Plain,
    /// They can only be those of this style.
    Sure(Decimal),
    /// Three digits stand behind the only one, so it may be either.
    Either,
}

fn is_currency(c: char) -> bool {
    matches!(c, '€' | '$' | '£' | '¥')
}

/// The numeral that a word is.
pub(super) fn read(word: &str) -> Option<Numeral> {
    let word = word.trim();
    let bare = word.trim_start_matches(is_currency).trim_start();
    let prefix = word[..word.len() - bare.len()].trim();
    let (sign, bare) = match bare.strip_prefix(['-', '−', '–']) {
        Some(bare) => ("-", bare.trim_start_matches(is_currency).trim_start()),
        None => ("", bare.strip_prefix('+').unwrap_or(bare)),
    };
    let is_separator =
        |c: char| matches!(c, '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}');
    let end = bare.find(|c: char| !c.is_ascii_digit() && !is_separator(c)).unwrap_or(bare.len());
    let digits = bare[..end].trim_end_matches(|c: char| is_separator(c));
    let unit = bare[digits.len()..].trim().trim_matches('\u{a0}');
    if !digits.starts_with(|c: char| c.is_ascii_digit()) || digits.len() > 30 {
        return None;
    }
    // A point behind the digits is that of an ordinal number or a date; a letter right behind a digit may be a code.
    let known = [
        "%", "h", "°", "°C", "€", "$", "£", "k", "m", "km", "kg", "g", "t", "l", "s", "min", "cm", "mm",
        "EUR", "USD", "kWh", "Std", "Std.", "hrs", "x",
    ];
    let is_unit = unit.is_empty()
        || known[..known.len() - 1].contains(&unit)
        || bare[digits.len()..].starts_with([' ', '\u{a0}'])
            && unit.chars().count() <= 12
            && unit.chars().all(|c| c.is_alphabetic() || "%/²³.°".contains(c) || is_currency(c));
    if !is_unit || !prefix.is_empty() && !unit.is_empty() {
        return None;
    }
    let digits: String =
        digits.chars().map(|c| if c.is_ascii_digit() || c == '.' || c == ',' { c } else { ' ' }).collect();
    let numeral = Numeral {
        digits: format!("{sign}{digits}"),
        unit: if unit.is_empty() { prefix } else { unit }.to_owned(),
    };
    let fits = numeral.value(Decimal::Point).is_some() || numeral.value(Decimal::Comma).is_some();
    fits.then_some(numeral)
}

/// Whether a word is a number as programs write it, without separators and units.
pub(super) fn is_plain(word: &str) -> bool {
    !word.is_empty()
        && word.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b))
        && word.parse::<f64>().is_ok()
}

/// Whole numbers of more digits are not rounded.
const EXACT: usize = 15;

impl Numeral {
    /// What its separators say.
    pub fn style(&self) -> Style {
        let marks: Vec<(usize, char)> =
            self.digits.char_indices().filter(|(_, c)| *c == '.' || *c == ',').collect();
        let Some(&(last, mark)) = marks.last() else { return Style::Plain };
        let as_decimal = if mark == '.' { Decimal::Point } else { Decimal::Comma };
        let other = if mark == '.' { Decimal::Comma } else { Decimal::Point };
        if marks.iter().any(|(_, c)| *c != mark) || self.digits.contains(' ') {
            return Style::Sure(as_decimal);
        }
        match marks.len() {
            1 if self.value(other).is_none() => Style::Sure(as_decimal),
            1 => match last + 4 == self.digits.len() {
                true => Style::Either,
                false => Style::Sure(as_decimal),
            },
            _ => Style::Sure(other),
        }
    }

    /// Its value, with the decimals behind this mark.
    pub fn value(&self, decimal: Decimal) -> Option<f64> {
        let (whole, fraction) = self.parts(decimal)?;
        format!("{whole}.{}", fraction.unwrap_or("0")).parse().ok()
    }

    /// What stands before the decimal mark, with its sign and without marks between thousands, and what behind it.
    fn parts(&self, decimal: Decimal) -> Option<(String, Option<&str>)> {
        let (mark, grouping) = match decimal {
            Decimal::Point => ('.', ','),
            Decimal::Comma => (',', '.'),
        };
        let unsigned = self.digits.trim_start_matches('-');
        let (whole, fraction) = unsigned.split_once(mark).map_or((unsigned, None), |(a, b)| (a, Some(b)));
        if fraction
            .is_some_and(|fraction| fraction.is_empty() || !fraction.bytes().all(|b| b.is_ascii_digit()))
        {
            return None;
        }
        let groups: Vec<&str> = whole.split([grouping, ' ']).collect();
        let is_grouped = groups.len() == 1
            || (1..=3).contains(&groups[0].len())
                && groups[0] != "0"
                && groups[1..].iter().all(|group| group.len() == 3);
        if !is_grouped || whole.contains(mark) || groups[0].is_empty() {
            return None;
        }
        let sign = if self.digits.starts_with('-') { "-" } else { "" };
        Some((format!("{sign}{}", groups.concat()), fraction))
    }

    /// The number as programs write it.
    pub fn plain(&self, decimal: Decimal) -> Option<String> {
        let (whole, fraction) = self.parts(decimal)?;
        // Long whole numbers are numbers of orders and the like: rounded, different ones would become the same.
        let is_whole = fraction.is_none_or(|fraction| fraction.bytes().all(|b| b == b'0'));
        if is_whole && whole.trim_start_matches('-').len() > EXACT && !self.is_code() {
            return Some(whole);
        }
        self.value(decimal).map(plain)
    }

    /// Whether it begins with a 0 that numbers do not have, as codes do.
    pub fn is_code(&self) -> bool {
        let digits = self.digits.trim_start_matches('-');
        digits.len() > 1
            && digits.starts_with('0')
            && digits.as_bytes().get(1).is_some_and(|b| b.is_ascii_digit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(word: &str) -> Option<(String, Style, String)> {
        let numeral = read(word)?;
        let decimal = match numeral.style() {
            Style::Sure(decimal) => decimal,
            _ => Decimal::Point,
        };
        Some((numeral.plain(decimal)?, numeral.style(), numeral.unit))
    }

    #[test]
    fn long_whole_numbers_keep_their_digits() {
        let plain = |word: &str| read(word).and_then(|numeral| numeral.plain(Decimal::Point));
        for word in ["9223372036854775807", "-9223372036854775806", "10000000000000000000000001"] {
            assert_eq!(plain(word).as_deref(), Some(word));
        }
        assert_eq!(plain("9,223,372,036,854,775,807").as_deref(), Some("9223372036854775807"));
        assert_eq!(plain("12.50").as_deref(), Some("12.5"));
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let sure = |word: &str, value: &str, style: Style, unit: &str| {
            assert_eq!(told(word), Some((value.to_owned(), style, unit.to_owned())), "{word}");
        };
        use Decimal::{Comma, Point};
        sure("12", "12", Style::Plain, "");
        sure("-1.234,50 €", "-1234.5", Style::Sure(Comma), "€");
        sure("€ 1,234.50", "1234.5", Style::Sure(Point), "€");
        sure("1'234'567", "1234567", Style::Plain, "");
        sure("1.234.567", "1234567", Style::Sure(Comma), "");
        sure("1 234,5 kg", "1234.5", Style::Sure(Comma), "kg");
        sure("7,5 h", "7.5", Style::Sure(Comma), "h");
        sure("45 %", "45", Style::Plain, "%");
        sure("45%", "45", Style::Plain, "%");
        sure("0.125", "0.125", Style::Sure(Point), "");
        sure("1,234", "1234", Style::Either, "");
        sure("12 km/h", "12", Style::Plain, "km/h");
        for word in [
            "",
            "early",
            "N1",
            "1.2.3",
            "4.3.2024",
            "12a",
            "1,23,4",
            "--3",
            "3-4",
            "1 2",
            "+",
            "12 of 13 people in",
        ] {
            assert_eq!(told(word), None, "{word}");
        }
        assert!(read("007").unwrap().is_code() && !read("0.7").unwrap().is_code());
    }
}
