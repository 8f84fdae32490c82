//! Where the lines of a grid are in a picture.
//!
//! A point `(u, v)` of a grid, counted in cells from its upper left corner, is seen at `H(u + p(u, v), v + q(u, v))`: the
//! camera's homography `H` of a page that is not quite flat, `p` and `q` polynomials of the third degree that are small.
//!
//! | symbol | here |
//! |---|---|
//! | `H` | [`Grid::camera`] |
//! | `p`, `q` | [`Grid::bends`] |

use crate::geometry::{Homography, Point, area, distance};

/// How many terms a polynomial of the third degree in two variables has.
pub(crate) const TERMS: usize = 10;

/// A square grid in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Cells of a row.
    pub cells: usize,
    /// How the camera maps points counted in cells.
    pub camera: Homography,
    /// How the page is bent, in cells: to the right, and down.
    pub bends: [[f64; TERMS]; 2],
}

/// The terms of the polynomials at a point, its place counted from the middle of the grid.
pub(crate) fn terms(cells: usize, [u, v]: Point) -> [f64; TERMS] {
    let half = cells as f64 / 2.0;
    let (s, t) = (u / half - 1.0, v / half - 1.0);
    [1.0, s, t, s * s, s * t, t * t, s * s * s, s * s * t, s * t * t, t * t * t]
}

impl Grid {
    /// A flat grid with these corners, from the upper left one clockwise; nothing if they do not span it.
    pub fn of_corners(cells: usize, corners: [Point; 4]) -> Option<Grid> {
        let camera = Homography::of_square(cells as f64, corners)?;
        Some(Grid { cells, camera, bends: [[0.0; TERMS]; 2] })
    }

    /// Where a point of the grid is seen.
    pub fn at(&self, point: Point) -> Point {
        if self.bends == [[0.0; TERMS]; 2] {
            return self.camera.at(point);
        }
        let terms = terms(self.cells, point);
        let moved = |axis: usize| {
            let bend: f64 = terms.iter().zip(&self.bends[axis]).map(|(t, c)| t * c).sum();
            point[axis] + bend
        };
        self.camera.at([moved(0), moved(1)])
    }

    /// The corners from the upper left one clockwise.
    pub fn corners(&self) -> [Point; 4] {
        let side = self.cells as f64;
        [[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]].map(|corner| self.at(corner))
    }

    /// The side of a cell in pixels, on the whole.
    pub fn cell(&self) -> f64 {
        area(&self.corners()).abs().sqrt() / self.cells as f64
    }

    /// The grid in the same picture at another size: a pixel there is so many here, and the picture begins at another place.
    #[must_use]
    pub fn moved(&self, scale: f64, [x, y]: Point) -> Grid {
        let map = Homography { rows: [[scale, 0.0, x], [0.0, scale, y], [0.0, 0.0, 1.0]] };
        Grid { camera: map.after(&self.camera), ..self.clone() }
    }

    /// The same grid, its first corner the one that comes so many quarters later clockwise.
    #[must_use]
    pub fn turned(&self, quarters: usize) -> Grid {
        let mut grid = self.clone();
        for _ in 0..quarters % 4 {
            // What is new at (u, v) was at (side - v, u), clockwise from the corner that is now the first.
            let side = grid.cells as f64;
            let turn = Homography { rows: [[0.0, -1.0, side], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]] };
            let [p, q] = grid.bends;
            // s is now -t of before, t is s: each term of the polynomials is another one, some with a sign.
            let of = |c: [f64; TERMS]| [c[0], c[2], -c[1], c[5], -c[4], c[3], c[9], -c[8], c[7], -c[6]];
            let (p, q) = (of(p), of(q));
            grid.bends = [q, p.map(|c| -c)];
            grid.camera = grid.camera.after(&turn);
        }
        grid
    }

    /// Whether the corners of two grids are the same but for a share of a cell.
    pub(crate) fn is_near(&self, other: &Grid, share: f64) -> bool {
        let apart = self.corners().into_iter().zip(other.corners());
        apart.map(|(a, b)| distance(a, b)).fold(0.0, f64::max) < share * self.cell()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turned_grid_has_the_same_points() {
        let mut grid = Grid::of_corners(9, [[10.0, 12.0], [95.0, 8.0], [101.0, 97.0], [6.0, 90.0]]).unwrap();
        grid.bends =
            [0, 1].map(|axis| std::array::from_fn(|term| 0.01 * ((7 * term + 3 * axis) % 5) as f64 - 0.02));
        let turned = grid.turned(1);
        for [u, v] in [[0.0, 0.0], [9.0, 0.0], [2.5, 7.0], [4.0, 1.5]] {
            assert!(distance(turned.at([u, v]), grid.at([9.0 - v, u])) < 1e-9);
        }
        let [a, b, c, d] = grid.corners();
        assert!(turned.corners().into_iter().zip([b, c, d, a]).all(|(p, q)| distance(p, q) < 1e-9));
        assert!(grid.turned(4).is_near(&grid, 1e-6) && !turned.is_near(&grid, 1.0));
        let moved = grid.moved(2.0, [5.0, -1.0]);
        assert!(distance(moved.at([3.0, 4.0]), grid.at([3.0, 4.0]).map(|x| 2.0 * x)) < 6.0);
    }
}
