//! Looks for a grid in a photograph.
//!
//! In a reduced picture, guesses come from the hulls of large components of ink, from the picture's own edges (it may be
//! cropped to the grid), and, where none of these holds, from straight lines. Each guess is moved to where lines are seen and
//! judged by how well all of its lines stand; the largest that stands is the grid, and is measured once more in a picture as
//! fine as its cells need. Lines are dark on light, or light on dark.

use crate::components::{components, ink};
use crate::flat::Level;
use crate::geometry::{area, distance, is_squarish};
use crate::grid::Grid;
use crate::hough;
use crate::measure::{Standing, standing};
use crate::picture::Picture;
use crate::quadrilateral::quadrilateral;
use crate::refine::{bent, refined};
use crate::ridges::ridges;

/// Pixels of the longer side of the picture that is searched.
const SEARCHED: usize = 900;

/// The least side of a cell, in pixels of the picture.
const LEAST_CELL: f64 = 7.0;

/// A grid of which this share is seen is not looked at twice.
const SURELY: f64 = 0.95;

/// Guesses of straight lines that are followed.
const FOLLOWED: usize = 24;

/// A grid that was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Where it is, in pixels of the photograph.
    pub grid: Grid,
    /// Whether its lines are light on dark.
    pub light_on_dark: bool,
    /// The share of its lines' segments that are to be seen.
    pub share: f64,
    /// How many other grids of as many cells there are, smaller ones.
    pub others: usize,
}

/// Why there is no grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoGrid {
    /// Too few pixels.
    #[error("{width} x {height} pixels are too few for {cells} x {cells} cells")]
    Small {
        /// Pixels of a row.
        width: usize,
        /// Rows.
        height: usize,
        /// Cells of a row.
        cells: usize,
    },
    /// Nothing that looks like it.
    #[error("no grid of {cells} x {cells} cells is to be seen")]
    Nothing {
        /// Cells of a row.
        cells: usize,
    },
    /// Lines go on beyond the border, or there are others between them.
    #[error("there is a grid, but not of {cells} x {cells} cells")]
    Other {
        /// Cells of a row.
        cells: usize,
    },
    /// Nothing was found in time.
    #[error("no grid was found in time")]
    Late,
    /// The grid reaches over the edge of the picture.
    #[error("a part of the grid lies outside the picture")]
    Outside,
}

/// What a guess turned out to be.
#[expect(clippy::large_enum_variant, reason = "one at a time, and moved on at once")]
enum Judged {
    Grid(Grid, Standing),
    Other,
    Nothing,
}

/// Finds a square grid of so many cells a row, whatever stands in them.
///
/// # Errors
/// If there is none: why.
pub fn find_grid(picture: &Picture, cells: usize) -> Result<Found, NoGrid> {
    find_grid_while(picture, cells, &|| true)
}

/// The same as long as it is to go on.
///
/// # Errors
/// If there is none, or none was found until then.
pub fn find_grid_while(picture: &Picture, cells: usize, goes_on: &dyn Fn() -> bool) -> Result<Found, NoGrid> {
    let (width, height) = (picture.width(), picture.height());
    if (width.min(height) as f64) < LEAST_CELL * cells as f64 {
        return Err(NoGrid::Small { width, height, cells });
    }
    let level = Level::whole(picture, SEARCHED);
    let mut is_other = false;
    // Components are quick to look at, in both tones; straight lines come when nothing else stands.
    for by_lines in [false, true] {
        let mut best: Option<(Found, Standing)> = None;
        for light_on_dark in [false, true] {
            let searched =
                if light_on_dark { level.picture.map(|tone| 255 - tone) } else { level.picture.clone() };
            let guesses = if by_lines { straight(&searched, cells) } else { shapes(&searched, cells) };
            let mut kept: Vec<(Grid, Standing)> = Vec::new();
            for guess in guesses {
                if !goes_on() {
                    return Err(NoGrid::Late);
                }
                let is_known =
                    |(grid, standing): &(Grid, Standing)| standing.share > SURELY && guess.is_near(grid, 0.5);
                if kept.iter().any(is_known) {
                    continue;
                }
                match judged(&searched, &guess) {
                    Judged::Grid(grid, standing) => {
                        // The same grid is found many times, a cell within it never.
                        let twin = kept.iter_mut().find(|(other, _)| grid.is_near(other, 1.5));
                        match twin {
                            Some(twin) if twin.1.share < standing.share => *twin = (grid, standing),
                            Some(_) => {}
                            None => kept.push((grid, standing)),
                        }
                        if by_lines && kept.iter().any(|(_, standing)| standing.share > 0.97) {
                            break;
                        }
                    }
                    Judged::Other => is_other = true,
                    Judged::Nothing => {}
                }
            }
            let others = kept.len().saturating_sub(1);
            let size = |grid: &Grid| area(&grid.corners()).abs();
            let largest = kept.into_iter().max_by(|a, b| size(&a.0).total_cmp(&size(&b.0)));
            let Some((grid, standing)) = largest else { continue };
            let found = Found { grid, light_on_dark, share: standing.share, others };
            let is_better = |(other, known): &(Found, Standing)| {
                standing.share * standing.contrast > known.share * known.contrast
                    && size(&found.grid) > 0.5 * size(&other.grid)
            };
            if best.as_ref().is_none_or(is_better) {
                best = Some((found, standing));
            }
            // Lines that all stand in one tone need not be looked for in the other.
            if best.as_ref().is_some_and(|(_, standing)| standing.share > SURELY) {
                break;
            }
        }
        if let Some((found, _)) = best {
            return finer(picture, &level, found);
        }
    }
    Err(if is_other { NoGrid::Other { cells } } else { NoGrid::Nothing { cells } })
}

