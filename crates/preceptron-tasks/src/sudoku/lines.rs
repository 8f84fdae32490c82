//! Where the lines of a board are in its picture.
//!
//! The lines should divide the picture evenly, but those around boxes are thicker, and a crop is never exact.
//! Along a line the tone differs from that of the paper nearly everywhere, so each is looked for near its
//! place as the row or column of pixels whose mean distance from the paper is largest.

use super::side;
use crate::picture::Picture;

/// How far from its place a line is looked for, as a share of a cell.
const REACH: f64 = 0.18;

/// How much a line stands out at least, as a share of the strongest.
const STRENGTH: f64 = 0.2;

/// Where the cells of a row or column of cells lie: the beginning and end of each.
pub(super) type Spans = Vec<(f64, f64)>;

/// The cells' columns and rows in a picture.
pub(super) fn spans(order: usize, picture: &Picture, paper: &[u8]) -> (Spans, Spans) {
    let side = side(order);
    let (width, height) = (picture.width(), picture.height());
    let (mut columns, mut rows) = (vec![0u64; width], vec![0u64; height]);
    for (y, row) in rows.iter_mut().enumerate() {
        for (x, column) in columns.iter_mut().enumerate() {
            let apart = picture.at(x, y).abs_diff(paper[y * side / height * side + x * side / width]);
            *column += u64::from(apart);
            *row += u64::from(apart);
        }
    }
    let mean = |sums: Vec<u64>, count: usize| sums.into_iter().map(|s| s as f64 / count as f64).collect();
    (between(side, mean(columns, height)), between(side, mean(rows, width)))
}

/// What lies between the lines of a profile.
fn between(side: usize, profile: Vec<f64>) -> Spans {
    let cell = profile.len() as f64 / side as f64;
    let most = profile.iter().copied().fold(0.0, f64::max);
    let lines: Vec<(f64, f64)> = (0..=side)
        .map(|number| {
            let place = number as f64 * cell;
            let from = (place - REACH * cell).max(0.0) as usize;
            let to = ((place + REACH * cell) as usize).min(profile.len() - 1);
            let peak = (from..=to).max_by(|a, b| profile[*a].total_cmp(&profile[*b])).unwrap_or(from);
            // Near a line there is more paper than line, and hardly ever a digit.
            let mut sorted = profile[from..=to].to_vec();
            sorted.sort_unstable_by(f64::total_cmp);
            let usual = sorted[sorted.len() / 2];
            if profile[peak] <= usual + STRENGTH * (most - usual) {
                // No line is drawn: a margin as wide as one would be.
                return (place - 0.08 * cell, place + 0.08 * cell);
            }
            let is_line = |at: &usize| profile[*at] > (usual + profile[peak]) / 2.0;
            let first = (from..=peak).rev().take_while(is_line).last().unwrap_or(peak);
            let last = (peak..=to).take_while(is_line).last().unwrap_or(peak);
            (first as f64, last as f64 + 1.0)
        })
        .collect();
    let margin = (0.03 * cell).max(1.0);
    lines.windows(2).map(|pair| (pair[0].1 + margin, pair[1].0 - margin)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sudoku::drawing::cell_start;
    use crate::sudoku::{Face, draw_board, on_paper};

    #[test]
    fn lines_of_a_drawing_are_found_at_any_size() {
        let board = on_paper(&draw_board(3, &vec![Face::Printed(8); 81]));
        for scale in [1.0, 1.5, 2.0, 3.7] {
            let size = (270.0 * scale) as usize;
            let picture = board.resampled(0.0, 0.0, 270.0, 270.0, (size, size));
            let (columns, rows) = spans(3, &picture, &[255; 81]);
            for (number, (from, to)) in columns.iter().enumerate().chain(rows.iter().enumerate()) {
                let start = cell_start(3, number) as f64 * scale;
                assert!(
                    *from >= start && *from < start + 3.0 * scale + 1.0,
                    "{scale} {number} {from} {start}"
                );
                assert!(
                    *to <= start + 28.0 * scale && *to > start + 25.0 * scale - 1.0,
                    "{scale} {number} {to}"
                );
            }
        }
    }

    #[test]
    fn without_lines_a_picture_is_divided_evenly() {
        let (columns, _) = spans(2, &Picture::new(400, 400, 255), &[255; 16]);
        assert_eq!(columns, [(11.0, 89.0), (111.0, 189.0), (211.0, 289.0), (311.0, 389.0)]);
    }
}
