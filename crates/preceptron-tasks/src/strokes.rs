//! Smooth strokes with round ends, in light ink on a dark ground; and how much larger a drawing for print is.

use crate::picture::Picture;

/// The least side of a picture for print, in pixels: ten centimetres at 300 dots to the inch.
const PRINTED: usize = 1200;

/// How many times larger a drawing of this size is to be for print.
pub fn print_scale(size: usize) -> usize {
    PRINTED.div_ceil(size.max(1))
}

/// A stroke of this width from one point to another, as far as it lies on the canvas. Pixels have whole numbers at their
/// corners. A pixel that lies under the edge takes part of the tone; none becomes darker.
pub fn draw_stroke(canvas: &mut Picture, from: (f64, f64), to: (f64, f64), width: f64, tone: u8) {
    let reach = width / 2.0 + 1.0;
    let span = |a: f64, b: f64, size: usize| {
        let (low, high) = ((a.min(b) - reach).floor(), (a.max(b) + reach).ceil());
        low.clamp(0.0, size as f64) as usize..high.clamp(0.0, size as f64) as usize
    };
    for y in span(from.1, to.1, canvas.height()) {
        for x in span(from.0, to.0, canvas.width()) {
            let apart = distance((x as f64 + 0.5, y as f64 + 0.5), from, to);
            let share = (width / 2.0 + 0.5 - apart).clamp(0.0, 1.0);
            let ink = (share * f64::from(tone)).round() as u8;
            if ink > canvas.at(x, y) {
                canvas.fill(x, y, 1, 1, ink);
            }
        }
    }
}

/// How far a point lies from the line between two others.
fn distance(point: (f64, f64), from: (f64, f64), to: (f64, f64)) -> f64 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx * dx + dy * dy;
    let along = match length > 0.0 {
        true => (((point.0 - from.0) * dx + (point.1 - from.1) * dy) / length).clamp(0.0, 1.0),
        false => 0.0,
    };
    (point.0 - from.0 - along * dx).hypot(point.1 - from.1 - along * dy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_are_as_wide_and_long_as_told() {
        let mut canvas = Picture::new(40, 20, 0);
        draw_stroke(&mut canvas, (5.0, 10.0), (30.0, 10.0), 4.0, 200);
        let column: Vec<u8> = (0..20).map(|y| canvas.at(15, y)).collect();
        let expected: Vec<u8> = (0..20).map(|y| if (8..12).contains(&y) { 200 } else { 0 }).collect();
        assert_eq!(column, expected);
        assert!(canvas.at(3, 10) > 0 && canvas.at(2, 10) == 0 && canvas.at(33, 10) == 0);
        // What is brighter stays, and what lies outside is left out.
        draw_stroke(&mut canvas, (15.0, 0.0), (15.0, 90.0), 2.0, 100);
        assert_eq!((canvas.at(15, 10), canvas.at(15, 19)), (200, 100));
    }

    #[test]
    fn printed_drawings_are_large() {
        for size in [124, 270, 224, 1199, 1200, 5000] {
            assert!(size * print_scale(size) >= PRINTED);
        }
        assert_eq!((print_scale(270), print_scale(1200), print_scale(5000)), (5, 1, 1));
    }
}
