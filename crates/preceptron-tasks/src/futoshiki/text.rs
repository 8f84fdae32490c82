//! Boards as text: digits in rows, signs between them.
//!
//! ```text
//! [3]< 4   1
//!  ^
//! !4!  1 > .
//! ```
//!
//! A digit that was read stands in brackets, one that was read wrongly and repaired between exclamation marks,
//! one that was found by itself, and a dot is a blank. The point of a sign is at the lesser digit.

use super::{Direction, Sign};

/// What stands in a cell of a text drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Nothing.
    Blank,
    /// A given as it was read.
    Read(u8),
    /// A given that was read otherwise.
    Repaired(u8),
    /// A digit that was not given.
    Found(u8),
}

impl Mark {
    fn text(self) -> String {
        match self {
            Mark::Blank => " . ".to_owned(),
            Mark::Read(digit) => format!("[{digit}]"),
            Mark::Repaired(digit) => format!("!{digit}!"),
            Mark::Found(digit) => format!(" {digit} "),
        }
    }

    /// The marks of a board: its digits (0 for a blank), which cells are given, and which were repaired.
    pub fn of_board(digits: &[u8], givens: &[u8], repaired: &[usize]) -> Vec<Mark> {
        let one = |(cell, (&digit, &given)): (usize, (&u8, &u8))| match digit {
            0 => Mark::Blank,
            _ if repaired.contains(&cell) => Mark::Repaired(digit),
            _ if given > 0 => Mark::Read(digit),
            _ => Mark::Found(digit),
        };
        digits.iter().zip(givens).enumerate().map(one).collect()
    }
}

/// A board as lines of text, from what stands in its cells row by row. Signs between cells that are no
/// neighbours are not drawn.
///
/// # Panics
/// If there are not as many marks as cells.
pub fn board_text(side: usize, signs: &[Sign], marks: &[Mark]) -> String {
    assert_eq!(marks.len(), side * side, "a mark for each cell");
    let mut right = vec![' '; side * side];
    let mut below = vec![' '; side * side];
    for sign in signs {
        match sign.direction(side) {
            Some(Direction::Right) => right[sign.less] = '<',
            Some(Direction::Left) => right[sign.greater] = '>',
            Some(Direction::Below) => below[sign.less] = '^',
            Some(Direction::Above) => below[sign.greater] = 'v',
            None => {}
        }
    }
    let mut text = String::new();
    let mut line = |parts: String| {
        text.push_str(parts.trim_end());
        text.push('\n');
    };
    for row in 0..side {
        let cells = row * side..(row + 1) * side;
        line(cells.clone().map(|cell| format!("{}{}", marks[cell].text(), right[cell])).collect());
        if row + 1 < side {
            line(cells.map(|cell| format!(" {}  ", below[cell])).collect());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_in_text() {
        let solution = [2, 3, 1, 4, 1, 4, 3, 2, 4, 1, 2, 3, 3, 2, 4, 1];
        let mut digits = solution;
        digits[15] = 0;
        let mut givens = [0; 16];
        givens[1] = 3;
        givens[4] = 1;
        let sign = |less, greater| Sign { less, greater };
        let signs = [sign(0, 1), sign(2, 1), sign(4, 0), sign(2, 6), sign(9, 5), sign(15, 14), sign(0, 9)];
        let text = board_text(4, &signs, &Mark::of_board(&digits, &givens, &[4]));
        let expected = [
            " 2 <[3]> 1   4",
            " v       ^",
            "!1!  4   3   2",
            "     v",
            " 4   1   2   3",
            "",
            " 3   2   4 > .",
        ];
        assert_eq!(text, expected.join("\n") + "\n");
    }
}
