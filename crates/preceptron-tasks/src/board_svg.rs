//! Boards as SVG: what stands in their cells, under the lines of cells and boxes. Colours come from the
//! page, by the classes named here.

use std::fmt::Write;

use preceptron::page::Escaped as HtmlEscape;

/// The side of a cell: that of a picture.
const CELL: usize = 28;

/// A board that is being drawn. Cells are numbered row by row from 0; what is drawn later lies above.
pub struct BoardSvg {
    side: usize,
    /// Thick lines stand at the multiples of this, and digits are pencilled in as many columns.
    order: usize,
    body: String,
}

impl BoardSvg {
    /// An empty board of so many rows and columns, with thick lines around boxes of so many.
    pub fn new(side: usize, order: usize) -> BoardSvg {
        BoardSvg { side, order, body: String::new() }
    }

    /// The upper left corner of a cell.
    fn corner(&self, cell: usize) -> (usize, usize) {
        (cell % self.side * CELL, cell / self.side * CELL)
    }

    /// Fills a cell, or frames it, as the class says.
    pub fn tile(&mut self, cell: usize, class: &str) {
        let (x, y) = self.corner(cell);
        // Writing to a string does not fail.
        let _ = writeln!(
            self.body,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{2}\" height=\"{2}\"/>",
            x + 1,
            y + 1,
            CELL - 2
        );
    }

    /// A picture that fills a cell. Addresses of pictures have no character that would need escaping.
    pub fn picture(&mut self, cell: usize, address: &str) {
        let (x, y) = self.corner(cell);
        let _ = writeln!(
            self.body,
            "<image x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" href=\"{address}\"/>"
        );
    }

    /// Text in the middle of a cell.
    pub fn text(&mut self, cell: usize, text: &str, class: &str) {
        let (x, y) = self.corner(cell);
        let size = if text.chars().count() > 2 { 11 } else { 18 };
        self.write(x + CELL / 2, y + CELL / 2 + size * 9 / 25, size, text, class);
    }

    /// Small text in the lower right of a cell, on a ground of its own.
    pub fn note(&mut self, cell: usize, text: &str, class: &str) {
        let (x, y) = self.corner(cell);
        let wide = 4 + 6 * text.chars().count();
        let _ = writeln!(
            self.body,
            "<rect class=\"ground\" x=\"{}\" y=\"{}\" width=\"{wide}\" height=\"12\"/>",
            x + CELL - 1 - wide,
            y + CELL - 13
        );
        self.write(x + CELL - 1 - wide / 2, y + CELL - 3, 11, text, class);
    }

    /// Several digits in a cell, each at its place in a small board.
    pub fn pencil(&mut self, cell: usize, digits: &[(usize, String)], class: &str) {
        let (x, y) = self.corner(cell);
        for (digit, text) in digits {
            let (row, column) = ((digit - 1) / self.order, (digit - 1) % self.order);
            let part = CELL / self.order;
            self.write(x + part * column + part / 2 + 1, y + part * row + part * 9 / 10, part, text, class);
        }
    }

    fn write(&mut self, x: usize, y: usize, size: usize, text: &str, class: &str) {
        let _ = writeln!(
            self.body,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\">{}</text>",
            HtmlEscape(text)
        );
    }

    /// The drawing; the label says in words what it shows.
    pub fn svg(self, label: &str) -> String {
        let side = self.side;
        let end = side * CELL;
        let lines = |numbers: &mut dyn Iterator<Item = usize>| {
            numbers.map(|n| format!("M0 {0}H{end}M{0} 0V{end}", n * CELL)).collect::<String>()
        };
        let thin = lines(&mut (1..side).filter(|n| n % self.order != 0));
        let thick = lines(&mut (0..=side).step_by(self.order));
        format!(
            "<svg class=\"board\" viewBox=\"-1 -1 {0} {0}\" style=\"--side:{side}\" role=\"img\" aria-label=\"{1}\">\n\
             {2}<path class=\"thin\" d=\"{thin}\"/>\n<path class=\"thick\" d=\"{thick}\"/>\n</svg>",
            end + 2,
            HtmlEscape(label),
            self.body
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_at_their_places() {
        let mut board = BoardSvg::new(4, 2);
        board.tile(0, "seen");
        board.text(7, "4", "found");
        board.pencil(15, &[(4, "4".into())], "found");
        board.note(1, "<", "wrong");
        insta::assert_snapshot!(board.svg("a \"b\""), @r#"
        <svg class="board" viewBox="-1 -1 114 114" style="--side:4" role="img" aria-label="a &quot;b&quot;">
        <rect class="seen" x="1" y="1" width="26" height="26"/>
        <text class="found" x="98" y="48" font-size="18">4</text>
        <text class="found" x="106" y="110" font-size="14">4</text>
        <rect class="ground" x="45" y="15" width="10" height="12"/>
        <text class="wrong" x="50" y="25" font-size="11">&lt;</text>
        <path class="thin" d="M0 28H112M28 0V112M0 84H112M84 0V112"/>
        <path class="thick" d="M0 0H112M0 0V112M0 56H112M56 0V112M0 112H112M112 0V112"/>
        </svg>
        "#);
    }
}
