//! Straight lines, and squares made of them.
//!
//! A line is `x cos(a) + y sin(a) = r`. Every pixel of a ridge votes for the lines through it whose direction is near its
//! own (Hough transform); the maxima are lines. The lines of a grid come in two families nearly at right angles; two of each
//! may be its borders, and of all such choices those are kept under whose lines ridges run, and not between them.

use std::f64::consts::PI;

use crate::geometry::{Point, area, from_upper_left, is_squarish};
use crate::grid::Grid;
use crate::ridges::{Ridge, distances};

/// A line `x cos(angle) + y sin(angle) = radius`, and how many pixels vote for it.
#[derive(Clone, Copy, Debug)]
struct Line {
    angle: f64,
    radius: f64,
    votes: f64,
}

/// Angles in half a turn.
const ANGLES: usize = 180;

/// How far from a pixel's own direction it votes, in degrees.
const SPREAD: i32 = 5;

/// Pixels to a step of the radius.
const STEP: f64 = 1.5;

/// Lines of a family that may be borders.
const BORDERS: usize = 14;

fn lines(ridges: &[Ridge], width: usize, height: usize) -> Vec<Line> {
    let reach = (width as f64).hypot(height as f64);
    let radii = (2.0 * reach / STEP) as usize + 3;
    let table: Vec<(f64, f64)> =
        (0..ANGLES).map(|a| (a as f64 * PI / ANGLES as f64).sin_cos()).map(|(s, c)| (c, s)).collect();
    let mut votes = vec![0.0f32; ANGLES * radii];
    for ridge in ridges {
        let own = (f64::from(ridge.across) * ANGLES as f64 / PI).round() as i32;
        for angle in own - SPREAD..=own + SPREAD {
            let angle = angle.rem_euclid(ANGLES as i32) as usize;
            let (cos, sin) = table[angle];
            let radius = (f64::from(ridge.x) + 0.5) * cos + (f64::from(ridge.y) + 0.5) * sin;
            let place = (radius + reach) / STEP;
            // Two neighbours share a vote.
            let low = place as usize;
            let share = (place - low as f64) as f32;
            votes[angle * radii + low] += 1.0 - share;
            votes[angle * radii + low + 1] += share;
        }
    }
    let most = votes.iter().copied().fold(0.0, f32::max);
    let mut found = Vec::new();
    for angle in 0..ANGLES {
        for radius in 0..radii {
            let here = votes[angle * radii + radius];
            if here < 0.15 * most || here < 12.0 {
                continue;
            }
            let is_peak = (-3..=3i32).all(|da| {
                let other = (angle as i32 + da).rem_euclid(ANGLES as i32) as usize;
                let is_flipped = (angle as i32 + da) != other as i32;
                let middle =
                    if is_flipped { (2.0 * reach / STEP) as i32 - radius as i32 } else { radius as i32 };
                (-3..=3i32).all(|dr| {
                    let at = middle + dr;
                    let there = if (0..radii as i32).contains(&at) {
                        votes[other * radii + at as usize]
                    } else {
                        0.0
                    };
                    there < here || (there == here && (da, dr) <= (0, 0))
                })
            });
            if is_peak {
                let (angle, radius) = (angle as f64 * PI / ANGLES as f64, radius as f64 * STEP - reach);
                found.push(Line { angle, radius, votes: f64::from(here) });
            }
        }
    }
    found.sort_by(|a, b| b.votes.total_cmp(&a.votes));
    found.truncate(80);
    found
}

/// How far apart two directions are.
fn between(a: f64, b: f64) -> f64 {
    let apart = (a - b).rem_euclid(PI);
    apart.min(PI - apart)
}

fn crossing(a: &Line, b: &Line) -> Option<Point> {
    let ((s, c), (t, d)) = (a.angle.sin_cos(), b.angle.sin_cos());
    let determinant = c * t - s * d;
    (determinant.abs() > 0.3)
        .then(|| [(a.radius * t - b.radius * s) / determinant, (b.radius * c - a.radius * d) / determinant])
}

