//! Words that mean "not known", and words that mean yes and no.

/// How people write that something is not known, beside an empty cell.
pub(crate) const MISSING: [&str; 14] =
    ["?", "na", "n/a", "#n/a", "#nv", "n.a.", "k.a.", "k. a.", "null", "nan", "-", "–", "—", "#n/v"];

/// Whether a word means that nothing is known; `given` are the words for it if others were said.
pub(crate) fn is_missing(word: &str, given: Option<&[String]>) -> bool {
    let word = word.trim();
    match given {
        _ if word.is_empty() => true,
        Some(given) => given.iter().any(|other| other.trim() == word),
        None => MISSING.iter().any(|other| word.eq_ignore_ascii_case(other)),
    }
}

/// Words for yes and no that go together; the ones of single letters count only if both occur.
const PAIRS: [(&str, &str); 8] = [
    ("yes", "no"),
    ("ja", "nein"),
    ("true", "false"),
    ("wahr", "falsch"),
    ("oui", "non"),
    ("y", "n"),
    ("j", "n"),
    ("1", "0"),
];

/// Marks that stand in a cell for yes, where an empty one is no.
const MARKS: [&str; 4] = ["x", "✓", "✔", "☑"];

/// Whether a word is a mark in the place of yes.
pub(crate) fn is_mark(word: &str) -> bool {
    MARKS.iter().any(|mark| word.trim().to_lowercase() == *mark)
}

/// The truth that a word stands for by itself.
pub(crate) fn truth(word: &str) -> Option<bool> {
    let word = word.trim().to_lowercase();
    let word = word.strip_suffix(".0").unwrap_or(&word);
    let found = PAIRS.iter().find_map(
        |(yes, no)| {
            if word == *yes { Some(true) } else { (word == *no).then_some(false) }
        },
    );
    found.or_else(|| is_mark(word).then_some(true))
}

/// What the words of a column are if they are Boolean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boolean {
    /// A word for yes and one for no.
    Pair(&'static str, &'static str),
    /// A mark, or nothing.
    Mark,
}

/// Whether these different words, in lower case, are Boolean; `blank` if some cells are empty.
pub(crate) fn boolean<'a>(words: impl Iterator<Item = &'a str> + Clone, blank: bool) -> Option<Boolean> {
    let mut count = 0;
    let mut marks = 0;
    for word in words.clone() {
        count += 1;
        marks += usize::from(is_mark(word));
    }
    if count == 1 && marks == 1 && blank {
        return Some(Boolean::Mark);
    }
    let of = |pair: &&(&str, &str)| {
        words.clone().all(|word| word == pair.0 || word == pair.1 || word == "1" || word == "0")
    };
    let (yes, no) = *PAIRS[..7].iter().find(of)?;
    let occurs = |wanted: &str| words.clone().any(|word| word == wanted);
    let is_clear = if yes.len() > 1 { occurs(yes) || occurs(no) } else { occurs(yes) && occurs(no) };
    is_clear.then_some(Boolean::Pair(yes, no))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boolean_words_are_known() {
        let of = |words: &[&str], blank| boolean(words.iter().copied(), blank);
        assert_eq!(of(&["yes", "no"], false), Some(Boolean::Pair("yes", "no")));
        assert_eq!(of(&["nein"], true), Some(Boolean::Pair("ja", "nein")));
        assert_eq!(of(&["j", "n"], false), Some(Boolean::Pair("j", "n")));
        assert_eq!(of(&["x"], true), Some(Boolean::Mark));
        for words in [&["x"][..], &["n"], &["x", "o"], &["no", "low"], &["0", "1"], &["on", "off"]] {
            assert_eq!(of(words, false), None, "{words:?}");
        }
        assert!(is_missing(" N/A ", None) && is_missing("—", None) && !is_missing("off", None));
        assert!(!is_missing("-", Some(&["?".to_owned()])));
        assert_eq!(
            [truth("Ja"), truth("FALSCH"), truth("x"), truth("1.0"), truth("7")].map(|t| t.map(u8::from)),
            [Some(1), Some(0), Some(1), Some(1), None]
        );
    }
}
