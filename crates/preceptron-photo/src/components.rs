//! Ink that hangs together, in any light.
//!
//! A pixel is ink if it is darker than the mean of a window around it by a share of that mean (an adaptive threshold). The
//! lines of a grid are one large component, whose hull has the grid's corners.

use crate::geometry::Point;
use crate::picture::Picture;
use crate::quadrilateral::hull;

/// A component: its pixels' number, its bounds, and the corners of its hull.
pub(crate) struct Component {
    pub size: usize,
    pub hull: Vec<Point>,
    pub extent: usize,
}

/// Which pixels are darker than their surroundings within a radius by a share.
pub(crate) fn ink(picture: &Picture, radius: usize, share: f64) -> Vec<bool> {
    let (width, height) = (picture.width(), picture.height());
    let stride = width + 1;
    let mut sums = vec![0u32; stride * (height + 1)];
    for y in 0..height {
        let mut row = 0;
        for x in 0..width {
            row += u32::from(picture.pixels()[y * width + x]);
            sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1].wrapping_add(row);
        }
    }
    let keep = ((1.0 - share) * 1024.0) as u64;
    let mut ink = vec![false; width * height];
    for y in 0..height {
        let (top, bottom) = (y.saturating_sub(radius), (y + radius + 1).min(height));
        for x in 0..width {
            let (left, right) = (x.saturating_sub(radius), (x + radius + 1).min(width));
            let at = |x: usize, y: usize| sums[y * stride + x];
            let sum = at(right, bottom)
                .wrapping_add(at(left, top))
                .wrapping_sub(at(left, bottom))
                .wrapping_sub(at(right, top));
            let count = ((right - left) * (bottom - top)) as u64;
            let tone = u64::from(picture.pixels()[y * width + x]);
            ink[y * width + x] = (tone * 1024 + 2048) * count < u64::from(sum) * keep;
        }
    }
    ink
}

/// The components that reach at least so far, the farthest first.
pub(crate) fn components(ink: &[bool], width: usize, least: usize) -> Vec<Component> {
    let height = ink.len() / width;
    let mut labels = vec![0u32; ink.len()];
    let mut parents: Vec<u32> = vec![0];
    fn root(parents: &mut [u32], mut at: u32) -> u32 {
        while parents[at as usize] != at {
            parents[at as usize] = parents[parents[at as usize] as usize];
            at = parents[at as usize];
        }
        at
    }
    for y in 0..height {
        for x in 0..width {
            let at = y * width + x;
            if !ink[at] {
                continue;
            }
            let mut label = 0;
            let before = [
                (x > 0).then(|| at - 1),
                (y > 0).then(|| at - width),
                (x > 0 && y > 0).then(|| at - width - 1),
                (y > 0 && x + 1 < width).then(|| at - width + 1),
            ];
            for other in before.into_iter().flatten().map(|at| labels[at]).filter(|label| *label > 0) {
                let other = root(&mut parents, other);
                if label == 0 {
                    label = other;
                } else if other != label {
                    let (low, high) = (label.min(other), label.max(other));
                    parents[high as usize] = low;
                    label = low;
                }
            }
            if label == 0 {
                label = parents.len() as u32;
                parents.push(label);
            }
            labels[at] = label;
        }
    }
    // The bounds of each, then the ends of rows of those that are large.
    let mut bounds = vec![(usize::MAX, 0, usize::MAX, 0, 0); parents.len()];
    for (at, label) in labels.iter_mut().enumerate().filter(|(_, label)| **label > 0) {
        *label = root(&mut parents, *label);
        let (x, y) = (at % width, at / width);
        let known = &mut bounds[*label as usize];
        *known = (known.0.min(x), known.1.max(x), known.2.min(y), known.3.max(y), known.4 + 1);
    }
    let extent = |b: &(usize, usize, usize, usize, usize)| (b.1 - b.0).min(b.3 - b.2) + 1;
    let mut large: Vec<usize> =
        (1..bounds.len()).filter(|&at| bounds[at].4 > 0 && extent(&bounds[at]) >= least).collect();
    large.sort_by_key(|&at| std::cmp::Reverse(extent(&bounds[at])));
    large.truncate(12);
    let component = |&label: &usize| {
        let bound = &bounds[label];
        let mut points = Vec::new();
        for y in bound.2..=bound.3 {
            let row = &labels[y * width + bound.0..=y * width + bound.1];
            let is_own = |one: &u32| *one == label as u32;
            if let (Some(first), Some(last)) = (row.iter().position(is_own), row.iter().rposition(is_own)) {
                let (left, right) = ((bound.0 + first) as f64, (bound.0 + last + 1) as f64);
                let (top, bottom) = (y as f64, y as f64 + 1.0);
                points.extend([[left, top], [right, top], [left, bottom], [right, bottom]]);
            }
        }
        Component { size: bound.4, hull: hull(&mut points), extent: extent(bound) }
    };
    large.iter().map(component).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ink_in_a_shadow_hangs_together() {
        // A ring and a dot on paper that grows darker to the right.
        let is_ink = |x: usize, y: usize| {
            let ring = (20..80).contains(&x)
                && (20..80).contains(&y)
                && !((23..77).contains(&x) && (23..77).contains(&y));
            ring || (x == 50 && y == 50)
        };
        let tone = |at: usize| {
            let (x, y) = (at % 100, at / 100);
            let paper = 250 - 2 * x;
            (if is_ink(x, y) { paper / 2 } else { paper }) as u8
        };
        let picture = Picture::from_pixels(100, (0..10_000).map(tone).collect());
        let ink = ink(&picture, 8, 0.15);
        let wrong = (0..10_000).filter(|&at| ink[at] != is_ink(at % 100, at / 100)).count();
        assert!(wrong < 20, "{wrong}");
        let found = components(&ink, 100, 30);
        assert_eq!((found.len(), found[0].extent), (1, 60));
        assert!(found[0].size > 600);
        assert_eq!(found[0].hull.len(), 4);
    }
}
