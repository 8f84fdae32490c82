//! What is seen along the lines that a grid should have.
//!
//! Between two crossings a line is a segment. Across it the tone `p(o)` at a distance of `o` cells, the mean over the lightest
//! places along the segment (a line is dark everywhere, the stroke of a digit is not), should be darkest in the middle: `r(o) = min(paper before, paper behind) - p(o)` with the paper the lighter of
//! two places to each side, so that a digit near the line does not hide it.
//!
//! | symbol | here |
//! |---|---|
//! | `o` | `offset` |
//! | `r` | `strength` |

use crate::grid::Grid;
use crate::picture::Picture;

/// Where the paper beside a line is looked for, in cells.
const SIDES: [f64; 2] = [0.11, 0.19];

/// Places along a segment.
const ALONG: usize = 7;

/// So many of them, the lightest, tell the tone.
const LIGHTEST: usize = 3;

/// A segment of a line: from one crossing to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    /// Whether it goes down.
    pub vertical: bool,
    /// The line's number.
    pub line: usize,
    /// The cell along the line.
    pub along: usize,
}

impl Segment {
    /// All segments of a grid.
    pub fn all(cells: usize) -> impl Iterator<Item = Segment> {
        let of = move |vertical| {
            (0..=cells).flat_map(move |line| (0..cells).map(move |along| Segment { vertical, line, along }))
        };
        of(true).chain(of(false))
    }

    /// A point of it: a share of its length, and a distance to its side in cells.
    pub fn point(&self, share: f64, offset: f64) -> [f64; 2] {
        let (across, along) = (self.line as f64 + offset, self.along as f64 + share);
        if self.vertical { [across, along] } else { [along, across] }
    }
}

/// The tone of a picture between pixels, which have their middles at halves; nothing outside.
pub(crate) fn tone(picture: &Picture, [x, y]: [f64; 2]) -> Option<f64> {
    let (width, height) = (picture.width(), picture.height());
    if !(x > -0.5 && y > -0.5 && x < width as f64 + 0.5 && y < height as f64 + 0.5) {
        return None;
    }
    let (x, y) = ((x - 0.5).clamp(0.0, width as f64 - 1.0), (y - 0.5).clamp(0.0, height as f64 - 1.0));
    let (left, top) = (x as usize, y as usize);
    let (right, bottom) = ((left + 1).min(width - 1), (top + 1).min(height - 1));
    let (fx, fy) = (x - left as f64, y - top as f64);
    let at = |x: usize, y: usize| f64::from(picture.pixels()[y * width + x]);
    let upper = at(left, top) * (1.0 - fx) + at(right, top) * fx;
    let lower = at(left, bottom) * (1.0 - fx) + at(right, bottom) * fx;
    Some(upper * (1.0 - fy) + lower * fy)
}

fn share(step: usize) -> f64 {
    0.14 + 0.72 * step as f64 / (ALONG - 1) as f64
}

/// Where across a segment, within a reach in cells, the line is, and how strongly it stands; nothing if it lies outside.
pub(crate) fn place(picture: &Picture, grid: &Grid, segment: Segment, reach: f64) -> Option<(f64, f64)> {
    const STEPS: usize = 8;
    let step = reach / STEPS as f64;
    let far = (SIDES[1] / step).ceil() as usize;
    let count = 2 * (STEPS + far) + 1;
    let middle = STEPS + far;
    let mut profile = vec![None; count];
    for (number, slot) in profile.iter_mut().enumerate() {
        let offset = (number as f64 - middle as f64) * step;
        let mut tones = [0.0; ALONG];
        let is_seen = tones.iter_mut().enumerate().all(|(along, slot)| {
            let seen = tone(picture, grid.at(segment.point(share(along), offset)));
            *slot = seen.unwrap_or(0.0);
            seen.is_some()
        });
        tones.sort_unstable_by(f64::total_cmp);
        *slot = is_seen.then(|| tones[ALONG - LIGHTEST..].iter().sum::<f64>() / LIGHTEST as f64);
    }
    let sides = SIDES.map(|side| (side / step).round().max(1.0) as usize);
    let paper = |at: Option<usize>, other: Option<usize>| {
        let tones = [at, other].map(|at| at.and_then(|at| profile.get(at).copied().flatten()));
        tones.into_iter().flatten().reduce(f64::max)
    };
    let response = |at: usize| {
        let before = paper(at.checked_sub(sides[0]), at.checked_sub(sides[1]));
        let behind = paper(Some(at + sides[0]), Some(at + sides[1]));
        // At the edge of the picture one side has to do.
        let paper = match (before, behind) {
            (Some(a), Some(b)) => a.min(b),
            (Some(a), None) | (None, Some(a)) => a,
            _ => return 0.0,
        };
        profile[at].map_or(0.0, |tone| paper - tone)
    };
    profile[middle]?;
    let responses: Vec<f64> = (far..=far + 2 * STEPS).map(response).collect();
    let peak = (0..responses.len()).max_by(|a, b| responses[*a].total_cmp(&responses[*b]))?;
    let strength = responses[peak];
    if strength <= 0.0 {
        return Some((0.0, 0.0));
    }
    // The middle of what stands out half as much, weighted: a thick line has a flat top.
    let is_line = |at: &usize| responses[*at] > 0.5 * strength;
    let first = (0..=peak).rev().take_while(is_line).last().unwrap_or(peak);
    let last = (peak..responses.len()).take_while(is_line).last().unwrap_or(peak);
    let weight: f64 = (first..=last).map(|at| responses[at] - 0.5 * strength).sum();
    let moment: f64 = (first..=last).map(|at| (responses[at] - 0.5 * strength) * at as f64).sum();
    Some((((moment / weight) - STEPS as f64) * step, strength))
}

