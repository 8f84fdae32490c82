//! Boards as SVG for a report page, whose colours come from the page by the classes named here: `thin` for
//! frames, `thick` for signs, `found`, `repaired` and `wrong` for digits, `frame repaired` and `fill wrong`
//! for tiles.

use std::fmt::Write;

use preceptron::page::Escaped;

use super::{Direction, Sign, checked};

/// The side of a cell: that of a picture.
const CELL: usize = 28;

/// The room between cells, where signs stand.
const GAP: usize = 14;

/// What stands in a cell of a drawing for a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SvgCell {
    /// Nothing.
    Blank,
    /// A picture, by its address (a `data:` address keeps the page whole).
    Picture(String),
    /// A picture that was read wrongly, framed, and the digit that it is taken for.
    Repaired(String, u8),
    /// A digit that was not given.
    Found(u8),
    /// A digit that is wrong, and the true one in small.
    Wrong(u8, u8),
}

/// A board with its signs; the label says in words what it shows. Signs between cells that are no neighbours
/// are not drawn.
///
/// # Panics
/// If the side is not 4 to 7, or there are not as many cells as a board has.
pub fn svg(side: usize, signs: &[Sign], cells: &[SvgCell], label: &str) -> String {
    assert_eq!(cells.len(), checked(side) * side, "something for each cell");
    let start = |number: usize| number * (CELL + GAP);
    let end = start(side) - GAP;
    let mut body = String::new();
    let mut frames = String::new();
    for (number, cell) in cells.iter().enumerate() {
        let (x, y) = (start(number % side), start(number / side));
        draw_cell(&mut body, x, y, cell);
        let _ = write!(frames, "M{x} {y}h{CELL}v{CELL}h-{CELL}z");
    }
    let mut strokes = String::new();
    for sign in signs {
        let middle = |a: usize, b: usize| usize::midpoint(start(a), start(b)) + CELL / 2;
        let x = middle(sign.less % side, sign.greater % side);
        let y = middle(sign.less / side, sign.greater / side);
        let _ = match sign.direction(side) {
            Some(Direction::Right) => write!(strokes, "M{} {}l-6 4l6 4", x + 3, y - 4),
            Some(Direction::Left) => write!(strokes, "M{} {}l6 4l-6 4", x - 3, y - 4),
            Some(Direction::Below) => write!(strokes, "M{} {}l4 -6l4 6", x - 4, y + 3),
            Some(Direction::Above) => write!(strokes, "M{} {}l4 6l4 -6", x - 4, y - 3),
            None => Ok(()),
        };
    }
    format!(
        "<svg class=\"board\" viewBox=\"-1 -1 {0} {0}\" style=\"--side:{side}\" role=\"img\" aria-label=\"{1}\">\n\
         {body}<path class=\"thin\" d=\"{frames}\"/>\n<path class=\"thick\" d=\"{strokes}\"/>\n</svg>",
        end + 2,
        Escaped(label),
    )
}

/// What stands in a cell with this upper left corner. Writing to a string does not fail.
fn draw_cell(body: &mut String, x: usize, y: usize, cell: &SvgCell) {
    let picture = |body: &mut String, address: &str| {
        let address = Escaped(address);
        let _ = writeln!(
            body,
            "<image x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" href=\"{address}\"/>"
        );
    };
    let tile = |body: &mut String, class: &str| {
        let (x, y, size) = (x + 1, y + 1, CELL - 2);
        let _ = writeln!(
            body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{size}\" height=\"{size}\"/>"
        );
    };
    let digit = |body: &mut String, digit: u8, class: &str| {
        let (x, y) = (x + CELL / 2, y + CELL / 2 + 6);
        let _ = writeln!(body, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"18\">{digit}</text>");
    };
    let note = |body: &mut String, digit: u8, class: &str| {
        let (right, bottom) = (x + CELL, y + CELL);
        let _ = writeln!(
            body,
            "<rect class=\"ground\" x=\"{}\" y=\"{}\" width=\"10\" height=\"12\"/>\n\
             <text class=\"{class}\" x=\"{}\" y=\"{}\" font-size=\"11\">{digit}</text>",
            right - 11,
            bottom - 13,
            right - 6,
            bottom - 3
        );
    };
    match cell {
        SvgCell::Blank => {}
        SvgCell::Picture(address) => picture(body, address),
        SvgCell::Repaired(address, chosen) => {
            picture(body, address);
            tile(body, "frame repaired");
            note(body, *chosen, "repaired");
        }
        SvgCell::Found(found) => digit(body, *found, "found"),
        SvgCell::Wrong(found, truth) => {
            tile(body, "fill wrong");
            digit(body, *found, "wrong");
            note(body, *truth, "truth");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_signs_stand_at_their_places() {
        let mut cells = vec![SvgCell::Blank; 16];
        cells[1] = SvgCell::Found(3);
        cells[4] = SvgCell::Repaired("data:,\"".to_owned(), 2);
        cells[15] = SvgCell::Wrong(1, 4);
        let signs = [Sign { less: 0, greater: 1 }, Sign { less: 4, greater: 0 }];
        let drawing = svg(4, &signs, &cells, "a < \"b\"");
        for part in [
            "viewBox=\"-1 -1 156 156\"",
            "aria-label=\"a &lt; &quot;b&quot;\"",
            "<text class=\"found\" x=\"56\" y=\"20\" font-size=\"18\">3</text>",
            "<image x=\"0\" y=\"42\" width=\"28\" height=\"28\" href=\"data:,&quot;\"/>",
            "<rect class=\"frame repaired\" x=\"1\" y=\"43\" width=\"26\" height=\"26\"/>",
            "<rect class=\"fill wrong\" x=\"127\" y=\"127\" width=\"26\" height=\"26\"/>",
            // Its point to the left, in the first gap; the other's point below.
            "<path class=\"thick\" d=\"M38 10l-6 4l6 4M10 32l4 6l4 -6\"/>",
        ] {
            assert!(drawing.contains(part), "{part}\n{drawing}");
        }
        assert_eq!(drawing.matches("v28h-28z").count(), 16);
    }
}
