//! Points of the plane and the maps between pictures of it.
//!
//! A camera maps the points `(u, v)` of a flat page to
//! `x = (a u + b v + c) / (g u + h v + 1)`, `y = (d u + e v + f) / (g u + h v + 1)`: a homography, which four points fix.
//!
//! | symbol | here |
//! |---|---|
//! | `a, b, c, d, e, f, g, h, 1` | [`Homography::rows`], row by row |

/// A point: to the right, and down.
pub type Point = [f64; 2];

/// How a camera maps a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Homography {
    /// The matrix that acts on `(u, v, 1)`.
    pub rows: [[f64; 3]; 3],
}

impl Homography {
    /// The map that brings each of four points to its partner; nothing if three of them are on a line.
    pub fn of_points(from: [Point; 4], to: [Point; 4]) -> Option<Homography> {
        let (mut matrix, mut right) = ([[0.0; 8]; 8], [0.0; 8]);
        for (at, ([u, v], [x, y])) in from.into_iter().zip(to).enumerate() {
            matrix[2 * at] = [u, v, 1.0, 0.0, 0.0, 0.0, -u * x, -v * x];
            matrix[2 * at + 1] = [0.0, 0.0, 0.0, u, v, 1.0, -u * y, -v * y];
            (right[2 * at], right[2 * at + 1]) = (x, y);
        }
        let [a, b, c, d, e, f, g, h] = solve(matrix, right)?;
        Some(Homography { rows: [[a, b, c], [d, e, f], [g, h, 1.0]] })
    }

    /// The map of a square of this side, its corners from the upper left one clockwise.
    pub fn of_square(side: f64, corners: [Point; 4]) -> Option<Homography> {
        Homography::of_points([[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]], corners)
    }

    /// Where a point goes.
    pub fn at(&self, [u, v]: Point) -> Point {
        let [x, y, w] = self.rows.map(|[a, b, c]| a * u + b * v + c);
        [x / w, y / w]
    }

    /// This map after another.
    #[must_use]
    pub fn after(&self, first: &Homography) -> Homography {
        let cell =
            |row: usize, column: usize| (0..3).map(|k| self.rows[row][k] * first.rows[k][column]).sum();
        Homography { rows: [0, 1, 2].map(|row| [0, 1, 2].map(|column| cell(row, column))) }
    }
}

/// The solution of linear equations by elimination with pivots; nothing if they have none or many.
#[expect(clippy::needless_range_loop, reason = "two rows of one matrix")]
pub(crate) fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> Option<[f64; N]> {
    let largest = matrix.iter().flatten().fold(0.0, |most: f64, a| most.max(a.abs()));
    for column in 0..N {
        let pivot =
            (column..N).max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()))?;
        if matrix[pivot][column].abs() <= 1e-12 * largest || !largest.is_finite() {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..N {
            let factor = matrix[row][column] / matrix[column][column];
            for at in column..N {
                matrix[row][at] -= factor * matrix[column][at];
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..N).rev() {
        let known: f64 = (row + 1..N).map(|at| matrix[row][at] * right[at]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right.iter().all(|x| x.is_finite()).then_some(right)
}

/// The area of a polygon, positive if its corners come clockwise (as seen, rows counted downwards).
pub(crate) fn area(corners: &[Point]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|([ax, ay], [bx, by])| ax * by - ay * bx).sum::<f64>() / 2.0
}

/// How far apart two points are.
pub(crate) fn distance([ax, ay]: Point, [bx, by]: Point) -> f64 {
    (ax - bx).hypot(ay - by)
}

/// Whether four corners, clockwise, are those of something like a square seen from a place not too far aside: convex, no
/// side more than twice another, no angle far from a right one.
pub(crate) fn is_squarish(corners: &[Point; 4]) -> bool {
    let side = |at: usize| distance(corners[at], corners[(at + 1) % 4]);
    let sides = [side(0), side(1), side(2), side(3)];
    let (least, most) = sides.iter().fold((f64::MAX, 0.0f64), |(a, b), s| (a.min(*s), b.max(*s)));
    let is_right = |at: usize| {
        let ([ax, ay], [bx, by], [cx, cy]) = (corners[at], corners[(at + 1) % 4], corners[(at + 2) % 4]);
        let (p, q) = ((bx - ax, by - ay), (cx - bx, cy - by));
        let turn = (p.0 * q.1 - p.1 * q.0) / (p.0.hypot(p.1) * q.0.hypot(q.1)).max(1e-9);
        turn > 0.75
    };
    most <= 2.0 * least && least > 0.0 && (0..4).all(is_right)
}

/// The corners from the one that is uppermost and leftmost on, clockwise.
pub(crate) fn from_upper_left(mut corners: [Point; 4]) -> [Point; 4] {
    if area(&corners) < 0.0 {
        corners.reverse();
    }
    let first =
        (0..4).min_by(|a, b| (corners[*a][0] + corners[*a][1]).total_cmp(&(corners[*b][0] + corners[*b][1])));
    corners.rotate_left(first.unwrap_or(0));
    corners
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn four_points_go_where_they_are_told(moves in prop::array::uniform4(prop::array::uniform2(-0.2..0.2f64))) {
            let square = [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]];
            let corners = [0, 1, 2, 3].map(|at| [0, 1].map(|axis| 100.0 * (square[at][axis] / 9.0 + moves[at][axis])));
            let map = Homography::of_square(9.0, corners).unwrap();
            for (from, to) in square.into_iter().zip(corners) {
                prop_assert!(distance(map.at(from), to) < 1e-6);
            }
            // Lines stay lines: the middle of a diagonal lies on the other one's picture.
            let middle = map.at([4.5, 4.5]);
            prop_assert!(area(&[corners[0], middle, corners[2]]).abs() < 1e-6);
            prop_assert!(area(&[corners[1], middle, corners[3]]).abs() < 1e-6);
        }
    }

    #[test]
    fn corners_are_put_in_order() {
        let corners = [[90.0, 12.0], [10.0, 8.0], [5.0, 95.0], [99.0, 91.0]];
        let ordered = from_upper_left(corners);
        assert_eq!(ordered, [[10.0, 8.0], [90.0, 12.0], [99.0, 91.0], [5.0, 95.0]]);
        assert!(area(&ordered) > 0.0 && is_squarish(&ordered));
        assert!(!is_squarish(&[[0.0, 0.0], [90.0, 0.0], [90.0, 20.0], [0.0, 20.0]]));
        assert_eq!(Homography::of_square(1.0, [[0.0; 2], [1.0; 2], [2.0; 2], [3.0; 2]]), None);
    }
}
