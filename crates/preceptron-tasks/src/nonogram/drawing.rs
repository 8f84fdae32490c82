//! Solved boards as text with their clues, as gray pictures, and as SVG.

use preceptron::page::Escaped;

use super::Nonogram;
use crate::picture::Picture;
use crate::strokes::print_scale;

/// Pixels of a cell.
const CELL: usize = 20;

/// Pixels around the board.
const MARGIN: usize = 10;

impl Nonogram {
    /// The picture with the clues of the columns above it and those of the rows at its left.
    ///
    /// # Panics
    /// If the picture has not a value for each cell.
    pub fn draw_with_clues(&self, picture: &[bool]) -> String {
        let words = |clue: &Vec<usize>| -> Vec<String> {
            match clue.is_empty() {
                true => vec!["0".to_owned()],
                false => clue.iter().map(ToString::to_string).collect(),
            }
        };
        let rows: Vec<String> = self.rows.iter().map(|clue| words(clue).join(" ")).collect();
        let columns: Vec<Vec<String>> = self.columns.iter().map(words).collect();
        let left = rows.iter().map(String::len).max().unwrap_or(0);
        let deep = columns.iter().map(Vec::len).max().unwrap_or(0);
        let wide = columns.iter().flatten().map(String::len).max().unwrap_or(1) + 1;
        let mut text = String::new();
        for level in 0..deep {
            let mut line = " ".repeat(left);
            for column in &columns {
                let word = (level + column.len()).checked_sub(deep).map_or("", |at| column[at].as_str());
                line += &format!("{word:>wide$}");
            }
            text += line.trim_end();
            text.push('\n');
        }
        for (clue, cells) in rows.iter().zip(picture.chunks(self.columns.len().max(1))) {
            text += &format!("{clue:>left$}");
            cells.iter().for_each(|&black| text += &format!("{:>wide$}", if black { '#' } else { '.' }));
            text.push('\n');
        }
        text
    }
}

/// The board in dark ink on light paper, with a darker line at every fifth cell; large enough to print, at least 1,200
/// pixels on its longer side.
pub fn draw_board(width: usize, picture: &[bool]) -> Picture {
    let height = picture.len() / width.max(1);
    let size = |cells: usize| cells * CELL + 1 + 2 * MARGIN;
    let scale = print_scale(size(width).max(size(height)));
    let mut canvas = Picture::new(scale * size(width), scale * size(height), 255);
    let mut fill = |x: usize, y: usize, wide: usize, high: usize, tone: u8| {
        canvas.fill(scale * x, scale * y, scale * wide, scale * high, tone);
    };
    for (place, _) in picture.iter().enumerate().filter(|(_, black)| **black) {
        let (x, y) = (place % width * CELL + MARGIN, place / width * CELL + MARGIN);
        fill(x, y, CELL, CELL, 30);
    }
    let tone = |at: usize, last: usize| if at.is_multiple_of(5) || at == last { 90 } else { 190 };
    for strong in [false, true] {
        for at in (0..=width).filter(|&at| (tone(at, width) == 90) == strong) {
            fill(at * CELL + MARGIN, MARGIN, 1, height * CELL + 1, tone(at, width));
        }
        for at in (0..=height).filter(|&at| (tone(at, height) == 90) == strong) {
            fill(MARGIN, at * CELL + MARGIN, width * CELL + 1, 1, tone(at, height));
        }
    }
    canvas
}

/// The board as SVG.
pub fn svg_board(width: usize, picture: &[bool]) -> String {
    let height = picture.len() / width.max(1);
    let size = |cells: usize| cells * CELL + 2 * MARGIN;
    let (w, h) = (size(width), size(height));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\">\n\
         <rect width=\"{w}\" height=\"{h}\" fill=\"white\"/>\n"
    );
    for (place, _) in picture.iter().enumerate().filter(|(_, black)| **black) {
        let (x, y) = (place % width * CELL + MARGIN, place / width * CELL + MARGIN);
        text += &format!("<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"#222\"/>\n");
    }
    let line = |at: usize, last: usize| if at.is_multiple_of(5) || at == last { "#555" } else { "#bbb" };
    for at in 0..=width {
        let (x, end) = (at * CELL + MARGIN, height * CELL + MARGIN);
        let stroke = line(at, width);
        text += &format!("<path d=\"M{x} {MARGIN}V{end}\" stroke=\"{stroke}\"/>\n");
    }
    for at in 0..=height {
        let (y, end) = (at * CELL + MARGIN, width * CELL + MARGIN);
        let stroke = line(at, height);
        text += &format!("<path d=\"M{MARGIN} {y}H{end}\" stroke=\"{stroke}\"/>\n");
    }
    text + "</svg>\n"
}

/// The board as SVG for a page, whose colours come from the page.
pub fn page_board(width: usize, picture: &[bool], label: &str) -> String {
    let height = picture.len() / width.max(1);
    let (w, h) = (width * CELL, height * CELL);
    let black: String = (picture.iter().enumerate().filter(|(_, black)| **black))
        .map(|(place, _)| {
            format!("M{} {}h{CELL}v{CELL}h-{CELL}z", place % width * CELL, place / width * CELL)
        })
        .collect();
    let lines = |strong: bool| -> String {
        let is_of = |at: &usize, last: usize| (at.is_multiple_of(5) || *at == last) == strong;
        let down = (0..=width).filter(|at| is_of(at, width)).map(|at| format!("M{} 0V{h}", at * CELL));
        let across = (0..=height).filter(|at| is_of(at, height)).map(|at| format!("M0 {}H{w}", at * CELL));
        down.chain(across).collect()
    };
    format!(
        "<svg class=\"board\" viewBox=\"-1 -1 {} {}\" style=\"--side:{width}\" role=\"img\" aria-label=\"{}\">\n\
         <path class=\"black\" d=\"{black}\"/>\n<path class=\"thin\" d=\"{}\"/>\n<path class=\"thick\" d=\"{}\"/>\n</svg>",
        w + 2,
        h + 2,
        Escaped(label),
        lines(false),
        lines(true)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_board() {
        let picture = [true, false, true, false, false, false];
        let clues = Nonogram::of(2, 3, &picture);
        assert_eq!(clues.draw_with_clues(&picture), "    1 0 1\n1 1 # . #\n  0 . . .\n");
        let drawn = draw_board(3, &picture);
        assert_eq!((drawn.width(), drawn.height()), (15 * 81, 15 * 61));
        let black = drawn.pixels().iter().filter(|&&tone| tone == 30).count();
        assert_eq!(black, 15 * 15 * 2 * 19 * 19);
        assert_eq!(svg_board(3, &picture).matches("#222").count(), 2);
        let page = page_board(3, &picture, "a < b");
        assert!(
            page.contains("d=\"M0 0h20v20h-20zM40 0h20v20h-20z\"") && page.contains("a &lt; b"),
            "{page}"
        );
        assert!(!page.contains("http"), "a page names no other");
    }
}
