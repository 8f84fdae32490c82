//! The picture that a camera straight above would have taken.

use crate::grid::Grid;
use crate::measure::tone;
use crate::picture::Picture;

/// Pixels of a cell's side that are enough to see what stands in it.
const ENOUGH: f64 = 48.0;

/// A photograph, or a part of it, at a size at which it is looked at.
pub(crate) struct Level {
    pub picture: Picture,
    /// How many pixels of it a pixel of the photograph is.
    pub scale: f64,
    /// Where it begins in the photograph.
    pub place: [f64; 2],
}

impl Level {
    /// All of it, its longer side no longer than this.
    pub fn whole(picture: &Picture, longest: usize) -> Level {
        let scale = (longest as f64 / picture.width().max(picture.height()) as f64).min(1.0);
        Level::part(picture, [0.0, 0.0, picture.width() as f64, picture.height() as f64], scale)
    }

    /// The part around a grid, its cells large enough to see what stands in them; lines dark.
    pub fn around(picture: &Picture, grid: &Grid, light_on_dark: bool) -> Level {
        let margin = 0.5;
        let side = grid.cells as f64 + margin;
        let corners =
            [[-margin, -margin], [side, -margin], [side, side], [-margin, side]].map(|c| grid.at(c));
        let bound = |axis: usize, most: usize| {
            let of = corners.map(|corner| corner[axis]);
            let (low, high) = of.into_iter().fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
            (low.floor().clamp(0.0, most as f64 - 1.0), high.ceil().clamp(1.0, most as f64))
        };
        let ((left, right), (top, bottom)) = (bound(0, picture.width()), bound(1, picture.height()));
        let scale = (ENOUGH / grid.cell()).min(1.0);
        let mut level =
            Level::part(picture, [left, top, right.max(left + 1.0), bottom.max(top + 1.0)], scale);
        if light_on_dark {
            level.picture = level.picture.map(|tone| 255 - tone);
        }
        level
    }

    fn part(picture: &Picture, [left, top, right, bottom]: [f64; 4], scale: f64) -> Level {
        let size = |length: f64| ((length * scale).round() as usize).max(1);
        let (width, height) = (size(right - left), size(bottom - top));
        let is_whole = (left, top) == (0.0, 0.0) && (width, height) == (picture.width(), picture.height());
        let picture = match is_whole {
            true => picture.clone(),
            false => picture
                .reduced([left as usize, top as usize, right as usize, bottom as usize], [width, height]),
        };
        // Rounded sizes are off by less than half a pixel over the whole length.
        Level { picture, scale: width as f64 / (right - left), place: [left, top] }
    }

    /// What a place of the photograph is moved by, in pixels of this picture.
    pub fn shift(&self) -> [f64; 2] {
        self.place.map(|x| -x * self.scale)
    }
}

/// A grid made flat: each cell a square of as many pixels, with a margin of half a cell around the grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Flat {
    /// The picture, lines dark on light paper.
    pub picture: Picture,
    /// Pixels of a cell's side.
    pub cell: usize,
    /// Cells of a row.
    pub cells: usize,
}

impl Flat {
    /// Where a line begins, from 0 to the number of cells.
    pub fn line(&self, number: usize) -> usize {
        self.cell / 2 + number * self.cell
    }
}

impl Grid {
    /// The grid as it would be seen from straight above, lines dark.
    pub fn flat(&self, photograph: &Picture, light_on_dark: bool) -> Flat {
        let level = Level::around(photograph, self, light_on_dark);
        let grid = self.moved(level.scale, level.shift());
        let cell = (grid.cell().round() as usize).clamp(20, ENOUGH as usize) & !1;
        let size = (self.cells + 1) * cell;
        let mut pixels = Vec::with_capacity(size * size);
        // Two places a pixel and direction: no stroke falls between them.
        let at = |x: usize, half: f64| (x as f64 + 0.25 + half) / cell as f64 - 0.5;
        for y in 0..size {
            for x in 0..size {
                let (mut sum, mut seen) = (0.0, 0.0);
                for (dx, dy) in [(0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (0.5, 0.5)] {
                    if let Some(tone) = tone(&level.picture, grid.at([at(x, dx), at(y, dy)])) {
                        sum += tone;
                        seen += 1.0;
                    }
                }
                pixels.push(if seen > 0.0 { (sum / seen).round() as u8 } else { 255 });
            }
        }
        Flat { picture: Picture::from_pixels(size, pixels), cell, cells: self.cells }
    }
}
