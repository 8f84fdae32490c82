//! Ranges of numbers as people write them: `31-42`, or `36` for one.

use std::ops::RangeInclusive;

pub fn range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (number(from), number(to)) {
        (Some(from), Some(to)) if from <= to => Ok(from..=to),
        (Some(from), Some(to)) => Err(format!("{from} is more than {to}")),
        _ => Err("expected a number or two with a dash, such as 31-42".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        assert_eq!(range("31-42"), Ok(31..=42));
        assert_eq!(range(" 7 "), Ok(7..=7));
        assert_eq!(range("9-3").unwrap_err(), "9 is more than 3");
        for text in ["", "-", "3-", "a-4", "1-2-3", "-5"] {
            assert!(range(text).unwrap_err().starts_with("expected a number"), "{text}");
        }
    }
}