/// Grids that may be there, the most promising first.
pub(crate) fn guesses(
    ridges: &[Ridge],
    width: usize,
    height: usize,
    cells: usize,
    count: usize,
) -> Vec<Grid> {
    let lines = lines(ridges, width, height);
    let weight =
        |direction: f64, line: &Line| if between(line.angle, direction) < 0.24 { line.votes } else { 0.0 };
    let support = |degree: &usize| {
        let direction = *degree as f64 * PI / 180.0;
        let of = |direction: f64| lines.iter().map(|line| weight(direction, line)).sum::<f64>();
        of(direction).min(of(direction + PI / 2.0))
    };
    let mut directions: Vec<usize> = (0..90).collect();
    directions.sort_by(|a, b| support(b).total_cmp(&support(a)));
    let Some(&first) = directions.first() else { return Vec::new() };
    let far = distances(ridges, width, height);
    let mut ranked: Vec<(f64, Grid)> = Vec::new();
    // The best direction, and another one where there is one.
    let other = directions.iter().copied().find(|&one| {
        let apart = one.abs_diff(first);
        apart.min(90 - apart) > 20
    });
    for direction in [Some(first), other].into_iter().flatten() {
        let direction = direction as f64 * PI / 180.0;
        let family = |direction: f64| {
            let near = lines.iter().filter(|line| between(line.angle, direction) < 0.3);
            near.take(BORDERS).collect::<Vec<_>>()
        };
        let (one, two) = (family(direction), family(direction + PI / 2.0));
        let pairs = |lines: &[&Line]| {
            let all = (0..lines.len()).flat_map(|a| (a + 1..lines.len()).map(move |b| (a, b)));
            all.map(|(a, b)| (*lines[a], *lines[b])).collect::<Vec<(Line, Line)>>()
        };
        let seconds = pairs(&two);
        for (a, b) in pairs(&one) {
            for (c, d) in &seconds {
                let corners = [crossing(&a, c), crossing(&b, c), crossing(&b, d), crossing(&a, d)];
                let [Some(p), Some(q), Some(r), Some(s)] = corners else { continue };
                let corners = from_upper_left([p, q, r, s]);
                let size = area(&corners).abs();
                if size < 0.02 * (width * height) as f64 || !is_squarish(&corners) {
                    continue;
                }
                let Some(grid) = Grid::of_corners(cells, corners) else { continue };
                let promise = promise(&grid, &far, width, height);
                if promise > 0.2 {
                    ranked.push((promise, grid));
                }
            }
        }
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut kept: Vec<Grid> = Vec::new();
    for (_, grid) in ranked {
        if kept.len() >= count {
            break;
        }
        if !kept.iter().any(|other| grid.is_near(other, 0.25)) {
            kept.push(grid);
        }
    }
    kept
}

/// The share of places on the lines of a grid that are near a ridge, less that of places between them.
fn promise(grid: &Grid, far: &[u16], width: usize, height: usize) -> f64 {
    let cells = grid.cells;
    let near = (3.0 * (0.09 * grid.cell()).max(1.5)) as u16;
    let is_near = |point: Point| {
        let [x, y] = grid.camera.at(point);
        let is_inside = x >= 0.0 && y >= 0.0 && x < width as f64 && y < height as f64;
        is_inside && far[y as usize * width + x as usize] <= near
    };
    let mut on = 0;
    for line in 0..=cells {
        for along in 0..cells {
            let (line, along) = (line as f64, along as f64 + 0.3 + 0.4 * ((line + along) % 2) as f64);
            on += usize::from(is_near([line, along])) + usize::from(is_near([along, line]));
        }
    }
    let mut off = 0;
    for line in 0..cells {
        for along in 0..cells {
            let (line, along) = (line as f64 + 0.5, along as f64 + 0.3 + 0.4 * ((line + along) % 2) as f64);
            off += usize::from(is_near([line, along])) + usize::from(is_near([along, line]));
        }
    }
    on as f64 / (2 * cells * (cells + 1)) as f64 - off as f64 / (2 * cells * cells) as f64
}
