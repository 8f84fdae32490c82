//! Printed digits, five pixels wide and seven high: 1 to 9, and A to P for 10 to 25.

use crate::picture::Picture;
use crate::strokes::draw_stroke;

/// The rows of each glyph from the top, as bits.
const GLYPHS: [[u8; 7]; 26] = [
    [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
    [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
    [0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110],
    [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
    [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
    [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
    [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
    [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
    [0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110],
    [0b01110, 0b10001, 0b10000, 0b10000, 0b10000, 0b10001, 0b01110],
    [0b11100, 0b10010, 0b10001, 0b10001, 0b10001, 0b10010, 0b11100],
    [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111],
    [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000],
    [0b01110, 0b10001, 0b10000, 0b10111, 0b10001, 0b10001, 0b01111],
    [0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
    [0b01110, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    [0b00111, 0b00010, 0b00010, 0b00010, 0b00010, 0b10010, 0b01100],
    [0b10001, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010, 0b10001],
    [0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111],
    [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001],
    [0b10001, 0b10001, 0b11001, 0b10101, 0b10011, 0b10001, 0b10001],
    [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
    [0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000],
];

/// Prints a digit with its upper left corner here, each pixel of the glyph `scale` pixels wide. There is
/// nothing to print of a number above 25.
pub fn print(canvas: &mut Picture, x: usize, y: usize, digit: u8, scale: usize, tone: u8) {
    for (row, bits) in GLYPHS.get(usize::from(digit)).into_iter().flatten().enumerate() {
        for column in (0..5).filter(|column| bits >> (4 - column) & 1 == 1) {
            canvas.fill(x + column * scale, y + row * scale, scale, scale, tone);
        }
    }
}

/// Prints a digit as smooth strokes through the middles of its glyph's pixels, each `unit` pixels wide.
pub fn print_smooth(canvas: &mut Picture, x: usize, y: usize, digit: u8, unit: usize, tone: u8) {
    let Some(rows) = GLYPHS.get(usize::from(digit)) else { return };
    let is_lit = |row: i32, column: i32| {
        (0..7).contains(&row) && (0..5).contains(&column) && rows[row as usize] >> (4 - column) & 1 == 1
    };
    let middle = |row: i32, column: i32| {
        let at = |start: usize, number: i32| start as f64 + (f64::from(number) + 0.5) * unit as f64;
        (at(x, column), at(y, row))
    };
    for (row, column) in (0..7).flat_map(|row| (0..5).map(move |column| (row, column))) {
        if !is_lit(row, column) {
            continue;
        }
        // To neighbours that come later; across a corner only where no other way leads there.
        let right = is_lit(row, column + 1);
        let below = is_lit(row + 1, column);
        let ends = [
            (right, (row, column + 1)),
            (below, (row + 1, column)),
            (is_lit(row + 1, column + 1) && !right && !below, (row + 1, column + 1)),
            (is_lit(row + 1, column - 1) && !is_lit(row, column - 1) && !below, (row + 1, column - 1)),
        ];
        for (_, end) in ends.into_iter().filter(|(is_there, _)| *is_there) {
            draw_stroke(canvas, middle(row, column), middle(end.0, end.1), unit as f64, tone);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The middle of each lit pixel of a glyph is under a stroke, and digits differ.
    #[test]
    fn smooth_digits_have_the_shape_of_the_others() {
        let mut seen: Vec<Picture> = Vec::new();
        for digit in 0..26 {
            let (mut plain, mut smooth) = (Picture::new(50, 70, 0), Picture::new(50, 70, 0));
            print(&mut plain, 0, 0, digit, 10, 255);
            print_smooth(&mut smooth, 0, 0, digit, 10, 255);
            for (row, column) in (0..7).flat_map(|row| (0..5).map(move |column| (row, column))) {
                let at = |picture: &Picture| picture.at(column * 10 + 5, row * 10 + 5);
                assert!(at(&plain) == 0 || at(&smooth) == 255, "{digit}: {row}, {column}");
            }
            assert!(!seen.contains(&smooth), "{digit}");
            seen.push(smooth);
        }
    }
}