/// How much darker a segment is than the paper to both its sides, where it should be or at a distance: the median along it.
/// Nothing if it is outside the picture.
pub(crate) fn stands(picture: &Picture, grid: &Grid, segment: Segment, offset: f64) -> Option<f64> {
    let mut seen = [0.0; ALONG];
    for (step, slot) in seen.iter_mut().enumerate() {
        let at = |o: f64| tone(picture, grid.at(segment.point(share(step), offset + o)));
        let on = [-0.025, 0.0, 0.025].into_iter().filter_map(at).reduce(f64::min)?;
        at(0.0)?;
        let paper = |sign: f64| SIDES.into_iter().filter_map(|side| at(sign * side)).reduce(f64::max);
        *slot = match (paper(-1.0), paper(1.0)) {
            (Some(a), Some(b)) => a.min(b) - on,
            (Some(a), None) | (None, Some(a)) => a - on,
            _ => return None,
        };
    }
    seen.sort_unstable_by(f64::total_cmp);
    Some(seen[ALONG / 2])
}

/// How well the lines of a grid stand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Standing {
    /// The share of its segments that are there.
    pub share: f64,
    /// The share of the line of which least is there.
    pub weakest: f64,
    /// How much darker than the paper a line is, usually.
    pub contrast: f64,
    /// The same in the middle of cells, where there should be none; and how much that varies.
    pub ground: (f64, f64),
    /// The share of segments that are there in the middle of cells.
    pub between: f64,
    /// The share of lines that go on beyond the border, on the side where most do.
    pub beyond: f64,
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// Looks at all lines of a grid.
pub(crate) fn standing(picture: &Picture, grid: &Grid) -> Standing {
    let cells = grid.cells;
    let on: Vec<(Segment, f64)> =
        Segment::all(cells).filter_map(|one| Some((one, stands(picture, grid, one, 0.0)?))).collect();
    let between: Vec<f64> = Segment::all(cells)
        .filter(|segment| segment.line < cells)
        .filter_map(|segment| stands(picture, grid, segment, 0.5))
        .collect();
    let usual = median(&mut between.clone());
    let spread = median(&mut between.iter().map(|d| (d - usual).abs()).collect::<Vec<_>>());
    let contrast = median(&mut on.iter().map(|(_, d)| *d).collect::<Vec<_>>());
    let least = usual + (0.25 * (contrast - usual)).max(spread).max(0.5);
    let mut lines = vec![(0, 0); 2 * (cells + 1)];
    for (segment, d) in &on {
        let line = &mut lines[segment.line + usize::from(segment.vertical) * (cells + 1)];
        line.0 += usize::from(*d > least);
        line.1 += 1;
    }
    let of = |(there, all): (usize, usize)| there as f64 / all.max(1) as f64;
    let sum = lines.iter().fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    // Lines that lie outside the picture are not judged; too many must not.
    let is_seen = 4 * sum.1 >= 3 * 2 * cells * (cells + 1);
    let weakest = lines.iter().filter(|(_, all)| 2 * all >= cells).map(|line| of(*line)).fold(1.0, f64::min);
    let beyond = (0..4).map(|side| {
        let lines = (0..=cells).filter_map(|line| {
            // A segment outside the border, as those of the lines that end there would go on.
            let place = if side % 2 == 0 { -1.0 } else { cells as f64 };
            let segment = Segment { vertical: side < 2, line, along: 0 };
            outer(picture, grid, segment, place)
        });
        let (mut there, mut all) = (0, 0);
        lines.for_each(|d| {
            there += usize::from(d > least);
            all += 1;
        });
        if 2 * all > cells { of((there, all)) } else { 0.0 }
    });
    Standing {
        share: if is_seen { of(sum) } else { 0.0 },
        weakest,
        contrast,
        ground: (usual, spread),
        between: between.iter().filter(|d| **d > least).count() as f64 / between.len().max(1) as f64,
        beyond: beyond.fold(0.0, f64::max),
    }
}

/// A segment of a line in the first cell beyond the border.
fn outer(picture: &Picture, grid: &Grid, segment: Segment, place: f64) -> Option<f64> {
    let mut seen = [0.0; ALONG];
    for (step, slot) in seen.iter_mut().enumerate() {
        let at = |o: f64| {
            let (across, along) = (segment.line as f64 + o, place + 0.1 + 0.8 * share(step));
            tone(picture, grid.at(if segment.vertical { [across, along] } else { [along, across] }))
        };
        let on = [-0.025, 0.0, 0.025].into_iter().filter_map(at).reduce(f64::min)?;
        let paper = |sign: f64| SIDES.into_iter().filter_map(|side| at(sign * side)).reduce(f64::max);
        *slot = paper(-1.0)?.min(paper(1.0)?) - on;
    }
    seen.sort_unstable_by(f64::total_cmp);
    Some(seen[ALONG / 2])
}
