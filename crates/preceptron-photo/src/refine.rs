//! Moves the lines of a grid to where they are seen.
//!
//! A small correction of the camera moves a point `(s, t)` of the grid, counted from its middle, by
//! `du = a0 + a1 s + a2 t + s (g s + h t)`, `dv = b0 + b1 s + b2 t + t (g s + h t)`: a homography near the identity. A
//! segment of a vertical line that is seen `o` cells to the right says `du = o` at its middle, one of a horizontal line says
//! `dv = o`. The eight numbers are the least squares of what all segments say, those that fit badly weighted down (Tukey).
//!
//! | symbol | here |
//! |---|---|
//! | `o` | `offset` of [`Seen`] |
//! | `a0, a1, a2, b0, b1, b2, g, h` | `step` |
//!
//! What is left when the camera has come to rest is how the page is bent: a polynomial for each direction.

use crate::geometry::{Homography, solve};
use crate::grid::{Grid, TERMS, terms};
use crate::measure::{Segment, place};
use crate::picture::Picture;

/// How far from its place each line is looked for, in cells, time after time.
const REACHES: [f64; 6] = [0.36, 0.26, 0.18, 0.12, 0.08, 0.08];

/// What is seen of a segment.
struct Seen {
    segment: Segment,
    offset: f64,
    weight: f64,
}

/// The grid at its best place near a first guess, within a reach in cells; nothing if there is no such place.
pub(crate) fn refined(picture: &Picture, guess: &Grid, within: f64) -> Option<Grid> {
    let mut grid = guess.clone();
    for (time, reach) in REACHES.into_iter().filter(|reach| *reach <= within).enumerate() {
        let seen = look(picture, &grid, reach);
        if seen.len() < 4 * grid.cells || (time > 0 && is_anywhere(&seen, reach)) {
            return None;
        }
        grid = corrected(&grid, &seen)?;
    }
    Some(grid)
}

/// Whether what is seen lies anywhere within reach, as where there are no lines: evenly spread, half of it lies farther away
/// than half the reach.
fn is_anywhere(seen: &[Seen], reach: f64) -> bool {
    let mut apart: Vec<f64> = seen.iter().map(|one| one.offset.abs()).collect();
    apart.sort_unstable_by(f64::total_cmp);
    apart[apart.len() / 2] > 0.43 * reach
}

/// The same for a grid that is nearly at its place, and its bends.
pub(crate) fn bent(picture: &Picture, guess: &Grid) -> Option<Grid> {
    let mut grid = guess.clone();
    for reach in [0.16, 0.1] {
        let seen = look(picture, &grid, reach);
        grid = corrected(&grid, &seen)?;
    }
    for reach in [0.2, 0.1] {
        let seen = look(picture, &grid, reach);
        for (axis, vertical) in [(0, true), (1, false)] {
            let of_axis: Vec<&Seen> = seen.iter().filter(|one| one.segment.vertical == vertical).collect();
            let bend = polynomial(grid.cells, &of_axis)?;
            grid.bends[axis].iter_mut().zip(bend).for_each(|(c, more)| *c += more);
        }
    }
    let most = grid.bends.iter().flatten().fold(0.0f64, |most, c| most.max(c.abs()));
    (most < 1.5).then_some(grid)
}

fn look(picture: &Picture, grid: &Grid, reach: f64) -> Vec<Seen> {
    let all: Vec<(Segment, f64, f64)> = Segment::all(grid.cells)
        .filter_map(|segment| {
            let (offset, strength) = place(picture, grid, segment, reach)?;
            Some((segment, offset, strength))
        })
        .collect();
    let mut strengths: Vec<f64> = all.iter().map(|(_, _, strength)| *strength).collect();
    strengths.sort_unstable_by(f64::total_cmp);
    let usual = strengths.get(strengths.len() / 2).copied().unwrap_or(0.0).max(1e-3);
    let weight = |strength: f64| (strength / usual).clamp(0.0, 1.0);
    all.into_iter().map(|(segment, offset, s)| Seen { segment, offset, weight: weight(s) }).collect()
}

/// What a unit of each of the eight numbers moves a segment by.
fn directions(cells: usize, segment: Segment) -> [f64; 8] {
    let half = cells as f64 / 2.0;
    let [u, v] = segment.point(0.5, 0.0);
    let (s, t) = (u / half - 1.0, v / half - 1.0);
    match segment.vertical {
        true => [1.0, s, t, 0.0, 0.0, 0.0, s * s, s * t],
        false => [0.0, 0.0, 0.0, 1.0, s, t, t * s, t * t],
    }
}

/// Least squares with weights, those of what fits badly taken back; a little is asked for smallness.
fn fit<const N: usize>(rows: &[([f64; N], f64, f64)], small: f64) -> Option<[f64; N]> {
    let mut found = [0.0; N];
    for _ in 0..6 {
        let residual = |(row, offset, _): &([f64; N], f64, f64)| {
            offset - row.iter().zip(&found).map(|(a, x)| a * x).sum::<f64>()
        };
        let mut apart: Vec<f64> = rows.iter().map(|row| residual(row).abs()).collect();
        apart.sort_unstable_by(f64::total_cmp);
        let scale = (4.0 * apart.get(apart.len() / 2).copied().unwrap_or(0.0)).max(0.02);
        let (mut matrix, mut right) = ([[0.0; N]; N], [0.0; N]);
        for row in rows {
            let far = (residual(row) / scale).abs().min(1.0);
            let weight = row.2 * (1.0 - far * far).powi(2);
            for (a, slope) in row.0.iter().enumerate() {
                right[a] += weight * slope * row.1;
                for (b, other) in row.0.iter().enumerate() {
                    matrix[a][b] += weight * slope * other;
                }
            }
        }
        (0..N).for_each(|at| matrix[at][at] += small);
        found = solve(matrix, right)?;
    }
    Some(found)
}

fn corrected(grid: &Grid, seen: &[Seen]) -> Option<Grid> {
    let rows: Vec<([f64; 8], f64, f64)> =
        seen.iter().map(|one| (directions(grid.cells, one.segment), one.offset, one.weight)).collect();
    let step = fit(&rows, 1e-3)?;
    let side = grid.cells as f64;
    let half = side / 2.0;
    let moved = |[u, v]: [f64; 2]| {
        let (s, t) = (u / half - 1.0, v / half - 1.0);
        let tilt = step[6] * s + step[7] * t;
        [
            u + step[0] + step[1] * s + step[2] * t + s * tilt,
            v + step[3] + step[4] * s + step[5] * t + t * tilt,
        ]
    };
    let corners = [[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]];
    let correction = Homography::of_points(corners, corners.map(moved))?;
    Some(Grid { camera: grid.camera.after(&correction), ..grid.clone() })
}

fn polynomial(cells: usize, seen: &[&Seen]) -> Option<[f64; TERMS]> {
    let rows: Vec<([f64; TERMS], f64, f64)> =
        seen.iter().map(|one| (terms(cells, one.segment.point(0.5, 0.0)), one.offset, one.weight)).collect();
    fit(&rows, 0.3)
}
