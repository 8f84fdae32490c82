//! How much memory a text of rules takes to be read, told from its words before anything is made of them.

use super::Format;

/// The bytes that a word takes: as a token with its place, as a term, as a literal.
const WORD: u64 = 64;
/// The bytes that a statement takes beside its words: as it is written, as a constraint, as a rule, as one that is
/// known.
const STATEMENT: u64 = 600;
/// The bytes that a name takes.
const NAME: u64 = 200;

/// About how many bytes of memory reading this text takes, its own among them.
pub fn weight(text: &str, format: Format) -> u64 {
    let bytes = text.as_bytes();
    let (mut words, mut statements, mut names, mut in_word) = (0u64, 0u64, 0u64, false);
    for (at, byte) in bytes.iter().enumerate() {
        match (format, byte) {
            (Format::Json, b'{') => statements += 1,
            (Format::Json, b',') => words += 1,
            // A string that is no key.
            (Format::Json, b'"') if matches!(bytes.get(at + 1), Some(b',' | b']' | b'\n' | b'\r')) => {
                names += 1
            }
            (Format::Json, _) => {}
            (Format::SmtLib, b'(') | (Format::Opb | Format::MiniZinc, b';') => {
                (words, statements, in_word) = (words + 1, statements + 1, false);
            }
            (Format::Cnf | Format::Wcnf | Format::Lp, b'\n') => {
                (statements, in_word) = (statements + 1, false);
            }
            (_, byte) => {
                let is_part = byte.is_ascii_alphanumeric() || *byte >= 128 || b"_.".contains(byte);
                // Every symbol is a word of its own; so is the first letter of each other one.
                words += u64::from(!(byte.is_ascii_whitespace() || is_part && in_word));
                in_word = is_part;
            }
        }
    }
    bytes.len() as u64 + WORD * words + STATEMENT * statements + NAME * names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_statements_weigh() {
        let cnf = "p cnf 2 2\n1 2 0\n-1 0\n";
        // Four words, three, and three with the sign; three lines.
        assert_eq!(weight(cnf, Format::Cnf), cnf.len() as u64 + 10 * WORD + 3 * STATEMENT);
        assert_eq!(weight("+1 x1 >= 1;", Format::Opb), 11 + 7 * WORD + STATEMENT);
        assert_eq!(weight("{\"a\":[\"b\",\"c\"]}", Format::Json), 15 + WORD + STATEMENT + 2 * NAME);
    }
}
