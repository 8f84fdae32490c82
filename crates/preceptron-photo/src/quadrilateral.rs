//! The four corners of a shape: those of its convex hull that span the most.

use crate::geometry::{Point, area, from_upper_left};

/// The convex hull of points, clockwise as seen (Andrew's monotone chain).
pub(crate) fn hull(points: &mut [Point]) -> Vec<Point> {
    points.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let half = |points: &mut dyn Iterator<Item = Point>| {
        let mut chain: Vec<Point> = Vec::new();
        for point in points {
            while chain.len() > 1 && area(&[chain[chain.len() - 2], chain[chain.len() - 1], point]) <= 0.0 {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut all = half(&mut points.iter().copied());
    all.extend(half(&mut points.iter().rev().copied()));
    all
}

/// A hull with the corners taken away that matter least, until so many are left.
fn simplified(mut hull: Vec<Point>, most: usize) -> Vec<Point> {
    while hull.len() > most {
        let count = hull.len();
        let loss =
            |at: &usize| area(&[hull[(at + count - 1) % count], hull[*at], hull[(at + 1) % count]]).abs();
        let Some(least) = (0..count).min_by(|a, b| loss(a).total_cmp(&loss(b))) else { break };
        hull.remove(least);
    }
    hull
}

/// The largest quadrilateral with its corners among those of a hull, from the upper left one clockwise.
pub(crate) fn quadrilateral(hull: Vec<Point>) -> Option<[Point; 4]> {
    let hull = simplified(hull, 24);
    let count = hull.len();
    let mut best: Option<(f64, [Point; 4])> = None;
    for a in 0..count {
        for c in a + 2..count {
            // The farthest to either side of a diagonal.
            let to_side = |from: usize, to: usize, sign: f64| {
                let far = |at: usize| sign * area(&[hull[a], hull[c], hull[at % count]]);
                (from..to).map(|at| (far(at), hull[at % count])).max_by(|p, q| p.0.total_cmp(&q.0))
            };
            let (Some((_, b)), Some((_, d))) = (to_side(a + 1, c, -1.0), to_side(c + 1, a + count, 1.0))
            else {
                continue;
            };
            let corners = [hull[a], b, hull[c], d];
            let size = area(&corners).abs();
            if best.as_ref().is_none_or(|(most, _)| size > *most) {
                best = Some((size, corners));
            }
        }
    }
    best.map(|(_, corners)| from_upper_left(corners))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::distance;

    #[test]
    fn corners_of_a_filled_shape_are_found() {
        let corners = [[20.0, 10.0], [90.0, 22.0], [80.0, 95.0], [8.0, 80.0]];
        let inside =
            |point: Point| (0..4).all(|at| area(&[corners[at], corners[(at + 1) % 4], point]) >= 0.0);
        let grid = (0..100).flat_map(|y| (0..100).map(move |x| [f64::from(x), f64::from(y)]));
        let mut points: Vec<Point> = grid.filter(|point| inside(*point)).collect();
        let found = quadrilateral(hull(&mut points)).unwrap();
        assert!(found.into_iter().zip(corners).all(|(a, b)| distance(a, b) < 2.5), "{found:?}");
        assert_eq!(quadrilateral(hull(&mut [[1.0, 1.0], [2.0, 2.0]])), None);
    }
}