/// Guesses from what hangs together, and from the edges of the picture.
fn shapes(picture: &Picture, cells: usize) -> Vec<Grid> {
    let (width, height) = (picture.width(), picture.height());
    let long = width.max(height);
    let mut guesses = Vec::new();
    for (radius, share) in [(long / 40, 0.14), (long / 24, 0.06), (long / 80, 0.05)] {
        let ink = ink(picture, radius.max(3), share);
        for component in components(&ink, width, (7 * cells).max(long / 8)) {
            // A grid is mostly holes.
            let size = area(&component.hull).abs();
            if component.size as f64 > 0.6 * size || component.extent * 3 < cells {
                continue;
            }
            guesses.extend(quadrilateral(component.hull).filter(is_squarish));
        }
    }
    let (w, h) = (width as f64, height as f64);
    let edges = [[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]];
    guesses.extend(Some(edges).filter(is_squarish));
    let mut grids: Vec<Grid> = Vec::new();
    for grid in guesses.into_iter().filter_map(|corners| Grid::of_corners(cells, corners)) {
        if !grids.iter().any(|other| grid.is_near(other, 0.12)) {
            grids.push(grid);
        }
    }
    grids
}

/// Guesses from straight lines.
fn straight(picture: &Picture, cells: usize) -> Vec<Grid> {
    let ridges = ridges(picture);
    hough::guesses(&ridges, picture.width(), picture.height(), cells, FOLLOWED)
}

/// A guess moved to its best place, if its lines stand there: nearby first, where digits cannot be taken for lines.
fn judged(picture: &Picture, guess: &Grid) -> Judged {
    match judged_within(picture, guess, 0.2) {
        Judged::Nothing => judged_within(picture, guess, 1.0),
        judged => judged,
    }
}

fn judged_within(picture: &Picture, guess: &Grid, reach: f64) -> Judged {
    let Some(grid) = refined(picture, guess, reach).filter(|grid| is_squarish(&grid.corners())) else {
        return Judged::Nothing;
    };
    // Far away from the guess it is another grid, or none.
    let moved =
        grid.corners().into_iter().zip(guess.corners()).map(|(a, b)| distance(a, b)).fold(0.0, f64::max);
    if moved > 1.5 * guess.cell() || grid.cell() < 4.0 {
        return Judged::Nothing;
    }
    let grid = bent(picture, &grid).unwrap_or(grid);
    let standing = standing(picture, &grid);
    if !is_there(&standing) {
        return Judged::Nothing;
    }
    if standing.between > 0.45 || standing.beyond > 0.55 {
        return Judged::Other;
    }
    Judged::Grid(grid, standing)
}

/// Whether the lines stand.
fn is_there(standing: &Standing) -> bool {
    let (ground, spread) = standing.ground;
    standing.share >= 0.82
        && standing.weakest >= 0.4
        && standing.contrast - ground > 2.0
        && standing.contrast - ground > 1.5 * spread
}

/// The grid measured once more in a picture as fine as its cells need.
fn finer(picture: &Picture, level: &Level, mut found: Found) -> Result<Found, NoGrid> {
    let grid = found.grid.moved(1.0 / level.scale, level.place);
    let corners = grid.corners();
    let (width, height) = (picture.width() as f64, picture.height() as f64);
    let over = 0.5 * grid.cell();
    let is_inside = |[x, y]: [f64; 2]| x > -over && y > -over && x < width + over && y < height + over;
    if !corners.into_iter().all(is_inside) {
        return Err(NoGrid::Outside);
    }
    let fine = Level::around(picture, &grid, found.light_on_dark);
    let there = Grid { camera: grid.moved(fine.scale, fine.shift()).camera, ..grid.clone() };
    let better = bent(&fine.picture, &there).filter(|better| better.is_near(&there, 0.35));
    found.grid = match better {
        Some(better) => better.moved(1.0 / fine.scale, fine.place),
        None => grid,
    };
    Ok(found)
}
